"""What stands beside an answer answers what is asked next, where it tells itself; names are completed."""

import pytest

from hilo.agent.parse import parse
from hilo.testing import Conversation
from hilo.turn.run import Turn

AGENT = parse("""\
agent: ferreteria
language: es-AR
country: AR
slots:
  nombre: {type: person_name, ask: "¿A nombre de quién?"}
  dni: {type: national_id, label: DNI, ask: "¿Cuál es tu DNI?"}
  direccion: {type: address, label: dirección, ask: "¿A qué dirección?"}
  cuantos: {type: number, label: cantidad de bultos, ask: "¿Cuántos bultos son?"}
flows:
  envio:
    starts: always
    steps:
      - collect: [nombre, dni, direccion, cuantos]
      - confirm: "{nombre}, {dni}, {direccion}, {cuantos}. ¿Lo mando?"
      - say: "Mandado."
""")


async def slots_after(*said: str) -> dict[str, object]:
    talk = Conversation(Turn(AGENT))
    for line in ("hola", *said):
        await talk.say(line)
    return dict(talk.session.slots)


@pytest.mark.parametrize(
    ("said", "direccion"),
    [
        ("28456789. San Jerónimo 1210 casa", "San Jerónimo 1210 casa"),
        ("28.456.789, es para Rawson 45", "Rawson 45"),
        ("28456789 Rawson 45 piso 2", "Rawson 45 piso 2"),
        ("es 28456789, vivo en Italia 90", "Italia 90"),
    ],
)
async def test_a_street_beside_the_document_is_kept(said: str, direccion: str) -> None:
    slots = await slots_after("Elsa Roldán", said)
    assert (slots["dni"], slots["direccion"]) == ("28456789", direccion)


@pytest.mark.parametrize(
    "said",
    ["Elsa Roldán, dni 28456789, Rawson 45", "elsa roldan. 28456789. rawson 45", "Elsa Roldán 28456789 Rawson 45"],
)
async def test_all_three_in_one_message_are_kept(said: str) -> None:
    slots = await slots_after(said)
    assert str(slots["direccion"]).lower() == "rawson 45"
    assert slots["dni"] == "28456789"


@pytest.mark.parametrize(
    "said",
    [
        "28456789, somos 4",
        "28456789 y tengo 60 años",
        "28456789, fila 7",
        "28456789, ¿Rawson 45 les queda lejos?",
        "28456789 gracias",
        "28456789, apurate",
        "28456789, llamame al 4",
    ],
)
async def test_what_may_be_about_anything_is_no_answer_ahead(said: str) -> None:
    slots = await slots_after("Elsa Roldán", said)
    assert slots["dni"] == "28456789"
    assert not slots.keys() & {"direccion", "cuantos"}
    assert slots["nombre"] == "Elsa Roldán"


@pytest.mark.parametrize("said", ["Rawson 45 ya puse", "ya te puse Rawson 45", "es Rawson 45, como te dije"])
async def test_that_it_was_told_is_no_part_of_a_street(said: str) -> None:
    assert (await slots_after("Elsa Roldán", "28456789", said))["direccion"] == "Rawson 45"


@pytest.mark.parametrize(
    "said", ["Roldán", "Roldán, y vivo lejos", "el apellido es Roldán", "es roldán de apellido", "apellido Roldán"]
)
async def test_a_family_name_completes_the_name(said: str) -> None:
    assert (await slots_after("Elsa", said))["nombre"] == "Elsa Roldán"


async def test_a_family_name_beside_the_next_answer_completes_the_name() -> None:
    slots = await slots_after("Elsa", "Roldán 28456789")
    assert (slots["nombre"], slots["dni"]) == ("Elsa Roldán", "28456789")


async def test_a_family_name_told_later_by_its_name_completes_the_name() -> None:
    assert (await slots_after("Elsa", "28456789", "mi apellido es Roldán"))["nombre"] == "Elsa Roldán"


@pytest.mark.parametrize(
    "said", ["Listo", "Dale", "Perfecto", "Elsa", "no tengo", "Gracias", "Después te lo paso", "Ok"]
)
async def test_other_words_complete_no_name(said: str) -> None:
    assert (await slots_after("Elsa", said))["nombre"] == "Elsa"


async def test_a_family_name_in_small_letters_completes_the_name() -> None:
    assert (await slots_after("Elsa", "gimenez"))["nombre"] == "Elsa Gimenez"


async def test_a_full_name_is_not_completed() -> None:
    assert (await slots_after("Elsa Roldán", "Mendoza"))["nombre"] == "Elsa Roldán"
