"""Timers are promises of a session: when they are made, moved, taken back and due.

The agent's own that count silence run while the agent waits for the contact; every message moves
them. Its others run from the beginning of the session. A handoff or a pause cancels all; after it
they start again. The timers of a mode run while the session is in it, silence whether or not
something is asked.

Times of day and quiet hours are those of the agent's time zone, promises are moments of UTC. A
time of day that the clock jumps over (in spring) counts as it would have come without the jump; of
one that it shows twice (in autumn) the first counts.
"""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hilo.agent.instructions import WaitUntil
from hilo.agent.moments import OPENING, Moment, read_wait
from hilo.agent.policies import TimeoutPolicy
from hilo.agent.timers import QuietHours, Timer
from hilo.dialogue.draft import Draft, without
from hilo.dialogue.effects import CancelTimer, SetTimer
from hilo.dialogue.session import Session, Waiting

PREFIX = "timer."  # of the agent's own
TIMEOUT_TIMER = "escalation.timeout"
UNANSWERED = "escalation.unanswered"  # a handoff that nobody has taken


# --- promises ------------------------------------------------------------------------------------


def set_timer(draft: Draft, name: str, at: datetime) -> None:
    """Promise an event; one that would come in the quiet hours comes at their end."""
    due = awake(at, draft.agent.quiet_hours, draft.zone)
    draft.session.timers = {**draft.session.timers, name: due}
    draft.effects.append(SetTimer(name, due))


def cancel_timers(draft: Draft, beginning: str = "") -> None:
    """Promises whose name begins like this are not needed any more."""
    for name in draft.session.timers:  # cancelling makes a new mapping, this one stays whole
        if name.startswith(beginning):
            cancel_timer(draft, name)


def cancel_timer(draft: Draft, name: str) -> None:
    """A promise that is not needed any more, if it was made."""
    if name in draft.session.timers:
        draft.effects.append(CancelTimer(name))
        draft.session.timers = without(draft.session.timers, name)


def start_timeout(draft: Draft) -> None:
    """Promise to look again when it takes too long; the end of the last flow cancels it."""
    for policy in draft.agent.escalation:
        if isinstance(policy, TimeoutPolicy):
            set_timer(draft, TIMEOUT_TIMER, draft.now + policy.timeout)


# --- the agent's own timers ----------------------------------------------------------------------


def running_timers(draft: Draft) -> dict[str, Timer]:
    """The timers that count now: the agent's, and those of the mode."""
    counted = ("", draft.session.mode)
    timers = draft.agent.all_timers
    return {name: timer for name, timer in timers.items() if name.rpartition(".")[0] in counted}


def start_timers(draft: Draft) -> None:
    """Set the timers that do not depend on silence, counted from now."""
    for name, timer in running_timers(draft).items():
        if not timer.of_silence:
            start_timer(draft, name, timer)


def start_mode_timers(draft: Draft) -> None:
    """Promise what the mode that was entered promises."""
    if draft.session.agent_holds:
        for name, timer in without(running_timers(draft), *draft.agent.timers).items():
            start_timer(draft, name, timer)


def start_timer(draft: Draft, name: str, timer: Timer) -> None:
    """Count from now, if the timer has a chance left."""
    if draft.session.fired.get(name, 0) >= timer.at_most:
        return
    if timer.after is not None:
        set_timer(draft, PREFIX + name, draft.now + timer.after.duration)
    elif isinstance(timer.at, Moment):
        _promise_moment(draft, name, timer.at)
    elif timer.at == OPENING:
        opens = draft.agent.open.opens(draft.now, draft.zone) if draft.agent.open else None
        if opens:
            set_timer(draft, PREFIX + name, opens)
    elif isinstance(timer.at, time):
        set_timer(draft, PREFIX + name, next_at(draft.now, timer.at, draft.zone))


def _promise_moment(draft: Draft, name: str, moment: Moment) -> None:
    """Promise what hangs on slots, if they have values and it is not too late for it."""
    due, anchor = moment.due(draft.session.slots, draft.zone), moment.anchor(draft.session.slots, draft.zone)
    if due is None or anchor is None:
        return
    comes = awake(due, draft.agent.quiet_hours, draft.zone)
    if due <= draft.now:
        draft.log.notes.append(passed_note(draft, f"timer {name}", due))
    elif due < anchor <= comes:
        draft.log.notes.append(f"timer {name} is not set: the quiet hours end after what it is for")
    else:
        set_timer(draft, PREFIX + name, due)


