// Giving a conversation away: back to the agent, to a colleague, or closed.

import { AccountDialog } from "./account.js";
import { api, get, me, ofSession, post } from "./api.js";
import { dialog, Dialog, dismiss, SureDialog } from "./dialogs.js";
import { html, useEffect, useState } from "./html.js";
import { CannedDialog } from "./canned.js";
import { KeysDialog } from "./keys.js";
import { place } from "./place.js";
import { act, passOn, release, take, whole, words } from "./talk.js";
import { t } from "./texts.js";
import { toast } from "./toasts.js";

const LOOK_AFTER = 250; // milliseconds without another choice
const DIALOGS = { release: ReleaseDialog, takeFrom: TakeFromDialog, transfer: TransferDialog, close: CloseDialog, canned: CannedDialog, keys: KeysDialog, account: AccountDialog, sure: SureDialog };

export function Dialogs() {
  const open = dialog.value;
  return open && html`<${DIALOGS[open.is]} key=${open.is} />`;
}

// What the agent would say is asked for at once and after every choice: nobody gives a session back blindly.
function ReleaseDialog() {
  const { modes = [], actions = [] } = whole.value ?? {};
  const [choices, setChoices] = useState({ mode: "", calls: [], message: "", resolution: "" });
  const choose = (name, value) => setChoices({ ...choices, [name]: value });
  const simple = actions.filter((action) => !(action.parameters?.required ?? []).length);
  const submit = async (event) => {
    event.preventDefault();
    if (await release(choices)) dismiss();
  };
  return html`<${Dialog} title=${t("releaseTitle")}>
    <form class="fields" onSubmit=${submit}>
      <p class="hint">${t("releaseHint")}</p>
      <label>${t("lastWords")}<textarea rows="2" dir="auto" maxlength="4000" value=${choices.message} onInput=${(event) => choose("message", event.target.value)}></textarea></label>
      ${modes.length > 0 &&
      html`<label>${t("mode")}
        <select id="release-mode" value=${choices.mode} onChange=${(event) => choose("mode", event.target.value)}>
          <option value="">${t("sameMode")}</option>
          ${modes.map((mode) => html`<option key=${mode.name} value=${mode.name}>${mode.label}</option>`)}
        </select>
      </label>`}
      ${simple.length > 0 &&
      html`<details class="runs"><summary>${t("runTools")}${choices.calls.length > 0 && html` <b class="count">${choices.calls.length}</b>`}</summary>
        <fieldset><legend class="unseen">${t("runTools")}</legend>
        ${simple.map((action) => html`<${Ticked} key=${action.tool} action=${action} calls=${choices.calls} choose=${choose} />`)}
      </fieldset></details>`}
      ${whole.value?.handoff && html`<label>${t("resolution")}<input maxlength="500" value=${choices.resolution} onInput=${(event) => choose("resolution", event.target.value)} /></label>`}
      <${Preview} choices=${choices} />
      <div class="ends">
        <button type="button" class="button" onClick=${dismiss}>${t("cancel")}</button>
        <button type="submit" class="button main" id="release-now" autofocus>${t("release")}</button>
      </div>
    </form>
  <//>`;
}

function Ticked({ action, calls, choose }) {
  const ticked = calls.includes(action.tool);
  const toggle = () => choose("calls", ticked ? calls.filter((each) => each !== action.tool) : [...calls, action.tool]);
  return html`<label class="tick"><input type="checkbox" checked=${ticked} onChange=${toggle} /> ${action.title}</label>`;
}

