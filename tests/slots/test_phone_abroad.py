"""A phone of another country, where the message says which: it does not get the code of the agent's."""

import pytest

from hilo.agent.parse import parse
from hilo.testing import Conversation
from hilo.turn.run import Turn

SHOP = """
agent: tienda
language: es
country: CO
timezone: America/Bogota
slots:
  telefono: {type: phone, label: teléfono, ask: "¿Tu teléfono?"}
  nombre: {type: person_name, ask: "¿Tu nombre?"}
flows:
  datos: {starts: always, steps: [{collect: [telefono, nombre]}, {say: Listo}]}
"""


async def phone_after(*messages: str) -> str:
    talk = Conversation(Turn(parse(SHOP)))
    for message in ("hola", *messages):
        await talk.say(message)
    return str(talk.session.slots.get("telefono", ""))


@pytest.mark.parametrize(
    ("message", "stored"),
    [
        ("351 555 0142", "+573515550142"),
        ("351 555 0142, es de Argentina", "+543515550142"),
        ("351 555 0142, y vivo en México", "+523515550142"),
        ("300 555 0142, vivo en la calle México 20", "+573005550142"),  # a street is no country
    ],
)
async def test_the_country_that_is_said_gives_a_number_its_code(message: str, stored: str) -> None:
    assert await phone_after(message) == stored


async def test_a_number_of_our_country_is_put_right_by_the_name_of_another() -> None:
    assert await phone_after("351 555 0142", "el teléfono es de Argentina") == "+543515550142"


@pytest.mark.parametrize(
    ("own", "message", "stored"),
    [
        ("+5493514440000", "351 622 8841", "+543516228841"),
        ("+5493514440000", "310 622 8841", "+573106228841"),  # no number of theirs, and one of the agent's country
        ("+573104440000", "351 622 8841", "+573516228841"),
        ("", "351 622 8841", "+573516228841"),
    ],
)
async def test_a_number_without_its_code_is_of_the_country_that_the_contact_writes_from(
    own: str, message: str, stored: str
) -> None:
    talk = Conversation(Turn(parse(SHOP)), phone=own)
    await talk.say("hola")
    await talk.say(message)
    assert talk.session.slots["telefono"] == stored
