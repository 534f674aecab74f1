"""Which words of a Spanish message are the name that it gives: learnt, word by word, from messages of many hands.

No list has all names, nor the words around them ("Benjamín Acosta te dije"), so every word is judged by what it looks
like, what stands beside it, what rules take for a name, and whether a name was asked for. Names of others, and those
that are denied, replaced or asked about, have labels of their own and are not taken.
"""

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from hilo.recognisers.found import Found
from hilo.recognisers.normalise import Text, with_line_ends
from hilo.recognisers.people.name_tokens import as_found, words_from
from hilo.recognisers.people.name_words import (
    ADDRESSED,
    AFTER_ARTICLE,
    AFTER_DE,
    AFTER_DEL,
    FUNCTION_WORDS,
    GIVEN_NAMES,
    KIN,
    NOT_FIRST,
    PARTICLES,
    TITLES,
)
from hilo.recognisers.people.names import PERHAPS, find_person_names
from hilo.recognisers.people.recipients import is_received
from hilo.understanding.trained.classifier import Classifier, load_classifier
from hilo.understanding.trained.features import Features, Numbers, numbered

PERSON_NAMES = "person_names"  # the name of the classifier
OUTSIDE, BEGINS, GOES_ON, ANOTHERS, GOES_ON_ANOTHERS = "o", "b", "i", "p", "q"
BEFORE_IT = {GOES_ON: (BEGINS, GOES_ON), GOES_ON_ANOTHERS: (ANOTHERS, GOES_ON_ANOTHERS)}
BITS = 15
MOST_WORDS = 60  # what stands behind them is not looked at
NEVER = -30.0
SURELY, SURELY_NONE = 0.8, 0.8  # how probable labels are that rules do not outweigh
EVEN_SO = 0.95  # … that a relative is the one who was asked for
INTRODUCES, INTRODUCED = 85, 95  # how sure rules are of a name after "soy", and after "me llamo"
NEAR_WORDS = 3  # in which it is said whose name follows
FEWEST_DIGITS = 7  # of a phone or a document, beside which details are listed

Span = tuple[int, int]

_WORD = re.compile(r"\S+@\S+|[^\W\d_]+(?:['’´`-][^\W\d_]+)*|\d+|[^\w ]")
_CLASSES = {
    "given": GIVEN_NAMES,
    "small": FUNCTION_WORDS,
    "kin": KIN,
    "title": TITLES,
    "particle": PARTICLES,
    "unlikely": NOT_FIRST,
    "addressed": ADDRESSED,
    "after de": AFTER_DE | AFTER_ARTICLE | AFTER_DEL,
}
# which words from here are looked at together: from the first up to the last, which is not of them
_SEQUENCES = (
    *((place, place + 1) for place in range(-3, 4)),
    *((-2, 0), (-1, 1), (0, 2), (-3, -1), (1, 3), (-1, 2), (-2, 1)),
)
# the same among the seven words around here, each with the sum that its features begin with
_STARTS = tuple((first + 3, last + 3, zlib.crc32(f"|{first} {last} ".encode())) for first, last in _SEQUENCES)
_EDGE = (b"<>", b"<>")  # beyond the ends of a message


@dataclass(frozen=True, slots=True)
class NameToken:
    """A word, number or sign of a message; `ruled` says what rules take it for."""

    folded: str
    shape: str
    start: int
    end: int
    ruled: str = ""


def names_in(text: Text, asked: bool) -> tuple[Found, ...]:  # noqa: FBT001 -- as finders are called
    """The names that a message gives, as a person would write them.

    What rules take for one is one, too, unless its words were surely learnt to be none: beside one that was learnt only
    what they are sure of, as after "soy".
    """
    ruled = find_person_names(text, asked=asked)
    if ruled and is_received(text.folded):
        return ruled  # who receives an order goes before who writes
    if not ruled and sum(map(str.isdecimal, text.folded)) >= FEWEST_DIGITS:
        return ()  # a list of details is taken apart first, and its rest read anew
    tokens = name_tokens(text, ruled)
    if not tokens or not (asked or ruled or any(map(_may_be_of_a_name, tokens[1:]))):
        return ()
    labels, chances = best_labels(load_classifier(PERSON_NAMES), tokens, asked=asked)
    learnt = [each for each in joined(tokens, labels, chances) if _is_taken(text, *each, ruled, asked=asked)]
    names = tuple(_as_written(text, span, chance, ruled) for span, chance in learnt if words_from(text, span[0]))
    apart = [each for each in ruled if not _overlaps((each.start, each.end), names)]
    rest = [each for each in apart if not names or each.confidence >= INTRODUCES]
    if names and not asked:  # "soy Marta, mi esposo se llama Luis": who is introduced is who writes
        rest = [replace(each, confidence=100) for each in rest]
    return (*names, *(each for each in rest if not _is_surely_none(each, tokens, labels, chances)))