function Preview({ choices }) {
  const [preview, setPreview] = useState(null);
  const { mode, calls, message } = choices;
  useEffect(() => {
    let gone = false;
    const given = Object.fromEntries(Object.entries({ mode, calls, message }).filter(([, value]) => value.length));
    const look = () =>
      post(ofSession(place.value.session, "/preview"), given).then(
        (found) => !gone && setPreview(found),
        (problem) => !gone && setPreview({ trouble: words(problem) }),
      );
    const timer = setTimeout(look, LOOK_AFTER);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [mode, calls.join(), message]);
  const texts = (preview?.messages ?? []).filter(Boolean);
  const runs = (preview?.runs ?? []).map((tool) => whole.value?.actions.find((action) => action.tool === tool)?.title ?? tool);
  return html`<div class="preview" role="status" aria-busy=${preview === null}>
    <h3>${t("previewTitle")}</h3>
    ${preview === null && html`<p class="hint">${t("loading")}</p>`}
    ${preview?.trouble && html`<p class="hint">${preview.trouble}</p>`}
    ${runs.length > 0 && html`<p class="hint">${t("willRun", runs.join(", "))}</p>`}
    ${texts.map((text) => html`<p class="text" dir="auto">${text}</p>`)}
    ${preview && !preview.trouble && !texts.length && !runs.length && html`<p class="hint">${t("saysNothing")}</p>`}
  </div>`;
}

function TransferDialog() {
  const [people, setPeople] = useState([]);
  const [chosen, setChosen] = useState("");
  useEffect(() => {
    get(api("/people")).then((found) => setPeople(found.items ?? []), (problem) => toast(words(problem), "bad"));
  }, []);
  const others = people.filter((person) => person.id !== me.value.person.id && person.role !== "author");
  const teams = [...new Set(people.flatMap((person) => person.teams ?? []))].sort();
  const submit = async (event) => {
    event.preventDefault();
    const [kind, ...rest] = chosen.split(":");
    const name = rest.join(":");
    if (!(await passOn({ [kind]: name }))) return;
    toast(t("transferred", name));
    dismiss();
  };
  return html`<${Dialog} title=${t("transferTo")}>
    <form class="fields" onSubmit=${submit}>
      <fieldset><legend>${t("transferWhom")}</legend>
        ${!others.length && !teams.length && html`<p class="hint">${t("nobodyElse")}</p>`}
        ${others.map(
          (person) => html`<label class="tick" key=${person.id}>
            <input type="radio" name="whom" value=${`operator:${person.name}`} onChange=${(event) => setChosen(event.target.value)} />
            <bdi>${person.name}</bdi> <span class=${`presence ${person.present && !person.away ? "here" : ""}`}>${person.present && !person.away ? t("presentNow") : t("away")}</span>
          </label>`,
        )}
        ${teams.map(
          (team) => html`<label class="tick" key=${team}>
            <input type="radio" name="whom" value=${`team:${team}`} onChange=${(event) => setChosen(event.target.value)} /> ${t("team")}: <bdi>${team}</bdi>
          </label>`,
        )}
      </fieldset>
      <div class="ends"><button type="submit" class="button main" disabled=${!chosen}>${t("transferTo")}</button></div>
    </form>
  <//>`;
}

// On purpose, never by a key or a click alone: the colleague may be in the middle of a sentence.
function TakeFromDialog() {
  const { operator } = whole.value;
  const now = async () => {
    dismiss();
    await take(operator);
  };
  return html`<${Dialog} title=${t("takeFrom", operator)}>
    <p><bdi>${t("takeFromSure", operator)}</bdi></p>
    <div class="ends">
      <button type="button" class="button" onClick=${dismiss}>${t("cancel")}</button>
      <button type="button" class="button main" id="take-now" autofocus onClick=${now}>${t("takeAnyway")}</button>
    </div>
  <//>`;
}

function CloseDialog() {
  const close = async () => {
    if (await act("close")) dismiss();
  };
  return html`<${Dialog} title=${t("closeSession")}>
    <p>${t("closeSure")}</p>
    <div class="ends">
      <button type="button" class="button" onClick=${dismiss}>${t("cancel")}</button>
      <button type="button" class="button danger" id="close-now" onClick=${close}>${t("closeSession")}</button>
    </div>
  <//>`;
}
