"""Find order lines: what a message adds to an order, takes out of it or changes in it.

What the catalogue knows is spotted first; numbers and sizes go to what they stand beside; then the words around each
thing say what happens to it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal

from hilo.recognisers.amounts.tokens import at, word
from hilo.recognisers.normalise import Text
from hilo.understanding.orders import words
from hilo.understanding.orders.catalogue_terms import sound_key, terms_of
from hilo.understanding.orders.page import Count, Page, Verb, read_page
from hilo.understanding.orders.spots import SIZE_FROM, Shelf, Spot, find_spots, guess

__all__ = ["OrderLine", "find_order_lines"]

_DOZEN = 12
_MOST = 1000  # of something that is not named; what is more is somebody's number
_LONGEST = 4000  # tokens; nobody orders in more
_INSTEAD = (("en", "vez", "de"), ("en", "lugar", "de"), ("instead", "of"), ("envez", "de"))
_INTO = frozenset(("por", "x", "a", "para", "con", "for", "to"))
_SORRY = frozenset(("no", "perdon", "digo", "mejor", "mentira", "espera", "bueno", ",", ".", "ay", "dije"))
# between a name and a number behind it: coca x2, coca: 2, tomates, como 3
_BEHIND = frozenset(("x", ",", ":", "(", "-", "=", "unos", "unas", "tambien", "de", "los", "otros", "por"))
_MOST_BEHIND = 2
_BUT = frozenset(("menos", "excepto", "salvo"))
_NOT = frozenset(("sin", "menos", "no", "excepto", "salvo"))


@dataclass(frozen=True, slots=True)
class OrderLine:
    """One change of an order; no quantity where all of a product goes, no product where the last one is meant."""

    action: str
    quantity: int | Decimal | None
    product: str
    unit: str
    notes: str
    start: int
    end: int
    confidence: int
    known: bool = True


@dataclass(slots=True)
class _Item:
    """Something that is named, with its number and size, and what happens to it as far as it is read."""

    spot: Spot
    first: int
    last: int
    count: Count | None = None
    size: str = ""
    action: str = ""
    verb: Verb | None = None
    asked: bool = False
    bare: bool = True  # nothing but courtesy stands around it

    @property
    def counted(self) -> bool:
        """Whether it was said how many."""
        return self.count is not None


@dataclass(slots=True)
class _Reader:
    """Where the reading stands: the verb that governs, what was named, and what is done so far."""

    page: Page
    items: dict[int, _Item]
    known: bool
    verb: Verb | None = None
    action: str = ""
    swapped: _Item | None = None  # what something else comes in place of
    told: bool = False  # the clause tells or asks, and orders nothing
    loose: list[_Item] = field(default_factory=list)  # named, and nothing said of it yet
    done: list[_Item] = field(default_factory=list)
    lines: list[OrderLine] = field(default_factory=list)


def find_order_lines(text: Text, *, country: str = "", shelf: Shelf | None = None) -> tuple[OrderLine, ...]:
    """The lines of an order in a message; questions and other talk give none."""
    page = read_page(text, country)
    if not page.toks or len(page.toks) > _LONGEST:
        return ()
    spots = find_spots(page, shelf) if shelf else []
    if not spots and not page.verbs and not page.counts and not page.listed:
        return ()
    items = _items(page, shelf, spots)
    reader = _Reader(page, {item.first: item for item in items}, known=shelf is not None)
    _read(reader)
    return tuple(_lines(reader))


# --- what is named, how many of it, and of which size ---------------------------------------------------


def _items(page: Page, shelf: Shelf | None, spots: list[Spot]) -> list[_Item]:
    """Every spot with what belongs to it, and what is ordered that nobody knows."""
    covered = {index for spot in spots for index in range(spot.first, spot.last)}
    for first in sorted(_guessed(page, covered, every=shelf is None)):
        found = guess(page, first) if first not in covered else None
        if found and covered.isdisjoint(range(found.first, found.last)):
            spots.append(found)
            covered |= set(range(found.first, found.last))
    items = [_Item(spot, spot.first, spot.last, asked=spot.first in page.asked) for spot in sorted(spots, key=_place)]
    for item in items:
        _read_size(page, shelf, item)
    _read_counts(page, items)
    return _told_apart(page, [_packed(shelf, item) for item in items])


def _packed(shelf: Shelf | None, item: _Item) -> _Item:
    """2 latas de cerveza: the package is the size, where the catalogue has one of that name."""
    if (
        shelf
        and item.count
        and item.count.unit not in words.MEASURES | {""}
        and _fits(shelf, item.spot, item.count.unit)
    ):
        item.size = f"{item.size} {item.count.unit}".strip()
        item.count = replace(item.count, unit="")
    return item


def _told_apart(page: Page, items: list[_Item]) -> list[_Item]:
    """Un vino tinto, malbec: what follows a comma and is one of what was named says which."""
    kept: list[_Item] = []
    for item in items:
        before = kept[-1] if kept else None
        near = before and item.first == before.last + 1 and word(page.toks, before.last) == ","
        if before and near and not item.counted and item.spot.known and item.spot.goods < before.spot.goods:
            spot = replace(before.spot, text=f"{before.spot.text} {item.spot.text}", goods=item.spot.goods)
            kept[-1] = replace(before, spot=spot, last=item.last)
        else:
            kept.append(item)
    return kept


def _place(spot: Spot) -> int:
    return spot.first


def _guessed(page: Page, covered: set[int], *, every: bool) -> Iterator[int]:
    """Where something may be named that no catalogue knows: after a verb of ordering, or a number in its reach."""
    governed, ordered = every, False
    for index in range(len(page.toks)):
        if index in page.verbs:
            verb = page.verbs[index]
            governed = verb.kind in {"add", "remove", "change"} or (governed and verb.kind == "set")
            after = _past(page, verb.last, words.ARTICLES | words.FILLERS - {"no"})
            if governed and after not in page.counts and after not in page.verbs:
                yield after
            ordered = governed
        elif index in page.counts and governed and index not in covered:
            yield _past(page, page.counts[index].last, words.SKIPPED)
            ordered = True
        elif index in page.listed or (every and ordered and word(page.toks, index - 1) in words.AND):
            yield _past(page, index, words.ARTICLES)
        elif (
            every
            and (index in page.openings or word(page.toks, index - 1) in ("de", "of"))
            and index + 1 < len(page.toks)
        ):
            subject = word(page.toks, index) in words.ARTICLES or any(
                _stands_before(page, index, each) for each in _INSTEAD
            )
            yield from [_past(page, index, words.ARTICLES)] if subject else []
        if word(page.toks, index) in words.TELLING or index in page.asked:
            governed = ordered = False


def _stands_before(page: Page, index: int, phrase: tuple[str, ...]) -> bool:
    return _stands(page, index - len(phrase), phrase)


def _past(page: Page, index: int, skipped: frozenset[str]) -> int:
    while word(page.toks, index) in skipped and index not in page.counts:
        index += 1
    return index


def _read_size(page: Page, shelf: Shelf | None, item: _Item) -> None:
    """The size after a name: de 500, litro y medio, de las grandes, en lata."""
    while shelf and item.spot.known:
        start = _past(page, item.last, frozenset(("de", "d", "del", "en", "la", "las", "el", "los", "x", "-")))
        linked, text = start > item.last, word(page.toks, start)
        found = page.counts.get(start)
        if start in page.openings or word(page.toks, start - 1) == "x":
            return
        if found and _is_size(shelf, item.spot, found, linked=linked):
            item.size, item.last = f"{item.size} {_measure(found)}".strip(), found.last
        elif text in words.ADJECTIVES or (text and _fits(shelf, item.spot, text) and text not in words.NEVER):
            item.size, item.last = f"{item.size} {text}".strip(), start + 1
        elif (free := _without(page, shelf, item)) is not None:
            item.size, item.last = f"{item.size} {free}".strip(), item.last + 2
        else:
            return


def _without(page: Page, shelf: Shelf, item: _Item) -> str | None:
    """Sin azúcar, as the catalogue calls it for this product."""
    said = f"{word(page.toks, item.last)} {word(page.toks, item.last + 1)}"
    return next((each for each in words.WITHOUT.get(said, ()) if _fits(shelf, item.spot, each)), None)


def _is_size(shelf: Shelf, spot: Spot, count: Count, *, linked: bool) -> bool:
    if count.unit in words.MEASURES:
        return True
    if count.unit:
        return _fits(shelf, spot, count.unit)
    part = count.value != int(count.value)
    return part or count.value >= SIZE_FROM or (linked and _fits(shelf, spot, str(count.value)))


def _fits(shelf: Shelf, spot: Spot, text: str) -> bool:
    """Whether a product that is meant holds a word or a size."""
    return any(spot.goods & shelf.holders(key) for _, keys in terms_of(text) for key in (*keys, sound_key(text)))


def _measure(count: Count) -> str:
    """A size as catalogues write it: 500 ml for half a litre."""
    value, unit = count.value, count.unit
    smaller = {"kg": "g", "l": "ml"}.get(unit)
    if smaller and value < 1:
        return f"{int(value * 1000)} {smaller}"
    return f"{int(value * 1000)}" if not unit and value < 1 else f"{value} {unit}".strip()


def _read_counts(page: Page, items: list[_Item]) -> None:
    """Every number goes to what it stands before; where none does, to what it stands after."""
    starts = {item.spot.first: item for item in items}
    inside = {index for item in items for index in range(item.spot.first, item.last)}
    free = [count for index, count in sorted(page.counts.items()) if index not in inside and count.unit != "docena"]
    trailing = _is_trailing(items, free)
    sizes: set[int] = set()
    for count in free:
        if count.first in sizes:
            continue
        item = None if trailing else _counted_by(page, starts, count, sizes)
        if item and (item.count is None or (count.said and not item.count.said)):
            item.count, item.first = count, min(item.first, count.first)
            if word(page.toks, item.first - 1) == "x":
                item.first -= 1
    taken = {index for item in items if item.count for index in range(item.count.first, item.count.last)}
    for item in items:
        _read_trailing(page, item, taken)


def _each(page: Page, count: Count) -> bool:
    """Dos de cada uno."""
    return word(page.toks, count.last) in ("de", "por", "x") and word(page.toks, count.last + 1) == "cada"


def _is_trailing(items: list[_Item], free: list[Count]) -> bool:
    """Leche 2, fanta 1: the numbers stand behind."""
    if not items or not free or free[0].first < items[0].spot.first:
        return False
    return free[-1].first >= items[-1].last and len(free) >= len(items)


def _counted_by(page: Page, starts: dict[int, _Item], count: Count, sizes: set[int]) -> _Item | None:
    """What stands after a number: 2 cocas, 3 de fanta, una de litro de soda, 2 latas de cerveza."""
    index = _past(page, count.last, words.SKIPPED)
    if index in starts:
        return starts[index]
    size = page.counts.get(index)
    if size and word(page.toks, index - 1) in words.ARTICLES and size.last in starts:  # 3 de las 5 empanadas
        sizes.add(size.first)
        return starts[size.last]
    after = _past(page, size.last, words.SKIPPED) if size and word(page.toks, index - 1) in words.VARIES else -1
    if after in starts and word(page.toks, after - 1) in words.VARIES and size:
        starts[after].size = f"{starts[after].size} {_measure(size)}".strip()
        sizes.add(size.first)
        return starts[after]
    part = word(page.toks, index)  # un combo de papas, una ronda de cervezas
    if word(page.toks, index + 1) in ("de", "d") and part not in words.NOT_PRODUCTS | words.NEVER:
        return starts.get(_past(page, index + 2, words.ARTICLES))
    if word(page.toks, index) in words.ADJECTIVES and _past(page, index + 1, words.SKIPPED) in starts:
        item = starts[_past(page, index + 1, words.SKIPPED)]
        item.size = f"{item.size} {word(page.toks, index)}".strip()
        return item
    return None


def _read_trailing(page: Page, item: _Item, taken: set[int]) -> None:
    """Coca x2, coca: 2, coca (2), tomates, como 3."""
    if item.count and item.count.said:
        return
    index = item.last
    while word(page.toks, index) in _BEHIND and index - item.last <= _MOST_BEHIND and index not in page.openings:
        index += 1
    count = page.counts.get(index)
    if (
        count is None
        or index in taken
        or _each(page, count)
        or index in page.openings
        or not (count.said or count.unit)
    ):
        return
    item.count, item.last = count, count.last + (word(page.toks, count.last) == ")")
    taken |= set(range(count.first, count.last))


# --- what happens to it ---------------------------------------------------------------------------------


def _read(reader: _Reader) -> None:
    page, index = reader.page, 0
    while index < len(page.toks):
        if index in page.openings and index:
            _end_clause(reader, line=index in page.listed and word(page.toks, index - 1) not in ".;!?")
        index = max(_read_at(reader, index), index + 1)
    _end_clause(reader, line=False)


def _read_at(reader: _Reader, index: int) -> int:
    """Read on from a token: something that is named, a verb, a number that counts what was named before, or a word."""
    page, text = reader.page, word(reader.page.toks, index)
    instead = next((len(phrase) for phrase in _INSTEAD if _stands(page, index, phrase)), 0)
    if instead:
        return _read_instead(reader, index + instead)
    if index in page.verbs:
        return _read_verb(reader, page.verbs[index])
    if index in reader.items:
        return _read_item(reader, reader.items[index])
    if index in page.counts:
        return _read_count(reader, page.counts[index])
    if text in words.TIMES and reader.loose:
        reader.loose[-1].count = Count(words.TIMES[text], "", index, index + 1)
        _govern(reader, reader.loose[-1], "set")
    offers = "si" in {word(page.toks, index - 1), word(page.toks, index - 2)}  # si se puede, si hay
    offers = offers or "todo" in {word(page.toks, index - 1), word(page.toks, index + 1)}  # eso es todo
    if text == ":" or (text == "," and reader.told and not reader.loose and reader.verb is None):
        reader.told = False  # quiero hacer un pedido: …; soy Ana, 2 cocas
    if text in words.TELLING and not offers and index not in page.asked:
        reader.told, reader.action = True, ""
    elif (text in words.ABOUT and word(page.toks, index + 1) in ("de", "del")) or page.is_code(index):
        reader.told, reader.action = True, ""  # la lista de bebidas, el precio de la coca, 1e9
    elif text == "mejor" and reader.done and reader.done[-1].counted and reader.done[-1].action == "add":
        reader.done[-1].action = "set"
    elif text not in words.COMMON and at(page.toks, index).kind == "word":
        _crowd(reader)
    return index + 1


def _stands(page: Page, index: int, phrase: tuple[str, ...]) -> bool:
    return all(word(page.toks, index + place) == part for place, part in enumerate(phrase))


def _crowd(reader: _Reader) -> None:
    for item in reader.loose:
        item.bare = False


def _read_item(reader: _Reader, item: _Item) -> int:
    """What the words right before a thing, or the verb that governs, do with it."""
    page, before = reader.page, _before(reader.page, item.first)
    if item.asked:
        reader.loose.append(item)
    elif not item.counted and word(page.toks, before) in ("de", "para") and word(page.toks, before - 1) in words.AND:
        return item.last  # y de postre un flan
    elif reader.verb and (reader.action == "change" or _swaps(reader)):
        _read_change(reader, item)
    elif word(page.toks, before) in _BUT and (reader.action == "remove" or word(page.toks, before - 1) == "todo"):
        item.spot = Spot(f"todo menos {item.spot.text}", item.spot.first, item.spot.last, item.spot.goods)
        _govern(reader, item, "remove")
    elif word(page.toks, before) in _NOT:
        _govern(reader, item, "set" if word(page.toks, before) == "no" and item.counted else "remove")
    elif not item.spot.known and reader.known and not (item.counted and reader.action == "add"):
        return item.last  # what nobody knows is ordered only in so many words
    elif reader.action and not reader.told:
        old = reader.swapped
        swaps = reader.action == "set" and old is not None and old.spot.text != item.spot.text
        item.count = item.count or (old.count if old else None)
        _govern(reader, item, "add" if swaps else reader.action)
    elif word(page.toks, before) in ("por", "x") and reader.loose and reader.loose[-1].last == before:
        _govern(reader, reader.loose.pop(), "remove")
        _govern(reader, item, "add")
    elif item.counted and _stands_before(page, item.first, ("al", "final")):
        _govern(reader, item, "set")
    else:
        item.bare = not reader.told
        reader.loose.append(item)
    return _read_after(reader, item)


def _before(page: Page, first: int) -> int:
    """The word before a thing and its articles; "no, 3 cocas" is about the no."""
    index = first - 1
    while word(page.toks, index) in words.ARTICLES:
        index -= 1
    return index - 1 if word(page.toks, index) == "," and word(page.toks, index - 1) == "no" else index


def _read_after(reader: _Reader, item: _Item) -> int:
    """A bare "no" right after a thing takes it out, unless it only corrects what was counted: el pan no."""
    page = reader.page
    if word(page.toks, item.last) == "no" and not item.counted and not item.asked and item.last not in page.verbs:
        if item in reader.loose:
            reader.loose.remove(item)
        _govern(reader, item, "remove")
        return item.last + 1
    return item.last


def _govern(reader: _Reader, item: _Item, action: str) -> None:
    item.action, item.verb = action, reader.verb if reader.action == action else None
    if item in reader.loose:
        reader.loose.remove(item)
    if item not in reader.done:
        reader.done.append(item)


def _swaps(reader: _Reader) -> bool:
    """La soda cambiala por una sidra."""
    into = reader.verb is not None and word(reader.page.toks, reader.verb.last - 1) == "por"
    return into and reader.action == "set" and bool(reader.loose) and not reader.loose[-1].asked


def _read_change(reader: _Reader, item: _Item) -> None:
    """Cambiá la coca por una fanta: one out, one in."""
    old = reader.loose[-1] if reader.loose else None
    if old is None:
        reader.loose.append(item)
        return
    if old.count and not item.count:
        item.count = old.count
    _govern(reader, old, "remove")
    _govern(reader, item, "add")
    reader.action = ""


def _read_instead(reader: _Reader, index: int) -> int:
    """En vez de la coca: the coke goes; en vez de 2: only a number is corrected."""
    start = _past(reader.page, index, words.ARTICLES)
    item = reader.items.get(start)
    if item:
        same = next((each for each in reader.done if each.spot.text == item.spot.text), None)
        if same:
            same.action = "set"
        else:
            _govern(reader, item, "remove")
            reader.swapped = item
        reader.action = "" if not reader.verb else reader.action
        return item.last
    count = reader.page.counts.get(start)
    if count and reader.done and reader.done[-1].action == "add":
        reader.done[-1].action = "set"
    return count.last if count else start


def _read_verb(reader: _Reader, verb: Verb) -> int:
    """A verb governs what comes after it; one with a pronoun, or with nothing after it, what was named before."""
    page = reader.page
    reader.told = verb.kind == "none"
    reader.verb, reader.action = verb, "" if verb.kind == "none" else verb.kind
    if verb.kind == "none":
        return verb.last
    after = _past(page, verb.last, words.ARTICLES | words.FILLERS)
    nothing = after not in reader.items and after not in page.counts and after not in page.verbs
    if verb.kind == "remove" and word(page.toks, verb.last) == "todo" and _ends_here(page, verb.last + 1):
        if not word(page.toks, verb.first).startswith(("cancel", "anul")):
            reader.lines.append(replace(_line_without(reader, verb, None), product="todo", confidence=80))
        return verb.last + 1
    if (verb.refers or nothing) and verb.kind in {"add", "remove"} and reader.loose and _is_about(reader, verb):
        for item in list(reader.loose):
            _govern(reader, item, verb.kind)
        reader.action = ""
    elif verb.refers and verb.kind == "remove" and not reader.done:
        reader.lines.append(_line_without(reader, verb, None))
        reader.action = ""
    return verb.last


def _is_about(reader: _Reader, verb: Verb) -> bool:
    """Whether a verb is about what was named before it: with a pronoun, or in the same breath."""
    item = reader.loose[-1]
    between = [word(reader.page.toks, i) for i in range(item.last, verb.first)]
    return verb.refers or (verb.kind == "remove" and not item.asked and len(between) <= 1)


def _read_count(reader: _Reader, count: Count) -> int:
    """A number alone: it counts what was named before, or corrects how many, or is about what was ordered last."""
    page = reader.page
    end = count.last + (word(page.toks, count.last) in ("mas", "more"))
    if _each(page, count):
        for item in reader.items.values():
            item.count = item.count or count
        return count.last + 2 + (word(page.toks, count.last + 2) in words.ONE)
    if (
        not _ends_here(page, end)
        or word(page.toks, count.first - 1) in words.VARIES
        or count.last - 1 in page.asked
        or count.unit in words.MEASURES
    ):
        return count.last
    sorry = word(page.toks, count.first - 1) in _SORRY and _SORRY - {",", "."} & {
        word(page.toks, i) for i in range(max(0, count.first - 3), count.first)
    }
    if reader.action in {"add", "set"} and reader.loose:
        item = reader.loose[-1]
        again = item.counted and word(page.toks, item.first - 1) not in words.ARTICLES  # 2 flanes, no, mejor 3
        item.count = count
        _govern(reader, item, "add" if reader.action == "add" or item.asked or again else "set")
    elif reader.action == "set" and reader.swapped and reader.swapped is reader.done[-1]:
        reader.swapped.count, reader.swapped.action = count, "set"  # en vez de coca que sean 3
    elif (sorry or reader.action == "set") and reader.done and reader.done[-1].action in {"add", "set"}:
        reader.done[-1].count = count
    elif (
        reader.verb and reader.action in {"add", "set", "remove"} and not reader.done and _is_right_after(reader, count)
    ):
        reader.lines.append(_line_without(reader, reader.verb, count))
    elif reader.action == "change" and reader.loose:
        reader.loose[-1].count = count
        _govern(reader, reader.loose[-1], "set")
    elif end > count.last and not reader.done and not reader.loose:
        reader.lines.append(_line_without(reader, Verb("add", count.first, count.last), count))
    return end


def _is_right_after(reader: _Reader, count: Count) -> bool:
    """Whether a number that counts nothing by name is still one of goods: dame 2, que sean 5."""
    start = reader.verb.last if reader.verb else count.first
    between = {word(reader.page.toks, i) for i in range(start, count.first)}
    return count.value < _MOST and between <= words.FILLERS | {"los", "las", ","}


def _ends_here(page: Page, index: int) -> bool:
    ends = at(page.toks, index).kind in {"end", "mark"} or index in page.openings
    return ends or word(page.toks, index) in words.FILLERS or word(page.toks, index) in ("mejor", "nomas")


def _line_without(reader: _Reader, verb: Verb, count: Count | None) -> OrderLine:
    """A change of what was ordered last, which is not named."""
    toks = reader.page.toks
    end = toks[(count.last if count else verb.last) - 1].end
    value = count.value if count else None
    return OrderLine(verb.kind, value, "", count.unit if count else "", "", toks[verb.first].start, end, 75)


def _end_clause(reader: _Reader, *, line: bool) -> None:
    """What was named and is governed by nothing is ordered where it is counted or a list, and nothing else is said."""
    page, told = reader.page, reader.told
    named = [item for item in reader.loose if not item.asked]
    listed = len(named) > 1 or bool(reader.done)
    for item in named:
        alone = item.bare and (listed or item.size or item.first in page.listed or item.last - 1 in page.listed)
        known = item.spot.known or (not reader.known and item.first in page.listed)
        if not told and (item.counted or (alone and known and _stands_apart(page, item))):
            _govern(reader, item, "add")
    reader.loose = [item for item in reader.loose if not item.action]
    reader.told = False
    if not (line and reader.action == "add") and word(page.toks, 0):
        reader.verb, reader.action = (reader.verb, reader.action) if line and reader.action == "add" else (None, "")


def _stands_apart(page: Page, item: _Item) -> bool:
    """Whether marks, joiners or courtesy stand around it."""
    before, after = word(page.toks, _before(page, item.first)), word(page.toks, item.last)
    around = words.AND | words.FILLERS | {"", "."}
    return (before in around or item.first in page.openings) and (after in around or item.last in page.openings)


def _lines(reader: _Reader) -> Iterator[OrderLine]:
    done = _broken_down(reader.page, sorted(_corrected(reader), key=lambda item: item.first))
    yield from (_line(reader, item) for item in done)
    yield from reader.lines if not done else ()


def _broken_down(page: Page, items: list[_Item]) -> list[_Item]:
    """4 empanadas, 2 de carne y 2 de pollo: parts that add up stand for the whole."""
    for place, whole in enumerate(items):
        parts = items[place + 1 :]
        made = [each for each in parts if each.count and word(page.toks, each.spot.first - 1) in words.VARIES]
        total = sum(each.count.value for each in made if each.count)
        dozens = whole.count is not None and whole.count.unit == "unit" and total * _DOZEN == whole.count.value
        if whole.count and len(made) > 1 and made == parts and (total == whole.count.value or dozens):
            return [*items[:place], *(_part(whole, part, _DOZEN if dozens else 1) for part in parts)]
    return items


def _part(whole: _Item, part: _Item, times: int) -> _Item:
    head, text = whole.spot.text.split()[0], part.spot.text
    text = text if text.startswith(head) else f"{whole.spot.text} de {text}"
    unit = "unit" if times > 1 else ""
    count = replace(part.count, value=part.count.value * times, unit=unit) if part.count else None
    return replace(part, spot=replace(part.spot, text=text), count=count)


def _corrected(reader: _Reader) -> list[_Item]:
    """Without what was taken back in the same message: una coca, no, mejor una fanta."""
    kept: list[_Item] = []
    for item in sorted(reader.done, key=lambda each: each.first):
        between = [word(reader.page.toks, i) for i in range(kept[-1].last, item.first)] if kept else []
        sorry = bool(between) and "no" in between and set(between) <= _SORRY | words.ARTICLES
        if sorry and kept[-1].action == "add" == kept[-1].action and item.action in {"add", "set"} and kept[-1].counted:
            item.action = "add"
            kept.pop()
        kept.append(item)
    return kept


def _line(reader: _Reader, item: _Item) -> OrderLine:
    toks, count, unit = reader.page.toks, item.count, item.count.unit if item.count else ""
    governs = item.verb and not any(item.verb is other.verb and other.first < item.first for other in reader.done)
    first = min(item.first, item.verb.first) if item.verb and governs else item.first
    quantity = count.value if count else None if item.action == "remove" else 1
    if unit in words.IN_A_PACK and count:
        quantity, unit = count.value * words.IN_A_PACK[unit], ""
    text = item.spot.text if not item.size else f"{item.spot.text} {item.size}"
    span = toks[first].start, toks[item.last - 1].end
    return OrderLine(item.action, quantity, text, unit, "", *span, _sureness(item), item.spot.known)


def _sureness(item: _Item) -> int:
    if item.verb or item.action != "add":
        return 95 if item.counted else 80
    if item.count is None:
        return 65
    return 85 if item.count.value != 1 else 70
