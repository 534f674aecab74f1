"""Which words of a message are a name or a free text: learnt, word by word, from messages of many hands.

No recogniser can know all names and no list has the words around them ("Benjamín Acosta te dije"), so every word is
judged by what it looks like, what stands beside it and what was asked.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text, with_line_ends
from hilo.recognisers.people.name_tokens import as_found, words_from
from hilo.recognisers.people.name_words import (
    ADDRESSED,
    FUNCTION_WORDS,
    GIVEN_NAMES,
    KIN,
    NOT_FIRST,
    PARTICLES,
    TITLES,
)
from hilo.recognisers.people.names import find_person_names, find_receivers
from hilo.understanding.acts.trained import waiting_for
from hilo.understanding.trained.classifier import Classifier, load_classifier
from hilo.understanding.trained.features import Features, Numbers, numbered

OPEN_VALUES = "open_values"  # the name of the classifier
OUTSIDE = "o"
KINDS = {"person_name": "n", "text": "t"}  # the letter of each type in the labels: "bn" begins a name, "in" goes on
BITS = 15
INTRODUCED = 95  # how sure the rules are of a name after "me llamo"
SURELY_NONE = 0.85
SURELY_A_NAME = 0.97  # of small words that nobody knows for a name
MOST_WORDS = 60  # what stands behind them is not looked at

Span = tuple[int, int]

_WORD = re.compile(r"[^\W\d_]+(?:['’´`-][^\W\d_]+)*|\d+|[^\w ]")
_CLASSES = {
    "given": GIVEN_NAMES,
    "small": FUNCTION_WORDS,
    "kin": KIN,
    "title": TITLES,
    "particle": PARTICLES,
    "unlikely": NOT_FIRST,
    "addressed": ADDRESSED,
}


@dataclass(frozen=True, slots=True)
class OpenValue:
    """Words that are a value of a type, and how probable that is."""

    kind: str
    start: int
    end: int
    chance: float


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or sign of a message."""

    folded: str
    shape: str
    start: int
    end: int


def open_values(text: Text, waiting: str) -> list[OpenValue]:
    """The names and free texts of a message."""
    tokens, labels, chances = _labelled(text, waiting)
    return list(_joined(tokens, labels, chances))


def names_in(text: Text, waiting: str) -> tuple[Found, ...]:
    """The names of a message as a person would write them.

    What the rules take for a name is one too where they are sure, or where it was not surely learnt to be none.
    """
    receivers = find_receivers(text)
    if receivers:
        return receivers  # who receives an order goes before who writes
    tokens, labels, chances = _labelled(text, waiting)
    found = [each for each in _joined(tokens, labels, chances) if each.kind == "person_name"]
    names: list[Found] = []
    for place, each in enumerate(found):
        words = [word for word in words_from(text, each.start) if word.end <= each.end]
        before = found[place - 1] if place else None
        if words and before and _is_family_first(text, before, words[0].folded):
            words += [word for word in words_from(text, before.start) if word.end <= before.end]
            names.pop()
        looks = words and (words[0].folded in GIVEN_NAMES or words[0].written[:1].isupper())
        if words and (looks or each.chance >= SURELY_A_NAME):
            names.append(as_found(words, round(100 * each.chance)))
    for ruled in () if names else find_person_names(text, asked=waiting == waiting_for("person_name")):
        inside = [place for place, token in enumerate(tokens) if ruled.start <= token.start < ruled.end]
        doubts = [chances[place] if labels[place] == OUTSIDE else 0.0 for place in inside]
        if ruled.confidence >= INTRODUCED or (doubts and sum(doubts) / len(doubts) < SURELY_NONE):
            names.append(ruled)
    return tuple(names)


def _labelled(text: Text, waiting: str) -> tuple[list[Token], list[str], list[float]]:
    """The words of a message with their labels, and how probable each is."""
    tokens = tokens_of(text)
    if not tokens:
        return [], [], []
    features = [token_features(tokens, place, waiting) for place in range(len(tokens))]
    return tokens, *best_labels(load_classifier(OPEN_VALUES), features)


def _is_family_first(text: Text, family: OpenValue, given: str) -> bool:
    """Pérez, Juan."""
    said = text.folded[family.start : family.end]
    after = text.folded[family.end :].lstrip(" ")
    is_next = after.startswith(",") and after[1:].lstrip(" ").startswith(given)
    return is_next and given in GIVEN_NAMES and said.split()[0] not in GIVEN_NAMES


def tokens_of(text: Text) -> list[Token]:
    """The words of a message, with what they look like."""
    said = with_line_ends(text)
    found = []
    for match in _WORD.finditer(said):
        written = text.original(match.start(), match.end())
        found.append(Token(match.group(), _shape(written), match.start(), match.end()))
        if len(found) == MOST_WORDS:
            break
    return found


