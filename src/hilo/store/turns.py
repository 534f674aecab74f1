"""A turn in the store: its address is claimed and what it needs is loaded; all that it changes is committed once."""

import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Literal

from hilo.dialogue.campaigns import why_busy
from hilo.dialogue.events import Asks, CampaignReached, Closed, Event, MessageReceived
from hilo.dialogue.session import WINDOW, AskedYes, Session, from_json, quiet_since, to_json
from hilo.dialogue.stored import Arguments, decode
from hilo.messages import Address, MarketingChoice
from hilo.store.audit import AuditEntry, add_audit
from hilo.store.campaigns import ReachedRecipient, note_reached
from hilo.store.contacts import change_contact
from hilo.store.handoffs import HandoffCause, Where, add_handoff
from hilo.store.inbox import put
from hilo.store.live import LiveEvent, tell_live
from hilo.store.outbox import OutboxEntry, add_messages
from hilo.store.work import LEASE, Claim, NotNow, claim, release
from hilo.tools.database import Row, Script, execute, maybe_moment, micros, moment, one

MAX_JOINED = 10  # messages of one turn
MAX_WAITING = 50  # events looked at together
ORPHANED = timedelta(minutes=1)  # so long a turn waits for a process that has its agent; then a person is called
LOOK_AGAIN = timedelta(seconds=0.25)
LONGEST_SEND = timedelta(seconds=10)  # so long a yes waits for word of the summary that it may answer
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
    `before` is the one that was there until then. `early`: the contact wrote before our last question had been sent.
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
    early: bool = False
    followed: bool = False

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
    """The turn is in force; the address has more work then."""

    next_at: datetime | None


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


def take(
    address: str,
    *,
    owner: str,
    now: datetime,
    lease: timedelta = LEASE,
    serves: Callable[[str], bool] = lambda _agent: True,
) -> Script[TurnInput | Unreadable | NotNow | NotOurs]:
    """Claim an address and load what its next turn needs, if its agent is served here."""
    held = yield from claim("turn", address, owner=owner, now=now, lease=lease)
    if isinstance(held, NotNow):
        return held
    rows = yield from execute("pending_events", address=address, at_most=MAX_WAITING)
    if not rows:
        yield from release(held, next_at=None)
        return NotNow(None)
    found = yield from one("address", address=address)
    assert found is not None  # noqa: S101 -- work is only ever set for an address that is there
    names = ("workspace_id", "channel_id", "id", "value", "contact_id", "agent", "phone")
    place = SessionScope(*(found[name] for name in names))
    try:
        taken = yield from _load(held, place, rows, now)
    except Exception as error:  # noqa: BLE001 -- whatever comes of reading what was stored, a person must hear of it
        return Unreadable(held, place, rows[0]["id"], f"{type(error).__name__}: {error}"[:500])
    agent = _answers(taken) if isinstance(taken, TurnInput) else ""
    until = moment(rows[0]["received_at"]) + ORPHANED
    if agent and not serves(agent) and now < until:
        yield from release(held, next_at=now, attempts=held.attempts - 1, error=held.error)
        return NotOurs(agent, until)
    return taken


def _answers(taken: TurnInput) -> str:
    """The agent that the turn is for: that of the session, or of the channel for a new one."""
    return taken.session.agent if taken.session else taken.place.agent


def _load(held: Claim, place: SessionScope, rows: list[Row], now: datetime) -> Script[TurnInput | NotNow]:
    events = _together(rows)
    first = events[0]
    if first.session is None:
        row = yield from one("last_session", address=place.address)
    else:
        row = yield from one("session", session=first.session, address=place.address)
    if row is None or _is_over(row, first):
        before = from_json(row["state"]) if row else None
        new = f"session_{first.id:08x}{zlib.crc32(str(first.received_at).encode()):08x}"
        taken, version = TurnInput(held, place, events, new, before=before), 0
    else:
        session = from_json(row["state"])
        early = isinstance(session.pending, AskedYes) and (yield from _is_early(place.address, first, now))
        if early is None:
            again = now + LOOK_AGAIN
            yield from release(held, next_at=again, attempts=held.attempts - 1, error=held.error)
            return NotNow(again)
        taken = TurnInput(held, place, events, session.id, session, heard_at=moment(row["heard_at"]), early=early)
        version = session.version
    calls = yield from execute("calls_of_turn", session=taken.session_id, turn=version + 1, first=first.id)
    if calls:  # what an earlier attempt at this turn has done was for these events, so it stays for these
        events = tuple(each for each in events if each.id <= calls[0]["inbox_id"])
        taken = replace(taken, events=events, calls=tuple(map(_call, calls)))
    return replace(taken, followed=rows[-1]["id"] > taken.last)


