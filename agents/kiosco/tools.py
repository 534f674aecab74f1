"""The tools of the kiosk: its customers, products, carts and orders, and what the business says of itself."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Literal, NamedTuple

import kiosco_cart as carts
import kiosco_customers as customers
import kiosco_lists as lists
import kiosco_operators as operators
import kiosco_orders as orders
from kiosco_catalogue import (
    MOST_OPTIONS,
    Shelves,
    Variant,
    Wanted,
    all_meant,
    by_pack,
    by_weight,
    categories,
    find_all,
    find_category,
    find_one,
    nearest,
    wishes_in,
)
from kiosco_outputs import (
    CartOutputs,
    CustomerOutputs,
    Debt,
    Detail,
    Found,
    OrderOutputs,
    Profile,
    Told,
    cart_outputs,
    customer_outputs,
    order_outputs,
    payment_told,
    phone_of,
)
from kiosco_shop import enter, profile
from kiosco_words import Quantity, QuantityIfSaid, amount, joined, note_in, pesos, plain, quoted, units, wording

from hilo import AskContact, Contact, Database, ToolFailed, tool

MAX_NOTES = 140
MAX_PAY = 40
MOST_ROWS = 20
ALL_BUT = "todo menos "


# --- the customer -------------------------------------------------------------------------------------


@tool
async def get_customer_info(database: Database, now: datetime) -> CustomerOutputs:
    """Tell what the shop knows of the contact: name, DNI, address, orders, debt, and what an order would still need.

    Use it before asking for data that may be known, and for "¿qué datos míos tenés?".
    """
    await enter(database, now)
    return customer_outputs(await database.run(customers.account, now))


@tool(writes=True, needs_yes=False)
async def update_customer_info(  # noqa: PLR0913, PLR0917 -- what may be told of a person
    database: Database,
    contact: Contact,
    now: datetime,
    name: str = "",
    dni: str = "",
    address: str = "",
    email: str = "",
) -> CustomerOutputs:
    """Remember what the contact tells of themselves. Give only what they said; what is left empty stays as it is.

    name: first name, or whole name. dni: the national id, 7 or 8 digits. address: street and number, or that they
    will pick it up. email: an e-mail address.
    """
    await enter(database, now)
    said = customers.Customer(
        name=customers.checked_name(name) if name.strip() else "",
        dni=customers.checked_dni(dni) if dni.strip() else "",
        address=customers.checked_address(address) if address.strip() else "",
        email=customers.checked_email(email) if email.strip() else "",
        phone=phone_of(contact),
    )
    return customer_outputs(await database.run(customers.update, said, now=now))


@tool
async def get_customer_debt(database: Database, now: datetime) -> Debt:
    """Tell what the contact owes the shop, and for what. Use it for "¿cuánto debo?", "¿tengo algo pendiente?"."""
    await enter(database, now)
    known = await database.run(customers.account, now)
    return {"text": customers.debt_told(known), "debt": amount(known.debt), "count": len(known.debts)}


@tool
async def get_order_history(database: Database) -> Told:
    """List the contact's last five orders with date, content, total and status. Use it for "¿qué pedí antes?"."""
    found = await database.run(orders.history)
    said = f"Tus últimos pedidos:\n{orders.listed(found)}" if found else "Todavía no hiciste pedidos."
    return {"text": said, "count": len(found)}


# --- products -----------------------------------------------------------------------------------------


