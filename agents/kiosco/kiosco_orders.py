"""Orders: stock is taken, the number is given and the cart is emptied in one transaction, or nothing of it happens."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal

from kiosco_cart import (
    MAX_LINES,
    PICK_UP,
    Cart,
    Line,
    empty_cart,
    is_new,
    line_named,
    read_cart,
    short,
    sold_out,
    summary,
    take_cart,
    with_note,
)
from kiosco_catalogue import Shelves, find_one
from kiosco_words import amount, day, joined, order_code, order_number, pesos, plain

from hilo import NeedsPerson, ToolFailed, tables

STATUSES = {
    "pending": "recibido",
    "processing": "en preparación",
    "shipped": "en camino",
    "delivered": "entregado",
    "completed": "finalizado",
    "cancelled": "cancelado",
}
PROCESSED = frozenset(("processing", "shipped", "delivered", "completed"))
SAME_YES = timedelta(minutes=10)  # a yes to a cart that was ordered just now means that order
UNDER_WAY = timedelta(hours=3)  # after that nobody asks "¿cuánto era?" of an order
OVER = frozenset(("delivered", "completed", "cancelled"))
MOST_LISTED = 5
_PAID_WITH = "Paga con"
NO_ORDERS = "Todavía no hiciste pedidos por acá. Si ya pediste de otra forma, escribí «una persona» y lo buscan."


@dataclass(frozen=True, slots=True)
class Order:
    """An order as it was placed, and how far it is."""

    number: int
    status: str
    subtotal: int
    shipping: int
    total: int
    cart: str
    address: str
    notes: str
    placed_at: datetime

    @property
    def code(self) -> str:
        """ORD-00042."""
        return order_code(self.number)

    @property
    def is_processed(self) -> bool:
        """Whether it is too late to change it."""
        return self.status in PROCESSED


@dataclass(frozen=True, slots=True)
class Shown:
    """What the contact saw and said yes to; an address only where one was shown."""

    total: Decimal
    cart: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """So many of a product in an order; 0 takes it out."""

    order: str
    product: str
    quantity: int


# --- placing ------------------------------------------------------------------------------------------


def confirm(shown: Shown, *, call: str, now: datetime, notes: str = "") -> tables.Script[Order]:
    """Order what is in the cart, if it is what was shown. A repeated call, or a second yes, finds the order made."""
    yield from take_cart(now)
    made = yield from tables.one("order_by_call", call=call)
    cart = yield from read_cart(now)
    if made or not cart.lines:
        return _order(made) if made else (yield from _just_placed(shown, now))
    _check_details(cart)
    _check_shown(cart, shown)
    order = yield from place(replace(cart, notes=with_note(cart.notes, notes)), call=call, now=now)
    yield from empty_cart()
    return order


def place(cart: Cart, *, call: str, now: datetime) -> tables.Script[Order]:
    """Take the stock, always by sku so that two never wait for each other; then the number, which everybody wants."""
    for line in sorted(cart.lines, key=lambda each: each.sku):
        if not (yield from tables.one("take_stock", sku=line.sku, quantity=line.quantity)):
            yield from sold_out(line.sku, line.quantity)
    row = yield from tables.one("next_number")
    number = row["last_number"] if row else 0
    sums = {"subtotal": cart.subtotal, "shipping": cart.shipping, "total": cart.total}
    notes = ". ".join(filter(None, (cart.notes, f"{_PAID_WITH} {cart.pay}" if cart.pay else "")))
    texts = {"cart": short(cart.lines), "address": cart.address, "notes": notes}
    yield from tables.execute("add_order", number=number, call=call, at=tables.micros(now), **sums, **texts)
    for position, line in enumerate(cart.lines):
        yield from _put_item(number, line, position)
    yield from tables.execute("put_payment", number=number, cents=cart.total, at=tables.micros(now))
    return (yield from _own(number))


def place_once(cart: Cart, *, call: str, now: datetime) -> tables.Script[Order]:
    """The same for an order that does not come from the cart; a repeated call finds it made."""
    yield from take_cart(now)  # whoever makes orders for this contact waits
    made = yield from tables.one("order_by_call", call=call)
    return _order(made) if made else (yield from place(cart, call=call, now=now))


def _put_item(number: int, line: Line, position: int) -> tables.Script[None]:
    named = {"sku": line.sku, "label": line.label, "quantity": line.quantity, "price": line.cents}
    yield from tables.execute("put_item", number=number, position=position, **named)


def _just_placed(shown: Shown, now: datetime) -> tables.Script[Order]:
    """The order that an earlier yes to the same cart has made."""
    rows = yield from tables.execute("own_orders", most=1)
    last = _order(rows[0]) if rows else None
    if last and _same(last.cart, shown.cart) and now - last.placed_at <= SAME_YES and last.status != "cancelled":
        return last
    raise ToolFailed("cart_empty", tell="Tu carrito está vacío. ¿Qué querés pedir?")


def _check_details(cart: Cart) -> None:
    if cart.missing:
        tell = f"Antes de confirmar necesito tu {joined(cart.missing)}."
        raise ToolFailed(f"missing_details: {', '.join(cart.missing)}", tell=tell)


def _check_shown(cart: Cart, shown: Shown) -> None:
    """What is charged is what was shown, or nothing."""
    same_address = not shown.address or plain(shown.address) == plain(cart.address)
    if shown.total == amount(cart.total) and _same(shown.cart, short(cart.lines)) and same_address:
        return
    what = "el precio" if _same(shown.cart, short(cart.lines)) and same_address else "el pedido"
    tell = f"Cambió {what} desde que te lo mostré. Ahora es así:\n{summary(cart)}\n¿Lo confirmo así?"
    raise ToolFailed("cart_changed", tell=tell)


def _same(one_text: str, other: str) -> bool:
    return " ".join(one_text.split()) == " ".join(other.split())


# --- finding ------------------------------------------------------------------------------------------


def own_order(written: str) -> tables.Script[Order]:
    """An order of the contact by its number, or the last one; the orders of others are not there."""
    number = order_number(written)
    rows = (
        (yield from tables.execute("own_order", number=number))
        if number
        else (yield from tables.execute("own_orders", most=1))
    )
    if rows:
        return _order(rows[0])
    tell = f"No encontré el pedido {order_code(number)} entre los tuyos." if number else NO_ORDERS
    raise ToolFailed("order_not_found", tell=tell)


def history() -> tables.Script[list[Order]]:
    """The last orders of the contact, the newest first."""
    rows = yield from tables.execute("own_orders", most=MOST_LISTED)
    return [_order(row) for row in rows]


def under_way(now: datetime) -> tables.Script[Order | None]:
    """The order that was placed a while ago and is still to come: what is said after it may be about it."""
    rows = yield from tables.execute("own_orders", most=1)
    last = _order(rows[0]) if rows else None
    return last if last and last.status not in OVER and now - last.placed_at <= UNDER_WAY else None


def note_payment(pay: str, *, now: datetime) -> tables.Script[Order | None]:
    """How the order that is under way will be paid, where nothing is in the cart."""
    yield from take_cart(now)
    order = None if (yield from read_cart(now)).lines else (yield from under_way(now))
    if order is None:
        return None
    kept = [each for each in order.notes.split(". ") if each and not each.startswith(_PAID_WITH)]
    notes = ". ".join((*kept, f"{_PAID_WITH} {pay}"))
    yield from tables.execute("put_order_notes", number=order.number, notes=notes, at=tables.micros(now))
    return (yield from _own(order.number))


def shop_order(number: int) -> tables.Script[Order | None]:
    """An order of anybody in the workspace, for operators."""
    row = yield from tables.one("shop_order", number=number)
    return _order(row) if row else None


def _lines(number: int) -> tables.Script[list[Line]]:
    rows = yield from tables.execute("items", number=number)
    return [Line(row["sku"], row["label"], row["quantity"], row["price_cents"]) for row in rows]


def _own(number: int) -> tables.Script[Order]:
    row = yield from tables.one("own_order", number=number)
    assert row is not None  # noqa: S101 -- whoever asks has just seen it
    return _order(row)


def _order(row: tables.Row) -> Order:
    money = (row["subtotal_cents"], row["shipping_cents"], row["total_cents"])
    texts = (row["cart"], row["address"], row["notes"])
    return Order(row["number"], row["status"], *money, *texts, placed_at=tables.moment(row["placed_at"]))


# --- changing -----------------------------------------------------------------------------------------


def cancel(written: str, *, now: datetime) -> tables.Script[Order]:
    """Cancel an order and give its stock back, once; tells when it is too late."""
    order = yield from _held(written, "cancelarlo", now)
    if order.status != "cancelled":
        yield from undo(order, now=now)
    return (yield from _own(order.number))


def undo(order: Order, *, now: datetime) -> tables.Script[None]:
    """An order that is held and alive is no more."""
    lines = yield from _lines(order.number)
    for line in sorted(lines, key=lambda each: each.sku):
        yield from tables.execute("give_back_stock", sku=line.sku, quantity=line.quantity)
    yield from tables.execute("put_status", number=order.number, status="cancelled", at=tables.micros(now))
    yield from tables.execute("end_payment", number=order.number, status="cancelled", at=tables.micros(now))


def modify(shelves: Shelves, change: Change, *, call: str, now: datetime) -> tables.Script[tuple[Order, str]]:
    """Just so many of a product in an order; the order, and the name of the product."""
    order = yield from _held(change.order, "modificarlo", now)
    if order.status == "cancelled":
        raise ToolFailed("order_cancelled", tell=f"Tu pedido {order.code} está cancelado.")
    lines = yield from _lines(order.number)
    line = line_named(shelves, lines, change.product) or (yield from _new_line(shelves, change.product))
    if (yield from is_new(call, now)):
        yield from _restock(line, change.quantity)
        changed = _with(lines, replace(line, quantity=change.quantity))
        yield from _rewrite(order, changed, now=now)
    return (yield from _own(order.number)), line.label


def _held(written: str, doing: str, now: datetime) -> tables.Script[Order]:
    """An order of the contact that nobody else changes now; tells when it is too late."""
    order = yield from own_order(written)
    yield from tables.execute("hold_order", number=order.number, at=tables.micros(now))
    order = yield from _own(order.number)
    if order.is_processed:
        tell = f"Tu pedido #{order.code} ya está {STATUSES[order.status]} y no puedo {doing} desde acá."
        raise NeedsPerson("order_already_processed", "order_already_processed", tell=tell)
    return order


def _new_line(shelves: Shelves, product: str) -> tables.Script[Line]:
    """None yet of a product, at today's price."""
    variant = find_one(shelves, product)
    row = yield from tables.one("price", sku=variant.sku)
    assert row is not None  # noqa: S101 -- what is found is sold
    return Line(variant.sku, variant.label, 0, row["price_cents"])


