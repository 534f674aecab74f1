"""Agents that ask models, and talks with them through the real SDK to a server that answers by a script."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Any

from hilo.agent.parse import parse
from hilo.dialogue.commands import Refusal
from hilo.llm.anthropic import AnthropicModel
from hilo.llm.breaker import BreakingModel, Fuse
from hilo.llm.configuration import Configuration
from hilo.llm.model import ModelAdapter
from hilo.llm.prices import Price, Prices, SpendingLimits
from hilo.llm.reservations import MemoryReservations, ModelAccount
from hilo.llm.turn_budget import ConfiguredModel, TurnBudget
from hilo.testing import Conversation
from hilo.testing.models.answers import Answer, Calls, Fails, ReceivedRequest, Says, Script
from hilo.testing.models.anthropic import LARGE, SMALL, FakeAnthropic
from hilo.testing.models.table import Case, always
from hilo.tools.tool import Tool, ToolFailed, tool
from hilo.turn.run import Engine, Turn
from hilo.turn.state import Asking

PRICE = Price(Decimal(1), Decimal(5), Decimal("0.10"), Decimal("1.25"))
PLENTY = Configuration(
    "anthropic", SMALL, LARGE, Prices({SMALL: PRICE, LARGE: PRICE}, "USD", date(2026, 11, 15)), SpendingLimits()
)
DOWN = Fails(400, "invalid_request_error", "nobody is there")

KIOSK = """\
agent: kiosk
description: Vende bebidas en la esquina.
slots:
  name: {type: person_name, ask: "¿Nombre?"}
  size: {type: choice, choices: [chica, grande], ask: "¿Tamaño?"}
  town: {type: text, ask: "¿Ciudad?", valid_if: find_town}
  cart: {type: text, found: true}
modes:
  IDLE:
    tools: [browse, add]
    to: [ORDER]
    after: {add: ORDER}
  ORDER:
    tools: [browse, add, clear]
    to: [PAYING, IDLE]
    after: {clear: IDLE}
  PAYING:
    tools: [pay]
    to: [ORDER]
  PERSON: {operator: true, tools: [search]}
flows:
  checkout:
    starts: [quiero pagar]
    description: pagar
    steps:
      - collect: name
      - {confirm: "¿Pagas {cart}, {name}?", mode: PAYING, no: ORDER}
      - {do: pay, mode: PAYING}
      - say: "Pagado."
  survey:
    starts: [quiero opinar]
    steps: [{collect: [size, town]}, {say: "Gracias por opinar."}]
intents:
  hours: {examples: [a qué hora abren, qué horario tienen], answer: "Abrimos a las 9."}
tools:
  groups: {browse: [search, stock]}
  says: {search: "Hay {found}.", add: "Agregué {product}: {cart}."}
"""

CLOCK = """\
agent: reloj
description: Dice la hora.
slots:
  name: {type: person_name, ask: "¿Nombre?"}
  email: {type: email, ask: "¿Correo?", required: false}
  day: {type: date, ask: "¿Qué día?"}
intents:
  time: {examples: [qué hora es en Tokio, la hora de Madrid], label: la hora, do: clock, arguments: {city: message}}
  hours: {examples: [a qué hora abren, qué horario tienen], label: el horario, answer: "Abrimos a las 9."}
flows:
  visit:
    starts: [quiero una visita]
    description: agendar una visita
    steps:
      - collect: [name, email, day]
      - confirm: "{name} el {day}. ¿Está bien?"
      - {do: book}
      - say: "Agendado."
tools:
  says: {clock: "En {city} son las {time}."}
templates:
  ask.city: "¿De qué ciudad?"
