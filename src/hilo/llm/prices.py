"""What tokens cost: exact, and from configuration."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from importlib.resources import files
from typing import Any

from hilo.errors import FileProblems, HiloError, Problem
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
        raise UnknownPrice(f"no price for the model {model}: add [models.{model}] to the price file (it has: {known})")


def example_prices() -> Prices:
    """The figures that come with the package."""
    return read_prices(files("hilo.llm").joinpath("prices.toml").read_text(), file="prices.toml")


def read_prices(text: str, *, file: str) -> Prices:
    """From TOML; raises FileProblems that say what is wrong."""
    try:
        return _prices(tomllib.loads(text, parse_float=Decimal))
    except (ValueError, KeyError, TypeError) as error:
        raise FileProblems((Problem(file, 1, 1, str(error), "see prices.toml in the package for the shape"),)) from None


def _prices(read: Mapping[str, Any]) -> Prices:
    missing = {"models", "currency", "as_of"} - read.keys()
    if missing:
        raise ValueError(f"missing: {', '.join(sorted(missing))}")
    if not isinstance(read["as_of"], date) or not isinstance(read["models"], dict):
        raise TypeError("as_of must be a date and models a table")
    models = {name: _price(name, each) for name, each in read["models"].items()}
    return Prices(models, str(read["currency"]), read["as_of"], example=read.get("example") is True)


def _price(name: str, read: Any) -> Price:
    fields = ("input", "output", "cache_read", "cache_written")
    if not isinstance(read, dict) or set(read) != set(fields):
        raise ValueError(f"the model {name} needs exactly {', '.join(fields)}")
    return Price(*(_amount(f"{name}.{field}", read[field]) for field in fields))


def _amount(name: str, value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise TypeError(f"{name} must be a number")
    amount = Decimal(value)
    if not amount.is_finite() or amount < 0:
        raise ValueError(f"{name} must not be negative")
    return amount
