"""What came of a turn: what its commit writes, what pages that are open are told, and the person who is to go on."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import EraseData, OptOut
from hilo.dialogue.effects import CancelTimer, HandOff, SetTimer
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
from hilo.dialogue.session import (
    AskedArgument,
    AskedMeaning,
    AskedSlot,
    AskedSure,
    AskedSwitch,
    AskedWhich,
    AskedYes,
    Pending,
    Session,
    Waiting,
)
from hilo.dialogue.stored import encode
from hilo.dialogue.wording import flow_label, label, spoken
from hilo.messages import Replies
from hilo.store.audit import AuditEntry
from hilo.store.campaigns import ReachedRecipient
from hilo.store.handoffs import MAX_WORDS
from hilo.store.inbox import FRESH
from hilo.store.live import MAX_TEXT, LiveEvent
from hilo.store.outbox import Author, OutboxEntry
from hilo.store.turns import MAX_JOINED, Outcome, Person, TurnInput, TurnRow, Usage
from hilo.turn.run import TurnResult, together
from hilo.turn.trace import trace_to_json
from hilo.workers.journal import TurnJournal

T = TypeVar("T")

# After this a contact who goes on writing is answered all the same.
LONGEST_JOIN = timedelta(seconds=10)


# What the audit calls a call, by whether it went well.
_DEEDS = {True: "called", False: "failed"}

MAX_SLOTS = 40


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
    opts_out, began = _choice(result), taken.events[0].event
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
        person=_person(taken, event, result, opts_out=opts_out),
        audit=tuple(_audit(event, result, journal)),
        reached=_reached(began, event, result) if isinstance(began, CampaignReached) else None,
        opts_out=opts_out,
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


def _reached(first: CampaignReached, event: Event, result: TurnResult) -> ReachedRecipient:
    """What came of a campaign for the contact whose turn it was."""
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


def _person(taken: TurnInput, event: Event, result: TurnResult, *, opts_out: bool | None) -> Person | None:
    handed = next((each for each in result.decision.effects if isinstance(each, HandOff)), None)
    policy, reason, team = (handed.policy, handed.reason, handed.team) if handed else ("", "", "")
    waited = taken.session is not None and taken.session.handoff is not None
    withdrew = waited and isinstance(event, MessageReceived) and result.session.handoff is None
    wants_nobody = withdrew or opts_out is True  # or to hear from nobody
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


# --- what the pages that are open are told ------------------------------------------------------------


def live_of(
    event: Event, result: TurnResult, *, before: Session | None, messages: tuple[OutboxEntry, ...]
) -> Iterator[LiveEvent]:
    """What was heard and said, and what has become another."""
    after = result.session
    session, turn, held = after.id, after.version, after.holder == "operator"
    if heard := result.trace.text:
        yield LiveEvent("heard", session, {"turn": turn, "text": heard[:MAX_TEXT]})
    for each in messages:
        by = {"id": each.message_id, "turn": each.turn, "author": each.author, "operator": each.operator}
        yield LiveEvent("said", session, {**by, "text": each.message.text[:MAX_TEXT]})
    for left, entered in result.decision.modes:
        yield LiveEvent("mode", session, {"from": left, "to": entered})
    known = before.slots if before else {}
    changed = [name for name in {**known, **after.slots} if known.get(name) != after.slots.get(name)]
    if changed:
        yield LiveEvent("slot", session, {"names": changed})
    for effect in result.decision.effects:
        match effect:
            case SetTimer(name=name, at=due):
                yield LiveEvent("timer", session, {"name": name, "due_at": due.isoformat()})
            case CancelTimer(name=name):
                yield LiveEvent("timer", session, {"name": name, "due_at": None})
            case HandOff(policy=policy, reason=reason, team=team):
                yield LiveEvent("handoff", session, {"policy": policy, "reason": reason, "team": team})
            case _:
                pass
    if isinstance(event, OperatorTookOver) and held:
        yield LiveEvent("taken", session, {"operator": event.operator})
    if isinstance(event, Released) and not held:
        yield LiveEvent("released", session, {"operator": event.operator})
    if before is None or (before.status, before.holder) != (after.status, after.holder):
        yield LiveEvent("status", session, {"status": after.status, "holder": after.holder})


# --- what the person is told who is to take the session over ------------------------------------------


def briefing(agent: Agent, before: Session, result: TurnResult) -> dict[str, Any]:
    """The mode that was left, what is known, what is under way, and the question that nobody has answered."""
    after = result.session
    known = {}
    for name in sorted(after.slots, key=[*agent.slots, *after.slots].index)[:MAX_SLOTS]:
        try:
            words = spoken(agent, name, after.slots[name])
        except (KeyError, ValueError, TypeError):
            # A tool found it, or its agent is gone: it is not what the slot says.
            words = str(after.slots[name])
        known[slot_label(agent, name)[:MAX_WORDS]] = words[:MAX_WORDS]
    declared = [name for name in after.slots if name in agent.slots]
    person = next((name for name in declared if agent.slots[name].kind.names_person), None)
    # The mode that the conversation was in: the person's own says nothing.
    left = [left for left, entered in result.decision.modes if entered == agent.operator_mode]
    return {
        "mode": left[-1] if left else after.mode,
        "flow": flow_words(agent, after.stack[-1].flow) if after.stack else "",
        "question": open_question(agent, before.pending, after),
        "known": known,
        "name": str(after.slots[person]) if person else "",
    }


def open_question(agent: Agent, pending: Pending | None, after: Session) -> str:
    """What the contact was asked and has not said."""
    match pending:
        case AskedSlot(slot=slot):
            return "" if slot in after.slots else slot_label(agent, slot)
        case AskedWhich(slots=slots):
            return " / ".join(slot_label(agent, slot) for slot in slots)[:MAX_WORDS]
        case AskedArgument(parameter=parameter, question=question):
            return (question or parameter)[:MAX_WORDS]
        case AskedYes():
            return "a yes to the summary"
        case AskedSure(slot=slot, value=value):
            return f"{label(agent, slot)}: {value}?"[:MAX_WORDS]
        case AskedSwitch(flow=flow):
            return f"whether to go on to: {flow_words(agent, flow)}"
        case AskedMeaning(intents=intents):
            return f"which is meant: {', '.join(intents)}"[:MAX_WORDS]
        case Waiting() | None:
            return ""


def slot_label(agent: Agent, slot: str) -> str:
    """What contacts call a slot; its name where the agent does not know it."""
    return label(agent, slot) if slot in agent.slots else slot


def flow_words(agent: Agent, flow: str) -> str:
    """What a flow does; its name where the agent does not know it."""
    return (flow_label(agent, flow) if flow in agent.flows else flow)[:MAX_WORDS]
