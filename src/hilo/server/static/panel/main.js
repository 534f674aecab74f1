// Begins the page: who is it, then the news, then everything that is shown.

import { alertTo } from "./alerts.js";
import { get, me } from "./api.js";
import { loadReplies } from "./canned.js";
import { Frame } from "./frame.js";
import { effect, html, render } from "./html.js";
import { listenToKeys } from "./keys.js";
import { Login } from "./login.js";
import * as sessions from "./sessions.js";
import { begin, follow, link, listen } from "./stream.js";
import * as talk from "./talk.js";

const AGAIN = 2000; // milliseconds

listen((events) => {
  if (events === null) {
    void sessions.load({ quiet: true });
    void talk.load();
    return;
  }
  alertTo(events);
  const lasting = events.filter((event) => event.event !== "typing" && event.event !== "presence");
  sessions.touch(lasting.map((event) => event.session));
  talk.touch(events);
});

function Panel() {
  return me.value ? html`<${Frame} />` : html`<${Login} />`;
}

let following = false;

// What was loaded before the place of the news was known may be old, so it is loaded again.
async function start() {
  if (following) return;
  following = true;
  for (;;) {
    try {
      await begin();
      break;
    } catch {
      if (!me.value) break;
      link.value = "down";
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }
  void sessions.loadAgents().catch(() => {});
  void loadReplies();
  talk.resumeSending();
  await sessions.load({ quiet: true });
  await follow();
  following = false;
}

async function whoIsIt() {
  for (;;) {
    try {
      return await get("/panel/me");
    } catch (problem) {
      if (problem.status === 401) return null;
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }
}

me.value = await whoIsIt();
listenToKeys();
render(html`<${Panel} />`, document.getElementById("panel"));
effect(() => {
  if (me.value) queueMicrotask(start);
});
