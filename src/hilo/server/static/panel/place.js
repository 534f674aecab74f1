// Where the person is, as the address bar says it: every view, filter and conversation has an address.

import { signal } from "./html.js";

export const VIEWS = ["waiting", "mine", "agent", "paused", "trouble", "all"];
export const FILTERS = ["q", "agent", "channel", "team", "mode", "flow", "step"];
const PAGES = ["inbox", "map", "numbers", "campaigns", "agents", "people"];
export const ANYWHERE = { mode: "", flow: "", step: "" }; // on the map

// /panel, /panel/inbox/VIEW, /panel/inbox/VIEW/SESSION, /panel/map?agent=…&session=…, /panel/numbers, /panel/people?tab=…
export function read(path, search) {
  const [page, view, session] = path.replace(/^\/panel\/?/, "").split("/").map(decoded);
  const query = new URLSearchParams(search);
  return {
    page: PAGES.includes(page) ? page : "inbox",
    view: VIEWS.includes(view) ? view : "waiting",
    session: session ?? query.get("session") ?? "",
    why: query.get("why") ?? "",
    tab: query.get("tab") ?? "",
    ...Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ""])),
  };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

export function written({ page, view, session, tab, ...rest }) {
  const asked = { inbox: rest, map: { agent: rest.agent, session }, agents: { agent: rest.agent }, campaigns: { tab }, people: { tab } }[page] ?? {};
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value));
  const path = [page === "inbox" ? ["inbox", view, session] : [page]].flat().filter(Boolean);
  const search = query.size ? `?${query}` : "";
  return `/panel/${path.map(encodeURIComponent).join("/")}${search}`;
}

export const place = signal(read(location.pathname, location.search));

// Typing in the search box replaces the entry; going somewhere makes a new one.
export function go(changes, { replace = false } = {}) {
  const next = { ...place.value, ...changes };
  if ("session" in changes && changes.session !== place.value.session && !("why" in changes)) next.why = "";
  const address = written(next);
  if (address === written(place.value)) return;
  history[replace ? "replaceState" : "pushState"](null, "", address);
  place.value = next;
}

addEventListener("popstate", () => {
  place.value = read(location.pathname, location.search);
});