def passed_note(draft: Draft, name: str, due: datetime) -> str:
    """What the trace says of a promise that is not made."""
    return f"{name} is not set: {due.astimezone(draft.zone):%Y-%m-%d %H:%M} has passed"


def settle_silence(draft: Draft, before: Session, *, heard: bool) -> None:
    """Count silence from when it begins: with a message, or as it did not count `before`."""
    for name, timer in running_timers(draft).items():
        if not timer.of_silence:
            continue
        of_mode = name not in draft.agent.timers
        if not _silence_counts(draft.session, of_mode=of_mode):
            cancel_timer(draft, PREFIX + name)
        elif heard or not _silence_counts(before, of_mode=of_mode):
            start_timer(draft, name, timer)


def _silence_counts(session: Session, *, of_mode: bool) -> bool:
    """Whether it is the contact's turn: not in a `wait`, nor when what was under way is over."""
    if of_mode or not session.agent_holds:
        return session.agent_holds
    if isinstance(session.pending, Waiting):
        return False
    return session.pending is not None or bool(session.stack) or not session.counters.flows


# --- when a promise falls due --------------------------------------------------------------------


def next_at(now: datetime, clock: time, zone: ZoneInfo) -> datetime:
    """The next moment at which the clock shows a time of day, once on each day."""
    today = now.astimezone(zone).date()
    days = (today + timedelta(days=ahead) for ahead in range(3))
    return next(moment for day in days if (moment := _shown(day, clock, zone)[0]) > now)


def awake(moment: datetime, quiet: QuietHours | None, zone: ZoneInfo) -> datetime:
    """The moment itself, or the end of the quiet hours that it falls into."""
    local = moment.astimezone(zone)
    if quiet is None or not quiet.has(local.time()):
        return moment
    days = (local.date() + timedelta(days=ahead) for ahead in range(3))
    return next(end for day in days for end in _shown(day, quiet.end, zone) if end > moment)


def rule(quiet: QuietHours | None, timezone: str) -> str:
    """Quiet hours as they are kept beside a message: `21:00 08:00 America/Bogota`."""
    return f"{quiet.begin:%H:%M} {quiet.end:%H:%M} {timezone}" if quiet else ""


def awake_by(rule: str, moment: datetime) -> datetime:
    """The moment itself, or the end of the quiet hours of such a rule."""
    if not rule:
        return moment
    begin, end, timezone = rule.split(" ", 2)
    quiet = QuietHours(time.fromisoformat(begin), time.fromisoformat(end))
    return awake(moment, quiet, ZoneInfo(timezone))


def _shown(day: date, clock: time, zone: ZoneInfo) -> tuple[datetime, ...]:
    """The moments of a day at which the clock shows this: one, or two when it is set back."""
    local = datetime.combine(day, clock, tzinfo=zone)
    first, second = (local.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    return (first, second) if second > first else (first,)


# --- promises that hang on slots ------------------------------------------------------------------


def settle_moments(draft: Draft, before: Session) -> None:
    """Promise anew what hangs on slots that were changed, and take back what hangs on slots that were emptied."""
    for name, timer in running_timers(draft).items():
        moment = timer.moment
        if moment is None or not _has_moved(draft, moment, before):
            continue
        # Another moment is another promise, with its own chance.
        draft.session.fired = without(draft.session.fired, name)
        cancel_timer(draft, PREFIX + name)
        start_timer(draft, name, timer)
    # The waits under way move too; one whose moment is gone, or has passed, is over at once.
    for frame in draft.session.stack:
        wait = f"wait.{frame.flow}.{frame.step}"
        does = draft.agent.compiled[frame.flow][frame.step].does if frame.step else None
        if not isinstance(does, WaitUntil) or wait not in draft.session.timers:
            continue
        until = read_wait(does.wait)
        if isinstance(until, Moment) and _has_moved(draft, until, before):
            due = until.due(draft.session.slots, draft.zone)
            cancel_timer(draft, wait)
            set_timer(draft, wait, max(due or draft.now, draft.now))


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


def is_over(draft: Draft, moment: Moment) -> bool:
    """Whether what a reminder was for has begun: an alarm may come late."""
    anchor = moment.anchor(draft.session.slots, draft.zone)
    return moment.shift < timedelta() and anchor is not None and anchor <= draft.now
