"""Sizes and numbers of an order: which number is how many, and which one tells what it is."""

from functools import cache

import pytest

from hilo.agent.goods import read_goods
from hilo.recognisers.normalise import normalise
from hilo.understanding.orders.catalogue import build_catalogue
from hilo.understanding.orders.items import Item, find_items
from hilo.understanding.orders.lines import find_order_lines
from hilo.understanding.orders.operations import Scene, find_mentions, operations_of
from hilo.understanding.orders.page import read_page
from hilo.understanding.orders.spots import Shelf, build_shelf, find_spots

GOODS = """
product,category,size
Croquetas Lobo,Perros,3 kg
Croquetas Lobo,Perros,15 kg
Croquetas Lobo,Perros,21 kg
Limonada Sol,Bebidas,500 ml
Limonada Sol,Bebidas,2 l
Caño,Plomería,1/2 pulgada
Caño,Plomería,3/4 pulgada
Esponja,Limpieza,
Rosa blanca,Flores,
Rosa amarilla,Flores,
M&M maní,Golosinas,45 g
"""

Line = tuple[str, int | None, str]


@cache
def _shelf() -> Shelf:
    return build_shelf(build_catalogue(read_goods(GOODS.strip(), file="goods.csv")))


def ordered(message: str) -> list[Line]:
    found = find_order_lines(normalise(message), country="AR", shelf=_shelf())
    return [(line.action, None if line.quantity is None else int(line.quantity), line.product) for line in found]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("mandame 2 limonadas chicas", [("add", 2, "limonadas 500 ml")]),
        ("quiero una limonada grande", [("add", 1, "limonada 2 l")]),
        ("dame una limonada gigante", [("add", 1, "limonada 2 l")]),
    ],
)
def test_small_and_large_are_the_first_and_the_last_size_there_is(message: str, expected: list[Line]) -> None:
    assert ordered(message) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("quiero 2 croquetas de 15", [("add", 2, "croquetas 15 kg")]),
        ("dame un lobo de 21", [("add", 1, "lobo 21 kg")]),
        ("mandame 4 caños de 3/4", [("add", 4, "canos 3/4 pulgada")]),
    ],
)
def test_a_number_that_stands_in_one_size_tells_it(message: str, expected: list[Line]) -> None:
    assert ordered(message) == expected


def test_what_comes_in_no_colours_is_found_without_one_and_red_roses_are_not_sold_for_white_ones() -> None:
    assert ordered("dame 2 esponjas verdes") == [("add", 2, "esponjas")]
    assert "rojas" in ordered("dame 2 rosas rojas")[0][2]


def test_a_number_at_the_end_of_a_line_counts_what_stands_in_that_line() -> None:
    lines = ordered("esponjas x 4\ncroquetas lobo x 2")
    assert [quantity for _, quantity, _ in lines] == [4, 2]


def test_humming_names_nothing() -> None:
    assert ordered("mmm esperá") == []


@pytest.mark.parametrize(
    "message",
    [
        "a cuánto está la limonada grande?",
        "si te llevo 10 esponjas me hacés precio?",
        "la limonada de ayer estaba pasada",
        "tienen croquetas o se acabaron?",
        "mi hermana siempre compra esponjas ahí",
    ],
)
def test_what_is_only_talked_of_is_not_ordered(message: str) -> None:
    assert ordered(message) == []


def test_what_is_asked_about_is_not_ordered_with_what_comes_next() -> None:
    assert ordered("¿tenés croquetas? dame 2 esponjas") == [("add", 2, "esponjas")]


def test_a_message_is_seen_without_the_names_of_its_goods() -> None:
    """What is learnt from one shop's orders must hold for another's."""

    def seen(message: str) -> list[str]:
        page = read_page(normalise(message), "", _shelf())
        return list(Scene.of(page, find_mentions(page, _items(message), catalogued=True)).words)

    assert seen("dame 2 esponjas porfa") == seen("dame 2 limonadas porfa") == ["dame", "#", "porfa"]


def _items(message: str) -> list[Item]:
    page = read_page(normalise(message), "", _shelf())
    return find_items(page, _shelf(), find_spots(page, _shelf()))


def test_an_operation_says_how_probable_it_is() -> None:
    page = read_page(normalise("dame 2 esponjas"), "", _shelf())
    [operation] = operations_of(page, find_mentions(page, _items("dame 2 esponjas"), catalogued=True))
    assert operation.action == "add"
    assert 0.5 < operation.chance <= 1
