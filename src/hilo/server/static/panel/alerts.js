// A new handoff is heard and seen, also from another tab: a sound, the title, a notification of the browser.

import { effect, signal } from "./html.js";
import { sound } from "./kept.js";
import { counts, open } from "./sessions.js";
import { t } from "./texts.js";

export const allowed = signal(globalThis.Notification?.permission ?? "denied");

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

function notify(event) {
  if (allowed.value !== "granted" || !document.hidden) return;
  const name = event.detail?.contact || t("contact");
  try {
    const shown = new Notification(t("newHandoff", String(name).slice(0, 80)), {
      body: String(event.detail?.reason ?? "").slice(0, 200),
      tag: event.session,
      lang: document.documentElement.lang,
    });
    shown.onclick = () => {
      window.focus();
      open(event.session);
      shown.close();
    };
  } catch {
    // phones allow notifications only from a service worker
  }
}

export function alertTo(events) {
  const handoffs = events.filter((event) => event.event === "handoff");
  if (!handoffs.length) return;
  document.documentElement.dataset.rang = String(Number(document.documentElement.dataset.rang ?? 0) + 1);
  ring();
  for (const event of handoffs.slice(-3)) notify(event);
}

export async function askToNotify() {
  allowed.value = await Notification.requestPermission();
}
