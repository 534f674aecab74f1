"""The moments that a wish names, and where they stand in it: "el viernes a las 9 y 15 y a las 9 y 30" are two."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import pairwise, product

from asistente_words import day_in_words

from hilo import language

NO_HOUR = time(9)  # when a day is said and no hour
_DAY = timedelta(days=1)
_NOON = 13
_LEADS = r"(?:(?:para|el|la|las|los|a|al|del?|d[ií]a|este|esta|un[oa]?|otr[oa]|tambi[eé]n|despu[eé]s|luego)\s+)*"
_AND = re.compile(rf"\s*(?:,\s*(?:y\s+)?|\s+y\s+){_LEADS}|\s+", re.IGNORECASE)
_LED = re.compile(rf"\s*,?\s*(?:y\s+)?{_LEADS}", re.IGNORECASE)
# "a la noche a las 10" is "a las 10 de la noche", also beside another part of the day
_PART_FIRST = re.compile(
    r"\b(?:a|por|en|de) la (mañana|tarde|noche|madrugada),? "
    r"(a las? \d{1,2}(?:[:.]\d\d)?(?: y (?:media|cuarto|\d\d))?)\b"
    r"(?! (?:de|a|por) la)",
    re.IGNORECASE,
)
_OR = re.compile(rf"\s*,?\s*\b(?:o|u)\s+{_LEADS}", re.IGNORECASE)
_LEADING = re.compile(rf"\b{_LEADS}$", re.IGNORECASE)
_BETWEEN = re.compile(r"\bentre\s+(?:las?\s+)?$", re.IGNORECASE)
_HOURS = re.compile(r"\ba las (\d{1,2}(?:, ?\d{1,2})+) y (?:a )?(?:las )?(?=\d)", re.IGNORECASE)  # a las 8, 14 y 20


@dataclass(frozen=True, slots=True)
class _Named:
    """A day or an hour, and where it stands; hours are known by their place among those of the text."""

    start: int
    end: int
    day: date | None = None
    hour: int = -1


@dataclass(frozen=True, slots=True)
class Moments:
    """What is said of when: each moment, and the spans of the words that say them."""

    due: tuple[datetime, ...]
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Two moments of which one is meant, plainly named, and where they stand with the words that lead to them."""

    named: list[str]
    start: int
    end: int

    def chosen(self, when: str, now: datetime) -> str:
        """The one that an answer chooses, "a las 6" where 18:00 was named; else the answer."""
        clocks = [f"{clock:%I:%M}" for clock in hours_of(language.normalise(each_hour(when)), now, "")]
        return next((each for each in self.named if _twelve_hours(each) in clocks), when)


def _twelve_hours(named: str) -> str:
    hour = re.search(r"\d\d:\d\d$", named)
    return f"{time.fromisoformat(hour[0]):%I:%M}" if hour else ""


def each_hour(text: str) -> str:
    """A text with its own words before each hour of a list, "a las 8, 14 y 20"; the 24 is the 0 of the next day."""
    text = _PART_FIRST.sub(r"\2 de la \1", text)
    text = _HOURS.sub(lambda said: f"a las {re.sub(', ?', ', a las ', said[1])} y a las ", text)
    text = re.sub(r"^\W*(\d{1,2}(?:[:.]\d\d)?)\W*$", r"a las \1", text)  # "9" answers "¿cuándo?"
    return re.sub(r"\b(a las) 24(?: ?hs)?\b(?!:)", r"\1 0:00", text)


def find_moments(said: language.Text, now: datetime, nears: tuple[str, ...]) -> Moments:
    """The moments that stand first in a text; a day alone is its morning, an hour alone the next time it strikes.

    An hour that may be early or late ("a las 7") is the first of those near the given hours that is still to come.
    """
    named = _named(said, now)
    days = _run(said.raw, named, lambda each: each.day is not None)
    hours = _run(said.raw, named, lambda each: each.hour >= 0)
    if any(each.hour >= 0 for each in days):
        hours = days
    runs = [run for run in dict.fromkeys((days, hours)) if run and not _BETWEEN.search(said.raw[: run[0].start])]
    spans = [(run[0].start, run[-1].end) for run in runs]
    pairs = _pairs(days) if days == hours else _crossed(days, hours)
    clocks = [hours_of(said, now, near) for near in nears]
    listed = [hour for _, hour in pairs if hour >= 0]
    if any(clock[hour] >= time(_NOON) for clock in clocks[:1] for hour in listed):
        clocks = clocks[:1]  # "a las 8, 14 y 20": who counts on after noon says 8 of the morning
    due = [_moment(day, [clock[hour] for clock in clocks if hour >= 0], now) for day, hour in pairs]
    return Moments(tuple(dict.fromkeys(due)), tuple(sorted(spans)))


