"""Orders that say which size, which of two, how many fewer, and what stays: around a grocer's catalogue."""

from functools import cache

import pytest

from hilo.agent.goods import read_goods
from hilo.recognisers.normalise import normalise
from hilo.understanding.orders.catalogue import build_catalogue
from hilo.understanding.orders.lines import find_order_lines
from hilo.understanding.orders.spots import Shelf, build_shelf

GROCER = """
product,category,size
Manaos,Gaseosa,600 ml
Manaos,Gaseosa,2 l
Patagonia,Cerveza,473 ml
Patagonia,Cerveza,1 l
Soda,Agua,1 l
Agua con gas,Agua,1 l
Agua de mesa,Agua,1 l
Sémola,Almacén,1 kg
Queso fresco,Fiambre,500 g
Queso fresco,Fiambre,1 kg
Empanada de humita,Empanada,
Empanada de atún,Empanada,
Yerba Cruz,Yerba,500 g
Yerba Mañanita,Yerba,500 g
Servilletas,Papel,x100
Servilletas,Papel,x50
Camel,Cigarrillos,10
Camel,Cigarrillos,20
Palito helado,Helado,
Manzanas,Verdulería,
"""

Line = tuple[str, int | None, str]


@cache
def _shelf() -> Shelf:
    return build_shelf(build_catalogue(read_goods(GROCER.strip(), file="goods.csv")))


def ordered(message: str) -> list[Line]:
    found = find_order_lines(normalise(message), country="AR", shelf=_shelf())
    return [(line.action, None if line.quantity is None else int(line.quantity), line.product) for line in found]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("dame una manaos personal", [("add", 1, "manaos 600 ml")]),
        ("sumá 3 latas de patagonia", [("add", 3, "patagonia 473 ml")]),
        ("una patagonia en lata", [("add", 1, "patagonia 473 ml")]),
        ("2 camel box de 20", [("add", 2, "camel 20")]),
        ("servilletas por 50", [("add", 1, "servilletas x50")]),
        ("mandame medio de queso fresco", [("add", 1, "queso fresco 500 g")]),
        ("cinco palitos helados", [("add", 5, "palitos helados")]),
        ("anotá sémola tres kilos", [("add", 3, "semola 1 kg")]),
    ],
)
def test_a_size_is_told_in_the_words_of_contacts(message: str, expected: list[Line]) -> None:
    assert ordered(message) == expected


SECOND_THOUGHTS: list[tuple[str, list[Line]]] = [
    ("la patagonia mejor la grande", [("set", 1, "patagonia 1 l")]),
    ("cambiá la manaos chica por la de 2 litros", [("set", 1, "manaos 2 l")]),
    ("no era soda, era manaos", [("remove", None, "soda"), ("add", 1, "manaos")]),
    ("quiero manaos no soda", [("add", 1, "manaos")]),
    ("a las 5 manzanas sacale dos", [("remove", 2, "manzanas")]),
    ("3 menos de humita", [("remove", 3, "humita")]),
    ("sacá la soda que en casa sobran manzanas", [("remove", None, "soda")]),
    ("quitá la soda, y que las manzanas sean 8", [("remove", None, "soda"), ("set", 8, "manzanas")]),
    ("dos patagonia y si no hay mandame manaos", [("add", 2, "patagonia")]),
    ("borrame el pedido entero", [("remove", None, "todo")]),
    ("sacá todo y dejame solo las manzanas", [("remove", None, "todo menos manzanas")]),
    ("dejame solo la soda, lo demás fuera", [("remove", None, "todo menos soda")]),
    ("quedate con el queso fresco y sacá el resto", [("remove", None, "todo menos queso fresco")]),
]


def test_most_second_thoughts_change_only_what_they_speak_of() -> None:
    wrong = [(message, ordered(message)) for message, expected in SECOND_THOUGHTS if ordered(message) != expected]
    assert len(wrong) <= 5, wrong


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("empanadas, 3 de humita y 4 de atún", [3, 4]),
        ("3 de humita y 4 de atún, las empanadas", [3, 4]),
        ("media docena de humita y media de atún", [6, 6]),
        ("unas empanadas, tipo 6 de atún", [6]),
    ],
)
def test_the_name_of_all_of_it_is_no_more_of_it(message: str, expected: list[int]) -> None:
    assert [quantity for _, quantity, _ in ordered(message)] == expected


def test_what_is_without_something_is_not_what_has_it() -> None:
    assert "con gas" not in ordered("2 aguas sin gas")[0][2]


@pytest.mark.parametrize(
    "message",
    [
        "qué más tenés aparte de manzanas",
        "cuánto me sale si pido 3 patagonia y una soda",
        "el precio d la docena de empanadas porfa",
        "la empanada de humita trae queso fresco o no",
    ],
)
def test_what_is_asked_about_is_not_ordered(message: str) -> None:
    assert ordered(message) == []
