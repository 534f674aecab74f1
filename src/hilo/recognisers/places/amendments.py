"""A part of an address that corrects one already given: "no, es calle 12", "es el apto 302"."""

import re
from collections.abc import Sequence

from hilo.recognisers.address_words import GRID
from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text, fold

_NUMBER = r"\d{1,3}(?:[a-z]{1,2}\b| [a-d]\b)?(?: (?:bis|sur|norte|este|oeste)\b)?"
_STREET = re.compile(rf"\b(?:{'|'.join(sorted(GRID, key=len, reverse=True))})\.? ?{_NUMBER}")
_PLATE = re.compile(
    rf"(?:#|\bno\.?|\bnro\.?|\bnumero|n°|nº) ?{_NUMBER} ?- ?\d{{1,3}}|\b{_NUMBER} ?- ?\d{{1,3}}(?![-\d])"
)
_MARK = re.compile(r"(?:#|no\.?|nro\.?|numero|n°|nº) ?")
_UNIT = re.compile(
    r"\b(?P<word>apto|apartamento|apt|torre|casa|bloque|interior|int|piso|oficina|local|manzana|mz|lote|unit|suite)"
    r"\.? ?(?:es )?(?:el )?#?(?P<value>\d{1,5}[a-z]?|[a-z])\b"
)
_SAME = {"apartamento": "apto", "apt": "apto", "int": "interior", "mz": "manzana"}


def amended(address: str, text: Text) -> Found | None:
    """The address with the street, the number or the flat that a message has in their place; None if it has none."""
    parts = [(kind, part) for kind in (_STREET, _PLATE) if (part := kind.search(text.folded))]
    if parts:
        return _put(address, text, parts)
    value, units = address, list(_UNIT.finditer(text.folded))
    for unit in units:
        word, number = (text.original(*unit.span(group)) for group in ("word", "value"))
        value = _with_unit(value, f"{word} {number}", unit)
    return Found("address", value, units[0].start(), units[-1].end(), 80) if units else None


def _put(address: str, text: Text, parts: Sequence[tuple[re.Pattern[str], re.Match[str]]]) -> Found | None:
    """The parts of the message instead of those of the address, where this has them all."""
    value = address
    for kind, part in parts:
        folded = fold(value)
        old = kind.search(folded)
        if not old or len(folded) != len(value) or (kind is _STREET and old.start()):
            return None
        start = old.start() if _MARK.match(part.group()) else old.start() + _mark_size(old)
        value = value[:start] + text.original(part.start(), part.end()) + value[old.end() :]
    return Found("address", value, min(part.start() for _, part in parts), max(part.end() for _, part in parts), 80)


def _mark_size(plate: re.Match[str]) -> int:
    mark = _MARK.match(plate.group())
    return mark.end() if mark else 0


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
