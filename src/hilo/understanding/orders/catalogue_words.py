"""The vocabulary of a catalogue: which known words a written word may stand for."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hilo.understanding.orders.catalogue_terms import singular

Integers = NDArray[np.int32]

_SHORTEST_FUZZY, _SHORTEST_TWICE = 3, 5
_LONGEST = 40  # letters of a word that may be mistyped
_COMPARED = 24  # nearest words by shared pairs of letters that are compared letter by letter
_SUGGESTED, _RESEMBLING = 4, 0.33
_MOST_HALVES = 3
_MOST_PREFIXED = 24
_SHORTEST_PREFIX = 3
_ONE_SLIP, _TWO_SLIPS, _PREFIX = 0.88, 0.72, 0.7
_ONE_OF_THREE = 0.58  # a slip in three letters: enough beside other words, not alone


@dataclass(frozen=True, slots=True, eq=False)
class WordIndex:
    """Words by key with an index of their pairs of letters."""

    ids: Mapping[str, int]
    keys: Sequence[str]
    lengths: Integers
    pairs: Mapping[str, Integers]
    ordered: Sequence[str]


def build_vocabulary(keys: Sequence[str]) -> WordIndex:
    """The vocabulary of all keys, each of which has its position as id."""
    pairs: dict[str, list[int]] = {}
    for number, key in enumerate(keys):
        if key.isalpha():
            for pair in _pairs(key):
                pairs.setdefault(pair, []).append(number)
    return WordIndex(
        ids={key: number for number, key in enumerate(keys)},
        keys=keys,
        lengths=np.array([len(key) for key in keys], dtype=np.int32),
        pairs={pair: np.array(numbers, dtype=np.int32) for pair, numbers in pairs.items()},
        ordered=sorted(key for key in keys if key.isalpha()),
    )


def near_words(vocabulary: WordIndex, key: str) -> dict[int, float]:
    """Words that a key may be a slip or a beginning of, with how alike they are (0–1)."""
    found = dict(_prefixed(vocabulary, key))
    if _SHORTEST_FUZZY <= len(key) <= _LONGEST and key.isalpha():
        for number in _sharing_pairs(vocabulary, key):
            other = vocabulary.keys[number]
            alike = _likeness(distance(key, other), min(len(key), len(other)))
            if alike:
                found[number] = max(alike, found.get(number, 0.0))
    return found


def resembling(vocabulary: WordIndex, key: str) -> dict[int, float]:
    """Words that share at least a third of their pairs of letters with a key, the nearest few."""
    if not _SHORTEST_FUZZY <= len(key) <= _LONGEST or not key.isalpha():
        return {}
    own = _pairs(key)
    shared = {number: _shared(own, vocabulary.keys[number]) for number in _sharing_pairs(vocabulary, key)}
    nearest = sorted(shared, key=lambda number: -shared[number])[:_SUGGESTED]
    return {number: shared[number] / 2 for number in nearest if shared[number] > _RESEMBLING}


def _shared(own: set[str], key: str) -> float:
    pairs = _pairs(key)
    return 2 * len(own & pairs) / (len(own) + len(pairs))


def split_word(vocabulary: WordIndex, key: str, *, sure: bool) -> tuple[dict[int, float], dict[int, float]] | None:
    """Two words written as one: cocacola; one of them may be mistyped, unless a `sure` answer is wanted."""
    cuts = [(singular(key[:cut]), key[cut:]) for cut in range(2, min(len(key), _LONGEST) - 1)]
    known = [(left in vocabulary.ids, right in vocabulary.ids, left, right) for left, right in cuts]
    whole = [(left, right) for both, too, left, right in known if both and too]
    if whole:
        left, right = max(whole, key=lambda pair: min(map(len, pair)))
        return {vocabulary.ids[left]: 1.0}, {vocabulary.ids[right]: 1.0}
    return None if sure else _split_mistyped(vocabulary, known)


def _split_mistyped(
    vocabulary: WordIndex, known: Sequence[tuple[bool, bool, str, str]]
) -> tuple[dict[int, float], dict[int, float]] | None:
    half = [(left, right) for one, other, left, right in known if (one and len(left) > 2) or (other and len(right) > 2)]  # noqa: PLR2004
    halves = sorted(half, key=lambda pair: -max(len(each) for each in pair if each in vocabulary.ids))[:_MOST_HALVES]
    found = [(_near_or_same(vocabulary, left), _near_or_same(vocabulary, right)) for left, right in halves]
    good = [pair for pair in found if all(pair)]
    return max(good, key=lambda pair: sum(max(each.values()) for each in pair)) if good else None


def _near_or_same(vocabulary: WordIndex, key: str) -> dict[int, float]:
    known = vocabulary.ids.get(key)
    if known is not None:
        return {known: 1.0}
    return {number: alike for number, alike in near_words(vocabulary, key).items() if alike > _TWO_SLIPS}


def distance(one: str, other: str) -> int:
    """Letters added, lost, changed or swapped with their neighbour, up to 3 (which stands for more)."""
    head = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        head += 1
    one, other = one[head:], other[head:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    if not one or not other:
        return min(3, len(one) + len(other))
    if abs(len(one) - len(other)) > 2 or min(len(one), len(other)) > 6:  # noqa: PLR2004
        return 3
    return min(3, _edits(one, other))


def _edits(one: str, other: str) -> int:
    earlier: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        following = [i]
        for j, b in enumerate(other, start=1):
            cost = min(row[j] + 1, following[-1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, earlier[j - 2] + 1)
            following.append(cost)
        earlier, row = row, following
    return row[-1]


def _likeness(slips: int, length: int) -> float:
    if slips == 0:
        return 1.0
    if slips == 1:
        return _ONE_SLIP - 0.06 * max(0, 5 - length) if length > _SHORTEST_FUZZY else _ONE_OF_THREE
    if slips > 2 or length < _SHORTEST_TWICE:  # noqa: PLR2004
        return 0.0
    return _TWO_SLIPS - 0.07 * max(0, 7 - length)


def _pairs(key: str) -> set[str]:
    marked = f"^{key}$"
    return {marked[index : index + 2] for index in range(len(marked) - 1)}


def _sharing_pairs(vocabulary: WordIndex, key: str) -> Sequence[int]:
    """The words that share most pairs of letters with a key."""
    lists = [vocabulary.pairs[pair] for pair in _pairs(key) if pair in vocabulary.pairs]
    if not lists:
        return ()
    counts = np.bincount(np.concatenate(lists), minlength=len(vocabulary.keys))
    enough = np.flatnonzero(counts >= max(1, (len(key) - 3) // 2))
    enough = enough[np.abs(vocabulary.lengths[enough] - len(key)) <= 2]  # noqa: PLR2004
    if len(enough) > _COMPARED:
        share = counts[enough] - 0.3 * np.abs(vocabulary.lengths[enough] - len(key))
        enough = enough[np.argpartition(-share, _COMPARED)[:_COMPARED]]
    found: list[int] = enough.tolist()
    return found


def _prefixed(vocabulary: WordIndex, key: str) -> Iterator[tuple[int, float]]:
    """Words that a key begins: choc for chocolate."""
    if len(key) < _SHORTEST_PREFIX:
        return
    first = bisect_left(vocabulary.ordered, key)
    for word in vocabulary.ordered[first : first + _MOST_PREFIXED]:
        if not word.startswith(key):
            return
        yield vocabulary.ids[word], _PREFIX + 0.25 * len(key) / len(word)
