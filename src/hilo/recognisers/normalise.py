"""Folded text that all recognisers read, with a way back to what the contact wrote."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from hilo.packs.pack import shared_meanings

Span = tuple[int, int]  # where something stands in a text: from, to

MAX_CHARACTERS = 2000  # a longer text is understood by its beginning: 100 KB of anything take under 100 ms

ABBREVIATIONS = {short: word for short, (word,) in shared_meanings("abbreviations").items()}
EMOJI = {"👍": "ok", "👌": "ok", "✅": "ok", "✔": "ok", "👎": "no", "❌": "no", "🚫": "no", "🙏": "gracias"}

_REPEATED = re.compile(r"(?!\b[Aa]{3}\b)([^\W\d_])\1{2,}")  # but for AAA, which is a size
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a folded text, abbreviations spelled out; the span is one of the folded text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Text:
    """What was written (`raw`), and the same folded: lower case, no accents, no invisible characters."""

    raw: str
    folded: str
    origins: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the raw text that a span of the folded text came from."""
        if start >= end:
            return (self.origins[start], self.origins[start]) if start < len(self.origins) else (len(self.raw),) * 2
        return self.origins[start], self.origins[end - 1] + 1

    def original(self, start: int, end: int) -> str:
        """What the contact wrote in a span of the folded text."""
        first, last = self.span(start, end)
        return self.raw[first:last]


@lru_cache(maxsize=64)
def normalise(raw: str) -> Text:
    """Fold a message; linear in its length, which is cut at MAX_CHARACTERS."""
    raw = raw[:MAX_CHARACTERS]
    if raw.isascii() and raw.isprintable() and not _REPEATED.search(raw):
        return Text(raw, raw.lower(), range(len(raw)))
    letters = list(map(_letters, raw))
    folded = "".join(letters)
    if len(folded) == len(raw) and all(letters) and not _REPEATED.search(folded):
        return Text(raw, folded, range(len(raw)))  # one letter for each: most texts with accents
    pairs = list(_single_letters(_fold(raw)))
    return Text(raw, "".join(letter for letter, _ in pairs), tuple(origin for _, origin in pairs))


@lru_cache(maxsize=512)
def fold(text: str) -> str:
    """Only the folded form, for the words of rules and lists."""
    return normalise(text).folded


def with_line_ends(text: Text) -> str:
    """The folded text with the ends of lines that were written, which are spaces otherwise; spans stay."""
    if "\n" not in text.raw:
        return text.folded
    pairs = zip(text.folded, text.origins, strict=True)
    return "".join("\n" if letter == " " and text.raw[origin] == "\n" else letter for letter, origin in pairs)


def hidden(text: Text, spans: Sequence[Span]) -> Text:
    """The text with some spans as a comma and spaces, for the recognisers that read the rest."""
    raw, folded = list(text.raw), list(text.folded)
    for start, end in spans:
        if start >= end:
            continue  # nothing to hide, and a comma would make the text longer
        first, last = text.span(start, end)
        raw[first:last] = [",", *" " * (last - first - 1)]
        folded[start:end] = [",", *" " * (end - start - 1)]
    return Text("".join(raw), "".join(folded), text.origins)


@lru_cache(maxsize=64)  # all sides of a turn read the same message, and its parts
def words(text: Text) -> tuple[Word, ...]:
    """The words of a message with abbreviations spelled out."""
    return tuple(
        Word(ABBREVIATIONS.get(match.group(), match.group()), match.start(), match.end())
        for match in _WORD.finditer(text.folded)
    )


def _fold(raw: str) -> Iterator[tuple[str, int]]:
    for origin, character in enumerate(raw):
        for letter in _letters(character):
            yield letter, origin


@lru_cache(maxsize=4096)
def _letters(character: str) -> str:
    if character in EMOJI:
        return f" {EMOJI[character]} "
    if character.isspace():
        return " "
    if unicodedata.category(character) in {"Cf", "Cc", "Cs", "Co", "Mn"}:
        return ""
    decomposed = unicodedata.normalize("NFKD", character).casefold()
    return "".join(letter for letter in decomposed if unicodedata.category(letter) != "Mn")


def _single_letters(pairs: Iterator[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Letters written three times or more count once: holaaa."""
    run: list[tuple[str, int]] = []
    for pair in pairs:
        if run and pair[0] != run[0][0]:
            yield from _once(run)
            run = []
        run.append(pair)
    yield from _once(run)


def _once(run: list[tuple[str, int]]) -> list[tuple[str, int]]:
    return run[:1] if len(run) > 2 and run[0][0].isalpha() else run  # noqa: PLR2004
