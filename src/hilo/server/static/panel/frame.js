// The frame around everything: where to go, how it looks and sounds, who is there.

import { Agents } from "./agents.js";
import { allowed, askToNotify } from "./alerts.js";
import { leave } from "./account.js";
import { me } from "./api.js";
import { Beside } from "./beside.js";
import { Campaigns } from "./campaigns.js";
import { Conversation, besideOpen, showDetails } from "./conversation.js";
import { ask } from "./dialogs.js";
import { Dialogs } from "./giving.js";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { Inbox } from "./inbox.js";
import { colours, language, sound } from "./kept.js";
import { Map as MapPage } from "./map.js";
import { Numbers } from "./numbers.js";
import { People } from "./people.js";
import { go, place, written } from "./place.js";
import { counts } from "./sessions.js";
import { link } from "./stream.js";
import { t } from "./texts.js";
import { Toasts } from "./toasts.js";
import { Why } from "./why.js";

export function Frame() {
  const { page, session, why } = place.value;
  const pane = page !== "inbox" ? "page" : !session ? "inbox" : why || (besideOpen.value && besideChosen()) ? "beside" : "conversation";
  return html`<div class="frame" data-pane=${pane} data-beside=${besideOpen.value || why ? "open" : "closed"}>
    ${page === "inbox" && html`<a class="skip" href="#conversation">${t("skip")}</a>`}
    <${Rail} />
    <main class="panes">
      ${page === "inbox" && html`<h1 class="unseen">${t("inbox")}</h1><${Inbox} /><${Conversation} />${session && (besideOpen.value || why) && html`<${Third} />`}`}
      ${page === "map" && html`<${MapPage} />`}
      ${page === "numbers" && html`<${Numbers} />`}
      ${page === "campaigns" && html`<${Campaigns} />`}
      ${page === "agents" && html`<${Agents} />`}
      ${page === "people" && html`<${People} />`}
    </main>
    <${Link} /><${Toasts} /><${Dialogs} />
  </div>`;
}

// On a phone the third pane is shown only when somebody asks for it.
const besideChosen = () => matchMedia("(max-width: 799px)").matches;

function Third() {
  const { why } = place.value;
  return html`<aside class="beside pane" aria-label=${why ? t("whyTitle") : t("beside")}>
    <header>
      <h2>${why ? t("whyTitle") : t("beside")}</h2>
      <button type="button" class="button-icon" id="leave-beside" aria-label=${t("close")} onClick=${() => (why ? go({ why: "" }) : showDetails(false))}><${Icon} name="close" /></button>
    </header>
    <div class="scroll" tabindex="0" role="region" aria-label=${t("details")}>${why ? html`<${Why} />` : html`<${Beside} />`}</div>
  </aside>`;
}

function Link() {
  const words = { live: t("live"), polling: t("polling"), down: t("offline"), starting: t("loading") }[link.value];
  return html`<p class=${`link-state ${link.value}`} role="status" data-link=${link.value}>${words}</p>`;
}

const PAGES_OF = {
  operator: ["inbox", "map", "numbers"],
  author: ["inbox", "map", "numbers", "campaigns", "agents"],
  owner: ["inbox", "map", "numbers", "campaigns", "agents", "people"],
};

// --- the rail -----------------------------------------------------------------------------------------

function Rail() {
  const { role } = me.value.person;
  const pages = PAGES_OF[role];
  return html`<nav class="rail" aria-label="Hilo">
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" /><path d="M8 20c4 4 6-8 10-4s-2 8 6 2" /></svg>
    ${pages.map((page) => html`<${Place} key=${page} page=${page} />`)}
    <span class="gap"></span>
    <${Looks} />
    <${Account} />
  </nav>`;
}

function Place({ page }) {
  const current = place.value.page === page;
  const target = { ...place.value, page, session: "", why: "", tab: "", ...(page !== "inbox" && { agent: "" }) };
  const follow = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(target);
  };
  const waiting = page === "inbox" ? counts.value.waiting : 0;
  return html`<a class="rail-item" data-page=${page} href=${written(target)} aria-current=${current ? "page" : undefined} onClick=${follow}>
    <${Icon} name=${page} /><span>${t(page)}</span>${waiting > 0 && html`<b class="count waiting">${waiting}</b>`}
  </a>`;
}

function Tool({ name, label, does, pressed }) {
  return html`<button type="button" class="rail-tool" data-tool=${name} title=${label} aria-label=${label} aria-pressed=${pressed} onClick=${does}><${Icon} name=${name} /></button>`;
}

function Looks() {
  const dark = colours.value === "dark" || (colours.value === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  return html`<div class="tools">
    ${allowed.value === "default" && html`<${Tool} name="bell" label=${t("notify")} does=${askToNotify} />`}
    <${Tool} name=${sound.value === "on" ? "sound" : "mute"} label=${sound.value === "on" ? t("soundOff") : t("soundOn")} does=${() => { sound.value = sound.value === "on" ? "off" : "on"; }} />
    <${Tool} name=${dark ? "sun" : "moon"} label=${dark ? t("toLight") : t("toDark")} does=${() => { colours.value = dark ? "light" : "dark"; }} />
    <${Tool} name="globe" label=${t("language")} does=${() => { language.value = language.value === "es" ? "en" : "es"; }} />
    <${Tool} name="keyboard" label=${t("help")} does=${() => ask("keys")} />
  </div>`;
}

function Account() {
  const { person } = me.value;
  return html`<div class="account">
    <button type="button" class="my-account" title=${t("account")} onClick=${() => ask("account")}>
      <span class="avatar" aria-hidden="true" data-hue="0">${[...person.name][0]?.toUpperCase()}</span>
      <span class="account-name"><bdi>${person.name}</bdi><span class=${`presence ${person.away ? "" : "here"}`}>${person.away ? t("away") : t("presentNow")}</span></span>
    </button>
    <${Tool} name="out" label=${t("logOut")} does=${leave} />
  </div>`;
}
