"""The one truth about a conversation. Its size does not grow with the number of turns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Literal

from hilo.agent.values import StoredValue
from hilo.dialogue.states import DialogueState

if TYPE_CHECKING:
    from pydantic import TypeAdapter

MAX_INTENTS_SEEN = 20

Status = Literal["active", "paused", "closed", "handed_off"]
Holder = Literal["agent", "operator"]


@dataclass(frozen=True, slots=True)
class Yes:
    """What the contact said yes to: the template of the summary, and the digest of what it showed."""

    template: str
    digest: str
    bound: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """A place in a flow; no step means its end. A called flow was called by the one below, others interrupted it."""

    flow: str
    step: str
    called: bool = False
    rounds: Mapping[str, int] = field(default_factory=dict)
    ran: tuple[str, ...] = ()  # the calls that have succeeded
    yes: Yes | None = None


@dataclass(frozen=True, slots=True)
class AskedSlot:
    """We asked for a slot, and may have offered some values."""

    slot: str
    correcting: bool = False
    offered: tuple[str, ...] = ()
    kind: Literal["slot"] = "slot"


@dataclass(frozen=True, slots=True)
class AskedYes:
    """We showed a summary and asked for a yes to these slots as they were."""

    digest: str
    bound: tuple[str, ...] = ()
    kind: Literal["yes"] = "yes"


@dataclass(frozen=True, slots=True)
class AskedWhich:
    """We asked which slot is to be changed, and offered the first."""

    slots: tuple[str, ...]
    kind: Literal["which"] = "which"


@dataclass(frozen=True, slots=True)
class AskedSwitch:
    """We asked whether to leave what is under way for another flow."""

    flow: str
    kind: Literal["switch"] = "switch"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A step waits for a timer; the contact may write meanwhile."""

    timer: str
    kind: Literal["timer"] = "timer"


Pending = AskedSlot | AskedYes | AskedWhich | AskedSwitch | Waiting


@dataclass(frozen=True, slots=True)
class Running:
    """A call that was ordered in this turn."""

    call_id: str
    tool: str
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class IntentSeen:
    """What a message meant, and when."""

    intent: str
    confidence: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Handoff:
    """Why a person has the session."""

    policy: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Counters:
    """What policies look at."""

    turns: int = 0
    invalid: Mapping[str, int] = field(default_factory=dict)
    without_progress: int = 0
    errors: int = 0
    flows: int = 0


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """What was under way: a flow, the slot that it lacks, and why a person had the session."""

    flow: str = ""
    slot: str = ""
    handoff: str = ""


@dataclass(frozen=True, slots=True)
class Synthesis:
    """What a session keeps of the one before it. `at` is when the contact was last there."""

    at: datetime
    kept: Mapping[str, StoredValue] = field(default_factory=dict)
    done: tuple[str, ...] = ()
    open: LeftOpen | None = None
    sent: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Session:
    """One contact with one agent on one channel. `version` rises by one with every committed turn."""

    id: str
    agent: str
    agent_version: str
    started_at: datetime
    last_at: datetime
    status: Status = "active"
    holder: Holder = "agent"
    mode: str = ""
    state: DialogueState = DialogueState.IDLE
    slots: Mapping[str, StoredValue] = field(default_factory=dict)
    skipped: tuple[str, ...] = ()
    last_slot: str = ""
    stack: tuple[Frame, ...] = ()
    finished: tuple[str, ...] = ()
    pending: Pending | None = None
    counters: Counters = field(default_factory=Counters)
    intents_seen: tuple[IntentSeen, ...] = ()
    templates_sent: Mapping[str, int] = field(default_factory=dict)
    timers: Mapping[str, datetime] = field(default_factory=dict)
    fired: Mapping[str, int] = field(default_factory=dict)  # how often each of the agent's timers had its chance
    handoff: Handoff | None = None
    written: tuple[str, ...] = ()  # slots that went into something that was done
    abandoned: tuple[str, ...] = ()  # opening flows that the contact left
    unsure: tuple[str, ...] = ()  # flows of which nobody knows whether they were done
    heard_at: datetime | None = None  # when the contact last wrote
    before: Synthesis | None = None
    running: Running | None = None
    version: int = 0


@cache
def _adapter() -> "TypeAdapter[Session]":
    from pydantic import TypeAdapter  # noqa: PLC0415 -- only what stores or shows sessions pays for it

    return TypeAdapter(Session)


def to_json(session: Session) -> bytes:
    """The session as it is stored."""
    return _adapter().dump_json(session)


def from_json(stored: bytes) -> Session:
    """The session that was stored."""
    return _adapter().validate_json(stored)