def _is_over(row: Row, first: Pending) -> bool:
    """A message after the window, or after the end, opens a new session; while a person is at it, it stays theirs."""
    if first.session is not None or row["status"] == "paused":
        return False
    session = from_json(row["state"])
    since = quiet_since(session, moment(row["heard_at"]))
    over = row["status"] == "closed" or first.received_at - since >= WINDOW
    if isinstance(first.event, CampaignReached):  # what the business begins is no part of what was talked about
        return over or not why_busy(session, now=first.received_at)
    return over


def _is_early(address: str, first: Pending, now: datetime) -> Script[bool | None]:
    """Whether a summary that awaits confirmation was not yet on its way when the contact wrote.

    None where nobody can tell yet: it is being sent, so the contact may have read it or never get it.
    """
    row = yield from one("last_sent", address=address)
    if row is None:
        return False
    began = maybe_moment(row["sending_at"])
    if began is None or began >= first.received_at:
        return True
    if row["status"] == "sending" and now - began < LONGEST_SEND:
        return None
    return row["status"] not in SHOWN


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


# --- the commit ---------------------------------------------------------------------------------------


def commit(outcome: Outcome, *, now: datetime) -> Script[Committed | ThrownAway]:
    """Everything that a turn changes, in one transaction; nothing, if the lease or the version has moved."""
    taken, place = outcome.taken, outcome.taken.place
    if not (yield from _is_held(taken.claim)):
        return ThrownAway("lease")
    if outcome.wait_for_newer and (yield from one("newer_message", address=place.address, last=taken.last)):
        yield from execute("forget_calls", session=outcome.session.id, turn=outcome.session.version)
        yield from release(taken.claim, next_at=now)
        return ThrownAway("newer")
    if not (yield from _write_session(outcome)):
        yield from release(taken.claim, next_at=now, attempts=taken.claim.attempts, error="the version has moved")
        return ThrownAway("version")
    yield from _write_turn(outcome)
    yield from add_messages(outcome.messages, now=now)
    yield from note_reached(outcome.reached, outcome.session, place.workspace, now=now)
    yield from tell_live(place.workspace, outcome.live, now=now)
    audit: Sequence[AuditEntry] = outcome.audit
    if outcome.person:  # after the messages, of which the last are shown to the person
        audit = yield from _write_person(outcome, outcome.person, now)
    if outcome.closes:
        once = f"after:{outcome.closes}"
        yield from put(place.workspace, outcome.closes, Closed(now), external_id=once, now=now)
    if audit:
        yield from add_audit(place.workspace, audit, at=now)
    if outcome.opts_out is not None:
        choice = MarketingChoice(Address(place.channel, place.value), wanted=not outcome.opts_out, at=now)
        yield from change_contact(place.channel, choice, now=now)
    return (yield from _release(taken.claim, now))


def _is_held(held: Claim) -> Script[bool]:
    row = yield from one("held_turn", address=held.address, token=held.token, owner=held.owner)
    return row is not None


def _release(held: Claim, now: datetime) -> Script[Committed]:
    more = yield from one("more_events", address=held.address)
    next_at = now if more else None
    yield from release(held, next_at=next_at)
    return Committed(next_at)


def _write_session(outcome: Outcome) -> Script[bool]:
    session, place, opening = outcome.session, outcome.taken.place, outcome.opening
    values = {
        "id": session.id,
        "version": session.version,
        "status": session.status,
        "holder": session.holder,
        "mode": session.mode,
        "state": to_json(session),
        "heard_at": micros(outcome.heard_at),
        "last_at": micros(session.last_at),
    }
    if opening is None:
        return (yield from one("update_session", **values, expected=session.version - 1)) is not None
    row = yield from one(
        "add_session",
        **values,
        workspace=place.workspace,
        channel=place.channel,
        address=place.address,
        contact=place.contact,
        agent=session.agent,
        agent_version=session.agent_version,
        opening=to_json(opening),
        started_at=micros(session.started_at),
    )
    return row is not None


