"""Choices: which one is meant where several are named or denied, and how many are wished for beside other details."""

import pytest
from details import taken
from nasty import NASTY
from soap_shop import DETAILS, SHOP, SUMMARY, changed, told

from hilo.agent.declaration import Slot
from hilo.recognisers.choices import find_choices
from hilo.recognisers.normalise import normalise

PACKS = Slot(
    type="choice",
    choices={
        "chico": ("uno", "una", "una sola", "la de una", "la 1"),
        "mediano": ("dos", "dos jabones", "la de dos", "la 2"),
        "grande": ("tres", "tres jabones", "la de tres", "la 3"),
    },
)


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ("la de dos no, la de tres", "grande"),
        ("la de tres, no, la de dos", "mediano"),
        ("no la de dos, la de tres", "grande"),
        ("no la de dos sino la de tres", "grande"),
        ("no quiero la de dos, quiero la de tres", "grande"),
        ("ni la de dos ni la de tres, una sola", "chico"),
        ("la de dos, no la de tres", "mediano"),
        ("la de dos, mejor la de tres", "grande"),
        ("la de dos no mejor la de tres", "grande"),
        ("la de dos, una pregunta", "mediano"),
        ("de una, la de dos", "mediano"),
        ("la de dos, dos jabones", "mediano"),
        # as they were
        ("la de dos", "mediano"),
        ("no, la de dos", "mediano"),
        ("no la de dos", "mediano"),
        ("no, mejor dos", "mediano"),
        ("mejor la de tres", "grande"),
        ("la chico", "chico"),
    ],
)
def test_what_is_denied_is_not_chosen(message: str, meant: str) -> None:
    assert [found.value for found in find_choices(normalise(message), PACKS.choices)] == [meant]
    assert changed((DETAILS,), message) == {"pack": meant}


@pytest.mark.parametrize(
    "message",
    [
        "la 1 y la 2",
        "dos para mí y una para mi mamá",
        "la de una o la de dos",
        "la de dos no la de tres",
        "la de dos no",
        "no quiero la de dos",
        "ni la de dos ni la de tres",
        "1 para mí y 2 para mi mamá",
    ],
)
def test_none_is_taken_where_several_or_none_remain(message: str) -> None:
    assert changed((DETAILS,), message) == {}


SIZES = Slot(type="choice", choices={"chico": (), "mediano": (), "grande": ()}).choices


@pytest.mark.parametrize(
    ("answer", "meant"),
    [("es chica", "chico"), ("chica", "chico"), ("la chica", "chico"), ("son chicas", None), ("la chica no", None)],
)
def test_an_answer_may_have_a_choice_in_the_other_gender(answer: str, meant: str | None) -> None:
    assert [found.value for found in find_choices(normalise(answer), SIZES)] == ([meant] if meant else [])


def test_only_an_answer_has_a_choice_in_the_other_gender() -> None:
    assert find_choices(normalise("es chica"), SIZES, numbered=False) == ()
    assert find_choices(normalise("consulto por mi perra"), {"Consulta": (), "Baño": ()}) == ()


@pytest.mark.parametrize(
    ("answer", "meant"),
    [
        ("2", "mediano"),
        ("deme 2", "mediano"),
        ("dame 2", "mediano"),
        ("2 porfa", "mediano"),
        ("me llevo 3", "grande"),
        ("3, gracias", "grande"),
        ("2 jabones", "mediano"),
        ("2 unidades porfa", "mediano"),
        ("serían 2", "mediano"),
        ("la de 3", "grande"),
    ],
)
def test_digits_choose_what_has_their_word_for_a_name(answer: str, meant: str) -> None:
    assert changed((DETAILS,), answer) == {"pack": meant}


@pytest.mark.parametrize(
    "answer",
    [
        "quiero 4",
        "2 días",
        "en 2 días",
        "2 mil",
        "2 o 3",
        "1/2",
        "2000",
        "si me da 2 en 110 las llevo",
        "y si llevo 3 en 150",
    ],
)
def test_digits_of_something_else_choose_nothing(answer: str) -> None:
    assert changed((DETAILS,), answer) == {}


def test_a_place_in_the_list_chooses_where_no_choice_is_a_number() -> None:
    colours = Slot(type="choice", choices={"rojo": (), "verde": ()})
    assert [found.value for found in find_choices(normalise("2."), colours.choices)] == ["verde"]
    assert find_choices(normalise("deme 2"), colours.choices) == ()


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ("quiero dos, {}", "mediano"),
        ("quiero comprar dos, {}", "mediano"),
        ("quiero comprar 2 jabones, {}", "mediano"),
        ("quiero pedir dos mire yo {}", "mediano"),
        ("mándeme tres jabones, {}", "grande"),
        ("envíeme 3, {}", "grande"),
        ("deme 2, {}", "mediano"),
        ("me llevo tres y {}", "grande"),
        ("necesito 2 por favor, {}", "mediano"),
        ("quiero 2 pero cuánto demora? {}", "mediano"),
        ("{}, quiero 3", "grande"),
        ("{}, mándeme dos por favor", "mediano"),
        ("{}\nCantidad: 2", "mediano"),
        ("Cantidad: dos\n{}", "mediano"),
        ("{}\n2", "mediano"),
        ("{}\ndos", "mediano"),
        ("I want 2, {}", "mediano"),
        # near misses
        ("quiero 2 días de plazo, {}", ""),
        ("quiero dos cosas saber, {}", ""),
        ("quiero saber dos cosas, {}", ""),
        ("quiero una respuesta, {}", ""),
        ("quiero 4, {}", ""),
        ("quiero 20, {}", ""),
        ("quiero 2.5 litros, {}", ""),
        ("no quiero dos, {}", ""),
        ("quiero dos o tres, {}", ""),
        ("quiero 2 y mi hermana 3, {}", ""),
        ("quiero 1 para mí y 2 para mi mamá, {}", ""),
        ("tengo dos hijos, {}", ""),
        ("cuánto es si llevo tres, {}", ""),
        ("envíeme uno, {}", ""),
    ],
)
def test_how_many_are_wished_for_is_taken_beside_the_details(message: str, meant: str) -> None:
    known = told(message.format(DETAILS))
    assert known.get("pack", "") == meant
    assert (known["nombre"], known["apellido"], known["telefono"]) == ("Ana", "Pérez", "+573001234567")


def test_a_choice_changes_beside_the_place_where_it_is_sent() -> None:
    message = "mejor la de tres y mándela a la carrera 7 # 31-20 en Cali"
    assert changed(SUMMARY, message) == {"pack": "grande", "direccion": "carrera 7 # 31-20", "ciudad": "Cali"}


@pytest.mark.parametrize("message", ["una casa en la carrera 7 # 31-20", "tengo tres hijos en la carrera 7 # 31-20"])
def test_a_number_beside_a_place_changes_no_choice(message: str) -> None:
    assert changed(SUMMARY, message) == {"direccion": "carrera 7 # 31-20"}


@pytest.mark.parametrize("message", NASTY)
def test_nothing_breaks_the_choices(message: str) -> None:
    assert isinstance(find_choices(normalise(message), PACKS.choices), tuple)
    taken(message, agent=SHOP, asked="pack", must_answer=True)
