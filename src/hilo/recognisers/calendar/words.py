"""Names of days and months, and the arithmetic of "next Friday" and "the 31st"."""

from calendar import monthrange
from datetime import date, timedelta

from hilo.recognisers.amounts.lexicon import sound

_MONTHS = (
    "enero ene henero january jan",
    "febrero feb febreo febrer february",
    "marzo mar march",
    "abril abr april apr",
    "mayo may",
    "junio jun june",
    "julio jul july",
    "agosto ago agost august aug",
    "septiembre setiembre septienbre setienbre sptiembre sep sept set september",
    "octubre obtubre otubre october oct",
    "noviembre novienbre nov november",
    "diciembre dicienbre dic december dec",
)
_WEEKDAYS = (
    "lunes lune monday",
    "martes tuesday",
    "miercoles mierc miercole miercles miecoles wednesday",
    "jueves juebe thursday",
    "viernes vierne viernez vienes biernes friday",
    "sabado sabados sabdo saturday",
    "domingo domigo domingos sunday",
)
_SHORT_WEEKDAYS = {"lun": 0, "mie": 2, "jue": 3, "vie": 4, "sab": 5, "dom": 6}
_MONTH_NUMBERS = {sound(name): number for number, names in enumerate(_MONTHS, start=1) for name in names.split()}
_WEEKDAY_NUMBERS = {sound(name): number for number, names in enumerate(_WEEKDAYS) for name in names.split()}
FURTHEST = 36_600  # days; a hundred years ahead or back is the end of any plan
_YEARS_TO_A_LEAP_DAY = 9


def month_of(name: str) -> int | None:
    """The number of a month's name, abbreviated or misspelt."""
    return _MONTH_NUMBERS.get(sound(name)) if len(name) > 2 else None  # noqa: PLR2004


def weekday_of(name: str) -> int | None:
    """Monday is 0."""
    return _WEEKDAY_NUMBERS.get(sound(name)) if len(name) > 3 else None  # noqa: PLR2004


def short_weekday(name: str) -> int | None:
    """Abbreviations that only count before a day of the month: vie 20."""
    return _SHORT_WEEKDAYS.get(name)


def day_of(year: int, month: int, day: int) -> date | None:
    """The date, or None where the calendar has no such day."""
    try:
        return date(year, month, day)
    except (ValueError, OverflowError):
        return None


def plus_days(start: date, days: int) -> date | None:
    """A date some days away, None beyond the calendar."""
    if abs(days) > FURTHEST:
        return None
    try:
        return start + timedelta(days=days)
    except OverflowError:
        return None


def plus_months(start: date, months: int) -> date | None:
    """The same day months away, or the last day of a shorter month."""
    if abs(months) > FURTHEST // 30:
        return None
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    if not date.min.year <= year <= date.max.year:
        return None
    return day_of(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))


def next_weekday(today: date, weekday: int, *, today_counts: bool = False) -> date | None:
    """The next such weekday; today only where it counts."""
    ahead = (weekday - today.weekday()) % 7
    return plus_days(today, ahead if ahead or today_counts else 7)


def last_weekday(today: date, weekday: int) -> date | None:
    """The latest such weekday before today."""
    return plus_days(today, -((today.weekday() - weekday - 1) % 7 + 1))


def in_week(today: date, weekday: int, weeks: int) -> date | None:
    """A weekday of this week (0), the next (1) or the last (-1); weeks start on Monday."""
    return plus_days(today, weekday - today.weekday() + 7 * weeks)


def yearly(today: date, month: int, day: int, *, past: bool = False) -> date | None:
    """The next (or latest) such day of the year; 29 February waits for its year."""
    step = -1 if past else 1
    for years in range(_YEARS_TO_A_LEAP_DAY):
        found = day_of(today.year + step * years, month, day)
        if found and (found < today if past else found >= today):
            return found
    return None


def monthly(today: date, day: int, *, past: bool = False) -> date | None:
    """The next (or latest) month that has such a day: the 31st skips June."""
    step = -1 if past else 1
    for months in range(4):
        first = plus_months(today.replace(day=1), step * months)
        found = day_of(first.year, first.month, day) if first else None
        if found and (found < today if past else found >= today):
            return found
    return None


def nth_weekday(first: date, weekday: int, nth: int) -> date | None:
    """The nth such weekday of the month of a date; the last when nth is 0."""
    start = first.replace(day=1)
    days = (weekday - start.weekday()) % 7 + 7 * (nth - 1)
    if nth:
        return plus_days(start, days)
    end = month_end(first)
    return plus_days(end, -((end.weekday() - weekday) % 7)) if end else None


def month_end(today: date, months: int = 0) -> date | None:
    """The last day of a month."""
    first = plus_months(today.replace(day=1), months)
    return first.replace(day=monthrange(first.year, first.month)[1]) if first else None


def full_year(said: int, today: date) -> int:
    """Two digits mean the nearest century that does not lie far ahead: 27 is 2027, 85 is 1985."""
    if said > 99:  # noqa: PLR2004
        return said
    century = today.year // 100 * 100
    return century + said if said <= today.year % 100 + 10 else century - 100 + said
