"""The goods that a sentence names, for tools that are given a contact's own words."""

import pytest

from hilo import language

PRODUCTS = [
    language.Product("1", "Miel pura", "", "500 g", "Almacén", ()),
    language.Product("2", "Vinagre de manzana", "", "1 l", "Almacén", ()),
    language.Product("3", "Queso crema", "", "200 g", "Lácteos", ()),
]
CATALOGUE = language.build_catalogue(PRODUCTS)


@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        ("hola doña, ¿le queda miel?", ("miel",)),
        ("el vinagre de manzana cuánto está", ("vinagre de manzana",)),
        ("¿y miel o queso crema?", ("miel", "queso crema")),
        ("¿a qué hora cierran?", ()),
        ("¿hay velas?", ()),
    ],
)
def test_only_the_goods_of_a_sentence_are_named(sentence: str, named: tuple[str, ...]) -> None:
    assert language.goods_in(CATALOGUE, sentence) == named
