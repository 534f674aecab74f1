"""Which values a slot takes, and in which form it keeps them.

`accept` is the only door to a session's slots: whatever proposes a value (the understander, a model, an author's node),
only what passes here is stored. Accepting an accepted value changes nothing.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Annotated, Any
from urllib.parse import urlsplit

import re2
from pydantic import BeforeValidator, PlainSerializer

from hilo.agent.declaration import Slot

Value = str | int | Decimal | bool

StoredValue = Annotated[
    Value,
    PlainSerializer(lambda value: {"decimal": str(value)} if isinstance(value, Decimal) else value, when_used="json"),
    BeforeValidator(lambda stored: Decimal(stored["decimal"]) if isinstance(stored, dict) else stored),
]

MAX_TEXT = 1000
MAX_AMOUNT = 10**15
MAX_DECIMALS = 6
MIN_PHONE_DIGITS, MAX_PHONE_DIGITS = 7, 15
MAX_NAME_WORDS, MAX_NAME, MAX_ADDRESS = 7, 80, 200
_CORNER = re.compile(r"\w+ (?:esq\.?|esquina|casi|corner) \w+", re.IGNORECASE)
_RURAL = re.compile(r"\b(?:vereda|finca|hacienda|corregimiento|caser[ií]o|parcela|rancho)\s+\w{2,}", re.IGNORECASE)
_LANDMARK = re.compile(
    r"\b(?:(?:en)?frente|diagonal|lado|costado|cerca|detr[aá]s|atr[aá]s|junto|contigu[oa]|esquina|cuadras?|arriba|abajo"
    r"|pasando|subiendo|bajando|entrando|llegando) (?:a|al|de|del|por|con) \w"
    r"|\b(?:por|en|entre|donde) (?:el|la|los|las) \w+ \w",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Accepted:
    """The value in the form that is kept."""

    value: Value


@dataclass(frozen=True, slots=True)
class Invalid:
    """Why not: the template that explains what is expected, and its values."""

    problem: str
    values: Mapping[str, Any] = field(default_factory=dict)


def accept(slot: Slot, value: Value, *, country: str = "") -> Accepted | Invalid:
    """Whether a slot takes a value."""
    kept = _KINDS[slot.type](value, slot, slot.country or country)
    if kept is None:
        return Invalid(f"invalid.{slot.type}", {"choices": ", ".join(slot.choices)} if slot.choices else {})
    if slot.pattern and not _pattern(slot.pattern).fullmatch(str(kept)):
        return Invalid("invalid.pattern")
    if _is_out_of_range(kept, slot):
        return Invalid("invalid.range", {"min": slot.min, "max": slot.max})
    return Accepted(kept)


@lru_cache(maxsize=256)
def _pattern(pattern: str) -> Any:
    return re2.compile(pattern)


def _is_out_of_range(value: Value, slot: Slot) -> bool:
    if isinstance(value, str | bool):
        return False
    return (slot.min is not None and value < slot.min) or (slot.max is not None and value > slot.max)


# --- one function per type: the form that is kept, or None ----------------------------------------------


def clean(text: str) -> str:
    """Without control and invisible characters, one space between words."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _text(value: Value, _slot: Slot, _country: str) -> Value | None:
    text = clean(str(value))
    return text[:MAX_TEXT].rstrip() if any(letter.isalnum() for letter in text) else None


def _person_name(value: Value, _slot: Slot, _country: str) -> Value | None:
    name = clean(value).strip(" .,;") if isinstance(value, str) else ""
    letters = sum(letter.isalpha() for letter in name)
    odd = any(letter.isdigit() or letter in '@/\\<>{}[]=_#$%&*+|~^¿?!¡:;"' for letter in name)
    return name if letters >= 2 and not odd and len(name) <= MAX_NAME and len(name.split()) <= MAX_NAME_WORDS else None  # noqa: PLR2004


def _email(value: Value, _slot: Slot, _country: str) -> Value | None:
    return _mailbox(str(value).strip())


@lru_cache(maxsize=256)  # one turn asks several times about the same value
def _mailbox(text: str) -> str | None:
    from email_validator import EmailNotValidError, validate_email  # noqa: PLC0415 -- 20 ms

    try:
        return validate_email(text, check_deliverability=False).normalized.lower()
    except EmailNotValidError:
        return None


def _phone(value: Value, _slot: Slot, country: str) -> Value | None:
    text = str(value).strip()
    digits = "".join(letter for letter in text if letter.isascii() and letter.isdigit())
    if not re.fullmatch(r"\+?[\d\s().\-/]+", text) or not MIN_PHONE_DIGITS <= len(digits) <= MAX_PHONE_DIGITS:
        return None
    return _by_country(("+" if text.startswith("+") else "") + digits, country)


