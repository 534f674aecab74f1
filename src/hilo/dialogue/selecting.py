"""Small questions about commands, effects and mappings that the dialogue asks in many places."""

from collections.abc import Collection, Iterable, Mapping
from types import UnionType
from typing import TypeVar

V = TypeVar("V")
Kind = type | UnionType


def has(things: Iterable[object], kind: Kind) -> bool:
    """Whether there is one of that kind."""
    return any(isinstance(each, kind) for each in things)


def are_all(things: Collection[object], kind: Kind) -> bool:
    """Whether there is something, and nothing but that kind."""
    return bool(things) and all(isinstance(each, kind) for each in things)


def without(mapping: Mapping[str, V], *names: str) -> dict[str, V]:
    """The mapping less these names."""
    return {name: value for name, value in mapping.items() if name not in names}


def known(mapping: Mapping[str, V | None]) -> dict[str, V]:
    """The names that have a value."""
    return {name: value for name, value in mapping.items() if value is not None}
