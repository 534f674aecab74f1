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
from hilo.slots.text import MAX_TEXT

__all__ = ["Accepted", "Invalid", "Value", "accept", "accept_found"]


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
        return _refused(slot, value)
    # a pattern is for the form that is kept: contacts write numbers and names in many
    if slot.pattern and not _pattern(slot.pattern).fullmatch(str(kept)):
        return Invalid("invalid.pattern")
    if not _in_range(slot, kept):
        return Invalid(slot.kind.out_of_range, {"min": slot.min, "max": slot.max})
    return Accepted(kept)


def _refused(slot: Slot, value: Value) -> Invalid:
    problem = slot.kind.problem(value) if slot.kind.problem else f"invalid.{slot.type}"
    if not slot.choices:
        return Invalid(problem)
    return Invalid(problem, {"choices": ", ".join(slot.choices)})


def _in_range(slot: Slot, kept: Value) -> bool:
    if isinstance(kept, str | bool):
        return True  # only numbers have a range
    if slot.min is not None and kept < slot.min:
        return False
    return slot.max is None or kept <= slot.max


def accept_found(slot: Slot, value: Value, *, country: str = "") -> Accepted | Invalid:
    """Whether a slot takes what a tool found; a free text of a tool keeps its lines."""
    taken = accept(slot, value, country=country)
    has_lines = slot.kind.is_free and not slot.pattern and "\n" in str(value).strip()
    if isinstance(taken, Invalid) or not has_lines:
        return taken
    text = "\n".join(_kept_line(slot, line) for line in str(value).strip().splitlines())
    return Accepted(text[:MAX_TEXT].rstrip())


def _kept_line(slot: Slot, line: str) -> str:
    taken = accept(slot, line)
    return str(taken.value) if isinstance(taken, Accepted) else ""  # an empty line stays one


@lru_cache(maxsize=256)
def _pattern(pattern: str) -> Any:
    return re2.compile(pattern)
