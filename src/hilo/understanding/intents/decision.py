"""Which intent a message has, if any: one decision over all of them and none, learnt over many invented agents.

A few signs say how well a message fits each intent, a few more that it fits none. What each is worth was fitted on
agents that were drawn from the corpus (`tools/train_decision.py`), so that a softmax over the sums gives probabilities:
of a hundred messages at 85, eighty-five are right.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from hilo.understanding import trained

Array = NDArray[np.float64]
Places = NDArray[np.int64]
Worth = Mapping[str, Mapping[str, Sequence[float]]]  # of each sign: among many intents, and more among few

DECISION = "intent_decision.json"  # among the weights: what each sign is worth, with and without encoder and corpus


@dataclass(frozen=True, slots=True)
class Signs:
    """How a message fits each intent, and what speaks for none of them."""

    fits: Mapping[str, Array]
    none: Mapping[str, float]


def kind_of(*, encoder: bool, standing: bool) -> str:
    """The name of the decision for what an agent can see."""
    seen = (("meaning",) if encoder else ()) + (("standing",) if standing else ())
    return "+".join(("wording", *seen))


def chances(signs: Signs, worth: Worth) -> Array:
    """How probable each intent is, and last that it is none of them."""
    intents = len(next(iter(signs.fits.values())))
    fits = sum((_worth(worth["fits"][name], intents) * values for name, values in signs.fits.items()), np.zeros(1))
    none = sum(_worth(worth["none"][name], intents) * value for name, value in signs.none.items())
    sums = np.append(fits, none)
    raised = np.exp(sums - sums.max())
    shares: Array = raised / raised.sum()
    return shares


def _worth(pair: Sequence[float], intents: int) -> float:
    """What a sign is worth among so many intents: among a few, whatever is said resembles one of them most."""
    among_many, more_among_few = pair
    return among_many + more_among_few / intents


@cache
def load_decision(kind: str) -> Worth:
    """What the signs are worth in a decision of this kind."""
    worth: dict[str, Worth] = json.loads(_content())
    return worth[kind]


@cache
def _content() -> str:
    return files(trained).joinpath("weights", DECISION).read_text(encoding="utf-8")
