"""Choices told by their place, size or price, or by how many people share them."""

from collections.abc import Mapping

import pytest
from nasty import NASTY

from hilo.recognisers.choices import find_choices
from hilo.recognisers.normalise import normalise
from hilo.recognisers.people.parties import find_people

PACKS = {
    "1x": ("uno", "una", "un frasco", "39900"),
    "2x": ("dos", "dos frascos", "69.900"),
    "3x": ("tres", "tres frascos", "89.900"),
}
PLANS = {"Básico $10.000": (), "Pro $24.900": (), "Max $49.900": ()}
BOTTLES = {"Sprite 500 ml": (), "Sprite 1,5 l": (), "Sprite 2,25 l": ()}
COLOURS = {"rojo": (), "verde": (), "azul": ()}
PAIR = {"mañana": (), "tarde": ()}


def chosen(message: str, choices: Mapping[str, tuple[str, ...]], *, asked: bool = True) -> list[str]:
    return [str(each.value) for each in find_choices(normalise(message), choices, numbered=asked)]


def test_two_names_of_one_choice_side_by_side_are_one_mention() -> None:
    text = normalise("sí, pero con el doctor Lima")
    [found] = find_choices(text, {"Dra. Paz": ("paz", "la doctora"), "Dr. Lima": ("lima", "el doctor")})
    assert (found.value, text.folded[found.start : found.end]) == ("Dr. Lima", "el doctor lima")


BY_PLACE = [
    ("la del medio", "verde"),
    ("el del medio porfa", "verde"),
    ("quiero la del centro", "verde"),
    ("el de la mitad", "verde"),
    ("la de enmedio porfa", "verde"),
    ("el segundo", "verde"),
    ("dale la tercera", "azul"),
    ("me quedo con la última", "azul"),
    ("la primera por favor", "rojo"),
    ("la 2da opción", "verde"),
    ("mejor la 3ra", "azul"),
    ("la opcion numero 3", "azul"),
    ("opción 2", "verde"),
    ("la numero 1", "rojo"),
    ("la 2", "verde"),
    ("2", "verde"),
    ("la de arriba", "rojo"),
    ("el de abajo", "azul"),
    ("the second one", "verde"),
    ("the last one please", "azul"),
]


@pytest.mark.parametrize(("message", "meant"), BY_PLACE)
def test_a_choice_is_told_by_its_place(message: str, meant: str) -> None:
    assert chosen(message, COLOURS) == [meant]
    assert chosen(message, COLOURS, asked=False) == []


BY_SIZE = [
    (PACKS, "el grande", "3x"),
    (PACKS, "el más grande", "3x"),
    (PACKS, "la chica", "1x"),
    (PACKS, "el mediano", "2x"),
    (PACKS, "el chiquito nomás", "1x"),
    (BOTTLES, "la más grande", "Sprite 2,25 l"),
    (BOTTLES, "la chiquita", "Sprite 500 ml"),
    (BOTTLES, "la mediana", "Sprite 1,5 l"),
]


@pytest.mark.parametrize(("choices", "message", "meant"), BY_SIZE)
def test_a_choice_is_told_by_its_size(choices: Mapping[str, tuple[str, ...]], message: str, meant: str) -> None:
    assert chosen(message, choices) == [meant]


BY_PRICE = [
    (PLANS, "la más barata", "Básico $10.000"),
    (PLANS, "quiero el mas economico", "Básico $10.000"),
    (PLANS, "el más caro", "Max $49.900"),
    (PLANS, "la de 24.900", "Pro $24.900"),
    (PLANS, "la de 24900 pesos", "Pro $24.900"),
    (PLANS, "el de 24 mil 900", "Pro $24.900"),
    (PLANS, "el de diez mil", "Básico $10.000"),
    (PLANS, "el de 10 lucas", "Básico $10.000"),
    (PACKS, "la de 69900", "2x"),
    (PACKS, "me llevo el de 89 mil 900", "3x"),
    (PACKS, "la más barata", "1x"),
    (BOTTLES, "la mas barata", "Sprite 500 ml"),
]


@pytest.mark.parametrize(("choices", "message", "meant"), BY_PRICE)
def test_a_choice_is_told_by_its_price(choices: Mapping[str, tuple[str, ...]], message: str, meant: str) -> None:
    assert chosen(message, choices) == [meant]


SHARED = [
    ("uno cada uno, mi hermana y yo", "2x"),
    ("uno para mí y otro para mi hermana", "2x"),
    ("una para mi y otra para mi vieja", "2x"),
    ("uno para cada uno, somos tres", "3x"),
    ("uno para mi, otro para mi esposa y otro para mi hijo", "3x"),
    ("1 para cada uno: mi marido y yo", "2x"),
    ("solo 1 así pruebo", ""),
    ("solo 1 para ver si funciona", "1x"),
    ("deme 2 para mi mamá", "2x"),
    ("uno solo para empezar", "1x"),
]


@pytest.mark.parametrize(("message", "meant"), SHARED)
def test_as_many_as_there_are_people(message: str, meant: str) -> None:
    assert chosen(message, PACKS) == ([meant] if meant else [])


NONE = [
    (PACKS, "cualquiera de las dos"),
    (PACKS, "una de las dos"),
    (PACKS, "uno para cada uno"),
    (PACKS, "uno cada uno, para mí y mis 4 hijos"),
    (PACKS, "cuál de los dos me conviene"),
    (PACKS, "no la del medio"),
    (PACKS, "tengo 2 para consultar"),
    (PACKS, "2 preguntas"),
    (COLOURS, "el grande"),
    (COLOURS, "la más barata"),
    (COLOURS, "la quinta"),
    (COLOURS, "la segunda y la tercera"),
    (COLOURS, "la última vez me fue mal"),
    (COLOURS, "cuál es la más barata?"),
    (COLOURS, "deme 2"),
    (PAIR, "la del medio"),
    (PLANS, "el de 15.000"),
]


@pytest.mark.parametrize(("choices", "message"), NONE)
def test_nothing_is_chosen_where_nothing_was_told(choices: Mapping[str, tuple[str, ...]], message: str) -> None:
    assert chosen(message, choices) == []


@pytest.mark.parametrize("message", NASTY)
def test_anything_may_be_said(message: str) -> None:
    assert isinstance(find_choices(normalise(message), PLANS), tuple)
    assert isinstance(find_people(normalise(message)), tuple)


def test_nothing_is_the_last_of_no_choices() -> None:
    assert chosen("la última", {}) == []
