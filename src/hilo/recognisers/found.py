"""What a recogniser found in a message."""

from dataclasses import dataclass
from decimal import Decimal

Value = str | int | Decimal | bool


@dataclass(frozen=True, slots=True)
class Found:
    """A value, where it stands in the folded text, and how sure the recogniser is (0–100).

    `unit` is the unit of a quantity (litro, kg) or the ISO code of a currency (ARS, USD).
    """

    kind: str
    value: Value
    start: int
    end: int
    confidence: int = 100
    unit: str = ""
