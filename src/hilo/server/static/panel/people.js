// Who works here: for the owner, who may let others in.

import { api, get, patch, post } from "./api.js";
import { html, useEffect, useState } from "./html.js";
import { words } from "./talk.js";
import { known, t } from "./texts.js";
import { toast } from "./toasts.js";

const ROLES = ["operator", "author", "owner"];

export function People() {
  const [people, setPeople] = useState([]);
  const load = () => get(api("/people")).then((found) => setPeople(found.items ?? []), (problem) => toast(words(problem), "bad"));
  useEffect(() => void load(), []);
  const change = async (person, values) => {
    try {
      await patch(api(`/people/${encodeURIComponent(person.id)}`), values);
    } catch (problem) {
      toast(words(problem), "bad");
    }
    await load();
  };
  return html`<div class="page">
    <header><h1>${t("peopleTitle")}</h1></header>
    <div class="scroll" tabindex="0" role="region" aria-label=${t("peopleTitle")}>
      <div class="panel-card">
        <table class="table">
          <thead><tr><th>${t("name")}</th><th>${t("login")}</th><th>${t("role")}</th><th>${t("teams")}</th><th>${t("presence")}</th></tr></thead>
          <tbody>
            ${people.map(
              (person) => html`<tr key=${person.id}>
                <td><bdi>${person.name}</bdi></td>
                <td><bdi>${person.login}</bdi></td>
                <td><select aria-label=${`${t("role")}: ${person.name}`} value=${person.role} onChange=${(event) => change(person, { role: event.target.value })}>${ROLES.map((role) => html`<option key=${role} value=${role} selected=${role === person.role}>${known("roles", role)}</option>`)}</select></td>
                <td><bdi>${(person.teams ?? []).join(", ")}</bdi></td>
                <td><span class=${`presence ${person.present && !person.away ? "here" : ""}`}>${person.present && !person.away ? t("presentNow") : t("away")}</span></td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <${NewPerson} added=${load} />
    </div>
  </div>`;
}

function NewPerson({ added }) {
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target;
    const given = Object.fromEntries(new FormData(form));
    const teams = given.teams.split(",").map((team) => team.trim()).filter(Boolean);
    try {
      await post(api("/people"), { ...given, teams });
      toast(t("added", given.name));
      form.reset();
      await added();
    } catch (problem) {
      toast(words(problem), "bad");
    }
  };
  return html`<form class="panel-card fields new-person" onSubmit=${submit} autocomplete="off">
    <h2>${t("addPerson")}</h2>
    <label>${t("name")}<input name="name" required maxlength="100" /></label>
    <label>${t("login")}<input name="login" required maxlength="100" autocapitalize="none" /></label>
    <label>${t("password")}<input name="password" type="password" required minlength="10" maxlength="200" autocomplete="new-password" /></label>
    <label>${t("role")}<select name="role">${ROLES.map((role) => html`<option key=${role} value=${role}>${known("roles", role)}</option>`)}</select></label>
    <label>${t("teams")}<input name="teams" maxlength="200" /></label>
    <div class="ends"><button type="submit" class="button main">${t("addPerson")}</button></div>
  </form>`;
}
