"""The kiosk's orders, stock and imports: what is charged is what was shown, and nothing is sold twice."""

import asyncio
import os
import random
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from agents.kiosco_scene import AGENT, NOW, Shop, module, pesos
from hilo.errors import FileProblems
from hilo.store.store import StatementFailed
from hilo.tools.tool import AskContact, ToolFailed
from patience import PATIENCE

pytest_plugins = ("agents.kiosco_databases",)

COCA, FANTA = "GAS-002", "GAS-008"
HEADER = "sku,product,brand,category,flavour,size,price,stock,tags,synonyms\n"
PROCESSED = ("processing", "shipped", "delivered", "completed")


# --- confirming -----------------------------------------------------------------------------------------


async def test_a_confirmed_order_takes_the_stock_and_empties_the_cart(shop: Shop) -> None:
    order = await shop.order(("coca 500", 2), ("fanta 500", 1))
    assert (order["order"], order["status"], order["order_total"]) == ("ORD-00001", "pending", pesos(2500))
    assert order["text"] == (
        "¡Listo! Tu pedido ORD-00001 está confirmado: 2x Coca-Cola 500 ml, 1x Fanta 500 ml. Total: $2.500."
    )
    assert (await shop.units(COCA), await shop.units(FANTA)) == (118, 71)
    assert (await shop.use("get_cart"))["cart"] == ""
    assert (await shop.order(("tita", 1)))["order"] == "ORD-00002"
    known = await shop.use("get_customer_info")
    assert (known["orders"], known["spent"]) == (2, pesos(2820))


async def test_a_price_that_moved_since_the_summary_is_not_charged(shop: Shop) -> None:
    await shop.know()
    shown = await shop.use("add_to_cart", product="coca 500", quantity=2)
    await shop.price(COCA, 900)
    reason, tell = await shop.told("confirm_order", total=shown["total"], cart=shown["cart"])
    assert reason == "cart_changed"
    assert tell.startswith("Cambió el precio desde que te lo mostré. Ahora es así:\n• 2x Coca-Cola 500 ml: $1.800\n")
    assert await shop.orders() == []
    assert (await shop.confirm())["order_total"] == pesos(1800)


async def test_a_cart_or_an_address_that_moved_since_the_summary_is_not_ordered(shop: Shop) -> None:
    await shop.know(address="San Martín 123")
    shown = await shop.use("add_to_cart", product="coca 500", quantity=6)
    yes = {"total": shown["total"], "cart": shown["cart"], "address": shown["address"]}
    await shop.use("set_shipping_address", address="San Martín 321")
    assert (await shop.told("confirm_order", **yes))[0] == "cart_changed"
    await shop.use("set_shipping_address", address="San Martín 123")
    await shop.use("add_to_cart", product="tita")
    assert (await shop.told("confirm_order", **yes))[1].startswith("Cambió el pedido desde que te lo mostré.")
    await shop.use("remove_from_cart", product="tita")
    assert (await shop.use("confirm_order", **yes))["address"] == "San Martín 123"


async def test_an_address_may_be_given_back_as_the_contact_wrote_it(shop: Shop) -> None:
    await shop.know(address="Paso a buscarlo")
    await shop.use("add_to_cart", product="coca 500")
    assert (await shop.confirm(address="paso a buscarlo"))["address"] == "Retiro en el local"
    await shop.know(address="San Martín 123")
    await shop.use("add_to_cart", product="coca 500")
    assert (await shop.confirm(address="san martin  123"))["address"] == "San Martín 123"


async def test_an_order_needs_to_know_who_orders_and_where_it_goes(shop: Shop) -> None:
    shown = await shop.use("add_to_cart", product="coca 500")
    yes = {"total": shown["total"], "cart": shown["cart"]}
    reason, tell = await shop.told("confirm_order", **yes)
    assert (reason, tell) == (
        "missing_details: DNI, nombre, dirección",
        "Antes de confirmar necesito tu DNI, nombre y dirección.",
    )
    assert await shop.told("confirm_order", "eva", **yes) == ("cart_empty", "Tu carrito está vacío. ¿Qué querés pedir?")


