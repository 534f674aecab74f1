"""What is said of a value that is understood and lies out of bounds."""

import pytest

from hilo.agent.parse import parse
from hilo.testing import Conversation
from hilo.turn.run import Turn

AGENT = """
agent: mesas
language: es
slots:
  personas: {type: number, min: 2, max: 12, ask: "¿Cuántos son?"}
flows:
  mesa: {starts: always, steps: [{collect: [personas]}]}
"""


async def reply(message: str) -> str:
    conversation = Conversation(Turn(parse(AGENT)))
    await conversation.say("hola")
    await conversation.say(message)
    return conversation.replies[-1].text


@pytest.mark.parametrize("message", ["100", "cien", "somos cien personas", "vamos a ser 20 más o menos"])
async def test_a_number_out_of_bounds_is_explained_by_them_however_it_is_said(message: str) -> None:
    assert await reply(message) == "Tiene que ser un número desde 2 hasta 12. ¿Cuántos son?"


@pytest.mark.parametrize("message", ["todavía lo estamos viendo", "un montón"])
async def test_what_is_no_number_is_explained_as_such(message: str) -> None:
    assert (await reply(message)).startswith("Necesito un número")
