"""A yes with something beside it: taken where that changes nothing, never where it might."""

import pytest

from hilo.agent.parse import parse
from hilo.dialogue.commands import CallTool, CorrectSlot
from hilo.testing import Conversation
from hilo.tools.tool import tool
from hilo.turn.run import Turn
from hilo.turn.trace import Trace
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
        "sí, muchas gracias, que Dios la bendiga",
        "confirmo, gracias, saludos",
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
        "sí, con espuma rosada",
        "sí, siempre y cuando no llueva",
        "sí, y que toquen el timbre dos veces",
        "sí, seguro, como la otra vez que no vinieron",
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


async def trace_of_answer(wash: Turn, line: str) -> Trace:
    talk = Conversation(wash)
    for each in ("quiero un lavado", "el 20 de marzo", "Belgrano 120"):
        await talk.say(each)
    return (await talk.say(line)).trace


async def test_what_nobody_heard_is_kept_in_its_own_words(wash: Turn) -> None:
    assert (await trace_of_answer(wash, "sí, mi hermano lleva el auto")).understanding.unheard == (
        "mi hermano lleva el auto",
    )
    assert (await trace_of_answer(wash, "sí, muchas gracias")).understanding.unheard == ()


async def test_two_corrections_and_a_question_are_all_served(wash: Turn) -> None:
    trace = await trace_of_answer(wash, "mejor el 22 de marzo, la dirección es Mitre 300, y ¿cómo puedo pagar?")
    assert {each for each in trace.accepted if isinstance(each, CorrectSlot)} == {
        CorrectSlot("dia", "2026-03-22"),
        CorrectSlot("direccion", "Mitre 300"),
    }
    assert any(isinstance(each, CallTool) for each in trace.accepted)
