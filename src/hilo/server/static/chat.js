// The chat page: history first, then news as they come; what is written goes out in its own time.

import { pause, randomToken, storage, visitorOf } from "./browser.js";
import { stayLive } from "./live.js";
import { Outgoing } from "./outgoing.js";
import { textsIn } from "./texts.js";
import { View } from "./view.js";
import { onColour } from "./writing.js";

const MAX_TEXT = 4000;
const TYPING_FOR = 15000;
const TOLD_EVERY = 4000;
const DRAFT_FOR = 30000; // milliseconds after its last change
const SLOW = 1200; // milliseconds before a message is said to be still on its way

const root = document.documentElement;
const texts = textsIn(root.lang);
const wishes = new URLSearchParams(location.search);
const embedded = wishes.has("embedded") && window.parent !== window;
const { channel } = root.dataset;
const find = (id) => document.getElementById(id);
const [text, notice, earlier] = ["text", "notice", "earlier"].map(find);

const link = {
  url: encodeURIComponent(channel),
  visitor: visitorOf(channel),
  after: "0.0",
  take,
  up(way) {
    document.body.dataset.live = way;
    say();
  },
  down() {
    delete document.body.dataset.live;
    showDraft("");
    say();
  },
};
const view = new View(texts, (button) => write(button.title, button.payload));
const outgoing = new Outgoing(channel, link, outcome);
let earlierCursor = null;
let typing = 0;
let drafting = 0;

// --- what comes in ------------------------------------------------------------------------------------

function take(news) {
  if (news.typing) showTyping();
  if (news.draft !== undefined) showDraft(news.draft);
  const answers = (news.messages ?? []).filter((message) => message.by !== "contact");
  const fresh = view.show(news.messages ?? []);
  if (!fresh || !answers.length) return;
  hideTyping();
  if (embedded) tellHost("message");
}

function showTyping() {
  clearTimeout(typing);
  typing = setTimeout(hideTyping, TYPING_FOR);
  find("typing").hidden = false;
  if (view.stuck) view.toEnd();
  say();
}

function hideTyping() {
  clearTimeout(typing);
  find("typing").hidden = true;
  say();
}

function showDraft(words) {
  clearTimeout(drafting);
  if (words) drafting = setTimeout(showDraft, DRAFT_FOR, "");
  view.sketch(words);
  say();
}

function say() {
  const live = document.body.dataset.live !== undefined;
  const isTyping = !find("typing").hidden || !find("draft").hidden;
  const words = live ? (isTyping ? texts.typing : texts.live) : texts.connecting;
  if (find("status").textContent !== words) find("status").textContent = words;
  if (live && notice.dataset.about === "network") hideNotice();
}

async function page(query = "") {
  const answer = await fetch(`${link.url}/messages${query}`, { headers: { "X-Visitor": link.visitor } });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const found = await answer.json();
  earlierCursor = found.earlier;
  earlier.hidden = found.earlier === null;
  return found;
}

async function history() {
  for (;;) {
    try {
      return await page();
    } catch {
      await pause(2000);
    }
  }
}

earlier.addEventListener("click", async () => {
  earlier.disabled = true;
  try {
    view.showEarlier((await page(`?before=${earlierCursor}`)).messages);
  } finally {
    earlier.disabled = false;
  }
});

// --- what goes out ------------------------------------------------------------------------------------

function write(words, payload = "") {
  const message = { id: randomToken(), by: "contact", at: Date.now(), text: words, payload, unsent: true };
  view.show([message]);
  setTimeout(() => outgoing.waiting.includes(message) && navigator.onLine && view.mark(message.id, "sending"), SLOW);
  outgoing.add(message);
}

function outcome(id, state, status) {
  view.mark(id, state);
  if (state === "sent" && notice.dataset.about === "pace") hideNotice();
  if (status === 413) show(texts.tooLong(MAX_TEXT));
  if (status === 429) show(texts.tooMany, "pace");
}

find("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  const words = text.value.trim();
  if (!words) return;
  if ([...words].length > MAX_TEXT) {
    show(texts.tooLong(MAX_TEXT));
    return;
  }
  if (notice.dataset.about === "text") hideNotice();
  write(words);
  text.value = "";
  grow();
  text.focus();
});

text.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  find("composer").requestSubmit();
});

function grow() {
  text.style.height = "auto";
  text.style.height = `${text.scrollHeight + 2}px`;
}

text.addEventListener("input", grow);

// A person who answers sees that somebody writes; whether that arrives is no matter.
let told = 0;
text.addEventListener("input", () => {
  if (text.value.length > 1 && Date.now() - told < TOLD_EVERY) return; // the first letter always
  told = Date.now();
  void fetch(`${link.url}/typing`, { method: "POST", headers: { "X-Visitor": link.visitor } }).catch(() => {});
});

for (const starter of document.querySelectorAll("#starters button")) {
  starter.addEventListener("click", () => write(starter.textContent));
}

// A new visitor: what was said stays with the shop, this browser begins anew.
find("over").addEventListener("click", () => {
  if (!confirm(texts.overSure)) return;
  storage.removeItem(`hilo.visitor.${channel}`);
  location.reload();
});

// --- notices ------------------------------------------------------------------------------------------

function show(words, about = "text") {
  notice.textContent = words;
  notice.dataset.about = about;
  notice.hidden = false;
}

function hideNotice() {
  notice.hidden = true;
  delete notice.dataset.about;
}

addEventListener("offline", () => show(texts.offline, "network"));
addEventListener("online", () => notice.dataset.about === "network" && hideNotice());

// --- in the widget's frame ----------------------------------------------------------------------------

// The host page is told that something happened, never what.
function tellHost(what) {
  window.parent.postMessage({ hilo: what }, "*");
}

function dress() {
  find("log").ariaLabel = texts.log;
  document.querySelector("label[for=text]").textContent = texts.write;
  text.placeholder = texts.write;
  find("send").ariaLabel = texts.send;
  find("close").ariaLabel = texts.close;
  find("close").hidden = !embedded;
  earlier.textContent = texts.earlier;
  find("newest").textContent = texts.newest;
  find("hint").textContent = texts.empty;
  find("starters").ariaLabel = texts.starters;
  find("home").ariaLabel = texts.home;
  find("home").title = texts.home;
  find("home").hidden = embedded || !find("home").getAttribute("href");
  find("over").ariaLabel = texts.over;
  find("over").title = texts.over;
  const colour = /^#?([0-9a-f]{6})$/i.exec(wishes.get("color") ?? "")?.[1];
  if (!colour) return;
  root.style.setProperty("--accent", `#${colour}`);
  root.style.setProperty("--on-accent", onColour(colour));
}

// Where the keyboard on the screen covers the page instead of shrinking it.
window.visualViewport?.addEventListener("resize", () => {
  if (window.visualViewport.scale === 1) root.style.setProperty("--height", `${window.visualViewport.height}px`);
});

if (embedded) {
  find("close").addEventListener("click", () => tellHost("close"));
  addEventListener("keydown", (event) => event.key === "Escape" && tellHost("close"));
  addEventListener("message", (event) => {
    if (event.source === window.parent && event.data?.hilo === "focus") text.focus();
  });
}

// --- begin --------------------------------------------------------------------------------------------

dress();
say();
if (!navigator.onLine) show(texts.offline, "network");
view.show(outgoing.waiting);
const first = await history();
view.show(first.messages);
view.toEnd();
link.after = first.after;
find("log").ariaBusy = "false";
if (embedded) tellHost("ready");
void outgoing.run();
void stayLive(link);
