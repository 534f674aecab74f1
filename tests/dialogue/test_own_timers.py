"""The agent's own timers: silence, the clock, quiet hours, and what takes them away."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from hilo.agent.declaration import Agent
from hilo.agent.parse import parse
from hilo.agent.toolbox import ToolSpec
from hilo.dialogue.commands import Affirm, CancelFlow, Command, CorrectSlot, Digress, SetSlot, StartFlow
from hilo.dialogue.decide import decide
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import Ask, AskYes, CancelTimer, HandOff, Say, SetTimer
from hilo.dialogue.events import (
    Closed,
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
from hilo.dialogue.session import AskedSlot, AskedWhich, AskedYes, Session, Waiting
from hilo.dialogue.states import RESTING

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)  # ten in the morning in Bogotá
MINUTE = timedelta(minutes=1)
TEXT = """\
agent: shop
timezone: America/Bogota
slots:
  name: {type: person_name, label: nombre, ask: "¿Nombre?"}
  city: {type: city, label: ciudad, ask: "¿Ciudad?"}
  score: {type: number, ask: "¿Qué tal?"}
flows:
  order:
    starts: always
    steps:
      - collect: [name, city]
      - confirm: "¿{name} de {city}?"
      - wait: 2m
      - do: look
      - say: "Listo."
  survey:
    starts: [quiero opinar]
    steps: [{collect: score}, {say: "Gracias."}]
  pause:
    starts: [hasta luego]
    steps: [{wait: until 18:00}, {say: "Aquí sigo."}]
templates:
  pending: ["Quedamos pendientes de: {missing}.", "¿Seguimos?"]
timers:
  reminder: {after: 6m of silence, when: city is empty, say: pending, at_most: 2}
