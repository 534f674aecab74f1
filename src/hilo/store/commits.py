"""The end of a turn in the store: all that it changes, in one transaction; or its events are left to a person.

The first message is marked as being sent by the commit itself, where nothing stands in its way. That is `begin` of the
outbox without a transaction of its own. What `begin` has to weigh (a rate, quiet hours, a closed window, a troubled
channel, messages before it, somebody who sends there) leaves the message to it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from hilo.dialogue.events import Closed
from hilo.dialogue.session import to_json
from hilo.dialogue.stored import decode
from hilo.dialogue.timers import awake_by
from hilo.messages import Address, MarketingChoice, Outbound
from hilo.store.audit import AuditEntry, add_audit
from hilo.store.campaigns import note_reached
from hilo.store.contacts import change_contact
from hilo.store.handoffs import HandoffCause, Where, add_handoff
from hilo.store.inbox import put
from hilo.store.live import LiveEvent, live_rows, tell_live
from hilo.store.outbox import OutboxEntry, Sending, add_messages, message_rows, message_values
from hilo.store.store import stepwise
from hilo.store.turns import Committed, Outcome, Person, ThrownAway, TurnRow, Unreadable, Usage
from hilo.store.work import Claim, release
from hilo.tools.database import (
    Row,
    Script,
    Statement,
    execute,
    maybe_moment,
    micros,
    one,
    statement,
    storable,
    together,
)

# --- its first message --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FirstMessage:
    """A message, who would send it, and for how long the address is claimed for that."""

    entry: OutboxEntry
    values: Mapping[str, Any]  # as they are written
    owner: str
    lease: timedelta
    now: datetime
    place: Row = field(default_factory=dict)  # where it goes, once it is known that it may

    def asks(self) -> Statement:
        """Whether it may go at once; a row means that it may."""
        return statement("free_to_send", address=self.entry.address, now=micros(self.now))

    def rows(self) -> tuple[Statement, Statement]:
        """The message as one that is being sent, and the claim of its address."""
        times = {"now": micros(self.now), "until": micros(self.now + self.lease)}
        claimed = statement("claim_send", address=self.entry.address, owner=self.owner, **times)
        return statement("add_sending", **self.values), claimed

    def begun(self, added: Sequence[Row], claimed: Sequence[Row]) -> Script[Sending | None]:
        """What is being sent now, by the rows of those statements."""
        entry, place = self.entry, self.place
        if not added or not claimed:
            yield from self._leave(added, claimed)
            return None
        return Sending(
            claim=Claim(entry.address, "send", self.owner, claimed[0]["lease_token"], claimed[0]["attempts"]),
            id=added[0]["id"],
            message_id=entry.message_id,
            channel=entry.channel,
            to=place["value"],
            message=_as_stored(entry.message, self.values["message"]),
            attempts=1,
            echo=timedelta(seconds=place["echo_seconds"]),
            workspace=entry.workspace,
            session=entry.session,
            wanted_at=self.now,
            channel_fails=place["failing"] > 0,
        )

    def _leave(self, added: Sequence[Row], claimed: Sequence[Row]) -> Script[None]:
        """Somebody was a moment earlier: it waits for its turn like any other message."""
        address, now = self.entry.address, micros(self.now)
        for row in added:
            yield from execute("mark_refused", id=row["id"], next_at=now, reason="")
        for row in claimed:
            yield from execute("release_sent", address=address, token=row["lease_token"], sent=0)
        yield from execute("call_for_send", address=address, next_at=now, urgent=0)


def first_message(outcome: Outcome, *, now: datetime, lease: timedelta | None) -> FirstMessage | None:
    """The message that might go at once, as far as the turn itself can tell."""
    if lease is None or not outcome.messages or outcome.taken.place.per_second:
        return None
    entry = outcome.messages[0]
    held_back = entry.author == "agent" and outcome.session.holder == "operator"
    if held_back or awake_by(entry.quiet, now) > now:
        return None
    return FirstMessage(entry, message_values(entry, now=now), outcome.taken.claim.owner, lease, now)


def _as_stored(message: Outbound, written: str) -> Outbound:
    """The message as the table has it: in characters that every database keeps."""
    kept = storable(written)
    if kept == written:
        return message
    changed: Outbound = decode(Outbound, kept)
    return changed


# --- all of it ----------------------------------------------------------------------------------------


def commit(outcome: Outcome, *, now: datetime, sends_for: timedelta | None = None) -> Script[Committed | ThrownAway]:
    """Everything that a turn changes, in one transaction; nothing, if the lease or the version has moved.

    With a lease for it, the first message is marked as being sent, if it may be sent at once.
    """
    held, address, session = outcome.taken.claim, outcome.taken.place.address, outcome.session
    first = first_message(outcome, now=now, lease=sends_for)
    if not (yield from _is_held(held)):
        return ThrownAway("lease")
    # What is asked now cannot change any more: whoever changes it waits for the lock that we have.
    newer, before, *free = yield from together(
        statement("newer_message", address=address, last=outcome.taken.last),
        statement("session_version", session=session.id),
        *([first.asks()] if first else ()),
    )
    if outcome.wait_for_newer and newer:
        yield from execute("forget_calls", session=session.id, turn=session.version)
        yield from release(held, next_at=now)
        return ThrownAway("newer")
    if [row["version"] for row in before] != ([] if outcome.opening else [session.version - 1]):
        yield from release(held, next_at=now, attempts=held.attempts, error="the version has moved")
        return ThrownAway("version")
    first = replace(first, place=free[0][0]) if first and free[0] else None
    return (yield from _write(outcome, first, now))


@stepwise
def commit_at_once(outcome: Outcome, *, now: datetime, sends_for: timedelta | None = None) -> Script[Committed]:
    """The commit of a plain turn in one statement; Refuted where something has moved, and `commit` must look."""
    taken, session = outcome.taken, outcome.session
    first, place = first_message(outcome, now=now, lease=sends_for), taken.place
    held = {"address": place.address, "token": taken.claim.token, "owner": taken.claim.owner, "last": taken.last}
    proofs = [
        statement("held_unmoved", **held, patient=int(outcome.wait_for_newer)),
        statement("session_at", session=session.id, version=session.version - 1),
        *([first.asks()] if first else ()),
    ]
    rows = yield from together(*proofs, *_rows(outcome, first, now), required=len(proofs))
    released, *written = rows[len(proofs) :]
    sending = (yield from replace(first, place=rows[2][0]).begun(*written[:2])) if first else None
    return Committed(maybe_moment(released[0]["next_at"]), sending)


def is_plain(outcome: Outcome) -> bool:
    """Whether all that a turn changes can be written in one statement."""
    more = outcome.opening or outcome.closes or outcome.messages[1:] or outcome.audit or outcome.person
    return not (more or outcome.reached or outcome.opts_out is not None)


def _rows(outcome: Outcome, first: FirstMessage | None, now: datetime) -> Iterator[Statement]:
    """What every turn writes, the release of its claim first, then its first message."""
    taken, workspace = outcome.taken, outcome.taken.place.workspace
    ids = {"address": taken.place.address, "token": taken.claim.token, "last": taken.last}
    yield statement("release_turn", **ids, now=micros(now))
    if outcome.messages:
        yield from first.rows() if first else message_rows(outcome.messages[0], now=now)
    yield from _session_rows(outcome)
    yield from _turn_rows(outcome)
    yield from live_rows(workspace, outcome.live, now=now)


def _write(outcome: Outcome, first: FirstMessage | None, now: datetime) -> Script[Committed]:
    taken, workspace = outcome.taken, outcome.taken.place.workspace
    if outcome.closes:
        once = f"after:{outcome.closes}"
        yield from put(workspace, outcome.closes, Closed(now), external_id=once, now=now)
    released, *written = yield from together(*_rows(outcome, first, now))
    sending = (yield from first.begun(*written[:2])) if first else None
    yield from add_messages(outcome.messages[1:], now=now)  # one by one, for their numbers are their order
    if outcome.reached:
        yield from note_reached(outcome.reached, outcome.session, workspace, now=now)
    audit: Sequence[AuditEntry] = outcome.audit
    if outcome.person:  # after the messages, of which the last are shown to the person
        audit = yield from _write_person(outcome, outcome.person, now)
    if audit:
        yield from add_audit(workspace, audit, at=now)
    if outcome.opts_out is not None:
        contact = Address(taken.place.channel, taken.place.value)
        choice = MarketingChoice(contact, wanted=not outcome.opts_out, at=now)
        yield from change_contact(taken.place.channel, choice, now=now)
    return Committed(maybe_moment(released[0]["next_at"]), sending)


def _is_held(held: Claim) -> Script[bool]:
    row = yield from one("held_turn", address=held.address, token=held.token, owner=held.owner)
    return row is not None


def _session_rows(outcome: Outcome) -> Iterator[Statement]:
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
        yield statement("update_session", **values)
        return
    yield statement(
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


def _turn_rows(outcome: Outcome) -> Iterator[Statement]:
    """The turn with what it took, its events, its timers and the modes that the session came into."""
    turn, usage, session, place = outcome.turn, outcome.usage, outcome.session, outcome.taken.place
    yield statement(
        "add_turn",
        session=session.id,
        number=session.version,
        at=micros(turn.at),
        **{name: getattr(turn, name) for name in _TURN_TEXTS},
    )
    yield statement(
        "add_usage",
        session=session.id,
        turn=session.version,
        workspace=place.workspace,
        agent=session.agent,
        at=micros(turn.at),
        **{name: getattr(usage, name) for name in Usage.__dataclass_fields__},
    )
    yield statement(
        "events_done",
        status="failed" if outcome.failed else "done",
        turn=session.version,
        address=place.address,
        last=outcome.taken.last,
    )
    for name, due in outcome.timers.items():
        if due is None:
            yield statement("cancel_timer", session=session.id, name=name)
            continue
        values = {"workspace": place.workspace, "address": place.address, "due_at": micros(due)}
        yield statement("set_timer", session=session.id, name=name, **values)
    ids = {"workspace": place.workspace, "session": session.id, "agent": session.agent}
    for mode, times in Counter(outcome.modes).items():
        yield statement("add_visit", **ids, mode=mode, times=times, at=micros(turn.at))


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
    released = yield from one(
        "release_turn", address=place.address, token=case.claim.token, last=case.last, now=micros(now)
    )
    return Committed(maybe_moment(released["next_at"]) if released else None)
