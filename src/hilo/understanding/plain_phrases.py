"""Phrases of the packs that are looked for as they stand: "deberia|tendria que? ser" is four of them."""

import re
from collections.abc import Iterable
from functools import cache
from itertools import product
from typing import cast

import re2

from hilo.packs.pack import shared_words


@cache
def phrases_of(section: str) -> tuple[str, ...]:
    """All phrases that the lines of a section stand for."""
    found = [phrase for line in shared_words(section) for phrase in _written_out(line)]
    return tuple(dict.fromkeys(found))


def _written_out(line: str) -> Iterable[str]:
    choices = []
    for part in line.split():
        words = [each.rstrip("?") for each in part.split("|")]
        choices.append([*words, ""] if "?" in part else words)
    return (" ".join(filter(None, chosen)) for chosen in product(*choices))


@cache
def any_of(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """Finds the longest of these phrases, as whole words; by RE2, which looks for hundreds of them at once."""
    longest_first = sorted(phrases, key=len, reverse=True)
    return cast("re.Pattern[str]", re2.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b"))


@cache
def pattern_of(section: str) -> re.Pattern[str]:
    """Finds the phrases of a section."""
    return any_of(phrases_of(section))


def told_before() -> re.Pattern[str]:
    """Finds the words that say that something was told already: "ya te dije"."""
    return pattern_of("told already")
