"""The one truth about a conversation. Its size does not grow with the number of turns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from hilo.dialogue.commands import Command, WantAlso
from hilo.dialogue.states import DialogueState
from hilo.dialogue.stored import StoredValue, decode, encode

MAX_INTENTS_SEEN = 20
SOUNDS_REPEATED = timedelta(days=7)  # how long a wording is remembered
WINDOW = timedelta(hours=24)  # of silence, after which a message opens a new session
ANSWERED_LATE = timedelta(days=7)  # so long what a campaign began can be answered
MAX_SAID = 400  # marks of one session; where no text may come twice, a person goes on after so many
MAX_SAID_BEFORE = 300  # marks that are carried into the next session

Status = Literal["active", "paused", "closed", "handed_off"]
Holder = Literal["agent", "operator"]
Left = Literal["", "bye", "opted_out"]


@dataclass(frozen=True, slots=True)
class Yes:
    """What the contact said yes to: the template of the summary, and the digest of what it showed.

    One `by` silence was not said: a timer of the agent took it for granted.
    """

    template: str
    digest: str
    bound: tuple[str, ...] = ()
    by: Literal["contact", "silence"] = "contact"


@dataclass(frozen=True, slots=True)
class Frame:
    """A place in a flow; no step means its end. The flow below called it, or was interrupted."""

    flow: str
    step: str
    called: bool = False
    rounds: Mapping[str, int] = field(default_factory=dict)
    ran: tuple[str, ...] = ()  # the calls that have succeeded
    yes: Yes | None = None
    mode: str = ""  # the session's when the flow began
    due: datetime | None = None  # the moment of the contact's data for which a timer began it
    day: str = ""  # that was given last, also where it would not do: "el 11" after it is of its month


@dataclass(frozen=True, slots=True)
class AskedSlot:
    """We asked for a slot, and may have offered some values."""

    slot: str
    correcting: bool = False
    offered: tuple[str, ...] = ()
    ways_out: bool = False  # whether we asked instead if a person shall see to it, as it was refused twice
    kind: Literal["slot"] = "slot"


@dataclass(frozen=True, slots=True)
class AskedYes:
    """We showed a summary and asked for a yes to these slots as they were."""

    digest: str
    bound: tuple[str, ...] = ()
    kind: Literal["yes"] = "yes"


@dataclass(frozen=True, slots=True)
class AskedWhich:
    """We asked which slot is to be changed; `value` is what was said for it. By default the first was offered."""

    slots: tuple[str, ...]
    value: StoredValue | None = None
    offers_first: bool = True
    kind: Literal["which"] = "which"


@dataclass(frozen=True, slots=True)
class AskedSure:
    """We asked whether a slot shall have a value that the contact may have meant."""

    slot: str
    value: StoredValue
    kind: Literal["sure"] = "sure"


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


@dataclass(frozen=True, slots=True)
class AskedArgument:
    """A tool lacks an argument; `slot` is the slot of that name, `more` what is asked next."""

    tool: str
    parameter: str
    arguments: Mapping[str, StoredValue] = field(default_factory=dict)
    slot: str = ""
    offered: tuple[str, ...] = ()
    question: str = ""
    turn: int = 0  # in which the tool asked
    more: tuple["AskedArgument", ...] = ()
    times: int = 0  # how often it was asked again after it had been passed over
    about: str = ""  # what the contact had said for it: "cocas", asked which
    guess: bool = False  # only resembles what was said: who passes it over is not asked again
    kind: Literal["argument"] = "argument"


@dataclass(frozen=True, slots=True)
class AskedMeaning:
    """We asked which of these intents or flows was meant."""

    intents: tuple[str, ...]
    kind: Literal["meaning"] = "meaning"


Pending = AskedSlot | AskedYes | AskedWhich | AskedSure | AskedSwitch | AskedArgument | AskedMeaning | Waiting


@dataclass(frozen=True, slots=True)
class Remembered:
    """A thing or a number that a tool told of, in which turn, at which place of its list, at which price."""

    value: StoredValue
    turn: int
    place: int = 0
    price: StoredValue | None = None


@dataclass(frozen=True, slots=True)
class LastCall:
    """What the contact last had looked up, and in which turn."""

    tool: str
    arguments: Mapping[str, StoredValue] = field(default_factory=dict)
    turn: int = 0
    came_to_nothing: bool = False


@dataclass(frozen=True, slots=True)
class Running:
    """A call that was ordered in this turn: by a step, or as proposed with these arguments."""

    call_id: str
    tool: str
    attempt: int = 1
    proposed: bool = False
    operator: bool = False
    tell: bool = True  # whether the contact hears what it came to
    arguments: Mapping[str, StoredValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unsaid:
    """What a proposed call came to, for as long as nobody has put it in words."""

    tool: str
    values: Mapping[str, StoredValue] = field(default_factory=dict)
    tell: str = ""
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """The turns up to a number, in a few words."""

    text: str
    upto: int


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
    told: bool = False  # whether nobody needs to be told any more that a person comes: one has taken it
    slot: str = ""  # what the contact was being asked for
    mode: str = ""  # where the session stood
    told_at: datetime | None = None  # when the contact was last told that a person comes


@dataclass(frozen=True, slots=True)
class Counters:
    """What policies look at."""

    turns: int = 0
    invalid: Mapping[str, int] = field(default_factory=dict)
    without_progress: int = 0
    errors: int = 0
    failures: int = 0  # calls in a row that came to nothing, also those that had something to tell
    flows: int = 0
    unclear: int = 0  # messages in a row that came to nothing: the rung of the ladder


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
    said: tuple[str, ...] = ()
    spoke_at: datetime | None = None  # when we last may have said something
    reworded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    agent_version: str = ""  # whose texts were reworded
    zone: str = ""  # the contact's time zone, where the agent goes by it

    def sounds_at(self, moment: datetime) -> bool:
        """Whether what was said then would still sound repeated."""
        return moment - max(self.at, self.spoke_at or self.at) < SOUNDS_REPEATED


@dataclass(slots=True)
class TurnProgress:
    """What lives for one turn, between results of tools and a model's words. It is never stored."""

    running: tuple[Running, ...] = ()
    made: tuple[str, ...] = ()  # the proposed calls
    steps_called: int = 0  # how many calls steps of flows have made
    told: tuple[str, ...] = ()  # those that could not be done, as the tool has told: the same again would be
    unsaid: tuple[Unsaid, ...] = ()
    confirmed: AskedYes | None = None  # what was said yes to
    asked: bool = False  # whether a question was put: what comes after it is not looked at
    later: tuple[Command, ...] = ()  # what may lead to a question, until the calls are back
    spoken: bool = False  # whether something was said in this turn before
    digressing: bool = False  # whether this turn answers a digression from what is open
    model_turn_open: bool = False  # whether a model goes on to speak
    part: int = 0  # the place in its burst of the message that is answered


