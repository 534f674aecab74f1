"""Find order lines: what a message adds to an order, takes out of it or changes in it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from hilo.recognisers.amounts.tokens import follows, word
from hilo.recognisers.normalise import Text
from hilo.understanding.orders.bounds import loose_wish, read_notes
from hilo.understanding.orders.breakdowns import OrderLine, broken_down
from hilo.understanding.orders.items import Item, read_item
from hilo.understanding.orders.page import BULLETS, Page, read_page
from hilo.understanding.orders.words import (
    ADJECTIVES,
    AND,
    ARTICLES,
    CARTS,
    FILLERS,
    INTERROGATIVES,
    MEASURES,
    NOT_PRODUCTS,
    OF,
    TALK,
    VARIANTS,
)

__all__ = ["OrderLine", "find_order_lines"]

_INSTEAD = (("en", "vez", "de"), ("en", "lugar", "de"), ("instead", "of"), ("envez", "de"))
_INSTEAD_STARTS = frozenset(phrase[0] for phrase in _INSTEAD)
_INTO = frozenset(("por", "x", "a", "para", "for", "to", "with", "con"))
_NO_SUBJECT = TALK | INTERROGATIVES | FILLERS
_SENTENCE = frozenset(".;!?¿¡")
_LIST = frozenset(",+&•*·-–—/()")


@dataclass(slots=True)
class _Cursor:
    """Where the reading stands: the verb that governs, whether a line may start here, and whether under a heading."""

    index: int = 0
    action: str = ""
    verb: int = -1
    opens: bool = True
    heads: bool = False
    elliptic: bool = False
    listed: bool = False


def find_order_lines(text: Text, *, country: str = "") -> tuple[OrderLine, ...]:
    """The lines of an order in a message; questions and other talk give none."""
    page = read_page(text, country)
    if page is None:
        return ()
    lines: list[OrderLine] = []
    elliptic: set[int] = set()
    cursor = _Cursor()
    while cursor.index < len(page.toks):
        before = cursor.index
        if not lines or not _annotate(page, cursor, lines):
            for line in _step(page, cursor):
                if cursor.elliptic:
                    elliptic.add(len(lines))
                lines.append(_inherit(line, lines, cursor))
        cursor.index = max(cursor.index, before + 1)
    return tuple(broken_down(lines, elliptic))


def _step(page: Page, cursor: _Cursor) -> Iterator[OrderLine]:
    """Read on from the cursor: a break, a verb, a filler or an item."""
    index, text = cursor.index, word(page.toks, cursor.index)
    if index in page.openings and not cursor.heads and not (text in BULLETS and cursor.action == "add"):
        _start_over(cursor)
    if index in page.asked:
        _start_over(cursor)
        cursor.opens, cursor.heads = True, False
    elif page.toks[index].kind == "mark" and text != "$" and not _is_minus(page, index):
        _read_mark(page, cursor, text)
    elif (
        text in _INSTEAD_STARTS
        and (cursor.opens or cursor.action)
        and any(follows(page.toks, index, phrase) for phrase in _INSTEAD)
    ):
        yield from _instead(page, cursor)
    elif (verb := page.verb(index, opens=cursor.opens)) is not None:
        yield from _after_verb(page, cursor, *verb)
    else:
        yield from _plain(page, cursor, text)


def _annotate(page: Page, cursor: _Cursor, lines: list[OrderLine]) -> bool:
    """A wish after a comma belongs to the line before: una hamburguesa, sin tomate."""
    notes, last = loose_wish(page, cursor.index)
    if not notes or cursor.verb >= 0:
        return False
    lines[-1] = replace(lines[-1], notes=f"{lines[-1].notes} {notes}".strip(), end=page.toks[last - 1].end)
    cursor.index = last
    return True


def _inherit(line: OrderLine, lines: list[OrderLine], cursor: _Cursor) -> OrderLine:
    """2 kg de papa y uno de cebolla: the unit goes on; media after a dozen is half of one."""
    if not lines:
        return line
    if not line.product and line.notes and line.action == "add" == lines[-1].action and cursor.listed:
        return replace(line, product=lines[-1].product)
    if not cursor.elliptic:
        return line
    unit = lines[-1].unit
    if line.quantity == Decimal("0.5") and unit == "unit":
        return replace(line, quantity=6, unit=unit)
    return replace(line, unit=unit) if unit in MEASURES else line


def _start_over(cursor: _Cursor) -> None:
    cursor.action, cursor.verb, cursor.opens = "", -1, True


def _is_minus(page: Page, index: int) -> bool:
    return index in page.numbers and page.numbers[index].value < 0


def _read_mark(page: Page, cursor: _Cursor, text: str) -> None:
    if text == ":":
        cursor.heads, cursor.opens = True, True
    elif text in _SENTENCE:
        cursor.heads = cursor.heads and cursor.index in page.openings
        if not cursor.heads:
            _start_over(cursor)
    elif text in _LIST:
        cursor.opens = True
    cursor.index += 1


def _plain(page: Page, cursor: _Cursor, text: str) -> Iterator[OrderLine]:
    """Words without a verb of their own: an item, a filler, or talk that ends what went before."""
    subject = _subject_first(page, cursor) if cursor.opens and not cursor.action else None
    if subject:
        yield subject
        return
    item = _item(page, cursor)
    if item:
        line, cursor.elliptic, cursor.listed = _line(page, item, cursor), item.elliptic, cursor.verb < 0
        yield replace(line, action="set") if _corrects_number(page, item.last) else line
        _go_on(cursor, item.last)
    elif text in AND or text in FILLERS:
        if text == "no":
            cursor.action, cursor.verb = "", -1
        cursor.opens = cursor.opens or (text in AND and bool(cursor.action))
        cursor.index += 1
    else:
        cursor.action, cursor.verb, cursor.opens = "", -1, False
        cursor.heads = cursor.heads and cursor.index in page.openings
        cursor.index += 1


def _corrects_number(page: Page, index: int) -> bool:
    """3 en vez de 2: a number stands for a number."""
    size = next((len(phrase) for phrase in _INSTEAD if follows(page.toks, index, phrase)), 0)
    return bool(size) and page.starts_item(index + size) and not getattr(read_item(page, index + size), "product", "")


def _go_on(cursor: _Cursor, index: int) -> None:
    """After a line the same verb governs what is listed next."""
    cursor.index, cursor.verb, cursor.opens = index, -1, True
    cursor.action = cursor.action or "add"


def _item(page: Page, cursor: _Cursor) -> Item | None:
    """The item at the cursor, if it counts as one there."""
    first = cursor.index
    if not cursor.opens and not cursor.action:
        return None
    item = read_item(page, first, removing=cursor.action == "remove")
    if not item or item.head in NOT_PRODUCTS:
        return None
    if not item.product:
        more = word(page.toks, item.last - 1) in ("mas", "more") and item.ends_well
        return item if item.counted and (cursor.verb >= 0 or more or (item.notes and cursor.action)) else None
    if item.product == "todo" and word(page.toks, cursor.verb).startswith(("cancel", "anul")):
        return None
    if item.counted and (cursor.action or item.ends_well):
        return item
    listed = (cursor.action or first in page.listed) and cursor.opens and item.ends_well
    return item if (cursor.verb >= 0 or listed) and not _infinitive(item) else None


def _infinitive(item: Item) -> bool:
    return item.head.endswith(("ar", "er", "ir", "arme", "erme", "irme", "arte", "arlo", "arla")) and item.is_verb_like


def _line(page: Page, item: Item, cursor: _Cursor) -> OrderLine:
    """A read item as a line of the governing action."""
    action = cursor.action or "add"
    quantity = item.quantity if item.counted else None if action == "remove" else 1
    first = cursor.verb if cursor.verb >= 0 else item.first
    span = page.toks[first].start, page.toks[item.last - 1].end
    return OrderLine(action, quantity, item.product, item.unit, item.notes, *span, _confidence(item, cursor))


def _confidence(item: Item, cursor: _Cursor) -> int:
    if not item.product:
        return 75
    if cursor.verb >= 0 or cursor.action:
        return 95 if item.counted else 80 if cursor.verb >= 0 else 65
    return 85 if item.quantity != 1 else 70


def _after_verb(page: Page, cursor: _Cursor, kind: str, end: int) -> Iterator[OrderLine]:
    start = cursor.index
    cursor.index, cursor.opens = end, True
    if kind == "none":
        cursor.action, cursor.verb, cursor.opens = "", -1, False
    elif kind == "set":
        yield from _set(page, cursor, start)
    elif kind == "change":
        yield from _change(page, cursor, start)
    else:
        cursor.action, cursor.verb = kind, start
        _skip_courtesy(page, cursor)
        if kind == "remove" and page.is_pronominal(end - 1) and not _item(page, cursor):
            yield OrderLine("remove", None, "", "", "", page.toks[start].start, page.toks[end - 1].end, 70)


def _skip_courtesy(page: Page, cursor: _Cursor) -> None:
    """Dame por favor 2 cocas, quiero: 2 cocas, agregá también una fanta."""
    while cursor.index < len(page.toks) and cursor.index not in page.openings:
        text = word(page.toks, cursor.index)
        if text == ":":
            cursor.heads = True
        elif word(page.toks, cursor.index + 1) in CARTS and text in ("al", "del", "mi"):
            cursor.index += 1
        elif text not in FILLERS and text != ",":
            return
        if page.starts_item(cursor.index) or page.verb(cursor.index, opens=True):
            return
        cursor.index += 1
    cursor.heads = cursor.heads or cursor.index < len(page.toks)


def _set(page: Page, cursor: _Cursor, start: int) -> Iterator[OrderLine]:
    """Que sean 4, mejor 2 cocas, que sea light."""
    item = read_item(page, cursor.index)
    span = page.toks[start].start
    if item and item.counted and item.head not in NOT_PRODUCTS:
        swaps = any(follows(page.toks, item.last, phrase) for phrase in _INSTEAD)
        swaps = swaps and bool(item.product) and not _corrects_number(page, item.last)
        yield OrderLine(
            "add" if swaps else "set",
            item.quantity,
            item.product,
            item.unit,
            item.notes,
            span,
            page.toks[item.last - 1].end,
            90,
        )
        _go_on(cursor, item.last)
        cursor.action = "set" if item.product else ""
    elif page.verb(cursor.index - 1, opens=False, only="add"):
        cursor.action, cursor.verb = "add", start
    elif word(page.toks, cursor.index - 1) in ("sea", "sean"):
        notes, last = read_notes(page, cursor.index)
        if notes:
            yield OrderLine("set", None, "", "", notes, span, page.toks[last - 1].end, 70)
            cursor.index = last
    else:
        cursor.opens = False


def _change(page: Page, cursor: _Cursor, start: int) -> Iterator[OrderLine]:
    """Cambiá la coca por una fanta is one out and one in; cambiá la coca a 3 sets its quantity."""
    old = read_item(page, cursor.index, removing=True)
    if not old or not old.product or old.head in NOT_PRODUCTS or word(page.toks, old.last) not in _INTO:
        cursor.opens = False
        return
    new = read_item(page, old.last + 1)
    if not new or new.head in NOT_PRODUCTS:
        cursor.opens = False
        return
    spans = page.toks[start].start, page.toks[old.last - 1].end, page.toks[new.last - 1].end
    if new.product:
        quantity = old.quantity if old.counted else None
        yield OrderLine("remove", quantity, old.product, old.unit, old.notes, spans[0], spans[1], 85)
        first = page.toks[new.first].start
        yield OrderLine("add", new.quantity, new.product, new.unit, new.notes, first, spans[2], 85)
    else:
        yield OrderLine("set", new.quantity, old.product, new.unit, "", spans[0], spans[2], 85)
    _go_on(cursor, new.last)
    cursor.action = ""


def _instead(page: Page, cursor: _Cursor) -> Iterator[OrderLine]:
    """En vez de la coca: the coke goes; en vez de 2: only a number is corrected."""
    first = cursor.index
    cursor.index += 2 if word(page.toks, first) in ("instead", "envez") else 3
    item = read_item(page, cursor.index, removing=True)
    item = _before_wish(page, item) if item else None
    verb = page.verb(_past_comma(page, item.last), opens=True) if item and item.product else None
    if item and verb and verb[0] == "set" and (swapped := _swap(page, (first, verb[1]), item)):
        yield from swapped[0]
        _go_on(cursor, swapped[1])
        return
    if item and item.product and item.head not in NOT_PRODUCTS:
        quantity = item.quantity if item.counted else None
        span = page.toks[first].start, page.toks[item.last - 1].end
        yield OrderLine("remove", quantity, item.product, item.unit, item.notes, *span, 80)
    cursor.index = item.last if item else cursor.index
    cursor.action, cursor.verb, cursor.opens = "", -1, True


def _before_wish(page: Page, item: Item) -> Item:
    """En vez de coca que sea pepsi: what is wished here is another product, no note."""
    wish = next((i for i in range(item.first, item.last) if follows(page.toks, i, ("que", "sea"))), 0)
    wish = wish or next((i for i in range(item.first, item.last) if follows(page.toks, i, ("que", "sean"))), 0)
    new = read_item(page, wish + 2) if wish else None
    if not new or not new.product or new.head in VARIANTS | ADJECTIVES:
        return item
    return replace(item, notes="", last=wish)


def _past_comma(page: Page, index: int) -> int:
    return index + (word(page.toks, index) == ",")


def _swap(page: Page, place: tuple[int, int], old: Item) -> tuple[list[OrderLine], int] | None:
    """En vez de la coca que sean 2 corrects a number; en vez de coca que sea pepsi changes the product."""
    first, start = place
    new = read_item(page, start)
    if not new or new.head in VARIANTS | ADJECTIVES | NOT_PRODUCTS:
        return None
    span, end = page.toks[first].start, page.toks[new.last - 1].end
    if not new.product:
        changed = OrderLine("set", new.quantity, old.product, old.unit, "", span, end, 85)
        return ([changed], new.last) if new.counted else None
    gone = old.quantity if old.counted else None
    many = new.quantity if new.counted or not old.counted else old.quantity
    removed = OrderLine("remove", gone, old.product, old.unit, old.notes, span, page.toks[old.last - 1].end, 85)
    added = OrderLine("add", many, new.product, new.unit, new.notes, page.toks[new.first].start, end, 85)
    return [removed, added], new.last


def _subject_first(page: Page, cursor: _Cursor) -> OrderLine | None:
    """La coca que sea light, las cocas que sean 4, la fanta sacala."""
    start = cursor.index
    if word(page.toks, start) in _NO_SUBJECT or page.starts_item(start):
        return None
    item = read_item(page, start, plain=True)
    if not item or not item.product:
        return None
    after = item.last + (word(page.toks, item.last) == ",")
    verb = page.verb(after, opens=True)
    named = word(page.toks, start) in ARTICLES or word(page.toks, start) in OF
    if not verb or verb[0] not in ("set", "remove") or not (named or verb[0] == "set"):
        return None
    return _about_subject(page, cursor, item, verb)


def _about_subject(page: Page, cursor: _Cursor, item: Item, verb: tuple[str, int]) -> OrderLine | None:
    kind, end = verb
    span = page.toks[cursor.index].start
    if kind == "remove":
        if not page.is_pronominal(end - 1):
            return None
        cursor.index = end
        return OrderLine("remove", None, item.product, "", "", span, page.toks[end - 1].end, 85)
    inner = replace(cursor, index=end)
    found = next(_set(page, inner, cursor.index), None)
    if not found or found.product:
        return None
    cursor.index, cursor.opens = inner.index, True
    return replace(found, product=item.product, confidence=85)
