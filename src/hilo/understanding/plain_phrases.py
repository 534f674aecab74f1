"""Phrases of the packs that are looked for as they stand: "deberia|tendria que? ser" is four of them.

`cancel*` is any word that begins so, `*` any word, `...` any words, `por_favor` two words that stand for one, `@look`
a word of the section [later: @look]; `^` and `$` are the ends of the text.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from typing import cast

import re2

from hilo.packs.pack import shared_classes, shared_words


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
def pattern_of(section: str, after: str = "") -> re.Pattern[str]:
    """Finds the longest phrase of a section, with what may come `after` it.

    Its lines are not written out, which may be thousands of phrases.
    """
    options = re2.Options()
    options.longest_match = True
    return cast("re.Pattern[str]", re2.compile(rf"\b(?:{alternatives_of(section)}){after}\b", options))


def alternatives_of(section: str) -> str:
    """The phrases of a section as one pattern, to be part of another."""
    classes = shared_classes(section.partition(":")[0])
    return "|".join(_as_pattern(line, classes) for line in shared_words(section))


def _as_pattern(line: str, classes: Mapping[str, Iterable[str]]) -> str:
    """A line as a pattern: a word that may be missing brings its own space along."""
    pattern = "^" if line.startswith("^") else ""
    gap = ""  # before the next word, where one stands before it that must be there
    for part in line.strip("^$").split():
        if part == "...":
            gap = r"\b.*\b"
            continue
        words = "|".join(_as_word(each.rstrip("?"), classes) for each in part.split("|"))
        if "?" not in part:
            pattern += f"{gap}(?:{words})"
            gap = " "
        elif gap:
            pattern += f"(?:{gap}(?:{words}))?"
        else:
            pattern += f"(?:(?:{words}) )?"
    if line.endswith("..."):
        pattern += r"\b.*"
    return f"{pattern}$" if line.endswith("$") else pattern


def _as_word(word: str, classes: Mapping[str, Iterable[str]]) -> str:
    if word.startswith("@"):
        return "|".join(_as_word(each, classes) for each in classes[word[1:]])
    if word == "*":
        return r"\w+"
    written = word.replace("_", " ")
    return rf"{re.escape(written[:-1])}\w*" if word.endswith("*") else re.escape(written)


def told_before() -> re.Pattern[str]:
    """Finds the words that say that something was told already: "ya te dije que"."""
    return pattern_of("told already", "(?: (?:\\w+ )?veces)?(?: (?:que|q|that))?")
