"""What happens to a thing that is named: by the words around it, by the verb that governs, by a size behind it."""

from dataclasses import replace

from hilo.recognisers.amounts.tokens import at
from hilo.recognisers.phrases import word_set
from hilo.understanding.orders import words
from hilo.understanding.orders.items import Item, measure
from hilo.understanding.orders.reader import OrderReader, place_before
from hilo.understanding.orders.whole_order import BUT, spare

_BEFORE_SIZES = words.EVERY | word_set("de d del a en la las el los sea sean no nono mejor")
_NOT = frozenset(("sin", "menos", "no", "ni", "excepto", "salvo"))


def read_item(reader: OrderReader, item: Item) -> int:
    """What the words right before a thing, or the verb that governs, do with it: the first rule that fits."""
    place = place_before(reader.page, item)
    if reader.page.word(place) in words.WHY and reader.action in {"add", "remove"} and not item.counted:
        reader.action = ""  # sacá el café y que los huevos sean 12
    rule = next((rule for rule in _ITEM_RULES if rule(reader, item, place)), None)
    if rule in (_is_passed_over, _is_told_apart):
        return item.last
    if rule is None:
        item.bare, item.told = not reader.told, reader.told
        reader.loose.append(item)
    return _read_after(reader, item)


def _is_asked_about(reader: OrderReader, item: Item, _place: int) -> bool:
    """¿Tienen coca? names it; what comes next may order it."""
    if item.asked:
        reader.loose.append(item)
    return item.asked


def _is_passed_over(reader: OrderReader, item: Item, place: int) -> bool:
    """Y de postre un flan: the dessert is none; what nobody knows is ordered only in so many words."""
    page = reader.page
    governed = {"de", "para", *BUT, *_NOT} & {page.word(place)} or reader.action == "change" or _swaps(reader, item)
    if not item.counted and page.word(place) in ("de", "para") and page.word(place - 1) in words.AND:
        return True
    if page.word(place) == "sin" and place == item.first - 1 and _is_described(reader, place):
        return True  # un café sin azúcar takes no sugar out
    unknown = not item.spot.known and reader.known and not (item.counted and reader.action == "add")
    return unknown and not governed


def _is_described(reader: OrderReader, place: int) -> bool:
    """Whether a "sin" stands right behind a word for a thing, and says what it is like."""
    page, before = reader.page, reader.page.word(place - 1)
    named = at(page.toks, place - 1).kind == "word" and before not in words.COMMON | words.AND
    return named and place not in page.openings and place - 1 not in page.counts


def _is_fewer(reader: OrderReader, item: Item, _place: int) -> bool:
    """2 menos de carne."""
    fewer = item.count is not None and reader.page.word(item.count.last) == "menos"
    if fewer:
        reader.govern(item, "remove")
    return fewer


def _is_changed(reader: OrderReader, item: Item, _place: int) -> bool:
    """Cambiá la coca por una fanta."""
    changes = reader.verb is not None and (reader.action == "change" or _swaps(reader, item))
    if changes:
        _read_change(reader, item)
    return changes


def _is_refused(reader: OrderReader, item: Item, place: int) -> bool:
    """Una coca zero no, coca común; sin el arroz y con dos yerbas; no, 3 cocas; ni pan ni leche."""
    page, before = reader.page, reader.page.word(place)
    if before == "con" and item.counted and reader.action == "remove":
        reader.govern(item, "add")
        return True
    if before not in _NOT or (reader.told and before == "ni"):
        return False
    other = next((each for each in (*reader.done, *reader.loose) if before == "no" and each.last == place), None)
    if other and other.verb and page.word(other.verb.first) in ("era", "eran") and not item.counted:
        reader.govern(other, "add")  # era sidra, no soda
        reader.govern(item, "remove")
        return True
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


def _is_governed(reader: OrderReader, item: Item, _place: int) -> bool:
    """Dame una coca: what the verb says."""
    if not reader.action or reader.told:
        return False
    if reader.action == "set" and reader.loose and item.spot.goods <= reader.loose[-1].spot.goods:
        reader.forget(reader.loose[-1])  # las papas que sean grandes
    if reader.verb and reader.verb.kind == "set" and reader.action == "add" and _is_counted_behind(reader, item):
        reader.govern(item, "set")  # que las cocas sean 4 y las fantas 2
        return True
    old = reader.swapped or _taken_out_for(reader, item)
    swaps = reader.action == "set" and old is not None and old.spot.text != item.spot.text
    reader.govern(item, "add" if swaps else reader.action, item.count or (old.count if old else None))
    return True