def _shape(written: str) -> str:
    if not written[:1].isalpha():
        return "9" if written.isdigit() else "."
    if written.isupper():
        return "XX" if len(written) > 1 else "X"
    return "Xx" if written[0].isupper() else "xx"


# --- labels of a whole message --------------------------------------------------------------------------


def best_labels(classifier: Classifier, features: Sequence[Features]) -> tuple[list[str], list[float]]:
    """The likeliest sequence of labels, and how probable each is after the one before it (Viterbi)."""
    labels = classifier.labels
    after = _transitions(classifier)
    steps = [_log_chances(classifier.sums(each, None) + after) for each in features]  # by the label before
    best = steps[0][labels.index(OUTSIDE)]
    back = []
    for step in steps[1:]:
        ways = best[:, None] + step
        back.append(ways.argmax(axis=0))
        best = ways.max(axis=0)
    path = [int(best.argmax())]
    for origins in reversed(back):
        path.append(int(origins[path[-1]]))
    path.reverse()
    before = [labels.index(OUTSIDE), *path[:-1]]
    chances = [float(np.exp(step[prior, label])) for step, prior, label in zip(steps, before, path, strict=True)]
    return [labels[each] for each in path], chances


def _transitions(classifier: Classifier) -> Numbers:
    """What each label (row) adds to those that may follow it; what goes on must have begun."""
    labels = classifier.labels
    table = classifier.weights_at([after_label(label)[0] for label in labels])
    for row, before in enumerate(labels):
        for column, label in enumerate(labels):
            if label.startswith("i") and before[1:] != label[1:]:
                table[row, column] = -30.0
    return table


def after_label(label: str) -> list[int]:
    """The feature of a word that stands after one with this label."""
    return numbered([b"after"], label, BITS)


def _log_chances(sums: Numbers) -> Numbers:
    raised: Numbers = sums - sums.max(axis=-1, keepdims=True)
    shares: Numbers = raised - np.log(np.exp(raised).sum(axis=-1, keepdims=True))
    return shares


def _joined(tokens: Sequence[Token], labels: Sequence[str], chances: Sequence[float]) -> Iterator[OpenValue]:
    kinds = {letter: kind for kind, letter in KINDS.items()}
    place = 0
    while place < len(tokens):
        label, first = labels[place], place
        place += 1
        if label == OUTSIDE:
            continue
        while place < len(tokens) and labels[place] == f"i{label[1:]}":
            place += 1
        chance = sum(chances[first:place]) / (place - first)
        yield OpenValue(kinds[label[1:]], tokens[first].start, tokens[place - 1].end, chance)


# --- features -------------------------------------------------------------------------------------------


def token_features(tokens: Sequence[Token], place: int, waiting: str) -> Features:
    """What the classifier sees of a word."""
    state, _, asked = waiting.partition(":")
    context = asked if asked in KINDS else state
    own = list(_own(tokens, place))
    encoded = [each.encode() for each in own]
    places = [*numbered(encoded, "", BITS), *numbered(encoded, context, BITS)]
    weight = len(own) ** -0.5
    return Features(np.array(places, np.int64), np.full(len(places), weight, np.float32))


def _own(tokens: Sequence[Token], place: int) -> Iterator[str]:
    here = tokens[place]
    yield from (f"piece {piece}" for piece in _ends(here.folded))
    yield f"length {min(len(here.folded), 8)}"
    for distance in range(-3, 4):
        beside = place + distance
        if not 0 <= beside < len(tokens):
            yield f"{distance} <>"
            continue
        token = tokens[beside]
        yield f"{distance} {token.folded}"
        yield f"{distance} {_class(token)}"
    for first, last in ((-2, 0), (-1, 1), (0, 2), (-3, -1), (1, 3), (-1, 2), (-2, 1)):
        some = [tokens[each] if 0 <= each < len(tokens) else None for each in range(place + first, place + last)]
        yield f"{first} {last} " + " ".join(each.folded if each else "<>" for each in some)
        yield f"{first} {last} " + " ".join(_class(each) if each else "<>" for each in some)
    yield f"from start {min(place, 4)}"
    yield f"to end {min(len(tokens) - place, 4)}"
    yield f"words {min(len(tokens), 8)}"
    yield f"capitals {any(token.shape == 'Xx' for token in tokens[1:])} {here.shape}"
    opening = place
    while opening and tokens[opening - 1].shape != ".":
        opening -= 1
    yield f"opens {tokens[opening].folded} {min(place - opening, 5)}"
    yield f"asks {any(token.folded == '?' for token in tokens)}"


@cache
def _class(token: Token) -> str:
    if token.shape == ".":
        return token.folded
    classes = [name for name, words in _CLASSES.items() if token.folded in words]
    return f"{token.shape} {' '.join(classes)}"


@cache
def _ends(word: str) -> tuple[str, ...]:
    lengths = [length for length in (2, 3, 4) if length <= len(word)]
    return (*(f"{word[:length]}-" for length in lengths), *(f"-{word[-length:]}" for length in lengths))