def find_alternatives(text: str, now: datetime) -> Alternatives | None:
    """Two moments of which only one is meant: "a las 5 o a las 6"."""
    said = language.normalise(text)
    times = language.find_times(said, now=now)
    for one, other in pairwise(_named(said, now)):
        if _OR.fullmatch(said.raw, one.end, other.start):
            led = _LEADING.search(said.raw[: one.start])
            named = [
                f"a las {str(times[each.hour].value)[:5]}" if each.day is None else f"el {day_in_words(each.day)}"
                for each in (one, other)
            ]
            return Alternatives(named, led.start() if led else one.start, other.end)
    return None


def hours_of(said: language.Text, now: datetime, near: str) -> list[time]:
    """The hours of a text, near another; in the midst of a part of the day where only that is said."""
    return [_clock(str(each.value)) for each in language.find_times(said, now=now, near=near)]


def _clock(value: str) -> time:
    first, _, last = value.partition("/")
    begin, end = time.fromisoformat(first), time.fromisoformat(last or first)
    return time((begin.hour + end.hour) // 2) if last and begin < end else begin


def _named(said: language.Text, now: datetime) -> list[_Named]:
    dates = language.find_dates(said, now=now)
    days = [_Named(*said.span(each.start, each.end), day=date.fromisoformat(str(each.value))) for each in dates]
    times = language.find_times(said, now=now)
    hours = [_Named(*said.span(each.start, each.end), hour=place) for place, each in enumerate(times)]
    return sorted([*days, *hours], key=lambda each: each.start)


def _run(text: str, named: list[_Named], is_wanted: Callable[[_Named], bool]) -> tuple[_Named, ...]:
    """The first days or hours that are meant, with all that is listed with them."""
    first = next((place for place, each in enumerate(named) if is_wanted(each)), None)
    if first is None:
        return ()
    begin, end = first, first
    while begin and _are_listed(text, named[begin - 1], named[begin]):
        begin -= 1
    while end + 1 < len(named) and _are_listed(text, named[end], named[end + 1]):
        end += 1
    return tuple(named[begin : end + 1])


def _are_listed(text: str, one: _Named, other: _Named) -> bool:
    """Whether nothing but the words of a list stands between two moments; "entre las 3 y las 5" is no list."""
    are_alike = (one.hour >= 0) == (other.hour >= 0)
    joint = _AND if are_alike else _LED
    return joint.fullmatch(text, one.end, other.start) is not None and not _BETWEEN.search(text[: one.start])


def _pairs(run: tuple[_Named, ...]) -> list[tuple[date | None, int]]:
    """The moments of one run: "el lunes y el martes a las 8" are two, "hoy a las 8 y mañana a las 9" too."""
    blocks: list[list[_Named]] = [[]]
    leads = [each.hour >= 0 for each in run[:1]]
    for each in run:
        block = blocks[-1]
        changed = bool(block) and (block[-1].hour >= 0) != (each.hour >= 0)
        if changed and [each.hour >= 0] == leads:
            blocks.append([])
        blocks[-1].append(each)
    return [pair for block in blocks for pair in _crossed(tuple(block), tuple(block))]


def _crossed(days: tuple[_Named, ...], hours: tuple[_Named, ...]) -> list[tuple[date | None, int]]:
    said_days = [each.day for each in days if each.day is not None]
    said_hours = [each.hour for each in hours if each.hour >= 0]
    return list(product(said_days or [None], said_hours or [-1])) if said_days or said_hours else []


def _moment(day: date | None, hours: list[time], now: datetime) -> datetime:
    moments = [datetime.combine(day or now.date(), hour, tzinfo=now.tzinfo) for hour in hours or [NO_HOUR]]
    first = next((each for each in moments if each > now), moments[0])
    return first + _DAY if first <= now and day is None else first
