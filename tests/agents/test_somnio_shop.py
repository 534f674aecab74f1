"""Quotes and orders of the shops that sell packs: two brands, the same tools and tables, on both databases."""

import asyncio
import json
from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from agents.agent_scene import AGENTS, NOW, AgentScene, Opened, own_sql_of
from hilo.agent.parse import parse
from hilo.app.installation import installation
from hilo.app.loading import load_tools
from hilo.settings import Settings
from hilo.store.own_sql import OwnSql
from hilo.store.queries import DIALECTS, Written, query
from hilo.tools.database import Script
from hilo.tools.given import Facts
from hilo.tools.tool import Tool

pytest_plugins = ("agents.agent_databases",)

AGENT = AGENTS / "somnio"
TOOLS = load_tools(AGENT / "tools.py")
ANA = {"name": "Ana", "last_name": "Pérez", "phone": "+573001234567", "city": "Medellín", "address": "calle 10 #43-12"}
EMMA = {"name": "Emma", "email": "emma@clark.com", "city": "Boston", "address": "48 Maple Street", "postcode": "02118"}
SILENCE = {"consent": "silence"}

ALL_OF_IT = """
SELECT * FROM sales_orders WHERE workspace_id = :workspace AND brand = :brand ORDER BY number
"""


def facts_of(file: str) -> Facts:
    toolbox = {name: each.spec for name, each in TOOLS.items()}
    return parse((AGENT / file).read_text(encoding="utf-8"), file=file, toolbox=toolbox).facts


SOMNIO, BRIGHTLEAF = facts_of("agent.yaml"), facts_of("brightleaf.yaml")


@dataclass
class Shop(AgentScene):
    """A brand in a workspace, and someone who buys from it."""

    own: OwnSql = field(default_factory=lambda: own_sql_of("somnio"))
    tools: dict[str, Tool] = field(default_factory=lambda: TOOLS)
    facts: Facts = field(default_factory=lambda: SOMNIO)
    buyer: dict[str, str] = field(default_factory=lambda: ANA)

    async def place(self, pack: str, total: str, who: str = "ana", **more: Any) -> dict[str, Any]:
        """An order with the contact's own yes, unless `more` says something else."""
        return await self.use("create_order", who, **self.wanted(pack, total), **more)

    async def order(self, pack: str, total: str, who: str = "ana", **more: Any) -> str:
        """The number of a placed order."""
        return str((await self.place(pack, total, who, **more))["order"])

    def wanted(self, pack: str, total: str) -> dict[str, Any]:
        return {**self.buyer, "pack": pack, "total": Decimal(total), "consent": "contact"}

    async def status(self, order: str = "", who: str = "ana", **more: Any) -> str:
        found = await self.use("order_status", who, order=order, **more)
        return f"{found['order']} {found['pack']} {found['amount']} {found['status']}"

    async def kept(self) -> list[dict[str, Any]]:
        """All that the table has of the brand's orders in the workspace."""
        return await self.opened.store.run(_kept, self.workspace, str(self.facts["prefix"]))


def _kept(workspace: str, brand: str) -> Script[list[dict[str, Any]]]:
    sql = {dialect: query(ALL_OF_IT, dialect) for dialect in DIALECTS}
    rows = yield Written("all of it", {"workspace": workspace, "brand": brand}, sql)
    return [dict(row) for row in rows]


@pytest.fixture
def shop(opened: Opened) -> Shop:
    return Shop(opened)


@pytest.fixture
def sqlite_shop(sqlite_opened: Opened) -> Shop:
    return Shop(sqlite_opened)


def tea_beside(shop: Shop) -> Shop:
    """The other brand, in the same workspace."""
    return Shop(shop.opened, facts=BRIGHTLEAF, buyer=EMMA, workspace=shop.workspace)


# --- the tools --------------------------------------------------------------------------------------------


