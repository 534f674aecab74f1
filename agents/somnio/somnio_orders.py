"""Orders: numbered without gaps, placed once for each call; one that waits for a yes is replaced, not doubled."""

from dataclasses import asdict, dataclass
from datetime import datetime

from hilo import tables


@dataclass(frozen=True, slots=True)
class Buyer:
    """Whom an order goes to; what a business does not ask for is empty."""

    recipient: str
    phone: str
    email: str
    city: str
    address: str
    district: str
    region: str
    postcode: str
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Purchase:
    """What is bought and who said yes to it; money is whole cents."""

    brand: str
    pack: str
    price: int
    shipping: int
    consent: str

    @property
    def status(self) -> str:
        """An order without the contact's own yes is not confirmed."""
        return "confirmed" if self.consent == "contact" else "unconfirmed"


@dataclass(frozen=True, slots=True)
class Order:
    """How far an order is."""

    number: int
    status: str
    pack: str
    total: int


def place(
    purchase: Purchase, buyer: Buyer, *, call: str, now: datetime, replaced: int = 0
) -> tables.Script[Order | None]:
    """Place an order; a repeated call finds it placed, and one that waited for a yes gets it under its number.

    With the number of a confirmed order, in its place; there is none where it is on its way or cancelled.
    """
    brand = purchase.brand
    yield from tables.execute("lock_numbers", brand=brand)  # the same call, or another of the contact, may be under way
    made = yield from tables.one("order_by_call", brand=brand, call=call)
    if made:
        return _order(made)
    values = _values(purchase, buyer, call=call, now=now)
    before = yield from tables.one("order_to_replace", brand=brand, replaced=replaced)
    if before:
        yield from tables.execute("replace_order", number=before["number"], **values)
        return _placed(before["number"], purchase)
    if replaced:
        return None
    number = yield from _next_number(brand)
    yield from tables.execute("add_order", number=number, **values)
    return _placed(number, purchase)


def _values(purchase: Purchase, buyer: Buyer, *, call: str, now: datetime) -> dict[str, str | int]:
    """What a row says of an order, but for its number."""
    total = purchase.price + purchase.shipping
    rest = {"status": purchase.status, "total": total, "call": call, "at": tables.micros(now)}
    return {**asdict(purchase), **asdict(buyer), **rest}


def _placed(number: int, purchase: Purchase) -> Order:
    return Order(number, purchase.status, purchase.pack, purchase.price + purchase.shipping)


def _next_number(brand: str) -> tables.Script[int]:
    row = yield from tables.one("next_number", brand=brand)
    assert row is not None  # noqa: S101 -- its row is locked
    return int(row["last_number"])


def release(brand: str, number: int, *, now: datetime) -> tables.Script[Order | None]:
    """Cancel an order that waited for a yes and got a no; the order as it then is, or none."""
    yield from tables.execute("cancel_order", brand=brand, number=number, also="unconfirmed", at=tables.micros(now))
    return (yield from _own(brand, number))


def cancel(brand: str, number: int, *, now: datetime) -> tables.Script[Order | None]:
    """Cancel an order that was not sent; the order as it then is, or none."""
    yield from tables.execute("cancel_order", brand=brand, number=number, also="confirmed", at=tables.micros(now))
    return (yield from _own(brand, number))


def send(brand: str, number: int, *, now: datetime) -> tables.Script[Order | None]:
    """Note that a confirmed order is on its way; the order as it then is, or none."""
    yield from tables.execute("send_order", brand=brand, number=number, at=tables.micros(now))
    return (yield from _own(brand, number))


def find(brand: str, number: int) -> tables.Script[Order | None]:
    """An order of the contact, or their last one; the orders of others are not there."""
    if number:
        return (yield from _own(brand, number))
    row = yield from tables.one("last_order", brand=brand)
    return _order(row) if row else None


def under_way(brand: str, *, since: datetime) -> tables.Script[list[Order]]:
    """The contact's orders that wait for a yes, or were confirmed or sent since some time, the newest first."""
    rows = yield from tables.execute("orders_under_way", brand=brand, since=tables.micros(since))
    return [_order(row) for row in rows]


def _own(brand: str, number: int) -> tables.Script[Order | None]:
    row = yield from tables.one("own_order", brand=brand, number=number)
    return _order(row) if row else None


def _order(row: tables.Row) -> Order:
    return Order(row["number"], row["status"], row["pack"], row["total_cents"])
