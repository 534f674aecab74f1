"""Moments that hang on slots: `24h before {dia} {hora}`, `{dia} 09:00`, `2h after {dia} {hora}`; and `open`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import BeforeValidator

from hilo.agent.shorthand import read_clock, read_duration

OPENING: Literal["open"] = "open"  # the next time that the business opens
_MOMENT = re.compile(r"(?:(?P<shift>[^{}]+?)\s+(?P<side>before|after)\s+)?\{(?P<day>\w+)\}\s+(?P<clock>\{\w+\}|[\d:]+)")
_HINT = "must be a moment such as {dia} 09:00 or 24h before {dia} {hora}"


@dataclass(frozen=True, slots=True)
class Moment:
    """A time of day, fixed or in a slot, on the day that a slot has; or so long before or after it."""

    day: str
    clock: str | time  # a slot, or the time itself
    shift: timedelta = timedelta()  # less than nothing for what comes before it

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots on which it hangs."""
        return (self.day, self.clock) if isinstance(self.clock, str) else (self.day,)

    def anchor(self, slots: Mapping[str, Any], zone: ZoneInfo) -> datetime | None:
        """The moment that the slots name; none while one of them is empty."""
        if any(name not in slots for name in self.slots):
            return None
        return self._shown(slots, zone, timedelta())

    def due(self, slots: Mapping[str, Any], zone: ZoneInfo) -> datetime | None:
        """When it comes. Whole days are counted on the calendar, so that it stays the same time of day."""
        if any(name not in slots for name in self.slots):
            return None
        days = timedelta(days=int(self.shift / timedelta(days=1)))
        return self._shown(slots, zone, days) + (self.shift - days)

    def _shown(self, slots: Mapping[str, Any], zone: ZoneInfo, days: timedelta) -> datetime:
        clock = self.clock if isinstance(self.clock, time) else time.fromisoformat(str(slots[self.clock]))
        day = date.fromisoformat(str(slots[self.day])) + days
        return datetime.combine(day, clock, tzinfo=zone).astimezone(UTC)

    def __str__(self) -> str:
        at = f"{self.clock:%H:%M}" if isinstance(self.clock, time) else f"{{{self.clock}}}"
        if not self.shift:
            return f"{{{self.day}}} {at}"
        side = "before" if self.shift < timedelta() else "after"
        return f"{_span(abs(self.shift))} {side} {{{self.day}}} {at}"


def _span(duration: timedelta) -> str:
    """As an author writes it; hours go on after a day, as in `24h before`."""
    hours, seconds = divmod(int(duration.total_seconds()), 3600)
    minutes, seconds = divmod(seconds, 60)
    parts = ((hours, "h"), (minutes, "m"), (seconds, "s"))
    return " ".join(f"{amount}{unit}" for amount, unit in parts if amount)


def read_moment(text: str) -> Moment:
    """What stands between words and braces; raises ValueError."""
    found = _MOMENT.fullmatch(text.strip())
    if not found:
        raise ValueError(_HINT)
    shift: timedelta = read_duration(found["shift"]) if found["shift"] else timedelta()
    clock: str | time = found["clock"].strip("{}") if found["clock"].startswith("{") else read_clock(found["clock"])
    return Moment(found["day"], clock, -shift if found["side"] == "before" else shift)


Due = time | Moment | Literal["open"]


def read_due(value: Any) -> Any:
    """What a timer's `at` names: `18:00`, `open`, or a moment that hangs on slots."""
    if not isinstance(value, str):
        return value
    if value.strip() == OPENING:
        return OPENING
    return read_moment(value) if "{" in value else read_clock(value)


def read_wait(value: str) -> timedelta | Due:
    """What a `wait` names: a duration, `until 18:00`, `until open`, or a moment that hangs on slots."""
    first, _, rest = value.strip().partition(" ")
    if first == "until":
        due: Due = read_due(rest)
        return due
    wait: timedelta | Moment = read_moment(value) if "{" in value else read_duration(value)
    return wait


AnyDue = Annotated[Due, BeforeValidator(read_due, json_schema_input_type=str)]