def test_only_what_binds_the_contact_needs_a_yes() -> None:
    of_contacts = {name: each.spec for name, each in TOOLS.items() if not each.spec.operator}
    assert {name for name, each in of_contacts.items() if each.needs_yes} == {*("create_order", "cancel_order")}
    assert {name for name, each in of_contacts.items() if each.writes} == {
        *("create_order", "cancel_order", "release_order")
    }
    assert [name for name, each in TOOLS.items() if each.spec.operator] == ["mark_sent"]
    for each in TOOLS.values():
        assert "facts" not in json.dumps(each.schema())


# --- quotes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pack", "city", "expected"),
    [
        ("1x", "Bogotá", (79900, "gratis", 79900)),
        ("1x", "bogota", (79900, "gratis", 79900)),
        ("1x", "BOGOTÁ", (79900, "gratis", 79900)),
        ("1x", "Bogotá, D.C.", (79900, "gratis", 79900)),
        ("1x", "Medellín", (79900, "$8.000", 87900)),
        ("1x", "medellin", (79900, "$8.000", 87900)),
        ("1x", "Cali", (79900, "$9.000", 88900)),
        ("1x", "Barranquilla", (79900, "$11.000", 90900)),
        ("1x", "Pasto", (79900, "$14.000", 93900)),
        ("1x", "", (79900, "$14.000", 93900)),
        ("1x", "Calidonia", (79900, "$14.000", 93900)),
        ("2x", "Bogotá", (129900, "gratis", 129900)),
        ("2x", "Medellín", (129900, "gratis", 129900)),
        ("2x", "Pasto", (129900, "gratis", 129900)),
        ("3x", "Barranquilla", (169900, "gratis", 169900)),
        ("3x", "Pasto", (169900, "gratis", 169900)),
    ],
)
async def test_a_quote_is_exact(sqlite_shop: Shop, pack: str, city: str, expected: tuple[int, str, int]) -> None:
    quoted = await sqlite_shop.use("quote", pack=pack, city=city)
    assert (quoted["price"], quoted["shipping"], quoted["total"]) == expected
    assert type(quoted["total"]) is int


@pytest.mark.parametrize(
    ("pack", "city", "expected"),
    [
        ("1 box", "New York City", ("24.50", "$4.95", "29.45")),
        ("1 box", "Boston", ("24.50", "$4.95", "29.45")),
        ("1 box", "Chicago, IL", ("24.50", "$6.45", "30.95")),
        ("1 box", "Denver", ("24.50", "$7.95", "32.45")),
        ("2 boxes", "boston", ("44.50", "$4.95", "49.45")),
        ("2 boxes", "Denver", ("44.50", "$7.95", "52.45")),
        ("3 boxes", "Boston", ("61.50", "free", "61.50")),
        ("3 boxes", "Denver", ("61.50", "free", "61.50")),
    ],
)
async def test_a_quote_has_its_cents(sqlite_shop: Shop, pack: str, city: str, expected: tuple[str, str, str]) -> None:
    quoted = await tea_beside(sqlite_shop).use("quote", pack=pack, city=city)
    assert (str(quoted["price"]), quoted["shipping"], str(quoted["total"])) == expected


@pytest.mark.parametrize(
    ("limit", "shipping"), [(79899, "gratis"), (79900, "gratis"), (79901, "$14.000"), (Decimal("79900.01"), "$14.000")]
)
async def test_shipping_is_free_from_the_limit_on(sqlite_shop: Shop, limit: int | Decimal, shipping: str) -> None:
    sqlite_shop.facts = {**SOMNIO, "free_shipping_from": limit}
    assert (await sqlite_shop.use("quote", pack="1x", city="Pasto"))["shipping"] == shipping


@pytest.mark.parametrize(
    ("cost", "separators", "told"),
    [
        (1500, ".,", "$1.500"),
        (Decimal("1500.50"), ".,", "$1.500,50"),
        (Decimal("1500.5"), ",.", "$1,500.50"),
        (Decimal("7.00"), ",.", "$7"),
    ],
)
async def test_an_amount_is_written_as_the_business_writes_it(
    sqlite_shop: Shop, cost: int | Decimal, separators: str, told: str
) -> None:
    words = {**_table("words"), "separators": separators}
    sqlite_shop.facts = {**SOMNIO, "words": words, "shipping_elsewhere": cost}
    assert (await sqlite_shop.use("quote", pack="1x", city="Pasto"))["shipping"] == told


