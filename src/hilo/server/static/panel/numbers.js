// How it goes: today and the last 30 days, as figures, charts, the tables behind them and CSV.

import { api, get } from "./api.js";
import { Bars, Columns } from "./chart.js";
import { html, useEffect, useState } from "./html.js";
import { capital, download } from "./pieces.js";
import { agents } from "./sessions.js";
import { words } from "./talk.js";
import { known, t } from "./texts.js";
import { number, span } from "./times.js";

const PERIODS = [1, 7, 30];
const AGAIN = 60000; // milliseconds: the page may stay open all day
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

export function Numbers() {
  const [days, setDays] = useState(30);
  const [agent, setAgent] = useState("");
  const [found, setFound] = useState(null);
  const [funnel, setFunnel] = useState(null);
  const [trouble, setTrouble] = useState("");
  const whose = agent || found?.counts?.[0]?.agent || agents.value[0]?.name;
  useEffect(() => {
    const stop = new AbortController();
    setTrouble("");
    const load = () => get(api("/numbers"), { days, zone }, { signal: stop.signal }).then(setFound, (problem) => !stop.signal.aborted && setTrouble(words(problem)));
    void load();
    const timer = setInterval(load, AGAIN);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [days]);
  useEffect(() => {
    if (!whose) return undefined;
    const stop = new AbortController();
    get(api(`/funnel/${encodeURIComponent(whose)}`), { days, zone }, { signal: stop.signal }).then(setFunnel, () => {});
    return () => stop.abort();
  }, [days, whose]);
  return html`<div class="page numbers">
    <header>
      <h1>${t("numbersTitle")}</h1>
      <div class="segments" role="group">
        ${PERIODS.map((each) => html`<button type="button" key=${each} aria-pressed=${each === days ? "true" : "false"} onClick=${() => setDays(each)}>${t("last", each)}</button>`)}
      </div>
    </header>
    <div class="scroll" tabindex="0" role="region" aria-label=${t("numbersTitle")}>
      ${trouble && html`<p class="notice" role="alert">${trouble}</p>`}
      ${found && html`<${Figures} found=${found} /><${Charts} found=${found} funnel=${funnel} whose=${whose} choose=${setAgent} />`}
    </div>
  </div>`;
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
const percent = (part, all) => (all > 0 ? `${Math.round((part / all) * 100)} %` : "–");
const seconds = (value) => (value === null || value === undefined ? "–" : span(value * 1000));
const dollars = (value) => `US$ ${number(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

function Figures({ found }) {
  const { sessions, without_person: alone, days, waits, handoffs, messages, usage, counts = [] } = found;
  const tokens = sum(days.map((day) => day.tokens)); // also what a model read from its cache
  const made = counts.map((each) => [`${each.agent}.${each.label}`, number(each.made), each.money === null ? "" : t("moneyIs", number(each.money)), `${capital(each.label)} (${each.agent})`]);
  const figures = [
    ["conversations", number(sessions)],
    ...made,
    ["alone", percent(alone, sessions), t("ofAll", number(alone), number(sessions))],
    ["handoffs", number(sum(Object.values(handoffs)))],
    ["waits", seconds(waits.p50), waits.p95 === null ? "" : t("slowest", seconds(waits.p95))],
    ["free", percent(usage.free_turns, usage.turns), `${number(tokens)} tokens`],
    ["cost", dollars(Number(usage.cost))],
    ["failures", number(messages.failed ?? 0)],
  ];
  return html`<dl class="figures">
    ${figures.map(([name, value, more, label]) => html`<div key=${name} data-figure=${name}><dt>${label ?? t(`n_${name}`)}</dt><dd>${value}</dd>${more && html`<dd class="hint">${more}</dd>`}</div>`)}
  </dl>`;
}

function Charts({ found, funnel, whose, choose }) {
  const { days, handoffs, labels } = found;
  if (!found.sessions) return html`<p class="nothing">${t("noNumbers")}</p>`;
  const labelled = days.map((day) => ({ ...day, label: day.day.slice(5).split("-").reverse().join("/") }));
  const alone = (day) => day.sessions - day.handed_off;
  const parts = [
    { label: t("n_alone"), values: days.map(alone) },
    { label: t("n_helped"), values: days.map((day) => day.handed_off) },
  ];
  const head = [t("dayColumn"), t("n_conversations"), t("n_alone"), t("n_helped")];
  const reasons = Object.entries(handoffs).map(([reason, value]) => ({ label: known("triggers", reason, labels[reason]), value }));
  const modes = (funnel?.modes ?? []).map((each) => ({ label: each.label, value: each.sessions }));
  return html`<div class="charts">
    <${Chart} title=${t("n_conversations")} name="conversations" head=${head} rows=${days.map((day) => [day.day, day.sessions, alone(day), day.handed_off])}>
      <${Columns} days=${labelled} parts=${parts} title=${t("n_conversations")} />
    <//>
    ${(found.counts ?? []).filter((each) => each.made > 0).map((each) => html`<${Made} key=${`${each.agent} ${each.label}`} counted=${each} />`)}
    <${Waits} days=${days} labelled=${labelled} />
    <${Named} title=${t("reasons")} name="reasons" items=${reasons.sort((a, b) => b.value - a.value)} />
    <${Named} title=${t("funnel")} name="funnel" items=${modes}>
      <select class="choice" aria-label=${t("agent")} value=${whose} onChange=${(event) => choose(event.target.value)}>
        ${agents.value.map((each) => html`<option key=${each.name} value=${each.name} selected=${each.name === whose}>${each.name}</option>`)}
      </select>
      ${!modes.length && html`<p class="hint">${t("noMap")}</p>`}
    <//>
    <${Tokens} days=${days} labelled=${labelled} />
    <${Failures} days=${days} labelled=${labelled} />
  </div>`;
}

// A column as high as what 95 of 100 waited at most, its lower part what half of them did.
function Waits({ days, labelled }) {
  const half = days.map((day) => day.waited ?? 0);
  const parts = [
    { label: t("halfWaited"), values: half },
    { label: t("mostWaited"), values: days.map((day, index) => (day.waited_most ?? 0) - half[index]) },
  ];
  const rows = days.map((day) => [day.day, day.waited === null ? "" : Math.round(day.waited), day.waited_most === null ? "" : Math.round(day.waited_most)]);
  return html`<${Chart} title=${t("n_waits")} name="waits" head=${[t("dayColumn"), t("halfSeconds"), t("mostSeconds")]} rows=${rows}>
    <${Columns} days=${labelled} parts=${parts} title=${t("n_waits")} format=${seconds} axis=${seconds} />
  <//>`;
}

function Tokens({ days, labelled }) {
  const rows = days.map((day) => [day.day, day.turns, day.free_turns, day.tokens, Number(day.cost)]);
  const parts = [
    { label: t("n_free"), values: days.map((day) => day.free_turns) },
    { label: t("askedModel"), values: days.map((day) => day.turns - day.free_turns) },
  ];
  return html`<${Chart} title=${t("n_turns")} name="tokens" head=${[t("dayColumn"), t("n_turns"), t("n_free"), t("n_tokens"), t("n_cost")]} rows=${rows}>
    <${Columns} days=${labelled} parts=${parts} title=${t("n_turns")} />
  <//>`;
}

function Failures({ days, labelled }) {
  const values = days.map((day) => day.failed);
  return html`<${Chart} title=${t("n_failures")} name="failures" head=${[t("dayColumn"), t("n_failures")]} rows=${days.map((day) => [day.day, day.failed])}>
    ${sum(values) > 0 ? html`<${Columns} days=${labelled} parts=${[{ label: t("n_failures"), values }]} title=${t("n_failures")} />` : html`<p class="hint">${t("noFailures")}</p>`}
  <//>`;
}

// What the business counts, day by day; with its money where tools tell it.
function Made({ counted: { agent, label, days, money } }) {
  const title = `${capital(label)} (${agent})`;
  const dated = days.map((day) => ({ label: day.day.slice(5).split("-").reverse().join("/") }));
  const head = [t("dayColumn"), capital(label), ...(money === null ? [] : [t("money")])];
  const rows = days.map((day) => [day.day, day.made, ...(money === null ? [] : [Number(day.money)])]);
  return html`<${Chart} title=${title} name=${`made-${agent}-${label}`} head=${head} rows=${rows}>
    <${Columns} days=${dated} parts=${[{ label: capital(label), values: days.map((day) => day.made) }]} title=${title} />
  <//>`;
}

function Named({ title, name, items, children }) {
  if (!items.length && !children) return null;
  return html`<${Chart} title=${title} name=${name} head=${[t("name"), t("count")]} rows=${items.map((item) => [item.label, item.value])}>${children}<${Bars} items=${items} /><//>`;
}

function Chart({ title, name, head, rows, children }) {
  return html`<section class="panel-card" data-chart=${name}>
    <h2>${title}</h2>
    <div class="drawn">${children}</div>
    <details>
      <summary>${t("table")}</summary>
      <div class="scroll-x" tabindex="0" role="region" aria-label=${title}>
        <table class="table">
          <thead><tr>${head.map((cell) => html`<th>${cell}</th>`)}</tr></thead>
          <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td><bdi>${cell}</bdi></td>`)}</tr>`)}</tbody>
        </table>
      </div>
      <button type="button" class="link" onClick=${() => download(name, [head, ...rows])}>${t("csv")}</button>
    </details>
  </section>`;
}
