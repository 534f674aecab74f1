"""What happened, in the past tense: all that can change a session."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from hilo.dialogue.commands import Command
from hilo.dialogue.stored import Arguments, Named


@dataclass(frozen=True, slots=True)
class MessageReceived:
    """A contact wrote. The turn graph reads it and tells the dialogue `MessageUnderstood`.

    `at` is when it gets its turn, by which timers are set; `written` is what "mañana" in it counts
    from, if it waited.
    """

    at: datetime
    text: str
    payload: str = ""
    id: str = ""
    early: bool = False  # written before our last question had been sent
    written: datetime | None = None
    sent: datetime | None = None  # by the channel's clock, which orders messages and tells nothing else


@dataclass(frozen=True, slots=True)
class MessageUnderstood:
    """A message was read; `commands` is what it is taken to mean.

    With `floor` a model goes on to speak in this turn: the dialogue carries the commands out and
    says nothing of its own before `ModelAnswered`.
    """

    at: datetime
    commands: tuple[Command, ...] = ()
    intent: str = ""
    confidence: int = 0
    alternatives: tuple[tuple[str, int], ...] = ()
    sentiment: float = 0.0
    early: bool = False  # written before our last question had been sent
    floor: bool = False


@dataclass(frozen=True, slots=True)
class ModelAnswered:
    """A model that has the floor proposes more in the same turn; without `floor` it is the last."""

    at: datetime
    commands: tuple[Command, ...] = ()
    floor: bool = False
    spoken: bool = False  # whether something was said in this turn before


@dataclass(frozen=True, slots=True)
class Summarised:
    """A model has put the turns up to a number in a few words, in the same turn."""

    at: datetime
    text: str
    upto: int


@dataclass(frozen=True, slots=True)
class Reworded:
    """A model has put a template in other words; before the event that needs them is decided on."""

    at: datetime
    template: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asks:
    """What a tool must know before it can run: which of these, or simply what."""

    parameter: str
    options: tuple[str, ...] = ()
    question: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What became of a call. `unknown`: not to be repeated, and nobody knows whether it was done.

    A failure that has something to `tell` the contact, or that `asks`, is an outcome and not an
    error.
    """

    call_id: str
    tool: str
    ok: bool
    outputs: Arguments = field(default_factory=dict)
    error: str = ""
    unknown: bool = False
    tell: str = ""
    asks: Asks | None = None
    person: str = ""  # the policy under which a person must see to it


@dataclass(frozen=True, slots=True)
class ToolsReturned:
    """Calls that the dialogue ordered have ended, in the same turn."""

    at: datetime
    results: tuple[ToolResult, ...]


@dataclass(frozen=True, slots=True)
class EscalationTriggered:
    """A policy of the agent says that a person must take over."""

    at: datetime
    policy: str
    reason: str
    sentiment: float = 0.0  # how the message sounds that it was
    commands: tuple[Command, ...] = ()  # the values that it gives: they are kept all the same


@dataclass(frozen=True, slots=True)
class SendFailed:
    """What was said to the contact could not be sent, and never will be."""

    at: datetime
    message_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class TimerFired:
    """A promise made earlier is due; `due` says which of those made under the name."""

    at: datetime
    name: str
    due: datetime | None = None


@dataclass(frozen=True, slots=True)
class OperatorTookOver:
    """An operator answers from now on."""

    at: datetime
    operator: str = ""


@dataclass(frozen=True, slots=True)
class OperatorCalled:
    """An operator wants a tool to run, and its result told to the contact."""

    at: datetime
    tool: str
    arguments: Arguments = field(default_factory=dict)
    operator: str = ""
    tell: bool = True


@dataclass(frozen=True, slots=True)
class Released:
    """An operator gave the session back: in which mode, after which tools, with which words."""

    at: datetime
    mode: str = ""
    calls: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Paused:
    """The agent must be quiet until the session is resumed."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Resumed:
    """The pause is over."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Closed:
    """The session is over."""

    at: datetime


Event = Annotated[
    MessageReceived
    | MessageUnderstood
    | ModelAnswered
    | Reworded
    | Summarised
    | ToolsReturned
    | EscalationTriggered
    | SendFailed
    | TimerFired
    | OperatorTookOver
    | OperatorCalled
    | Released
    | Paused
    | Resumed
    | Closed,
    Named(),
]

Told = tuple[Event, ...]  # what the dialogue was told in one turn


def began(told: Sequence[Event]) -> Event | None:
    """What a turn began with; words that a model gave for it come before."""
    return next((event for event in told if not isinstance(event, Reworded)), None)
