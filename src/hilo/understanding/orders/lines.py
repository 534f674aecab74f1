"""Find order lines: what a message adds to an order, takes out of it or changes in it.

What the catalogue knows is spotted first; numbers and sizes go to what they stand beside; then the words around each
thing say what happens to it.
"""

from collections.abc import Iterator

from hilo.recognisers.amounts.tokens import at
from hilo.recognisers.normalise import Text
from hilo.understanding.orders import words
from hilo.understanding.orders.amendments import broken_down, corrected, without_heading
from hilo.understanding.orders.items import Item, find_items
from hilo.understanding.orders.named import read_instead, read_item, read_size
from hilo.understanding.orders.page import Count, Page, Verb, read_page
from hilo.understanding.orders.reader import OrderLine, OrderReader, place_before
from hilo.understanding.orders.spots import Shelf, called, find_spots
from hilo.understanding.orders.verbs import read_count, read_verb
from hilo.understanding.orders.whole_order import left_over, read_rest, whole_lines

__all__ = ["OrderLine", "find_order_lines"]

_LONGEST = 4000  # tokens; nobody orders in more
_IF_THERE_IS_NONE = (
    "si no hay",
    "si no tenes",
    "si no tienen",
    "si no tiene",
    "si no queda",
    "si no quedan",
    "sino hay",
)
_REASONS = frozenset((",", "que", "q", "porque", "xq", "pq"))  # what is told after them is why, and takes nothing back
_BEING = frozenset(
    ("es", "son", "soy", "somos", "esta", "estan", "estoy", "tengo", "tiene", "tenemos", "hay", "gusta", "gustan")
)
_WHEN = frozenset(("noche", "tarde", "manana", "semana", "vez", "misma", "hora"))  # esta noche


def find_order_lines(text: Text, *, country: str = "", shelf: Shelf | None = None) -> tuple[OrderLine, ...]:
    """The lines of an order in a message; questions and other talk give none."""
    page = read_page(text, country, shelf.is_sold if shelf else lambda _: False)
    if len(page.toks) > _LONGEST:
        return ()
    spots = find_spots(page, shelf) if shelf else []
    if not spots and not page.verbs and not page.counts and not page.listed:
        return ()
    items = find_items(page, shelf, spots)
    reader = OrderReader(page, {item.first: item for item in items}, known=shelf is not None, shelf=shelf)
    index = 0
    while index < len(page.toks):
        if index in page.openings and index:
            _end_clause(reader, line=index in page.listed and page.word(index - 1) not in ".;!?")
        index = max(_read_at(reader, index), index + 1)
    _end_clause(reader, line=False)
    return tuple(_lines(reader))


def _read_at(reader: OrderReader, index: int) -> int:
    """Read on from a token: something that is named, a verb, a number that counts what was named before, or a word."""
    page = reader.page
    if (reader.done or reader.loose) and any(page.says(index, phrase) for phrase in _IF_THERE_IS_NONE):
        return next((place for place in sorted(page.openings) if place > index), len(page.toks))
    if instead := page.instead(index):
        return read_instead(reader, instead)
    if end := read_rest(reader, index):
        return end
    if index in page.verbs:
        return read_verb(reader, page.verbs[index])
    if sized := read_size(reader, index):
        return sized
    if index in reader.items:
        return read_item(reader, reader.items[index])
    if index in page.counts:
        return read_count(reader, page.counts[index])
    _read_word(reader, index)
    return index + 1