def _restock(line: Line, quantity: int) -> tables.Script[None]:
    """Take what is more, give back what is less."""
    more = quantity - line.quantity
    if more < 0:
        yield from tables.execute("give_back_stock", sku=line.sku, quantity=-more)
    elif more and not (yield from tables.one("take_stock", sku=line.sku, quantity=more)):
        yield from sold_out(line.sku, more)


def _with(lines: Sequence[Line], changed: Line) -> list[Line]:
    """The lines of an order after a change; tells when they cannot be so."""
    kept = [changed if line.sku == changed.sku else line for line in lines]
    if all(line.sku != changed.sku for line in lines):
        kept.append(changed)
    kept = [line for line in kept if line.quantity]
    if not kept:
        raise ToolFailed("order_empty", tell="El pedido quedaría vacío. Si no lo querés más, decime que lo cancele.")
    if len(kept) > MAX_LINES:
        raise ToolFailed("cart_full", tell=f"El pedido ya tiene {MAX_LINES} productos distintos.")
    return kept


def _rewrite(order: Order, lines: Sequence[Line], *, now: datetime) -> tables.Script[None]:
    """The lines and sums of an order; its delivery may become free, and never costs more than was confirmed."""
    yield from tables.execute("drop_items", number=order.number)
    for position, line in enumerate(lines):
        yield from _put_item(order.number, line, position)
    subtotal = sum(line.total for line in lines)
    shop = yield from tables.one("shop")
    shipping = 0 if shop and subtotal >= shop["free_from_cents"] else order.shipping
    sums = {"subtotal": subtotal, "shipping": shipping, "total": subtotal + shipping}
    yield from tables.execute("put_totals", number=order.number, cart=short(lines), at=tables.micros(now), **sums)
    yield from tables.execute("put_payment", number=order.number, cents=subtotal + shipping, at=tables.micros(now))


