"""The cart of a contact, as transactions: whoever takes it last waits, and a repeated call changes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NoReturn

from kiosco_catalogue import Shelves, Variant, all_meant, find_one, index_of, unknown
from kiosco_words import MAX_QUANTITY, joined, pesos, quoted

from hilo import ToolFailed, tables

MAX_LINES = 24  # all of them fit in one reply
KEPT = timedelta(days=30)  # how long a call is known
FORGOTTEN = timedelta(hours=72)  # a cart that nobody touched for so long is empty
PICK_UP = "Retiro en el local"


@dataclass(frozen=True, slots=True)
class Line:
    """So many of one thing, at its price."""

    sku: str
    label: str
    quantity: int
    cents: int  # of one of them
    touched_at: int = 0
    units: int = 0  # that there are

    @property
    def total(self) -> int:
        """What they cost together."""
        return self.quantity * self.cents


@dataclass(frozen=True, slots=True)
class Cart:
    """What would be ordered now, and what is known of the one who orders."""

    lines: tuple[Line, ...]
    notes: str = ""
    pay: str = ""
    address: str = ""
    name: str = ""
    dni: str = ""
    delivery: int = 0  # cents of a delivery, and the sum from which it is free
    free_from: int = 0

    @property
    def subtotal(self) -> int:
        """The goods alone."""
        return sum(line.total for line in self.lines)

    @property
    def shipping(self) -> int:
        """What the delivery costs; nothing before there is an address."""
        delivers = self.lines and self.address and self.address != PICK_UP and self.subtotal < self.free_from
        return self.delivery if delivers else 0

    @property
    def total(self) -> int:
        """What is charged."""
        return self.subtotal + self.shipping

    @property
    def missing(self) -> tuple[str, ...]:
        """What must be known before it can be ordered."""
        needed = {"DNI": self.dni, "nombre": self.name, "dirección": self.address}
        return tuple(what for what, known in needed.items() if not known)


@dataclass(frozen=True, slots=True)
class Changed:
    """The cart after a call, and the line as it was before; none where the call was made before."""

    cart: Cart
    line: Line | None = None


# --- what is said -------------------------------------------------------------------------------------


def short(lines: Sequence[Line]) -> str:
    """2x Coca-Cola 500 ml, 1x Fanta 500 ml."""
    return ", ".join(f"{line.quantity}x {line.label}" for line in lines)


def spoken(lines: Sequence[Line]) -> str:
    """2 Coca-Cola 500 ml y 1 Fanta 500 ml; nothing of an empty cart, which no sentence is about."""
    return joined([f"{line.quantity} {line.label}" for line in lines])


def summary(cart: Cart) -> str:
    """Every line with its price, where it goes, and the total."""
    if not cart.lines:
        return "Tu carrito está vacío."
    said = [f"• {line.quantity}x {line.label}: {pesos(line.total)}" for line in cart.lines]
    if cart.address == PICK_UP:
        said.append(f"{PICK_UP}: sin costo")
    elif cart.address:
        said.append(f"Envío a {cart.address}: {pesos(cart.shipping) if cart.shipping else 'gratis'}")
    if cart.notes:
        said.append(f"Notas: {cart.notes}")
    if cart.pay:
        said.append(f"Pago: {cart.pay}")
    return "\n".join((*said, f"Total: {pesos(cart.total)}"))


def delivered(cart: Cart) -> str:
    """What the cart comes to with its delivery, where there is one."""
    if not cart.lines or cart.address == PICK_UP:
        return ""
    fee = cart.delivery if cart.subtotal < cart.free_from else 0
    return f"Con envío, lo que llevás son {pesos(cart.subtotal + fee)}."


def one_line(cart: Cart) -> str:
    """The same without lines: a slot keeps a text on one."""
    if not cart.lines:
        return ""
    said = joined([f"{line.quantity}x {line.label} ({pesos(line.total)})" for line in cart.lines])
    where = f"; envío a {cart.address} ({pesos(cart.shipping) if cart.shipping else 'gratis'})" if cart.address else ""
    where = "; retirás en el local" if cart.address == PICK_UP else where
    paid = f". Pagás con {cart.pay}" if cart.pay else ""
    noted = f". Nota: {cart.notes}" if cart.notes else ""
    return f"{said}{where}. Total: {pesos(cart.total)}{paid}{noted}"


# --- reading ------------------------------------------------------------------------------------------


def read_cart(now: datetime) -> tables.Script[Cart]:
    """The cart as it is; one of long ago is empty."""
    head = yield from tables.one("cart")
    if head is None:
        return Cart(())
    fresh = head["touched_at"] is not None and head["touched_at"] > tables.micros(now - FORGOTTEN)
    rows = (yield from tables.execute("cart_lines")) if fresh else []
    return Cart(
        lines=tuple(
            Line(row["sku"], row["label"], row["quantity"], row["price_cents"], row["touched_at"], row["units"])
            for row in rows
        ),
        notes=head["notes"] if fresh else "",
        pay=head["pay"] if fresh else "",
        address=(head["cart_address"] if fresh else "") or head["home"],
        name=head["name"],
        dni=head["dni"],
        delivery=head["delivery_cents"],
        free_from=head["free_from_cents"],
    )


# --- writing ------------------------------------------------------------------------------------------


def take_cart(now: datetime) -> tables.Script[None]:
    """Have the cart alone until the end of the transaction; what was in it long ago goes."""
    row = yield from tables.one("take_cart", at=tables.micros(now))
    if row and row["touched_at"] <= tables.micros(now - FORGOTTEN):
        yield from empty_cart()
    yield from tables.execute("touch_cart", at=tables.micros(now))


def empty_cart() -> tables.Script[None]:
    """Nothing in it, no notes, no address of its own."""
    yield from tables.execute("drop_lines")
    yield from tables.execute("put_notes", notes="")
    yield from tables.execute("put_address", address="")
    yield from tables.execute("put_pay", pay="")


def is_new(call: str, now: datetime) -> tables.Script[bool]:
    """Whether a call has not had its effect yet; from now on it has."""
    yield from tables.execute("forget_calls", before=tables.micros(now - KEPT))
    return bool((yield from tables.one("apply_call", call=call, at=tables.micros(now))))


def add(variant: Variant, quantity: int, *, call: str, now: datetime) -> tables.Script[Cart]:
    """So many more of a product."""
    yield from take_cart(now)
    if (yield from is_new(call, now)):
        cart = yield from read_cart(now)
        had = sum(line.quantity for line in cart.lines if line.sku == variant.sku)
        if not had and len(cart.lines) >= MAX_LINES:
            tell = f"Tu carrito ya tiene {MAX_LINES} productos distintos. Confirmá este pedido y seguimos con otro."
            raise ToolFailed("cart_full", tell=tell)
        yield from _put(variant.sku, had + quantity, had=had, at=_after(cart, now))
    return (yield from read_cart(now))


def say_again(variant: Variant, quantity: int | None, *, call: str, now: datetime) -> tables.Script[Changed]:
    """Just so many of what is in the cart already, or as many as there are; what is new is added."""
    yield from take_cart(now)
    cart = yield from read_cart(now)
    line = next((each for each in cart.lines if each.sku == variant.sku), None)
    if line is None:
        return Changed((yield from add(variant, quantity or 1, call=call, now=now)))
    if (yield from is_new(call, now)) and quantity:
        yield from _put(variant.sku, quantity, had=line.quantity, at=_after(cart, now))
    return Changed((yield from read_cart(now)), line)


def change(  # noqa: PLR0913 -- which one, how many, and in whose place
    shelves: Shelves, product: str, quantity: int | None, *, instead: str = "", call: str, now: datetime
) -> tables.Script[Changed]:
    """Just so many of a product; another size or flavour of one that is in the cart takes its place."""
    yield from take_cart(now)
    if not (yield from is_new(call, now)):
        return Changed((yield from read_cart(now)))
    cart = yield from read_cart(now)
    line, sku = _changed(shelves, cart.lines, product, instead)
    had = sum(each.quantity for each in cart.lines if each.sku == sku and line and sku != line.sku)
    yield from _put(sku, had + (quantity or (line.quantity if line else 1)), had=had, at=_after(cart, now))
    if line and line.sku != sku:
        yield from tables.execute("drop_line", sku=line.sku)
    return Changed((yield from read_cart(now)), line)


def _changed(shelves: Shelves, lines: Sequence[Line], product: str, instead: str) -> tuple[Line | None, str]:
    """The line that is changed, if there is one, and what it is to be."""
    if instead:
        line = find_line(shelves, lines, instead)
        return line, find_one(shelves, product, like=shelves.variants.get(line.sku)).sku
    if not product.strip():
        line = find_line(shelves, lines, product)
        return line, line.sku
    if named := line_named(shelves, lines, product):
        return named, named.sku
    kin = [each for each in lines if _are_kin(shelves, each, product)]
    line = kin[0] if len(kin) == 1 else None
    return line, find_one(shelves, product, like=shelves.variants.get(line.sku) if line else None).sku


def _are_kin(shelves: Shelves, line: Line, product: str) -> bool:
    """Whether a line is of the product that is meant, or of its brand and kind: "la coca mejor de 2,25", "… zero"."""
    variant = shelves.variants.get(line.sku)
    if variant is None:
        return False
    kind = (variant.brand, variant.category)
    return any(
        each.product == variant.product or (each.brand, each.category) == kind for each in all_meant(shelves, product)
    )


def remove(shelves: Shelves, product: str, quantity: int | None, *, call: str, now: datetime) -> tables.Script[Changed]:
    """Take a product out, or some of it."""
    yield from take_cart(now)
    if not (yield from is_new(call, now)):
        return Changed((yield from read_cart(now)))
    line = find_line(shelves, (yield from read_cart(now)).lines, product)
    left = 0 if quantity is None else max(line.quantity - quantity, 0)
    if left:
        yield from tables.execute("put_line", sku=line.sku, quantity=left, at=tables.micros(now))
    else:
        yield from tables.execute("drop_line", sku=line.sku)
    return Changed((yield from read_cart(now)), line)


def remove_all_but(
    shelves: Shelves, names: Sequence[str], *, call: str, now: datetime
) -> tables.Script[tuple[Cart, list[Line]]]:
    """Keep what is named, and take out the rest, which is told; nothing goes where a name is of nothing there is."""
    yield from take_cart(now)
    cart = yield from read_cart(now)
    if not (yield from is_new(call, now)):
        return cart, []
    there = _shelf_of(shelves, cart.lines)
    kept = [{each.sku for each in all_meant(there, name)} for name in names]
    if not all(kept):
        missing = joined([quoted(name) for name, skus in zip(names, kept, strict=True) if not skus])
        raise ToolFailed("product_not_in_cart", tell=f"No tenés {missing}. Tenés {spoken(cart.lines)}.")
    gone = [line for line in cart.lines if all(line.sku not in skus for skus in kept)]
    for line in gone:
        yield from tables.execute("drop_line", sku=line.sku)
    return (yield from read_cart(now)), gone


def clear(*, call: str, now: datetime) -> tables.Script[Cart]:
    """An empty cart."""
    yield from take_cart(now)
    if (yield from is_new(call, now)):
        yield from empty_cart()
    return (yield from read_cart(now))


def with_note(notes: str, more: str) -> str:
    """What was wished before, and what is wished besides."""
    return notes if more in notes else ". ".join(filter(None, (notes, more)))


def note(notes: str, *, now: datetime) -> tables.Script[Cart]:
    """What the contact wishes; it says the same when it is said again."""
    yield from take_cart(now)
    before = yield from read_cart(now)
    yield from tables.execute("put_notes", notes=with_note(before.notes, notes))
    return (yield from read_cart(now))


def pay_with(pay: str, *, now: datetime) -> tables.Script[Cart]:
    """How this order will be paid."""
    yield from take_cart(now)
    yield from tables.execute("put_pay", pay=pay)
    return (yield from read_cart(now))


def send_to(address: str, *, now: datetime) -> tables.Script[Cart]:
    """Where this order goes."""
    yield from take_cart(now)
    yield from tables.execute("put_address", address=address)
    return (yield from read_cart(now))


def last_line(cart: Cart) -> Line | None:
    """What was added or changed last."""
    return max(reversed(cart.lines), key=lambda line: line.touched_at, default=None)


def find_line(shelves: Shelves, lines: Sequence[Line], product: str) -> Line:
    """The line that is meant, without a name the one that was touched last; asks or tells when it is not one."""
    if not lines:
        raise ToolFailed("cart_empty", tell="Tu carrito está vacío.")
    if not product.strip():
        return max(reversed(lines), key=lambda line: line.touched_at)
    if found := line_named(shelves, lines, product):
        return found
    raise ToolFailed("product_not_in_cart", tell=f"No tenés {quoted(product)}. Tenés {spoken(lines)}.")


def line_named(shelves: Shelves, lines: Sequence[Line], product: str) -> Line | None:
    """The line of that name, if there is one; asks when it may be several."""
    few = _shelf_of(shelves, lines)
    by_sku = {line.sku: line for line in lines}
    return by_sku[find_one(few, product).sku] if all_meant(few, product) else None


def _shelf_of(shelves: Shelves, lines: Sequence[Line]) -> Shelves:
    """Only what the cart has."""
    return index_of(shelves.variants.get(line.sku) or unknown(line.sku, line.label) for line in lines)


def skus_named(shelves: Shelves, lines: Sequence[Line], product: str) -> list[str]:
    """What the cart has of all that a text may mean: more of the coke is more of the one that is in it."""
    meant = {each.sku for each in all_meant(shelves, product)}
    return [line.sku for line in lines if line.sku in meant]


def _after(cart: Cart, now: datetime) -> int:
    """Now, yet later than what was touched before: several calls of one message are made at one moment."""
    return max(tables.micros(now), *(line.touched_at + 1 for line in cart.lines), 0)


def _put(sku: str, quantity: int, *, had: int, at: int) -> tables.Script[None]:
    """A line of the cart with no more than there is, and than we sell at once."""
    if quantity > MAX_QUANTITY:
        tell = f"Por acá puedo anotar hasta {MAX_QUANTITY} unidades de cada producto, y ya tenés {had}."
        raise ToolFailed("bad_quantity", tell=tell)
    row = yield from tables.one("price", sku=sku)
    if row is None or row["units"] < quantity:
        yield from sold_out(sku, quantity)
    yield from tables.execute("put_line", sku=sku, quantity=quantity, at=at)


def sold_out(sku: str, quantity: int) -> tables.Script[NoReturn]:
    """Tell what is left of a product, and what there is instead."""
    row = yield from tables.one("price", sku=sku)
    other = yield from tables.one("alternative", sku=sku, quantity=quantity)
    name, left = (row["label"], row["units"]) if row else (sku, 0)
    said = f"De {name} solo me quedan {left}." if left else f"Me quedé sin {name}."
    instead = f" Te puedo ofrecer {other['label']} a {pesos(other['price_cents'])}." if other else ""
    raise ToolFailed(f"out_of_stock: {sku}", tell=said + instead)
