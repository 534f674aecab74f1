"""Promises that hang on slots: made with their values, moved when these change, gone when they are.

`24h before {dia} {hora}` is computed anew at the end of every decision. What has passed already is not
promised, nor what the quiet hours would put off until the event itself is over; the trace says so.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from hilo.agent.instructions import WaitUntil
from hilo.agent.moments import Moment, read_wait
from hilo.dialogue.draft import Draft, has, without
from hilo.dialogue.effects import Question
from hilo.dialogue.session import Session
from hilo.dialogue.stack import drop, standing_at
from hilo.dialogue.timers import PREFIX, cancel_timer, passed_note, running_timers, set_timer, start_timer


def settle_moments(draft: Draft, before: Session) -> None:
    """Promise anew what hangs on slots that were changed, and take back what hangs on slots that were emptied."""
    if not draft.session.agent_holds:
        return  # all timers are off; a release starts them with the values of then
    for name, timer in running_timers(draft).items():
        moment = timer.moment
        if moment is None or not _has_moved(draft, moment, before):
            continue
        # Another moment is another promise, with its own chance.
        draft.session.fired = without(draft.session.fired, name)
        cancel_timer(draft, PREFIX + name)
        start_timer(draft, name, timer)
    _settle_waits(draft, before)
    if not has(draft.effects, Question):
        leave_stale(draft)


def _settle_waits(draft: Draft, before: Session) -> None:
    """Move the waits under way; one whose moment is gone, or has passed, is over at once."""
    for frame in draft.session.stack:
        if not frame.step:
            continue
        does = draft.agent.compiled[frame.flow][frame.step].does
        timer = f"wait.{frame.flow}.{frame.step}"
        if not isinstance(does, WaitUntil) or timer not in draft.session.timers:
            continue
        moment = read_wait(does.wait)
        if isinstance(moment, Moment) and _has_moved(draft, moment, before):
            due = moment.due(draft.session.slots, draft.zone)
            cancel_timer(draft, timer)
            set_timer(draft, timer, max(due or draft.now, draft.now))


def leave_stale(draft: Draft) -> bool:
    """Leave a flow that a timer began for a moment that has moved or is gone; whether there was one on top.

    "¿Confirmás?" is no question any more when the booking was cancelled, moved or is over.
    """
    frame = draft.session.stack[-1] if draft.session.stack else None
    if frame is None or frame.due is None or frame.due in _moments_of(draft, frame.flow):
        return False
    draft.log.notes.append(f"{frame.flow} is left: what it was begun for has moved or is gone")
    drop(draft)
    return True


def keep_under_way(draft: Draft) -> None:
    """What a flow changes by its own steps, or by those of a flow that it calls, does not end it."""
    frames = list(draft.session.stack)
    for place in reversed(range(len(frames))):
        frame = frames[place]
        moments = _moments_of(draft, frame.flow) if frame.due else ()
        if frame.due and frame.due not in moments:
            frames[place] = replace(frame, due=next(iter(moments), None))
        if not frame.called:
            break
    draft.session.stack = tuple(frames)


def _moments_of(draft: Draft, flow: str) -> tuple[datetime, ...]:
    """When the timers that begin a flow come, as things stand."""
    slots, zone = draft.session.slots, draft.zone
    moments = [timer.moment for timer in draft.agent.all_timers.values() if timer.start == flow]
    return tuple(filter(None, [moment.due(slots, zone) for moment in moments if moment]))


def _has_moved(draft: Draft, moment: Moment, before: Session) -> bool:
    zone = draft.zone
    return moment.due(before.slots, zone) != moment.due(draft.session.slots, zone)


def wait_due(draft: Draft, moment: Moment, name: str) -> datetime | None:
    """Until when a step waits; not at all where its slots are empty or the moment has passed."""
    due = moment.due(draft.session.slots, draft.zone)
    if due is None:
        draft.log.notes.append(f"{name} does not wait: {' or '.join(moment.slots)} is empty")
    elif due <= draft.now:
        draft.log.notes.append(passed_note(draft, name, due))
        return None
    return due


def waits_for_moment(draft: Draft) -> bool:
    """Whether the step under way waits for a moment of the contact's own data."""
    step = standing_at(draft)
    return step is not None and isinstance(step.does, WaitUntil) and isinstance(read_wait(step.does.wait), Moment)


def is_over(draft: Draft, moment: Moment) -> bool:
    """Whether what a reminder was for has begun: an alarm may come late."""
    anchor = moment.anchor(draft.session.slots, draft.zone)
    return moment.shift < timedelta() and anchor is not None and anchor <= draft.now
