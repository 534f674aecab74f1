// What this browser keeps between two visits: language, colours, sound. Never anything of a customer.

import { effect, signal } from "./html.js";

function read(name) {
  try {
    return localStorage.getItem(`hilo.panel.${name}`);
  } catch {
    return null; // storage may be forbidden
  }
}

function write(name, value) {
  try {
    localStorage.setItem(`hilo.panel.${name}`, value);
  } catch {
    // then it lasts as long as the page
  }
}

function kept(name, otherwise, allowed) {
  const found = read(name);
  const made = signal(allowed.includes(found) ? found : otherwise);
  effect(() => write(name, made.value));
  return made;
}

const LANGUAGES = ["es", "en"];
const asked = new URLSearchParams(location.search).get("lang");
const browsers = navigator.languages.map((each) => each.slice(0, 2)).find((each) => LANGUAGES.includes(each));

export const language = kept("language", browsers ?? "es", LANGUAGES);
export const colours = kept("colours", "auto", ["auto", "light", "dark"]);
export const sound = kept("sound", "on", ["on", "off"]);

if (LANGUAGES.includes(asked)) language.value = asked;

effect(() => {
  document.documentElement.lang = language.value;
});

effect(() => {
  if (colours.value === "auto") delete document.documentElement.dataset.colours;
  else document.documentElement.dataset.colours = colours.value;
});
