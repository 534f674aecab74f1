"""What a flow can make a session do: the few instructions that every kind of step is compiled into.

The dialogue runs these and knows no kinds of steps, so a new kind needs no new code there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hilo.agent.shorthand import PlainValue


class _BaseInstruction:
    """What an instruction does to slots unless its class says otherwise: nothing."""

    __slots__ = ()

    @property
    def fills(self) -> frozenset[str]:
        """The slots that have a value when it went well; an optional one that was asked for may have none."""
        return frozenset()

    @property
    def empties(self) -> frozenset[str]:
        """The slots that have no value when it went well, or when it goes back for another round."""
        return frozenset()


@dataclass(frozen=True, slots=True)
class AskSlots(_BaseInstruction):
    """Ask for what is missing of these slots, in words of its own if it has a template."""

    slots: tuple[str, ...]
    template: str = ""

    @property
    def fills(self) -> frozenset[str]:
        return frozenset(self.slots)


@dataclass(frozen=True, slots=True)
class AskConfirmation(_BaseInstruction):
    """Show a summary, and wait for a yes to exactly that."""

    template: str


@dataclass(frozen=True, slots=True)
class UseTool(_BaseInstruction):
    """Call a tool; `into` says which of its outputs go into which slots."""

    tool: str
    arguments: Mapping[str, Any]
    into: Mapping[str, str]
    attempts: int = 1

    @property
    def fills(self) -> frozenset[str]:
        return frozenset(self.into.values())


@dataclass(frozen=True, slots=True)
class SayTemplate(_BaseInstruction):
    """Say something, and go on."""

    template: str


@dataclass(frozen=True, slots=True)
class SetValues(_BaseInstruction):
    """Give slots a value; None empties one."""

    values: Mapping[str, PlainValue | None]

    @property
    def fills(self) -> frozenset[str]:
        return frozenset(self.values.keys() - self.empties)

    @property
    def empties(self) -> frozenset[str]:
        return frozenset(name for name, value in self.values.items() if value is None)


@dataclass(frozen=True, slots=True)
class PushFlow(_BaseInstruction):
    """Run another flow and come back."""

    flow: str


@dataclass(frozen=True, slots=True)
class WaitUntil(_BaseInstruction):
    """Wait for a while (`2m`), or until a time that `read_wait` reads."""

    wait: str


@dataclass(frozen=True, slots=True)
class CountRound(_BaseInstruction):
    """Go back for another round, which asks anew, unless it is enough."""

    until: str
    at_most: int
    asks_anew: tuple[str, ...]

    @property
    def empties(self) -> frozenset[str]:
        return frozenset(self.asks_anew)


@dataclass(frozen=True, slots=True)
class LeaveToPerson(_BaseInstruction):
    """Hand the session to an operator, perhaps of a team."""

    reason: str
    policy: str
    team: str = ""


@dataclass(frozen=True, slots=True)
class TakeEdge(_BaseInstruction):
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
