// Where a person writes: to the contact while the window is open and the session is theirs, to colleagues always.

import { get, ofSession } from "./api.js";
import { CannedList, filled, matching } from "./canned.js";
import { ask } from "./dialogs.js";
import { Chosen, TAKEN, upload } from "./files.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { Icon } from "./icons.js";
import { place } from "./place.js";
import { act, addNote, drafts, holder, may, say, take, taking, tellTyping, tookHere, whole, words as problemWords, writing } from "./talk.js";
import { t } from "./texts.js";
import { second, span } from "./times.js";
import { toast } from "./toasts.js";

const MAX_TEXT = 4096;
const SHORT = 2 * 3600 * 1000; // milliseconds left, when it is shown in colour

export function windowLeft() {
  const until = whole.value?.window_until;
  return until ? Date.parse(until) - second.value : Infinity;
}

export function Composer() {
  const note = writing.value === "note";
  const over = windowLeft() <= 0;
  const mine = holder.value === "me";
  return html`<footer class=${`composer ${note ? "for-note" : ""}`}>
    <div class="above">
      <div class="tabs" role="tablist">
        <${Tab} name="reply" label=${t("reply")} />
        <${Tab} name="note" label=${t("note")} />
      </div>
      <${Window} />
    </div>
    ${note && html`<${Field} kind="note" key="note" />`}
    ${!note && !mine && html`<${NotYours} />`}
    ${!note && mine && over && html`<${Templates} />`}
    ${!note && mine && !over && html`<${Field} kind="reply" key="reply" />`}
  </footer>`;
}

function Tab({ name, label }) {
  const chosen = writing.value === name;
  const choose = () => {
    writing.value = name;
  };
  return html`<button type="button" role="tab" id=${`tab-${name}`} class="tab" aria-selected=${chosen ? "true" : "false"} onClick=${choose}>${label}</button>`;
}

// Counted on the page itself, so that it is right on one that was left open too.
function Window() {
  const left = windowLeft();
  if (left === Infinity) return null;
  if (left <= 0) return html`<p class="window over" role="status">${t("windowOver")}</p>`;
  return html`<p class=${`window ${left < SHORT ? "soon" : ""}`}><${Icon} name="clock" />${t("left", span(left))}</p>`;
}

function NotYours() {
  const by = holder.value;
  if (by === "closed") return html`<p class="instead">${t("closedHint")}</p>`;
  if (by === "other") {
    return html`<p class="instead"><bdi>${t("otherHolds", whole.value.operator)}</bdi> ${may("take") && html`<button type="button" class="button" onClick=${() => ask("takeFrom")}>${t("takeAnyway")}</button>`}</p>`;
  }
  return html`<p class="instead">
    ${by === "paused" ? t("pausedHint") : by === "nobody" ? t("takeToAnswer") : t("takeToWrite")}
    ${by === "paused" && may("resume") && html`<button type="button" class="button" id="resume" onClick=${() => act("resume")}>${t("resume")}</button>`}
    ${may("take") && html`<button type="button" class="button" disabled=${taking.value} onClick=${() => take()}>${taking.value ? t("taking") : t("take")}</button>`}
  </p>`;
}

// --- free text ----------------------------------------------------------------------------------------

