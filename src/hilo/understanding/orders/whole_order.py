"""What happens to the whole order: all of it goes, all but some things, or all that was not named."""

from collections.abc import Iterator
from dataclasses import replace

from hilo.understanding.orders import words
from hilo.understanding.orders.items import Item
from hilo.understanding.orders.page import Page, Verb
from hilo.understanding.orders.reader import OrderLine, OrderReader, line_without

ALL = "todo"  # a product's name where the whole order is meant
BUT = frozenset(("menos", "excepto", "salvo"))
_THE_ORDER = frozenset(("carrito", "pedido", "orden", "lista", "canasta", "compra", "changuito"))
_THE_REST = frozenset(("demas", "resto"))
_WHOLE = frozenset(("entero", "entera", "completo", "completa"))
_OUT = frozenset(("fuera", "afuera", "no"))
_CANCELS = ("cancel", "anul")  # of the whole order they give up the order itself, which is more than emptying it
_LEAVES = ("dej", "qued")
_LONGEST_TALE = 4  # words of "lo que te había pedido"


def read_whole(reader: OrderReader, verb: Verb) -> int:
    """Where words that take out all of the order end: borrá todo, vaciá el carrito, tirá lo demás."""
    page = reader.page
    end = _past_the_order(reader, verb)
    if end and not page.word(verb.first).startswith(_CANCELS):
        reader.emptied, reader.action = verb, ""
        reader.rest = any(_is_the_rest(page, index) for index in range(verb.last, end))
    return end


def _past_the_order(reader: OrderReader, verb: Verb) -> int:
    page = reader.page
    start = page.past(verb.last, words.ARTICLES | {"mi", "de", "del"})
    said = {page.word(index) for index in range(verb.last, start + 1)}
    if reader.known and (page.word(start) in _THE_ORDER or _is_the_rest(page, start)):
        start += 1 + (page.word(start + 1) in _WHOLE)
    elif reader.known and page.word(start - 1) == "lo" and page.word(start) in words.WHY | {"anterior"}:
        places = range(start, start + 1 + _LONGEST_TALE)
        start = next((index for index in places if page.ends(index + 1)), start) + 1
    elif ALL not in said:
        return 0
    return start if page.ends(start) or page.word(start) in words.WHY else 0


def _is_the_rest(page: Page, index: int) -> bool:
    """Lo demás, el resto, lo otro; una coca y otra are two."""
    return page.word(index) in _THE_REST or page.says(index - 1, "lo otro")


def read_rest(reader: OrderReader, index: int) -> int:
    """Where it ends that all goes but what was named before: lo demás fuera, el resto sacalo; 0 where it does not."""
    if not _is_the_rest(reader.page, index) or not (reader.done or reader.loose):
        return 0
    verb = reader.page.verbs.get(index + 1)
    goes = verb.kind == "remove" if verb else reader.page.word(index + 1) in _OUT
    if not goes:
        return 0
    for item in reader.loose:
        reader.govern(item, "set")  # solo la soda, lo demás fuera
    reader.emptied, reader.rest, reader.action = Verb("remove", index, index + 1), True, ""
    return verb.last if verb else index + 2


def spare(reader: OrderReader, item: Item, place: int) -> bool:
    """Sacá todo menos la leche y el pan: whether a thing is one of those that stay."""
    page, before = reader.page, reader.page.word(place)
    another = bool(reader.spared) and before in words.AND and reader.verb is reader.spared[-1].verb
    first = before in BUT and (reader.action == "remove" or (page.word(place - 1) == ALL and not reader.action))
    if not first and (not another or item.counted):
        return False
    reader.govern(item, "remove")
    item.verb = reader.verb
    reader.spared.append(item)
    return True


def whole_lines(reader: OrderReader, done: list[Item]) -> Iterator[OrderLine]:
    """The line that is about the whole order; it comes before those of single things."""
    kept = reader.spared or [item for item in done if _stays(reader, item)]
    verb = reader.emptied or (reader.verb if reader.spared else None)
    if reader.spared and not verb:
        verb = Verb("remove", reader.spared[0].first, reader.spared[-1].last)
    if verb:
        names = " y ".join(item.spot.text for item in kept)
        line = replace(line_without(reader, replace(verb, kind="remove"), None), confidence=80)
        yield replace(line, product=f"{ALL} menos {names}" if kept else ALL)


def left_over(reader: OrderReader, done: list[Item]) -> list[Item]:
    """What has a line of its own beside that of the whole order: neither what stays nor what goes with the rest."""
    if not reader.emptied and not reader.spared:
        return done
    return [item for item in done if item not in reader.spared and item.action != "remove" and not _stays(reader, item)]


def _stays(reader: OrderReader, item: Item) -> bool:
    """Whether a thing is said to stay where all else goes: dejame solo las cocas, el resto fuera."""
    if not reader.emptied or item.counted or item.action == "remove":
        return False
    leaves = item.verb is not None and reader.page.word(item.verb.first).startswith(_LEAVES)
    return reader.rest or leaves or item.action == "set"
