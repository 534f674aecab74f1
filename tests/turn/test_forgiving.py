"""The dialogue forgives: answers in any order, refusals, nods, words before a question, and questions of lookups."""

import asyncio
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hilo.agent.parse import parse
from hilo.app import LoadedAgent, load_agent
from hilo.testing import Conversation
from hilo.tools.tool import tool
from hilo.turn.run import Turn
from hilo.understanding.intents.encoder import load_encoder
from hilo.understanding.intents.model import train
from hilo.understanding.reading import intent_examples

AGENTS = Path(__file__).parents[2] / "agents"

WORKSHOP = """\
agent: taller
language: es-AR
country: AR
timezone: America/Argentina/Buenos_Aires
slots:
  servicio: {type: choice, choices: {Frenos: [], Aceite: [cambio de aceite]}, ask: "¿Qué servicio?"}
  dia: {type: date, label: día, ask: "¿Qué día?"}
  hora: {type: time, choices_from: free_hours, ask: "¿A qué hora?"}
  nombre: {type: person_name, keep: true, ask: "¿A nombre de quién?"}
  dni: {type: national_id, label: DNI, ask: "¿Tu DNI?"}
  correo: {type: email, ask: "¿Tu correo?"}
flows:
  turno:
    description: pedir un turno
    starts: [quiero un turno, necesito un turno, me das un turno]
    steps:
      - forget: hora
      - collect: [servicio, dia]
      - collect: hora
      - collect: [nombre, dni, correo]
      - confirm: "{servicio} el {dia} a las {hora}, a nombre de {nombre}. ¿Lo anoto?"
      - say: "Anotado."
intents:
  demora:
    label: cuánto tarda
    examples: [cuánto tarda, cuánto demora el arreglo, en cuánto está listo, cuántas horas lleva]
    do: duration
tools:
  says: {duration: "{servicio} lleva {hours} horas."}
escalation:
  - stuck: 5
"""


@tool
def free_hours(dia: str) -> list[str]:
    """The free hours of a day."""
    return ["08:00", "09:30", "11:00"] if dia else []


@tool
def duration(servicio: str) -> dict[str, object]:
    """How long a service takes."""
    return {"hours": 2 if servicio == "Frenos" else 1}


@cache
def made() -> Turn:
    agent = parse(WORKSHOP, toolbox={"free_hours": free_hours.spec, "duration": duration.spec})
    tools = {"free_hours": free_hours, "duration": duration}
    return Turn(agent, intents=train(intent_examples(agent), encoder=load_encoder()), tools=tools)


@pytest.fixture
def workshop() -> Turn:
    return made()


async def heard(talk: Conversation, *messages: str) -> str:
    for message in messages:
        await talk.say(message)
    return talk.replies[-1].text


# --- answers in any order ----------------------------------------------------------------------------


ANSWERS = {"dia": "el 20 de marzo", "nombre": "Begoña Uriarte", "correo": "ana@x.com", "dni": "33222111"}


@settings(max_examples=8, deadline=None)
@given(order=st.sampled_from([each for each in permutations(ANSWERS) if each[0] != "dni"]))
def test_whatever_comes_first_is_kept(order: tuple[str, ...]) -> None:
    talk = Conversation(made())
    asyncio.run(heard(talk, "quiero un turno de frenos", *(ANSWERS[name] for name in order)))
    slots = talk.session.slots
    kept = {"nombre": "Begoña Uriarte", "correo": "ana@x.com"}
    assert kept.items() <= slots.items()
    assert str(slots["dia"]).endswith("-03-20")


async def test_what_is_noted_beside_the_question_is_told(workshop: Turn) -> None:
    talk = Conversation(workshop)
    assert await heard(talk, "quiero un turno de frenos", "ana@x.com") == "Anotado: tu correo es ana@x.com. ¿Qué día?"


async def test_what_comes_next_is_taken_with_the_answer(workshop: Turn) -> None:
    talk = Conversation(workshop)
    await heard(talk, "quiero un turno de frenos", "el 20 de marzo", "a las 11", "Ana Gil 33222111")
    assert talk.session.slots["dni"] == "33222111"
    assert talk.replies[-1].text == "¿Tu correo?"


async def test_a_bad_answer_is_for_no_other_slot() -> None:
    talk = Conversation(load_agent(AGENTS / "leads"))
    reply = await heard(talk, "soy Ana", "ana@x.com", "12345")
    assert "dígitos" in reply
    assert "budget" not in talk.session.slots


async def test_an_amount_is_no_name_of_a_company() -> None:
    talk = Conversation(load_agent(AGENTS / "leads"))
    await heard(talk, "soy Ana", "ana@x.com", "3001234567", "como 3 millones")
    assert talk.session.slots["budget"] == 3_000_000
    assert "company" not in talk.session.slots


