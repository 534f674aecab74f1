"""What happened, in the past tense: all that can change a session."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from hilo.agent.values import Value
from hilo.dialogue.commands import Command


@dataclass(frozen=True, slots=True)
class MessageReceived:
    """A contact wrote. The turn graph reads it and tells the dialogue `MessageUnderstood`."""

    at: datetime
    text: str
    payload: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class MessageUnderstood:
    """A message was read; `commands` is what it is taken to mean."""

    at: datetime
    commands: tuple[Command, ...] = ()
    intent: str = ""
    confidence: int = 0
    sentiment: float = 0.0


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What became of a call."""

    call_id: str
    tool: str
    ok: bool
    outputs: Mapping[str, Value] = field(default_factory=dict)
    error: str = ""


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


@dataclass(frozen=True, slots=True)
class TimerFired:
    """A promise made earlier is due."""

    at: datetime
    name: str


@dataclass(frozen=True, slots=True)
class OperatorTookOver:
    """An operator answers from now on."""

    at: datetime
    operator: str = ""


@dataclass(frozen=True, slots=True)
class Released:
    """An operator gave the session back to the agent."""

    at: datetime


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


Event = (
    MessageReceived
    | MessageUnderstood
    | ToolsReturned
    | EscalationTriggered
    | TimerFired
    | OperatorTookOver
    | Released
    | Paused
    | Resumed
    | Closed
)
