"""What a contact has turned away from is not taken up again, and nobody is offered to cancel who did not say so."""

import pytest

from hilo.agent.parse import parse
from hilo.testing import Conversation
from hilo.turn.run import Turn
from hilo.understanding.intents.encoder import load_encoder
from hilo.understanding.intents.model import train
from hilo.understanding.reading import intent_examples

TEXT = """\
agent: peluqueria
language: es-AR
country: AR
slots:
  codigo: {type: text, label: código, pattern: "[A-Z]{3}[0-9]{2}", ask: "¿Qué código tiene?"}
  dia: {type: date, label: día, ask: "¿Para qué día?"}
flows:
  anular:
    description: anular un turno
    like: cancel_appointment
    starts: [quiero anular mi turno, cancelame el turno]
    steps:
      - collect: codigo
      - confirm: "¿Anulo el {codigo}?"
      - say: "Anulado."
  mover:
    description: mover un turno
    starts: [quiero mover mi turno, pasame el turno a otro día]
    steps:
      - collect: [codigo, dia]
      - say: "Lo pasé al {dia}."
"""


@pytest.fixture(scope="module")
def turn() -> Turn:
    agent = parse(TEXT, toolbox={})
    return Turn(agent, intents=train(intent_examples(agent), encoder=load_encoder()))


async def test_what_was_to_be_cancelled_is_not_asked_about_after_it_was_changed(turn: Turn) -> None:
    talk = Conversation(turn)
    for line in ("quiero anular mi turno", "ABC12", "mejor pasame el turno a otro día", "sí", "el 20 de marzo"):
        await talk.say(line)
    assert talk.replies[-1].text == "Lo pasé al 20 de marzo de 2026."
    assert talk.session.stack == ()


async def test_a_value_alone_leads_to_no_cancelling(turn: Turn) -> None:
    talk = Conversation(turn)
    await talk.say("mi código es ABC12")
    assert "anular" not in talk.replies[-1].text.split("¿Te ayudo con esto:")[-1]
