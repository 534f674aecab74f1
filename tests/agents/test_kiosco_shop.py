"""The kiosk's customers, products and carts: what people write, and what they are answered."""

import asyncio
import csv
import json
import time
from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from agents.kiosco_scene import AGENT, NOW, TOOLS, Shop, module, own_sql, pesos
from hilo.store.own_tables import OwnDatabase, memory_store
from hilo.tools.given import Contact
from hilo.tools.tool import AskContact, ToolFailed

pytest_plugins = ("agents.kiosco_databases",)

COCA, FANTA = "Coca-Cola 500 ml", "Fanta 500 ml"
BROWSE = "search_products get_product_details get_categories get_commerce_profile get_payment_methods get_catalog"
CUSTOMER = "get_customer_info update_customer_info get_customer_debt get_order_history"
CART = "add_to_cart update_cart_item remove_from_cart clear_cart get_cart set_cart_notes set_shipping_address"
CART += " set_payment_method note_cash"
ORDERS = "confirm_order cancel_order modify_order get_order_details repeat_last_order"
OPERATORS = "create_order mark_order send_catalog"


def shelves() -> Any:
    items = module("kiosco_products").shipped_products().items
    return module("kiosco_catalogue").shelves_of(each.variant for each in items)


def found(written: str) -> str:
    return str(module("kiosco_catalogue").find_one(shelves(), written).label)


# --- the tools ------------------------------------------------------------------------------------------


def test_the_tools_are_those_of_the_brief_and_say_what_they_do() -> None:
    assert set(TOOLS) == {*BROWSE.split(), *CUSTOMER.split(), *CART.split(), *ORDERS.split(), *OPERATORS.split()}
    assert {name for name, each in TOOLS.items() if each.spec.operator} == {*OPERATORS.split()}
    for name, each in TOOLS.items():
        assert len(each.spec.description) >= 60, name
        assert "text" in each.spec.outputs, name
        json.dumps(each.schema())


def test_only_what_touches_an_order_needs_a_yes() -> None:
    of_contacts = {name: each.spec for name, each in TOOLS.items() if not each.spec.operator}
    asking = {name for name, each in of_contacts.items() if each.needs_yes}
    assert asking == {"confirm_order", "cancel_order", "modify_order"}
    writing = {name for name, each in of_contacts.items() if each.writes}
    assert writing == {*CART.split(), *ORDERS.split(), "update_customer_info"} - {"get_cart", "get_order_details"}


def test_a_model_sees_a_whole_number_where_a_quantity_is_wanted() -> None:
    assert TOOLS["add_to_cart"].schema()["properties"]["quantity"]["type"] == "integer"


# --- finding products -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("coca 500", COCA),
        ("cocas de 500", COCA),
        ("coca de litro y medio", "Coca-Cola 1,5 l"),
        ("coca cola 2.25", "Coca-Cola 2,25 l"),
        ("COCA LATA", "Coca-Cola lata 354 ml"),
        ("GAS-002", COCA),
        ("gas-002", COCA),
        ("Coca-Cola 500 ml", COCA),
        ("jorgito blanco", "Alfajor Jorgito blanco"),
        ("jorjito de chocolate", "Alfajor Jorgito chocolate"),
        ("playadito de kilo", "Yerba mate Playadito 1 kg"),
        ("azucar", "Azúcar Ledesma 1 kg"),
        ("media docena de huevos", "Huevos blancos x6"),
        ("pepsi black 500", "Pepsi Black 500 ml"),
        ("vino tinto", "Vino Toro tinto 1 l"),
        ("turron", "Turrón Arcor 25 g"),
    ],
)
def test_a_product_is_found_by_what_people_call_it(written: str, label: str) -> None:
    assert found(written) == label