@tool
async def search_products(query: str, database: Database, now: datetime) -> Found:
    """Search what the shop sells, with prices. It changes nothing.

    Use it for "¿tenés coca?", "¿qué galletitas hay?", "algo sin azúcar", "¿cuánto salen las papas?".
    query: what the contact is looking for, in their own words; sin azúcar, sin TACC, light, vegano, sin lactosa and
    sin alcohol find the products marked so.
    """
    shelves = await enter(database, now)
    wishes = wishes_in(shelves, query)
    if not any(wish.words or wish.tags for wish in wishes):
        raise AskContact("query", list(categories(shelves))[:MOST_OPTIONS], "¿Qué estás buscando?")
    known = await database.run(lists.offers)
    there: dict[str, Variant] = {}
    lacking: list[str] = []
    for wish in wishes:
        found = [each for each in find_all(shelves, wish) if known[each.sku].units]
        there |= {each.sku: each for each in found}
        if not found:
            like = nearest(shelves, wish.words) if wish.words and not wish.tags else ""
            lacking.append(f"No tengo {quoted(wish.words or query)}.{like}")
    if not there:
        return {"text": " ".join(lacking), "count": 0, "listed": "", "first": "", "products": []}
    offered = list(there.values())
    listed = lists.listed(offered, known)
    return {
        "text": "\n".join((f"{_tagged(wishes)}:\n{listed}", *lacking)),
        "count": len(offered),
        "listed": listed,
        "first": offered[0].label,
        "products": _rows(offered, known),
    }


def _tagged(wishes: Sequence[Wanted]) -> str:
    """Sin azúcar tengo: who must know that hears it."""
    tags = list(dict.fromkeys(tag for wish in wishes for tag in wish.tags))
    return f"{joined(tags)} tengo".capitalize() if tags else "Tengo"


def _rows(found: Sequence[Variant], known: Mapping[str, lists.Offer]) -> list[dict[str, object]]:
    """Products with their prices, for models and for "la más barata"."""
    shown = found[:MOST_ROWS]
    return [{"sku": each.sku, "name": each.label, "price": str(amount(known[each.sku].cents))} for each in shown]


@tool
async def get_product_details(product: str, database: Database, now: datetime) -> Detail:
    """Tell the price, the stock and the marks of one product, or the sizes and flavours it comes in.

    Use it for "¿cuánto sale la coca de litro y medio?", "¿el Serenito tiene TACC?".
    product: its name as the contact wrote it, or its sku.
    """
    shelves = await enter(database, now)
    known = await database.run(lists.offers)
    if product not in shelves.variants:
        several = wishes_in(shelves, product)
        if not any(wish.words or wish.tags for wish in several):
            await _tell_what_it_comes_to(database, now)
        product = several[0].words if len(several) == 1 else product
    else:
        several = []
    meant = all_meant(shelves, product) if len(several) <= 1 else _all_meant(shelves, several)
    if len(meant) > 1 and len({each.product for each in meant}) == 1:
        best, said = meant[0], lists.product_line(meant, known).removeprefix("• ") + "."
    elif len(meant) > 1:
        best, said = meant[0], lists.listed(meant, known)
    else:
        best = find_one(shelves, product)
        price = pesos(known[best.sku].cents)
        stock = "hay stock" if known[best.sku].units else "ahora no hay stock"
        said = f"{best.label}: {price}, {stock}." + (f" Es {joined(best.tags)}." if best.tags else "")
    return {
        "text": said,
        "name": best.label if len(meant) == 1 else best.product,
        "sku": best.sku,
        "category": best.category,
        "price": amount(known[best.sku].cents),
        "stock": known[best.sku].units,
        "tags": ", ".join(best.tags),
        "products": _rows(meant if len(meant) > 1 else [best], known),
    }


async def _tell_what_it_comes_to(database: Database, now: datetime) -> None:
    """The cart, or the order that was just placed, to who asks the price of nothing: "¿cuánto me sale?"."""
    cart, placed = await database.run(carts.read_cart, now), await database.run(orders.under_way, now)
    if cart.lines or placed:
        raise ToolFailed("no_product_named", tell=cart_outputs(cart, placed=placed)["text"])


def _all_meant(shelves: Shelves, wishes: Sequence[Wanted]) -> list[Variant]:
    """What several names mean, in their order."""
    found = [each for wish in wishes for each in all_meant(shelves, wish.words)]
    return list(dict.fromkeys(found))


