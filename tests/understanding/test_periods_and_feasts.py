"""Periods, ranges and feasts, seen from Wednesday 18 November 2026."""

from datetime import UTC, date, datetime

import pytest

from hilo.recognisers.calendar.dates import find_dates
from hilo.recognisers.calendar.feasts import easter
from hilo.recognisers.normalise import normalise

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)


def found(message: str, country: str = "", language: str = "es") -> list[tuple[str, str]]:
    dates = find_dates(normalise(message), now=NOW, country=country, language=language)
    return [(each.kind, str(each.value)) for each in dates]


PERIODS = [
    ("la semana que viene", "2026-11-23/2026-11-29"),
    ("la próxima semana", "2026-11-23/2026-11-29"),
    ("la semana q viene", "2026-11-23/2026-11-29"),
    ("la otra semana", "2026-11-23/2026-11-29"),
    ("la semana entrante me queda bien", "2026-11-23/2026-11-29"),
    ("la semana pasada", "2026-11-09/2026-11-15"),
    ("la sem que viene cuando puedan", "2026-11-23/2026-11-29"),
    ("cualquier día de la semana que viene", "2026-11-23/2026-11-29"),
    ("el mes que viene", "2026-12-01/2026-12-31"),
    ("el próximo mes", "2026-12-01/2026-12-31"),
    ("el año que viene", "2027-01-01/2027-12-31"),
    ("viajamos en mayo", "2027-05-01/2027-05-31"),
    ("en febrero pero no tengo el día exacto", "2027-02-01/2027-02-28"),
    ("para marzo del año que viene", "2027-03-01/2027-03-31"),
    ("en noviembre todavía", "2026-11-01/2026-11-30"),
    ("la semana del 15", "2026-12-14/2026-12-20"),
    ("la semana del 15 de marzo", "2027-03-15/2027-03-21"),
    ("a mediados de enero", "2027-01-11/2027-01-20"),
    ("a principios de mes", "2026-12-01/2026-12-10"),
    ("a comienzos de febrero", "2027-02-01/2027-02-10"),
    ("semana santa", "2027-03-21/2027-03-28"),
    ("para semana santa del 2028", "2028-04-09/2028-04-16"),
    ("en carnaval", "2027-02-08/2027-02-09"),
]


@pytest.mark.parametrize(("message", "expected"), PERIODS)
def test_a_period_is_no_day_of_it(message: str, expected: str) -> None:
    assert found(message) == [("period", expected)]


def test_next_week_is_a_period_in_english_too() -> None:
    assert found("next week", language="en") == [("period", "2026-11-23/2026-11-29")]


TOLD_AFTER_ALL = [
    ("la semana que viene, el jueves", "2026-11-26"),
    ("la semana que viene puede ser el jueves", "2026-11-26"),
    ("en julio, tipo el 15", "2027-07-15"),
    ("en julio, creo que el 3", "2027-07-03"),
    ("el mes que viene, el 10", "2026-12-10"),
]


@pytest.mark.parametrize(("message", "expected"), TOLD_AFTER_ALL)
def test_a_day_said_after_its_period_is_of_that_period(message: str, expected: str) -> None:
    assert found(message)[-1] == ("date", expected)


RANGES = [
    ("del 21 al 26", "2026-11-21", "2026-11-26"),
    ("21 al 26", "2026-11-21", "2026-11-26"),
    ("del veinte al veintisiete", "2026-11-20", "2026-11-27"),
    ("del 28 al 3", "2026-11-28", "2026-12-03"),
    ("del 20 hasta el 27", "2026-11-20", "2026-11-27"),
    ("desde el 20 hasta el 27", "2026-11-20", "2026-11-27"),
    ("del 20 al 27 de diciembre", "2026-12-20", "2026-12-27"),
    ("20-27 de enero", "2027-01-20", "2027-01-27"),
    ("del 20/1 al 27/1", "2027-01-20", "2027-01-27"),
    ("del 28 de diciembre al 4 de enero", "2026-12-28", "2027-01-04"),
    ("entre el 5 y el 8", "2026-12-05", "2026-12-08"),
    ("entre el 5 y el 8 de marzo", "2027-03-05", "2027-03-08"),
    ("del lunes al viernes", "2026-11-23", "2026-11-27"),
    ("salgo el 5 y vuelvo el 12", "2026-12-05", "2026-12-12"),
    ("ida el 5 de marzo y vuelta el 12", "2027-03-05", "2027-03-12"),
    ("5 de marzo - 12 de marzo", "2027-03-05", "2027-03-12"),
    ("marzo 5 a marzo 12", "2027-03-05", "2027-03-12"),
    ("el 28 y regreso el 3", "2026-11-28", "2026-12-03"),
    ("me voy el viernes y vuelvo el domingo", "2026-11-20", "2026-11-22"),
]


