"""What of the catalogue a message names, and where; what nobody knows is named only where it is surely ordered."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

from hilo.recognisers.amounts.numbers import numbers_of
from hilo.recognisers.amounts.tokens import at, tokens, touches, word
from hilo.recognisers.normalise import fold
from hilo.understanding.orders import words
from hilo.understanding.orders.catalogue import Catalogue
from hilo.understanding.orders.catalogue_terms import sound_key, terms_of
from hilo.understanding.orders.catalogue_words import distance, near_words, split_word
from hilo.understanding.orders.page import Count, Page

_SHORT, _LONG = 5, 8  # letters: what is shorter has too many neighbours, what is longer may have two slips
_PREFIX = 4
_SHORTEST_CUT, _FEW = 3, 20  # letters of a word that is cut short, products that it may be of
SIZE_FROM = 100  # "coca 500" is a size, "coca 2" a quantity
_MOST_CALLED = 4  # products that are offered for a word that only resembles them
_SAME = 0.95  # how alike the words are that are one word in other letters
_LEADING = words.ARTICLES | words.ONE | {"sin", "con", "de"}
_JOINING = words.JOINERS | {"o"}  # bon o bon
_MOST_WORDS = 6  # of something that no catalogue knows

_Phrase = tuple[tuple[str, ...], tuple[str, ...]]  # what is said, and the words of what is meant


@dataclass(frozen=True, slots=True)
class Spot:
    """Something that is sold: how it is named, the tokens, and the numbers of the products that it may be."""

    text: str
    first: int
    last: int
    goods: frozenset[int] = frozenset()
    known: bool = True
    heads: bool = True  # named by what a product is, not by how it is made
    completed: bool = False  # what it is was said before: 2 aguas con gas y una sin gas
    resized: bool = False  # only another size of what was said before
    alike: bool = False  # only resembles a word of the catalogue


@dataclass(frozen=True, slots=True, eq=False)
class Shelf:
    """A catalogue as messages name it: which products each word may mean."""

    catalogue: Catalogue
    heads: frozenset[str] = frozenset()
    joined: frozenset[tuple[str, str]] = frozenset()
    numbered: Mapping[tuple[int, str], tuple[str, frozenset[int]]] = field(default_factory=dict)  # cuatro quesos, 7up
    phrases: Mapping[str, list[_Phrase]] = field(default_factory=dict)  # by their first word
    kept: dict[str, Mapping[str, float]] = field(default_factory=dict)

    def holders(self, key: str) -> frozenset[int]:
        """The products that hold a term."""
        term = self.catalogue.vocabulary.ids.get(key)
        starts = self.catalogue.starts
        return (
            frozenset(self.catalogue.holders[starts[term] : starts[term + 1]].tolist()) if term is not None else _NONE
        )

    def is_sold(self, text: str) -> bool:
        """Whether a word is one of the catalogue as it is written, or what people call something of it."""
        known, key = self.catalogue.vocabulary.ids, sound_key(text)
        return key in known or any(meant in known for meant in self.catalogue.other_names(text))

    def is_head(self, text: str) -> bool:
        """Whether a word is what something is called that is sold."""
        return sound_key(text) in self.heads


_NONE: frozenset[int] = frozenset()


def build_shelf(catalogue: Catalogue) -> Shelf:
    """What naming the goods of a catalogue takes, made once."""
    heads: set[str] = set()
    joined: set[tuple[str, str]] = set()
    numbered: dict[tuple[int, str], tuple[str, frozenset[int]]] = {}
    opening: set[str] = set()
    for place, product in enumerate(catalogue.products):
        named = [(written, keys[0]) for written, keys in terms_of(product.name) if keys[0].isalpha()]
        whole = [keys[0] for _, keys in terms_of(f"{product.brand} {product.category}")]
        first = [keys[0] for keyword in product.keywords for _, keys in terms_of(keyword)[:1]]
        heads |= {key for key in (*(key for _, key in named[:1]), *whole, *first) if key.isalpha()}
        said = product.name.casefold().split()
        pairs = [(said[i - 1], said[i + 1]) for i in range(1, len(said) - 1) if said[i] in _JOINING]
        joined |= {(sound_key(_folded(one)), sound_key(_folded(other))) for one, other in pairs}
        for pair, text in _numbered(product.name):
            numbered[pair] = text, numbered.get(pair, ("", _NONE))[1] | {place}
        opening.add(sound_key(word(tokens(fold(product.name)), 0)))
    numbered = {pair: goods for pair, goods in numbered.items() if pair[1] not in opening}  # tres leches, no milk
    heads -= set(map(sound_key, words.ADJECTIVES))
    phrases: dict[str, list[_Phrase]] = {}
    for phrase, meant in catalogue.phrases.items():
        phrases.setdefault(phrase[0], []).append((phrase, meant))
    for some in phrases.values():
        some.sort(key=lambda each: -len(each[0]))  # the longest first
    return Shelf(catalogue, frozenset(heads), frozenset(joined), numbered, phrases)


def _numbered(name: str) -> Iterator[tuple[tuple[int, str], str]]:
    """The numbers in a name, each with the word after it, and how both are written."""
    folded = fold(name)
    toks = tokens(folded)
    for number in numbers_of(toks):
        after = word(toks, number.last + 1)
        if after.isalpha() and after not in words.UNITS:
            text = folded[toks[number.first].start : toks[number.last + 1].end]
            yield (int(number.value), sound_key(after)), text


def _folded(text: str) -> str:
    return next(iter(terms_of(text)), (text, ("",)))[0]


def find_spots(page: Page, shelf: Shelf) -> list[Spot]:
    """The longest names first come: a word belongs to the name before it where one product holds both."""
    taken = {index for verb in page.verbs.values() for index in range(verb.first, verb.last)}
    taken |= {index for count in page.counts.values() for index in range(count.first + 1, count.last)}
    spots: list[Spot] = []
    index = 0
    while index < len(page.toks):
        before = spots[-1] if spots else None
        variety = _variety_at(page, shelf, index, before)
        if variety:
            spots.append(variety)
            index = variety.last
            continue
        spot = _spot_at(page, shelf, index) if index not in taken else None
        if spot:
            spots.append(_completed(page, shelf, spot, before))
        index = spot.last if spot else index + 1
    return spots


def _variety_at(page: Page, shelf: Shelf, first: int, before: Spot | None) -> Spot | None:
    """La coca pasala a sin azúcar: a variety of what was named before, which the catalogue calls otherwise."""
    called = words.WITHOUT.get(f"{page.word(first)} {page.word(first + 1)}", ())
    if before is None or before.last == first:
        return None
    head = before.text.split()[0]
    goods = shelf.holders(sound_key(head))
    found = next((each for each in called if goods & shelf.holders(sound_key(each))), "")
    shared = goods & shelf.holders(sound_key(found))
    return Spot(f"{head} {found}", first, first + 2, shared, completed=True) if found else None


def _spot_at(page: Page, shelf: Shelf, first: int) -> Spot | None:
    numbered = _numbered_at(page, shelf, first)
    phrase = None if numbered else _phrase_at(page, shelf, first)
    named = numbered or (phrase and phrase[1:]) or _named(page, shelf, first)
    if not named:
        return None
    key, text, last = named
    goods, said, heads = shelf.holders(key), {first: text}, key in shelf.heads or bool(numbered or phrase)
    if numbered:
        goods = next(held for written, held in shelf.numbered.values() if written == text)
    elif phrase:
        goods = phrase[0]
    slipped = _terms(shelf, page.word(first)).get(key, 1) < _SAME
    alike = slipped and _is_another_word(sound_key(page.word(first)), key) and last == first + 1
    said |= dict.fromkeys(range(first + 1, last), "")
    while (step := _step(page, shelf, last, goods)) is not None:
        key, text, goods, last = step
        said[last - 1], heads, alike = text, heads or key in shelf.heads, False  # a second word tells
    variety = page.word(last + 1)
    a_word = at(page.toks, last + 1).kind == "word" and variety not in words.ADJECTIVES | words.NOT_PRODUCTS
    if page.word(last) in ("de", "d") and a_word and not _ends(page, last + 1):
        last += 2  # cocas de vainilla: what it is like is part of it
    text = _without(page, shelf, goods, (first, last)) or _text(page, first, last, said)
    return Spot(text, first, last, goods, heads=heads, alike=alike)


def _without(page: Page, shelf: Shelf, goods: frozenset[int], span: tuple[int, int]) -> str:
    """The name of the only goods that are left "sin" something that no name says that it lacks."""
    said = [page.word(index) for index in range(*span)]
    names = {fold(shelf.catalogue.products[number].name) for number in goods}
    only = names.pop() if len(names) == 1 and "sin" in said else ""
    return only if "sin" not in only.split() else ""


def _text(page: Page, first: int, last: int, spelled: Mapping[int, str] = MappingProxyType({})) -> str:
    """The words from one token to another as they stand, misspelled ones as they are spelled."""
    said = {i: spelled.get(i, {"d": "de"}.get(page.word(i), page.word(i))) for i in range(first, last)}
    parts = ((" " if i > first and not touches(page.toks, i) else "") + text for i, text in said.items() if text)
    return "".join(parts)


def _step(page: Page, shelf: Shelf, last: int, goods: frozenset[int]) -> tuple[str, str, frozenset[int], int] | None:
    """The next word of a name, after the small words of names; not where the next line or a number stands."""
    index = last
    while page.word(index) in words.LINKS | _JOINING and index - last < 2 and index not in page.openings:  # noqa: PLR2004
        index += 1
    if index in page.openings or index in page.verbs or (index in page.asked) != (last - 1 in page.asked):
        return None
    named = _named(page, shelf, index, among=goods) or _number_of_name(page, shelf, index, goods)
    if not named:
        return None
    between = [page.word(i) for i in range(last, index)]
    left = goods & shelf.holders(named[0])
    if "sin" in between and not left & shelf.holders("sin"):
        left = goods - left  # agua sin gas, where there is only agua con gas and agua mineral
    before = sound_key(page.word(last - 1))
    if _JOINING.intersection(between) and (before, named[0]) not in shelf.joined:
        return None
    return (*named[:2], left, named[2]) if left else None


def _number_of_name(page: Page, shelf: Shelf, index: int, goods: frozenset[int]) -> tuple[str, str, int] | None:
    """The number in a name: funda iphone 13, cargador de 65, harina 0000; and its letters: funda a54."""
    glued = touches(page.toks, index + 1) and at(page.toks, index).kind == "word"
    token = at(page.toks, index + glued)
    if token.kind != "digits":
        return None
    named = [number for number in goods if token.text in _digits_of(shelf.catalogue.products[number].name)]
    tells = 0 < len(named) < len(goods) or (named and len(token.text) > 1)
    return (token.text, token.text, index + glued + 1) if tells and shelf.holders(token.text) else None


@lru_cache(maxsize=8192)
def _digits_of(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"\d+", name))


def _phrase_at(page: Page, shelf: Shelf, first: int) -> tuple[frozenset[int], str, str, int] | None:
    """The products that a name of several words stands for, the first word of theirs, and all of them as written."""
    opening = page.word(first)
    for phrase, meant in shelf.phrases.get(sound_key(opening), ()):
        if len(phrase) == 1 and not shelf.catalogue.is_spelled(opening, phrase[0]):
            continue
        if all(sound_key(page.word(first + place)) == part for place, part in enumerate(phrase)):
            goods = frozenset.intersection(*map(shelf.holders, meant))
            text = " ".join(_written(shelf, key) for key in meant)
            return goods, meant[0], text, first + len(phrase)
    return None


def _numbered_at(page: Page, shelf: Shelf, first: int) -> tuple[str, str, int] | None:
    """The term that a name with a number in it is found by: cuatro quesos."""
    count = page.counts.get(first)
    key = sound_key(page.word(count.last)) if count else ""
    found = shelf.numbered.get((int(count.value), key)) if count and not count.unit else None
    return (key, found[0], count.last + 1) if found and count else None


def _named(page: Page, shelf: Shelf, index: int, *, among: frozenset[int] = _NONE) -> tuple[str, str, int] | None:
    """The term that a word names, the word as the catalogue writes it, and where it ends."""
    token = at(page.toks, index)
    text = token.text
    if token.kind != "word" or (index in page.counts and not among) or index in page.verbs:
        return None
    if text in words.NEVER and not _is_sold_here(page, shelf, index):
        return None
    if len(text) == 1 and not among and page.word(index + 1) != "&":
        return None  # "mmm" is no M&M
    found = _terms(shelf, text)
    fitting = {key: alike for key, alike in found.items() if not among or among & shelf.holders(key)}
    best = max(fitting, key=lambda key: fitting[key], default="") or _cut(shelf, text, among)
    if not best:
        return None
    return best, text if fitting.get(best) == 1 else _written(shelf, best), index + 1


def _is_sold_here(page: Page, shelf: Shelf, index: int) -> bool:
    """Whether a small word is what something is called: "un té", "2 te", "sacá el té", where "te" mostly is none."""
    counted = any(count.last == index for count in page.counts.values())
    led = counted or page.word(index - 1) in _LEADING
    return led and page.word(index) not in _LEADING and shelf.is_head(page.word(index))


def _cut(shelf: Shelf, text: str, among: frozenset[int]) -> str:
    """The word of some products that another one is the beginning of: papel hig."""
    key = sound_key(text)
    if len(key) < _SHORTEST_CUT or text in words.COMMON or not 0 < len(among) <= _FEW:
        return ""
    names = [shelf.catalogue.products[number].name for number in among]
    keys = [keys[0] for name in names for _, keys in terms_of(name)]
    return next((each for each in keys if each.startswith(key)), "")


def _terms(shelf: Shelf, text: str) -> Mapping[str, float]:
    """The words of the catalogue that a word may be, with how alike they are; sound decides what is a misspelling."""
    if text not in shelf.kept:
        if len(shelf.kept) > 4096:  # noqa: PLR2004 -- words of messages, not of the catalogue
            shelf.kept.clear()
        shelf.kept[text] = dict(_alike(shelf, text))
    return shelf.kept[text]


def _alike(shelf: Shelf, text: str) -> Iterator[tuple[str, float]]:
    vocabulary, key = shelf.catalogue.vocabulary, sound_key(text)
    if key in vocabulary.ids:
        written = _written(shelf, key)
        another = text in words.NOT_PRODUCTS and not written.startswith(text[:-1])  # barrio is not varios
        if not another and not (
            text[0] == "h" and written[0] != "h"
        ):  # an h gets lost, and is not found: hice is no ice
            yield key, 1.0
        return
    smaller = [key.removesuffix(ending) for ending in words.DIMINUTIVES if key.endswith(ending)]
    bases = [stem + vowel for stem in smaller if len(stem) > 1 for vowel in ("", "a", "o", "e", "t")]
    bases += [sound_key(f"{text[:place]}l{text[place:]}") for place, letter in enumerate(text) if letter == "l"]
    also = [*shelf.catalogue.other_names(text)]
    also += [other for base in bases for other in shelf.catalogue.names.get(base, ())]
    known = [each for each in (*bases, *also) if each in vocabulary.ids]
    if known:
        yield known[0], 0.95
        return
    if text in words.COMMON or len(key) < _PREFIX:
        return
    for term, alike in near_words(vocabulary, key).items():
        meant = vocabulary.keys[term]
        if meant.startswith(key) or _is_slip(key, meant):
            yield meant, alike * 0.9
    glued = (split_word(vocabulary, each, sure=True) for each in (key, *bases) if len(each) > _SHORT)
    for half in next(filter(None, glued), ()):
        yield from ((vocabulary.keys[term], 0.85) for term in half)


def _is_slip(written: str, meant: str) -> bool:
    """Whether one word is the other mistyped: letters swapped, lost or doubled, or another one in a long word."""
    if written[0] != meant[0] or not meant.isalpha() or min(len(written), len(meant)) < _PREFIX:
        return False
    slips = distance(written, meant)
    if slips == 1 and len(written) == len(meant):
        return len(meant) > _SHORT or sorted(written) == sorted(meant)
    return slips == 1 or (slips == 2 and len(meant) >= _LONG)  # noqa: PLR2004


def _is_another_word(written: str, meant: str) -> bool:
    """Whether a letter stands in another's place: "velos" may be a word of its own, "vleas" is "velas" mistyped."""
    if len(written) != len(meant) or sorted(written) == sorted(meant):
        return False
    return 0 < distance(written, meant) <= 2  # noqa: PLR2004