@tool
async def get_categories(database: Database, now: datetime) -> Told:
    """List the categories of what the shop sells. Use it for "¿qué venden?", "¿qué rubros tenés?"."""
    names = list(categories(await enter(database, now)))
    return {"text": f"Tenemos {joined(names)}. ¿Qué buscás?", "count": len(names)}


@tool
async def get_catalog(database: Database, now: datetime, category: str = "") -> Told:
    """Send the catalogue: the whole shop by category, or the price list of one category.

    Use it for "pasame el catálogo", "lista de precios de bebidas". category: a category; empty for all.
    """
    return await _catalogue(database, now, category)


async def _catalogue(database: Database, now: datetime, category: str) -> Told:
    shelves = await enter(database, now)
    if not category.strip():
        return {"text": f"Nuestro catálogo:\n{lists.overview(shelves)}", "count": len(shelves.variants)}
    name = find_category(shelves, category)
    variants = categories(shelves)[name]
    listed = lists.listed(variants, await database.run(lists.offers), most=len(variants))
    return {"text": f"{name}:\n{listed}", "count": len(variants)}


# --- the cart -----------------------------------------------------------------------------------------


@tool(writes=True, needs_yes=False)
async def add_to_cart(  # noqa: PLR0913, PLR0917 -- three of them are the engine's
    database: Database,
    call_id: str,
    now: datetime,
    product: str = "",
    quantity: QuantityIfSaid = None,
    more: bool | None = None,  # noqa: FBT001 -- tools are called by name
) -> CartOutputs:
    """Add a product to the contact's cart. For several products call it once for each, in the same message.

    Use it for "quiero 2 cocas", "agregá un alfajor". Do not search first: a name that may mean several is asked for.
    product: its name with size and flavour if they were said ("coca 500", "jorgito blanco"), or its sku; empty for
    one more of what was added or changed last.
    quantity: how many more, from 1 to 200; one if it is left out.
    more: false where the contact only says again what they want: of what the cart has already there are then just
    `quantity`, or as many as before. Leave it out otherwise.
    """
    count = 1 if quantity is None else units(quantity)
    shelves = await enter(database, now)
    if not product.strip():
        last = carts.last_line(await database.run(carts.read_cart, now))
        product = last.label if last else ""
    if packed := by_weight(shelves, product, count):
        product, count = packed, 1
    known = await database.run(lists.offers)
    if pack := by_pack(shelves, product, count):
        variant, count = pack, 1
    else:
        prices = {sku: each.cents for sku, each in known.items()}
        cart = await database.run(carts.read_cart, now)
        there = (more is not None and carts.skus_named(shelves, cart.lines, product)) or lists.at_hand(known)
        variant = find_one(shelves, product, there=there, prices=prices)
    if more is False:
        told = None if quantity is None else count
        done = await database.run(carts.say_again, variant, told, call=call_id, now=now)
        if done.line:
            return _said_again(done.cart, done.line, told or done.line.quantity)
        return cart_outputs(done.cart, f"Agregué {count} {variant.label}.", variant.label, count)
    cart = await database.run(carts.add, variant, count, call=call_id, now=now)
    return cart_outputs(cart, f"Agregué {count} {variant.label}.", variant.label, count)


def _said_again(cart: carts.Cart, before: carts.Line, count: int) -> CartOutputs:
    """What the cart has of something that it had before."""
    said = f"Ya tenés {count} {before.label}."
    if count != before.quantity:
        said = f"Listo, ahora {'es' if count == 1 else 'son'} {count} {before.label}."
    return cart_outputs(cart, said, before.label, count)


