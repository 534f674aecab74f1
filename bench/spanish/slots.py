"""slots.jsonl: a real turn; the session's slots after it must be exactly the labelled ones.

For each asked slot there is an agent whose flow asks it first, so that "hola" brings just that question; a line that
asks nothing is the first message of a session. On the generous side, besides what `values.py` compares loosely:
  currency     the unit of the amounts in the message, where the labels of a domain have it; pesos are none
  period       the one that a date was answered with, where a period is labelled, since a slot holds one day
  range        both ends that the money recogniser finds in a short message, since a slot holds one number
  a name in parts   compared joined
  region       Hilo fills it from its gazetteer: one that is not labelled is no error
  items        calls of the order tools, with products by Hilo's own catalogue
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.spanish import assistant, orders
from bench.spanish.agents import ORDER_KEYS, OWN_NUMBER, Call, Workshop, answering, hear, language_of
from bench.spanish.domains import Domain
from bench.spanish.folder import Row
from bench.spanish.results import Goal, SetResult, Unordered
from bench.spanish.shelf import Shelf, shelf_of
from bench.spanish.values import Airports, airports_of, is_same
from bench.spanish.words import fold, percent, table

from hilo.app import LoadedAgent
from hilo.recognisers.amounts.money import find_money
from hilo.slots.date import dates
from hilo.testing.conversation import Conversation
from hilo.understanding.reading import Reading

CURRENCIES = frozenset({"USD", "EUR", "COP", "PEN"})  # those that labels name
SHORT = 8  # words of a message whose two amounts are the ends of a range
SAME_NUMBER = "$channel"  # the label for "this same number"


def agent_of(workshop: Workshop, name: str, asked: str | None) -> LoadedAgent:
    """An agent of a domain that asks for a slot first."""
    folder, domain = workshop.folder, workshop.domains[name]
    if asked == "items" and domain.cart:
        return orders.agent_of(workshop, name)
    first = [asked] if asked in domain.slots else []
    others = [each for each, slot in domain.slots.items() if each not in first and not slot.get("region_of")]
    examples = {intent: texts for intent, texts in folder.candidates(name).items() if intent not in domain.by_slots}
    document: dict[str, Any] = {
        "agent": name,
        "language": language_of(domain.country),
        "country": domain.country,
        "timezone": folder.zone,
        "slots": dict(domain.slots),
        "intents": answering(examples),
    }
    if first or others:
        steps = [{"collect": [*first, *others]}, {"say": "¡Listo!"}]
        document["flows"] = {"datos": {"starts": "always", "steps": steps}}
    if domain.cart:
        document |= ORDER_KEYS
    return workshop.load(f"slots_{name}_{asked}", document)


@dataclass(frozen=True)
class Judge:
    """Who tells right from wrong in a domain."""

    domain: Domain
    airports: Airports
    shelf: Shelf | None  # of a shop

    def is_right(self, row: Row, got: Mapping[str, Any]) -> bool:
        return any(self._is_as_labelled(wanted, got) for wanted in _labels(row))

    def _is_as_labelled(self, labelled: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
        """Whether all that is labelled was found, and nothing else."""
        wanted, got = _with_whole_name(labelled, self.domain), dict(found)
        wanted = {name: OWN_NUMBER if value == SAME_NUMBER else value for name, value in wanted.items()}
        for name, slot in self.domain.slots.items():
            if slot.get("region_of") and name not in wanted:
                got.pop(name, None)
        if (
            self.shelf
            and "items" in wanted
            and not _are_same_items(wanted.pop("items"), got.pop("items", []), self.shelf)
        ):
            return False
        if wanted.keys() != got.keys():
            return False
        return all(is_same(name, wanted[name], got[name], self.domain, self.airports) for name in wanted)


def _labels(row: Row) -> tuple[Mapping[str, Any], ...]:
    """All readings of a message that are right."""
    return (row["slots"], *row["alt"])


async def run(workshop: Workshop) -> SetResult:
    """Send every message to the agent that has just asked for its slot."""
    airports = airports_of(workshop.folder.train)
    judges = {
        name: Judge(domain, airports, shelf_of(workshop.folder.catalogue, name) if domain.cart else None)
        for name, domain in workshop.domains.items()
    }
    found: list[Row] = []
    costs, unordered = [], []
    for row in workshop.rows("slots"):
        judge = judges[row["domain"]]
        agent = agent_of(workshop, judge.domain.name, row["asked"])
        talk = await _asked(workshop.conversation(agent), row["asked"])
        heard = await hear(talk, row["text"])
        costs.append(heard.milliseconds)
        got = _in_words_of_labels(row, talk, heard.calls, workshop.read(agent, row["text"]), judge)
        found.append({**row, "got": got, "right": judge.is_right(row, got)})
        if judge.domain.cart and not any("items" in each for each in _labels(row)):
            unordered.append(Unordered(row, heard.calls))
    right = sum(row["right"] for row in found)
    return SetResult(
        name="slots",
        goals=[Goal("slots %", percent(right, len(found)), "90, then 94", str(len(found)))],
        details=_details(found),
        errors=[row for row in found if not row["right"]],
        costs=costs,
        unordered=unordered,
    )


async def _asked(talk: Conversation, asked: str | None) -> Conversation:
    """A conversation in which this slot has just been asked; nothing was said yet where none is."""
    if asked and asked in talk.agent.slots and "datos" in talk.agent.flows:
        await talk.say("hola")
        pending = getattr(talk.session.pending, "slot", None)
        if pending != asked:
            print(f"slots: after a greeting the agent asks for {pending}, not for {asked}", file=sys.stderr)
    return talk


# --- what was found, in the words of the labels ---------------------------------------------------------


def _in_words_of_labels(
    row: Row, talk: Conversation, calls: Sequence[Call], reading: Reading, judge: Judge
) -> dict[str, Any]:
    domain, slots = judge.domain, talk.session.slots
    if domain.is_assistant:
        return assistant.values_of(row, slots, reading)
    got: dict[str, Any] = {name: value for name, value in slots.items() if value not in (None, "")}
    if domain.currency_of in got:
        got |= _money(row, reading, domain.currency_of)
    got |= _periods(row, reading, domain, got)
    got = _with_whole_name(got, domain)
    if judge.shelf:
        items = _items(calls, reading, orders.Counter(domain, judge.shelf))
        got |= {"items": items} if items else {}
    return got


def _money(row: Row, reading: Reading, slot: str) -> dict[str, Any]:
    """The currency that was said with an amount, and the range that two amounts are in a short message."""
    amounts = find_money(reading.text, country="")
    got: dict[str, Any] = {}
    said = sorted({each.unit for each in amounts} & CURRENCIES)
    if said:
        got["currency"] = said[0]
    is_range = len(amounts) == 2 and amounts[0].value != amounts[1].value  # noqa: PLR2004 -- its two ends
    if is_range and len(row["text"].split()) <= SHORT:
        got[slot] = {"min": amounts[0].value, "max": amounts[1].value}
    return got


def _periods(row: Row, reading: Reading, domain: Domain, got: Mapping[str, Any]) -> dict[str, Any]:
    """The period that answers a question for a day, as its labels write it: 2026-07, 2026-03-16/2026-03-22."""
    asked = row["asked"]
    if asked in got or domain.slots.get(asked or "", {}).get("type") != "date":
        return {}
    periods = [str(each.value) for each in dates(reading.values.said) if each.kind == "period"]
    labelled = {str(each.get(asked)) for each in _labels(row)}
    if len(periods) != 1 or labelled == {"None"}:
        return {}
    first, last = periods[0].split("/")
    month = first[: len("2026-07")]
    return {asked: month if month in labelled and last.startswith(month) else periods[0]}


def _with_whole_name(values: Mapping[str, Any], domain: Domain) -> dict[str, Any]:
    """The parts of a name joined, under the slot of the given one: where a name is cut is a matter of usage."""
    parts = {slot["part"]: name for name, slot in domain.slots.items() if slot.get("part")}
    given, family = parts.get("given", ""), parts.get("family", "")
    whole = dict(values)
    said = [str(whole.pop(name)) for name in (given, family) if whole.get(name)]
    return {**whole, given: " ".join(said)} if said else whole


def _items(calls: Sequence[Call], reading: Reading, counter: orders.Counter) -> list[dict[str, Any]]:
    """Calls as items; a new quantity of what was just named, or of nothing, is that of the item before."""
    found: list[dict[str, Any]] = []
    for action, product, quantity in calls:
        if action == "set" and found and _is_item(product, found[-1], counter.shelf):
            found[-1]["qty"] = quantity
            continue
        known = orders.product_of(product, reading, counter) if product else None
        name, size = known or (f"?{product}", None)
        found.append({"op": action, "qty": quantity, "product": name, "size": size})
    return found


def _is_item(product: str, item: Mapping[str, Any], shelf: Shelf) -> bool:
    known = shelf.find(product) if product else (item["product"], None)
    return known is not None and known[0] == item["product"]


def _are_same_items(wanted: Sequence[Mapping[str, Any]], got: Sequence[Mapping[str, Any]], shelf: Shelf) -> bool:
    left = list(got)
    for want in wanted:
        found = next((each for each in left if _is_same_item(want, each, shelf)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def _is_same_item(want: Mapping[str, Any], got: Mapping[str, Any], shelf: Shelf) -> bool:
    """An addition of the same product, size and quantity; a product of one size needs no size."""
    is_same_size = want.get("size") == got["size"]
    is_untold = None in (want.get("size"), got["size"]) and shelf.has_one_size(want["product"])
    is_same_product = fold(got["product"]) == fold(want["product"])
    return got["op"] == "add" and is_same_product and got["qty"] == want["qty"] and (is_same_size or is_untold)


# --- what is printed ------------------------------------------------------------------------------------


def _details(found: Sequence[Row]) -> str:
    by_domain: dict[str, list[Row]] = {}
    by_asked: dict[str, list[Row]] = {}
    for row in found:
        by_domain.setdefault(row["domain"], []).append(row)
        by_asked.setdefault(f"{row['domain']}.{row['asked'] or '(nothing)'}", []).append(row)
    lines = [_domain_line(name, some) for name, some in (*by_domain.items(), ("all", found))]
    head = ("domain", "n", "exact %", "with values", "exact %", "none expected", "exact %")
    asked = [(name, len(some), _share(some)) for name, some in by_asked.items()]
    return "\n".join(["slots, whole object", table(head, lines), table(("asked", "n", "exact %"), asked)])


def _domain_line(name: str, some: Sequence[Row]) -> Sequence[Any]:
    full = [row for row in some if row["slots"]]
    empty = [row for row in some if not row["slots"]]
    return name, len(some), _share(some), len(full), _share(full), len(empty), _share(empty)


def _share(some: Sequence[Row]) -> str:
    return percent(sum(row["right"] for row in some), len(some))