confidence: {proceed: 85, reanalyse: 60, clarify: 40}
"""


@dataclass
class Ledger:
    """What tools were really called with."""

    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)

    def note(self, name: str, /, **arguments: Any) -> None:
        self.calls.append((name, arguments))
        if name in self.broken:
            raise ToolFailed(f"{name} is broken")

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.calls]


def shop_tools(ledger: Ledger) -> dict[str, Tool]:
    """Those of the kiosk."""

    @tool
    async def search(text: str) -> dict[str, str]:
        """Find products."""
        ledger.note("search", text=text)
        return {"found": f"{text} a 100"}

    @tool
    async def stock(product: str = "") -> dict[str, str]:
        """How much is there."""
        ledger.note("stock", product=product)
        return {"left": "x" * 1_000_000 if product == "todo" else "7"}

    @tool(writes=True, needs_yes=False)
    async def add(product: str, count: int = 1) -> dict[str, str]:
        """Put a product into the cart."""
        ledger.note("add", product=product, count=count)
        return {"cart": f"{count} {product}"}

    @tool(writes=True, needs_yes=False)
    async def clear() -> dict[str, str]:
        """Empty the cart."""
        ledger.note("clear")
        return {"cart": "nada"}

    @tool(writes=True)
    async def pay(name: str) -> dict[str, str]:
        """Take the money."""
        ledger.note("pay", name=name)
        return {}

    @tool
    async def find_town(text: str) -> str | bool:
        """The town of that name."""
        return {"medellin": "Medellín"}.get(text.casefold(), False)

    return {each.spec.name: each for each in (search, stock, add, clear, pay, find_town)}


def clock_tools(ledger: Ledger) -> dict[str, Tool]:
    """Those of the clock."""

    @tool
    async def clock(city: str) -> dict[str, str]:
        """The time in a city."""
        ledger.note("clock", city=city)
        return {"city": city, "time": "21:07"}

    @tool(writes=True)
    async def book(name: str, day: str) -> dict[str, str]:
        """Book a visit."""
        ledger.note("book", name=name, day=day)
        return {}

    return {each.spec.name: each for each in (clock, book)}


def made(text: str, tools: Mapping[str, Tool], **changes: Any) -> Turn:
    """A turn of the agent that this text declares."""
    agent = parse(text, toolbox={name: each.spec for name, each in tools.items()})
    return Turn(replace(agent, **changes), tools=tools)


def kiosk(ledger: Ledger | None = None, **changes: Any) -> Turn:
    return made(KIOSK, shop_tools(ledger or Ledger()), **changes)


def clock(ledger: Ledger | None = None, **changes: Any) -> Turn:
    return made(CLOCK, clock_tools(ledger or Ledger()), **changes)


# --- talks -------------------------------------------------------------------------------------------------


@dataclass
class ModelTalk(Conversation):
    """A conversation, and what the server was asked during it."""

    fake: FakeAnthropic = field(default_factory=FakeAnthropic)

    @property
    def asked(self) -> list[ReceivedRequest]:
        return self.fake.asked

    @property
    def models(self) -> list[str]:
        return [each.body["model"] for each in self.asked]

    @property
    def said(self) -> str:
        """The last reply, without the greeting that the first one begins with."""
        return self.replies[-1].text.removeprefix("¡Hola! ")


def budget(
    model: ModelAdapter, configuration: Configuration = PLENTY, *, reservations: MemoryReservations | None = None
) -> TurnBudget:
    account = ModelAccount("w", "a", "s", date(2026, 3, 2))
    return TurnBudget(ConfiguredModel(model, configuration), reservations or MemoryReservations(), account)


@dataclass(frozen=True)
class How:
    """What a talk may be given besides its script."""

    configuration: Configuration = PLENTY
    show: Callable[[str], None] | None = None
    fuse: Fuse | None = None
    engine: Engine | None = None
    remembers: bool = True


@asynccontextmanager
async def talking(turn: Turn, *answers: Answer | Script, how: How | None = None) -> AsyncIterator[ModelTalk]:
    """A talk whose model gives these answers in their order, and then is down."""
    how = how or How()
    cases = [each if isinstance(each, Case) else Case(always, each, times=1) for each in answers]
    async with FakeAnthropic([*cases, Case(always, DOWN)]) as fake:
        adapter = AnthropicModel(fake.settings)
        model, reservations = BreakingModel(adapter, how.fuse), MemoryReservations()
        talk = ModelTalk(turn, engine=how.engine, fake=fake)
        history = talk if how.remembers else None
        talk.asking = lambda: Asking(budget(model, how.configuration, reservations=reservations), history, how.show)
        try:
            yield talk
        finally:
            await adapter.aclose()


def wants(*calls: tuple[str, Mapping[str, Any] | str], text: str = "", **more: Any) -> Says:
    """A round with these calls."""
    return Says(text, tuple(Calls(name, arguments) for name, arguments in calls), **more)


def told(asked: ReceivedRequest) -> list[Mapping[str, Any]]:
    """The results that a request brings back, as they are on the wire."""
    return [block for block in asked.body["messages"][-1]["content"] if block["type"] == "tool_result"]


def offered(asked: ReceivedRequest) -> list[str]:
    return [each["name"] for each in asked.body["tools"]]


def business(asked: ReceivedRequest) -> list[str]:
    return [name for name in offered(asked) if not name.startswith("dialogue_")]


def reasons(refused: Sequence[Refusal]) -> list[str]:
    return [each.reason for each in refused]
