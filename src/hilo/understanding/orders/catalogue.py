"""Find products as people name them: with typos, by sound, glued or cut, with sizes in any writing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from hilo.agent.goods import Product
from hilo.packs.pack import fold
from hilo.understanding.orders.catalogue_terms import PACKAGES, Alternatives, sound_key, terms_of
from hilo.understanding.orders.catalogue_words import WordIndex, build_vocabulary, near_words, resembling, split_word

Floats = NDArray[np.float32]
Integers = NDArray[np.int32]

_NAME, _KEYWORD, _CATEGORY = 1.0, 0.9, 0.7
_MOST_TERMS = 12
_COVERED = 0.97  # of what was written; below it typos are looked for
_NEAR = 0.6  # of what was written must be found in a product that is offered as an answer
_SHOWN_FROM = 0.72  # of the best, for the ranking
_TIED = 1.0  # points of score between equally good products
_SOFT = 0.98  # a bare number read as a size
_UNKNOWN = 5.0  # weight of a word that no product has, where nothing else was written
_ONE_SLIP, _SHORTEST_GLUED = 0.85, 5
_NONE: Mapping[str, Sequence[str]] = MappingProxyType({})
_CALLED = 0.95  # a word that means one of the catalogue

_LINKS = frozenset(("de", "del", "con", "para", "en", "a", "al", "la", "el", "y"))  # of names
_Called = tuple[dict[str, list[str]], dict[tuple[str, ...], tuple[str, ...]], frozenset[str]]
_TELLING = 6  # letters that tell a word by its sound


@dataclass(frozen=True, slots=True)
class Candidate:
    """A product, how well it fits (0–100), and the written words that it was found by."""

    id: str
    score: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Matches:
    """Ranked candidates, or none and the nearest products as suggestions.

    `ambiguous` when the first candidates are equally good; they differ by size, brand or name.
    """

    candidates: tuple[Candidate, ...] = ()
    suggestions: tuple[Candidate, ...] = ()
    ambiguous: bool = False
    differs_by: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """Products with an index from terms to the products that hold them."""

    products: Sequence[Product]
    vocabulary: WordIndex
    starts: Integers
    holders: Integers
    fits: Floats
    rarity: Floats
    bare: Floats
    lengths: Floats
    heads: Integers
    names: Mapping[str, Sequence[str]]  # what else a word is called
    spelled: frozenset[str]  # all these names as they are written
    phrases: Mapping[
        tuple[str, ...], tuple[str, ...]
    ]  # the words of what is sold, where it or what is said has several

    def other_names(self, text: str) -> Sequence[str]:
        """What else a written word is called; a short one must be written so, "seria" is no "cerilla"."""
        key = sound_key(text)
        return self.names.get(key, ()) if self.is_spelled(text, key) else ()

    def is_spelled(self, text: str, key: str) -> bool:
        """Whether a word is written as a name of the packs is, or long enough to be one misspelled."""
        written = {fold(text).removesuffix(ending) for ending in ("", "s", "es")}
        return len(key) >= _TELLING or not written.isdisjoint(self.spelled)

    def find(self, text: str, *, limit: int = 8) -> Matches:
        """The products that a text names."""
        asked = _known(self, text)
        if not asked or not self.products:
            return Matches()
        found = _score(self, asked)
        if found.covered < _COVERED:
            mistyped = _score(self, [part for each in asked for part in _with_typos(self, each)])
            found = mistyped if mistyped.covered > found.covered else found
        if found.covered <= 0:
            found = _score(self, [_loosely(self, each) for each in asked])
        return _ranked(self, found, limit)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A written term and the known terms it may stand for, with how alike they are."""

    written: str
    key: str
    terms: Mapping[int, float]


@dataclass(frozen=True, slots=True, eq=False)
class _Scored:
    """For every product, how much of each written term it holds."""

    asked: Sequence[_Asked]
    parts: Sequence[Floats]
    total: Floats
    weight: float
    covered: float


def build_catalogue(products: Iterable[Product], *, names: Mapping[str, Sequence[str]] = _NONE) -> Catalogue:
    """An index of products; `names` says what else goods are called, which is asked for words that no product has."""
    kept = tuple(products)
    keys: dict[str, int] = {}
    rows = _Rows([], [], [], [])
    heads = np.full(len(kept), -1, dtype=np.int32)
    for number, product in enumerate(kept):
        for key, (fit, is_name) in _product_terms(product).items():
            term = keys.setdefault(key, len(keys))
            rows.add(term, number, fit, names=is_name)
            if heads[number] < 0:
                heads[number] = term
    return _indexed(kept, tuple(keys), rows, heads, _also_called(keys, rows, names))


@dataclass(frozen=True, slots=True)
class _Rows:
    """Which term stands in which product, how well it fits, and whether it is part of the bare name."""

    terms: list[int]
    holders: list[int]
    fits: list[float]
    names: list[bool]

    def add(self, term: int, holder: int, fit: float, *, names: bool) -> None:
        self.terms.append(term)
        self.holders.append(holder)
        self.fits.append(fit)
        self.names.append(names)


