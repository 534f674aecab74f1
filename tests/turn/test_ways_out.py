"""A value that is required and not to be had: another in its place, a person, or leaving it; never a wall."""

from datetime import timedelta

import pytest

from hilo.agent.parse import parse
from hilo.errors import FileProblems
from hilo.testing import Conversation
from hilo.turn.run import Turn
from hilo.understanding.intents.encoder import load_encoder
from hilo.understanding.intents.model import train
from hilo.understanding.reading import intent_examples

TEXT = """\
agent: taller
language: es-AR
country: AR
slots:
  patente:
    {type: text, label: patente, pattern: "[A-Z]{2}[0-9]{3}[A-Z]{2}", ask: ["¿Qué patente?", "¿Cuál es la patente?"]}
  mail: {type: email, label: mail, instead: telefono, ask: ["¿A qué mail?", "¿Cuál es tu mail?"]}
  telefono: {type: phone, label: teléfono, instead: mail, ask: ["¿A qué número?", "¿Cuál es tu teléfono?"]}
  nombre: {type: person_name, label: nombre, ask: ["¿Cómo te llamás?", "¿Cuál es tu nombre?"]}
  calle: {type: address, label: calle, ask: "¿A qué calle?"}
flows:
  service:
    description: pedir un service
    starts: [quiero un service, necesito un service]
    steps:
      - collect: patente
      - say: "Anotado."
  avisar:
    description: que te avisemos
    starts: [avisame, quiero que me avises]
    steps:
      - collect: mail
      - say: "Te avisamos: {mail}{telefono}."
  visita:
    description: que te visitemos
    starts: [quiero que me visiten, necesito una visita]
    steps:
      - collect: [nombre, calle]
      - say: "Vamos a {calle}, {nombre}."
"""
AGENT = parse(TEXT, toolbox={})
TURN = Turn(AGENT, intents=train(intent_examples(AGENT), encoder=load_encoder()))


async def talk(*lines: str) -> Conversation:
    conversation = Conversation(TURN)
    for line in lines:
        await conversation.say(line)
    return conversation


async def test_what_was_refused_twice_is_not_asked_for_in_the_same_words() -> None:
    conversation = await talk("quiero un service", "no la tengo", "no la sé")
    text = conversation.replies[-1].text
    assert text.startswith("Sin tu patente no puedo seguir con esto.")
    assert "¿Cuál es la patente?" not in text
    assert [button.title for button in conversation.replies[-1].buttons] == ["Hablar con una persona", "Dejarlo acá"]


async def test_the_value_is_still_taken_where_a_way_out_was_offered() -> None:
    conversation = await talk("quiero un service", "no la tengo", "no la sé", "AB123CD")
    assert conversation.replies[-1].text == "Anotado."


@pytest.mark.parametrize("no", ["no", "dejalo", "no, gracias", "no la tengo te digo"])
async def test_a_no_to_the_ways_out_leaves_it(no: str) -> None:
    conversation = await talk("quiero un service", "no la tengo", "no la sé", no)
    assert conversation.session.stack == ()
    assert conversation.session.agent_holds


async def test_the_button_leaves_it() -> None:
    conversation = await talk("quiero un service", "no la tengo", "no la sé")
    await conversation.press("Dejarlo acá")
    assert conversation.replies[-1].text == "Listo, lo dejamos acá. Cuando quieras retomarlo, escribime."


async def test_a_yes_to_the_ways_out_is_one_to_a_person_and_nobody_is_pressed_afterwards() -> None:
    conversation = await talk("quiero un service", "no la tengo", "no la sé", "sí")
    assert conversation.session.handoff is not None
    await conversation.wait(timedelta(minutes=16))
    assert conversation.session.agent_holds
    await conversation.say("hola")
    assert "patente" not in conversation.replies[-1].text


async def test_who_lacks_one_of_two_is_asked_for_the_other() -> None:
    conversation = await talk("avisame", "no tengo", "11 5555 4444")
    assert conversation.replies[-2].text.endswith("¿A qué número?")
    assert conversation.replies[-1].text == "Te avisamos: +541155554444."


async def test_who_gives_the_other_with_a_refusal_is_not_asked_again() -> None:
    conversation = await talk("avisame", "no tengo mail, mi celular es 11 5555 4444")
    assert conversation.replies[-1].text.endswith("Te avisamos: +541155554444.")


async def test_who_refuses_both_is_offered_a_way_out_at_once() -> None:
    conversation = await talk("avisame", "no tengo", "tampoco tengo")
    assert conversation.replies[-1].text.startswith("Sin tu teléfono no puedo seguir con esto.")


async def test_what_is_refused_waits_until_all_else_is_asked() -> None:
    conversation = await talk("quiero que me visiten", "no te doy mi nombre", "Mitre 450")
    assert [reply.text for reply in conversation.replies[1:3]] == [
        "Está bien, sigamos con lo demás. ¿A qué calle?",
        "Sin tu nombre no puedo seguir con esto. ¿Te paso con una persona, con lo que ya me diste, o lo dejamos acá?",
    ]
    await conversation.say("¿para qué lo querés?")
    assert "¿Cómo te llamás?" not in conversation.replies[-1].text
    await conversation.say("bueno, Ana Ruiz")
    assert conversation.replies[-1].text == "Vamos a Mitre 450, Ana Ruiz."


async def test_who_gives_no_details_at_all_is_asked_for_none() -> None:
    conversation = await talk("quiero que me visiten", "prefiero no dar mis datos")
    assert conversation.replies[-1].text.startswith("Sin tu nombre no puedo seguir con esto.")


@pytest.mark.parametrize("said", ["ahora no puedo, te escribo luego", "voy entrando a una reunión", "dame un minuto"])
async def test_who_answers_later_is_not_asked_again_before(said: str) -> None:
    conversation = await talk("quiero que me visiten", said)
    assert "¿" not in conversation.replies[-1].text
    await conversation.say("ya volví")
    assert conversation.replies[-1].text.endswith("¿Cuál es tu nombre?")


@pytest.mark.parametrize("other", ["mail", "nada"])
def test_a_slot_is_not_its_own_substitute_nor_has_one_that_there_is_not(other: str) -> None:
    with pytest.raises(FileProblems):
        parse(TEXT.replace("instead: telefono", f"instead: {other}"), toolbox={})
