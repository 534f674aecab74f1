"""Which of its sizes a thing is wanted in: what is said around its name is held against all sizes that it has.

A size may be told by a measure (medio kilo, 1,5 l), by a number that stands in it (la de 16), by a word of it (entera)
or by its place among the others (la chica). Every such hint votes for sizes; the one with most votes is meant.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from hilo.packs.pack import fold
from hilo.understanding.orders import words
from hilo.understanding.orders.catalogue_terms import sound_key, terms_of
from hilo.understanding.orders.page import Count, Page
from hilo.understanding.orders.spots import Shelf

if TYPE_CHECKING:
    from hilo.understanding.orders.items import Item

_NUMBER = re.compile(r"(\d{1,6}(?:[.,]\d{1,3})?)(?:/(\d{1,3}))?")
_LONGEST = 60  # characters of a size
_FARTHEST = 4  # words between a name and its size
_LINKS = frozenset(("de", "d", "del", "x", "por", "la", "las", "el", "los", "en", "a", "al", "talla", "tamano"))
_OPENING = words.ARTICLES | words.ONE | {"de", "del"}
_FOR = frozenset(("para", "pa"))
_STOPS = frozenset(("y", "e", "and", "+", "no", "si", "para", "pa", "con", "sin", "que", "porque"))
_SAME = frozenset(("igual", "iguales", "mismo", "misma", "mismos", "mismas"))
_TURNS = frozenset(("mejor", "sea", "sean", "mas", "bien", "que", "nomas", "mismo", ",", "(", ":", "-"))
# the smallest, the middle one and the largest, in any of their forms, by their sound
_RANKS = (
    (re.compile(r"xik[ao]?|xiki\w+|pek\w+|mini"), 0.0),
    (re.compile(r"median\w+"), 0.5),
    (re.compile(r"grand\w*|gd|higant\w*"), 1.0),
)
# units of which so many may be wanted where none of that many is sold, and how much one of them is
_SO_MANY = {"kg": ("#w1000",), "l": ("#v1000",), "lb": ("#b1", "#w500"), "m": ("#m1",)}
_SMALL = {"kg": ("w", 1000), "g": ("w", 1), "l": ("v", 1000), "ml": ("v", 1), "cl": ("v", 10), "m": ("m", 1)}
_HALVES = frozenset((sound_key("medio"), sound_key("media")))
_LIKE_A_SIZE = 100  # "coca 500" is a size, "coca 2" a quantity
_SELDOM_SO_MANY = 10
_LETTERS = {
    letters: float(rank)
    for rank, all_of_one in enumerate(("xs", "s ch p", "m", "l g", "xl xg"), start=1)
    for letters in all_of_one.split()
}
_CANS = range(200, 501)  # millilitres


@dataclass(frozen=True, slots=True)
class Hint:
    """Words that may tell a size, the sizes that they tell, and whether they stand beside the name."""

    first: int
    last: int
    liked: frozenset[str]
    near: bool = True


def read_sizes(page: Page, shelf: Shelf, items: "Sequence[Item]") -> "list[Item]":
    """Give every thing the size that it is wanted in, as its catalogue writes it; another size is another thing."""
    found: list[Item] = []
    for place, item in enumerate(items):
        found.append(item)
        sizes = _sizes(shelf, item) if item.spot.known else {}
        if not sizes:
            continue
        start = items[place - 1].last if place else 0
        end = items[place + 1].first if place + 1 < len(items) else len(page.toks)
        _choose(item, sizes, list(_hints(page, item, sizes, (start, end))))
        if place and not item.size and _is_of_the_same(page, item.last) and items[place - 1].size in sizes:
            item.sized(items[place - 1].size)
        found += _sized_again(page, item, sizes, end)
    for index in range(len(page.toks)):
        if page.word(index) in words.EVERY:
            _read_for_all(page, shelf, [item for item in found if item.last <= index and not item.size], index + 1)
    return found


def _is_of_the_same(page: Page, index: int) -> bool:
    """Dos cocas de litro y una sprite igual, un negro del mismo tamaño."""
    return page.word(index) in _SAME or (page.word(index) in _LINKS and page.word(index + 1) in _SAME)


def told_size(shelf: Shelf, item: "Item", count: Count) -> str:
    """The only size of a thing that a number tells, if there is one."""
    liked = _by_count(count, _sizes(shelf, item), linked=True)
    return next(iter(liked)) if len(liked) == 1 else ""


def _read_for_all(page: Page, shelf: Shelf, items: "Sequence[Item]", index: int) -> None:
    """Dos de carne y tres de pollo, todas chicas; 2 california y 2 tempura, todos de 10."""
    at = page.past(index, _LINKS)
    count = page.counts.get(at)
    for item in items:
        sizes = _sizes(shelf, item) if item.spot.known else {}
        liked = _by_count(count, sizes, linked=True) if count else _by_word(page.word(at), sizes)
        if len(liked) == 1 and len(sizes) > 1:
            _take(item, next(iter(liked)), frozenset(), [Hint(at, count.last if count else at + 1, liked, near=False)])


def _sized_again(page: Page, item: "Item", sizes: Mapping[str, frozenset[str]], end: int) -> "Iterator[Item]":
    """Cambiame el carbón de 3 por el de 5; el chico no, el grande: a size alone is of what was named before it."""
    index = item.last
    while index < end and page.word(index) not in words.EVERY:
        first = index
        count = page.counts.get(index)
        opens = page.word(index) in _OPENING or (count is not None and count.said and not count.unit)
        index = count.last if count and not opens else index + 1
        if not opens or first in item.told:
            continue
        at = page.past(index, _LINKS)
        number = page.counts.get(at)
        liked = (
            _by_count(number, sizes, linked=page.word(at - 1) in _LINKS) if number else _by_word(page.word(at), sizes)
        )
        last = number.last if number else at + 1
        if len(liked) == 1 and item.size not in liked and last <= end:
            spot = replace(item.spot, first=first, last=last, resized=True)
            yield replace(item, spot=spot, first=first, last=last, size=next(iter(liked)), count=count, told=set())
            index = last


def _sizes(shelf: Shelf, item: "Item") -> Mapping[str, frozenset[str]]:
    """The sizes of what is meant, each with the terms and numbers that tell it."""
    found = {shelf.catalogue.products[number].size for number in item.spot.goods}
    return {size: _told_by(size) for size in sorted(found) if size}


@lru_cache(maxsize=4096)
def _told_by(size: str) -> frozenset[str]:
    terms = {key for _, keys in terms_of(size) for key in keys}
    numbers = {f"={_plain(upper, lower)}" for upper, lower in _NUMBER.findall(size[:_LONGEST])}
    return frozenset(terms | numbers | {sound_key(word) for word in fold(size).split()})


def _plain(upper: str, lower: str = "") -> Decimal:
    value = Decimal(upper.replace(",", "."))
    return (value / Decimal(lower) if lower and int(lower) else value).normalize()


def _choose(item: "Item", sizes: Mapping[str, frozenset[str]], hints: Sequence[Hint]) -> None:
    """What stands beside a name tells its size; only where nothing does, what stands apart from it."""
    telling = [hint for hint in hints if hint.liked and (len(hint.liked) < len(sizes) or len(sizes) == 1)]
    for some in ([hint for hint in telling if hint.near], telling):
        votes = Counter(dict.fromkeys(sizes, 0.0))
        for hint in some:
            votes.update(dict.fromkeys(hint.liked, 1 / len(hint.liked)))
        best = max(votes.values())
        chosen = [size for size, vote in votes.items() if vote == best]
        if best and len(chosen) == 1:
            _take(item, chosen[0], sizes[chosen[0]], [hint for hint in some if chosen[0] in hint.liked])
            return


def _take(item: "Item", size: str, told_by: frozenset[str], hints: Sequence[Hint]) -> None:
    item.size = size
    for hint in hints:
        if item.count and hint.first == item.count.first:
            item.count = _left(item.count, told_by)
        if hint.near:
            item.last = max(item.last, hint.last)
        item.told |= set(range(hint.first, hint.last))


def _left(count: Count, told_by: frozenset[str]) -> Count:
    """How many are wanted where the number before a thing told its size: one, or so many of that unit."""
    so_many = count.unit in _SO_MANY and count.value == int(count.value) and _measure(count) not in told_by
    return replace(count, value=count.value if so_many else 1, unit="", said=so_many)


def _hints(page: Page, item: "Item", sizes: Mapping[str, frozenset[str]], bounds: tuple[int, int]) -> Iterator[Hint]:
    """What may tell a size, before and after a name, with the sizes that it tells."""
    first = item.count.first if item.count and item.count.first < item.spot.first else item.spot.first
    while first > bounds[0] and page.word(first - 1) in _LINKS | words.PACKAGES:
        first -= 1
    index = first
    while index < item.spot.first:
        count = page.counts.get(index)
        last = count.last if count else index + 1
        if count:
            linked = page.word(index - 1) in _LINKS - {"en"} and index > first
            yield Hint(index, last, _by_count(count, sizes, linked=linked))
        if not count or count.unit:
            yield Hint(last - 1, last, _by_word(page.word(last - 1), sizes))
        index = last
    yield from _behind(page, item, sizes, bounds[1])


def _behind(page: Page, item: "Item", sizes: Mapping[str, frozenset[str]], end: int) -> Iterator[Hint]:
    index, between, near = item.spot.last, 0, True
    while index < end and index not in page.openings and between <= _FARTHEST:
        word, count = page.word(index), page.counts.get(index)
        if word in _STOPS and page.word(index + 1) not in ("sea", "sean") and not _is_for(page, index, sizes):
            return
        if _opens_another(page, item, index, near=near):
            return
        last = count.last if count else index + 1
        liked = _by_word(page.word(last - 1), sizes) if not count or count.unit else frozenset[str]()
        worded = bool(liked)
        if count and not liked:
            linked = page.word(index - 1) in _LINKS - {"en"} | _FOR or _is_word_of(page.word(index - 1), sizes)
            linked = (linked and index > item.spot.last) or (near and _is_no_quantity(item, count))
            liked = _by_count(count, sizes, linked=linked)
        yield Hint(last - 1 if worded else index, last, liked, near=near)
        near = near and (bool(liked) or count is not None or word in _LINKS | words.PACKAGES | words.PLAIN)
        between += not liked and word not in _LINKS | _TURNS | words.PACKAGES and not count
        index = last


def _opens_another(page: Page, item: "Item", index: int, *, near: bool) -> bool:
    """Whether another one begins, with a size of its own: rico el flan, ponme uno chico; dos tortas, una chica."""
    verb, count = page.verbs.get(index), page.counts.get(index)
    counted = count is not None and not count.unit and _is_counted_ahead(item)
    return (verb is not None and verb.kind == "add") or (counted and not near)


def _is_counted_ahead(item: "Item") -> bool:
    return item.count is not None and item.count.said and item.count.first < item.spot.first


def _is_no_quantity(item: "Item", count: Count) -> bool:
    """Whether a number behind a name hardly counts it: tenis 41, 25 metros de cable 12."""
    return _is_counted_ahead(item) or count.value >= _SELDOM_SO_MANY


def _is_for(page: Page, index: int, sizes: Mapping[str, frozenset[str]]) -> bool:
    """Una torta para ocho, where one has eight portions."""
    count = page.counts.get(index + 1) if page.word(index) in _FOR else None
    return count is not None and bool(_by_count(count, sizes, linked=True))


def _is_word_of(word: str, sizes: Mapping[str, frozenset[str]]) -> bool:
    """Etapa, talla, calibre: a word that all sizes begin with."""
    return any(sound_key(word) in told_by for told_by in sizes.values())


def _by_count(count: Count, sizes: Mapping[str, frozenset[str]], *, linked: bool) -> frozenset[str]:
    """The sizes that a number tells."""
    measured = _measure(count)
    keys = {measured} if measured else set()
    if count.unit in _SO_MANY and not _holding(keys, sizes):
        keys |= set(_SO_MANY[count.unit])
    share = count.value != int(count.value)
    if not count.unit and share:
        keys |= {f"#{kind}{float(count.value) * 1000:.6g}" for kind in "vw"}
        keys |= _HALVES if count.value == words.SHARES["medio"] else set()
    if not measured and (linked or share or count.value >= _LIKE_A_SIZE) and count.said:
        keys.add(f"={Decimal(count.value).normalize()}")
    return _holding(keys, sizes)


def _measure(count: Count) -> str:
    kind, scale = _SMALL.get(count.unit, ("", 0))
    return f"#{kind}{float(count.value) * scale:.6g}" if kind else ""


def _holding(keys: set[str], sizes: Mapping[str, frozenset[str]]) -> frozenset[str]:
    return frozenset(size for size, told_by in sizes.items() if not keys.isdisjoint(told_by))


def _by_word(word: str, sizes: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The sizes that a word tells: one of its own, or a place among all."""
    if not word.isalpha() or word in words.NEVER:
        return frozenset()
    meant = sound_key(words.SIZES.get(word, word))  # familiar is large
    held = _holding({sound_key(word), meant}, sizes)
    if held:
        return held
    for form, rank in _RANKS:
        if form.fullmatch(meant):
            return _ranked(form, rank, sizes)
    if word in ("lata", "latas", "latita", "latitas"):
        return frozenset(size for size in sizes if int(_amount(size)) in _CANS)
    return frozenset()


def _ranked(form: re.Pattern[str], rank: float, sizes: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """A size by its place among the others, where none is called so."""
    called = [size for size in sizes if any(form.fullmatch(sound_key(word)) for word in fold(size).split())]
    if called:
        return frozenset(called)
    ordered = sorted((size for size in sizes if _amount(size)), key=_amount)
    if len(ordered) < 2 or (rank == 0.5 and len(ordered) % 2 == 0):  # noqa: PLR2004 -- no middle
        return frozenset()
    return frozenset((ordered[round(rank * (len(ordered) - 1))],))


def _amount(size: str) -> float:
    """How much a size holds, or its place among letters; 0 where it is told otherwise."""
    if fold(size) in _LETTERS:
        return _LETTERS[fold(size)]
    measured = [key for key in sorted(_told_by(size)) if key.startswith("#")]
    if measured:
        return float(measured[0][2:])
    numbers = [key for key in _told_by(size) if key.startswith("=")]
    return float(numbers[0][1:]) if len(numbers) == 1 else 0.0
