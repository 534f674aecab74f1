"""Reading what a stranger posted: JSON within limits, fields that may be missing or of another type, secrets."""

import hmac
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from hilo.channels.channel import NotReadable

MAX_BYTES = 3 * 1024 * 1024  # the largest body that Meta announces
MAX_DEPTH = 40
MAX_EXPONENT = 100
MAX_FIELDS, MAX_FIELD, MAX_VALUE = 50, 100, 2000  # of a form: how many, and characters of a name and a value
MAX_ID = 512  # characters; ids are keys of the inbox
_DIRT = re.compile("[\0\ud800-\udfff]")
_ID = re.compile(rf"[!-~]{{1,{MAX_ID}}}")
_WORD = re.compile(r"[A-Za-z0-9_.-]{1,40}")
_LAST_TIME = datetime(9998, 1, 1, tzinfo=UTC).timestamp()  # later ones overflow in some time zone

Json = Mapping[str, Any]


def read_object(body: bytes) -> Json:
    """The JSON object in a body, without what no database can store; raises NotReadable for anything else."""
    if len(body) > MAX_BYTES:
        raise NotReadable(f"the body has more than {MAX_BYTES} bytes")
    try:
        value = json.loads(body.decode(), parse_constant=_refuse, parse_float=_exact)
    except (ValueError, RecursionError) as error:
        raise NotReadable(f"the body is not JSON ({type(error).__name__})") from None
    if not isinstance(value, dict):
        raise NotReadable("the body is not a JSON object")
    return {str(key): each for key, each in _clean(value, MAX_DEPTH).items()}


def at(value: Any, *path: str) -> Any:
    """What lies at the end of a path of keys; None where the path breaks off."""
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def object_at(value: Any, *path: str) -> Json:
    """An object, or an empty one."""
    found = at(value, *path)
    return found if isinstance(found, Mapping) else {}


def objects_at(value: Any, *path: str) -> tuple[Json, ...]:
    """The objects of a list; what else is in it is left out."""
    found = at(value, *path)
    return tuple(each for each in found if isinstance(each, Mapping)) if isinstance(found, list) else ()


def text_at(value: Any, *path: str) -> str:
    """A string, or an empty one."""
    found = at(value, *path)
    return found if isinstance(found, str) else ""


def id_at(value: Any, *path: str) -> str:
    """An id, whether it came as a string or as a whole number; empty when it is neither or absurdly long."""
    found = at(value, *path)
    whole = isinstance(found, int) and not isinstance(found, bool)
    written = str(found) if isinstance(found, str) or (whole and abs(found) < 1 << 64) else ""
    return written if _ID.fullmatch(written) else ""


def number_at(value: Any, *path: str) -> Decimal | None:
    """A number, exactly as it was written."""
    found = at(value, *path)
    if isinstance(found, bool) or not isinstance(found, int | Decimal):
        return None
    exact = Decimal(found)
    return exact if exact.adjusted() < len(str(1 << 64)) else None


def degrees_at(value: Any, *path: str) -> float | None:
    """A latitude or longitude."""
    number = number_at(value, *path)
    return float(number) if number is not None and abs(number) <= 180 else None  # noqa: PLR2004 -- half a circle


def time_at(value: Any, *path: str) -> datetime | None:
    """Seconds since 1970, written as a number or in a string."""
    written = id_at(value, *path)
    if not (written.isascii() and written.isdigit()) or int(written) > _LAST_TIME:
        return None
    return datetime.fromtimestamp(int(written), UTC)


def form_values(written: str) -> tuple[tuple[str, str], ...]:
    """The plain fields of a form that came as JSON in a string."""
    try:
        answer = read_object(written.encode("utf-8", "replace"))
    except NotReadable:
        return ()
    return plain_fields(answer)


def plain_fields(form: Json) -> tuple[tuple[str, str], ...]:
    """The fields of a form that are texts or numbers; its token is the provider's."""
    plain = [(key, each) for key, each in form.items() if isinstance(each, str | int | Decimal)]
    named = [(key[:MAX_FIELD], str(each)[:MAX_VALUE]) for key, each in plain if key != "flow_token"]
    return tuple(named[:MAX_FIELDS])


def word_of(name: Any) -> str:
    """A provider's word for a kind, fit for a log line."""
    return name if isinstance(name, str) and _WORD.fullmatch(name) else "unnamed"


def same_secret(given: str, ours: str) -> bool:
    """Whether they are equal, in a time that does not tell where they differ; an empty secret is never right."""
    return bool(ours) and hmac.compare_digest(given.encode("utf-8", "surrogatepass"), ours.encode())


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _exact(written: str) -> Decimal:
    try:
        number = Decimal(written)
    except InvalidOperation:
        raise ValueError("a number that no machine can hold") from None
    if abs(number.adjusted()) > MAX_EXPONENT:
        raise ValueError("a number out of all proportion")
    return number


def _clean(value: Any, depth: int) -> Any:
    if depth == 0:
        raise NotReadable(f"the body is nested more than {MAX_DEPTH} levels deep")
    match value:
        case str():
            return _DIRT.sub("", value)
        case dict():
            return {_DIRT.sub("", key): _clean(each, depth - 1) for key, each in value.items()}
        case list():
            return [_clean(each, depth - 1) for each in value]
    return value
