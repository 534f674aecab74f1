"""A turn in the store: its address is claimed and what it needs is loaded; all that it changes is committed once."""

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from hilo.dialogue.campaigns import why_busy
from hilo.dialogue.events import Asks, CampaignReached, Event, MessageReceived
from hilo.dialogue.session import WINDOW, AskedYes, Session, from_json, quiet_since
from hilo.dialogue.stored import Arguments, decode
from hilo.store.audit import AuditEntry
from hilo.store.campaigns import ReachedRecipient
from hilo.store.live import LiveEvent
from hilo.store.outbox import OutboxEntry, Sending
from hilo.store.store import forgettable, stepwise
from hilo.store.work import LEASE, Claim, NotNow, claim, claim_of, claim_statement, release
from hilo.tools.database import Row, Script, execute, maybe_moment, micros, moment, one, statement, together

MAX_JOINED = 10  # messages of one turn
MAX_WAITING = 50  # events looked at together
ORPHANED = timedelta(minutes=1)  # so long a turn waits for a process that has its agent; then a person is called
LOOK_AGAIN = timedelta(seconds=0.25)
LONGEST_SEND = timedelta(seconds=10)  # so long a yes waits for word of the summary that it may answer
TICK = timedelta(seconds=1)  # channels tell the time in whole seconds
SHOWN = frozenset({"sent", "delivered", "read"})


@dataclass(frozen=True, slots=True)
class SessionScope:
    """Where a session is: the business, the channel, the address, the person, and the agent that answers there."""

    workspace: str
    channel: str
    address: str
    value: str
    contact: str
    agent: str
    phone: str = ""  # that the contact writes from, with its country's code
    per_second: float = 0  # messages that the channel takes; 0 for any number


