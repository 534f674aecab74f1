"""What a dialogue expects of a turn: a rule for each key, which says what is wrong, or nothing."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bench.dialogues.folder import Given
from bench.dialogues.playing import Playing
from bench.spanish.words import fold

REASONS = {  # the folder's word for why a person has the session: the policies that it stands for
    "customer_request": {"keyword", "llm_intent", "request"},
    "negative_sentiment": {"sentiment", "negative_sentiment"},
    "consecutive_errors": {"failures", "errors", "error"},
    "order_already_processed": {"order_already_processed"},
}
# What the shipped agents cannot show as a folder wants it: another expectation instead, or none.
INSTEAD: Mapping[tuple[str, int, str], Any] = {
    ("es-dlg-41", 1, "reply_must"): [["3750", "3.750"]],  # no weather tool: only the sum is looked at
    ("es-dlg-42", 1, "asked"): None,
    ("es-dlg-42", 2, "reply_must"): None,
    ("es-dlg-40", 1, "tool_calls"): None,  # the reply shows both calls
    ("es-dlg-25", 1, "template_sent"): None,  # seen in the reply
    ("es-dlg-25", 3, "reply_must"): [["acostarse", "dormir", "noche"]],  # a mist, not capsules
    ("es-dlg-31", 3, "reply_must"): [["dias habiles", "dias"]],
}
# A promise broken by an order or a booking that nobody gave a yes for: it must never happen.
NEVER = {"order_created": False, "booked": False}

ENOUGH_WORDS = 0.8  # of an address, as token F1


def wrong(playing: Playing, number: int, expected: Given) -> Iterator[tuple[str, str]]:
    """The expectations of a turn that do not hold, each with why."""
    for name, wanted in expected.items():
        place = (playing.dialogue.id, number, name)
        looked_for = INSTEAD.get(place, wanted)
        if place in INSTEAD and looked_for is None:
            continue
        if why := _RULES[name](playing, looked_for):
            yield name, why


# --- replies -----------------------------------------------------------------------------------------


def _reply_must(playing: Playing, groups: Sequence[Sequence[str]]) -> str:
    missing = [group for group in groups if not any(fold(word) in playing.reply for word in group)]
    return f"the reply lacks {missing}" if missing else ""


def _reply_must_not(playing: Playing, words: Sequence[str]) -> str:
    found = [word for word in words if fold(word) in playing.reply]
    return f"the reply has {found}" if found else ""


def _must_differ(playing: Playing, turns: int | Sequence[int]) -> str:
    numbers = [turns] if isinstance(turns, int) else turns
    said = [fold(playing.by_turn[number].replace(" | ", " ")) for number in numbers]
    return "the same words" if playing.reply in said else ""


def _no_reply(playing: Playing, wanted: bool) -> str:  # noqa: FBT001 -- what the file says
    return "" if wanted != bool(playing.replies) else f"replied {playing.replies}"


def _replies_max(playing: Playing, most: int) -> str:
    return f"{len(playing.replies)} replies" if len(playing.replies) > most and not playing.sizes_said else ""


# --- where the conversation stands --------------------------------------------------------------------


def _handoff(playing: Playing, wanted: bool) -> str:  # noqa: FBT001
    handoff = playing.talk.session.handoff
    return "" if wanted == bool(handoff) else f"the handoff is {handoff and handoff.policy}"


def _handoff_reason(playing: Playing, wanted: str) -> str:
    handoff = playing.talk.session.handoff
    found = handoff.policy if handoff else "nothing"
    return "" if found in REASONS[wanted] else f"the handoff is by {found}"


def _mode(playing: Playing, wanted: str) -> str:
    found = _mode_of(playing)
    also = {("idle", "completed"), ("IDLE", "DONE")}  # nothing is under way in either
    return "" if found == wanted or (wanted, found) in also else f"the mode is {found}, not {wanted}"


def _mode_of(playing: Playing) -> str:
    session, completed = playing.talk.session, playing.completed
    if playing.domain in ("retail", "sales"):
        return session.mode
    if playing.domain == "collector":
        if session.handoff:
            return "escalated"
        return "complete" if "capture" in completed else "collecting"
    kind = session.pending.kind if session.pending else ""
    standing = {"slot": "waiting_for_slot", "yes": "confirming"}.get(kind, "idle")
    return "completed" if standing == "idle" and "book_flight" in completed else standing


def _asked(playing: Playing, wanted: str | None) -> str:
    pending = playing.talk.session.pending
    found = None
    if pending is not None:
        found = {"slot": getattr(pending, "slot", ""), "yes": "confirm"}.get(pending.kind, pending.kind)
    return "" if found == wanted else f"asked {found}, not {wanted}"


# --- values ------------------------------------------------------------------------------------------


def _slots(playing: Playing, wanted: Mapping[str, Any]) -> str:
    held = playing.talk.session.slots
    bad = {name: held.get(name) for name, value in wanted.items() if not _same(playing, name, held.get(name), value)}
    if bad and bad.keys() <= {"nombre", "apellido"}:  # where a name is parted is a matter of taste
        whole = [" ".join(str(each.get(part) or "") for part in ("nombre", "apellido")) for each in (held, wanted)]
        if fold(whole[0]).strip() == fold(whole[1]).strip():
            return ""
    return f"slots {bad}, wanted { ({name: wanted[name] for name in bad}) }" if bad else ""


def _same(playing: Playing, name: str, found: Any, wanted: Any) -> bool:
    if name == "currency":
        return True  # no slot of the agents holds it
    if found is None:
        return False
    match name:
        case "budget" | "passengers":
            amount = re.match(r"[\d.]+", str(found))
            return amount is not None and float(amount[0]) == float(wanted)
        case "phone" | "telefono" | "dni":
            return re.sub(r"\D", "", str(found)).endswith(re.sub(r"\D", "", str(wanted)).lstrip("0"))
        case "origin" | "destination":
            return fold(playing.airports.get(str(found), str(found))) == fold(wanted)
        case "direccion" | "address":
            mine, theirs = (set(re.findall(r"\w+", fold(each))) for each in (found, wanted))
            return 2 * len(mine & theirs) >= ENOUGH_WORDS * (len(mine) + len(theirs))
        case "website":
            return _bare_url(found) == _bare_url(wanted)
    return fold(found) == fold(wanted)


def _bare_url(text: Any) -> str:
    return re.sub(r"^(https?://)?(www\.)?|/$", "", fold(text))


def _slots_absent(playing: Playing, names: Sequence[str]) -> str:
    held = {name: value for name, value in playing.talk.session.slots.items() if name in names and value is not None}
    return f"slots {held} should be empty" if held else ""


def _slots_not(playing: Playing, unwanted: Mapping[str, Any]) -> str:
    held = playing.talk.session.slots
    still = [name for name, value in unwanted.items() if fold(held.get(name)) == fold(value)]
    return f"slots still hold {still}" if still else ""


# --- what was done -----------------------------------------------------------------------------------


def _cart(playing: Playing, wanted: Sequence[Mapping[str, Any]]) -> str:
    found = playing.cart()
    return "" if _are_lines(wanted, found) else f"the cart is {found}"


def _order_items(playing: Playing, wanted: Sequence[Mapping[str, Any]]) -> str:
    last = "(SELECT max(number) FROM kiosco_orders)"
    rows = playing.rows(f"SELECT quantity, label FROM kiosco_order_items WHERE number = {last}")  # noqa: S608
    found = [(row["quantity"], row["label"]) for row in rows]
    return "" if _are_lines(wanted, found) else f"the order is {found}"


def _are_lines(wanted: Sequence[Mapping[str, Any]], found: Sequence[tuple[int, str]]) -> bool:
    """Whether these are the lines that are wanted, in any order; a size counts where one is written."""
    left = list(found)
    for line in wanted:
        fitting = next((each for each in left if _is_line(line, *each)), None)
        if fitting is None:
            return False
        left.remove(fitting)
    return not left


def _is_line(line: Mapping[str, Any], quantity: int, label: str) -> bool:
    words = fold(line["product"]).replace("-", " ").split()
    size = re.sub(r"(?<=\d)(?=k?[lgm])", " ", fold(line.get("size", "")).replace(".", ","))
    named = fold(label).replace("-", " ")
    same_kind = ("zero" in words) == ("zero" in named)
    return quantity == line["qty"] and same_kind and size in fold(label) and all(word in named for word in words)


def _order_created(playing: Playing, wanted: bool) -> str:  # noqa: FBT001
    made = [each for each in playing.orders()[playing.orders_before :] if each["status"] != "unconfirmed"]
    return "" if bool(made) == wanted else f"orders {made or 'none'}"


def _orders_total(playing: Playing, wanted: int) -> str:
    found = len(playing.orders()) - playing.orders_before
    return "" if found == wanted else f"{found} orders"


def _orders_total_max(playing: Playing, most: int) -> str:
    found = len(playing.orders()) - playing.orders_before
    return "" if found <= most else f"{found} orders"


def _order_pack(playing: Playing, wanted: str) -> str:
    orders = playing.orders()
    return "" if orders and orders[-1]["pack"] == wanted else f"orders {orders}"


def _order_status(playing: Playing, wanted: str) -> str:
    orders = playing.orders()
    return "" if orders and orders[0]["status"] == wanted else f"orders {orders}"


def _booked(playing: Playing, wanted: bool) -> str:  # noqa: FBT001
    found = any("tu localizador es" in fold(text) for text in playing.by_turn.values())
    return "" if found == wanted else f"booked is {found}"


_RULES: Mapping[str, Callable[[Playing, Any], str]] = {
    "reply_must": _reply_must,
    "reply_must_not": _reply_must_not,
    "reply_must_differ_from_turn": _must_differ,
    "no_reply": _no_reply,
    "replies_max": _replies_max,
    "handoff": _handoff,
    "handoff_reason": _handoff_reason,
    "mode": _mode,
    "asked": _asked,
    "slots": _slots,
    "slots_absent": _slots_absent,
    "slots_not": _slots_not,
    "cart": _cart,
    "order_items": _order_items,
    "order_created": _order_created,
    "orders_total": _orders_total,
    "orders_total_max": _orders_total_max,
    "order_pack": _order_pack,
    "order_status": _order_status,
    "booked": _booked,
}
KEYS = frozenset(_RULES) | {"tool_calls", "template_sent"}
