// Dialogs: the browser's own element, so that focus, Escape and the background are taken care of.

import { html, signal, useEffect, useRef, useState } from "./html.js";
import { Icon } from "./icons.js";
import { t } from "./texts.js";

export const dialog = signal(null); // {is, …} or nothing

export function ask(is, values = {}) {
  dialog.value = { is, ...values };
}

export function dismiss() {
  const left = dialog.value;
  dialog.value = null;
  left?.answer?.(null);
}

// Before something that others will notice: true, or the word that was asked for; null where somebody thought better of it.
export function sure(words, does, { value, danger = false } = {}) {
  return new Promise((answer) => ask("sure", { words, does, value, danger, answer }));
}

export function SureDialog() {
  const { words, does, value, danger, answer } = dialog.value;
  const asks = value !== undefined;
  const [given, setGiven] = useState(value ?? "");
  const submit = (event) => {
    event.preventDefault();
    if (asks && !given.trim()) return;
    answer(asks ? given.trim() : true);
    dismiss();
  };
  return html`<${Dialog} title=${does}>
    <form class="fields" onSubmit=${submit}>
      ${asks
        ? html`<label>${words}<input value=${given} maxlength="100" required autofocus dir="auto" onInput=${(event) => setGiven(event.target.value)} /></label>`
        : html`<p><bdi>${words}</bdi></p>`}
      <div class="ends">
        <button type="button" class="button" onClick=${dismiss}>${t("cancel")}</button>
        <button type="submit" class=${`button ${danger ? "danger" : "main"}`} id="do-it">${does}</button>
      </div>
    </form>
  <//>`;
}

export function Dialog({ title, children, wide = false }) {
  const box = useRef(null);
  useEffect(() => {
    box.current.showModal();
  }, []);
  return html`<dialog ref=${box} class=${wide ? "dialog wide" : "dialog"} aria-labelledby="dialog-title" onClose=${dismiss} onClick=${(event) => event.target === box.current && dismiss()}>
    <div class="inside">
      <header>
        <h2 id="dialog-title">${title}</h2>
        <button type="button" class="button-icon" aria-label=${t("close")} onClick=${dismiss}><${Icon} name="close" /></button>
      </header>
      ${children}
    </div>
  </dialog>`;
}
