"""What the desk shows in the words of agents; whoever has the agents fills it in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class CountWords:
    """What the business counts: calls of these tools, the output that is money, and the one that names it."""

    tools: tuple[str, ...]
    money: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class AgentWords:
    """What an agent calls its modes and meanings, which slot says what a contact is called, what is counted.

    `names` is what people call anything that the agent's file names: a tool, a slot, a mode, a meaning.
    `patience` is how many seconds a contact may wait for a person; `signs` if contacts read who of the people answers.
    """

    modes: Mapping[str, str] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    person: str = ""
    counts: Mapping[str, CountWords] = field(default_factory=dict)
    patience: float = 300
    signs: bool = False


# --- one session --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SlotWords:
    """A value in the agent's words; `found` by a tool rather than asked for."""

    name: str
    label: str
    value: Any
    shown: str
    found: bool = False


@dataclass(frozen=True, slots=True)
class FlowWords:
    """Where a session stands; what lies below it is `stack`."""

    name: str
    label: str
    step: str
    stack: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """What a contact was asked and has not said: a slot's label, a tool's question, or a summary to confirm."""

    kind: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class ActionWords:
    """A tool that operators may run, with the JSON Schema of its arguments; `own` if nobody else may."""

    tool: str
    title: str
    description: str
    writes: bool
    own: bool
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SessionWords:
    """A stored session in its agent's words."""

    slots: tuple[SlotWords, ...] = ()
    flow: FlowWords | None = None
    question: QuestionWords | None = None
    actions: tuple[ActionWords, ...] = ()
    modes: Mapping[str, str] = field(default_factory=dict)  # those that it can be given back in
    timers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TemplateWords:
    """A template that the provider has approved; `values` are known ones, in the order of `fields`."""

    name: str
    language: str
    text: str
    fields: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """What an agent would say after a release; `runs` are tools that would write, so that nobody can tell before."""

    messages: tuple[str, ...] = ()
    mode: str = ""
    runs: tuple[str, ...] = ()


# --- pictures -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WayWords:
    """A way from one place to another, and what leads there."""

    start: str
    to: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class StepWords:
    """A step of a flow: what it does, with what, and the steps that may follow."""

    name: str
    kind: str
    words: str
    to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FlowPicture:
    """A flow, step by step."""

    name: str
    label: str
    steps: tuple[StepWords, ...]


@dataclass(frozen=True, slots=True)
class AgentMap:
    """The modes of an agent by name, the first one first, the ways between them, and its flows."""

    modes: Mapping[str, str]
    ways: tuple[WayWords, ...]
    flows: tuple[FlowPicture, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnPicture:
    """The graph that every turn of an agent walks through."""

    nodes: tuple[str, ...]
    ways: tuple[WayWords, ...]
