"""What tokens cost: exactly, and as the configuration says."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from hilo.errors import HiloError
from hilo.llm.model import Spent

MILLION = 1_000_000


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