def _table(name: str) -> dict[str, Any]:
    found = SOMNIO[name]
    assert not isinstance(found, bool | int | Decimal | str)
    return dict(found)


async def test_a_pack_that_is_not_sold_has_no_price(sqlite_shop: Shop) -> None:
    for pack in ("4x", "", "1X", "2 boxes"):
        assert (await sqlite_shop.call("quote", pack=pack, city="Cali")).error == f"there is no pack {pack}"


async def test_a_table_that_the_file_has_not_is_named(sqlite_shop: Shop) -> None:
    sqlite_shop.facts = {name: fact for name, fact in SOMNIO.items() if name != "packs"}
    result = await sqlite_shop.call("quote", pack="1x", city="Cali")
    assert result.error == "the agent file has no table `packs` under `facts`"


# --- placing ----------------------------------------------------------------------------------------------


async def test_an_order_keeps_all_that_was_said(shop: Shop) -> None:
    placed = await shop.place("1x", "87900", district="El Poblado", region="Antioquia")
    assert placed == {"order": "SOM-00001", "status": "confirmado", "pack": "1x", "amount": 87900, "send_on": False}
    (row,) = await shop.kept()
    assert (row["price_cents"], row["shipping_cents"], row["total_cents"]) == (7990000, 800000, 8790000)
    assert (row["recipient"], row["phone"], row["email"]) == ("Ana Pérez", "+573001234567", "")
    assert (row["city"], row["district"], row["region"], row["postcode"]) == ("Medellín", "El Poblado", "Antioquia", "")
    assert (row["status"], row["consent"], row["contact_id"]) == ("confirmed", "contact", "ana")


async def test_cents_are_kept_to_the_cent(shop: Shop) -> None:
    tea = tea_beside(shop)
    placed = await tea.place("2 boxes", "49.45")
    assert (placed["order"], placed["amount"], placed["status"]) == ("BLT-00001", Decimal("49.45"), "confirmed")
    (row,) = await tea.kept()
    assert (row["price_cents"], row["shipping_cents"], row["total_cents"]) == (4450, 495, 4945)
    assert (row["recipient"], row["phone"], row["email"], row["postcode"]) == ("Emma", "", "emma@clark.com", "02118")


async def test_a_call_places_one_order_however_often_it_is_made(shop: Shop) -> None:
    placing = [shop.order("1x", "87900", call_id="same") for _ in range(8)]
    assert set(await asyncio.gather(*placing)) == {"SOM-00001"}
    assert await shop.order("2x", "129900", call_id="other") == "SOM-00002"
    assert await shop.order("1x", "87900", call_id="same") == "SOM-00001"
    assert [row["pack"] for row in await shop.kept()] == ["1x", "2x"]


@pytest.mark.parametrize("total", ["79900", "87899.99", "87901", "0", "-87900"])
async def test_a_total_that_was_not_shown_is_refused(shop: Shop, total: str) -> None:
    reason, tell = await shop.told("create_order", **shop.wanted("1x", total))
    assert reason == f"the total is 87900 and {total} was shown"
    assert tell == "Los precios cambiaron desde el resumen. Se lo muestro de nuevo."
    assert await shop.kept() == []
    assert await shop.order("1x", "87900.00") == "SOM-00001"


async def test_a_price_that_changed_after_the_summary_is_refused(shop: Shop) -> None:
    shown = (await shop.use("quote", pack="1x", city="Medellín"))["total"]
    shop.facts = {**SOMNIO, "packs": {**_table("packs"), "1x": 84900}}
    assert (await shop.told("create_order", **shop.wanted("1x", str(shown))))[1].startswith("Los precios cambiaron")
    assert await shop.kept() == []


