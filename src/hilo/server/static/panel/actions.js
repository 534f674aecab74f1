// Quick actions: the agent's tools for operators, each as a small form made from its schema.

import { ofSession, post } from "./api.js";
import { html, signal, useEffect, useRef, useState } from "./html.js";
import { newestTurn, turnAfter } from "./outcome.js";
import { inWords } from "./reasons.js";
import { begun, SchemaForm, withoutGaps } from "./schema_form.js";
import { load, may, whole, words } from "./talk.js";
import { plainWord } from "./times.js";
import { t } from "./texts.js";
import { toast } from "./toasts.js";

const open = signal(""); // the session and the tool whose form is open

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
  const place = `${whole.value.session.id} ${action.tool}`;
  const isOpen = open.value === place;
  const { title } = action;
  const toggle = () => {
    open.value = isOpen ? "" : place;
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

// It stays until the tool is done: what was typed is not lost to a product that there is none of.
function ActionForm({ action, title }) {
  const schema = action.parameters ?? {};
  const [values, setValues] = useState(() => begun(schema, knownValues()));
  const form = useRef(null);
  useEffect(() => form.current.querySelector("input, select, textarea")?.focus(), []);
  const [tell, setTell] = useState(true);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    setWrong("");
    const failure = await call(whole.value.session.id, { tool: action.tool, arguments: withoutGaps(values), tell });
    if (!failure) toast(t("actionDone", title));
    if (!form.current) {
      if (failure) toast(t("actionFailed", title, failure), "bad"); // the form was left meanwhile
      return;
    }
    setBusy(false);
    if (failure) setWrong(failure);
    else open.value = "";
  };
  return html`<form class="fields action-form" ref=${form} onSubmit=${submit} aria-busy=${busy ? "true" : "false"}>
    ${action.description && html`<p class="hint">${action.description}</p>`}
    <${SchemaForm} schema=${schema} values=${values} change=${setValues} />
    <label class="tick"><input type="checkbox" checked=${tell} onChange=${(event) => setTell(event.target.checked)} /> ${t("tell")}</label>
    ${wrong && html`<p class="notice bad" role="alert"><bdi>${wrong}</bdi></p>`}
    <div class="ends"><button type="submit" class="button main" disabled=${busy}>${busy ? t("running") : t("run")}</button></div>
  </form>`;
}

// Nothing if it is done, else why it is not.
async function call(session, wanted) {
  try {
    const before = await newestTurn(session);
    await post(ofSession(session, "/calls"), wanted);
    const turn = await turnAfter(session, before, "OperatorCalled");
    if (!turn) return t("stillRunning");
    const { error, tell } = turn.calls.find((each) => each.tool === wanted.tool) ?? { error: turn.refused[0]?.reason };
    return error ? tell || inWords(error) : "";
  } catch (problem) {
    return words(problem);
  } finally {
    void load();
  }
}

// What is known of the contact need not be typed again: by the name of the slot, or by what both are called.
function knownValues() {
  const slots = [...(whole.value.slots ?? []), ...(whole.value.found ?? [])];
  return new Map(slots.flatMap((slot) => [[plainWord(slot.label ?? ""), slot.shown], [plainWord(slot.name ?? ""), slot.shown]]));
}
