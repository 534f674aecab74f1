"""Learn what the signs of an intent are worth, over many agents that are drawn from the corpus.

An agent has some standard intents, near ones together, now and then two of them as one, and often small talk too; its
author's examples are of one hand or two, mostly short and plain. Its contacts are other hands; a part of what they
write is of intents that the agent does not have, nothing for a business, or only an act. The classifier of standard
intents that is asked about them knows neither these hands nor a quarter of the intents: authors have their own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from hilo.understanding.intents.decision import Signs, Worth, kind_of
from hilo.understanding.intents.encoder import Matrix
from hilo.understanding.intents.model import train
from hilo.understanding.intents.standard import ACT, BEYOND, NONE_OF_THESE, sentences_of
from hilo.understanding.trained.features import Numbers

Array = NDArray[np.float64]
Thing = TypeVar("Thing")

AGENTS = 240
DRAWS = 20261117  # where chance begins
# Hands that are left out together: examples and traffic of an agent come from one of these groups.
GROUPS = (
    ("primera", "tucuman", "medellin", "iquitos", "paysandu", "trujillo"),
    ("rosario", "sevilla", "puebla", "neuquen", "monterrey"),
    ("cdmx", "santiago", "zaragoza", "pasto", "malaga"),
    ("lima", "caribe", "barranquilla", "habana"),
)
UNKNOWN_INTENTS = 0.25  # of the standard ones, to the classifier that is asked
SMALL_TALK = (
    *(f"{ACT}{act}" for act in ("greet", "thanks", "chitchat", "affirm", "deny", "correct", "cancel", "unclear")),
    *("ask_human", "ask_if_bot", "ask_help", "complain", "postpone"),
)
SIZES = ((0.3, 1, 8), (0.6, 8, 26), (0.1, 26, 70))  # how often an agent has from … to … intents
MESSAGES = 70  # in scope, about
# Of the messages, in the fit. It is worse to be sure of them than not to answer; and where the corpus does not help, as
# in other languages, messages are plainer than those of the corpus, so that it takes more to tell them.
OUT_OF_SCOPE, OUT_OF_SCOPE_UNAIDED = 0.5, 0.6
TAUGHT_SURELY = 0.9  # what the classifier thinks of a sentence that it has learnt
FIRMNESS = 3e-4  # how firmly a weight is held at zero


@dataclass(frozen=True, slots=True)
class Known:
    """A message of the corpus: its hand, its label, its meaning, and the standard intents that it may have."""

    hand: str
    label: str
    text: str
    vector: Numbers
    by_meaning: Numbers
    by_words: Numbers


@dataclass(slots=True)
class Group:
    """The messages of some hands by label and hand, as a classifier that never saw these hands sees them."""

    known: Mapping[str, Known]
    labels: Sequence[str]
    unknown: frozenset[str]
    by_label: dict[str, dict[str, list[Known]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for each in self.known.values():
            self.by_label.setdefault(each.label, {}).setdefault(each.hand, []).append(each)

    def of(self, labels: Sequence[str], hands: Sequence[str]) -> list[Known]:
        """The messages of these labels by these hands."""
        return [each for label in labels for hand in hands for each in self.by_label.get(label, {}).get(hand, ())]


@dataclass(frozen=True, slots=True)
class DrawnAgent:
    """An invented agent, and messages to it; those with an intent of None are out of scope."""

    group: Group
    examples: Mapping[str, Sequence[str]]
    like: Mapping[str, str]
    messages: Sequence[tuple[str, str | None]]


class Remembered:
    """An encoder that knows the vectors of the corpus by heart."""

    name = "remembered"

    def __init__(self, vectors: Mapping[str, Numbers], meaning: Callable[[str], Numbers]) -> None:
        self._vectors, self._meaning = dict(vectors), meaning

    def encode(self, texts: Sequence[str]) -> Matrix:
        for text in texts:
            if text not in self._vectors:
                self._vectors[text] = self._meaning(text)
        return np.array([self._vectors[text] for text in texts], np.float32)


class Corpus:
    """Which standard intents there are and how near they are to each other."""

    def __init__(self, rows: Sequence[tuple[str, Numbers]]) -> None:
        gathered: dict[str, list[Numbers]] = {}
        for label, vector in rows:
            if not label.startswith(BEYOND) and label != NONE_OF_THESE:
                gathered.setdefault(label, []).append(vector)
        self.standard = sorted(gathered)
        middles = np.array([np.mean(gathered[label], axis=0) for label in self.standard])
        self._middles = middles / np.linalg.norm(middles, axis=1, keepdims=True)
        self._near = np.argsort(-(self._middles @ self._middles.T), axis=1, kind="stable")

    def near(self, label: str, count: int) -> list[str]:
        """The standard intents nearest to one, itself first."""
        return [self.standard[place] for place in self._near[self.standard.index(label)][:count]]

    def typical(self, each: Known) -> float:
        """How near a message is to the middle of its intent."""
        return (
            float(each.vector @ self._middles[self.standard.index(each.label)]) if each.label in self.standard else 0.5
        )


class Drawing:
    """Draws agents by chance."""

    def __init__(self, corpus: Corpus, groups: Sequence[Group], seed: int) -> None:
        self.corpus, self.groups, self.dice = corpus, groups, np.random.default_rng(seed)

    def some(self, things: Sequence[Thing], count: int) -> list[Thing]:
        """So many of them, or all."""
        chosen = self.dice.permutation(len(things))[:count]
        return [things[place] for place in chosen]

    def happens(self, share: float) -> bool:
        return bool(self.dice.random() < share)

    def agent(self) -> DrawnAgent:
        group = self.groups[int(self.dice.integers(len(self.groups)))]
        hands = sorted({each.hand for each in group.known.values()})
        authors = self.some(hands, 1 if self.happens(0.7) else 2)
        usual = int(self.dice.integers(3, 9) if self.happens(0.85) else self.dice.integers(9, 16))
        is_terse = self.happens(0.65)
        examples: dict[str, list[str]] = {}
        like: dict[str, str] = {}
        meant: dict[str, list[str]] = {}
        uses_like = self.happens(0.35)
        for labels in self._intents():
            written = group.of(labels, authors) or group.of(labels, hands)
            if len(written) < 3:  # noqa: PLR2004
                continue
            name = "_".join(labels).replace(ACT, "")
            meant[name] = labels
            examples[name] = self._examples(written, usual if self.happens(0.8) else usual // 2, is_terse=is_terse)
            if uses_like and len(labels) == 1 and labels[0] in self.corpus.standard and self.happens(0.7):
                like[name] = labels[0]
                if self.happens(0.3):
                    examples[name] = []
        contacts = [hand for hand in hands if hand not in authors] or hands
        taught = {text for texts in examples.values() for text in texts}
        taught |= {text for standard in like.values() for text in sentences_of(standard)}
        messages = [*self._in_scope(group, meant, contacts), *self._out_of_scope(group, meant, contacts, hands)]
        return DrawnAgent(group, examples, like, [(text, name) for text, name in messages if text not in taught])

    def _intents(self) -> Iterator[list[str]]:
        """The labels of each intent."""
        place = int(self.dice.choice(len(SIZES), p=[share for share, _, _ in SIZES]))
        count = int(self.dice.integers(*SIZES[place][1:]))
        near = self.corpus.near(self.some(self.corpus.standard, 1)[0], max(6, count * 3 // 2))
        business = [*self.some(near, int(count * self.dice.choice([0.3, 0.6, 0.9])) + 1)]
        business = list(dict.fromkeys([*business, *self.some(self.corpus.standard, count)]))[:count]
        small_talk = self.some(SMALL_TALK, int(self.dice.integers(3, 14))) if self.happens(0.5) else []
        left = list(dict.fromkeys([*small_talk, *business]))
        while left:
            label = left.pop(0)
            partner = [each for each in self.corpus.near(label, 4)[1:] if each in left] if label in business else []
            if partner and self.happens(0.1):
                left.remove(partner[0])
                yield [label, partner[0]]
            else:
                yield [label]

    def _examples(self, written: Sequence[Known], count: int, *, is_terse: bool) -> list[str]:
        """What an author writes: most are terse, and write the sentence that everybody thinks of first."""
        luck = self.dice.gumbel(size=len(written)) * 0.35
        plain = [2.5 * self.corpus.typical(each) - 0.12 * len(each.text.split()) for each in written]
        order = np.argsort(-(luck + plain if is_terse else luck), kind="stable")
        return [written[place].text for place in order[: max(1, count)]]

    def _in_scope(
        self, group: Group, meant: Mapping[str, Sequence[str]], hands: Sequence[str]
    ) -> Iterator[tuple[str, str | None]]:
        each = max(2, min(5, MESSAGES // max(1, len(meant))))
        for name, labels in meant.items():
            for found in self.some(group.of(labels, hands), each):
                yield found.text, name

    def _out_of_scope(
        self, group: Group, meant: Mapping[str, Sequence[str]], hands: Sequence[str], all_hands: Sequence[str]
    ) -> Iterator[tuple[str, str | None]]:
        """A quarter each of near intents, of any intents, of nothing for a business, and of acts."""
        covered = {label for labels in meant.values() for label in labels}
        quarter = max(1, min(MESSAGES, 5 * len(meant)) // 9)
        near = [each for label in covered & {*self.corpus.standard} for each in self.corpus.near(label, 5)]
        beyond = [label for label in group.labels if label.startswith(BEYOND)]
        kinds = (
            (sorted({*near}), hands),
            (self.corpus.standard, hands),
            ([NONE_OF_THESE, *(label for label in beyond if not label.startswith(ACT))], all_hands),
            ([label for label in beyond if label.startswith(ACT)], hands),
        )
        for labels, of_hands in kinds:
            for found in self.some(group.of([label for label in labels if label not in covered], of_hands), quarter):
                yield found.text, None


def signs_of(drawn: DrawnAgent, encoder: Remembered | None, *, standing: bool) -> list[tuple[Signs, int]]:
    """The signs of every message to a drawn agent, with the place of its intent; the last place is none."""
    group = drawn.group

    def stand(text: str, vector: Numbers | None) -> Numbers:
        found = group.known.get(text)
        if found is not None:
            return found.by_words if vector is None else found.by_meaning
        chances = np.full(len(group.labels), (1 - TAUGHT_SURELY) / len(group.labels), np.float32)
        owner = next((name for name in drawn.like.values() if text in sentences_of(name)), NONE_OF_THESE)
        chances[group.labels.index(owner)] += TAUGHT_SURELY
        return chances

    if not drawn.examples:
        return []  # none of these hands wrote anything for its intents
    model = train(drawn.examples, encoder=encoder, like=drawn.like if standing else None, standing=stand)
    if bool(len(model.abouts)) != standing:
        return []  # too few intents to use the standard ones
    places = {label: place for place, label in enumerate(model.labels)}
    return [
        (model.signs(text, stand), places[name] if name else len(places))
        for text, name in drawn.messages
        if name is None or name in places
    ]


def fit(judged: Sequence[tuple[Signs, int]], out_of_scope: float) -> Worth:
    """Softmax regression by Newton's method; a step that makes it worse is halved."""
    fits, none = tuple(judged[0][0].fits), tuple(judged[0][0].none)
    signs_there = len(fits) + len(none)
    shape = (len(judged), max(len(signs.fits[fits[0]]) for signs, _ in judged) + 1, 2 * signs_there)
    rows, truth, is_there = np.zeros(shape, np.float32), np.zeros(shape[0], np.int64), np.zeros(shape[:2], np.bool_)
    for row, (signs, place) in enumerate(judged):
        count = len(signs.fits[fits[0]])
        for column, name in enumerate(fits):
            rows[row, :count, column] = signs.fits[name]
        rows[row, -1, len(fits) : signs_there] = [signs.none[name] for name in none]
        rows[row, :, signs_there:] = rows[row, :, :signs_there] / count
        is_there[row, :count] = is_there[row, -1] = True
        truth[row] = place if place < count else shape[1] - 1
    scale = np.maximum(rows[is_there].std(axis=0), 1e-6)
    rows /= scale
    outside = truth == shape[1] - 1
    share = 1 / is_there.sum(axis=1)  # an agent of few intents has few messages here, and is an agent too
    share[outside] *= out_of_scope / max(1e-9, share[outside].sum())
    share[~outside] *= (1 - out_of_scope) / share[~outside].sum()
    found = (_newton(rows, truth, is_there, share) / scale).round(4).reshape(2, signs_there)
    worth = {name: found[:, column].tolist() for column, name in enumerate((*fits, *none))}
    return {"fits": {name: worth[name] for name in fits}, "none": {name: worth[name] for name in none}}


