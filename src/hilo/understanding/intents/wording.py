"""How alike two texts are worded: TF-IDF over words and pairs of words, and over the pieces of words."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from hilo.understanding.intents.gist import gist

Numbers = NDArray[np.float32]
Numbering = NDArray[np.int32]

PIECE_LENGTHS = (2, 3, 4)
PLACEHOLDER = re.compile(r"\{[^{}]*\}")

_WORD = re.compile(r"[^\W_]+")
_PIECE = "#"  # no word holds it: it tells a piece from a word


@dataclass(frozen=True, slots=True)
class Wording:
    """The features of all examples as postings: feature f stands in rows[starts[f]:starts[f + 1]].

    An example is a vector of length 1, one half of which its words make and the other half their pieces.
    """

    features: dict[str, int]
    rarity: Numbers
    starts: Numbering
    rows: Numbering
    shares: Numbers
    size: int

    def alike(self, text: str) -> Numbers:
        """The cosine of a text with every example."""
        said = _words(text)
        (words, word_shares), (pieces, piece_shares) = _half(self, said), _half(self, _pieces(said))
        places = np.array(words + pieces, np.int64)
        firsts = self.starts[places]
        lengths = self.starts[places + 1] - firsts
        ends = np.cumsum(lengths)
        spots = np.arange(ends[-1] if len(ends) else 0) + np.repeat(firsts - ends + lengths, lengths)
        own = np.repeat(np.concatenate([word_shares, piece_shares]), lengths)
        return np.bincount(self.rows[spots], self.shares[spots] * own, self.size).astype(np.float32)


def learn(texts: Sequence[str]) -> Wording:
    """Number the features of the examples, weigh them by rarity, and note where they stand."""
    holders: dict[str, list[int]] = {}
    for row, text in enumerate(texts):
        said = _words(text)
        for feature in (*said, *_pieces(said)):
            holders.setdefault(feature, []).append(row)
    lengths = np.fromiter(map(len, holders.values()), np.int64, len(holders))
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    rows = np.fromiter((row for held in holders.values() for row in held), np.int32, int(starts[-1]))
    rarity = _rarity(lengths, len(texts))
    is_piece = np.repeat(np.fromiter((name[0] == _PIECE for name in holders), np.bool_, len(holders)), lengths)
    shares = _unit_rows(np.repeat(rarity, lengths), rows, is_piece)
    return Wording({name: place for place, name in enumerate(holders)}, rarity, starts, rows, shares, len(texts))


def _rarity(holders: NDArray[np.int64], texts: int) -> Numbers:
    return (np.log((1 + texts) / (1 + holders)) + 1).astype(np.float32)


def _unit_rows(weights: Numbers, rows: Numbering, is_piece: NDArray[np.bool_]) -> Numbers:
    for half in (is_piece, ~is_piece):
        squares = np.bincount(rows[half], weights[half] ** 2)
        weights[half] /= np.sqrt(2 * squares[rows[half]])
    return weights


def _half(wording: Wording, features: Sequence[str]) -> tuple[list[int], Numbers]:
    """The known features of a text and their shares; what no example holds is rare and takes its share too."""
    known = wording.features
    places = [known[feature] for feature in features if feature in known]
    weights = wording.rarity[places]
    unknown = (len(features) - len(places)) * (math.log(1 + wording.size) + 1) ** 2
    return places, weights / math.sqrt(2 * (float(weights @ weights) + unknown) or 1.0)


def _words(text: str) -> list[str]:
    """The words and pairs of words, each once; nothing pairs up across a placeholder."""
    found: dict[str, None] = {}
    said = gist(text)
    for part in PLACEHOLDER.split(said) if "{" in said else (said,):
        single = _WORD.findall(part)
        found.update(dict.fromkeys(single))
        found.update(dict.fromkeys(f"{first} {second}" for first, second in pairwise(single)))
    return list(found)


def _pieces(said: Sequence[str]) -> list[str]:
    """The pieces of every word with its borders, each once: a typo leaves most of them as they were."""
    return list(dict.fromkeys(chain.from_iterable(_cut(word) for word in said if " " not in word)))


@lru_cache(maxsize=8192)
def _cut(word: str) -> tuple[str, ...]:
    bordered = f" {word} "
    return tuple(
        _PIECE + bordered[start : start + length]
        for length in PIECE_LENGTHS
        for start in range(len(bordered) - length + 1)
    )
