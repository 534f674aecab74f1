"""Promises that hang on slots: made, moved, taken back, too late; and when the business is open."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from hilo.agent.declaration import Agent
from hilo.agent.parse import parse
from hilo.agent.toolbox import ToolSpec
from hilo.dialogue.commands import Affirm, Command, CorrectSlot, Digress, RequestHuman, SetSlot, StartFlow
from hilo.dialogue.decide import decide
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import Ask, AskYes, CancelTimer, Say
from hilo.dialogue.events import (
    Closed,
    Event,
    MessageUnderstood,
    OperatorTookOver,
    Released,
    TimerFired,
)
from hilo.dialogue.session import AskedYes, Session, Waiting, from_json, quiet_since, to_json
from hilo.dialogue.synthesis import opened, synthesise

ZONE = ZoneInfo("America/Argentina/Buenos_Aires")
NOW = datetime(2026, 11, 17, 13, 0, tzinfo=UTC)  # ten in the morning there, a Tuesday
REMINDER, WAIT = "timer.reminder", "wait.call.wait_2"
TEXT = """\
agent: clinic
language: es-AR
timezone: America/Argentina/Buenos_Aires
open: {hours: "mon-fri 9-13 15-19, sat 9-13", holidays: AR}
slots:
  day: {type: date, label: día, keep: true, ask: "¿Qué día?"}
  hour: {type: time, label: hora, keep: true, ask: "¿A qué hora?"}
flows:
  book:
    starts: [quiero un turno]
    steps: [{collect: [day, hour]}, {say: "Anotado."}]
  leave:
    starts: [ya no quiero]
    steps: [{forget: [day, hour]}, {say: "Cancelado."}]
  remind:
    steps: [{confirm: "¿Venís el {day} a las {hour}?"}, {say: "Te esperamos."}]
  call:
    starts: [llamame antes]
    steps: [{collect: [day, hour]}, {wait: "until 2h before {day} {hour}"}, {say: "¡Ya casi!"}]
  later:
    starts: [cuando abran]
    steps: [{wait: until open}, {say: "Ya abrimos."}]
  hours:
    starts: [horario]
    steps:
      - {say: "Estamos.", when: open}
      - {say: "Cerrado hasta {open.next}.", when: not open}
timers:
  reminder: {at: "24h before {day} {hour}", start: remind}