@pytest.mark.parametrize(
    ("written", "options", "question"),
    [
        ("cocas", {"Coca-Cola lata 354 ml", COCA, "Coca-Cola 1,5 l", "Coca-Cola 2,25 l"}, "tamaño"),
        ("coquita", {"Coca-Cola lata 354 ml", COCA, "Coca-Cola 1,5 l", "Coca-Cola 2,25 l"}, "tamaño"),
        ("coca grande", {"Coca-Cola 1,5 l", "Coca-Cola 2,25 l"}, "tamaño"),
        ("coca chica", {"Coca-Cola lata 354 ml", COCA}, "tamaño"),
        ("fanta", {FANTA, "Fanta 1,5 l", "Fanta 2,25 l"}, "tamaño"),
        ("alfajor jorgito", {f"Alfajor Jorgito {each}" for each in ("chocolate", "blanco", "fruta")}, "Jorgito"),
        ("leche descremada", {"Leche La Serenísima descremada 1 l", "Leche Las Tres Niñas descremada 1 l"}, "varios"),
        ("gaseosa", {"Coca-Cola", "Fanta", "Sprite", "Pepsi", "7up", "Mirinda"}, "varios"),
    ],
)
def test_sizes_and_flavours_that_nobody_said_are_asked_for(written: str, options: set[str], question: str) -> None:
    with pytest.raises(AskContact) as asked:
        found(written)
    assert (asked.value.parameter, set(asked.value.options)) == ("product", options)
    assert question in asked.value.question


def test_what_is_offered_can_be_chosen_as_it_stands() -> None:
    catalogue = module("kiosco_catalogue")
    for each in shelves().variants.values():
        assert catalogue.find_one(shelves(), each.label) == each
        assert len(catalogue.options([each])) == 1


def test_no_question_has_more_options_than_a_list_has_rows() -> None:
    for word in ("alfajor", "galletitas", "cerveza", "leche", "pan", "chocolate"):
        with pytest.raises(AskContact) as asked:
            found(word)
        assert 2 <= len(asked.value.options) <= 10


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("coca vidrio", "No tengo «coca vidrio». Lo más parecido: Coca-Cola y Coca-Cola Zero."),
        ("whisky", "No tengo «whisky». Si querés, te paso el catálogo."),
        ("cigarrillos", "No tengo «cigarrillos». Si querés, te paso el catálogo."),
        ("x" * 500, f"No tengo «{'x' * 40}…». Si querés, te paso el catálogo."),
    ],
)
def test_an_unknown_product_is_answered_with_the_nearest(written: str, told: str) -> None:
    with pytest.raises(ToolFailed) as failure:
        found(written)
    assert (str(failure.value), failure.value.tell) == ("product_not_found", told)


async def test_a_search_finds_by_name_by_category_and_by_mark(shop: Shop) -> None:
    sugarless = await shop.use("search_products", query="¿tenés alguna gaseosa sin azúcar?")
    assert "• Coca-Cola Zero: 500 ml $850 · 1,5 l $1.600 · 2,25 l $2.200" in sugarless["text"]
    assert "• Coca-Cola:" not in sugarless["text"]
    coeliac = await shop.use("search_products", query="galletitas para celíacos")
    assert "Smams" in coeliac["text"]
    assert "Oreo" not in coeliac["text"]
    anything = await shop.use("search_products", query="algo sin azúcar")
    assert anything["count"] > 30
    assert len(anything["text"]) < 2000
    assert json.loads((await shop.use("search_products", query="coca 500"))["products"])[0] == {
        "sku": "GAS-002",
        "name": COCA,
        "price": "850",
    }


async def test_a_search_for_what_is_not_sold_is_no_error(shop: Shop) -> None:
    nothing = await shop.use("search_products", query="whisky")
    assert (nothing["count"], nothing["text"]) == (0, "No tengo «whisky». Si querés, te paso el catálogo.")
    await shop.stock("GAS-011", 0)
    sold_out = await shop.use("search_products", query="fanta zero")
    assert "Fanta Zero" not in sold_out["listed"]


