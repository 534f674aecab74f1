"""What the dialogue decides, command by command."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest

from hilo.agent.parse import parse
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    CancelFlow,
    Command,
    CorrectSlot,
    Deny,
    Digress,
    RequestHuman,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from hilo.dialogue.decide import _RULES, decide
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import Ask, AskWhich, AskYes, CancelTimer, Complete, HandOff, Question, Say, SetTimer
from hilo.dialogue.escalation import PATIENCE
from hilo.dialogue.events import (
    Closed,
    EscalationTriggered,
    Event,
    MessageReceived,
    MessageUnderstood,
    OperatorTookOver,
    Paused,
    Released,
    Resumed,
    TimerFired,
)
from hilo.dialogue.session import AskedSlot, AskedWhich, AskedYes, Session, from_json, to_json
from hilo.dialogue.timers import UNANSWERED

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
AGENT = parse("""\
agent: shop
slots:
  name: {type: person_name, label: nombre, ask: [¿Nombre?, ¿Tu nombre?]}
  email: {type: email, label: correo, ask: ¿Correo?}
  people: {type: number, min: 1, max: 9, required: false, ask: ¿Cuántos?}
  size: {type: choice, choices: [chico, grande], ask: ¿Tamaño?}
flows:
  order:
    starts: always
    steps:
      - collect: [name, email, people]
      - confirm: "{name}, ¿va a {email}?"
      - branch: {people > 4: many}
      - say: "Listo, {name}."
      - end: small
      - name: many
        handoff: a large group
  sizes:
    starts: [quiero cambiar el tamaño]
    steps:
      - collect: size
      - say: "Queda {size}."
  inner:
    steps: [{say: Uno}]
  outer:
    starts: [corre todo]
    steps: [{call: inner}, {say: Dos}]
intents:
  hours: {examples: [a qué hora abren], answer: open}
  silent: {examples: [nada de nada]}
templates:
  open: Abrimos a las 9.
escalation:
  - timeout: 30m
  - completion: {invalid_attempts: 3}