async def test_a_confirmation_repeated_ten_times_at_once_makes_one_order(shop: Shop) -> None:
    await shop.know()
    shown = await shop.use("add_to_cart", product="coca 500", quantity=2)
    yes = {"total": shown["total"], "cart": shown["cart"]}
    same = [shop.use("confirm_order", call_id="same", **yes) for _ in range(5)]
    others = [shop.use("confirm_order", **yes) for _ in range(5)]
    outputs = await asyncio.gather(*same, *others)
    assert {each["order"] for each in outputs} == {"ORD-00001"}
    assert len(await shop.orders()) == 1
    assert await shop.units(COCA) == 118


async def test_a_yes_of_another_day_orders_nothing(shop: Shop) -> None:
    order = await shop.order(("coca 500", 2))
    await shop.use("cancel_order")
    assert (await shop.told("confirm_order", total=order["order_total"], cart=order["ordered"]))[0] == "cart_empty"


async def test_the_last_unit_is_sold_once_and_the_other_is_offered_something_else(shop: Shop) -> None:
    await shop.stock(COCA, 1)
    shown = {}
    for who in ("ana", "eva"):
        await shop.know(who)
        shown = await shop.use("add_to_cart", who, product="coca 500")
    yes = {"total": shown["total"], "cart": shown["cart"]}
    results = await asyncio.gather(*(shop.call("confirm_order", who, **yes) for who in ("ana", "eva")))
    assert sorted(each.ok for each in results) == [False, True]
    (lost,) = [each for each in results if not each.ok]
    assert (lost.error, lost.tell) == (
        f"out_of_stock: {COCA}",
        "Me quedé sin Coca-Cola 500 ml. Te puedo ofrecer Coca-Cola lata 354 ml a $750.",
    )
    assert await shop.units(COCA) == 0
    assert (await shop.told("add_to_cart", product="coca 500"))[0] == f"out_of_stock: {COCA}"


async def test_fifty_orders_at_once_sell_no_more_than_there_is_and_leave_no_gap(shop: Shop) -> None:
    contacts = [f"c{number}" for number in range(50)]
    shown = {}
    for who in contacts:
        await shop.know(who)
        shown = await shop.use("add_to_cart", who, product="coca 500")
    await shop.stock(COCA, 30)
    yes = {"total": shown["total"], "cart": shown["cart"]}
    twice = [shop.call("confirm_order", who, call_id=f"{who}-yes", **yes) for who in contacts * 2]
    results = await asyncio.gather(*twice)
    codes = [str(each.outputs.get("order", "")) for each in results]
    assert codes[:50] == codes[50:], [each for each in results if not each.outputs and not each.tell]
    assert {each.error for each in results if not each.ok} == {f"out_of_stock: {COCA}"}
    assert sorted(filter(None, codes[:50])) == [f"ORD-{number:05d}" for number in range(1, 31)]
    orders = await shop.orders()
    assert (len(orders), await shop.units(COCA)) == (30, 0)
    sold = [sum(row["quantity"] for row in await shop.rows("items", number=each["number"])) for each in orders]
    assert sum(sold) == 30


