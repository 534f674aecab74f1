"""What an agent should be taught: intents that collide, intents with few examples, and examples its contacts wrote."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hilo.understanding.intents.gist import gist, is_courtesy
from hilo.understanding.intents.model import ENOUGH_EXAMPLES, IntentModel, distinct
from hilo.understanding.intents.wording import learn

FEWEST_CONFUSED = 2
CONFUSED_SHARE = 0.2
GOOD_EXAMPLES = 12  # from here on more examples add little
MIDDLING = (20, 84)  # so sure of a message that it is worth showing: below it says nothing, above nothing new
MOST_PROPOSED = 5  # for an intent
LONGEST_PROPOSED = 120  # characters: a longer one is a story, and no example
FEWEST_WORDS = 2  # fewer answer a question
TOO_ALIKE = 0.8  # to an example, or to another proposal, in wording


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


def could_use_more(examples: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """The intents that would gain from more examples, and how many they have."""
    counts = {label: len(distinct(texts)) for label, texts in examples.items()}
    return {label: count for label, count in counts.items() if count < GOOD_EXAMPLES}


def proposed(model: IntentModel, messages: Iterable[str]) -> dict[str, list[str]]:
    """Messages that would teach something, by their likeliest intent: neither sure of, nor like what it knows."""
    found: dict[str, list[tuple[int, str]]] = {}
    for message in dict.fromkeys(messages):
        if len(message) > LONGEST_PROPOSED or len(gist(message).split()) < FEWEST_WORDS or is_courtesy(message):
            continue
        ranking = model.rank(message)
        if ranking.intent and MIDDLING[0] <= ranking.confidence <= MIDDLING[1]:
            found.setdefault(ranking.intent, []).append((ranking.confidence, message))
    return {label: _varied(model, sorted(some, reverse=True)) for label, some in sorted(found.items())}


def _varied(model: IntentModel, some: Sequence[tuple[int, str]]) -> list[str]:
    """The surest of them that are not worded like an example or like each other."""
    kept: list[str] = []
    for _, message in some:
        known = float(model.wording.alike(message)[: model.count].max(initial=0.0))
        others = float(learn(kept).alike(message).max(initial=0.0)) if kept else 0.0
        if max(known, others) < TOO_ALIKE:
            kept.append(message)
        if len(kept) == MOST_PROPOSED:
            break
    return kept
