// What the visitor wrote, until the server has it: one at a time, in order, again and again, also after a reload.

import { backOff, pause, storage, storedUnder } from "./browser.js";

const TIMEOUT = 10000;
const HOPELESS = new Set([400, 401, 404, 413, 422]);

export class Outgoing {
  // `link` has url and visitor; `tell(id, state)` hears sending, retrying, sent or refused, and the status of the answer.
  constructor(channel, link, tell) {
    this.prefix = `hilo.unsent.${channel}.`;
    this.link = link;
    this.tell = tell;
    this.waiting = storedUnder(this.prefix).sort((one, other) => one.at - other.at);
    this.busy = false;
  }

  add(message) {
    storage.setItem(this.prefix + message.id, JSON.stringify(message));
    this.waiting.push(message);
    void this.run();
  }

  async run() {
    if (this.busy) return;
    this.busy = true;
    let pauses = backOff(500, 15000);
    while (this.waiting.length) {
      const [status, after] = await this.post(this.waiting[0]);
      if (status === 202 || HOPELESS.has(status)) {
        this.forget(this.waiting.shift(), status);
        pauses = backOff(500, 15000);
        continue;
      }
      for (const message of this.waiting) this.tell(message.id, "retrying", status);
      await pause(Math.max(pauses.next().value, after));
    }
    this.busy = false;
  }

  forget(message, status) {
    storage.removeItem(this.prefix + message.id);
    this.tell(message.id, status === 202 ? "sent" : "refused", status);
  }

  // The status of the answer, 0 when there was none, and how long the server wants us to wait.
  async post({ id, text, payload }) {
    try {
      const answer = await fetch(`${this.link.url}/messages`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Visitor": this.link.visitor },
        body: JSON.stringify({ id, text, payload }),
        signal: AbortSignal.timeout(TIMEOUT),
      });
      return [answer.status, 1000 * Number(answer.headers.get("Retry-After") ?? 0)];
    } catch {
      return [0, 0];
    }
  }
}
