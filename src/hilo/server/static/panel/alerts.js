// A new handoff is heard and seen, also from another tab: a sound, the title, a notification of the browser.

import { me } from "./api.js";
import { effect, signal } from "./html.js";
import { sound } from "./kept.js";
import { counts, open, rows } from "./sessions.js";
import { t } from "./texts.js";
import { called } from "./times.js";
import { toast } from "./toasts.js";

export const allowed = signal(globalThis.Notification?.permission ?? "denied");

const KNOWN_AFTER = 800; // milliseconds

let audio = null;

effect(() => {
  const waiting = counts.value.waiting ?? 0;
  document.title = waiting > 0 ? t("titleWaiting", waiting) : "Hilo";
});

// Two soft notes, made here: there is no file to load.
function ring() {
  if (sound.value !== "on") return;
  audio ??= new AudioContext();
  const start = audio.currentTime;
  for (const [delay, pitch] of [[0, 587], [0.16, 784]]) {
    const [tone, loudness] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(0, start + delay);
    loudness.gain.linearRampToValueAtTime(0.12, start + delay + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + delay + 0.5);
    tone.connect(loudness).connect(audio.destination);
    tone.start(start + delay);
    tone.stop(start + delay + 0.5);
  }
}

// Phones allow notifications only from a service worker, so all of them come from it; it says which one was pressed.
const worker = navigator.serviceWorker?.register("/panel/worker.js").catch(() => null);

navigator.serviceWorker?.startMessages();
navigator.serviceWorker?.addEventListener("message", (event) => {
  if (event.data?.open) open(event.data.open);
});

async function notify(event) {
  const passed = event.event === "transferred" && !event.detail.team;
  if (passed) toast(t("passedToYou", event.detail.by));
  if (allowed.value !== "granted" || !document.hidden) return;
  const row = rows.value.find((each) => each.session === event.session);
  const name = row ? called(row.contact?.name, row.contact?.phone, row.address) : t("contact");
  const registration = await worker;
  await registration?.showNotification(passed ? t("passedToYou", event.detail.by) : t("newHandoff", name.slice(0, 80)), {
    body: (row?.last?.text ?? t("triggers")[event.detail?.trigger] ?? "").slice(0, 200),
    tag: event.session,
    lang: document.documentElement.lang,
    icon: document.querySelector("link[rel=apple-touch-icon]").href,
    data: { session: event.session },
  });
}

// Who works for a team is not called for what waits for another one.
function isForMe({ detail }) {
  const { role, teams = [] } = me.value?.person ?? {};
  return role !== "operator" || !teams.length || !detail?.team || teams.includes(detail.team);
}

// Somebody new waits, or a colleague passes somebody on: to me, or to a team.
function calls(event) {
  if (event.event === "handoff") return isForMe(event);
  if (event.event !== "transferred" || event.detail?.by === me.value?.person.name) return false;
  return event.detail?.team ? isForMe(event) : event.detail?.operator === me.value?.person.name;
}

export function alertTo(events) {
  const handoffs = events.filter(calls);
  if (!handoffs.length) return;
  document.documentElement.dataset.rang = String(Number(document.documentElement.dataset.rang ?? 0) + 1);
  ring();
  // the list knows by then who it is
  setTimeout(() => handoffs.slice(-3).forEach(notify), KNOWN_AFTER);
}

export async function askToNotify() {
  allowed.value = await Notification.requestPermission();
}