@dataclass(frozen=True, slots=True)
class Pending:
    """An event that waits for its turn."""

    id: int
    event: Event
    session: str | None
    received_at: datetime


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call that an earlier attempt at this turn has begun, and ended if it has a status."""

    call_id: str
    attempt: int
    status: Literal["started", "ok", "failed", "unknown"]
    outputs: Mapping[str, Any]
    error: str
    tell: str = ""
    asks: Asks | None = None
    person: str = ""
    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TurnInput:
    """All that a turn starts from.

    Without a session one must be opened under `session_id`, which is the same however often the turn is tried;
    `before` is the one that was there until then. `unseen` are the events that the contact wrote before our last
    question had been sent.
    `followed`: something waits behind these events that cannot join them, and no newer message can overtake it.
    """

    claim: Claim
    place: SessionScope
    events: tuple[Pending, ...]
    session_id: str
    session: Session | None = None
    before: Session | None = None
    heard_at: datetime | None = None
    calls: tuple[RecordedCall, ...] = ()
    unseen: frozenset[int] = frozenset()
    followed: bool = False

    @property
    def early(self) -> bool:
        """Whether none of it can answer what was asked last."""
        return self.events[0].id in self.unseen

    @property
    def last(self) -> int:
        """The newest of its events."""
        return self.events[-1].id


@dataclass(frozen=True, slots=True)
class Unreadable:
    """What is stored for the next turn of an address cannot be read: a person must look at it."""

    claim: Claim
    place: SessionScope
    last: int
    reason: str


@dataclass(frozen=True, slots=True)
class TurnRow:
    """What is kept of a turn: for people to read, and for the replay."""

    at: datetime
    event: str
    heard: str
    said: str
    told: str
    trace: str
    intent: str = ""
    confidence: int = 0
    stage: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a turn took; what models cost is booked when its attempts end, see `spending`."""

    stage: str
    tools: int = 0
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Person:
    """What becomes of the session's handoff: wanted, taken by an operator, or over."""

    status: Literal["pending", "assigned", "resolved"]
    policy: str = ""
    reason: str = ""
    operator: str = ""
    team: str = ""  # whose a pending one is; without one, anybody's
    again: bool = False  # what was given back in this turn went to a person again
    known: Mapping[str, Any] = field(default_factory=dict)  # what the turn can tell the person


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that one turn changes."""

    taken: TurnInput
    session: Session
    heard_at: datetime
    turn: TurnRow
    usage: Usage
    opening: Session | None = None  # of a session that begins with this turn
    closes: str | None = None  # the session before it
    messages: tuple[OutboxEntry, ...] = ()
    timers: Mapping[str, datetime | None] = field(default_factory=dict)  # none: cancelled
    modes: tuple[str, ...] = ()  # that the session came into, its first one too when it begins
    person: Person | None = None
    audit: tuple[AuditEntry, ...] = ()
    live: tuple[LiveEvent, ...] = ()
    wait_for_newer: bool = False  # throw the turn away if the contact has written meanwhile
    opts_out: bool | None = None  # whether the contact wants to be written to first no more, or again
    reached: ReachedRecipient | None = None  # somebody on the list of a campaign
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Committed:
    """The turn is in force; the address has more work then, and a message of it may be marked as being sent."""

    next_at: datetime | None
    sending: Sending | None = None


@dataclass(frozen=True, slots=True)
class ThrownAway:
    """The turn changed nothing, and why; the events are still waiting."""

    why: Literal["lease", "version", "newer"]


# --- taking -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NotOurs:
    """The turn belongs to an agent that this process does not have; until then it waits for one that does."""

    agent: str
    until: datetime


@stepwise
@forgettable
def take(
    address: str,
    *,
    owner: str,
    now: datetime,
    lease: timedelta = LEASE,
    serves: Callable[[str], bool] = lambda _agent: True,
) -> Script[TurnInput | Unreadable | NotNow | NotOurs]:
    """Claim an address and load what its next turn needs, if its agent is served here."""
    reads = (
        statement("pending_events", address=address, at_most=MAX_WAITING),
        statement("address", address=address),
        statement("last_session", address=address),
    )
    at_once = claim_statement("claim_unmoved", "turn", address, owner=owner, now=now, lease=lease)
    claimed, rows, found, last = yield from together(at_once, *reads)
    held: Claim | NotNow
    if claimed:
        held = claim_of("turn", address, owner, claimed[0])
    else:  # it is not due, or somebody has just changed something there
        held = yield from claim("turn", address, owner=owner, now=now, lease=lease)
        if isinstance(held, NotNow):
            return held
        rows, found, last = yield from together(*reads)
    if not rows:
        yield from release(held, next_at=None)
        return NotNow(None)
    names = ("workspace_id", "channel_id", "id", "value", "contact_id", "agent", "phone", "per_second")
    place = SessionScope(*(found[0][name] for name in names))
    try:
        heard = maybe_moment(found[0]["heard_at"])
        taken = yield from _load(held, place, rows, last[0] if last else None, heard=heard, now=now)
    except Exception as error:  # noqa: BLE001 -- whatever comes of reading what was stored, a person must hear of it
        return Unreadable(held, place, rows[0]["id"], f"{type(error).__name__}: {error}"[:500])
    if isinstance(taken, NotNow):
        return taken
    agent = taken.session.agent if taken.session else place.agent  # that of the channel for a new session
    if not agent or serves(agent):
        return taken
    received = moment(rows[0]["received_at"])
    until = received + ORPHANED
    if until <= now:  # those who have the agent may only have much to do
        since = micros(max(received, now - ORPHANED))
        lately = yield from one("served_lately", workspace=place.workspace, agent=agent, since=since)
        until = now + ORPHANED if lately else until
    if until <= now:
        return taken
    yield from release(held, next_at=now, attempts=held.attempts - 1, error=held.error)
    return NotOurs(agent, until)


def _load(  # noqa: PLR0913 -- what was read together
    held: Claim, place: SessionScope, rows: list[Row], last: Row | None, *, heard: datetime | None, now: datetime
) -> Script[TurnInput | NotNow]:
    events = _together(rows)
    first, row = events[0], last
    if first.session is not None and (row is None or row["id"] != first.session):
        row = yield from one("session", session=first.session, address=place.address)
    session = from_json(row["state"]) if row else None
    called = True
    if row is None or session is None or _is_over(row, session, first):
        new = f"session_{first.id:08x}{zlib.crc32(str(first.received_at).encode()):08x}"
        taken, version = TurnInput(held, place, events, new, before=session), 0
    else:
        heard_at = moment(row["heard_at"])
        unseen: frozenset[int] | None = frozenset()
        if isinstance(session.pending, AskedYes):
            # What an earlier turn answered was written last, or what waits now was.
            lag = heard_at - heard if heard and heard > max(map(_sent_at, events)) else None
            unseen = yield from _unseen(place.address, events, lag, now)
        if unseen is None:
            again = now + LOOK_AGAIN
            yield from release(held, next_at=again, attempts=held.attempts - 1, error=held.error)
            return NotNow(again)
        taken = TurnInput(held, place, events, session.id, session, heard_at=heard_at, unseen=unseen)
        version, called = session.version, bool(row["called"])
    calls: list[Row] = []
    if called:
        calls = yield from execute("calls_of_turn", session=taken.session_id, turn=version + 1, first=first.id)
    if calls:  # what an earlier attempt at this turn has done was for these events, so it stays for these
        events = tuple(each for each in events if each.id <= calls[0]["inbox_id"])
        taken = replace(taken, events=events, calls=tuple(map(_call, calls)))
    return replace(taken, followed=rows[-1]["id"] > taken.last)


def _is_over(row: Row, session: Session, first: Pending) -> bool:
    """A message after the window, or after the end, opens a new session; while a person is at it, it stays theirs."""
    if first.session is not None or row["status"] == "paused":
        return False
    since = quiet_since(session, moment(row["heard_at"]))
    over = row["status"] == "closed" or first.received_at - since >= WINDOW
    if isinstance(first.event, CampaignReached):  # what the business begins is no part of what was talked about
        return over or not why_busy(session, now=first.received_at)
    return over


def _unseen(
    address: str, events: tuple[Pending, ...], lag: timedelta | None, now: datetime
) -> Script[frozenset[int] | None]:
    """The events that the contact wrote before the summary that awaits confirmation was on its way.

    None where nobody can tell yet: it is being sent, so the contact may have read it or never get it.
    """
    everything = frozenset(each.id for each in events)
    row = yield from one("last_sent", address=address)
    if row is None:
        return frozenset()
    began = maybe_moment(row["sending_at"])
    if began is None or began >= events[0].received_at:
        return everything
    if row["status"] == "sending" and now - began < LONGEST_SEND:
        return None
    return _overtaken(events, lag, began) if row["status"] in SHOWN else everything


def _overtaken(events: tuple[Pending, ...], lag: timedelta | None, began: datetime) -> frozenset[int]:
    """Those that a webhook brought late, so that they came after a question which they were written before.

    The channel's clock may be wrong, so it is compared with itself: no message was written later than its time there
    and the shortest time that any message needed to come. `lag` is that of the last one that was answered.
    """
    lags = [each.received_at - _sent_at(each) for each in events]
    shortest = min(lags if lag is None or lag < timedelta() else [*lags, lag])
    return frozenset(each.id for each in events if _sent_at(each) + shortest + TICK <= began)


def _sent_at(pending: Pending) -> datetime:
    """By the channel's clock, where it told and is not ahead."""
    sent = pending.event.sent if isinstance(pending.event, MessageReceived) else None
    return min(sent or pending.received_at, pending.received_at)


