"""Intents learnt from an agent's examples: ridges over meaning, wording and standing, and one learnt decision."""

import hashlib
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hilo.recognisers.normalise import normalise
from hilo.understanding.intents import decision
from hilo.understanding.intents.decision import Array, Places, Signs, Worth
from hilo.understanding.intents.encoder import Encoder, Matrix
from hilo.understanding.intents.gist import gist
from hilo.understanding.intents.standard import chances_of, fingerprint, flattened, place_of, sentences_of, strange
from hilo.understanding.intents.wording import PLACEHOLDER, Wording, learn
from hilo.understanding.trained.features import Numbers

STANDING = 0.5  # how much it counts that two texts stand alike among the standard intents
MEANING = 0.8  # the encoder's part of the rest; what is left is wording
SHARPNESS = 3.0
RIDGE = 0.1
RIDGE_OF_NAMES = 0.3  # an intent's name teaches too, but less than a real example
RIDGE_OF_STANDING = 0.2
LEAST_CHANCE = 1e-3  # below it the classifier guesses
NAMED = 0.5  # how much of what an intent is about its `like:` says, the rest its examples
ABOUT = 0.3  # of an intent's examples: a standard intent of so many of them is what it is about
ENOUGH_EXAMPLES = 3
FEWEST_LENT, MOST_LENT = 6, 12  # sentences that stand for an intent without examples of its own
ENOUGH_INTENTS = 10  # fewer gain nothing from the standard intents, unless they name one
UNSURE = 84  # the highest confidence of an intent with fewer examples
ALTERNATIVES = 3
REMEMBERED = 2048  # messages, each of at most a few hundred letters
ANYTHING = "algo"  # stands for a placeholder where a sentence needs a word; wording leaves a gap
FORMAT = "9"  # raise it when a model's bytes or its training change

_WORD_BREAK = re.compile(r"(?<=[a-z])(?=[A-Z])|[\W_]+")

Standing = Callable[[str, Numbers | None], Numbers]  # the probability of each standard intent


@dataclass(frozen=True, slots=True)
class Ranking:
    """The likeliest intent, how probable it is (0–100) that it is right and in scope, and what else it may be."""

    intent: str | None
    confidence: int
    alternatives: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class IntentModel:
    """What was learnt. Rows are the examples (`count` of them), then the intents' names.

    `standings` are where the examples stand among the standard intents, `abouts` what each intent is about, `places`
    which standard intent it says it is (-1: none); all empty where the standard intents are of no use.
    `left_out` are the scores each example would get had it not been learnt.
    """

    labels: tuple[str, ...]
    texts: tuple[str, ...]
    owners: Places
    count: int
    encoder: Encoder | None
    meanings: Matrix
    standings: Matrix
    abouts: Matrix
    places: Places
    wording: Wording
    weights: Array
    standing_weights: Array
    left_out: Array
    ranked: dict[str, Ranking] = field(default_factory=dict, compare=False, repr=False)

    @property
    def worth(self) -> Worth:
        """What the signs are worth to an agent that sees so much."""
        kind = decision.kind_of(encoder=self.encoder is not None, standing=bool(len(self.abouts)))
        return decision.load_decision(kind)

    def rank(self, text: str) -> Ranking:
        """Name the intent of a message; contacts write the same few over and over, and a turn asks twice."""
        if text not in self.ranked:
            if len(self.ranked) >= REMEMBERED:
                self.ranked.clear()
            self.ranked[text] = self._rank(text)
        return self.ranked[text]

    def _rank(self, text: str) -> Ranking:
        if not self.count or not normalise(text).folded.strip():
            return Ranking(None, 0)
        return _ranking(self, decision.chances(self.signs(text), self.worth))

    def signs(self, text: str, standing: Standing = chances_of) -> Signs:
        """What speaks for each intent, and for none."""
        vector = self.encoder.encode([text])[0] if self.encoder else None
        near = likeness = self.wording.alike(text).astype(np.float64)
        if vector is not None:
            near = (self.meanings @ vector).astype(np.float64)
            likeness = _blend(likeness, near)
        nearest = np.zeros(len(self.labels))
        np.maximum.at(nearest, self.owners[: self.count], near[: self.count])
        fits = {"nearest": nearest}
        none = {"always": 1.0, "intents": float(np.log(len(self.labels)))}
        if len(self.abouts):
            found = standing(text, vector)
            stands = (self.standings @ flattened(found)).astype(np.float64)
            likeness = (1 - STANDING) * likeness
            likeness[: self.count] += STANDING * stands
            about = np.log(self.abouts @ found + LEAST_CHANCE)
            named = np.where(self.places < 0, 0.0, np.log(found[self.places] / LEAST_CHANCE + 1))
            fits |= {"stands": stands @ self.standing_weights, "about": about, "named": named}
            covered = float(found @ np.minimum(1.0, self.abouts.max(axis=0) / ABOUT))
            none |= {**strange(found), "uncovered": 1 - covered}
        return Signs({**fits, "learnt": likeness @ self.weights}, none)


