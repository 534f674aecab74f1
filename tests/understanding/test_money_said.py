"""Money as people say it: slang, bills, ranges; and numbers as they are dictated."""

import pytest

from hilo.recognisers.amounts.money import find_money
from hilo.recognisers.amounts.numbers import find_numbers
from hilo.recognisers.normalise import normalise


def money(message: str, country: str) -> list[tuple[object, str]]:
    return [(each.value, each.unit) for each in find_money(normalise(message), country=country)]


SAID = [
    ("AR", "una gamba de dolares", 100, "USD"),
    ("AR", "cuatro gambas de verdes", 400, "USD"),
    ("AR", "dos gambas y media", 250, ""),
    ("PE", "una gamba de soles", 100, "PEN"),
    ("CL", "3 gambas", 300, ""),
    ("CL", "dos palos y medio", 2500000, ""),
    ("AR", "palo y medio", 1500000, ""),
    ("AR", "medio palo verde", 500000, "USD"),
    ("AR", "una luca verde", 1000, "USD"),
    ("AR", "hasta 80k", 80000, ""),
    ("AR", "como mucho 30 lucas", 30000, ""),
    ("AR", "90 mil mensuales", 90000, ""),
    ("AR", "120 mil al mes", 120000, ""),
    ("AR", "usd 700", 700, "USD"),
    ("AR", "700 usd", 700, "USD"),
    ("AR", "u$s 700", 700, "USD"),
    ("AR", "U$S700", 700, "USD"),
    ("AR", "u$d 700", 700, "USD"),
    ("AR", "cien verdes", 100, "USD"),
    ("AR", "300 mangos", 300, "ARS"),
    ("UY", "UYU 900", 900, "UYU"),
    ("UY", "dos mil pesos", 2000, "UYU"),
    ("CO", "300 barras", 300000, ""),
    ("CO", "cincuenta mil barras", 50000, ""),
    ("CO", "ochenta mil pesitos", 80000, "COP"),
    ("PE", "40 soles pe", 40, "PEN"),
    ("PE", "30 lucas pe", 30, ""),
    ("PE", "S/ 25", 25, "PEN"),
    ("MX", "mil varos", 1000, "MXN"),
    ("MX", "2 mil baros wey", 2000, "MXN"),
    ("ES", "200 pavos", 200, "EUR"),
    ("BO", "bs 50", 50, "BOB"),
]


@pytest.mark.parametrize(("country", "message", "value", "unit"), SAID)
def test_money_as_it_is_said(country: str, message: str, value: int, unit: str) -> None:
    assert money(message, country) == [(value, unit)]


BILLS = [
    ("con tres de mil", 3000),
    ("con uno de 20 mil", 20000),
    ("pago con dos billetes de 500", 1000),
    ("dos billetes de 1000", 2000),
    ("te pago con 4 de 200", 800),
    ("con cinco de a mil", 5000),
    ("con uno de mil y dos de 500", 2000),
    ("dos de mil y uno de 500", 2500),
    ("con un billete de 10.000", 10000),
]


@pytest.mark.parametrize(("message", "value"), BILLS)
def test_bills_are_multiplied_and_added(message: str, value: int) -> None:
    assert money(message, "AR") == [(value, "")]


RANGES = [
    ("entre 100 y 150 lucas", 100000, 150000),
    ("entre 6 y 7 mil", 6000, 7000),
    ("de 3 a 5 mil", 3000, 5000),
    ("unos 100/150 mil", 100000, 150000),
    ("80-90 mil", 80000, 90000),
    ("de 500 a 800 dolares", 500, 800),
    ("entre 2 y 3 palos", 2000000, 3000000),
]


@pytest.mark.parametrize(("message", "least", "most"), RANGES)
def test_both_ends_of_a_range_are_money(message: str, least: int, most: int) -> None:
    assert [value for value, _ in money(message, "AR")] == [least, most]


NO_MONEY = [
    "2 gambas al ajillo",
    "dos gambas de pollo",
    "tres palos de escoba",
    "5 mangos maduros",
    "2 kilos de mango",
    "talle 2 de 500",
    "mil gracias",
    "dos de cada uno",
    "una caja de 12",
    "tres verdes y una roja",
]


@pytest.mark.parametrize("message", NO_MONEY)
def test_food_and_things_are_no_money(message: str) -> None:
    assert find_money(normalise(message), country="AR") == ()


DICTATED = [
    ("31 millones 402 918", 31402918),
    ("31 millones 402918", 31402918),
    ("treinta y un millones 402 918", 31402918),
    ("31 millones 402 mil 918", 31402918),
    ("31 402 918", 31402918),
    ("treinta y un millones cuatrocientos dos mil novecientos dieciocho", 31402918),
    ("diecisiete mil seiscientos", 17600),
    ("diecisiete mil 600", 17600),
    ("2 millones 500", 2500000),
    ("3 millones 15 000", 3015000),
    ("un millón doscientos", 1200000),
]


@pytest.mark.parametrize(("message", "value"), DICTATED)
def test_numbers_are_read_as_they_are_dictated(message: str, value: int) -> None:
    assert [each.value for each in find_numbers(normalise(message), country="AR")] == [value]