async def test_a_search_for_nothing_asks_what_is_wanted(shop: Shop) -> None:
    for nothing in ("", "   ", "¿qué tenés?", "¡¡!!"):
        assert "Alfajores" in await shop.asked("search_products", query=nothing)
    assert await shop.asked("add_to_cart", product=" ") == ()


async def test_details_tell_the_price_or_all_sizes(shop: Shop) -> None:
    one = await shop.use("get_product_details", product="coca 500")
    assert one["text"] == "Coca-Cola 500 ml: $850, hay stock. Es sin TACC."
    assert (one["price"], one["stock"], one["sku"]) == (pesos(850), 120, "GAS-002")
    sizes = await shop.use("get_product_details", product="fanta")
    assert sizes["text"] == "Fanta: 500 ml $800 · 1,5 l $1.500 · 2,25 l $2.050."
    several = await shop.use("get_product_details", product="leche descremada")
    assert several["text"].count("$") == 2  # whoever asks for a price is told all that may be meant


async def test_the_catalogue_is_sent_whole_or_by_category(shop: Shop) -> None:
    whole = await shop.use("get_catalog")
    assert whole["count"] >= 300
    assert "• Alfajores (13): Alfajor Jorgito" in whole["text"]
    drinks = await shop.use("get_catalog", category="gaseosas")
    assert drinks["text"].startswith("Bebidas gaseosas:\n• Coca-Cola: lata 354 ml $750")
    assert len(await shop.asked("get_catalog", category="bebidas")) == 3
    assert len(await shop.asked("get_catalog", category="repuestos")) == 10
    assert "Lácteos" in (await shop.use("get_categories"))["text"]


async def test_the_business_speaks_in_whole_sentences(shop: Shop) -> None:
    profile = await shop.use("get_commerce_profile")
    assert profile["hours"] == (
        "Estamos abiertos de lunes a viernes de 9 a 20hs y sábados de 10 a 14hs. Domingos y feriados no abrimos."
    )
    assert profile["delivery"] == (
        "Sí, hacemos delivery en toda la zona. El costo es $500 para pedidos menores a $5000."
        " Tarda entre 30 y 60 minutos."
    )
    assert (await shop.use("get_commerce_profile", topic="hours"))["text"] == profile["hours"]
    assert (await shop.use("get_payment_methods"))["text"] == profile["payment"]


# --- the cart -------------------------------------------------------------------------------------------


async def test_a_cart_adds_up_exactly(shop: Shop) -> None:
    await shop.use("add_to_cart", product="coca 500", quantity=2)
    cart = await shop.use("add_to_cart", product="fanta 500")
    assert (cart["cart"], cart["total"]) == ("2x Coca-Cola 500 ml, 1x Fanta 500 ml", pesos(2500))
    assert cart["spoken"] == "2 Coca-Cola 500 ml y 1 Fanta 500 ml"
    assert cart["text"] == (
        "Agregué 1 Fanta 500 ml.\nTu carrito:\n• 2x Coca-Cola 500 ml: $1.700\n• 1x Fanta 500 ml: $800\nTotal: $2.500"
    )
    assert (cart["product"], cart["quantity"], cart["count"], cart["units"]) == (FANTA, 1, 2, 3)
    again = await shop.use("add_to_cart", product="coca 500")
    assert again["cart"] == "3x Coca-Cola 500 ml, 1x Fanta 500 ml"
    seen = await shop.use("get_cart")
    assert (seen["product"], seen["quantity"]) == (COCA, 3)


async def test_products_of_one_message_are_added_in_parallel(shop: Shop) -> None:
    products = ["coca 500", "fanta 500", "pepsi 500", "sprite 500", "jorgito blanco", "coca 500", "7up 500", "tita"]
    await asyncio.gather(*(shop.use("add_to_cart", product=each, quantity=2) for each in products))
    cart = await shop.use("get_cart")
    assert (cart["count"], cart["units"]) == (7, 16)
    assert "4x Coca-Cola 500 ml" in cart["cart"]
    assert cart["total"] == pesos(4 * 850 + 2 * (800 + 780 + 800 + 450 + 780 + 320))


