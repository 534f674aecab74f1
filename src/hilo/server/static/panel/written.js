// Texts of other people: never as HTML, isolated from what stands around them, long ones cut.

import { html, useState } from "./html.js";
import { Icon } from "./icons.js";
import { t } from "./texts.js";
import { number } from "./times.js";

const LONG = 1500; // characters
const LINK = /https?:\/\/[^\s<>"'`\u202a-\u202e\u2066-\u2069]+/gi;
const AFTER_LINK = /[.,;:!?)\]}»”…]+$/;

export function Written({ text }) {
  const [all, setAll] = useState(false);
  const long = text.length > LONG;
  const shown = long && !all ? `${text.slice(0, LONG)}…` : text;
  return html`<p class="text" dir="auto">${withLinks(shown)}</p>
    ${long &&
    html`<button type="button" class="link" onClick=${() => setAll(!all)}>
      ${all ? t("less") : t("more", `${number(Math.ceil(text.length / 1024))} KB`)}
    </button>`}`;
}

function withLinks(text) {
  const pieces = [];
  let done = 0;
  for (const match of text.matchAll(LINK)) {
    const address = match[0].replace(AFTER_LINK, "");
    if (!URL.canParse(address)) continue;
    pieces.push(text.slice(done, match.index));
    pieces.push(html`<a href=${address} target="_blank" rel="noopener noreferrer nofollow">${address}</a>`);
    done = match.index + address.length;
  }
  return [...pieces, text.slice(done)];
}

// What came besides text: a picture, a sound, a film, a place, a card, or a file to open.
export function Attached({ attachment, label }) {
  const { kind, name, caption, status, latitude, longitude, phone, values = [], reason } = attachment;
  const url = addressOf(attachment);
  const named = name || caption || label;
  if (latitude !== undefined && latitude !== null) {
    const where = `https://www.openstreetmap.org/?mlat=${Number(latitude)}&mlon=${Number(longitude)}#map=17/${Number(latitude)}/${Number(longitude)}`;
    return html`<p class="attached"><${Icon} name="pin" /><a href=${where} target="_blank" rel="noopener noreferrer"><bdi>${named}</bdi></a></p>`;
  }
  if (!url) {
    const words = status ? t("mediaIs")[status] : "";
    return html`<div class="attached none"><p><${Icon} name="file" />${label}${(name || phone) && html`: <bdi>${name || phone}</bdi>`}</p>
      ${phone && name && html`<p><bdi>${phone}</bdi></p>`}
      ${values.map(([key, value]) => html`<p class="hint"><bdi>${key}</bdi>: <bdi>${value}</bdi></p>`)}
      ${words && html`<p class="hint">${words}${reason && html` <bdi>${reason}</bdi>`}</p>`}
    </div>`;
  }
  return html`<${Media} kind=${kind} url=${url} named=${named} />${caption && html`<${Written} text=${caption} />`}`;
}

function Media({ kind, url, named }) {
  if (kind === "image" || kind === "sticker") {
    return html`<a class="picture-link" href=${url} target="_blank" rel="noopener noreferrer"><img class=${`picture ${kind}`} src=${url} alt=${named} loading="lazy" /></a>`;
  }
  if (kind === "audio") return html`<audio class="audio" src=${url} controls preload="none" aria-label=${named}></audio>`;
  if (kind === "video") return html`<video class="picture" src=${url} controls preload="metadata" aria-label=${named}></video>`;
  return html`<p class="attached"><${Icon} name="file" /><a href=${url} target="_blank" rel="noopener noreferrer"><bdi>${named}</bdi></a></p>`;
}

// From our own server, or a file on the web that an author gave: nothing else becomes an address.
function addressOf({ url = "" }) {
  return /^(https:\/\/|\/media\/|\/api\/v1\/media\/)/i.test(url) ? url : "";
}