"""
TOOLBOX = {"look": ToolSpec("look")}


def agent_with(timers: str = "", quiet: str = "") -> Agent:
    text = TEXT if not timers else TEXT[: TEXT.index("timers:")] + "timers:\n" + timers
    return parse(text + (f"quiet_hours: {quiet}\n" if quiet else ""), toolbox=TOOLBOX)


AGENT = agent_with()
REMINDER, HELLO = "timer.reminder", MessageUnderstood(NOW, (Digress("greeting"),))


def start() -> Session:
    return Session(id="s", agent="shop", agent_version="", started_at=NOW, last_at=NOW)


def told(*commands: Command, at: datetime = NOW) -> MessageUnderstood:
    return MessageUnderstood(at, commands)


def after(*events: Event, agent: Agent = AGENT) -> Session:
    session = start()
    for event in events:
        session = decide(agent, session, event).session
        assert session.state in RESTING
    return session


def fire(session: Session, name: str = REMINDER, *, agent: Agent = AGENT) -> Decision:
    due = session.timers[name]
    return decide(agent, session, TimerFired(due, name, due))


def said(decision: Decision) -> list[str]:
    return [effect.line.text for effect in decision.effects if isinstance(effect, Say | Ask | AskYes)]


# --- silence ---------------------------------------------------------------------------------------------


def test_silence_is_counted_in_the_decision_that_answers() -> None:
    decision = decide(AGENT, start(), HELLO)
    assert SetTimer(REMINDER, NOW + 6 * MINUTE) in decision.effects
    assert decision.session.timers == {REMINDER: NOW + 6 * MINUTE}


def test_every_message_moves_it() -> None:
    session = after(HELLO, told(SetSlot("name", "Ana"), at=NOW + 5 * MINUTE))
    assert session.timers == {REMINDER: NOW + 11 * MINUTE}


def test_a_reminder_speaks_and_asks_the_open_question_again() -> None:
    session = after(HELLO, told(SetSlot("name", "Ana")))
    fired = fire(session)
    assert said(fired) == ["Quedamos pendientes de: ciudad.", "¿Ciudad?"]
    assert fired.session.pending == session.pending == AskedSlot("city")
    assert fired.session.state == session.state
    assert fired.steps[0] == REMINDER


def test_a_yes_after_a_reminder_is_a_yes_to_the_summary_that_was_shown_with_it() -> None:
    agent = agent_with('  reminder: {after: 6m of silence, say: "¿Sigues ahí?"}\n')
    shown = after(HELLO, told(SetSlot("name", "Ana"), SetSlot("city", "Lima")), agent=agent)
    fired = fire(shown, agent=agent)
    assert said(fired) == ["¿Sigues ahí?", "¿Ana de Lima?"]
    assert fired.session.pending == shown.pending


def test_a_question_about_a_question_is_asked_again_too() -> None:
    agent = agent_with('  reminder: {after: 6m of silence, say: "¿Sigues ahí?"}\n')
    which = after(HELLO, told(SetSlot("name", "Ana"), SetSlot("city", "Lima")), told(CorrectSlot()), agent=agent)
    fired = fire(which, agent=agent)
    assert isinstance(fired.session.pending, AskedWhich)
    assert fired.session.pending == which.pending


def test_it_speaks_at_most_so_often_and_each_time_in_other_words() -> None:
    once = fire(after(HELLO))
    assert once.session.timers == {REMINDER: NOW + 12 * MINUTE}
    twice = fire(once.session)
    assert said(twice) == ["¿Seguimos?", "¿Nombre?"]
    assert twice.session.timers == {}
    assert REMINDER not in decide(AGENT, twice.session, told(at=NOW + 20 * MINUTE)).session.timers


def test_a_guard_that_does_not_hold_keeps_it_silent_until_the_next_silence() -> None:
    agent = agent_with("  reminder: {after: 6m of silence, when: name is not empty, say: pending}\n")
    silent = fire(after(HELLO, agent=agent), agent=agent)
    assert said(silent) == []
    assert silent.guards == ((REMINDER, "name is not empty", False),)
    assert silent.session.timers == {}
    named = decide(agent, silent.session, told(SetSlot("name", "Ana"), at=NOW + 7 * MINUTE)).session
    assert said(fire(named, agent=agent)) == ["Quedamos pendientes de: ciudad.", "¿Ciudad?"]


def test_an_older_alarm_does_not_honour_a_newer_promise() -> None:
    first = after(HELLO)
    moved = decide(AGENT, first, told(SetSlot("name", "Ana"), at=NOW + 5 * MINUTE)).session
    early = decide(AGENT, moved, TimerFired(NOW + 6 * MINUTE, REMINDER, first.timers[REMINDER]))
    assert early.effects == ()
    assert early.session.timers == moved.timers
    assert said(fire(moved))


def test_an_alarm_without_a_due_time_is_taken_at_its_word() -> None:
    assert said(decide(AGENT, after(HELLO), TimerFired(NOW, REMINDER)))


def test_silence_is_not_counted_during_a_wait_and_begins_with_the_question_after_it() -> None:
    agent = agent_with("  reminder: {after: 6m of silence, say: pending}\n")
    waiting = after(HELLO, told(SetSlot("name", "Ana"), SetSlot("city", "Lima")), told(Affirm()), agent=agent)
    assert waiting.pending == Waiting("wait.order.wait_3")
    assert set(waiting.timers) == {"wait.order.wait_3"}
    again = decide(agent, waiting, TimerFired(NOW + 2 * MINUTE, "wait.order.wait_3")).session
    assert again.timers == {REMINDER: NOW + 8 * MINUTE}


def test_silence_is_not_counted_when_all_is_done() -> None:
    agent = agent_with("  reminder: {after: 6m of silence, say: pending}\n")
    waiting = after(HELLO, told(SetSlot("name", "Ana"), SetSlot("city", "Lima")), told(Affirm()), agent=agent)
    calling = decide(agent, waiting, TimerFired(NOW + 2 * MINUTE, "wait.order.wait_3"))
    (call,) = calling.progress.running
    looked = ToolsReturned(NOW, (ToolResult(call.call_id, "look", ok=True),))
    done = decide(agent, calling.session, looked, calling.progress)
    assert CancelTimer(REMINDER) in done.effects
    assert done.session.timers == {}
    assert decide(agent, done.session, told(Digress("thanks"))).session.timers == {}


def test_silence_is_not_counted_after_the_contact_has_left_it() -> None:
    assert after(HELLO, told(CancelFlow())).timers == {}


def test_silence_is_counted_while_nothing_has_begun_yet() -> None:
    agent = parse(TEXT.replace("starts: always", "starts: [quiero comprar]"), toolbox=TOOLBOX)
    assert after(HELLO, agent=agent).timers == {REMINDER: NOW + 6 * MINUTE}


# --- the clock -------------------------------------------------------------------------------------------

CLOCKS = """\
  last: {after: 1h, handoff: nobody finished this}
  evening: {at: "18:00", start: survey, at_most: 2}
