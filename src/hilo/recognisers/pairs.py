"""What two values of a kind say side by side: the second takes the first back, or both are ends of a range.

Somos cuatro, bah, cinco; el martes, digo el jueves. Del 5 al 12 de marzo; entre 100 y 150 lucas.
"""

import re
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text

_LONGEST = 50  # characters between what is taken back and what is meant
_REPAIR = re.compile(
    r"(?:\W+(?:ay|uy|uh|eh|ah|no|que|espera|pero|o sea|(?:ja)+j?))*"
    r"(?:\W+(?:bah|digo|mentira|me equivoque|perdon|perdone|disculp[ae]|sorry|mejor dicho|mejor"
    r"|quise decir|queria decir|miento|corrijo"
    r"|rectifico|i mean|i meant|actually|make that)|\W+no,)"
    r"(?:\W+(?:no|son|somos|seriamos|seremos|es|era|eran|sea|que|el|la|los|las|a|al|del|de|para|en|con|dia|unos|unas))*"
    r"\W*"
)
_RANGE = re.compile(r"\W*(?:al?|y|o|u|hasta|to|and|or|[-/])(?:\W+(?:el|la|los|las|a las|the))?\W*")


def mended(text: Text, found: tuple[Found, ...]) -> tuple[Found, ...]:
    """The values but those that the next one takes back."""
    pairs = [pair for pair in pairwise(found) if pair[1].start - pair[0].end <= _LONGEST]
    back = [one for one, other in pairs if _REPAIR.fullmatch(text.folded[one.end : other.start])]
    return tuple(each for each in found if each not in back) if back else found


def settled(text: Text, found: tuple[Found, ...]) -> tuple[Found, ...]:
    """The same, and both ends of a range are equally sure, so that the first leads."""
    found = mended(text, found)
    kept = list(found)
    for one, other in pairwise(found):
        if _RANGE.fullmatch(text.folded[one.end : other.start]):
            least = min(one.confidence, other.confidence)
            kept = [replace(each, confidence=least) if each in (one, other) else each for each in kept]
    return tuple(kept)


def ranges(text: Text, found: tuple[Found, ...]) -> tuple[Found, ...]:
    """The numbers with both ends of a range as one: "entre 3.000 y 4.000" is 3000-4000."""
    kept: list[Found] = []
    for each in found:
        one = kept[-1] if kept else None
        if one and _is_range(text, one, each):
            unit, sure = one.unit or each.unit, min(one.confidence, each.confidence)
            kept[-1] = replace(one, value=f"{one.value}-{each.value}", end=each.end, unit=unit, confidence=sure)
        else:
            kept.append(each)
    return tuple(kept)


def _is_range(text: Text, one: Found, other: Found) -> bool:
    """Whether a number and a larger one, in the same money or none, are both ends of what is said."""
    if "-" in str(one.value) or Decimal(one.value) >= Decimal(other.value):
        return False
    same = not one.unit or not other.unit or one.unit == other.unit
    return same and _RANGE.fullmatch(text.folded[one.end : other.start]) is not None
