"""Words that a pack says how to read: the folded text has the other word, and spans still lead to what was written."""

import re
from collections.abc import Mapping
from itertools import pairwise

from hilo.recognisers.normalise import Text

_WORD = re.compile(r"[^\W_]+")
_JOINED = re.compile(r"[ -]+")

Book = Mapping[tuple[str, ...], str]


def book_of(meanings: Mapping[str, tuple[str, ...]]) -> Book:
    """The meanings by the words in which they are said."""
    return {tuple(_WORD.findall(said)): meant[0] for said, meant in meanings.items()}


def reworded(text: Text, book: Book) -> Text:
    """The text with every word of the book as it is to be read, the longest phrases first."""
    found = [match.span() for match in _WORD.finditer(text.folded)]
    longest = max(map(len, book), default=0)
    letters: list[str] = []
    origins: list[int] = []
    place = end = 0
    while place < len(found):
        sizes = range(min(longest, len(found) - place), 0, -1)
        spans = ((size, found[place : place + size]) for size in sizes)
        size, meant = next(((size, each) for size, words in spans if (each := _meant(text, book, words))), (1, ""))
        start, last = found[place][0], found[place + size - 1][1]
        _copy(text, letters, origins, (end, start if meant else last))
        if meant:
            letters.append(meant)
            origins += _spread(text, start, last, len(meant))
        end, place = last, place + size
    _copy(text, letters, origins, (end, len(text.folded)))
    return Text(text.raw, "".join(letters), tuple(origins))


def _meant(text: Text, book: Book, spans: list[tuple[int, int]]) -> str:
    said = tuple(text.folded[start:end] for start, end in spans)
    if said not in book:
        return ""
    gaps = [text.folded[one[1] : other[0]] for one, other in pairwise(spans)]
    return book[said] if all(map(_JOINED.fullmatch, gaps)) else ""


def _copy(text: Text, letters: list[str], origins: list[int], span: tuple[int, int]) -> None:
    letters.append(text.folded[slice(*span)])
    origins += text.origins[slice(*span)]


def _spread(text: Text, start: int, end: int, size: int) -> list[int]:
    """As many places as a word has letters, from the first letter of the written one to its last."""
    steps = max(size - 1, 1)
    return [text.origins[start + place * (end - 1 - start) // steps] for place in range(size)]
