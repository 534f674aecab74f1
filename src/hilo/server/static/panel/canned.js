// Canned replies: chosen with `/`, filled with what is known of the contact.

import { api, get, put, remove } from "./api.js";
import { ask, Dialog } from "./dialogs.js";
import { html, signal, useEffect, useState } from "./html.js";
import { Icon } from "./icons.js";
import { whole, words } from "./talk.js";
import { t } from "./texts.js";
import { plainWord } from "./times.js";
import { toast } from "./toasts.js";

const MOST = 8; // in the list above the field

export const replies = signal([]);

export async function loadReplies() {
  const found = await get(api("/replies")).catch(() => ({ items: [] }));
  replies.value = found.items ?? [];
}

export function matching(start) {
  const wanted = plainWord(start);
  return replies.value.filter((reply) => plainWord(reply.name).includes(wanted)).slice(0, MOST);
}

// A placeholder without a value stays, so that nobody sends a gap without seeing it.
export function filled(text, about) {
  const known = new Map(placeholders(about).flatMap(({ name, label, shown }) => [[plainWord(label), shown], [plainWord(name), shown]]));
  return text.replace(/\{([\p{L}\w ]+)\}/gu, (whole, name) => {
    const value = known.get(plainWord(name)) ?? (name === "contact" ? about?.contact?.name : undefined);
    return value === undefined || value === null || value === "" ? whole : String(value);
  });
}

function placeholders(about) {
  const all = [...(about?.slots ?? []), ...(about?.found ?? [])];
  return all.map(({ name, label, shown, value }) => ({ name: name ?? label, label: label || name, shown: shown ?? value }));
}

export function CannedList({ found, pick, use }) {
  if (!found.length) return html`<p class="canned none">${replies.value.length ? t("noCanned") : t("noCannedYet")} <button type="button" class="link" onMouseDown=${(event) => event.preventDefault()} onClick=${() => ask("canned")}>${t("makeCanned")}</button></p>`;
  return html`<ul class="canned" id="canned" role="listbox" aria-label=${t("canned")}>
    ${found.map(
      (reply, index) => html`<li
        key=${reply.name}
        id=${`canned-${index}`}
        role="option"
        aria-selected=${index === pick ? "true" : "false"}
        onMouseDown=${(event) => {
          event.preventDefault();
          use(reply);
        }}
      >
        <b>/${reply.name}</b> <bdi>${filled(reply.text, whole.value).slice(0, 120)}</bdi>
      </li>`,
    )}
  </ul>`;
}

export function CannedDialog() {
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const [deleted, setDeleted] = useState("");
  useEffect(() => void loadReplies(), []);
  const change = async (does) => {
    try {
      await does();
      await loadReplies();
      return true;
    } catch (problem) {
      toast(words(problem), "bad");
      return false;
    }
  };
  const add = async (event) => {
    event.preventDefault();
    if (!(await change(() => put(api(`/replies/${encodeURIComponent(name)}`), { text })))) return;
    setName("");
    setText("");
    setDeleted("");
  };
  // Everybody uses them: what was deleted by a slip stands in the form, one button away from being there again.
  const end = async (reply) => {
    if (!(await change(() => remove(api(`/replies/${encodeURIComponent(reply.name)}`))))) return;
    edit(reply);
    setDeleted(reply.name);
  };
  const edit = (reply) => {
    setName(reply.name);
    setText(reply.text);
    document.getElementById("reply-text").focus();
  };
  const here = placeholders(whole.value).map(({ label }) => `{${label}}`).join(" ");
  return html`<${Dialog} title=${t("manageCanned")} wide=${true}>
    ${replies.value.length === 0 && html`<p class="hint">${t("noReplies")}</p>`}
    <ul class="replies">
      ${replies.value.map(
        (reply) => html`<li key=${reply.name}>
          <b>/${reply.name}</b> <bdi>${reply.text}</bdi>
          <button type="button" class="button-icon" aria-label=${t("edit", reply.name)} title=${t("edit", reply.name)} onClick=${() => edit(reply)}><${Icon} name="edit" /></button>
          <button type="button" class="button-icon" aria-label=${t("deleteCanned", reply.name)} title=${t("deleteCanned", reply.name)} onClick=${() => end(reply)}><${Icon} name="close" /></button>
        </li>`,
      )}
    </ul>
    <form class="fields" onSubmit=${add}>
      ${deleted && html`<p class="notice" role="status"><bdi>${t("cannedDeleted", deleted)}</bdi></p>`}
      <label>${t("cannedName")}<input required pattern="[\\p{L}\\d_.\\-]+" maxlength="40" value=${name} placeholder=${t("cannedLike")} onInput=${(event) => setName(event.target.value.trimStart().replace(/\s+/g, "-"))} /></label>
      <label>${t("cannedText")}<textarea id="reply-text" required rows="3" dir="auto" maxlength="4000" value=${text} onInput=${(event) => setText(event.target.value)}></textarea>${here && html`<span class="hint"><bdi>${t("cannedHere", here)}</bdi></span>`}</label>
      <div class="ends"><button type="submit" class="button main">${replies.value.some((reply) => reply.name === name) ? t("save") : t("addCanned")}</button></div>
    </form>
  <//>`;
}
