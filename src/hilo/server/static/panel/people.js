// For the owner: who works here, the keys of programs, and who did what; the channels are in channels.js.

import { api, get, me, patch, post, remove } from "./api.js";
import { Channels } from "./channels.js";
import { sure } from "./dialogs.js";
import { html, useEffect, useState } from "./html.js";
import { Page, Secret, Segments, Table } from "./pieces.js";
import { go, place } from "./place.js";
import { inWords } from "./reasons.js";
import { open } from "./sessions.js";
import { words } from "./talk.js";
import { known, t } from "./texts.js";
import { called, date, exact } from "./times.js";
import { toast } from "./toasts.js";

const ROLES = ["operator", "author", "owner"];
const SCOPES = ["read", "write", "operate", "campaign", "author", "administer", "metrics"];
const TABS = { people: Team, keys: Keys, channels: Channels, audit: Audit };

export function People() {
  const tab = Object.hasOwn(TABS, place.value.tab) ? place.value.tab : "people";
  const names = Object.keys(TABS).map((name) => [name, t(`tab_${name}`)]);
  const tools = html`<${Segments} names=${names} chosen=${tab} choose=${(name) => go({ tab: name === "people" ? "" : name })} label=${t("people")} />`;
  return html`<${Page} title=${t("people")} tools=${tools} kind="people"><${TABS[tab]} /><//>`;
}

// What a list on this page needs: what is there, and doing something to it with the list loaded again.
function useList(path) {
  const [items, setItems] = useState([]);
  const load = () => get(api(path)).then((found) => setItems(found.items ?? []), (problem) => toast(words(problem), "bad"));
  useEffect(() => void load(), [path]);
  const change = async (does) => {
    try {
      const done = await does();
      await load();
      return done ?? true;
    } catch (problem) {
      toast(words(problem), "bad");
      await load();
      return null;
    }
  };
  return [items, change];
}

// --- people -------------------------------------------------------------------------------------------

function newPassword() {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789";
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => letters[byte % letters.length]).join("");
  return made.match(/.{4}/g).join("-");
}

const listed = (text) => text.split(",").map((team) => team.trim()).filter(Boolean);

function Team() {
  const [people, change] = useList("/people");
  const [secret, setSecret] = useState(null);
  const of = (person) => api(`/people/${encodeURIComponent(person.id)}`);
  const reset = async (person) => {
    if (!(await sure(t("resetSure", person.name), t("resetPassword")))) return;
    const password = newPassword();
    if (await change(() => patch(of(person), { password }))) setSecret({ words: t("passwordOf", person.name), secret: password });
  };
  const rename = async (person) => {
    const name = await sure(t("renameTo", person.name), t("rename"), { value: person.name });
    if (name && name !== person.name) await change(() => patch(of(person), { name }));
  };
  const end = async (person) => {
    if (await sure(t("removeSure", person.name), t("removePerson"), { danger: true })) await change(() => patch(of(person), { removed: true }));
  };
  const row = (person) => [
    html`<bdi>${person.name}</bdi>`,
    html`<bdi>${person.login}</bdi>`,
    html`<select aria-label=${`${t("role")}: ${person.name}`} value=${person.role} onChange=${(event) => change(() => patch(of(person), { role: event.target.value }))}>${ROLES.map((role) => html`<option key=${role} value=${role} selected=${role === person.role}>${known("roles", role)}</option>`)}</select>`,
    html`<input class="short" aria-label=${`${t("teams")}: ${person.name}`} value=${(person.teams ?? []).join(", ")} maxlength="200" placeholder=${t("noTeam")} onChange=${(event) => change(() => patch(of(person), { teams: listed(event.target.value) }))} />`,
    html`<span class=${`presence ${person.present && !person.away ? "here" : ""}`}>${person.present && !person.away ? t("presentNow") : t("away")}</span>`,
    html`<span class="row-acts">
      <button type="button" class="link" aria-label=${`${t("rename")}: ${person.name}`} onClick=${() => rename(person)}>${t("rename")}</button>
      <button type="button" class="link" aria-label=${`${t("resetPassword")}: ${person.name}`} onClick=${() => reset(person)}>${t("resetPassword")}</button>
      ${person.id !== me.value.person.id && html`<button type="button" class="link" aria-label=${`${t("removePerson")}: ${person.name}`} onClick=${() => end(person)}>${t("removePerson")}</button>`}
    </span>`,
  ];
  const add = async (event) => {
    event.preventDefault();
    const form = event.target;
    const given = Object.fromEntries(new FormData(form));
    const made = await change(() => post(api("/people"), { ...given, teams: listed(given.teams) }));
    if (!made) return;
    setSecret({ words: t("passwordOf", made.name), secret: made.password });
    form.reset();
  };
  return html`
    ${secret && html`<${Secret} ...${secret} done=${() => setSecret(null)} />`}
    <section class="panel-card">
      <${Table} head=${[t("name"), t("login"), t("role"), t("teams"), t("presence"), ""]} rows=${people.map((person) => ({ key: person.login, cells: row(person) }))} />
      <p class="hint">${t("rolesHint")}</p>
      <p class="hint">${t("teamsHint")}</p>
    </section>
    <form class="panel-card fields across" onSubmit=${add} autocomplete="off">
      <h2>${t("addPerson")}</h2>
      <label>${t("name")}<input name="name" required maxlength="100" /></label>
      <label>${t("login")}<input name="login" required maxlength="100" autocapitalize="none" /></label>
      <label>${t("role")}<select name="role">${ROLES.map((role) => html`<option key=${role} value=${role}>${known("roles", role)}</option>`)}</select></label>
      <label>${t("teams")}<input name="teams" maxlength="200" placeholder=${t("teamsLike")} /></label>
      <div class="ends"><button type="submit" class="button main">${t("addPerson")}</button></div>
    </form>`;
}

