"""What operators do for a contact or in the shop: plain functions, which no model and no contact can call.

`database` is the agent's own tables bound to the contact in question; for what concerns the whole shop, to any contact
of the workspace.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal

import kiosco_customers as customers
import kiosco_lists as lists
import kiosco_orders as orders
from kiosco_cart import MAX_LINES, Cart, Line
from kiosco_catalogue import find_category, find_one
from kiosco_outputs import CustomerOutputs, OrderOutputs, customer_outputs, order_outputs
from kiosco_shop import enter
from kiosco_words import Quantity, order_code, order_number, units

from hilo import Database, ToolFailed, tables

STEPS = ("pending", "processing", "shipped", "delivered", "completed")
MAX_DEBT = Decimal(10**8)
MAX_REASON = 100


async def create_order_for(
    database: Database, lines: Sequence[tuple[str, Quantity]], *, call_id: str, now: datetime, address: str = ""
) -> OrderOutputs:
    """Place an order for the database's contact, once per call; the cart of the contact stays as it is.

    Without an address it goes where the contact lives. Raises AskContact or ToolFailed where a line is not clear.
    """
    shelves = await enter(database, now)
    wanted: dict[str, int] = {}
    for product, quantity in lines:
        sku = find_one(shelves, product).sku
        wanted[sku] = units(quantity) + wanted.get(sku, 0)
    where = customers.checked_address(address) if address.strip() else ""
    order = await database.run(_create, wanted, where, call=call_id, now=now)
    return order_outputs(order, orders.told(order))


def _create(wanted: Mapping[str, int], address: str, *, call: str, now: datetime) -> tables.Script[orders.Order]:
    if not 0 < len(wanted) <= MAX_LINES:
        raise ToolFailed("bad_order", tell=f"Un pedido tiene de 1 a {MAX_LINES} productos.")
    head = yield from tables.one("cart")
    lines = []
    for sku, quantity in wanted.items():
        row = yield from tables.one("price", sku=sku)
        if row:
            lines.append(Line(sku, row["label"], quantity, row["price_cents"]))
    where = address or (head["home"] if head else "")
    costs = (head["delivery_cents"], head["free_from_cents"]) if head else (0, 0)
    cart = Cart(tuple(lines), address=where, delivery=costs[0], free_from=costs[1])
    return (yield from orders.place_once(cart, call=call, now=now))


async def mark_order(database: Database, order: str, status: str, *, now: datetime) -> OrderOutputs:
    """Say how far an order of the workspace is: processing, shipped, delivered, completed, or cancelled.

    It goes forward only. A completed one is paid; a cancelled one gives its stock back.
    """
    if status not in orders.STATUSES:
        raise ToolFailed("bad_status", tell=f"El estado tiene que ser uno de estos: {', '.join(orders.STATUSES)}.")
    marked = await database.run(_mark, order_number(order), status, now=now)
    return order_outputs(marked, orders.told(marked))


def _mark(number: int, status: str, *, now: datetime) -> tables.Script[orders.Order]:
    yield from tables.execute("hold_order", number=number, at=tables.micros(now))
    order = yield from orders.shop_order(number)
    if order is None:
        raise ToolFailed("order_not_found", tell=f"No existe el pedido {order_code(number)}.")
    if order.status != status:
        yield from _move(order, status, now)
    return (yield from orders.shop_order(number)) or order


def _move(order: orders.Order, status: str, now: datetime) -> tables.Script[None]:
    alive = order.status != "cancelled"
    if status == "cancelled":
        yield from orders.undo(order, now=now)
    elif alive and STEPS.index(status) > STEPS.index(order.status):
        yield from tables.execute("put_status", number=order.number, status=status, at=tables.micros(now))
    else:
        told = f"El pedido {order.code} ya está {orders.STATUSES[order.status]}."
        raise ToolFailed("order_already_processed", tell=told)
    if status == "completed":
        yield from tables.execute("end_payment", number=order.number, status="paid", at=tables.micros(now))


async def catalogue_pages(database: Database, *, now: datetime, category: str = "") -> tuple[str, ...]:
    """The catalogue as messages to send, each no longer than a channel takes."""
    shelves = await enter(database, now)
    name = find_category(shelves, category) if category.strip() else ""
    return lists.pages(shelves, await database.run(lists.offers), name)


async def note_debt(
    database: Database, amount: Decimal, reason: str, *, call_id: str, now: datetime
) -> CustomerOutputs:
    """Note that the database's contact owes something, once per call."""
    cents = amount * 100
    if not 0 < amount <= MAX_DEBT or cents != cents.to_integral_value():
        raise ToolFailed("bad_amount", tell="El importe tiene que ser mayor que cero y tener hasta dos decimales.")
    await enter(database, now)
    return customer_outputs(await database.run(_owe, int(cents), reason[:MAX_REASON], call=call_id, now=now))


def _owe(cents: int, reason: str, *, call: str, now: datetime) -> tables.Script[customers.Account]:
    yield from tables.execute("add_debt", call=call, cents=cents, reason=reason, at=tables.micros(now))
    return (yield from customers.account(now))


async def settle_debts(database: Database, *, now: datetime) -> CustomerOutputs:
    """Note that the database's contact has paid all that they owed."""
    await enter(database, now)
    return customer_outputs(await database.run(_settle, now=now))


def _settle(*, now: datetime) -> tables.Script[customers.Account]:
    yield from tables.execute("settle_debts", at=tables.micros(now))
    return (yield from customers.account(now))
