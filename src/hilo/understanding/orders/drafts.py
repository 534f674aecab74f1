"""An item of an order as far as it is read: what stands before its name, and how many of it."""

from dataclasses import dataclass
from decimal import Decimal

from hilo.recognisers.amounts.lexicon import ONES
from hilo.recognisers.amounts.numbers import plain
from hilo.recognisers.amounts.tokens import at, word
from hilo.understanding.orders.bounds import ends_name
from hilo.understanding.orders.page import Packed, Page
from hilo.understanding.orders.words import (
    ADJECTIVES,
    ARTICLES,
    BARE_UNITS,
    MEASURES,
    MONEY,
    NOT_IN_BAGS,
    OF,
    ONLY,
    OTHER,
    PACKAGES,
    SOME,
)

Quantity = int | Decimal
SIZE_FROM = 100  # "coca 500" is a size, "coca 2" a quantity
_GRAMS = frozenset((100, 150, 200, 250, 300, 350, 400, 500, 600, 700, 750, 800, 900))  # said of what is sliced
_ALL = frozenset(("todo", "toda", "todos", "todas", "all"))
_THESE = ARTICLES | {"esas", "esos", "estas", "estos"}
_DETERMINERS = ARTICLES | OTHER | SOME | ONLY | _ALL | {"x", "de", "lo"}
_OFTEN_BARE = frozenset(("caja", "paquete", "pack", "lata", "botella", "bolsa", "cajon"))  # 2 latas atún


@dataclass(slots=True)
class ItemDraft:
    """An item as far as it is read."""

    page: Page
    first: int
    index: int
    quantity: Quantity = 1
    unit: str = ""
    counted: bool = False
    named: list[int] | None = None
    notes: str = ""
    plain: bool = False
    elliptic: bool = False


def read_determiners(draft: ItemDraft, *, removing: bool) -> None:
    """Articles, otra, unas, todas las; "otra" counts one."""
    toks, start = draft.page.toks, draft.index
    while (text := word(toks, draft.index)) in _DETERMINERS:
        if draft.page.starts_item(draft.index) or (text in _ALL and not removing and word(toks, start) != "the"):
            return
        if text == "de" and draft.index == start and not removing and not draft.page.starts_item(start + 1):
            draft.index += 1
            return
        if text in OTHER or text in ("unos", "unas"):
            draft.counted = True
        if text in _ALL and at(toks, draft.index + 1).kind != "word":
            return
        draft.index += 1


def read_quantity(draft: ItemDraft) -> None:
    page, index = draft.page, draft.index
    number, packed = page.numbers.get(index), page.packed.get(index)
    text = word(page.toks, index)
    if number and is_name(draft, index):
        return
    if packed and _is_unit(draft, packed):
        take_packed(draft, packed)
    elif (number and number.value == number.value.to_integral_value()) or (number and number.value < SIZE_FROM):
        draft.quantity, draft.counted, draft.index = plain(number.value), True, number.last + 1
        _skip_range(draft)
        _times_dozen(draft)
    elif text in ONES or (text in ("a", "an") and page.english):
        draft.counted, draft.index = True, index + 1
    elif text in BARE_UNITS and word(page.toks, index + 1) in OF:
        draft.unit, draft.counted, draft.index = BARE_UNITS[text], True, index + 1
    elif text in ("medio", "media") and word(page.toks, index + 1) == "de":
        draft.quantity, draft.counted, draft.index = Decimal("0.5"), True, index + 1
    if draft.counted and draft.index > index:
        draft.elliptic = not draft.unit and word(page.toks, draft.index) == "de"
        if draft.elliptic and draft.quantity in _GRAMS:
            draft.unit = "g"
        _skip_of(draft)
        if word(page.toks, draft.index - 1) in OF and page.starts_item(draft.index):
            _name_size(draft)


def read_size_alone(draft: ItemDraft) -> bool:
    """La de 500, la de litro y medio: the size names the product."""
    page, index = draft.page, draft.index
    if index == draft.first or word(page.toks, index - 1) != "de" or not page.starts_item(index):
        return False
    return _name_size(draft)


