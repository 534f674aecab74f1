"""What came of a turn and of its calls: recorded once, however often it is tried, as soon as the database is there."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import chain, repeat
from typing import Any, Literal, TypeVar

import structlog

from hilo.agent.toolbox import Toolbox
from hilo.clock import Clock
from hilo.dialogue.commands import EraseData, OptOut
from hilo.dialogue.effects import CancelTimer, HandOff, RunTool, SetTimer
from hilo.dialogue.events import (
    CampaignReached,
    Closed,
    Event,
    MessageReceived,
    OperatorCalled,
    OperatorCorrected,
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
from hilo.spans import span
from hilo.store.audit import AuditEntry
from hilo.store.campaigns import ReachedRecipient
from hilo.store.inbox import FRESH
from hilo.store.journal import CallAttempt, Ended, begin_call, end_call
from hilo.store.outbox import Author, OutboxEntry
from hilo.store.store import Refuted, Store, StoreUnavailable
from hilo.store.turns import MAX_JOINED, Outcome, Person, TurnInput, TurnRow, Usage
from hilo.turn.burst import together
from hilo.turn.run import TurnResult
from hilo.turn.trace import trace_to_json
from hilo.workers.live import live_of

T = TypeVar("T")

PAUSES = (0.05, 0.2, 0.5, 1.0, 2.0)  # seconds; the last one again and again
# After this a contact who goes on writing is answered all the same.
LONGEST_JOIN = timedelta(seconds=10)
UNKNOWN = "the call was begun, and nobody knows how it ended"

Make = Callable[[], Awaitable[ToolResult]]

# What the audit calls a call, by whether it went well.
_DEEDS = {True: "called", False: "failed"}

log = structlog.get_logger()


async def retry_until_stored(write: Callable[[], Awaitable[T]]) -> T:
    """Write as soon as the database is back; cancel it to give up."""
    for pause in chain(PAUSES, repeat(PAUSES[-1])):
        try:
            return await write()
        except StoreUnavailable as error:
            log.warning("a result waits for the database", reason=str(error))
            await asyncio.sleep(pause)
    raise AssertionError  # it repeats for ever


# --- its calls --------------------------------------------------------------------------------------


class LeaseLost(Exception):  # noqa: N818 -- it names what happened
    """Somebody else has the session now: this turn must do nothing more."""


@dataclass
class TurnJournal:
    """Remembers the calls of one turn in the store: each is made once, however often the turn is tried."""

    store: Store
    clock: Clock
    taken: TurnInput
    toolbox: Toolbox
    turn: int
    results: list[ToolResult] = field(default_factory=list)
    _times: Counter[str] = field(default_factory=Counter)

    async def once(self, run: RunTool, make: Make) -> ToolResult:
        """The recorded result; a call that was begun is made again if that is safe, and left to a person if not."""
        self._times[run.call_id] += 1
        call = CallAttempt(
            session=self.taken.session_id,
            turn=self.turn,
            call_id=run.call_id,
            attempt=self._times[run.call_id],
            tool=run.tool,
            inbox=self.taken.last,
        )
        result = self._recorded(call) or await self._make(call, run, make)
        self.results.append(result)
        return result

    def _recorded(self, call: CallAttempt) -> ToolResult | None:
        calls = {(each.call_id, each.attempt): each for each in self.taken.calls}
        known = calls.get((call.call_id, call.attempt))
        if known is None:
            return None
        if known.status != "started":
            return ToolResult(
                *(call.call_id, call.tool, known.status == "ok", known.outputs, known.error),
                unknown=known.status == "unknown",
                tell=known.tell,
                asks=known.asks,
                person=known.person,
            )
        if self.toolbox[call.tool].idempotent:
            return None
        return ToolResult(call.call_id, call.tool, ok=False, error=UNKNOWN, unknown=True)

    async def _make(self, call: CallAttempt, run: RunTool, make: Make) -> ToolResult:
        now, claim = self.clock.now(), self.taken.claim
        try:
            await self.store.run(begin_call, claim, call, run.arguments, now=now)
        except Refuted:
            raise LeaseLost from None
        with span("execute_tool", call.tool, call.call_id):
            result = await make()
        status: Literal["ok", "failed", "unknown"] = "unknown" if result.unknown else "failed"
        if result.ok:
            status = "ok"
        ended = Ended(status, result.outputs, result.error, result.tell, result.asks, result.person)
        await retry_until_stored(
            lambda: self.store.run(end_call, call, ended, now=self.clock.now()),
        )
        return result

    def earlier(self) -> tuple[RunTool, ...]:
        """The calls that an earlier attempt at this turn has begun."""
        return tuple(RunTool(each.call_id, each.tool, each.arguments) for each in self.taken.calls)


# --- what its commit writes -------------------------------------------------------------------------


def as_turn(taken: TurnInput, *, now: datetime) -> tuple[Event, tuple[MessageReceived, ...]]:
    """What a turn begins with, and the messages that came with it, in the order in which they were written."""
    messages = [
        replace(each.event, early=each.id in taken.unseen)
        for each in taken.events
        if isinstance(each.event, MessageReceived)
    ]
    if not messages:
        first: Event = taken.events[0].event  # an alarm that waited may have come into the night
        return (replace(first, at=max(first.at, now)) if isinstance(first, TimerFired) else first), ()
    # Webhooks overtake one another; where the channel's clock cannot tell, they stay as they came.
    messages.sort(key=_written_at)
    old: MessageReceived | None = None
    fresh = []
    for each in messages:
        # What an earlier attempt has begun is brought to its end, however long that takes.
        if now - _written_at(each) > FRESH and not taken.calls:
            late = replace(each, at=now, written=_written_at(each), sent=None, late=True)
            old = together(old, late)  # all of it is answered by one line
        else:
            fresh.append(replace(each, at=now, written=each.at, sent=None))
    begins, *then = [old, *fresh] if old else fresh
    return begins, tuple(then)


def _written_at(message: MessageReceived) -> datetime:
    """By the channel's clock, where it told."""
    return message.sent or message.at


