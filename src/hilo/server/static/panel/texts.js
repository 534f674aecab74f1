// The page's own words, in the person's language. What agents and customers say comes from the server.

import { language } from "./kept.js";
import { ENGLISH } from "./texts_en.js";
import { SPANISH } from "./texts_es.js";

const TEXTS = { es: SPANISH, en: ENGLISH };

// The words under a key; those with values are functions.
export function t(key, ...values) {
  const words = TEXTS[language.value][key] ?? SPANISH[key];
  if (words === undefined) throw new Error(`no words for ${key}`);
  return typeof words === "function" ? words(...values) : words;
}

// For words that the server may say in ways that this page does not know yet.
export function known(group, name, otherwise = name) {
  const words = TEXTS[language.value][group] ?? {};
  return Object.hasOwn(words, name) ? words[name] : otherwise;
}

// Why a person was called: in our words, else in the agent's own.
export const wantedWords = (trigger, label) => known("triggers", trigger, label || trigger.replaceAll("_", " "));
