// Why the agent said what it said: one turn, from the words it read to the words it chose.

import { get, ofSession } from "./api.js";
import { html, useEffect, useState } from "./html.js";
import { place } from "./place.js";
import { inWords } from "./reasons.js";
import { whole } from "./talk.js";
import { known, t, wantedWords } from "./texts.js";
import { clock, number } from "./times.js";
import { TurnGraph } from "./turn_graph.js";

const DOUBTFUL = 20; // percent: below it a meaning decided nothing

export function Why() {
  const { session, why } = place.value;
  const [turn, setTurn] = useState(null);
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    setTurn(null);
    setMissing(false);
    get(ofSession(session, `/turns/${encodeURIComponent(why)}`), {}, { signal: stop.signal }).then(setTurn, () => !stop.signal.aborted && setMissing(true));
    return () => stop.abort();
  }, [session, why]);
  if (missing) return html`<p class="hint pad">${t("whyMissing")}</p>`;
  if (!turn) return html`<p class="hint pad" aria-busy="true">${t("loading")}</p>`;
  return html`<div class="why" data-turn=${turn.number}>
    <p class="hint">${t("turn", turn.number)} · ${clock(turn.at)}</p>
    <${Heard} turn=${turn} />
    <${Meanings} turn=${turn} />
    <${Commands} turn=${turn} />
    <${Calls} turn=${turn} />
    <${Said} turn=${turn} />
    <${Part} title=${t("nodes")} name="nodes"><${TurnGraph} nodes=${turn.nodes ?? []} /><//>
    <${Tokens} turn=${turn} />
  </div>`;
}

function Part({ title, name, children }) {
  return html`<section class="card" data-why=${name}><h3>${title}</h3>${children}</section>`;
}

// --- what it read -------------------------------------------------------------------------------------

function Heard({ turn }) {
  if (!turn.heard) return null;
  const values = [...(turn.found ?? []), ...ordered(turn)];
  const found = [...values, ...done(turn, values)];
  return html`<${Part} title=${t("heard")} name="heard">
    <p class="marked text" dir="auto">${marked(turn.heard, found)}</p>
    ${found.length > 0 &&
    html`<ul class="found">
      ${found.map((each) => html`<${FoundValue} found=${each} />`)}
    </ul>`}
  <//>`;
}

// What the words do besides their values: they ask for a person, say yes, correct.
function done(turn, values) {
  const text = turn.heard.toLowerCase();
  const found = [];
  for (const { command, words } of turn.acts ?? []) {
    const start = words ? text.indexOf(words.toLowerCase()) : -1;
    const end = start + words.length;
    if (start < 0 || !known("acts", command, "") || values.some((each) => each.start < end && start < each.end)) continue;
    found.push({ start, end, text: turn.heard.slice(start, end), act: known("acts", command) });
  }
  return found;
}

// What a tool was given in the contact's own words: it stands in the message, so it is marked there.
function ordered(turn) {
  const text = turn.heard.toLowerCase();
  const found = [];
  for (const { tool, arguments: given = {} } of turn.calls ?? []) {
    for (const [name, value] of Object.entries(given)) {
      const [start, end] = typeof value === "string" ? stretch(text, value.toLowerCase()) : [-1, -1];
      if (start < 0 || [...(turn.found ?? []), ...found].some((each) => each.start < end && start < each.end)) continue;
      found.push({ start, end, text: turn.heard.slice(start, end), slot: parameterLabel(tool, name) });
    }
  }
  return found;
}

// Where a message says what a tool was given: the same words, or most of them close to each other ("coca de 1,5").
export function stretch(text, value) {
  const whole = value.length > 1 ? text.indexOf(value) : -1;
  if (whole >= 0) return [whole, whole + value.length];
  const words = value.match(/[\p{L}\d]+(?:[.,]\d+)*/gu) ?? [];
  const places = [];
  for (const word of words) {
    const start = text.search(new RegExp(`(?<![\\p{L}\\d])${word.replaceAll(".", "\\.")}(?![\\p{L}\\d])`, "u"));
    if (start >= 0) places.push([start, start + word.length]);
  }
  if (!places.length || places.length * 2 < words.length) return [-1, -1];
  const [start, end] = [Math.min(...places.map((each) => each[0])), Math.max(...places.map((each) => each[1]))];
  return end - start <= value.length + 12 ? [start, end] : [-1, -1];
}

const actionOf = (tool) => whole.value?.actions?.find((action) => action.tool === tool);
const toolLabel = (tool) => actionOf(tool)?.title ?? tool;
const parameterLabel = (tool, name) => actionOf(tool)?.parameters?.properties?.[name]?.title ?? name.replaceAll("_", " ");

// A reason names things as the agent's file does; people know them by their labels.
function withLabels(reason) {
  const modes = new Map((whole.value?.modes ?? []).map((mode) => [mode.name, mode.label]));
  return inWords(reason, (name) => {
    const shown = actionOf(name)?.title ?? modes.get(name) ?? slotLabel(name);
    return shown === name ? name : `«${shown}»`;
  });
}

function slotLabel(name) {
  const all = [...(whole.value?.slots ?? []), ...(whole.value?.found ?? [])];
  return all.find((slot) => slot.name === name)?.label ?? name;
}

function FoundValue({ found: { text, slot, act, value, rule, against = [], taken = true } }) {
  if (act) return html`<li><mark><bdi>${text}</bdi></mark> ${act}</li>`;
  return html`<li class=${taken ? "" : "not-taken"}>
    <mark><bdi>${text}</bdi></mark> <b>${slotLabel(slot)}</b> ${value && value !== text && html`<bdi>= ${value}</bdi>`}
    ${rule && html`<span class="hint"> ${inWords(rule)}</span>`}
    ${!taken && html`<p class="reason">${t("notTaken")}${against.length > 0 && ` (${against.map((each) => inWords(each)).join(", ")})`}</p>`}
  </li>`;
}