async def test_a_repeated_call_adds_once(shop: Shop) -> None:
    adding = [shop.use("add_to_cart", product="coca 500", quantity=2, call_id="same") for _ in range(10)]
    outputs = await asyncio.gather(*adding)
    assert {each["cart"] for each in outputs} == {"2x Coca-Cola 500 ml"}
    await shop.use("remove_from_cart", product="coca", quantity=1, call_id="less")
    less = await shop.use("remove_from_cart", product="coca", quantity=1, call_id="less")
    assert less["cart"] == "1x Coca-Cola 500 ml"
    await shop.use("update_cart_item", product="coca", quantity=5, call_id="set")
    await shop.use("remove_from_cart", product="coca", call_id="none")
    assert (await shop.use("update_cart_item", product="coca", quantity=5, call_id="set"))["cart"] == ""


async def test_calls_are_forgotten_after_a_month(shop: Shop) -> None:
    await shop.use("add_to_cart", product="coca 500", call_id="old")
    shop.now += timedelta(days=31)
    await shop.use("add_to_cart", product="fanta 500", call_id="new")
    assert not await shop.rows("apply_call", call="new", at=1)
    assert await shop.rows("apply_call", call="old", at=1)


@pytest.mark.parametrize(
    ("quantity", "tell"),
    [
        (0, "La cantidad tiene que ser 1 o más."),
        (-3, "La cantidad tiene que ser 1 o más."),
        (10**9, "Por acá puedo anotar hasta 200 unidades de cada producto."),
        (1e9, "Por acá puedo anotar hasta 200 unidades de cada producto."),
        (10**400, "Por acá puedo anotar hasta 200 unidades de cada producto."),
        ("mil", "Por acá puedo anotar hasta 200 unidades de cada producto."),
        (Decimal("2.5"), "Vendemos por unidad: decime una cantidad entera, como 1 o 2."),
        ("muchas", "No entendí la cantidad «muchas». Decime un número, como 2."),
        ("", "No entendí la cantidad «». Decime un número, como 2."),
        (float("nan"), "No entendí la cantidad «nan». Decime un número, como 2."),
        (float("inf"), "No entendí la cantidad «inf». Decime un número, como 2."),
    ],
)
async def test_impossible_quantities_are_refused_with_a_reason(sqlite_shop: Shop, quantity: Any, tell: str) -> None:
    assert await sqlite_shop.told("add_to_cart", product="coca 500", quantity=quantity) == ("bad_quantity", tell)
    await sqlite_shop.use("add_to_cart", product="coca 500")
    assert await sqlite_shop.told("update_cart_item", quantity=quantity) == ("bad_quantity", tell)
    assert (await sqlite_shop.use("get_cart"))["cart"] == "1x Coca-Cola 500 ml"


@pytest.mark.parametrize(("said", "quantity"), [("dos", 2), ("2", 2), ("una", 1), (Decimal(3), 3), (4.0, 4)])
async def test_quantities_in_words_and_digits_count(sqlite_shop: Shop, said: Any, quantity: int) -> None:
    assert (await sqlite_shop.use("add_to_cart", product="coca 500", quantity=said))["units"] == quantity


async def test_nobody_gets_more_of_a_product_than_there_is(shop: Shop) -> None:
    await shop.stock("GAS-002", 3)
    reason, tell = await shop.told("add_to_cart", product="coca 500", quantity=4)
    assert reason == "out_of_stock: GAS-002"
    assert tell == "De Coca-Cola 500 ml solo me quedan 3. Te puedo ofrecer Coca-Cola lata 354 ml a $750."
    await shop.use("add_to_cart", product="coca 500", quantity=2)
    assert (await shop.told("add_to_cart", product="coca 500", quantity=2))[0] == "out_of_stock: GAS-002"
    await shop.stock("GAS-001", 200)
    await shop.use("add_to_cart", product="coca lata", quantity=150)
    assert (await shop.told("add_to_cart", product="coca lata", quantity=51))[0] == "bad_quantity"


