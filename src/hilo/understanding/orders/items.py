"""Read one item of an order: its quantity, unit, product, size and wishes."""

from dataclasses import dataclass
from decimal import Decimal

from hilo.understanding.amounts.lexicon import ONES
from hilo.understanding.amounts.numbers import plain
from hilo.understanding.amounts.tokens import at, touches, word
from hilo.understanding.orders.bounds import ends_name, ends_well, starts_note, wish_at
from hilo.understanding.orders.page import Packed, Page
from hilo.understanding.orders.words import (
    ADJECTIVES,
    ARTICLES,
    BARE_UNITS,
    INFINITIVE_LIKE,
    MEASURES,
    MONEY,
    NAMED_BY_NUMBER,
    NOT_IN_BAGS,
    OF,
    ONLY,
    OTHER,
    PACKAGES,
    PAIRED,
    SOME,
    VARIANTS,
)

Quantity = int | Decimal
_LONGEST = 12  # words; what is longer is talk
_SIZE_FROM = 100  # "coca 500" is a size, "coca 2" a quantity
_GRAMS = frozenset((100, 150, 200, 250, 300, 350, 400, 500, 600, 700, 750, 800, 900))  # said of what is sliced
_ALL = frozenset(("todo", "toda", "todos", "todas", "all"))
_THESE = ARTICLES | {"esas", "esos", "estas", "estos"}
_DETERMINERS = ARTICLES | OTHER | SOME | ONLY | _ALL | {"x", "de", "lo"}
_TRAILING = frozenset(
    ("de", "por", "a", "en", "con", "x", "of", "para", "mas", "y", "the", "la", "el", "los", "las", "sin", "del", "al")
)
_OFTEN_BARE = frozenset(("caja", "paquete", "pack", "lata", "botella", "bolsa", "cajon"))  # 2 latas atún
_MORE = frozenset(("mas", "more", "nomas", "tambien", "extra", "sola", "solita"))
_BESIDE = frozenset(("con", "sin", "with", "without"))


@dataclass(frozen=True, slots=True)
class Item:
    """An item and the tokens it spans (the last one not included); `counted` when a quantity was said."""

    quantity: Quantity
    unit: str
    product: str
    notes: str
    counted: bool
    first: int
    last: int
    head: str
    ends_well: bool
    elliptic: bool = False

    @property
    def is_verb_like(self) -> bool:
        """Whether the product is named by a word that may be an infinitive."""
        return not self.counted and self.head not in INFINITIVE_LIKE


@dataclass(slots=True)
class _Draft:
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


def read_item(page: Page, first: int, *, removing: bool = False, plain: bool = False) -> Item | None:
    """The item at a token; a `plain` one may carry no quantity."""
    draft = _Draft(page, first, first, named=[], plain=plain)
    _read_determiners(draft, removing=removing)
    if page.is_code(draft.index):
        return None
    if not plain and not _read_size_alone(draft) and not _read_money(draft):
        _read_quantity(draft)
    _read_product(draft)
    return _item(draft)


def _item(draft: _Draft) -> Item | None:
    toks, named = draft.page.toks, draft.named or []
    while named and word(toks, named[-1]) in _TRAILING:
        named.pop()
    product = _joined(draft, named)
    if not product and not draft.counted:
        return None
    last = max(draft.index, draft.first + 1)
    head = next((word(toks, i) for i in named if word(toks, i) not in OF), "")
    return Item(
        draft.quantity,
        draft.unit,
        product,
        draft.notes,
        draft.counted,
        draft.first,
        last,
        head or _head_after(draft, last),
        ends_well(draft.page, last),
        draft.elliptic,
    )


def _head_after(draft: _Draft, last: int) -> str:
    """What stands after a quantity without a product, so that "2 minutos" is seen for what it is."""
    return word(draft.page.toks, last) if at(draft.page.toks, last).kind == "word" else ""


def _joined(draft: _Draft, named: list[int]) -> str:
    toks = draft.page.toks
    parts: list[str] = []
    for position, index in enumerate(named):
        glued = position and named[position - 1] == index - 1 and touches(toks, index)
        text = word(toks, index)
        parts.append(("" if glued or not position else " ") + ("de" if text == "d" else text))
    return "".join(parts)


