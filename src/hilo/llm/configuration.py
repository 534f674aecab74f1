"""Which models are asked, what they cost and how much may be spent: a TOML file over the one of this package."""

import difflib
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args

from hilo.errors import FileProblems, Problem
from hilo.llm.model import Tier
from hilo.llm.prices import Limit, Price, Prices, SpendingLimits

Provider = Literal["anthropic", "openai", "langchain"]
LimitField = Literal["max_completion_tokens", "max_tokens"]

# What makes a chat model of LangChain from its name, as `module:function`.
CHAT_MODEL = "langchain.chat_models:init_chat_model"

LONGEST_SECONDS = 600
LONGEST_REPLY = 100_000  # tokens
MOST_TOKENS = 10**12
HINT = "see models.toml in the package hilo.llm for the shape"


@dataclass(frozen=True, slots=True)
class Configuration:
    """What an installation says about models; without a base url the provider's own server is asked."""

    provider: Provider
    small: str
    large: str
    prices: Prices
    limits: SpendingLimits
    base_url: str = ""
    limit_field: LimitField = "max_completion_tokens"
    chat_model: str = CHAT_MODEL
    max_tokens: int = 2048
    seconds: float = 25.0
    turn_seconds: float = 60.0

    def model(self, tier: Tier) -> str:
        """The name of a tier's model."""
        return self.small if tier == "small" else self.large

    def price(self, tier: Tier) -> Price:
        """Of a tier's model."""
        return self.prices.of(self.model(tier))


def read_configuration(file: Path | None) -> Configuration:
    """The file's words over the package's; raises FileProblems."""
    if file is None:
        return configured("", file="models.toml")
    try:
        return configured(file.read_text(encoding="utf-8"), file=str(file))
    except UnicodeDecodeError as error:
        what, hint = f"not UTF-8 text: {error.reason}", "save it as UTF-8"
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        hint = "HILO_MODELS names the file that says which models to ask"
    raise FileProblems((Problem(str(file), 1, 1, what, hint),))


def configured(text: str, *, file: str) -> Configuration:
    """The text's words over the package's; raises FileProblems that say what is wrong where."""
    try:
        own = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise FileProblems((_not_toml(file, str(error)),)) from None
    wrong = list(_wrong(own, _SHAPE)) or list(_incomplete(_merged(_defaults(), own)))
    if wrong:
        raise FileProblems(tuple(Problem(file, _line(text, path), 1, what, hint) for path, what, hint in wrong))
    return _configuration(own)


@cache
def _defaults() -> dict[str, Any]:
    text = files("hilo.llm").joinpath("models.toml").read_text(encoding="utf-8")
    return tomllib.loads(text, parse_float=Decimal)


