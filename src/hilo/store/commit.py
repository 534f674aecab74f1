"""The commit: all that a turn changes, in one transaction; and what is done when nothing else helps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from hilo.dialogue.events import Closed
from hilo.dialogue.session import Session, to_json
from hilo.ids import new_id
from hilo.store.audit import AuditEntry, add_audit
from hilo.store.funnel import add_visits
from hilo.store.handoffs import Where, whole_context
from hilo.store.inbox import put
from hilo.store.outbox import OutboxEntry, add_messages
from hilo.store.script import Row, Script, execute, micros, one
from hilo.store.turns import SessionScope, TurnInput, Unreadable
from hilo.store.work import Claim, release

Touched = Mapping[str, Sequence[Row]]  # handoffs, by what the audit calls what became of them


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
    wait_for_newer: bool = False  # throw the turn away if the contact has written meanwhile
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Committed:
    """The turn is in force; the address has more work then."""

    next_at: datetime | None


@dataclass(frozen=True, slots=True)
class ThrownAway:
    """The turn changed nothing, and why; the events are still waiting."""

    why: Literal["lease", "version", "newer"]


def commit(outcome: Outcome, *, now: datetime) -> Script[Committed | ThrownAway]:
    """Everything that a turn changes, in one transaction; nothing, if the lease or the version has moved."""
    taken = outcome.taken
    if not (yield from _is_held(taken.claim)):
        return ThrownAway("lease")
    if outcome.wait_for_newer and (yield from one("newer_message", address=taken.place.address, last=taken.last)):
        yield from execute("forget_calls", session=outcome.session.id, turn=outcome.session.version)
        yield from release(taken.claim, next_at=now)
        return ThrownAway("newer")
    if not (yield from _write_session(outcome)):
        yield from release(taken.claim, next_at=now, attempts=taken.claim.attempts, error="the version has moved")
        return ThrownAway("version")
    yield from _write_turn(outcome)
    yield from _write_timers(outcome)
    yield from add_visits(taken.place.workspace, outcome.session, modes=outcome.modes, at=outcome.turn.at)
    yield from add_messages(outcome.messages, now=now)
    touched = yield from _write_person(outcome, now)
    if outcome.closes:
        yield from put(
            taken.place.workspace, outcome.closes, Closed(now), external_id=f"after:{outcome.closes}", now=now
        )
    yield from add_audit(taken.place.workspace, _naming(outcome.audit, touched), at=now)
    more = yield from one("more_events", address=taken.place.address)
    yield from release(taken.claim, next_at=now if more else None)
    return Committed(now if more else None)


def _is_held(held: Claim) -> Script[bool]:
    row = yield from one("held_turn", address=held.address, token=held.token, owner=held.owner)
    return row is not None


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


_TURN_TEXTS = tuple(name for name in TurnRow.__dataclass_fields__ if name != "at")


def _write_timers(outcome: Outcome) -> Script[None]:
    session, place = outcome.session.id, outcome.taken.place
    for name, due in outcome.timers.items():
        if due is None:
            yield from execute("cancel_timer", session=session, name=name)
        else:
            yield from execute(
                "set_timer",
                session=session,
                name=name,
                workspace=place.workspace,
                address=place.address,
                due_at=micros(due),
            )


def _write_person(outcome: Outcome, now: datetime) -> Script[Touched]:
    """Write what becomes of the session's handoffs. After the messages, of which the last are shown to the person."""
    person, session, at = outcome.person, outcome.session.id, micros(now)
    match person:
        case None:
            return {}
        case Person(status="pending"):
            over = (yield from execute("resolve_handoffs", session=session, at=at)) if person.again else ()
            return {"handed over": (yield from _add_handoff(outcome, person, at)), "released": over}
        case Person(status="assigned"):
            added: Sequence[Row] = ()
            if (yield from one("session_handoff", session=session)) is None:  # the operator comes unasked
                added = yield from _add_handoff(outcome, person, at)
            values = {"session": session, "operator": person.operator, "at": at}
            return {"handed over": added, "took over": (yield from execute("assign_handoffs", **values))}
        case Person():
            over = yield from execute("resolve_handoffs", session=session, at=at)
            return {"released": over, "closed": over}


def _add_handoff(outcome: Outcome, person: Person, at: int) -> Script[Sequence[Row]]:
    place, session = outcome.taken.place, outcome.session.id
    context = yield from whole_context(_where(place, session), person.known, issue=person.reason)
    ids = {"id": new_id("handoff"), "workspace": place.workspace, "session": session}
    values = {"policy": person.policy or "operator", "reason": person.reason, "context": context}
    return (yield from execute("add_handoff", **ids, **values, at=at))


def _where(place: SessionScope, session: str) -> Where:
    return Where(place.workspace, session, place.contact, place.value, place.channel)


def _naming(entries: Sequence[AuditEntry], touched: Touched) -> Sequence[AuditEntry]:
    """The entries that are about handoffs say about which, and who ended them."""
    return [_named(each, rows) if (rows := touched.get(each.action)) else each for each in entries]


def _named(entry: AuditEntry, rows: Sequence[Row]) -> AuditEntry:
    by = next((row["resolved_by"] for row in rows if row["resolved_by"]), entry.actor)
    return replace(entry, actor=by, detail={**entry.detail, "handoffs": [row["id"] for row in rows]})


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
    context = yield from whole_context(_where(place, session), {}, issue=case.reason)
    ids = {"id": new_id("handoff"), "workspace": place.workspace, "session": session}
    yield from execute("add_handoff", **ids, policy="error", reason=case.reason, context=context, at=micros(now))
    about = {"policy": "error", "reason": case.reason, "session": session, "handoffs": [ids["id"]]}
    yield from add_audit(place.workspace, (AuditEntry("engine", "parked", place.address, about),), at=now)
    more = yield from one("more_events", address=place.address)
    yield from release(case.claim, next_at=now if more else None)
    return Committed(now if more else None)
