// The rows of the inbox: loaded piece by piece, kept up to date one session at a time.

import { api, get, me } from "./api.js";
import { batch, computed, effect, signal } from "./html.js";
import { FILTERS, go, place } from "./place.js";

const PIECE = 100; // rows
const FEW = 12; // changed sessions that are asked for one by one; more, and the list is loaded again
const TOGETHER = 150; // milliseconds in which changes are gathered

export const rows = signal([]);
export const counts = signal({});
export const next = signal(null);
export const loading = signal(true);
export const trouble = signal("");
export const chosen = signal(""); // the row that j and k stand on
export const agents = signal([]);
export const channels = signal(new Map());
export const stepWords = new Map(); // what the map called a step that it led here from

const named = signal(new Set()); // teams that some conversation waits for
export const teams = computed(() => [...new Set([...named.value, ...(me.value?.person.teams ?? [])])].sort());

export const total = computed(() => {
  const filtered = FILTERS.some((name) => place.value[name]);
  const known = counts.value[place.value.view];
  return filtered || known === undefined ? rows.value.length : Math.max(known, rows.value.length);
});

function query(extra = {}) {
  const { view } = place.value;
  return { view, ...Object.fromEntries(FILTERS.map((name) => [name, place.value[name]])), ...extra };
}

const inbox = (extra, options) => get(api("/inbox"), query(extra), options);

// --- loading ------------------------------------------------------------------------------------------

let running = new AbortController();

// As many as are on the screen now, so that a reload in the middle of the list does not throw anyone back.
export async function load({ quiet = false } = {}) {
  running.abort();
  running = new AbortController();
  const { signal: stop } = running;
  if (!quiet) loading.value = true;
  try {
    let found = await inbox({ limit: PIECE }, { signal: stop });
    let items = found.items;
    const wanted = quiet ? rows.value.length : 0;
    while (found.next && items.length < wanted) {
      found = await inbox({ limit: PIECE, cursor: found.next }, { signal: stop });
      items = items.concat(found.items);
    }
    show(items, found);
    trouble.value = "";
  } catch (problem) {
    if (!stop.aborted) trouble.value = problem.message;
  } finally {
    if (!stop.aborted) loading.value = false;
  }
}

function show(items, found) {
  batch(() => {
    rows.value = unique(items);
    counts.value = found.counts ?? counts.value;
    next.value = found.next;
    noteChannels(items);
    if (!rows.value.some((row) => row.session === chosen.value)) chosen.value = rows.value[0]?.session ?? "";
  });
}

function unique(items) {
  return [...new Map(items.map((row) => [row.session, row])).values()];
}

function noteChannels(items) {
  const waiting = items.map((row) => row.team).filter((team) => team && !named.value.has(team));
  if (waiting.length) named.value = new Set([...named.value, ...waiting]);
  const fresh = items.filter((row) => !channels.value.has(row.channel));
  if (!fresh.length) return;
  channels.value = new Map([...channels.value, ...fresh.map((row) => [row.channel, row.channel_kind])]);
}

let loadingMore = null;

export function loadMore() {
  if (!next.value || loadingMore) return loadingMore;
  const { signal: stop } = running;
  loadingMore = inbox({ limit: PIECE, cursor: next.value }, { signal: stop })
    .then((found) => !stop.aborted && show([...rows.value, ...found.items], found))
    .catch(() => {})
    .finally(() => {
      loadingMore = null;
    });
  return loadingMore;
}

export async function loadAgents() {
  const found = await get(api("/agents"));
  agents.value = found.items;
}

export const busiest = signal(""); // the agent with the most conversations when it was last looked for

export async function findBusiest() {
  const { items } = await get(api("/map")).catch(() => ({ items: [] }));
  const open = (name) => items.filter((each) => each.agent === name).reduce((sum, each) => sum + each.sessions, 0);
  const names = agents.value.map((each) => each.name);
  busiest.value = names.sort((a, b) => open(b) - open(a))[0] ?? "";
}

// --- keeping up ---------------------------------------------------------------------------------------

const changed = new Set();
let timer = 0;

export function touch(sessions) {
  for (const session of sessions) if (session) changed.add(session);
  if (changed.size && !timer) timer = setTimeout(refresh, TOGETHER);
}

async function refresh() {
  const sessions = [...changed];
  changed.clear();
  try {
    if (sessions.length > FEW) await load({ quiet: true });
    else await Promise.all(sessions.map(refreshOne));
  } finally {
    timer = changed.size ? setTimeout(refresh, TOGETHER) : 0;
  }
}

async function refreshOne(session) {
  const asked = JSON.stringify(query());
  const found = await inbox({ session, limit: 1 }).catch(() => null);
  if (!found || asked !== JSON.stringify(query())) return; // it is an answer to another question
  const row = found.items.find((each) => each.session === session);
  batch(() => {
    counts.value = found.counts ?? counts.value;
    rows.value = placed(rows.value.filter((each) => each.session !== session), row);
    if (row) noteChannels([row]);
  });
}

// Who waits longest stands first among those who wait; elsewhere the newest words stand first.
export function placed(others, row, view = place.value.view) {
  if (!row) return others;
  const before = view === "waiting" ? (a, b) => a.waits_since <= b.waits_since : (a, b) => lastOf(a) >= lastOf(b);
  const index = others.findIndex((other) => !before(other, row));
  if (index >= 0) return others.toSpliced(index, 0, row);
  return next.value ? others : [...others, row]; // it belongs to a piece that is not loaded yet
}

const lastOf = (row) => row.last?.at ?? "";

// --- choosing -----------------------------------------------------------------------------------------

export function step(by) {
  const index = rows.value.findIndex((row) => row.session === chosen.value);
  const target = rows.value[Math.min(rows.value.length - 1, Math.max(0, index + by))];
  if (target) chosen.value = target.session;
}

export function open(session) {
  chosen.value = session;
  go({ page: "inbox", session });
}

let known = "";

effect(() => {
  if (!me.value) {
    known = "";
    return;
  }
  const { page } = place.value;
  const asked = JSON.stringify(query());
  if (page !== "inbox" || asked === known) return;
  const first = known === "";
  known = asked;
  if (!first) rows.value = [];
  void load();
});