def outcome_of(
    journal: TurnJournal,
    event: Event,
    result: TurnResult,
    *,
    opening: Session | None,
) -> Outcome:
    """All that the turn changes."""
    taken, session, understood = journal.taken, result.session, result.trace.understanding
    is_message = isinstance(event, MessageReceived)
    heard = taken.events[-1].received_at if is_message else taken.heard_at
    timers: dict[str, datetime | None] = {}  # the last word on each
    for effect in result.decision.effects:
        if isinstance(effect, SetTimer):
            timers[effect.name] = effect.at
        elif isinstance(effect, CancelTimer):
            timers[effect.name] = None
    changes = result.decision.modes
    first = changes[0][0] if changes else session.mode
    mode_before = taken.session.mode if taken.session else ""
    came_into = [to for _, to in changes]
    if first != mode_before:  # it was put in without a change
        came_into.insert(0, first)
    # If the contact writes meanwhile, the turn is run again, unless it has done something that lasts.
    wrote = [each for each in journal.results if journal.toolbox[each.tool].writes]
    room = not taken.followed and len(taken.events) < MAX_JOINED
    patient = journal.clock.now() - taken.events[0].received_at < LONGEST_JOIN
    messages = tuple(_messages(taken, event, result))
    return Outcome(
        taken=taken,
        session=session,
        heard_at=heard or event.at,
        turn=TurnRow(
            at=event.at,
            event=type(event).__name__,
            heard=result.trace.text,
            said=encode(Replies, result.replies),
            told=encode(Told, result.told),
            trace=trace_to_json(result.trace),
            intent=understood.intent,
            confidence=understood.confidence,
            stage=understood.stage,
        ),
        usage=Usage(understood.stage, len(journal.results), round(result.trace.milliseconds, 3)),
        opening=opening,
        closes=taken.before.id if taken.before and taken.before.status == "active" else None,
        messages=messages,
        live=tuple(live_of(event, result, before=taken.session, messages=messages)),
        timers=timers,
        modes=tuple(filter(None, came_into)),
        person=_person(taken, event, result),
        audit=tuple(_audit(event, result, journal)),
        reached=_reached(taken, event, result),
        opts_out=_choice(result),
        wait_for_newer=is_message and patient and room and not (taken.calls or wrote),
    )


