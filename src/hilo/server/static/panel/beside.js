// Beside the conversation: the handoff, what is known, where the dialogue stands, what will happen, what can be done.

import { Actions } from "./actions.js";
import { ofSession, post } from "./api.js";
import { contactName, statusWords } from "./conversation.js";
import { html, useState } from "./html.js";
import { Icon } from "./icons.js";
import { newestTurn, turnAfter } from "./outcome.js";
import { go } from "./place.js";
import { inWords } from "./reasons.js";
import { open } from "./sessions.js";
import { holder, load, may, state, whole, words } from "./talk.js";
import { known, t } from "./texts.js";
import { clock, date, day, dialled, isToday, number, second, short, since, span } from "./times.js";
import { toast } from "./toasts.js";

export function Beside() {
  if (state.value !== "there") return null;
  return html`
    <${HandoffCard} />
    <${Found} />
    <${Actions} />
    <${Slots} />
    <${Flow} />
    <${Timers} />
    <${Contact} />
  `;
}

function Card({ title, name, children, tone = "" }) {
  return html`<section class=${`card ${tone}`} data-card=${name}><h3>${title}</h3>${children}</section>`;
}

// The engine's own reason is for whoever looks for a mistake; an agent's own policy is told in its author's words.
function HandoffCard() {
  const { handoff } = whole.value;
  if (!handoff || handoff.status === "resolved" || handoff.trigger === "operator") return null;
  const { messages = [], mode, flow } = handoff.context ?? {};
  const said = messages.filter((each) => each.who === "contact").slice(-2);
  const was = [whole.value.modes.find((each) => each.name === mode)?.label, flow].filter(Boolean);
  const ours = t("triggers")[handoff.trigger];
  return html`<${Card} title=${t("handoff")} name="handoff" tone=${holder.value === "nobody" ? "urgent" : ""}>
    <p class="reason">${ours ?? html`<bdi>${handoff.reason}</bdi>`} <span class="hint">${t("sinceWhen", since(handoff.created_at))}</span></p>
    ${said.map((each) => html`<blockquote dir="auto">${(each.text ?? "").slice(0, 300)}</blockquote>`)}
    ${was.length > 0 && html`<p class="hint">${t("wasDoing", was.join(" › "))}</p>`}
    ${handoff.team && html`<p class="hint">${t("team")}: <bdi>${handoff.team}</bdi></p>`}
    ${ours && html`<details class="detail"><summary>${t("detail")}</summary><p class="hint"><bdi>${inWords(handoff.reason)}</bdi></p></details>`}
  <//>`;
}

function Found() {
  const { found = [] } = whole.value;
  if (!found.length) return null;
  return html`<${Card} title=${t("orderNow")} name="found">
    <dl class="facts">
      ${found.map((each) => html`<div key=${each.label}><dt>${each.label}</dt><dd dir="auto"><bdi>${String(each.shown).slice(0, 2000)}</bdi></dd></div>`)}
    </dl>
  <//>`;
}

// --- slots --------------------------------------------------------------------------------------------

function Slots() {
  const { slots = [] } = whole.value;
  return html`<${Card} title=${t("known")} name="slots">
    ${slots.length === 0 && html`<p class="hint">${t("nothingKnown")}</p>`}
    <dl class="facts">${slots.map((slot) => html`<${Slot} key=${slot.name} slot=${slot} />`)}</dl>
  <//>`;
}

function Slot({ slot }) {
  const [editing, setEditing] = useState(false);
  const label = slot.label || slot.name;
  const who = slot.set_by && known("setters", slot.set_by);
  return html`<div class="slot" data-slot=${slot.name}>
    <dt>${label}</dt>
    <dd>
      ${editing
        ? html`<${SlotForm} slot=${slot} label=${label} done=${() => setEditing(false)} />`
        : html`<bdi class="value">${slot.shown ?? String(slot.value)}</bdi>
            ${holder.value === "me" && may("correct") && html`<button type="button" class="button-icon small" aria-label=${t("edit", label)} title=${t("edit", label)} onClick=${() => setEditing(true)}><${Icon} name="edit" /></button>`}`}
      ${who && slot.set_at && html`<p class="hint">${t("setBy", who, `${short(slot.set_at)}`)}</p>`}
    </dd>
  </div>`;
}

