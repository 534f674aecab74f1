"""What one session of a contact leaves to the next."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from hilo.agent.declaration import Agent
from hilo.agent.parse import parse
from hilo.dialogue.commands import Affirm, AskInfo, Command, Digress, RequestHuman, SetSlot
from hilo.dialogue.decide import decide
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import Ask, AskYes, Say
from hilo.dialogue.events import MessageUnderstood, TimerFired
from hilo.dialogue.session import LeftOpen, Session, Synthesis, from_json, to_json
from hilo.dialogue.synthesis import opened, synthesise

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
NEXT_DAY = NOW + timedelta(days=1)
TEXT = """\
agent: shop
timezone: America/Bogota
slots:
  name: {type: person_name, label: nombre, keep: true, ask: "¿Nombre?"}
  city: {type: city, label: ciudad, ask: ["¿Ciudad?", "¿De dónde?"]}
flows:
  order:
    starts: always
    description: el pedido
    steps: [{collect: [name, city]}, {confirm: "¿{name} de {city}?"}, {say: "Listo."}]
intents:
  hours: {examples: [a qué hora abren], answer: open}
templates:
  open: ["Abrimos a las 9.", "A las 9.", "Desde las 9."]
  welcome_back:
    - "Hola, {name}. El {last_day} quedamos en {open_flow}; falta tu {open_slot}."
    - "Hola, {name}. ¿Llegó bien {last_flow}?"
    - "Hola otra vez."
"""
AGENT = parse(TEXT)
PLAIN = parse(TEXT[: TEXT.index("  welcome_back")])


def tell(session: Session, *commands: Command, agent: Agent = AGENT, at: datetime = NOW) -> Decision:
    return decide(agent, session, MessageUnderstood(at, commands))


def after(*messages: tuple[Command, ...], agent: Agent = AGENT) -> Session:
    session = opened(agent, session_id="s", at=NOW)
    for commands in messages:
        session = tell(session, *commands, agent=agent).session
    return session


def again(session: Session, *, agent: Agent = AGENT, at: datetime = NEXT_DAY) -> Session:
    return opened(agent, session_id="t", at=at, before=synthesise(agent, session))


def said(decision: Decision) -> list[str]:
    return [effect.line.text for effect in decision.effects if isinstance(effect, Say | Ask | AskYes)]


NAMED, IN_LIMA, YES = (SetSlot("name", "Ana"),), (SetSlot("city", "Lima"),), (Affirm(),)
DONE = after(NAMED, IN_LIMA, YES)


def test_slots_worth_keeping_are_kept_and_others_are_not() -> None:
    assert synthesise(AGENT, DONE).kept == {"name": "Ana"}
    assert again(DONE).slots == {"name": "Ana"}


def test_what_was_done_and_what_was_open_are_told_apart() -> None:
    assert synthesise(AGENT, DONE).done == ("order",)
    assert synthesise(AGENT, DONE).open is None
    half = synthesise(AGENT, after(NAMED))
    assert half.done == ()
    assert half.open == LeftOpen("order", "city")
    assert synthesise(AGENT, after(NAMED, IN_LIMA)).open == LeftOpen("order")  # a yes was missing


def test_an_open_handoff_leaves_its_reason() -> None:
    handed = synthesise(AGENT, after(NAMED, (RequestHuman("quiere factura"),)))
    assert handed.open == LeftOpen("order", "city", handoff="quiere factura")


def test_it_counts_from_the_last_message_not_from_the_last_timer() -> None:
    session = after(NAMED)
    session = decide(AGENT, session, TimerFired(NEXT_DAY, "nope")).session
    assert synthesise(AGENT, session).at == NOW


def test_what_was_done_is_remembered_over_a_session_in_which_nothing_was() -> None:
    second = tell(again(DONE), Digress("greeting"), at=NEXT_DAY).session
    assert synthesise(AGENT, second).done == ("order",)


@pytest.mark.parametrize(
    ("session", "welcome"),
    [
        (after(NAMED), "Hola, Ana. El 2 de marzo de 2026 quedamos en el pedido; falta tu ciudad."),
        (DONE, "Hola, Ana. ¿Llegó bien el pedido?"),
        (after((Digress("greeting"),)), "Hola otra vez."),
    ],
)
def test_a_welcome_speaks_only_of_what_is_known(session: Session, welcome: str) -> None:
    decision = tell(again(session), Digress("greeting"), at=NEXT_DAY)
    assert said(decision)[0] == welcome
    assert said(tell(decision.session, *IN_LIMA, at=NEXT_DAY))[0] != welcome


def test_without_a_wording_that_fits_the_contact_is_greeted() -> None:
    agent = parse(TEXT.replace('    - "Hola otra vez."\n', ""))
    assert said(tell(again(after(agent=agent), agent=agent), agent=agent))[0] == "¡Hola!"


def test_a_new_contact_is_greeted() -> None:
    assert said(tell(opened(AGENT, session_id="s", at=NOW)))[0] == "¡Hola!"


def test_an_agent_without_a_welcome_greets_in_other_words() -> None:
    first = after((Digress("greeting"),), agent=PLAIN)
    assert said(tell(again(first, agent=PLAIN), agent=PLAIN))[0] == "¡Hola de nuevo!"


def test_a_text_of_yesterday_is_not_said_again_today_but_may_be_next_month() -> None:
    first = after((AskInfo("hours"),), (AskInfo("hours"),))
    assert said(tell(again(first), AskInfo("hours")))[1] == "Desde las 9."
    month = again(first, at=NOW + timedelta(days=30))
    assert said(tell(month, AskInfo("hours")))[1] == "Abrimos a las 9."


def test_a_value_that_the_agent_no_longer_takes_is_not_carried_on() -> None:
    before = synthesise(AGENT, DONE)
    other = parse(TEXT.replace("name: {type: person_name", "name: {type: number"))
    assert opened(other, session_id="t", at=NEXT_DAY, before=before).slots == {}
    gone = Synthesis(at=NOW, kept={"nope": "x"}, done=("nope",), open=LeftOpen("nope", "nope"))
    assert said(tell(opened(AGENT, session_id="t", at=NEXT_DAY, before=gone)))[0] == "Hola otra vez."


def test_it_does_not_grow_from_session_to_session() -> None:
    session, sizes = DONE, []
    for days in range(1, 30):
        session = again(session, at=NOW + timedelta(days=days))
        for commands in ((Digress("greeting"),), (AskInfo("hours"),), IN_LIMA):
            session = tell(session, *commands, at=NOW + timedelta(days=days)).session
        sizes.append(len(to_json(session)))
    assert max(sizes) <= sizes[1] + 20


def test_a_session_with_one_before_it_is_stored_and_read_back_unchanged() -> None:
    session = tell(again(after(NAMED)), at=NEXT_DAY).session
    assert session.before is not None
    assert from_json(to_json(session)) == session
    assert from_json(to_json(replace(session, before=None))).before is None