def _messages(taken: TurnInput, event: Event, result: TurnResult) -> Iterator[OutboxEntry]:
    """That a person gets the session, or has it, must be told all the same: then they are no words of the agent's."""
    session, place = result.session, taken.place
    author: Author = "notice" if session.holder == "operator" else "agent"
    if isinstance(event, OperatorCalled):
        author = "operator"
    operator = event.operator if isinstance(event, OperatorCalled) else ""
    for number, message in enumerate(result.replies, 1):
        once = f"{session.id}.{session.version}.{number}"
        ids = (once, place.workspace, place.channel, place.address, session.id, session.version)
        yield OutboxEntry(*ids, author, message, result.quiet, operator)


def _reached(taken: TurnInput, event: Event, result: TurnResult) -> ReachedRecipient | None:
    """What came of a campaign for the contact whose turn it was."""
    first = taken.events[0].event
    if not isinstance(first, CampaignReached):
        return None
    if event is not first:  # a person was called instead
        return ReachedRecipient(first.recipient, "the turn failed")
    refused = [each.reason for each in result.decision.refused]
    return ReachedRecipient(first.recipient, refused[0] if refused else "")


def _choice(result: TurnResult) -> bool | None:
    """Whether the contact has chosen to be written to first no more, or again."""
    for command in result.decision.accepted:
        if isinstance(command, EraseData):
            return True
        if isinstance(command, OptOut):
            return not command.back
    return None


def _wants_nobody(taken: TurnInput, event: Event, result: TurnResult) -> bool:
    """Whether the contact has withdrawn the wish for a person, or wants to hear from nobody."""
    waited = taken.session is not None and taken.session.handoff is not None
    withdrew = waited and isinstance(event, MessageReceived) and result.session.handoff is None
    return withdrew or _choice(result) is True


def _person(taken: TurnInput, event: Event, result: TurnResult) -> Person | None:
    handed = next((each for each in result.decision.effects if isinstance(each, HandOff)), None)
    policy, reason, team = (handed.policy, handed.reason, handed.team) if handed else ("", "", "")
    wants_nobody = _wants_nobody(taken, event, result)
    match event:
        case OperatorTookOver(operator=operator):
            held = result.session.holder == "operator"
            return Person("assigned", policy, reason, operator) if held else None
        case Released() | Closed() if handed is None:
            return Person("resolved")
        case _ if wants_nobody and handed is None:
            return Person("resolved")  # nobody is wanted any more
        case _:
            again = wants_nobody or isinstance(event, Released)
            return Person("pending", policy, reason, again=again, team=team) if handed else None


def _audit(event: Event, result: TurnResult, journal: TurnJournal) -> Iterator[AuditEntry]:
    """Acts with effects, refused calls, and who has the session: not every word that was said."""
    session = result.session.id
    match event:
        case OperatorTookOver() if result.session.holder != "operator":
            return  # it was over
        case OperatorCalled():
            yield from _operator_call(event, result, journal)
            return
        case OperatorCorrected() if result.decision.accepted:
            yield AuditEntry(event.operator or "operator", "corrected", session, {"slot": event.slot})
        case Released() | Paused() | Resumed() | Closed():
            yield AuditEntry(event.operator or "operator", type(event).__name__.lower(), session)
        case _:
            pass
    for each in journal.results:
        if journal.toolbox[each.tool].writes:
            deed, subject = _DEEDS[each.ok], f"{session} {each.tool}"
            yield AuditEntry("agent", deed, subject, _call(each))
    for effect in result.decision.effects:
        if isinstance(effect, HandOff):
            why = {"policy": effect.policy, "reason": effect.reason}
            yield AuditEntry("agent", "handed over", session, why)
    if isinstance(event, OperatorTookOver):
        yield AuditEntry(event.operator or "operator", "took over", session)


def _operator_call(
    event: OperatorCalled,
    result: TurnResult,
    journal: TurnJournal,
) -> Iterator[AuditEntry]:
    """What an operator had done, in the operator's name: also what only reads, and what was refused."""
    who, subject = event.operator or "operator", f"{result.session.id} {event.tool}"
    for each in journal.results:
        yield AuditEntry(who, _DEEDS[each.ok], subject, {**_call(each), "operator": True})
    for refusal in result.decision.refused:
        yield AuditEntry(who, "refused", subject, {"error": refusal.reason, "operator": True})


def _call(result: ToolResult) -> dict[str, Any]:
    told = {"call": result.call_id, "outputs": dict(result.outputs), "error": result.error}
    return {name: value for name, value in told.items() if value}
