"""The products of train.yaml on a shelf: from a contact's words to a product and its size, by Hilo's own catalogue."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.spanish.words import as_name, fold

from hilo.agent.goods import Product
from hilo.understanding.orders.catalogue import Candidate, Catalogue, build_catalogue
from hilo.understanding.orders.catalogue_terms import sound_key

SMALL = re.compile(r"\b(chic[oa]s?|chiquit[oa]s?|pequen[oa]s?)\b")
LARGE = re.compile(r"\b(grandes?|familiar(?:es)?)\b")

MOST_FOUND = 60
LEAST_SCORE = 50
AS_GOOD = 2  # points below the best that make a product as likely as it
STEM = 5  # letters of a category that a contact says in any form: "cervezas", "cervecita", "servesa"


@dataclass(frozen=True)
class Good:
    """A product as train.yaml lists it."""

    name: str
    category: str
    sizes: tuple[str, ...]


@dataclass
class Shelf:
    """One entry of Hilo's catalogue for each product and size."""

    goods: Sequence[Good]
    generic: frozenset[str]  # categories that may be ordered without a brand
    size_words: Mapping[str, Mapping[str, str]]  # by category, what people call a size
    index: Catalogue = field(init=False)
    entries: dict[str, tuple[Good, str]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        products = []
        for good in self.goods:
            words = self.size_words.get(good.category, {})
            for size in good.sizes or ("",):
                key = f"{good.name}|{size}"
                self.entries[key] = (good, size)
                called = tuple(word for word, meant in words.items() if meant == size)
                products.append(Product(key, f"{good.name} {size}".strip(), "", size, good.category, called))
        self.index = build_catalogue(products)

    def has_one_size(self, name: str) -> bool:
        return any(good.name == name and len(good.sizes) <= 1 for good in self.goods)

    def only(self, name: str) -> str:
        """The product that a category has where it has one alone: then both names are one thing."""
        own = [good.name for good in self.goods if good.category == name]
        is_category = name not in {good.name for good in self.goods}
        return own[0] if is_category and len(own) == 1 else name

    def find(self, written: str, *, lenient: bool = False) -> tuple[str, str | None] | None:
        """The product or category and its size, if one is told; a lenient look takes the nearest product."""
        said = fold(written)
        small, large = SMALL.search(said), LARGE.search(said)
        bare = " ".join(word for word in said.split() if self._is_named(word) or not _is_size(word)) or said
        best = self._best(bare, lenient=lenient)
        if not best:
            return None
        top = [self.entries[each.id] for each in best if each.score >= best[0].score - AS_GOOD]
        name, size = self._category(top, said) or self._product(top)
        if (small or large) and size is None:
            sizes = self._sizes(name)
            size = (sizes[0] if small else sizes[-1]) if sizes else None
        return name, size

    def _is_named(self, word: str) -> bool:
        """Whether a word of size is a part of a product's name: Pack Familiar."""
        return any(sound_key(word) == sound_key(part) for good in self.goods for part in fold(good.name).split())

    def _best(self, words: str, *, lenient: bool) -> Sequence[Candidate]:
        found = self.index.find(words, limit=MOST_FOUND)
        if lenient:
            return found.candidates or found.suggestions
        is_found = found.candidates and found.candidates[0].score >= LEAST_SCORE
        return found.candidates if is_found else ()

    def _category(self, top: Sequence[tuple[Good, str]], said: str) -> tuple[str, str | None] | None:
        """A category whose name was said, where no brand was: "una cerveza", and not one of two cocas."""
        names = {good.name for good, _ in top}
        category = top[0][0].category
        is_one = len({good.category for good, _ in top}) == 1 and category in self.generic
        stem = sound_key(fold(category))[:STEM]
        is_said = any(sound_key(word).startswith(stem) for word in said.split())
        if len(names) == 1 or not is_one or not is_said:
            return None
        sizes = {size for _, size in top}
        return category, sizes.pop() if len(sizes) == 1 and len(self._sizes(category)) > 1 else None

    def _product(self, top: Sequence[tuple[Good, str]]) -> tuple[str, str | None]:
        first = top[0][0]
        sizes = {size for good, size in top if good.name == first.name}
        return first.name, sizes.pop() if len(sizes) == 1 and len(first.sizes) > 1 else None

    def _sizes(self, name: str) -> Sequence[str]:
        """The sizes of a product, or of all products of a category, from small to large."""
        own = next((good.sizes for good in self.goods if good.name == name), ())
        of_category = dict.fromkeys(size for good in self.goods if good.category == name for size in good.sizes)
        return own or sorted(of_category, key=_amount)


def _is_size(word: str) -> bool:
    return bool(SMALL.fullmatch(word) or LARGE.fullmatch(word))


def _amount(size: str) -> float:
    number = re.search(r"\d+(\.\d+)?", size)
    value = float(number[0]) if number else 0.0
    return value * (1000 if size.endswith(("L", "kg")) else 1)


def catalogue_parts(listed: Any, domain: str) -> list[Mapping[str, Any]]:
    """The catalogue of train.yaml, or what it has of a domain where it lists one for each."""
    if isinstance(listed, list):
        return [{"products": listed}]
    if not isinstance(listed, dict):
        return []
    if "products" in listed:
        return [listed]
    by_domain = {as_name(name): {"products": part} if isinstance(part, list) else part for name, part in listed.items()}
    return [by_domain[domain]] if domain in by_domain else [part for part in by_domain.values() if "products" in part]


def shelf_of(listed: Any, domain: str) -> Shelf:
    """The shelf of a domain, from the catalogue that train.yaml lists."""
    goods: list[Good] = []
    generic: set[str] = set()
    size_words: dict[str, Mapping[str, str]] = {}
    for part in catalogue_parts(listed, domain):
        goods += _goods(part.get("products") or [])
        generic |= {str(each) for each in part.get("generic") or ()}
        for category, words in (part.get("size_words") or {}).items():
            size_words[str(category)] = {str(word): str(size) for word, size in words.items()}
    return Shelf(goods, frozenset(generic or {good.category for good in goods}), size_words)


def _goods(listed: Any) -> Iterator[Good]:
    """Products, each with its name alone or with what is known of it."""
    for each in listed:
        known = each if isinstance(each, dict) else {"name": each}
        sizes = tuple(str(size) for size in known.get("sizes") or ())
        yield Good(str(known["name"]), str(known.get("category") or ""), sizes)
