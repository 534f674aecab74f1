"""Intents in a turn: flows that start by examples, questions that are answered, both in one message."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hilo.app import load_agent
from hilo.dialogue.commands import Digress
from hilo.dialogue.escalation import Signals, check_policies
from hilo.dialogue.session import Counters
from hilo.testing import Conversation
from hilo.understanding.parts import clauses

CLINIC = """\
agent: turnos
language: es-AR
country: AR
slots:
  dia: {type: date, label: día, ask: "¿Para qué día?"}
  quien: {type: person_name, label: nombre, ask: "¿A nombre de quién?"}
flows:
  turno:
    starts: [quiero sacar un turno, "necesito un turno para {dia}", reservar un turno, me das un turno, hay turnos]
    steps:
      - collect: [dia, quien]
      - confirm: "Turno el {dia} para {quien}. ¿Va?"
      - say: "¡Listo!"
intents:
  horario: {examples: [a qué hora abren, hasta qué hora están, horarios, cuándo atienden], answer: horario}
  precio: {examples: [cuánto sale, qué precio tiene, cuánto cobran la consulta, valores de la consulta], answer: precio}
  pedido: {examples: [quiero hacer un pedido, mandame un pedido, anotá un pedido], answer: precio, topic: order}
templates:
  horario: Atendemos de 9 a 18.
  precio: Sale $15.000.
escalation:
  - sentiment: {below: -0.6}
"""


@pytest.fixture
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Conversation:
    monkeypatch.setenv("HILO_CACHE", str(tmp_path / "cache"))
    (tmp_path / "agent.yaml").write_text(CLINIC, encoding="utf-8")
    return Conversation(load_agent(tmp_path))


async def test_a_flow_starts_when_its_examples_fit_and_takes_the_values(clinic: Conversation) -> None:
    result = await clinic.say("me das un turno para el 20 de marzo?")
    assert result.session.slots == {"dia": "2026-03-20"}
    assert result.replies[0].text.endswith("¿A nombre de quién?")
    assert result.trace.understanding.topic == "order"


async def test_a_question_in_the_middle_is_answered_and_the_thread_kept(clinic: Conversation) -> None:
    await clinic.say("quiero sacar un turno")
    result = await clinic.say("¿hasta qué hora atienden?")
    assert result.replies[0].text == "Atendemos de 9 a 18.\n\n¿Para qué día?"
    assert result.trace.understanding.topic == "info"


async def test_a_mixed_message_does_both(clinic: Conversation) -> None:
    result = await clinic.say("quiero un turno para el 20 de marzo, ¿y hasta qué hora atienden?")
    assert result.trace.understanding.topic == "mixed"
    assert "Atendemos de 9 a 18." in result.replies[0].text
    assert result.session.slots == {"dia": "2026-03-20"}


async def test_what_the_agent_does_not_know_is_off_topic(clinic: Conversation) -> None:
    await clinic.say("quiero sacar un turno")
    result = await clinic.say("¿quién ganó el partido de fútbol?")
    assert result.trace.accepted == (Digress("off_topic"),)


async def test_what_was_meant_is_remembered(clinic: Conversation) -> None:
    await clinic.say("hay turnos?")
    await clinic.say("cuánto sale la consulta?")
    assert [seen.intent for seen in clinic.session.intents_seen] == ["turno", "precio"]


def test_a_trained_model_is_kept_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HILO_CACHE", str(tmp_path / "cache"))
    (tmp_path / "agent.yaml").write_text(CLINIC, encoding="utf-8")
    first = load_agent(tmp_path).turn.intents
    (kept,) = (tmp_path / "cache" / "intents").iterdir()
    again = load_agent(tmp_path).turn.intents
    assert first is not None
    assert again is not None
    assert first.rank("a qué hora abren mañana") == again.rank("a qué hora abren mañana")
    kept.write_bytes(b"rubbish")
    assert load_agent(tmp_path).turn.intents is not None


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("agregá una sprite, ¿y hasta qué hora están?", ("agregá una sprite", "y hasta qué hora están")),
        ("2 cocas y una fanta. ¿Hacen envíos?", ("2 cocas y una fanta", "Hacen envíos")),
        ("quiero 2 cocas ¿tienen delivery?", ("quiero 2 cocas", "tienen delivery")),
        ("hola, quiero 2 cocas", ("hola, quiero 2 cocas",)),
        ("", ()),
    ],
)
def test_a_message_has_clauses(text: str, parts: tuple[str, ...]) -> None:
    assert tuple(text[start:end].strip(" ,¿¡") for start, end in clauses(text)) == parts


def test_an_unhappy_contact_who_gets_nowhere_is_frustrated(clinic: Conversation) -> None:
    mild = Signals(at=datetime(2026, 3, 2, tzinfo=UTC), sentiment=-0.3, sentiment_causes=("complaint",))
    assert check_policies(clinic.agent, clinic.session, mild) is None
    stuck = replace(clinic.session, counters=Counters(without_progress=3))
    escalation = check_policies(clinic.agent, stuck, mild)
    assert escalation is not None
    assert escalation.policy == "sentiment"
