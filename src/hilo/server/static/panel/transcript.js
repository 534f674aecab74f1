// What was said: every message with who said it, its ticks, its choices, and why the agent said it.

import { me, post, api } from "./api.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { Icon } from "./icons.js";
import { go, place } from "./place.js";
import { drop, earlier, load, loadEarlier, messages, notes, sending, typing, whole, words } from "./talk.js";
import { known, t } from "./texts.js";
import { clock, day, exact } from "./times.js";
import { toast } from "./toasts.js";
import { OURS, troubleOf } from "./undelivered.js";
import { Attached, Written } from "./written.js";

const NEAR = 80; // pixels from the end that still count as being there
const BAD = new Set(["failed", "held", "discarded"]);
const TICKS = { sent: "✓", delivered: "✓✓", read: "✓✓" };

// Messages, notes and what is on its way, in the order of time.
function lines() {
  const said = messages.value.map((message) => ({ ...message, is: "message" }));
  const noted = notes.value.map((note) => ({ ...note, is: "note" }));
  const both = [...said, ...noted].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const going = sending.value.filter((line) => line.session === place.value.session);
  return [...both, ...going.map((line) => ({ ...line, id: line.key, is: "going" }))];
}

export function Transcript() {
  const log = useRef(null);
  const stuck = useRef(true);
  const top = useRef(0);
  const [below, setBelow] = useState(false);
  const all = lines();
  const newest = all.at(-1)?.id;
  const toEnd = () => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight; // sizes are told once more when it goes
  };
  useLayoutEffect(() => {
    stuck.current = true;
    setBelow(false);
  }, [place.value.session]);
  useLayoutEffect(() => {
    if (all.at(-1)?.is === "going") stuck.current = true; // who writes wants to see it
    if (stuck.current) toEnd();
    else setBelow(true);
  }, [newest, Boolean(typing.value)]);
  useEffect(() => {
    const sizes = new ResizeObserver(() => stuck.current && toEnd());
    sizes.observe(log.current);
    sizes.observe(log.current.firstElementChild);
    return () => sizes.disconnect();
  }, []);
  // Only who scrolls up leaves the end: a picture that has loaded puts the end further away by itself.
  const scrolled = () => {
    if (!log.current) return;
    const { scrollHeight, scrollTop, clientHeight } = log.current;
    const near = scrollHeight - scrollTop - clientHeight < NEAR;
    stuck.current = near || (stuck.current && scrollTop >= top.current);
    top.current = scrollTop;
    if (near) setBelow(false);
  };
  return html`<div class="transcript">
    <div class="log" role="log" aria-label=${t("transcript")} tabindex="0" ref=${log} onScroll=${scrolled}>
      <div class="column">
        ${earlier.value && html`<button type="button" class="pill" onClick=${() => showEarlier(log.current)}>${t("earlier")}</button>`}
        ${withDays(all)}
        ${typing.value && html`<p class="typing" role="status"><i /><i /><i /><bdi>${typingWords()}</bdi></p>`}
      </div>
    </div>
    ${below && html`<button type="button" class="pill newest" onClick=${toEnd}>${t("newest")}</button>`}
  </div>`;
}

function typingWords() {
  const { by, name } = typing.value;
  const who = by === "operator" ? name : whole.value?.contact?.name || t("contact");
  return t("typing", who);
}

async function showEarlier(log) {
  const below = log.scrollHeight - log.scrollTop;
  await loadEarlier();
  requestAnimationFrame(() => {
    log.scrollTop = log.scrollHeight - below;
  });
}

function withDays(all) {
  let last = "";
  return all.map((line) => {
    const today = day(line.at);
    const fresh = today !== last;
    last = today;
    return html`${fresh && html`<p class="day" key=${`day ${today}`}>${today}</p>`}<${Line} key=${line.id} line=${line} />`;
  });
}

function Line({ line }) {
  if (line.is === "note") return html`<${Note} note=${line} />`;
  if (line.is === "going") return html`<${Going} line=${line} />`;
  return html`<${Message} message=${line} />`;
}

function Note({ note }) {
  return html`<article class="note" data-id=${note.id}>
    <header><${Icon} name="note" /><bdi>${t("noteBy", note.operator ?? note.author ?? "")}</bdi><${Time} at=${note.at} /></header>
    <${Written} text=${note.text} />
  </article>`;
}

