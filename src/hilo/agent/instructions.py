"""What a flow can make a session do: the few instructions that every kind of step is compiled into.

The dialogue runs these and knows no kinds of steps, so a new kind needs no new code there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hilo.agent.shorthand import PlainValue


@dataclass(frozen=True, slots=True)
class AskSlots:
    """Ask for what is missing of these slots."""

    slots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskConfirmation:
    """Show a summary, and wait for a yes to exactly that."""

    template: str


@dataclass(frozen=True, slots=True)
class UseTool:
    """Call a tool; `into` says which of its outputs go into which slots."""

    tool: str
    arguments: Mapping[str, Any]
    into: Mapping[str, str]
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class SayTemplate:
    """Say something, and go on."""

    template: str


@dataclass(frozen=True, slots=True)
class SetValues:
    """Give slots a value; None empties one."""

    values: Mapping[str, PlainValue | None]


@dataclass(frozen=True, slots=True)
class PushFlow:
    """Run another flow and come back."""

    flow: str


@dataclass(frozen=True, slots=True)
class WaitUntil:
    """Wait for a while (`2m`), or `until 18:00`."""

    wait: str


@dataclass(frozen=True, slots=True)
class CountRound:
    """Go back for another round, which asks anew, unless it is enough."""

    until: str
    at_most: int
    empties: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeaveToPerson:
    """Hand the session to an operator."""

    reason: str
    policy: str


@dataclass(frozen=True, slots=True)
class TakeEdge:
    """Do nothing but go where the first guard that holds leads."""


Instruction = (
    AskSlots
    | AskConfirmation
    | UseTool
    | SayTemplate
    | SetValues
    | PushFlow
    | WaitUntil
    | CountRound
    | LeaveToPerson
    | TakeEdge
)


def filled_by(instruction: Instruction) -> frozenset[str]:
    """The slots that have a value when it went well; an optional one that was asked for may have none."""
    match instruction:
        case AskSlots(slots):
            return frozenset(slots)
        case SetValues(values):
            return frozenset(name for name, value in values.items() if value is not None)
        case UseTool(into=into):
            return frozenset(into.values())
    return frozenset()


def emptied_by(instruction: Instruction) -> frozenset[str]:
    """The slots that have no value when it went well, or when it goes back for another round."""
    match instruction:
        case SetValues(values):
            return frozenset(name for name, value in values.items() if value is None)
        case CountRound(empties=empties):
            return frozenset(empties)
    return frozenset()