"""


def test_a_timer_without_silence_counts_from_the_first_message() -> None:
    agent = agent_with(CLOCKS)
    session = after(HELLO, told(SetSlot("name", "Ana"), at=NOW + 5 * MINUTE), agent=agent)
    assert session.timers == {"timer.last": NOW + 60 * MINUTE, "timer.evening": NOW + timedelta(hours=8)}


def test_a_timer_may_hand_off() -> None:
    agent = agent_with(CLOCKS)
    decision = fire(after(HELLO, agent=agent), "timer.last", agent=agent)
    assert HandOff("timer", "nobody finished this") in decision.effects
    assert decision.session.timers == {}


def test_a_timer_may_start_a_flow_over_what_is_under_way() -> None:
    agent = agent_with(CLOCKS)
    decision = fire(after(HELLO, told(SetSlot("name", "Ana")), agent=agent), "timer.evening", agent=agent)
    assert said(decision) == ["¿Qué tal?"]
    answered = decide(agent, decision.session, told(SetSlot("score", 5)))
    assert said(answered)[-1] == "¿Ciudad?"
    assert decision.session.timers["timer.evening"] == NOW + timedelta(hours=32)  # and once more tomorrow


def test_a_flow_that_is_under_way_is_not_started_again() -> None:
    agent = agent_with(CLOCKS)
    asking = fire(after(HELLO, agent=agent), "timer.evening", agent=agent).session
    again = fire(asking, "timer.evening", agent=agent)
    assert said(again) == []
    assert [frame.flow for frame in again.session.stack] == ["order", "survey"]
    assert "timer.evening" not in again.session.timers


def test_a_guard_that_does_not_hold_uses_up_a_chance_of_the_clock() -> None:
    agent = agent_with('  evening: {at: "18:00", when: name is not empty, say: pending}\n')
    assert fire(after(HELLO, agent=agent), "timer.evening", agent=agent).session.timers == {}


def test_a_wait_may_last_until_a_time_of_day() -> None:
    waiting = after(HELLO, told(StartFlow("pause")))
    assert waiting.timers["wait.pause.wait_1"] == NOW + timedelta(hours=8)
    assert said(fire(waiting, "wait.pause.wait_1"))[0] == "Aquí sigo."


# --- quiet hours ---------------------------------------------------------------------------------------------

EVENING = datetime(2026, 3, 3, 1, 57, tzinfo=UTC)  # 20:57 in Bogotá
MORNING = datetime(2026, 3, 3, 13, 0, tzinfo=UTC)


def test_no_timer_falls_due_in_the_quiet_hours() -> None:
    agent = agent_with(quiet="21:00 to 08:00")
    assert after(told(at=EVENING), agent=agent).timers == {REMINDER: MORNING}


def test_a_wait_ends_after_the_quiet_hours() -> None:
    agent = agent_with(quiet="21:00 to 08:00")
    values = (SetSlot("name", "Ana"), SetSlot("city", "Lima"))
    waiting = after(told(*values, at=EVENING), told(Affirm(), at=EVENING + 2 * MINUTE), agent=agent)
    assert waiting.timers == {"wait.order.wait_3": MORNING}


def test_an_alarm_that_comes_late_waits_for_the_morning() -> None:
    agent = agent_with(quiet="21:00 to 08:00")
    session = after(told(at=EVENING - 10 * MINUTE), agent=agent)
    late = decide(agent, session, TimerFired(EVENING + 10 * MINUTE, REMINDER, session.timers[REMINDER]))
    assert late.effects == (SetTimer(REMINDER, MORNING),)
    assert said(fire(late.session, agent=agent))


def test_times_are_right_across_a_change_of_the_clock_whatever_zone_the_event_comes_in() -> None:
    agent = parse(TEXT.replace("Bogota", "Santiago"), toolbox=TOOLBOX)
    before = datetime(2026, 9, 5, 23, 58, tzinfo=ZoneInfo("America/Santiago"))  # two minutes later it is one o'clock
    due = after(told(at=before), agent=agent).timers[REMINDER]
    assert due.astimezone(ZoneInfo("America/Santiago")).strftime("%H:%M") == "01:04"


# --- handoff, pause, close -------------------------------------------------------------------------------


@pytest.mark.parametrize("event", [OperatorTookOver(NOW), Paused(NOW), Closed(NOW)])
def test_whatever_silences_the_agent_cancels_its_timers(event: Event) -> None:
    agent = agent_with(CLOCKS + "  reminder: {after: 6m of silence, say: pending}\n")
    session = after(HELLO, agent=agent)
    decision = decide(agent, session, event)
    assert {effect.name for effect in decision.effects if isinstance(effect, CancelTimer)} == set(session.timers)
    assert decision.session.timers == {}
    for name, due in session.timers.items():
        assert said(decide(agent, decision.session, TimerFired(due, name, due))) == []


@pytest.mark.parametrize(("away", "back"), [(OperatorTookOver, Released), (Paused, Resumed)])
def test_afterwards_they_start_afresh(away: type[Paused], back: type[Resumed]) -> None:
    agent = agent_with(CLOCKS + "  reminder: {after: 6m of silence, say: pending, at_most: 2}\n")
    later = NOW + timedelta(hours=3)
    session = after(HELLO, away(NOW + MINUTE), back(later), agent=agent)
    assert session.timers == {
        "timer.last": later + 60 * MINUTE,
        "timer.evening": NOW + timedelta(hours=8),
        REMINDER: later + 6 * MINUTE,
    }


def test_a_chance_that_was_used_is_not_given_back_by_a_release() -> None:
    agent = agent_with("  reminder: {after: 6m of silence, say: pending}\n")
    session = fire(after(HELLO, agent=agent), agent=agent).session
    for event in (OperatorTookOver(NOW), Released(NOW)):
        session = decide(agent, session, event).session
    assert session.timers == {}


def test_a_wait_that_was_paused_starts_afresh() -> None:
    values = (SetSlot("name", "Ana"), SetSlot("city", "Lima"))
    session = after(told(*values), told(Affirm()), Paused(NOW + MINUTE))
    resumed = decide(AGENT, session, Resumed(NOW + 10 * MINUTE))
    assert said(resumed) == []
    assert resumed.session.pending == Waiting("wait.order.wait_3")
    assert resumed.session.timers == {"wait.order.wait_3": NOW + 12 * MINUTE}


def test_a_question_that_was_open_at_the_pause_is_open_after_it() -> None:
    values = (SetSlot("name", "Ana"), SetSlot("city", "Lima"))
    session = after(told(*values), Paused(NOW), told(Affirm()), Resumed(NOW))
    assert isinstance(session.pending, AskedYes)
    assert said(decide(AGENT, session, told(Affirm()))) == ["Entendido."]


def test_a_timer_of_another_version_of_the_agent_is_ignored() -> None:
    other = parse(TEXT[: TEXT.index("timers:")], toolbox=TOOLBOX)
    session = after(HELLO)
    assert said(decide(other, session, TimerFired(NOW, REMINDER))) == []
