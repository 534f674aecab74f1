"""What words are about in everyday life: "¿dónde dejo el auto?" and "Cochera" share a theme, and no word."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hilo import packs
from hilo.recognisers.normalise import fold
from hilo.understanding.knowledge.words import STEM, Saying, stems_of

Floats = NDArray[Any]

NAMED_TWICE = 2  # a word of the heading counts like so many of the text


@dataclass(frozen=True, slots=True)
class Themes:
    """How much each section is about each theme, and how well a theme tells sections apart."""

    strengths: Floats  # a row for each section
    telling: Floats

    def shared(self, said: Saying) -> tuple[Floats, Floats]:
        """How much of what a question is about each section is about, too: in all, and by its best theme."""
        asked = np.zeros(len(self.telling))
        for word, weight in zip(said.words, said.weights, strict=True):
            places = list(_themes().get(word[:STEM], ()))
            asked[places] += weight / max(1.0, len(places) ** 0.5)
        weighed = self.strengths * (asked * self.telling)
        total = said.total or 1.0
        return weighed.sum(axis=1) / total, weighed.max(axis=1, initial=0.0) / total


def themes_of(headings: Sequence[str], texts: Sequence[str]) -> Themes:
    """What sections are about."""
    counts = np.zeros((len(texts), _count()))
    for row, (heading, text) in enumerate(zip(headings, texts, strict=True)):
        for stem in stems_of(text):
            counts[row, list(_themes().get(stem, ()))] += 1
        for stem in stems_of(heading):
            counts[row, list(_themes().get(stem, ()))] += NAMED_TWICE - 1
    strengths = 1 - 0.5**counts
    spread = strengths.sum(axis=0)
    telling = np.log((len(texts) + 1) / (spread + 0.5)) / np.log(len(texts) + 1)
    return Themes(strengths, np.clip(telling, 0.0, 1.0))


@cache
def _lines() -> tuple[tuple[str, ...], ...]:
    text = files(packs).joinpath("themes", "es.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(tuple(dict.fromkeys(word[:STEM] for word in fold(line).split())) for line in lines)


@cache
def _themes() -> dict[str, tuple[int, ...]]:
    places: dict[str, tuple[int, ...]] = {}
    for number, stems in enumerate(_lines()):
        for stem in stems:
            places[stem] = (*places.get(stem, ()), number)
    return places


def _count() -> int:
    return len(_lines())
