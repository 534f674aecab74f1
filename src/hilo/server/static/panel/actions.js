// Quick actions: the agent's tools for operators, each as a small form made from its schema.

import { api, get, ofSession, post } from "./api.js";
import { html, signal, useEffect, useRef, useState } from "./html.js";
import { inWords } from "./reasons.js";
import { begun, SchemaForm, withoutGaps } from "./schema_form.js";
import { load, may, whole, words } from "./talk.js";
import { plainWord } from "./times.js";
import { t } from "./texts.js";
import { toast } from "./toasts.js";

const open = signal("");
const LOOKS = 20; // for the outcome of a call, one a second

// Those that were made for operators stand first; the agent's own tools are there for whoever needs one.
export function Actions() {
  const { actions = [] } = whole.value;
  if (!actions.length || !may("call")) return null;
  const own = actions.filter((action) => action.own);
  const others = actions.filter((action) => !action.own);
  const list = (some) => html`<ul class="actions">${some.map((action) => html`<${Action} key=${action.tool} action=${action} />`)}</ul>`;
  return html`<section class="card" data-card="actions">
    <h3>${t("actions")}</h3>
    ${own.length > 0 && list(own)}
    ${others.length > 0 && html`<details class="more-actions"><summary>${t("otherActions", others.length)}</summary>${list(others)}</details>`}
  </section>`;
}

function Action({ action }) {
  const isOpen = open.value === action.tool;
  const { title } = action;
  const toggle = () => {
    open.value = isOpen ? "" : action.tool;
  };
  const pressed = (event) => {
    if (event.key !== "Escape" || !isOpen) return;
    event.stopPropagation(); // it is the form that is left, not the conversation
    open.value = "";
    event.currentTarget.querySelector(".action").focus();
  };
  return html`<li data-tool=${action.tool} onKeyDown=${pressed}>
    <button type="button" class="action" aria-expanded=${isOpen ? "true" : "false"} onClick=${toggle}>
      <bdi>${title}</bdi>
    </button>
    ${isOpen && html`<${ActionForm} action=${action} title=${title} />`}
  </li>`;
}

function ActionForm({ action, title }) {
  const schema = action.parameters ?? {};
  const [values, setValues] = useState(() => begun(schema, knownValues()));
  const form = useRef(null);
  useEffect(() => form.current.querySelector("input, select, textarea")?.focus(), []);
  const [tell, setTell] = useState(true);
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const body = { tool: action.tool, arguments: withoutGaps(values), tell };
      const { id } = await post(ofSession(whole.value.session.id, "/calls"), body);
      toast(t("actionSent", title));
      open.value = "";
      void outcome(whole.value.session.id, id, action.tool, title);
    } catch (problem) {
      toast(words(problem), "bad");
    } finally {
      setBusy(false);
    }
  };
  return html`<form class="fields action-form" ref=${form} onSubmit=${submit}>
    ${action.description && html`<p class="hint">${action.description}</p>`}
    <${SchemaForm} schema=${schema} values=${values} change=${setValues} />
    <label class="tick"><input type="checkbox" checked=${tell} onChange=${(event) => setTell(event.target.checked)} /> ${t("tell")}</label>
    <div class="ends"><button type="submit" class="button main" disabled=${busy}>${t("run")}</button></div>
  </form>`;
}

// What is known of the contact need not be typed again: by the name of the slot, or by what both are called.
function knownValues() {
  const slots = [...(whole.value.slots ?? []), ...(whole.value.found ?? [])];
  return new Map(slots.flatMap((slot) => [[plainWord(slot.label ?? ""), slot.shown], [plainWord(slot.name ?? ""), slot.shown]]));
}

// The call runs in a turn of the session; what it came to stands in the list of calls.
async function outcome(session, _id, tool, title) {
  const since = Date.now() - 5000;
  for (let look = 0; look < LOOKS; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const found = await get(api(`/sessions/${encodeURIComponent(session)}/calls`), { limit: 5 }).catch(() => ({ items: [] }));
    const call = found.items.find((each) => each.tool === tool && each.ended_at && Date.parse(each.started_at) > since);
    if (!call) continue;
    if (call.error) toast(t("actionFailed", title, call.tell || inWords(call.error)), "bad");
    else toast(t("actionDone", title));
    void load();
    return;
  }
}
