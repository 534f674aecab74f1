"""Dates of chat messages, seen from Wednesday 18 November 2026."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilo.recognisers.calendar.dates import find_dates
from hilo.recognisers.calendar.days_in_talk import DAYS_AFTER, days_after
from hilo.recognisers.normalise import normalise

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)
SURE = 45


def days(message: str, now: datetime = NOW, language: str = "es") -> list[str]:
    found = find_dates(normalise(message), now=now, language=language)
    return [str(date.value) for date in found if date.confidence >= SURE]


RELATIVE = [
    ("hoy", "2026-11-18"),
    ("para hoy", "2026-11-18"),
    ("hoy mismo", "2026-11-18"),
    ("mañana", "2026-11-19"),
    ("manana", "2026-11-19"),
    ("maniana", "2026-11-19"),
    ("mñn", "2026-11-19"),
    ("pa mañana", "2026-11-19"),
    ("mañana a la mañana", "2026-11-19"),
    ("mañana por la tarde", "2026-11-19"),
    ("nos vemos mañana", "2026-11-19"),
    ("pasado mañana", "2026-11-20"),
    ("pasado mañana a la mañana", "2026-11-20"),
    ("ayer", "2026-11-17"),
    ("anoche", "2026-11-17"),
    ("anteayer", "2026-11-16"),
    ("antes de ayer", "2026-11-16"),
    ("antier", "2026-11-16"),
    ("esta noche", "2026-11-18"),
    ("esta tarde", "2026-11-18"),
    ("en 3 días", "2026-11-21"),
    ("en tres dias", "2026-11-21"),
    ("dentro de 3 dias", "2026-11-21"),
    ("dentro de dos semanas", "2026-12-02"),
    ("en una semana", "2026-11-25"),
    ("en 1 semana", "2026-11-25"),
    ("en un mes", "2026-12-18"),
    ("dentro de 2 meses", "2027-01-18"),
    ("en un año", "2027-11-18"),
    ("en quince días", "2026-12-03"),
    ("en un par de dias", "2026-11-20"),
    ("de hoy en ocho", "2026-11-25"),
    ("de hoy en quince", "2026-12-02"),
    ("de mañana en ocho", "2026-11-26"),
    ("de aca a 10 dias", "2026-11-28"),
    ("en 48 hs", "2026-11-20"),
    ("hace 3 dias", "2026-11-15"),
    ("hace una semana", "2026-11-11"),
    ("hace dos meses", "2026-09-18"),
    ("dos semanas atras", "2026-11-04"),
    ("fin de mes", "2026-11-30"),
    ("a fin de mes", "2026-11-30"),
    ("a fines de mes", "2026-11-30"),
    ("fin del mes que viene", "2026-12-31"),
    ("a fin de año", "2026-12-31"),
    ("el ultimo dia del mes", "2026-11-30"),
    ("el finde", "2026-11-21"),
    ("este fin de semana", "2026-11-21"),
    ("navidad", "2026-12-25"),
    ("para navidad", "2026-12-25"),
    ("en nochebuena", "2026-12-24"),
    ("el dia de navidad", "2026-12-25"),
    ("año nuevo", "2027-01-01"),
    ("antes de año nuevo", "2027-01-01"),
    ("el dia de reyes", "2027-01-06"),
    ("san valentin", "2027-02-14"),
]


@pytest.mark.parametrize(("message", "expected"), RELATIVE)
def test_relative_days_count_from_the_contacts_today(message: str, expected: str) -> None:
    assert days(message) == [expected]


WEEKDAYS = [
    ("el viernes", "2026-11-20"),
    ("viernes", "2026-11-20"),
    ("para el biernes", "2026-11-20"),
    ("el viernes que viene", "2026-11-20"),
    ("el viernes q viene", "2026-11-20"),
    ("el próximo viernes", "2026-11-20"),
    ("el lunes", "2026-11-23"),
    ("este lunes", "2026-11-23"),
    ("el lunes proximo", "2026-11-23"),
    ("el próximo martes", "2026-11-24"),
    ("este miércoles", "2026-11-18"),
    ("el miercoles que viene", "2026-11-25"),
    ("el sábado a la noche", "2026-11-21"),
    ("el sabado por la mañana", "2026-11-21"),
    ("el domingo de mañana", "2026-11-22"),
    ("el lunes pasado", "2026-11-16"),
    ("el pasado lunes", "2026-11-16"),
    ("el miercoles pasado", "2026-11-11"),
    ("el lunes de la semana que viene", "2026-11-23"),
    ("el viernes de la próxima semana", "2026-11-27"),
    ("el viernes de esta semana", "2026-11-20"),
    ("el jueves en ocho", "2026-11-26"),
    ("viernes 20", "2026-11-20"),
    ("el viernes 20 de noviembre", "2026-11-20"),
    ("viernes 20/11", "2026-11-20"),
    ("vie 20", "2026-11-20"),
    ("lunes, 23 de noviembre", "2026-11-23"),
    ("hoy miércoles", "2026-11-18"),
    ("mañana jueves", "2026-11-19"),
    ("mañana jueves 19", "2026-11-19"),
    ("puede ser el martes a las 10?", "2026-11-24"),
    ("la próxima semana el martes", "2026-11-24"),
    ("el martes la semana que viene", "2026-11-24"),
    ("el ultimo viernes del mes", "2026-11-27"),
    ("el primer lunes de diciembre", "2026-12-07"),
    ("el jueves 5 personas", "2026-11-19"),
]


@pytest.mark.parametrize(("message", "expected"), WEEKDAYS)
def test_a_weekday_is_the_next_one_unless_its_words_say_otherwise(message: str, expected: str) -> None:
    assert days(message) == [expected]


CALENDAR = [
    ("el 5", "2026-12-05"),
    ("el 20", "2026-11-20"),
    ("el 18", "2026-11-18"),
    ("el 31", "2026-12-31"),
    ("el día 20", "2026-11-20"),
    ("para el 25", "2026-11-25"),
    ("para el quince", "2026-12-15"),
    ("el 15 del mes que viene", "2026-12-15"),
    ("el 5 del próximo mes", "2026-12-05"),
    ("el 30 de este mes", "2026-11-30"),
    ("5 de mayo", "2027-05-05"),
    ("5 d mayo", "2027-05-05"),
    ("5 mayo", "2027-05-05"),
    ("mayo 5", "2027-05-05"),
    ("cinco de mayo", "2027-05-05"),
    ("veintitrés de abril", "2027-04-23"),
    ("treinta y uno de enero", "2027-01-31"),
    ("el primero de enero", "2027-01-01"),
    ("1ro de mayo", "2027-05-01"),
    ("1° de mayo", "2027-05-01"),
    ("1º de mayo", "2027-05-01"),
    ("20 de dic", "2026-12-20"),
    ("20 dic.", "2026-12-20"),
    ("5 de setiembre", "2027-09-05"),
    ("5 de disiembre", "2026-12-05"),
    ("12 de octubre de 2027", "2027-10-12"),
    ("12 de octubre del 2027", "2027-10-12"),
    ("12 de octubre 2027", "2027-10-12"),
    ("el 3 de marzo de 2027", "2027-03-03"),
    ("mayo 5 de 2027", "2027-05-05"),
    ("5 de mayo del año que viene", "2027-05-05"),
    ("el pasado 5 de mayo", "2026-05-05"),
    ("5/5", "2027-05-05"),
    ("05/05", "2027-05-05"),
    ("20/11", "2026-11-20"),
    ("el 1/2", "2027-02-01"),
    ("5 / 12", "2026-12-05"),
    ("05-05-2027", "2027-05-05"),
    ("5-5-27", "2027-05-05"),
    ("5/5/2027", "2027-05-05"),
    ("5/5/27", "2027-05-05"),
    ("5.5.2027", "2027-05-05"),
    ("2027-05-05", "2027-05-05"),
    ("2027/05/05", "2027-05-05"),
    ("15-06", "2027-06-15"),
    ("5/may/2027", "2027-05-05"),
    ("5-dic-2026", "2026-12-05"),
    ("5 del 12", "2026-12-05"),
    ("12 marzo 85", "1985-03-12"),
    ("26 11 2026", "2026-11-26"),
    ("el 12 de 11", "2027-11-12"),
    ("día primero", "2026-12-01"),
    ("a fin de enero", "2027-01-31"),
    ("3 dec 2026", "2026-12-03"),
    ("5 del 12 del 2026", "2026-12-05"),
    ("hay que llegar antes de las 8 del 2 de diciembre", "2026-12-02"),
    ("a las 10 del 4 de enero", "2027-01-04"),
    ("a las siete del cinco de abril", "2027-04-05"),
    ("a las 8 del 20", "2026-11-20"),
    ("el 29 de febrero", "2028-02-29"),
    ("12/03/1985", "1985-03-12"),
    ("naci el 12/03/85", "1985-03-12"),
    ("3 de abril del 90", "1990-04-03"),
    ("3 de abril de 1990", "1990-04-03"),
    ("3 de abril del año 90", "1990-04-03"),
    ("tres de mayo de mil novecientos noventa", "1990-05-03"),
    ("nací el 7 de julio de 2005", "2005-07-07"),
    ("7 de julio del 05", "2005-07-07"),
    ("el 5 de diciembre a las 10", "2026-12-05"),
    ("quiero reservar para el 24 de diciembre a la noche", "2026-12-24"),
]


@pytest.mark.parametrize(("message", "expected"), CALENDAR)
def test_days_of_the_month_are_the_next_to_come_unless_a_year_is_said(message: str, expected: str) -> None:
    assert days(message) == [expected]


ENGLISH = [
    ("tomorrow", "2026-11-19"),
    ("today", "2026-11-18"),
    ("day after tomorrow", "2026-11-20"),
    ("yesterday", "2026-11-17"),
    ("next friday", "2026-11-20"),
    ("on monday", "2026-11-23"),
    ("last monday", "2026-11-16"),
    ("in 3 days", "2026-11-21"),
    ("in two weeks", "2026-12-02"),
    ("3 days ago", "2026-11-15"),
    ("a week from now", "2026-11-25"),
    ("may 5", "2027-05-05"),
    ("May 5th, 2027", "2027-05-05"),
    ("5th of may", "2027-05-05"),
    ("the 5th", "2026-12-05"),
    ("march 3 2027", "2027-03-03"),
    ("5/6", "2027-05-06"),
    ("12/25/2026", "2026-12-25"),
    ("25/12/2026", "2026-12-25"),
    ("christmas", "2026-12-25"),
    ("christmas eve", "2026-12-24"),
    ("end of the month", "2026-11-30"),
]


@pytest.mark.parametrize(("message", "expected"), ENGLISH)
def test_english_dates_put_the_month_first(message: str, expected: str) -> None:
    assert days(message, language="en") == [expected]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("mañana o pasado", ["2026-11-19", "2026-11-20"]),
        ("del 5 al 10 de mayo", ["2027-05-05", "2027-05-10"]),
        ("el 5 y 6 de enero", ["2027-01-05", "2027-01-06"]),
        ("el lunes o el martes", ["2026-11-23", "2026-11-24"]),
        ("del lunes al viernes", ["2026-11-23", "2026-11-27"]),
        ("del 20 al 18 de diciembre", ["2026-12-20", "2026-12-18"]),
        ("hoy no, mañana", ["2026-11-19"]),
        ("del 20/12 al 28/12", ["2026-12-20", "2026-12-28"]),
    ],
)
def test_several_dates_are_all_found(message: str, expected: list[str]) -> None:
    assert days(message) == expected


NOTHING = [
    "",
    "hola",
    "a la mañana",
    "por la mañana",
    "de la mañana",
    "en la mañana",
    "31/02",
    "31 de febrero",
    "30/02/2027",
    "el 32",
    "32/12",
    "15/13",
    "con mayo",
    "una hamburguesa con mayo y ketchup",
    "marzo",
    "sin mayo",
    "me llamo Julio",
    "los sabados abren?",
    "abren los sábados y domingos?",
    "de lunes a viernes",
    "feliz navidad",
    "feliz año nuevo!",
    "arbol de navidad",
    "buen finde",
    "1/2 kilo",
    "3/4",
    "24/7",
    "2-3 cajas",
    "el 10% de descuento",
    "el 2 por 1",
    "santo domingo",
    "la segunda",
    "un segundo",
    "en 2 horas",
    "tengo 3 hijos",
    "12.345.678",
    "17:30",
    "a las 5 de la tarde",
    "el segundo",
    "20-12345678-9",
    "cada dia",
    "todos los viernes",
    "buenos dias",
    "el otro dia",
    "quiero el 2",
    "hasta mañana!",
    "99/99/9999",
]


@pytest.mark.parametrize("message", NOTHING)
def test_what_is_no_date_is_not_found(message: str) -> None:
    assert days(message) == []


def test_today_counts_when_its_date_is_said() -> None:
    assert days("18 de noviembre") == ["2026-11-18"]


def test_a_weekday_said_on_that_day_is_next_weeks() -> None:
    assert days("el miércoles") == ["2026-11-25"]


@pytest.mark.parametrize("year", [1, 9999])
def test_the_ends_of_the_calendar_never_raise(year: int) -> None:
    now = datetime(year, 12 if year > 1 else 1, 31, tzinfo=UTC)
    for message in (
        "mañana",
        "ayer",
        "fin de mes",
        "el mes que viene",
        "hace 3 años",
        "en 9999 semanas",
        "el lunes pasado",
        "31/1",
    ):
        days(message, now)


@given(st.text() | st.text("0123456789/-. demayolunshcik"))
def test_no_text_raises_and_spans_stay_inside(message: str) -> None:
    text = normalise(message)
    assert all(0 <= found.start < found.end <= len(text.folded) for found in find_dates(text, now=NOW))


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("un día después", "2026-04-16"),
        ("mejor al día siguiente", "2026-04-16"),
        ("adelantarlo dos días", "2026-04-13"),
        ("¿puede ser un día antes?", "2026-04-14"),
        ("el día anterior", "2026-04-14"),
        ("pospóngalo una semana", "2026-04-22"),
        ("a los cinco días", "2026-04-20"),
    ],
)
def test_days_are_counted_from_the_day_that_is_spoken_of(message: str, day: str) -> None:
    said = DAYS_AFTER.search(normalise(message).folded)
    assert said is not None
    assert days_after(said, "2026-04-15") == day


@pytest.mark.parametrize("message", ["mejor pásalo al 18", "mové el turno al 18", "cambiarlo al 18 por favor"])
def test_what_is_moved_to_a_number_is_moved_to_a_day(message: str) -> None:
    found = find_dates(normalise(message), now=datetime(2026, 3, 10, tzinfo=UTC))
    assert [each.value for each in found] == ["2026-03-18"]


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("el jueves 26 antes del mediodía", "2026-11-26"),
        ("el domingo 22 es el cumple de mi vieja", "2026-11-22"),
        ("sábado 21 tengo una fiesta", "2026-11-21"),
    ],
)
def test_the_number_after_a_weekday_decides(message: str, day: str) -> None:
    assert days(message) == [day]


def test_a_number_that_counts_is_no_day() -> None:
    assert days("el jueves 26 empanadas") == ["2026-11-19"]


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("pagué el 15 de febrero", "2026-02-15"),
        ("compre el 3 de marzo", "2026-03-03"),
        ("el 3 de marzo compré un celular", "2026-03-03"),
        ("hice la transferencia el 20/12", "2025-12-20"),
        ("lo pedí el 25 y no llegó", "2026-10-25"),
        ("me lo entregaron el viernes", "2026-11-13"),
        ("llegó roto el sábado", "2026-11-14"),
    ],
)
def test_a_past_verb_pulls_the_date_back(message: str, day: str) -> None:
    assert days(message) == [day]


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("pedí una torta para el 5 de diciembre", "2026-12-05"),
        ("me dijeron que llegaba el lunes", "2026-11-23"),
        ("pagaré el 3 de marzo", "2027-03-03"),
        ("quieren que pague el 3 de marzo", "2027-03-03"),
        ("llego el 25", "2026-11-25"),
    ],
)
def test_other_verbs_leave_it_ahead(message: str, day: str) -> None:
    assert days(message) == [day]


@pytest.mark.parametrize(
    "message",
    [
        "vivo en 9 de julio 1200",
        "25 de mayo 340",
        "calle 5 de febrero #120",
        "av. 11 de septiembre 2155",
        "en 25 de mayo y Mitre",
    ],
)
def test_a_street_named_after_a_day_is_no_date(message: str) -> None:
    assert days(message) == []


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("el jueves no puedo, el viernes sí", "2026-11-20"),
        ("para el finde no, mejor el martes", "2026-11-24"),
        ("en vez del lunes pasalo al jueves", "2026-11-19"),
        ("no puedo el viernes, mejor el sábado", "2026-11-21"),
    ],
)
def test_a_refused_day_is_not_taken(message: str, day: str) -> None:
    assert days(message) == [day]


@pytest.mark.parametrize(
    ("message", "day"),
    [("la semana pasada el martes", "2026-11-10"), ("la semana pasada compré el martes", "2026-11-10")],
)
def test_a_weekday_belongs_to_the_week_said_before(message: str, day: str) -> None:
    assert days(message) == [day]
