// Dialogs: the browser's own element, so that focus, Escape and the background are taken care of.

import { html, signal, useEffect, useRef } from "./html.js";
import { Icon } from "./icons.js";
import { t } from "./texts.js";

export const dialog = signal(null); // {is, …} or nothing

export function ask(is, values = {}) {
  dialog.value = { is, ...values };
}

export function dismiss() {
  dialog.value = null;
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
