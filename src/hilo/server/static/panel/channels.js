// For the owner: the channels, whether each works, pausing and trying it, other credentials for it. See connecting.js.

import { api, get, patch, post, remove } from "./api.js";
import { Connecting, Entering } from "./connecting.js";
import { sure } from "./dialogs.js";
import { html, useEffect, useState } from "./html.js";
import { words } from "./talk.js";
import { known, t } from "./texts.js";
import { number, since } from "./times.js";
import { toast } from "./toasts.js";
import { troubleOf } from "./undelivered.js";

const AGAIN = 5000; // milliseconds; a channel gets well, or not, by itself

export function Channels() {
  const [channels, setChannels] = useState(null);
  const [trouble, setTrouble] = useState("");
  const [made, setMade] = useState(null);
  const load = () => get(api("/channels")).then(({ items }) => { setChannels(items); setTrouble(""); }, (problem) => setTrouble(words(problem)));
  useEffect(() => {
    void load();
    const timer = setInterval(load, AGAIN);
    return () => clearInterval(timer);
  }, []);
  return html`
    <p class="hint lead">${t("channelsHint")}</p>
    <${Connecting} done=${(channel) => { setMade(channel); void load(); }} />
    ${made && html`<${Entering} key=${made.id} channel=${made} done=${() => setMade(null)} />`}
    ${trouble && html`<p class="notice" role="alert">${trouble}</p>`}
    ${channels?.length === 0 && html`<p class="nothing">${t("noChannels")}</p>`}
    ${channels?.map((each) => html`<${Channel} key=${each.id} channel=${each} load=${load} />`)}`;
}

function stateOf({ trouble }) {
  if (!trouble) return ["good", t("channelWorks")];
  return [trouble === "paused" ? "paused" : "nobody", known("channelIs", trouble)];
}

function Channel({ channel, load }) {
  const [open, setOpen] = useState("");
  const [tone, state] = stateOf(channel);
  const of = (path) => api(`/channels/${encodeURIComponent(channel.id)}/${path}`);
  const act = async (name) => {
    try {
      await post(of(name), {});
    } catch (problem) {
      toast(words(problem), "bad");
    }
    await load();
  };
  const end = async () => {
    if (!(await sure(t("endChannelSure", channel.id), t("endChannel"), { danger: true }))) return;
    await remove(api(`/channels/${encodeURIComponent(channel.id)}`)).catch((problem) => toast(words(problem), "bad"));
    await load();
  };
  const pause = async () => {
    if (await sure(t("pauseChannelSure", channel.id), t("pauseChannel"))) await act("pause");
  };
  const paused = channel.trouble === "paused";
  const secrets = channel.settings.filter((each) => each.secret);
  const toggle = (what) => setOpen(open === what ? "" : what);
  const button = (what, label) => html`<button type="button" class="button small" aria-expanded=${open === what ? "true" : "false"} onClick=${() => toggle(what)}>${label}</button>`;
  return html`<section class="panel-card channel" data-row=${channel.id}>
    <header class="round">
      <h2><bdi>${channel.id}</bdi> <span class="hint">${known("channels", channel.kind)} · ${t("answersThere", channel.agent)}</span></h2>
      <span class=${`badge ${tone}`}>${state}</span>
    </header>
    ${channel.trouble && html`<${WhatIsWrong} channel=${channel} />`}
    <dl class="tally small">
      <div><dt>${t("lastHeard")}</dt><dd>${channel.heard_at ? t("ago", since(channel.heard_at)) : t("never")}</dd></div>
      <div class=${channel.waiting > 0 && channel.trouble ? "held" : ""}><dt>${t("waitToGo")}</dt><dd>${number(channel.waiting)}</dd></div>
      <div class=${channel.failed > 0 ? "failed" : ""}><dt>${t("failedLately")}</dt><dd>${number(channel.failed)}</dd></div>
      <div><dt>${t("window")}</dt><dd>${channel.window_hours ? t("hours", channel.window_hours) : t("noWindow")}</dd></div>
    </dl>
    <p class="row-acts">
      ${paused
        ? html`<button type="button" class="button small main" onClick=${() => act("resume")}>${t("resumeChannel")}</button>`
        : html`<button type="button" class="button small" onClick=${pause}>${t("pauseChannel")}</button>`}
      ${channel.trouble && !paused && html`<button type="button" class="button small main" onClick=${() => act("resume")}>${t("tryNow")}</button>`}
      ${channel.settings.length > 0 && button("test", t("testChannel"))}
      ${secrets.length > 0 && button("renew", t("renewSecrets"))}
      ${channel.settings.length > 0 && html`<button type="button" class="button small" onClick=${end}>${t("endChannel")}</button>`}
      ${channel.kind === "web" && html`<a class="link" href=${`/chat/${encodeURIComponent(channel.id)}`} target="_blank" rel="noopener">${t("openChat")}</a>`}
    </p>
    ${open === "test" && html`<${Test} path=${of("test")} channel=${channel} />`}
    ${open === "renew" && html`<${Renew} path=${api(`/channels/${encodeURIComponent(channel.id)}`)} secrets=${secrets} done=${() => { setOpen(""); void load(); }} />`}
    ${channel.settings.length > 0 && html`<${Connection} channel=${channel} />`}
  </section>`;
}