function SlotForm({ slot, label, done }) {
  const [value, setValue] = useState(String(slot.shown ?? slot.value ?? ""));
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    const session = whole.value.session.id;
    setBusy(true);
    try {
      const before = await newestTurn(session);
      await post(ofSession(session, "/correct"), { slot: slot.name, value });
      const turn = await turnAfter(session, before, "OperatorCorrected"); // the slot's type may refuse the value there
      const refused = turn?.refused[0]?.reason;
      if (refused) setWrong(t("notCorrected", inWords(refused)));
      else done();
      void load();
    } catch (problem) {
      setWrong(words(problem));
    } finally {
      setBusy(false);
    }
  };
  const pressed = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    done();
  };
  return html`<form class="slot-form" onSubmit=${submit} onKeyDown=${pressed}>
    <input aria-label=${`${t("editValue")}: ${label}`} value=${value} maxlength="500" dir="auto" autofocus aria-invalid=${wrong ? "true" : undefined} onInput=${(event) => setValue(event.target.value)} />
    <button type="submit" class="button small" disabled=${busy}>${t("save")}</button>
    <button type="button" class="button-icon small" aria-label=${t("cancel")} onClick=${done}><${Icon} name="close" /></button>
    ${wrong && html`<p class="notice bad" role="alert">${wrong}</p>`}
  </form>`;
}

// --- where the dialogue stands ------------------------------------------------------------------------

function Flow() {
  const { flow, question, mode, session } = whole.value;
  if (!flow && !question && !mode?.name) return null;
  const stack = (flow?.stack ?? []).map((each) => (typeof each === "string" ? each : each.label || each.name));
  return html`<${Card} title=${t("flow")} name="flow">
    <p class="path">${mode?.label && html`<span class="step">${mode.label}</span>`} ${flow && html`<b>${flow.label || flow.name}</b>`}</p>
    ${stack.length > 0 && html`<p class="hint">${t("under")}: ${stack.join(" › ")}</p>`}
    ${question && html`<p class="label">${t("question")}</p><blockquote dir="auto">${questionWords(question)}</blockquote>`}
    <button type="button" class="link" id="on-map" onClick=${() => go({ page: "map", session: session.id, why: "" })}>${t("seeOnMap")}</button>
  <//>`;
}

function questionWords({ kind, words: said }) {
  const ask = t("questions")[kind];
  return ask ? ask(said) : said;
}

function Timers() {
  const { timers = [] } = whole.value;
  if (!timers.length) return null;
  return html`<${Card} title=${t("timers")} name="timers"><ul class="timers">${timers.map((timer) => html`<${Timer} key=${timer.id} timer=${timer} />`)}</ul><//>`;
}

function Timer({ timer }) {
  const name = t("engineTimers")[timer.name] ?? timer.does;
  const left = Date.parse(timer.due_at) - second.value;
  const change = async (what) => {
    try {
      await post(ofSession(whole.value.session.id, `/timers/${encodeURIComponent(timer.id)}/${what}`), {});
      setTimeout(load, 400);
    } catch (problem) {
      toast(words(problem), "bad");
    }
  };
  return html`<li>
    <p><b><bdi>${name}</bdi></b> <span class="countdown">${left > 0 ? t("fires", span(left)) : t("due")}</span></p>
    ${may("call") &&
    html`<p class="row-acts">
      <button type="button" class="link" aria-label=${`${t("fire")}: ${name}`} onClick=${() => change("fire")}>${t("fire")}</button>
      <button type="button" class="link" aria-label=${`${t("cancelTimer")}: ${name}`} onClick=${() => change("cancel")}>${t("cancelTimer")}</button>
    </p>`}
  </li>`;
}

// --- who it is ----------------------------------------------------------------------------------------

const sinceWhen = (moment) => (isToday(moment) ? t("newCustomer") : t("customerSince", date(moment)));

function Contact() {
  const { contact, session, earlier = [], made = [] } = whole.value;
  const phone = contact?.phone || contact?.addresses?.find((each) => each.phone)?.phone;
  return html`<${Card} title=${t("contact")} name="contact">
    <p><bdi>${contactName().slice(0, 120)}</bdi>${contact?.created_at && html` <span class="hint">${sinceWhen(contact.created_at)}</span>`}</p>
    <dl class="facts">
      ${phone && html`<div><dt>${t("phone")}</dt><dd><bdi>${dialled(phone)}</bdi></dd></div>`}
      <div><dt>${t("channel")}</dt><dd>${session.channel}</dd></div>
      <div><dt>${t("agent")}</dt><dd>${session.agent} </dd></div>
    </dl>
    ${made.length > 0 && html`<p class="label">${t("madeBefore")}</p>`}
    <ul class="earlier">
      ${made.map((each) => html`<li key=${`${each.session} ${each.at}`} data-made=${each.label}><button type="button" class="link" onClick=${() => open(each.session)}><bdi>${each.name || each.label}</bdi></button> ${each.money !== null && html`<b>${number(each.money)}</b>`} <span class="hint">${each.label} · ${day(each.at)}</span></li>`)}
    </ul>
    ${earlier.length > 0 && html`<p class="label">${t("earlierSessions")}</p>`}
    <ul class="earlier">
      ${earlier.map((each) => html`<li key=${each.session}><button type="button" class="link" onClick=${() => open(each.session)}>${day(each.started_at)}, ${clock(each.started_at)}</button> <span class="hint">${statusWords(each.status)}</span></li>`)}
    </ul>
  <//>`;
}