def _product_terms(product: Product) -> dict[str, tuple[float, bool]]:
    """The keys of a product; the name weighs most, and only its words without brand and size make it long."""
    brand = set(_keys(product.brand))
    found = {key: (_NAME, not _is_packing(key) and key not in brand) for key in _keys(product.name)}
    for key in (*brand, *_keys(product.size)):
        found.setdefault(key, (_NAME, False))
    for keyword in product.keywords:
        for key in _keys(keyword):
            found.setdefault(key, (_KEYWORD, False))
    for key in _keys(product.category):
        found.setdefault(key, (_CATEGORY, False))
    return found


def _is_packing(key: str) -> bool:
    """Sizes, numbers and packages: what a customer says last."""
    return not key.isalpha() or key in PACKAGES


def _keys(text: str) -> Iterator[str]:
    if text:
        for _, alternatives in terms_of(text):
            yield from alternatives


def _also_called(keys: Mapping[str, int], rows: _Rows, names: Mapping[str, Sequence[str]]) -> _Called:
    """The other names of each word; and what is meant by a name of several words, or by a word for such a thing.

    A name of several words is sold where one product holds them all: an electric pump is not just any pump.
    """
    holders: dict[int, set[int]] = {}
    for term, holder in zip(rows.terms, rows.holders, strict=True):
        holders.setdefault(term, set()).add(holder)

    def is_sold(name: tuple[str, ...]) -> bool:
        return all(key in keys for key in name) and bool(set.intersection(*(holders[keys[key]] for key in name)))

    groups: dict[tuple[str, ...], list[str]] = {}
    for said, meant in names.items():
        groups.setdefault(tuple(meant), list(meant)).append(said)
    called: dict[str, list[str]] = {}
    phrases: dict[tuple[str, ...], tuple[str, ...]] = {}
    for group in groups.values():
        parts = {tuple(map(sound_key, name.split())): _told_by(name) for name in group}
        words = [name[0] for name in parts if len(name) == 1]
        for word in words:
            called.setdefault(word, []).extend(other for other in words if other != word)
        sold = [name for name in parts.values() if name and is_sold(name)]
        for phrase, name in parts.items():
            if sold and name not in sold and max(len(phrase), len(sold[0])) > 1:
                phrases[phrase] = sold[0]
    return called, phrases, frozenset(fold(name) for group in groups.values() for name in group)


def _told_by(name: str) -> tuple[str, ...]:
    """The words of a name that tell what it is."""
    return tuple(sound_key(word) for word in name.split() if word not in _LINKS)


def _indexed(
    products: Sequence[Product], keys: Sequence[str], rows: _Rows, heads: Integers, called: _Called
) -> Catalogue:
    terms = np.array(rows.terms, dtype=np.int32)
    holders = np.array(rows.holders, dtype=np.int32)
    order = np.argsort(terms, kind="stable")
    counts = np.bincount(terms, minlength=len(keys))
    rarity = np.log(1 + len(products) / np.maximum(counts, 1)).astype(np.float32)
    bare = np.where(np.array(rows.names, dtype=bool), rarity[terms], 0).astype(np.float32)
    lengths = np.bincount(holders, weights=bare, minlength=len(products))
    return Catalogue(
        products=products,
        vocabulary=build_vocabulary(keys),
        starts=np.concatenate(([0], np.cumsum(counts))).astype(np.int32),
        holders=holders[order],
        fits=np.array(rows.fits, dtype=np.float32)[order],
        rarity=rarity,
        bare=bare[order],
        lengths=lengths.astype(np.float32),
        heads=heads,
        names=called[0],
        phrases=called[1],
        spelled=called[2],
    )


def _known(catalogue: Catalogue, text: str) -> list[_Asked]:
    """The written terms with the known ones that are spelled or sound like them, glued or cut ones too."""
    ids = catalogue.vocabulary.ids
    asked = [each for written, keys in terms_of(text)[:_MOST_TERMS] for each in _asked(catalogue, written, keys)]
    glued = [_exact(ids, (sound_key(a.written + b.written),)) for a, b in pairwise(asked)]
    for place, terms in enumerate(glued):
        for index in (place, place + 1) if terms else ():
            each = asked[index]
            asked[index] = _Asked(each.written, each.key, {**each.terms, **terms})
    return asked


def _asked(catalogue: Catalogue, written: str, keys: Alternatives) -> Iterator[_Asked]:
    """A written term by the known ones; one that nobody knows by what else it is called, in a word or in several."""
    ids = catalogue.vocabulary.ids
    exact = _exact(ids, keys)
    also = [key for key in catalogue.other_names(written) if key in ids][:1]
    several = catalogue.phrases.get((keys[0],), ()) if catalogue.is_spelled(written, keys[0]) else ()
    if exact or also or not several:
        yield _Asked(written, keys[0], exact or {ids[key]: _CALLED for key in also})
        return
    for key in several:
        yield _Asked(written, key, {ids[key]: _CALLED})


