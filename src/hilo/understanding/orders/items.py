"""What a message names that is sold, with the number and the size that belong to it."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal

from hilo.recognisers.amounts.lexicon import ONES
from hilo.recognisers.amounts.numbers import plain
from hilo.recognisers.amounts.tokens import at
from hilo.recognisers.normalise import fold
from hilo.understanding.orders import words
from hilo.understanding.orders.catalogue_terms import sound_key, terms_of
from hilo.understanding.orders.page import Count, Page
from hilo.understanding.orders.sizes import read_sizes
from hilo.understanding.orders.spots import SIZE_FROM, Shelf, Spot, guess

# between a name and a number behind it: coca x2, coca: 2, tomates, como 3
_BEHIND = frozenset(("x", ",", ":", "(", "-", "=", "unos", "unas", "tambien", "de", "los", "otros", "por"))
_BEING = frozenset(("que", "sean", "sea", "son"))  # 8 cervezas, que sean heineken
_SHORTEST_NAME = 3  # letters of something that nobody knows
_MOST_BEHIND, _MOST_DESCRIBING = 2, 3
_PURPOSE = frozenset(("para", "pa", "en", "hasta", "desde", "a"))  # para una fiesta
_BEFORE_SIZES = frozenset(("de", "d", "del", "en", "la", "las", "el", "los", "x", "-", "mas"))


@dataclass(slots=True)
class Item:
    """Something that is named, with its number and size, and what happens to it as far as it is read."""

    spot: Spot
    first: int
    last: int
    asked: bool = False
    count: Count | None = None
    size: str = ""
    action: str = ""
    chance: float = 1.0
    instead: "Item | None" = None  # what it takes the place of
    takes_over: bool = False  # it takes the place of something that is not named
    told: set[int] = field(default_factory=set)  # the tokens that tell its size

    @property
    def counted(self) -> bool:
        """Whether it was said how many."""
        return self.count is not None

    def sized(self, size: str, last: int = 0) -> None:
        """Add a word of the size, which is said up to a token."""
        self.size, self.last = f"{self.size} {size}".strip(), max(last, self.last)


def find_items(page: Page, shelf: Shelf | None, spots: list[Spot]) -> list[Item]:
    """Every spot with what belongs to it, and what is ordered that nobody knows."""
    spots = [spot for spot in spots if not (spot.resized and _only_sizes(page, spot))]
    covered = {index for spot in spots for index in range(spot.first, spot.last)}
    known = [spot.first for spot in spots]
    for first in sorted(_guessed(page, known, every=shelf is None)):
        found = guess(page, first) if first not in covered else None
        if found and covered.isdisjoint(range(found.first, found.last)):
            spots.append(found)
            covered |= set(range(found.first, found.last))
    spots.sort(key=lambda spot: spot.first)
    items = [Item(spot, spot.first, spot.last, spot.first in page.asked) for spot in spots]
    starts = {item.first for item in items}
    for item in items:
        _read_size(page, shelf, item, starts)
    items = _without_parts_of_others(items)
    _read_counts(page, shelf, items)
    _share_out(page, items)
    for item in items:
        _read_package(page, shelf, item)
    _read_halves(items)
    items = _told_apart(page, items)
    return read_sizes(page, shelf, items) if shelf else items


def _only_sizes(page: Page, spot: Spot) -> bool:
    """El pan mejor chico: a size without an article or a number is of what was named before, and no other thing."""
    return page.word(spot.first - 1) not in words.ARTICLES and spot.first - 1 not in page.counts


def _without_parts_of_others(items: list[Item]) -> list[Item]:
    """Una coca grande: where "grande" is the size of the coke, it names nothing else beside it."""
    kept: list[Item] = []
    for item in items:
        if not kept or item.first >= kept[-1].last:
            kept.append(item)
    return kept


def _told_apart(page: Page, items: list[Item]) -> list[Item]:
    """Un vino tinto, malbec: what follows a comma and is one of what was named says which."""
    kept: list[Item] = []
    for item in items:
        before = kept[-1] if kept and _follows(page, kept[-1], item) else None
        if kept and item.spot.resized and item.counted and item.first == kept[-1].last and not kept[-1].counted:
            kept[-1] = replace(item, first=kept[-1].first)  # agua saborizada dos de la grande
        elif before and _is_one(item, before) and item.spot.known and item.spot.goods < before.spot.goods:
            kept[-1] = _named_whole(before, item)
        else:
            kept.append(item)
    return kept


def _follows(page: Page, before: Item, item: Item) -> bool:
    """Whether a comma, or the "de la" that tells which one, is all that stands between two things."""
    between = [page.word(index) for index in range(before.last, item.first)]
    if item.spot.completed and between[-1:] and between[-1] in words.VARIES:
        between.pop()  # 6 aguas, sin gas
    marks = [each for each in between if each not in words.ARTICLES - words.EVERY | _BEING]
    return marks == [","] or (marks in (["de"], ["d"]) and len(between) > 1) or marks == ["del"]


def _named_whole(before: Item, item: Item) -> Item:
    """One thing whose name was told in two steps: una yerba de medio kilo, de la Playadito."""
    again = item.spot.completed and item.spot.text.startswith(before.spot.text)
    text = item.spot.text if again else f"{before.spot.text} {item.spot.text}"
    size = " ".join(filter(None, (before.size, item.size)))
    return replace(before, spot=replace(before.spot, text=text, goods=item.spot.goods), last=item.last, size=size)


def _is_one(item: Item, before: Item) -> bool:
    """Whether a thing after a comma may be the one before: una cerveza, una quilmes; 2 aguas, 1 con gas are two."""
    if not item.count:
        return True
    first = before.count.value if before.count else 0
    return item.count.value == first == 1 and not item.count.said


def _guessed(page: Page, known: list[int], *, every: bool) -> Iterator[int]:
    """Where something may be named that no catalogue knows: after a verb of ordering, or a number in its reach."""
    governed = every
    for index in range(len(page.toks)):
        if index in page.verbs:
            # mandalo a Mitre 77: what it is about was named before
            governed = page.verbs[index].kind not in {"none", "keep"} and not page.verbs[index].refers
            if page.verbs[index].kind == "set" and _is_named_before(page, known, index):
                governed = False  # los buñuelos que sean 6 más bien: the number is theirs
            if not governed:
                continue
            yield page.past(page.verbs[index].last, words.ARTICLES | words.FILLERS - {"no"})
        elif index in page.counts and (governed or _counts_unknown(page, known, index)):
            if page.word(index - 1) not in _PURPOSE:
                yield page.past(page.counts[index].last, words.SKIPPED)
        elif index in page.listed or (every and _may_open(page, index)):
            yield page.past(index, words.ARTICLES)
        if page.word(index) in words.TELLING or index in page.asked:
            governed = False


def _counts_unknown(page: Page, known: list[int], index: int) -> bool:
    """Whether a number counts a word that nobody knows, in a list of goods: "una coca y 2 marlboro"."""
    if not known:
        return False
    count, before = page.counts[index], max((place for place in known if place < index), default=-1)
    first = page.past(count.last, words.SKIPPED)
    named, is_whole = page.word(first), not count.unit and count.value == int(count.value) < SIZE_FROM
    is_other = any(page.past(each.last, words.SKIPPED) == before for each in page.counts.values())
    opens = index in page.openings or page.word(index - 1) in words.AND or index == 0 or is_other
    is_known = named in words.COMMON or first in page.verbs or first in page.counts
    return is_whole and opens and named.isalpha() and len(named) >= _SHORTEST_NAME and not is_known


def _is_named_before(page: Page, known: list[int], index: int) -> bool:
    opening = max((place for place in page.openings if place <= index), default=0)
    return any(opening <= first < index for first in known)


def _may_open(page: Page, index: int) -> bool:
    """Whether a name may stand after a joiner or "en vez de", or at an article, where there is no catalogue to tell."""
    if index + 1 == len(page.toks):
        return page.word(index - 1) in words.AND
    instead = page.word(index - 2) in ("vez", "lugar", "envez")
    return instead or page.word(index - 1) in words.AND or page.word(index) in words.ARTICLES


# --- sizes ----------------------------------------------------------------------------------------------


def _read_size(page: Page, shelf: Shelf | None, item: Item, starts: set[int]) -> None:
    """The size after a name: de 500, litro y medio, de las grandes, en lata."""
    while shelf and item.spot.known:
        comma = page.word(item.last) == "," and page.word(item.last + 1) in ("de", "d")
        start = page.past(item.last + comma, _BEFORE_SIZES)
        text, count = page.word(start), page.counts.get(start)
        if start in page.openings or (count and _counts_next(page, item, count, starts)):
            return
        if page.word(start - 1) == "x" and not (count and _is_counted_before(page, item)):
            return  # coca x2
        packed = count and count.said and count.unit and count.unit not in words.MEASURES
        if count and start == item.last and (packed or _is_so_many(shelf, item.spot, count)):
            return  # cerveza 6 latas, arroz dos kilos: so many of them
        without = words.WITHOUT.get(f"{page.word(item.last)} {page.word(item.last + 1)}", ())
        free = next((each for each in without if _fits(shelf, item.spot, each)), "")  # sin azúcar
        if count and _is_size(shelf, item.spot, count, linked=start > item.last):
            item.sized(measure(count), count.last)
        elif text in words.PLAIN and not _fits(shelf, item.spot, text):
            item.last = start + 1
        elif text in words.ADJECTIVES or (not count and text not in words.NEVER and _fits(shelf, item.spot, text)):
            item.sized(text, start + 1)
        elif free:
            item.sized(free, item.last + 2)
        else:
            return


def _is_counted_before(page: Page, item: Item) -> bool:
    """Whether a number stands right before a name."""
    return any(page.past(each.last, words.SKIPPED) == item.first for each in _before(page, item))


def _counts_next(page: Page, item: Item, count: Count, starts: set[int]) -> bool:
    """1 kg de arroz 1 kg de azúcar: what is counted already leaves a number to what comes next."""
    if page.word(count.first - 1) in ("de", "d"):
        return False  # una yerba de medio kilo de la roja
    counted = any(
        each.last == item.first or page.past(each.last, words.SKIPPED) == item.first for each in _before(page, item)
    )
    return counted and page.past(count.last, words.SKIPPED) in starts


def _before(page: Page, item: Item) -> list[Count]:
    return [count for count in page.counts.values() if count.last <= item.first]


def _is_size(shelf: Shelf, spot: Spot, count: Count, *, linked: bool) -> bool:
    if count.unit:
        packed = linked and _is_pack(shelf, spot, count)  # papel de 4 rollos
        return packed or count.unit in words.MEASURES or _fits(shelf, spot, count.unit)
    part = count.value != int(count.value)
    return part or count.value >= SIZE_FROM or (linked and _fits(shelf, spot, str(count.value)))


def _is_so_many(shelf: Shelf, spot: Spot, count: Count) -> bool:
    """Arroz dos kilos, where it comes by the kilo: two of them, and no size."""
    whole = count.unit in {"kg", "l"} and count.value > 1 and count.value == int(count.value)
    return whole and not _fits(shelf, spot, measure(count)) and _fits(shelf, spot, f"1 {count.unit}")


def _is_pack(shelf: Shelf, spot: Spot, count: Count) -> bool:
    """Whether a product comes in packs of so many."""
    return count.value > 1 and bool(spot.goods & shelf.holders(f"#n{count.value}"))


def _fits(shelf: Shelf, spot: Spot, text: str) -> bool:
    """Whether a product that is meant holds a word or a size."""
    return any(spot.goods & shelf.holders(key) for _, keys in terms_of(text) for key in (*keys, sound_key(text)))


def is_idle_look(shelf: Shelf, spot: Spot, word: str) -> bool:
    """Estropajos verdes, where they come in no colours; red roses are not sold for white ones."""
    if word not in words.ADJECTIVES or not spot.goods or _fits(shelf, spot, word):
        return False
    products = [shelf.catalogue.products[number] for number in spot.goods]
    return not any(part in words.ADJECTIVES for each in products for part in fold(f"{each.name} {each.size}").split())


def measure(count: Count) -> str:
    """A size as catalogues write it: 500 ml for half a litre."""
    if count.unit == "rollo":
        return f"x{count.value}"
    if count.unit and count.unit not in words.MEASURES and not count.said:
        return count.unit  # en lata
    smaller = {"kg": " g", "l": " ml", "": ""}.get(count.unit)
    if smaller is not None and count.value < 1:
        return f"{int(count.value * 1000)}{smaller}"
    return f"{count.value} {count.unit}".strip()


def _read_package(page: Page, shelf: Shelf | None, item: Item) -> None:
    """2 latas de cerveza: the package is the size, where the catalogue has one of that name."""
    unit = item.count.unit if item.count else ""
    if not shelf or not item.count or not unit or unit in words.MEASURES or not item.spot.goods:
        return
    size = unit if _fits(shelf, item.spot, unit) else ""
    packed = " ".join(page.word(index) for index in range(item.count.last - 2, item.count.last))
    if size and not item.size:
        item.sized(size)
        item.count = replace(item.count, unit="")
    elif packed in words.PIECES:  # 2 six packs
        item.count = replace(item.count, value=item.count.value * words.PIECES[packed], unit="")


def _read_halves(items: list[Item]) -> None:
    """Media docena de carne y media de pollo: half a dozen of each."""
    dozens = any(each.count and each.count.unit == "unit" for each in items)
    for item in items:
        if dozens and item.count and not item.count.unit and item.count.value == words.SHARES["medio"]:
            item.count = replace(item.count, value=6, unit="unit")


# --- numbers --------------------------------------------------------------------------------------------


def _read_counts(page: Page, shelf: Shelf | None, items: list[Item]) -> None:
    """Every number goes to what it stands before; where none does, to what it stands after."""
    starts = {item.spot.first: item for item in items}
    inside = {index for item in items for index in range(item.spot.first, item.last)}
    free = [count for index, count in sorted(page.counts.items()) if index not in inside and count.unit != "docena"]
    used: set[int] = set()  # numbers that are the size of what another one counts
    behind = _standing_behind(page, items, free)
    for count in free:
        item = _counted_by(page, starts, count, used) if count.first not in used | behind else None
        if item and (item.count is None or (count.said and not item.count.said)):
            item.count, item.first = count, min(item.first, count.first)
            item.first -= page.word(item.first - 1) == "x"
    taken = {index for item in items if item.count for index in range(item.count.first, item.count.last)}
    for item in items:
        _read_behind(page, shelf, item, taken)


def _share_out(page: Page, items: list[Item]) -> None:
    """6 latas, mitad negra y mitad rubia: packages that count nothing by name hold what comes next."""
    taken = {item.count.first for item in items if item.count}
    for count in page.counts.values():
        if not count.unit or count.first in taken or page.word(count.last) not in (",", ":"):
            continue
        parts = [item for item in items if item.first > count.last and item.count]
        if [item.count.unit for item in parts if item.count] == [words.HALF, words.HALF]:
            half = plain(Decimal(count.value) / 2)
            for item in parts:
                item.count = replace(count, value=half)
        elif len(parts) > 1 and sum(item.count.value for item in parts if item.count) == count.value:
            for item in parts:
                item.count = replace(item.count, unit=count.unit) if item.count else None


def _standing_behind(page: Page, items: list[Item], free: list[Count]) -> set[int]:
    """Leche 2, fanta 1; pan 6 leche 2: the numbers behind things, where more stand so than right before one."""
    starts = {item.spot.first for item in items}
    ends = {_past_joints(page, item.last) for item in items}
    behind = {count.first for count in free if count.said and count.first in ends - page.openings}
    ahead = 0
    for count in free:
        index = page.past(count.last, words.SKIPPED)
        ahead += index in starts and page.openings.isdisjoint(range(count.first + 1, index + 1))
    return behind if len(behind) > ahead else set()


def _past_joints(page: Page, index: int) -> int:
    first = index
    while page.word(index) in _BEHIND and index - first <= _MOST_BEHIND and index not in page.openings:
        index += 1
    return index


def _counted_by(page: Page, starts: dict[int, Item], count: Count, used: set[int]) -> Item | None:
    """What stands after a number: 2 cocas, 3 de fanta, una de litro de soda, un combo de papas, 2 grandes de muzza."""
    index = page.past(count.last, words.SKIPPED | {"a", "al", "menos"})
    if any(place in page.openings for place in range(count.first + 1, index + 1)):
        line = max(place for place in page.openings if place <= count.first)
        if any(line <= start < count.first for start in starts):
            return None  # coca x2, and what stands in the next line has a number of its own
    if index in starts:
        return starts[index]
    text, link, size = page.word(index), page.word(index - 1), page.counts.get(index)
    if text in words.VARIES and index + 1 in starts and starts[index + 1].spot.completed:
        return starts[index + 1]  # una sin gas
    if size and link in words.ARTICLES | words.VARIES:  # 3 de las 5 empanadas, una de litro de soda
        item = starts.get(page.past(size.last, words.SKIPPED))
        if item:
            used.add(size.first)
            item.sized(measure(size) if link in words.VARIES else "")
        return item
    if page.word(index + 1) in ("de", "d") and text not in words.NOT_PRODUCTS | words.NEVER | words.ADJECTIVES:
        return starts.get(page.past(index + 2, words.ARTICLES))
    item = starts.get(page.past(index + 1, words.SKIPPED)) if text in words.ADJECTIVES else None
    if item:
        item.sized(text)
    if not item and _describes(page, index) and index + 1 not in page.openings:
        item = starts.get(index + 1)  # dos focos ahorradores, where only the second word is known
    return item


def _read_behind(page: Page, shelf: Shelf | None, item: Item, taken: set[int]) -> None:
    """Coca x2, coca: 2, coca (2), tomates, como 3, pan uno."""
    index = _past_joints(page, item.last)
    described = _described(page, item)
    index = described if described and page.counts.get(index) is None else index
    count = page.counts.get(index)
    if count is None or index in taken or index in page.openings or (item.count and item.count.said):
        return
    if page.says(index - 2, "de las") or page.says(index - 2, "de los"):
        return  # una pepsi de las tres
    if shelf and page.word(index - 1) in ("x", "por") and _is_pack(shelf, item.spot, count):
        item.sized(f"x{count.value}", count.last)
        return  # papel higiénico por 12
    one = page.word(index) in ONES and page.word(count.last) in words.AND | {"", ".", ";"}
    if not counts_each(page, count) and (count.said or count.unit or one):
        item.count, item.last = count, count.last + (page.word(count.last) == ")")
        taken |= set(range(count.first, count.last))


def _described(page: Page, item: Item) -> int:
    """Where a number stands behind words that tell what a thing is like, and nothing follows it: leche larga vida 2."""
    index = item.last
    while index - item.last < _MOST_DESCRIBING and _describes(page, index):
        index += 1
    index += page.word(index) in ("x", ",")
    count = page.counts.get(index)
    return index if count and index > item.last and page.ends(count.last) else 0


def _describes(page: Page, index: int) -> bool:
    free = index not in page.counts and index not in page.verbs and index not in page.openings
    return free and at(page.toks, index).kind == "word" and page.word(index) not in words.COMMON


def counts_each(page: Page, count: Count) -> bool:
    """Dos de cada uno."""
    return page.word(count.last) in ("de", "por", "x") and page.word(count.last + 1) == "cada"
