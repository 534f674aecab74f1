// The keyboard: everything that an operator does all day, without the mouse.

import { besideOpen, showDetails } from "./conversation.js";
import { ask, dialog, Dialog } from "./dialogs.js";
import { html } from "./html.js";
import { ANYWHERE, go, place, VIEWS } from "./place.js";
import { chosen, open, step } from "./sessions.js";
import { act, holder, may, messages, state, take, whole, writing } from "./talk.js";
import { t } from "./texts.js";
import { ofTheAgent } from "./transcript.js";

const focus = (id) => document.getElementById(id)?.focus();

const KEYS = {
  j: () => step(1),
  k: () => step(-1),
  "/": () => focus("search"),
  "?": () => ask("keys"),
  Escape: leave,
};

// Where somebody may not go there is no link, and the key does nothing.
const PAGE_KEYS = { B: "inbox", M: "map", N: "numbers", C: "campaigns", A: "agents", E: "people" };

const IN_CONVERSATION = {
  t: () => take(),
  r: () => holder.value === "me" && ask("release"),
  p: () => act(whole.value.session.status === "paused" ? "resume" : "pause"),
  n: () => write("note"),
  m: () => write("reply"),
  w: whyLast,
  d: () => showDetails(),
  x: () => may("close") && ask("close"),
  g: () => holder.value === "me" && ask("transfer"),
  T: () => holder.value === "other" && may("take") && ask("takeFrom"),
};

function leave() {
  if (place.value.why) go({ why: "" });
  else if (place.value.session) go({ session: "" });
}

function write(kind) {
  writing.value = kind;
  requestAnimationFrame(() => focus("text"));
}

function whyLast() {
  const last = messages.value.findLast((message) => ofTheAgent(message) && message.turn);
  if (!last) return;
  besideOpen.value = true;
  go({ why: place.value.why === String(last.turn) ? "" : String(last.turn) });
}

function isWriting(target) {
  return target.closest?.("input, textarea, select, dialog, [contenteditable]");
}

export function listenToKeys() {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || dialog.value) return;
    if (isWriting(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.key === "Enter" && event.target.closest("button, a, summary")) return;
    const does = found(event.key);
    if (!does) return;
    event.preventDefault();
    does();
  });
}

function found(key) {
  if (key === "?") return KEYS[key];
  if (Object.hasOwn(PAGE_KEYS, key)) return () => document.querySelector(`[data-page=${PAGE_KEYS[key]}]`)?.click();
  if (place.value.page !== "inbox") return null;
  if (/^[1-6]$/.test(key)) return () => go({ view: VIEWS[Number(key) - 1], ...ANYWHERE });
  if (key === "Enter") return () => chosen.value && open(chosen.value);
  if (state.value === "there" && Object.hasOwn(IN_CONVERSATION, key)) return IN_CONVERSATION[key];
  return Object.hasOwn(KEYS, key) ? KEYS[key] : null;
}

export function KeysDialog() {
  return html`<${Dialog} title=${t("keysTitle")}>
    <dl class="keys">
      ${Object.entries(t("keys")).map(([keys, does]) => html`<div key=${keys}><dt>${keys.split(" ").map((key) => (key === "…" ? key : html`<kbd>${key}</kbd> `))}</dt><dd>${does}</dd></div>`)}
    </dl>
  <//>`;
}
