"""What is wrong with what an agent file says about time."""

from datetime import time, timedelta

from hilo.agent.checks.place import Place
from hilo.agent.moments import OPENING, Due, Moment, read_wait
from hilo.agent.opening_hours import OPEN, is_known_country
from hilo.agent.source import Path
from hilo.agent.texts import words_for
from hilo.agent.timers import ACTIONS, Timer

MAX_TIMES = 50  # nobody wants to be reminded more often


def check_timers(file: Place) -> None:
    """Timers that cannot fall due, do nothing, or say what they have said; opening hours that are none."""
    _opening(file / "open")
    quiet = file.agent.quiet_hours
    if quiet:
        problem = "`quiet_hours` begin when they end"
        (file / "quiet_hours").require(quiet.begin != quiet.end, problem, "write 21:00 to 08:00")
    for name, timer in file.agent.timers.items():
        check_timer(timer, file / "timers" / name)


def _opening(here: Place) -> None:
    agent = here.agent
    if agent.open is None:
        return
    here.require(agent.open.hours.groups, "the business never opens", "mon-fri 9-18")
    for country in agent.open.holidays:
        if not is_known_country(country):
            hint = "two letters such as AR, CO or MX, and the part of a country as in ES-MD"
            (here / "holidays").problem(f"the holidays of `{country}` are not known", hint)
    for kind, named in (("slots", agent.slots), ("facts", agent.facts)):
        if OPEN in named:
            there = Place(agent, (kind, OPEN), here.found)
            problem = f"`{OPEN}` says whether the business is open, since the file has `open:`"
            there.problem(problem, "choose another name", at_key=True)


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
    if not isinstance(until, timedelta):
        _comes(until, here)


def _comes(due: Due, here: Place) -> None:
    """A time that can come: of the day, of the business, or of slots that have one."""
    if isinstance(due, Moment):
        _hangs_on(due, here)
        return
    if due == OPENING:
        here.require(here.agent.open, "nothing says when the business opens", "open: mon-fri 9-18")
        return
    clock, quiet = due, here.agent.quiet_hours
    if quiet and isinstance(clock, time) and quiet.has(clock):
        here.problem(f"{clock:%H:%M} is in the quiet hours, which end at {quiet.end:%H:%M}")


def _hangs_on(moment: Moment, here: Place) -> None:
    for name, wanted in zip(moment.slots, ("date", "time"), strict=False):
        here.named("slot", name)
        slot = here.agent.slots.get(name)
        if slot:
            problem = f"`{name}` is no {wanted}, its type is {slot.type}"
            here.require(slot.type == wanted, problem, f"type: {wanted}")


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
    if timer.moment:
        problem = "what hangs on slots comes once for each moment that they name"
        (here / "at_most").require(timer.at_most == 1, problem, "leave out `at_most`")


def _consent(timer: Timer, here: Place) -> None:
    problem = "this timer falls due while the contact writes, too"
    here.require_in_turn(
        (timer.start, "silence can only be a yes to a flow", "start: FLOW"),
        (timer.of_silence, problem, "after: 10m of silence"),
        at_key=True,
    )


def _has_words(timer: Timer, here: Place) -> None:
    """A timer must have other words each time: nothing sounds more like a machine."""
    template = words_for(here.agent, timer.say)
    if template is None:
        return  # reported already
    wordings = len(template.variants)
    counted = "1 wording" if wordings == 1 else f"{wordings} wordings"
    problem = f"it may speak {timer.at_most} times, and has {counted}"
    hint = "name a template with `again:`, or lower `at_most`"
    here.require(timer.at_most <= wordings, problem, hint)
