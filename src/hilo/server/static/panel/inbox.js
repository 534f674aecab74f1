// The list of conversations: views with counts, search, filters; only the rows on the screen are drawn.

import { me } from "./api.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { Icon } from "./icons.js";
import { ANYWHERE, go, place, VIEWS } from "./place.js";
import { agents, channels, chosen, counts, loading, load, loadMore, next, open, rows, stepWords, teams, total, trouble } from "./sessions.js";
import { known, t, wantedWords } from "./texts.js";
import { called, short, since, span, tick } from "./times.js";

const HEIGHT = 76; // pixels of a row, as in the style
const AROUND = 6; // rows that are drawn above and below the screen, and some more
const STEP = 4;
const SOON = 15; // rows before the end, when the next piece is asked for
const PATIENCE = 250; // milliseconds after the last letter of a search
const OVER = new Set(["closed", "paused"]); // what a list of all conversations must tell apart
const SHORT_WINDOW = 2 * 3600 * 1000;

export function Inbox() {
  return html`<section class="inbox pane" aria-label=${t("inbox")}>
    <${Views} />
    <${Filters} />
    <${Rows} />
  </section>`;
}

function Views() {
  const { view } = place.value;
  return html`<nav class="views" aria-label=${t("views")}>
    ${VIEWS.map(
      (each) => html`<button
        key=${each}
        type="button"
        class="view"
        data-view=${each}
        aria-current=${each === view ? "true" : undefined}
        onClick=${() => go({ view: each, ...ANYWHERE })}
      >
        ${t(`view_${each}`)}${each !== "all" && counts.value[each] > 0 && html`<b class=${`count ${each}`}>${counts.value[each]}</b>`}
      </button>`,
    )}
  </nav>`;
}

function Filters() {
  const { agent, channel, team, mode, flow, step, q } = place.value;
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  useEffect(() => {
    if (text === place.value.q) return undefined;
    const timer = setTimeout(() => go({ q: text }, { replace: true }), PATIENCE);
    return () => clearTimeout(timer);
  }, [text]);
  const names = agents.value.map((each) => [each.name, each.name]);
  const ways = [...channels.value.keys()].sort().map((each) => [each, each]);
  return html`<div class="filters">
    <label class="search">
      <${Icon} name="search" />
      <span class="unseen">${t("search")}</span>
      <input
        id="search"
        type="search"
        value=${text}
        placeholder=${t("search")}
        maxlength="200"
        dir="auto"
        onInput=${(event) => setText(event.target.value)}
      />
    </label>
    ${names.length > 1 && html`<${Choice} name="agent" all=${t("allAgents")} value=${agent} options=${names} />`}
    ${ways.length > 1 && html`<${Choice} name="channel" all=${t("allChannels")} value=${channel} options=${ways} />`}
    ${teams.value.length > 0 && html`<${Choice} name="team" all=${t("allTeams")} value=${team} options=${teams.value.map((each) => [each, each])} />`}
    ${mode && html`<${Chip} words=${t("inMode", rows.value.find((row) => row.mode === mode)?.mode_label ?? mode)} />`}
    ${flow && html`<${Chip} words=${t("atStep", stepWords.get(`${flow} ${step}`) ?? flow)} />`}
  </div>`;
}

function Chip({ words }) {
  return html`<button type="button" class="chip" onClick=${() => go(ANYWHERE)}>
    <bdi>${words}</bdi> <${Icon} name="close" /><span class="unseen">${t("clear")}</span>
  </button>`;
}

function Choice({ name, all, value, options }) {
  return html`<select
    class="choice"
    aria-label=${t(name)}
    value=${value}
    onChange=${(event) => go({ [name]: event.target.value })}
  >
    <option value="">${all}</option>
    ${options.map(([each, label]) => html`<option key=${each} value=${each} selected=${each === value}>${label}</option>`)}
  </select>`;
}

// --- the rows -----------------------------------------------------------------------------------------

// Which rows are near the screen, in steps of several: most scrolling changes nothing that is drawn.
function near({ scrollTop, clientHeight }) {
  const first = Math.floor(scrollTop / HEIGHT / STEP) * STEP;
  const last = Math.ceil((scrollTop + clientHeight) / HEIGHT / STEP) * STEP;
  return { first: Math.max(0, first - AROUND), last: last + AROUND };
}

