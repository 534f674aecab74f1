"""Another place or another person for what is known already, towns of no list, and addresses that are dictated."""

import pytest
from nasty import NASTY
from soap_shop import SUMMARY, changed, told

from hilo.recognisers.normalise import normalise, with_line_ends
from hilo.recognisers.people.recipients import sent_to
from hilo.recognisers.places.amendments import amended
from hilo.recognisers.places.small_towns import may_be_town

MOVED = {"ciudad": "Cali", "direccion": "carrera 7 # 31-20"}
CALLED = {"telefono": "+573110001122"}
CITY_ASKED = ("Ana Pérez", "3001234567")


# --- another town ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("mándela a la carrera 7 # 31-20 en Cali", MOVED),
        ("carrera 7 # 31-20 Cali", MOVED),
        ("carrera 7 # 31-20, Cali", MOVED),
        ("mejor a Cali, carrera 7 # 31-20", MOVED),
        ("carrera 7 # 31-20 Pereira", {**MOVED, "ciudad": "Pereira"}),
        ("mejor carrera 7 # 31-20, Cali, 3110001122", {**MOVED, **CALLED}),
        ("carrera 7 # 31-20 Cali 3110001122", {**MOVED, **CALLED}),
        ("mándelo a Cali", {"ciudad": "Cali"}),
        ("mejor mándemelo a Cali", {"ciudad": "Cali"}),
        ("envíelo a Cali", {"ciudad": "Cali"}),
        ("envíelo a Armenia", {"ciudad": "Armenia"}),
        ("es para Cali", {"ciudad": "Cali"}),
        ("el envío es para Cali", {"ciudad": "Cali"}),
        ("quiero que me lo manden a Cali", {"ciudad": "Cali"}),
    ],
)
def test_a_town_beside_an_address_or_where_it_is_sent_replaces_the_known_one(
    message: str, expected: dict[str, str]
) -> None:
    assert changed(SUMMARY, message) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("¿envían a Cali?", {}),
        ("envían a Cali", {}),
        ("¿la entrega es en Cali?", {}),
        ("a Cali cuánto se demora?", {}),
        ("¿y si la mando a Cali?", {}),
        ("mi hermana vive en Cali", {}),
        ("mi prima de Cali me la recomendó", {}),
        ("lleva a Cali 3 días", {}),
        ("mándelo a Florencia", {}),  # a woman, perhaps
        ("mándela a mi casa", {}),
        ("mejor en la carrera 7 # 31-20", {"direccion": "carrera 7 # 31-20"}),
        ("avenida Bolívar # 31-20", {"direccion": "avenida Bolívar # 31-20"}),
        ("carrera 7 # 31-20 barrio Cali", {"direccion": "carrera 7 # 31-20", "barrio": "Cali"}),
    ],
)
def test_a_town_that_is_only_spoken_of_replaces_none(message: str, expected: dict[str, str]) -> None:
    assert changed(SUMMARY, message) == expected


@pytest.mark.parametrize(
    ("message", "city"),
    [
        ("soy de Bogotá pero el envío es para Tunja", "Tunja"),
        ("vivo en Bogotá pero mándelo a Tunja", "Tunja"),
        ("mándelo a Tunja, yo vivo en Bogotá", "Tunja"),
        ("soy de Bogotá", "Bogotá"),
    ],
)
def test_of_two_towns_the_one_counts_that_it_is_sent_to(message: str, city: str) -> None:
    assert told(message)["ciudad"] == city


# --- towns of no list -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        "uy no que pena",
        "jajaja",
        "Jajá",
        "donde siempre",
        "aca en la casa",
        "no espere, dos",
        "ya le dije",
        "ay que risa",
        "para mi esposa",
        "la misma",
        "espere un momentico",
        "estoy ocupada",
        "lol",
        "por la tarde",
    ],
)
def test_talk_is_no_town(answer: str) -> None:
    assert "ciudad" not in told(*CITY_ASKED, answer)


@pytest.mark.parametrize(
    ("answer", "city"),
    [
        ("El Salado", "El Salado"),
        ("San Juan de Urabá", "San Juan de Urabá"),
        ("Puerto Boyaca", "Puerto Boyacá"),
        ("vereda La Loma", "vereda La Loma"),
        ("Punta Gallinas", "Punta Gallinas"),
        ("Las Mercedes", "Las Mercedes"),
        ("Dos Quebradas", "Dosquebradas"),
    ],
)
def test_a_small_town_is_one(answer: str, city: str) -> None:
    assert told(*CITY_ASKED, answer)["ciudad"] == city


# --- names ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wish", ["mándeme tres jabones", "envíeme una", "regáleme dos", "sepáremelo"])
def test_what_is_asked_for_is_nobody(wish: str) -> None:
    known = told(f"{wish}, Ana Pérez, Cali, calle 5 # 66-12, 3001234567")
    assert (known["nombre"], known["apellido"]) == ("Ana", "Pérez")


