"""Sections that may answer: the contact is asked which is meant, and nothing is said that was not."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from hilo.agent.declaration import Agent
from hilo.agent.documents import read_page
from hilo.agent.parse import parse
from hilo.dialogue.carry_over import carried_over
from hilo.dialogue.commands import Affirm, Choose, Command, Deny, OfferSections, StartFlow
from hilo.dialogue.decide import decide
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import Ask, AskMeaning, Say
from hilo.dialogue.events import MessageUnderstood
from hilo.dialogue.session import AskedMeaning, AskedSlot, Session
from hilo.dialogue.synthesis import opened
from hilo.turn.nodes import compose

NOW = datetime(2026, 3, 17, 13, tzinfo=UTC)
TEXT = """\
agent: vivero
language: es-AR
knowledge: docs/*.md
slots:
  dia: {type: date, label: día, ask: "¿Qué día venís?"}
flows:
  visita:
    description: reservar una visita
    starts: [quiero visitar el vivero]
    steps: [{collect: dia}, {say: "Te esperamos."}]
"""
PAGE = "# Visitas\n## Perros\nSe puede venir con perros.\n## Cómo llegar\n### En micro\nEl 60 para en la puerta.\n"
BOTH = ("Visitas › Perros", "Visitas › Cómo llegar › En micro")


@pytest.fixture
def agent() -> Agent:
    return replace(parse(TEXT), documents=read_page(PAGE, file="docs/visitas.md", name="visitas"))


def after(agent: Agent, *messages: Command) -> tuple[Session, Decision]:
    """Each command is a message of its own."""
    session = opened(agent, session_id="s", at=NOW)
    for command in messages:
        decision = decide(agent, session, MessageUnderstood(NOW, commands=(command,), confidence=100))
        session = decision.session
    return session, decision


def said(decision: Decision) -> str:
    quotes = [each.line for each in decision.effects if isinstance(each, Say) and each.line.template == "quoted"]
    return " ".join(line.text for line in quotes)


def test_two_sections_are_a_question_with_their_headings_as_buttons(agent: Agent) -> None:
    session, decision = after(agent, OfferSections(BOTH))
    assert isinstance(session.pending, AskedMeaning)
    [message] = compose(agent, decision)
    assert "¿Preguntás por alguno de estos temas?" in message.text
    assert [button.title for button in message.buttons] == ["Perros", "En micro", "Otra cosa"]


def test_the_one_that_is_chosen_is_quoted(agent: Agent) -> None:
    session, decision = after(agent, OfferSections(BOTH), Choose("page: Visitas › Cómo llegar › En micro"))
    assert said(decision) == "El 60 para en la puerta.\n(Visitas › Cómo llegar › En micro)"
    assert session.pending is None


@pytest.mark.parametrize(
    ("answer", "quoted"), [(Affirm(), "Se puede venir con perros.\n(Visitas › Perros)"), (Deny(), "")]
)
def test_a_single_one_is_quoted_after_a_yes_alone(agent: Agent, answer: Command, quoted: str) -> None:
    _session, decision = after(agent, OfferSections(BOTH[:1]), answer)
    assert said(decision) == quoted


def test_what_was_not_offered_is_not_quoted(agent: Agent) -> None:
    _session, decision = after(agent, OfferSections(BOTH[:1]), Choose("page: Visitas › Cómo llegar › En micro"))
    assert said(decision) == ""


def test_beside_an_open_question_sections_are_named_and_it_is_asked_again(agent: Agent) -> None:
    session, decision = after(agent, StartFlow("visita"), OfferSections(BOTH))
    assert session.pending == AskedSlot("dia")
    assert not any(isinstance(each, AskMeaning) for each in decision.effects)
    assert any(isinstance(each, Ask) for each in decision.effects)
    assert "Si preguntás por Perros, En micro, decime y te cuento." in compose(agent, decision)[0].text


def test_an_edited_agent_goes_on_with_the_offer_only_if_it_still_has_the_sections(agent: Agent) -> None:
    session, _decision = after(agent, OfferSections(BOTH))
    assert isinstance(carried_over(session, agent).pending, AskedMeaning)
    assert carried_over(session, replace(agent, documents=agent.documents[:1])).pending is None
