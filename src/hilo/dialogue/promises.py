"""Timers as promises of a session: making them, and taking them back."""

from datetime import datetime

from hilo.agent.policies import TimeoutPolicy
from hilo.dialogue.draft import Draft
from hilo.dialogue.due import awake
from hilo.dialogue.effects import CancelTimer, SetTimer
from hilo.dialogue.selecting import without

TIMEOUT_TIMER = "escalation.timeout"


def set_timer(draft: Draft, name: str, at: datetime) -> None:
    """Promise an event; one that would come in the quiet hours comes at their end."""
    due = awake(at, draft.agent.quiet_hours, draft.zone)
    draft.session.timers = {**draft.session.timers, name: due}
    draft.effects.append(SetTimer(name, due))


def cancel_timer(draft: Draft, name: str) -> None:
    """A promise that is not needed any more, if it was made."""
    if name in draft.session.timers:
        draft.effects.append(CancelTimer(name))
        draft.session.timers = without(draft.session.timers, name)


def cancel_timers(draft: Draft, beginning: str = "") -> None:
    """Promises whose name begins like this are not needed any more."""
    for name in draft.session.timers:  # cancelling makes a new mapping, this one stays whole
        if name.startswith(beginning):
            cancel_timer(draft, name)


def is_quiet(draft: Draft) -> bool:
    """Whether these are hours in which no timer may fall due."""
    return awake(draft.now, draft.agent.quiet_hours, draft.zone) != draft.now


def start_timeout(draft: Draft) -> None:
    """Promise to look again when it takes too long; the end of the last flow cancels the promise."""
    for policy in draft.agent.escalation:
        if isinstance(policy, TimeoutPolicy):
            set_timer(draft, TIMEOUT_TIMER, draft.now + policy.timeout)
