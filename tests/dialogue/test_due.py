"""When promises fall due: real zones, clocks that jump and clocks that are set back."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilo.agent.timers import QuietHours
from hilo.dialogue.timers import awake, next_at

SANTIAGO, MADRID, BOGOTA = (ZoneInfo(name) for name in ("America/Santiago", "Europe/Madrid", "America/Bogota"))
NIGHT = QuietHours(time(21), time(8))


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "now", "clock", "due"),
    [
        (BOGOTA, "2026-03-02T15:00", time(18), "2026-03-02T23:00"),  # today
        (BOGOTA, "2026-03-02T23:00", time(18), "2026-03-03T23:00"),  # the very moment is over
        (BOGOTA, "2026-03-03T02:00", time(18), "2026-03-03T23:00"),  # in UTC it is tomorrow already
        (MADRID, "2026-03-28T20:00", time(18), "2026-03-29T16:00"),  # the clock goes forward in the night
        (MADRID, "2026-10-24T20:00", time(18), "2026-10-25T17:00"),  # and back
        (MADRID, "2026-03-28T20:00", time(2, 30), "2026-03-29T01:30"),  # 02:30 is not shown: 03:30
        (MADRID, "2026-10-24T20:00", time(2, 30), "2026-10-25T00:30"),  # it is shown twice: the first counts
        (MADRID, "2026-10-25T00:45", time(2, 30), "2026-10-26T01:30"),  # and only the first
        (SANTIAGO, "2026-09-05T20:00", time(0, 30), "2026-09-06T04:30"),  # midnight itself is jumped over
        (SANTIAGO, "2026-09-05T20:00", time(0, 0), "2026-09-06T04:00"),
        (SANTIAGO, "2026-04-04T20:00", time(23, 30), "2026-04-05T02:30"),  # 23:30 is shown twice
        (SANTIAGO, "2026-04-05T02:40", time(23, 30), "2026-04-06T03:30"),
    ],
)
def test_a_time_of_day_comes_once_a_day(zone: ZoneInfo, now: str, clock: time, due: str) -> None:
    assert next_at(utc(now), clock, zone) == utc(due)


@pytest.mark.parametrize(
    ("zone", "quiet", "moment", "due"),
    [
        (BOGOTA, None, "2026-03-03T04:00", "2026-03-03T04:00"),
        (BOGOTA, NIGHT, "2026-03-02T23:00", "2026-03-02T23:00"),  # 18:00
        (BOGOTA, NIGHT, "2026-03-03T02:00", "2026-03-03T13:00"),  # 21:00 → 08:00
        (BOGOTA, NIGHT, "2026-03-03T12:59", "2026-03-03T13:00"),
        (BOGOTA, NIGHT, "2026-03-03T13:00", "2026-03-03T13:00"),  # their end is not quiet
        (BOGOTA, QuietHours(time(13), time(16)), "2026-03-03T19:30", "2026-03-03T21:00"),
        (MADRID, NIGHT, "2026-03-28T22:00", "2026-03-29T06:00"),  # a short night
        (MADRID, NIGHT, "2026-10-24T22:00", "2026-10-25T07:00"),  # a long one
        (MADRID, QuietHours(time(23), time(2, 30)), "2026-03-29T00:30", "2026-03-29T01:30"),  # 02:30 is not shown
        (MADRID, QuietHours(time(23), time(2, 30)), "2026-10-25T00:10", "2026-10-25T00:30"),  # the first 02:30
        (MADRID, QuietHours(time(23), time(2, 30)), "2026-10-25T01:10", "2026-10-25T01:30"),  # 02:10 comes again
        (SANTIAGO, QuietHours(time(22), time(0, 30)), "2026-09-06T03:50", "2026-09-06T04:30"),
    ],
)
def test_quiet_hours_move_a_moment_to_their_end(
    zone: ZoneInfo, quiet: QuietHours | None, moment: str, due: str
) -> None:
    assert awake(utc(moment), quiet, zone) == utc(due)


moments = st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001
clocks = st.times().map(lambda clock: clock.replace(second=0, microsecond=0))
zones = st.sampled_from([SANTIAGO, MADRID, BOGOTA, ZoneInfo("Australia/Lord_Howe"), ZoneInfo("Asia/Kathmandu")])


@given(moments, clocks, zones)
def test_a_time_of_day_comes_within_a_day_and_what_the_clock_was_moved(
    now: datetime, clock: time, zone: ZoneInfo
) -> None:
    due = next_at(now, clock, zone)
    assert now < due <= now + timedelta(hours=26)
    assert due.astimezone(zone).time() in (
        clock,
        (datetime.combine(now, clock) + timedelta(hours=1)).time(),
        (datetime.combine(now, clock) + timedelta(minutes=30)).time(),
    )


@given(moments, clocks, clocks, zones)
def test_what_is_moved_out_of_the_quiet_hours_is_out_of_them(
    moment: datetime, begin: time, end: time, zone: ZoneInfo
) -> None:
    quiet = QuietHours(begin, end)
    due = awake(moment, quiet, zone)
    assert moment <= due <= moment + timedelta(hours=26)
    shown = due.astimezone(zone).time()
    jumped_over = due != moment and shown != end  # the clock does not show their end on this day
    assert not quiet.has(shown) or jumped_over
