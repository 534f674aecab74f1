"""What verbs of ordering and bare numbers do with what is named around them."""

from hilo.understanding.orders import words
from hilo.understanding.orders.amendments import SORRY
from hilo.understanding.orders.items import Item, counts_each
from hilo.understanding.orders.page import Count, Page, Verb
from hilo.understanding.orders.reader import OrderReader, line_without
from hilo.understanding.orders.whole_order import read_whole

_MOST = 1000  # of something that is not named; what is more is somebody's number


def read_verb(reader: OrderReader, verb: Verb) -> int:
    """A verb governs what comes after it; one with a pronoun, or with nothing after it, what was named before."""
    page = reader.page
    named = reader.loose[-1].last == verb.first if reader.loose else False
    if named and verb.kind == "add" and page.word(verb.last - 1) in words.TELLING:
        reader.told, reader.verb, reader.action = True, None, ""  # la fugazzeta trae queso
        return verb.last
    if verb.kind == "keep":
        for item in [each for each in (*reader.loose, *reader.done) if each.last == verb.first and not each.counted]:
            reader.forget(item)
        reader.verb, reader.action = None, ""
        return verb.last
    reader.told = verb.kind == "none"
    reader.verb, reader.action = verb, "" if verb.kind == "none" else verb.kind
    if verb.kind not in ("add", "remove"):
        return verb.last
    if verb.kind == "remove" and (end := read_whole(reader, verb)):
        return end
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
        reader.lines.append(line_without(reader, verb, None))
        reader.action = ""
    return verb.last


def _is_about(reader: OrderReader, verb: Verb) -> bool:
    """Whether a verb is about what was named before it: with a pronoun, or in the same breath."""
    item = reader.loose[-1]
    return verb.refers or (verb.kind == "remove" and not item.asked and verb.first - item.last <= 1)


def read_count(reader: OrderReader, count: Count) -> int:
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
    if last and before in ("a", "en") and last.last == count.first - 1:
        last.count, last.action = count, "set"  # bajá las cocas a 2, dejame las cocas en 2
    elif last and not reader.loose and _says_how_many(reader, last):
        reader.govern(last, "set", count)
        reader.action = "add"
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
        reader.lines.append(line_without(reader, reader.verb, count))
    elif reader.action == "change" and reader.loose:
        reader.govern(reader.loose[-1], "set", count)
    elif end > count.last and not last and not reader.loose:
        reader.lines.append(line_without(reader, Verb("add", count.first, count.last), count))
    return end


def _says_how_many(reader: OrderReader, item: Item) -> bool:
    """Whether a verb of its own says how many there shall be of the last of several: 2 panes y la leche que sean 3."""
    verb, named = reader.verb, reader.page.word(item.first - 1) in words.ARTICLES
    own = verb is not None and verb.kind == "set" and 0 <= verb.first - item.last <= 1
    return own and named and not item.counted


def _is_amending(reader: OrderReader, count: Count) -> bool:
    """Whether a verb is about a number and nothing else: dos, no, ponele cuatro."""
    return reader.action == "set" or (reader.action == "add" and _is_right_after(reader, count))


def _is_amended(reader: OrderReader, item: Item) -> bool:
    """Whether a number is said to be other than it was: eran 4, solo 2."""
    before = {reader.page.word(index) for index in range(max(0, item.first - 3), item.first)}
    return not before.isdisjoint(("son", "eran", "era", "solo", "solamente"))


def _is_sorry(page: Page, count: Count) -> bool:
    """Whether a number corrects the one before: 2 cocas, no, 3."""
    before = [page.word(index) for index in range(max(0, count.first - 3), count.first)]
    return bool(before) and before[-1] in SORRY and not (SORRY - {",", "."}).isdisjoint(before)


def _is_right_after(reader: OrderReader, count: Count) -> bool:
    """Whether a number that counts nothing by name is still one of goods: dame 2, que sean 5."""
    start = reader.verb.last if reader.verb else count.first
    between = {reader.page.word(index) for index in range(start, count.first)}
    return count.value < _MOST and between <= words.FILLERS | {"los", "las", ","}
