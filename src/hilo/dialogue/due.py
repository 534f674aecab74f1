"""When a promise falls due: times of day and quiet hours in the agent's time zone, as moments of UTC.

A time of day that the clock jumps over (in spring) counts as it would have come without the jump; of one that it
shows twice (in autumn) the first counts.
"""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hilo.agent.timers import QuietHours


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
    first, second = (datetime.combine(day, clock.replace(fold=fold), tzinfo=zone).astimezone(UTC) for fold in (0, 1))
    return (first, second) if second > first else (first,)
