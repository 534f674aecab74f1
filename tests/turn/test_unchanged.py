"""What is said at a summary beside a yes, and changes nothing: nothing is left by it, and no yes is made of it."""

import pytest

from hilo.agent.parse import parse
from hilo.testing import Conversation
from hilo.tools.tool import tool
from hilo.turn.run import Turn
from hilo.understanding.intents.encoder import load_encoder
from hilo.understanding.intents.model import train
from hilo.understanding.reading import intent_examples

TEXT = """\
agent: taller
language: es-AR
country: AR
slots:
  quien: {type: choice, choices: {Don Lino: [lino, el señor lino], Marga: [la marga]}, ask: "¿Con quién?"}
  dia: {type: date, label: día, ask: "¿Qué día?"}
  hora: {type: time, label: hora, ask: "¿A qué hora?"}
  nombre: {type: person_name, label: nombre, ask: "¿A nombre de quién?"}
  nota: {type: note}
flows:
  turno:
    description: sacar un turno
    starts: [quiero un turno, necesito llevar el auto]
    steps:
      - collect: [quien, dia, hora, nombre, nota]
      - confirm: "Turno con {quien}, el {dia} a las {hora}, a nombre de {nombre}. {nota} ¿Lo reservo?"
      - say: "Reservado."
  pasar:
    description: cambiar el turno
    starts: [quiero cambiar el turno, pasame el turno a otro día]
    steps:
      - collect: [dia, hora]
      - confirm: "Cambio tu turno para el {dia} a las {hora}. ¿Va?"
      - say: "Cambiado."
intents:
  llevar: {examples: [qué tengo que llevar, hay que llevar la cédula, llevo los papeles], do: papers}
tools:
  says: {papers: "Traé la cédula del auto."}
"""
SAID = ("quiero un turno", "con Lino", "el 20 de marzo de 2026", "a las 10", "Nora Paz")


@tool
def papers() -> dict[str, str]:
    """What to bring."""
    return {"what": "papers"}


@pytest.fixture(scope="module")
def garage() -> Turn:
    agent = parse(TEXT, toolbox={"papers": papers.spec})
    return Turn(agent, intents=train(intent_examples(agent), encoder=load_encoder()), tools={"papers": papers})


async def answered(garage: Turn, *lines: str, said: tuple[str, ...] = SAID) -> Conversation:
    talk = Conversation(garage)
    for line in (*said, *lines):
        await talk.say(line)
    return talk


@pytest.mark.parametrize(
    "yes",
    [
        "no quiero tocar nada, reservalo",
        "no hace falta modificar nada!! reservá",
        "no tengo nada que corregir. confirmo",
        "que sea con lino igual, confirmo",
        "sí, con don Lino, a las 10",
        "sí con lino a las 10",
        "el 20 de marzo está perfecto, dale",
        "dale, a nombre de nora paz",
        "ahí sí. confirmo",
        "reservalo igual",
        "igual reservámelo",
        "sí mi amor, y que me guarden un lugar techado",
        "dale reina, reservalo",
        "con lino si, dale",
        "está todo bien así, no toques nada",
    ],
)
async def test_a_yes_beside_what_changes_nothing_is_one(garage: Turn, yes: str) -> None:
    assert (await answered(garage, yes)).replies[-1].text.endswith("Reservado.")


@pytest.mark.parametrize(
    "doubtful",
    [
        "no quiero cambiar nada, dejalo así",
        "no quiero cambiar nada",
        "no quiero tocar nada todavía",
        "no modifiques nada, mañana te digo",
        "no quiero corregir nada, pero no lo reserves",
        "si es con lino, confirmo",
        "si el 20 está bien, confirmo",
        "con lino",
        "con lino a las 10 no puedo",
        "con Marga, confirmo",
        "sí, con lino, a las 11",
        "a las 10 ya no",
        "sí pero con lino",
        "sí, pero más barato",
        "sí con lino, pero más temprano",
        "¿con lino?",
        "¿con lino a las 10, sí?",
        "me da igual",
        "igual no sé",
        "reservalo igual que la otra vez",
        "a ver",
        "mostrame el turno",
        "no, solo preguntaba",
        "no, pregunto si hay que llevar la cédula",
    ],
)
async def test_no_yes_is_made_of_what_changes_nothing(garage: Turn, doubtful: str) -> None:
    talk = await answered(garage, doubtful)
    assert "Reservado." not in [each.text for each in talk.replies]
    assert talk.session.stack, "nothing was left, either"


@pytest.mark.parametrize(
    "said",
    [
        "no quiero cambiar nada, dejalo así",
        "no modifico nada",
        "no, solo estaba preguntando",
        "no, pregunto nomás",
        "mmm no, era una pregunta",
        "uf, cuántas vueltas",
        "con lino",
        "a ver, mostrame",
        "¿me lo mostrás de nuevo?",
        "¿cómo quedó el turno?",
    ],
)
async def test_the_summary_is_shown_again_and_nothing_asked_to_be_changed(garage: Turn, said: str) -> None:
    reply = (await answered(garage, said)).replies[-1].text
    assert reply.endswith("¿Lo reservo?")
    assert "no te entendí" not in reply


async def test_who_only_asks_gets_the_answer_and_the_summary(garage: Turn) -> None:
    talk = await answered(garage, "no, pregunto si hay que llevar la cédula")
    assert "Traé la cédula" in talk.replies[-1].text or "Traé la cédula" in talk.replies[-2].text
    assert talk.replies[-1].text.endswith("¿Lo reservo?")


@pytest.mark.parametrize(
    "said", ["no quiero corregir nada!! reservalo", "nada, dejalo así", "confirmo", "ninguno", "con lino, dale"]
)
async def test_who_changes_nothing_after_all_sees_the_summary_again(garage: Turn, said: str) -> None:
    talk = await answered(garage, "no", said)
    assert talk.replies[-1].text.endswith("¿Lo reservo?")
    assert talk.session.slots["hora"] == "10:00"


@pytest.mark.parametrize("said", ["no quiero cambiar nada, cancelalo", "no quiero nada"])
async def test_who_wants_nothing_of_it_leaves_it(garage: Turn, said: str) -> None:
    assert not (await answered(garage, said)).session.stack


async def test_to_change_nothing_denies_a_change(garage: Turn) -> None:
    talk = await answered(garage, "no quiero cambiar nada, ok", said=("quiero cambiar el turno", "el 20", "a las 10"))
    assert "Cambiado." not in [each.text for each in talk.replies]


async def test_a_value_beside_what_is_said_again_is_heard(garage: Turn) -> None:
    talk = await answered(garage, "sí, con lino, el 22 de marzo de 2026")
    assert "el 22 de marzo de 2026 a las 10:00" in talk.replies[-1].text
    assert talk.replies[-1].text.endswith("¿Lo reservo?")