def train(
    examples: Mapping[str, Sequence[str]],
    *,
    encoder: Encoder | None,
    like: Mapping[str, str] | None = None,
    standing: Standing = chances_of,
) -> IntentModel:
    """Learn the intents of an agent.

    `like` names the standard intents that some of them are, which lend them sentences of the corpus; without it (None)
    the standard intents, which are Spanish, are left out of it. `standing` tells where a text stands among them.
    """
    # With a few intents only, whatever stands near one of them would be taken for it.
    uses_standing = bool(like) or (like is not None and len(examples) >= ENOUGH_INTENTS)
    like = like or {}
    labels = tuple(sorted({*examples, *like}))
    taught = _taught(examples, like)
    pairs = [(place, text) for place, label in enumerate(labels) for text in taught[label]]
    texts = (*(text for _, text in pairs), *(_WORD_BREAK.sub(" ", name) for name in labels))
    owners = np.array([place for place, _ in pairs] + list(range(len(labels))), np.int64)
    count = len(pairs)
    words = learn(texts)
    meanings = _meanings(texts, encoder)
    likeness = np.array([words.alike(text) for text in texts], np.float64).reshape(len(texts), len(texts))
    if encoder is not None:
        likeness = _blend(likeness, (meanings @ meanings.T).astype(np.float64))
    standings = abouts = np.zeros((0, 0), np.float32)
    standing_weights = np.zeros((0, len(labels)))
    if uses_standing and count:
        vectors = meanings if encoder else [None] * count
        found = np.array([standing(text, vectors[row]) for row, (_, text) in enumerate(pairs)], np.float32)
        standings = np.array([flattened(each) for each in found])
        abouts = _abouts(found, owners[:count], [like.get(label, "") for label in labels])
        stands = (standings @ standings.T).astype(np.float64)
        standing_weights = _solve(stands, np.full(count, RIDGE_OF_STANDING), owners[:count], len(labels))[0]
        # A name is no sentence of a customer: it has no standing of its own.
        likeness *= 1 - STANDING
        likeness[:count, :count] += STANDING * stands
    penalty = np.where(np.arange(len(texts)) < count, RIDGE, RIDGE_OF_NAMES)
    weights, inverse = _solve(likeness, penalty, owners, len(labels))
    # fᵢ = Yᵢ − αᵢ / Aᵢᵢ, with A the inverse and α the weights: no example is learnt again
    own = slice(count)
    left_out = np.eye(len(labels))[owners[own]] - weights[own] / np.diag(inverse)[own, None]
    return IntentModel(
        labels=labels,
        texts=texts,
        owners=owners,
        count=count,
        encoder=encoder,
        meanings=meanings,
        standings=standings,
        abouts=abouts,
        places=np.array([place_of(like[label]) if label in like else -1 for label in labels], np.int64),
        wording=words,
        weights=weights,
        standing_weights=standing_weights,
        left_out=left_out,
    )


def examples_digest(
    examples: Mapping[str, Sequence[str]], encoder_name: str, like: Mapping[str, str] | None = None
) -> str:
    """Changes whenever training would give another model: the key to keep a model's bytes under."""
    learnt = sorted((label, list(texts)) for label, texts in examples.items())
    standard = [fingerprint(), sorted(like.items())] if like is not None else []
    content = [FORMAT, encoder_name, learnt, standard]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def to_bytes(model: IntentModel) -> bytes:
    """The model as an .npz archive without pickles."""
    words = model.wording
    names = {
        "encoder": model.encoder.name if model.encoder else "",
        "labels": model.labels,
        "texts": model.texts,
        "features": list(words.features),
    }
    file = io.BytesIO()
    np.savez(
        file,
        names=np.frombuffer(json.dumps(names).encode(), np.uint8),
        owners=model.owners,
        meanings=model.meanings,
        standings=model.standings,
        abouts=model.abouts,
        places=model.places,
        rarity=words.rarity,
        starts=words.starts,
        rows=words.rows,
        shares=words.shares,
        weights=model.weights,
        standing_weights=model.standing_weights,
        left_out=model.left_out,
    )
    return file.getvalue()