def _newton(rows: Matrix, truth: NDArray[np.int64], is_there: NDArray[np.bool_], share: Array) -> Array:
    found = np.zeros(rows.shape[2])
    chances, loss = _chances(rows, truth, is_there, share, found)
    for _ in range(30):
        middle = np.einsum("mn,mnd->md", chances, rows)
        right = rows[np.arange(len(truth)), truth]
        slope = ((middle - right) * share[:, None]).sum(axis=0) + FIRMNESS * found
        spread = (rows - middle[:, None]) * np.sqrt(chances * share[:, None])[:, :, None]
        spread = spread.reshape(-1, rows.shape[2])
        step = np.linalg.solve(spread.T @ spread + FIRMNESS * np.eye(rows.shape[2]), slope)
        while True:
            chances, new = _chances(rows, truth, is_there, share, found - step)
            if new <= loss or np.abs(step).max() < 1e-6:  # noqa: PLR2004
                break
            step /= 2
        found, gained, loss = found - step, loss - new, new
        if gained < 1e-7:  # noqa: PLR2004
            break
    return found


def _chances(
    rows: Matrix, truth: NDArray[np.int64], is_there: NDArray[np.bool_], share: Array, worth: Array
) -> tuple[Array, float]:
    """The probabilities with these weights, and their loss."""
    sums = np.where(is_there, (rows @ worth.astype(np.float32)).astype(np.float64), -np.inf)
    raised = np.exp(sums - sums.max(axis=1, keepdims=True))
    chances: Array = raised / raised.sum(axis=1, keepdims=True)
    right = chances[np.arange(len(truth)), truth]
    return chances, float(FIRMNESS / 2 * worth @ worth - share @ np.log(np.maximum(right, 1e-12)))


def decide(corpus: Corpus, groups: Sequence[Group], encoder: Remembered, *, agents: int = AGENTS) -> dict[str, Worth]:
    """What the signs are worth to agents with and without an encoder and the standard intents."""
    drawing = Drawing(corpus, groups, DRAWS)
    drawn = [drawing.agent() for _ in range(agents)]
    found = {}
    for used in (encoder, None):
        for standing in (True, False):
            kind = kind_of(encoder=used is not None, standing=standing)
            judged = [each for agent in drawn for each in signs_of(agent, used, standing=standing)]
            found[kind] = fit(judged, OUT_OF_SCOPE if standing else OUT_OF_SCOPE_UNAIDED)
            print(f"{kind}: {len(judged)} messages to {agents} agents", flush=True)
    return found
