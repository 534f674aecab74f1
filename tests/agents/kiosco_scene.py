"""The shop of the kiosk: its tools called as the engine calls them, by any contact of a workspace."""

import importlib
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

from hilo.app.loading import load_tools
from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import ToolResult
from hilo.store.own_sql import OwnSql, read_own_sql
from hilo.store.own_tables import OwnDatabase
from hilo.store.store import Store
from hilo.tools.call import call
from hilo.tools.database import Row, Script, many, one
from hilo.tools.given import Contact, Given

AGENT = Path(__file__).parents[2] / "agents" / "kiosco"
TOOLS = load_tools(AGENT / "tools.py")
NOW = datetime(2026, 11, 16, 15, 0, tzinfo=UTC)

_workspaces = count(1)


def module(name: str) -> ModuleType:
    """A module of the agent, the same that its tools use."""
    sys.path.insert(0, str(AGENT))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(AGENT))


def own_sql() -> OwnSql:
    own = read_own_sql("kiosco", AGENT)
    assert own is not None
    return own


@dataclass
class Shop:
    """A workspace of its own for each test, so that one PostgreSQL serves them all."""

    store: Store
    kind: str
    url: str
    own: OwnSql = field(default_factory=own_sql)
    workspace: str = field(default_factory=lambda: f"w{next(_workspaces)}")
    now: datetime = NOW
    calls: int = 0

    def database(self, who: str = "ana", workspace: str = "") -> OwnDatabase:
        contact = Contact(workspace or self.workspace, who, "wa", "5491155550101", "s")
        return OwnDatabase(self.store, self.own, contact)

    async def call(self, tool: str, who: str = "ana", **arguments: Any) -> ToolResult:
        """A call a second later; `call_id` and `workspace` may be given."""
        self.calls += 1
        self.now += timedelta(seconds=1)
        run = RunTool(arguments.pop("call_id", f"{who}-{self.calls}"), tool, arguments)
        database = self.database(who, arguments.pop("workspace", ""))
        return await call(TOOLS, run, now=self.now, given=Given(database.contact, database))

    async def use(self, tool: str, who: str = "ana", **arguments: Any) -> dict[str, Any]:
        """What a call gives that goes well."""
        result = await self.call(tool, who, **arguments)
        assert result.ok, (result.error, result.tell, result.asks)
        return dict(result.outputs)

    async def told(self, tool: str, who: str = "ana", **arguments: Any) -> tuple[str, str]:
        """The reason and the sentence for the contact of a call that cannot be done."""
        result = await self.call(tool, who, **arguments)
        assert not result.ok
        assert result.asks is None
        assert result.tell
        return result.error, result.tell

    async def asked(self, tool: str, who: str = "ana", **arguments: Any) -> tuple[str, ...]:
        """What a call that is not clear lets the contact choose from."""
        result = await self.call(tool, who, **arguments)
        assert result.asks, (result.error, result.tell)
        assert result.asks.parameter in TOOLS[tool].spec.parameters
        assert result.asks.question
        return result.asks.options

    async def know(self, who: str = "ana", address: str = "retiro en el local") -> None:
        """All that an order needs of a contact."""
        await self.use("update_customer_info", who, name="Ana Paz", dni="30123456")
        await self.use("set_shipping_address", who, address=address)

    async def order(self, *lines: tuple[str, int], who: str = "ana") -> dict[str, Any]:
        """A confirmed order, to be picked up."""
        await self.know(who)
        for product, quantity in lines:
            await self.use("add_to_cart", who, product=product, quantity=quantity)
        return await self.confirm(who)

    async def confirm(self, who: str = "ana", **arguments: Any) -> dict[str, Any]:
        """Say yes to what the cart shows."""
        shown = await self.use("get_cart", who)
        return await self.use("confirm_order", who, **{"total": shown["total"], "cart": shown["cart"], **arguments})

    async def rows(self, query: str, who: str = "ana", **values: Any) -> list[Row]:
        """What a statement of the agent finds."""
        return await self.database(who).run(many, query, **values)

    async def units(self, sku: str) -> int:
        (row,) = await self.rows("price", sku=sku)
        return int(row["units"])

    async def stock(self, sku: str, units: int) -> None:
        """So many units, as an import would write them."""
        await self.use("get_cart")
        await self.rows("put_stock", rows=f'[["{sku}", {units}]]')

    async def price(self, sku: str, price: int) -> None:
        """Another price in pesos, all else as it was."""
        (item,) = [each for each in module("kiosco_products").shipped_products().items if each.variant.sku == sku]
        kept = module("kiosco_products").Item(item.variant, price * 100, None)
        shop = module("kiosco_shop")
        await self.database().run(shop.put, shop.rows_of([kept]))

    async def orders(self) -> list[Row]:
        """All orders of the workspace."""
        return await self.database().run(_all_orders)


def _all_orders() -> Script[list[Row]]:
    found = []
    number = 1
    while row := (yield from one("shop_order", number=number)):
        found.append(row)
        number += 1
    return found


def pesos(value: int | str) -> Decimal:
    return Decimal(value)