# --- again --------------------------------------------------------------------------------------------


def repeat(*, call: str, now: datetime) -> tables.Script[tuple[Cart, Order, tuple[str, ...]]]:
    """Put into the cart what the last order had; the cart, that order, and what there is not enough of."""
    yield from take_cart(now)
    orders = yield from history()
    last = next((order for order in orders if order.status != "cancelled"), None)
    cart = yield from read_cart(now)
    if last is None:
        none = "Todavía no tenés pedidos anteriores para repetir."
        raise ToolFailed("order_not_found", tell=f"{none} Tu carrito:\n{summary(cart)}" if cart.lines else none)
    lines = yield from _lines(last.number)
    if not (yield from is_new(call, now)):
        return cart, last, ()
    if len({line.sku for line in (*cart.lines, *lines)}) > MAX_LINES:
        raise ToolFailed("cart_full", tell=f"Con eso el carrito pasaría de {MAX_LINES} productos distintos.")
    lacking = []
    for line in lines:
        wanted = max(line.quantity, *(each.quantity for each in cart.lines if each.sku == line.sku), 0)
        if not (yield from _put_again(line.sku, wanted, now)):
            lacking.append(line.label)
    return (yield from read_cart(now)), last, tuple(lacking)


def _put_again(sku: str, quantity: int, now: datetime) -> tables.Script[bool]:
    """So many of a product, or as many as there are; whether there were enough."""
    row = yield from tables.one("price", sku=sku)
    there = min(quantity, row["units"]) if row else 0
    if there:
        yield from tables.execute("put_line", sku=sku, quantity=there, at=tables.micros(now))
    return there == quantity


# --- what is said -------------------------------------------------------------------------------------


def told(order: Order) -> str:
    """An order in two lines."""
    where = order.address if order.address == PICK_UP else f"Envío a {order.address}"
    sums = f"Total: {pesos(order.total)}" + (f" (envío {pesos(order.shipping)})" if order.shipping else "")
    return f"Pedido {order.code} ({day(order.placed_at)}), {STATUSES[order.status]}: {order.cart}.\n{where}. {sums}."


def still_told(order: Order) -> str:
    """An order that was placed a while ago, where the cart is asked for and empty."""
    sums = f"{pesos(order.total)}" + (f", con {pesos(order.shipping)} de envío" if order.shipping else "")
    return f"Tu pedido {order.code} ya está confirmado: {order.cart}. Son {sums}."


def listed(orders: Sequence[Order]) -> str:
    """Orders, one a line."""
    return "\n".join(
        f"• {each.code} ({day(each.placed_at)}): {each.cart}. {pesos(each.total)}, {STATUSES[each.status]}."
        for each in orders
    )