def called(shelf: Shelf, spot: Spot) -> tuple[str, ...]:
    """What the products are called that a spot may be: with their sizes, if these are few."""
    products = [shelf.catalogue.products[number] for number in sorted(spot.goods)]
    names = dict.fromkeys(f"{each.name} {each.size}".strip() for each in products)
    if len(names) > _MOST_CALLED:
        names = dict.fromkeys(each.name for each in products)
    return tuple(names)[:_MOST_CALLED]


@lru_cache(maxsize=4096)
def _spelling(catalogue: Catalogue, key: str) -> str:
    for product in catalogue.products:
        for written, keys in terms_of(
            " ".join((product.name, product.brand, product.category, product.size, *product.keywords))
        ):
            if keys[0] == key:
                return written
    return key


def _written(shelf: Shelf, key: str) -> str:
    return _spelling(shelf.catalogue, key)


def _completed(page: Page, shelf: Shelf, spot: Spot, before: Spot | None) -> Spot:
    """2 tés con limón y uno con miel, 2 pizzas de muzza y una de jamón: what is counted goes without saying."""
    if before is None or (spot.heads and not (_only_tells(page, spot) and spot.goods & before.goods)):
        return spot
    if all(page.word(index) in words.ADJECTIVES for index in range(spot.first, spot.last)):
        return _resized(shelf, spot, before)
    head, link = before.text.split()[0], page.word(spot.first - 1)
    shared = spot.goods & shelf.holders(sound_key(head))
    without = shelf.holders("sin")
    shared = {"con": shared - without, "sin": shared & without}.get(link) or shared
    text = " ".join((head, link, spot.text) if link in words.VARIES else (head, spot.text))
    return replace(spot, text=text, goods=shared, completed=True) if shared else spot


