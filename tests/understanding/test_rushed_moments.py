"""Days and hours as people write them in a hurry: without "a las", with a courtesy after them, in a part of the day."""

from datetime import datetime

import pytest

from hilo.recognisers.calendar.dates import find_dates
from hilo.recognisers.calendar.times import find_times
from hilo.recognisers.normalise import normalise

NOW = datetime(2026, 11, 16, 10)  # noqa: DTZ001 -- a Monday, wherever


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("el 14 por favor", ["2026-12-14"]),
        ("puede ser el 20 por la tarde", ["2026-11-20"]),
        ("el 20 en la noche", ["2026-11-20"]),
        ("el 10 por ciento", []),
        ("el 2 por uno", []),
        ("jueves 9 de la mañana", ["2026-11-19"]),
        ("viernes 20 de noviembre", ["2026-11-20"]),
    ],
)
def test_a_day_is_one_whatever_follows_it(message: str, expected: list[str]) -> None:
    assert [each.value for each in find_dates(normalise(message), now=NOW)] == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("mañana 11 retirar el traje", ["11:00"]),
        ("hoy 16", ["16:00"]),
        ("mañana 11 cajas", []),
        ("para mañana 11 empanadas", []),
    ],
)
def test_a_number_after_a_day_is_an_hour_unless_it_counts(message: str, expected: list[str]) -> None:
    assert [each.value for each in find_times(normalise(message), now=NOW)] == expected