async def test_whatever_happens_at_once_nothing_is_lost_and_every_sum_is_right(shop: Shop) -> None:
    skus = (COCA, FANTA, "GAS-016")
    for sku in skus:
        await shop.stock(sku, 12)
    contacts = [f"c{number}" for number in range(8)]
    for who in contacts:
        await shop.know(who, address="San Martín 123")

    async def live(who: str) -> None:
        dice = random.Random(who)  # noqa: S311 -- the same days for everybody who runs it
        for _ in range(15):
            product, quantity = dice.choice(skus), dice.randint(1, 3)
            tool = dice.choice(("add_to_cart", "add_to_cart", "confirm", "confirm", "cancel_order", "modify_order"))
            await act(who, tool, product, quantity)

    async def act(who: str, tool: str, product: str, quantity: int) -> None:
        arguments: dict[str, Any] = {"product": product, "quantity": quantity}
        if tool == "confirm":
            shown = await shop.use("get_cart", who)
            arguments = {"total": shown["total"], "cart": shown["cart"]}
        elif tool == "cancel_order":
            arguments = {}
        result = await shop.call("confirm_order" if tool == "confirm" else tool, who, **arguments)
        assert result.ok or result.tell, result.error

    await asyncio.gather(*map(live, contacts))
    sold = dict.fromkeys(skus, 0)
    for number, order in enumerate(await shop.orders(), 1):
        lines = await shop.rows("items", number=number)
        assert sum(line["quantity"] * line["price_cents"] for line in lines) == order["subtotal_cents"]
        for line in lines if order["status"] != "cancelled" else ():
            sold[line["sku"]] += line["quantity"]
    assert sum(sold.values()) > 0
    assert [await shop.units(sku) + sold[sku] for sku in skus] == [12, 12, 12]


async def test_orders_of_the_same_things_in_any_order_do_not_block_each_other(shop: Shop) -> None:
    products = ["coca 500", "fanta 500", "tita", "azucar"]

    async def buy(who: str, mine: list[str]) -> str:
        await shop.know(who)
        for each in mine:
            await shop.use("add_to_cart", who, product=each)
        return str((await shop.confirm(who))["order"])

    codes = await asyncio.gather(*(buy(f"c{n}", products if n % 2 else products[::-1]) for n in range(12)))
    assert sorted(codes) == [f"ORD-{number:05d}" for number in range(1, 13)]


async def test_an_order_that_fails_takes_no_number_and_no_stock(shop: Shop) -> None:
    await shop.know()
    await shop.use("add_to_cart", product="coca 500")
    shown = await shop.use("add_to_cart", product="fanta 500")
    await shop.stock(FANTA, 0)
    assert (await shop.told("confirm_order", total=shown["total"], cart=shown["cart"]))[0] == f"out_of_stock: {FANTA}"
    assert await shop.units(COCA) == 120
    await shop.stock(FANTA, 1)
    assert (await shop.confirm())["order"] == "ORD-00001"


async def test_the_tables_themselves_refuse_what_cannot_be(shop: Shop) -> None:
    await shop.use("get_cart")
    with pytest.raises(StatementFailed):
        await shop.rows("put_stock", rows=f'[["{COCA}", -1]]')
    with pytest.raises(StatementFailed):
        await shop.rows("give_back_stock", sku=COCA, quantity=-1000)
    await shop.use("add_to_cart", product="coca 500")
    with pytest.raises(StatementFailed):
        await shop.rows("put_line", sku=COCA, quantity=0, at=1)
    assert await shop.units(COCA) == 120


# --- after the order ------------------------------------------------------------------------------------


async def test_a_cancelled_order_gives_its_stock_back_once(shop: Shop) -> None:
    await shop.order(("coca 500", 5), ("fanta 500", 2))
    cancelling = [shop.use("cancel_order", order="ORD-00001") for _ in range(8)]
    assert {each["status"] for each in await asyncio.gather(*cancelling)} == {"cancelled"}
    assert (await shop.units(COCA), await shop.units(FANTA)) == (120, 72)
    assert (await shop.use("get_customer_info"))["spent"] == 0
    assert (await shop.told("modify_order", product="coca", quantity=1))[0] == "order_cancelled"


@pytest.mark.parametrize("status", PROCESSED)
async def test_an_order_that_is_being_prepared_can_no_longer_be_changed(shop: Shop, status: str) -> None:
    await shop.order(("coca 500", 2))
    marked = await module("kiosco_operators").mark_order(shop.database("op"), "1", status, now=NOW)
    assert (marked["status"], marked["processed"]) == (status, True)
    assert (await shop.use("get_order_details"))["processed"] is True
    reason, tell = await shop.told("cancel_order", order="ORD-00001")
    word = {"processing": "en preparación", "shipped": "en camino"}.get(status, marked["status_text"])
    assert (reason, tell) == (
        "order_already_processed",
        f"Tu pedido #ORD-00001 ya está {word} y no puedo cancelarlo desde acá.",
    )
    reason, tell = await shop.told("modify_order", product="coca", quantity=1)
    assert (reason, tell.endswith("no puedo modificarlo desde acá.")) == ("order_already_processed", True)
    assert await shop.units(COCA) == 118


