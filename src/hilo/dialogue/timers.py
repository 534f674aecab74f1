"""The agent's own timers: when they are set, moved and cancelled, and what they do.

Those that count silence run while the agent waits for the contact; every message moves them. The others run from the
beginning of the session. A handoff or a pause cancels all; after it they start again. The timers of a mode run while
the session is in it, silence whether or not something is asked.
"""

from collections.abc import Iterator

from hilo.agent.guards import holds
from hilo.agent.timers import Timer
from hilo.dialogue.calls import taken_for_granted
from hilo.dialogue.draft import Draft
from hilo.dialogue.due import next_at
from hilo.dialogue.escalation import Escalation, hand_off
from hilo.dialogue.flow import run
from hilo.dialogue.modes import change_mode
from hilo.dialogue.promises import cancel_timer, set_timer
from hilo.dialogue.session import Session, Waiting
from hilo.dialogue.stack import mark, push
from hilo.dialogue.voice import say

PREFIX = "timer."


def _running(draft: Draft) -> Iterator[tuple[str, Timer]]:
    """The timers that count now: the agent's, and those of the mode."""
    yield from draft.agent.timers.items()
    yield from _of_mode(draft)


def _of_mode(draft: Draft) -> Iterator[tuple[str, Timer]]:
    mode = draft.agent.modes.get(draft.session.mode)
    if mode:
        for name, timer in mode.timers.items():
            yield f"{draft.session.mode}.{name}", timer


def start_timers(draft: Draft) -> None:
    """Set the timers that do not depend on silence, counted from now."""
    for name, timer in _running(draft):
        if not timer.of_silence and _has_chances(draft, name, timer):
            _set(draft, name, timer)


def start_mode_timers(draft: Draft) -> None:
    """Promise what the mode that was entered promises."""
    for name, timer in _of_mode(draft):
        if agent_may_speak(draft.session) and _has_chances(draft, name, timer):
            _set(draft, name, timer)


def settle_silence(draft: Draft, before: Session, *, heard: bool) -> None:
    """Count silence from now when it begins: with a message, or because it did not count `before`."""
    for name, timer in _running(draft):
        if not timer.of_silence:
            continue
        counts = awaits_contact if name in draft.agent.timers else agent_may_speak
        if not counts(draft.session):
            cancel_timer(draft, PREFIX + name)
        elif (heard or not counts(before)) and _has_chances(draft, name, timer):
            _set(draft, name, timer)


def awaits_contact(session: Session) -> bool:
    """Whether it is the contact's turn: not in a `wait`, nor when what was under way is over."""
    if not agent_may_speak(session) or isinstance(session.pending, Waiting):
        return False
    return session.pending is not None or bool(session.stack) or not session.counters.flows


def agent_may_speak(session: Session) -> bool:
    """Whether nobody else has the session, and it is not paused or over."""
    return session.status == "active" and session.holder == "agent"


def fire(draft: Draft, key: str) -> bool:
    """Do what the timer says, if its guard holds; whether it spoke. One of silence uses a chance only by acting."""
    name = key.removeprefix(PREFIX)
    timer = dict(_running(draft)).get(name)
    if timer is None:
        return False  # of another version of the agent
    held = holds(timer.when, draft.session.slots)
    if timer.when:
        draft.log.guards.append((key, timer.when, held))
    if held or not timer.of_silence:
        draft.session.fired = {**draft.session.fired, name: draft.session.fired.get(name, 0) + 1}
    if held:
        draft.log.steps.append(key)
        _act(draft, timer)
    still = name in dict(_running(draft)) and draft.session.status == "active"
    if still and (held or not timer.of_silence) and _has_chances(draft, name, timer):
        _set(draft, name, timer)
    return held and bool(timer.say)


def _act(draft: Draft, timer: Timer) -> None:
    if timer.say:
        say(draft, timer.say)
    elif timer.handoff:
        hand_off(draft, Escalation("timer", timer.handoff))
    elif timer.mode:
        _change(draft, timer.mode)
    elif push(draft, timer.start):
        if timer.consent == "silence":
            mark(draft, yes=taken_for_granted(draft))
        run(draft)


def _change(draft: Draft, mode: str) -> None:
    if reason := change_mode(draft, mode):
        draft.log.errors.append(reason)
    elif draft.session.stack:
        run(draft)


def _has_chances(draft: Draft, name: str, timer: Timer) -> bool:
    return draft.session.fired.get(name, 0) < timer.at_most


def _set(draft: Draft, name: str, timer: Timer) -> None:
    if timer.after is not None:
        set_timer(draft, PREFIX + name, draft.now + timer.after.duration)
    elif timer.at is not None:
        set_timer(draft, PREFIX + name, next_at(draft.now, timer.at, draft.zone))