// What to do stands first; the provider's own words below it.
function WhatIsWrong({ channel: { trouble, reason, since: at } }) {
  const paused = trouble === "paused";
  return html`<div class=${`notice ${paused ? "" : "bad"}`} role="status">
    <p>${paused ? t("pausedBy", reason, since(at)) : known("channelTrouble", trouble)}</p>
    ${!paused && html`<p class="hint">${t("sinceWhen", since(at))} · <bdi>${reason}</bdi></p>`}
  </div>`;
}

function Connection({ channel }) {
  const shown = channel.settings.filter((each) => !each.secret && each.value);
  return html`<details><summary>${t("connection")}</summary>
    <dl class="facts">
      ${channel.webhook && html`<div><dt>Webhook</dt><dd><code>${location.origin}${channel.webhook}</code></dd></div>`}
      ${shown.map((each) => html`<div key=${each.name}><dt>${known("fields", each.name)}</dt><dd><code>${each.value}</code></dd></div>`)}
    </dl>
  </details>`;
}

function Test({ path, channel }) {
  const [told, setTold] = useState(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    const to = new FormData(event.target).get("to").trim();
    setBusy(true);
    try {
      const { worked, reason } = await post(path, { to });
      if (worked) setTold({ worked, words: t(to ? "testWasSent" : "testOpened", to) });
      else setTold({ worked, words: known("undelivered", troubleOf("failed", reason)), reason });
    } catch (problem) {
      setTold({ worked: false, words: known("testRefused", problem.status, words(problem)) });
    } finally {
      setBusy(false);
    }
  };
  return html`<form class="fields across" onSubmit=${submit}>
    <label>${t("testTo", known("channels", channel.kind))}<input name="to" maxlength="100" autocomplete="off" /></label>
    <div class="beside-field"><button type="submit" class="button main" disabled=${busy}>${t("testNow")}</button></div>
    ${told && html`<p class=${`notice wide ${told.worked ? "well" : "bad"}`} role="status" data-told=${told.worked ? "well" : "bad"}>${told.words}${told.reason && html` <bdi class="hint">${told.reason}</bdi>`}</p>`}
  </form>`;
}

// They are never shown again, here or anywhere.
function Renew({ path, secrets, done }) {
  const [wrong, setWrong] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    const given = Object.entries(Object.fromEntries(new FormData(event.target))).filter(([, value]) => value.trim());
    if (!given.length) return;
    try {
      await patch(path, { settings: Object.fromEntries(given) });
      toast(t("secretsRenewed"));
      done();
    } catch (problem) {
      setWrong(words(problem));
    }
  };
  return html`<form class="fields across" onSubmit=${submit} autocomplete="off">
    ${secrets.map((each) => html`<label key=${each.name}>${known("fields", each.name)}<input type="password" name=${each.name} maxlength="4000" autocomplete="new-password" placeholder=${t("staysAsIs")} /></label>`)}
    <div class="beside-field"><button type="submit" class="button main">${t("save")}</button></div>
    ${wrong && html`<p class="notice wide bad" role="alert">${wrong}</p>`}
  </form>`;
}
