"""Opening hours in guards and in words: `when: open`, "respondemos {open.next}"."""

from collections.abc import Mapping
from datetime import date, datetime
from functools import partial
from typing import Any

from hilo.agent.declaration import Agent
from hilo.agent.opening_hours import MIDNIGHT, OPEN, Span, Spans
from hilo.agent.texts import word
from hilo.dialogue.draft import Draft
from hilo.slots.date import day_text
from hilo.slots.time import clock_text

WEEK = 7  # days: a weekday alone says no more after so many


def known_to_guards(draft: Draft) -> Mapping[str, Any]:
    """What guards may speak of: the slots, and whether the business is open."""
    hours = draft.agent.open
    if hours is None:
        return draft.session.slots
    return {**draft.session.slots, OPEN: hours.is_open(draft.now, draft.zone)}


def is_closed(draft: Draft) -> bool:
    """Whether nobody is there now, as the agent file says."""
    return draft.agent.open is not None and not draft.agent.open.is_open(draft.now, draft.zone)


def opening_text(draft: Draft, name: str) -> str:
    """What `{open.next}`, `{open.hours}`, `{open.today}`, `{open.day}` and `{open.now}` stand for."""
    agent, hours = draft.agent, draft.agent.open
    if hours is None:
        return ""
    match name:
        case "open.next":
            opens = hours.opens(draft.now, draft.zone)
            return _when(draft, opens) if opens else ""
        case "open.hours":
            return ", ".join(_days(agent, *group) for group in hours.hours.groups)
        case "open.today":
            return _spans(agent, hours.on(_today(draft)))
        case "open.day":
            return hours_of(draft, "")
    return word(agent, "open_now" if hours.is_open(draft.now, draft.zone) else "closed_now")


def hours_of(draft: Draft, asked: str) -> str:
    """The hours of the day that a contact names, else of today: "el 25 de diciembre de 2027: cerrado"."""
    if draft.agent.open is None:
        return ""
    day = date.fromisoformat(asked) if asked else _today(draft)
    return f"{_day_said(draft, day)}: {_spans(draft.agent, draft.agent.open.on(day))}"


def _today(draft: Draft) -> date:
    return draft.now.astimezone(draft.zone).date()


def _when(draft: Draft, moment: datetime) -> str:
    """A moment to come as people say it: today, tomorrow, on Monday, on a date; and the time."""
    agent, there = draft.agent, moment.astimezone(draft.zone)
    clock = _clock(agent, there.hour * 60 + there.minute)
    at = word(agent, "at_one" if clock.startswith("1") and not clock[1:2].isdigit() else "at_clock")
    return f"{_day_said(draft, there.date())} {at.replace('{clock}', clock)}"


def _day_said(draft: Draft, day: date) -> str:
    """A day as people say it: today, tomorrow, on Monday, on a date."""
    agent, ahead = draft.agent, (day - _today(draft)).days
    if ahead in (0, 1):
        return word(agent, "tomorrow" if ahead else "today")
    if 1 < ahead < WEEK:
        return word(agent, "on_weekday").replace("{day}", _weekday(agent, day.weekday()))
    return word(agent, "on_date").replace("{day}", day_text(day, partial(word, agent)))


def _days(agent: Agent, first: int, last: int, spans: Spans) -> str:
    days = _weekday(agent, first)
    if last > first:
        days = word(agent, "from_to").replace("{from}", days).replace("{to}", _weekday(agent, last))
    return f"{days} {_spans(agent, spans)}"


def _spans(agent: Agent, spans: Spans) -> str:
    if not spans:
        return word(agent, "closed_now")
    said = [_span(agent, span) for span in spans]
    *first, last = said
    return f"{', '.join(first)} {word(agent, 'duration_and')} {last}" if first else last


def _span(agent: Agent, span: Span) -> str:
    text = word(agent, "hours_from_to")
    begin, end = _clock(agent, span.begin), _clock(agent, span.end % MIDNIGHT or MIDNIGHT)
    return text.replace("{from}", begin).replace("{to}", end)


def _weekday(agent: Agent, day: int) -> str:
    return word(agent, "weekdays").split()[day]


def _clock(agent: Agent, minutes: int) -> str:
    """A time of day as it is said: 9, 9:30."""
    hour, minute = divmod(minutes, 60)
    return clock_text(hour, minute, partial(word, agent))
