"""The kinds of steps that a flow is made of, each named by its first key."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Tag

from hilo.agent.forms import Declared, Names, PlainValue


@dataclass(frozen=True, kw_only=True)
class _Step(Declared):
    name: str = ""
    when: str = ""
    mode: str = ""


@dataclass(frozen=True, kw_only=True)
class Collect(_Step):
    """Ask for what is missing of these slots."""

    collect: Names


@dataclass(frozen=True, kw_only=True)
class Confirm(_Step):
    """Show a summary and go on only with a yes; `no` names where a no leads (default: ask what to change)."""

    confirm: str
    no: str = ""


@dataclass(frozen=True, kw_only=True)
class Do(_Step):
    """Run a tool; `into` puts its outputs into slots, `fails` names where an error leads.

    `told` names where an outcome leads that the tool has told the contact itself; without it, as `fails` says.
    """

    do: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    into: Mapping[str, str] = field(default_factory=dict)
    fails: str = ""
    told: str = ""
    attempts: int = 1


@dataclass(frozen=True, kw_only=True)
class Branch(_Step):
    """Go to the first target whose guard holds; `else` is the last resort, without it the next step."""

    branch: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Say(_Step):
    """Say a template, or a text."""

    say: str


@dataclass(frozen=True, kw_only=True)
class SetSlots(_Step):
    """Give slots a value."""

    set: Mapping[str, PlainValue]


@dataclass(frozen=True, kw_only=True)
class Call(_Step):
    """Run another flow and come back."""

    call: str


@dataclass(frozen=True, kw_only=True)
class Go(_Step):
    """Go on at a named step of this flow."""

    go: str


@dataclass(frozen=True, kw_only=True)
class Repeat(_Step):
    """Run steps again until a guard holds, a bounded number of times; each round asks anew."""

    repeat: "tuple[Step, ...]"
    until: str = ""
    at_most: int = 5


@dataclass(frozen=True, kw_only=True)
class Again(_Step):
    """What a `repeat` becomes when the file is read: its steps stand in front of this, which decides about a round."""

    first: str
    collected: tuple[str, ...]
    until: str
    at_most: int


@dataclass(frozen=True, kw_only=True)
class Wait(_Step):
    """Wait for a while (`2m`), or `until 18:00`."""

    wait: str


@dataclass(frozen=True, kw_only=True)
class HandOver(_Step):
    """Hand the session to an operator; the text is the reason that the operator reads, the policy its kind."""

    handoff: str
    policy: str = "flow"


@dataclass(frozen=True, kw_only=True)
class End(_Step):
    """End the flow here; the text says with which outcome."""

    end: str


_SLOT = re.compile(r"\{(\w+)\}")


def _is_but_slots(example: str) -> bool:
    return bool(_SLOT.search(example)) and not any(map(str.isalnum, _SLOT.sub("", example)))


KINDS: dict[str, type[_Step]] = {
    "collect": Collect,
    "confirm": Confirm,
    "do": Do,
    "branch": Branch,
    "say": Say,
    "set": SetSlots,
    "call": Call,
    "go": Go,
    "repeat": Repeat,
    "wait": Wait,
    "handoff": HandOver,
    "end": End,
}


def _tag(value: Any) -> str | None:
    """The one key of a step that is a kind of step. The colon keeps tags apart from keys in error paths."""
    if isinstance(value, dict):
        return next((f"step:{kind}" for kind in KINDS if kind in value), None)
    return next((f"step:{kind}" for kind, shape in KINDS.items() if isinstance(value, shape)), None)


Step = Annotated[
    Annotated[Collect, Tag("step:collect")]
    | Annotated[Confirm, Tag("step:confirm")]
    | Annotated[Do, Tag("step:do")]
    | Annotated[Branch, Tag("step:branch")]
    | Annotated[Say, Tag("step:say")]
    | Annotated[SetSlots, Tag("step:set")]
    | Annotated[Call, Tag("step:call")]
    | Annotated[Go, Tag("step:go")]
    | Annotated[Repeat, Tag("step:repeat")]
    | Annotated[Wait, Tag("step:wait")]
    | Annotated[HandOver, Tag("step:handoff")]
    | Annotated[End, Tag("step:end")],
    Discriminator(_tag),
]
AnyStep = Step | Again


@dataclass(frozen=True, kw_only=True)
class Flow(Declared):
    """A procedure. It starts by itself (`always`), by what a contact says (examples), or only by a call.

    `resumes` names the flow that takes it up when the session ended in it and the contact comes back with a greeting.
    """

    steps: tuple[Step, ...]
    starts: Names = ()
    description: str = ""
    interrupts: Literal["push", "ask"] = "push"
    resumes: str = ""

    @property
    def starts_by_itself(self) -> bool:
        """Whether a new session opens with this flow."""
        return self.starts == ("always",)

    @cached_property
    def examples(self) -> "tuple[str, ...]":
        """What a contact may say to start it, in words."""
        return () if self.starts_by_itself else tuple(text for text in self.starts if not _is_but_slots(text))

    @cached_property
    def starts_by_values(self) -> "tuple[frozenset[str], ...]":
        """The slots of each example that is nothing but slots: a message that gives all of them starts the flow."""
        return tuple(frozenset(_SLOT.findall(text)) for text in self.starts if _is_but_slots(text))

    @property
    def all_steps(self) -> "tuple[AnyStep, ...]":
        """The steps, with those that reading the file put in."""
        return self.steps

    @cached_property
    def collects(self) -> "tuple[str, ...]":
        """The slots it asks for, in order."""
        return tuple(name for step in self.steps if isinstance(step, Collect) for name in step.collect)

    @cached_property
    def finds(self) -> "tuple[str, ...]":
        """The slots that its tools fill."""
        return tuple(name for step in self.steps if isinstance(step, Do) for name in step.into.values())

    @cached_property
    def _places(self) -> dict[str, int]:
        return {step.name: place for place, step in reversed(list(enumerate(self.steps)))}

    def position(self, name: str) -> int:
        """Where the step of that name stands."""
        return self._places[name]