async def test_a_change_of_an_order_moves_stock_and_total_together(shop: Shop) -> None:
    await shop.order(("coca 500", 2), ("fanta 500", 1))
    await shop.price(COCA, 1000)
    more = await shop.use("modify_order", product="coca", quantity=3)
    assert (more["ordered"], more["order_total"]) == ("3x Coca-Cola 500 ml, 1x Fanta 500 ml", pesos(3350))
    assert more["text"] == "Ahora tu pedido ORD-00001 tiene 3 Coca-Cola 500 ml. Nuevo total: $3.350."
    less = await shop.use("modify_order", order="1", product="fanta", quantity=0)
    assert (less["ordered"], less["order_total"]) == ("3x Coca-Cola 500 ml", pesos(2550))
    added = await shop.use("modify_order", product="tita", quantity="dos", call_id="tita")
    again = await shop.use("modify_order", product="tita", quantity="dos", call_id="tita")
    assert added["order_total"] == again["order_total"] == pesos(3190)
    assert (await shop.units(COCA), await shop.units(FANTA)) == (117, 72)


async def test_a_change_that_cannot_be_leaves_the_order_as_it_was(shop: Shop) -> None:
    before = await shop.order(("coca 500", 2))
    await shop.stock(COCA, 1)
    assert (await shop.told("modify_order", product="coca", quantity=4))[0] == f"out_of_stock: {COCA}"
    assert (await shop.told("modify_order", product="coca", quantity=0))[0] == "order_empty"
    assert (await shop.told("modify_order", product="coca", quantity=-1))[0] == "bad_quantity"
    assert (await shop.told("modify_order", product="whisky", quantity=1))[0] == "product_not_found"
    assert await shop.asked("modify_order", product="fanta", quantity=1)
    after = await shop.use("get_order_details")
    assert (after["ordered"], after["order_total"], await shop.units(COCA)) == (
        before["ordered"],
        before["order_total"],
        1,
    )


async def test_a_delivery_may_become_free_and_never_dearer(shop: Shop) -> None:
    await shop.know(address="San Martín 123")
    await shop.use("add_to_cart", product="coca 500", quantity=5)
    assert (await shop.confirm())["shipping"] == pesos(500)
    assert (await shop.use("modify_order", product="coca", quantity=6))["order_total"] == pesos(5100)
    assert (await shop.use("modify_order", product="coca", quantity=1))["order_total"] == pesos(850)


async def test_orders_of_others_are_not_there(shop: Shop) -> None:
    await shop.order(("coca 500", 2))
    not_found = ("order_not_found", "No encontré el pedido ORD-00001 entre los tuyos.")
    change: dict[str, Any] = {"product": "a", "quantity": 1}
    calls: list[tuple[str, dict[str, Any]]] = [
        ("get_order_details", {}),
        ("cancel_order", {}),
        ("modify_order", change),
    ]
    for tool, more in calls:
        assert await shop.told(tool, "eva", order="ORD-00001", **more) == not_found
        assert await shop.told(tool, workspace="elsewhere", order="#1", **more) == not_found
    assert (await shop.use("get_order_history", "eva"))["text"].startswith("Todavía no hiciste pedidos")
    assert (await shop.told("get_order_details", "eva"))[1].startswith("Todavía no hiciste pedidos")
    with pytest.raises(ToolFailed, match="order_not_found"):
        await module("kiosco_operators").mark_order(shop.database("op", "elsewhere"), "1", "shipped", now=NOW)
    assert (await shop.use("get_order_details"))["status"] == "pending"


