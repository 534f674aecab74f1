"""What is surely wanted and not done here is told from what is served."""

from pathlib import Path

import pytest

from hilo.agent.parse import parse
from hilo.app import LoadedAgent, load_agent
from hilo.dialogue.commands import Digress, StartFlow, Tell
from hilo.testing.conversation import Conversation
from hilo.understanding.intents.standard import DEEDS_OF_TRADES, standard_names

AGENT = """
agent: peluqueria
language: es-AR
country: AR
slots:
  dia: {type: date, ask: "¿Qué día?"}
  servicio: {type: choice, choices: {Corte: [corte de pelo], Color: [tintura]}, ask: "¿Qué te hacés?"}
flows:
  turno:
    like: book_appointment
    starts: [quiero un turno, necesito cortarme el pelo, turno para tintura, me das un turno]
    steps: [{collect: [servicio, dia]}, {say: "Te espero el {dia}."}]
intents:
  precio: {like: ask_price, examples: [cuánto sale el corte, qué vale la tintura, cuánto cobran], answer: "$5000."}
"""


def loaded(folder: Path, more: str = "") -> LoadedAgent:
    (folder / "agent.yaml").write_text(AGENT + more, encoding="utf-8")
    return load_agent(folder)


@pytest.mark.parametrize("text", ["se me rompió la pantalla del celular", "necesito un préstamo", "¿alquilan autos?"])
async def test_what_only_other_trades_do_is_declined(tmp_path: Path, text: str) -> None:
    result = await Conversation(loaded(tmp_path)).say(text)
    assert result.trace.accepted == (Digress("not_served"),)
    assert "Eso acá no lo hacemos." in result.replies[0].text
    assert "Hablar con una persona" in [each.title for each in result.replies[0].buttons]


@pytest.mark.parametrize(
    "text", ["quiero un turno para el lunes", "¿cuánto sale la tintura?", "me quiero cortar el pelo", "hola", "gracias"]
)
async def test_what_is_served_is_never_declined(tmp_path: Path, text: str) -> None:
    result = await Conversation(loaded(tmp_path)).say(text)
    assert Digress("not_served") not in result.trace.accepted


async def test_an_agent_that_takes_whatever_comes_declines_nothing_by_itself(tmp_path: Path) -> None:
    opens = AGENT.replace(
        "starts: [quiero un turno, necesito cortarme el pelo, turno para tintura, me das un turno]", "starts: always"
    )
    (tmp_path / "agent.yaml").write_text(opens.replace("    like: book_appointment\n", ""), encoding="utf-8")
    result = await Conversation(load_agent(tmp_path)).say("necesito un préstamo")
    assert Digress("not_served") not in result.trace.accepted


async def test_an_intent_may_be_declared_as_not_served_and_is_declined_beside_what_is(tmp_path: Path) -> None:
    more = (
        "  unas: {examples: [hacen las uñas, manicura, necesito uñas esculpidas, hacen pedicura], answer: not_served}\n"
    )
    talk = Conversation(loaded(tmp_path, more))
    assert (await talk.say("¿hacen las uñas?")).trace.accepted == (Digress("not_served"),)
    both = (await talk.say("quiero un turno. ¿hacen pedicura?")).trace.accepted
    assert StartFlow("turno") in both
    assert Tell("not_served") in both


async def test_a_member_of_a_list_is_never_declined(tmp_path: Path) -> None:
    more = (
        "  otros: {examples: [tintura de telas, tiñen ropa, limpian alfombras, lavan cortinas], answer: not_served}\n"
    )
    result = await Conversation(loaded(tmp_path, more)).say("tintura")
    assert Digress("not_served") not in result.trace.accepted


def test_the_deeds_of_trades_are_standard_intents() -> None:
    assert set(standard_names()) >= DEEDS_OF_TRADES
    assert parse(AGENT, file="agent.yaml").agent == "peluqueria"