async def test_numbers_have_no_gaps_whoever_orders_at_once(shop: Shop) -> None:
    people = [f"c{number}" for number in range(20)]
    refused = (shop.call("create_order", who, **shop.wanted("1x", "1")) for who in people)
    placed = (shop.order("1x", "87900", who) for who in people)
    found = await asyncio.gather(*placed, *refused)
    assert sorted(found[:20], key=str) == [f"SOM-{number:05}" for number in range(1, 21)]
    assert [row["number"] for row in await shop.kept()] == list(range(1, 21))


# --- silence ----------------------------------------------------------------------------------------------


async def test_silence_makes_an_order_that_is_not_confirmed(shop: Shop) -> None:
    placed = await shop.use("create_order", **{**shop.wanted("1x", "87900"), **SILENCE})
    assert (placed["order"], placed["status"]) == ("SOM-00001", "por confirmar")
    (row,) = await shop.kept()
    assert (row["status"], row["consent"]) == ("unconfirmed", "silence")


async def silent_order(shop: Shop, who: str = "ana", pack: str = "1x", total: str = "87900") -> str:
    placed = await shop.use("create_order", who, **{**shop.wanted(pack, total), **SILENCE})
    return str(placed["order"])


async def test_a_later_order_takes_the_place_of_one_that_waits_for_a_yes(shop: Shop) -> None:
    await silent_order(shop)
    assert await silent_order(shop, pack="2x", total="129900") == "SOM-00001"
    assert await shop.order("3x", "169900", district="Laureles") == "SOM-00001"
    (row,) = await shop.kept()
    assert (row["pack"], row["status"], row["consent"], row["district"]) == ("3x", "confirmed", "contact", "Laureles")
    assert (row["price_cents"], row["total_cents"]) == (16990000, 16990000)
    assert row["changed_at"] > row["placed_at"]
    assert await shop.order("1x", "87900") == "SOM-00002"


async def test_a_confirmed_order_is_changed_under_its_number_once_for_each_call(shop: Shop) -> None:
    first = await shop.order("2x", "129900")
    for _ in range(2):
        assert await shop.order("1x", "87900", replaces=first, district="Laureles", call_id="change") == first
    (row,) = await shop.kept()
    assert (row["pack"], row["status"], row["consent"], row["district"]) == ("1x", "confirmed", "contact", "Laureles")
    assert (row["price_cents"], row["shipping_cents"], row["total_cents"]) == (7990000, 800000, 8790000)
    assert await shop.order("1x", "87900") == "SOM-00002"


async def test_only_an_own_order_that_is_confirmed_can_be_changed(shop: Shop) -> None:
    theirs, sent = await shop.order("1x", "87900", "eva"), await shop.order("1x", "87900")
    await shop.use("mark_sent", order=sent)
    waiting = await silent_order(shop)
    before = await shop.kept()
    for order in (theirs, sent, waiting, "SOM-00009", "the last one"):
        told = await shop.told("create_order", **shop.wanted("3x", "169900"), replaces=order)
        assert told[1] == "Ese pedido ya no se puede cambiar."
    assert await shop.kept() == before


async def test_what_is_under_way_is_told_for_some_days(shop: Shop) -> None:
    nothing = {"order": "", "status": "", "pack": "", "amount": 0, "send_on": False, "orders": 0}
    assert await shop.use("open_order") == nothing
    first, second = await shop.order("1x", "87900"), await shop.order("2x", "129900")
    assert (await shop.use("open_order"))["orders"] == 2
    await shop.use("mark_sent", order=first)
    assert (await shop.use("open_order"))["order"] == second
    await shop.use("cancel_order", order=second)
    assert (await shop.use("open_order"))["status"] == "enviado"
    shop.now += timedelta(days=9)
    assert (await shop.use("open_order"))["order"] == ""
    waiting = await silent_order(shop)
    shop.now += timedelta(days=90)
    assert (await shop.use("open_order"))["order"] == waiting
    assert (await shop.use("open_order", "eva"))["order"] == ""


