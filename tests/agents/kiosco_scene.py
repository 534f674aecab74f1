"""The shop of the kiosk."""

from dataclasses import dataclass, field, replace
from decimal import Decimal
from types import ModuleType
from typing import Any

from agents.agent_scene import AGENTS, NOW, AgentScene, module_of, own_sql_of
from hilo.app.loading import load_tools
from hilo.store.own_sql import OwnSql
from hilo.tools.database import Row, Script, one
from hilo.tools.tool import Tool
from patience import PATIENCE

__all__ = ["AGENT", "NOW", "TOOLS", "Shop", "module", "own_sql", "pesos"]

AGENT = AGENTS / "kiosco"
# their own limit is ten seconds, which forty calls at once on a busy machine may need
TOOLS = {name: replace(tool, timeout=PATIENCE) for name, tool in load_tools(AGENT / "tools.py").items()}


def module(name: str) -> ModuleType:
    """A module of the agent, the same that its tools use."""
    return module_of("kiosco", name)


def own_sql() -> OwnSql:
    return own_sql_of("kiosco")


@dataclass
class Shop(AgentScene):
    """The kiosk of a workspace."""

    own: OwnSql = field(default_factory=own_sql)
    tools: dict[str, Tool] = field(default_factory=lambda: TOOLS)

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