@tool(writes=True, needs_yes=False)
async def update_cart_item(  # noqa: PLR0913, PLR0917 -- three of them are the engine's
    database: Database,
    call_id: str,
    now: datetime,
    product: str = "",
    quantity: Quantity | None = None,
    instead: str = "",
) -> CartOutputs:
    """Set how many of a product the cart has, or which one. Use it for "que sean 4", "cambiame la coca por fanta".

    product: its name as the contact wrote it; empty for the one that was added or changed last. Another size or flavour
    of what is in the cart takes its place.
    quantity: how many there shall be, from 1 to 200; leave it out for as many as there are. To have none call
    remove_from_cart. instead: what it takes the place of, as the contact wrote it.
    """
    wanted = None if quantity is None else units(quantity)
    shelves = await enter(database, now)
    done = await database.run(carts.change, shelves, product, wanted, instead=instead, call=call_id, now=now)
    new, before = carts.last_line(done.cart), done.line
    if new is None:
        return cart_outputs(done.cart)
    count = new.quantity
    said = f"Listo, ahora {'es' if count == 1 else 'son'} {count} {new.label}."
    if before is None:
        said = f"Agregué {count} {new.label}."
    elif before.sku != new.sku:
        said = f"Cambié {before.quantity} {before.label} por {count} {new.label}."
    return cart_outputs(done.cart, said, new.label, count)


@tool(writes=True, needs_yes=False)
async def remove_from_cart(
    database: Database, call_id: str, now: datetime, product: str = "", quantity: Quantity | None = None
) -> CartOutputs:
    """Take a product out of the cart, or some units of it. Use it for "sacá la fanta", "quitá una coca".

    product: its name as the contact wrote it; empty for the one that was added or changed last; "todo menos" and names
    for all but those.
    quantity: how many to take out; leave it out to take all of them.
    """
    less = None if quantity is None else units(quantity)
    shelves = await enter(database, now)
    said = plain(product)
    if said.startswith(ALL_BUT):
        stays = [wish.words for wish in wishes_in(shelves, said.removeprefix(ALL_BUT))]
        cart, out = await database.run(carts.remove_all_but, shelves, stays, call=call_id, now=now)
        return cart_outputs(cart, f"Saqué {carts.spoken(out)}." if out else "Ya está solo eso en tu carrito.")
    if said in {"todo", "todos", "todas"}:
        return cart_outputs(await database.run(carts.clear, call=call_id, now=now), "Listo, saqué todo.")
    done = await database.run(carts.remove, shelves, product, less, call=call_id, now=now)
    name = done.line.label if done.line else product
    gone = min(less or done.line.quantity, done.line.quantity) if done.line else less or 0
    return cart_outputs(done.cart, f"Saqué {gone} {name}." if gone else f"Saqué {name}.", name, gone)


@tool(writes=True, needs_yes=False)
async def clear_cart(database: Database, call_id: str, now: datetime) -> CartOutputs:
    """Empty the cart. Use it for "vaciá el carrito", "empecemos de nuevo", "ya no quiero nada"."""
    await enter(database, now)
    return cart_outputs(await database.run(carts.clear, call=call_id, now=now), "Listo, vacié tu carrito.")


@tool
async def get_cart(database: Database, now: datetime) -> CartOutputs:
    """Show the cart with prices and total. Use it for "¿qué llevo?", "¿cuánto va?", and before confirming an order."""
    await enter(database, now)
    cart, placed = await database.run(carts.read_cart, now), await database.run(orders.under_way, now)
    return cart_outputs(cart, placed=placed)


@tool(writes=True, needs_yes=False)
async def set_cart_notes(notes: str, database: Database, now: datetime) -> CartOutputs:
    """Note a wish about the whole order, beside those before. notes: "bien frías", "tocar timbre B"."""
    await enter(database, now)
    said = wording(note_in(notes), most=MAX_NOTES, parameter="notes", question="¿Qué querés que anote?")
    return cart_outputs(await database.run(carts.note, said, now=now), f"Anoté: {said}.")


@tool(writes=True, needs_yes=False)
async def set_shipping_address(address: str, database: Database, now: datetime) -> CartOutputs:
    """Set where this order goes. Use it for "mandalo a San Martín 123", "paso a buscarlo".

    address: street and number with whatever helps to find it, or that the contact will pick it up.
    """
    await enter(database, now)
    where = customers.checked_address(address)
    cart = await database.run(customers.ship_to, where, now=now)
    return cart_outputs(
        cart, "Perfecto, lo retirás en el local." if where == carts.PICK_UP else f"Lo enviamos a {where}."
    )


