"""What tokens cost, how many there are when nobody counts them, and the most that they may cost. Arithmetic only."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import assert_never

from hilo.errors import HiloError
from hilo.llm.model import Message, Opaque, Part, Request, Spent, TextPart, ToolUse, ToolUseResult

MILLION = 1_000_000
BYTES_PER_TOKEN = 2  # prose has three to five; digits and JSON come near two
PER_PART = 12  # roles, marks and ids around each part
PER_REQUEST = 400  # what providers add themselves when tools are offered
SCOPES = {
    "turn": "turn",
    "session": "session",
    "agent_day": "agent and day",
    "workspace_day": "workspace and day",
}  # the narrowest first: that is the one worth telling


class UnknownPrice(HiloError):  # noqa: N818 -- it names what is missing
    """A model that nobody gave a price."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens of all kinds, and what they cost."""

    tokens: int = 0
    money: Decimal = Decimal(0)

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.tokens + other.tokens, self.money + other.money)

    def __sub__(self, other: "Cost") -> "Cost":
        return Cost(self.tokens - other.tokens, self.money - other.money)


@dataclass(frozen=True, slots=True)
class Price:
    """Of a million tokens, by how they are paid."""

    input: Decimal
    output: Decimal
    cache_read: Decimal
    cache_written: Decimal

    def of(self, spent: Spent) -> Cost:
        """What a reply cost, exactly."""
        money = (
            self.input * spent.input
            + self.output * spent.output
            + self.cache_read * spent.cache_read
            + self.cache_written * spent.cache_written
        )
        return Cost(spent.total, money / MILLION)

    def at_worst(self, spent: Spent) -> Cost:
        """The most that these tokens can cost: all input paid in the most expensive way."""
        most_expensive = max(self.input, self.cache_read, self.cache_written)
        input_tokens = spent.total - spent.output
        money = most_expensive * input_tokens + self.output * spent.output
        return Cost(spent.total, money / MILLION)


@dataclass(frozen=True, slots=True)
class Prices:
    """A price per model; `example` says that nobody has put in the real ones yet."""

    models: Mapping[str, Price]
    currency: str
    as_of: date
    example: bool = False

    def of(self, model: str) -> Price:
        """The price of a model by its full name; raises UnknownPrice."""
        if model in self.models:
            return self.models[model]
        known = ", ".join(sorted(self.models)) or "none"
        raise UnknownPrice(f"no price for the model {model}: there are prices for {known}")


# --- limits ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limit:
    """The most that may be spent; None is no limit."""

    tokens: int | None = None
    money: Decimal | None = None


@dataclass(frozen=True, slots=True)
class SpendingLimits:
    """Per turn, per session, and per day for an agent and for a workspace."""

    turn: Limit = field(default_factory=Limit)
    session: Limit = field(default_factory=Limit)
    agent_day: Limit = field(default_factory=Limit)
    workspace_day: Limit = field(default_factory=Limit)


@dataclass(frozen=True, slots=True)
class Totals:
    """What was spent and is reserved wherever a request belongs."""

    turn: Cost = field(default_factory=Cost)
    session: Cost = field(default_factory=Cost)
    agent_day: Cost = field(default_factory=Cost)
    workspace_day: Cost = field(default_factory=Cost)


def broken_limit(limits: SpendingLimits, totals: Totals) -> str:
    """Which limit the totals break, in words; empty where they keep to all of them."""
    for field_, scope in SCOPES.items():
        limit: Limit = getattr(limits, field_)
        total: Cost = getattr(totals, field_)
        if limit.tokens is not None and total.tokens > limit.tokens:
            return f"the tokens per {scope}: {total.tokens} of {limit.tokens}"
        if limit.money is not None and total.money > limit.money:
            return f"the money per {scope}: {total.money} of {limit.money}"
    return ""


# --- estimates: rather too many tokens than too few -----------------------------------------


def estimated_input(request: Request) -> int:
    """Input tokens of a request, on the safe side for ordinary text."""
    tokens = PER_REQUEST + _tokens(request.system) + sum(map(_of_message, request.messages))
    for tool in request.tools:
        tokens += PER_PART + _tokens(tool.name + tool.description + json.dumps(tool.schema))
    if request.output is not None:
        tokens += _tokens(json.dumps(request.output))
    return tokens


def estimated_spending(request: Request, parts: tuple[Part, ...]) -> Spent:
    """For a reply whose provider did not say what it cost."""
    return Spent(estimated_input(request), _of_message(Message("assistant", parts)), estimated=True)


def _of_message(message: Message) -> int:
    return PER_PART + sum(PER_PART + _tokens(_words(part)) for part in message.parts)


def _words(part: Part) -> str:
    match part:
        case TextPart(text):
            return text
        case ToolUse(_, name, arguments):
            return name + json.dumps(arguments, default=str)
        case ToolUseResult(_, content):
            return content
        case Opaque(_, block):
            return json.dumps(block, default=str)
    assert_never(part)


def _tokens(text: str) -> int:
    return -(-len(text.encode(errors="replace")) // BYTES_PER_TOKEN)
