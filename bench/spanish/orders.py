"""orders.jsonl: a real turn; the calls of the order tools, with products by Hilo's own catalogue, against the labels.

Equivalent ways are right: a replacement is a removal and an addition, and both of one product are a new quantity; a
change that names nothing is about the line before it. `qty: null` takes any quantity. A whole cart (`*`) is right if
Hilo cancels or empties it. What the shelf does not have gets into no cart: the shop says that it has none, so an
addition of it is neither right nor wrong, and counted in a column of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bench.spanish.agents import ORDER_KEYS, Call, Heard, Workshop, answering, hear, language_of
from bench.spanish.domains import Domain
from bench.spanish.folder import Row
from bench.spanish.order_tools import ALL
from bench.spanish.results import Goal, SetResult
from bench.spanish.shelf import Shelf, shelf_of
from bench.spanish.words import fold, percent, table

from hilo.app import LoadedAgent
from hilo.dialogue.commands import CancelFlow
from hilo.understanding.orders.lines import find_order_lines
from hilo.understanding.reading import Reading

OPERATIONS = ("add", "remove", "set_qty", "replace")
ALL_BUT = "todo menos "  # how a call names what stays when all else goes
WHOLE_CART = frozenset({"", "todo", "carrito"})
NOT_SOLD = "?"  # before a name that the shelf does not have


class Change(NamedTuple):
    """What happens to a line of a cart."""

    action: str
    product: str
    size: str | None
    quantity: float | None


def agent_of(workshop: Workshop, name: str) -> LoadedAgent:
    """An agent of a shop that takes orders at any time and asks for nothing by itself."""
    folder, domain = workshop.folder, workshop.domains[name]
    examples = {intent: texts for intent, texts in folder.candidates(name).items() if intent not in domain.by_slots}
    slots = [each for each, slot in domain.slots.items() if not slot.get("region_of")]
    document = {
        "agent": name,
        "language": language_of(domain.country),
        "country": domain.country,
        "timezone": folder.zone,
        "slots": dict(domain.slots),
        "intents": answering(examples),
        **ORDER_KEYS,
    }
    if slots:
        steps = [{"collect": slots}, {"say": "¡Listo!"}]
        document["flows"] = {"datos": {"starts": ["quiero dejar mis datos"], "steps": steps}}
    return workshop.load(f"orders_{name}", document)


async def run(workshop: Workshop) -> SetResult:
    """Send every order to the shop it is for."""
    shelves: dict[str, Shelf] = {}
    found: list[Row] = []
    costs = []
    for row in workshop.rows("orders"):
        said = str(row.get("domain", ""))
        if said not in shelves:
            shelves[said] = shelf_of(workshop.folder.catalogue, said)
        shop = _shop(workshop, said)
        agent = agent_of(workshop, shop.name)
        heard = await hear(workshop.conversation(agent), row["text"])
        costs.append(heard.milliseconds)
        found.append(_scored(row, heard, workshop.read(agent, row["text"]), Counter(shop, shelves[said])))
    right = sum(each["right"] for each in found)
    return SetResult(
        name="orders",
        goals=[Goal("order lines %", percent(right, len(found)), "88, then 93", str(len(found)))],
        details=_details(found),
        errors=[each for each in found if not each["right"]],
        costs=costs,
    )


def _shop(workshop: Workshop, said: str) -> Domain:
    """Who hears an order: its own domain where the line tells it, else the first shop."""
    domains = [workshop.domains[name] for name in workshop.folder.domains]
    of_line = [domain for domain in domains if domain.name == said]
    shops = [domain for domain in domains if domain.cart]
    return [*of_line, *shops, *domains][0]


class Counter(NamedTuple):
    """Where orders are taken: who sells, and the shelf behind."""

    domain: Domain
    shelf: Shelf


def _scored(row: Row, heard: Heard, reading: Reading, counter: Counter) -> Row:
    got = changes_made(heard.calls, reading, counter)
    nearest = changes_made(heard.calls, reading, counter, lenient=True)
    is_emptied = _is_emptied(heard, reading)
    is_right = is_as_labelled(row, got, counter.shelf, is_emptied=is_emptied)
    return {
        **row,
        "calls": heard.calls,
        "got": got,
        "not_sold": any(_is_not_sold(each) for each in got),
        "right": is_right,
        "right_with_nearest_product": is_right or is_as_labelled(row, nearest, counter.shelf, is_emptied=is_emptied),
        "accepted": [str(each) for each in heard.result.trace.accepted],
        "refused": [str(each) for each in heard.result.trace.refused],
        "intent": reading.intent,
    }


def _is_emptied(heard: Heard, reading: Reading) -> bool:
    """Whether the whole cart was given up, if there was anything to give up or not."""
    trace = heard.result.trace
    commands = (*trace.accepted, *(each.command for each in trace.refused))
    is_cancelled = any(isinstance(each, CancelFlow) for each in commands) or reading.intent == "cancel"
    if is_cancelled or not heard.calls:
        return is_cancelled
    action, product, _ = heard.calls[0]
    return action == "remove" and fold(product) in WHOLE_CART


def product_of(
    product: str, reading: Reading, counter: Counter, *, lenient: bool = False
) -> tuple[str, str | None] | None:
    """A product on the shelf; what it is packed in goes with its name, since that may tell its size."""
    lines = find_order_lines(reading.text, country=counter.domain.country)
    units = {line.product: line.unit for line in lines}
    packed = [unit for name, unit in units.items() if name and product.startswith(name)]
    unit = next((each for each in packed if each in counter.domain.packages), "")
    written = f"{product} {unit}".strip()
    return counter.shelf.find(written, lenient=lenient) or counter.shelf.find(product, lenient=lenient)


# --- what was done --------------------------------------------------------------------------------------


def changes_made(calls: Sequence[Call], reading: Reading, counter: Counter, *, lenient: bool = False) -> list[Change]:
    """The calls as changes of the cart."""
    found: list[Change] = []
    for action, product, called_with in calls:
        quantity = None if called_with == ALL else called_with
        if not product:
            if found and action == "set":
                found[-1] = found[-1]._replace(quantity=quantity)
            else:
                found.append(Change(action, NOT_SOLD, None, quantity))
            continue
        if product.startswith(ALL_BUT):
            for spared in product.removeprefix(ALL_BUT).split(" y "):
                name, size = product_of(spared, reading, counter, lenient=lenient) or (f"{NOT_SOLD}{spared}", None)
                found.append(Change(action, f"{ALL_BUT}{name}", size, quantity))
            continue
        name, size = product_of(product, reading, counter, lenient=lenient) or (f"{NOT_SOLD}{product}", None)
        if action == "set" and found and found[-1].product == name and found[-1].action == "add":
            found[-1] = Change("add", name, size or found[-1].size, quantity)
            continue
        found.append(Change(action, name, size, quantity))
    return _merged(found)


def _merged(changes: Sequence[Change]) -> list[Change]:
    """A removal and an addition of one thing set its quantity; two additions are one."""
    merged: list[Change] = []
    for change in changes:
        alike = [
            index for index, each in enumerate(merged) if (each.product, each.size) == (change.product, change.size)
        ]
        opposite = [index for index in alike if {merged[index].action, change.action} == {"add", "remove"}]
        same = [index for index in alike if merged[index].action == change.action == "add"]
        if opposite:
            added = change if change.action == "add" else merged[opposite[0]]
            merged[opposite[0]] = added._replace(action="set")
        elif same:
            before = merged[same[0]]
            merged[same[0]] = before._replace(quantity=(before.quantity or 0) + (change.quantity or 0))
        else:
            merged.append(change)
    return merged


# --- what was wanted ------------------------------------------------------------------------------------


def is_as_labelled(row: Row, got: Sequence[Change], shelf: Shelf, *, is_emptied: bool) -> bool:
    in_cart = [each for each in got if not _is_not_sold(each)]
    return any(
        _is_wanted(items, list(_changes_wanted(items, row["op"])), in_cart, shelf, is_emptied=is_emptied)
        for items in (row["items"], *(row["alt_items"] or []))
    )


def _is_wanted(
    items: Sequence[Mapping[str, Any]],
    wanted: Sequence[Change],
    got: Sequence[Change],
    shelf: Shelf,
    *,
    is_emptied: bool,
) -> bool:
    named = [each for each in wanted if each.product != "*"]
    if len(named) == len(wanted):
        return _are_same(wanted, got, shelf)
    spared = {f"{ALL_BUT}{_name(each)}" for item in items for each in item.get("except") or ()}
    if spared:
        return {(each.action, each.product) for each in got} == {("remove", name) for name in spared}
    rest = [each for each in got if each.product.removeprefix(NOT_SOLD) not in WHOLE_CART]
    return is_emptied and _are_same(named, rest, shelf)


def _is_not_sold(change: Change) -> bool:
    """Whether a shop would only say that it has none."""
    return change.action == "add" and change.product.startswith(NOT_SOLD) and change.product != NOT_SOLD


def _changes_wanted(items: Sequence[Mapping[str, Any]], operation: str) -> Iterator[Change]:
    for item in items:
        action = item.get("op", operation)
        if action == "replace":
            old = item.get("replaces") or {}
            old = {"product": old} if isinstance(old, str) else old
            if old.get("product") == item["product"] and not old.get("size"):  # only another size
                yield Change("set", str(item["product"]), _size(item), item.get("qty"))
                continue
            yield Change("remove", str(old.get("product", "?")), _size(old), None)
        done = {"set_qty": "set", "replace": "add"}.get(action, action)
        yield Change(done, str(item["product"]), _size(item), item.get("qty"))


def _name(spared: Any) -> str:
    """A product that stays, told by its name or with its size."""
    return str(spared["product"] if isinstance(spared, dict) else spared)


def _size(item: Mapping[str, Any]) -> str | None:
    return None if item.get("size") is None else str(item["size"])


def _are_same(wanted: Sequence[Change], got: Sequence[Change], shelf: Shelf) -> bool:
    left = list(got)
    for want in wanted:
        found = next((each for each in left if _is_same(want, each, shelf)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def _is_same(want: Change, got: Change, shelf: Shelf) -> bool:
    any_quantity = want.quantity is None
    is_untold = None in (want.size, got.size) and shelf.has_one_size(shelf.only(want.product))
    return (
        fold(shelf.only(want.product)) == fold(shelf.only(got.product))
        and (want.size == got.size or is_untold)
        and (any_quantity or want.quantity == got.quantity)
        and (want.action == got.action or (any_quantity and {want.action, got.action} == {"add", "set"}))
    )


# --- what is printed ------------------------------------------------------------------------------------


def _details(found: Sequence[Row]) -> str:
    operations = dict.fromkeys([*OPERATIONS, *(row["op"] for row in found)])
    groups = {name: [row for row in found if row["op"] == name] for name in operations}
    lines = [
        (
            name,
            len(some),
            percent(sum(row["right"] for row in some), len(some)),
            percent(sum(row["right_with_nearest_product"] for row in some), len(some)),
            percent(sum(not row["calls"] for row in some), len(some)),
            percent(sum(row["not_sold"] for row in some), len(some)),
        )
        for name, some in (*groups.items(), ("all", found))
        if some
    ]
    head = ("operation", "n", "exact %", "exact with the nearest product %", "no order heard %", "not sold %")
    return "orders, exact\n" + table(head, lines)