def _read_word(reader: OrderReader, index: int) -> None:
    """What any other word does: it opens a reason, tells something, corrects what was done last."""
    page, last, text = reader.page, reader.last, reader.page.word(index)
    if text in words.TIMES and reader.loose and page.ends(index + 1) and index not in page.asked:
        reader.govern(reader.loose[-1], "set", Count(words.TIMES[text], "", index, index + 1))
    if text in words.WHY and reader.action == "remove" and last:
        reader.told, reader.action = True, ""  # sacá los cigarrillos que mi mujer me mata
    if text == ":" or (text == "," and reader.told and not reader.loose and reader.verb is None):
        reader.told = False  # quiero hacer un pedido: …; soy Ana, 2 cocas
    if _tells(page, index):
        reason = text in _BEING and page.word(index - 1) in _REASONS and (reader.done or _counted(reader.loose))
        reader.told, reader.action = not reason, ""
    elif text == "mejor" and last and last.counted and last.action == "add":
        last.action = "set"
    elif text == "mejor" and last and last.last == index:
        reader.verb, reader.action = Verb("set", index, index + 1), "set"
    elif text not in words.COMMON and at(page.toks, index).kind == "word":
        for item in reader.loose:
            item.bare = False


def _tells(page: Page, index: int) -> bool:
    """Whether a clause tells: la coca vino caliente, la lista de bebidas, 1e9; "si hay" and "es todo" do not."""
    before, after = page.word(index - 1), page.word(index + 1)
    if page.word(index) in words.TELLING and index not in page.asked and after not in _WHEN:
        return "si" not in (before, page.word(index - 2)) and "todo" not in (before, after)
    return (page.word(index) in words.ABOUT and after in ("de", "del", "d")) or page.is_code(index)


def _counted(items: list[Item]) -> bool:
    return any(item.counted and not item.asked for item in items)


# --- what is left at the end ----------------------------------------------------------------------------


def _end_clause(reader: OrderReader, *, line: bool) -> None:
    """What was named and is governed by nothing is ordered where it is counted or a list, and nothing else is said."""
    page, named = reader.page, [item for item in reader.loose if not item.asked]
    listed = len(named) > 1 or bool(reader.done)
    for item in () if reader.told else named:
        sized = item.size or not words.ADJECTIVES.isdisjoint(item.spot.text.split())
        alone = item.bare and (listed or sized or item.first in page.listed or item.last - 1 in page.listed)
        known = item.spot.known or (not reader.known and item.first in page.listed)
        if item.counted or (alone and known and _stands_apart(page, item)):
            reader.govern(item, "add")
    reader.told = False
    if not (line and reader.action == "add"):
        reader.verb, reader.action = None, ""


def _stands_apart(page: Page, item: Item) -> bool:
    """Whether marks, joiners or courtesy stand around it."""
    around = words.AND | words.FILLERS | {"", "."}
    opens = page.word(place_before(page, item)) in around or item.first in page.openings
    return opens and (page.word(item.last) in around or item.last in page.openings)


def _lines(reader: OrderReader) -> Iterator[OrderLine]:
    done = without_heading(reader.page, corrected(reader.page, reader.done))
    done = broken_down(reader.page, done)
    whole = list(whole_lines(reader, done))
    done = left_over(reader, done)
    yield from whole
    yield from (_line(reader, item) for item in done)
    yield from reader.lines if not done and not whole else ()


def _line(reader: OrderReader, item: Item) -> OrderLine:
    toks, verb = reader.page.toks, item.verb
    governs = verb and not any(verb is other.verb and other.first < item.first for other in reader.done)
    first = min(item.first, verb.first) if verb and governs else item.first
    count = item.count or Count(1, "", item.first, item.last)
    quantity = count.value if item.count or item.action != "remove" else None
    text = " ".join(_called(reader, word) for word in f"{item.spot.text} {item.size}".split())
    span = toks[first].start, toks[item.last - 1].end
    alike = called(reader.shelf, item.spot) if reader.shelf and item.spot.alike and item.action == "add" else ()
    return OrderLine(item.action, quantity, text, count.unit, "", *span, _sureness(item), item.spot.known, alike)


def _called(reader: OrderReader, word: str) -> str:
    """A word for a size in the words of catalogues: coca personal is the small one."""
    known = reader.shelf is not None and reader.shelf.is_sold(word)
    return words.SIZES.get(word, word) if reader.shelf and not known else word


def _sureness(item: Item) -> int:
    if item.verb or item.action != "add":
        return 95 if item.counted else 80
    if item.count is None:
        return 65
    return 85 if item.count.value != 1 else 70
