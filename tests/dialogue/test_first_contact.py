"""The business writes first: what is said, what waits, and what the first answer leads to."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hilo.agent.parse import parse
from hilo.dialogue.campaigns import why_busy
from hilo.dialogue.decide import decide
from hilo.dialogue.effects import HandOff, Say
from hilo.dialogue.events import CampaignReached, OperatorTookOver, SendFailed
from hilo.dialogue.session import Session, from_json, to_json
from hilo.dialogue.synthesis import opened
from hilo.testing.conversation import Conversation
from hilo.turn.run import Turn

AGENT = """
agent: clinica
language: es-AR
country: AR
slots:
  nombre: {type: person_name, ask: "¿Cómo te llamás?"}
  dia: {type: date, ask: "¿Para qué día?"}
  quiere: {type: boolean, ask: "¿Querés un turno?"}
templates:
  control: {text: "Hola {nombre}, ¿qué día te queda bien?", wa_template: control}
  oferta: {text: "Hola {nombre}, hay lugar.", wa_template: oferta}
  pregunta: {text: "Hola {nombre}, ¿querés un turno?", wa_template: pregunta}
campaigns:
  control: {template: control, flow: turno, asks: dia}
  oferta: {template: oferta, flow: turno}
  pregunta: {template: pregunta, flow: quiza, asks: quiere}
flows:
  turno:
    starts: always
    steps:
      - collect: [nombre, dia]
      - say: "Te esperamos el {dia}."
  quiza:
    steps:
      - collect: quiere
      - branch: {quiere: pedir, else: nada}
      - name: pedir
        say: "Te llamamos."
      - end: bien
      - name: nada
        say: "Otra vez será."
escalation:
  - timeout: 30m
  - keyword: [humano]
timers:
  sigue: {after: 10m of silence, say: "¿Seguís ahí?"}
"""
NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
AGENT_READ = parse(AGENT)
ANA = {"nombre": "Ana Ruiz"}


def reached(campaign: str = "control", **values: Any) -> CampaignReached:
    return CampaignReached(NOW, campaign, values or ANA, "7")


def fresh() -> Session:
    return opened(AGENT_READ, session_id="s", at=NOW)


def talk() -> Conversation:
    return Conversation(Turn(AGENT_READ))


def test_the_template_is_said_and_its_slot_is_asked_for() -> None:
    decision = decide(AGENT_READ, fresh(), reached())
    [asked] = [each for each in decision.effects if hasattr(each, "line")]
    assert asked.line.text == "Hola Ana Ruiz, ¿qué día te queda bien?"
    assert asked.line.values == ("Ana Ruiz",)
    assert decision.session.slots == ANA
    assert [frame.flow for frame in decision.session.stack] == ["turno"]
    assert from_json(to_json(decision.session)) == decision.session


async def test_nothing_happens_by_itself_before_the_answer() -> None:
    conversation = talk()
    await conversation.campaign("control", ANA)
    assert conversation.timers == {}
    assert await conversation.wait(timedelta(days=3)) == ()
    await conversation.say("mañana")
    assert conversation.session.finished == ("turno",)


async def test_an_answer_is_not_greeted_and_time_counts_from_it() -> None:
    conversation = talk()
    await conversation.campaign("oferta", ANA)
    result = await conversation.say("¿qué lugar?")
    assert "¡Hola" not in result.replies[0].text
    assert "escalation.timeout" in conversation.timers


@pytest.mark.parametrize("campaign", ["control", "oferta"])
@pytest.mark.parametrize("no", ["no", "no, gracias", "no me interesa"])
async def test_a_bare_no_ends_it(campaign: str, no: str) -> None:
    conversation = talk()
    await conversation.campaign(campaign, ANA)
    await conversation.say(no)
    assert conversation.session.stack == ()
    assert conversation.session.pending is None
    assert "escalation.timeout" not in conversation.timers


@pytest.mark.parametrize("campaign", ["control", "oferta"])
async def test_a_bare_yes_leads_to_the_question_of_the_flow(campaign: str) -> None:
    conversation = talk()
    await conversation.campaign(campaign, ANA)
    result = await conversation.say("sí, dale")
    assert [each.text for each in result.replies] == ["¿Para qué día?"]


@pytest.mark.parametrize(("said", "reply"), [("sí", "Te llamamos."), ("no", "Otra vez será.")])
async def test_a_slot_of_yes_and_no_takes_the_answer_itself(said: str, reply: str) -> None:
    conversation = talk()
    await conversation.campaign("pregunta", ANA)
    result = await conversation.say(said)
    assert reply in result.replies[0].text


@pytest.mark.parametrize("word", ["BAJA", "stop", "No me escriban más, por favor", "quiero darme de baja"])
async def test_who_opts_out_is_told_so_and_nothing_else_happens(word: str) -> None:
    conversation = talk()
    await conversation.campaign("control", ANA)
    result = await conversation.say(word)
    assert "no te escribimos más" in result.replies[0].text
    assert conversation.session.stack == ()
    back = await conversation.say("alta")
    assert "volvemos a escribirte" in back.replies[0].text


async def test_baja_is_a_word_like_any_other_in_the_middle_of_what_the_contact_began() -> None:
    conversation = talk()
    await conversation.say("quiero un turno")
    result = await conversation.say("baja")
    assert "no te escribimos más" not in result.replies[0].text


async def test_who_has_opted_out_may_come_back_weeks_later() -> None:
    conversation = talk()
    await conversation.campaign("control", ANA)
    await conversation.say("BAJA")
    await conversation.wait(timedelta(days=30))
    result = await conversation.say("ALTA")
    assert "volvemos a escribirte" in result.replies[0].text


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (reached("nada"), "the agent has no campaign nada"),
        (reached(nombre="12345"), "nombre does not take what the list gives"),
        (reached(apodo="Anita"), "apodo does not take what the list gives"),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(event: CampaignReached, why: str) -> None:
    session = fresh()
    decision = decide(AGENT_READ, session, event)
    assert [each.reason for each in decision.refused] == [why]
    assert decision.effects == ()
    assert decision.session.stack == session.stack


async def test_nobody_breaks_into_a_conversation() -> None:
    conversation = talk()
    await conversation.say("hola")
    result = await conversation.campaign("control", ANA)
    assert result.replies == ()
    assert [each.reason for each in result.decision.refused] == ["the contact is in the middle of something"]
    with_operator = decide(AGENT_READ, fresh(), OperatorTookOver(NOW, "olga")).session
    assert why_busy(with_operator, now=NOW) == "an operator has the conversation"


async def test_a_second_campaign_waits_for_a_day() -> None:
    conversation = talk()
    await conversation.campaign("control", ANA)
    result = await conversation.campaign("oferta", ANA)
    assert [each.reason for each in result.decision.refused] == ["a campaign wrote to them less than a day ago"]
    await conversation.wait(timedelta(hours=25))
    again = await conversation.campaign("oferta", ANA)
    assert again.replies[0].text == "Hola Ana Ruiz, hay lugar."


async def test_a_week_later_the_flow_has_gone() -> None:
    conversation = talk()
    await conversation.campaign("control", ANA)
    await conversation.wait(timedelta(days=8))
    result = await conversation.say("hola")
    assert "¡Hola" in result.replies[0].text


def test_a_number_that_cannot_be_reached_calls_nobody_before_it_has_answered() -> None:
    begun = decide(AGENT_READ, fresh(), reached()).session
    failed = decide(AGENT_READ, begun, SendFailed(NOW, "m", "no such number"))
    assert not [each for each in failed.effects if isinstance(each, HandOff | Say)]
    assert failed.session.agent_holds
