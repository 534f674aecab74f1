"""Notes that are taken back, all of them or the one that is meant."""

import pytest

from hilo.agent.parse import parse
from hilo.dialogue.commands import DropNote
from hilo.testing import Conversation
from hilo.turn.run import Turn

AGENT = parse("""\
agent: tienda
language: es-AR
country: AR
slots:
  nombre: {type: person_name, ask: "¿A nombre de quién?"}
  direccion: {type: address, label: dirección, ask: "¿A qué dirección?"}
  notas: {type: note}
flows:
  envio:
    starts: always
    steps:
      - collect: [nombre, direccion, notas]
      - confirm: "A nombre de {nombre}, a {direccion}. {notas} ¿Lo mando?"
      - say: "Mandado."
""")
RING, DOG = "que no toquen el timbre", "que tengan cuidado con el perro"


async def told(*said: str) -> Conversation:
    talk = Conversation(Turn(AGENT))
    for line in ("hola", "Nora Paz", "Mitre 450", RING, DOG, *said):
        await talk.say(line)
    return talk


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("borrá esa nota", RING),
        ("eso no lo anotes", RING),
        ("no era para anotar", RING),
        ("¿para qué anotás eso?", RING),
        ("lo del timbre no va", DOG),
        ("no, lo del timbre ya no", DOG),
        ("sacá lo del perro", RING),
        ("quitá la nota del timbre", DOG),
    ],
)
async def test_the_note_that_is_meant_is_taken_back(said: str, left: str) -> None:
    talk = await told(said)
    assert talk.session.slots["notas"] == left
    assert talk.replies[-1].text.endswith("¿Lo mando?"), "and the summary is shown without it"


@pytest.mark.parametrize("said", ["borrá las notas", "sin notas por favor", "la nota no va"])
async def test_all_notes_are_taken_back(said: str) -> None:
    assert "notas" not in (await told(said)).session.slots


async def test_a_note_is_changed() -> None:
    slots = (await told("cambiá la nota: que golpeen fuerte")).session.slots
    assert slots["notas"] == "que golpeen fuerte"


@pytest.mark.parametrize(
    "said", ["¿anotaste lo del timbre?", "no", "lo del perro es en serio", "¿sacaste la nota?", "nota bene"]
)
async def test_what_takes_nothing_back_leaves_the_notes(said: str) -> None:
    talk = await told(said)
    assert str(talk.session.slots["notas"]).startswith(f"{RING}; {DOG}")


async def test_what_was_never_noted_is_not_taken_for_the_order() -> None:
    talk = await told("borrá lo del vuelto")
    assert talk.session.stack
    assert talk.session.slots["notas"] == f"{RING}; {DOG}"
    assert "no me quedó anotado" in talk.replies[-1].text


async def test_a_note_that_nobody_took_is_not_dropped() -> None:
    talk = Conversation(Turn(AGENT))
    for line in ("hola", "Nora Paz", "Mitre 450", "borrá la nota"):
        result = await talk.say(line)
    assert not any(isinstance(each, DropNote) for each in result.trace.accepted)
    assert "Mandado." not in talk.replies[-1].text
