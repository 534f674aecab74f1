import pytest
from hypothesis import given
from hypothesis import strategies as st
from nasty import NASTY

from hilo.recognisers.normalise import normalise
from hilo.recognisers.people.names import PERHAPS
from hilo.understanding.person_names import names_in


def _names(message: str, *, asked: bool) -> list[object]:
    return [found.value for found in names_in(normalise(message), asked=asked)]


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("me llamo juan perez", "Juan Perez"),
        ("Mi nombre es Juan", "Juan"),
        ("MI NOMBRE ES MARIA DE LA CRUZ", "Maria de la Cruz"),
        ("Hola, soy Juan", "Juan"),
        ("habla Ana María", "Ana María"),
        ("te escribe Pedro Gómez de Acme", "Pedro Gómez"),
        ("my name is John O'Brien", "John O'Brien"),
        ("I'm Peter", "Peter"),
        ("soy Juan y quiero comprar", "Juan"),
        ("soy juan de rosario", "Juan"),
        ("soy juan de la cruz", "Juan de la Cruz"),
        ("soy juan de la empresa acme", "Juan"),
        ("me llamo ana, quiero 2 cocas", "Ana"),
        ("me dicen Cacho", "Cacho"),
        ("mi nombre es juan y mi correo es juan@x.com", "Juan"),
        ("a nombre de Lucía Fernández", "Lucía Fernández"),
        ("soy xochitl", "Xochitl"),
        ("anotalo a nombre de lucas", "Lucas"),
        ("soy Rosa", "Rosa"),
        ("yo soy laura", "Laura"),
        ("Hola! Me llamo Sofía 😊", "Sofía"),
    ],
)
def test_an_introduction_tells_the_name(message: str, name: str) -> None:
    assert _names(message, asked=False) == [name]


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("Juan", "Juan"),
        ("hola soy juan perez", "Juan Perez"),
        ("juan carlos gomez, mucho gusto", "Juan Carlos Gomez"),
        ("josé ñáñez", "José Ñáñez"),
        ("jean-pierre o'connor", "Jean-Pierre O'Connor"),
        ("Ana", "Ana"),
        ("pepe", "Pepe"),
        ("Juan C. Pérez", "Juan C Pérez"),
        ("sí, Juan", "Juan"),
        ("Ortega y Gasset", "Ortega y Gasset"),
        ("maria del carmen san martin", "Maria del Carmen San Martin"),
        ("Simón", "Simón"),
        ("es Pedro", "Pedro"),
        ("xochitl", "Xochitl"),
        ("McKay", "McKay"),
        ("Rosa Blanco", "Rosa Blanco"),
        ("Juan 😊", "Juan"),
        ("JUAN PEREZ", "Juan Perez"),
        ("pérez, juan", "Juan Pérez"),
        ("rodri sepulveda po", "Rodri Sepulveda"),
        ("nahuel ibarra che", "Nahuel Ibarra"),
        ("apunte joven Efraín Quispe", "Efraín Quispe"),
        ("aló habla wilmer el de las empanadas", "Wilmer"),
        ("Doña Fanny Arango y mi cel 3124567788", "Fanny Arango"),
        ("milagros la rosa", "Milagros la Rosa"),
    ],
)
def test_the_bare_answer_is_the_name_when_it_was_asked(message: str, name: str) -> None:
    assert _names(message, asked=True) == [name]


@pytest.mark.parametrize(
    "message",
    [
        "soy de Córdoba",
        "soy alérgico al maní",
        "soy una clienta",
        "soy el dueño",
        "I'm looking for a bike",
        "Juan",
        "soy vegetariano",
        "soy nuevo",
        "soy yo",
        "soy muy alto",
        "soy mayorista",
        "soy argentino",
        "soy cliente hace años",
        "me llamo de nuevo mañana",
        "habla con el encargado",
    ],
)
def test_not_every_introduction_is_a_name(message: str) -> None:
    assert _names(message, asked=False) == []


