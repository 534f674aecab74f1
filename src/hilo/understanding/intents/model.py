"""Intents learnt from an agent's examples: kernel ridge over meaning and wording, with calibrated confidence."""

import hashlib
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hilo.recognisers.normalise import normalise
from hilo.understanding.intents import confidence
from hilo.understanding.intents.confidence import Array, Places, Ridge
from hilo.understanding.intents.encoder import Encoder, Matrix
from hilo.understanding.intents.gist import gist
from hilo.understanding.intents.standard import fingerprint, sentences_of, standing_as, standing_of
from hilo.understanding.intents.wording import PLACEHOLDER, Wording, learn

STANDING = 0.4  # how much it counts that two texts stand alike among the standard intents
MEANING = 0.8  # the encoder's part of the rest; what is left is wording
SHARPNESS = 3.0
RIDGE = 0.1
RIDGE_OF_NAMES = 0.3  # an intent's name teaches too, but less than a real example
ENOUGH_EXAMPLES = 3
FEWEST_LENT, MOST_LENT = 6, 12  # sentences that stand for an intent without examples of its own
ENOUGH_INTENTS = 10  # fewer gain nothing from the standard intents, unless they name one
UNSURE = 84  # the highest confidence of an intent with fewer examples
ALTERNATIVES = 3
ANYTHING = "algo"  # stands for a placeholder where a sentence needs a word; wording leaves a gap
FORMAT = "8"  # raise it when a model's bytes or its training change

_WORD_BREAK = re.compile(r"(?<=[a-z])(?=[A-Z])|[\W_]+")


@dataclass(frozen=True, slots=True)
class Ranking:
    """The likeliest intent, how probable it is (0–100) that it is right and in scope, and what else it may be."""

    intent: str | None
    confidence: int
    alternatives: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class IntentModel:
    """What was learnt. Rows are the examples (`count` of them), the intents' names, and the standard intents they are.

    `left_out` are the scores each example would get had it not been learnt.
    """

    labels: tuple[str, ...]
    texts: tuple[str, ...]
    owners: Places
    count: int
    encoder: Encoder | None
    meanings: Matrix
    standings: Matrix
    wording: Wording
    weights: Array
    calibration: Array
    left_out: Array

    def rank(self, text: str) -> Ranking:
        """Name the intent of a message."""
        if not self.count or not normalise(text).folded.strip():
            return Ranking(None, 0)
        likeness = self._likeness(text)
        scores = (likeness @ self.weights)[None]
        evidence = confidence.signs(scores, likeness[None, : self.count], self.owners[: self.count])
        return _ranking(self, scores[0], float(confidence.sureness(evidence, self.calibration)[0]))

    def _likeness(self, text: str) -> Array:
        """How alike a message is to every row, 0–1."""
        vector = self.encoder.encode([text])[0] if self.encoder else None
        meant = self.meanings @ vector if vector is not None else None
        stands = self.standings @ standing_of(text, vector) if self.standings.shape[1] else None
        return _blend(self.wording.alike(text), meant, stands)


def train(
    examples: Mapping[str, Sequence[str]],
    *,
    encoder: Encoder | None,
    like: Mapping[str, str] | None = None,
    oos_prior: float = 0.25,
) -> IntentModel:
    """Learn the intents of an agent; `oos_prior` is the share of messages that none of them fits.

    `like` names the standard intents that some of them are, which lend them sentences of the corpus; without it (None)
    the standard intents, which are Spanish, are left out of it.
    """
    # With a few intents only, whatever stands near one of them would be taken for it.
    standard = bool(like) or (like is not None and len(examples) >= ENOUGH_INTENTS)
    like = like or {}
    labels = tuple(sorted({*examples, *like}))
    places = {label: place for place, label in enumerate(labels)}
    taught = _taught(examples, like)
    pairs = [(places[label], text) for label in labels for text in taught[label]]
    alike = sorted(like.items())
    names = (*labels, *(name for _, name in alike))
    texts = (*(text for _, text in pairs), *(_WORD_BREAK.sub(" ", name) for name in names))
    owned = [place for place, _ in pairs] + list(range(len(labels))) + [places[label] for label, _ in alike]
    owners = np.array(owned, np.int64)
    words = learn(texts)
    meanings = _meanings(texts, encoder)
    # A name is no sentence of a customer: it has no standing of its own.
    standings = np.zeros((len(texts), 0), np.float32)
    if standard:
        vectors = meanings if encoder else [None] * len(pairs)
        stand = [standing_of(text, vectors[row]) for row, (_, text) in enumerate(pairs)]
        stand += [standing_of("", None) for _ in labels]
        stand += [standing_as(name) for _, name in alike]
        standings = np.array(stand, np.float32)
    said = np.array([words.alike(text) for text in texts]).reshape(len(texts), len(texts))
    meant = meanings @ meanings.T if meanings.shape[1] else None
    likeness = _blend(said, meant, standings @ standings.T if standings.shape[1] else None)
    ridge = _solve(likeness, owners, count=len(pairs), labels=len(labels))
    habit = confidence.HABIT_OF_WORDING if encoder is None else confidence.HABIT
    return IntentModel(
        labels=labels,
        texts=texts,
        owners=owners,
        count=len(pairs),
        encoder=encoder,
        meanings=meanings,
        standings=standings,
        wording=words,
        weights=ridge.weights,
        calibration=confidence.calibrate(ridge, habit, oos_prior),
        left_out=confidence.left_out_scores(ridge),
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
        rarity=words.rarity,
        starts=words.starts,
        rows=words.rows,
        shares=words.shares,
        weights=model.weights,
        calibration=model.calibration,
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
        wording=_wording(arrays, names["features"]),
        weights=arrays["weights"],
        calibration=arrays["calibration"],
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


def _blend(said: Matrix, meant: Matrix | None, stands: Matrix | None) -> Array:
    likeness: Array = said.astype(np.float64)
    if meant is not None:
        likeness = MEANING * np.exp(SHARPNESS * (meant.astype(np.float64) - 1)) + (1 - MEANING) * likeness
    if stands is not None:
        likeness = STANDING * stands.astype(np.float64) + (1 - STANDING) * likeness
    return likeness


def _solve(likeness: Array, owners: Places, *, count: int, labels: int) -> Ridge:
    rows = np.arange(len(owners))
    is_name = (rows >= count) & (rows < count + labels)
    penalty = np.where(is_name, RIDGE_OF_NAMES, RIDGE)
    inverse = np.linalg.inv(likeness + np.diag(penalty))
    weights = inverse @ np.eye(labels)[owners]
    return Ridge(likeness, inverse, weights, owners, count)


def _ranking(model: IntentModel, scores: Array, sure: float) -> Ranking:
    """Share what the top intent leaves among the others and none of them, as a softmax does."""
    order = np.argsort(-scores, kind="stable")
    top = int(order[0])
    is_standard = top in model.owners[model.count + len(model.labels) :]
    enough = is_standard or np.count_nonzero(model.owners[: model.count] == top) >= ENOUGH_EXAMPLES
    percent = min(round(100 * sure), 100 if enough else UNSURE)
    rivals = np.exp((scores - scores[top]) / confidence.TEMPERATURE)
    left = (100 - percent) / (rivals.sum() - 1 + np.exp(-scores[top] / confidence.TEMPERATURE))
    shares = [(model.labels[place], min(int(rivals[place] * left), percent)) for place in order[1 : ALTERNATIVES + 1]]
    return Ranking(model.labels[top], percent, tuple((label, share) for label, share in shares if share > 0))
