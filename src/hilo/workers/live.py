"""What a turn tells the pages that are open."""

from collections.abc import Iterator

from hilo.dialogue.effects import CancelTimer, HandOff, SetTimer
from hilo.dialogue.events import Event, OperatorTookOver, Released
from hilo.dialogue.session import Session
from hilo.store.live import MAX_TEXT, LiveEvent
from hilo.store.outbox import OutboxEntry
from hilo.turn.run import TurnResult


def live_of(
    event: Event, result: TurnResult, *, before: Session | None, messages: tuple[OutboxEntry, ...]
) -> Iterator[LiveEvent]:
    """What was heard and said, and what has become another."""
    session, turn = result.session.id, result.session.version
    if heard := result.trace.text:
        yield LiveEvent("heard", session, {"turn": turn, "text": heard[:MAX_TEXT]})
    for each in messages:
        yield said(session, each)
    for left, entered in result.decision.modes:
        yield LiveEvent("mode", session, {"from": left, "to": entered})
    known = before.slots if before else {}
    now = result.session.slots
    changed = [name for name in {**known, **now} if known.get(name) != now.get(name)]
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
    yield from _standing(event, before, result.session)


def said(session: str, message: OutboxEntry) -> LiveEvent:
    """A message of ours is on its way."""
    detail = {"id": message.message_id, "turn": message.turn, "author": message.author, "operator": message.operator}
    return LiveEvent("said", session, {**detail, "text": message.message.text[:MAX_TEXT]})


def _standing(event: Event, before: Session | None, after: Session) -> Iterator[LiveEvent]:
    held = after.holder == "operator"
    if isinstance(event, OperatorTookOver) and held:
        yield LiveEvent("taken", after.id, {"operator": event.operator})
    if isinstance(event, Released) and not held:
        yield LiveEvent("released", after.id, {"operator": event.operator})
    if before is None or (before.status, before.holder) != (after.status, after.holder):
        yield LiveEvent("status", after.id, {"status": after.status, "holder": after.holder})
