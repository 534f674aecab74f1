"""What a message does with a value that stands in it: learnt from messages of many hands, by the words around it.

The value itself is hidden ("el # no puedo, mejor el ="), so that what was learnt of one day holds for every other. Only
what is given now is taken; what is denied, of old, asked about, not decided or somebody else's is not.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from hilo.recognisers.normalise import Text, with_line_ends
from hilo.recognisers.people.name_words import GIVEN_NAMES
from hilo.recognisers.phrases import word_set
from hilo.understanding.trained.classifier import load_classifier, softmax
from hilo.understanding.trained.features import Features, numbered

VALUE_ROLES = "value_roles"  # the name of the classifier
GIVE, NOT, OLD, ASK, MAYBE, OTHER = ROLES = ("give", "not", "old", "ask", "maybe", "other")
NONE = "none"  # of what a recogniser takes for a value and is none: the "caro" of "es caro"
BITS = 15

Span = tuple[int, int]

_TOKEN = re.compile(r"[^\W_]+|[^\w ]")
_VALUE, _SAME = "#", "="  # the value, and others that the same slot could take
_SIGNS = {
    **dict.fromkeys(word_set("lunes martes miercoles jueves viernes sabado domingo"), "D"),
    **dict.fromkeys(
        word_set("enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre"),
        "M",
    ),
}
_ENDS = frozenset(".?!;\n")
_NEAR, _AROUND = 5, 9  # words on each side whose place counts, and whose presence counts
_PIECES = range(3, 6)  # letters of the pieces of a word
_MOST_WORDS = 60  # of a message; a longer one says around its values what it does with them
_SHARE_OF_ALL = 0.6  # what all that is said weighs beside what stands near


def chances_of(  # noqa: PLR0913 -- a value, and all that is known of where it stands
    text: Text, span: Span, kind: str, waiting: str, others: Sequence[Span], *, within: Span | None = None
) -> Mapping[str, float]:
    """How probable each role is for a value; `others` are the values that its slot could take instead.

    `within` is the part of the message that the value belongs to, where it does several things.
    """
    classifier = load_classifier(VALUE_ROLES)
    chances = softmax(classifier.sums(seen(text, span, kind, waiting, others, within=within), None))
    return dict(zip(classifier.labels, map(float, chances), strict=True))


def seen(  # noqa: PLR0913 -- as above
    text: Text, span: Span, kind: str, waiting: str, others: Sequence[Span], *, within: Span | None = None
) -> Features:
    """What the classifier sees of a value: its words by their numbers."""
    words, at, same = _scene(text, span, others, within or (0, len(text.folded)))
    relation = relation_of(kind, waiting)
    near = [*_around(words, at), *_clause(words, at)]
    own = [*_own(words, at, same), f"kind {kind}", relation]
    bordered = ["<", *words, ">"]
    pairs = [f"{bordered[place]} {bordered[place + 1]}" for place in range(len(bordered) - 1)]
    anywhere = [*dict.fromkeys([*words, *pairs])]
    groups = (
        (own, (relation, ""), 1.0),
        (near, ("near", f"near {relation}", f"near {kind}"), 1.0),
        (anywhere, ("anywhere", f"anywhere {relation}"), _SHARE_OF_ALL),
    )
    places: list[int] = []
    weights: list[float] = []
    for group, contexts, share in groups:
        encoded = [each.encode() for each in group]
        for context in contexts:
            places += numbered(encoded, context, BITS)
        weights += [share * max(1, len(group)) ** -0.5] * (len(group) * len(contexts))
    return Features(np.array(places, np.int64), np.array(weights, np.float32))


def relation_of(kind: str, waiting: str) -> str:
    """How a value stands to what is waited for: it answers, or is said beside, or while a summary waits for a yes."""
    state, _, asked = waiting.partition(":")
    if asked == kind:
        return "answers"
    return "confirm" if state == "confirm" else "unasked"


def _scene(text: Text, span: Span, others: Sequence[Span], within: Span) -> tuple[list[str], int, list[int]]:
    """The words with signs for values, where the value stands among them, and where the others do."""
    begin, stop = within
    said = with_line_ends(text)[:stop]
    inside = [each for each in others if begin <= each[0] and each[1] <= stop]
    apart = [each for each in inside if each[1] <= span[0] or each[0] >= span[1]]
    hiding = sorted([(*span, _VALUE), *((start, end, _SAME) for start, end in apart)])
    words: list[str] = []
    at, same, done = 0, [], begin
    for start, end, sign in hiding:
        if start < done:
            continue
        words += _words(said[done:start])
        if sign == _VALUE:
            at = len(words)
        else:
            same.append(len(words))
        words.append(sign)
        done = end
    words += _words(said[done:])
    first = max(0, at - _MOST_WORDS // 2)
    return words[first : first + _MOST_WORDS], at - first, [place - first for place in same]


def _words(said: str) -> list[str]:
    return [_sign(word) for word in _TOKEN.findall(said)]


@cache
def _sign(word: str) -> str:
    if any(map(str.isdigit, word)):
        return "9"
    return _SIGNS.get(word) or ("N" if word in GIVEN_NAMES else word)


def _own(words: Sequence[str], at: int, same: Sequence[int]) -> Iterator[str]:
    """How much there is besides the value, and where it stands."""
    yield f"alone {len(words) == 1}"
    yield f"length {min(len(words) // 4, 6)}"
    yield f"first {at == 0}"
    yield f"last {at == len(words) - 1}"
    before, after = sum(place < at for place in same), sum(place > at for place in same)
    yield f"same {min(before, 2)} {min(after, 2)}"
    yield f"asks {'?' in words[at:]} {'?' in words}"


def _around(words: Sequence[str], at: int) -> Iterator[str]:
    """The words on each side by their place, their sequences, and the pieces of the nearest."""
    left, right = [*reversed(words[:at])], words[at + 1 :]
    for side, said in (("left", left), ("right", right)):
        padded = [*said[:_AROUND], "<>"]
        for distance, word in enumerate(padded[:_NEAR]):
            yield f"{side} {distance} {word}"
        for distance in range(min(_NEAR - 1, len(padded) - 1)):
            yield f"{side} {distance} {padded[distance]} {padded[distance + 1]}"
        for distance in range(min(2, len(padded) - 2)):
            yield f"{side} {distance} {' '.join(padded[distance : distance + 3])}"
        for word in padded:
            yield f"{side} {word}"
        for word in padded[:_NEAR]:
            yield from (f"{side} {piece}" for piece in _pieces(word))
    yield f"between {left[0] if left else '<'} {right[0] if right else '>'}"


def _pieces(word: str) -> Iterator[str]:
    bordered = f" {word} "
    if len(word) < min(_PIECES):
        return
    for length in _PIECES:
        for start in range(len(bordered) - length + 1):
            yield f"~{bordered[start : start + length]}"


def _clause(words: Sequence[str], at: int) -> Iterator[str]:
    """How the clause opens that a value stands in, and the mark that ends it."""
    start = at
    while start and words[start - 1] not in _ENDS:
        start -= 1
    yield f"opens {words[start]}"
    yield f"opens {' '.join(words[start : start + 2])}"
    end = next((place for place in range(at, len(words)) if words[place] in _ENDS), len(words))
    yield f"ends {words[end] if end < len(words) else ''}"
    yield from (f"inside {word}" for word in dict.fromkeys(words[start:end]))
