// First contact: the rounds of campaigns, what became of their lists, and why somebody was left out.

import { api, get, me, post } from "./api.js";
import { sure } from "./dialogs.js";
import { html, useEffect, useState } from "./html.js";
import { download, Page, Table } from "./pieces.js";
import { go, place } from "./place.js";
import { inWords } from "./reasons.js";
import { open } from "./sessions.js";
import { words } from "./talk.js";
import { known, t } from "./texts.js";
import { exact, number, short } from "./times.js";
import { toast } from "./toasts.js";

const FATES = ["waiting", "sending", "sent", "delivered", "read", "failed", "held", "skipped"];
const AGAIN = 5000; // milliseconds; a round goes on by itself
const MOST = 5000; // rows of a report

export function Campaigns() {
  const [rounds, setRounds] = useState(null);
  const [trouble, setTrouble] = useState("");
  const chosen = rounds?.find((round) => round.id === place.value.tab);
  const load = () => get(api("/campaigns")).then(({ items }) => { setRounds(items); setTrouble(""); }, (problem) => setTrouble(words(problem)));
  useEffect(() => {
    void load();
    const timer = setInterval(load, AGAIN);
    return () => clearInterval(timer);
  }, []);
  return html`<${Page} title=${t("campaigns")} kind="campaigns">
    ${trouble && html`<p class="notice" role="alert">${trouble}</p>`}
    ${rounds?.length === 0 && html`<p class="nothing">${t("noCampaigns")} <code>hilo campaign</code></p>`}
    ${rounds?.map((round) => html`<${Round} key=${round.id} round=${round} isOpen=${round === chosen} load=${load} />`)}
  <//>`;
}

function Round({ round, isOpen, load }) {
  const all = FATES.reduce((sum, fate) => sum + (round.counts[fate] ?? 0), 0);
  const running = round.status === "running";
  const change = async () => {
    const left = round.counts.waiting ?? 0;
    if (!running && !(await sure(t("resumeRoundSure", left, number(left)), t("resumeRound")))) return;
    try {
      await post(api(`/campaigns/${encodeURIComponent(round.id)}/${running ? "stop" : "resume"}`), {});
    } catch (problem) {
      toast(words(problem), "bad");
    }
    await load();
  };
  return html`<section class="panel-card" data-round=${round.id}>
    <header class="round">
      <h2><bdi>${round.campaign}</bdi> ${round.round && html`<span class="hint"><bdi>${round.round}</bdi></span>`}</h2>
      <span class=${`badge ${running ? "me" : "paused"}`}>${known("campaignIs", !running ? "stopped" : round.counts.waiting ? "running" : "done")}</span>
      ${me.value.person.role !== "operator" && (!running || round.counts.waiting > 0) && html`<button type="button" class="button small" onClick=${change}>${running ? t("stopRound") : t("resumeRound")}</button>`}
    </header>
    <p class="hint">${round.channel} · ${t("givenAt", exact(round.created_at))}${running && round.counts.waiting > 0 && round.next_at ? ` · ${t("goesOn", exact(round.next_at))}` : ""}</p>
    <dl class="tally">
      <div><dt>${t("onList")}</dt><dd>${number(all)}</dd></div>
      ${FATES.filter((fate) => round.counts[fate] > 0).map((fate) => html`<div key=${fate} class=${fate} data-fate=${fate}><dt>${known("fates", fate)}</dt><dd>${number(round.counts[fate])}</dd></div>`)}
      <div><dt>${t("answeredIs")}</dt><dd>${number(round.answered)}</dd></div>
    </dl>
    <button type="button" class="link" aria-expanded=${isOpen ? "true" : "false"} onClick=${() => go({ tab: isOpen ? "" : round.id })}>${isOpen ? t("hideReport") : t("showReport")}</button>
    ${isOpen && html`<${Report} round=${round} />`}
  </section>`;
}

function Report({ round }) {
  const [people, setPeople] = useState(null);
  useEffect(() => {
    const stop = new AbortController();
    recipients(round.id, stop.signal).then(setPeople, (problem) => !stop.signal.aborted && toast(words(problem), "bad"));
    return () => stop.abort();
  }, [round.id, JSON.stringify(round.counts), round.answered]);
  if (!people) return html`<p class="hint" aria-busy="true">${t("loading")}</p>`;
  const left = people.filter((each) => each.status === "skipped");
  const reasons = Object.entries(Object.groupBy(left, (each) => inWords(each.reason)));
  const head = [t("rowOfList"), t("phone"), t("presence"), t("because"), t("answeredIs"), t("written")];
  const plain = (each) => [each.row, each.number, known("fate", each.status), inWords(each.reason), each.answered ? t("yes") : "", each.written_at ? short(each.written_at) : ""];
  const cells = (each) => {
    const [row, phone, ...rest] = plain(each);
    const shown = each.session ? html`<button type="button" class="link" onClick=${() => open(each.session)}><bdi>${phone}</bdi></button>` : html`<bdi>${phone}</bdi>`;
    return [row, shown, ...rest.map((cell) => html`<bdi>${cell}</bdi>`)];
  };
  return html`<div class="report">
    ${reasons.length > 0 && html`<p class="label">${t("leftOut")}</p><ul class="reasons">${reasons.map(([reason, some]) => html`<li><b>${number(some.length)}</b> ${reason}</li>`)}</ul>`}
    <${Table} head=${head} rows=${people.slice(0, 200).map((each) => ({ key: each.number, cells: cells(each) }))} />
    <button type="button" class="link" onClick=${() => download(`campaign-${round.campaign}`, [head, ...people.map(plain)])}>${t("csv")} (${number(people.length)})</button>
  </div>`;
}

async function recipients(round, signal) {
  const found = [];
  let cursor = "";
  do {
    const page = await get(api(`/campaigns/${encodeURIComponent(round)}/recipients`), { limit: 200, cursor }, { signal });
    found.push(...page.items);
    cursor = page.next;
  } while (cursor && found.length < MOST);
  return found;
}
