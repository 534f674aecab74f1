"""Where the reading of an order stands, and what it gives: the lines of an order."""

from dataclasses import dataclass, field
from decimal import Decimal

from hilo.understanding.orders import words
from hilo.understanding.orders.items import Item
from hilo.understanding.orders.page import Count, Page, Verb
from hilo.understanding.orders.spots import Shelf


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
class OrderReader:
    """Where the reading stands: the verb that governs, what was named, and what is done so far."""

    page: Page
    items: dict[int, Item]
    known: bool
    shelf: Shelf | None = None
    verb: Verb | None = None
    action: str = ""
    swapped: Item | None = None  # what something else comes in place of
    emptied: Verb | None = None  # what takes out the whole order
    rest: bool = False  # … but what was named before
    spared: list[Item] = field(default_factory=list)  # … but these
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


def place_before(page: Page, item: Item) -> int:
    """The word before a thing and its articles; "no, 3 cocas" is about the no."""
    index = item.first - 1
    if item.spot.completed and page.word(index) in words.VARIES:
        index -= 1
    while page.word(index) in words.ARTICLES:
        index -= 1
    return index - 1 if page.says(index - 1, "no ,") else index


def line_without(reader: OrderReader, verb: Verb, count: Count | None) -> OrderLine:
    """A change of what was ordered last, which is not named."""
    toks, said = reader.page.toks, count or Count(0, "", verb.first, verb.last)
    value = count.value if count else None
    return OrderLine(verb.kind, value, "", said.unit, "", toks[verb.first].start, toks[said.last - 1].end, 75)
