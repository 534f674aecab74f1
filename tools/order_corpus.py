"""The orders of the corpus: marked messages, the shops they were written to, and what was meant at each mention."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from hilo.agent.goods import Product
from hilo.packs.pack import shared_meanings
from hilo.recognisers.normalise import normalise
from hilo.understanding.orders.catalogue import build_catalogue
from hilo.understanding.orders.items import find_items
from hilo.understanding.orders.operations import ASK, OrderMention, find_mentions
from hilo.understanding.orders.page import Page, read_page
from hilo.understanding.orders.spots import Shelf, build_shelf, find_spots

OPERATIONS = frozenset({"add", "remove", "set", "old", "new", "keep", "ask"})
LAST, ALL = "it", "*"  # products of marks that name none: what was named last, and the whole order
LINE_BREAK = " ⏎ "
MARK = re.compile(r"\{([^{}|]+)\|([a-z]+)\|(\d*|\d+\.\d+)\|([^{}|]+)\|([^{}|]*)\}")


@dataclass(frozen=True, slots=True)
class Mark:
    """A place of a message where goods are mentioned, with what shall happen to them."""

    start: int
    end: int
    operation: str
    quantity: str
    product: str
    size: str


@dataclass(frozen=True, slots=True)
class MarkedOrder:
    """A message to a shop."""

    hand: str
    shop: str
    message: str
    marks: tuple[Mark, ...]


def read_marked(marked: str) -> tuple[str, tuple[Mark, ...]]:
    """The message that the customer wrote, and its marks."""
    message, done = "", 0
    marks: list[Mark] = []
    for found in MARK.finditer(marked):
        message += _with_breaks(marked[done : found.start()])
        said, operation, quantity, product, size = found.groups()
        start, message = len(message), message + _with_breaks(said)
        marks.append(Mark(start, len(message), operation, quantity, product, size))
        done = found.end()
    return message + _with_breaks(marked[done:]), tuple(marks)


def _with_breaks(said: str) -> str:
    return said.replace(LINE_BREAK, "\n")


def read_orders(corpus: Path) -> Iterator[MarkedOrder]:
    """The orders of all hands."""
    for file in sorted(corpus.glob("hands/*/orders.tsv")):
        for line in file.read_text(encoding="utf-8").splitlines():
            shop, marked = line.split("\t")
            yield MarkedOrder(file.parent.name, shop, *read_marked(marked))


def read_shelves(corpus: Path) -> dict[tuple[str, str], Shelf | None]:
    """What each shop of a hand sells; None where it has no catalogue."""
    shelves: dict[tuple[str, str], Shelf | None] = {}
    for file in sorted(corpus.glob("hands/*/shops.yaml")):
        shops: dict[str, list[dict[str, Any]]] = yaml.safe_load(file.read_text(encoding="utf-8"))
        for name, listed in shops.items():
            goods = [product for each in listed for product in _products(each)]
            catalogue = build_catalogue(goods, names=shared_meanings("goods"))
            shelves[file.parent.name, name] = build_shelf(catalogue) if goods else None
    return shelves


def _products(listed: dict[str, Any]) -> Iterator[Product]:
    for size in listed.get("sizes") or [""]:
        name, brand, category = (str(listed.get(key, "")) for key in ("name", "brand", "category"))
        yield Product(f"{name} {size}", name, brand, str(size), category, tuple(listed.get("also", ())))


@dataclass(frozen=True, slots=True)
class SeenOrder:
    """A message as the understander sees it, with the operation that was meant at each mention."""

    page: Page
    mentions: list[OrderMention]
    meant: list[str]


def see(order: MarkedOrder, shelf: Shelf | None) -> SeenOrder:
    """Find what is mentioned in an order, and what its marks say of it."""
    text = normalise(order.message)
    page = read_page(text, "", shelf)
    items = find_items(page, shelf, find_spots(page, shelf) if shelf else [])
    mentions = find_mentions(page, items, catalogued=shelf is not None)
    spans = [text.span(page.toks[each.first].start, page.toks[each.last - 1].end) for each in mentions]
    told = {
        mark
        for mark in order.marks
        for mention, span in zip(mentions, spans, strict=True)
        if mention.item and _overlaps(mark, span) and mention.item.count and _counts(mark, mention.item.count.value)
    }
    untold = [mark for mark in order.marks if mark not in told]
    meant = [
        _number_meant(order.marks, untold, mention, span) if mention.count else _meant(order.marks, mention, span)
        for mention, span in zip(mentions, spans, strict=True)
    ]
    return SeenOrder(page, mentions, meant)


def _overlaps(mark: Mark, span: tuple[int, int]) -> bool:
    return span[0] < mark.end and mark.start < span[1]


def _counts(mark: Mark, value: object) -> bool:
    return mark.operation != ASK and mark.quantity == str(value)


def _meant(marks: Sequence[Mark], mention: OrderMention, span: tuple[int, int]) -> str:
    over = [mark for mark in marks if _overlaps(mark, span)]
    if mention.item:
        over = [mark for mark in over if mark.product != LAST] or over
    return over[0].operation if over else ASK


def _number_meant(marks: Sequence[Mark], untold: Sequence[Mark], mention: OrderMention, span: tuple[int, int]) -> str:
    """A number apart tells how many of what was named, or where a mark has that quantity and nothing else tells it."""
    told = [mark.operation for mark in untold if mention.count and _counts(mark, mention.count.value)]
    last = [mark.operation for mark in marks if mark.product == LAST and _overlaps(mark, span)]
    return next(iter((*told, *last)), ASK)