async def test_nobody_else_takes_the_place_of_an_order_that_waits(shop: Shop) -> None:
    await silent_order(shop)
    assert await shop.order("1x", "87900", "eva") == "SOM-00002"
    assert await shop.status() == "SOM-00001 1x 87900 por confirmar"


async def test_orders_at_the_same_moment_never_share_a_number(shop: Shop) -> None:
    await silent_order(shop)
    racing = [shop.order(pack, total) for pack, total in [("1x", "87900"), ("2x", "129900"), ("3x", "169900")] * 2]
    assert sorted(await asyncio.gather(*racing)) == [f"SOM-{number:05}" for number in range(1, 7)]
    assert {row["status"] for row in await shop.kept()} == {"confirmed"}


def _confirms_slowly(workspace: str) -> Script[None]:
    confirms = query("UPDATE sales_orders SET status = 'confirmed' WHERE workspace_id = :workspace", "postgres")
    yield Written("confirms", {"workspace": workspace}, {"postgres": confirms})
    yield Written("sleeps", {}, {"postgres": query("SELECT pg_sleep(0.2)", "postgres")})


async def test_a_new_order_waits_for_a_yes_that_is_being_written(postgres_opened: Opened) -> None:
    shop = Shop(postgres_opened)
    waiting = await silent_order(shop)
    writing = asyncio.create_task(shop.opened.store.run(_confirms_slowly, shop.workspace))
    await asyncio.sleep(0.05)
    assert await shop.order("2x", "129900") == "SOM-00002"
    await writing
    assert await shop.status(waiting) == "SOM-00001 1x 87900 confirmado"


# --- yes, no, never mind ----------------------------------------------------------------------------------


async def test_an_order_that_waits_is_confirmed_by_the_contact(shop: Shop) -> None:
    waiting = await silent_order(shop)
    for _ in range(2):
        assert await shop.order("1x", "87900", call_id="yes") == waiting
    (row,) = await shop.kept()
    assert (row["status"], row["consent"]) == ("confirmed", "contact")
    assert (await shop.told("release_order", order=waiting))[1] == "Ese pedido ya no se puede cambiar."
    assert await shop.status() == "SOM-00001 1x 87900 confirmado"


async def test_an_order_that_waits_is_released_by_a_no(shop: Shop) -> None:
    waiting = await silent_order(shop)
    for _ in range(2):
        assert (await shop.use("release_order", order=waiting))["status"] == "cancelado"
    (row,) = await shop.kept()
    assert (row["status"], row["consent"]) == ("cancelled", "silence")  # nobody ever said yes to it
    assert await shop.order("1x", "87900") == "SOM-00002"


@pytest.mark.parametrize("consent", ["contact", "silence"])
async def test_an_order_is_cancelled_until_it_is_sent(shop: Shop, consent: str) -> None:
    placed = await shop.use("create_order", **{**shop.wanted("1x", "87900"), "consent": consent})
    for _ in range(2):
        assert (await shop.use("cancel_order", order=placed["order"]))["status"] == "cancelado"
    assert (await shop.told("mark_sent", order=placed["order"]))[0] == "only a confirmed order can be sent"
    assert (await shop.kept())[0]["consent"] == consent


async def test_what_is_on_its_way_stays_on_its_way(shop: Shop) -> None:
    sent = await shop.order("1x", "87900")
    assert (await shop.use("mark_sent", order=sent))["status"] == "enviado"
    for tool in ("cancel_order", "release_order"):
        assert (await shop.told(tool, order=sent))[1] == "Ese pedido ya no se puede cambiar."
    assert await shop.status() == "SOM-00001 1x 87900 enviado"


async def test_what_waits_for_a_yes_is_not_sent(shop: Shop) -> None:
    waiting = await silent_order(shop)
    assert (await shop.told("mark_sent", order=waiting))[0] == "only a confirmed order can be sent"


