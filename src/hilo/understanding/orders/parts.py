"""Things that are told again by their parts: 4 empanadas, 2 de carne y 2 de pollo."""

from dataclasses import replace
from decimal import Decimal

from hilo.recognisers.amounts.numbers import plain
from hilo.understanding.orders import words
from hilo.understanding.orders.items import Item
from hilo.understanding.orders.page import Page

_LIKE = frozenset(("tipo", "como", "digamos", "osea"))
_ARE = frozenset(("son", "serian", "van", "sean"))  # los alfajores son 3 de chocolate y 3 blancos
_DOZEN = 12


def broken_down(page: Page, items: list[Item]) -> list[Item]:
    """4 empanadas, 2 de carne y 2 de pollo: parts that add up stand for the whole; so do those behind its colon."""
    for place, whole in enumerate(items):
        parts = _parts(page, whole, items[place + 1 :])
        total, wanted = sum(each.count.value for each in parts if each.count), whole.count
        dozens = wanted is not None and wanted.unit == "unit" and total * _DOZEN == wanted.value
        halves = [each.count.unit for each in parts if each.count] == [words.HALF] * 2
        fits = total == wanted.value if wanted else page.word(whole.last) in (":", ",")
        said = {page.word(index) for index in range(whole.last, parts[0].first)} if parts else set()
        fits = fits or (wanted is None and not said.isdisjoint(_ARE))
        like = len(parts) == 1 and not (wanted and wanted.said) and not said.isdisjoint(_LIKE)  # birras, tipo 6 quilmes
        if like or (len(parts) > 1 and (dozens or fits or (halves and wanted))):
            times = wanted.value if halves and wanted else _DOZEN if dozens else 1
            rest = items[place + 1 + len(parts) :]
            made = [_part(whole, part, times) for part in parts]
            return [*items[:place], *made, *rest]
    return items


def joined_names(page: Page, items: list[Item]) -> list[Item]:
    """Things of which two names with nothing between them are one: villavicencio chica sin gas 6."""
    kept: list[Item] = []
    for item in items:
        if kept and _goes_on(page, kept[-1], item):
            kept[-1] = _as_one(kept[-1], item)
        else:
            kept.append(item)
    return kept


def _goes_on(page: Page, before: Item, item: Item) -> bool:
    narrows = item.spot.completed and item.spot.known and item.spot.goods <= before.spot.goods
    counted_twice = before.count and item.count and before.count.said and item.count.said
    between = [page.word(index) for index in range(before.last, item.spot.first)]
    return narrows and not counted_twice and between in ([], ["sin"], ["con"])


def _as_one(before: Item, item: Item) -> Item:
    told = item.spot.text.startswith(before.spot.text)
    text = item.spot.text if told else f"{before.spot.text} {item.spot.text}"
    spot = replace(before.spot, text=text, goods=item.spot.goods)
    size = " ".join(filter(None, (before.size, item.size)))
    return replace(before, spot=spot, last=item.last, size=size, count=before.count or item.count)


def is_heading(page: Page, item: Item) -> bool:
    """Whether what is only named stands before its parts: los jorgitos son 3 de chocolate y 3 blancos."""
    return not item.counted and page.word(item.last) in _ARE


def without_heading(page: Page, items: list[Item]) -> list[Item]:
    """2 de carne y 4 de pollo, empanadas: what all of it is, said at the end, is no more of it."""
    if len(items) < 2:  # noqa: PLR2004 -- a part and what it is of
        return items
    *parts, head = items
    if head.counted or page.word(head.first - 1) not in words.ARTICLES | {","}:
        return items
    all_of_it = all(each.counted and each.spot.goods < head.spot.goods for each in parts)
    return parts if all_of_it else items


def _parts(page: Page, whole: Item, after: list[Item]) -> list[Item]:
    """What follows a thing and may be some of it: it is one of its varieties, and counted."""
    found: list[Item] = []
    for item in after:
        both = item.spot.goods & whole.spot.goods  # "blanco" may be wine, and of the alfajores the white ones
        narrower = bool(both) and both < whole.spot.goods
        unknown = not item.spot.goods or not whole.spot.goods
        variety = unknown and (item.spot.completed or page.word(item.spot.first - 1) in words.VARIES)
        sized = item.spot.resized and item.spot.goods == whole.spot.goods and not whole.size  # una grande y una chica
        if not item.count or not (narrower or variety or sized) or item.action != whole.action:
            break
        found.append(item)
    return found


def _part(whole: Item, part: Item, times: int | Decimal) -> Item:
    text = part.spot.text
    named = bool(part.spot.goods) and part.spot.goods < whole.spot.goods
    text = text if named or text.startswith(whole.spot.text.split()[0]) else f"{whole.spot.text} de {text}"
    unit = "unit" if times == _DOZEN else ""
    count = replace(part.count, value=plain(Decimal(part.count.value * times)), unit=unit) if part.count else None
    return replace(part, spot=replace(part.spot, text=text), count=count)