def _is_counted_behind(reader: OrderReader, item: Item) -> bool:
    """Las fantas 2: of what is there already."""
    behind = item.count is not None and item.count.first > item.spot.first
    return behind and reader.page.word(item.first - 1) in words.ARTICLES


def _taken_out_for(reader: OrderReader, item: Item) -> Item | None:
    """What went right before, where something else is better: ya no la coca, mejor 2 fantas."""
    last, verb = reader.last, reader.verb
    better = verb is not None and reader.page.word(verb.first) == "mejor"
    new = item.count is not None and item.count.first < item.spot.first
    return last if better and new and last and last.action == "remove" else None


def _is_swapped_in(reader: OrderReader, item: Item, place: int) -> bool:
    """Coca por fanta; al final 2 fantas."""
    if reader.page.word(place) in ("por", "x") and reader.loose and reader.loose[-1].last == place:
        reader.govern(reader.loose[-1], "remove")
        reader.govern(item, "add")
        return True
    finally_ = item.counted and reader.page.says(item.first - 2, "al final")
    if finally_:
        reader.govern(item, "set")
    return finally_


def _is_told_apart(reader: OrderReader, item: Item, place: int) -> bool:
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
    spare,
    _is_refused,
    _is_governed,
    _is_swapped_in,
)


def _read_after(reader: OrderReader, item: Item) -> int:
    """A bare "no" behind a thing takes it out (el pan no, la leche tampoco); "el pan no llegó" tells something."""
    page = reader.page
    end = item.last + (page.word(item.last) == "ya")
    refused = page.word(end) in ("no", "tampoco") and end not in page.verbs
    if refused and not item.counted and not item.asked and page.ends(end + 1):
        reader.govern(item, "remove")
        return end + 1
    return item.last


def read_size(reader: OrderReader, index: int) -> int:
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
    if not is_size or not led or not (page.ends(last) or page.instead(last)):
        return 0
    if page.word(last) == "no" and page.ends(last + 1) and page.word(index - 1) != "no":
        return last + 1  # un pan chico, del grande no
    before = {page.word(place) for place in range(max(0, index - 3), index)}
    for each in named if before & words.EVERY else named[-1:]:
        bare = [word for word in each.spot.text.split() if word not in words.ADJECTIVES]
        each.spot = replace(each.spot, text=" ".join(bare))
        each.size = measure(count) if count else page.word(index)
        if not each.action and (reader.action in {"set", "change"} or "mejor" in before):
            reader.govern(each, "set")
    return last


def _both_sized(reader: OrderReader, index: int) -> int:
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


def _swaps(reader: OrderReader, item: Item) -> bool:
    """La soda cambiala por una sidra; la coca que sea sprite."""
    old = reader.loose[-1] if reader.loose and reader.action == "set" else None
    if old is None or old.asked or reader.verb is None:
        return False
    said = reader.page.word(reader.verb.last - 1)
    other = {*item.spot.text.split()} - {*old.spot.text.split()} - words.ADJECTIVES
    return said == "por" or (said in ("sea", "sean", "a") and bool(other))


def _read_change(reader: OrderReader, item: Item) -> None:
    """Cambiá la coca por una fanta: one out, one in."""
    old = reader.loose[-1] if reader.loose else None
    if old is None:
        reader.loose.append(item)
        return
    reader.govern(old, "remove")
    reader.govern(item, "add", item.count or old.count)
    reader.action = ""


def read_instead(reader: OrderReader, index: int) -> int:
    """En vez de la coca: the coke goes; en vez de 2: only a number is corrected."""
    start = reader.page.past(index, words.ARTICLES | {"de", "d"})
    item, count = reader.items.get(start), reader.page.counts.get(start)
    old = reader.last
    if item and item.spot.resized:
        return item.last  # chicas en vez de grandes
    if old and item and old.action == "set" and old.spot.text != item.spot.text:
        old.action = "add"  # mejor coca en vez de fanta
    if reader.page.word(start) in words.ADJECTIVES or (count and count.value != int(count.value)):
        return count.last if count else start + 1  # de un kilo en vez de la de medio
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