@dataclass(slots=True)
class Session:
    """One contact with one agent on one channel. `version` rises by one with every committed turn.

    Only `decide` changes one, and only a copy of its own; what its fields hold is never changed in
    place.
    """

    id: str
    agent: str
    agent_version: str
    started_at: datetime
    last_at: datetime
    status: Status = "active"
    holder: Holder = "agent"
    mode: str = ""
    slots: Mapping[str, StoredValue] = field(default_factory=dict)
    skipped: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()  # what is needed and the contact will not give: it is asked for last, if at all
    last_slot: str = ""
    last_given: tuple[str, ...] = ()  # the slots that the last message with values gave
    remembered: tuple[Remembered, ...] = ()  # what tools named last: lists, and things after them
    last_call: LastCall | None = None
    stack: tuple[Frame, ...] = ()
    finished: tuple[str, ...] = ()
    pending: Pending | None = None
    put_off: tuple[AskedArgument, ...] = ()  # questions of orders that were passed over
    wishes: tuple[WantAlso, ...] = ()  # what is wanted once more, after what is under way
    counters: Counters = field(default_factory=Counters)
    intents_seen: tuple[IntentSeen, ...] = ()
    templates_sent: Mapping[str, int] = field(default_factory=dict)
    said: tuple[str, ...] = ()  # the marks of all texts, where none may be said twice
    # A model's wordings of templates.
    reworded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    mood: float = 0.0  # how the contact has sounded of late
    timers: Mapping[str, datetime] = field(default_factory=dict)
    fired: Mapping[str, int] = field(default_factory=dict)  # how many chances each timer had
    handoff: Handoff | None = None
    written: tuple[str, ...] = ()  # slots that went into something that was done
    abandoned: tuple[str, ...] = ()  # opening flows that the contact left
    unsure: tuple[str, ...] = ()  # flows of which nobody knows whether they were done
    heard_at: datetime | None = None  # when the contact last wrote
    called_at: datetime | None = None  # when we last wrote by ourselves about something of theirs: a booking
    left: Left = ""  # whether the contact has taken leave, or wants to be left alone
    before: Synthesis | None = None
    invites: bool = False  # whether our last words were a question, which a bare yes answers
    summary: Summary | None = None
    zone: str = ""  # the contact's time zone, where the agent goes by it
    version: int = 0

    @property
    def agent_holds(self) -> bool:
        """Whether the agent may answer: it has the session, which is not paused or over."""
        return self.status == "active" and self.holder == "agent"

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way and nothing is asked."""
        return not self.stack and not self.pending

    @property
    def flows(self) -> tuple[str, ...]:
        """The flows under way, the one on top last."""
        return tuple(frame.flow for frame in self.stack)

    @property
    def flow(self) -> str:
        """The flow on top, if one is under way."""
        return self.stack[-1].flow if self.stack else ""

    @property
    def asked_slot(self) -> str:
        """The slot that was asked for, if that is the open question."""
        return self.pending.slot if isinstance(self.pending, AskedSlot) else ""

    @property
    def slot_in_question(self) -> str:
        """The slot that was asked for, or about whose value we asked whether it is meant."""
        return self.pending.slot if isinstance(self.pending, AskedSlot | AskedSure) else ""

    @property
    def state(self) -> DialogueState:
        """Where a turn has left the conversation: that follows from the question that is open."""
        match self.pending:
            case None | Waiting():
                return DialogueState.IDLE
            case AskedYes():
                return DialogueState.CONFIRMING
        return DialogueState.WAITING_FOR_SLOT


def quiet_since(session: Session, heard_at: datetime) -> datetime:
    """Since when nobody has had anything to answer; a message a day after it opens a new session.

    While a person is at it, it stays theirs. What we wrote by ourselves about a booking is answered in
    the session that asked, however long ago the contact wrote; what a campaign began may be answered
    days later.
    """
    if session.status == "handed_off":
        return session.last_at
    if session.heard_at is None and session.called_at:
        return session.called_at + ANSWERED_LATE - WINDOW
    return max(heard_at, session.called_at or heard_at)


def sent_before(session: Session) -> Mapping[str, int]:
    """The templates said in the session before that still count, so as not to be repeated."""
    before = session.before
    return before.sent if before and before.sounds_at(session.started_at) else {}


def to_json(session: Session) -> str:
    """The session as it is stored: whole, as a field with its default tells `Pending` apart."""
    return encode(Session, session, whole=True)


def from_json(stored: str) -> Session:
    """The session that was stored."""
    session: Session = decode(Session, stored)
    return session