async def test_in_the_name_of_somebody_names_no_place_and_begins_nothing() -> None:
    talk = Conversation(load_agent(AGENTS / "vuelos"))
    reply = await heard(talk, "quiero cancelar mi vuelo", "a nombre de Lucía Mora")
    assert "Lucía Mora" in reply
    assert "localizador" in reply


# --- the question of a lookup ------------------------------------------------------------------------


async def test_a_lookup_is_about_what_is_known(workshop: Turn) -> None:
    talk = Conversation(workshop)
    reply = await heard(talk, "quiero un turno de frenos", "¿cuánto tarda?")
    assert reply.startswith("Frenos lleva 2 horas.")
    assert reply.endswith("¿Qué día?")


async def test_who_answers_the_flow_instead_of_a_lookup_is_heard(workshop: Turn) -> None:
    talk = Conversation(workshop)
    assert await heard(talk, "quiero un turno", "¿cuánto tarda?") == "¿Qué servicio?"
    await heard(talk, "el 20 de marzo")
    assert str(talk.session.slots["dia"]).endswith("-03-20")
    assert talk.replies[-1].text.endswith("¿Qué servicio?")


async def test_a_lookup_does_not_ask_for_ever(workshop: Turn) -> None:
    talk = Conversation(workshop)
    asked = [await heard(talk, said) for said in ("¿cuánto tarda?", "asdf qwer", "zxcv hjkl")]
    assert asked[0].endswith("¿Qué servicio?")
    assert asked[1].endswith("¿Qué servicio?")
    assert "¿Qué servicio?" not in asked[2]


# --- refusals, nods, and words before a question -----------------------------------------------------


async def test_who_refuses_is_asked_for_the_rest_and_then_offered_a_person(workshop: Turn) -> None:
    talk = Conversation(workshop)
    await heard(talk, "quiero un turno de frenos", "el 20 de marzo", "a las 11", "Ana Gil", "no")
    assert talk.replies[-1].text == "Está bien, sigamos con lo demás. ¿Tu correo?"
    assert not talk.replies[-1].buttons
    reply = await heard(talk, "ana@x.com")
    assert "una persona" in reply
    assert [button.title for button in talk.replies[-1].buttons] == ["Hablar con una persona", "Dejarlo acá"]


async def test_why_asks_what_the_value_is_for(workshop: Turn) -> None:
    talk = Conversation(workshop)
    assert (await heard(talk, "quiero un turno de frenos", "¿por qué?")).startswith("Lo necesito para esto")


async def test_a_nod_answers_nothing_and_is_no_riddle(workshop: Turn) -> None:
    talk = Conversation(workshop)
    assert await heard(talk, "quiero un turno de frenos", "ah ok") == "Entiendo. ¿Qué día?"


@pytest.mark.parametrize("opening", ["una consulta", "te hago una pregunta", "disculpe, ¿le puedo preguntar algo?"])
async def test_who_is_about_to_ask_is_let_ask(workshop: Turn, opening: str) -> None:
    talk = Conversation(workshop)
    assert "¿Qué día?" not in await heard(talk, "quiero un turno de frenos", opening)
    await heard(talk, "el 20 de marzo")  # what had been asked for still waits
    assert str(talk.session.slots["dia"]).endswith("-03-20")


@pytest.mark.parametrize("said", ["lo antes posible", "la primera que tengas", "cualquiera"])
async def test_the_first_of_a_list_is_taken_where_any_will_do(workshop: Turn, said: str) -> None:
    talk = Conversation(workshop)
    await heard(talk, "quiero un turno de frenos", "el 20 de marzo", said)
    assert talk.session.slots["hora"] == "08:00"


async def test_values_lead_to_the_flow_that_only_empties_slots_before_it_asks(workshop: Turn) -> None:
    talk = Conversation(workshop)
    assert "pedir un turno" in await heard(talk, "los frenos")


# --- at the summary ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def flights() -> LoadedAgent:
    return load_agent(AGENTS / "vuelos")


@pytest.mark.parametrize("said", ["mejor no, gracias", "al final no", "no, gracias"])
async def test_who_does_not_want_it_any_more_changes_nothing(flights: LoadedAgent, said: str) -> None:
    talk = Conversation(flights)
    await heard(talk, "vuelo de lima a cusco el 5 de abril", "no", said)
    assert not talk.session.stack


async def test_a_yes_to_what_to_change_shows_the_summary_again(flights: LoadedAgent) -> None:
    talk = Conversation(flights)
    reply = await heard(talk, "vuelo de lima a cusco el 5 de abril", "no", "está bien así, dale")
    assert "¿Es correcto?" in reply
    assert "booked" not in talk.session.slots


async def test_to_cancel_all_in_so_many_words_asks_nothing_more() -> None:
    talk = Conversation(load_agent(AGENTS / "kiosco"))
    told = ("2 cocas lata", "listo", "Ana Gil", "30111222", "lo retiro")
    reply = await heard(talk, *told, "sabés qué, dejá, cancelá todo que salimos a comer afuera")
    assert "vacié el carrito" in reply
