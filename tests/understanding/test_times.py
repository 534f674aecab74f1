"""Times of the day in chat messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilo.recognisers.calendar.times import find_times
from hilo.recognisers.normalise import normalise


def hours(message: str) -> list[str]:
    return [str(found.value) for found in find_times(normalise(message)) if found.kind == "time"]


TIMES = [
    ("a las 5", "17:00"),
    ("a las cinco", "17:00"),
    ("a la 1", "13:00"),
    ("a la una", "13:00"),
    ("a las 8", "08:00"),
    ("a las 10", "10:00"),
    ("a las 12", "12:00"),
    ("a las 20", "20:00"),
    ("a las veinte", "20:00"),
    ("a las 05", "05:00"),
    ("a las 0", "00:00"),
    ("las 3", "15:00"),
    ("tipo 5", "17:00"),
    ("a eso de las 4", "16:00"),
    ("como a las 6", "18:00"),
    ("despues de las 18", "18:00"),
    ("5 de la tarde", "17:00"),
    ("cinco de la tarde", "17:00"),
    ("8 de la noche", "20:00"),
    ("8 de la mañana", "08:00"),
    ("6 de la mañana", "06:00"),
    ("1 de la madrugada", "01:00"),
    ("12 de la noche", "00:00"),
    ("12 del mediodía", "12:00"),
    ("12 del dia", "12:00"),
    ("1 del mediodia", "13:00"),
    ("9 por la noche", "21:00"),
    ("9 en la mañana", "09:00"),
    ("a las 7 de la mañana", "07:00"),
    ("17hs", "17:00"),
    ("17 hs", "17:00"),
    ("17hs.", "17:00"),
    ("17 h", "17:00"),
    ("18 horas", "18:00"),
    ("a las 15hs", "15:00"),
    ("17:30", "17:30"),
    ("17:30hs", "17:30"),
    ("5:30", "17:30"),
    ("05:30", "05:30"),
    ("9:15", "09:15"),
    ("17h30", "17:30"),
    ("a las 17.30", "17:30"),
    ("1730 hs", "17:30"),
    ("a las 17 30", "17:30"),
    ("a las cinco treinta", "17:30"),
    ("5 y media", "17:30"),
    ("a las 5 y media", "17:30"),
    ("cinco y cuarto", "17:15"),
    ("a las 9 y cuarto", "09:15"),
    ("a las 5 y 20", "17:20"),
    ("nueve y media de la noche", "21:30"),
    ("11 y media de la mañana", "11:30"),
    ("6 menos cuarto", "17:45"),
    ("a las seis menos diez", "17:50"),
    ("8 menos cuarto de la noche", "19:45"),
    ("cuarto para las 6", "17:45"),
    ("un cuarto para las nueve", "08:45"),
    ("diez para las cinco", "16:50"),
    ("veinte pa las 8", "07:40"),
    ("5 en punto", "17:00"),
    ("mediodía", "12:00"),
    ("al medio dia", "12:00"),
    ("medianoche", "00:00"),
    ("a media noche", "00:00"),
    ("10am", "10:00"),
    ("10 am", "10:00"),
    ("10 a.m.", "10:00"),
    ("12am", "00:00"),
    ("12pm", "12:00"),
    ("5 p.m.", "17:00"),
    ("5 p. m.", "17:00"),
    ("5:30 pm", "17:30"),
    ("a las 7 am", "07:00"),
    ("mañana a las 5", "17:00"),
    ("el viernes a las 21", "21:00"),
    ("mañana a la tarde tipo 8", "20:00"),
    ("esta noche a las 9", "21:00"),
    ("buenas tardes, a las 10 puede ser?", "10:00"),
    ("at 5pm", "17:00"),
    ("at 5", "17:00"),
    ("half past six", "18:30"),
    ("quarter to five", "16:45"),
    ("quarter past nine", "09:15"),
    ("ten past five", "17:10"),
    ("5 o'clock", "17:00"),
    ("at six thirty", "18:30"),
    ("at noon", "12:00"),
    ("8 in the morning", "08:00"),
    ("7 in the evening", "19:00"),
    ("12:30:45", "12:30"),
    ("8 menos cuarto", "07:45"),
    ("18 menos cuarto", "17:45"),
    ("7 y 30 de la noche", "19:30"),
    ("alas 5", "17:00"),
    ("son las 4", "16:00"),
    ("a las 1600 hrs", "16:00"),
    ("12:15 am", "00:15"),
    ("a las 19:00 hs", "19:00"),
    ("3 personas a las 9", "09:00"),
    ("reservame a las 21.30hs", "21:30"),
]


@pytest.mark.parametrize(("message", "expected"), TIMES)
def test_times_are_read_in_24_hours(message: str, expected: str) -> None:
    assert hours(message) == [expected]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("de 9 a 18 hs", ["09:00", "18:00"]),
        ("entre las 5 y las 6", ["17:00", "18:00"]),
        ("entre las 5 y 6", ["17:00", "18:00"]),
        ("de 3 a 5 de la tarde", ["15:00", "17:00"]),
        ("a las 5 o a las 6", ["17:00", "18:00"]),
        ("de lunes a viernes de 9 a 18", ["09:00", "18:00"]),
        ("2pm o 4pm", ["14:00", "16:00"]),
        ("de 10:00 a 12:30", ["10:00", "12:30"]),
    ],
)
def test_spans_of_time_are_two_times(message: str, expected: list[str]) -> None:
    assert hours(message) == expected


NOTHING = [
    "",
    "hola",
    "24 hs",
    "abierto las 24 hs",
    "48hs",
    "en 2 horas",
    "en 2 hs",
    "cada 8 horas",
    "hace 3 hs",
    "dentro de 5 hs",
    "2 horas",
    "las 5 cajas",
    "2 docenas y media",
    "quiero 2 y media docena de facturas",
    "25:00",
    "12:75",
    "2:1",
    "quiero 5",
    "la 1",
    "buenas noches quiero 2 pizzas",
    "tengo una duda",
    "10 a 12",
    "5 to 6 people",
    "medio dia libre",
    "20 pesos",
    "litro y medio",
    "12/03/1985",
    "5 de mayo",
    "mas tarde",
    "a la mañana",
]


@pytest.mark.parametrize("message", NOTHING)
def test_what_is_no_time_is_not_found(message: str) -> None:
    assert hours(message) == []


@pytest.mark.parametrize(
    ("sure", "guess"), [("a las 17", "a las 5"), ("a las 05:00", "a las 5:00"), ("5 pm", "a las 5")]
)
def test_an_afternoon_that_was_guessed_is_less_sure(sure: str, guess: str) -> None:
    (one,), (other,) = find_times(normalise(sure)), find_times(normalise(guess))
    assert one.confidence > other.confidence


@given(st.text() | st.text("0123456789:. aplsyhmcuarto"))
def test_no_text_raises_and_values_are_hours(message: str) -> None:
    text = normalise(message)
    for found in find_times(text):
        hour, minute = map(int, str(found.value).split(":"))
        assert 0 <= hour < 24
        assert 0 <= minute < 60
        assert 0 <= found.start < found.end <= len(text.folded)


@pytest.mark.parametrize(
    ("message", "near", "expected"),
    [
        ("mejor a las 7", "09:00", "07:00"),
        ("mejor a las 7", "18:00", "19:00"),
        ("a las 2", "09:00", "14:00"),
        ("a las 10", "16:00", "10:00"),
        ("a las 12", "09:00", "12:00"),
        ("a las 7 de la tarde", "09:00", "19:00"),
        ("a las 6", "07:00", "06:00"),
        ("a las 21", "09:00", "21:00"),
    ],
)
def test_an_hour_that_moves_another_stays_near_it(message: str, near: str, expected: str) -> None:
    [found] = find_times(normalise(message), near=near)
    assert found.value == expected
