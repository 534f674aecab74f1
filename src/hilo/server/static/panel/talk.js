// The conversation that is open: what the server knows of it, and what is on its way to the server.

import { api, get, insist, me, newKey, ofSession, post, Problem } from "./api.js";
import { batch, computed, effect, signal } from "./html.js";
import { place } from "./place.js";
import { inWords } from "./reasons.js";
import { t } from "./texts.js";
import { toast } from "./toasts.js";

const PIECE = 50; // messages
const TOGETHER = 80; // milliseconds in which changes are gathered
const TYPING_FOR = 6000;
const TAKING_FOR = 15000; // milliseconds; then the button may be pressed again
const WITH_SESSION = new Set(["inbox", "map"]);
const AWAITED = new Set(["heard", "said", "held", "failed", "receipt", "note"]);

export const whole = signal(null);
export const messages = signal([]); // oldest first
export const notes = signal([]);
export const earlier = signal(null); // cursor
export const state = signal("none"); // none, loading, there, gone
export const sending = signal([]); // what the server has not confirmed yet
export const typing = signal(null); // {by, name}
export const taking = signal(false);
export const writing = signal("reply"); // or note
export const drafts = new Map(); // what was begun, by session and kind

export const holder = computed(() => {
  const { operator, holder: by, session } = whole.value ?? {};
  if (!session) return "none";
  if (session.status === "closed") return "closed";
  if (operator) return operator === me.value?.person.name ? "me" : "other";
  if (by === "operator" || session.status === "handed_off") return "nobody";
  return session.status === "paused" ? "paused" : "agent";
});

// The server says what this person may do now.
export const may = (what) => whole.value?.may?.includes(what) ?? false;

// --- loading ------------------------------------------------------------------------------------------

let session = "";
let passedTo = ""; // the colleague whom the open session was just passed to

effect(() => {
  const wanted = me.value && WITH_SESSION.has(place.value.page) ? place.value.session : "";
  if (wanted === session) return;
  session = wanted;
  queueMicrotask(openSession);
});

async function openSession() {
  batch(() => {
    whole.value = null;
    messages.value = [];
    notes.value = [];
    earlier.value = null;
    typing.value = null;
    taking.value = false;
    writing.value = "reply";
    state.value = session ? "loading" : "none";
  });
  if (session) await load();
}

export async function load() {
  const asked = session;
  if (!asked) return;
  try {
    const [found, page, noted] = await Promise.all([
      get(ofSession(asked, "/whole")),
      get(ofSession(asked, "/messages"), { limit: PIECE }),
      get(ofSession(asked, "/notes")).catch(() => ({ items: [] })),
    ]);
    if (asked !== session) return;
    batch(() => {
      show(found);
      if (messages.value.length === 0) earlier.value = page.next;
      messages.value = merged(before(messages.value, page), page.items);
      notes.value = noted.items ?? [];
      settle();
      state.value = "there";
    });
    void markRead();
  } catch (problem) {
    if (asked !== session) return;
    if (problem.status === 404 || problem.status === 422) state.value = "gone";
    else setTimeout(() => asked === session && load(), 2000);
  }
}

function show(found) {
  const before = whole.value;
  whole.value = found;
  if (found.operator) taking.value = false;
  const lost = before?.operator === me.value?.person.name && found.operator && found.operator !== before?.operator;
  if (lost && found.operator !== passedTo) toast(t("taken", found.operator)); // who passed it on knows
  if (lost) passedTo = "";
}

// What lies before a page; what was in its stretch and is not any more has another id by now, such as one sent again.
function before(known, { items, next }) {
  return next ? known.filter((message) => message.at < items.at(-1).at) : [];
}

// Every message once, in the order of the server; a newer version replaces an older one.
export function merged(known, fresh) {
  const all = new Map([...known, ...fresh].map((message) => [message.id, message]));
  return [...all.values()].sort((a, b) => compare(a.at, b.at) || compare(a.id, b.id));
}

const compare = (a, b) => (a < b ? -1 : Number(a > b));

export async function loadEarlier() {
  const asked = session;
  const page = await get(ofSession(asked, "/messages"), { limit: PIECE, cursor: earlier.value });
  if (asked !== session) return;
  earlier.value = page.next;
  messages.value = merged(page.items, messages.value);
}

async function markRead() {
  if (!whole.value?.unread || document.hidden) return;
  await post(ofSession(session, "/read"), {}).catch(() => {});
}

document.addEventListener("visibilitychange", () => void markRead());

// --- news ---------------------------------------------------------------------------------------------

let timer = 0;
let typed = 0;

