// Small drawings, as paths on a field of 24 by 24.

import { html } from "./html.js";

const PATHS = {
  inbox: "M4 13l2.5-8h11L20 13v6H4v-6zm0 0h4.5a3.5 3.5 0 0 0 7 0H20",
  map: "M6 4v7m0 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm0 4v5M18 20v-7m0 0a2 2 0 1 0 0-4 2 2 0 0 0 0 4zm0-4V4M8 13c5 0 4-2 8-2",
  numbers: "M4 20h16M7 20v-7m5 7V5m5 15v-10",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zm-6 9c0-4 3-6 6-6s6 2 6 6M16 4.5a3.5 3.5 0 0 1 0 6M18 14.5c2 .8 3 2.7 3 5.5",
  campaigns: "M4 10v4h3l9 5V5l-9 5H4zm15-1c1.4 1.6 1.4 4.4 0 6M8 14.5V20h3v-4",
  agents: "M6 8h12v10H6V8zm6-4v4M9.5 12.5v1m5-1v1M3 12v3m18-3v3",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zm5-2l4.5 4.5",
  close: "M6 6l12 12M18 6L6 18",
  back: "M15 5l-7 7 7 7",
  more: "M5 11.5v1M12 11.5v1M19 11.5v1",
  send: "M12 19V5M5 12l7-7 7 7",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-7 8c0-4 3.5-6 7-6s7 2 7 6",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-14v5l3 2",
  warning: "M12 4l9 16H3L12 4zm0 6v5m0 2.5v.01",
  note: "M6 4h12v10l-5 6H6V4zm7 16v-6h5",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm0-13v2m0 14v2M3 12h2m14 0h2M5.6 5.6l1.4 1.4m10 10l1.4 1.4m0-12.8L17 7M7 17l-1.4 1.4",
  moon: "M20 14A8.5 8.5 0 0 1 10 4a8.5 8.5 0 1 0 10 10z",
  sound: "M5 10v4h3l5 4V6l-5 4H5zm11-1c1.5 1.5 1.5 4.5 0 6m2.5-8.5c3 3 3 8 0 11",
  mute: "M5 10v4h3l5 4V6l-5 4H5zm11 0l4 4m0-4l-4 4",
  bell: "M6 17V11a6 6 0 1 1 12 0v6l1.5 1H4.5L6 17zm4 3.5h4",
  keyboard: "M3 7h18v11H3V7zm4 4h.01M11 11h.01M15 11h.01M8 15h8",
  globe: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  out: "M14 4h5v16h-5M4 12h10m-4-4l4 4-4 4",
  details: "M4 5h16v14H4V5zm10 0v14",
  edit: "M4 20l1-5L16 4l4 4L9 19l-5 1z",
  play: "M8 5l11 7-11 7V5z",
  pause: "M8 5v14m8-14v14",
  spark: "M12 3l2 6 6 2-6 2-2 6-2-6-6-2 6-2 2-6z",
  clip: "M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7L9.2 17.2a1.7 1.7 0 0 1-2.4-2.4l7.8-7.8",
  bolt: "M13 3L5 14h6l-1 7 8-11h-6l1-7z",
  pin: "M12 21c5-5.5 7-8.5 7-11.5a7 7 0 1 0-14 0c0 3 2 6 7 11.5zm0-9.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  file: "M7 3h7l4 4v14H7V3zm7 0v4h4",
};

export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
}
