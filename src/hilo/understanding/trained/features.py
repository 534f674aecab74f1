"""The features of a message for a trained classifier: its words and their pieces, as numbers of a fixed range."""

import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hilo.recognisers.normalise import normalise

Numbers = NDArray[np.float32]
Places = NDArray[np.int64]

MOST_WORDS = 40  # a longer message says what it wants well before
ANY = "*"  # the context in which every message stands

_TOKEN = re.compile(r"[^\W_]+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class FeatureShape:
    """Which features a classifier counts; it must be the same when it is trained and when it is used."""

    bits: int  # features are numbered 0 … 2^bits − 1; some share a number, and few of those matter
    words: int  # the longest sequence of words
    pieces: tuple[int, int]  # the shortest and the longest piece of a word


@dataclass(frozen=True, slots=True)
class Features:
    """The places of a message's features, and what each weighs."""

    places: Places
    weights: Numbers


def features_of(text: str, shape: FeatureShape, contexts: Sequence[str] = (ANY,)) -> Features:
    """Number the features of a message, once for each context that it stands in.

    Words and pieces weigh as much together in a short message as in a long one.
    """
    tokens = _TOKEN.findall(normalise(text).folded)[:MOST_WORDS]
    places: list[int] = []
    weights: list[float] = []
    for group in (_sequences(tokens, shape.words), _pieces(tokens, shape.pieces)):
        encoded = [each.encode() for each in group]
        for context in contexts:
            places += numbered(encoded, context, shape.bits)
        weights += [max(1, len(group)) ** -0.5] * (len(group) * len(contexts))
    return Features(np.array(places, np.int64), np.array(weights, np.float32))


def numbered(group: Iterable[bytes], context: str, bits: int) -> list[int]:
    """The numbers of features in a context."""
    mask, start = (1 << bits) - 1, zlib.crc32(f"{context}|".encode())
    return [zlib.crc32(feature, start) & mask for feature in group]


def _sequences(tokens: Sequence[str], longest: int) -> list[str]:
    """The words, and their sequences with the borders of the message."""
    found = dict.fromkeys(tokens)
    bordered = ["<", *tokens, ">"]
    for length in range(2, longest + 1):
        for start in range(len(bordered) - length + 1):
            found[" ".join(bordered[start : start + length])] = None
    return list(found)


def _pieces(tokens: Sequence[str], lengths: tuple[int, int]) -> list[str]:
    """The pieces of every word with its borders: a typo leaves most of them as they were."""
    found: dict[str, None] = {}
    for token in tokens:
        word = f" {token} "
        for length in range(lengths[0], lengths[1] + 1):
            for start in range(len(word) - length + 1):
                found["#" + word[start : start + length]] = None
    return list(found)
