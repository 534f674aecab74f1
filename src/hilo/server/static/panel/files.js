// Files that a person sends: chosen, pasted or dropped, shown before they go, kept by the server before they are said.

import { api, me, Problem } from "./api.js";
import { html, useEffect, useState } from "./html.js";
import { Icon } from "./icons.js";
import { t } from "./texts.js";
import { number } from "./times.js";

export const TAKEN = "image/*,audio/*,video/*,application/pdf,.doc,.docx,.xls,.xlsx,.txt,.csv";
const PATIENCE = 120000; // milliseconds; phones have slow networks

export async function upload(file) {
  const answer = await fetch(`${api("/media")}?${new URLSearchParams({ name: file.name || "archivo" })}`, {
    method: "POST",
    headers: { "Content-Type": file.type || "application/octet-stream", "X-Hilo-CSRF": me.value.csrf },
    body: file,
    credentials: "same-origin",
    signal: AbortSignal.timeout(PATIENCE),
  });
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Problem(answer.status, found);
  return found;
}

export function Chosen({ file, busy, drop }) {
  const [picture, setPicture] = useState("");
  useEffect(() => {
    if (!file.type.startsWith("image/")) return undefined;
    const address = URL.createObjectURL(file);
    setPicture(address);
    return () => URL.revokeObjectURL(address);
  }, [file]);
  return html`<p class="chosen-file" role="status">
    ${picture ? html`<img src=${picture} alt="" />` : html`<${Icon} name="file" />`}
    <span><bdi>${file.name}</bdi> <span class="hint">${busy ? t("uploading") : `${number(Math.ceil(file.size / 1024))} KB`}</span></span>
    <button type="button" class="button-icon small" aria-label=${t("removeFile", file.name)} disabled=${busy} onClick=${drop}><${Icon} name="close" /></button>
  </p>`;
}
