"""Find order lines: what a message adds to an order, takes out of it or changes in it.

What the catalogue knows is spotted first; numbers and sizes go to what they stand beside; then the words around each
thing say what happens to it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal

from hilo.recognisers.amounts.tokens import at
from hilo.recognisers.normalise import Text
from hilo.understanding.orders import words
from hilo.understanding.orders.items import Item, counts_each, find_items
from hilo.understanding.orders.page import Count, Page, Verb, read_page
from hilo.understanding.orders.spots import Shelf, find_spots

__all__ = ["OrderLine", "find_order_lines"]

_DOZEN = 12
_MOST = 1000  # of something that is not named; what is more is somebody's number
_LONGEST = 4000  # tokens; nobody orders in more
_INSTEAD = ("en vez de", "en vez del", "en lugar de", "en lugar del", "envez de", "instead of")
_SORRY = frozenset(("no", "perdon", "digo", "mejor", "mentira", "espera", "bueno", ",", ".", "ay", "dije"))
_BUT = frozenset(("menos", "excepto", "salvo"))
_NOT = frozenset(("sin", "menos", "no", "ni", "excepto", "salvo"))


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
class _Reader:
    """Where the reading stands: the verb that governs, what was named, and what is done so far."""

    page: Page
    items: dict[int, Item]
    known: bool
    verb: Verb | None = None
    action: str = ""
    swapped: Item | None = None  # what something else comes in place of
    told: bool = False  # the clause tells or asks, and orders nothing
    loose: list[Item] = field(default_factory=list)  # named, and nothing said of it yet
    done: list[Item] = field(default_factory=list)
    lines: list[OrderLine] = field(default_factory=list)

    @property
    def last(self) -> Item | None:
        """What was done last."""
        return self.done[-1] if self.done else None

    def govern(self, item: Item, action: str, count: Count | None = None) -> None:
        """Something happens to an item, perhaps to so many of it."""
        item.action, item.verb = action, self.verb if self.action == action else None
        item.count = count or item.count
        self.loose = [each for each in self.loose if each is not item]
        if not any(each is item for each in self.done):
            self.done.append(item)

    def forget(self, item: Item) -> None:
        """An item is taken back."""
        self.loose = [each for each in self.loose if each is not item]
        self.done = [each for each in self.done if each is not item]


def find_order_lines(text: Text, *, country: str = "", shelf: Shelf | None = None) -> tuple[OrderLine, ...]:
    """The lines of an order in a message; questions and other talk give none."""
    page = read_page(text, country)
    if len(page.toks) > _LONGEST:
        return ()
    spots = find_spots(page, shelf) if shelf else []
    if not spots and not page.verbs and not page.counts and not page.listed:
        return ()
    items = find_items(page, shelf, spots)
    reader = _Reader(page, {item.first: item for item in items}, known=shelf is not None)
    index = 0
    while index < len(page.toks):
        if index in page.openings and index:
            _end_clause(reader, line=index in page.listed and page.word(index - 1) not in ".;!?")
        index = max(_read_at(reader, index), index + 1)
    _end_clause(reader, line=False)
    return tuple(_lines(reader))


def _read_at(reader: _Reader, index: int) -> int:
    """Read on from a token: something that is named, a verb, a number that counts what was named before, or a word."""
    page, last = reader.page, reader.last
    instead = next((phrase for phrase in _INSTEAD if page.says(index, phrase)), "")
    if instead:
        return _read_instead(reader, index + len(instead.split()))
    if index in page.verbs:
        return _read_verb(reader, page.verbs[index])
    if index in reader.items:
        return _read_item(reader, reader.items[index])
    if index in page.counts:
        return _read_count(reader, page.counts[index])
    text = page.word(index)
    if text in words.TIMES and reader.loose:
        reader.govern(reader.loose[-1], "set", Count(words.TIMES[text], "", index, index + 1))
    if text == ":" or (text == "," and reader.told and not reader.loose and reader.verb is None):
        reader.told = False  # quiero hacer un pedido: …; soy Ana, 2 cocas
    if _tells(page, index):
        reader.told, reader.action = True, ""
    elif text == "mejor" and last and last.counted and last.action == "add":
        last.action = "set"
    elif text not in words.COMMON and at(page.toks, index).kind == "word":
        for item in reader.loose:
            item.bare = False
    return index + 1


def _tells(page: Page, index: int) -> bool:
    """Whether a clause tells: la coca vino caliente, la lista de bebidas, 1e9; "si hay" and "es todo" do not."""
    before, after = page.word(index - 1), page.word(index + 1)
    if page.word(index) in words.TELLING and index not in page.asked:
        return "si" not in (before, page.word(index - 2)) and "todo" not in (before, after)
    return (page.word(index) in words.ABOUT and after in ("de", "del")) or page.is_code(index)


# --- something that is named ----------------------------------------------------------------------------


def _read_item(reader: _Reader, item: Item) -> int:
    """What the words right before a thing, or the verb that governs, do with it."""
    page, place = reader.page, _before(reader.page, item)
    before, earlier = page.word(place), page.word(place - 1)
    refused = [each for each in (*reader.done, *reader.loose) if before == "no" and each.last == place]
    if item.asked:
        reader.loose.append(item)
    elif not item.counted and before in ("de", "para") and earlier in words.AND:
        return item.last  # y de postre un flan
    elif reader.verb and (reader.action == "change" or _swaps(reader)):
        _read_change(reader, item)
    elif before in _BUT and (reader.action == "remove" or earlier == "todo"):
        item.spot = replace(item.spot, text=f"todo menos {item.spot.text}")
        reader.govern(item, "remove")
    elif before == "con" and item.counted and reader.action == "remove":
        reader.govern(item, "add")  # sin el arroz y con dos yerbas
    elif refused and refused[0].counted:
        reader.forget(refused[0])  # una coca zero no, coca común
        reader.govern(item, refused[0].action or "add", item.count or refused[0].count)
    elif refused:
        reader.govern(item, "add")  # coca no, sprite
    elif before in _NOT and not (reader.told and before == "ni"):
        reader.govern(item, "set" if before == "no" and item.counted else "remove")
    elif not item.spot.known and reader.known and not (item.counted and reader.action == "add"):
        return item.last  # what nobody knows is ordered only in so many words
    elif reader.action and not reader.told:
        old = reader.swapped
        swaps = reader.action == "set" and old is not None and old.spot.text != item.spot.text
        reader.govern(item, "add" if swaps else reader.action, item.count or (old.count if old else None))
    elif before in ("por", "x") and reader.loose and reader.loose[-1].last == place:
        reader.govern(reader.loose[-1], "remove")
        reader.govern(item, "add")
    elif item.counted and page.says(item.first - 2, "al final"):
        reader.govern(item, "set")
    else:
        item.bare = not reader.told
        reader.loose.append(item)
    return _read_after(reader, item)


def _before(page: Page, item: Item) -> int:
    """The word before a thing and its articles; "no, 3 cocas" is about the no."""
    index = item.first - 1
    if item.spot.completed and page.word(index) in words.VARIES:
        index -= 1
    while page.word(index) in words.ARTICLES:
        index -= 1
    return index - 1 if page.says(index - 1, "no ,") else index


def _read_after(reader: _Reader, item: Item) -> int:
    """A bare "no" behind a thing takes it out (el pan no, la leche tampoco); "el pan no llegó" tells something."""
    page = reader.page
    end = item.last + (page.word(item.last) == "ya")
    refused = page.word(end) in ("no", "tampoco") and end not in page.verbs
    if refused and not item.counted and not item.asked and page.ends(end + 1):
        reader.govern(item, "remove")
        return end + 1
    return item.last


def _swaps(reader: _Reader) -> bool:
    """La soda cambiala por una sidra."""
    into = reader.verb is not None and reader.page.word(reader.verb.last - 1) == "por"
    return into and reader.action == "set" and bool(reader.loose) and not reader.loose[-1].asked


def _read_change(reader: _Reader, item: Item) -> None:
    """Cambiá la coca por una fanta: one out, one in."""
    old = reader.loose[-1] if reader.loose else None
    if old is None:
        reader.loose.append(item)
        return
    reader.govern(old, "remove")
    reader.govern(item, "add", item.count or old.count)
    reader.action = ""


def _read_instead(reader: _Reader, index: int) -> int:
    """En vez de la coca: the coke goes; en vez de 2: only a number is corrected."""
    start = reader.page.past(index, words.ARTICLES)
    item, count = reader.items.get(start), reader.page.counts.get(start)
    if item:
        same = next((each for each in reader.done if each.spot.text == item.spot.text), None)
        if same:
            same.action = "set"
        else:
            reader.govern(item, "remove")
            reader.swapped = item
        return item.last
    if count and reader.last and reader.last.action == "add":
        reader.last.action = "set"
    return count.last if count else start


# --- verbs and numbers ----------------------------------------------------------------------------------


def _read_verb(reader: _Reader, verb: Verb) -> int:
    """A verb governs what comes after it; one with a pronoun, or with nothing after it, what was named before."""
    page = reader.page
    reader.told = verb.kind == "none"
    reader.verb, reader.action = verb, "" if verb.kind == "none" else verb.kind
    if verb.kind not in ("add", "remove"):
        return verb.last
    if verb.kind == "remove" and page.word(verb.last) == "todo" and page.ends(verb.last + 1):
        if not page.word(verb.first).startswith(("cancel", "anul")):
            reader.lines.append(replace(_line_without(reader, verb, None), product="todo", confidence=80))
        return verb.last + 1
    after = page.past(verb.last, words.ARTICLES | words.FILLERS)
    nothing = after not in reader.items and after not in page.counts and after not in page.verbs
    if (verb.refers or nothing) and reader.loose and _is_about(reader, verb):
        for item in reader.loose:
            reader.govern(item, verb.kind)
        reader.action = ""
    elif verb.refers and verb.kind == "remove" and not reader.done:
        reader.lines.append(_line_without(reader, verb, None))
        reader.action = ""
    return verb.last


def _is_about(reader: _Reader, verb: Verb) -> bool:
    """Whether a verb is about what was named before it: with a pronoun, or in the same breath."""
    item = reader.loose[-1]
    return verb.refers or (verb.kind == "remove" and not item.asked and verb.first - item.last <= 1)


def _read_count(reader: _Reader, count: Count) -> int:
    """A number alone: it counts what was named before, or corrects how many, or is about what was ordered last."""
    page, last = reader.page, reader.last
    end = count.last + (page.word(count.last) in ("mas", "more"))
    before = page.word(count.first - 1)
    if counts_each(page, count):
        for item in reader.items.values():
            item.count = item.count or count
        return count.last + 2 + (page.word(count.last + 2) in words.ONE)
    asked = count.last - 1 in page.asked
    if not page.ends(end) or before in words.VARIES or asked or count.unit in words.MEASURES:
        return count.last
    if last and before == "a" and last.last == count.first - 1:
        last.count, last.action = count, "set"  # bajá las cocas a 2
    elif reader.action in {"add", "set"} and reader.loose:
        item = reader.loose[-1]
        again = item.counted and page.word(item.first - 1) not in words.ARTICLES  # 2 flanes, no, mejor 3
        reader.govern(item, "add" if reader.action == "add" or item.asked or again else "set", count)
    elif last and last is reader.swapped and reader.action == "set":
        last.count, last.action = count, "set"  # en vez de coca que sean 3
    elif last and last.action in {"add", "set"} and (reader.action == "set" or _is_sorry(page, count)):
        last.count = count
    elif reader.verb and reader.action in {"add", "set", "remove"} and not last and _is_right_after(reader, count):
        reader.lines.append(_line_without(reader, reader.verb, count))
    elif reader.action == "change" and reader.loose:
        reader.govern(reader.loose[-1], "set", count)
    elif end > count.last and not last and not reader.loose:
        reader.lines.append(_line_without(reader, Verb("add", count.first, count.last), count))
    return end


def _is_sorry(page: Page, count: Count) -> bool:
    """Whether a number corrects the one before: 2 cocas, no, 3."""
    before = [page.word(index) for index in range(max(0, count.first - 3), count.first)]
    return bool(before) and before[-1] in _SORRY and not (_SORRY - {",", "."}).isdisjoint(before)


def _is_right_after(reader: _Reader, count: Count) -> bool:
    """Whether a number that counts nothing by name is still one of goods: dame 2, que sean 5."""
    start = reader.verb.last if reader.verb else count.first
    between = {reader.page.word(index) for index in range(start, count.first)}
    return count.value < _MOST and between <= words.FILLERS | {"los", "las", ","}


def _line_without(reader: _Reader, verb: Verb, count: Count | None) -> OrderLine:
    """A change of what was ordered last, which is not named."""
    toks, said = reader.page.toks, count or Count(0, "", verb.first, verb.last)
    value = count.value if count else None
    return OrderLine(verb.kind, value, "", said.unit, "", toks[verb.first].start, toks[said.last - 1].end, 75)


# --- what is left at the end ----------------------------------------------------------------------------


def _end_clause(reader: _Reader, *, line: bool) -> None:
    """What was named and is governed by nothing is ordered where it is counted or a list, and nothing else is said."""
    page, named = reader.page, [item for item in reader.loose if not item.asked]
    listed = len(named) > 1 or bool(reader.done)
    for item in () if reader.told else named:
        alone = item.bare and (listed or item.size or item.first in page.listed or item.last - 1 in page.listed)
        known = item.spot.known or (not reader.known and item.first in page.listed)
        if item.counted or (alone and known and _stands_apart(page, item)):
            reader.govern(item, "add")
    reader.told = False
    if not (line and reader.action == "add"):
        reader.verb, reader.action = None, ""


def _stands_apart(page: Page, item: Item) -> bool:
    """Whether marks, joiners or courtesy stand around it."""
    around = words.AND | words.FILLERS | {"", "."}
    opens = page.word(_before(page, item)) in around or item.first in page.openings
    return opens and (page.word(item.last) in around or item.last in page.openings)


def _lines(reader: _Reader) -> Iterator[OrderLine]:
    done = _broken_down(reader.page, _corrected(reader))
    yield from (_line(reader, item) for item in done)
    yield from reader.lines if not done else ()


def _corrected(reader: _Reader) -> list[Item]:
    """Without what was taken back in the same message: una coca, no, mejor una fanta."""
    kept: list[Item] = []
    for item in sorted(reader.done, key=lambda each: each.first):
        between = [reader.page.word(index) for index in range(kept[-1].last, item.first)] if kept else []
        sorry = "no" in between and set(between) <= _SORRY | words.ARTICLES
        if sorry and kept[-1].action == "add" and kept[-1].counted and item.action in {"add", "set"}:
            item.action = "add"
            kept.pop()
        kept.append(item)
    return kept


def _broken_down(page: Page, items: list[Item]) -> list[Item]:
    """4 empanadas, 2 de carne y 2 de pollo: parts that add up stand for the whole; so do those behind its colon."""
    for place, whole in enumerate(items):
        parts = [each for each in items[place + 1 :] if each.count and _is_variety(page, each)]
        if len(parts) < 2 or len(parts) != len(items) - place - 1:  # noqa: PLR2004
            continue
        total, wanted = sum(each.count.value for each in parts if each.count), whole.count
        dozens = wanted is not None and wanted.unit == "unit" and total * _DOZEN == wanted.value
        if dozens or (total == wanted.value if wanted else page.word(whole.last) == ":"):
            return [*items[:place], *(_part(whole, part, _DOZEN if dozens else 1) for part in parts)]
    return items


def _is_variety(page: Page, item: Item) -> bool:
    return item.spot.completed or page.word(item.spot.first - 1) in words.VARIES


def _part(whole: Item, part: Item, times: int) -> Item:
    text = part.spot.text
    text = text if text.startswith(whole.spot.text.split()[0]) else f"{whole.spot.text} de {text}"
    unit = "unit" if times > 1 else ""
    count = replace(part.count, value=part.count.value * times, unit=unit) if part.count else None
    return replace(part, spot=replace(part.spot, text=text), count=count)


def _line(reader: _Reader, item: Item) -> OrderLine:
    toks, verb = reader.page.toks, item.verb
    governs = verb and not any(verb is other.verb and other.first < item.first for other in reader.done)
    first = min(item.first, verb.first) if verb and governs else item.first
    count = item.count or Count(1, "", item.first, item.last)
    quantity = count.value * words.IN_A_PACK.get(count.unit, 1) if item.count or item.action != "remove" else None
    unit = "" if count.unit in words.IN_A_PACK else count.unit
    text = f"{item.spot.text} {item.size}".strip()
    span = toks[first].start, toks[item.last - 1].end
    return OrderLine(item.action, quantity, text, unit, "", *span, _sureness(item), item.spot.known)


def _sureness(item: Item) -> int:
    if item.verb or item.action != "add":
        return 95 if item.counted else 80
    if item.count is None:
        return 65
    return 85 if item.count.value != 1 else 70
