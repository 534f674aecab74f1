"""Which day a part of one is, by the days of which was spoken before: "el 11", "el jueves", "a los cinco días"."""

import re
from datetime import date, timedelta

from hilo.recognisers.amounts.lexicon import numeral
from hilo.recognisers.calendar.words import day_of, in_week, month_of, monthly, weekday_of

_COUNT = r"(un|una|dos|tres|cuatro|cinco|seis|siete|ocho|diez|quince|\d{1,2})"
DAYS_AFTER = re.compile(
    rf"\ba los {_COUNT} (dias)|\b{_COUNT} (dias?|semanas?) (?:despues|mas tarde|luego|mas|(?P<back>antes))\b"
    rf"|\b(?:(?P<sooner>adelant)|atras|posterg|pospon|corr|aplaz|retras)\w*(?: \w+){{0,4}}? {_COUNT} (dias?|semanas?)\b"
    r"|\b(?:(?:al|el|para el) dia (?:siguiente|despues)|a la semana)\b|\b(?P<eve>(?:el|un|al) dia (?:antes|anterior))\b"
)
_WEEKDAY = re.compile(r"\b(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|\w+day|\w+-feira)\b")
_MONTH_FOLLOWS = re.compile(r"\s*(?:y|al|a|o|-|hasta)\s+(?:el\s+|al\s+)?\w+\s+(?:de\s+|del\s+)?(\w+)")
_LEADS = frozenset(("el", "al", "dia", "para", "the"))
_WEEK, _HALF_A_YEAR = timedelta(days=7), timedelta(days=182)
_YEAR = re.compile(r"\b\d{4}\b")


def days_after(said: re.Match[str], day: str) -> str:
    """A day counted from another: what `DAYS_AFTER` finds, after a day."""
    number, unit = said[1] or said[3] or said[7] or "un", said[2] or said[4] or said[8] or said[0]
    found = numeral(number)
    count = int(number) if number.isdecimal() else found.value if found else 1
    days = timedelta(days=count * (7 if "semana" in unit else 1))
    is_before = any(said.group(name) for name in ("back", "sooner", "eve"))
    return (date.fromisoformat(day) + (-days if is_before else days)).isoformat()


def day_meant(said: str, day: date, *, near: date, after: date) -> date:
    """The day that is meant where not all of it was said: near another, and after a third; else as it was read."""
    weekday = _WEEKDAY.search(said)
    if weekday and not any(map(str.isdigit, said)):
        in_its_week = in_week(near, day.weekday(), 0)
        if in_its_week and in_its_week > day and weekday[0] == said:
            day = in_its_week
        while day <= after:
            day += _WEEK
        return day
    if not _is_bare(said):
        return _in_the_next_year(said, day, after)
    in_its_month = day_of(near.year, near.month, day.day)
    meant = in_its_month if in_its_month and in_its_month >= after else monthly(after, day.day)
    is_other_weekday = weekday and meant and meant.weekday() != weekday_of(weekday[0])
    return day if meant is None or is_other_weekday else meant


def _in_the_next_year(said: str, day: date, after: date) -> date:
    """A day of which no year was said that comes soon after another: "20 de marzo", after February of next year."""
    if day >= after or not any(map(month_of, said.split())) or _YEAR.search(said):
        return day
    following = day_of(after.year, day.month, day.day)
    if following and following < after:
        following = day_of(after.year + 1, day.month, day.day)
    return following if following and following - after < _HALF_A_YEAR else day


def said_of_day(text: str, start: int, end: int) -> str:
    """What a text says of a day at a place; the month of "del 5 al 10 de mayo" is that of the 5, too."""
    rest = _MONTH_FOLLOWS.match(text, end)
    return text[start : rest.end() if rest and month_of(rest[1]) else end]


def _is_bare(said: str) -> bool:
    """Whether a day of the month was said without the month: "11", "jueves 11"."""
    *leads, number = said.split()
    is_day = number.isdecimal() or numeral(number) is not None
    return is_day and all(word in _LEADS or _WEEKDAY.fullmatch(word) for word in leads)
