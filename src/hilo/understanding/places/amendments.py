"""A part of an address that mends one already given: "no, es calle 12", "es el apto 302"."""

import re

from hilo.understanding.found import Found
from hilo.understanding.normalise import Text, fold
from hilo.understanding.places.address_words import GRID

_NUMBER = r"\d{1,3}(?:[a-z]{1,2}\b| [a-d]\b)?(?: (?:bis|sur|norte|este|oeste)\b)?"
_STREET = re.compile(rf"\b(?:{'|'.join(sorted(GRID, key=len, reverse=True))})\.? ?{_NUMBER}")
_PLATE = re.compile(
    rf"(?:#|\bno\.?|\bnro\.?|\bnumero|n°|nº) ?{_NUMBER} ?- ?\d{{1,3}}|\b{_NUMBER} ?- ?\d{{1,3}}(?![-\d])"
)
_UNIT = re.compile(
    r"\b(?P<word>apto|apartamento|apt|torre|casa|bloque|interior|int|piso|oficina|local|manzana|mz|lote|unit|suite)"
    r"\.? ?(?:es )?(?:el )?#?(?P<value>\d{1,5}[a-z]?|[a-z])\b"
)
_SAME = {"apartamento": "apto", "apt": "apto", "int": "interior", "mz": "manzana"}


def amended(address: str, text: Text) -> Found | None:
    """The address with the street, the number or the flat that a message has in their place; None if it has none."""
    if (street := _STREET.search(text.folded)) and not _PLATE.search(text.folded, street.end()):
        return _put(address, text, street, _STREET)
    if plate := _PLATE.search(text.folded):
        return _put(address, text, plate, _PLATE)
    value, units = address, list(_UNIT.finditer(text.folded))
    for unit in units:
        word, number = (text.original(*unit.span(group)) for group in ("word", "value"))
        value = _with_unit(value, f"{word} {number}", unit)
    return Found("address", value, units[0].start(), units[-1].end(), 80) if units else None


def _put(address: str, text: Text, part: re.Match[str], kind: re.Pattern[str]) -> Found | None:
    """The part of the message instead of that of the address, where this has one."""
    folded = fold(address)
    old = kind.search(folded)
    if not old or len(folded) != len(address) or (kind is _STREET and old.start()):
        return None
    value = address[: old.start()] + text.original(part.start(), part.end()) + address[old.end() :]
    return Found("address", value, part.start(), part.end(), 80)


def _with_unit(address: str, written: str, unit: re.Match[str]) -> str:
    """The unit instead of the one of its kind, or after what there is."""
    folded = fold(address)
    same = [old for old in _UNIT.finditer(folded) if _kind(old) == _kind(unit)]
    if not same or len(folded) != len(address):
        return f"{address} {written}"
    return address[: same[0].start()] + written + address[same[0].end() :]


def _kind(unit: re.Match[str]) -> str:
    word = unit.group("word")
    return _SAME.get(word, word)
