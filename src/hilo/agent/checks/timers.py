"""What is wrong with what an agent file says about time."""

from datetime import time

from hilo.agent.checks.place import Place
from hilo.agent.shorthand import is_name, read_wait
from hilo.agent.source import Path
from hilo.agent.texts import phrases
from hilo.agent.timers import ACTIONS, Timer

MAX_TIMES = 50


def check_timers(file: Place) -> None:
    """Timers that cannot fall due, do nothing, or say what they have said."""
    quiet = file.agent.quiet_hours
    if quiet:
        problem = "`quiet_hours` begin when they end"
        (file / "quiet_hours").require(quiet.begin != quiet.end, problem, "write 21:00 to 08:00")
    for name, timer in file.agent.timers.items():
        check_timer(timer, file / "timers" / name)


def timer_path(name: str) -> Path:
    """Where a timer stands that is called `timer`, or `MODE.timer`."""
    mode, _, timer = name.rpartition(".")
    return ("modes", mode, "timers", timer) if mode else ("timers", timer)


def check_wait(wait: str, here: Place) -> None:
    """A `wait` that cannot be read, or whose time of day never comes."""
    try:
        until = read_wait(wait)
    except ValueError as error:
        here.problem(f"`{wait}` {error}")
        return
    if isinstance(until, time):
        _comes(until, here)


def _comes(clock: time, here: Place) -> None:
    quiet = here.agent.quiet_hours
    if quiet and quiet.has(clock):
        here.problem(f"{clock:%H:%M} is in the quiet hours, which end at {quiet.end:%H:%M}")


def check_timer(timer: Timer, here: Place) -> None:
    """What may be wrong with a timer wherever it stands."""
    _due(timer, here)
    actions = [action for action in ACTIONS if getattr(timer, action)]
    done = " and ".join(actions) or "nothing"
    one = f"one of: {', '.join(ACTIONS)}"
    here.require(len(actions) == 1, f"a timer does one thing, this one does {done}", one)
    (here / "when").asks(timer.when)
    (here / "start").may_name("flow", timer.start)
    (here / "mode").may_name("mode", timer.mode)
    (here / "at_most").require(1 <= timer.at_most <= MAX_TIMES, f"`at_most` is from 1 to {MAX_TIMES}")
    (here / "say").may_say(timer.say)
    if timer.say:
        _has_words(timer, here / "say")
    if timer.consent == "silence":
        _consent(timer, here / "consent")


def _due(timer: Timer, here: Place) -> None:
    one = (timer.after is None) != (timer.at is None)
    problem = "a timer falls due `after` some time or `at` a time of day"
    here.require(one, problem, "after: 6m of silence")
    if timer.after:
        (here / "after").require(timer.after.duration, "`after` must be longer than nothing")
    if timer.at is not None:
        _comes(timer.at, here / "at")


def _consent(timer: Timer, here: Place) -> None:
    if not timer.start:
        here.problem("silence can only be a yes to a flow", "start: FLOW", at_key=True)
    elif not timer.of_silence:
        problem = "this timer falls due while the contact writes, too"
        here.problem(problem, "after: 10m of silence", at_key=True)


def _has_words(timer: Timer, here: Place) -> None:
    """A timer must have other words each time: nothing sounds more like a machine."""
    known = {**phrases(here.agent.language), **here.agent.templates}
    if is_name(timer.say) and timer.say not in known:
        return  # reported already
    wordings = len(known[timer.say].variants) if is_name(timer.say) else 1
    counted = "1 wording" if wordings == 1 else f"{wordings} wordings"
    problem = f"it may speak {timer.at_most} times, and has {counted}"
    hint = "name a template with `again:`, or lower `at_most`"
    here.require(timer.at_most <= wordings, problem, hint)
