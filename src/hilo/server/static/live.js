// News as they come: by WebSocket, else as server-sent events, else by asking again and again.

import { backOff, pause } from "./browser.js";

const HELLO = 4000; // milliseconds that a connection has to say its first word
const SILENCE = 45000; // the server says something every 20 s
const POLL_EVERY = 1500;
const POLL_FOR = 60000; // then the better ways are tried again

const WAYS = [
  ["socket", bySocket],
  ["events", byEvents],
  ["poll", byPolling],
];

// `link` has url, visitor, after, take(news), up(way) and down().
export async function stayLive(link) {
  let pauses = backOff(500, 15000);
  for (;;) {
    const worked = await firstThatWorks(link);
    link.down();
    if (worked) pauses = backOff(500, 15000);
    await pause(pauses.next().value);
  }
}

async function firstThatWorks(link) {
  for (const [name, way] of WAYS) {
    if (await connected(link, name, way)) return true;
  }
  return false;
}

// Resolves when the connection is over; true if it ever worked.
function connected(link, name, way) {
  return new Promise((resolve) => {
    const ending = new AbortController();
    let worked = false;
    let watch;
    const over = () => {
      clearTimeout(watch);
      removeEventListener("offline", over);
      ending.abort();
      resolve(worked);
    };
    const expect = (milliseconds) => {
      clearTimeout(watch);
      watch = setTimeout(over, milliseconds);
    };
    const heard = (news) => {
      if (ending.signal.aborted) return;
      if (!worked) link.up(name);
      worked = true;
      expect(SILENCE);
      if (news.after) link.after = news.after;
      link.take(news);
    };
    addEventListener("offline", over);
    expect(HELLO);
    way(link, heard, ending.signal).then(over, over);
  });
}

function bySocket(link, heard, signal) {
  return new Promise((resolve, reject) => {
    const url = new URL(`${link.url}/socket`, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    signal.addEventListener("abort", () => socket.close());
    socket.onopen = () => socket.send(JSON.stringify({ visitor: link.visitor, after: link.after }));
    socket.onmessage = (event) => heard(JSON.parse(event.data));
    socket.onclose = resolve;
    socket.onerror = reject;
  });
}

// EventSource cannot send a header, and the visitor's secret does not belong into an address.
async function byEvents(link, heard, signal) {
  const answer = await fetch(`${link.url}/events?after=${link.after}`, { headers: { "X-Visitor": link.visitor }, signal });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (rest + value).split("\n\n");
    rest = events.pop();
    for (const event of events) heard(JSON.parse(event.replace(/^data: /, "")));
  }
}

async function byPolling(link, heard, signal) {
  const until = Date.now() + POLL_FOR;
  while (Date.now() < until && !signal.aborted) {
    const answer = await fetch(`${link.url}/messages?after=${link.after}`, { headers: { "X-Visitor": link.visitor }, signal });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const news = await answer.json();
    heard(news);
    if (!news.more) await pause(POLL_EVERY);
  }
}