def _together(rows: list[Row]) -> tuple[Pending, ...]:
    """The events of one turn: the first that waits and, if it is a message, the messages that follow it."""
    events = [_pending(rows[0])]
    following = rows[1:MAX_JOINED] if _can_join(events[0]) else ()
    for row in following:
        try:
            pending = _pending(row)
        except Exception:  # noqa: BLE001 -- one that cannot be read is left to the next turn
            break
        if not _can_join(pending):
            break
        events.append(pending)
    return tuple(events)


def _can_join(pending: Pending) -> bool:
    """Written messages are read together; a pressed button and everything else has a turn of its own."""
    return isinstance(pending.event, MessageReceived) and not pending.event.payload and pending.session is None


def _pending(row: Row) -> Pending:
    event = decode(Event, row["event"])
    if type(event).__name__ != row["kind"]:
        raise ValueError(f"no {row['kind']}: {row['event']}"[:500])
    return Pending(row["id"], event, row["session_id"], moment(row["received_at"]))


def _call(row: Row) -> RecordedCall:
    outputs = decode(Arguments, row["outputs"]) if row["outputs"] else {}
    asks = decode(Asks, row["asks"]) if row["asks"] else None
    return RecordedCall(
        *(row["call_id"], row["attempt"], row["status"], outputs, row["error"], row["tell"], asks, row["person"]),
        tool=row["tool"],
        arguments=decode(Arguments, row["arguments"]),
    )