@lru_cache(maxsize=256)
def _by_country(number: str, country: str) -> str | None:
    """The number with its country code where it is a valid one of the country; None where its length cannot be."""
    import phonenumbers  # noqa: PLC0415 -- 15 ms

    if not number.startswith("+") and not country:
        return number
    try:
        parsed = phonenumbers.parse(number, country or None)
    except phonenumbers.NumberParseException:
        return None
    if phonenumbers.is_valid_number(parsed):
        return str(phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164))
    return number if phonenumbers.is_possible_number(parsed) or len(number) == MIN_PHONE_DIGITS else None


def _url(value: Value, _slot: Slot, _country: str) -> Value | None:
    text = str(value).strip().rstrip(".,;")
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
    except ValueError:
        return None
    known = parts.scheme.lower() in {"http", "https"} and "." in host.strip(".")
    return text if known and text.isprintable() and not re.search(r"\s", text) and len(text) <= MAX_TEXT else None


def _number(value: Value, _slot: Slot, _country: str) -> Value | None:
    if isinstance(value, bool):
        return None
    try:
        number = Decimal(value.strip()) if isinstance(value, str) else Decimal(value)
    except InvalidOperation:
        return None
    if not number.is_finite() or abs(number) >= MAX_AMOUNT or -number.normalize().as_tuple().exponent > MAX_DECIMALS:  # type: ignore[operator]
        return None
    return int(number) if number == number.to_integral_value() else number.normalize()


def _time(value: Value, _slot: Slot, _country: str) -> Value | None:
    text = str(value).strip()
    return text if re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", text, re.ASCII) else None


def _city(value: Value, _slot: Slot, _country: str) -> Value | None:
    name = clean(str(value)).strip(" .,;")
    odd = any(letter.isdigit() or letter in "@/<>{}[]=_#$%&*+|?¿!¡:" for letter in name)
    return name if len(name) > 1 and name[0].isalpha() and not odd and len(name) <= MAX_NAME else None


def _address(value: Value, slot: Slot, country: str) -> Value | None:
    """Street and number, a corner, a landmark, a place in the country, or a choice for none of them: "lo retiro"."""
    if chosen := _choice(value, slot, country):
        return chosen
    text = clean(str(value)).strip(" .,;")
    told = _CORNER.search(text) or _RURAL.search(text) or _LANDMARK.search(text)
    placed = any(letter.isdigit() for letter in text) or told
    fits = any(letter.isalpha() for letter in text) and placed
    return text if fits and "@" not in text and len(text) <= MAX_ADDRESS else None


def _date(value: Value, _slot: Slot, _country: str) -> Value | None:
    try:
        return date.fromisoformat(str(value)).isoformat()
    except ValueError:
        return None


def _boolean(value: Value, _slot: Slot, _country: str) -> Value | None:
    return value if isinstance(value, bool) else None


def _choice(value: Value, slot: Slot, _country: str) -> Value | None:
    wanted = str(value).strip().casefold()
    return next((choice for choice in slot.choices if choice.casefold() == wanted), None)


_IDS = {
    "AR": ("ar.dni", "ar.cuit"),
    "BR": ("br.cpf",),
    "CL": ("cl.rut",),
    "CO": ("co.nit",),
    "ES": ("es.dni", "es.nie", "es.cif"),
    "MX": ("mx.curp", "mx.rfc"),
    "PE": ("pe.cui", "pe.ruc"),
}
_PLAIN_IDS = {"CO": r"\d{5,10}", "PE": r"\d{8}", "AR": r"\d{7,8}"}  # numbers without a check digit


def _national_id(value: Value, _slot: Slot, country: str) -> Value | None:
    compact = re.sub(r"[\s.\-]", "", str(value)).upper()
    if not re.fullmatch(r"[A-Z0-9]{5,20}", compact) or not re.search(r"\d", compact):
        return None
    if country not in _IDS or re.fullmatch(_PLAIN_IDS.get(country, "-"), compact):
        return compact
    return next((kept for kind in _IDS[country] if (kept := _checked(kind, compact))), None)


def _checked(kind: str, number: str) -> str | None:
    from importlib import import_module  # noqa: PLC0415

    module = import_module(f"stdnum.{kind}")
    return str(module.compact(number)) if module.is_valid(number) else None


_KINDS: dict[str, Callable[[Value, Slot, str], Value | None]] = {
    "text": _text,
    "person_name": _person_name,
    "email": _email,
    "phone": _phone,
    "url": _url,
    "number": _number,
    "date": _date,
    "national_id": _national_id,
    "choice": _choice,
    "boolean": _boolean,
    "money": _number,
    "time": _time,
    "city": _city,
    "address": _address,
}