def _may_be_of_a_name(token: NameToken) -> bool:
    return token.shape in ("Xx", "XX") or token.folded in GIVEN_NAMES


def _is_taken(text: Text, span: Span, chance: float, ruled: Sequence[Found], *, asked: bool) -> bool:
    """Whether words that were learnt to be a name are the one that is given; "mi hermana Ana" is somebody else's."""
    if _is_a_relative(text, span):
        return asked and _is_meant(text, span, chance)
    return chance >= SURELY or _is_known(text, span, ruled)


def _is_a_relative(text: Text, span: Span) -> bool:
    """Whether the words before a name say whose it is: "mi esposo se llama Luis"."""
    return not KIN.isdisjoint(text.folded[: span[0]].split()[-NEAR_WORDS:])


def _is_meant(text: Text, span: Span, chance: float) -> bool:
    """Whether a relative is who was asked for: surely, or as the answer begins with them ("para mi hija Sara")."""
    return chance >= EVEN_SO or {*text.folded[: span[0]].split()} <= FUNCTION_WORDS | KIN


def _overlaps(span: Span, names: Sequence[Found]) -> bool:
    return any(each.start < span[1] and span[0] < each.end for each in names)


def _is_known(text: Text, span: Span, ruled: Sequence[Found]) -> bool:
    """Whether a name has several words, is a known one, or rules find one there, too: else it may be a place."""
    first, *others = text.folded[slice(*span)].split()
    return bool(others) or first in GIVEN_NAMES or _overlaps(span, ruled)


def _as_written(text: Text, span: Span, chance: float, ruled: Sequence[Found]) -> Found:
    """A name with how sure it is: as rules are that find the same, or surer; "Pérez, Juan" is Juan Pérez."""
    start, end = span
    words = [word for word in words_from(text, start) if word.end <= end] or words_from(text, start)[:1]
    comma = text.folded.find(",", start, end)
    family = [word for word in words if word.end <= comma]
    ruled_so = [each.confidence for each in ruled if (each.start, each.end) == span]
    is_doubtful = ruled_so == [PERHAPS] and chance < SURELY
    sure = PERHAPS if is_doubtful else max(round(100 * chance), *ruled_so, 0)
    return as_found([*words[len(family) :], *family], sure)


def _is_surely_none(name: Found, tokens: Sequence[NameToken], labels: Sequence[str], chances: Sequence[float]) -> bool:
    """Whether the words of a name were surely learnt to be none; after "me llamo" only to be somebody else's."""
    none = (ANOTHERS, GOES_ON_ANOTHERS) if name.confidence >= INTRODUCED else (OUTSIDE, ANOTHERS, GOES_ON_ANOTHERS)
    inside = [place for place, token in enumerate(tokens) if name.start <= token.start < name.end]
    return all(labels[place] in none and chances[place] >= SURELY_NONE for place in inside)


def name_tokens(text: Text, ruled: Sequence[Found]) -> list[NameToken]:
    """The words of a message, with what they look like."""
    found = []
    for match in _WORD.finditer(with_line_ends(text)):
        written = text.original(match.start(), match.end())
        found.append(NameToken(match.group(), _shape(written), *match.span(), _ruled(ruled, match.start())))
        if len(found) == MOST_WORDS:
            break
    return found


def _ruled(names: Sequence[Found], start: int) -> str:
    for name in names:
        if name.start <= start < name.end:
            return f"{'b' if start == name.start else 'i'}{name.confidence // 10}"
    return "-" if names else ""


def _shape(written: str) -> str:
    if not written[:1].isalpha() or "@" in written:
        return "9" if written.isdigit() else "."
    if written.isupper():
        return "XX" if len(written) > 1 else "X"
    return "Xx" if written[0].isupper() else "xx"


# --- labels of a whole message --------------------------------------------------------------------------


def best_labels(classifier: Classifier, tokens: Sequence[NameToken], *, asked: bool) -> tuple[list[str], list[float]]:
    """The likeliest sequence of labels, and how probable each is after the one before it (Viterbi)."""
    labels = classifier.labels
    after = _transitions(classifier)
    features = [token_features(tokens, place, asked=asked) for place in range(len(tokens))]
    firsts = np.cumsum([0, *(len(each.places) for each in features[:-1])])
    weights = classifier.weights_at(np.concatenate([each.places for each in features]))
    weights *= np.concatenate([each.weights for each in features])[:, None]
    sums = np.add.reduceat(weights, firsts, axis=0) + classifier.bias
    steps = _log_chances(sums[:, None, :] + after)  # by the word and the label before it
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
    table = classifier.weights_at([after_label(label) for label in labels])
    for row, before in enumerate(labels):
        for column, label in enumerate(labels):
            if before not in BEFORE_IT.get(label, labels):
                table[row, column] = NEVER
    return table