function Going({ line }) {
  const text = line.shown || line.body.text || "";
  const state = { sending: t("sendingNow"), sent: t("sendingNow"), retrying: t("notSentYet"), refused: line.why }[line.state];
  return html`<article class=${`message ours operator going ${line.state}`}>
    <div class="bubble">${line.attached && html`<${Attached} attachment=${line.attached} label=${known("attachments", line.attached.kind)} />`}${text && html`<${Written} text=${text} />`}</div>
    <p class="state" role="status">${state}
      ${line.state === "refused" && html` <button type="button" class="link" onClick=${() => drop(line)}>${t("close")}</button>`}
    </p>
  </article>`;
}

// --- one message --------------------------------------------------------------------------------------

function Message({ message }) {
  const { author } = message;
  const ours = author !== "contact";
  const lit = place.value.why && String(message.turn) === place.value.why && ofTheAgent(message);
  return html`<article class=${`message ${ours ? "ours" : "theirs"} ${author} ${lit ? "lit" : ""}`} data-id=${message.id}>
    ${ours && html`<p class="by"><bdi>${byline(message)}</bdi></p>`}
    <div class="bubble">
      ${!ours && html`<span class="unseen">${t("contact")}: </span>`}
      ${(message.attachments ?? []).map((each, index) => html`<${Attached} key=${index} attachment=${each} label=${known("attachments", each.kind)} />`)}
      ${message.text && html`<${Written} text=${message.text} />`}
      ${message.buttons?.length > 0 && html`<${Offered} buttons=${message.buttons} />`}
    </div>
    <p class="under">
      <${Time} at=${message.at} />
      ${ours && html`<${Ticks} status=${message.status} />`}
      ${ofTheAgent(message) && message.turn && html`<${Why} turn=${message.turn} />`}
    </p>
    ${BAD.has(message.status) && html`<${Undelivered} message=${message} />`}
  </article>`;
}

// The agent says some things as notices: that a person comes, that nobody is there.
export const ofTheAgent = (message) => message.author === "agent" || message.author === "notice";

function byline(message) {
  if (message.timer) return `${t("authors").agent} · ${t("timerSpoke")}`;
  if (message.author !== "operator") return known("authors", "agent");
  return message.operator === me.value?.person.name ? t("you") : message.operator || known("authors", "operator");
}

export function Time({ at }) {
  return html`<time datetime=${at} title=${exact(at)}>${clock(at)}</time>`;
}

function Ticks({ status }) {
  const label = known("states", status);
  if (!TICKS[status]) return BAD.has(status) ? null : html`<span class="ticks">${label}</span>`;
  return html`<span class=${`ticks ${status}`} role="img" aria-label=${label} title=${label}>${TICKS[status]}</span>`;
}

function Offered({ buttons }) {
  return html`<ul class="offered" aria-label=${t("offered")}>
    ${buttons.map((button) => html`<li key=${button.payload}><bdi>${button.title}</bdi></li>`)}
  </ul>`;
}

function Why({ turn }) {
  const isOpen = place.value.why === String(turn);
  return html`<button type="button" class="why-link" aria-pressed=${isOpen ? "true" : "false"} onClick=${() => go({ why: isOpen ? "" : String(turn) })}>
    ${t("why")}
  </button>`;
}

// Why it did not arrive in words that say what to do; the provider's own words stand below.
function Undelivered({ message }) {
  const { reason = "", status, id } = message;
  const whose = troubleOf(status, reason);
  const change = async (what) => {
    try {
      await post(api(`/outbox/${encodeURIComponent(id)}/${what}`), {});
      void load();
    } catch (problem) {
      toast(words(problem), "bad");
    }
  };
  return html`<div class="undelivered" role="alert">
    <p><${Icon} name="warning" /> <b>${known("states", status)}.</b> ${known("undelivered", whose)}</p>
    ${reason && !OURS.has(whose) && html`<p class="hint"><bdi>${reason}</bdi></p>`}
    ${["failed", "held"].includes(status) &&
    whose !== "operator" &&
    html`<p class="row-acts">
      <button type="button" class="link" onClick=${() => change("resend")}>${t("resend")}</button>
      <button type="button" class="link" onClick=${() => change("discard")}>${t("discard")}</button>
    </p>`}
  </div>`;
}
