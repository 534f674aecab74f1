"""The given and the family part of a person's name: "Ana María Pérez Gómez" is Ana María, of the Pérez Gómez."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text, fold
from hilo.recognisers.people.name_words import GIVEN_NAMES, PARTICLES
from hilo.recognisers.phrases import word_set

NamePart = Literal["", "given", "family"]

# given names that are families just as often
FAMILIES_TOO = word_set("martin cruz rosario santiago leon vicente alonso simon lorenzo luna franco david bautista")
# given names of several words: María del Carmen, Juan de Dios
_HEADS = word_set("maria ma juan jose luz ana rosa flor jesus")
_TAILS = word_set("""
    carmen dios angeles pilar mar rosario jesus luz lourdes fatima guadalupe socorro valle sol milagros mercedes dolores
    nieves remedios consuelo transito carmelo
""")
_WORD = re.compile(r"[^\W\d_]+(?:['’´`-][^\W\d_]+)*")


def part_of(found: Found, text: Text, part: NamePart, *, asked: NamePart = "", english: bool = False) -> Found | None:
    """One part of a name that was found, with its own span; `asked` is the part that the contact was asked for."""
    words = str(found.value).split()
    count = _given_in_answer(words, english=english) if asked == "family" else given_words(words, english=english)
    first, last = (0, count) if part == "given" else (count, len(words))
    if first == last:
        return None
    start, end = _span(found, text, (first, last), len(words))
    return replace(found, value=" ".join(words[first:last]), start=start, end=end)


def given_words(words: Sequence[str], *, english: bool = False) -> int:
    """How many of the words of a name are given names."""
    units = _units(words)
    return sum(map(len, units[: _given_units(units, english=english)]))


def _given_in_answer(words: Sequence[str], *, english: bool) -> int:
    """The same in an answer to "¿y tu apellido?": only a known name before it is a given one."""
    known = len(words) > 1 and fold(words[0]) in GIVEN_NAMES - FAMILIES_TOO
    return given_words(words, english=english) if known else 0


def _given_units(units: Sequence[Sequence[str]], *, english: bool) -> int:
    names = [fold(unit[-1]) if len(unit) == 1 else "" for unit in units]  # with a particle it is a family's
    second_given = len(names) > 1 and names[1] in GIVEN_NAMES
    match len(units):
        case 0 | 1:
            return len(units)
        case 2:
            return 2 if second_given and names[1] not in FAMILIES_TOO else 1
        case 3:
            middle = len(names[1]) == 1 or (english and names[1] != "")
            return 2 if second_given or middle else 1
        case size:
            return size - 1 if english else size - 2


def _units(words: Sequence[str]) -> list[list[str]]:
    """The words of a name, particles with what they belong to: [Ana] [de la Cruz], [María del Carmen] [Ruiz]."""
    units: list[list[str]] = []
    opened = False
    for word in words:
        joined = fold(word) in ("y", "e") and len(units) > 1
        if units and (opened or joined):
            units[-1].append(word)
        else:
            units.append([word])
        opened = joined or fold(word) in PARTICLES
    if len(units) > 2 and _is_compound(units):  # noqa: PLR2004
        return [[*units[0], *units[1]], *units[2:]]
    return units


def _is_compound(units: Sequence[Sequence[str]]) -> bool:
    head, tail = units[0], units[1]
    return fold(head[0]) in _HEADS and len(tail) > 1 and fold(tail[-1]) in _TAILS


def _span(found: Found, text: Text, part: tuple[int, int], size: int) -> tuple[int, int]:
    """Where a part stands; a name that was written the other way round ("Pérez, Juan") is not taken apart."""
    written = list(_WORD.finditer(text.folded, found.start, found.end))
    if len(written) != size:
        return found.start, found.end
    return written[part[0]].start(), written[part[1] - 1].end()
