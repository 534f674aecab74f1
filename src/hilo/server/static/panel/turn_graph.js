// The turn graph: every node that a turn may visit, one below the other, with the way that this turn took lit.

import { api, get } from "./api.js";
import { html, useEffect, useState } from "./html.js";
import { whole } from "./talk.js";
import { known, t } from "./texts.js";
import { number } from "./times.js";

const [ROW, GUTTER] = [25, 58]; // pixels
const graphs = new Map(); // by agent: they do not change while the page is open

export function TurnGraph({ nodes }) {
  const agent = whole.value?.session.agent;
  const [graph, setGraph] = useState(graphs.get(agent) ?? null);
  useEffect(() => {
    if (!agent || graphs.has(agent)) return;
    get(api(`/agents/${encodeURIComponent(agent)}/turn`)).then((found) => {
      graphs.set(agent, found);
      setGraph(found);
    }, () => {});
  }, [agent]);
  const visited = nodes.map((node) => node.name);
  const all = [...new Set([...(graph?.nodes ?? []), ...visited])];
  const taken = new Set(visited.slice(1).map((name, index) => `${visited[index]} ${name}`));
  const ways = new Map([...(graph?.ways ?? []).map((way) => `${way.start} ${way.to}`), ...taken].map((way) => [way, way.split(" ")]));
  const total = nodes.reduce((sum, node) => sum + node.ms, 0);
  return html`<div class="turn-graph">
      <svg width=${GUTTER} height=${all.length * ROW} aria-hidden="true">
        ${[...ways].map(([key, [from, to]]) => html`<path key=${key} class=${taken.has(key) ? "way lit" : "way"} d=${arc(all.indexOf(from), all.indexOf(to))} />`)}
        ${all.map((name, index) => html`<circle key=${name} class=${visited.includes(name) ? "lit" : ""} cx=${GUTTER - 6} cy=${middle(index)} r=${visited.includes(name) ? 4.5 : 3} />`)}
      </svg>
      <ol>${all.map((name) => html`<${Node} key=${name} name=${name} nodes=${nodes} />`)}</ol>
    </div>
    <p class="hint">${t("total")} ${milliseconds(total)}</p>`;
}

const middle = (index) => index * ROW + ROW / 2;

// The farther, the wider; what leads nowhere that is drawn (the end) has no arc.
function arc(from, to) {
  if (from < 0 || to < 0) return "";
  const [x, y1, y2] = [GUTTER - 6, middle(from), middle(to)];
  if (Math.abs(to - from) === 1 && to > from) return `M${x} ${y1} L${x} ${y2}`;
  const wide = x - Math.min(GUTTER - 10, 10 + Math.abs(to - from) * 4.5);
  return `M${x} ${y1} C${wide} ${y1} ${wide} ${y2} ${x} ${y2}`;
}

function Node({ name, nodes }) {
  const visits = nodes.filter((node) => node.name === name);
  const took = visits.reduce((sum, node) => sum + node.ms, 0);
  return html`<li class=${visits.length ? "visited" : "passed"}>
    <span class="node" title=${name}>${known("nodeNames", name)}${visits.length > 1 && ` ×${visits.length}`}</span>
    <span class="bar-value">${visits.length ? milliseconds(took) : html`<span class="unseen">${t("notVisited")}</span>`}</span>
  </li>`;
}

function milliseconds(value) {
  return `${number(value, { maximumFractionDigits: value < 10 ? 1 : 0 })} ms`;
}
