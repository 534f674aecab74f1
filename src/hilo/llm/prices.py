"""What tokens cost: exact, and from configuration."""

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
class Price:
    """Of a million tokens, by how they are paid."""

    input: Decimal
    output: Decimal
    cache_read: Decimal
    cache_written: Decimal

    def of(self, spent: Spent) -> Decimal:
        """The exact cost."""
        paid = (
            self.input * spent.input
            + self.output * spent.output
            + self.cache_read * spent.cache_read
            + self.cache_written * spent.cache_written
        )
        return paid / MILLION

    def at_worst(self, input_tokens: int, max_tokens: int) -> Decimal:
        """The most that a request can cost: all input paid in the dearest way, all output used."""
        dearest = max(self.input, self.cache_read, self.cache_written)
        return (dearest * input_tokens + self.output * max_tokens) / MILLION


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
