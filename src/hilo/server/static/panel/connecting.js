// A new channel: which provider and agent, what the provider gave us, and then what the provider must be told.

import { api, get, post } from "./api.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { agents } from "./sessions.js";
import { words } from "./talk.js";
import { known, t } from "./texts.js";

// What has a usual value that nobody changes here: credentials go only to the provider itself.
const isAsked = (field) => field.name !== "base_url" || !field.value;

export function Connecting({ done }) {
  const [kinds, setKinds] = useState(null);
  const [kind, setKind] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => void get(api("/channels/kinds")).then(({ items }) => setKinds(items), () => setKinds([])), []);
  if (!kinds?.length) return null;
  const chosen = kinds.find((each) => each.kind === kind);
  const submit = async (event) => {
    event.preventDefault();
    const { kind: which, agent, id, ...given } = Object.fromEntries(new FormData(event.target));
    const settings = Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim()));
    setBusy(true);
    setWrong("");
    try {
      const made = await post(api("/channels"), { kind: which, agent, id: id.trim(), settings });
      setKind("");
      done(made);
    } catch (problem) {
      setWrong(words(problem));
    } finally {
      setBusy(false);
    }
  };
  return html`<form class="panel-card fields across" id="connecting" onSubmit=${submit} autocomplete="off">
      <h2>${t("connectChannel")}</h2>
      <label>${t("provider")}<select name="kind" value=${kind} required onChange=${(event) => setKind(event.target.value)}>
        <option value="">${t("chooseProvider")}</option>
        ${kinds.map((each) => html`<option key=${each.kind} value=${each.kind} selected=${each.kind === kind}>${known("providers", each.kind)}</option>`)}
      </select></label>
      ${chosen &&
      html`<label>${t("agent")}<select name="agent" required>${agents.value.map((each) => html`<option key=${each.name} value=${each.name}>${each.name}</option>`)}</select></label>
        <label>${t("channelId")}<input name="id" placeholder="wa-ventas" title="a-z 0-9 -" maxlength="40" pattern="[a-z0-9][a-z0-9\\-]*" autocapitalize="none" spellcheck="false" /></label>
        ${chosen.fields.filter(isAsked).map((field) => html`<${Setting} key=${`${kind} ${field.name}`} field=${field} />`)}
        <div class="beside-field"><button type="submit" class="button main" disabled=${busy}>${t("connectNow")}</button></div>`}
      ${wrong && html`<p class="notice wide bad" role="alert">${wrong}</p>`}
    </form>`;
}

function Setting({ field: { name, secret, value } }) {
  return html`<label>${known("fields", name)}<input type=${secret ? "password" : "text"} name=${name} required maxlength="4000" defaultValue=${value} autocomplete=${secret ? "new-password" : "off"} spellcheck="false" /></label>`;
}

// What was made up for the way back is never shown again.
export function Entering({ channel, done }) {
  const box = useRef(null);
  useEffect(() => box.current.scrollIntoView({ block: "center" }), []);
  return html`<section class="panel-card notice secret" role="status" data-entering=${channel.id} ref=${box}>
    <p><b>${t("channelConnected", channel.id)}</b> ${t("enterThere", known("whereToEnter", channel.kind))}</p>
    <dl class="facts">
      <div><dt>Webhook</dt><dd><code>${location.origin}${channel.webhook}</code></dd></div>
      ${Object.entries(channel.enter).map(([name, value]) => html`<div key=${name}><dt>${known("fields", name)}</dt><dd><code data-secret>${value}</code></dd></div>`)}
    </dl>
    <p class="hint">${t("onlyNow")}</p>
    <p class="row-acts"><button type="button" class="link" onClick=${done}>${t("noted")}</button></p>
  </section>`;
}
