"""The features of a message for a trained classifier: its words and their pieces, as numbers of a fixed range."""

import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from hilo.recognisers.normalise import normalise

Numbers = NDArray[np.float32]
Places = NDArray[np.int64]

MOST_WORDS = 40  # a longer message says what it wants well before
ANY = "*"  # the context in which every message stands

_SUM_BITS = 32
_SUM = (1 << _SUM_BITS) - 1
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
    said = _said(text, shape.words, shape.pieces)
    mask = (1 << shape.bits) - 1
    places = [(said.sums ^ shifts(context, said.longest)[said.lengths]) & mask for context in contexts]
    return Features(np.concatenate(places), np.tile(said.weights, len(contexts)))


def numbered(group: Iterable[bytes], context: str, bits: int) -> list[int]:
    """The numbers of features in a context."""
    mask, start = (1 << bits) - 1, zlib.crc32(f"{context}|".encode())
    return [zlib.crc32(feature, start) & mask for feature in group]


@dataclass(frozen=True, slots=True)
class _Said:
    """The features of a text before they stand in a context: the sum of each (CRC-32), its bytes, and its weight."""

    sums: Places
    lengths: Places
    longest: int
    weights: Numbers


@lru_cache(maxsize=64)  # several sides of a turn ask about one message
def _said(text: str, words: int, pieces: tuple[int, int]) -> _Said:
    tokens = _TOKEN.findall(normalise(text).folded)[:MOST_WORDS]
    found, held = _sequences(tokens, words), dict[str, int]()
    for token in tokens:
        held.update(_pieces(token, *pieces))
    count = len(found) + len(held)
    marks = np.fromiter(chain(found.values(), held.values()), np.int64, count)
    weights = np.full(count, max(1, len(found)) ** -0.5, np.float32)
    weights[len(found) :] = max(1, len(held)) ** -0.5
    lengths = marks >> _SUM_BITS
    return _Said(marks & _SUM, lengths, int(lengths.max(initial=0)), weights)


def shifts(context: str, longest: int) -> Places:
    """What a context changes in the sum of a feature, by its length; a CRC is linear, so nothing else matters."""
    return _shifts(zlib.crc32(f"{context}|".encode()), longest.bit_length())


@lru_cache(maxsize=256)
def _shifts(start: int, bits: int) -> Places:
    plain, found = 0, []
    for _ in range(1 << bits):
        found.append(start ^ plain)
        start, plain = zlib.crc32(b"\0", start), zlib.crc32(b"\0", plain)
    return np.array(found, np.int64)


def _mark(feature: str) -> int:
    """The sum of a feature, with its length above it."""
    written = feature.encode()
    return len(written) << _SUM_BITS | zlib.crc32(written)


def _sequences(tokens: Sequence[str], longest: int) -> dict[str, int]:
    """The words, and their sequences with the borders of the message."""
    found = {token: _mark(token) for token in tokens}
    bordered = ["<", *tokens, ">"]
    for length in range(2, longest + 1):
        for start in range(len(bordered) - length + 1):
            feature = " ".join(bordered[start : start + length])
            found[feature] = _mark(feature)
    return found


@lru_cache(maxsize=4096)
def _pieces(token: str, shortest: int, longest: int) -> dict[str, int]:
    """The pieces of a word with its borders: a typo leaves most of them as they were."""
    word = f" {token} "
    found: dict[str, int] = {}
    for length in range(shortest, longest + 1):
        for start in range(len(word) - length + 1):
            piece = "#" + word[start : start + length]
            found[piece] = _mark(piece)
    return found
