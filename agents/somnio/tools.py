"""The tools of a shop that sells packs of one product. Prices, cities and words are `facts` of the agent file."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, TypedDict

import somnio_orders as orders

from hilo import Database, Facts, ToolFailed, tool


class Quote(TypedDict):
    """What a pack costs, brought to a city."""

    price: int | Decimal
    shipping: str
    total: int | Decimal


class QuotedPack(TypedDict):
    """The same for who only asks: named otherwise, for nothing of it is in an order yet."""

    quoted: str
    goods: int | Decimal
    bringing: str
    sum: int | Decimal


class OrderState(TypedDict):
    """How far an order is, in the shop's words."""

    order: str
    status: str
    pack: str
    amount: int | Decimal  # not `total`: that is of the order that is being made
    send_on: bool


class OpenOrder(OrderState):
    """The newest order that is under way, and how many there are that could be changed."""

    orders: int


NO_ORDER = OpenOrder(order="", status="", pack="", amount=0, send_on=False, orders=0)


@tool
def quote(pack: str, city: str, facts: Facts) -> Quote:
    """Tell the price of a pack, what bringing it to a city costs, and the total. It changes nothing."""
    price, shipping = _price(facts, pack), _shipping(facts, pack, city)
    total = _shown(price + shipping)
    return {"price": _shown(price), "shipping": _told(facts, shipping), "total": total}


@tool
def quote_total(city: str, facts: Facts, pack: str = "") -> QuotedPack:
    """Tell what one pack costs, brought to a city; the smallest one where none is named. It changes nothing."""
    return _quoted(pack or next(iter(_table(facts, "packs"))), city, facts)


@tool
def quote_shipping(city: str, facts: Facts) -> QuotedPack:
    """Tell what bringing the smallest pack to a city costs. It changes nothing."""
    return _quoted(next(iter(_table(facts, "packs"))), city, facts)


@tool(writes=True)
async def create_order(  # noqa: PLR0913, PLR0917 -- all that an order has
    pack: str,
    total: Decimal,
    name: str,
    city: str,
    address: str,
    consent: str,
    facts: Facts,
    database: Database,
    now: datetime,
    call_id: str,
    last_name: str = "",
    phone: str = "",
    district: str = "",
    region: str = "",
    postcode: str = "",
    email: str = "",
    replaces: str = "",
    notes: str = "",
) -> OrderState:
    """Place the order for what was shown, or change one; where silence is the yes, it is not confirmed."""
    price, shipping = _price(facts, pack), _shipping(facts, pack, city)
    if replaces and not _number(replaces):
        raise ToolFailed(f"{replaces} is no order", tell=_word(facts, "gone"))
    if price + shipping != total:
        raise ToolFailed(f"the total is {price + shipping} and {total} was shown", tell=_word(facts, "changed"))
    purchase = orders.Purchase(_brand(facts), pack, _cents(price), _cents(shipping), consent)
    recipient = f"{name} {last_name}".strip()
    buyer = orders.Buyer(recipient, phone, email, city, address, district, region, postcode, notes)
    placed = await database.run(orders.place, purchase, buyer, call=call_id, now=now, replaced=_number(replaces))
    if placed is None:
        raise ToolFailed("it was sent already, or never made", tell=_word(facts, "gone"))
    return _state(facts, placed)


@tool(writes=True, needs_yes=False)
async def release_order(order: str, facts: Facts, database: Database, now: datetime) -> OrderState:
    """Give up an order that was kept for the contact, who has said no to it."""
    found = await database.run(orders.release, _brand(facts), _number(order), now=now)
    return _became("cancelled", found, facts, "it does not wait for a yes")


@tool(writes=True)
async def cancel_order(order: str, facts: Facts, database: Database, now: datetime) -> OrderState:
    """Cancel an order that was not sent yet."""
    found = await database.run(orders.cancel, _brand(facts), _number(order), now=now)
    return _became("cancelled", found, facts, "it was sent already, or never made")


@tool
async def order_status(facts: Facts, database: Database, order: str = "") -> OrderState:
    """Tell how far the contact's order is, by its number or the last one. Use it for "how is my order doing?"."""
    found = await database.run(orders.find, _brand(facts), _number(order))
    if found is None:
        raise ToolFailed("there is no such order", tell=_word(facts, "none"))
    return _state(facts, found)


