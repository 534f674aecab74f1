// The agent's modes and flows, with how many conversations stand in each place now.

import { api, get } from "./api.js";
import { contactName } from "./conversation.js";
import { html, useEffect, useState } from "./html.js";
import { Icon } from "./icons.js";
import { ANYWHERE, go, place } from "./place.js";
import { agents, busiest, findBusiest, stepWords } from "./sessions.js";
import { listen } from "./stream.js";
import { whole, words } from "./talk.js";
import { known, t } from "./texts.js";
import { number } from "./times.js";

const [BOX_HEIGHT, GAP_X, GAP_Y, EDGE] = [62, 44, 26, 10];
const BEND = 36; // how far a way up within a column swings out
const [NARROW, WIDE] = [116, 200]; // pixels of a box
const AROUND = 330; // pixels of the window that the drawing does not have
const SOON = 1000; // milliseconds in which changes are gathered
const BOOKKEEPING = new Set(["branch", "set", "forget", "repeat"]);
const FEW = 3; // flows that are all shown with their steps

export function Map() {
  const [found, setFound] = useState(null);
  const [trouble, setTrouble] = useState("");
  const agent = place.value.agent || whole.value?.session.agent || busiest.value;
  useEffect(() => void findBusiest(), [agents.value]);
  useEffect(() => {
    if (!agent) return undefined;
    let timer = 0;
    const left = new AbortController(); // an answer about the agent before must not come over this one's
    setFound(null);
    setTrouble("");
    const of = api(`/agents/${encodeURIComponent(agent)}/map`);
    const load = () => get(of, {}, { signal: left.signal }).then(setFound, (problem) => !left.signal.aborted && setTrouble(words(problem)));
    void load();
    const stop = listen(() => {
      clearTimeout(timer);
      timer = setTimeout(load, SOON);
    });
    return () => {
      clearTimeout(timer);
      left.abort();
      stop();
    };
  }, [agent]);
  const flows = [...(found?.flows ?? [])].sort((a, b) => b.sessions - a.sessions);
  return html`<div class="page map">
    <header>
      <h1>${t("mapTitle")}</h1>
      ${whole.value && html`<${Followed} />`}
      <select class="choice" aria-label=${t("agent")} value=${agent} onChange=${(event) => go({ agent: event.target.value, session: "" })}>
        ${agents.value.map((each) => html`<option key=${each.name} value=${each.name} selected=${each.name === agent}>${each.name}</option>`)}
      </select>
    </header>
    <div class="scroll" tabindex="0" role="region" aria-label=${t("mapTitle")}>
      ${trouble && html`<p class="notice" role="alert">${trouble}</p>`}
      ${found?.modes.length > 0 && html`<section class="panel-card"><h2>${t("modes")}</h2><${Modes} agent=${agent} found=${found} /></section>`}
      ${found && !found.modes.length && !flows.length && html`<p class="nothing">${t("noMap")}</p>`}
      ${flows.length > 0 && html`<section class="panel-card"><h2>${t("flows")}</h2>${flows.map((flow) => html`<${Flow} key=${flow.name} flow=${flow} agent=${agent} few=${flows.length <= FEW} />`)}</section>`}
    </div>
  </div>`;
}

// The conversation that is followed on the map, and the way back to it.
function Followed() {
  return html`<button type="button" class="chip" id="followed" onClick=${() => go({ page: "inbox", agent: "" })}>
    <${Icon} name="back" /><bdi>${t("followed", contactName().slice(0, 60))}</bdi>
  </button>`;
}

const isHere = (agent) => whole.value?.session.agent === agent && whole.value.session.status !== "closed";

// --- modes --------------------------------------------------------------------------------------------

// A mode stands in the column after the first one that leads to it; one that nothing leads to stands at the end.
export function columns(modes, ways) {
  const rank = new globalThis.Map([[modes[0].name, 0]]);
  const queue = [modes[0].name];
  while (queue.length) {
    const name = queue.shift();
    for (const edge of ways.filter((each) => each.start === name && !rank.has(each.to))) {
      rank.set(edge.to, rank.get(name) + 1);
      queue.push(edge.to);
    }
  }
  const last = Math.max(...rank.values());
  const made = [];
  for (const mode of modes) {
    const column = rank.get(mode.name) ?? last;
    (made[column] ??= []).push(mode);
  }
  return made;
}

function placesOf({ modes, ways }) {
  const standing = columns(modes, ways);
  const room = (innerWidth - AROUND - GAP_X * (standing.length - 1)) / standing.length;
  const box = Math.round(Math.min(WIDE, Math.max(NARROW, room)));
  const tallest = Math.max(...standing.map((column) => column.length));
  const places = new globalThis.Map();
  standing.forEach((column, x) => {
    column.forEach((mode, y) => {
      const down = (y + (tallest - column.length) / 2) * (BOX_HEIGHT + GAP_Y);
      places.set(mode.name, { x: EDGE + x * (box + GAP_X), y: EDGE + down, box });
    });
  });
  const width = 2 * EDGE + BEND + standing.length * (box + GAP_X) - GAP_X;
  return { places, width, height: 90 + tallest * (BOX_HEIGHT + GAP_Y) - GAP_Y };
}

