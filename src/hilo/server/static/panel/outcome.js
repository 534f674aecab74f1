// What something came to that a person had done in a session: it happens in a turn, a moment after it was asked for.

import { get, ofSession } from "./api.js";

const LOOK_AGAIN = 400; // milliseconds
const LOOKS = 50;

export async function newestTurn(session) {
  const { items } = await get(ofSession(session, "/turns"), { limit: 1 });
  return items[0]?.number ?? 0;
}

// The turn that this kind of event had after the given one, with everything that is known of it; null if none comes.
export async function turnAfter(session, before, event) {
  for (let look = 0; look < LOOKS; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
    const { items } = await get(ofSession(session, "/turns"), { limit: 5 }).catch(() => ({ items: [] }));
    const turn = items.find((each) => each.number > before && each.event === event);
    if (turn) return get(ofSession(session, `/turns/${turn.number}`));
  }
  return null;
}
