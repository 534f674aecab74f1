"""What the trained classifier of acts looks at: the message, and what the agent waits for."""

from collections.abc import Sequence

import numpy as np

from hilo.understanding.trained.features import ANY, Numbers

ACTS = "acts"  # the name of the classifier
MIXED = "mixed"  # its label for a message of several acts
NOTHING, CONFIRMATION, SLOT = "none", "confirm", "slot"
BLOCKS = (CONFIRMATION, SLOT, NOTHING)


def waiting_for(slot_type: str) -> str:
    """What is waited for when a slot of this type was asked."""
    return f"{SLOT}:{slot_type}"


def contexts_of(waiting: str) -> Sequence[str]:
    """The contexts whose features a message has: any, the kind of question, and the type of slot."""
    kind, _, slot_type = waiting.partition(":")
    return (ANY, kind, waiting) if slot_type else (ANY, kind)


def vector_in(waiting: str, vector: Numbers) -> Numbers:
    """A sentence vector, and once more in the block of what is waited for."""
    size = len(vector)
    block = BLOCKS.index(waiting.partition(":")[0])
    found = np.zeros(size * (1 + len(BLOCKS)), np.float32)
    found[:size] = vector
    found[size * (block + 1) : size * (block + 2)] = vector
    return found
