"""Times told in other ways than by a clock, and bare ones in an answer, seen at 10:30."""

from datetime import UTC, datetime

import pytest

from hilo.recognisers.calendar.times import find_times
from hilo.recognisers.normalise import normalise

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)


def told(message: str, *, asked: bool = True) -> list[str]:
    return [str(each.value) for each in find_times(normalise(message), now=NOW, asked=asked)]


AHEAD = [
    ("en media hora", "11:00"),
    ("dentro de una hora", "11:30"),
    ("en unas 2 horas", "12:30"),
    ("dentro de dos horitas", "12:30"),
    ("en hora y media", "12:00"),
    ("en una hora y cuarto", "11:45"),
    ("en 20 minutos", "10:50"),
    ("paso en 15 min", "10:45"),
    ("en cuarenta minutos estoy ahí", "11:10"),
    ("en tres cuartos de hora", "11:15"),
    ("en un par de horas", "12:30"),
    ("en 45'", "11:15"),
    ("in half an hour", "11:00"),
    ("in an hour", "11:30"),
]


@pytest.mark.parametrize(("message", "expected"), AHEAD)
def test_times_are_counted_from_now(message: str, expected: str) -> None:
    assert told(message, asked=False) == [expected]


ANSWERS = [
    ("8", "08:00"),
    ("20", "20:00"),
    ("siete", "19:00"),
    ("16.20", "16:20"),
    ("16,20", "16:20"),
    ("1845", "18:45"),
    ("quince treinta", "15:30"),
    ("3 y 20", "15:20"),
    ("19 estaría bien", "19:00"),
    ("si, 19 por favor", "19:00"),
    ("mejor 18.30", "18:30"),
    ("ahora mismo", "10:30"),
    ("ya", "10:30"),
    ("8 y media de la noche", "20:30"),
    ("las 5 menos cuarto", "16:45"),
    ("a las 15'30", "15:30"),
    ("17hs", "17:00"),
    ("tipo 8", "08:00"),
    ("al mediodía", "12:00"),
]


@pytest.mark.parametrize(("message", "expected"), ANSWERS)
def test_a_bare_hour_answers_the_question_for_one(message: str, expected: str) -> None:
    assert told(message) == [expected]


@pytest.mark.parametrize("message", ["8", "16.20", "1845", "siete", "ya", "de 9 a 11", "19 estaría bien"])
def test_nobody_asked_for_an_hour(message: str) -> None:
    assert told(message, asked=False) == []


NO_HOURS = [
    "3 personas",
    "2 cajas",
    "4567",
    "15.400",
    "en 3 días",
    "en 48 horas",
    "el 5",
    "cuando puedas",
    "en un ratito",
    "en la esquina",
    "ahora no puedo",
    "mitre 12",
    "en casa",
]


@pytest.mark.parametrize("message", NO_HOURS)
def test_other_answers_are_no_hours(message: str) -> None:
    assert told(message) == []


RANGES = [
    ("de 9 a 11", ["09:00", "11:00"]),
    ("entre 5 y 6", ["17:00", "18:00"]),
    ("entre las 5 y las 6", ["17:00", "18:00"]),
    ("entre las 6 y las 8", ["18:00", "20:00"]),
    ("de 7 a 9", ["19:00", "21:00"]),
    ("de 9 a 1", ["09:00", "13:00"]),
    ("de 14 a 16", ["14:00", "16:00"]),
    ("tipo siete y media u ocho", ["19:30", "20:00"]),
    ("entre las 5 y 6 de la tarde", ["17:00", "18:00"]),
    ("de 10 a 12 de la mañana", ["10:00", "12:00"]),
]


@pytest.mark.parametrize(("message", "expected"), RANGES)
def test_both_ends_of_a_range_are_hours(message: str, expected: list[str]) -> None:
    assert told(message) == expected


PARTS = [
    ("a la tardecita", "17:00/20:00"),
    ("a la tarde", "13:00/19:00"),
    ("por la mañana", "08:00/12:00"),
    ("a primera hora", "08:00/10:00"),
    ("a última hora del día", "18:00/20:00"),
    ("el jueves a la noche", "20:00/23:00"),
    ("al atardecer", "18:00/20:00"),
    ("a la hora de la siesta", "13:00/16:00"),
]


@pytest.mark.parametrize(("message", "expected"), PARTS)
def test_a_part_of_the_day_is_a_period_whose_hour_was_not_said(message: str, expected: str) -> None:
    found = find_times(normalise(message), now=NOW, asked=True)
    assert [(each.kind, each.value) for each in found] == [("period", expected)]


@pytest.mark.parametrize("message", ["buenas tardes", "buena noche", "el vuelo de mañana", "es tarde ya", "mañana"])
def test_greetings_and_tomorrow_are_no_part_of_the_day(message: str) -> None:
    assert told(message, asked=False) == []