def _write_turn(outcome: Outcome) -> Script[None]:
    """The turn with what it took, its events, its timers and the modes that the session came into."""
    turn, usage, session, place = outcome.turn, outcome.usage, outcome.session, outcome.taken.place
    yield from execute(
        "add_turn",
        session=session.id,
        number=session.version,
        at=micros(turn.at),
        **{name: getattr(turn, name) for name in _TURN_TEXTS},
    )
    yield from execute(
        "add_usage",
        session=session.id,
        turn=session.version,
        workspace=place.workspace,
        agent=session.agent,
        at=micros(turn.at),
        **{name: getattr(usage, name) for name in Usage.__dataclass_fields__},
    )
    yield from execute(
        "events_done",
        status="failed" if outcome.failed else "done",
        turn=session.version,
        address=place.address,
        last=outcome.taken.last,
    )
    for name, due in outcome.timers.items():
        if due is None:
            yield from execute("cancel_timer", session=session.id, name=name)
            continue
        values = {"workspace": place.workspace, "address": place.address, "due_at": micros(due)}
        yield from execute("set_timer", session=session.id, name=name, **values)
    ids = {"workspace": place.workspace, "session": session.id, "agent": session.agent}
    for mode, times in Counter(outcome.modes).items():
        yield from execute("add_visit", **ids, mode=mode, times=times, at=micros(turn.at))


_TURN_TEXTS = tuple(name for name in TurnRow.__dataclass_fields__ if name != "at")


def _write_person(outcome: Outcome, person: Person, now: datetime) -> Script[Sequence[AuditEntry]]:
    """Write what becomes of the session's handoffs; the entries about them say about which, and who ended them."""
    session, place, at = outcome.session.id, outcome.taken.place, micros(now)
    where = Where(place.workspace, session, place.contact, place.value, place.channel)
    cause = HandoffCause(person.policy or "operator", person.reason, person.team)
    wanted = partial(add_handoff, where, cause, known=person.known, now=now)
    touched: dict[str, Sequence[Row]] = {}  # handoffs, by what the audit calls what became of them
    match person.status:
        case "pending":
            if person.again:
                touched["released"] = yield from execute("resolve_handoffs", session=session, at=at)
            touched["handed over"] = yield from wanted()
        case "assigned":
            if (yield from one("session_handoff", session=session)) is None:  # the operator comes unasked
                touched["handed over"] = yield from wanted()
            values = {"session": session, "operator": person.operator, "at": at}
            touched["took over"] = yield from execute("assign_handoffs", **values)
        case "resolved":
            touched["released"] = touched["closed"] = yield from execute("resolve_handoffs", session=session, at=at)
    entries = []
    for entry in outcome.audit:
        rows = touched.get(entry.action)
        if not rows:
            entries.append(entry)
            continue
        by = next((row["resolved_by"] for row in rows if row["resolved_by"]), entry.actor)
        detail = {**entry.detail, "handoffs": [row["id"] for row in rows]}
        entries.append(replace(entry, actor=by, detail=detail))
    return entries


# --- when nothing else helps --------------------------------------------------------------------------


def park(case: Unreadable, notice: OutboxEntry, *, now: datetime) -> Script[Committed | ThrownAway]:
    """Leave an event that cannot have a turn to a person, and tell the contact; later ones may fare better."""
    place = case.place
    if not (yield from _is_held(case.claim)):
        return ThrownAway("lease")
    last = yield from one("last_session", address=place.address)
    yield from execute("events_done", status="failed", turn=None, address=place.address, last=case.last)
    session = last["id"] if last else ""
    yield from add_messages((notice,), now=now)
    where = Where(place.workspace, session, place.contact, place.value, place.channel)
    added = yield from add_handoff(where, HandoffCause("error", case.reason), known={}, now=now)
    handoffs = [row["id"] for row in added]
    told = LiveEvent("handoff", session, {"policy": "error", "reason": case.reason})
    yield from tell_live(place.workspace, (told,), now=now)
    about = {"policy": "error", "reason": case.reason, "session": session, "handoffs": handoffs}
    yield from add_audit(place.workspace, (AuditEntry("engine", "parked", place.address, about),), at=now)
    return (yield from _release(case.claim, now))