@pytest.mark.parametrize("written", ["ORD-00001", "ord 1", "#1", "1", "pedido 1", "ORD-1", ""])
async def test_an_order_is_known_by_any_writing_of_its_number(sqlite_shop: Shop, written: str) -> None:
    await sqlite_shop.order(("tita", 1))
    assert (await sqlite_shop.use("get_order_details", order=written))["order"] == "ORD-00001"


@pytest.mark.parametrize("written", ["el de ayer", "ORD-99999999999999999999", "1; DROP TABLE kiosco_orders"])
async def test_what_is_no_order_number_is_said_so(sqlite_shop: Shop, written: str) -> None:
    assert (await sqlite_shop.told("get_order_details", order=written))[0] == "order_not_found"


async def test_history_and_details_tell_what_was_ordered(shop: Shop) -> None:
    for _ in range(6):
        await shop.order(("tita", 1))
    listed = await shop.use("get_order_history")
    assert listed["count"] == 5
    assert listed["text"].splitlines()[1] == "• ORD-00006 (16/11/2026): 1x Tita 19 g. $320, recibido."
    details = await shop.use("get_order_details", order="2")
    assert details["text"] == (
        "Pedido ORD-00002 (16/11/2026), recibido: 1x Tita 19 g.\nRetiro en el local. Total: $320."
    )


async def test_the_last_order_can_be_had_again_at_todays_prices(shop: Shop) -> None:
    assert (await shop.told("repeat_last_order"))[0] == "order_not_found"
    await shop.order(("coca 500", 2), ("fanta 500", 3))
    await shop.price(COCA, 900)
    await shop.stock(FANTA, 2)
    again = await shop.use("repeat_last_order", call_id="r")
    assert (again["cart"], again["total"]) == ("2x Coca-Cola 500 ml, 2x Fanta 500 ml", pesos(3400))
    assert again["text"].startswith(
        "Cargué lo mismo que en tu pedido ORD-00001. No me alcanza el stock de Fanta 500 ml."
    )
    assert (await shop.use("repeat_last_order"))["cart"] == again["cart"]
    await shop.use("clear_cart")
    assert (await shop.use("repeat_last_order", call_id="r"))["cart"] == ""


# --- what operators do ----------------------------------------------------------------------------------


async def test_an_operator_makes_an_order_for_a_contact_once(shop: Shop) -> None:
    operators = module("kiosco_operators")
    await shop.use("update_customer_info", address="San Martín 123")
    await shop.use("add_to_cart", product="tita")
    lines = [("coca 500", 2), ("GAS-002", "una"), ("fanta 500", 1)]
    making = [operators.create_order_for(shop.database(), lines, call_id="op-1", now=NOW) for _ in range(5)]
    made = await asyncio.gather(*making)
    assert {each["order"] for each in made} == {"ORD-00001"}
    assert (made[0]["ordered"], made[0]["order_total"]) == ("3x Coca-Cola 500 ml, 1x Fanta 500 ml", pesos(3850))
    assert await shop.units(COCA) == 117
    assert (await shop.use("get_order_details"))["address"] == "San Martín 123"
    assert (await shop.use("get_cart"))["cart"] == "1x Tita 19 g"


async def test_an_operators_order_is_as_careful_as_a_contacts(shop: Shop) -> None:
    create = module("kiosco_operators").create_order_for
    for lines, reason in (
        ([("coca 500", 201)], "bad_quantity"),
        ([("whisky", 1)], "product_not_found"),
        ([("coca 500", 150)], "out_of_stock"),
        ([], "bad_order"),
    ):
        with pytest.raises(ToolFailed, match=reason):
            await create(shop.database(), lines, call_id="op", now=NOW)
    with pytest.raises(AskContact):
        await create(shop.database(), [("coca", 1)], call_id="op", now=NOW)
    assert await shop.orders() == []


