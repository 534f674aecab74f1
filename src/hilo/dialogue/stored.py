"""What is stored as JSON, by its type, and back: sessions, events, effects, arguments of tools.

What is read is what was written: `1.10` stays a decimal with two digits, a list a list, half a
surrogate pair itself.
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, get_args

from pydantic import GetCoreSchemaHandler, PlainSerializer, PlainValidator, TypeAdapter
from pydantic_core import CoreSchema, core_schema

from hilo.agent.values import Value

_HALF_PAIR = re.compile("[\ud800-\udfff]")  # no encoding has them, JSON's escapes do


def encode(kind: Any, thing: Any, *, whole: bool = False, exact: bool = True) -> str:
    """A thing of this type; defaults are written only of the `whole`. ValueError for a stranger.

    What is not meant to be `exact` may have halves of surrogate pairs, which no database and no
    provider takes.
    """
    written = json.dumps(
        _adapter(kind).dump_python(thing, exclude_defaults=not whole, warnings=False),
        ensure_ascii=False,
        separators=(",", ":"),
        default=datetime.isoformat,
    )
    if not exact:
        return written
    return _HALF_PAIR.sub(lambda half: f"\\u{ord(half[0]):04x}", written)


def decode(kind: Any, stored: str | bytes) -> Any:
    """What was stored; raises ValueError for what is not of this type."""
    return _adapter(kind).validate_python(json.loads(stored))


def validated(kind: Any, thing: Any) -> Any:
    """The same thing if its fields have their types; ValueError for what could not be stored."""
    adapter = _adapter(kind)
    return adapter.validate_python(adapter.dump_python(thing, warnings=False))


_adapter: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)  # making one takes milliseconds


# --- types that say how they are stored ----------------------------------------------------------


@dataclass(frozen=True)
class Named:
    """Marks a union whose members are stored with their names: `{"is": "SetSlot", …}`."""

    def __get_pydantic_core_schema__(self, union: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Members are told apart by their names alone, for several have the same fields."""
        members: dict[Any, str] = {each: each.__name__ for each in get_args(union)}

        def write(thing: Any, info: core_schema.SerializationInfo) -> dict[str, Any]:
            kind: Any = type(thing)
            if kind not in members:
                raise ValueError(f"{kind.__name__} is none of these")
            # not by the union's own serialiser, which writes what its members refuse as it comes
            adapter = _adapter(kind)
            brief = info.exclude_defaults
            fields = adapter.dump_python(thing, exclude_defaults=brief, warnings=False)
            return {"is": members[kind], **fields}

        union_schema = core_schema.tagged_union_schema(
            {name: handler.generate_schema(each) for each, name in members.items()},
            discriminator="is",
            serialization=core_schema.plain_serializer_function_ser_schema(write, info_arg=True),
        )
        return core_schema.no_info_before_validator_function(_with_plain_times, union_schema)


def _with_plain_times(thing: Any) -> Any:
    """Older versions wrote times as `{"time": …}`."""
    if not isinstance(thing, Mapping):
        return thing
    plain = dict(thing)
    for name, value in thing.items():
        if isinstance(value, Mapping) and value.keys() == {"time"}:
            plain[name] = value["time"]
    return plain


def _plain(value: Any) -> Any:
    """A value of any shape in JSON that tells what it was; ValueError if it has no such form."""
    match value:
        case None | str() | int():
            return value
        case tuple():
            return [_plain(each) for each in value]
        case list():
            return {"list": [_plain(each) for each in value]}
        case Mapping():
            return {"map": {_key(name): _plain(each) for name, each in value.items()}}
        case float():
            return value if math.isfinite(value) else {"float": str(value)}
        case Decimal():
            return {"decimal": str(value)}
        case datetime():
            return {"time": value.isoformat()}
    raise ValueError(f"{value!r:.100} cannot be stored")


def _key(name: Any) -> str:
    if not isinstance(name, str):
        # JSON would make it one in silence.
        raise ValueError(f"the key {name!r} is not a text")  # noqa: TRY004
    return name


def _read(plain: Any) -> Any:
    match plain:
        case list():
            return tuple(_read(each) for each in plain)
        case {"map": dict(mapping)}:
            return {name: _read(value) for name, value in mapping.items()}
        case {"list": list(values)}:
            return [_read(each) for each in values]
        case {"float": str(number)}:
            return float(number)
        case {"decimal": str(number)}:
            return Decimal(number)
        case {"time": str(when)}:
            return datetime.fromisoformat(when)
    return plain


def _value(stored: Any) -> Value:
    value = _read(stored)
    if not isinstance(value, Value):
        # Pydantic tells of a ValueError.
        raise ValueError(f"{stored!r:.100} is no value of a slot")  # noqa: TRY004
    return value


def _arguments(stored: Any) -> Mapping[str, Any]:
    arguments = _read(stored)
    if not isinstance(arguments, Mapping):
        # Pydantic tells of a ValueError.
        raise ValueError(f"{stored!r:.100} are no arguments")  # noqa: TRY004
    return arguments


StoredValue = Annotated[Value, PlainSerializer(_plain), PlainValidator(_value)]
Arguments = Annotated[Mapping[str, Any], PlainSerializer(_plain), PlainValidator(_arguments)]