@pytest.mark.parametrize(
    "message",
    [
        "no sé",
        "hola",
        "buenas tardes",
        "quiero comprar",
        "ok",
        "para qué?",
        "no tengo",
        "dale",
        "gracias",
        "Av. Corrientes 1234",
        "2 cocas",
        "prefiero no decirlo",
        "cuanto sale",
        "juan@x.com",
        "todo bien",
        "como?",
        "no quiero darlo",
        "esto es una mierda",
        "hablar con una persona",
        "cancelar",
        "otra pregunta",
        "ahí aparecen los precios",
        "ya llegan las cajas",
    ],
)
def test_not_every_bare_answer_is_a_name(message: str) -> None:
    assert _names(message, asked=True) == []


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("soy la señora Marta", "Marta"),
        ("soy el Dr Hernán Molina", "Hernán Molina"),
        ("le escribe Don Ramiro Quispe", "Ramiro Quispe"),
        ("mi nombre es ing. Laura Paz", "Laura Paz"),
        ("a nombre de mi esposa, Claudia", "Claudia"),
        ("es para mi esposo se llama Hernan Ruiz", "Hernan Ruiz"),
        ("es para mi hermano Yamil", "Yamil"),
        ("la reserva es para Gabriela Soto", "Gabriela Soto"),
        ("es pa mi papá, se llama Libardo Cuesta", "Libardo Cuesta"),
        ("es para mi suegra, la señora Amparo Gil", "Amparo Gil"),
        ("pa mi vieja, ella se llama Gloria Mesa", "Gloria Mesa"),
    ],
)
def test_titles_and_relatives_are_no_part_of_the_name(message: str, name: str) -> None:
    assert _names(message, asked=False) == [name]


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("soy Laura Solís y represento a una empresa", "Laura Solís"),
        ("me llamo Esteban Quiroga de Río Cuarto", "Esteban Quiroga"),
        ("soy Tomás del taller", "Tomás"),
        ("soy María del Carmen Ortiz de Zárate", "María del Carmen Ortiz de Zárate"),
        ("mi nombre Yuliana, de Neiva", "Yuliana"),
        ("no me llamo Pedro, soy Pablo", "Pablo"),
        ("soy yo juan carlos el de ayer", "Juan Carlos"),
    ],
)
def test_the_sentence_goes_on_after_the_name(message: str, name: str) -> None:
    assert _names(message, asked=False) == [name]


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("Ana María\nana.maria@hotmail.com\n+57 3001112233", "Ana María"),
        ("Ana Pérez 3001234567", "Ana Pérez"),
        ("Anota: Felipe Rojas", "Felipe Rojas"),
        ("Doña Inés", "Inés"),
    ],
)
def test_the_bare_name_may_stand_among_other_data(message: str, name: str) -> None:
    assert _names(message, asked=True) == [name]


@pytest.mark.parametrize(
    "message",
    [
        "soy ingeniero industrial",
        "es para Navidad",
        "la reserva es para cuatro",
        "es para Santiago",
        "soy la mamá de Leo",
    ],
)
def test_what_somebody_is_or_wants_is_no_name(message: str) -> None:
    assert _names(message, asked=False) == []


def test_the_span_covers_the_name_only() -> None:
    text = normalise("Hola, soy María de la Cruz y quiero comprar")
    (found,) = names_in(text, asked=False)
    assert text.original(found.start, found.end) == "María de la Cruz"


@given(st.text(max_size=300))
def test_no_text_makes_it_raise(raw: str) -> None:
    names_in(normalise(raw), asked=True)


@pytest.mark.parametrize("raw", NASTY)
def test_nasty_texts_are_harmless(raw: str) -> None:
    names_in(normalise(raw), asked=True)


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("la que firma es mi jefa Carolina Duarte", "Carolina Duarte"),
        ("don Anselmo Quiroga a sus órdenes", "Anselmo Quiroga"),
    ],
)
def test_a_known_name_in_the_midst_of_an_answer(message: str, name: str) -> None:
    assert [found.value for found in names_in(normalise(message), asked=True)] == [name]


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("Fabiola Rentería para servirle", "Fabiola Rentería"),
        ("Yeison Bolaños ya quedó anotado arriba", "Yeison Bolaños"),
        ("Anselmo Quiroga del Valle te había escrito", "Anselmo Quiroga del Valle"),
    ],
)
def test_who_writes_two_words_with_a_capital_writes_the_whole_name_so(message: str, name: str) -> None:
    assert [found.value for found in names_in(normalise(message), asked=True)] == [name]


def test_what_may_say_what_somebody_is_must_be_asked_about() -> None:
    assert [found.confidence for found in names_in(normalise("soy hipotensa"), asked=True)] == [PERHAPS]
    assert [found.confidence for found in names_in(normalise("soy graciela"), asked=True)] > [PERHAPS]