@tool
async def open_order(facts: Facts, database: Database, now: datetime) -> OpenOrder:
    """Tell which order of the contact is under way; all is empty where none is. The contact is told nothing."""
    since = now - timedelta(days=int(_value(facts, "delivery_days")))
    found = await database.run(orders.under_way, _brand(facts), since=since)
    changeable = sum(each.status == "confirmed" for each in found)
    return OpenOrder(**_state(facts, found[0]), orders=changeable) if found else NO_ORDER


@tool(writes=True, operator=True)
async def mark_sent(order: str, facts: Facts, database: Database, now: datetime) -> OrderState:
    """Say that a confirmed order of the contact is on its way; it cannot be cancelled any more."""
    found = await database.run(orders.send, _brand(facts), _number(order), now=now)
    return _became("sent", found, facts, "only a confirmed order can be sent")


# --- what the agent file says -----------------------------------------------------------------------------


def _quoted(pack: str, city: str, facts: Facts) -> QuotedPack:
    price, shipping = _price(facts, pack), _shipping(facts, pack, city)
    return QuotedPack(quoted=pack, goods=_shown(price), bringing=_told(facts, shipping), sum=_shown(price + shipping))


def _price(facts: Facts, pack: str) -> Decimal:
    found = _table(facts, "packs").get(pack)
    if found is None:
        raise ToolFailed(f"there is no pack {pack}")
    return Decimal(found)


def _shipping(facts: Facts, pack: str, city: str) -> Decimal:
    """What bringing it costs: nothing from some price on, else as the city says, else as elsewhere."""
    if _price(facts, pack) >= Decimal(_value(facts, "free_shipping_from")):
        return Decimal(0)
    known = {_folded(name): cost for name, cost in _table(facts, "shipping").items()}
    return Decimal(known.get(_folded(city), _value(facts, "shipping_elsewhere")))


def _told(facts: Facts, shipping: Decimal) -> str:
    if not shipping:
        return _word(facts, "free")
    amount = f"{_shown(shipping):,}".translate(str.maketrans(",.", _word(facts, "separators")))
    return f"{_word(facts, 'currency')}{amount}"


def _became(status: str, order: orders.Order | None, facts: Facts, otherwise: str) -> OrderState:
    """How far an order is that should be so far now; it was another's turn, or never there, where it is not."""
    if order is None or order.status != status:
        raise ToolFailed(otherwise, tell=_word(facts, "gone"))
    return _state(facts, order)


def _state(facts: Facts, order: orders.Order) -> OrderState:
    return {
        "order": f"{_brand(facts)}-{order.number:05}",
        "status": _word(facts, order.status),
        "pack": order.pack,
        "amount": _shown(Decimal(order.total) / 100),
        "send_on": bool(facts.get("send_orders")),
    }


def _word(facts: Facts, name: str) -> str:
    return str(_table(facts, "words")[name])


def _brand(facts: Facts) -> str:
    return _value(facts, "prefix")


def _value(facts: Facts, name: str) -> str:
    if name not in facts:
        raise ToolFailed(f"the agent file has no `{name}` under `facts`")
    return str(facts[name])


def _table(facts: Facts, name: str) -> Mapping[str, Any]:
    found = facts.get(name)
    if not isinstance(found, Mapping):
        raise ToolFailed(f"the agent file has no table `{name}` under `facts`")
    return found


# --- small forms ------------------------------------------------------------------------------------------


def _shown(amount: Decimal) -> int | Decimal:
    """Whole amounts without cents."""
    return int(amount) if amount == amount.to_integral_value() else amount.quantize(Decimal("0.01"))


def _cents(amount: Decimal) -> int:
    return int(amount * 100)


def _number(order: str) -> int:
    """The number of an order code such as SOM-00012; 0 where there is none."""
    digits = re.findall(r"[0-9]+", order)
    return int(digits[-1][-12:]) if digits else 0


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.partition(",")[0])
    return "".join(each for each in plain if not unicodedata.combining(each)).casefold().strip()
