// Pieces that several whole pages are made of.

import { html, useState } from "./html.js";
import { t } from "./texts.js";
import { toast } from "./toasts.js";

export function Page({ title, kind = "", tools, children }) {
  return html`<div class=${`page ${kind}`}>
    <header><h1>${title}</h1>${tools}</header>
    <div class="scroll" tabindex="0" role="region" aria-label=${title}>${children}</div>
  </div>`;
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// On a phone every row is a card, with the head of its column before each value.
export function Table({ head, rows, empty = "" }) {
  if (!rows.length) return html`<p class="hint">${empty}</p>`;
  return html`<div class="scroll-x">
    <table class="table stacks">
      <thead><tr>${head.map((cell) => (cell ? html`<th scope="col">${cell}</th>` : html`<td></td>`))}</tr></thead>
      <tbody>${rows.map(({ key, cells }) => html`<tr key=${key} data-row=${key}>${cells.map((cell, index) => html`<td data-head=${capital(head[index])}><div class="cell">${cell}</div></td>`)}</tr>`)}</tbody>
    </table>
  </div>`;
}

export function Segments({ names, chosen, choose, label }) {
  return html`<div class="segments" role="group" aria-label=${label}>
    ${names.map(([name, words]) => html`<button type="button" key=${name} data-tab=${name} aria-pressed=${name === chosen ? "true" : "false"} onClick=${() => choose(name)}>${words}</button>`)}
  </div>`;
}

// What is told only now: a password, a key.
export function Secret({ words, secret, done }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      setCopied(true);
    } catch {
      toast(t("copyByHand"), "bad");
    }
  };
  return html`<div class="notice secret" role="status">
    <p>${words}</p>
    <p><code data-secret>${secret}</code></p>
    <p class="row-acts"><button type="button" class="link" onClick=${copy}>${copied ? t("copied") : t("copy")}</button> <button type="button" class="link" onClick=${done}>${t("noted")}</button></p>
  </div>`;
}

// A spreadsheet would take some cells for a formula: they are texts.
export function csv(rows) {
  const cell = (value) => {
    const text = String(value);
    const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return `\ufeff${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

export function download(name, rows) {
  const address = URL.createObjectURL(new Blob([csv(rows)], { type: "text/csv" }));
  const anchor = Object.assign(document.createElement("a"), { href: address, download: `hilo-${name}.csv` });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
