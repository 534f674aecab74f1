"""How the assistant writes numbers and days, and how it compares names."""

import csv
import re
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from hilo import ToolFailed, language

HERE = Path(__file__).parent
WEEKDAYS = ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo")
MONTHS = (
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
)
MAX_PLACES = 18
MAX_AMOUNT = 10**15
MAX_DIGITS = 24

_KINDS = {
    "reminder": re.compile(r"\b(?:aviso|recordatorio|alarma|alerta|despertador)(?:e?s)?\b"),
    "note": re.compile(r"\b(?:nota|apunte|lista)s?\b"),
}
_EDGES = " .,;:¿?¡!\"'«»()"
_GROUPS = re.compile(r"(?<=\d)(?=(?:\d{3})+$)")


def rows(file: str) -> list[dict[str, str]]:
    """The lines of a CSV file beside this one."""
    with (HERE / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def plain(text: str) -> str:
    """Lower case, no accents, single spaces, no marks around: what two spellings of one name share."""
    return " ".join(language.fold(text.strip()[:200]).split()).strip(_EDGES)


def kind_named(text: str) -> str:
    """What a text says that it is about, by the first word for it: a `reminder`, a `note`, or neither."""
    said = language.fold(text)
    found = {match.start(): kind for kind, words in _KINDS.items() if (match := words.search(said))}
    return found[min(found)] if found else ""


def quoted(text: str) -> str:
    """What the contact wrote, short enough to be said back."""
    shown = " ".join(text.split())
    return f"«{shown[:40]}…»" if len(shown) > 40 else f"«{shown}»"  # noqa: PLR2004


def opened(text: str) -> str:
    """With a capital first letter, and the others as they are."""
    return text[:1].upper() + text[1:]


def rounded(value: Fraction, places: int) -> Fraction:
    """Rounded to decimal places, halves away from zero."""
    scaled = abs(value) * 10**places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return Fraction(whole if value >= 0 else -whole, 10**places)


def spanish(value: Fraction, *, places: int = 6, least: int = 0) -> str:
    """A number as it is written in Spanish: 1.234,5; a small one keeps as many digits that count."""
    places += _zeros(value) if 0 < abs(value) < 1 else 0
    shown = rounded(value, min(places, MAX_PLACES))
    whole, rest = divmod(abs(shown), 1)
    decimals = f"{int(rest * 10**MAX_PLACES):0{MAX_PLACES}d}".rstrip("0").ljust(least, "0")
    sign = "-" if shown < 0 else ""
    return sign + _GROUPS.sub(".", str(whole)) + (f",{decimals}" if decimals else "")


def is_shown_whole(value: Fraction, places: int = 6) -> bool:
    """Whether `spanish` writes the very number and not a rounded one."""
    places += _zeros(value) if 0 < abs(value) < 1 else 0
    return rounded(value, min(places, MAX_PLACES)) == value


def _zeros(value: Fraction) -> int:
    """How many zeros follow the comma before the first digit that counts."""
    return max(len(str(int(1 / abs(value)))) - 1, 0)


def exact(amount: Decimal) -> Fraction:
    """An amount to reckon with; one that is too large or too long is told."""
    digits = len(amount.as_tuple().digits)
    if digits > MAX_DIGITS or not -MAX_PLACES <= amount.adjusted() < len(str(MAX_AMOUNT)):
        raise ToolFailed("an amount out of bounds", tell="Ese número es demasiado grande o demasiado largo para mí.")
    return Fraction(amount)


def day_in_words(day: date) -> str:
    """Lunes 16 de noviembre, in small letters."""
    return f"{WEEKDAYS[day.weekday()]} {day.day} de {MONTHS[day.month - 1]}"


def joined(items: list[str]) -> str:
    """Several things as people list them: a, b y c."""
    if len(items) < 2:  # noqa: PLR2004
        return "".join(items)
    last = items[-1]
    joiner = "e" if language.fold(last).startswith(("i", "hi")) and not language.fold(last).startswith("hie") else "y"
    return f"{', '.join(items[:-1])} {joiner} {last}"
