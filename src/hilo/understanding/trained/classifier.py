"""A trained classifier: reads its weights, gives each label its probability."""

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hilo.understanding.trained.features import ANY, Features, FeatureShape, Numbers, Places, features_of

WIDEST = 127  # the largest weight of a label, in a byte
FORMAT = 1  # raise it when the features or the file change: weights of another format are refused

Whole = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Classifier:
    """One weight for each feature and label. `dense` weighs a sentence vector, block by block for each context.

    Where weights are small whole numbers, `scale` says for each label what one of them is.
    """

    name: str
    labels: tuple[str, ...]
    shape: FeatureShape
    weights: Numbers | Whole
    bias: Numbers
    dense: Numbers
    scale: Numbers | float = 1.0

    def probabilities(self, text: str, contexts: Sequence[str] = (ANY,), vector: Numbers | None = None) -> Numbers:
        """How probable each label is for a message that stands in these contexts."""
        return softmax(self.sums(features_of(text, self.shape, contexts), vector))

    def weights_at(self, places: Places | Sequence[int]) -> Numbers:
        """The weights of some features, a row each."""
        rows: Numbers = self.weights[places].astype(np.float32) * self.scale
        return rows

    def sums(self, features: Features, vector: Numbers | None) -> Numbers:
        """The sum of the weights for each label."""
        rows = self.weights.take(features.places, axis=0).astype(np.float32)
        total: Numbers = features.weights @ rows * self.scale + self.bias
        if vector is not None and len(self.dense):
            total = total + vector @ self.dense
        return total


def softmax(sums: Numbers) -> Numbers:
    """Sums as probabilities."""
    raised = np.exp(sums - sums.max())
    shares: Numbers = raised / raised.sum()
    return shares


@cache
def load_classifier(name: str) -> Classifier:
    """The classifier of this name that comes with Hilo."""
    return from_bytes(files(__package__).joinpath("weights", f"{name}.npz").read_bytes())


def to_bytes(classifier: Classifier) -> bytes:
    """The classifier as an .npz archive without pickles, its weights in a byte each, which changes no decision."""
    shape = classifier.shape
    scale = np.maximum(np.abs(classifier.weights).max(axis=0), 1e-6) / WIDEST
    head = {
        "format": FORMAT,
        "name": classifier.name,
        "labels": classifier.labels,
        "shape": [shape.bits, shape.words, *shape.pieces],
    }
    file = io.BytesIO()
    np.savez_compressed(
        file,
        head=np.frombuffer(json.dumps(head).encode(), np.uint8),
        weights=np.round(classifier.weights / scale).astype(np.int8),
        scale=scale.astype(np.float32),
        bias=classifier.bias.astype(np.float16),
        dense=classifier.dense.astype(np.float16),
    )
    return file.getvalue()


def from_bytes(content: bytes) -> Classifier:
    """The classifier that `to_bytes` wrote."""
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    head: dict[str, Any] = json.loads(arrays["head"].tobytes())
    if head["format"] != FORMAT:
        name, found = head["name"], head["format"]
        raise ValueError(f"The weights of {name!r} have format {found}, this code reads {FORMAT}: run `make train`.")
    bits, words, shortest, longest = head["shape"]
    return Classifier(
        name=head["name"],
        labels=tuple(head["labels"]),
        shape=FeatureShape(bits, words, (shortest, longest)),
        weights=arrays["weights"],
        bias=arrays["bias"].astype(np.float32),
        dense=arrays["dense"].astype(np.float32),
        scale=arrays.get("scale", 1.0),
    )