@pytest.mark.parametrize(("message", "first", "last"), RANGES)
def test_both_ends_of_a_range_are_days(message: str, first: str, last: str) -> None:
    days = [value for kind, value in found(message) if kind == "date"]
    assert days == [first, last]


@pytest.mark.parametrize("message", ["del 20 al 30 % de descuento", "quiero 20 al 10 %", "20 al hilo", "2-3 cajas"])
def test_other_ranges_are_no_days(message: str) -> None:
    assert found(message) == []


@pytest.mark.parametrize("message", ["del 1 al 10 le pongo un 8", "en una escala del 1 al 5"])
def test_a_mark_between_two_numbers_is_doubtful(message: str) -> None:
    assert all(each.confidence <= 50 for each in find_dates(normalise(message), now=NOW))


FEASTS = [
    ("", "viernes santo", "2027-03-26"),
    ("", "para el viernes santo", "2027-03-26"),
    ("", "el jueves santo a la noche", "2027-03-25"),
    ("", "el domingo de pascua", "2027-03-28"),
    ("", "nochebuena", "2026-12-24"),
    ("", "para noche buena", "2026-12-24"),
    ("", "navidad del año que viene", "2027-12-25"),
    ("", "el día de la mujer", "2027-03-08"),
    ("", "miércoles de ceniza", "2027-02-10"),
    ("", "el 1ro de mayo", "2027-05-01"),
    ("AR", "el 25 de mayo", "2027-05-25"),
    ("AR", "día del padre", "2027-06-20"),
    ("AR", "para el dia de la madre", "2027-10-17"),
    ("AR", "el día del niño", "2027-08-15"),
    ("AR", "el dia del amigo", "2027-07-20"),
    ("AR", "pascuas", "2027-03-28"),
    ("MX", "dia de las madres", "2027-05-10"),
    ("MX", "el día del niño", "2027-04-30"),
    ("MX", "el dia de muertos", "2027-11-02"),
    ("CO", "el día de la madre", "2027-05-09"),
    ("CO", "para amor y amistad", "2027-09-18"),
    ("CO", "el dia de las velitas", "2026-12-07"),
    ("CL", "día del papá", "2027-06-20"),
    ("CL", "para la pascua", "2026-12-25"),
    ("PE", "dia del padre", "2027-06-20"),
    ("PE", "el dia de la independencia", "2027-07-28"),
    ("ES", "el dia del padre", "2027-03-19"),
    ("ES", "el día de la madre", "2027-05-02"),
    ("UY", "el día del padre", "2027-07-11"),
    ("US", "thanksgiving", "2026-11-26"),
]


@pytest.mark.parametrize(("country", "message", "expected"), FEASTS)
def test_a_feast_is_the_next_one_as_its_country_keeps_it(country: str, message: str, expected: str) -> None:
    assert found(message, country) == [("date", expected)]


NO_FEASTS = [
    ("", "el día del padre"),  # of which country?
    ("AR", "la promo del dia de la madre"),
    ("AR", "feliz dia del padre"),
    ("AR", "felices pascuas"),
    ("MX", "un regalo de navidad"),
    ("CL", "feliz pascua"),
    ("AR", "la virgen de Luján"),
]


@pytest.mark.parametrize(("country", "message"), NO_FEASTS)
def test_wishes_and_gifts_name_no_day(country: str, message: str) -> None:
    assert found(message, country) == []


@pytest.mark.parametrize(
    ("year", "month", "day"), [(2000, 4, 23), (2008, 3, 23), (2019, 4, 21), (2024, 3, 31), (2025, 4, 20), (2038, 4, 25)]
)
def test_easter_is_computed(year: int, month: int, day: int) -> None:
    assert easter(year) == date(year, month, day)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("este jueves no, el otro", "2026-11-26"),
        ("el sábado que viene no el otro", "2026-11-28"),
        ("el jueves no, el viernes", "2026-11-20"),
    ],
)
def test_not_this_one_but_the_other(message: str, expected: str) -> None:
    assert max(find_dates(normalise(message), now=NOW), key=lambda each: each.confidence).value == expected


@pytest.mark.parametrize("message", ["después del 20", "antes del 10", "a partir del 15"])
def test_a_bound_is_not_given_ahead_as_the_day(message: str) -> None:
    assert [each.confidence for each in find_dates(normalise(message), now=NOW)] == [50]


@pytest.mark.parametrize("message", ["Belgrano y 20 de Junio, en la esquina", "Mitre casi 25 de mayo"])
def test_a_corner_of_streets_is_no_day(message: str) -> None:
    assert found(message) == []


@pytest.mark.parametrize("message", ["el lunes y 9 de julio", "mañana y 9 de julio"])
def test_a_second_day_is_no_street(message: str) -> None:
    assert ("date", "2027-07-09") in found(message)
