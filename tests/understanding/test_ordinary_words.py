"""An everyday word is no misspelled product; written as the catalogue has it, it names one where it is asked for."""

import importlib.util
from pathlib import Path

import pytest

from hilo.agent.goods import Product
from hilo.recognisers.normalise import normalise
from hilo.understanding.orders.catalogue import build_catalogue
from hilo.understanding.orders.lines import find_order_lines
from hilo.understanding.orders.ordinary import ordinary_words
from hilo.understanding.orders.spots import build_shelf

ROOT = Path(__file__).parents[2]
SHELF = build_shelf(
    build_catalogue(
        [
            Product("1", "Cepillo Oral-B", "Oral-B", "", "Higiene"),
            Product("2", "Mostaza Savora", "Savora", "", "Almacén"),
            Product("3", "Pastillas Halls", "Halls", "", "Golosinas"),
            Product("4", "Paso de los Toros", "Paso de los Toros", "", "Bebidas"),
            Product("5", "Salsa Golf", "Hellmanns", "", "Almacén"),
            Product("6", "Cerveza Norte", "Norte", "", "Bebidas"),
        ]
    )
)


@pytest.mark.parametrize(
    "text",
    [
        "orale pues",
        "tiene buen sabor",
        "si hay me avisas",
        "paso a buscarlo mas tarde",
        "ay que lio",
        "vivo en zona norte",
    ],
)
def test_an_everyday_word_orders_nothing(text: str) -> None:
    assert find_order_lines(normalise(text), shelf=SHELF) == ()


@pytest.mark.parametrize(
    ("text", "product"),
    [
        ("dame un paso de los toros", "paso de los toros"),
        ("2 paso", "paso"),
        ("una norte bien fria", "norte"),
        ("un cepillo oralb", "cepillo oral-b"),
        ("una mostasa", "mostasa"),
    ],
)
def test_goods_are_still_named_by_their_own_words_and_by_misspelled_ones(text: str, product: str) -> None:
    (line,) = find_order_lines(normalise(text), shelf=SHELF)
    assert line.action == "add"
    assert line.product.split()[0] == product.split(maxsplit=1)[0]


def test_the_words_are_those_of_the_corpus() -> None:
    spec = importlib.util.spec_from_file_location("ordinary_words", ROOT / "tools/ordinary_words.py")
    assert spec is not None
    assert spec.loader is not None
    counting = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(counting)
    counted = set(counting.ordinary_words())
    # a new hand brings some words: the file is made anew with `python tools/ordinary_words.py`
    assert len(counted & ordinary_words()) >= 0.95 * len(counted | ordinary_words())