""")


def start() -> Session:
    return Session(id="s", agent="shop", agent_version=AGENT.version, started_at=NOW, last_at=NOW)


def tell(session: Session, *commands: Command, at: datetime = NOW) -> Decision:
    return decide(AGENT, session, MessageUnderstood(at, commands))


def after(*messages: tuple[Command, ...]) -> Session:
    session = start()
    for commands in messages:
        session = tell(session, *commands).session
    return session


def said(decision: Decision) -> list[str]:
    return [effect.line.template for effect in decision.effects if isinstance(effect, Say | Ask | AskWhich | AskYes)]


NAMED = (SetSlot("name", "Ana"),)
MAILED = (SetSlot("email", "ana@x.com"),)
FOUR = (SetSlot("people", 4),)


def test_the_first_message_greets_and_asks_for_the_first_slot() -> None:
    decision = tell(start())
    assert said(decision) == ["greeting", "ask.name"]  # the question answers what was not understood
    assert decision.session.pending == AskedSlot("name")
    assert decision.session.state == "waiting_for_slot"
    assert decision.states == ("idle", "understanding", "waiting_for_slot")


def test_a_bare_greeting_is_greeted_once() -> None:
    assert said(tell(start(), Digress("greeting"))) == ["greeting", "ask.name"]


def test_a_value_leads_to_the_next_question() -> None:
    decision = tell(after((Digress("greeting"),)), *NAMED)
    assert decision.session.slots == {"name": "Ana"}
    assert said(decision) == ["ask.email"]
    assert decision.states[-3:] == ("understanding", "validating_slot", "waiting_for_slot")


def test_several_values_in_one_message_are_all_kept() -> None:
    decision = tell(start(), *NAMED, *MAILED)
    assert decision.session.pending == AskedSlot("people")


def test_an_invalid_value_is_refused_explained_and_counted() -> None:
    decision = tell(after(NAMED), SetSlot("email", "ana"))
    assert "email" not in decision.session.slots
    assert said(decision) == ["invalid.email", "ask.email"]
    assert decision.refused[0].reason == "email does not take this value"
    assert decision.session.counters.invalid == {"email": 1}


def test_a_slot_that_is_called_like_another_type_is_explained_as_its_own() -> None:
    flow = "flows: {only: {starts: always, steps: [{collect: [phone]}]}}"
    plain = parse(f"agent: a\nslots: {{phone: {{type: number, ask: '¿Cuántos?'}}}}\n{flow}\n")
    worded = parse(f"agent: a\nslots: {{phone: {{type: number, ask: '¿Cuántos?', invalid: 'Un número.'}}}}\n{flow}\n")
    refused = MessageUnderstood(NOW, (SetSlot("phone", "muchos"),))
    assert said(decide(plain, start(), refused)) == ["greeting", "invalid.number", "ask.phone"]
    assert said(decide(worded, start(), refused)) == ["greeting", "invalid.phone", "ask.phone"]


def test_a_valid_value_clears_the_count() -> None:
    session = tell(after(NAMED, (SetSlot("email", "ana"),)), *MAILED).session
    assert session.counters.invalid == {}


def test_three_answers_that_cannot_be_used_call_a_person() -> None:
    bad = (SetSlot("email", "ana"),)
    decision = tell(after(NAMED, bad, bad), *bad)
    assert decision.session.handoff is not None
    assert (decision.session.handoff.policy, decision.session.status) == ("completion", "handed_off")
    assert "email" in decision.session.handoff.reason
    assert said(decision) == ["handoff"]


def test_a_number_out_of_range_is_told_the_range() -> None:
    decision = tell(after(NAMED, MAILED), SetSlot("people", 12))
    assert isinstance(decision.effects[0], Say)
    assert decision.effects[0].line.text == "Tiene que ser un número desde 1 hasta 9."


def test_an_optional_slot_may_be_skipped() -> None:
    decision = tell(after(NAMED, MAILED), SkipSlot("people"))
    assert decision.session.skipped == ("people",)
    assert isinstance(decision.session.pending, AskedYes)


def test_an_optional_slot_is_left_empty_after_two_failures() -> None:
    bad = (SetSlot("people", "muchos"),)
    session = after(NAMED, MAILED, bad, bad)
    assert session.skipped == ("people",)
    assert isinstance(session.pending, AskedYes)


def test_a_required_slot_cannot_be_skipped() -> None:
    decision = tell(after((Digress("greeting"),)), SkipSlot("name"))
    assert said(decision) == ["put_last", "ask.email"]
    assert decision.session.refused == ("name",)
    assert decision.session.skipped == ()


def test_the_second_question_has_another_wording() -> None:
    decision = tell(after((Digress("greeting"),)), Digress("off_topic"))
    assert [effect.line.text for effect in decision.effects if isinstance(effect, Ask)] == ["¿Tu nombre?"]


# --- corrections --------------------------------------------------------------------------------------


def test_a_correction_changes_the_slot_and_goes_on_where_it_was() -> None:
    decision = tell(after(NAMED, MAILED), CorrectSlot("email", "otra@x.com"))
    assert decision.session.slots["email"] == "otra@x.com"
    assert said(decision) == ["corrected", "ask.people"]


def test_a_correction_without_a_value_asks_for_it_and_keeps_the_old_one() -> None:
    decision = tell(after(NAMED, MAILED), CorrectSlot("email"))
    assert decision.session.pending == AskedSlot("email", correcting=True)
    assert decision.session.slots["email"] == "ana@x.com"


def test_a_correction_without_a_slot_asks_which_and_offers_the_last() -> None:
    decision = tell(after(NAMED, MAILED), CorrectSlot())
    assert decision.session.pending == AskedWhich(("email", "name"))
    assert "correo" in next(effect.line.text for effect in decision.effects if isinstance(effect, AskWhich))


def test_a_yes_takes_the_slot_that_was_offered() -> None:
    session = after(NAMED, MAILED, (CorrectSlot(),))
    assert tell(session, Affirm()).session.pending == AskedSlot("email", correcting=True)


def test_a_no_drops_the_correction() -> None:
    session = after(NAMED, MAILED, (CorrectSlot(),))
    assert tell(session, Deny()).session.pending == AskedSlot("people")


def test_with_one_slot_there_is_nothing_to_choose() -> None:
    assert tell(after(NAMED), CorrectSlot()).session.pending == AskedSlot("name", correcting=True)


def test_with_nothing_collected_there_is_nothing_to_correct() -> None:
    decision = tell(after((Digress("greeting"),)), CorrectSlot())
    assert said(decision) == ["nothing_to_correct", "ask.name"]


def test_a_correction_that_cannot_be_used_is_asked_again() -> None:
    session = after(NAMED, MAILED, (CorrectSlot("email"),))
    decision = tell(session, CorrectSlot("email", "no-es-correo"))
    assert decision.session.pending == AskedSlot("email", correcting=True)
    assert decision.session.slots["email"] == "ana@x.com"


def test_a_digression_keeps_the_correction_open() -> None:
    session = after(NAMED, MAILED, (CorrectSlot("email"),))
    assert tell(session, Digress("off_topic")).session.pending == AskedSlot("email", correcting=True)


# --- confirmation -------------------------------------------------------------------------------------


def test_a_yes_goes_on_and_completes() -> None:
    decision = tell(after(NAMED, MAILED, FOUR), Affirm())
    assert Complete("order") in decision.effects
    assert decision.session.state == "idle"
    assert decision.session.finished == ("order",)
    assert decision.guards == (("order.branch_3", "people > 4", False),)


def test_a_no_never_goes_on_and_offers_what_to_change() -> None:
    decision = tell(after(NAMED, MAILED, FOUR), Deny())
    assert decision.session.pending == AskedWhich(("people", "name", "email"), offers_first=False)
    assert not decision.session.finished


def test_a_yes_with_a_change_confirms_again() -> None:
    decision = tell(after(NAMED, MAILED, FOUR), Affirm(), CorrectSlot("people", 3))
    assert isinstance(decision.session.pending, AskedYes)
    assert not decision.session.finished
    assert said(decision) == ["corrected", "order.confirm_2"]


def test_a_no_with_a_change_confirms_again() -> None:
    decision = tell(after(NAMED, MAILED, FOUR), Deny(), CorrectSlot("people", 3))
    assert isinstance(decision.session.pending, AskedYes)
    assert decision.session.slots["people"] == 3


def test_a_yes_is_bound_to_what_was_shown() -> None:
    shown = after(NAMED, MAILED, FOUR)
    tampered = replace(shown, slots={**shown.slots, "people": 9})
    decision = tell(tampered, Affirm())
    assert isinstance(decision.session.pending, AskedYes)
    assert not decision.session.finished


def test_an_unrelated_question_keeps_the_confirmation_open() -> None:
    decision = tell(after(NAMED, MAILED, FOUR), Digress("off_topic"))
    assert isinstance(decision.session.pending, AskedYes)
    assert decision.states[-2:] == ("ready_for_confirmation", "confirming")


def test_a_yes_without_a_question_is_refused() -> None:
    decision = tell(after((Digress("greeting"),)), Affirm())
    assert decision.refused[0].reason == "no question is open that takes a yes or a no"
    assert said(decision) == ["not_understood", "ask.name"]


def test_a_branch_leads_to_its_step() -> None:
    decision = tell(after(NAMED, MAILED, (SetSlot("people", 8),)), Affirm())
    assert HandOff("flow", "a large group") in decision.effects
    assert decision.session.holder == "operator"


# --- the stack ----------------------------------------------------------------------------------------


def test_another_flow_interrupts_and_the_first_resumes() -> None:
    session = after(NAMED, (StartFlow("sizes"),))
    assert session.pending == AskedSlot("size")
    decision = tell(session, SetSlot("size", "grande"))
    assert said(decision) == ["sizes.say_2", "resumed", "ask.email"]
    assert [frame.flow for frame in decision.session.stack] == ["order"]


def test_the_same_flow_is_not_pushed_twice() -> None:
    decision = tell(after(NAMED, (StartFlow("sizes"),)), StartFlow("sizes"))
    assert decision.refused[0].reason == "sizes is already under way"
    assert len(decision.session.stack) == 2


def test_a_called_flow_comes_back_to_its_caller() -> None:
    decision = tell(after(NAMED), StartFlow("outer"))
    assert said(decision) == ["inner.say_1", "outer.say_2", "resumed", "ask.email"]


def test_an_inner_flow_is_not_started_from_outside() -> None:
    assert tell(start(), StartFlow("inner")).refused[0].reason == "inner is started only by other flows"


def test_cancel_leaves_the_top_flow_and_resumes_the_one_below() -> None:
    decision = tell(after(NAMED, (StartFlow("sizes"),)), CancelFlow())
    assert said(decision) == ["left", "ask.email"]


def test_cancel_of_the_opening_flow_leaves_nothing_pending() -> None:
    decision = tell(after(NAMED), CancelFlow())
    assert decision.session.stack == ()
    assert decision.session.timers == {}
    assert decision.session.state == "idle"


def test_an_info_question_is_answered_and_the_question_asked_again() -> None:
    assert said(tell(after(NAMED), AskInfo("hours"))) == ["open", "ask.email"]


def test_an_intent_without_an_answer_is_off_the_subject() -> None:
    assert said(tell(after(NAMED), AskInfo("silent"))) == ["off_topic", "ask.email"]


# --- after completion ---------------------------------------------------------------------------------


DONE = after(NAMED, MAILED, FOUR, (Affirm(),))


def test_thanks_after_completion_is_answered() -> None:
    assert said(tell(DONE, Digress("thanks"))) == ["thanks_back"]


def test_a_correction_after_completion_is_kept_and_reported() -> None:
    decision = tell(DONE, CorrectSlot("email", "nuevo@x.com"))
    assert decision.session.slots["email"] == "nuevo@x.com"
    assert Complete("order") in decision.effects
    assert said(decision) == ["corrected"]


def test_anything_else_after_completion_gets_a_word() -> None:
    assert "already_done" in said(tell(DONE))


# --- handing over, timers, status -----------------------------------------------------------------------


def test_a_request_for_a_person_hands_over_at_once_and_loses_no_value() -> None:
    decision = tell(after(NAMED), RequestHuman(), SetSlot("email", "x@y.com"))
    assert (decision.session.status, decision.session.holder) == ("handed_off", "operator")
    assert decision.session.slots["email"] == "x@y.com"
    assert [type(each) for each in decision.effects if isinstance(each, Say | Question)] == [Say]


def test_the_agent_is_silent_while_an_operator_holds_the_session_and_keeps_what_is_given() -> None:
    session = after(NAMED, (RequestHuman(),))
    session = decide(AGENT, session, OperatorTookOver(NOW, "Luz")).session
    decision = tell(session, *MAILED, StartFlow("capture"))
    assert decision.effects == ()
    assert decision.refused[0].reason == "an operator holds the session"
    assert decision.session.slots["email"] == MAILED[0].value
    # What a person talks about with the contact changes nothing that we know.
    again = tell(decision.session, SetSlot("email", "other@y.com"), SetSlot("name", "Eva"))
    assert again.session.slots == decision.session.slots


def test_a_person_who_is_there_is_not_announced_any_more() -> None:
    session = after(NAMED, (RequestHuman(),))
    taken = decide(AGENT, session, OperatorTookOver(NOW, "Bea"))
    assert taken.session.handoff
    assert taken.session.handoff.told
    assert taken.session.handoff.policy == "request"


def test_release_gives_the_session_back_where_it_was() -> None:
    decision = decide(AGENT, after(NAMED, (RequestHuman(),)), Released(NOW))
    assert said(decision) == ["released", "ask.email"]
    assert (decision.session.status, decision.session.holder, decision.session.handoff) == ("active", "agent", None)


def test_release_of_a_session_nobody_holds_does_nothing() -> None:
    assert decide(AGENT, after(NAMED), Released(NOW)).effects == ()


def test_an_operator_takes_over_quietly() -> None:
    decision = decide(AGENT, after(NAMED), OperatorTookOver(NOW, "Luz"))
    assert said(decision) == []
    assert decision.session.holder == "operator"


def test_an_escalation_is_recorded_with_policy_and_reason() -> None:
    session = decide(AGENT, after(NAMED), EscalationTriggered(NOW, "keyword", "the contact wrote humano")).session
    assert session.handoff is not None
    assert (session.handoff.policy, session.handoff.reason) == ("keyword", "the contact wrote humano")


def test_the_timeout_is_promised_with_the_first_message_and_cancelled_at_the_end() -> None:
    first = tell(start())
    assert SetTimer("escalation.timeout", NOW + timedelta(minutes=30)) in first.effects
    assert CancelTimer("escalation.timeout") in tell(after(NAMED, MAILED, FOUR), Affirm()).effects


def test_the_timeout_hands_over_when_it_fires() -> None:
    late = NOW + timedelta(minutes=30)
    decision = decide(AGENT, after(NAMED), TimerFired(late, "escalation.timeout"))
    assert decision.session.handoff is not None
    assert decision.session.handoff.policy == "timeout"
    assert decision.session.timers.keys() == {UNANSWERED}


def test_who_waits_for_a_person_is_told_that_one_comes_whatever_they_write() -> None:
    session = after(NAMED, (RequestHuman(),))
    told = tell(session, *MAILED)
    assert said(told) == ["noted", "awaited"]  # what was given is told, or nobody would know
    assert said(tell(told.session, Deny())) == ["awaited"]
    assert said(tell(told.session, StartFlow("capture"))) == ["awaited"]  # a wish is not met with silence


def test_who_did_not_ask_for_a_person_may_go_on_before_one_comes() -> None:
    handed = decide(AGENT, after(NAMED), EscalationTriggered(NOW, "sentiment", "very unhappy")).session
    assert handed.handoff
    back = tell(handed, StartFlow("capture"))
    assert said(back)[0] == "meanwhile"
    assert (back.session.status, back.session.holder, back.session.handoff) == ("active", "agent", None)
    taken = decide(AGENT, handed, OperatorTookOver(NOW)).session
    assert said(tell(taken, StartFlow("capture"))) == []


def test_a_handoff_that_nobody_takes_is_told_and_the_contact_may_go_on() -> None:
    session = after(NAMED, (RequestHuman(),))
    due = session.timers[UNANSWERED]
    assert due == NOW + PATIENCE
    back = decide(AGENT, session, TimerFired(due, UNANSWERED, due))
    assert said(back) == ["unanswered"]
    assert (back.session.status, back.session.holder, back.session.handoff) == ("active", "agent", None)
    assert back.session.timers == {}  # nothing hurries who waits for a person
    assert said(tell(back.session, *MAILED))[-1].startswith("ask.")


def test_who_was_only_slow_is_asked_again_where_nobody_takes_the_session() -> None:
    late = NOW + timedelta(minutes=30)
    handed = decide(AGENT, after(NAMED), TimerFired(late, "escalation.timeout")).session
    due = handed.timers[UNANSWERED]
    back = decide(AGENT, handed, TimerFired(due, UNANSWERED, due))
    assert said(back) == ["unanswered", "ask.email"]
    assert back.session.timers == {}


def test_a_handoff_that_was_taken_is_never_called_unanswered() -> None:
    session = after(NAMED, (RequestHuman(),))
    taken = decide(AGENT, session, OperatorTookOver(NOW, "Luz")).session
    assert UNANSWERED not in taken.timers
    assert decide(AGENT, taken, TimerFired(NOW + PATIENCE, UNANSWERED)).effects == ()


def test_a_timer_that_was_cancelled_does_nothing() -> None:
    assert decide(AGENT, DONE, TimerFired(NOW, "escalation.timeout")).effects == ()


def test_a_timer_stays_silent_while_an_operator_holds_the_session() -> None:
    held = after(NAMED, (RequestHuman(),))
    assert decide(AGENT, held, TimerFired(NOW, "escalation.timeout")).effects == ()


def test_a_paused_session_is_silent_until_it_is_resumed() -> None:
    paused = decide(AGENT, after(NAMED), Paused(NOW)).session
    assert tell(paused, *MAILED).effects == ()
    resumed = decide(AGENT, paused, Resumed(NOW)).session
    assert tell(resumed, *MAILED).session.slots["email"] == "ana@x.com"


def test_a_closed_session_stays_closed() -> None:
    closed = decide(AGENT, after(NAMED), Closed(NOW)).session
    assert closed.timers == {}
    assert tell(closed, *MAILED).session.status == "closed"


def test_what_does_not_exist_is_refused() -> None:
    decision = tell(
        after(NAMED), SetSlot("nope", 1), CorrectSlot("nope", 1), SkipSlot("nope"), StartFlow("nope"), CallTool("nope")
    )
    assert len(decision.refused) == 5
    assert decision.accepted == ()


def test_every_turn_raises_the_version_by_one() -> None:
    assert [after(*[NAMED] * turns).version for turns in range(4)] == [0, 1, 2, 3]


def test_a_raw_message_is_not_for_the_dialogue() -> None:
    with pytest.raises(TypeError, match="turn graph"):
        decide(AGENT, start(), MessageReceived(NOW, "hola"))


def test_a_session_is_stored_and_read_back_unchanged() -> None:
    session = after(NAMED, MAILED, FOUR)
    assert from_json(to_json(session)) == session


def test_every_event_but_a_message_that_was_not_read_has_a_rule() -> None:
    union, *_ = get_args(Event)
    assert {MessageReceived, *_RULES} == set(get_args(union))