// Spans may lie within each other: the first, longest one is marked.
export function marked(text, found) {
  const pieces = [];
  let done = 0;
  const inOrder = found.filter((each) => each.end > each.start && each.taken !== false).sort((a, b) => a.start - b.start || b.end - a.end);
  for (const each of inOrder) {
    if (each.start < done) continue;
    pieces.push(text.slice(done, each.start));
    pieces.push(html`<mark title=${each.slot}>${text.slice(each.start, each.end)}</mark>`);
    done = each.end;
  }
  return [...pieces, text.slice(done)];
}

function Meanings({ turn }) {
  const meanings = (turn.meanings ?? []).filter((each) => Math.round(each.confidence) > 0);
  if (!meanings.length) return null;
  return html`<${Part} title=${t("meanings")} name="meanings">
    ${!turn.handoff && meanings.every((each) => each.confidence < DOUBTFUL) && html`<p class="hint">${t("noMeaning")}</p>`}
    <ul class="bars">
      ${meanings.map((each) => {
        const percent = Math.round(each.confidence);
        return html`<li><span class="bar-label">${each.label || each.name}</span><meter min="0" max="100" value=${percent} aria-label=${each.label || each.name}></meter><span class="bar-value">${t("sure", percent)}</span></li>`;
      })}
    </ul>
  <//>`;
}

// --- what it did --------------------------------------------------------------------------------------

function Commands({ turn }) {
  const { accepted = [], refused = [], handoff } = turn;
  return html`
    ${(accepted.length > 0 || handoff) &&
    html`<${Part} title=${t("accepted")} name="accepted"><ul class="commands">
      ${accepted.map((each) => html`<li class="yes"><${Command} command=${each} /></li>`)}
      ${handoff && html`<li class="yes">${t("calledPerson")} <b>${wantedWords(handoff.trigger, handoff.label)}</b><p class="reason">${t("because")} <bdi>${withLabels(handoff.reason)}</bdi></p></li>`}
    </ul><//>`}
    ${refused.length > 0 &&
    html`<${Part} title=${t("refused")} name="refused"><ul class="commands">
      ${refused.map((each) => html`<li class="no"><${Command} command=${each} /><p class="reason">${t("because")} <bdi>${withLabels(each.reason)}</bdi></p></li>`)}
    </ul><//>`}
  `;
}

// What is proposed, in words; its name in the engine is there for whoever writes agents.
function Command({ command: { command, about, label, words } }) {
  const calls = command === "CallTool";
  const named = label || (calls ? toolLabel(about) : slotLabel(about ?? ""));
  const said = calls ? (words ?? "").replace(/(^|, )(\w+): /g, (_, before, name) => `${before}${parameterLabel(about, name)}: `) : words;
  return html`<span title=${command}>${known("commands", command)}</span> ${named && html`<b><bdi>${named}</bdi></b>`} <bdi>${said ?? ""}</bdi>`;
}

function Calls({ turn }) {
  const calls = turn.calls ?? [];
  if (!calls.length) return null;
  return html`<${Part} title=${t("calls")} name="calls">
    ${calls.map(
      (call) => html`<details class="call">
        <summary>${toolLabel(call.tool)} <${CallState} call=${call} /> ${took(call)}</summary>
        <p class="hint"><code>${call.tool}</code></p>
        <p class="label">${t("arguments")}</p><pre tabindex="0">${JSON.stringify(call.arguments, null, 2)}</pre>
        <p class="label">${t("result")}</p><pre tabindex="0">${JSON.stringify(call.outputs, null, 2).slice(0, 4000)}</pre>
      </details>`,
    )}
  <//>`;
}

// A tool that asks for something has not failed: the contact is asked.
function CallState({ call: { tool, error, status } }) {
  const [, asked] = /^asks for (.+)$/.exec(error ?? "") ?? [];
  if (asked) return html`<span class="hint">${t("asksFor", parameterLabel(tool, asked))}</span>`;
  return html`<span class=${error ? "bad" : "good"}>${error ? inWords(error) : known("callIs", status)}</span>`;
}

function took(call) {
  if (!call.ended_at) return "";
  return html`<span class="hint">${Date.parse(call.ended_at) - Date.parse(call.started_at)} ms</span>`;
}

function Said({ turn }) {
  const { said = [], exhausted = [] } = turn;
  return html`<${Part} title=${t("said")} name="said">
    ${said.length === 0 && html`<p class="hint">${t("nothingHere")}</p>`}
    ${said.map(
      (each) => html`<blockquote dir="auto">${each.text}</blockquote>
        ${each.template && html`<p class="hint">${t("wording")}: <code>${each.template}</code>${Number.isInteger(each.variant) ? ` · ${t("variant", each.variant + 1)}` : ""}</p>`}`,
    )}
    ${exhausted.length > 0 && html`<p class="label">${t("exhausted")}</p><ul class="found">${exhausted.map((each) => html`<li><code>${typeof each === "string" ? each : each.template}</code></li>`)}</ul>`}
  <//>`;
}

const price = (cost) => `US$ ${number(Number(cost), { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`;

function Tokens({ turn }) {
  const { input = 0, output = 0, cost = 0 } = turn.tokens ?? {};
  return html`<${Part} title=${t("cost")} name="cost">
    <p>${input + output > 0 ? `${t("tokens", number(input), number(output))} · ${price(cost)}` : t("zeroTokens")}</p>
    ${turn.tokens?.models?.length > 0 && html`<p class="hint">${turn.tokens.models.join(", ")}</p>`}
    ${turn.stage && html`<p class="hint">${known("stages", turn.stage)}</p>`}
  <//>`;
}
