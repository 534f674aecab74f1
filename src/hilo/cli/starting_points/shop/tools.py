"""The shop: a basket and orders in tables of the agent's own, prices from products.csv."""

import csv
from collections.abc import Collection, Iterable
from decimal import Decimal
from pathlib import Path
from typing import TypedDict

from hilo import AskContact, Database, ToolFailed, language, tables, tool

with (Path(__file__).parent / "products.csv").open(encoding="utf-8", newline="") as _lines:
    PRODUCTS = list(csv.DictReader(_lines))
PRICES = {row["product"]: Decimal(row["price"]) for row in PRODUCTS}
GOODS = [
    language.Product(row["product"], row["product"], category=row["category"], keywords=row["synonyms"].split("|"))
    for row in PRODUCTS
]
CATALOGUE = language.build_catalogue(GOODS)


class Changed(TypedDict):
    product: str
    quantity: int
    basket: str
    total: Decimal


class Basket(TypedDict):
    basket: str
    total: Decimal


class Ordered(TypedDict):
    number: int


class Listed(TypedDict):
    carta: str


class Priced(TypedDict):
    prices: str
    names: list[str]


@tool(writes=True, needs_yes=False)
async def add(product: str, database: Database, call_id: str, quantity: Decimal = Decimal(1)) -> Changed:
    """Put so many more of a product into the basket."""
    name = known(product)
    return await database.run(changed, name, whole(name, quantity), call=call_id)


@tool(writes=True, needs_yes=False)
async def take_out(product: str, database: Database, call_id: str, quantity: Decimal = Decimal()) -> Changed:
    """Take a product out of the basket, or some of it."""
    name = known(product, among=await database.run(chosen))
    if quantity:
        return await database.run(changed, name, -whole(name, quantity), call=call_id)
    return await database.run(left, name, 0, call=call_id)


@tool(writes=True, needs_yes=False)
async def leave(product: str, quantity: Decimal, database: Database, call_id: str) -> Changed:
    """Have just so many of a product in the basket."""
    name = known(product, among=await database.run(chosen))
    return await database.run(left, name, whole(name, quantity), call=call_id)


@tool
async def show_basket(database: Database) -> Basket:
    """What is in the basket."""
    basket, total = await database.run(contents)
    if not basket:
        raise ToolFailed("the basket is empty", tell="Todavía no elegiste nada. ¿Qué te preparo?")
    return {"basket": basket, "total": total}


@tool(writes=True)
async def empty(database: Database) -> Basket:
    """Take everything out of the basket."""
    await database.run(emptied)
    return {"basket": "", "total": Decimal()}


@tool(writes=True)
async def place_order(nombre: str, direccion: str, database: Database, call_id: str, notas: str = "") -> Ordered:
    """Make the order, and empty the basket."""
    return {"number": await database.run(placed, nombre, direccion, notas, call=call_id)}


@tool
def list_products() -> Listed:
    """What there is, with its price."""
    return {"carta": listed(PRICES)}


@tool
def price(asked: str) -> Priced:
    """What the products cost that the contact's words name."""
    named = language.goods_in(CATALOGUE, asked)
    found = list(dict.fromkeys(each.id for words in named for each in CATALOGUE.find(words).candidates))
    if not found:
        raise ToolFailed(f"nothing is named by {asked}", tell=f"Esto es lo que tengo:\n{listed(PRICES)}")
    return {"prices": listed(found), "names": found}


def listed(names: Iterable[str]) -> str:
    """Products with their prices, as texts say amounts: $9.500."""
    return "\n".join(f"{name}: ${f'{PRICES[name]:,}'.replace(',', '.')}" for name in names)


def known(said: str, *, among: Collection[str] = PRICES) -> str:
    """The product that the contact's words name; which of several is asked."""
    found = language.build_catalogue([each for each in GOODS if each.id in among]).find(said)
    names = [each.id for each in found.candidates]
    if not names:
        raise ToolFailed(f"there is no {said}", tell=f"No tengo {said}.")
    if found.ambiguous:
        raise AskContact("product", names[:3], "¿Cuál?")
    return names[0]


def whole(product: str, quantity: Decimal) -> int:
    """How many; half a pizza is not sold."""
    if quantity % 1:
        raise ToolFailed(f"not a whole number: {quantity}", tell=f"{product} va por unidad entera. ¿Cuántas querés?")
    return int(quantity)


def changed(product: str, more: int, *, call: str) -> tables.Script[Changed]:
    """Change the basket once, however often the call is repeated: every change is a row."""
    yield from tables.execute("change_basket", product=product, more=more, call=call)
    basket, total = yield from contents()
    return {"product": product, "quantity": abs(more), "basket": basket or "nada", "total": total}


def left(product: str, quantity: int, *, call: str) -> tables.Script[Changed]:
    """Have so many of a product, whatever there were."""
    rows = yield from tables.execute("basket")
    before = sum(row["quantity"] for row in rows if row["product"] == product)
    result = yield from changed(product, quantity - before, call=call)
    return {**result, "quantity": quantity or before}


def chosen() -> tables.Script[set[str]]:
    rows = yield from tables.execute("basket")
    return {row["product"] for row in rows if row["quantity"] > 0}


def contents() -> tables.Script[tuple[str, Decimal]]:
    rows = yield from tables.execute("basket")
    lines = [(row["product"], row["quantity"]) for row in rows if row["quantity"] > 0]
    total = sum((PRICES[name] * quantity for name, quantity in lines), Decimal())
    return ", ".join(f"{quantity} × {name}" for name, quantity in lines), total


def emptied() -> tables.Script[bool]:
    yield from tables.execute("empty_basket")
    return True


def placed(name: str, address: str, notes: str, *, call: str) -> tables.Script[int]:
    basket, total = yield from contents()
    yield from tables.execute(
        "add_order", call=call, name=name, address=address, notes=notes, goods=basket, total=str(total)
    )
    yield from tables.execute("empty_basket")
    row = yield from tables.one("count_orders")
    return row["number"] if row else 0
