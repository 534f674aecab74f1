"""The words of a question, and how much each of them says: in "¿tienen cochera?" all is in the last one."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hilo.understanding.intents.encoder import Encoder
from hilo.understanding.intents.gist import gist

STEM = 5  # letters that the forms of a word share: factura, facturación
COMMON = 2.0  # what is rarer than this says something
RAREST = 9.0  # of a word that nobody has written
LEAST_SAID = 2.0  # "¿a cómo?" asks nothing that a page could answer
ENOUGH = 8.0  # what a question says when more would add nothing
LITTLE = 0.5  # a word of a page that says no more than this is not compared
FAR = 0.4  # how near words are that have nothing in common

Floats = NDArray[Any]

_WORD = re.compile(r"[^\W\d_]+|\d+")


@dataclass(frozen=True, slots=True)
class Saying:
    """The words of a question, each stem once, with what each of them says, and how much that is in all."""

    words: tuple[str, ...]
    weights: tuple[float, ...]

    @property
    def total(self) -> float:
        return sum(self.weights)


@dataclass(frozen=True, slots=True)
class Rarity:
    """How rare stems are: the logarithm of how many messages there are for one that has it."""

    known: Mapping[str, float]
    unknown: float
    least: float = 0.0  # what a question must say to be looked up

    def of(self, word: str) -> float:
        """How much a word says."""
        return max(0.0, self.known.get(word[:STEM], self.unknown) - COMMON)

    def saying(self, text: str) -> Saying:
        """What a question says, word by word."""
        words = {word[:STEM]: word for word in reversed(_WORD.findall(gist(text)))}
        telling = [word for word in reversed(words.values()) if self.of(word) > 0]
        return Saying(tuple(telling), tuple(map(self.of, telling)))


@dataclass(frozen=True, slots=True)
class WordPlaces:
    """Which words stand in which sections: `at` are places in `words`, those of a section from its `begin` on."""

    words: tuple[str, ...]
    stems: Mapping[str, tuple[int, ...]]
    at: NDArray[np.int64]
    begins: NDArray[np.int64]

    def same(self, said: Saying) -> Floats:
        """How much of a question each section says in the same words; what most sections say counts little."""
        covered = np.zeros(len(self.begins))
        for word, weight in zip(said.words, said.weights, strict=True):
            has = self._best(self._is_same(word)) > 0
            covered += has * weight * self._tells_apart(int(has.sum()))
        return covered

    def near(self, said: Saying, encoder: Encoder | None, vectors: Floats) -> tuple[Floats, Floats, Floats]:
        """How much each section says in near words; how much more than the others; how much none of them says."""
        near, more = np.zeros(len(self.begins)), np.zeros(len(self.begins))
        missing, most_missing, heaviest, closest = 0.0, 0.0, 0.0, 0.0
        unknown = 0.0
        for word, weight in zip(said.words, said.weights, strict=True):
            alike = self._is_same(word)
            unknown += weight * (not alike.any())
            if encoder is not None and not alike.any():
                alike = vectors @ encoder.encode([word])[0]
            best = self._best(alike)
            near += weight * _nearness(best)
            more += weight * (best - best.mean())
            lacks = weight * (1 - float(_nearness(best.max())))
            missing, most_missing = missing + lacks, max(most_missing, lacks)
            if weight > heaviest:
                heaviest, closest = weight, float(best.max())
        total = said.total or 1.0
        return near, more, np.array([unknown / total, missing / total, most_missing / ENOUGH, closest])

    def _is_same(self, word: str) -> Floats:
        alike = np.zeros(len(self.words))
        alike[list(self.stems.get(word[:STEM], ()))] = 1.0
        return alike

    def _best(self, alike: Floats) -> Floats:
        """The nearest word of each section; each has at least one."""
        best: Floats = np.maximum.reduceat(alike[self.at], self.begins)
        return best

    def _tells_apart(self, sections: int) -> float:
        """What a word is worth that so many sections have: 1 if it is only one."""
        return math.log((len(self.begins) + 1) / (sections + 0.5)) / math.log(len(self.begins) + 1)


def _nearness(alike: Any) -> Any:
    return np.clip((alike - FAR) / (1 - FAR), 0, 1)


def place_words(texts: Sequence[str], rarity: Rarity) -> WordPlaces:
    """Where the words of texts stand, those that say something."""
    each = [_telling_words(text, rarity) or [""] for text in texts]
    words = tuple(dict.fromkeys(word for some in each for word in some))
    place = {word: number for number, word in enumerate(words)}
    stems: dict[str, tuple[int, ...]] = {}
    for word, number in place.items():
        stems[word[:STEM]] = (*stems.get(word[:STEM], ()), number)
    begins = np.cumsum([0, *map(len, each)])[:-1]
    return WordPlaces(words, stems, np.array([place[word] for some in each for word in some]), begins)


def _telling_words(text: str, rarity: Rarity) -> list[str]:
    return [word for word in dict.fromkeys(_WORD.findall(gist(text))) if rarity.of(word) > LITTLE]


def stems_of(text: str) -> list[str]:
    """The stems of the words, each once."""
    return list(dict.fromkeys(word[:STEM] for word in _WORD.findall(gist(text))))


def rarity_in(texts: Iterable[str], *, rarest: float = RAREST) -> Rarity:
    """How rare stems are in some texts; what is in none of them is as rare as can be."""
    each = [set(stems_of(text)) for text in texts]
    counts = Counter(stem for stems in each for stem in stems)
    known = {stem: min(rarest, math.log((len(each) + 1) / (count + 1))) for stem, count in counts.items()}
    return Rarity(known, rarest)


@cache
def trained() -> Mapping[str, Any]:
    """What `tools/train_knowledge.py` learnt from the corpus: how rare words are, and what the signs are worth."""
    content: Mapping[str, Any] = json.loads(files(__package__).joinpath("weights.json").read_text(encoding="utf-8"))
    return content


def rarity_for(language: str, sections: Sequence[str]) -> Rarity:
    """How rare words are in what customers write; in a language without a corpus, in the documents themselves."""
    if language.startswith("es"):
        table = trained()["rarity"]
        return Rarity(table["known"], table["unknown"], LEAST_SAID)
    own = rarity_in(sections)
    known = {stem: value + COMMON for stem, value in own.known.items()}
    return Rarity(known, math.log(len(sections) + 1) + COMMON)
