"""Addresses that only a landmark tells, where an address was asked for."""

import pytest
from details import COLOMBIA, taken
from hypothesis import given
from hypothesis import strategies as st
from nasty import NASTY, seconds

from hilo.recognisers.normalise import normalise
from hilo.recognisers.places.landmarks import find_landmarks

SURE = 70


def _values(message: str) -> list[object]:
    return [found.value for found in find_landmarks(normalise(message), country="CO")]


@pytest.mark.parametrize(
    "message",
    [
        "al frente del parque principal",
        "en frente de la alcaldía",
        "diagonal a la iglesia de Bosa, casa verde de dos pisos",
        "por la tienda de don Pepe",
        "donde la tienda de don Pepe",
        "entre la iglesia y la escuela",
        "casa blanca al lado del colegio San José",
        "a dos cuadras del parque",
        "a 2 cuadras del hospital, edificio gris",
        "en la esquina del parque Caldas",
        "vereda El Carmen finca La Esperanza",
        "vereda El Carmen, finca La Esperanza",
        "corregimiento de Pance, finca El Edén",
        "barrio Granada frente al parque",
        "en la esquina del parque, casa azul",
        "cerca de la bomba Terpel",
        "detrás del cementerio",
        "por los lados del Éxito de Suba",
        "por la tienda de don pepe, casa verde",
        "detrás del hospital Italiano, portón negro, piso 2",
    ],
)
def test_a_landmark_is_kept_whole(message: str) -> None:
    assert _values(message) == [message]


@pytest.mark.parametrize(
    ("message", "address"),
    [
        ("vivo al frente del parque principal", "al frente del parque principal"),
        ("es frente al parque Lleras", "frente al parque Lleras"),
        ("queda al lado de la escuela Andes y mi celular es 3001234567", "al lado de la escuela Andes"),
        ("es una casa azul, diagonal a la cancha, en Chía", "una casa azul, diagonal a la cancha"),
        ("detras de la alcaldia por favor", "detras de la alcaldia"),
        ("no tengo dirección, es al lado de la escuela rural", "al lado de la escuela rural"),
        ("no sé la dirección exacta pero es al lado de la iglesia San José", "al lado de la iglesia San José"),
        ("frente al parque principal, 3001234567", "frente al parque principal"),
        ("yo vivo en la vereda el carmen", "vereda el carmen"),
        (
            "hola vivo en una casa amarilla con rejas negras diagonal al CAI de policia",
            "una casa amarilla con rejas negras diagonal al CAI de policia",
        ),
    ],
)
def test_a_landmark_begins_and_ends_with_what_tells_the_place(message: str, address: str) -> None:
    assert _values(message) == [address]


@pytest.mark.parametrize(
    "message",
    [
        "¿es frente al parque Lleras?",
        "es frente al parque Lleras?",
        "ustedes quedan cerca del centro comercial",
        "quedan cerca del parque Lleras",
        "cuánto vale el envío",
        "cuanto vale el envio a la vereda el carmen",
        "no vivo cerca del parque Lleras",
        "no quiero dar mi dirección",
        "no tengo dirección",
        "por la tarde",
        "por la mañana mejor",
        "por el momento no",
        "cerca de las 5",
        "cerca de mil pesos",
        "estoy cerca de decidirme",
        "el otro dia pasé por la iglesia de Bosa",
        "nos vemos al frente del parque principal",
        "prefiero recogerlo en la tienda",
        "en la tienda me dijeron otra cosa",
        "en la tienda de Ana me dijeron otra cosa",
        "en el banco no me dejan pagar",
        "la tienda no me responde",
        "vi su anuncio en la iglesia",
        "mi esposo está en la finca hoy",
        "al lado de eso nada",
        "frente a eso no sé",
        "junto a mi esposo",
        "junto con las cocas mandá hielo",
        "arriba de las cocas poné hielo",
        "por la plaza Italia paso en un rato",
        "por la plaza italia paso en un rato",
        "frente al kiosco de Raúl chocaron dos autos",
        "frente al kiosco de raul chocaron dos autos",
        "en el bar La Academia tomando algo",
        "llegando a la plaza Congreso te llamo",
        "cerca de Año Nuevo",
        "estoy en la parada del colectivo",
        "trabajo en el hospital Italiano",
        "trabajo frente al hospital Italiano",
        "en el centro de Rosario",
        "no sé, frente a la plaza San Martín creo",
        "el mismo de la otra vez, frente al club Atlanta",
        "Soy Ana Ruiz, frente al parque principal",
        "quiero pagar por la página",
        "despues le digo",
        "el de dos",
        "ok",
    ],
)
def test_questions_refusals_and_stories_tell_no_address(message: str) -> None:
    assert _values(message) == []