def _only_tells(page: Page, spot: Spot) -> bool:
    """El alfajor que sea de chocolate: what follows is what something shall be like, and no other thing."""
    link = spot.first - 1 - (page.word(spot.first - 1) in words.VARIES)
    return page.word(link) in ("sea", "sean") and page.word(link - 1) in ("que", "q")


def _resized(shelf: Shelf, spot: Spot, before: Spot) -> Spot:
    """Una coca grande, no, dos chicas: the size of what was named before."""
    named = [each for each in before.text.split() if each not in words.ADJECTIVES]
    sized = " ".join((*named, spot.text))
    goods = spot.goods & before.goods
    if not goods:  # plátanos maduros y verdes: another kind of it
        goods = spot.goods & shelf.holders(sound_key(named[0] if named else spot.text))
        sized = " ".join((*named[:1], spot.text)) if goods else sized
    return replace(spot, text=sized, goods=goods or before.goods, completed=True, resized=True)


def guess(page: Page, first: int) -> Spot | None:
    """What is named at a token by words that nobody knows: up to the next word that no name holds."""
    last, words_left = first, _MOST_WORDS
    while last < len(page.toks) and words_left and not (last in page.openings and last > first):
        text, glued = page.word(last), touches(page.toks, last) and touches(page.toks, last + 1)
        following = page.counts.get(last + 1)
        sized = last in page.counts and last > first and _measures(page.counts[last])
        linked = text in words.LINKS_OF_NAMES and last > first
        linked = linked and (_measures(following) if following else not _opens(page, last + 1))
        named = page.toks[last].kind != "mark" or (text in words.GLUE and glued)
        if not named or not (linked or sized or not _ends(page, last)):
            break
        last, words_left = (page.counts[last].last if sized else last + 1), words_left - 1
    while last > first and page.word(last - 1) in words.LINKS:
        last -= 1
    head = page.word(first)
    after_verb = any(verb.last == first for verb in page.verbs.values())
    infinitive = after_verb and head.endswith(("ar", "er", "ir"))  # quiero saber, quiero pagar
    said = {page.word(index) for index in range(first, last)}
    unfit = head in words.NOT_PRODUCTS | words.ONLY | words.WHOLE or said <= words.ADJECTIVES
    if last == first or at(page.toks, first).kind != "word" or unfit or infinitive:
        return None
    return Spot(_text(page, first, last), first, last, known=False)


def _measures(count: Count) -> bool:
    """Whether a number after a name is a size: coca 500, fanta de litro y medio."""
    return count.unit in words.MEASURES or count.value >= SIZE_FROM or count.value != int(count.value)


def _opens(page: Page, index: int) -> bool:
    return (
        page.word(index) in words.NOT_PRODUCTS
        or index in page.counts
        or index in page.verbs
        or page.word(index) in words.NEVER - words.LINKS
    )


def _ends(page: Page, index: int) -> bool:
    text = page.word(index)
    stops = index in page.counts or index in page.verbs or index in page.asked
    return stops or text in words.NEVER or text in words.TALK or text in words.FILLERS