@tool(writes=True, needs_yes=False)
async def set_payment_method(pay: str, database: Database, now: datetime) -> CartOutputs:
    """Note how the contact wants to pay for this order. Use it for "pago con Mercado Pago", "te pago en efectivo".

    pay: efectivo, transferencia, Mercado Pago, tarjeta de débito or tarjeta de crédito.
    """
    await enter(database, now)
    return await _paid_with(database, now, pay[:MAX_PAY])


async def _paid_with(database: Database, now: datetime, pay: str, more: str = "") -> CartOutputs:
    """Note how it is paid, of the cart or else of the order that was just placed."""
    placed = await database.run(orders.note_payment, pay, now=now)
    if placed:
        done = f"Anoté en tu pedido {placed.code} que pagás con {pay}.{more}"
        return cart_outputs(await database.run(carts.read_cart, now), done, placed=placed)
    return cart_outputs(await database.run(carts.pay_with, pay, now=now), f"Anoté que pagás con {pay}.{more}")


@tool(writes=True, needs_yes=False)
async def note_cash(cash: Decimal, database: Database, now: datetime) -> CartOutputs:
    """Note with how much cash the contact pays, so that who brings the order has the change.

    Use it for "pago con 20 mil", "tengo un billete de 10 mil". cash: what they pay with, in pesos.
    """
    await enter(database, now)
    cart, placed = await database.run(carts.read_cart, now), await database.run(orders.under_way, now)
    total = cart.total if cart.lines or not placed else placed.total
    cents = int(cash * 100)
    if cents < total:
        raise ToolFailed("too_little", tell=f"Con {pesos(cents)} no alcanza: son {pesos(total)}.")
    address = cart.address if cart.lines or not placed else placed.address
    change = " Ahí te damos el vuelto." if address == carts.PICK_UP else " Te llevamos el vuelto."
    return await _paid_with(database, now, f"{pesos(cents)} en efectivo", change)


@tool(writes=True, needs_yes=False)
async def repeat_last_order(database: Database, call_id: str, now: datetime) -> CartOutputs:
    """Put into the cart what the contact's last order had, at today's prices. Use it for "lo mismo que la otra vez"."""
    await enter(database, now)
    cart, last, lacking = await database.run(orders.repeat, call=call_id, now=now)
    if lacking and not cart.lines:
        raise ToolFailed("out_of_stock", tell=f"De tu pedido {last.code} ahora no me queda nada.")
    less = f" No me alcanza el stock de {joined(lacking)}." if lacking else ""
    return cart_outputs(cart, f"Cargué lo mismo que en tu pedido {last.code}.{less}")


# --- orders -------------------------------------------------------------------------------------------


@tool(writes=True, needs_yes=True)
async def confirm_order(  # noqa: PLR0913, PLR0917 -- three of them are the engine's
    total: Decimal, cart: str, database: Database, call_id: str, now: datetime, address: str = "", notes: str = ""
) -> OrderOutputs:
    """Place the order of what is in the cart, after the contact saw its summary and said yes.

    total, cart and address: what the summary showed (`total`, `cart` and `address` of get_cart). When the cart, a price
    or the address has changed since, nothing is ordered, and the contact is told the new summary. notes: what the
    contact wished besides the cart's own notes, for who packs and brings it.
    """
    await enter(database, now)
    shown = orders.Shown(total, cart, customers.checked_address(address) if address.strip() else "")
    order = await database.run(orders.confirm, shown, call=call_id, now=now, notes=notes)
    return order_outputs(
        order, f"¡Listo! Tu pedido {order.code} está confirmado: {order.cart}. Total: {pesos(order.total)}."
    )


@tool(writes=True, needs_yes=True)
async def cancel_order(database: Database, now: datetime, order: str = "") -> OrderOutputs:
    """Cancel an order of the contact that is not being prepared yet.

    order: its number ("ORD-00042", "42"); empty for the last one.
    """
    done = await database.run(orders.cancel, order, now=now)
    return order_outputs(done, f"Cancelé tu pedido {done.code}.")