"""


def agent_with(old: str = "", new: str = "") -> Agent:
    return parse(TEXT.replace(old, new) if old else TEXT, toolbox={"look": ToolSpec("look")})


AGENT = agent_with()


def there(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZONE).astimezone(UTC)


def told(*commands: Command, at: datetime = NOW) -> MessageUnderstood:
    return MessageUnderstood(at, commands, confidence=100)


def start(at: datetime = NOW) -> Session:
    return Session(id="s", agent="clinic", agent_version="", started_at=at, last_at=at)


def after(*events: Event, agent: Agent = AGENT, session: Session | None = None) -> Session:
    session = session or start()
    for event in events:
        session = decide(agent, session, event).session
    return session


def said(decision: Decision) -> list[str]:
    return [effect.line.text for effect in decision.effects if isinstance(effect, Say | Ask | AskYes)]


BOOKED = told(StartFlow("book"), SetSlot("day", "2026-11-20"), SetSlot("hour", "10:00"))


# --- timers ---------------------------------------------------------------------------------------------


def test_a_reminder_is_promised_once_its_slots_have_values() -> None:
    session = after(told(StartFlow("book"), SetSlot("day", "2026-11-20")))
    assert REMINDER not in session.timers
    assert after(told(SetSlot("hour", "10:00")), session=session).timers[REMINDER] == there("2026-11-19T10:00")


def test_it_moves_with_the_slot() -> None:
    decision = decide(AGENT, after(BOOKED), told(CorrectSlot("day", "2026-11-25")))
    assert decision.session.timers[REMINDER] == there("2026-11-24T10:00")


def test_it_is_gone_with_the_slot() -> None:
    decision = decide(AGENT, after(BOOKED), told(StartFlow("leave")))
    assert REMINDER not in decision.session.timers
    assert CancelTimer(REMINDER) in decision.effects


def test_a_moment_that_has_passed_is_not_promised_and_the_turn_says_so() -> None:
    decision = decide(AGENT, start(), told(StartFlow("book"), SetSlot("day", "2026-11-18"), SetSlot("hour", "09:00")))
    assert REMINDER not in decision.session.timers
    assert decision.notes == ("timer reminder is not set: 2026-11-17 09:00 has passed",)


def test_it_is_said_once_and_not_with_every_message() -> None:
    session = after(told(StartFlow("book"), SetSlot("day", "2026-11-18"), SetSlot("hour", "09:00")))
    assert decide(AGENT, session, told(Digress("thanks"))).notes == ()


def test_it_comes_once_and_again_for_another_moment() -> None:
    session = after(BOOKED)
    due = session.timers[REMINDER]
    fired = decide(AGENT, session, TimerFired(due, REMINDER, due)).session
    assert isinstance(fired.pending, AskedYes)
    assert REMINDER not in fired.timers
    moved = after(told(CorrectSlot("day", "2026-11-27"), at=due), session=fired)
    assert moved.timers[REMINDER] == there("2026-11-26T10:00")


def test_an_alarm_that_comes_after_the_event_does_nothing() -> None:
    session = after(BOOKED)
    late = there("2026-11-20T10:30")
    decision = decide(AGENT, session, TimerFired(late, REMINDER, session.timers[REMINDER]))
    assert said(decision) == []
    assert decision.notes == ("timer.reminder came too late: what it is for has begun",)


def test_quiet_hours_put_it_off_but_not_past_the_event() -> None:
    quiet = "quiet_hours: 21:00 to 12:00\nflows:"
    agent = agent_with("flows:", quiet)
    assert after(BOOKED, agent=agent).timers[REMINDER] == there("2026-11-19T12:00")
    short = parse(TEXT.replace("flows:", quiet, 1).replace("24h before", "1h before"))
    decision = decide(short, start(), BOOKED)
    assert REMINDER not in decision.session.timers
    assert decision.notes == ("timer reminder is not set: the quiet hours end after what it is for",)


def test_a_handoff_takes_it_back_and_a_release_makes_it_again_with_what_is_known_then() -> None:
    session = after(BOOKED, OperatorTookOver(NOW))
    assert session.timers == {}
    assert after(Released(NOW), session=session).timers[REMINDER] == there("2026-11-19T10:00")
    too_late = after(Released(there("2026-11-19T11:00")), session=session)
    assert REMINDER not in too_late.timers


def test_the_next_session_promises_it_again_by_what_was_kept() -> None:
    session = after(BOOKED, Closed(NOW))
    assert session.timers == {}
    later = NOW + timedelta(days=1)
    fresh = opened(AGENT, session_id="t", at=later, before=synthesise(AGENT, session))
    assert after(told(Digress("greeting"), at=later), session=fresh).timers[REMINDER] == there("2026-11-19T10:00")


# --- the flow that a reminder begins --------------------------------------------------------------------


def reminded() -> Session:
    session = after(BOOKED)
    due = session.timers[REMINDER]
    return decide(AGENT, session, TimerFired(due, REMINDER, due)).session


def test_an_answer_belongs_to_the_session_that_asked_however_long_ago_the_contact_wrote() -> None:
    session = reminded()
    assert quiet_since(session, NOW) == there("2026-11-19T10:00")
    assert said(decide(AGENT, session, told(Affirm(), at=there("2026-11-19T15:00")))) == ["Te esperamos."]


def test_a_session_without_reminders_is_quiet_since_its_last_message() -> None:
    assert quiet_since(after(BOOKED), NOW) == NOW


def test_a_reminder_of_what_was_cancelled_meanwhile_is_left() -> None:
    decision = decide(AGENT, reminded(), told(StartFlow("leave"), at=there("2026-11-19T11:00")))
    assert said(decision) == ["Cancelado."]
    assert decision.session.stack == ()
    assert decision.session.pending is None
    assert "remind is left: what it was begun for has moved or is gone" in decision.notes


def test_a_flow_that_changes_the_slots_by_its_own_steps_goes_on() -> None:
    own = 'remind:\n    steps: [{confirm: "¿Lo cancelo?"}, {forget: [day, hour]}, {say: "Cancelado."}]\n  old:'
    text = TEXT.replace("remind:", own, 1)
    text = text.replace("  old:\n    steps:", "  old:\n    starts: [viejo]\n    steps:")
    agent = parse(text)
    session = after(BOOKED, agent=agent)
    due = session.timers[REMINDER]
    fired = decide(agent, session, TimerFired(due, REMINDER, due)).session
    decision = decide(agent, fired, told(Affirm(), at=due + timedelta(hours=1)))
    assert said(decision) == ["Cancelado."]
    assert "remind" in decision.session.finished


def test_a_session_in_a_reminder_is_stored_whole() -> None:
    session = reminded()
    assert session.stack[-1].due == there("2026-11-19T10:00")
    assert from_json(to_json(session)) == session


# --- waits ----------------------------------------------------------------------------------------------


CALLED = told(StartFlow("call"), SetSlot("day", "2026-11-20"), SetSlot("hour", "10:00"))


def test_a_wait_ends_at_the_moment_and_moves_with_its_slots() -> None:
    session = after(CALLED)
    assert session.pending == Waiting(WAIT)
    assert session.timers[WAIT] == there("2026-11-20T08:00")
    moved = after(told(CorrectSlot("hour", "12:00")), session=session)
    assert moved.timers[WAIT] == there("2026-11-20T10:00")


def test_a_wait_for_what_has_passed_is_none() -> None:
    decision = decide(AGENT, start(), told(StartFlow("call"), SetSlot("day", "2026-11-17"), SetSlot("hour", "11:00")))
    assert said(decision)[-1] == "¡Ya casi!"
    assert f"{WAIT} is not set: 2026-11-17 09:00 has passed" in decision.notes


def test_a_wait_whose_moment_is_moved_into_the_past_is_over_at_once() -> None:
    session = after(CALLED)
    moved = after(told(CorrectSlot("day", "2026-11-17")), session=session)
    assert moved.timers[WAIT] == NOW


# --- opening hours --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "text"),
    [
        ("2026-11-17T10:00", "Estamos."),
        ("2026-11-17T13:30", "Cerrado hasta hoy a las 15."),
        ("2026-11-17T20:00", "Cerrado hasta mañana a las 9."),
        ("2026-11-21T14:00", "Cerrado hasta el martes a las 9."),  # Monday is a holiday
    ],
)
def test_guards_and_texts_know_when_it_is_open(now: str, text: str) -> None:
    at = there(now)
    assert said(decide(AGENT, start(at), told(StartFlow("hours"), at=at)))[-1] == text


def test_a_far_day_is_said_by_its_date() -> None:
    agent = agent_with("holidays: AR", "days: {2026-11-17 to 2026-12-06: closed}")
    assert said(decide(agent, start(), told(StartFlow("hours"))))[-1] == (
        "Cerrado hasta el 7 de diciembre de 2026 a las 9."
    )


def test_a_handoff_says_when_somebody_is_there() -> None:
    night = there("2026-11-17T22:00")
    [text] = said(decide(AGENT, after(told(Digress("greeting"))), told(RequestHuman(), at=night)))
    assert text.endswith("Ahora está cerrado: te responde mañana a las 9.")
    [open_text] = said(decide(AGENT, after(told(Digress("greeting"))), told(RequestHuman())))
    assert "cerrado" not in open_text


def test_a_wait_until_open_ends_when_it_opens_and_does_not_begin_while_it_is() -> None:
    night = there("2026-11-17T22:00")
    session = after(told(StartFlow("later"), at=night), session=start(night))
    assert session.timers["wait.later.wait_1"] == there("2026-11-18T09:00")
    assert said(decide(AGENT, start(), told(StartFlow("later"))))[-1] == "Ya abrimos."


def test_a_timer_may_come_when_the_business_opens() -> None:
    agent = parse(TEXT + '  morning: {at: open, say: "Buen día, ya estamos."}\n')
    assert after(told(Digress("greeting")), agent=agent).timers["timer.morning"] == there("2026-11-17T15:00")


@pytest.mark.parametrize(
    ("language", "text"),
    [("es-MX", "mañana a las 9:00 a. m."), ("en", "tomorrow at 9:00"), ("pt-BR", "amanhã às 9h")],
)
def test_every_language_says_when_it_opens(language: str, text: str) -> None:
    agent = agent_with("es-AR", language)
    at = there("2026-11-17T20:00")
    assert said(decide(agent, replace(start(at)), told(StartFlow("hours"), at=at)))[-1] == f"Cerrado hasta {text}."