def _merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Key by key; tables are merged, everything else is replaced."""
    both = {
        name: _merged(under[name], value) if isinstance(value, dict) and name in under else value
        for name, value in over.items()
    }
    return {**under, **both}


def _configuration(own: Mapping[str, Any]) -> Configuration:
    read = _merged(_defaults(), own)
    models = {name: Price(*(Decimal(each[field]) for field in _PRICE)) for name, each in read["models"].items()}
    # Whoever gives both prices means them.
    ours = {read["small"], read["large"]} <= own.get("models", {}).keys()
    prices = Prices(models, read["currency"], read["as_of"], example=own.get("example", not ours))
    return Configuration(
        provider=read["provider"],
        small=read["small"],
        large=read["large"],
        prices=prices,
        limits=SpendingLimits(**{name: _limit(each) for name, each in read["limits"].items()}),
        base_url=read.get("base_url", ""),
        limit_field=read.get("limit_field", "max_completion_tokens"),
        chat_model=read.get("chat_model", CHAT_MODEL),
        max_tokens=read["requests"]["max_tokens"],
        seconds=float(read["requests"]["seconds"]),
        turn_seconds=float(read["requests"]["turn_seconds"]),
    )


def _limit(read: Mapping[str, Any]) -> Limit:
    money = read.get("money")
    return Limit(read.get("tokens"), None if money is None else Decimal(money))


# --- what may be said ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Check:
    """What a value must be; `must_be` tells whoever wrote another."""

    fits: Callable[[Any], bool]
    must_be: str


Wrong = tuple[tuple[str, ...], str, str]  # where, what, and how to correct it


def _one_of(words: tuple[str, ...]) -> Check:
    quoted = " or ".join(f'"{word}"' for word in words)
    return Check(lambda value: value in words, quoted)


def _within(least: int, most: int, *, whole: bool = False) -> Check:
    kinds, kind = (int, "a whole number") if whole else (int | Decimal, "a number")

    def fits(value: Any) -> bool:
        if not isinstance(value, kinds) or isinstance(value, bool):  # TOML's true is Python's 1
            return False
        return Decimal(value).is_finite() and least <= value <= most

    return Check(fits, f"{kind} from {least} to {most}")


def _is_date(value: Any) -> bool:
    return isinstance(value, date) and not isinstance(value, datetime)


def _is_url(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(("http://", "https://"))


def _is_function(value: Any) -> bool:
    module, _, name = value.partition(":") if isinstance(value, str) else ("", "", "")
    return name.isidentifier() and all(part.isidentifier() for part in module.split("."))


_TEXT = Check(lambda value: isinstance(value, str) and bool(value.strip()), "a text")
_FUNCTION = Check(_is_function, "`module:function`, such as my_models:chat_model")
_URL = Check(_is_url, "an http(s) address")
_FLAG = Check(lambda value: isinstance(value, bool), "true or false")
_DATE = Check(_is_date, "a date without quotes, such as 2026-11-15")
_AMOUNT = _within(0, MOST_TOKENS)
_PRICE = dict.fromkeys(("input", "output", "cache_read", "cache_written"), _AMOUNT)
_LIMIT = {"tokens": _within(0, MOST_TOKENS, whole=True), "money": _AMOUNT}
_SHAPE: Mapping[str, Any] = {
    "provider": _one_of(get_args(Provider)),
    "small": _TEXT,
    "large": _TEXT,
    "base_url": _URL,
    "chat_model": _FUNCTION,
    "limit_field": _one_of(get_args(LimitField)),
    "example": _FLAG,
    "as_of": _DATE,
    "currency": _TEXT,
    "models": {"*": _PRICE},
    "requests": {
        "max_tokens": _within(1, LONGEST_REPLY, whole=True),
        "seconds": _within(1, LONGEST_SECONDS),
        "turn_seconds": _within(1, LONGEST_SECONDS),
    },
    "limits": dict.fromkeys(SpendingLimits.__dataclass_fields__, _LIMIT),
}


def _wrong(read: Mapping[str, Any], shape: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[Wrong]:
    for name, value in read.items():
        here, expected = (*path, name), shape.get(name) or shape.get("*")
        if expected is None:
            near = difflib.get_close_matches(name, shape, n=1)
            yield here, f"nothing is called {'.'.join(here)}", f"did you mean {near[0]}?" if near else HINT
        elif isinstance(expected, Check):
            if not expected.fits(value):
                yield here, f"{'.'.join(here)} must be {expected.must_be}", HINT
        elif isinstance(value, dict):
            yield from _wrong(value, expected, here)
        else:
            yield here, f"{'.'.join(here)} must be a table", f"write [{'.'.join(here)}] and its values below"


def _incomplete(read: Mapping[str, Any]) -> Iterator[Wrong]:
    """Every model that may be asked has a whole price."""
    for name, price in read["models"].items():
        if missing := [field for field in _PRICE if field not in price]:
            yield ("models", name), f"the price of {name} has no {', '.join(missing)}", "0 is for what costs nothing"
    for tier in ("small", "large"):
        if read[tier] not in read["models"]:
            table = f'[models."{read[tier]}"] with {", ".join(_PRICE)} per million tokens'
            yield (tier,), f"no price for the {tier} model {read[tier]}", f"add {table}; 0 is for what costs nothing"


# --- where it is said ---------------------------------------------------------------------------------


def _not_toml(file: str, error: str) -> Problem:
    """The parser tells the place in words."""
    what, _, place = error.partition(" (at line ")
    line, _, column = place.rstrip(")").partition(", column ")
    return Problem(file, int(line) if line.isdigit() else 1, int(column) if column.isdigit() else 1, what, HINT)


def _line(text: str, path: tuple[str, ...]) -> int:
    """The line that says a key, or the table that should."""
    table: tuple[str, ...] = ()
    best, length = 1, 0
    for number, line in enumerate(text.splitlines(), 1):
        here = _named(line)
        table = here if line.lstrip().startswith("[") else table
        said = table if line.lstrip().startswith("[") else (*table, *here)
        if here and len(said) > length and path[: len(said)] == said:
            best, length = number, len(said)
    return best


def _named(line: str) -> tuple[str, ...]:
    """The key or the table that a line begins with."""
    bare = line.strip() if line.lstrip().startswith("[") else line.partition("=")[0] + " = 0"
    found: list[str] = []
    with suppress(tomllib.TOMLDecodeError):
        read: Any = tomllib.loads(bare)
        while isinstance(read, dict) and read:
            found.append(next(iter(read)))
            read = read[found[-1]]
    return tuple(found)
