"""Find order lines: what a message adds to an order, takes out of it or changes in it.

What the catalogue knows is spotted first; numbers and sizes go to what they stand beside; then the words around each
thing say what happens to it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal

from hilo.recognisers.amounts.tokens import at
from hilo.recognisers.normalise import Text
from hilo.recognisers.phrases import word_set
from hilo.understanding.orders import words
from hilo.understanding.orders.amendments import SORRY, broken_down, corrected, without_heading
from hilo.understanding.orders.items import Item, counts_each, find_items, measure
from hilo.understanding.orders.page import Count, Page, Verb, read_page
from hilo.understanding.orders.spots import Shelf, called, find_spots

__all__ = ["OrderLine", "find_order_lines"]

_MOST = 1000  # of something that is not named; what is more is somebody's number
_LONGEST = 4000  # tokens; nobody orders in more
_INSTEAD = ("en vez de", "en vez del", "en lugar de", "en lugar del", "envez de", "instead of")
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
ALL = "todo"  # a product's name where the whole order is meant
_THE_ORDER = frozenset(("carrito", "pedido", "orden", "lista", "canasta", "compra", "changuito"))
_THE_REST = frozenset(("demas", "resto"))
_OUT = frozenset(("fuera", "afuera", "no", "sacalo", "quitalo", "borralo", "sacamelo"))
_WHOLE = frozenset(("entero", "entera", "completo", "completa"))
_WHY = frozenset(("que", "q", "porque", "xq", "pq"))
_WHEN = frozenset(("noche", "tarde", "manana", "semana", "vez", "misma", "hora"))  # esta noche
_EVERY = frozenset(("todas", "todos", "ambas", "ambos"))
_BEFORE_SIZES = word_set("de d del a en la las el los sea sean no nono mejor")
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
    resembles: tuple[str, ...] = ()  # the goods that are only like what was written


@dataclass(slots=True)
class _Reader:
    """Where the reading stands: the verb that governs, what was named, and what is done so far."""

    page: Page
    items: dict[int, Item]
    known: bool
    shelf: Shelf | None = None
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
    page = read_page(text, country, shelf.is_sold if shelf else lambda _: False)
    if len(page.toks) > _LONGEST:
        return ()
    spots = find_spots(page, shelf) if shelf else []
    if not spots and not page.verbs and not page.counts and not page.listed:
        return ()
    items = find_items(page, shelf, spots)
    reader = _Reader(page, {item.first: item for item in items}, known=shelf is not None, shelf=shelf)
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
    if (reader.done or reader.loose) and any(page.says(index, phrase) for phrase in _IF_THERE_IS_NONE):
        return next((place for place in sorted(page.openings) if place > index), len(page.toks))
    instead = next((phrase for phrase in _INSTEAD if page.says(index, phrase)), "")
    if instead:
        return _read_instead(reader, index + len(instead.split()))
    if index in page.verbs:
        return _read_verb(reader, page.verbs[index])
    if sized := _read_size(reader, index):
        return sized
    if index in reader.items:
        return _read_item(reader, reader.items[index])
    if index in page.counts:
        return _read_count(reader, page.counts[index])
    text = page.word(index)
    if text in words.TIMES and reader.loose and page.ends(index + 1) and index not in page.asked:
        reader.govern(reader.loose[-1], "set", Count(words.TIMES[text], "", index, index + 1))
    if text in _THE_REST and last and last.action == "set" and page.word(index + 1) in _OUT:
        gone = Verb("remove", index, index + 1)
        reader.lines.append(replace(_line_without(reader, gone, None), product=ALL, confidence=80))
    if text in _WHY and reader.action == "remove" and last:
        reader.told, reader.action = True, ""  # sacá los cigarrillos que mi mujer me mata
    if text == ":" or (text == "," and reader.told and not reader.loose and reader.verb is None):
        reader.told = False  # quiero hacer un pedido: …; soy Ana, 2 cocas
    if _tells(page, index):
        reason = text in _BEING and page.word(index - 1) in _REASONS and (reader.done or _counted(reader.loose))
        reader.told, reader.action = not reason, ""
    elif text == "mejor" and last and last.counted and last.action == "add":
        last.action = "set"
    elif text not in words.COMMON and at(page.toks, index).kind == "word":
        for item in reader.loose:
            item.bare = False
    return index + 1


def _tells(page: Page, index: int) -> bool:
    """Whether a clause tells: la coca vino caliente, la lista de bebidas, 1e9; "si hay" and "es todo" do not."""
    before, after = page.word(index - 1), page.word(index + 1)
    if page.word(index) in words.TELLING and index not in page.asked and after not in _WHEN:
        return "si" not in (before, page.word(index - 2)) and "todo" not in (before, after)
    return (page.word(index) in words.ABOUT and after in ("de", "del", "d")) or page.is_code(index)


# --- something that is named ----------------------------------------------------------------------------


def _read_item(reader: _Reader, item: Item) -> int:
    """What the words right before a thing, or the verb that governs, do with it: the first rule that fits."""
    place = _before(reader.page, item)
    if reader.page.word(place) in _WHY and reader.action in {"add", "remove"} and not item.counted:
        reader.action = ""  # sacá el café y que los huevos sean 12
    rule = next((rule for rule in _ITEM_RULES if rule(reader, item, place)), None)
    if rule in (_is_passed_over, _is_told_apart):
        return item.last
    if rule is None:
        item.bare, item.told = not reader.told, reader.told
        reader.loose.append(item)
    return _read_after(reader, item)


def _is_asked_about(reader: _Reader, item: Item, _place: int) -> bool:
    """¿Tienen coca? names it; what comes next may order it."""
    if item.asked:
        reader.loose.append(item)
    return item.asked


def _is_passed_over(reader: _Reader, item: Item, place: int) -> bool:
    """Y de postre un flan: the dessert is none; what nobody knows is ordered only in so many words."""
    page = reader.page
    governed = {"de", "para", *_BUT, *_NOT} & {page.word(place)} or reader.action == "change" or _swaps(reader, item)
    if not item.counted and page.word(place) in ("de", "para") and page.word(place - 1) in words.AND:
        return True
    unknown = not item.spot.known and reader.known and not (item.counted and reader.action == "add")
    return unknown and not governed


def _is_fewer(reader: _Reader, item: Item, _place: int) -> bool:
    """2 menos de carne."""
    fewer = item.count is not None and reader.page.word(item.count.last) == "menos"
    if fewer:
        reader.govern(item, "remove")
    return fewer


def _is_changed(reader: _Reader, item: Item, _place: int) -> bool:
    """Cambiá la coca por una fanta."""
    changes = reader.verb is not None and (reader.action == "change" or _swaps(reader, item))
    if changes:
        _read_change(reader, item)
    return changes


def _is_spared(reader: _Reader, item: Item, place: int) -> bool:
    """Sacá todo menos la leche."""
    spared = reader.page.word(place) in _BUT and (reader.action == "remove" or reader.page.word(place - 1) == ALL)
    if spared:
        item.spot = replace(item.spot, text=f"{ALL} menos {item.spot.text}")
        reader.govern(item, "remove")
    return spared


def _is_refused(reader: _Reader, item: Item, place: int) -> bool:
    """Una coca zero no, coca común; sin el arroz y con dos yerbas; no, 3 cocas; ni pan ni leche."""
    page, before = reader.page, reader.page.word(place)
    if before == "con" and item.counted and reader.action == "remove":
        reader.govern(item, "add")
        return True
    if before not in _NOT or (reader.told and before == "ni"):
        return False
    other = next((each for each in (*reader.done, *reader.loose) if before == "no" and each.last == place), None)
    if other and other.verb and not item.counted and page.word(place + 1) != ",":
        return True  # quiero pepsi, no coca: nothing was said of a coke before
    if other and other.counted:
        reader.forget(other)
        reader.govern(item, other.action or "add", item.count or other.count)
        return True
    again = any(count.last == place for count in page.counts.values())  # una libra no, un kilo de arroz
    counted = "add" if other or again else "set"
    reader.govern(item, "add" if other else counted if before == "no" and item.counted else "remove")
    return True


def _is_governed(reader: _Reader, item: Item, _place: int) -> bool:
    """Dame una coca: what the verb says."""
    if not reader.action or reader.told:
        return False
    if reader.action == "set" and reader.loose and item.spot.goods <= reader.loose[-1].spot.goods:
        reader.forget(reader.loose[-1])  # las papas que sean grandes
    old = reader.swapped
    swaps = reader.action == "set" and old is not None and old.spot.text != item.spot.text
    reader.govern(item, "add" if swaps else reader.action, item.count or (old.count if old else None))
    return True


def _is_swapped_in(reader: _Reader, item: Item, place: int) -> bool:
    """Coca por fanta; al final 2 fantas."""
    if reader.page.word(place) in ("por", "x") and reader.loose and reader.loose[-1].last == place:
        reader.govern(reader.loose[-1], "remove")
        reader.govern(item, "add")
        return True
    finally_ = item.counted and reader.page.says(item.first - 2, "al final")
    if finally_:
        reader.govern(item, "set")
    return finally_


def _is_told_apart(reader: _Reader, item: Item, place: int) -> bool:
    """No era atún, era arroz; que sea Amanda, no Rosamonte: which of two goes, and which comes."""
    page, last = reader.page, reader.last
    was = page.word(place) in ("era", "eran", "es", "son")
    if was and page.word(place - 1) == "no" and not item.counted:
        reader.govern(item, "remove")
    elif was and last and last.action == "remove" and last.last == place and not item.counted:
        reader.govern(item, "add")
    elif (
        page.word(place) == "no"
        and page.word(place + 1) != ","
        and not item.counted
        and last
        and last.action != "remove"
    ):
        broader = [each for each in reader.done if each.action == "remove" and item.spot.goods < each.spot.goods]
        for each in broader:
            reader.forget(each)
        if broader:
            reader.govern(item, "remove")
        return bool(broader)
    else:
        return False
    reader.told = False
    return True


_ITEM_RULES = (
    _is_asked_about,
    _is_told_apart,
    _is_fewer,
    _is_passed_over,
    _is_changed,
    _is_spared,
    _is_refused,
    _is_governed,
    _is_swapped_in,
)


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


def _read_size(reader: _Reader, index: int) -> int:
    """Que la pizza sea chica; todas de medio litro: another size of what was named before. Returns where it ends."""
    if both := _both_sized(reader, index):
        return both
    page, item, count = reader.page, reader.items.get(index), reader.page.counts.get(index)
    named = [each for each in (*reader.done, *reader.loose) if each.spot.known and each.action != "remove"]
    if not named or (item and (not item.spot.resized or item.counted)):
        return 0
    last = count.last if count else index + 1
    broken = count is not None and count.value != int(count.value)
    is_size = count.unit in words.MEASURES or broken if count else page.word(index) in words.ADJECTIVES
    led = page.word(index - 1) in _BEFORE_SIZES or any(verb.last == index for verb in page.verbs.values())
    if not is_size or not page.ends(last) or not led:
        return 0
    if page.word(last) == "no" and page.ends(last + 1) and page.word(index - 1) != "no":
        return last + 1  # un pan chico, del grande no
    before = {page.word(place) for place in range(max(0, index - 3), index)}
    for each in named if before & _EVERY else named[-1:]:
        bare = [word for word in each.spot.text.split() if word not in words.ADJECTIVES]
        each.spot = replace(each.spot, text=" ".join(bare))
        each.size = measure(count) if count else page.word(index)
        if not each.action and (reader.action in {"set", "change"} or "mejor" in before):
            reader.govern(each, "set")
    return last


def _both_sized(reader: _Reader, index: int) -> int:
    """Una napolitana y otra pepperoni, las dos grandes: one size for all that was counted."""
    page, count = reader.page, reader.page.counts.get(index + 1)
    size = count.last if count else 0
    if page.word(index) not in ("las", "los") or not count or page.word(size) not in words.ADJECTIVES:
        return 0
    named = [each for each in (*reader.done, *reader.loose) if each.counted and each.action != "remove"]
    parts = [each for each in named if each.count and each.count.value < count.value]
    if not page.ends(size + 1) or sum(each.count.value for each in parts if each.count) != count.value:
        return 0
    for each in parts:
        each.size = page.word(size)
    return size + 1


def _swaps(reader: _Reader, item: Item) -> bool:
    """La soda cambiala por una sidra; la coca que sea sprite."""
    old = reader.loose[-1] if reader.loose and reader.action == "set" else None
    if old is None or old.asked or reader.verb is None:
        return False
    said = reader.page.word(reader.verb.last - 1)
    other = {*item.spot.text.split()} - {*old.spot.text.split()} - words.ADJECTIVES
    return said == "por" or (said in ("sea", "sean") and bool(other))


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
    old = reader.last
    if old and item and old.action == "set" and old.spot.text != item.spot.text:
        old.action = "add"  # mejor coca en vez de fanta
    if item and item.spot.resized:
        return item.last  # chicas en vez de grandes
    if item and reader.loose and reader.page.word(reader.loose[-1].last) in ("en", "envez"):
        reader.govern(reader.loose[-1], "add")
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
    named = reader.loose[-1].last == verb.first if reader.loose else False
    if named and verb.kind == "add" and page.word(verb.last - 1) in words.TELLING:
        reader.told, reader.verb, reader.action = True, None, ""  # la fugazzeta trae queso
        return verb.last
    reader.told = verb.kind == "none"
    reader.verb, reader.action = verb, "" if verb.kind == "none" else verb.kind
    if verb.kind not in ("add", "remove"):
        return verb.last
    emptied = _past_the_order(reader, verb) if verb.kind == "remove" else 0
    if emptied:
        if not page.word(verb.first).startswith(("cancel", "anul")):
            reader.lines.append(replace(_line_without(reader, verb, None), product=ALL, confidence=80))
            reader.action = ""
        return emptied
    following = page.counts.get(verb.last)
    if verb.kind == "remove" and reader.loose and following and page.ends(following.last) and not following.unit:
        reader.govern(reader.loose[-1], "remove", following)  # a las 4 cocas restale una
        reader.action = ""
        return following.last
    after = page.past(verb.last, words.ARTICLES | words.FILLERS)
    nothing = after not in reader.items and after not in page.counts and after not in page.verbs
    last = reader.last
    if verb.kind == "remove" and verb.refers and last and not reader.loose and verb.first - last.last <= 1:
        reader.govern(last, "remove")  # poné 3, y las oreo no las mandes
        reader.action = ""
    elif (verb.refers or nothing) and reader.loose and _is_about(reader, verb):
        for item in reader.loose:
            reader.govern(item, verb.kind)
        reader.action = ""
    elif verb.refers and verb.kind == "remove" and not reader.done:
        reader.lines.append(_line_without(reader, verb, None))
        reader.action = ""
    return verb.last


def _past_the_order(reader: _Reader, verb: Verb) -> int:
    """Where a verb that takes out all ends: borrá todo, vaciá el carrito, borrame el pedido entero, tirá lo demás."""
    page = reader.page
    start = page.past(verb.last, words.ARTICLES | {"mi", "de", "del"})
    said = {page.word(index) for index in range(verb.last, start + 1)}
    if page.word(start) in _THE_ORDER | _THE_REST and reader.known:
        start += 1 + (page.word(start + 1) in _WHOLE)
    elif ALL not in said:
        return 0
    return start if page.ends(start) or page.word(start) in _WHY | {"y"} else 0


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
    if page.says(count.first - 2, "de las") or page.says(count.first - 2, "de los"):
        return count.last  # una pepsi de las tres
    named = reader.loose[-1] if reader.loose else last
    if last and before == "a" and last.last == count.first - 1:
        last.count, last.action = count, "set"  # bajá las cocas a 2
    elif reader.action in {"add", "set"} and reader.loose:
        item = reader.loose[-1]
        again = item.counted and page.word(item.first - 1) not in words.ARTICLES  # 2 flanes, no, mejor 3
        adds = (reader.action == "add" or item.asked or again) and not (item.told and item.counted)
        reader.govern(item, "add" if adds else "set", count)
        reader.action = "add"
    elif last and last is reader.swapped and reader.action in {"add", "set"}:
        last.count, last.action = count, "set"  # en vez de coca que sean 3
    elif named and named.counted and before == "no":
        if named.action != "set" and _is_amended(reader, named):
            reader.govern(named, "set")  # son 2, no 3
    elif last and last.action in {"add", "set"} and (_is_amending(reader, count) or _is_sorry(page, count)):
        last.count, reader.action = count, "add"
    elif reader.verb and reader.action in {"add", "set", "remove"} and not last and _is_right_after(reader, count):
        reader.lines.append(_line_without(reader, reader.verb, count))
    elif reader.action == "change" and reader.loose:
        reader.govern(reader.loose[-1], "set", count)
    elif end > count.last and not last and not reader.loose:
        reader.lines.append(_line_without(reader, Verb("add", count.first, count.last), count))
    return end


def _counted(items: list[Item]) -> bool:
    return any(item.counted and not item.asked for item in items)


def _is_amending(reader: _Reader, count: Count) -> bool:
    """Whether a verb is about a number and nothing else: dos, no, ponele cuatro."""
    return reader.action == "set" or (reader.action == "add" and _is_right_after(reader, count))


def _is_amended(reader: _Reader, item: Item) -> bool:
    """Whether a number is said to be other than it was: eran 4, solo 2."""
    before = {reader.page.word(index) for index in range(max(0, item.first - 3), item.first)}
    return not before.isdisjoint(("son", "eran", "era", "solo", "solamente"))


def _is_sorry(page: Page, count: Count) -> bool:
    """Whether a number corrects the one before: 2 cocas, no, 3."""
    before = [page.word(index) for index in range(max(0, count.first - 3), count.first)]
    return bool(before) and before[-1] in SORRY and not (SORRY - {",", "."}).isdisjoint(before)


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
    opens = page.word(_before(page, item)) in around or item.first in page.openings
    return opens and (page.word(item.last) in around or item.last in page.openings)


def _lines(reader: _Reader) -> Iterator[OrderLine]:
    done = without_heading(reader.page, corrected(reader.page, reader.done))
    done = broken_down(reader.page, done)
    kept = " y ".join(item.spot.text for item in done if item.action != "remove" and not item.counted)
    emptied = [line for line in reader.lines if line.product == ALL]
    if emptied and kept:  # sacá todo y dejame solo las cocas
        yield replace(emptied[0], product=f"{ALL} menos {kept}")
        return
    yield from (_line(reader, item) for item in done)
    yield from reader.lines if not done else ()


def _line(reader: _Reader, item: Item) -> OrderLine:
    toks, verb = reader.page.toks, item.verb
    governs = verb and not any(verb is other.verb and other.first < item.first for other in reader.done)
    first = min(item.first, verb.first) if verb and governs else item.first
    count = item.count or Count(1, "", item.first, item.last)
    quantity = count.value * words.IN_A_PACK.get(count.unit, 1) if item.count or item.action != "remove" else None
    unit = "" if count.unit in words.IN_A_PACK else count.unit
    text = " ".join(_called(reader, word) for word in f"{item.spot.text} {item.size}".split())
    span = toks[first].start, toks[item.last - 1].end
    alike = called(reader.shelf, item.spot) if reader.shelf and item.spot.alike and item.action == "add" else ()
    return OrderLine(item.action, quantity, text, unit, "", *span, _sureness(item), item.spot.known, alike)


def _called(reader: _Reader, word: str) -> str:
    """A word for a size in the words of catalogues: coca personal is the small one."""
    known = reader.shelf is not None and reader.shelf.is_sold(word)
    return words.SIZES.get(word, word) if reader.shelf and not known else word


def _sureness(item: Item) -> int:
    if item.verb or item.action != "add":
        return 95 if item.counted else 80
    if item.count is None:
        return 65
    return 85 if item.count.value != 1 else 70