def _read_determiners(draft: _Draft, *, removing: bool) -> None:
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


def _read_quantity(draft: _Draft) -> None:
    page, index = draft.page, draft.index
    number, packed = page.numbers.get(index), page.packed.get(index)
    text = word(page.toks, index)
    if number and _is_name(draft, index):
        return
    if packed and _is_unit(draft, packed):
        _take_packed(draft, packed)
    elif (number and number.value == number.value.to_integral_value()) or (number and number.value < _SIZE_FROM):
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


def _read_size_alone(draft: _Draft) -> bool:
    """La de 500, la de litro y medio: the size names the product."""
    page, index = draft.page, draft.index
    if index == draft.first or word(page.toks, index - 1) != "de" or not page.starts_item(index):
        return False
    return _name_size(draft)


def _name_size(draft: _Draft) -> bool:
    packed, number = draft.page.packed.get(draft.index), draft.page.numbers.get(draft.index)
    end = packed.last if packed else number.last + 1 if number else draft.index
    return end > draft.index and _name_all(draft, draft.named if draft.named is not None else [], end)


def _read_money(draft: _Draft) -> bool:
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


def _times_dozen(draft: _Draft) -> None:
    """1/2 docena is six."""
    dozen = draft.page.packed.get(draft.index)
    if draft.quantity < 1 and dozen and dozen.found.unit == "unit" and isinstance(dozen.found.value, int):
        draft.quantity = plain(Decimal(draft.quantity) * dozen.found.value)
        draft.unit, draft.index = "unit", dozen.last


def _skip_range(draft: _Draft) -> None:
    """2 o 3 cocas: the first number counts."""
    following = draft.page.numbers.get(draft.index + 1)
    if following and word(draft.page.toks, draft.index) in ("o", "u", "or"):
        draft.index = following.last + 1


def _is_name(draft: _Draft, index: int) -> bool:
    """7 up is a drink."""
    return word(draft.page.toks, index) == "7" and word(draft.page.toks, index + 1) == "up"


def _is_unit(draft: _Draft, packed: Packed) -> bool:
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


def _take_packed(draft: _Draft, packed: Packed) -> None:
    value = packed.found.value
    said = {word(draft.page.toks, index) for index in range(packed.first, packed.last)}
    draft.quantity = value if isinstance(value, int | Decimal) else 1
    draft.unit = "" if said & {"par", "couple", "parcito", "pair"} else packed.found.unit
    draft.counted, draft.index = True, packed.last


def _skip_of(draft: _Draft) -> None:
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


def _read_product(draft: _Draft) -> None:
    """The name, its size and the wishes that follow, up to what ends the item."""
    named = draft.named if draft.named is not None else []
    end = min(len(draft.page.toks), draft.first + 3 * _LONGEST)
    while draft.index < end and len(named) < _LONGEST:
        index, text = draft.index, word(draft.page.toks, draft.index)
        if index in draft.page.openings and index > draft.first:
            return
        if draft.page.starts_item(index) and not _is_name(draft, index):
            if not _read_number_inside(draft, named):
                return
        elif (text in _MORE or (text in ("solo", "sola") and not named)) and not draft.page.starts_item(index + 1):
            draft.index += 1
        elif _is_wish(draft, text):
            notes, draft.index = wish_at(draft.page, index)
            draft.notes = f"{draft.notes} {notes}".strip()
            if draft.index == index:
                return
        elif ends_name(draft.page, index) and not _joins(draft, named):
            _read_trailing(draft)
            return
        else:
            named.append(index)
            draft.index += 1


def _is_wish(draft: _Draft, text: str) -> bool:
    """A wish after the name, or beside a number alone: dos sin sal y una con queso."""
    if draft.plain or not (draft.named or draft.counted):
        return False
    return starts_note(draft.page, draft.index) if draft.named else text in _BESIDE