// --- keys, audit --------------------------------------------------------------------------------------

function Keys() {
  const [keys, change] = useList("/keys");
  const [secret, setSecret] = useState(null);
  const add = async (event) => {
    event.preventDefault();
    const given = new FormData(event.target);
    const made = await change(() => post(api("/keys"), { name: given.get("name"), scopes: given.getAll("scope") }));
    if (!made) return;
    setSecret({ words: t("keyOf", made.name), secret: made.secret });
    event.target.reset();
  };
  const end = async (key) => {
    if (await sure(t("revokeSure", key.name), t("revoke"), { danger: true })) await change(() => remove(api(`/keys/${encodeURIComponent(key.id)}`)));
  };
  const row = (key) => [
    html`<bdi>${key.name}</bdi>`,
    key.scopes.map((scope) => known("scopes", scope)).join(", "),
    date(key.created_at),
    key.revoked_at ? html`<span class="hint">${t("revokedAt", date(key.revoked_at))}</span>` : html`<button type="button" class="link" aria-label=${`${t("revoke")}: ${key.name}`} onClick=${() => end(key)}>${t("revoke")}</button>`,
  ];
  return html`
    ${secret && html`<${Secret} ...${secret} done=${() => setSecret(null)} />`}
    <section class="panel-card"><p class="hint">${t("keysHint")}</p><${Table} head=${[t("name"), t("may"), t("since"), ""]} rows=${keys.map((key) => ({ key: key.id, cells: row(key) }))} empty=${t("noKeys")} /></section>
    <form class="panel-card fields across" onSubmit=${add}>
      <h2>${t("addKey")}</h2>
      <label>${t("name")}<input name="name" required maxlength="100" /></label>
      <fieldset class="ticks-list"><legend>${t("may")}</legend>${SCOPES.map((scope) => html`<label class="tick" key=${scope}><input type="checkbox" name="scope" value=${scope} defaultChecked=${scope === "read"} /> ${known("scopes", scope)}</label>`)}</fieldset>
      <div class="ends"><button type="submit" class="button main">${t("addKey")}</button></div>
    </form>`;
}

function Audit() {
  const [entries, setEntries] = useState([]);
  const [next, setNext] = useState("");
  const more = () =>
    get(api("/audit"), { limit: 100, cursor: next }).then((found) => {
      setEntries([...entries, ...found.items]);
      setNext(found.next);
    }, (problem) => toast(words(problem), "bad"));
  useEffect(() => void more(), []);
  const row = (each) => [
    html`<span class="fixed">${exact(each.at)}</span>`,
    html`<bdi>${known("actors", each.actor)}</bdi>`,
    known("deeds", asksFor(each) ? "asked" : each.action),
    html`<${About} entry=${each} /> <bdi class="hint">${detailOf(each).slice(0, 300)}</bdi>`,
  ];
  return html`<section class="panel-card"><p class="hint">${t("auditHint")}</p>
    <${Table} head=${[t("when"), t("who"), t("deed"), t("about")]} rows=${entries.map((each) => ({ key: each.number, cells: row(each) }))} empty=${t("nothingHere")} />
    ${next && html`<button type="button" class="button" onClick=${more}>${t("earlierEntries")}</button>`}
  </section>`;
}

// They link entries with each other, or say the same as what stands beside them.
const FOR_PROGRAMS = new Set(["handoffs", "call", "outputs", "session", "policy", "operator"]);

// A tool that needs something more asks the contact for it: it has not failed.
const asksFor = ({ action, detail }) => action === "failed" && String(detail.error ?? "").startsWith("asks for ");

function detailOf(entry) {
  const told = Object.entries(entry.detail).filter(([name, value]) => !FOR_PROGRAMS.has(name) && !isEmpty(value));
  return told.map(([name, value]) => `${known("auditDetails", name)}: ${plain(name, value, entry.names)}`).join(", ");
}

// What an agent's file calls something, by what the shop calls it.
const withNames = (text, names) => text.replace(/[\p{L}\d_]+/gu, (word) => (Object.hasOwn(names, word) ? names[word] : word));

const isEmpty = (value) => value === "" || value === null || (Array.isArray(value) && !value.length);

function plain(name, value, names) {
  if (name === "role") return known("roles", value);
  if (name === "scopes") return value.map((scope) => known("scopes", scope)).join(", ");
  if (name === "settings") return value.map((each) => known("fields", each)).join(", ");
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "string") return inWords(value, (each) => names[each] ?? each);
  return withNames(JSON.stringify(value), names);
}

// A session by a link to it; what was done in it, such as a tool, behind that.
function About({ entry }) {
  const [first, ...rest] = entry.subject.split(" ");
  if (first.startsWith("person_") || first.startsWith("key_")) return null; // its name is beside it
  if (!first.startsWith("session_")) return html`<bdi>${entry.subject}</bdi>`;
  const who = entry.contact ? called(entry.contact.name, entry.contact.phone, entry.contact.address) : t("conversation");
  return html`<button type="button" class="link" onClick=${() => open(first)}><bdi>${who.slice(0, 80)}</bdi></button> <bdi>${withNames(rest.join(" "), entry.names)}</bdi>`;
}
