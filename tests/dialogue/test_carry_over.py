"""A session goes on with an edited agent: what it knows stays, and nothing breaks whatever was edited."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hilo.agent.declaration import Agent
from hilo.app import LoadedAgent, load_agent
from hilo.dialogue.carry_over import carried_over
from hilo.dialogue.session import AskedSlot, AskedYes, Session, from_json, to_json
from hilo.testing import Conversation

ROOT = Path(__file__).parents[2]
AGENTS = ("leads", "vuelos", "kiosco", "somnio", "turnos", "asistente")
CLINIC = """
agent: clinica
language: es-AR
country: AR
slots:
  nombre: {type: person_name, ask: "¿Cómo te llamás?"}
  dia: {type: date, label: día, ask: "¿Para qué día?"}
  telefono: {type: phone, label: teléfono, ask: "¿A qué número?"}
flows:
  turno:
    starts: always
    steps:
      - collect: [nombre, dia, telefono]
      - confirm: "Turno para {nombre} el {dia}, aviso al {telefono}. ¿Va?"
      - say: "¡Listo, {nombre}! Te esperamos el {dia}."
"""


@cache
def shipped(name: str) -> LoadedAgent:
    return load_agent(ROOT / "agents" / name)


@cache
def lines(name: str) -> tuple[str, ...]:
    """What contacts write in an agent's conversations."""
    files = sorted((ROOT / "agents" / name / "conversations").glob("*.yaml"))
    texts = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return tuple(re.findall(r'^ *- contact: "([^"]+)"$', texts, re.MULTILINE))


def clinic(folder: Path, *edits: tuple[str, str]) -> LoadedAgent:
    text = CLINIC
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    folder.mkdir(exist_ok=True)
    (folder / "agent.yaml").write_text(text, encoding="utf-8")
    return load_agent(folder)


async def go_on(talk: Conversation, edited: LoadedAgent, text: str) -> str:
    """What the edited agent answers."""
    talk.session, talk.turn = carried_over(talk.session, edited.agent), edited.turn
    return " ".join(reply.text for reply in (await talk.say(text)).replies)


async def test_what_is_known_stays_and_the_open_question_is_answered(tmp_path: Path) -> None:
    talk = Conversation(clinic(tmp_path / "a"))
    await talk.say("soy Ana Ruiz, para el 20 de marzo de 2027")
    edited = clinic(tmp_path / "b", ("¿Va?", "¿Está bien?"), ("Turno para", "Tu turno,"))
    assert await go_on(talk, edited, "11 5555 1234") == (
        "Tu turno, Ana Ruiz el 20 de marzo de 2027, aviso al +541155551234. ¿Está bien?"
    )
    assert talk.session.agent_version == edited.agent.version


async def test_a_slot_that_was_added_is_asked_for(tmp_path: Path) -> None:
    talk = Conversation(clinic(tmp_path / "a"))
    await talk.say("soy Ana Ruiz, para el 20 de marzo de 2027")
    more = '  obra: {ask: "¿Qué obra social tenés?"}\nflows:'
    edited = clinic(tmp_path / "b", ("flows:", more), ("telefono]", "telefono, obra]"))
    assert await go_on(talk, edited, "11 5555 1234") == "¿Qué obra social tenés?"


async def test_a_value_of_another_type_is_asked_for_again(tmp_path: Path) -> None:
    talk = Conversation(clinic(tmp_path / "a"))
    await talk.say("soy Ana Ruiz, para el 20 de marzo de 2027")
    edited = clinic(tmp_path / "b", ("type: date, label: día", "type: number, label: días"))
    assert await go_on(talk, edited, "11 5555 1234") == "¿Para qué día?"
    assert set(talk.session.slots) == {"nombre", "telefono"}


async def test_a_yes_that_was_not_said_to_the_new_words_is_asked_for_again(tmp_path: Path) -> None:
    talk = Conversation(clinic(tmp_path / "a"))
    await talk.say("soy Ana Ruiz, para el 20 de marzo de 2027")
    await talk.say("11 5555 1234")
    assert isinstance(talk.session.pending, AskedYes)
    edited = clinic(tmp_path / "b", ("¿Va?", "Cuesta $ 900. ¿Va?"))
    assert "Cuesta $ 900" in await go_on(talk, edited, "sí")


@pytest.mark.parametrize("gone", ['confirm: "Turno para {nombre} el {dia}, aviso al {telefono}. ¿Va?"\n      - '])
async def test_a_step_that_is_gone_is_not_waited_for(tmp_path: Path, gone: str) -> None:
    talk = Conversation(clinic(tmp_path / "a"))
    await talk.say("soy Ana Ruiz, para el 20 de marzo de 2027")
    await talk.say("11 5555 1234")
    assert "Te esperamos el 20 de marzo de 2027" in await go_on(talk, clinic(tmp_path / "b", (gone, "")), "sí")


async def test_a_question_about_a_slot_that_is_gone_is_dropped(tmp_path: Path) -> None:
    talk = Conversation(clinic(tmp_path / "a"))
    await talk.say("hola, soy Ana Ruiz")
    assert talk.session.pending == AskedSlot("dia")
    edited = clinic(
        tmp_path / "b", ('  dia: {type: date, label: día, ask: "¿Para qué día?"}\n', ""),
        ("nombre, dia, telefono", "nombre, telefono"), (" el {dia}, aviso", ", aviso"), (" Te esperamos el {dia}.", ""),
    )  # fmt: skip
    assert "¿A qué número?" in await go_on(talk, edited, "el lunes")


@pytest.mark.parametrize("name", AGENTS)
async def test_the_same_agent_goes_on_with_the_same_session(name: str) -> None:
    talk = Conversation(shipped(name))
    for text in lines(name)[:12]:
        await talk.say(text)
        carried = carried_over(talk.session, talk.agent)
        frames = tuple(replace(frame, yes=None) for frame in talk.session.stack)
        pending = None if isinstance(talk.session.pending, AskedYes) else talk.session.pending
        assert carried == replace(talk.session, reworded={}, stack=frames, pending=pending)


def of(agent: Agent, session: Session) -> Session:
    """As if it had been a session of that name: the hardest edit is to write the whole file anew."""
    return replace(session, agent=agent.agent)


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(AGENTS), st.sampled_from(AGENTS), st.integers(0, 10**6), st.integers(1, 6), st.integers(0, 10**6)
)
async def test_nothing_breaks_whatever_the_agent_has_become(
    name: str, other: str, start: int, turns: int, then: int
) -> None:
    talk, edited = Conversation(shipped(name)), shipped(other)
    before, after = lines(name), lines(other)
    for place in range(turns):
        await talk.say(before[(start + place) % len(before)])
    next_talk = Conversation(edited, clock=talk.clock)
    next_talk.session = carried_over(of(edited.agent, talk.session), edited.agent)
    assert from_json(to_json(next_talk.session)) == next_talk.session
    holds = next_talk.session.agent_holds
    for place in range(3):
        result = await next_talk.say((*after, *before)[(then + place) % (len(after) + len(before))])
        assert result.replies or not holds or not next_talk.session.agent_holds
