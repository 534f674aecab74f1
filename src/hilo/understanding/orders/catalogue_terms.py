"""The terms by which products are found: words as they sound, and sizes in one writing (litro y medio = 1500 ml)."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from hilo.packs.pack import fold, shared_meanings, shared_words
from hilo.recognisers.phrases import word_set

_PART = re.compile(r"\d+(?:[.,]\d+)?|[^\W\d_]+")
_LONGEST = 2000
_MOST_PARTS = 64  # of one text; what is longer is no product name
_LONGEST_NUMBER = 9

# what is measured in a unit (volume, weight, pounds, ounces, metres, pieces), and how many of the smallest it is
_MEASURES = {
    "l": ("v", 1000.0),
    "ml": ("v", 1.0),
    "cl": ("v", 10.0),
    "kg": ("w", 1000.0),
    "g": ("w", 1.0),
    "lb": ("b", 1.0),
    "oz": ("o", 1.0),
    "m": ("m", 1.0),
    "u": ("n", 1.0),
}
_UNITS = {**_MEASURES, **{said: _MEASURES[meant[0]] for said, meant in shared_meanings("units").items()}}
# units that stand for one of them: litro, and litros y medio
_MEASURED = {
    said + ending
    for said, meant in shared_meanings("units alone").items()
    for ending in ("", "s")
    if meant[0] in ("l", "kg", "lb")
}
_DIGITS = ("cero", "un", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez")
_SHARES = {"medio": 0.5, "media": 0.5, "cuarto": 0.25}
_NUMBERS = {**{name: value for value, name in enumerate(_DIGITS)}, "una": 1, "doce": 12, **_SHARES}
_STOPWORDS = word_set("de del la el los las lo y e o en a al por para the of un una unos unas")
_SPELLINGS = tuple(pair.split(":") for pair in ("ch:x", "sh:x", "ll:y", "qu:k", "ph:f", "ck:k", "gue:ge", "gui:gi"))
_SOFT_C = re.compile("c(?=[eiy])")
_SOFT_G = re.compile("g(?=[ei])")
_THRICE = re.compile(r"(?!\b([^\W\d_])\1\1\b)([^\W\d_])\2{2,}")  # "AAA" is a size
_TWICE = re.compile(r"(.)\1+")
_LETTERS = str.maketrans({"z": "s", "v": "b", "c": "k", "q": "k", "h": None, "y": "i", "w": "u", "j": "h"})

Alternatives = tuple[str, ...]


def terms_of(text: str) -> list[tuple[str, Alternatives]]:
    """Each term as written with the keys it may be found by, the likeliest first."""
    return list(_terms_of(text))


@lru_cache(maxsize=8192)  # the names of a catalogue are read over and over
def _terms_of(text: str) -> tuple[tuple[str, Alternatives], ...]:
    parts = _PART.findall(_THRICE.sub(r"\2\2", fold(text[:_LONGEST])))[:_MOST_PARTS]
    terms: list[tuple[str, Alternatives]] = []
    index = 0
    while index < len(parts):
        sized = _size_at(parts, index)
        if sized:
            keys, size = sized
            terms.append((" ".join(parts[index : index + size]), keys))
            index += size
        else:
            terms.extend(_word(parts[index]))
            index += 1
    return tuple(terms)


@lru_cache(maxsize=65536)
def sound_key(word: str) -> str:
    """A word by its sound and without its plural: b/v, s/z/c, mute h, ll/y, qu/k."""
    word = _SOFT_G.sub("j", _SOFT_C.sub("s", word))
    for spelling, heard in _SPELLINGS:
        if spelling in word:
            word = word.replace(spelling, heard)
    word = word.translate(_LETTERS)
    if len(set(word)) > 1:  # AA is no AAA
        word = _TWICE.sub(r"\1", word)
    return singular(word)


def singular(key: str) -> str:
    """Both "leche" and "leches" end as "lex", "pan" and "panes" as "pan", "arroz" and "arroces" as "arro"."""
    for ending in "ses":
        if key.endswith(ending) and len(key) > (3 if ending == "e" else 2):
            key = key[:-1]
    return key


def _word(part: str) -> Iterator[tuple[str, Alternatives]]:
    if part in _STOPWORDS:
        return
    if part[0].isdecimal():
        yield part, _bare_number(part)
    else:
        yield part, (sound_key(part),)


def _number(part: str) -> float | None:
    if part[0].isdecimal():
        return float(part.replace(",", ".")) if len(part) <= _LONGEST_NUMBER else None
    return _NUMBERS.get(part)


def _bare_number(part: str) -> Alternatives:
    """Coca 1.5, agua 500: a size whose unit goes without saying, or simply part of the name."""
    value = _number(part)
    literal = part.replace(",", ".")
    if value is None:
        return (literal,)
    scale = 1000 if value < 20 else 1  # noqa: PLR2004
    sizes = (_key("v", value * scale), _key("w", value * scale))
    return (literal, *sizes) if value != int(value) or value >= 100 else (literal, *sizes, _key("n", value))  # noqa: PLR2004


def _key(kind: str, value: float) -> str:
    return f"#{kind}{value:.6g}"


def _size_at(parts: Sequence[str], index: int) -> tuple[Alternatives, int] | None:
    """A size and how many parts it spans: 1,5 l, litro y medio, medio litro, x6."""
    part = parts[index]
    if part == "x" and index + 1 < len(parts) and parts[index + 1].isdecimal():
        return _counted(parts, index)
    if part in _MEASURED:
        kind, scale = _UNITS[part]
        share = _share_at(parts, index + 1)
        return (_key(kind, (1 + share) * scale),), 3 if share else 1
    value = _number(part)
    return _measured(parts, index, value) if value is not None else None


def _counted(parts: Sequence[str], index: int) -> tuple[Alternatives, int] | None:
    """X6 counts; x 500 g measures, and is read from the number on."""
    number = parts[index + 1]
    unit = _UNITS.get(parts[index + 2]) if index + 2 < len(parts) else None
    if len(number) > _LONGEST_NUMBER:
        return None
    if unit:
        return (_key(unit[0], float(number) * unit[1]),), 3
    keys = _bare_number(number)
    return (keys[-1], *keys[:-1]), 2


def _measured(parts: Sequence[str], index: int, value: float) -> tuple[Alternatives, int] | None:
    if index + 1 >= len(parts):
        return None
    ratio = _ratio_at(parts, index)
    if ratio:
        value, index_after = ratio, index + 2
    else:
        index_after = index + 1
    index_after += index_after < len(parts) and parts[index_after] == "de" and value < 1
    unit = _UNITS.get(parts[index_after]) if index_after < len(parts) else None
    if not unit or (not parts[index][0].isdecimal() and unit[0] not in "vw"):
        return None
    share = _share_at(parts, index_after + 1)
    return (_key(unit[0], (value + share) * unit[1]),), index_after + 1 + (2 if share else 0) - index


def _ratio_at(parts: Sequence[str], index: int) -> float:
    """1/2 and 3/4 come as two numbers; only these before a unit are sizes."""
    pair = (parts[index], parts[index + 1]) if index + 2 < len(parts) else ("", "")
    known = {("1", "2"): 0.5, ("1", "4"): 0.25, ("3", "4"): 0.75}
    return known.get(pair, 0.0) if parts[min(index + 2, len(parts) - 1)] in _UNITS else 0.0


def _share_at(parts: Sequence[str], index: int) -> float:
    if index + 1 < len(parts) and parts[index] in ("y", "i"):
        return _SHARES.get(parts[index + 1], 0.0)
    return 0.0


PACKAGES = frozenset(map(sound_key, shared_words("packages")))  # they tell one package of a product from another
