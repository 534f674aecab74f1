"""The agent's own timers: when they are set, moved and cancelled, and what they do.

Those that count silence run while the agent waits for the contact; every message moves them. The others run from the
beginning of the session. A handoff or a pause cancels all; after it they start afresh.
"""

from hilo.agent.guards import holds
from hilo.agent.timers import Timer
from hilo.dialogue.draft import Draft
from hilo.dialogue.due import next_at
from hilo.dialogue.escalation import Escalation, hand_off
from hilo.dialogue.flow import push, run
from hilo.dialogue.session import Session, Waiting
from hilo.dialogue.states import DialogueState

PREFIX = "timer."


def start_timers(draft: Draft) -> None:
    """Promise what does not hang on silence, counted from now."""
    for name, timer in draft.agent.timers.items():
        if not timer.of_silence and _has_chances(draft, name):
            _set(draft, name, timer)


def settle_silence(draft: Draft, *, anew: bool) -> None:
    """Count silence from now when it begins `anew`, and not at all where the contact has nothing to answer."""
    waiting = awaits_contact(draft.session)
    for name, timer in draft.agent.timers.items():
        if not timer.of_silence:
            continue
        if not waiting:
            draft.cancel_timer(PREFIX + name)
        elif anew and _has_chances(draft, name):
            _set(draft, name, timer)


def awaits_contact(session: Session) -> bool:
    """Whether it is the contact's turn: not in a `wait`, nor when what was under way is over."""
    if session.status != "active" or session.holder != "agent" or isinstance(session.pending, Waiting):
        return False
    return session.pending is not None or bool(session.stack) or not session.counters.flows


def fire(draft: Draft, key: str) -> bool:
    """Do what the timer says, if its guard holds; whether it spoke. One of silence uses a chance only by acting."""
    name = key.removeprefix(PREFIX)
    timer = draft.agent.timers.get(name)
    if timer is None:
        return False  # of another version of the agent
    held = holds(timer.when, draft.session.slots)
    draft.guards += [(key, timer.when, held)] if timer.when else []
    if held or not timer.of_silence:
        draft.update(fired={**draft.session.fired, name: draft.session.fired.get(name, 0) + 1})
    if held:
        draft.steps.append(key)
        _act(draft, timer)
    if (held or not timer.of_silence) and _has_chances(draft, name) and draft.session.status == "active":
        _set(draft, name, timer)
    return held and bool(timer.say)


def _act(draft: Draft, timer: Timer) -> None:
    if timer.say:
        draft.say(timer.say)
    elif timer.handoff:
        hand_off(draft, Escalation("timer", timer.handoff))
    elif push(draft, timer.start):
        draft.move(DialogueState.UNDERSTANDING)
        run(draft)


def _has_chances(draft: Draft, name: str) -> bool:
    return draft.session.fired.get(name, 0) < draft.agent.timers[name].at_most


def _set(draft: Draft, name: str, timer: Timer) -> None:
    if timer.after is not None:
        draft.set_timer(PREFIX + name, draft.now + timer.after.duration)
    elif timer.at is not None:
        draft.set_timer(PREFIX + name, next_at(draft.now, timer.at, draft.zone))