@pytest.mark.parametrize(
    ("message", "name"),
    [
        (
            "quiero mandarle una a mi hermana que vive en Cúcuta se llama Leidy Johana Prada av 5 # 12-40 yo soy Marta",
            ("Leidy Johana", "Prada", "Cúcuta"),
        ),
        ("quiero comprarle uno a mi hija Sara Gil de Cali, yo soy Marta", ("Sara", "Gil", "Cali")),
        ("quiero dos para mi mamá Rosa Díaz de Cali, soy Marta", ("Rosa", "Díaz", "Cali")),
        # as it was
        ("soy Marta Gil de Cali, mi esposo se llama Luis Mora", ("Marta", "Gil", "Cali")),
    ],
)
def test_who_is_given_something_receives_it(message: str, name: tuple[str, str, str]) -> None:
    known = told(message)
    assert (known["nombre"], known["apellido"], known["ciudad"]) == name


def test_a_message_to_somebody_else_is_no_order_for_them() -> None:
    assert "nombre" not in told("quiero mandarle saludos a mi hermana Ana")


@pytest.mark.parametrize("opening", ["para", "es para"])
def test_another_who_receives_changes_name_and_town(opening: str) -> None:
    assert changed(SUMMARY, f"{opening} mi mamá Rosa Díaz, carrera 80 # 12-30 en Bello, 3110001122") == {
        "nombre": "Rosa",
        "apellido": "Díaz",
        "direccion": "carrera 80 # 12-30",
        "ciudad": "Bello",
        **CALLED,
    }


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("perdon Ana Peralta", {"apellido": "Peralta"}),
        ("perdón, Ana María Peralta", {"nombre": "Ana María", "apellido": "Peralta"}),
        ("perdón la demora", {}),
        ("perdón estaba ocupada", {}),
        ("perdón, Luis", {}),
        ("Ana Peralta", {}),
    ],
)
def test_an_excuse_with_a_name_corrects_it(message: str, expected: dict[str, str]) -> None:
    assert changed(("me llamo Ana Perez",), message) == expected


# --- addresses and lists ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "address"),
    [
        ("carrera octava número 25 guion 30 apartamento 302", "carrera 8 número 25-30 apartamento 302"),
        ("vivo en la carrera octava número 25 guion 30", "carrera 8 número 25-30"),
        ("calle 19 con carrera 8 número 25 guión 30", "calle 19 con carrera 8 número 25-30"),
        ("calle 10 número 43 guion 12", "calle 10 número 43-12"),
        ("calle 19 con carrera 8", "calle 19 con carrera 8"),
        ("calle 19 con carrera 8, 2 jabones", "calle 19 con carrera 8"),
    ],
)
def test_a_dictated_address_is_read_to_its_end(message: str, address: str) -> None:
    assert told("soy Gloria, Pereira, 3124567890", message)["direccion"] == address


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("no, calle 12 pero # 43-15", "calle 12 # 43-15"),
        ("el número es 43-21", "Calle 10 No. 43-21"),
        ("es # 43-21", "Calle 10 # 43-21"),
        ("calle 12", "calle 12 No. 43-12"),
    ],
)
def test_street_and_number_are_mended_together(message: str, expected: str) -> None:
    mended = amended("Calle 10 No. 43-12", normalise(message))
    assert mended is not None
    assert mended.value == expected


@pytest.mark.parametrize(
    "message",
    [
        "Ana Pérez\nMedellín\nCalle 10 # 43-12\n300 123 4567\n2",
        "Ana Pérez\nMedellín\n300 123 4567\n2\nCalle 10 # 43-12",
        "2\n300 123 4567\nAna Pérez\nMedellín\nCalle 10 # 43-12",
        "Ana Pérez\nMedellín\nCalle 10 # 43-12\n300 123 4567\ndos",
    ],
)
def test_a_line_ends_a_number(message: str) -> None:
    known = told(message)
    assert (known["telefono"], known["pack"], known["nombre"]) == ("+573001234567", "mediano", "Ana")


def test_line_ends_move_nothing() -> None:
    text = normalise("Él\n ¿Está?  \n2")
    assert with_line_ends(text) == "el\n ¿esta?  \n2"
    assert with_line_ends(normalise("una línea")) == "una linea"


@pytest.mark.parametrize("message", NASTY)
def test_nothing_breaks_these(message: str) -> None:
    text = normalise(message)
    assert len(with_line_ends(text)) == len(text.folded)
    assert isinstance(may_be_town(text), bool)
    assert sent_to(text.folded, ()) == ()
    amended("calle 10 #43-12", text)
