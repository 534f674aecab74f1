"""When a business is open: the hours of a week, public holidays, and days that are otherwise.

    open: mon-fri 9-13 15-19, sat 9-13
    open: {hours: mon-fri 9-18, holidays: AR, days: {2026-12-24: 9-12, 2027-01-04 to 2027-01-15: closed}}

Times are those of the agent's time zone. What ends at or before its beginning ends on the next day.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import BeforeValidator

from hilo.agent.shorthand import Declared, Names

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
CLOSED = "closed"
OPEN = "open"  # in guards: whether it is open now
OPEN_WORDS = frozenset({"open.now", "open.next", "open.hours", "open.today", "open.day"})  # in texts
SEARCHED = 400  # days in which a business opens again, or never does
MIDNIGHT = 24 * 60

_HOURS = "must be hours such as mon-fri 9-18, sat 9:30-13"
_RANGE = re.compile(r"(\d{1,2})(?::([0-5]\d))?-(\d{1,2})(?::([0-5]\d))?")
_DAYS = re.compile(r"([a-z]{3})(?:-([a-z]{3}))?")


@dataclass(frozen=True, slots=True)
class Span:
    """From one time of day to another, in minutes from midnight; more than a day's end on the next day."""

    begin: int
    end: int

    def __str__(self) -> str:
        return f"{_shown(self.begin)}-{_shown(self.end)}"


Spans = tuple[Span, ...]


def _shown(minutes: int) -> str:
    hour, minute = divmod(minutes if minutes <= MIDNIGHT else minutes - MIDNIGHT, 60)
    return f"{hour}:{minute:02}" if minute else str(hour)


@dataclass(frozen=True, slots=True)
class Week:
    """The hours of each day, from Monday to Sunday."""

    days: tuple[Spans, ...]

    @property
    def groups(self) -> tuple[tuple[int, int, Spans], ...]:
        """Days in a row with the same hours: the first, the last, the hours. Days that are closed are left out."""
        found: list[tuple[int, int, Spans]] = []
        for day, spans in enumerate(self.days):
            if found and found[-1][1:] == (day - 1, spans):
                found[-1] = (found[-1][0], day, spans)
            elif spans:
                found.append((day, day, spans))
        return tuple(found)

    def __str__(self) -> str:
        said: list[str] = []
        for first, last, spans in self.groups:
            days = DAYS[first] if first == last else f"{DAYS[first]}-{DAYS[last]}"
            said.append(" ".join((days, *map(str, spans))))
        return ", ".join(said)


# --- as it is written -----------------------------------------------------------------------------------


def _read_span(text: str) -> Span:
    found = _RANGE.fullmatch(text)
    if not found:
        raise ValueError(_HOURS)
    begin = int(found[1]) * 60 + int(found[2] or 0)
    end = int(found[3]) * 60 + int(found[4] or 0)
    if begin >= MIDNIGHT or end > MIDNIGHT:
        raise ValueError("has an hour that no day has; days have 24")
    return Span(begin, end if end > begin else end + MIDNIGHT)


def _read_spans(text: str) -> Spans:
    spans = tuple(_read_span(each) for each in text.split())
    if not spans:
        raise ValueError(_HOURS)
    for before, after in pairwise(spans):
        if after.begin < before.end:
            raise ValueError("has hours that overlap")
    return spans


def _read_days(text: str) -> Iterator[int]:
    found = _DAYS.fullmatch(text)
    last = found[2] or found[1] if found else ""
    if not found or found[1] not in DAYS or last not in DAYS:
        raise ValueError(f"has a day `{text}`; days are {', '.join(DAYS)}, or mon-fri")
    first, many = DAYS.index(found[1]), (DAYS.index(last) - DAYS.index(found[1])) % len(DAYS) + 1
    for place in range(first, first + many):
        yield place % len(DAYS)


