"""Feasts that people name instead of a date, as each country keeps them: navidad, viernes santo, el día del padre."""

from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import NamedTuple

from hilo.recognisers.amounts.tokens import Tokens, follows, tokens
from hilo.recognisers.calendar.words import day_of, month_of, nth_weekday, plus_days
from hilo.recognisers.normalise import fold

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_EVERYWHERE = "*"


class Feast(NamedTuple):
    """A name in words, and when it is: a rule for its first day and one for its last, by country."""

    words: tuple[str, ...]
    rules: Mapping[str, tuple[str, str]]


def feast_at(toks: Tokens, index: int) -> Feast | None:
    """The feast with the longest name that stands at a token."""
    named = _feasts().get(toks[index].text, ())
    return next((feast for feast in named if follows(toks, index, feast.words)), None)


def feast_openers() -> frozenset[str]:
    """The words that names of feasts begin with."""
    return frozenset(_feasts())


def days_of(feast: Feast, country: str, today: date, *, past: bool = False) -> tuple[date, date] | None:
    """The first and the last day of the next (or latest) one in a country; None where that is not known."""
    rules = feast.rules
    rule = rules.get(country) or rules.get(_EVERYWHERE)
    if not rule and not country and len(set(rules.values())) == 1:
        rule = next(iter(rules.values()))
    if not rule:
        return None
    years = range(today.year, today.year - 2, -1) if past else range(today.year, today.year + 2)
    for year in years:
        days = days_in(rule, year)
        if days and (days[0] < today if past else days[1] >= today):
            return days
    return None


def days_in(rule: tuple[str, str], year: int) -> tuple[date, date] | None:
    """The days of a rule in a year."""
    first, last = _day(rule[0], year), _day(rule[1], year)
    return (first, last) if first and last else None


def _day(rule: str, year: int) -> date | None:
    if rule.startswith("easter"):
        return plus_days(easter(year), int(rule.removeprefix("easter")))
    if "-" in rule:
        month, day = rule.split("-")
        return day_of(year, int(month), int(day))
    name, weekday, nth = rule.split()
    return nth_weekday(date(year, month_of(name) or 1, 1), _WEEKDAYS.index(weekday), int(nth))


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (the algorithm of Meeus, Jones and Butcher)."""
    golden, century, rest = year % 19, year // 100, year % 100
    correction = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - century // 4 - correction + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)


@cache
def _feasts() -> Mapping[str, tuple[Feast, ...]]:
    """The feasts of feasts.tsv by the first word of their names, the longest names first."""
    by_name: dict[tuple[str, ...], dict[str, tuple[str, str]]] = {}
    for names, rule, countries in _lines():
        first, _, last = rule.partition("..")
        for name in names.split("|"):
            words = tuple(token.text for token in tokens(fold(name)))
            by_name.setdefault(words, {}).update(dict.fromkeys(countries.split(), (first, last or first)))
    feasts = sorted((Feast(words, rules) for words, rules in by_name.items()), key=lambda feast: -len(feast.words))
    openers = dict.fromkeys(feast.words[0] for feast in feasts)
    return {opener: tuple(feast for feast in feasts if feast.words[0] == opener) for opener in openers}


def _lines() -> list[list[str]]:
    from importlib.resources import files  # noqa: PLC0415 -- a slow import, only where a date is looked for

    text = (files("hilo.recognisers.calendar") / "feasts.tsv").read_text("utf-8")
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
