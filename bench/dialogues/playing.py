"""Playing a dialogue: the state that it begins in, its turns, and what the world looks like after each."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from bench.dialogues.folder import Dialogue, Given, starts_at
from bench.spanish.words import fold

from hilo.app import LoadedAgent
from hilo.dialogue.effects import Complete
from hilo.testing import Conversation, FakeClock
from hilo.testing.conversation import Stub
from hilo.turn.run import TurnResult

SIZES = {"coca-cola": "1,5", "brahma": "1 l", "papas": "chica"}  # what the folder means where nothing is said
OTHER_SIZE = "la de 1,5"
MOST_HELP = 3  # sizes said for the customer in one turn
KNOWN_CUSTOMER = (
    "INSERT INTO kiosco_customers (workspace_id, contact_id, name, dni, address, phone, email, known_since)"
    " VALUES ('main', 'contact', 'Marta Sosa', '14567890', 'Mitre 456', '', '', 0)"
)
CART = "SELECT i.quantity, v.label FROM kiosco_cart_items i JOIN kiosco_variants v USING (workspace_id, sku)"
ORDER_STEPS = ("processing", "shipped", "delivered")


@dataclass
class Playing:
    """One dialogue under way with a copy of an agent."""

    loaded: LoadedAgent
    dialogue: Dialogue
    airports: Mapping[str, str]
    talk: Conversation = field(init=False)
    completed: list[str] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)  # of the turn that was played last
    shown: list[str] = field(default_factory=list)  # what was said in it before a size was given
    by_turn: dict[int, str] = field(default_factory=dict)
    orders_before: int = 0
    sizes_said: int = 0
    broken_tools: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        starts = starts_at(self.loaded.agent.timezone)
        self.talk = Conversation(self.loaded, FakeClock(starts))

    @property
    def domain(self) -> str:
        return self.dialogue.domain

    @property
    def reply(self) -> str:
        """What was said in the turn, without case and accents."""
        return fold(" ".join(self.replies))

    # --- the world ------------------------------------------------------------------------------------

    def rows(self, query: str) -> list[dict[str, Any]]:
        """What the agent's own tables hold."""
        if self.talk.tables is None:
            return []
        connection = self.talk.tables._connection  # noqa: SLF001 -- a bench may look behind the tools
        return [dict(row) for row in connection.execute(query)]

    def cart(self) -> list[tuple[int, str]]:
        return [(row["quantity"], row["label"]) for row in self.rows(CART)]

    def orders(self) -> list[dict[str, Any]]:
        match self.domain:
            case "retail":
                return self.rows("SELECT number, status FROM kiosco_orders ORDER BY number")
            case "sales":
                query = "SELECT number, status, pack FROM sales_orders WHERE status <> 'cancelled' ORDER BY number"
                return self.rows(query)
        return []

    # --- playing --------------------------------------------------------------------------------------

    async def set_up(self) -> None:
        """The state that the dialogue is given before its first turn."""
        given = self.dialogue.given
        if self.domain == "retail":
            await self._set_up_shop(given)
        slots = given.get("slots", {})
        if self.domain == "collector" and slots:
            await self._say("hola")
            await self._say(f"me llamo {slots['name']}")
            if "email" in slots:
                await self._say(f"mi correo es {slots['email']}")
        if self.domain == "sales" and slots:
            await self._say("quiero comprar")
            await self._say("{nombre} {telefono} {ciudad} {direccion}".format(**slots))
            await self._wait(timedelta(minutes=2))
            if given["mode"] == "resumen":
                await self._say("uno")
        self.orders_before = len(self.orders())
        self.completed.clear()

    async def _set_up_shop(self, given: Given) -> None:
        if given.get("customer") == "known":
            await self.talk.operator_calls("get_cart", {}, tell=False)
            assert self.talk.tables
            self.talk.tables._connection.execute(KNOWN_CUSTOMER)  # noqa: SLF001
        for line in given.get("cart", []):
            await self._say(f"quiero {line['qty']} {line['product']}{_usual_size(line['product'], 'Coca-Cola')}")
        made = list(given.get("orders", []))
        if "last_order" in given:
            made.append({"items": given["last_order"]})
        for order in made:
            products = [[item["product"] + _usual_size(item["product"]), item["qty"]] for item in order["items"]]
            arguments = {"products": products, "address": "Mitre 456"}
            await self.talk.operator_calls("create_order", arguments, tell=False)
            wanted = order.get("status", "delivered")
            for status in ORDER_STEPS[: ORDER_STEPS.index(wanted) + 1]:
                marked = {"order": "ORD-00001", "status": status}
                await self.talk.operator_calls("mark_order", marked, tell=False)

    async def play(self, number: int, turn: Given) -> None:
        """One turn; afterwards `replies` are what it was answered with."""
        self.replies, self.shown = [], []
        tools = turn.get("tools", self.broken_tools)
        self.broken_tools = {name: what for name, what in tools.items() if what == "error"}  # until it is changed
        self.talk.stubs = {name: Stub(error="no anda") for name, what in tools.items() if what.startswith("error")}
        if "wait" in turn:
            await self._wait(timedelta(minutes=int(turn["wait"].strip("+m"))))
        else:
            said = turn["user"]
            await self._say("\n".join(said) if isinstance(said, list) else said)
            await self._say_sizes(str(said))
        self.by_turn[number] = " | ".join(self.replies)

    async def _say(self, text: str) -> None:
        self._note(await self.talk.say(text))

    async def _wait(self, duration: timedelta) -> None:
        for result in await self.talk.wait(duration):
            self._note(result)

    def _note(self, result: TurnResult) -> None:
        self.replies += [reply.text for reply in result.replies]
        self.completed += [each.flow for each in result.decision.effects if isinstance(each, Complete)]

    async def _say_sizes(self, said: str) -> None:
        """The folder has usual sizes: whoever is asked for one says it. It is counted."""
        for _ in range(MOST_HELP):
            pending = self.talk.session.pending
            asked = fold(self.replies[-1]) if self.replies else ""
            if self.domain != "retail" or pending is None or pending.kind != "argument":
                return
            if not re.search("tamano|cual", asked):
                return
            size = next((size for name, size in SIZES.items() if name in asked), OTHER_SIZE)
            if "papas" in asked and "grande" in fold(said):
                size = "grande"
            self.sizes_said += 1
            self.shown += [*self.replies, f"[the bench says: {size}]"]
            self.replies, self.talk.stubs = [], {}
            await self._say(size)


def _usual_size(product: str, *only: str) -> str:
    sizes = {"Coca-Cola": " 1,5 l", "Brahma": " 1 l"}
    return sizes.get(product, "") if not only or product in only else ""