async def test_a_size_that_is_sold_out_is_not_offered(shop: Shop) -> None:
    await shop.stock("GAS-002", 0)
    assert COCA not in await shop.asked("add_to_cart", product="coca")
    for sku in ("GAS-001", "GAS-004"):
        await shop.stock(sku, 0)
    assert (await shop.use("add_to_cart", product="coca"))["cart"] == "1x Coca-Cola 1,5 l"


async def test_in_the_cart_a_name_means_what_is_there(shop: Shop) -> None:
    await shop.use("add_to_cart", product="coca 500", quantity=2)
    await shop.use("add_to_cart", product="fanta 1.5")
    assert (await shop.use("update_cart_item", product="coquita", quantity=4))["cart"].startswith("4x Coca-Cola 500 ml")
    assert (await shop.use("remove_from_cart", product="la fanta"))["cart"] == "4x Coca-Cola 500 ml"
    reason, tell = await shop.told("remove_from_cart", product="sprite")
    assert (reason, tell) == ("product_not_in_cart", "No tenés «sprite». Tenés 4 Coca-Cola 500 ml.")
    await shop.use("add_to_cart", product="coca lata")
    assert set(await shop.asked("remove_from_cart", product="coca")) == {COCA, "Coca-Cola lata 354 ml"}


async def test_without_a_name_the_last_one_is_meant(shop: Shop) -> None:
    await shop.use("add_to_cart", product="fanta 500")
    await shop.use("add_to_cart", product="coca 500")
    assert (await shop.use("update_cart_item", quantity=4))["cart"] == "1x Fanta 500 ml, 4x Coca-Cola 500 ml"
    await shop.use("update_cart_item", quantity=2, product="fanta")
    assert (await shop.use("remove_from_cart"))["cart"] == "4x Coca-Cola 500 ml"
    assert (await shop.use("remove_from_cart", quantity=1))["text"].startswith("Saqué 1 Coca-Cola 500 ml.\n")
    assert (await shop.use("remove_from_cart", quantity=50))["text"] == (
        "Saqué 3 Coca-Cola 500 ml.\nTu carrito está vacío."
    )
    assert await shop.told("remove_from_cart") == ("cart_empty", "Tu carrito está vacío.")


async def test_a_delivery_costs_until_the_order_is_large(shop: Shop) -> None:
    await shop.use("add_to_cart", product="coca 500", quantity=2)
    cart = await shop.use("set_shipping_address", address="Paso 450, 3° B")
    assert (cart["subtotal"], cart["shipping"], cart["total"]) == (pesos(1700), pesos(500), pesos(2200))
    assert "Envío a Paso 450, 3° B: $500\nTotal: $2.200" in cart["text"]
    assert cart["one_line"] == "2x Coca-Cola 500 ml ($1.700); envío a Paso 450, 3° B ($500). Total: $2.200"
    picked_up = await shop.use("set_shipping_address", address="lo paso a buscar a las 8")
    assert (picked_up["address"], picked_up["total"]) == ("Retiro en el local", pesos(1700))
    await shop.use("set_shipping_address", address="Paso 450")
    assert (await shop.use("add_to_cart", product="coca 500", quantity=4))["total"] == pesos(5100)
    assert (await shop.told("set_shipping_address", address="x"))[0] == "bad_address"


async def test_a_cart_is_kept_for_three_days_and_the_contact_is_known_after_them(shop: Shop) -> None:
    await shop.know(address="San Martín 123")
    await shop.use("add_to_cart", product="coca 500")
    await shop.use("set_cart_notes", notes="bien  frías")
    assert (await shop.use("get_cart"))["notes"] == "bien frías"
    shop.now += timedelta(hours=48)
    assert (await shop.use("get_cart"))["notes"] == "bien frías"
    shop.now += timedelta(hours=25)
    cart = await shop.use("get_cart")
    assert (cart["cart"], cart["notes"], cart["address"]) == ("", "", "San Martín 123")
    assert (await shop.use("add_to_cart", product="fanta 500"))["cart"] == "1x Fanta 500 ml"
    assert (await shop.use("get_customer_info"))["missing"] == ""


