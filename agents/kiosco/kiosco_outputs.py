"""What the tools of the kiosk give: values that templates can speak, and a text that is ready to be sent."""

from decimal import Decimal
from typing import TypedDict

import kiosco_cart as carts
import kiosco_customers as customers
import kiosco_orders as orders
from kiosco_words import amount, joined

from hilo import Contact

SHORTEST_PHONE = 8
EMPTY = "Tu carrito está vacío. Cuando quieras, decime qué te mando."
NOTHING = "Por ahora tu carrito está vacío. ¿Qué te mando?"
MOST_TEXT = 2000  # characters of one output, as docs/tools.md says


class CartOutputs(TypedDict):
    """What every tool of the cart gives."""

    text: str  # what was done, and the cart
    done: str  # what was done
    cart: str  # 2x Coca-Cola 500 ml, 1x Fanta 500 ml
    spoken: str  # 2 Coca-Cola 500 ml y 1 Fanta 500 ml
    summary: str  # every line with its price, the delivery, the total
    one_line: str  # the same on one line
    total: Decimal  # what would be charged, with the delivery where there is an address
    delivered: str  # what it comes to with its delivery
    subtotal: Decimal
    shipping: Decimal
    count: int  # of different products
    units: int
    address: str
    notes: str
    missing: str  # DNI, nombre, dirección
    missing_count: int
    product: str  # the one that was touched last
    quantity: int
    standing: str  # what to say of an empty cart: the order that was just placed, where there is one
    nothing: str  # that it is empty, where no order was just placed


class OrderOutputs(TypedDict):
    """What every tool of an order gives."""

    text: str
    order: str  # ORD-00042
    status: str  # pending, processing, shipped, delivered, completed, cancelled
    status_text: str
    processed: bool  # too late to cancel or change it
    ordered: str  # 2x Coca-Cola 500 ml
    delivered: str  # nothing: what was ordered is no cart any more
    order_total: Decimal
    subtotal: Decimal
    shipping: Decimal
    address: str


class CustomerOutputs(TypedDict):
    """What is known of the contact."""

    text: str
    name: str
    dni: str
    address: str
    phone: str
    email: str
    orders: int
    spent: Decimal
    debt: Decimal
    missing: str
    missing_count: int


class Debt(TypedDict):
    """What the contact owes, and in how many parts."""

    text: str
    debt: Decimal
    count: int


class Found(TypedDict):
    """What a search gives."""

    text: str
    count: int
    listed: str
    first: str
    products: list[dict[str, object]]


class Detail(TypedDict):
    """One product."""

    text: str
    name: str
    sku: str
    category: str
    price: Decimal
    stock: int
    tags: str
    products: list[dict[str, object]]


class Profile(TypedDict):
    """The business in sentences, one for each topic."""

    text: str
    name: str
    hours: str
    location: str
    phone: str
    delivery: str
    payment: str
    policies: str


class Told(TypedDict):
    """A text, and how many things it lists."""

    text: str
    count: int


def payment_told(methods: str) -> str:
    """Podés pagar con efectivo o transferencia."""
    return f"Podés pagar con {joined([each[:1].lower() + each[1:] for each in methods.split('|')], 'o')}."


def phone_of(contact: Contact) -> str:
    """Where they write from, where that is a phone."""
    digits = contact.address.removeprefix("+")
    return contact.address if digits.isdecimal() and len(digits) >= SHORTEST_PHONE else ""


def customer_outputs(known: customers.Account) -> CustomerOutputs:
    """A contact as the shop knows them."""
    who = known.customer
    return {
        "text": customers.told(known),
        "name": who.name,
        "dni": who.dni,
        "address": known.goes_to,
        "phone": who.phone,
        "email": who.email,
        "orders": known.orders,
        "spent": amount(known.spent),
        "debt": amount(known.debt),
        "missing": ", ".join(known.missing),
        "missing_count": len(known.missing),
    }


def cart_outputs(
    cart: carts.Cart, done: str = "", product: str = "", quantity: int = 0, *, placed: orders.Order | None = None
) -> CartOutputs:
    """A cart with what was done to it; who has an empty one may mean the order just `placed`."""
    last = carts.last_line(cart)
    standing = orders.still_told(placed) if placed else EMPTY
    summary = orders.still_told(placed) if placed and not cart.lines else carts.summary(cart)
    text = "\n".join(filter(None, (done, f"Tu carrito:\n{summary}" if cart.lines else summary)))
    return {
        "text": text if len(text) <= MOST_TEXT else summary,
        "done": done,
        "cart": carts.short(cart.lines),
        "spoken": carts.spoken(cart.lines),
        "summary": summary,
        "one_line": carts.one_line(cart),
        "total": amount(cart.total),
        "delivered": carts.delivered(cart),
        "subtotal": amount(cart.subtotal),
        "shipping": amount(cart.shipping),
        "count": len(cart.lines),
        "units": sum(line.quantity for line in cart.lines),
        "address": cart.address,
        "notes": cart.notes,
        "missing": ", ".join(cart.missing),
        "missing_count": len(cart.missing),
        "product": product or (last.label if last else ""),
        "quantity": quantity or (last.quantity if last else 0),
        "standing": standing,
        "nothing": "" if placed else NOTHING,
    }


def order_outputs(order: orders.Order, said: str) -> OrderOutputs:
    """An order with what is said of it."""
    return {
        "text": said,
        "order": order.code,
        "status": order.status,
        "status_text": orders.STATUSES[order.status],
        "processed": order.is_processed,
        "ordered": order.cart,
        "delivered": "",
        "order_total": amount(order.total),
        "subtotal": amount(order.subtotal),
        "shipping": amount(order.shipping),
        "address": order.address,
    }
