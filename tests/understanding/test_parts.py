"""The details of a person: names in parts, regions of cities, free texts by their names, addresses and phones apart."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from details import COLOMBIA, STATES
from hypothesis import given
from hypothesis import strategies as st
from nasty import NASTY

from hilo.agent.declaration import Slot
from hilo.agent.parse import parse
from hilo.app import load_agent
from hilo.app.loading import new_session
from hilo.dialogue.commands import CorrectSlot, SetSlot, SuggestSlot
from hilo.dialogue.session import Session
from hilo.errors import FileProblems
from hilo.recognisers.normalise import hidden, normalise
from hilo.recognisers.people.name_parts import given_words
from hilo.recognisers.people.names import find_family_names
from hilo.recognisers.places.amendments import amended
from hilo.recognisers.places.cities import regions_of
from hilo.recognisers.places.regions import find_regions
from hilo.testing.conversation import Conversation
from hilo.understanding.extraction import extract
from hilo.understanding.labelled_values import labelled_values
from hilo.understanding.mentions import Mention
from hilo.understanding.reading import read, understander
from hilo.understanding.regions import with_regions

FAMILY_ASKED = COLOMBIA.replace("[nombre, telefono,", "[nombre, apellido, telefono,")

Told = dict[str, str]
Talk = Callable[..., Told]


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Talk:
    """What the slots hold after a contact has written these messages to an agent."""

    def told(*messages: str, agent: str = COLOMBIA) -> Told:
        folder: Path = tmp_path_factory.mktemp("agent")
        (folder / "agent.yaml").write_text(agent, "utf-8")
        return asyncio.run(_told(Conversation(load_agent(folder)), messages))

    return told


async def _told(conversation: Conversation, messages: tuple[str, ...]) -> Told:
    for message in messages:
        await conversation.say(message)
    return {name: str(value) for name, value in conversation.session.slots.items()}


# --- names in parts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Ana", ""),
        ("Ana Pérez", "Pérez"),
        ("Ana María", ""),
        ("Luis Martín", "Martín"),
        ("Ana María Pérez", "Pérez"),
        ("Yesid Restrepo Vélez", "Restrepo Vélez"),
        ("Ana María Pérez Gómez", "Pérez Gómez"),
        ("Juan de la Cruz", "de la Cruz"),
        ("Ana de la Cruz Gómez", "de la Cruz Gómez"),
        ("Juan Pérez del Río", "Pérez del Río"),
        ("María del Carmen Pérez", "Pérez"),
        ("María de los Ángeles Ruiz Gil", "Ruiz Gil"),
        ("José Ortega y Gasset", "Ortega y Gasset"),
        ("Ana San Martín", "San Martín"),
    ],
)
def test_a_name_is_taken_apart_where_the_family_begins(name: str, family: str) -> None:
    words = name.split()
    assert " ".join(words[given_words(words) :]) == family


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("John Smith", "Smith"),
        ("Emma Grace Miller", "Miller"),
        ("John F Kennedy", "Kennedy"),
        ("Vincent van Gogh", "van Gogh"),
    ],
)
def test_an_english_name_has_one_family_name(name: str, family: str) -> None:
    words = name.split()
    assert " ".join(words[given_words(words, english=True) :]) == family


@pytest.mark.parametrize(
    ("message", "family"),
    [
        ("mi apellido es Pérez", "Pérez"),
        ("mi nombre es Ana, apellido Pérez", "Pérez"),
        ("Apellidos: Pérez Gómez", "Pérez Gómez"),
        ("mi apellido es de la Torre", "de la Torre"),
        ("my last name is Smith", "Smith"),
        ("mi apellido lleva tilde", ""),
        ("mi apellido está mal", ""),
        ("nombre y apellido: Ana Pérez", ""),
        ("no tengo apellido", ""),
    ],
)
def test_what_is_said_to_be_a_family_name_is_one(message: str, family: str) -> None:
    assert [found.value for found in find_family_names(normalise(message))] == ([family] if family else [])


@pytest.mark.parametrize(
    ("message", "nombre", "apellido"),
    [
        ("soy Ana María Pérez Gómez", "Ana María", "Pérez Gómez"),
        ("Ana", "Ana", ""),
        ("ana perez", "Ana", "Perez"),
        ("Yurleidis Cantillo", "Yurleidis", "Cantillo"),
        ("mi nombre es Ana y mi apellido Pérez", "Ana", "Pérez"),
        ("nombre y apellido: Ana Pérez", "Ana", "Pérez"),
        ("Nombre: Ana María\nApellido: Pérez", "Ana María", "Pérez"),
        ("Sra. Gloria Inés Cárdenas", "Gloria Inés", "Cárdenas"),
        ("Ana Pérez quiero el de 2 unidades", "Ana", "Pérez"),
    ],
)
def test_both_parts_of_a_name_are_kept(talk: Talk, message: str, nombre: str, apellido: str) -> None:
    told = talk("hola", message)
    assert (told["nombre"], told.get("apellido", "")) == (nombre, apellido)


@pytest.mark.parametrize("answer", ["Pérez", "Martín", "Pérez Gómez", "de la Torre", "mi apellido es Pérez"])
def test_the_answer_to_the_question_for_the_family_name_is_no_given_name(talk: Talk, answer: str) -> None:
    told = talk("hola", "Ana", answer, agent=FAMILY_ASKED)
    assert told == {"nombre": "Ana", "apellido": answer.removeprefix("mi apellido es ")}


def test_the_whole_name_answers_the_question_for_the_family_name(talk: Talk) -> None:
    assert talk("hola", "Ana", "Ana Pérez", agent=FAMILY_ASKED)["apellido"] == "Pérez"


# --- several details in a message ---------------------------------------------------------------------------

ANA = {
    "nombre": "Ana",
    "apellido": "Pérez",
    "telefono": "+573001234567",
    "ciudad": "Medellín",
    "departamento": "Antioquia",
    "direccion": "Calle 10 #43-12",
}
AT_HOME = {**ANA, "barrio": "Laureles"}


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("soy Ana Pérez, vivo en Medellín, Calle 10 #43-12, 3001234567", ANA),
        ("3001234567 Ana Pérez Medellín Calle 10 #43-12", ANA),
        ("Calle 10 #43-12 Medellín 300 123 4567 Ana Pérez", ANA),
        ("Ana Pérez. Medellín. Calle 10 #43-12. +57 300 123 4567", ANA),
        ("Ana Pérez - Medellín - Calle 10 #43-12 - 3001234567", ANA),
        ("1. Ana Pérez\n2. 3001234567\n3. Medellín\n4. Calle 10 #43-12", ANA),
        ("Ana Pérez cel 3001234567 dir Calle 10 #43-12 medellin antioquia", ANA),
        (
            "*Nombre:* Ana Pérez\n*Cel:* 3001234567\n*Ciudad:* Medellín\n*Dir:* Calle 10 #43-12\n*Barrio:* Laureles",
            AT_HOME,
        ),
        ("Ana Pérez, vivo en Medellín, barrio Laureles, Calle 10 #43-12, cel 3001234567", AT_HOME),
        (
            "Ana Pérez 3001234567 Medellín Calle 10 #43-12 barrio Laureles frente a la cancha",
            {**AT_HOME, "direccion": "Calle 10 #43-12, frente a la cancha"},
        ),
        ("Ana Pérez 3001234567 Medellín Calle 10 #43-12 barrio Laureles", AT_HOME),
        ("Ana Pérez\nCalle 10 #43-12 B/ Laureles\nMedellín, Antioquia\n300-123-4567", AT_HOME),
        ("Ciudad y departamento: Medellín, Antioquia\nNombre: Ana Pérez\nDir: Calle 10 #43-12\nTel: 3001234567", ANA),
    ],
)
def test_details_are_told_apart_in_any_order(talk: Talk, message: str, expected: Told) -> None:
    assert talk("hola", message) == expected


def test_what_was_told_is_remembered_while_the_rest_is_asked_for(talk: Talk) -> None:
    told = talk("hola", "vivo en Medellín", "Ana Pérez", "ok", "300 123 4567", "Calle 10 #43-12")
    assert told == ANA


# --- corrections --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "changed"),
    [
        ("no, es calle 12", {"direccion": "calle 12 #43-12"}),
        ("el apto es 302", {"direccion": "Calle 10 #43-12 apto 302"}),
        ("la dirección es cra 7 # 32-16", {"direccion": "cra 7 # 32-16"}),
        ("me equivoqué de teléfono, es 310 222 3344", {"telefono": "+573102223344"}),
        ("la ciudad es Cali", {"ciudad": "Cali", "departamento": "Valle del Cauca"}),
        ("me mudé, ahora vivo en Bogotá", {"ciudad": "Bogotá", "departamento": "Bogotá D.C."}),
        ("mi apellido es Gómez", {"apellido": "Gómez"}),
        ("el nombre está mal, es Anna", {"nombre": "Anna"}),
        ("perdón, el barrio es Belén", {"barrio": "Belén"}),
        ("¿hacen envíos a Cali?", {}),
    ],
)
def test_a_correction_changes_what_it_names_and_nothing_else(talk: Talk, message: str, changed: Told) -> None:
    assert talk("soy Ana Pérez, vivo en Medellín, Calle 10 #43-12, 3001234567", message) == {**ANA, **changed}


@pytest.mark.parametrize(
    ("address", "message", "expected"),
    [
        ("calle 10 #43-12 apto 302", "es apto 301", "calle 10 #43-12 apto 301"),
        ("calle 10 #43-12", "la placa es #43-15", "calle 10 #43-15"),
        ("Cra. 7 No. 45 - 10", "carrera 9", "carrera 9 No. 45 - 10"),
        ("calle 10 #43-12", "torre 2 apto 5", "calle 10 #43-12 torre 2 apto 5"),
        ("vereda El Salado km 2", "es calle 12", ""),
        ("calle 10 #43-12", "ya no la quiero", ""),
    ],
)
def test_a_part_of_an_address_mends_it(address: str, message: str, expected: str) -> None:
    mended = amended(address, normalise(message))
    assert (mended.value if mended else "") == expected


# --- free texts by their names --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("barrio Laureles", {"barrio": "Laureles"}),
        ("en el barrio el poblado", {"barrio": "el poblado"}),
        ("mi barrio es laureles", {"barrio": "laureles"}),
        ("mi barrio se llama Manrique Oriental", {"barrio": "Manrique Oriental"}),
        ("calle 10 #43-12 barrio Laureles apto 302", {"barrio": "Laureles", "direccion": "calle 10 #43-12, apto 302"}),
        ("barrio Laureles calle 10 #43-12 apto 302", {"barrio": "Laureles", "direccion": "calle 10 #43-12 apto 302"}),
        ("cra 50 # 4-20 torre 2 barrio 20 de Julio", {"barrio": "20 de Julio", "direccion": "cra 50 # 4-20 torre 2"}),
        ("¿en qué barrio queda la tienda?", {}),
        ("el barrio es muy peligroso", {}),
        ("mi barrio queda lejos", {}),
    ],
)
def test_a_free_text_follows_the_name_of_its_slot(talk: Talk, message: str, expected: Told) -> None:
    assert talk("hola", message) == expected


def test_a_city_after_a_quarter_is_no_part_of_it(talk: Talk) -> None:
    told = talk("hola", "vivo en el barrio ciudad jardín cali carrera 105 # 15-09")
    assert (told["barrio"], told["ciudad"], told["direccion"]) == ("ciudad jardín", "Cali", "carrera 105 # 15-09")


@pytest.mark.parametrize(
    "message",
    ["mi empresa vende pan", "la empresa es pequeña", "tengo empresa propia", "empresa de software con 20 empleados"],
)
def test_a_free_text_takes_nothing_that_is_only_said_of_it(message: str) -> None:
    agent = parse(
        "agent: x\nslots: {empresa: {ask: ¿Empresa?}}\nflows: {a: {starts: always, steps: [collect: empresa]}}\n"
    )
    start = message.index("empresa")
    mentions = [Mention("empresa", start, start + len("empresa"))]
    assert labelled_values(agent.slots, normalise(message), mentions, country="CO") == []


def test_an_article_is_no_name_of_a_free_text() -> None:
    slot = {"producto": Slot(before=("el", "la", "de", "un", "pan"))}
    assert labelled_values(slot, normalise("quiero hacer un encargo"), (), country="CO") == []
    assert [each.found.value for each in labelled_values(slot, normalise("dame pan rústico"), (), country="CO")] == [
        "rústico"
    ]


@given(st.text(max_size=120), st.integers(0, 119), st.integers(1, 30))
def test_hiding_a_span_moves_nothing(message: str, start: int, size: int) -> None:
    text = normalise(message)
    end = min(start + size, len(text.folded))
    kept = hidden(text, [(start, end)]) if start < end else text
    assert (len(kept.raw), len(kept.folded)) == (len(text.raw), len(text.folded))


# --- regions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("messages", "city", "region"),
    [
        (("vivo en Medellín",), "Medellín", "Antioquia"),
        (("vivo en Armenia",), "Armenia", "Quindío"),
        (("vivo en San Carlos",), "San Carlos", ""),
        (("vivo en San Carlos, Antioquia",), "San Carlos", "Antioquia"),
        (("vivo en San Carlos", "departamento de Córdoba"), "San Carlos", "Córdoba"),
        (("vivo en Cali departamento del Valle del Cauca",), "Cali", "Valle del Cauca"),
        (("soy de Boyacá",), "", "Boyacá"),
        (("vivo en Antioquia", "vivo en San Carlos"), "San Carlos", "Antioquia"),
        (("vivo en Medellín", "no, en Armenia"), "Armenia", "Quindío"),
        (("vivo en Medellín", "no, es San Carlos, Córdoba"), "San Carlos", "Córdoba"),
        (("Bogotá, Cundinamarca",), "Bogotá", "Cundinamarca"),
        (("vivo en el departamento 301 de la torre 2",), "", ""),
    ],
)
def test_the_region_comes_from_the_city_or_from_the_contact(
    talk: Talk, messages: tuple[str, ...], city: str, region: str
) -> None:
    told = talk("hola", *messages)
    assert (told.get("ciudad", ""), told.get("departamento", "")) == (city, region)


def _session(**slots: str) -> Session:
    agent = parse(COLOMBIA)
    return replace(new_session(agent, session_id="s", at=datetime(2026, 3, 2, tzinfo=UTC)), slots=slots)


def test_values_that_a_model_has_read_get_their_region_too() -> None:
    agent = parse(COLOMBIA)
    assert with_regions(agent, _session(), [SetSlot("ciudad", "Cali")]) == (
        SetSlot("departamento", "Valle del Cauca"),
        SetSlot("ciudad", "Cali"),
    )
    explicit = [SetSlot("ciudad", "Cali"), SetSlot("departamento", "Antioquia")]
    assert with_regions(agent, _session(), explicit) == tuple(explicit)


def test_a_region_that_became_wrong_does_not_stay() -> None:
    session = _session(ciudad="Cali", departamento="Valle del Cauca")
    commands = with_regions(parse(COLOMBIA), session, [CorrectSlot("ciudad", "San Carlos")])
    assert commands[0] == CorrectSlot("departamento", regions_of("San Carlos", "CO")[0])


def test_regions_added_twice_are_added_once() -> None:
    agent = parse(COLOMBIA)
    once = with_regions(agent, _session(), [SetSlot("ciudad", "Cali")])
    assert with_regions(agent, _session(), once) == once


# --- another country ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "city", "state"),
    [
        ("I'm John Smith, 12 Main St, Austin, (512) 555-0199", "Austin", "Texas"),
        ("I'm John Smith, 12 Main St, Springfield, (512) 555-0199", "Springfield", ""),
        ("John Smith, 12 Main St, Austin, TX 78701, phone 512-555-0199", "Austin", "Texas"),
        ("Jane Smith, 12 Main St, Smallville, 512-555-0199", "Smallville", ""),
        (
            "First name: John\nLast name: Smith\nCity: Dallas\nState: Texas\nPhone: 512 555 0199\nAddress: 12 Main St",
            "Dallas",
            "Texas",
        ),
    ],
)
def test_details_are_read_in_english(talk: Talk, message: str, city: str, state: str) -> None:
    told = talk("hi", message, agent=STATES)
    assert told["last_name"] == "Smith"
    assert (told["phone"], told["address"]) == ("+15125550199", "12 Main St")
    assert (told["city"], told.get("state", "")) == (city, state)


# --- what an author may not write ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "instead", "problem"),
    [
        ("correo: {type: email,", "correo: {type: email, part: given,", "`part` is for slots of type person_name"),
        ("region_of: ciudad", "region_of: cuidad", "cuidad"),
        ("region_of: ciudad", "region_of: correo", "`correo` is no city"),
        ("{type: text, region_of: ciudad", "{type: email, region_of: ciudad", "`region_of` is for slots of type text"),
        ("part: given", "part: middle", "`middle` is not known here"),
    ],
)
def test_a_part_or_a_region_of_the_wrong_thing_is_an_error(written: str, instead: str, problem: str) -> None:
    with pytest.raises(FileProblems) as caught:
        parse(COLOMBIA.replace(written, instead))
    assert any(problem in str(each) for each in caught.value.problems)


# --- bad input --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("message", NASTY)
def test_nothing_breaks_the_recognisers(message: str) -> None:
    text = normalise(message)
    assert isinstance(find_family_names(text, asked=True), tuple)
    assert isinstance(find_regions(text, country="CO"), tuple)
    amended("calle 10 #43-12", text)
    labelled_values(parse(COLOMBIA).slots, text, (), country="CO")


UNDERSTANDER = understander(parse(COLOMBIA))
WORDS = (
    "barrio",
    "b/",
    "apellido",
    "calle 10",
    "#43-12",
    "apto 3",
    "Medellín",
    "Antioquia",
    "Ana",
    "de la",
    "\n",
    ":",
    ",",
    "3001234567",
)


@given(
    st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=8)), max_size=12),
    st.sampled_from(list(UNDERSTANDER.agent.slots)),
)
def test_any_mixture_of_details_is_read(words: list[str], target: str) -> None:
    session = _session(ciudad="Cali", departamento="Valle del Cauca", direccion="calle 1 # 2-3")
    reading = read(UNDERSTANDER, " ".join(words), at=session.started_at)
    found = extract(UNDERSTANDER.agent, session, reading, target)
    slots = [name for each in found for name in (each.slots if isinstance(each, SuggestSlot) else (each.slot,))]
    assert len(slots) == len(set(slots))
