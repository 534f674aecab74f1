// What was said, on the screen: every message once, in the order of the server.

import { attached, element, written } from "./writing.js";

const NEAR = 80; // pixels from the end that still count as being there

export class View {
  // `press(button)` is called when a choice is made.
  constructor(texts, press) {
    this.texts = texts;
    this.press = press;
    this.messages = new Map();
    this.log = document.getElementById("log");
    this.lines = document.getElementById("lines");
    this.draft = document.getElementById("draft");
    this.newest = document.getElementById("newest");
    this.clock = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "numeric", minute: "2-digit" });
    this.calendar = new Intl.DateTimeFormat(document.documentElement.lang, { weekday: "long", day: "numeric", month: "long" });
    this.newest.addEventListener("click", () => this.toEnd());
    this.log.addEventListener("scroll", () => this.atEnd() && (this.newest.hidden = true));
    this.stuck = true;
    this.top = 0;
    this.log.addEventListener("scroll", () => this.scrolled());
    const sizes = new ResizeObserver(() => this.stuck && this.toEnd());
    sizes.observe(this.log);
    sizes.observe(this.lines); // a picture has its height when it has loaded
  }

  // Only who scrolls up leaves the end: what has grown since puts the end further away by itself.
  scrolled() {
    this.stuck = this.atEnd() || (this.stuck && this.log.scrollTop >= this.top);
    this.top = this.log.scrollTop;
  }

  atEnd() {
    return this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < NEAR;
  }

  toEnd() {
    this.stuck = true;
    this.log.scrollTop = this.log.scrollHeight;
    this.newest.hidden = true;
  }

  // Messages of the server or of this page; those it has already are only brought up to date. How many were new.
  show(messages) {
    const wasAtEnd = this.stuck;
    const fresh = messages.filter((message) => !this.messages.has(message.id));
    for (const message of messages) this.place(message);
    this.settle(fresh.find((message) => message.by !== "contact"));
    this.refresh();
    if (fresh.length && (wasAtEnd || fresh.some((message) => message.unsent))) this.toEnd();
    else if (fresh.length) this.newest.hidden = false;
    return fresh.length;
  }

  // An answer that is still being written: text and nothing else, not even links. It is read aloud when it is a message.
  sketch(text) {
    this.draft.hidden = !text;
    this.draft.querySelector(".text").textContent = text;
    if (this.stuck) this.toEnd();
  }

  // The message stands where its draft was, as if it had been there before.
  settle(answer) {
    if (!answer || this.draft.hidden) return;
    this.messages.get(answer.id).line.classList.add("settled");
    this.sketch("");
  }

  // Earlier messages, without moving what is being read and without reading them aloud.
  showEarlier(messages) {
    const below = this.log.scrollHeight - this.log.scrollTop;
    this.log.ariaLive = "off";
    for (const message of messages) this.place(message);
    this.refresh();
    this.log.scrollTop = this.log.scrollHeight - below;
    setTimeout(() => (this.log.ariaLive = "polite"), 500);
  }

  place(message) {
    const known = this.messages.get(message.id);
    if (known && !(known.unsent && !message.unsent)) return;
    const line = known?.line ?? this.make(message);
    this.messages.set(message.id, { ...message, line });
    line.classList.toggle("unsent", Boolean(message.unsent));
    line.querySelector("time").replaceWith(this.time(message.at));
    if (!message.unsent) line.querySelector(".state")?.remove();
    const after = this.sorted().find((other) => other.line !== line && this.isAfter(other, message));
    if (line.nextElementSibling !== (after?.line ?? null) || !line.isConnected) {
      this.lines.insertBefore(line, after?.line ?? null);
    }
  }

  sorted() {
    const lines = [...this.lines.querySelectorAll(".line")];
    return lines.map((line) => this.messages.get(line.dataset.id));
  }

  // What the server has not got yet stands at the end.
  isAfter(other, message) {
    if (Boolean(other.unsent) !== Boolean(message.unsent)) return Boolean(other.unsent);
    if (other.at !== message.at) return other.at > message.at;
    const [others, ours] = [other, message].map(({ by }) => by === "contact");
    return others === ours ? other.number > message.number : ours;
  }

  make(message) {
    const author = message.by === "contact" ? this.texts.you : document.title;
    const bubble = element("div", { className: "bubble" }, element("span", { className: "unseen" }, `${author}: `));
    if (message.attachment) bubble.append(attached(message.attachment, this.texts));
    if (message.text) bubble.append(written(message.text));
    bubble.append(element("time"));
    const line = element("div", { className: `line ${message.by}` }, bubble);
    line.dataset.id = message.id;
    if (message.buttons) line.append(this.choices(message.buttons));
    return line;
  }

  time(at) {
    const date = new Date(at);
    return element("time", { dateTime: date.toISOString() }, this.clock.format(date));
  }

  choices(buttons) {
    const group = element("div", { className: "choices", role: "group", ariaLabel: this.texts.choices });
    for (const button of buttons) {
      const made = element("button", { type: "button" }, button.title);
      made.dataset.payload = button.payload;
      made.addEventListener("click", () => this.press(button));
      group.append(made);
    }
    return group;
  }

  refresh() {
    this.markUsed();
    this.markDays();
    document.getElementById("empty").hidden = this.messages.size > 0;
    document.getElementById("over").hidden = this.messages.size === 0;
  }

  // Choices are open until the visitor says anything after them; then the one that was chosen stays marked.
  markUsed() {
    let answer = null;
    for (const message of this.sorted().reverse()) {
      if (message.by === "contact") answer = message;
      for (const button of message.line.querySelectorAll(".choices button")) {
        button.disabled = answer !== null;
        button.classList.toggle("pressed", Boolean(answer?.payload) && answer.payload === button.dataset.payload);
      }
    }
  }

  markDays() {
    for (const day of this.lines.querySelectorAll(".day")) day.remove();
    let last = "";
    for (const { at, line } of this.sorted()) {
      const day = this.day(new Date(at));
      if (day !== last) line.before(element("p", { className: "day" }, day));
      last = day;
    }
  }

  day(date) {
    const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(date).setHours(0, 0, 0, 0)) / 86400000);
    if (days === 0) return this.texts.today;
    return days === 1 ? this.texts.yesterday : this.calendar.format(date);
  }

  // Under a message that is not with the server: what is being done about it.
  mark(id, state) {
    const line = this.messages.get(id)?.line;
    if (!line || !this.messages.get(id).unsent) return;
    line.querySelector(".state")?.remove();
    if (state !== "sent") line.append(element("p", { className: `state ${state}` }, this.texts[state]));
    if (this.stuck) this.toEnd();
  }
}
