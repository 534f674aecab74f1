// What a person sets for themselves.

import { allowed, askToNotify } from "./alerts.js";
import { me, patch, post } from "./api.js";
import { Dialog, dismiss } from "./dialogs.js";
import { html } from "./html.js";
import { colours, language, sound } from "./kept.js";
import { words } from "./talk.js";
import { known, t } from "./texts.js";
import { toast } from "./toasts.js";

export async function leave() {
  await post("/panel/logout", {}).catch(() => {});
  dismiss();
  me.value = null;
}

async function setAway(away) {
  try {
    await patch("/panel/me", { away });
    me.value = { ...me.value, person: { ...me.value.person, away } };
  } catch (problem) {
    toast(words(problem), "bad");
  }
}

function Choose({ label, group, options, kept }) {
  const choose = (event) => {
    kept.value = event.target.value;
  };
  return html`<label>${label}
    <select value=${kept.value} onChange=${choose}>
      ${options.map((each) => html`<option key=${each} value=${each} selected=${each === kept.value}>${known(group, each)}</option>`)}
    </select>
  </label>`;
}

function Password() {
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target;
    const { old, fresh } = Object.fromEntries(new FormData(form));
    try {
      await patch("/panel/me", { password: fresh, old_password: old });
      toast(t("passwordChanged"));
      form.reset();
      form.closest("details").open = false;
    } catch (problem) {
      toast(problem.status === 403 ? t("oldIsWrong") : words(problem), "bad");
    }
  };
  return html`<details class="runs"><summary>${t("changePassword")}</summary>
    <form class="fields" onSubmit=${submit}>
      <input type="text" class="unseen" autocomplete="username" value=${me.value.person.login} readonly tabindex="-1" aria-hidden="true" />
      <label>${t("oldPassword")}<input name="old" type="password" required maxlength="200" autocomplete="current-password" /></label>
      <label>${t("freshPassword")}<input name="fresh" type="password" required minlength="10" maxlength="200" autocomplete="new-password" /></label>
      <div class="ends"><button type="submit" class="button">${t("changePassword")}</button></div>
    </form>
  </details>`;
}

export function AccountDialog() {
  const { person } = me.value;
  return html`<${Dialog} title=${person.name}>
    <div class="fields">
      <label class="tick"><input type="checkbox" checked=${person.away} onChange=${(event) => setAway(event.target.checked)} /> ${t("amAway")}</label>
      <label class="tick"><input type="checkbox" checked=${sound.value === "on"} onChange=${(event) => { sound.value = event.target.checked ? "on" : "off"; }} /> ${t("soundIs")}</label>
      ${allowed.value === "default" && html`<button type="button" class="button" onClick=${askToNotify}>${t("notify")}</button>`}
      <${Choose} label=${t("colours")} group="coloursAre" options=${["auto", "light", "dark"]} kept=${colours} />
      <${Choose} label=${t("languageIs")} group="languages" options=${["es", "en"]} kept=${language} />
      <${Password} />
      <div class="ends"><button type="button" class="button" id="log-out" onClick=${leave}>${t("logOut")}</button></div>
    </div>
  <//>`;
}
