"""Several questions in one message: each is answered, or named as not known."""

import pytest

from hilo.agent.parse import parse
from hilo.testing import Conversation
from hilo.turn.run import Turn
from hilo.understanding.intents.encoder import load_encoder
from hilo.understanding.intents.model import train
from hilo.understanding.reading import intent_examples

TEXT = """\
agent: hotel
language: es-AR
country: AR
slots:
  noches: {type: number, label: noches, ask: "¿Cuántas noches?"}
  nombre: {type: person_name, ask: "¿A nombre de quién?"}
flows:
  reserva:
    description: reservar una habitación
    starts: [quiero reservar una habitación, necesito una habitación]
    steps: [{collect: [noches, nombre]}, {say: "Anotado."}]
intents:
  horario: {examples: [a qué hora es el check in, desde qué hora puedo entrar], answer: "Se entra desde las 14."}
  desayuno: {examples: [está incluido el desayuno, sirven desayuno], answer: "El desayuno está incluido."}
"""


@pytest.fixture(scope="module")
def hotel() -> Turn:
    agent = parse(TEXT, toolbox={})
    return Turn(agent, intents=train(intent_examples(agent), encoder=load_encoder()))


async def last_reply(hotel: Turn, *lines: str) -> str:
    talk = Conversation(hotel)
    for line in lines:
        await talk.say(line)
    return talk.replies[-1].text


async def test_what_is_not_known_is_named_beside_what_is_answered(hotel: Turn) -> None:
    reply = await last_reply(hotel, "¿a qué hora es el check in? ¿y se puede fumar en el balcón?")
    assert "Se entra desde las 14." in reply
    assert "De «se puede fumar en el balcón» no sabría decirte." in reply


async def test_what_is_asked_beside_a_wish_or_a_value_is_not_dropped(hotel: Turn) -> None:
    reply = await last_reply(hotel, "quiero reservar una habitación. ¿tienen caja fuerte?")
    assert "«tienen caja fuerte»" in reply
    assert reply.endswith("¿Cuántas noches?")
    reply = await last_reply(hotel, "quiero reservar una habitación", "3 noches. ¿la pileta es climatizada?")
    assert "«la pileta es climatizada»" in reply
    assert reply.endswith("¿A nombre de quién?")


@pytest.mark.parametrize(
    "asked",
    [
        "hola, ¿cómo estás? ¿está incluido el desayuno?",
        "¿está incluido el desayuno? gracias",
        "¿está incluido el desayuno? ¿sos un bot?",
        "¿sirven desayuno? ¿desde qué hora puedo entrar?",
    ],
)
async def test_a_courtesy_and_what_was_answered_are_not_named(hotel: Turn, asked: str) -> None:
    assert "«" not in await last_reply(hotel, asked)
