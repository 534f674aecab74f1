"""Short forms that authors may write, widened to the one form that the rest of Hilo sees."""

import re
from collections.abc import Mapping
from datetime import time, timedelta
from decimal import Decimal
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, ConfigDict


class Declared:
    """What an author writes: keys that are not declared are refused."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


def is_name(text: str) -> bool:
    """Whether a `say:` or `confirm:` names a template, rather than being the text itself."""
    return re.fullmatch(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*", text) is not None


_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_SPAN = re.compile(r"\s*(\d{1,6})\s*([smhd])\s*")
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
MAX_DURATION = timedelta(days=366)  # a longer one is hardly meant


def read_duration(value: Any) -> Any:
    """`90s`, `30m`, `2h`, `1h 30m` or `1d` as a timedelta; anything else is refused."""
    if isinstance(value, timedelta):
        return value
    parts = _SPAN.findall(str(value))
    if not parts or _SPAN.sub("", str(value)):
        raise ValueError("must be a duration such as 90s, 30m, 2h or 1h 30m")
    duration = timedelta()
    for amount, unit in parts:
        duration += timedelta(**{_UNITS[unit]: int(amount)})
    if duration > MAX_DURATION:
        raise ValueError(f"must be at most {MAX_DURATION.days}d")
    return duration


def show_duration(duration: timedelta) -> str:
    """A duration as an author writes it: `1h 30m`."""
    seconds = int(duration.total_seconds())
    parts: list[str] = []
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m"), (1, "s")):
        if seconds >= size:
            parts.append(f"{seconds // size}{unit}")
        seconds %= size
    return " ".join(parts) or "0s"


def read_clock(value: Any) -> Any:
    """`18:00` as a time of day; anything else is refused."""
    if isinstance(value, time):
        return value
    found = _CLOCK.fullmatch(value.strip()) if isinstance(value, str) else None
    if not found:
        raise ValueError("must be a time of day such as 18:00")
    return time(int(found[1]), int(found[2]))


def _listed(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


def _choices(value: Any) -> Any:
    return {str(choice): () for choice in value} if isinstance(value, list | tuple) else value


def _plain(value: Any) -> Any:
    if not isinstance(value, str | int | Decimal | bool):
        raise ValueError("must be a text, a number, true or false")  # noqa: TRY004 -- Pydantic reports ValueErrors
    return value


# checked first: Pydantic alone would report a wrong value once for each kind
PlainValue = Annotated[bool | int | Decimal | str, BeforeValidator(_plain)]
# What a business knows of itself: a value, or a table of them.
Fact = PlainValue | Mapping[str, PlainValue]
Duration = Annotated[timedelta, BeforeValidator(read_duration, json_schema_input_type=str)]
TimeOfDay = Annotated[time, BeforeValidator(read_clock, json_schema_input_type=str)]
Names = Annotated[tuple[str, ...], BeforeValidator(_listed, json_schema_input_type=str | list[str])]
Choices = Annotated[
    Mapping[str, Names],
    BeforeValidator(_choices, json_schema_input_type=list[str] | dict[str, str | list[str]]),
]
