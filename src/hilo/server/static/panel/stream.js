// News as they happen: one stream, resumed by number; where streams are blocked the same news are asked for piece by piece.

import { api, get, me, Problem } from "./api.js";
import { signal } from "./html.js";

export const link = signal("starting"); // starting, live, polling, down

const SILENCE = 45000; // milliseconds without a sign of life, after which a stream is dead
const POLL = 2000;
const POLLS = 15; // before the stream is tried again
const FAILURES = 2; // streams that never said a word, before polling

const listeners = new Set();

let current = new AbortController(); // of the stream that is open

// So long, or until the network is back.
function wait(milliseconds) {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      removeEventListener("online", over);
      resolve();
    };
    const timer = setTimeout(over, milliseconds);
    addEventListener("online", over);
  });
}

// Without a network an open stream only looks alive.
addEventListener("offline", () => {
  link.value = "down";
  current.abort();
});

let place = null; // number of the last event that was seen

// `told(events)`, with null in place of events when everything has to be loaded anew.
export function listen(told) {
  listeners.add(told);
  return () => listeners.delete(told);
}

function tell(events) {
  for (const told of listeners) told(events);
}

// Where the news stand now: to be asked before anything is loaded, so that nothing falls in between.
export async function begin() {
  const { next } = await get(api("/stream"));
  place = next;
}

export async function follow() {
  let failures = 0;
  while (me.value) {
    const heard = await streamed().catch(() => false);
    failures = heard ? 0 : failures + 1;
    if (!me.value) return;
    if (failures >= FAILURES) await poll();
    else {
      if (heard) link.value = "down";
      await wait(500 + Math.random() * 1000);
    }
  }
}

// --- the stream ---------------------------------------------------------------------------------------

// True if it worked for a while.
async function streamed() {
  const stop = new AbortController();
  current = stop;
  let timer = setTimeout(() => stop.abort(), SILENCE);
  let heard = false;
  try {
    const answer = await fetch(`${api("/stream")}?after=${place}`, {
      headers: { Accept: "text/event-stream", "Last-Event-ID": String(place) },
      credentials: "same-origin",
      cache: "no-store",
      signal: stop.signal,
    });
    if (answer.status === 401) me.value = null;
    if (!answer.ok) return false;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return heard;
      heard = true;
      link.value = "live";
      clearTimeout(timer);
      timer = setTimeout(() => stop.abort(), SILENCE);
      rest = takeWhole(rest + value.replaceAll("\r\n", "\n"));
    }
  } catch {
    return heard;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

// Tells of the events that are there as a whole; what is left is the beginning of the next one.
function takeWhole(text) {
  const blocks = text.split("\n\n");
  const rest = blocks.pop();
  const events = blocks.map(readBlock).filter(Boolean);
  if (events.some((event) => event.event === "reset")) startAnew(events);
  else if (events.length) tell(events);
  return rest;
}

function startAnew(events) {
  const newest = Math.max(0, ...events.map((event) => event.n ?? 0));
  if (newest) place = newest;
  tell(null);
}

export function readBlock(block) {
  const found = { event: "message", data: [] };
  for (const line of block.split("\n")) {
    const [, name, value] = /^(event|data|id): ?(.*)$/.exec(line) ?? [];
    if (name === "data") found.data.push(value);
    else if (name) found[name] = value;
  }
  if (found.id) place = Number(found.id);
  if (!found.data.length && found.event !== "reset") return null;
  const body = found.data.length ? JSON.parse(found.data.join("\n")) : {};
  return { ...body, event: found.event === "message" ? body.event : found.event };
}

// --- piece by piece -----------------------------------------------------------------------------------

async function poll() {
  for (let polls = 0; polls < POLLS && me.value; polls += 1) {
    try {
      const { items, next, more, reset } = await get(api("/stream"), { after: place });
      link.value = "polling";
      place = next;
      if (reset || items.some((item) => item.event === "reset")) tell(null);
      else if (items.length) tell(items);
      if (more) continue;
    } catch (problem) {
      link.value = "down";
      if (problem instanceof Problem && problem.status === 410) {
        await begin().catch(() => {});
        tell(null);
      }
    }
    await wait(POLL);
  }
}