async def test_a_cart_has_room_for_so_many_products_and_its_text_for_all(shop: Shop) -> None:
    labels = sorted((each.label for each in shelves().variants.values()), key=len)[-24:]
    await asyncio.gather(*(shop.use("add_to_cart", product=each, quantity=6) for each in labels))
    cart = await shop.use("set_shipping_address", address="A" * 120)
    assert (cart["count"], len(cart["text"]) < 2000) == (24, True)
    assert cart["text"].endswith(f"Total: {module('kiosco_words').pesos(int(cart['total'] * 100))}")
    assert (await shop.told("add_to_cart", product="coca 500"))[0] == "cart_full"
    assert (await shop.use("clear_cart"))["text"] == "Listo, vacié tu carrito.\nTu carrito está vacío."


ODD = (
    "\0",
    "\ud800",
    "'; DROP TABLE kiosco_orders; --",
    "🥤" * 500,
    "x" * 20000,
    "%",
    "١٢٣",
    "²",
    "1 000",
    "\n",
    "«»",
    "-" * 99,
)


def _shaped(parameters: Iterable[str], text: str) -> dict[str, Any]:
    """What is not a text for its tool."""
    shapes: dict[str, Any] = {"total": 1, "products": [(text, text)], "status": "shipped", "more": True, "cash": 20_000}
    return {name: shape for name, shape in shapes.items() if name in parameters}


@pytest.mark.parametrize("tool", sorted(TOOLS))
async def test_odd_texts_are_answered_and_never_break_a_tool(shop: Shop, tool: str) -> None:
    await shop.use("add_to_cart", product="coca 500")
    parameters = TOOLS[tool].spec.parameters
    for text in ODD if parameters else ():
        given: dict[str, Any] = dict.fromkeys(parameters, text) | _shaped(parameters, text)
        result = await shop.call(tool, **given)
        assert result.ok or result.tell or result.asks, (text[:20], result.error)
    assert (await shop.use("get_cart"))["total"] >= 0


# --- customers ------------------------------------------------------------------------------------------


async def test_what_a_contact_tells_is_kept_and_what_is_missing_is_said(shop: Shop) -> None:
    nobody = await shop.use("get_customer_info")
    assert (nobody["missing"], nobody["missing_count"]) == ("DNI, nombre, dirección", 3)
    told = await shop.use("update_customer_info", dni="30.123.456", name="  Ana   Paz ")
    assert (told["name"], told["dni"], told["missing"]) == ("Ana Paz", "30123456", "dirección")
    assert told["phone"] == "5491155550101"
    await shop.use("update_customer_info", address="San Martín 123")
    known = await shop.use("get_customer_info")
    assert known["text"] == "Nombre: Ana Paz. DNI: 30123456. Dirección: San Martín 123."
    assert (known["orders"], known["spent"], known["debt"]) == (0, pesos(0), pesos(0))


async def test_who_comes_for_it_says_so_of_this_order_only(shop: Shop) -> None:
    told = await shop.use("update_customer_info", name="Ana", dni="30123456", address="paso a buscarlo")
    assert (told["address"], told["missing"]) == ("Retiro en el local", "")
    shop.now += timedelta(hours=73)
    assert (await shop.use("get_customer_info"))["missing"] == "dirección"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"dni": "123"}, "bad_dni"),
        ({"dni": "treinta millones"}, "bad_dni"),
        ({"dni": "123456789"}, "bad_dni"),
        ({"name": "12345"}, "bad_name"),
        ({"name": "a" * 81}, "bad_name"),
        ({"address": "12"}, "bad_address"),
        ({"address": "a" * 121}, "bad_address"),
        ({"email": "ana"}, "bad_email"),
    ],
)
async def test_what_cannot_be_true_is_not_kept(sqlite_shop: Shop, value: dict[str, str], reason: str) -> None:
    assert (await sqlite_shop.told("update_customer_info", **value))[0] == reason
    assert (await sqlite_shop.use("get_customer_info"))["missing_count"] == 3


