"""What a set came to: its rows for the table of goals, its details, its errors and what it cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.spanish.agents import Call


@dataclass(frozen=True)
class Goal:
    """A row of the first table."""

    what: str
    measured: str
    goal: str
    of: str = ""  # out of how many messages


@dataclass(frozen=True)
class Unordered:
    """A message that orders nothing, sent to an agent that takes orders, and the calls that it made all the same."""

    message: Mapping[str, Any]
    calls: Sequence[Call]


@dataclass(frozen=True, kw_only=True)
class SetResult:
    """What one set came to."""

    name: str
    goals: Sequence[Goal]
    details: str
    errors: Sequence[Mapping[str, Any]]
    costs: Sequence[float]  # CPU-milliseconds of each message
    unordered: Sequence[Unordered] = ()
    false_yeses: Sequence[Mapping[str, Any]] = ()
