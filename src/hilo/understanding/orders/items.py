"""Read one item of an order: its quantity, unit, product, size and wishes."""

from dataclasses import dataclass
from decimal import Decimal

from hilo.recognisers.amounts.lexicon import ONES
from hilo.recognisers.amounts.numbers import plain
from hilo.recognisers.amounts.tokens import at, touches, word
from hilo.understanding.orders.bounds import ends_name, ends_well, starts_note, wish_at
from hilo.understanding.orders.drafts import (
    SIZE_FROM,
    ItemDraft,
    Quantity,
    is_name,
    name_all,
    read_determiners,
    read_money,
    read_quantity,
    read_size_alone,
    take_packed,
)
from hilo.understanding.orders.page import Packed, Page
from hilo.understanding.orders.words import (
    ADJECTIVES,
    ARTICLES,
    INFINITIVE_LIKE,
    MEASURES,
    NAMED_BY_NUMBER,
    OF,
    OTHER,
    PACKAGES,
    PAIRED,
    SOME,
    VARIANTS,
)

_LONGEST = 12  # words; what is longer is talk
_TRAILING = frozenset(
    ("de", "por", "a", "en", "con", "x", "of", "para", "mas", "y", "the", "la", "el", "los", "las", "sin", "del", "al")
)
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


def read_item(page: Page, first: int, *, removing: bool = False, plain: bool = False) -> Item | None:
    """The item at a token; a `plain` one may carry no quantity."""
    draft = ItemDraft(page, first, first, named=[], plain=plain)
    read_determiners(draft, removing=removing)
    if page.is_code(draft.index):
        return None
    if not plain and not read_size_alone(draft) and not read_money(draft):
        read_quantity(draft)
    _read_product(draft)
    return _item(draft)


def _item(draft: ItemDraft) -> Item | None:
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


def _head_after(draft: ItemDraft, last: int) -> str:
    """What stands after a quantity without a product, so that "2 minutos" is seen for what it is."""
    return word(draft.page.toks, last) if at(draft.page.toks, last).kind == "word" else ""


def _joined(draft: ItemDraft, named: list[int]) -> str:
    toks = draft.page.toks
    parts: list[str] = []
    for position, index in enumerate(named):
        glued = position and named[position - 1] == index - 1 and touches(toks, index)
        text = word(toks, index)
        parts.append(("" if glued or not position else " ") + ("de" if text == "d" else text))
    return "".join(parts)


def _read_product(draft: ItemDraft) -> None:
    """The name, its size and the wishes that follow, up to what ends the item."""
    named = draft.named if draft.named is not None else []
    end = min(len(draft.page.toks), draft.first + 3 * _LONGEST)
    while draft.index < end and len(named) < _LONGEST:
        index, text = draft.index, word(draft.page.toks, draft.index)
        if index in draft.page.openings and index > draft.first:
            return
        if draft.page.starts_item(index) and not is_name(draft, index):
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


def _is_wish(draft: ItemDraft, text: str) -> bool:
    """A wish after the name, or beside a number alone: dos sin sal y una con queso."""
    if draft.plain or not (draft.named or draft.counted):
        return False
    return starts_note(draft.page, draft.index) if draft.named else text in _BESIDE


def _read_number_inside(draft: ItemDraft, named: list[int]) -> bool:
    """A number after the name: its size, the quantity where none was said, or the next item."""
    if not named:
        return False
    index, packed = draft.index, draft.page.packed.get(draft.index)
    number = draft.page.numbers.get(index)
    end = packed.last if packed else number.last + 1 if number else index + 1
    if word(draft.page.toks, index - 1) in NAMED_BY_NUMBER and not _counts_next(draft, end):
        draft.counted = draft.counted or word(draft.page.toks, index - 1) in ("promo", "combo", "promocion")
        return name_all(draft, named, end)
    if word(draft.page.toks, index - 1) in (*OF, "x", "por", "-") and (draft.counted or not _is_times(draft)):
        return name_all(draft, named, end)
    if packed and packed.found.unit in MEASURES:
        return _read_measure(draft, named, packed)
    if packed and not number:
        return False
    if _counts_next(draft, end):
        return False
    if number and (number.value >= SIZE_FROM or number.value != number.value.to_integral_value() or draft.counted):
        return word(draft.page.toks, index) not in ONES and name_all(draft, named, end)
    if packed and packed.found.unit in PACKAGES and isinstance(packed.found.value, int | Decimal):
        take_packed(draft, packed)
    elif number:
        draft.quantity, draft.counted, draft.index = plain(number.value), True, end
    return not draft.counted


def _is_times(draft: ItemDraft) -> bool:
    """Coca x2 counts, coca x 500 measures."""
    number = draft.page.numbers.get(draft.index)
    return bool(
        number and word(draft.page.toks, draft.index - 1) in ("x", "por", "-") and number.value < SIZE_FROM
        and number.value == number.value.to_integral_value() and draft.index not in draft.page.packed
    )  # fmt: skip


def _read_measure(draft: ItemDraft, named: list[int], packed: Packed) -> bool:
    """Coca 1.5 l is a size, pan 1 kg a quantity, and before "de" it counts what follows."""
    toks = draft.page.toks
    weighs = packed.found.unit in ("kg", "g", "lb")
    if word(toks, packed.last) in OF or (weighs and draft.counted and _counts_next(draft, packed.last)):
        return False
    if weighs and not draft.counted:
        take_packed(draft, packed)
        return False
    return name_all(draft, named, packed.last)


def _counts_next(draft: ItemDraft, end: int) -> bool:
    """Whether a product name follows a number, which then belongs to it."""
    text = word(draft.page.toks, end)
    if text in OF or text == "x":
        return at(draft.page.toks, end + 1).kind == "word"
    named = at(draft.page.toks, end).kind == "word" and text not in VARIANTS and text not in ADJECTIVES
    return (
        named and not ends_name(draft.page, end) and not starts_note(draft.page, end) and end not in draft.page.openings
    )


def _joins(draft: ItemDraft, named: list[int]) -> bool:
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


def _closes_soon(draft: ItemDraft, index: int) -> bool:
    """Only one word more belongs to the name: "de jamón y queso", then the item ends."""
    return index >= len(draft.page.toks) or ends_name(draft.page, index) or draft.page.starts_item(index)


def _read_trailing(draft: ItemDraft) -> None:
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
