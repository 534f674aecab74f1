"""What the trained classifier of acts looks at: the message, what the tables find in it, and what is waited for."""

from collections.abc import Iterator, Sequence

import numpy as np

from hilo.recognisers.normalise import Text
from hilo.understanding.acts.tabled import find_acts, read_sentiment
from hilo.understanding.trained.features import ANY, Features, FeatureShape, Numbers, features_of, numbered

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


CLUE = 0.4  # what a clue weighs; all words of a message together weigh 1, and so do their pieces
BAD = -0.5  # a sentiment this low is more than a grumble


def act_features(text: Text, waiting: str, shape: FeatureShape) -> Features:
    """The words of a message and the clues of the tables, in every context that the message stands in."""
    contexts = contexts_of(waiting)
    said = features_of(text.raw, shape, contexts)
    clues = [clue.encode() for clue in clues_in(text)]
    places = [place for context in contexts for place in numbered(clues, context, shape.bits)]
    return Features(
        np.concatenate([said.places, np.array(places, np.int64)]),
        np.concatenate([said.weights, np.full(len(places), CLUE, np.float32)]),
    )


def clues_in(text: Text) -> Iterator[str]:
    """What the tables find: which acts, at the beginning or alone, and the mood.

    That they find a yes is no clue: the words that speak against one and the classifier shall not err together.
    """
    acts = find_acts(text)
    for act in acts:
        if act.kind == "affirm":
            continue
        yield f"T:{act.kind}"
        if act.whole:
            yield f"W:{act.kind}"
        if act.start <= 1:  # an opening mark may stand before it
            yield f"S:{act.kind}"
    if not acts:
        yield "T:-"
    score = read_sentiment(text).score
    if score < 0:
        yield "mood:bad" if score <= BAD else "mood:low"
    else:
        yield "mood:good" if score > 0 else "mood:none"
