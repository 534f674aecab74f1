"""What is wished besides is told from what answers, orders or asks, and is kept in the contact's words."""

import hashlib
from pathlib import Path

import pytest

from hilo.app import LoadedAgent, load_agent
from hilo.dialogue.commands import RequestHuman, SetSlot, TakeNote
from hilo.testing.conversation import Conversation
from hilo.understanding.notes import SURELY_NOTED, chance_of_note

ROOT = Path(__file__).parents[2]
AGENT = """
agent: rotiseria
language: es-AR
country: AR
slots:
  nombre: {type: person_name, ask: "¿A nombre de quién?"}
  direccion: {type: address, label: dirección, ask: "¿A dónde lo mandamos?"}
  local: {type: text, required: false, ask: "¿De qué empresa?"}
  notas: {type: note}
flows:
  pedir:
    starts: [quiero hacer un pedido, para hacer un pedido, quiero pedir comida, les hago un pedido]
    steps:
      - collect: [nombre, direccion, local, notas]
      - confirm: "Va a {direccion}, a nombre de {nombre}. {notas} ¿Lo mando?"
      - say: "¡Listo!"
escalation: [{llm_intent: wants_human}]
"""


@pytest.fixture
def shop(tmp_path: Path) -> LoadedAgent:
    (tmp_path / "agent.yaml").write_text(AGENT, encoding="utf-8")
    return load_agent(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "si no respondo, déjenlo en la garita de la entrada", "golpeen la ventana que el timbre no suena",
        "no me pongan bolsa de plástico", "necesito que sea antes del feriado", "que venga bien caliente",
        "prefiero que me escriban al mediodía",
    ],
)  # fmt: skip
def test_instructions_are_notes(text: str) -> None:
    assert chance_of_note(text) >= SURELY_NOTED


@pytest.mark.parametrize(
    "text",
    ["Marta Díaz", "el lunes a las 9", "qué tienen para picar", "quiero hablar con una persona", "seis empanadas",
     "sí, dale", "no, gracias", "Belgrano 1250", "está muy caro", "mañana te confirmo"],
)  # fmt: skip
def test_answers_orders_and_questions_are_none(text: str) -> None:
    assert chance_of_note(text) < SURELY_NOTED


def test_the_weights_were_made_of_these_notes() -> None:
    made = hashlib.sha256()
    for name in ("corpus/notes.tsv", "tools/train_notes.py"):
        made.update((ROOT / name).read_bytes())
    kept = (ROOT / "src/hilo/understanding/trained/weights/notes_made_of.txt").read_text(encoding="utf-8").strip()
    assert kept == made.hexdigest(), "run python tools/train_notes.py"


async def test_a_note_beside_an_answer_leaves_the_answer(shop: LoadedAgent) -> None:
    talk = Conversation(shop)
    await talk.say("quiero hacer un pedido")
    result = await talk.say("Marta Díaz, y que venga bien caliente")
    assert result.trace.accepted == (SetSlot("nombre", "Marta Díaz"), TakeNote("notas", "que venga bien caliente"))
    assert talk.session.slots["notas"] == "que venga bien caliente"


async def test_notes_are_added_up_shown_and_asked_about_again(shop: LoadedAgent) -> None:
    talk = Conversation(shop)
    for text in ("quiero hacer un pedido", "Marta Díaz", "Belgrano 1250, golpeen la ventana que el timbre no suena"):
        await talk.say(text)
    shown = await talk.say("no tengo empresa")
    assert "Nota: golpeen la ventana que el timbre no suena." in shown.replies[0].text
    again = await talk.say("sí, y que lo traigan pasadas las nueve")
    assert "¿Lo mando?" in again.replies[0].text  # a yes to what was shown is none to what was added
    assert talk.session.slots["notas"] == "golpeen la ventana que el timbre no suena; que lo traigan pasadas las nueve"
    assert "¡Listo!" in (await talk.say("sí")).replies[0].text


async def test_how_somebody_wants_to_be_written_to_calls_nobody(shop: LoadedAgent) -> None:
    talk = Conversation(shop)
    await talk.say("quiero hacer un pedido")
    result = await talk.say("prefiero que me escriban al mediodía")
    assert RequestHuman() not in result.trace.accepted
    assert talk.session.slots["notas"] == "prefiero que me escriban al mediodía"


async def test_what_is_told_instead_of_an_answer_is_no_answer(shop: LoadedAgent) -> None:
    talk = Conversation(shop)
    for text in ("quiero hacer un pedido", "Marta Díaz", "Belgrano 1250"):
        await talk.say(text)
    await talk.say("no tengo empresa, cocino para la parroquia")
    assert "local" not in talk.session.slots
    assert talk.session.slots["notas"] == "cocino para la parroquia"


async def test_without_a_flow_that_takes_notes_nothing_is_noted(shop: LoadedAgent) -> None:
    talk = Conversation(shop)
    result = await talk.say("que venga bien caliente")
    assert not [each for each in result.trace.accepted if isinstance(each, TakeNote)]


@pytest.mark.parametrize("told", ["mi tel es 11 4444 5555", "mi mail es ana@gmail.com"])
async def test_how_to_reach_somebody_is_kept_where_no_slot_takes_it(shop: LoadedAgent, told: str) -> None:
    talk = Conversation(shop)
    await talk.say("quiero hacer un pedido")
    turn = await talk.say(told)
    assert talk.session.slots["notas"] == told
    assert turn.replies[-1].text.endswith("?")


async def test_a_number_that_a_slot_takes_is_no_note(tmp_path: Path) -> None:
    with_phone = AGENT.replace("slots:\n", 'slots:\n  telefono: {type: phone, ask: "¿Tu teléfono?"}\n')
    (tmp_path / "agent.yaml").write_text(with_phone.replace("[nombre,", "[telefono, nombre,"), encoding="utf-8")
    talk = Conversation(load_agent(tmp_path))
    await talk.say("quiero hacer un pedido")
    await talk.say("mi tel es 11 4444 5555")
    assert talk.session.slots == {"telefono": "+541144445555"}
