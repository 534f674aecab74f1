"""What happens to each thing that a message names: learnt from orders of many hands, by the words around it.

A message is seen without the names of its goods ("dame # y # porfa"), so that what was learnt from one shop's orders
holds for every other. What is asked about, remembered or only talked of is the operation `ask`, which changes nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hilo.recognisers.phrases import word_set
from hilo.understanding.orders.items import Item
from hilo.understanding.orders.page import Count, Page, Verb
from hilo.understanding.orders.words import ARTICLES, ONE, WHOLE
from hilo.understanding.trained.classifier import load_classifier, softmax
from hilo.understanding.trained.features import Features, numbered

ORDER_OPERATIONS = "order_operations"  # the name of the classifier
ADD, REMOVE, SET, KEEP, ASK = "add", "remove", "set", "keep", "ask"
OLD, NEW = "old", "new"  # of two that are exchanged, the one that goes and the one that comes
BITS = 16

_GOODS, _NUMBER, _ONE, _BREAK = "#", "9", "1", "|"
_STOPS = frozenset((".", "!", ";", "¿", "?"))
_ENDS = frozenset((_BREAK, ".", "?", "!", ";"))
_MARKS = _ENDS | frozenset((",", ":", "(", ")", "-"))
_SMALL = (
    ARTICLES | ONE | word_set("de d del a al que q me te le se lo nos mi su por para x en y e con") | {_NUMBER, _ONE}
)
_DENYING = word_set("no ni sin nada tampoco nunca jamas menos")
_STEM = 4  # letters: sáqueme, sacala and saco begin alike
_TOLD, _FARTHEST = 3, 14  # words on each side that tell most, among so many
_FAR = 5
# how probable may it be at most that a thing is only talked about, and must it be at least what is done to it; what
# is added is read back and easily taken out again, what changes an order must be likelier than all else together
_BARS = dict.fromkeys((ADD, NEW), (0.35, 0.4))
_BARS_OF_CHANGES = (0.3, 0.5)
# what puts a thing into the order, what takes it out, and what leaves it as it is
_DIRECTIONS = (frozenset((ADD, NEW, SET)), frozenset((REMOVE, OLD)), frozenset((KEEP,)))
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
        shares = dict(zip(classifier.labels, map(float, chances), strict=True))
        same = max(_DIRECTIONS, key=lambda each: sum(shares[label] for label in each))
        label = max(sorted(same), key=shares.__getitem__)
        most_asked, least = _BARS.get(label, _BARS_OF_CHANGES)
        if asked >= most_asked or sum(shares[each] for each in same) <= least:
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
    """The features of a mention as numbers: how it stands, what is said beside it, and all that is said."""
    stands = [*_own(scene.mentions[place]), *_governing(scene, place), *_frame(scene, place, before)]
    beside = [*_nearest(scene, place), *_clause(scene, place), *_neighbours(scene, place, before)]
    places: list[int] = []
    weights: list[float] = []
    for name, group in (("stands", stands), ("beside", beside)):
        places += numbered([each.encode() for each in group], name, BITS)
        weights += [len(group) ** -0.5] * len(group)
    shared = len(scene.anywhere)
    weights += [_SHARE_OF_ALL * shared**-0.5] * shared
    return Features(np.array([*places, *scene.anywhere], np.int64), np.array(weights, np.float32))


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
    yield f"heads {item.spot.heads} {item.spot.completed} {item.spot.resized}"
    yield f"heads {item.spot.heads} {_how_counted(mention)}"
    yield f"names {min(item.spot.last - item.spot.first, 3)} {min(len(item.spot.goods), 4)}"
    yield f"asked {item.asked}"
    if item.count and item.count.said:
        yield f"several {item.count.value != 1}"


def _how_counted(mention: OrderMention) -> str:
    count = mention.item.count if mention.item else None
    if not mention.item or not count:
        return ""
    side = "ahead" if count.first <= mention.item.spot.first else "behind"
    return f"{side} {count.said}"


def _verbs_beside(scene: Scene, mention: OrderMention) -> tuple[Verb | None, Verb | None]:
    """The verbs of ordering nearest on each side, where the packs know them."""
    ahead = behind = None
    for verb in scene.page.verbs.values():
        if verb.last <= mention.first:
            ahead = verb
        elif behind is None and verb.first >= mention.last:
            behind = verb
    return ahead, behind


def _governing(scene: Scene, place: int) -> Iterator[str]:
    mention = scene.mentions[place]
    ahead, behind = _verbs_beside(scene, mention)
    if ahead:
        yield from _told("ahead", ahead, mention.first - ahead.last)
    if behind:
        yield from _told("behind", behind, behind.first - mention.last)


def _told(side: str, verb: Verb, distance: int) -> Iterator[str]:
    yield f"verb {side} {verb.kind}"
    yield f"verb {side} {verb.kind} {min(distance, _FAR)}"


def _frame(scene: Scene, place: int, before: str) -> Iterator[str]:
    """How the sentence opens that a mention stands in, the mark that ends it, and how much there is around it."""
    at, said = scene.places[place], scene.words
    start = _start(said, at, _ENDS)
    end = _end(said, at, _ENDS)
    left = said[at - 1] if at else "<"
    yield f"opens {said[start]}"
    yield f"opens {' '.join(said[start : start + 2])}"
    yield f"ends {said[end] if end < len(said) else ''}"
    yield f"asks {'?' in said[at:]}"
    yield f"mentions {min(len(scene.mentions), 4)}"
    yield f"place {min(place, 3)}"
    yield f"length {min(len(said) // 5, 6)}"
    yield f"before {before}"
    yield f"before {before} {left} {_how_counted(scene.mentions[place])}"


def _nearest(scene: Scene, place: int) -> Iterator[str]:
    """The words that tell most on each side: the nearest three that are no articles, pronouns or links."""
    at, said = scene.places[place], scene.words
    for side, words in (("left", list(reversed(said[:at]))), ("right", said[at + 1 :])):
        told: list[str] = []
        for word in words[:_FARTHEST]:
            if word in _MARKS:
                told.append(_BREAK)
            elif word not in _SMALL:
                told.append(word)
            if word in _ENDS or len(told) == _TOLD:
                break
        told += ["<>"] * (_TOLD - len(told))
        for distance, word in enumerate(told):
            yield f"{side} {distance} {word}"
            yield f"{side} {distance} ~{_stem(word)}"
        yield f"{side} {_stem(told[0])} {_stem(told[1])}"


def _clause(scene: Scene, place: int) -> Iterator[str]:
    """What is said in the same breath, before and after a mention, and whether something in it denies."""
    at, said, mention = scene.places[place], scene.words, scene.mentions[place]
    start, end = _start(said, at, _MARKS), _end(said, at, _MARKS)
    denied: list[str] = []
    for side, words in (("before", said[start:at]), ("after", said[at + 1 : end])):
        for word in dict.fromkeys(words):
            yield f"{side} {word}"
            yield f"{side} ~{_stem(word)}"
        denied.append(next((word for word in words if word in _DENYING), ""))
    ahead, behind = (verb.kind if verb else "" for verb in _verbs_beside(scene, mention))
    yield f"denied {denied}"
    yield f"denied {[bool(each) for each in denied]} {ahead} {behind}"
    yield f"verbs {ahead} {behind} {_how_counted(mention)}"
    yield f"verbs {ahead} {_how_counted(mention)} {mention.kind}"
    yield f"ends {said[end] if end < len(said) else ''} {'?' in said[at:]} {ahead}"


def _neighbours(scene: Scene, place: int, before: str) -> Iterator[str]:
    """What stands between a mention and the ones beside it: "# por #" exchanges, "# y #" goes on."""
    at, said = scene.places[place], scene.words
    if place:
        between = said[scene.places[place - 1] + 1 : at]
        yield f"from {_linked(between)}"
        yield f"from {before} {_linked(between)} {scene.mentions[place - 1].kind} {scene.mentions[place].kind}"
    if place + 1 < len(scene.mentions):
        between = said[at + 1 : scene.places[place + 1]]
        yield f"to {_linked(between)} {scene.mentions[place + 1].kind}"


def _linked(between: Sequence[str]) -> str:
    return " ".join(between) if len(between) <= _TOLD else f"{between[0]} … {between[-1]}"


def _start(said: Sequence[str], at: int, marks: frozenset[str]) -> int:
    while at and said[at - 1] not in marks:
        at -= 1
    return at


def _end(said: Sequence[str], at: int, marks: frozenset[str]) -> int:
    return next((index for index in range(at, len(said)) if said[index] in marks), len(said))


def _stem(word: str) -> str:
    return word[:_STEM]