function Field({ kind }) {
  const key = `${place.value.session} ${kind}`;
  const field = useRef(null);
  const [text, setText] = useState(drafts.get(key) ?? "");
  const [pick, setPick] = useState(0);
  const [file, setFile] = useState(null);
  const [busy, setBusy] = useState(false);
  const reply = kind === "reply";
  const slash = reply && /^\/(\S*)$/.exec(text)?.[1];
  const found = typeof slash === "string" ? matching(slash) : null;
  const write = (words) => {
    setText(words);
    setPick(0);
    if (words) drafts.set(key, words);
    else drafts.delete(key);
  };
  useLayoutEffect(() => {
    field.current.style.height = "auto";
    field.current.style.height = `${Math.min(field.current.scrollHeight + 2, 180)}px`;
  }, [text]);
  useEffect(() => {
    // on a phone only who has just taken it is about to write; whoever looks needs the room of the keyboard
    if (kind === "note" || tookHere() || matchMedia("(min-width: 800px)").matches) field.current.focus();
  }, []);
  const use = (canned) => {
    write(filled(canned.text, whole.value));
    field.current.focus();
  };
  const submit = async (event) => {
    event?.preventDefault();
    const words = text.trim();
    if (busy || (!words && !file) || found) return; // a slash begins the name of a reply, which no customer should read
    if (words.length > MAX_TEXT) {
      toast(t("tooLong", MAX_TEXT), "bad");
      return;
    }
    if (!reply) {
      write("");
      if (!(await addNote(words))) write(words);
      return;
    }
    if (holder.value !== "me" || windowLeft() <= 0) return;
    if (file && !(await sendFile(words))) return;
    if (!file) void say({ text: words });
    if (field.current?.value.trim() === words) write(""); // what was written or chosen while a file went up stays
    setFile((chosen) => (chosen === file ? null : chosen));
  };
  // A file that could not be taken stays where it is, with the words beside it.
  const sendFile = async (words) => {
    setBusy(true);
    try {
      const { id, kind: what, url } = await upload(file);
      void say({ ...(words && { text: words }), attachment: { media: id } }, { kind: what, url, name: file.name });
      return true;
    } catch (problem) {
      toast(problem.status === 413 ? t("fileTooLarge") : problem.status === 415 ? t("fileNotTaken") : problemWords(problem), "bad");
      return false;
    } finally {
      setBusy(false);
    }
  };
  const given = (list) => reply && list?.length && setFile(list[0]);
  const pressed = (event) => {
    if (event.isComposing) return;
    if (found?.length && ["ArrowDown", "ArrowUp"].includes(event.key)) {
      event.preventDefault();
      setPick((pick + (event.key === "ArrowDown" ? 1 : found.length - 1)) % found.length);
    } else if (found?.length && ["Enter", "Tab"].includes(event.key)) {
      event.preventDefault();
      use(found[pick]);
    } else if (event.key === "Enter" && !event.shiftKey) void submit(event);
    else if (event.key === "Escape") field.current.blur();
  };
  const label = reply ? t(matchMedia("(max-width: 799px)").matches ? "writeShort" : "write") : t("writeNote");
  return html`<form
    class="field"
    onSubmit=${submit}
    autocomplete="off"
    onPaste=${(event) => given(event.clipboardData?.files)}
    onDragOver=${(event) => event.preventDefault()}
    onDrop=${(event) => {
      event.preventDefault();
      given(event.dataTransfer?.files);
    }}
  >
    ${found && html`<${CannedList} found=${found} pick=${pick} use=${use} />`}
    ${file && html`<${Chosen} file=${file} busy=${busy} drop=${() => setFile(null)} />`}
    <label class="unseen" for="text">${label}</label>
    <textarea
      id="text"
      ref=${field}
      rows="1"
      dir="auto"
      value=${text}
      placeholder=${label}
      enterkeyhint="send"
      aria-controls=${found ? "canned" : undefined}
      aria-activedescendant=${found?.length ? `canned-${pick}` : undefined}
      onInput=${(event) => {
        write(event.target.value);
        if (reply) tellTyping();
      }}
      onKeyDown=${pressed}
    ></textarea>
    <div class="under-field">
      ${reply &&
      html`<label class="button-icon attach" title=${t("attach")}><${Icon} name="clip" /><span class="unseen">${t("attach")}</span>
          <input id="file" class="unseen" type="file" accept=${TAKEN} onChange=${(event) => { given(event.target.files); event.target.value = ""; }} /></label>
        <button type="button" class="button-icon" aria-label=${t("canned")} title=${t("canned")} onClick=${() => ask("canned")}><${Icon} name="bolt" /></button>`}
      <button type="submit" class="button main send" disabled=${busy || (!text.trim() && !file) || found !== null}>${reply ? html`<span>${t("send")}</span><${Icon} name="send" />` : t("saveNote")}</button>
    </div>
  </form>`;
}

// --- when the window is over --------------------------------------------------------------------------

// What may still be said then: the approved templates of the agent, with the values that each takes.
function Templates() {
  const [offered, setOffered] = useState(null);
  const [index, setIndex] = useState(0);
  const [values, setValues] = useState([]);
  const session = place.value.session;
  useEffect(() => {
    let gone = false;
    get(ofSession(session, "/templates")).then(({ items }) => !gone && setOffered(items ?? []), () => !gone && setOffered([]));
    return () => {
      gone = true;
    };
  }, [session]);
  const chosen = offered?.[index];
  const fields = chosen?.fields ?? [];
  const given = fields.map((_, number) => values[number] ?? chosen.values?.[number] ?? "");
  const complete = chosen && given.every((value) => value.trim());
  const submit = (event) => {
    event.preventDefault();
    if (!complete) return;
    const kept = given.map((value) => value.trim());
    void say({ template: { name: chosen.name, language: chosen.language, values: kept } }, null, withValues(chosen.text, fields, kept));
    setValues([]);
  };
  const choose = (event) => {
    setIndex(Number(event.target.value));
    setValues([]);
  };
  return html`<form class="templates" onSubmit=${submit}>
    <p class="notice"><b>${t("over")}</b> ${offered && (offered.length ? t("overHint") : t("noTemplates"))}</p>
    ${chosen &&
    html`<label>${t("template")}
        <select id="template" value=${index} onChange=${choose}>
          ${offered.map((each, number) => html`<option key=${each.name} value=${number}>${each.name.replaceAll("_", " ")}</option>`)}
        </select>
      </label>
      ${fields.map(
        (field, number) => html`<label key=${`${chosen.name} ${field}`}>${field.replaceAll("_", " ")}
          <input value=${given[number]} maxlength="200" required dir="auto" onInput=${(event) => setValues(replaced(given, number, event.target.value))} />
        </label>`,
      )}
      <p class="label">${t("templateSays")}</p>
      <p class="text sample" dir="auto" id="template-says">${withValues(chosen.text, fields, given)}</p>
      <button type="submit" class="button main" id="send-template" disabled=${!complete}>${t("sendTemplate")}</button>`}
  </form>`;
}

// As the contact will read it; a place without a value keeps its name.
export function withValues(text, fields, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[fields.indexOf(name)]?.trim() || whole);
}

function replaced(values, number, value) {
  const next = [...values];
  next[number] = value;
  return next;
}
