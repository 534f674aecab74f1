"""A flow that was interrupted goes on only in the mode that it was left in."""

from datetime import UTC, datetime

from hilo.agent.parse import parse
from hilo.app import new_session
from hilo.dialogue.commands import StartFlow
from hilo.dialogue.decide import decide
from hilo.dialogue.draft import Decision
from hilo.dialogue.events import MessageUnderstood
from hilo.dialogue.session import AskedSlot

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
AGENT = parse("""
agent: desk
slots: {name: {ask: "¿Nombre?"}}
modes:
  IDLE: {to: [PAYING]}
  PAYING: {to: [IDLE]}
flows:
  pay:
    starts: [quiero pagar, la cuenta, cobrame]
    steps: [{collect: name, mode: PAYING}, {say: "Listo, {name}."}]
  leave:
    starts: [dejalo, olvidate de todo, no quiero nada]
    steps: [{say: "Lo dejo.", mode: IDLE}]
  hours:
    starts: [a qué hora abren, qué horario tienen, cuándo cierran]
    steps: [{say: "A las 9."}]
""")


def after(*flows: str) -> Decision:
    session = new_session(AGENT, session_id="s", at=NOW)
    for flow in flows:
        decision = decide(AGENT, session, MessageUnderstood(NOW, (StartFlow(flow),)))
        session = decision.session
    return decision


def test_a_flow_that_was_left_in_another_mode_does_not_resume() -> None:
    left = after("pay", "leave").session
    assert (left.mode, left.stack, left.pending, left.handoff) == ("IDLE", (), None, None)


def test_a_flow_that_was_interrupted_in_its_mode_resumes() -> None:
    back = after("pay", "hours").session
    assert back.mode == "PAYING"
    assert back.pending == AskedSlot("name")
