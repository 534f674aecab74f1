// Times as people say them: how long ago, what is left, which day.

import { now } from "./api.js";
import { signal } from "./html.js";
import { language } from "./kept.js";
import { t } from "./texts.js";

export const second = signal(now()); // for countdowns
export const tick = signal(now()); // for lists, every ten seconds

setInterval(() => {
  second.value = now();
}, 1000);
setInterval(() => {
  tick.value = now();
}, 10000);

const MINUTE = 60000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function span(milliseconds) {
  const left = Math.max(0, milliseconds);
  if (left < MINUTE) return `${Math.floor(left / 1000)} s`;
  if (left < HOUR) return `${Math.floor(left / MINUTE)} min`;
  if (left < DAY) return `${Math.floor(left / HOUR)} h ${String(Math.floor((left % HOUR) / MINUTE)).padStart(2, "0")}`;
  return `${Math.floor(left / DAY)} d`;
}

export function since(moment) {
  return span(tick.value - Date.parse(moment));
}

// A word for comparing: whatever its capitals, accents and hyphens.
export function plainWord(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("_", " ").toLowerCase().trim();
}

const formats = new Map();

function format(name, options) {
  const key = `${language.value} ${name}`;
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(language.value, options));
  return formats.get(key);
}

export function clock(moment) {
  return format("clock", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(new Date(moment));
}

export function exact(moment) {
  return format("exact", { dateStyle: "medium", timeStyle: "medium" }).format(new Date(moment));
}

export function date(moment) {
  return format("date", { dateStyle: "medium" }).format(new Date(moment));
}

export const isToday = (moment) => daysAgo(moment) === 0;

function daysAgo(moment) {
  const start = (date) => new Date(date).setHours(0, 0, 0, 0);
  return Math.round((start(now()) - start(moment)) / DAY);
}

export function day(moment) {
  const days = daysAgo(moment);
  if (days === 0) return t("today");
  if (days === 1) return t("yesterday");
  return format("day", { weekday: "long", day: "numeric", month: "long" }).format(new Date(moment));
}

// In a list: the hour today, the day before that.
export function short(moment) {
  const days = daysAgo(moment);
  if (days === 0) return clock(moment);
  if (days === 1) return t("yesterday");
  return format("short", { day: "numeric", month: "short" }).format(new Date(moment));
}

// A phone number is stored without its plus.
export const dialled = (phone) => (/^\d{8,15}$/.test(phone) ? `+${phone}` : phone);

// Visitors of a page have no name and no number, only a long address.
export function called(name, phone, address) {
  if (name || phone) return name || dialled(phone);
  return /^[0-9a-f]{24,}$/.test(address ?? "") ? t("visitor", address.slice(0, 5)) : address || t("noName");
}

export function number(value, options = {}) {
  return new Intl.NumberFormat(language.value, { useGrouping: "always", ...options }).format(value ?? 0);
}