async def test_an_order_goes_forward_only(shop: Shop) -> None:
    mark = module("kiosco_operators").mark_order
    await shop.order(("coca 500", 2))
    for status in ("processing", "processing", "delivered", "completed"):
        assert (await mark(shop.database("op"), "ORD-00001", status, now=NOW))["status"] == status
    with pytest.raises(ToolFailed, match="order_already_processed"):
        await mark(shop.database("op"), "ORD-00001", "shipped", now=NOW)
    with pytest.raises(ToolFailed, match="bad_status"):
        await mark(shop.database("op"), "ORD-00001", "lost", now=NOW)
    await shop.order(("coca 500", 2))
    for _ in range(2):
        assert (await mark(shop.database("op"), "2", "cancelled", now=NOW))["status"] == "cancelled"
    assert await shop.units(COCA) == 118


async def test_the_catalogue_fits_into_messages(shop: Shop) -> None:
    pages = await module("kiosco_operators").catalogue_pages(shop.database(), now=NOW)
    assert len(pages) > 1
    assert all(len(page) <= 4096 for page in pages)
    assert sum(page.count("• ") for page in pages) == 260
    (one,) = await module("kiosco_operators").catalogue_pages(shop.database(), now=NOW, category="alfajores")
    assert one.startswith("*Alfajores*\n• Alfajor Jorgito: chocolate $450 · blanco $450")


# --- importing ------------------------------------------------------------------------------------------


def file_of(folder: Path, *lines: str, header: str = HEADER) -> Path:
    file = folder / "mine.csv"
    file.write_text(header + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    return file


async def bring(shop: Shop, file: Path) -> int:
    written: int = await module("kiosco_shop").import_products(shop.database(), file, now=NOW)
    return written


async def test_an_imported_shop_sells_what_the_file_says_and_nothing_else(shop: Shop, tmp_path: Path) -> None:
    file = file_of(tmp_path, "A1,Mate de madera,,Bazar,,chico,1250.50,3,,matecito", 'A2,Bombilla,,Bazar,,,"990,5",,,')
    assert await bring(shop, file) == 2
    cart = await shop.use("add_to_cart", product="matecito", quantity=2)
    assert (cart["cart"], cart["total"]) == ("2x Mate de madera chico", Decimal("2501.00"))
    assert "$2.501" in cart["text"]
    assert (await shop.told("add_to_cart", product="coca 500"))[0] == "product_not_found"
    assert (await shop.told("add_to_cart", product="bombilla"))[0] == "out_of_stock: A2"


async def test_the_same_file_twice_changes_nothing_even_after_sales(shop: Shop, tmp_path: Path) -> None:
    file = file_of(tmp_path, "A1,Mate,,Bazar,,,1250,3,,")
    assert [await bring(shop, file), await bring(shop, file)] == [1, 0]
    await shop.order(("mate", 2))
    assert await bring(shop, file) == 0
    assert await shop.units("A1") == 1
    assert await bring(shop, file_of(tmp_path, "A1,Mate,,Bazar,,,1300,,,")) == 1
    assert (await shop.units("A1"), (await shop.use("get_product_details", product="mate"))["price"]) == (
        1,
        pesos(1300),
    )


async def test_the_shipped_file_changes_nothing_in_a_shop_that_was_opened_with_it(shop: Shop) -> None:
    await shop.order(("coca 500", 2))
    assert await bring(shop, AGENT / "products.csv") == 0
    assert await shop.units(COCA) == 118


async def test_a_large_file_is_written_in_parts_that_are_told(shop: Shop, tmp_path: Path) -> None:
    file = file_of(tmp_path, *(f"B{n},Cosa número {n},,Bazar,,,{n},5,," for n in range(1, 2501)))
    told: list[tuple[int, int]] = []
    bring_in = module("kiosco_shop").import_products
    assert await bring_in(shop.database(), file, now=NOW, progress=lambda *done: told.append(done)) == 2500
    assert told == [(1000, 2500), (2000, 2500), (2500, 2500)]
    assert (await shop.use("get_product_details", product="B2500"))["price"] == pesos(2500)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("A1,Mate,,Bazar,,,gratis,3,,", "3:7: price: `gratis` is no price"),
        ("A1,Mate,,Bazar,,,1.250,3,,", "3:7: price: `1.250` is no price"),
        ("A1,Mate,,Bazar,,,0,3,,", "3:7: price: `0` is no price"),
        ("A1,Mate,,Bazar,,,-5,3,,", "3:7: price: `-5` is no price"),
        ("A1,,,Bazar,,,5,3,,", "3:2: product: the name is missing"),
        ("A1,Mate,,,,,5,3,,", "3:4: category: it is missing"),
        ("A1,Mate,,Bazar,,,5,muchos,,", "3:8: stock: `muchos` is no number of units"),
        ("A1,Mate,,Bazar,,,5,-1,,", "3:8: stock: `-1` is no number of units"),
        ("A1,Mate,,Bazar,,,5,1,rico,", "3:9: tags: there is no tag `rico`"),
        (",Mate,,Bazar,,,5,1,,", "3:1: sku: `` is none"),
        ("z0,Mate,,Bazar,,,5,1,,", "3:1: sku: `z0` stands in line 2 too"),
        ("A1,Zeta,,Bazar,,,5,1,,", "3:2: product: `Zeta` stands in line 2 too"),
        (f"A1,{'M' * 51},,Bazar,,,5,1,,", "3:2: product: the name with flavour and size is longer than 50"),
        ("A1,Ma\x00te,,Bazar,,,5,1,,", "3:2: product: it has characters that cannot be seen"),
    ],
)
async def test_a_wrong_line_is_named_and_nothing_is_written(
    sqlite_shop: Shop, tmp_path: Path, line: str, said: str
) -> None:
    with pytest.raises(FileProblems) as problems:
        await bring(sqlite_shop, file_of(tmp_path, "Z0,Zeta,,Bazar,,,5,1,,", line))
    assert f"mine.csv:{said}" in str(problems.value)
    assert len(problems.value.problems) == 1
    assert await sqlite_shop.rows("variants") == []