def _exact(ids: Mapping[str, int], keys: Alternatives) -> dict[int, float]:
    return {ids[key]: 1.0 if place == 0 else _SOFT for place, key in enumerate(keys) if key in ids}


def _with_typos(catalogue: Catalogue, each: _Asked) -> tuple[_Asked, ...]:
    """A term with the words it may be a slip of, or two terms where it looks like two words written as one."""
    if not each.key.isalpha():
        return (each,)
    near = {**near_words(catalogue.vocabulary, each.key), **each.terms}
    if max(near.values(), default=0.0) < _ONE_SLIP and len(each.key) >= _SHORTEST_GLUED:
        halves = split_word(catalogue.vocabulary, each.key, sure=bool(near))
        if halves:
            return tuple(_Asked(each.written, each.key, half) for half in halves)
    return (_Asked(each.written, each.key, near),)


def _loosely(catalogue: Catalogue, each: _Asked) -> _Asked:
    """Words that only resemble the written one, to have something to suggest."""
    return _Asked(each.written, each.key, resembling(catalogue.vocabulary, each.key))


def _score(catalogue: Catalogue, asked: Sequence[_Asked]) -> _Scored:
    """How much of the written terms each product holds, rare terms weighing more."""
    parts = [_part(catalogue, each) for each in asked]
    total: Floats = np.sum([part for part, _ in parts], axis=0, dtype=np.float32)
    known = [weight for _, weight in parts if weight]
    weight = sum(known) / len(known) * len(parts) if known else _UNKNOWN
    return _Scored(asked, [part for part, _ in parts], total, weight, float(total.max()) / weight)


def _part(catalogue: Catalogue, each: _Asked) -> tuple[Floats, float]:
    """What a term gives to each product, and what it gives at most."""
    part: Floats = np.zeros(len(catalogue.products), dtype=np.float32)
    if not each.terms:
        return part, 0.0
    best = max(each.terms.values())
    weight = max(float(catalogue.rarity[term]) for term, alike in each.terms.items() if alike == best)
    for term, alike in sorted(each.terms.items(), key=lambda pair: pair[1]):
        held = slice(catalogue.starts[term], catalogue.starts[term + 1])
        part[catalogue.holders[held]] = catalogue.fits[held] * np.float32(weight * alike)
    return part, weight


def _ranked(catalogue: Catalogue, found: _Scored, limit: int) -> Matches:
    if found.covered <= 0:
        return Matches()
    chosen = np.flatnonzero(found.total >= _SHOWN_FROM * found.total.max())
    points = _points(catalogue, found, chosen)
    order = np.lexsort((chosen, -points))[: max(limit, 0)]
    candidates = tuple(_candidate(catalogue, found, int(chosen[i]), float(points[i])) for i in order)
    if found.covered < _NEAR:
        return Matches(suggestions=candidates)
    tied = [catalogue.products[int(chosen[i])] for i in order if points[i] >= points[order[0]] - _TIED]
    differs = _difference(tied) if len(tied) > 1 else ""
    return Matches(candidates, ambiguous=len(tied) > 1, differs_by=differs)


def _points(catalogue: Catalogue, found: _Scored, chosen: NDArray[np.intp]) -> Floats:
    """Scores up to 100: what was written counts most, then how much of the name was said, then its first word."""
    said: Floats = np.zeros(len(catalogue.products), dtype=np.float32)
    terms = {term for each in found.asked for term in each.terms}
    for term in terms:
        held = slice(catalogue.starts[term], catalogue.starts[term + 1])
        said[catalogue.holders[held]] += catalogue.bare[held]
    lengths = catalogue.lengths[chosen]
    whole = np.where(lengths > 0, np.minimum(said[chosen] / np.maximum(lengths, 1e-6), 1.0), 1.0)
    heads = np.isin(catalogue.heads[chosen], list(terms))
    points: Floats = (found.total[chosen] / found.weight) * (0.85 + 0.11 * whole + 0.04 * heads) * 100
    return points


def _candidate(catalogue: Catalogue, found: _Scored, number: int, points: float) -> Candidate:
    held = [each.written for each, part in zip(found.asked, found.parts, strict=True) if part[number] > 0]
    return Candidate(catalogue.products[number].id, min(100, round(points)), tuple(dict.fromkeys(held)))


def _difference(products: Sequence[Product]) -> str:
    """What equally good products differ by, so that the question can be about that."""
    names = {frozenset(_bare(product)) for product in products}
    sizes = {frozenset(_sizes(product)) for product in products}
    brands = {product.brand for product in products}
    if len(names) == 1 and len(brands) == 1:
        return "size" if len(sizes) > 1 else "name"
    return "brand" if len(names) == 1 else "name"


def _bare(product: Product) -> Iterator[str]:
    """The words of a name without its brand and size."""
    brand = set(_keys(product.brand))
    return (key for key in _keys(product.name) if not _is_packing(key) and key not in brand)


def _sizes(product: Product) -> Iterator[str]:
    found = [key for key in (*_keys(product.size), *_keys(product.name)) if _is_packing(key)]
    yield from found or _keys(product.size)
