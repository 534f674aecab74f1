"""Going on: where the session before was left, with the flow that a mode begins with, after a bare yes."""

from datetime import UTC, datetime, timedelta

from hilo.agent.declaration import Agent
from hilo.agent.parse import parse
from hilo.agent.toolbox import ToolSpec
from hilo.dialogue.commands import Affirm, AskInfo, Command, Digress, SetSlot, StartFlow
from hilo.dialogue.decide import decide
from hilo.dialogue.draft import Decision
from hilo.dialogue.events import MessageUnderstood, ToolResult, ToolsReturned
from hilo.dialogue.session import AskedSlot, AskedYes, Session
from hilo.dialogue.synthesis import opened, synthesise

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
AGENT = parse(
    """\
agent: shop
confidence: {proceed: 85, reanalyse: 60, clarify: 40}
slots:
  name: {type: person_name, keep: true, ask: "¿Nombre?"}
  pack: {type: choice, choices: [1x, 2x], ask: "¿Cuál?"}
  total: {type: money, found: true}
intents:
  price: {examples: [cuánto cuesta], answer: "Cuesta poco."}
modes:
  talk: {to: [details], next: buy}
  details: {to: [offer]}
  offer: {tools: [quote], to: [summary], requires: [name], enter: {say: "Hay 1x y 2x.", start: choose}}
  summary: {to: [offer, details], tools: [quote], requires: [pack]}
flows:
  buy:
    starts: [quiero comprar]
    resumes: buy
    steps: [{collect: name, mode: details}, {say: "Gracias.", mode: details}]
  promos:
    starts: [qué promos hay]
    steps: [{collect: name, mode: details}, {go: offer, mode: details}]
  choose:
    resumes: promos
    steps:
      - collect: pack
      - {do: quote, into: {total: total}}
      - {confirm: "¿{pack} por {total}?", mode: summary}
      - say: "Hecho."
""",
    toolbox={"quote": ToolSpec("quote", {"pack": True})},
)
HELLO = Digress("greeting")


def start(agent: Agent = AGENT) -> Session:
    return opened(agent, session_id="s", at=NOW)


def hear(session: Session, *commands: Command, intent: str = "", sure: int = 10) -> Decision:
    return decide(AGENT, session, MessageUnderstood(NOW, commands, intent=intent, confidence=sure))


def quoted(decision: Decision) -> Session:
    """The session after the quote that it waits for."""
    (call,) = decision.progress.running
    result = ToolResult(call.call_id, "quote", ok=True, outputs={"total": 100})
    return decide(AGENT, decision.session, ToolsReturned(NOW, (result,)), decision.progress).session


def next_day(session: Session) -> Session:
    return opened(AGENT, session_id="t", at=NOW + timedelta(days=1), before=synthesise(AGENT, session))


def asked(session: Session) -> str:
    return session.pending.slot if isinstance(session.pending, AskedSlot) else ""


def test_a_greeting_the_next_day_takes_up_what_was_under_way() -> None:
    left = hear(start(), StartFlow("buy"), intent="buy", sure=100).session
    session = hear(next_day(left), HELLO).session
    assert ([frame.flow for frame in session.stack], session.mode, asked(session)) == (["buy"], "details", "name")


def test_a_flow_may_be_taken_up_by_another() -> None:
    left = hear(start(), SetSlot("name", "Ana"), StartFlow("promos"), intent="promos", sure=100).session
    assert ([frame.flow for frame in left.stack], left.mode) == (["choose"], "offer")
    session = hear(next_day(left), HELLO).session
    assert ([frame.flow for frame in session.stack], session.mode, asked(session)) == (["choose"], "offer", "pack")


def test_whoever_comes_back_with_something_else_is_answered() -> None:
    left = hear(start(), StartFlow("buy"), intent="buy", sure=100).session
    session = hear(next_day(left), AskInfo("price"), intent="price", sure=100).session
    assert session.stack == ()


def test_what_was_done_is_not_taken_up() -> None:
    done = hear(start(), StartFlow("buy"), SetSlot("name", "Ana"), intent="buy", sure=100).session
    assert hear(next_day(done), HELLO).session.stack == ()


def test_a_value_given_ahead_counts_when_the_mode_begins_with_its_flow() -> None:
    session = hear(start(), SetSlot("pack", "2x"), SetSlot("name", "Ana")).session
    decision = hear(session, StartFlow("promos"), intent="promos", sure=100)
    session = quoted(decision)
    assert isinstance(session.pending, AskedYes)
    assert session.slots["pack"] == "2x"


def test_entering_the_mode_again_begins_its_flow_over() -> None:
    session = hear(start(), SetSlot("name", "Ana"), StartFlow("promos"), intent="promos", sure=100).session
    session = quoted(hear(session, SetSlot("pack", "1x")))
    assert session.mode == "summary"
    session = hear(session, StartFlow("promos"), intent="promos", sure=100).session
    assert ([frame.flow for frame in session.stack], session.mode, asked(session)) == (["choose"], "offer", "pack")
    assert "pack" not in session.slots


def test_a_bare_yes_that_goes_on_hangs_on_no_intent() -> None:
    session = hear(start(), HELLO).session
    went_on = hear(session, StartFlow("buy"))
    assert (went_on.session.mode, went_on.session.status) == ("details", "active")
    doubtful = hear(session, StartFlow("buy"), intent="buy")
    assert (doubtful.session.mode, doubtful.session.status) == (session.mode, "active")


def test_a_yes_to_a_question_of_the_day_before_goes_on_and_confirms_nothing() -> None:
    session = hear(start(), SetSlot("name", "Ana"), StartFlow("promos"), intent="promos", sure=100).session
    left = quoted(hear(session, SetSlot("pack", "1x")))
    assert isinstance(left.pending, AskedYes)
    decision = hear(next_day(left), Affirm(left.pending.digest))
    assert ([frame.flow for frame in decision.session.stack], asked(decision.session)) == (["choose"], "pack")
    assert decision.refused == ()
