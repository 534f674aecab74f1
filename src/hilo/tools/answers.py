"""What others answered, which may be anything: read within bounds, and brought to outputs."""

import json
import re
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any, NoReturn

MAX_BYTES = 1_000_000
MAX_TEXT = 2000  # characters of one output
MAX_OUTPUTS = 50
MAX_REASON = 200
DEEPEST = 50
_MAX_DIGITS = 60
_MAX_EXPONENT = 30
_HIDDEN = "•••"
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")


def read_json(content: bytes) -> Any:
    """JSON as values with exact numbers; raises ValueError for what is none, or is nested absurdly deep."""
    try:
        value = json.loads(content, parse_float=_decimal, parse_int=_integer, parse_constant=_no_constant)
        check_depth(value)
    except RecursionError:
        raise ValueError("nested too deep") from None
    return value


def check_depth(value: Any, left: int = DEEPEST) -> None:
    """Raises RecursionError for what is nested absurdly deep."""
    if not left:
        raise RecursionError
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        check_depth(each, left - 1)


def read_text(content: bytes, secrets: Collection[str]) -> str:
    """An answer that is no JSON, as a bounded text without the secrets."""
    text: str = without(content.decode(errors="replace"), secrets)
    return text.strip()[:MAX_TEXT]


def outputs_of(value: Any, places: Mapping[str, str]) -> dict[str, Any]:
    """What is at the places (`delivery.eta`, `items.0.name`) of an answer; with none named, its plain values."""
    if places:
        found = {name: _plain(_at(value, place.split("."))) for name, place in places.items()}
        return {name: each for name, each in found.items() if each is not None}
    return plain_values(value) if isinstance(value, Mapping) else {"result": _plain(value)}


def plain_values(value: Mapping[str, Any]) -> dict[str, Any]:
    """The texts, numbers and truths of the top level whose keys are words, as many as are sensible."""
    kept = {
        key: _plain(each)
        for key, each in value.items()
        if _KEY.fullmatch(key) and isinstance(each, str | bool | int | float | Decimal)
    }
    return dict(list(kept.items())[:MAX_OUTPUTS])


def without(value: Any, secrets: Collection[str]) -> Any:
    """The value with secrets hidden and halves of characters replaced, wherever they stand."""
    match value:
        case str():
            for secret in secrets:
                value = value.replace(secret, _HIDDEN)
            return value.encode(errors="replace").decode()
        case Mapping():
            return {without(key, secrets): without(each, secrets) for key, each in value.items()}
        case list():
            return [without(each, secrets) for each in value]
        case int() | Decimal() if str(value) in secrets:
            return _HIDDEN
    return value


def one_line(text: str, secrets: Collection[str], limit: int = MAX_REASON) -> str:
    """The beginning of what others say, in one line that shows no secret and moves no cursor."""
    shown: str = without(text, secrets)[: 8 * limit]
    return " ".join("".join(each if each.isprintable() else " " for each in shown).split())[:limit]


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | Decimal | float):
        return value
    text = (
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    )
    return text[:MAX_TEXT]


def _at(value: Any, parts: list[str]) -> Any:
    for part in parts:
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list) and part.isascii() and part.isdigit() and len(part) < len("100000"):
            value = value[int(part)] if int(part) < len(value) else None
        else:
            return None
    return value


def _integer(text: str) -> int | str:
    return int(text) if len(text) <= _MAX_DIGITS else text[:MAX_TEXT]


def _decimal(text: str) -> Decimal | str:
    """Exact, unless its digits written out would be a bomb."""
    number = Decimal(text) if len(text) <= _MAX_DIGITS else None
    return number if number is not None and abs(number.adjusted()) <= _MAX_EXPONENT else text[:MAX_TEXT]


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