def _week(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    week: list[Spans] = [()] * len(DAYS)
    for part in value.split(","):
        days, _, hours = part.strip().partition(" ")
        spans = _read_spans(hours)
        for day in _read_days(days):
            if week[day]:
                raise ValueError(f"says twice when it is open on {DAYS[day]}")
            week[day] = spans
    return Week(tuple(week))


@dataclass(frozen=True, slots=True)
class OtherDays:
    """Days that are otherwise than their week says: closed, or open at other hours."""

    first: date
    last: date
    spans: Spans = ()

    def __str__(self) -> str:
        days = str(self.first) if self.first == self.last else f"{self.first} to {self.last}"
        return f"{days}: {' '.join(map(str, self.spans)) or CLOSED}"


def _exceptions(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return tuple(_exception(str(days), str(hours)) for days, hours in value.items())


def _exception(days: str, hours: str) -> OtherDays:
    first, _, last = days.partition(" to ")
    try:
        begin = date.fromisoformat(first.strip())
        end = date.fromisoformat(last.strip() or first.strip())
    except ValueError:
        raise ValueError(f"has `{days}`; write 2026-12-24, or 2027-01-04 to 2027-01-15") from None
    if end < begin:
        raise ValueError(f"has `{days}`, which ends before it begins")
    return OtherDays(begin, end, () if hours.strip() == CLOSED else _read_spans(hours))


AnyWeek = Annotated[Week, BeforeValidator(_week, json_schema_input_type=str)]
AnyExceptions = Annotated[tuple[OtherDays, ...], BeforeValidator(_exceptions, json_schema_input_type=dict[str, str])]


@dataclass(frozen=True, kw_only=True)
class OpeningHours(Declared):
    """The hours of a week; `holidays` are the countries on whose public holidays it is closed; `days` go over both."""

    hours: AnyWeek
    holidays: Names = ()
    days: AnyExceptions = field(default_factory=tuple)

    def on(self, day: date) -> Spans:
        """The hours of a day; none where it is closed."""
        for each in self.days:
            if each.first <= day <= each.last:
                return each.spans
        if any(day in holidays_of(country, day.year) for country in self.holidays):
            return ()
        return self.hours.days[day.weekday()]

    def spans(self, day: date, zone: ZoneInfo) -> Iterator[tuple[datetime, datetime]]:
        """The same as moments."""
        for span in self.on(day):
            yield moment_of(day, span.begin, zone), moment_of(day, span.end, zone)

    def is_open(self, moment: datetime, zone: ZoneInfo) -> bool:
        """Whether it is open then; at the end of its hours it is not."""
        today = moment.astimezone(zone).date()
        for day in (today - timedelta(days=1), today):  # last night may not be over
            if any(begin <= moment < end for begin, end in self.spans(day, zone)):
                return True
        return False

    def opens(self, moment: datetime, zone: ZoneInfo) -> datetime | None:
        """When it opens next after a moment; never, where it does not within a year."""
        today = moment.astimezone(zone).date()
        for ahead in range(SEARCHED):
            for begin, _ in self.spans(today + timedelta(days=ahead), zone):
                if begin > moment:
                    return begin
        return None


def _open(value: Any) -> Any:
    return {"hours": value} if isinstance(value, str) else value


AnyOpen = Annotated[OpeningHours, BeforeValidator(_open, json_schema_input_type=str | OpeningHours)]


def moment_of(day: date, minutes: int, zone: ZoneInfo) -> datetime:
    """The moment at which the clock shows so many minutes from midnight; the first of two."""
    days, rest = divmod(minutes, MIDNIGHT)
    clock = time(*divmod(rest, 60))
    return datetime.combine(day + timedelta(days=days), clock, tzinfo=zone).astimezone(UTC)


# --- public holidays ------------------------------------------------------------------------------------


def is_known_country(code: str) -> bool:
    """Whether the holidays of a country (`AR`), or of a part of one (`ES-MD`), are known."""
    try:
        holidays_of(code, 2026)
    except LookupError:
        return False
    return True


@lru_cache(maxsize=256)
def holidays_of(code: str, year: int) -> frozenset[date]:
    """The public holidays of a year; raises LookupError for a country that is not known."""
    import holidays  # noqa: PLC0415 -- all countries come with it: only agents that name one wait for that

    country, _, part = code.partition("-")
    try:
        return frozenset(holidays.country_holidays(country, subdiv=part or None, years=year))
    except NotImplementedError:
        raise LookupError(code) from None
