"""Which day a number or a weekday is, by the days that were given before it.

After "el 10 de enero" (also where that would not do), "el 11" is in January and "el jueves" in that week. The day of
coming back, for the second of two slots, is not before the day of setting out.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import NarrowDays
from hilo.dialogue.session import Session
from hilo.recognisers.amounts.lexicon import numeral
from hilo.recognisers.calendar.words import day_of, in_week, monthly, weekday_of
from hilo.recognisers.found import Found, Value
from hilo.slots.date import dates
from hilo.understanding.assignment import Offer
from hilo.understanding.reading import Reading

PAIR = 2
_WEEK = timedelta(days=7)
_WEEKDAY = re.compile(r"\b(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|\w+day|\w+-feira)\b")
_LEADS = frozenset(("el", "al", "dia", "para", "the"))


_COUNT = r"(un|una|dos|tres|cuatro|cinco|seis|siete|ocho|diez|quince|\d{1,2})"
DAYS_AFTER = re.compile(
    rf"\ba los {_COUNT} (dias)|\b{_COUNT} (dias?|semanas?) (?:despues|mas tarde|luego)"
    r"|\b(?:al dia siguiente|a la semana)\b"
)
_WORDS = {"un": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8}
_WORDS |= {"diez": 10, "quince": 15}


def days_after(said: re.Match[str], day: str) -> str:
    """A day counted from another."""
    number, unit = said[1] or said[3] or "un", said[2] or said[4] or said[0]
    count = _WORDS.get(number) or int(number)
    return (date.fromisoformat(day) + timedelta(days=count * (7 if "semana" in unit else 1))).isoformat()


def told_period(agent: Agent, slots: Iterable[str], reading: Reading) -> tuple[NarrowDays, ...]:
    """The month or week that a message tells for a day that is still to be given: "en enero"."""
    found = dates(reading.values.said) if any(agent.slots[name].type == "date" for name in slots) else ()
    firsts = [str(each.value).partition("/")[0] for each in found if each.kind == "period"]
    return tuple(NarrowDays(day) for day in firsts[:1]) if all(each.kind == "period" for each in found) else ()


def pair_of_times(agent: Agent, known: Iterable[str]) -> list[str]:
    """The two slots for days, else the two for hours."""
    in_play = set(known)
    when = [name for name, slot in agent.slots.items() if name in in_play and slot.kind.is_when]
    for type_of in dict.fromkeys(agent.slots[name].type for name in when):
        pair = [name for name in when if agent.slots[name].type == type_of]
        if len(pair) == PAIR:
            return pair
    return []


def day_in_context(
    agent: Agent, session: Session, reading: Reading, offer: Offer, beside: Mapping[str, Value]
) -> Found:
    """A value for a slot; if it is a day, as it is meant here. `beside` are the other values of the message."""
    slot, found = offer
    if found.kind != "date" or agent.slots[slot].type != "date":
        return found
    given = {**session.slots, **beside}
    flows = [name for frame in session.stack for name in agent.flows[frame.flow].collects]
    pair = pair_of_times(agent, (*flows, *given, slot))
    out = str(given.get(pair[0]) or "") if pair and slot == pair[1] else ""
    last = session.stack[-1].day if session.stack else ""
    base = str(session.slots.get(slot) or out or last)
    if not base:
        return found
    after = date.fromisoformat(out) if out else reading.values.now.date()
    said = reading.text.folded[found.start : found.end]
    day = _meant(said, date.fromisoformat(str(found.value)), date.fromisoformat(base), after)
    return replace(found, value=day.isoformat())


def _meant(said: str, day: date, base: date, after: date) -> date:
    """A day of which not all was said, near another and not before a third."""
    weekday = _WEEKDAY.search(said)
    if weekday and not any(map(str.isdigit, said)):
        near = in_week(base, day.weekday(), 0)
        if near and near > day and weekday[0] == said:
            day = near
        while day <= after:
            day += _WEEK
        return day
    if not _is_bare(said):
        return day
    near = day_of(base.year, base.month, day.day)
    near = near if near and near >= after else monthly(after, day.day)
    is_other_weekday = weekday and near and near.weekday() != weekday_of(weekday[0])
    return day if near is None or is_other_weekday else near


def _is_bare(said: str) -> bool:
    """Whether a day of the month was said without the month: "11", "jueves 11"."""
    *leads, number = said.split()
    is_day = number.isdecimal() or numeral(number) is not None
    return is_day and all(word in _LEADS or _WEEKDAY.fullmatch(word) for word in leads)
