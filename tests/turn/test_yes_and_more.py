"""A yes with something beside it: taken where that changes nothing, never where it might."""

import pytest

from hilo.agent.parse import parse
from hilo.testing import Conversation
from hilo.tools.tool import tool
from hilo.turn.run import Turn
from hilo.understanding.intents.encoder import load_encoder
from hilo.understanding.intents.model import train
from hilo.understanding.reading import intent_examples

TEXT = """\
agent: lavadero
language: es-AR
country: AR
slots:
  dia: {type: date, label: día, ask: "¿Qué día?"}
  direccion: {type: address, label: dirección, ask: "¿A qué dirección?"}
modes:
  charla: {tools: [payment], next: {yes: turno}}
flows:
  turno:
    description: confirmar el lavado
    starts: [quiero un lavado, necesito lavar el auto]
    steps:
      - collect: [dia, direccion]
      - confirm: "Lavado el {dia} en {direccion}. Total: $9.000. ¿Confirmamos?"
      - say: "Hecho."
intents:
  pagos: {examples: [cómo puedo pagar, pago con transferencia, pago en efectivo], do: payment}
tools:
  says: {payment: "Se paga en el lugar."}
"""


@tool
def payment() -> dict[str, str]:
    """How to pay."""
    return {"way": "cash"}


@pytest.fixture(scope="module")
def wash() -> Turn:
    agent = parse(TEXT, toolbox={"payment": payment.spec})
    intents = train(intent_examples(agent), encoder=load_encoder())
    return Turn(agent, intents=intents, tools={"payment": payment})


async def answered(wash: Turn, *lines: str) -> str:
    talk = Conversation(wash)
    for line in ("quiero un lavado", "el 20 de marzo", "Belgrano 120", *lines):
        await talk.say(line)
    return talk.replies[-1].text


@pytest.mark.parametrize(
    "yes",
    [
        "sí y pago con transferencia",
        "confirmame nomás, pago en efectivo",
        "confirmar el lavado",
        "no gracias, confirmame eso",
        "nada más, confirmá",
        "sí dale gracias che, sos un genio",
        "sí quiero, ya te lo dije",
    ],
)
async def test_a_yes_with_what_changes_nothing_is_one(wash: Turn, yes: str) -> None:
    assert (await answered(wash, yes)).endswith("Hecho.")


@pytest.mark.parametrize(
    "doubtful",
    [
        "sí, sin cera",
        "sí, en la otra cochera",
        "sí, mi hermano lleva el auto",
        "confirmame la dirección",
        "confirmame el total",
        "confirmá si llueve",
        "confirmá, pero a la tarde",
        "no confirmes nada",
        "no, confirmame primero el precio",
        "¿me confirmás?",
        "sí, para dos autos",
        "confirmá, el 21",
    ],
)
async def test_a_yes_with_what_may_change_something_is_none(wash: Turn, doubtful: str) -> None:
    assert not (await answered(wash, doubtful)).endswith("Hecho.")


async def test_who_says_more_than_yes_hears_that_it_was_not_noted(wash: Turn) -> None:
    reply = await answered(wash, "sí, mi hermano lleva el auto")
    assert reply.startswith("Lo otro que me decís no lo puedo anotar por acá.")
    assert reply.endswith("¿Confirmamos?")


async def test_a_yes_with_another_value_shows_the_new_summary(wash: Turn) -> None:
    reply = await answered(wash, "confirmá, el 21 de marzo")
    assert "Lavado el 21 de marzo" in reply
    assert reply.endswith("¿Confirmamos?")


async def test_to_confirm_with_a_detail_begins_what_a_yes_leads_to(wash: Turn) -> None:
    talk = Conversation(wash)
    await talk.say("hola")
    await talk.say("confirmá, y pago en efectivo")
    assert talk.replies[-1].text.endswith("¿Qué día?")
