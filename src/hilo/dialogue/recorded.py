"""Events and commands as JSON and back, exactly: what was told to the dialogue can be told again."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any, get_args

from hilo.dialogue.commands import Command
from hilo.dialogue.events import Asks, Event, ToolResult

_CLASSES: dict[str, Any] = {each.__name__: each for each in (*get_args(Event), *get_args(Command), ToolResult, Asks)}


_HALF_PAIR = re.compile("[\ud800-\udfff]")  # no encoding has them, JSON's escapes do


def to_json(thing: Any) -> str:
    """An event, a command, a value or a tuple of them. Raises TypeError for what could not be read back."""
    written = json.dumps(_plain(thing), ensure_ascii=False, separators=(",", ":"))
    return _HALF_PAIR.sub(lambda half: f"\\u{ord(half[0]):04x}", written)


def from_json(recorded: str) -> Any:
    """What was recorded."""
    return _thing(json.loads(recorded))


def _plain(thing: Any) -> Any:
    if is_dataclass(thing):
        if _CLASSES.get(thing.__class__.__name__) is not thing.__class__:
            raise TypeError(f"{thing.__class__.__name__} is neither an event nor a command")
        values = ((name, getattr(thing, name), default) for name, default in _fields(thing.__class__))
        kept = {name: _plain(value) for name, value, default in values if value != default}
        return {"is": thing.__class__.__name__, **kept}
    match thing:
        case tuple():
            return [_plain(each) for each in thing]
        case list():
            return {"list": [_plain(each) for each in thing]}
        case Mapping():
            return {"map": {_key(name): _plain(value) for name, value in thing.items()}}
        case float() if not math.isfinite(thing):
            return {"float": str(thing)}
        case Decimal():
            return {"decimal": str(thing)}
        case datetime():
            return {"time": thing.isoformat()}
        case _:
            return thing


def _key(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"the key {name!r} is not a text")  # JSON would make it one in silence
    return name


def _thing(plain: Any) -> Any:
    match plain:
        case list():
            return tuple(_thing(each) for each in plain)
        case {"is": str(name), **kept}:
            return _CLASSES[name](**{str(field): _thing(value) for field, value in kept.items()})
        case {"map": dict(mapping)}:
            return {name: _thing(value) for name, value in mapping.items()}
        case {"list": list(things)}:
            return [_thing(each) for each in things]
        case {"float": str(number)}:
            return float(number)
        case {"decimal": str(number)}:
            return Decimal(number)
        case {"time": str(when)}:
            return datetime.fromisoformat(when)
        case _:
            return plain


@cache
def _fields(kind: type) -> tuple[tuple[str, Any], ...]:
    """The fields of a class with their defaults; what has its default is not written."""
    return tuple((each.name, _default(each)) for each in fields(kind))


def _default(field: Any) -> Any:
    if field.default is not MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not MISSING else MISSING
