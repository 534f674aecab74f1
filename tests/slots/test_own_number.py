"""The number that the contact writes from, as the answer to the question for a phone."""

import pytest

from hilo.agent.parse import parse
from hilo.recognisers.normalise import normalise
from hilo.recognisers.people.own_number import own_number_in
from hilo.testing import Conversation
from hilo.turn.run import Turn

ANA = "+5491155551234"
CLINIC = """
agent: clinica
language: es-AR
country: AR
timezone: America/Argentina/Buenos_Aires
slots:
  telefono: {type: phone, label: teléfono, ask: "¿A qué número te avisamos?"}
  nombre: {type: person_name, ask: "¿Cómo te llamás?"}
flows:
  turno:
    starts: always
    steps:
      - collect: [telefono, nombre]
      - say: "Listo"
"""


@pytest.mark.parametrize(
    "message",
    [
        "a este número",
        "este mismo",
        "el mismo de whatsapp",
        "al que te escribo",
        "este",
        "por acá nomás",
        "al mismo de acá nomás",
        "a este desde el que le hablo vecino",
        "este desde donde escribo",
        "al de este chat",
        "al que te sale en pantalla",
        "aquí mismo, a este",
        "este mismo, joven",
        "a este",
        "llamame a este",
        "el mismo número",
        "es este mismo whatsapp",
        "al mismo que te escribo",
        "desde el que te escribo",
        "el número desde el que te estoy escribiendo",
        "pueden llamarme a este celular",
        "mi número es este",
        "usá este",
        "este cel",
        "este es mi número",
        "por este mismo",
        "a este mismo número por favor",
        "el mismo",
        "el que te estoy escribiendo",
        "anota este mismo",
        "te dejo este",
        "same number",
        "this number",
        "al número del que les escribo",
        "el de este whatsapp",
        "a mi mismo wsp",
        "este mismo, gracias",
        "sí, este",
        "con el que te hablo",
        "a este mismo me pueden marcar",
    ],
)
def test_the_own_number_is_given(message: str) -> None:
    assert own_number_in(normalise(message), asked=True)[2] > 0


@pytest.mark.parametrize(
    "message",
    [
        "no a este número",
        "este número no anda",
        "¿a este número?",
        "de quién es este número?",
        "no me llames a este número",
        "no, a este no",
        "el mismo precio",
        "este modelo me gusta",
        "quiero este",
        "este martes",
        "a este precio lo llevo",
        "el mismo de ayer",
        "por acá hace frío",
        "el número de pedido es este mismo número",
        "prefiero otro número",
        "este no, el de mi mujer",
        "el mismo talle",
        "hola",
        "la misma direccion",
    ],
)
def test_the_own_number_is_not_given(message: str) -> None:
    assert own_number_in(normalise(message), asked=True)[2] == 0


@pytest.mark.parametrize("message", ["este", "el mismo", "por acá nomás"])
def test_a_word_that_may_be_about_anything_needs_the_question(message: str) -> None:
    assert own_number_in(normalise(message), asked=False)[2] == 0


async def test_it_is_the_number_that_the_channel_tells() -> None:
    talk = Conversation(Turn(parse(CLINIC)), phone=ANA)
    await talk.say("hola")
    await talk.say("al mismo que te escribo")
    assert talk.session.slots == {"telefono": ANA}


async def test_it_may_be_given_before_it_is_asked_for() -> None:
    talk = Conversation(Turn(parse(CLINIC)), phone=ANA)
    await talk.say("hola, soy Ana, avisame a este número")
    assert talk.session.slots == {"telefono": ANA, "nombre": "Ana"}


async def test_where_the_channel_tells_none_it_is_asked_for() -> None:
    talk = Conversation(Turn(parse(CLINIC)))
    await talk.say("hola")
    await talk.say("a este mismo")
    assert talk.session.slots == {}
    assert talk.replies[-1].text.startswith("Desde acá no veo tu número: escribímelo")


async def test_a_number_that_is_written_goes_first() -> None:
    talk = Conversation(Turn(parse(CLINIC)), phone=ANA)
    await talk.say("hola")
    await talk.say("anotá este número: 11 4444 3322")
    assert talk.session.slots == {"telefono": "+541144443322"}
