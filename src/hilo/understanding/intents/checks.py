"""What the examples of an agent say about themselves: intents that collide, and intents with too few examples."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hilo.understanding.intents.model import ENOUGH_EXAMPLES, IntentModel, distinct

FEWEST_CONFUSED = 2
CONFUSED_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Collision:
    """Two intents of which one would take the other's examples had it not learnt them."""

    first: str
    second: str
    examples: tuple[str, ...]


def collisions(model: IntentModel) -> tuple[Collision, ...]:
    """The pairs of intents that collide, those with the most confused examples first."""
    owners = model.owners[: model.count]
    confused: dict[tuple[int, int], list[str]] = {}
    for row in np.flatnonzero(model.left_out.argmax(axis=1) != owners) if model.count else ():
        pair = sorted((int(owners[row]), int(model.left_out[row].argmax())))
        confused.setdefault((pair[0], pair[1]), []).append(model.texts[row])
    sizes = np.bincount(owners, minlength=len(model.labels))
    found = [
        Collision(model.labels[first], model.labels[second], tuple(texts))
        for (first, second), texts in confused.items()
        if len(texts) >= max(FEWEST_CONFUSED, CONFUSED_SHARE * min(sizes[first], sizes[second]))
    ]
    return tuple(sorted(found, key=lambda collision: (-len(collision.examples), collision.first, collision.second)))


def too_few(examples: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The intents that can never be sure, because too few examples teach them."""
    return tuple(label for label, texts in examples.items() if len(distinct(texts)) < ENOUGH_EXAMPLES)