def _name_size(draft: ItemDraft) -> bool:
    packed, number = draft.page.packed.get(draft.index), draft.page.numbers.get(draft.index)
    end = packed.last if packed else number.last + 1 if number else draft.index
    return end > draft.index and name_all(draft, draft.named if draft.named is not None else [], end)


def read_money(draft: ItemDraft) -> bool:
    """Dame 500 pesos de pan: an amount to spend is a wish, not a quantity."""
    page = draft.page
    start = draft.index + (word(page.toks, draft.index) == "$")
    number = page.numbers.get(start)
    if not number:
        return False
    end = number.last + 1
    end += word(page.toks, end) in MONEY
    spent = start > draft.index or word(page.toks, end - 1) in MONEY
    if not spent or word(page.toks, end) not in OF or at(page.toks, end + 1).kind != "word":
        return False
    draft.notes = " ".join(word(page.toks, index) for index in range(draft.index, end))
    draft.counted, draft.index = True, end
    _skip_of(draft)
    return True


def _times_dozen(draft: ItemDraft) -> None:
    """1/2 docena is six."""
    dozen = draft.page.packed.get(draft.index)
    if draft.quantity < 1 and dozen and dozen.found.unit == "unit" and isinstance(dozen.found.value, int):
        draft.quantity = plain(Decimal(draft.quantity) * dozen.found.value)
        draft.unit, draft.index = "unit", dozen.last


def _skip_range(draft: ItemDraft) -> None:
    """2 o 3 cocas: the first number counts."""
    following = draft.page.numbers.get(draft.index + 1)
    if following and word(draft.page.toks, draft.index) in ("o", "u", "or"):
        draft.index = following.last + 1


def is_name(draft: ItemDraft, index: int) -> bool:
    """7 up is a drink."""
    return word(draft.page.toks, index) == "7" and word(draft.page.toks, index + 1) == "up"


def _is_unit(draft: ItemDraft, packed: Packed) -> bool:
    """Two boxes of milk are counted in boxes; two big boxes are boxes."""
    unit, following = packed.found.unit, word(draft.page.toks, packed.last)
    if unit in MEASURES or unit == "unit":
        return True
    if unit not in PACKAGES or following in ADJECTIVES or following in ("para", "con", "sin", "for"):
        return False
    if unit == "bolsa" and following in OF and word(draft.page.toks, packed.last + 1) in NOT_IN_BAGS:
        return False
    if following not in OF and unit not in _OFTEN_BARE:
        return False
    return following in OF or (
        at(draft.page.toks, packed.last).kind == "word" and not ends_name(draft.page, packed.last)
    )


def take_packed(draft: ItemDraft, packed: Packed) -> None:
    value = packed.found.value
    said = {word(draft.page.toks, index) for index in range(packed.first, packed.last)}
    draft.quantity = value if isinstance(value, int | Decimal) else 1
    draft.unit = "" if said & {"par", "couple", "parcito", "pair"} else packed.found.unit
    draft.counted, draft.index = True, packed.last


def _skip_of(draft: ItemDraft) -> None:
    """Between the quantity and the product: x, más, de, de la."""
    toks = draft.page.toks
    while word(toks, draft.index) in (
        "x",
        "mas",
        "de",
        "of",
        "d",
        "del",
        "por",
        "unidades",
        "extra",
        "more",
        "otras",
        "poco",
        "poquito",
    ):
        if word(toks, draft.index) == "por" and word(toks, draft.index + 1) in ("favor", "fa"):
            return
        draft.index += 1
    if word(toks, draft.index - 1) in OF:
        while word(toks, draft.index) in _THESE:
            draft.index += 1
        number = draft.page.numbers.get(draft.index)
        if number and word(toks, draft.index - 1) in ARTICLES:  # 3 de los 5 alfajores
            draft.index = number.last + 1


def name_all(draft: ItemDraft, named: list[int], end: int) -> bool:
    named.extend(range(draft.index, end))
    draft.index = end
    return True
