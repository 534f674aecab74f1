// For authors: the versions of each agent, what one changes against the one before it, and going back.

import { api, get, post } from "./api.js";
import { sure } from "./dialogs.js";
import { html, useEffect, useState } from "./html.js";
import { Page, Table } from "./pieces.js";
import { go, place } from "./place.js";
import { agents, busiest, findBusiest } from "./sessions.js";
import { words } from "./talk.js";
import { known, t } from "./texts.js";
import { exact, number } from "./times.js";
import { toast } from "./toasts.js";

export function Agents() {
  const agent = place.value.agent || busiest.value;
  useEffect(() => void findBusiest(), [agents.value]);
  const [found, setFound] = useState(null);
  const [shown, setShown] = useState("");
  const of = (path) => api(`/agents/${encodeURIComponent(agent)}/${path}`);
  useEffect(() => {
    if (!agent) return undefined;
    const stop = new AbortController();
    setShown("");
    get(of("versions"), {}, { signal: stop.signal }).then(setFound, (problem) => !stop.signal.aborted && toast(words(problem), "bad"));
    return () => stop.abort();
  }, [agent]);
  const putInForce = async (version) => {
    if (!(await sure(t("inForceSure", version), t("goBackTo")))) return;
    try {
      setFound(await post(of("in-force"), { version }));
      toast(t("nowInForce", version));
    } catch (problem) {
      toast(words(problem), "bad");
    }
  };
  const versions = found?.items ?? [];
  const rows = versions.map((each, index) => ({ key: each.version, cells: cells(each, versions[index + 1]) }));
  function cells(each, older) {
    return [
      html`<code>${each.version}</code> ${each.in_force && html`<span class="badge me">${t("inForce")}</span>`}`,
      exact(each.published_at),
      html`<bdi>${each.by === "engine" ? t("byItself") : each.by}</bdi>`,
      number(each.open_sessions),
      html`<span class="row-acts">
        ${older && html`<button type="button" class="link" aria-expanded=${shown === each.version ? "true" : "false"} onClick=${() => setShown(shown === each.version ? "" : each.version)}>${t("whatChanges")}</button>`}
        ${!each.in_force && html`<button type="button" class="link" onClick=${() => putInForce(each.version)}>${t("goBackTo")}</button>`}
      </span>`,
    ];
  }
  const choice = html`<select class="choice" aria-label=${t("agent")} value=${agent} onChange=${(event) => go({ agent: event.target.value })}>
    ${agents.value.map((each) => html`<option key=${each.name} value=${each.name} selected=${each.name === agent}>${each.name}</option>`)}
  </select>`;
  const place_ = versions.findIndex((each) => each.version === shown);
  return html`<${Page} title=${t("versionsTitle")} tools=${choice} kind="agents">
    <section class="panel-card">
      <p class="hint">${t("versionsHint")}</p>
      <${Table} head=${[t("version"), t("publishedAt"), t("publishedBy"), t("open"), ""]} rows=${rows} />
    </section>
    ${place_ >= 0 && html`<${Difference} path=${of("difference")} before=${versions[place_ + 1].version} after=${shown} />`}
  <//>`;
}

function Difference({ path, before, after }) {
  const [found, setFound] = useState(null);
  useEffect(() => {
    const stop = new AbortController();
    setFound(null);
    get(path, { before, after }, { signal: stop.signal }).then(setFound, (problem) => !stop.signal.aborted && toast(words(problem), "bad"));
    return () => stop.abort();
  }, [path, before, after]);
  const parts = Object.entries(Object.groupBy(found?.items ?? [], (each) => each.part));
  return html`<section class="panel-card" data-difference=${after}>
    <h2>${t("differenceOf", before, after)}</h2>
    ${!found && html`<p class="hint" aria-busy="true">${t("loading")}</p>`}
    ${found && !parts.length && html`<p class="hint">${t("sameAgent")}</p>`}
    ${parts.map(([part, changes]) => html`<p class="label">${known("parts", part)}</p><ul class="changes">${changes.map((each) => html`<li class=${each.kind}><b><bdi>${each.what}</bdi></b>${each.before && html`<del><bdi>${each.before}</bdi></del>`}${each.after && html`<ins><bdi>${each.after}</bdi></ins>`}</li>`)}</ul>`)}
  </section>`;
}
