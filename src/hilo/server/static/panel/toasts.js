// Short words about something that was done or did not work.

import { html, signal } from "./html.js";

const SHOWN = 6000; // milliseconds
const toasts = signal([]);
let number = 0;

export function toast(text, kind = "good") {
  number += 1;
  const made = { number, text, kind };
  toasts.value = [...toasts.value.slice(-2), made];
  setTimeout(() => {
    toasts.value = toasts.value.filter((each) => each !== made);
  }, SHOWN);
}

export function Toasts() {
  return html`<div class="toasts" role="status">
    ${toasts.value.map((each) => html`<p key=${each.number} class=${`toast ${each.kind}`}><bdi>${each.text}</bdi></p>`)}
  </div>`;
}
