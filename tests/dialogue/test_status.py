"""Sessions that are paused or closed."""

from datetime import UTC, datetime, timedelta

import pytest

from hilo.agent.parse import parse
from hilo.agent.toolbox import ToolSpec
from hilo.dialogue.commands import Affirm, RequestHuman, SetSlot, StartFlow
from hilo.dialogue.decide import decide
from hilo.dialogue.effects import CancelTimer
from hilo.dialogue.events import (
    Closed,
    EscalationTriggered,
    Event,
    MessageUnderstood,
    OperatorTookOver,
    Paused,
    Released,
    Resumed,
    TimerFired,
    ToolResult,
    ToolsReturned,
)
from hilo.dialogue.session import AskedSlot, Session

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
AGENT = parse(
    """\
agent: shop
slots:
  name: {type: person_name, ask: "¿Nombre?"}
flows:
  order:
    starts: always
    steps: [{collect: name}, {confirm: "¿{name}?"}, {do: look}, {say: "Listo."}]
escalation: [{timeout: 30m}]
timers:
  reminder: {after: 6m of silence, say: "¿Sigues ahí?"}
""",
    toolbox={"look": ToolSpec("look")},
)
ASKED = decide(
    AGENT,
    Session(id="s", agent="shop", agent_version="", started_at=NOW, last_at=NOW),
    MessageUnderstood(NOW),
).session
EVENTS: list[Event] = [
    MessageUnderstood(LATER, (SetSlot("name", "Ana"), Affirm())),
    MessageUnderstood(LATER, (RequestHuman(),)),
    MessageUnderstood(LATER, (StartFlow("order"),)),
    ToolsReturned(LATER, (ToolResult("x", "look", ok=True),)),
    ToolsReturned(LATER, (ToolResult("x", "look", ok=False, unknown=True),)),
    EscalationTriggered(LATER, "keyword", "humano"),
    TimerFired(LATER, "timer.reminder"),
    TimerFired(LATER, "escalation.timeout"),
    Paused(LATER),
    Released(LATER),
]


def after(*events: Event) -> Session:
    session = ASKED
    for event in events:
        session = decide(AGENT, session, event).session
    return session


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_a_paused_session_says_nothing_and_remembers_nothing_half_way(event: Event) -> None:
    paused = after(Paused(NOW))
    decision = decide(AGENT, paused, event)
    assert decision.effects == ()
    for part in ("status", "slots", "stack", "pending", "state", "counters", "timers", "templates_sent", "handoff"):
        assert getattr(decision.session, part) == getattr(paused, part), part


@pytest.mark.parametrize("event", [*EVENTS, Resumed(LATER), OperatorTookOver(LATER), Closed(LATER)])
def test_a_closed_session_never_speaks_and_stays_closed(event: Event) -> None:
    closed = after(Closed(NOW))
    decision = decide(AGENT, closed, event)
    assert decision.effects == ()
    assert decision.session.status == "closed"
    assert decision.session.timers == {}


def test_a_session_may_be_closed_from_a_pause_and_from_an_operator() -> None:
    assert after(Paused(NOW), Closed(LATER)).status == "closed"
    held = after(OperatorTookOver(NOW), Closed(LATER))
    assert held.status == "closed"
    assert decide(AGENT, held, Released(LATER)).effects == ()


def test_a_pause_takes_the_timers_with_it_and_the_end_of_the_pause_brings_them_back() -> None:
    paused = decide(AGENT, ASKED, Paused(NOW))
    assert {effect.name for effect in paused.effects if isinstance(effect, CancelTimer)} == set(ASKED.timers)
    resumed = decide(AGENT, paused.session, Resumed(LATER)).session
    assert resumed.timers == {
        "escalation.timeout": LATER + timedelta(minutes=30),
        "timer.reminder": LATER + timedelta(minutes=6),
    }
    assert resumed.pending == AskedSlot("name")


def test_pausing_or_resuming_twice_changes_nothing() -> None:
    assert after(Paused(NOW), Paused(LATER)).status == "paused"
    resumed = after(Paused(NOW), Resumed(LATER))
    assert decide(AGENT, resumed, Resumed(LATER + timedelta(hours=1))).session.timers == resumed.timers


def test_an_operator_may_take_over_a_paused_session() -> None:
    held = after(Paused(NOW), OperatorTookOver(LATER))
    assert (held.status, held.holder) == ("handed_off", "operator")
    assert decide(AGENT, held, Released(LATER)).session.status == "active"


def test_when_the_contact_last_wrote_is_known_whoever_holds_the_session() -> None:
    assert after(Paused(NOW), MessageUnderstood(LATER)).heard_at == LATER
    assert after(OperatorTookOver(NOW), MessageUnderstood(LATER), Released(LATER + timedelta(1))).heard_at == LATER