def _read_number_inside(draft: _Draft, named: list[int]) -> bool:
    """A number after the name: its size, the quantity where none was said, or the next item."""
    if not named:
        return False
    index, packed = draft.index, draft.page.packed.get(draft.index)
    number = draft.page.numbers.get(index)
    end = packed.last if packed else number.last + 1 if number else index + 1
    if word(draft.page.toks, index - 1) in NAMED_BY_NUMBER and not _counts_next(draft, end):
        draft.counted = draft.counted or word(draft.page.toks, index - 1) in ("promo", "combo", "promocion")
        return _name_all(draft, named, end)
    if word(draft.page.toks, index - 1) in (*OF, "x", "por", "-") and (draft.counted or not _is_times(draft)):
        return _name_all(draft, named, end)
    if packed and packed.found.unit in MEASURES:
        return _read_measure(draft, named, packed)
    if packed and not number:
        return False
    if _counts_next(draft, end):
        return False
    if number and (number.value >= _SIZE_FROM or number.value != number.value.to_integral_value() or draft.counted):
        return word(draft.page.toks, index) not in ONES and _name_all(draft, named, end)
    if packed and packed.found.unit in PACKAGES and isinstance(packed.found.value, int | Decimal):
        _take_packed(draft, packed)
    elif number:
        draft.quantity, draft.counted, draft.index = plain(number.value), True, end
    return not draft.counted


def _is_times(draft: _Draft) -> bool:
    """Coca x2 counts, coca x 500 measures."""
    number = draft.page.numbers.get(draft.index)
    return bool(
        number and word(draft.page.toks, draft.index - 1) in ("x", "por", "-") and number.value < _SIZE_FROM
        and number.value == number.value.to_integral_value() and draft.index not in draft.page.packed
    )  # fmt: skip


def _name_all(draft: _Draft, named: list[int], end: int) -> bool:
    named.extend(range(draft.index, end))
    draft.index = end
    return True


def _read_measure(draft: _Draft, named: list[int], packed: Packed) -> bool:
    """Coca 1.5 l is a size, pan 1 kg a quantity, and before "de" it counts what follows."""
    toks = draft.page.toks
    weighs = packed.found.unit in ("kg", "g", "lb")
    if word(toks, packed.last) in OF or (weighs and draft.counted and _counts_next(draft, packed.last)):
        return False
    if weighs and not draft.counted:
        _take_packed(draft, packed)
        return False
    return _name_all(draft, named, packed.last)


def _counts_next(draft: _Draft, end: int) -> bool:
    """Whether a product name follows a number, which then belongs to it."""
    text = word(draft.page.toks, end)
    if text in OF or text == "x":
        return at(draft.page.toks, end + 1).kind == "word"
    named = at(draft.page.toks, end).kind == "word" and text not in VARIANTS and text not in ADJECTIVES
    return (
        named and not ends_name(draft.page, end) and not starts_note(draft.page, end) and end not in draft.page.openings
    )


def _joins(draft: _Draft, named: list[int]) -> bool:
    """Sándwich de jamón y queso: one product, for nothing is counted after the y."""
    page, index = draft.page, draft.index
    following, before = word(page.toks, index + 1), word(page.toks, index - 1)
    if word(page.toks, index) not in ("y", "e", "and", "&") or not named or at(page.toks, index + 1).kind != "word":
        return False
    if page.starts_item(index + 1) or following in ARTICLES | OTHER | SOME | ONES or following in ("a", "an"):
        return False
    if (before, following) in PAIRED:
        return True
    linked = any(word(page.toks, i) in ("de", "con", "with") for i in named[1:])
    simple = not ends_name(draft.page, index + 1) and not page.verb(index + 1, opens=True)
    return linked and simple and before != "leche" and _closes_soon(draft, index + 2)


def _closes_soon(draft: _Draft, index: int) -> bool:
    """Only one word more belongs to the name: "de jamón y queso", then the item ends."""
    return index >= len(draft.page.toks) or ends_name(draft.page, index) or draft.page.starts_item(index)


def _read_trailing(draft: _Draft) -> None:
    """Quantities after the name: coca x2, coca (2), coca: 2, coca - 2."""
    page, index = draft.page, draft.index
    if draft.counted or not draft.named or word(page.toks, index) not in ("x", "(", ":", "-", "=", "*", "por"):
        return
    after = index + 1 + (word(page.toks, index + 1) == "x")
    number = page.numbers.get(after)
    if not number or number.value < 0 or _counts_next(draft, number.last + 1):
        return
    draft.quantity, draft.counted = plain(number.value), True
    draft.index = number.last + 1 + (word(page.toks, number.last + 1) == ")")
