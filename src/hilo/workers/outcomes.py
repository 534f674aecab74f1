"""From what a turn came to, to what its commit writes."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from hilo.dialogue.effects import CancelTimer, HandOff, SetTimer
from hilo.dialogue.events import (
    Closed,
    Event,
    MessageReceived,
    OperatorCalled,
    OperatorTookOver,
    Paused,
    Released,
    Resumed,
    TimerFired,
    Told,
    ToolResult,
)
from hilo.dialogue.session import Session
from hilo.dialogue.stored import encode
from hilo.messages import Replies
from hilo.store.audit import AuditEntry
from hilo.store.commit import Outcome, Person, TurnRow, Usage
from hilo.store.outbox import Author, OutboxEntry
from hilo.store.turns import MAX_JOINED, TurnInput
from hilo.turn.run import TurnResult
from hilo.turn.trace import trace_to_json
from hilo.workers.journal import TurnJournal


def joined(taken: TurnInput, *, now: datetime) -> Event:
    """The one event of a turn: messages that came together are read together, in the order they were written."""
    events: list[Event] = [each.event for each in taken.events]
    messages = [each for each in events if isinstance(each, MessageReceived)]
    if not messages:
        first = events[0]  # an alarm that waited may have come into the night
        return replace(first, at=max(first.at, now)) if isinstance(first, TimerFired) else first
    text = "\n".join(each.text for each in messages if each.text)
    return replace(messages[-1], at=now, written=messages[0].at, text=text, early=taken.early)


def outcome_of(
    taken: TurnInput, event: Event, result: TurnResult, *, opening: Session | None, journal: TurnJournal
) -> Outcome:
    """All that the turn changes."""
    handed = next((each for each in result.decision.effects if isinstance(each, HandOff)), None)
    heard = taken.events[-1].received_at if isinstance(event, MessageReceived) else taken.heard_at
    return Outcome(
        taken=taken,
        session=result.session,
        heard_at=heard or event.at,
        turn=_turn(event, result),
        usage=Usage(
            stage=result.trace.understanding.stage,
            tools=len(journal.results),
            milliseconds=round(result.trace.milliseconds, 3),
        ),
        opening=opening,
        closes=taken.before.id if taken.before and taken.before.status == "active" else None,
        messages=tuple(_drafts(taken, result, _author(event, result.session))),
        timers=_timers(result),
        modes=_came_into(taken.session.mode if taken.session else "", result),
        person=_person(event, result.session, handed),
        audit=tuple(_audit(event, result, journal)),
        wait_for_newer=not (journal.has_effects or taken.followed) and len(taken.events) < MAX_JOINED,
    )


def _author(event: Event, session: Session) -> Author:
    """Whose words they are: that a person gets the session, or has it, must be told all the same."""
    if isinstance(event, OperatorCalled):
        return "operator"
    return "notice" if session.holder == "operator" else "agent"


def _drafts(taken: TurnInput, result: TurnResult, author: Author) -> Iterator[OutboxEntry]:
    session, place = result.session, taken.place
    for number, message in enumerate(result.replies, 1):
        once = f"{session.id}.{session.version}.{number}"
        ids = (once, place.workspace, place.channel, place.address, session.id, session.version)
        yield OutboxEntry(*ids, author, message, result.quiet)


def _turn(event: Event, result: TurnResult) -> TurnRow:
    understood = result.trace.understanding
    return TurnRow(
        at=event.at,
        event=type(event).__name__,
        heard=result.trace.text,
        said=encode(Replies, result.replies),
        told=encode(Told, result.told),
        trace=trace_to_json(result.trace),
        intent=understood.intent,
        confidence=understood.confidence,
        stage=understood.stage,
    )


def _filled(plain: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in plain.items() if value not in (None, "", (), [], {}, 0, 0.0)}


def _timers(result: TurnResult) -> dict[str, datetime | None]:
    """The last word on each timer."""
    timers: dict[str, datetime | None] = {}
    for effect in result.decision.effects:
        match effect:
            case SetTimer(name=name, at=at):
                timers[name] = at
            case CancelTimer(name=name):
                timers[name] = None
            case _:
                pass
    return timers


def _came_into(before: str, result: TurnResult) -> tuple[str, ...]:
    """The modes that were entered, in order, and first the one that the session was put in without a change."""
    changes = result.decision.modes
    first = changes[0][0] if changes else result.session.mode
    return tuple(mode for mode in ("" if first == before else first, *(to for _, to in changes)) if mode)


def _person(event: Event, session: Session, handed: HandOff | None) -> Person | None:
    policy, reason = (handed.policy, handed.reason) if handed else ("", "")
    match event:
        case OperatorTookOver(operator=operator):
            held = session.holder == "operator"
            return Person("assigned", policy, reason, operator) if held else None
        case Released() | Closed() if handed is None:
            return Person("resolved")
        case _:
            return Person("pending", policy, reason, again=isinstance(event, Released)) if handed else None


def _audit(event: Event, result: TurnResult, journal: TurnJournal) -> Iterator[AuditEntry]:
    """Acts with effects, refused calls, and who has the session: not every word that was said."""
    session = result.session.id
    match event:
        case OperatorTookOver() if result.session.holder != "operator":
            return  # it was over
        case OperatorCalled():
            yield from _operator_call(event, result, journal)
            return
        case Released() | Paused() | Resumed() | Closed():
            yield AuditEntry("operator", type(event).__name__.lower(), session)
        case _:
            pass
    for each in journal.results:
        if journal.toolbox[each.tool].writes:
            yield AuditEntry("agent", "called" if each.ok else "failed", f"{session} {each.tool}", _call(each))
    for effect in result.decision.effects:
        if isinstance(effect, HandOff):
            yield AuditEntry("agent", "handed over", session, {"policy": effect.policy, "reason": effect.reason})
    if isinstance(event, OperatorTookOver):
        yield AuditEntry(event.operator or "operator", "took over", session)


def _operator_call(event: OperatorCalled, result: TurnResult, journal: TurnJournal) -> Iterator[AuditEntry]:
    """What an operator had done, in the operator's name: also what only reads, and what was refused."""
    who, subject = event.operator or "operator", f"{result.session.id} {event.tool}"
    for each in journal.results:
        yield AuditEntry(who, "called" if each.ok else "failed", subject, {**_call(each), "operator": True})
    for refusal in result.decision.refused:
        yield AuditEntry(who, "refused", subject, {"error": refusal.reason, "operator": True})


def _call(result: ToolResult) -> dict[str, Any]:
    return _filled({"call": result.call_id, "outputs": dict(result.outputs), "error": result.error})
