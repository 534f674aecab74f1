"""Which values a slot takes, and in which form it keeps them.

`accept` is the only door to a session's slots: whatever proposes a value (the understander, a model, an author's node),
only what passes here is stored. Accepting an accepted value changes nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import re2

from hilo.agent.declaration import Slot
from hilo.recognisers.found import Value

__all__ = ["Accepted", "Invalid", "Value", "accept"]


@dataclass(frozen=True, slots=True)
class Accepted:
    """The value in the form that is kept."""

    value: Value


@dataclass(frozen=True, slots=True)
class Invalid:
    """Why not: the template that explains what is expected, and its values."""

    problem: str
    values: Mapping[str, Any] = field(default_factory=dict)


def accept(slot: Slot, value: Value, *, country: str = "") -> Accepted | Invalid:
    """Whether a slot takes a value."""
    kept = slot.kind.accept(value, slot, slot.country or country)
    if kept is None:
        choices = {"choices": ", ".join(slot.choices)} if slot.choices else {}
        return Invalid(slot.kind.problem(value) if slot.kind.problem else f"invalid.{slot.type}", choices)
    if slot.pattern and not _pattern(slot.pattern).fullmatch(str(kept)):
        return Invalid("invalid.pattern")
    if not isinstance(kept, str | bool):  # only numbers have a range
        too_low = slot.min is not None and kept < slot.min
        too_high = slot.max is not None and kept > slot.max
        if too_low or too_high:
            return Invalid(slot.kind.out_of_range, {"min": slot.min, "max": slot.max})
    return Accepted(kept)


@lru_cache(maxsize=256)
def _pattern(pattern: str) -> Any:
    return re2.compile(pattern)