async def test_files_of_spreadsheets_are_read_and_others_refused(sqlite_shop: Shop, tmp_path: Path) -> None:
    semicolons = file_of(tmp_path, "A1;Mate;;Bazar;;;12,50;3;;", header="\ufeff" + HEADER.replace(",", ";"))
    assert await bring(sqlite_shop, semicolons) == 1
    with pytest.raises(FileProblems, match="columns are missing: sku, product"):
        await bring(sqlite_shop, file_of(tmp_path, "1,2", header="a,b\n"))
    with pytest.raises(FileProblems, match="no products"):
        await bring(sqlite_shop, file_of(tmp_path))
    with pytest.raises(FileProblems, match="cannot be read"):
        await bring(sqlite_shop, tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes(HEADER.encode() + "A1,Azúcar".encode("latin-1"))
    with pytest.raises(FileProblems, match="not UTF-8"):
        await bring(sqlite_shop, tmp_path / "latin.csv")


async def test_the_command_imports_into_the_database_of_the_installation(shop: Shop, tmp_path: Path) -> None:
    file = file_of(tmp_path, "A1,Mate,,Bazar,,,1250,3,,")
    good = await asyncio.to_thread(command, shop, file)
    assert (good.returncode, good.stdout) == (0, "1 product imported\n")
    assert await shop.units("A1") == 3
    again = await asyncio.to_thread(command, shop, file)
    assert again.stdout == "nothing to do: this file was the last one imported\n"
    bad = await asyncio.to_thread(command, shop, file_of(tmp_path, "A1,Mate,,Bazar,,,x,3,,"))
    assert bad.returncode == 1
    assert "mine.csv:2:7: price: `x` is no price" in bad.stderr
    assert "Traceback" not in bad.stderr


def command(shop: Shop, file: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603 -- our own words
        [sys.executable, AGENT / "import_products.py", file, "--workspace", shop.workspace],
        env={**os.environ, "HILO_DATABASE_URL": shop.opened.url},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
