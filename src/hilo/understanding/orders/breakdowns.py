"""Order lines, and the ones that only tell how a line before is made up: 4 empanadas, 2 de carne y 2 de pollo."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from hilo.understanding.orders.words import MEASURES

_FEWEST_PARTS = 2
_DOZEN = 12


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


def broken_down(lines: Sequence[OrderLine], elliptic: set[int]) -> list[OrderLine]:
    """The parts in place of the whole, where their quantities add up to it."""
    if len(elliptic) < _FEWEST_PARTS:
        return list(lines)
    kept: list[OrderLine] = []
    index = 0
    while index < len(lines):
        end = index + 1
        while end < len(lines) and end in elliptic and lines[end].action == lines[index].action:
            end += 1
        parts = lines[index + 1 : end]
        times = 0 if index in elliptic else _times(lines[index], parts)
        if times:
            kept += [_part(lines[index], part, times) for part in parts]
            index = end
        else:
            kept.append(lines[index])
            index += 1
    return kept


def _times(whole: OrderLine, parts: Sequence[OrderLine]) -> int:
    """What one of a part counts: 1, or 12 in "2 docenas, una de carne y una de pollo"; 0 if they do not fit."""
    if len(parts) < _FEWEST_PARTS or whole.unit in MEASURES or not whole.product or not all(p.product for p in parts):
        return 0
    together = sum(part.quantity or 0 for part in parts)
    if together == whole.quantity:
        return 1
    return _DOZEN if whole.unit == "unit" and together * _DOZEN == whole.quantity else 0


def _part(whole: OrderLine, part: OrderLine, times: int) -> OrderLine:
    unit = whole.unit if times > 1 else part.unit
    return replace(part, product=f"{whole.product} de {part.product}", quantity=(part.quantity or 0) * times, unit=unit)