function Modes({ agent, found }) {
  const [over, setOver] = useState("");
  const { places, width, height } = placesOf(found);
  const here = isHere(agent) ? whole.value.mode.name : "";
  const drawn = found.ways.filter((edge) => places.has(edge.start) && places.has(edge.to) && edge.start !== edge.to);
  const shown = over || here;
  const edgeClass = (edge) => {
    const back = places.get(edge.to).x <= places.get(edge.start).x;
    return `edge ${back ? "back-way" : ""} ${edge.start === shown ? "lit" : ""}`;
  };
  return html`<div class="drawing" style=${{ width: `${width}px`, height: `${height}px` }}>
    <svg viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height} aria-hidden="true">
      <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" /></marker></defs>
      ${drawn.map((edge) => html`<path key=${`${edge.start} ${edge.to}`} class=${edgeClass(edge)} d=${curve(places.get(edge.start), places.get(edge.to), height - 10)} marker-end="url(#tip)"><title>${edge.words ?? ""}</title></path>`)}
    </svg>
    ${found.modes.map((mode) => {
      const { x, y, box } = places.get(mode.name);
      const lit = mode.name === here;
      return html`<button
        key=${mode.name}
        type="button"
        class=${`box ${mode.sessions > 0 ? "busy" : ""} ${lit ? "lit" : ""}`}
        data-mode=${mode.name}
        style=${{ left: `${x}px`, top: `${y}px`, width: `${box}px`, height: `${BOX_HEIGHT}px` }}
        aria-label=${`${t("listThem", mode.sessions, mode.label)}${lit ? `, ${t("here")}` : ""}`}
        onMouseEnter=${() => setOver(mode.name)}
        onMouseLeave=${() => setOver("")}
        onFocus=${() => setOver(mode.name)}
        onBlur=${() => setOver("")}
        onClick=${() => go({ page: "inbox", view: "all", ...ANYWHERE, agent, mode: mode.name, session: "", q: "" })}
      >
        <span class="box-name" title=${mode.label}>${mode.label}</span><span class="box-count">${t("openNow", mode.sessions, number(mode.sessions))}</span>
      </button>`;
    })}
  </div>`;
}

function curve(from, to, under) {
  const [middle, wide] = [BOX_HEIGHT / 2, from.box];
  if (to.x > from.x) {
    const [x1, y1, x2, y2] = [from.x + wide, from.y + middle, to.x - 2, to.y + middle];
    const bend = Math.max(20, (x2 - x1) / 2);
    return `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  }
  if (to.x === from.x && to.y > from.y) {
    const x = from.x + wide / 2;
    return `M${x} ${from.y + BOX_HEIGHT} L${x} ${to.y - 2}`;
  }
  if (to.x === from.x) {
    const x = from.x + wide;
    return `M${x} ${from.y + middle} C${x + BEND} ${from.y + middle} ${x + BEND} ${to.y + middle} ${x + 2} ${to.y + middle}`;
  }
  // Back: below all boxes.
  const [x1, x2] = [from.x + wide / 2 - 14, to.x + wide / 2 + 14];
  const [y1, y2] = [from.y + BOX_HEIGHT, to.y + BOX_HEIGHT];
  return `M${x1} ${y1} C${x1} ${under} ${x2} ${under} ${x2} ${y2 + 2}`;
}

// --- flows --------------------------------------------------------------------------------------------

function Flow({ flow, agent, few }) {
  const mine = isHere(agent) && whole.value.flow?.name === flow.name ? whole.value.flow.step : "";
  return html`<details class="flow" data-flow=${flow.name} open=${few || flow.sessions > 0 || Boolean(mine)}>
    <summary>${flow.label}${flow.sessions > 0 && html` <b class="count">${number(flow.sessions)}</b>`}</summary>
    ${stretches(flow.steps, mine).map((steps) => html`<ol class="steps" key=${steps[0].name}>
      ${steps.map(
        (step) => html`<li key=${step.name} data-step=${step.name} class=${`${step.sessions > 0 ? "busy" : ""} ${step.name === mine ? "lit" : ""}`}>
          <button type="button" onClick=${() => listThem(agent, flow, step)}>
            <${StepWords} step=${step} flow=${flow} />
            ${step.sessions > 0 && html` <b class="count">${number(step.sessions)}</b>`}
            <span class="unseen">, ${t("openNow", step.sessions, number(step.sessions))}${step.name === mine ? `, ${t("here")}` : ""}</span>
          </button>
        </li>`,
      )}
    </ol>`)}
  </details>`;
}

// Rows of steps that follow each other: where a row ends, another way begins. Bookkeeping, where nobody ever waits, is left out.
export function stretches(steps, mine = "") {
  const rows = [];
  let leads = false;
  steps.forEach((step, index) => {
    if (!BOOKKEEPING.has(step.kind) || step.sessions > 0 || step.name === mine) {
      if (leads) rows.at(-1).push(step);
      else rows.push([step]);
      leads = true;
    }
    leads = leads && step.to.includes(steps[index + 1]?.name);
  });
  return rows.filter((row) => row.some((step) => step.kind !== "go"));
}

// Where somebody is sent back to is said in that step's words.
function StepWords({ step, flow }) {
  const target = step.kind === "go" && flow.steps.find((each) => each.name === step.to[0]);
  const { kind } = target?.kind === "end" ? target : step;
  const words = target && target.kind !== "end" ? `«${[known("stepKinds", target.kind), target.words].filter(Boolean).join(" ")}»` : step.words;
  return html`<span class="step-kind">${known("stepKinds", kind)}</span>${words && html` <bdi>${words}</bdi>`}`;
}

function listThem(agent, flow, step) {
  const words = `${known("stepKinds", step.kind)} ${step.words}`.trim();
  stepWords.set(`${flow.name} ${step.name}`, words.length > 40 ? `${words.slice(0, 39)}…` : words);
  go({ page: "inbox", view: "all", ...ANYWHERE, agent, flow: flow.name, step: step.name, session: "", q: "" });
}
