"""Moments that hang on slots: what an author may write, and when they come."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from hilo.agent.moments import Moment, read_moment, read_wait
from hilo.agent.parse import parse
from hilo.errors import FileProblems

MADRID = ZoneInfo("Europe/Madrid")
AGENT = """\
agent: clinic
slots:
  day: {type: date, ask: "¿Día?"}
  hour: {type: time, ask: "¿Hora?"}
flows:
  visit:
    starts: always
    steps: [{collect: [day, hour]}, {wait: "until 2h before {day} {hour}"}, {say: "¡Ya casi!"}]
timers:
  reminder: {at: "24h before {day} {hour}", say: "Mañana te esperamos."}
"""


def test_a_moment_is_a_day_a_time_and_how_long_before_or_after() -> None:
    assert read_moment("24h before {day} {hour}") == Moment("day", "hour", timedelta(hours=-24))
    assert read_moment("{day} 09:00") == Moment("day", time(9))
    assert read_wait("until 1h 30m after {day} {hour}") == Moment("day", "hour", timedelta(minutes=90))
    assert str(read_moment("1h 30m after {day} 9:00")) == "1h 30m after {day} 09:00"


def test_it_is_none_while_a_slot_is_empty() -> None:
    assert read_moment("{day} {hour}").due({"day": "2026-11-20"}, MADRID) is None


def test_whole_days_are_counted_on_the_calendar() -> None:
    """The clock is set back in the night before the 25th of October."""
    slots = {"day": "2026-10-25", "hour": "10:00"}
    assert read_moment("24h before {day} {hour}").due(slots, MADRID) == datetime(2026, 10, 24, 8, tzinfo=UTC)
    assert read_moment("2h before {day} {hour}").due(slots, MADRID) == datetime(2026, 10, 25, 7, tzinfo=UTC)
    assert read_moment("26h before {day} {hour}").due(slots, MADRID) == datetime(2026, 10, 24, 6, tzinfo=UTC)


def test_timers_and_waits_may_hang_on_slots() -> None:
    agent = parse(AGENT)
    assert agent.timers["reminder"].moment == Moment("day", "hour", timedelta(hours=-24))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("24h before {day} {hour}", "24h before {hour} {day}", "`hour` is no date, its type is time"),
        ("24h before {day} {hour}", "24h before {day} {clock}", "slot `clock` is not declared"),
        ("24h before {day} {hour}", "24h before {day}", "must be a moment such as {dia} 09:00"),
        ("24h before {day} {hour}", "soon before {day} {hour}", "must be a duration such as 90s"),
        ("24h before {day} {hour}", "open", "nothing says when the business opens"),
        ('esperamos."}', 'esperamos.", at_most: 2}', "comes once for each moment"),
        ("until 2h before {day} {hour}", "until 2h before {day} {day}", "`day` is no time, its type is date"),
    ],
)
def test_mistakes_are_told(old: str, new: str, problem: str) -> None:
    text = AGENT.replace(old, new)
    with pytest.raises(FileProblems) as caught:
        parse(text)
    assert problem in str(caught.value)
