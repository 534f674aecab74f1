// The way in.

import { me, post, Problem } from "./api.js";
import { html, useState } from "./html.js";
import { language } from "./kept.js";
import { t } from "./texts.js";

export function Login() {
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    const given = new FormData(event.target);
    setBusy(true);
    setTrouble("");
    try {
      me.value = await post("/panel/login", { login: given.get("login").trim(), password: given.get("password") });
    } catch (problem) {
      setTrouble(words(problem));
      setBusy(false);
    }
  };
  return html`<main class="login">
    <form onSubmit=${submit}>
      <svg class="logo" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" /><path d="M8 20c4 4 6-8 10-4s-2 8 6 2" /></svg>
      <h1>${t("welcome")}</h1>
      <p class="hint">${t("loginWhy")}</p>
      <label>${t("login")}<input name="login" required autofocus autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="100" /></label>
      <label>${t("password")}<input name="password" type="password" required autocomplete="current-password" maxlength="200" /></label>
      ${trouble && html`<p class="notice" role="alert">${trouble}</p>`}
      <button type="submit" class="button main" disabled=${busy}>${t("enter")}</button>
      <button type="button" class="link" onClick=${() => { language.value = language.value === "es" ? "en" : "es"; }}>${t("language")}</button>
    </form>
  </main>`;
}

function words(problem) {
  if (!(problem instanceof Problem)) return t("failed", t("noNetwork"));
  if (problem.status === 401) return t("wrongLogin");
  if (problem.status === 429) return t("throttled", problem.body.retryAfter ?? 60);
  return t("failed", problem.message);
}
