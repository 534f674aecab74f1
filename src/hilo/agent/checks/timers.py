"""What is wrong with what an agent file says about time."""

from collections.abc import Iterator
from datetime import time

from hilo.agent.checks.finding import Finding
from hilo.agent.checks.references import check_guard, check_text, undeclared_if_any
from hilo.agent.declaration import Agent
from hilo.agent.shorthand import is_name, read_wait
from hilo.agent.source import Path
from hilo.agent.texts import phrases
from hilo.agent.timers import ACTIONS, Timer

MAX_TIMES = 50


def check_timers(agent: Agent) -> Iterator[Finding]:
    """Timers that cannot fall due, do nothing, or say what they have said."""
    quiet = agent.quiet_hours
    if quiet and quiet.begin == quiet.end:
        yield Finding(("quiet_hours",), "`quiet_hours` begin when they end", "write 21:00 to 08:00")
    for name, timer in agent.timers.items():
        yield from check_timer(agent, timer, ("timers", name))


def timer_path(name: str) -> Path:
    """Where a timer stands that is called `timer`, or `MODE.timer`."""
    mode, _, timer = name.rpartition(".")
    return ("modes", mode, "timers", timer) if mode else ("timers", timer)


def check_wait(agent: Agent, wait: str, path: Path) -> Iterator[Finding]:
    """A `wait` that cannot be read, or whose time of day never comes."""
    try:
        until = read_wait(wait)
    except ValueError as error:
        yield Finding(path, f"`{wait}` {error}")
        return
    if isinstance(until, time):
        yield from _in_quiet_hours(agent, until, path)


def _in_quiet_hours(agent: Agent, clock: time, path: Path) -> Iterator[Finding]:
    quiet = agent.quiet_hours
    if quiet and quiet.has(clock):
        yield Finding(path, f"{clock:%H:%M} is in the quiet hours, which end at {quiet.end:%H:%M}")


def check_timer(agent: Agent, timer: Timer, path: Path) -> Iterator[Finding]:
    """What may be wrong with a timer wherever it stands."""
    yield from _when_due(agent, timer, path)
    yield from check_guard(agent, timer.when, (*path, "when"))
    actions = [action for action in ACTIONS if getattr(timer, action)]
    if len(actions) != 1:
        done = " and ".join(actions) or "nothing"
        yield Finding(path, f"a timer does one thing, this one does {done}", f"one of: {', '.join(ACTIONS)}")
    yield from undeclared_if_any("flow", timer.start, agent.flows, (*path, "start"))
    yield from undeclared_if_any("mode", timer.mode, agent.modes, (*path, "mode"))
    if not 1 <= timer.at_most <= MAX_TIMES:
        yield Finding((*path, "at_most"), f"`at_most` is from 1 to {MAX_TIMES}")
    if timer.consent == "silence" and not timer.start:
        yield Finding((*path, "consent"), "silence can only be a yes to a flow", "start: FLOW", at_key=True)
    elif timer.consent == "silence" and not timer.of_silence:
        hint = "after: 10m of silence"
        yield Finding((*path, "consent"), "this timer falls due while the contact writes, too", hint, at_key=True)
    if timer.say:
        yield from check_text(agent, timer.say, (*path, "say"))
        yield from _running_out(agent, timer, path)


def _when_due(agent: Agent, timer: Timer, path: Path) -> Iterator[Finding]:
    if (timer.after is None) == (timer.at is None):
        yield Finding(path, "a timer falls due `after` some time or `at` a time of day", "after: 6m of silence")
    if timer.after and not timer.after.duration:
        yield Finding((*path, "after"), "`after` must be longer than nothing")
    if timer.at is not None:
        yield from _in_quiet_hours(agent, timer.at, (*path, "at"))


def _running_out(agent: Agent, timer: Timer, path: Path) -> Iterator[Finding]:
    """A timer must have other words each time: nothing sounds more like a machine."""
    known = {**phrases(agent.language), **agent.templates}
    named = known.get(timer.say) if is_name(timer.say) else None
    if is_name(timer.say) and named is None:
        return  # reported already
    wordings = len(named.variants) if named else 1
    if timer.at_most > wordings:
        message = f"it may speak {timer.at_most} times, and has {wordings} wording{'s' if wordings > 1 else ''}"
        yield Finding((*path, "say"), message, "name a template with `again:`, or lower `at_most`")