def from_bytes(content: bytes, *, encoder: Encoder | None) -> IntentModel:
    """The model that `to_bytes` wrote; it needs the encoder it was trained with."""
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    names = json.loads(arrays["names"].tobytes())
    if names["encoder"] != (encoder.name if encoder else ""):
        raise ValueError(f"This model was trained with the encoder {names['encoder']!r}: train it again.")
    return IntentModel(
        labels=tuple(names["labels"]),
        texts=tuple(names["texts"]),
        owners=arrays["owners"],
        count=len(arrays["left_out"]),
        encoder=encoder,
        meanings=arrays["meanings"],
        standings=arrays["standings"],
        abouts=arrays["abouts"],
        places=arrays["places"],
        wording=_wording(arrays, names["features"]),
        weights=arrays["weights"],
        standing_weights=arrays["standing_weights"],
        left_out=arrays["left_out"],
    )


def _wording(arrays: Mapping[str, Any], features: Sequence[str]) -> Wording:
    return Wording(
        features={feature: place for place, feature in enumerate(features)},
        rarity=arrays["rarity"],
        starts=arrays["starts"],
        rows=arrays["rows"],
        shares=arrays["shares"],
        size=len(arrays["owners"]),
    )


def distinct(texts: Sequence[str]) -> list[str]:
    """One example of each wording: repeating a sentence teaches nothing."""
    return list({gist(text): text for text in reversed(texts)}.values())[::-1]


def _taught(examples: Mapping[str, Sequence[str]], like: Mapping[str, str]) -> dict[str, list[str]]:
    """The examples of each intent, and behind them what its standard intent lends it.

    As many sentences as the author usually writes: an intent with more would draw the others' messages to itself.
    """
    taught = {label: distinct(texts) for label, texts in examples.items()}
    written = sorted(len(texts) for texts in taught.values() if texts)
    usual = min(written[len(written) // 2], MOST_LENT) if written else MOST_LENT
    for label, standard in like.items():
        own = taught.get(label, [])
        missing = usual - len(own) if own else max(usual, FEWEST_LENT)
        taught[label] = distinct([*own, *sentences_of(standard)[: max(0, missing)]])
    return taught


def _meanings(texts: Sequence[str], encoder: Encoder | None) -> Matrix:
    if encoder is None or not texts:
        return np.zeros((len(texts), 0), np.float32)
    return encoder.encode([PLACEHOLDER.sub(ANYTHING, text) for text in texts])


def _blend(said: Array, meant: Array) -> Array:
    """How alike texts are by their words and by the cosines of their meanings."""
    likeness: Array = MEANING * np.exp(SHARPNESS * (meant - 1)) + (1 - MEANING) * said
    return likeness


def _solve(likeness: Array, penalty: Array, owners: Places, labels: int) -> tuple[Array, Array]:
    """The weights of a kernel ridge, and the inverse that they come from."""
    inverse: Array = np.linalg.inv(likeness + np.diag(penalty)).astype(np.float64)
    return inverse @ np.eye(labels)[owners], inverse


def _abouts(found: Matrix, owners: Places, like: Sequence[str]) -> Matrix:
    """Which standard intents each intent's examples are on the mean, and the one that it names."""
    counts = np.bincount(owners, minlength=len(like))
    abouts = np.zeros((len(like), found.shape[1]), np.float32)
    np.add.at(abouts, owners, found)
    abouts /= np.maximum(counts, 1)[:, None]
    for place, standard in enumerate(like):
        if standard:
            share = NAMED if counts[place] else 1.0
            abouts[place] *= 1 - share
            abouts[place, place_of(standard)] += share
    return abouts


def _ranking(model: IntentModel, shares: Array) -> Ranking:
    """The likeliest intent and those behind it, in percent."""
    order = np.argsort(-shares[:-1], kind="stable")
    top = int(order[0])
    enough = model.places[top] >= 0 or np.count_nonzero(model.owners[: model.count] == top) >= ENOUGH_EXAMPLES
    percent = min(int(100 * shares[top]), 100 if enough else UNSURE)
    others = [(model.labels[place], int(100 * shares[place])) for place in order[1 : ALTERNATIVES + 1]]
    return Ranking(model.labels[top], percent, tuple((label, min(share, percent)) for label, share in others if share))
