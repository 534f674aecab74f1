// Requests to the server: with the cookie, the token against forged requests, and a fresh key for every act.

import { signal } from "./html.js";

export const me = signal(null); // {person, workspace, csrf}; null when nobody is logged in
export const skew = signal(0); // milliseconds that the server's clock is ahead of this one

const PATIENCE = 20000; // milliseconds for an answer
const AGAIN = [500, 1000, 2000, 4000, 8000];

export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? `${status}`);
    this.status = status;
    this.body = body;
  }
}

export function now() {
  return Date.now() + skew.value;
}

export function newKey() {
  // randomUUID wants a secure context; a shop's own network may have none
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function ask(method, path, { body, key, signal: stop } = {}) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET" && me.value) headers["X-Hilo-CSRF"] = me.value.csrf;
  if (key) headers["Idempotency-Key"] = key;
  const late = AbortSignal.timeout(PATIENCE);
  const answer = await fetch(path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
    signal: stop ? AbortSignal.any([stop, late]) : late,
  });
  noteClock(answer);
  if (answer.status === 401 && path !== "/panel/login") me.value = null;
  const text = await answer.text();
  const found = parsed(text);
  if (!answer.ok) throw new Problem(answer.status, { ...found, retryAfter: answer.headers.get("Retry-After") });
  return found;
}

function parsed(text) {
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    return {};
  }
}

// The header has whole seconds, so half a second either way is no difference.
function noteClock(answer) {
  const date = Date.parse(answer.headers.get("Date") ?? "");
  if (!date) return;
  const ahead = date + 500 - Date.now();
  if (Math.abs(ahead - skew.value) > 1500) skew.value = Math.abs(ahead) < 1500 ? 0 : ahead;
}

export function get(path, query = {}, options = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const search = new URLSearchParams(given).toString();
  return ask("GET", search ? `${path}?${search}` : path, options);
}

export const post = (path, body, key = newKey()) => ask("POST", path, { body, key });
export const patch = (path, body) => ask("PATCH", path, { body, key: newKey() });
export const put = (path, body) => ask("PUT", path, { body, key: newKey() });
export const remove = (path) => ask("DELETE", path, { key: newKey() });

// Until the server has answered, with the same key every time: it may have done it already and does it once.
export async function insist(path, body, key, onTrouble = () => {}) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await post(path, body, key);
    } catch (problem) {
      const final = problem instanceof Problem && problem.status < 500 && problem.status !== 429;
      if (final) throw problem;
      onTrouble(problem);
      await new Promise((resolve) => setTimeout(resolve, AGAIN[Math.min(tries, AGAIN.length - 1)]));
    }
  }
}

export const api = (path) => `/api/v1${path}`;
export const ofSession = (session, path = "") => api(`/sessions/${encodeURIComponent(session)}${path}`);