def after_label(label: str) -> int:
    """The feature of a word that stands after one with this label."""
    return numbered([b"after"], label, BITS)[0]


def _log_chances(sums: Numbers) -> Numbers:
    raised: Numbers = sums - sums.max(axis=-1, keepdims=True)
    shares: Numbers = raised - np.log(np.exp(raised).sum(axis=-1, keepdims=True))
    return shares


def joined(
    tokens: Sequence[NameToken], labels: Sequence[str], chances: Sequence[float]
) -> Iterator[tuple[Span, float]]:
    """The names that labels make of words, and how probable each is."""
    place = 0
    while place < len(tokens):
        first = place
        place += 1
        if labels[first] != BEGINS:
            continue
        while place < len(tokens) and labels[place] == GOES_ON:
            if _ends_a_name(tokens[place], chances[place]):
                break
            place += 1
        last = place
        while last > first + 1 and (tokens[last - 1].folded in PARTICLES or tokens[last - 1].shape == "."):
            last -= 1
        yield (tokens[first].start, tokens[last - 1].end), min(chances[first:last])


def _ends_a_name(token: NameToken, chance: float) -> bool:
    """Whether a sign or a particle hardly goes on with a name, and ends it by the rules, too: "Marta Gil de Cali"."""
    may_end = token.folded in PARTICLES or token.shape == "."
    return may_end and chance < SURELY and not token.ruled.startswith("i")


# --- features -------------------------------------------------------------------------------------------


def token_features(tokens: Sequence[NameToken], place: int, *, asked: bool) -> Features:
    """What the classifier sees of a word, and of its looks and place, what was asked."""
    here = tokens[place]
    around = (
        f"capitals {any(token.shape == 'Xx' for token in tokens[1:])} {here.shape}",
        f"asks {any(token.folded == '?' for token in tokens)}",
    )
    places = [
        *_pieces(here.folded),
        *_beside(tokens, place),
        *numbered([each.encode() for each in around], "", BITS),
        *numbered([each.encode() for each in _looks(tokens, place)], "asked" if asked else "unasked", BITS),
    ]
    return Features(np.array(places, np.int64), np.full(len(places), len(places) ** -0.5, np.float32))


def _beside(tokens: Sequence[NameToken], place: int) -> Iterator[int]:
    """The features of a word and those beside it, and of what kind of words they are."""
    near = [_written(tokens[each]) if 0 <= each < len(tokens) else _EDGE for each in range(place - 3, place + 4)]
    words, kinds = zip(*near, strict=True)
    mask = (1 << BITS) - 1
    for first, last, start in _STARTS:
        yield zlib.crc32(b" ".join(words[first:last]), start) & mask
        yield zlib.crc32(b" ".join(kinds[first:last]), start) & mask


def _looks(tokens: Sequence[NameToken], place: int) -> Iterator[str]:
    """What tells a name otherwise where one was asked for."""
    here = tokens[place]
    opening = place
    while opening and tokens[opening - 1].shape != ".":
        opening -= 1
    yield f"opens {tokens[opening].folded} {min(place - opening, 5)}"
    yield f"from start {min(place, 4)}"
    yield f"to end {min(len(tokens) - place, 4)}"
    yield f"words {min(len(tokens), 8)}"
    yield f"kind {_class(here)}"
    yield f"rule {here.ruled} {_class(here)}"
    for distance in (-1, 0, 1):
        beside = place + distance
        if 0 <= beside < len(tokens):
            yield f"{distance} ruled {tokens[beside].ruled}"


@lru_cache(maxsize=4096)
def _class(token: NameToken) -> str:
    if token.shape == ".":
        return token.folded
    classes = [name for name, words in _CLASSES.items() if token.folded in words]
    return f"{token.shape} {' '.join(classes)}"


@lru_cache(maxsize=4096)
def _written(token: NameToken) -> tuple[bytes, bytes]:
    return token.folded.encode(), _class(token).encode()


@lru_cache(maxsize=4096)
def _pieces(word: str) -> tuple[int, ...]:
    """The features of a word by itself: how long it is, how it begins and ends."""
    lengths = [length for length in (2, 3, 4) if length <= len(word)]
    begins, ends = [f"{word[:length]}-" for length in lengths], [f"-{word[-length:]}" for length in lengths]
    found = (f"length {min(len(word), 8)}", *begins, *ends)
    return tuple(numbered([each.encode() for each in found], "", BITS))
