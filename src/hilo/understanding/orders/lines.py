"""Find order lines: what a message adds to an order, takes out of it or changes in it.

What the catalogue knows is spotted first; numbers and sizes go to what they stand beside; what happens to each thing
was learnt from the corpus. The rest is bookkeeping: which number is of which thing, and what stays when all else goes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from hilo.recognisers.amounts.tokens import at
from hilo.recognisers.normalise import Span, Text
from hilo.understanding.orders import words
from hilo.understanding.orders.catalogue_terms import sound_key, terms_of
from hilo.understanding.orders.catalogue_words import distance
from hilo.understanding.orders.items import Item, counts_each, find_items, is_idle_look
from hilo.understanding.orders.operations import (
    ADD,
    ASK,
    KEEP,
    NEW,
    OLD,
    REMOVE,
    SET,
    Operation,
    OrderMention,
    find_mentions,
    operations_of,
)
from hilo.understanding.orders.ordinary import is_ordinary
from hilo.understanding.orders.page import Count, Page, Verb, read_page
from hilo.understanding.orders.parts import broken_down, is_heading, joined_names, without_heading
from hilo.understanding.orders.sizes import told_size
from hilo.understanding.orders.spots import SIZE_FROM, Shelf, called, find_spots
from hilo.understanding.plain_phrases import pattern_of

__all__ = ["ALL", "OrderLine", "find_order_lines"]

ALL = "todo"  # a product's name where the whole order is meant

_LONGEST = 4000  # tokens; nobody orders in more
_TOLD = 0.9  # how sure a number is that a verb of setting stands before
_UNNAMED = 0.8  # so sure must it be that a number beside no goods is one of the order
_ALONE = 0.6  # … that nothing follows, after a verb of ordering or a joiner: "mandame una", "y uno para mi hermano"
_MOST_APART = 1000  # of something that is not named beside it; what is more is of a street or a telephone
_CANCELS = ("cancel", "anul")  # of the whole order they give up the order itself, which is more than emptying it
_FOR = frozenset(("para", "pa"))
_WAS = frozenset(("era", "eran", "es", "son"))
_MORE = frozenset(("mas", "more"))
_VERB_REACH = 4  # tokens
_DEFINITE = frozenset(("el", "la", "los", "las", "del"))
_COUNTED, _BARE = 95, 70  # how sure at most a number with a name, and a name alone, are an order
_DONE = {ADD: "add", NEW: "add", SET: "set", REMOVE: "remove", OLD: "remove"}


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
    resembles: tuple[str, ...] = ()  # the goods that are only like what was written
    sized: bool = True  # whether it may come in sizes: of what has none, four kilos are four
    named: Span = (0, 0)  # where the name of what is sold stands, without numbers
    instead: str = ""  # what it takes the place of, which is taken out by a line of its own
    beside: bool = False  # only said of what is without it, or has more of it: "sin bolsa", "con extra queso"
    takes_over: bool = False  # it takes the place of something that is not named: "cambiala por una fanta"
    describes: bool = False  # only tells what something is like that was named before: "3 de fruta"
    counted: bool = True  # whether it was said how many, wherever that stands; one is meant otherwise


def find_order_lines(text: Text, *, country: str = "", shelf: Shelf | None = None) -> tuple[OrderLine, ...]:
    """The lines of an order in a message; questions and other talk give none."""
    page = read_page(text, country, shelf)
    if len(page.toks) > _LONGEST:
        return ()
    if any(page.is_code(index) for index in range(len(page.toks))):
        return ()  # 1e9 cocas are no order
    spots = [each for each in find_spots(page, shelf) if not is_ordinary(page, shelf, each)] if shelf else []
    if not spots and not page.verbs and not page.counts and not page.listed:
        return ()
    items = joined_names(page, find_items(page, shelf, spots))
    mentions = [*find_mentions(page, items, catalogued=shelf is not None), *_packages(page, items)]
    operations = operations_of(page, mentions) if mentions else []
    return tuple(_lines(page, shelf, operations))


def _packages(page: Page, items: Sequence[Item]) -> Iterator[OrderMention]:
    """Packages that are counted where nothing is named: "que sean 6 latas" counts what is ordered already."""
    counted = [] if items else [each for each in page.counts.values() if each.said and _is_package(each)]
    yield from (OrderMention(each.first, each.last, count=each) for each in counted)


def _is_package(count: Count) -> bool:
    return bool(count.unit) and count.unit not in words.MEASURES | {"unit"}


def _lines(page: Page, shelf: Shelf | None, operations: Sequence[Operation]) -> Iterator[OrderLine]:
    done: list[Item] = []
    kept: list[Item] = []
    unnamed: list[OrderLine] = []
    emptied: Operation | None = None
    swapped: Item | None = None
    named: Item | None = None
    wished = list(_wished(page, _all_as_told(page, operations)))
    names = any(each.mention.item for each in operations)
    for place, operation in enumerate(wished):
        count = operation.mention.count
        item = operation.mention.item or _asked_before(operation, named, done)
        named = item or named
        if operation.action == ASK:
            _complete(page, done, item, count)
            continue
        if item and operation.action == KEEP:
            kept.append(item)
        elif item and _is_taken_back(page, item, operation, wished[place + 1 :]):
            swapped = item
        elif item:
            item.action, item.chance = _DONE[operation.action], operation.chance
            if operation.action == NEW:
                item.instead, item.takes_over = swapped, not (swapped or done)
                item.count = item.count or (swapped.count if swapped else None)  # cambiame 2 cocas por fanta
            swapped = item if operation.action == OLD else swapped
            done.append(item)
        elif count and operation.action in _DONE:
            line = None if _is_another_size(shelf, done, count) else _counted(page, operation, count, done)
            behind = page.past(count.last, _MORE)  # y dos más, ah, y unos maní
            goes_on = _does_more(wished[place + 1 :]) and not page.ends(behind)  # but: dame 2 y un fernet
            unnamed += [line if names else _by_package(page, shelf, line)] if line and not goes_on else []
        elif operation.mention.verb and operation.action in {SET, REMOVE}:  # "mandalo" alone adds nothing
            unnamed.append(_unnamed_line(page, operation, None))
        elif operation.action == REMOVE and not _cancels(page, operation):
            emptied = operation
    if emptied or kept:
        yield _whole_line(page, emptied, kept)
    for count in page.counts.values():
        if counts_each(page, count):
            _count_each(done, count)
    done = _in_parts(page, _put_together(page, _said_again(page, done)), wished)
    sure = _most_sure(page, done)
    takes_out = any(item.action == "remove" for item in done)  # mejor 2 fantas y sacá el hielo
    yield from unnamed
    for item in done:
        most = sure if item.action == "add" else 100
        gone = _product(page, shelf, item.instead) if item.instead in done else ""
        for line in _line(page, shelf, item, min(100 * item.chance, most)):
            yield replace(line, instead=gone, takes_over=line.takes_over and not takes_out)


def _in_parts(page: Page, done: list[Item], wished: Sequence[Operation]) -> list[Item]:
    """What is ordered, things that are told by their parts as those: 4 empanadas, 2 de carne y 2 de pollo."""
    named = [each.mention.item for each in wished if each.action == ASK and each.mention.item]
    headings = [replace(item, action="add") for item in named if is_heading(page, item)]
    whole = without_heading(page, done)
    if headings:
        whole = sorted((*whole, *headings), key=lambda item: item.first)
    return [item for item in broken_down(page, whole) if item not in headings]


def _all_as_told(page: Page, operations: Sequence[Operation]) -> list[Operation]:
    told: list[Operation] = []
    for operation in operations:
        after_none = page.word(operation.mention.first - 1) == "ni" or page.word(operation.mention.first - 2) == "ni"
        if after_none and operation.mention.item and told and told[-1].action == REMOVE:
            told.append(replace(operation, action=REMOVE))  # ni el poxipol ni la cola
        elif told and (does := _told_behind(page, told[-1], operation)):
            told[-1] = replace(told[-1], action=does)
            told.append(replace(operation, action=does))
        else:
            told.append(_as_told(page, operation))
    return told


def _told_behind(page: Page, before: Operation, operation: Operation) -> str:
    """What a verb with nothing but its number does to the thing before it: a la fanta sacale una, agregale dos."""
    item, count = before.mention.item, operation.mention.count
    verb = next((each for each in page.verbs.values() if count and each.last == count.first), None)
    if item is None or item.counted or item.asked or verb is None or count is None or not page.ends(count.last):
        return ""
    if _verb_right_before(page, item) or page.openings & set(range(item.last, count.first)):
        return ""
    said = " ".join(page.word(index) for index in range(verb.first, verb.last))
    if pattern_of("more of it").search(said) and before.action in {ADD, SET, ASK}:
        return ADD
    return REMOVE if verb.kind == "remove" else ""


def _as_told(page: Page, operation: Operation) -> Operation:
    """What the words right beside a thing say for sure, whatever else is said around it.

    A number behind "que sean" sets one; "no me saques la coca" takes nothing out, and "cambiame la coca por una de
    litro" but tells another size; "no, pepsi" orders that in the place of what was understood.
    """
    count, item = operation.mention.count, operation.mention.item
    told = count is not None and any(each.kind == "set" and each.last == count.first for each in page.verbs.values())
    asks = any(page.word(index) == "?" for index in range(len(page.toks)))
    if told and not asks:
        return replace(operation, action=SET, chance=max(operation.chance, _TOLD))
    if item is None or asks:
        return operation
    before = _verb_right_before(page, item)
    if before and before.kind == "keep" and page.word(before.first) == "no":
        return replace(operation, action=ASK)
    if before and before.kind == "change" and operation.action == REMOVE and item.size:
        return replace(operation, action=SET)
    if page.word(item.last) == "no" and page.ends(item.last + 1) and operation.action in {NEW, OLD}:
        return replace(operation, action=REMOVE)  # 3 cocas, y el pan no
    denied = page.past(2, _WAS) if page.says(0, "no ,") else -1  # "no, pepsi", "no, era fanta"
    if item.spot.first == denied and page.ends(item.last) and not item.asked:
        return replace(operation, action=NEW, chance=_TOLD)
    return operation


def _verb_right_before(page: Page, item: Item) -> Verb | None:
    ahead = [verb for verb in page.verbs.values() if verb.last <= item.first <= page.past(verb.last, words.ARTICLES)]
    return ahead[-1] if ahead else None


def _complete(page: Page, done: Sequence[Item], item: Item | None, count: Count | None) -> None:
    """What does nothing by itself may tell what is missing: a number of what is set, a size of what is named again."""
    if count and done and _wants_number(page, done[-1], count):
        done[-1].count = count  # el malvón que sean dos
    elif item and item.size and not item.asked:
        another = item.spot.resized and bool(done) and done[-1].action == "set"  # las chicas que vengan de litro
        if not another and not _is_told_again(page, item):
            return
        same = next((each for each in done if _is_same(each, item) and (another or not each.size)), None)
        if same and same.action in {"add", "set"}:
            same.size = item.size  # una muza y una napo, que la napo sea chica


def _wants_number(page: Page, item: Item, count: Count) -> bool:
    told = item.action != "set" or item.count or item.size or count.value >= _MOST_APART
    return not told and page.openings.isdisjoint(range(item.last, count.first + 1))


def _tells(item: Item) -> bool:
    """Whether anything is said that a thing shall be: so many, or so large, or of another kind."""
    return item.counted or bool(item.size) or item.spot.completed or item.spot.resized


def _asked_before(operation: Operation, named: Item | None, done: Sequence[Item]) -> Item | None:
    """¿Tenés coca? mandame 2: a number is of what was only asked about."""
    if named is None or operation.mention.count is None or operation.action not in _DONE or named in done:
        return None
    named.count = operation.mention.count
    return named


def _wished(page: Page, operations: Sequence[Operation]) -> Iterator[Operation]:
    """Without what is only asked about before something else is ordered, or wanted where something is missing."""
    done = False
    for place, operation in enumerate(operations):
        first, item = operation.mention.first, operation.mention.item
        if item and item.asked and not item.counted and _orders_another(operations[place + 1 :]):
            continue  # "¿tenés coca? dame 2 pepsi" asks about one and orders the other
        if done and _is_wanted_instead(page, first):
            continue
        done = done or operation.action != ASK
        yield operation


def _does_more(operations: Sequence[Operation]) -> bool:
    return any(operation.mention.item and operation.action != ASK for operation in operations)


def _is_wanted_instead(page: Page, first: int) -> bool:
    """Si no hay pepsi, una coca."""
    opening = max((place for place in page.openings if place <= first), default=0)
    doubts = [place for place in range(opening, first) if page.word(place) == "si"]
    return any(page.says(place, phrase) for place in doubts for phrase in words.IF_NONE)


def _orders_another(operations: Sequence[Operation]) -> bool:
    return any(operation.mention.item and operation.action == ADD for operation in operations)


def _is_taken_back(page: Page, item: Item, operation: Operation, later: Sequence[Operation]) -> bool:
    """Whether a thing was never in the order: una coca, no, mejor una fanta. Cambiame una coca is about one that is."""
    another = any(each.mention.item and each.action in {ADD, NEW} for each in later)
    if operation.action != OLD and not (operation.action == REMOVE and another):
        return False
    ahead = [verb for verb in page.verbs.values() if verb.last <= item.first]
    is_new = item.count is not None and item.count.first <= item.spot.first
    return is_new and not (ahead and ahead[-1].kind in {"change", "remove"})


def _counted(page: Page, operation: Operation, count: Count, done: Sequence[Item]) -> OrderLine | None:
    """A number apart from what it counts: it is of the thing before it, and where none is named, of the last one."""
    if counts_each(page, count):
        return None
    last = done[-1] if done else None
    if count.value >= _MOST_APART:
        return None
    if last:
        if count.said or not last.count:
            last.count = count  # las cocas que sean 3; 2 flanes, no, mejor 3
        if operation.action == REMOVE:
            last.action = "remove"  # a las 5 manzanas sacale dos
        return None
    if _is_of_a_name(page, count) or operation.chance < (_ALONE if _stands_alone(page, count) else _UNNAMED):
        return None
    return _unnamed_line(page, operation, count)


def _is_of_a_name(page: Page, count: Count) -> bool:
    """Whether a number follows a word that nobody knows: the 20 of "2 marlboro 20" counts nothing else."""
    before = count.first - 1
    led = any(verb.first <= before < verb.last for verb in page.verbs.values())
    return at(page.toks, before).kind == "word" and not led and page.word(before) not in words.COMMON | words.WHOLE


def _stands_alone(page: Page, count: Count) -> bool:
    led = any(verb.last == count.first for verb in page.verbs.values()) or page.word(count.first - 1) in words.JOINERS
    return led and bool(page.ends(count.last) or page.word(count.last) in _FOR or page.instead(count.last))


def _is_another_size(shelf: Shelf | None, done: Sequence[Item], count: Count) -> bool:
    """La coca de 500 pasala a 2,25: a measure apart is what size the thing before it shall be."""
    last = done[-1] if done else None
    measures = bool(count.unit) or count.value != int(count.value) or count.value >= SIZE_FROM
    if shelf is None or last is None or last.action != "set" or not last.size or not measures:
        return False
    size = told_size(shelf, last, count)
    last.size = size or last.size
    return bool(size)


def _by_package(page: Page, shelf: Shelf | None, line: OrderLine) -> OrderLine:
    """So many latas, where nothing is named: of what comes in them, where the catalogue says so of its goods."""
    packages = [each.unit for each in page.counts.values() if _is_package(each)]
    named = next((unit for unit in packages if shelf and shelf.holders(sound_key(unit))), "")
    return replace(line, product=named, unit="" if line.unit in packages else line.unit)


def _unnamed_line(page: Page, operation: Operation, count: Count | None) -> OrderLine:
    """A change of what was ordered last, which is not named."""
    first, last = operation.mention.first, operation.mention.last
    start, end = page.toks[first].start, page.toks[last - 1].end
    quantity, unit = (count.value, count.unit) if count else (None, "")
    confidence = round(100 * operation.chance)
    return OrderLine(_DONE[operation.action], quantity, "", unit, "", start, end, confidence)


def _count_each(done: Sequence[Item], count: Count) -> None:
    """Dos de cada una: what is not counted otherwise."""
    for item in done:
        if not item.count or not item.count.said:
            item.count = count


def _cancels(page: Page, operation: Operation) -> bool:
    """Whether the order itself is given up: "cancelá todo" is no line of it."""
    first = operation.mention.first
    before = [page.word(index) for index in range(max(0, first - _VERB_REACH), first)]
    return any(word.startswith(_CANCELS) for word in before)


def _put_together(page: Page, done: Sequence[Item]) -> list[Item]:
    """2 panes y 3 leches, y el pan que sea uno: what is put right in the same message was never ordered otherwise."""
    kept: list[Item] = []
    for item in done:
        again = item.action == "set" or (item.action == "add" and _is_told_again(page, item))
        same = next((each for each in kept if each.action in {"add", "set"} and _is_same(each, item)), None)
        if same and again and (item.count or item.size):
            same.count, same.size = item.count or same.count, item.size or same.size
        else:
            kept.append(item)
    if not any(verb.kind in {"remove", "change"} for verb in page.verbs.values()):
        # de mango dame tres cuartos: what is only named first and ordered then is nothing to take out
        named = [item.instead for item in kept if item.instead and item.instead.spot.text == item.spot.text]
        kept = [item for item in kept if item not in named or item.size or item.counted]
    changed = [item for item in kept if item.action == "set"]
    # la pizza mejor grande en vez de la chica: one of another size, which takes nothing else out
    return [item for item in kept if not (item.spot.resized and item.action == "remove" and _are_same(changed, item))]


def _said_again(page: Page, done: list[Item]) -> list[Item]:
    """Sacá una quilmes y poné una coca, o sea 2 quilmes y una coca: what it comes to is not ordered on top."""
    places = (place for place in range(len(page.toks)) if any(page.says(place, phrase) for phrase in words.AGAIN))
    first = next(places, None)
    before = [item for item in done if first is not None and item.last <= first]
    kept = list(before)
    for item in done[len(before) :]:
        same = next((each for each in before if _is_same(each, item)), None)
        if same in kept and same.action == "remove" and item.counted:
            kept.remove(same)
            same, item.action = None, "set"
        if same is None:
            kept.append(item)
        else:
            same.count, same.size = item.count or same.count, same.size or item.size
    return kept


def _are_same(items: Sequence[Item], other: Item) -> bool:
    return any(_is_same(item, other) for item in items)


def _is_told_again(page: Page, item: Item) -> bool:
    """Una torta y dos fantas, la torta chica: what was named before, told once more."""
    counted = item.count is not None and item.count.first < item.spot.first
    return not counted and page.word(item.spot.first - 1) in _DEFINITE


def _is_same(one: Item, other: Item) -> bool:
    """Whether two names are of one thing, if one of them tells its size or not."""
    if one.spot.goods and other.spot.goods:
        return one.spot.goods <= other.spot.goods or other.spot.goods <= one.spot.goods
    return one.spot.text == other.spot.text


def _whole_line(page: Page, emptied: Operation | None, kept: Sequence[Item]) -> OrderLine:
    """All goes, or all but what stays."""
    first = emptied.mention.first if emptied else kept[0].first
    last = max(item.last for item in kept) if kept else first + 1
    names = " y ".join(item.spot.text for item in kept)
    product = f"{ALL} menos {names}" if kept else ALL
    confidence = round(100 * emptied.chance) if emptied else 80
    return OrderLine("remove", None, product, "", "", page.toks[first].start, page.toks[last - 1].end, confidence)


def _most_sure(page: Page, done: Sequence[Item]) -> int:
    """How sure an addition may be: a verb or a number tells that there is an order; bare names may be an answer."""
    if any(verb.kind != "none" for verb in page.verbs.values()):
        return 100
    return _COUNTED if any(item.counted for item in done) else _BARE


def _start_of(page: Page, item: Item) -> int:
    """Where a line begins: with the verb right before what it orders."""
    for verb in page.verbs.values():
        if verb.last <= item.first <= page.past(verb.last, words.ARTICLES | words.FILLERS):
            return verb.first
    return item.first


def _comes_in_sizes(shelf: Shelf, item: Item) -> bool:
    goods = [shelf.catalogue.products[number] for number in item.spot.goods]
    return not goods or any(each.size for each in goods)


def _is_of_unlike(page: Page, shelf: Shelf, item: Item) -> bool:
    """Whether a size is the smallest or largest of what cannot be compared: four rolls are no smaller than a loaf."""
    if any(index in page.counts for index in item.told) or not _is_ranked(page, item):
        return False
    sizes = [shelf.catalogue.products[number].size for number in item.spot.goods]
    return len({key[:2] for size in sizes for _, keys in terms_of(size) for key in keys[:1] if key[0] == "#"}) > 1


def _is_ranked(page: Page, item: Item) -> bool:
    """Whether no word of a size was said, so that it is told by its place among all sizes."""
    said = {key for index in item.told for _, keys in terms_of(page.word(index)) for key in keys}
    return said.isdisjoint(key for _, keys in terms_of(item.size) for key in keys)


def _product(page: Page, shelf: Shelf | None, item: Item) -> str:
    """What a thing is called, with its size."""
    size = "" if shelf and item.size and _is_of_unlike(page, shelf, item) else item.size
    said = f"{item.spot.text} {size}".split()
    if shelf and len(said) > 1:
        said = [word for word in said if not is_idle_look(shelf, item.spot, word)]
    return " ".join(said)


def _line(page: Page, shelf: Shelf | None, item: Item, confidence: float) -> Iterator[OrderLine]:
    if item.action == "set" and not _tells(item):
        return
    quantity = item.count.value if item.count else None
    if quantity is None and item.action != "remove":
        quantity = 1
    resembles = shelf and item.action == "add" and (item.spot.alike or _is_far(page, shelf, item))
    alike = called(shelf, item.spot) if shelf and resembles else ()
    yield OrderLine(
        action=item.action,
        quantity=quantity,
        product=_product(page, shelf, item),
        unit=item.count.unit if item.count else "",
        notes="",
        start=page.toks[_start_of(page, item)].start,
        end=page.toks[item.last - 1].end,
        confidence=round(confidence),
        known=item.spot.known,
        resembles=alike,
        sized=not shelf or _comes_in_sizes(shelf, item),
        named=(page.toks[item.spot.first].start, page.toks[item.spot.last - 1].end),
        beside=_is_said_of_another(page, item),
        takes_over=item.takes_over,
        describes=item.spot.known and not item.spot.heads and not item.spot.completed,
        counted=item.count is not None,
    )


def _is_said_of_another(page: Page, item: Item) -> bool:
    before = page.word(item.first - 1)
    if item.action == "remove" or before == "sin":
        return before == "sin" and item.count is None
    return item.count is None and before in words.MORE_OF_IT and page.word(item.first - 2) in {"con", "with"}


def _is_far(page: Page, shelf: Shelf, item: Item) -> bool:
    """Whether one word was taken for another that it hardly resembles: Fernández is no Fernet of the Andes."""
    spot, text = item.spot, page.word(item.spot.first)
    if not spot.known or spot.completed or spot.resized or shelf.is_sold(text) or " " in spot.text:
        return False
    if not (spot.heads or item.counted):
        return True  # "cerrá" alone is no herb of the sierra
    written, meant = sound_key(text), sound_key(spot.text)
    if written.startswith(meant) and spot.goods & shelf.holders(written.removeprefix(meant)):
        return False  # cocacolas
    stems = [written.removesuffix(ending) for ending in ("", *words.DIMINUTIVES)]
    if any(shelf.catalogue.names.get(stem + vowel) for stem in stems for vowel in ("", "a", "o", "e")):
        return False  # chelitas
    return not any(len(stem) > 1 and meant.startswith(stem) for stem in stems) and distance(written, meant) > 1