function Rows() {
  const list = useRef(null);
  const [shown, setShown] = useState({ first: 0, last: 20 });
  useLayoutEffect(() => {
    const measure = () => {
      const now = near(list.current);
      setShown((before) => (before.first === now.first && before.last === now.last ? before : now));
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(list.current);
    list.current.addEventListener("scroll", measure, { passive: true });
    return () => sizes.disconnect();
  }, []);
  useLayoutEffect(() => {
    list.current.scrollTop = 0;
  }, [place.value.view, place.value.q]);
  useLayoutEffect(() => reveal(list.current), [chosen.value]);
  const last = Math.min(rows.value.length, shown.last);
  useEffect(() => {
    if (next.value && last > rows.value.length - SOON) void loadMore();
  }, [last, rows.value.length]);
  const drawn = rows.value.slice(shown.first, last);
  return html`<div class="rows" ref=${list} aria-busy=${loading.value ? "true" : "false"} data-loaded=${rows.value.length}>
    ${trouble.value && html`<p class="notice" role="alert">${t("failed", trouble.value)} <button type="button" class="link" onClick=${() => load()}>${t("retry")}</button></p>`}
    ${rows.value.length === 0 && html`<${Nothing} />`}
    <ul class="all" aria-label=${t("conversations")} style=${{ height: `${rows.value.length * HEIGHT}px` }}>
      ${drawn.map((row, index) => placed(row, shown.first + index))}
    </ul>
  </div>`;
}

// The same element for the same row at the same place: what has not changed is not even compared.
const elements = new WeakMap();

function placed(row, index) {
  const known = elements.get(row);
  if (known?.props.index === index) return known;
  const made = html`<${Row} key=${row.session} row=${row} index=${index} />`;
  elements.set(row, made);
  return made;
}

function reveal(list) {
  const index = rows.value.findIndex((row) => row.session === chosen.value);
  if (index < 0) return;
  const [top, bottom] = [index * HEIGHT, (index + 1) * HEIGHT];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

function Nothing() {
  if (loading.value) return html`<div class="skeleton" aria-hidden="true"><i /><i /><i /><i /></div>`;
  const { q, agent, channel, team, mode, flow, view } = place.value;
  const searching = q || agent || channel || team || mode || flow;
  const elsewhere = q && view !== "all";
  return html`<div class="nothing">
    <p>${searching ? t("nothingFound") : t(`empty_${view}`)}</p>
    ${elsewhere && html`<button type="button" class="button" id="search-all" onClick=${() => go({ view: "all" })}>${t("searchAll")}</button>`}
  </div>`;
}

// A name is somebody else's text: isolated, so that right-to-left marks in it turn nothing else around.
export function nameOf(row) {
  return called(row.contact?.name, row.contact?.phone, row.address);
}

function Row({ row, index }) {
  const isOpen = row.session === place.value.session;
  const classes = ["row", row.unread > 0 && "unread", row.session === chosen.value && "chosen"].filter(Boolean);
  return html`<li class="place" style=${{ transform: `translateY(${index * HEIGHT}px)` }} aria-setsize=${total.value} aria-posinset=${index + 1}>
    <button
      type="button"
      class=${classes.join(" ")}
      data-session=${row.session}
      aria-current=${isOpen ? "true" : undefined}
      onClick=${() => open(row.session)}
    >
      <span class="avatar" aria-hidden="true" data-hue=${hueOf(row)}>${initialOf(row)}</span>
      <span class="main">
        <span class="first"><bdi class="name">${nameOf(row).slice(0, 80)}</bdi><${Waiting} row=${row} /></span>
        <span class="words"><${Author} row=${row} /><bdi>${(row.last?.text ?? "").slice(0, 140)}</bdi></span>
        <span class="facts"><${Facts} row=${row} /></span>
      </span>
      ${row.unread > 0 && html`<b class="dot">${row.unread > 99 ? "99+" : row.unread}<span class="unseen"> ${t("unread", row.unread)}</span></b>`}
    </button>
  </li>`;
}

function initialOf(row) {
  const [letter] = nameOf(row).replace(/[^\p{L}\p{N}]/gu, "");
  return (letter ?? "·").toUpperCase();
}

// One of six calm colours, always the same for a person.
function hueOf(row) {
  let sum = 0;
  for (const letter of row.contact?.id ?? row.session) sum = (sum * 31 + letter.codePointAt(0)) % 65521;
  return sum % 6;
}

function Waiting({ row }) {
  if (!row.waits_since) return html`<time class="when" datetime=${row.last?.at}>${row.last ? short(row.last.at) : ""}</time>`;
  const limit = row.patience * 1000; // the agent's file says how long
  const waited = tick.value - Date.parse(row.waits_since);
  const degree = waited >= limit ? "late" : waited >= limit / 2 ? "soon" : "fine";
  return html`<span class=${`wait ${degree}`}>${t("waits", since(row.waits_since))}</span>`;
}

function Author({ row }) {
  const author = row.last?.author;
  if (!author || author === "contact") return null;
  const { operator } = row.last;
  const who = operator === me.value?.person.name ? t("you") : operator || known("authors", author);
  return html`<span class="by"><bdi>${who}</bdi>: </span>`;
}

// From -1 to 1; in between there is nothing to say.
function moodOf(value) {
  if (value <= -0.4) return "upset";
  return value >= 0.6 ? "happy" : "";
}

// Why somebody waits, or where they stand; by which agent, if there are several.
function whereOf(row) {
  const where = row.wanted ? wantedWords(row.wanted, row.wanted_label) : row.mode_label;
  if (!where) return row.agent;
  return agents.value.length > 1 && !place.value.agent ? `${row.agent} · ${where}` : where;
}

function Facts({ row }) {
  const left = row.window_until ? Date.parse(row.window_until) - tick.value : null;
  const mood = moodOf(row.mood);
  return html`${OVER.has(row.status) && html`<span class="fact over">${known("statuses", row.status)}</span>`}<span class="mode">${whereOf(row)}</span>
    ${row.operator && html`<span class="fact"><${Icon} name="person" /><bdi>${row.operator}</bdi></span>`}
    ${row.team && !row.operator && html`<span class="fact"><${Icon} name="people" /><bdi>${row.team}</bdi></span>`}
    ${row.trouble && html`<span class="fact bad"><${Icon} name="warning" />${known("trouble", row.trouble)}</span>`}
    ${mood && html`<span class=${`fact mood ${mood}`}>${t(mood)}</span>`}
    ${left !== null && left <= 0 && html`<span class="fact">${t("windowOver")}</span>`}
    ${left !== null && left > 0 && html`<span class=${`fact ${left < SHORT_WINDOW ? "soon" : ""}`} title=${t("windowLeft", span(left))}><${Icon} name="clock" />${left < SHORT_WINDOW ? span(left) : `${Math.floor(left / 3600000)} h`}</span>`}
    <span class="fact end">${known("channels", row.channel_kind, row.channel_kind || row.channel)}</span>`;
}
