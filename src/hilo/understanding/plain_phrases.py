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
    """Finds the longest phrase of a section; its lines are not written out, which may be thousands of phrases."""
    options = re2.Options()
    options.longest_match = True
    lines = "|".join(map(_as_pattern, shared_words(section)))
    return cast("re.Pattern[str]", re2.compile(rf"\b(?:{lines})\b", options))


def _as_pattern(line: str) -> str:
    """A line as a pattern: a word that may be missing brings its own space along."""
    pattern = ""
    is_begun = False  # by a word that must be there
    for part in line.split():
        words = "|".join(re.escape(each.rstrip("?")) for each in part.split("|"))
        if "?" not in part:
            pattern += f" (?:{words})" if is_begun else f"(?:{words})"
            is_begun = True
        elif is_begun:
            pattern += f"(?: (?:{words}))?"
        else:
            pattern += f"(?:(?:{words}) )?"
    return pattern


def told_before() -> re.Pattern[str]:
    """Finds the words that say that something was told already: "ya te dije"."""
    return pattern_of("told already")