@pytest.mark.parametrize("address", ["Paso 450", "Retiro, Libertador 100", "Paso de los Andes 33", "Busco Sur 20"])
def test_a_street_that_sounds_like_a_visit_is_an_address(address: str) -> None:
    assert module("kiosco_customers").checked_address(address) == address


@pytest.mark.parametrize("said", ["retiro", "lo retiro yo", "paso a buscarlo a las 8", "voy a retirar", "en el local"])
def test_who_comes_for_it_needs_no_address(said: str) -> None:
    assert module("kiosco_customers").checked_address(said) == "Retiro en el local"


async def test_debts_are_noted_once_and_settled(shop: Shop) -> None:
    operators = module("kiosco_operators")
    database = shop.database()
    for _ in range(2):
        noted = await operators.note_debt(database, Decimal("1500.50"), "Fiado", call_id="d1", now=NOW)
    assert noted["debt"] == Decimal("1500.50")
    debt = await shop.use("get_customer_debt")
    assert (debt["text"], debt["count"]) == ("Debés $1.500,50:\n• Fiado: $1.500,50", 1)
    assert (await shop.use("get_customer_debt", "eva"))["debt"] == 0
    for amount in (Decimal(0), Decimal(-1), Decimal("0.001"), Decimal(10**9)):
        with pytest.raises(ToolFailed):
            await operators.note_debt(database, amount, "Fiado", call_id="d2", now=NOW)
    assert (await operators.settle_debts(database, now=NOW))["debt"] == 0


# --- the shop of each workspace -------------------------------------------------------------------------


async def test_carts_and_shops_of_others_are_not_there(shop: Shop) -> None:
    await shop.use("add_to_cart", product="coca 500")
    await shop.rows("put_products", rows='[["secreto", "Secreto", "", "Kiosco"]]')
    await shop.rows("put_variants", rows='[["SEC-1", "secreto", "Secreto", "", "", 100, "", ""]]')
    await shop.rows("put_stock", rows='[["SEC-1", 5]]')
    await shop.database().run(module("kiosco_shop").finish, module("kiosco_products").shipped_products())
    assert (await shop.use("add_to_cart", product="SEC-1"))["cart"] == "1x Coca-Cola 500 ml, 1x Secreto"
    assert (await shop.use("get_cart", "eva"))["cart"] == ""
    far = f"{shop.workspace}-far"
    assert (await shop.told("add_to_cart", product="SEC-1", workspace=far))[0] == "product_not_found"
    assert (await shop.use("search_products", query="Secreto", workspace=far))["count"] == 0
    assert (await shop.use("get_cart", workspace=far))["cart"] == ""


async def test_racing_first_calls_open_the_shop_once(shop: Shop) -> None:
    contacts = [f"c{number}" for number in range(20)]
    await asyncio.gather(*(shop.use("add_to_cart", each, product="coca 500") for each in contacts))
    assert await shop.units("GAS-002") == 120
    assert len(await shop.rows("variants")) == len(shelves().variants)


def test_opening_a_shop_in_memory_takes_a_moment() -> None:
    own = own_sql()
    enter = module("kiosco_shop").enter
    shelves()

    def opened() -> float:
        store = memory_store(own)
        database = OwnDatabase(store, own, Contact("main", "c", "t", "c", "s"))
        start = time.process_time()
        asyncio.run(enter(database, NOW))
        return time.process_time() - start

    assert min(opened() for _ in range(3)) < 0.05


def test_the_shipped_products_are_many_and_sound() -> None:
    with (AGENT / "products.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) >= 300
    assert len({row["category"] for row in rows}) >= 12
    assert len({tag for row in rows for tag in row["tags"].split("|")}) >= 5
    assert not any("igarrillo" in row["product"] for row in rows)