@pytest.mark.parametrize("message", ["al frente del colegio", "frente al parque", "por la tienda", "en la esquina"])
def test_what_no_courier_would_find_is_no_address(message: str) -> None:
    assert _values(message) == []
    assert taken(message, asked="direccion") == {}


def test_a_landmark_is_sure_only_where_it_is_said_to_be_the_address() -> None:
    (told,) = find_landmarks(normalise("mi dirección es frente a la plaza de mercado, local 4"))
    (bare,) = find_landmarks(normalise("frente a la plaza de mercado, local 4"))
    assert told.confidence >= SURE > bare.confidence


@pytest.mark.parametrize(
    ("message", "address"),
    [
        ("torre 3 apto 502 conjunto Los Pinos", "torre 3 apto 502 conjunto Los Pinos"),
        ("manzana 4 casa 12 barrio La Esperanza", "manzana 4 casa 12"),
        ("km 5 vía Armenia-Pereira", "km 5 vía Armenia-Pereira"),
        ("vereda El Carmen finca La Esperanza", "vereda El Carmen finca La Esperanza"),
        ("avenida norte numero 45 30", "avenida norte numero 45 30"),
    ],
)
def test_these_are_addresses_whatever_was_asked(message: str, address: str) -> None:
    assert taken(message)["direccion"] == taken(message, asked="direccion")["direccion"] == address


def test_a_landmark_nobody_asked_for_is_no_address() -> None:
    assert "direccion" not in taken("a 2 cuadras del hospital")
    assert taken("a 2 cuadras del hospital", asked="direccion") == {"direccion": "a 2 cuadras del hospital"}


@pytest.mark.parametrize(
    "message", ["nos vemos al frente del parque", "en la tienda me dijeron otra cosa", "mi esposo está en la finca hoy"]
)
def test_a_story_of_a_landmark_is_refused_though_it_must_be_the_answer(message: str) -> None:
    noted = taken(message, asked="direccion", must_answer=True)
    assert noted in ({"direccion": ""}, {})  # asked for again, or met as the talk that it is


@pytest.mark.parametrize("asked", ["nombre", "telefono", "ciudad"])
def test_a_landmark_answers_no_other_question(asked: str) -> None:
    assert "direccion" not in taken("a 2 cuadras del hospital", agent=COLOMBIA, asked=asked)


@pytest.mark.parametrize(
    "raw", [*NASTY, "frente al " * 9000, "casa " * 20_000, "frente a la a, " * 6000, "finca x " * 9000]
)
def test_nasty_texts_are_read_in_time(raw: str) -> None:
    assert seconds(lambda: find_landmarks(normalise(raw), country="CO")) < 0.5


WORDS = "frente al a la de parque casa verde por tienda , . y no mi 3 finca en barrio x ?".split()  # noqa: SIM905


@given(st.lists(st.sampled_from(WORDS), max_size=14))
def test_any_mixture_is_read(words: list[str]) -> None:
    text = normalise(" ".join(words))
    for found in find_landmarks(text, country="CO"):
        assert 0 <= found.start < found.end <= len(text.folded)


@pytest.mark.parametrize(
    "message",
    [
        "al frente del parque principal",
        "por la tienda de don Pepe",
        "diagonal a la iglesia de Bosa, casa verde de dos pisos",
    ],
)
def test_a_landmark_is_an_address_where_one_was_asked_for(message: str) -> None:
    assert taken(message, asked="direccion") == {"direccion": message}
    assert "direccion" not in taken(message)


def test_a_landmark_that_is_said_to_be_the_address_needs_no_question() -> None:
    assert taken("mi dirección es frente al parque principal") == {"direccion": "frente al parque principal"}


@pytest.mark.parametrize(
    "message", ["¿es frente al parque Lleras?", "cuánto vale el envío", "no quiero dar mi dirección"]
)
def test_a_question_or_a_refusal_is_no_address_though_one_was_asked_for(message: str) -> None:
    assert taken(message, asked="direccion") == {}


def test_a_time_of_day_is_no_address_though_it_must_be_the_answer() -> None:
    assert taken("por la tarde mejor", asked="direccion", must_answer=True) == {"direccion": ""}


def test_a_place_in_the_country_is_an_address_among_other_details() -> None:
    found = find_landmarks(
        normalise("Segundo Lasso, vereda El Salado, finca La Ceiba, Pasto, cel 3104445566"), country="CO"
    )
    assert [each.value for each in found] == ["vereda El Salado, finca La Ceiba"]
