"""The words of a message as names are made of them, and a name as a person would write it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text
from hilo.recognisers.people.name_words import PARTICLES

MOST_WORDS = 7
WORD = re.compile(r"[^\W\d_]+(?:['’´`-][^\W\d_]+)*")
_GAP_INSIDE = re.compile(r"\s+|\.\s*")


@dataclass(frozen=True, slots=True)
class NameWord:
    """A word of the folded text and what was written; `near` when only a space or a dot stands before it."""

    folded: str
    written: str
    start: int
    end: int
    near: bool


def words_from(text: Text, start: int, *, most: int = MOST_WORDS * 4) -> list[NameWord]:
    """The words of a text from a place on."""
    words: list[NameWord] = []
    end = start
    for match in islice(WORD.finditer(text.folded, start), most):
        gap = text.folded[end : match.start()]
        near = not words or bool(_GAP_INSIDE.fullmatch(gap) and ("." not in gap or len(words[-1].folded) <= 2))  # noqa: PLR2004
        written = text.original(match.start(), match.end())
        words.append(
            NameWord(
                match.group(),
                written,
                match.start(),
                match.end(),
                near and "\n" not in _between(text, words, match.start()),
            )
        )
        end = match.end()
    return words


def _between(text: Text, words: Sequence[NameWord], start: int) -> str:
    return text.raw[text.origins[words[-1].end - 1] : text.origins[start]] if words and "\n" in text.raw else ""


def clauses_of(words: Sequence[NameWord]) -> list[list[NameWord]]:
    """The words that stand together."""
    clauses: list[list[NameWord]] = []
    for word in words:
        if word.near and clauses:
            clauses[-1].append(word)
        else:
            clauses.append([word])
    return clauses


def as_found(name: Sequence[NameWord], confidence: int, *, opens: bool = True) -> Found:
    """The name as it is written; a particle that `opens` it has a capital: De Luca, but Ana de Luca."""
    parts = [_capitalised(word, first=opens and index == 0) for index, word in enumerate(name)]
    start, end = min(word.start for word in name), max(word.end for word in name)
    return Found("person_name", " ".join(parts), start, end, confidence)


def _capitalised(word: NameWord, *, first: bool) -> str:
    """Capitals of its own are kept (McKay), particles stay small, hyphens and apostrophes begin anew."""
    written = "".join(letter for letter in word.written if letter.isalpha() or letter in "'’´`-")
    if word.folded in PARTICLES - {"san", "santa", "santo", "mac", "mc", "st"} and not first:
        return written.lower()
    if not written.isupper() and not written.islower() and not written.istitle():
        return written[:1].upper() + written[1:]
    return re.sub(r"[^\W\d_]+", lambda part: part.group().capitalize(), written)
