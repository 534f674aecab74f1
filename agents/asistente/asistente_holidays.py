"""Public holidays of eight countries; what laws and decrees have fixed, from holidays.csv."""

from dataclasses import dataclass
from datetime import date, tzinfo
from functools import lru_cache

from asistente_places import place_of
from asistente_words import MONTHS, day_in_words, joined, plain, quoted, rows

from hilo import AskContact, ToolFailed

COUNTRIES = {
    "AR": "Argentina",
    "CL": "Chile",
    "CO": "Colombia",
    "ES": "España",
    "US": "Estados Unidos",
    "MX": "México",
    "PE": "Perú",
    "UY": "Uruguay",
}
_MORE_NAMES = {
    "AR": "argentino argentinos arg",
    "CL": "chileno chilenos",
    "CO": "colombiano colombianos col",
    "ES": "spain espanol espanoles esp",
    "MX": "mexicano mexicanos mex mejico",
    "PE": "peruano peruanos",
    "US": "usa eeuu ee.uu ee.uu. eua estadounidenses",
    "UY": "uruguayo uruguayos",
}
_NAMES = {
    plain(name): code for code, country in COUNTRIES.items() for name in (code, country, *_MORE_NAMES[code].split())
} | {"united states": "US", "ee uu": "US", "ee. uu": "US"}


@dataclass(frozen=True, slots=True)
class Holiday:
    """A day off and what it is called."""

    day: date
    name: str

    @property
    def worded(self) -> str:
        """Lunes 16 de noviembre (Independencia de Cartagena)."""
        return f"{day_in_words(self.day)}: {self.name}"


def find_country(name: str, zone: tzinfo | None) -> str:
    """The code of a country; an empty name is that of the agent's own time zone, if its holidays are known."""
    if name.strip():
        code = _NAMES.get(plain(name).removeprefix("en ").removeprefix("de "), "")
        return code or _unknown(name)
    home = place_of(zone)
    code = _NAMES.get(plain(home.country), "") if home else ""
    if not code:
        raise AskContact("country", COUNTRIES.values(), "¿De qué país?")
    return code


def holidays_of(country: str, year: int, month: int | None = None) -> list[Holiday]:
    """The holidays of a year or of one of its months; tells which years are known."""
    first, last = _years()
    if not first <= year <= last:
        raise ToolFailed(f"no holidays of {year}", tell=f"Solo tengo los feriados de {first} a {last}.")
    if month is not None and not 1 <= month <= len(MONTHS):
        raise ToolFailed(f"no month {month}", tell="Ese mes no existe: dime un número del 1 al 12.")
    return [each for each in _holidays()[country] if each.day.year == year and month in (None, each.day.month)]


def next_holiday(country: str, today: date) -> Holiday | None:
    """The next one after today; None where the table ends."""
    return next((each for each in _holidays()[country] if each.day > today), None)


def holiday_on(country: str, day: date) -> Holiday | None:
    """What is celebrated on a day."""
    return next((each for each in _holidays()[country] if each.day == day), None)


def days_until(day: date, today: date) -> str:
    """Mañana, en 3 días."""
    days = (day - today).days
    return "mañana" if days == 1 else f"en {days} días"


def month_number(month: str) -> int | None:
    """The number of a month by its name, the beginning of it, or its number; none where none was asked for."""
    wanted = plain(month)
    if not wanted or wanted.isdecimal():
        return int(wanted) if wanted else None
    named = [place for place, name in enumerate(MONTHS, 1) if len(wanted) > 2 and name.startswith(wanted)]  # noqa: PLR2004
    if not named:
        raise ToolFailed(f"no month {month[:40]}", tell="Ese mes no existe: dime un número del 1 al 12.")
    return named[0]


def period(year: int, month: int | None) -> str:
    """Noviembre de 2026, or only the year."""
    return f"{MONTHS[month - 1]} de {year}" if month else str(year)


def _unknown(name: str) -> str:
    known = joined(list(COUNTRIES.values()))
    tell = f"No tengo los feriados de {quoted(name)}. Conozco los de {known}."
    raise ToolFailed(f"unknown country {name[:80]}", tell=tell)


@lru_cache(maxsize=1)
def _years() -> tuple[int, int]:
    years = {each.day.year for holidays in _holidays().values() for each in holidays}
    return min(years), max(years)


@lru_cache(maxsize=1)
def _holidays() -> dict[str, list[Holiday]]:
    """By country; two feasts of one day are one holiday."""
    days: dict[tuple[str, date], list[str]] = {}
    for row in rows("holidays.csv"):
        days.setdefault((row["country"], date.fromisoformat(row["date"])), []).append(row["name"])
    found: dict[str, list[Holiday]] = {country: [] for country in COUNTRIES}
    for (country, day), names in sorted(days.items()):
        found[country].append(Holiday(day, joined(names)))
    return found
