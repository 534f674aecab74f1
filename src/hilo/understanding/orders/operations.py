"""What happens to each thing that a message names: learnt from orders of many hands, by the words around it.

A message is seen without the names of its goods ("dame # y # porfa"), so that what was learnt from one shop's orders
holds for every other. What is asked about, remembered or only talked of is the operation `ask`, which changes nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hilo.understanding.orders.items import Item
from hilo.understanding.orders.page import Count, Page, Verb
from hilo.understanding.orders.words import ARTICLES, WHOLE
from hilo.understanding.trained.classifier import load_classifier, softmax
from hilo.understanding.trained.features import Features, numbered

ORDER_OPERATIONS = "order_operations"  # the name of the classifier
ADD, REMOVE, SET, KEEP, ASK = "add", "remove", "set", "keep", "ask"
OLD, NEW = "old", "new"  # of two that are exchanged, the one that goes and the one that comes
BITS = 16

_GOODS, _NUMBER, _ONE, _BREAK = "#", "9", "1", "|"
_SIGNS = frozenset((_GOODS, _NUMBER, _ONE, _BREAK))
_STOPS = frozenset((".", "!", ";", "¿", "?"))
_ENDS = frozenset((_BREAK, ".", "?", "!", ";"))
_NEAR, _AROUND = 5, 8  # words on each side whose place counts, and whose presence counts
_PIECES = range(3, 6)  # letters of the pieces of a word
_FAR = 5
# how probable it is that nothing is done to a thing where nothing is, and what is done to it, where something is
_ONLY_ASKED = {ADD: 0.4}  # of other operations, which undo what was done:
_ONLY_ASKED_OF_OTHERS, _LEAST = 0.3, 0.4
_SHARE_OF_ALL = 0.7  # what all that is said weighs beside what stands near


@dataclass(frozen=True, slots=True)
class OrderMention:
    """A place that an operation may be about.

    A thing that is named, a number or a pronoun that stands for one ("que sean 3", "sacala"), or the whole order.
    """

    first: int
    last: int
    item: Item | None = None
    count: Count | None = None
    verb: Verb | None = None  # that carries a pronoun
    unsold: bool = False  # a thing that the catalogue does not have

    @property
    def kind(self) -> str:
        if self.item:
            return "item"
        if self.count:
            return "count"
        return "verb" if self.verb else "whole"


@dataclass(frozen=True, slots=True)
class Operation:
    """What is done with a mention, and how probable that is."""

    mention: OrderMention
    action: str
    chance: float


def find_mentions(page: Page, items: Sequence[Item], *, catalogued: bool) -> list[OrderMention]:
    """All places of a message that an operation may be about, in their order."""
    mentions = [
        OrderMention(item.first, item.last, item=item, unsold=catalogued and not item.spot.known) for item in items
    ]
    inside = {index for item in items for index in range(item.first, item.last)}
    for item in items:
        inside |= item.told
        if item.count:
            inside |= set(range(item.count.first, item.count.last))
    for first, count in page.counts.items():
        if first not in inside and (count.unit in {"", "unit"} or _is_of_one_before(items, count)):
            mentions.append(OrderMention(count.first, count.last, count=count))
    starts = {item.first for item in items}  # todas las gaseosas are no whole order
    for index in range(len(page.toks)):
        verb = page.verbs.get(index)
        if verb and verb.refers and not items:
            mentions.append(OrderMention(verb.first, verb.last, verb=verb))
        elif page.word(index) in WHOLE and index not in inside and page.past(index + 1, ARTICLES) not in starts:
            mentions.append(OrderMention(index, index + 1))
    return sorted(mentions, key=lambda mention: mention.first)


def _is_of_one_before(items: Sequence[Item], count: Count) -> bool:
    """¿Tiene maracuyá? póngame un kilo: a measure apart may be of what was named before it."""
    before = [item for item in items if item.last <= count.first]
    return bool(before) and not before[-1].counted and not before[-1].size


def operations_of(page: Page, mentions: Sequence[OrderMention]) -> list[Operation]:
    """The likeliest operation on each mention; what was done before it tells in a list."""
    classifier = load_classifier(ORDER_OPERATIONS)
    scene = Scene.of(page, mentions)
    found: list[Operation] = []
    for place, mention in enumerate(mentions):
        before = found[-1].action if found else ""
        chances = softmax(classifier.sums(numbers_of(scene, place, before), None))
        asked = float(chances[classifier.labels.index(ASK)])
        chances[classifier.labels.index(ASK)] = 0
        best = int(chances.argmax())
        label = classifier.labels[best]
        if asked >= _ONLY_ASKED.get(label, _ONLY_ASKED_OF_OTHERS) or chances[best] <= _LEAST:
            label = ASK
        found.append(Operation(mention, label, asked if label == ASK else 1 - asked))
    return found


# --- features -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scene:
    """A message as the classifier sees it: its words, with signs for goods and numbers."""

    page: Page
    mentions: Sequence[OrderMention]
    words: Sequence[str]
    places: Sequence[int]  # where each mention stands among the words
    anywhere: Sequence[int]  # the features of all that is said, which all mentions share

    @classmethod
    def of(cls, page: Page, mentions: Sequence[OrderMention]) -> "Scene":
        """Put signs in place of what is named and counted."""
        by_start = {mention.first: place for place, mention in enumerate(mentions)}
        said: list[str] = []
        places = [0] * len(mentions)
        index, end = 0, _end_of_orders(page, mentions)
        while index < end:
            if index in page.openings and said:
                said.append(_BREAK)
            count = page.counts.get(index)
            if index in by_start:
                mention = mentions[by_start[index]]
                places[by_start[index]] = len(said)
                said.append(_sign(page, mention))
                index = index + 1 if mention.verb else max(mention.last, index + 1)
            elif count:
                said.append(_NUMBER if count.said else _ONE)
                index = max(count.last, index + 1)
            else:
                said.append(page.word(index))
                index += 1
        bordered = ["<", *said, ">"]
        pairs = [f"{bordered[index]} {bordered[index + 1]}" for index in range(len(bordered) - 1)]
        anywhere = numbered([each.encode() for each in dict.fromkeys([*said, *pairs])], "anywhere", BITS)
        return cls(page, mentions, said, places, anywhere)


def _end_of_orders(page: Page, mentions: Sequence[OrderMention]) -> int:
    """Where nothing follows but a question of another sentence: "sacá la sprite. ¿aceptan tarjeta?" takes it out."""
    index = max((mention.last for mention in mentions), default=0)
    while index < len(page.toks) and index not in page.openings and page.word(index) not in _STOPS:
        index += 1
    asks = any(page.word(place) == "?" for place in range(index, len(page.toks)))
    return index if asks and page.word(index) != "?" else len(page.toks)


def _sign(page: Page, mention: OrderMention) -> str:
    if mention.item:
        return _GOODS
    if mention.count:
        return _NUMBER if mention.count.said else _ONE
    return page.word(mention.first)


def numbers_of(scene: Scene, place: int, before: str) -> Features:
    """The features of a mention as numbers; what stands near weighs more than all that is said."""
    mention = scene.mentions[place]
    left = scene.words[scene.places[place] - 1] if scene.places[place] else "<"
    near = [
        *_own(mention),
        *_governing(scene, place),
        *_around(scene, place),
        *_clause(scene, place),
        f"before {before}",
        f"before {before} {left} {_how_counted(mention)}",
    ]
    places = [*numbered([each.encode() for each in near], "near", BITS), *scene.anywhere]
    shared = len(scene.anywhere)
    weights = [len(near) ** -0.5] * len(near) + [_SHARE_OF_ALL * shared**-0.5] * shared
    return Features(np.array(places, np.int64), np.array(weights, np.float32))


def _own(mention: OrderMention) -> Iterator[str]:
    """What the mention itself is like."""
    yield f"kind {mention.kind}"
    if mention.verb:
        yield f"verb {mention.verb.kind}"
    yield f"counted {_how_counted(mention)}"
    item = mention.item
    if not item:
        return
    yield f"unsold {mention.unsold}"
    yield f"sized {bool(item.size)}"
    yield f"alike {item.spot.alike}"
    yield f"asked {item.asked}"
    if item.count and item.count.said:
        yield f"several {item.count.value != 1}"


def _how_counted(mention: OrderMention) -> str:
    count = mention.item.count if mention.item else None
    if not mention.item or not count:
        return ""
    side = "ahead" if count.first <= mention.item.spot.first else "behind"
    return f"{side} {count.said}"


def _governing(scene: Scene, place: int) -> Iterator[str]:
    """The verbs of ordering nearest on each side, where the packs know them."""
    mention = scene.mentions[place]
    verbs = scene.page.verbs.values()
    ahead = [verb for verb in verbs if verb.last <= mention.first]
    behind = [verb for verb in verbs if verb.first >= mention.last]
    if ahead:
        nearest = ahead[-1]
        yield from _told("ahead", nearest, mention.first - nearest.last)
    if behind:
        yield from _told("behind", behind[0], behind[0].first - mention.last)


def _told(side: str, verb: Verb, distance: int) -> Iterator[str]:
    yield f"verb {side} {verb.kind}"
    yield f"verb {side} {verb.kind} {min(distance, _FAR)}"


def _around(scene: Scene, place: int) -> Iterator[str]:
    """The words on each side by their place, their sequences, and the pieces of the nearest."""
    at = scene.places[place]
    left = list(reversed(scene.words[:at]))
    while left and left[0] in {_NUMBER, _ONE, "de", "d"}:
        left.pop(0)  # they belong to the mention
    right = scene.words[at + 1 :]
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
    if word in _SIGNS or len(word) < min(_PIECES):
        return
    for length in _PIECES:
        for start in range(len(bordered) - length + 1):
            yield f"~{bordered[start : start + length]}"


def _clause(scene: Scene, place: int) -> Iterator[str]:
    """How the clause opens that a mention stands in, the mark that ends it, and how much there is around it."""
    at, said = scene.places[place], scene.words
    start = at
    while start and said[start - 1] not in _ENDS:
        start -= 1
    yield f"opens {said[start]}"
    yield f"opens {' '.join(said[start : start + 2])}"
    end = next((index for index in range(at, len(said)) if said[index] in _ENDS), len(said))
    yield f"ends {said[end] if end < len(said) else ''}"
    yield f"asks {'?' in said[at:]}"
    yield f"mentions {min(len(scene.mentions), 4)}"
    yield f"place {min(place, 3)}"
    yield f"length {min(len(said) // 5, 6)}"
