"""What two values of a kind say side by side: the second takes the first back, or both are ends of a range.

Somos cuatro, bah, cinco; el martes, digo el jueves. Del 5 al 12 de marzo; entre 100 y 150 lucas.
"""

import re
from dataclasses import replace
from itertools import pairwise

from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text

_LONGEST = 50  # characters between what is taken back and what is meant
_REPAIR = re.compile(
    r"(?:\W+(?:ay|uy|uh|eh|ah|no|que|espera|pero|o sea))*"
    r"(?:\W+(?:bah|digo|perdon|perdone|disculp[ae]|sorry|mejor dicho|mejor|quise decir|queria decir|miento|corrijo"
    r"|rectifico|i mean|i meant|actually|make that)|\W+no,)"
    r"(?:\W+(?:no|son|somos|seriamos|seremos|es|era|eran|sea|que|el|la|los|las|a|al|del|de|para|en|con|dia|unos|unas))*"
    r"\W*"
)
_RANGE = re.compile(r"\W*(?:al?|y|o|u|hasta|to|and|or|[-/])(?:\W+(?:el|la|los|las|a las|the))?\W*")


def settled(text: Text, found: tuple[Found, ...]) -> tuple[Found, ...]:
    """The values but those that the next one mends; both ends of a range are equally sure, so that the first leads."""
    kept = list(found)
    for one, other in pairwise(found):
        between = text.folded[one.end : other.start]
        if len(between) > _LONGEST:
            continue
        if _REPAIR.fullmatch(between):
            kept.remove(one)
        elif _RANGE.fullmatch(between):
            least = min(one.confidence, other.confidence)
            kept = [replace(each, confidence=least) if each in (one, other) else each for each in kept]
    return tuple(kept)