export function touch(events) {
  const about = events.filter((event) => event.session === session);
  for (const event of about) {
    if (event.event === "typing") showTyping(event.detail ?? {});
    else if (AWAITED.has(event.event)) typing.value = null;
  }
  if (about.some((event) => event.event !== "typing") && !timer) {
    timer = setTimeout(() => {
      timer = 0;
      void load();
    }, TOGETHER);
  }
}

function showTyping(detail) {
  if (detail.name === me.value?.person.name) return;
  typing.value = detail;
  clearTimeout(typed);
  typed = setTimeout(() => {
    typing.value = null;
  }, TYPING_FOR);
}

// --- acts ---------------------------------------------------------------------------------------------

export async function act(name, body = {}) {
  try {
    await post(ofSession(session, `/${name}`), body);
    return true;
  } catch (problem) {
    toast(words(problem), "bad");
    void load();
    return false;
  }
}

export async function passOn(whom) {
  passedTo = whom.operator ?? "";
  const done = await act("transfer", whom);
  if (!done) passedTo = "";
  return done;
}

// In the person's language where the page knows what happened, else in the server's words.
export function words(problem) {
  if (!(problem instanceof Problem)) return t("failed", t("noNetwork"));
  if (problem.status === 409 && problem.body.operator) return t("hasIt", problem.body.operator);
  if (problem.status === 403) return t("notAllowed");
  if (problem.status === 404) return t("failed", t("isGone"));
  if (problem.status >= 500) return t("failed", t("serverCannot"));
  return t("failed", inWords(problem.message));
}

let took = ""; // the session that was taken here last

export const tookHere = () => took === session;

export async function take(insteadOf = "") {
  if (taking.value || holder.value === "me" || !may("take")) return false;
  const asked = session;
  taking.value = true;
  took = asked;
  setTimeout(() => {
    if (asked === session) taking.value = false;
  }, TAKING_FOR);
  const done = await act("take-over", insteadOf ? { instead_of: insteadOf } : {});
  if (!done) taking.value = false;
  return done;
}

// With an open handoff its end is recorded too.
export async function release(choices) {
  const { resolution, ...given } = Object.fromEntries(Object.entries(choices).filter(([, value]) => value?.length));
  const { handoff } = whole.value;
  if (!handoff || handoff.status === "resolved") return act("release", given);
  try {
    await post(api(`/handoffs/${encodeURIComponent(handoff.id)}/resolve`), { ...given, ...(resolution && { resolution }) });
    return true;
  } catch (problem) {
    toast(words(problem), "bad");
    return false;
  }
}

// --- saying -------------------------------------------------------------------------------------------

const kept = (key) => `hilo.sending.${me.value?.person.id}.${key}`;

// `attached` and `shown` are what the page shows of it until the server has it.
export async function say(body, attached = null, shown = "") {
  const line = { key: newKey(), session, body, attached, shown, at: new Date().toISOString(), state: "sending" };
  remember(line);
  await send(line);
}

async function send(line) {
  sending.value = [...sending.value, line];
  const mark = (changes) => {
    sending.value = sending.value.map((each) => (each.key === line.key ? { ...each, ...changes } : each));
  };
  try {
    const { id } = await insist(ofSession(line.session, "/messages"), line.body, line.key, () => mark({ state: "retrying" }));
    mark({ state: "sent", id });
    settle();
    if (line.session === session) void load();
  } catch (problem) {
    mark({ state: "refused", why: words(problem) });
  } finally {
    forget(line);
  }
}

// What stands in the transcript is not on its way any more.
function settle() {
  const there = new Set(messages.value.map((message) => message.id));
  const left = sending.value.filter((line) => !(line.id && there.has(line.id)));
  if (left.length !== sending.value.length) sending.value = left;
}

export function drop(line) {
  sending.value = sending.value.filter((each) => each.key !== line.key);
}

// In this tab only, until the server has it: a reload in the middle of an answer loses nothing.
function remember(line) {
  try {
    sessionStorage.setItem(kept(line.key), JSON.stringify(line));
  } catch {
    // no storage, or no room: it lasts as long as the page
  }
}

function forget(line) {
  try {
    sessionStorage.removeItem(kept(line.key));
  } catch {
    // as above
  }
}

export function resumeSending() {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(kept("")));
    for (const key of keys) void send(JSON.parse(sessionStorage.getItem(key)));
  } catch {
    // as above
  }
}

export async function addNote(text) {
  try {
    await post(ofSession(session, "/notes"), { text });
    void load();
    return true;
  } catch (problem) {
    toast(words(problem), "bad");
    return false;
  }
}

let toldTyping = 0;

export function tellTyping() {
  if (holder.value !== "me" || Date.now() - toldTyping < 4000) return;
  toldTyping = Date.now();
  void post(ofSession(session, "/typing"), {}).catch(() => {});
}