@pytest.mark.parametrize("order", ["", "SOM-", "SOM-00002", "2", "SOM-99999999999999999999", "nada"])
async def test_no_order_is_changed_that_was_not_named(shop: Shop, order: str) -> None:
    for who in ("ana", "eva"):
        await shop.order("1x", "87900", who)  # SOM-00002 is another's
    for tool in ("cancel_order", "release_order", "mark_sent"):
        assert not (await shop.call(tool, order=order)).ok
    assert {row["status"] for row in await shop.kept()} == {"confirmed"}


# --- finding ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["SOM-00001", "som-00001", "1", "00001", " SOM 1 "])
async def test_an_order_is_found_by_its_number(sqlite_shop: Shop, order: str) -> None:
    await sqlite_shop.order("1x", "87900")
    await sqlite_shop.order("2x", "129900")
    assert await sqlite_shop.status(order) == "SOM-00001 1x 87900 confirmado"
    assert await sqlite_shop.status() == "SOM-00002 2x 129900 confirmado"


async def test_a_brand_may_have_a_figure_in_its_prefix(sqlite_shop: Shop) -> None:
    sqlite_shop.facts = {**SOMNIO, "prefix": "T4U"}
    assert await sqlite_shop.order("1x", "87900") == "T4U-00001"
    assert await sqlite_shop.status("T4U-00001") == "T4U-00001 1x 87900 confirmado"


async def test_orders_of_others_are_not_there(shop: Shop) -> None:
    await shop.order("1x", "87900")
    far = f"{shop.workspace}-far"
    for order in ("", "SOM-00001"):
        for other in ({"who": "eva"}, {"workspace": far}):
            error, told = await shop.told("order_status", order=order, **other)
            assert error == "there is no such order"
            assert told.startswith("En este chat no veo pedidos suyos.")
    for tool in ("cancel_order", "release_order", "mark_sent"):
        await shop.told(tool, "eva", order="SOM-00001")
        await shop.told(tool, order="SOM-00001", workspace=far)
    assert await shop.order("2x", "129900", workspace=far) == "SOM-00001"
    assert await shop.status() == "SOM-00001 1x 87900 confirmado"


# --- two brands -------------------------------------------------------------------------------------------


async def test_two_brands_of_a_workspace_have_their_own_numbers_and_orders(shop: Shop) -> None:
    tea = tea_beside(shop)
    placing = [(shop.order("1x", "87900"), tea.order("1 box", "29.45", call_id=f"t{each}")) for each in range(4)]
    found = await asyncio.gather(*(each for pair in placing for each in pair))
    assert sorted(found) == sorted(f"{brand}-{each:05}" for brand in ("SOM", "BLT") for each in range(1, 5))
    await tea.use("cancel_order", order="BLT-00004")
    assert await shop.status("SOM-00004") == "SOM-00004 1x 87900 confirmado"
    assert await tea.status() == "BLT-00004 1 box 29.45 canceled"


async def test_an_order_that_waits_in_one_brand_is_not_replaced_in_the_other(shop: Shop) -> None:
    tea = tea_beside(shop)
    await silent_order(shop)
    assert await tea.order("1 box", "29.45") == "BLT-00001"
    assert await shop.status() == "SOM-00001 1x 87900 por confirmar"


async def test_one_installation_serves_both_brands(opened: Opened) -> None:
    agents = [AGENT, AGENT / "brightleaf.yaml"]
    for _ in range(2):  # the second start finds all of it made
        async with installation(Settings(Path(), database_url=opened.url), agents) as hilo:
            assert set(hilo.agents.loaded) == {"somnio", "brightleaf"}
            shop = Shop(Opened(hilo.store, opened.url), own=hilo.agents.own["somnio"])
            tea = replace(tea_beside(shop), own=hilo.agents.own["brightleaf"])
            assert (await shop.order("1x", "87900"), await tea.order("1 box", "29.45")) == ("SOM-00001", "BLT-00001")
            assert shop.now > NOW
