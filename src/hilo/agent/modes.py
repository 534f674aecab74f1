"""Modes, the states of a business: what each allows, where it leads, and what happens when it is entered."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any

from pydantic import BeforeValidator

from hilo.agent.shorthand import Declared, Names
from hilo.agent.timers import Timer


@dataclass(frozen=True, kw_only=True)
class Entrance(Declared):
    """What happens when a mode is entered."""

    say: str = ""
    start: str = ""


def _next(value: Any) -> Any:
    return {"yes": value, "no": value} if isinstance(value, str) else value


@dataclass(frozen=True, kw_only=True)
class Next(Declared):
    """The flow that a bare yes starts when nothing is asked, and the one that a bare no starts."""

    yes: str = ""
    no: str = ""


AnyNext = Annotated[Next, BeforeValidator(_next, json_schema_input_type=str | Next)]


@dataclass(frozen=True, kw_only=True)
class Mode(Declared):
    """A business state: the tools it allows, where it leads (`after` a tool by itself), what it takes to enter it.

    `before` names tools or groups that are not for this mode, and the mode that a call of them leads to first.

    `requires` names slots that must be filled, templates that must have been said, or guards. `bridge` leads back from
    a digression. The mode with `operator` is the one of sessions that a person holds. `next` says what
    a bare yes or no leads to when nothing is asked; a name alone is for both: "¿algo más o confirmamos?". `changes` is
    the flow that changes what was ordered and placed already: it collects a text, the product, and a number.
    """

    tools: Names = ()
    to: Names = ()
    after: Mapping[str, str] = field(default_factory=dict)
    before: Mapping[str, str] = field(default_factory=dict)
    requires: Names = ()
    enter: Entrance | None = None
    timers: Mapping[str, Timer] = field(default_factory=dict)
    bridge: str = ""
    next: AnyNext = field(default_factory=Next)
    changes: str = ""
    operator: bool = False

    @property
    def entrance(self) -> Entrance:
        """What happens when it is entered: nothing, if the file does not say."""
        return self.enter or Entrance()

    @cached_property
    def ways(self) -> frozenset[str]:
        """The modes that it leads to, by whatever."""
        return frozenset({*self.to, *self.after.values(), *self.before.values()})
