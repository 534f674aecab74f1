"""Short forms that authors may write, widened to the one form that the rest of Hilo sees."""

import re
from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, ConfigDict


class Declared:
    """What an author writes: keys that are not declared are refused."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_SPAN = re.compile(r"\s*(\d{1,6})\s*([smhd])\s*")


def read_duration(value: Any) -> Any:
    """`90s`, `30m`, `2h`, `1h 30m` or `1d` as a timedelta; anything else is refused."""
    if isinstance(value, timedelta):
        return value
    parts = _SPAN.findall(value) if isinstance(value, str) else []
    if not parts or _SPAN.sub("", value):
        raise ValueError("must be a duration such as 90s, 30m, 2h or 1h 30m")
    return sum((timedelta(**{_UNITS[unit]: int(amount)}) for amount, unit in parts), timedelta())


def _listed(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


def _choices(value: Any) -> Any:
    return {str(choice): () for choice in value} if isinstance(value, list | tuple) else value


def _plain(value: Any) -> Any:
    if not isinstance(value, str | int | Decimal | bool):
        raise ValueError("must be a text, a number, true or false")  # noqa: TRY004 -- Pydantic reports ValueErrors
    return value


PlainValue = Annotated[bool | int | Decimal | str, BeforeValidator(_plain)]
Duration = Annotated[timedelta, BeforeValidator(read_duration, json_schema_input_type=str)]
Names = Annotated[tuple[str, ...], BeforeValidator(_listed, json_schema_input_type=str | list[str])]
Choices = Annotated[
    Mapping[str, Names],
    BeforeValidator(_choices, json_schema_input_type=list[str] | dict[str, str | list[str]]),
]
