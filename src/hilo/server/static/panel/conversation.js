// The conversation that is open: who holds it, what may be done with it, what was said, where to write.

import { me } from "./api.js";
import { Composer } from "./composer.js";
import { ask } from "./dialogs.js";
import { html, signal, useEffect, useRef } from "./html.js";
import { Icon } from "./icons.js";
import { go, place } from "./place.js";
import { act, holder, may, state, take, taking, whole } from "./talk.js";
import { known, t, wantedWords } from "./texts.js";
import { called } from "./times.js";
import { Transcript } from "./transcript.js";

export const besideOpen = signal(matchMedia("(min-width: 1180px)").matches);
const menuOpen = signal(false);

export function Conversation() {
  const what = state.value;
  return html`<section class="conversation pane" aria-label=${t("transcript")} id="conversation">
    ${what === "none" && html`<${Empty} title=${t("choose")} hint=${t("chooseHint")} />`}
    ${what === "loading" && html`<div class="empty" aria-busy="true"><p>${t("loading")}</p></div>`}
    ${what === "gone" && html`<${Empty} title=${t("gone")} />`}
    ${what === "there" && html`<${Head} /><${Transcript} /><${Composer} key=${place.value.session} />`}
  </section>`;
}

function Empty({ title, hint }) {
  return html`<div class="empty">
    <${Icon} name="inbox" />
    <p class="title">${title}</p>
    ${hint && html`<p class="hint">${hint}</p>`}
    ${place.value.session && html`<button type="button" class="button" onClick=${() => go({ session: "" })}>${t("back")}</button>`}
  </div>`;
}

export function contactName() {
  const { contact, session } = whole.value;
  return called(contact?.name, contact?.phone, session.address);
}

function Head() {
  return html`<header class="head">
    <button type="button" class="button-icon back" aria-label=${t("back")} onClick=${() => go({ session: "", why: "" })}>
      <${Icon} name="back" />
    </button>
    <div class="who">
      <h2><bdi>${contactName().slice(0, 120)}</bdi></h2>
      <p><${Badge} /><span class="mode">${whereNow()}</span></p>
    </div>
    <${Acts} />
  </header>`;
}

// Beside who has it: why a person is wanted, else where the agent stands.
function whereNow() {
  const { session, mode, handoff } = whole.value;
  if (handoff && handoff.trigger !== "operator") return wantedWords(handoff.trigger, handoff.title);
  return ["handed_off", "closed"].includes(session.status) ? session.agent : mode?.label || session.agent;
}

export function Badge() {
  const by = holder.value;
  const words = {
    me: t("heldByYou"),
    other: t("heldBy", whole.value.operator),
    nobody: t("waitingPerson"),
    agent: t("heldByAgent"),
    paused: t("isPaused"),
    closed: t("isClosed"),
  }[by];
  return html`<span class=${`badge ${by}`} role="status" data-holder=${by}><bdi>${words}</bdi></span>`;
}

function Acts() {
  const by = holder.value;
  const takes = ["agent", "nobody", "paused"].includes(by) && may("take");
  return html`<div class="acts">
    ${takes &&
    html`<button type="button" class="button main" id="take" disabled=${taking.value} onClick=${() => take()}>
      ${taking.value ? t("taking") : t("take")}
    </button>`}
    ${by === "me" && html`<button type="button" class="button main" id="release" onClick=${() => ask("release")}><${Icon} name="spark" />${t("release")}</button>`}
    <${Menu} />
    <button type="button" class="button-icon details" aria-label=${t("details")} title=${t("details")} aria-pressed=${besideOpen.value ? "true" : "false"} onClick=${() => showDetails()}>
      <${Icon} name="details" />
    </button>
  </div>`;
}

export function showDetails(show = !besideOpen.value) {
  besideOpen.value = show;
  if (!show || place.value.why) go({ why: "" }, { replace: true });
}

function entries() {
  const by = holder.value;
  if (by === "closed") return [];
  const paused = whole.value.session.status === "paused";
  const all = [
    by === "other" && ["take-instead", t("takeFrom", whole.value.operator), () => ask("takeFrom"), "take"],
    by === "me" && ["transfer", t("transfer"), () => ask("transfer"), "transfer"],
    by !== "other" && paused && ["resume", t("resume"), () => act("resume"), "resume"],
    by === "agent" && ["pause", t("pause"), () => act("pause"), "pause"],
    by !== "other" && ["close", t("closeSession"), () => ask("close"), "close"],
  ];
  return all.filter((entry) => entry && may(entry[3]));
}

function Menu() {
  const box = useRef(null);
  useEffect(() => {
    const leave = (event) => {
      if (!box.current?.contains(event.target)) menuOpen.value = false;
    };
    addEventListener("click", leave);
    return () => removeEventListener("click", leave);
  }, []);
  const shown = entries();
  if (!shown.length) return null;
  const choose = (does) => {
    menuOpen.value = false;
    void does();
  };
  const escape = (event) => {
    if (event.key !== "Escape" || !menuOpen.value) return;
    event.stopPropagation();
    menuOpen.value = false;
  };
  return html`<div class="menu" ref=${box} onKeyDown=${escape}>
    <button type="button" class="button-icon" id="more" aria-label=${t("moreActs")} aria-expanded=${menuOpen.value ? "true" : "false"} onClick=${() => { menuOpen.value = !menuOpen.value; }}>
      <${Icon} name="more" />
    </button>
    ${menuOpen.value &&
    html`<ul class="entries">
      ${shown.map(([name, label, does]) => html`<li key=${name}><button type="button" data-act=${name} onClick=${() => choose(does)}>${label}</button></li>`)}
    </ul>`}
  </div>`;
}

export function statusWords(status) {
  return known("statuses", status);
}

export const isMine = () => holder.value === "me" && me.value !== null;
