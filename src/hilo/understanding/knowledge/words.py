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

from hilo.understanding.intents.gist import gist

STEM = 5  # letters that the forms of a word share: factura, facturación
COMMON = 2.0  # what is rarer than this says something
RAREST = 9.0  # of a word that nobody has written
LEAST_SAID = 2.0  # "¿a cómo?" asks nothing that a page could answer
ENOUGH = 8.0  # what a question says when more would add nothing

_WORD = re.compile(r"[^\W\d_]+|\d+")


@dataclass(frozen=True, slots=True)
class Saying:
    """The stems of a question with what each of them says, and how much that is in all."""

    stems: Mapping[str, float]
    total: float

    def covered(self, stems: frozenset[str]) -> float:
        """How much of what is said is said with these stems."""
        return sum(weight for stem, weight in self.stems.items() if stem in stems)


@dataclass(frozen=True, slots=True)
class Rarity:
    """How rare stems are: the logarithm of how many messages there are for one that has it."""

    known: Mapping[str, float]
    unknown: float
    least: float = 0.0  # what a question must say to be looked up

    def saying(self, text: str) -> Saying:
        """What a question says, word by word."""
        weights = {stem: max(0.0, self.known.get(stem, self.unknown) - COMMON) for stem in stems_of(text)}
        return Saying(weights, sum(weights.values()))


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
    return rarity_in(sections)