@tool(writes=True, needs_yes=True)
async def modify_order(  # noqa: PLR0913, PLR0917 -- three of them are the engine's
    product: str, quantity: Quantity, database: Database, call_id: str, now: datetime, order: str = ""
) -> OrderOutputs:
    """Change how many of a product an order has that is placed and not being prepared yet.

    product: its name as the contact wrote it; one that the order does not have is added.
    quantity: how many there shall be, up to 200; 0 takes it out. order: its number; empty for the last one.
    """
    shelves = await enter(database, now)
    change = orders.Change(order, product, units(quantity, least=0))
    done, name = await database.run(orders.modify, shelves, change, call=call_id, now=now)
    said = f"Ahora tu pedido {done.code} tiene {change.quantity} {name}." if change.quantity else f"Saqué {name}."
    return order_outputs(done, f"{said} Nuevo total: {pesos(done.total)}.")


@tool
async def get_order_details(database: Database, order: str = "") -> OrderOutputs:
    """Tell the content, the total and the status of one of the contact's orders.

    Use it for "¿cómo va mi pedido?", and before cancelling or changing one: it is too late where `processed` is true.
    order: its number ("ORD-00042", "42"); empty for the last one.
    """
    found = await database.run(orders.own_order, order)
    return order_outputs(found, orders.told(found))


Progress = Literal["processing", "shipped", "delivered", "completed", "cancelled"]


class WantedLine(NamedTuple):
    """What an operator wants for the contact, and how many; the panel makes a form of it."""

    product: str
    quantity: Quantity


@tool(writes=True, operator=True)
async def create_order(
    products: list[WantedLine], database: Database, call_id: str, now: datetime, address: str = ""
) -> OrderOutputs:
    """Place an order for the contact of the session: [[product, quantity], …]; their cart stays as it is."""
    try:
        return await operators.create_order_for(database, products, call_id=call_id, now=now, address=address)
    except AskContact as unclear:  # an operator has no buttons for it
        told = f"{unclear.question} {joined(unclear.options)}".strip()
        raise ToolFailed("product_not_clear", tell=told) from None


@tool(writes=True, operator=True)
async def mark_order(order: str, status: Progress, database: Database, now: datetime) -> OrderOutputs:
    """Say how far an order is: processing, shipped, delivered, completed, or cancelled."""
    return await operators.mark_order(database, order, status, now=now)


@tool(operator=True)
async def send_catalog(database: Database, now: datetime, category: str = "") -> Told:
    """Send the catalogue to the contact, whole or of one category."""
    return await _catalogue(database, now, category)


# --- the business -------------------------------------------------------------------------------------


@tool
async def get_commerce_profile(database: Database, now: datetime, topic: str = "") -> Profile:
    """Tell about the business: opening hours, address, delivery, payment, policies.

    Use it for "¿hasta qué hora están?", "¿dónde quedan?", "¿hacen envíos?", "¿cómo es si quiero devolver algo?".
    topic: hours, location, delivery, payment or policies, for that sentence alone; empty for all of them.
    """
    await enter(database, now)
    shop = await database.run(profile)
    told = {
        "hours": shop["hours"],
        "location": shop["address"],
        "delivery": shop["delivery"],
        "payment": payment_told(shop["payment"]),
        "policies": shop["policies"],
    }
    text = told.get(topic.strip().lower()) or "\n".join(told.values())
    return {"text": text, "name": shop["name"], "phone": shop["phone"], **told}  # type: ignore[typeddict-item]


@tool
async def get_payment_methods(database: Database, now: datetime) -> Told:
    """Tell how the contact can pay. Use it for "¿aceptan tarjeta?", "¿puedo transferir?"."""
    await enter(database, now)
    methods = (await database.run(profile))["payment"]
    return {"text": payment_told(methods), "count": len(methods.split("|"))}
