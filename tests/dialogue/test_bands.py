"""Confidence bands: what is acted on, what is asked about, what is left to a person, and what they leave alone."""

from dataclasses import replace

import pytest

from hilo.agent.declaration import Bands
from hilo.agent.policies import StuckPolicy
from hilo.dialogue.commands import (
    Affirm,
    AskInfo,
    CallTool,
    CancelFlow,
    Choose,
    Command,
    Deny,
    Digress,
    Reply,
    RequestHuman,
    SetSlot,
    StartFlow,
)
from hilo.dialogue.draft import Decision, has
from hilo.dialogue.effects import Ask, AskMeaning
from hilo.dialogue.escalation import band_of
from hilo.dialogue.events import MessageUnderstood
from hilo.dialogue.session import AskedMeaning, from_json, to_json
from hilo.dialogue.turn_end import candidates
from hilo.dialogue.wording import PERSON
from kiosk import AGENT, NOW, give, go_on, policies, reasons, runs, said, start, tell

SURE = replace(AGENT, confidence=Bands())
FIND = CallTool("search", {"text": "leche"})


def hear(*commands: Command, confidence: int, intent: str = "find", **more: object) -> Decision:
    alternatives = (("hours", 30), ("nope", 29), ("survey", 20))
    return tell(
        start(SURE), *commands, agent=SURE, intent=intent, confidence=confidence, alternatives=alternatives, **more
    )


@pytest.mark.parametrize(
    ("confidence", "band"),
    [
        (100, "proceed"),
        (85, "proceed"),
        (84.5, "reanalyse"),
        (60, "reanalyse"),
        (59.9, "clarify"),
        (40, "clarify"),
        (39.9, "unclear"),
        (0, "unclear"),
    ],
)
def test_bands_are_half_open(confidence: float, band: str) -> None:
    assert band_of(SURE, confidence) == band


def test_an_agent_without_bands_is_content_with_whatever_was_found() -> None:
    assert band_of(AGENT, 0) == "proceed"
    assert runs(tell(start(), FIND, intent="find", confidence=1))


@pytest.mark.parametrize("confidence", [100, 85, 84, 60])
def test_what_is_sure_or_was_looked_at_again_is_done(confidence: int) -> None:
    assert [run.tool for run in runs(hear(FIND, confidence=confidence))] == ["search"]


@pytest.mark.parametrize("confidence", [59, 40])
def test_what_may_be_meant_is_asked(confidence: int) -> None:
    asked = hear(FIND, confidence=confidence)
    assert runs(asked) == []
    assert reasons(asked) == [f"confidence {confidence}: clarify"]
    assert asked.session.pending == AskedMeaning(("find", "hours"))
    assert [effect.intents for effect in asked.effects if isinstance(effect, AskMeaning)] == [("find", "hours")]
    assert from_json(to_json(asked.session)) == asked.session


@pytest.mark.parametrize("confidence", [39, 0])
def test_what_nobody_understands_is_met_with_what_can_be_done_here(confidence: int) -> None:
    unclear = tell(start(SURE), FIND, agent=SURE, intent="find", confidence=confidence)
    assert policies(unclear) == []
    assert runs(unclear) == []
    [menu] = [each for each in unclear.effects if isinstance(each, AskMeaning)]
    assert {"survey", "hours"} <= set(menu.intents)
    assert unclear.session.pending is None  # a yes or a no means what it means here
    chosen = tell(unclear.session, Choose("hours"), agent=SURE, confidence=100)
    assert said(chosen)[0] == "Abrimos a las 9."


def test_without_a_meaning_to_offer_what_can_be_done_is_shown() -> None:
    unclear = tell(start(SURE), FIND, agent=SURE, intent="nope", confidence=50)
    assert policies(unclear) == []
    assert has(unclear.effects, AskMeaning)


def test_the_ladder_leads_to_a_person_who_is_offered_first() -> None:
    stuck = replace(SURE, escalation=(StuckPolicy(stuck=3),))
    session, texts = start(stuck), []
    for _ in range(3):
        decision = tell(session, agent=stuck)
        session = decision.session
        texts.append(said(decision))
    assert len({text[-1] for text in texts}) == 3  # never the same words twice running
    assert session.pending == AskedMeaning((PERSON,))
    wanted = tell(session, Affirm(), agent=stuck)
    assert policies(wanted) == ["request"]
    given_up = tell(session, agent=stuck)
    assert policies(given_up) == ["stuck"]
    assert not [each for each in given_up.effects if isinstance(each, AskMeaning)]
    understood = tell(session, AskInfo("hours"), agent=stuck, confidence=99)
    assert understood.session.counters.unclear == 0


def test_beside_a_question_a_person_is_offered_with_a_button() -> None:
    session = tell(start(SURE), StartFlow("survey"), agent=SURE, intent="survey", confidence=99).session
    for _ in range(3):
        decision = tell(session, agent=SURE)
        session = decision.session
    assert [each.person for each in decision.effects if isinstance(each, Ask)] == [True]
    assert policies(tell(session, Choose(PERSON), agent=SURE)) == ["request"]


def test_help_lists_what_can_be_done_and_goes_on_with_what_is_asked() -> None:
    idle = tell(start(SURE), Digress("help"), agent=SURE)
    assert has(idle.effects, AskMeaning)
    asked = tell(start(SURE), StartFlow("survey"), agent=SURE, intent="survey", confidence=99).session
    helped = tell(asked, Digress("help"), agent=SURE)
    assert said(helped)[-1] == "¿Ciudad?"
    assert helped.session.counters.unclear == 0


def test_the_likeliest_meanings_that_the_agent_has_are_offered() -> None:
    several = MessageUnderstood(NOW, (), "find", 45, (("hours", 50), ("nope", 60), ("survey", 44)))
    assert candidates(SURE, several) == ("hours", "find")
    assert candidates(SURE, MessageUnderstood(NOW, (), "find", 45, (("find", 45),))) == ("find",)


@pytest.mark.parametrize(
    "command",
    [
        SetSlot("name", "Ana"),
        CancelFlow(),
        RequestHuman("x"),
        Digress("greeting"),
        Digress("thanks"),
        Digress("repeat"),
    ],
)
def test_what_does_not_hang_on_the_intent_is_left_alone(command: Command) -> None:
    heard = hear(command, confidence=5)
    assert not any(reason.startswith("confidence") for reason in reasons(heard))
    assert "confidence" not in policies(heard)


def test_an_answer_to_an_open_question_is_no_doubtful_intent() -> None:
    asked = tell(start(SURE), StartFlow("survey"), agent=SURE, intent="survey", confidence=99).session
    again = tell(asked, agent=SURE, intent="find", confidence=3)
    assert policies(again) == []
    assert said(again)[-1] == "¿Ciudad?"


def test_a_doubtful_meaning_beside_an_open_question_is_asked_about() -> None:
    asked = tell(start(SURE), StartFlow("survey"), agent=SURE, intent="survey", confidence=99).session
    doubtful = tell(asked, AskInfo("hours"), agent=SURE, intent="hours", confidence=45)
    assert doubtful.session.pending == AskedMeaning(("hours",))
    meant = tell(doubtful.session, Affirm(), agent=SURE, confidence=100)
    assert said(meant) == ["Abrimos a las 9.", "¿Ciudad?"]


# --- answers ----------------------------------------------------------------------------------------------


def asked(*intents: str) -> Decision:
    first, *others = intents
    ranked = tuple((each, 30) for each in others)
    return tell(start(SURE), FIND, agent=SURE, intent=first, confidence=45, alternatives=ranked)


def test_what_the_contact_chooses_is_done() -> None:
    chosen = tell(asked("hours", "find").session, Choose("hours"), agent=SURE, confidence=100)
    assert said(chosen)[0] == "Abrimos a las 9."
    assert chosen.session.pending is None


def test_a_flow_may_be_chosen() -> None:
    chosen = tell(asked("survey", "find").session, Choose("survey"), agent=SURE)
    assert [frame.flow for frame in chosen.session.stack] == ["survey"]
    assert said(chosen)[-1] == "¿Ciudad?"


def test_a_tool_that_was_chosen_still_needs_its_arguments() -> None:
    chosen = tell(asked("find", "hours").session, Choose("find"), agent=SURE)
    assert runs(chosen) == []
    assert reasons(chosen) == ["search needs text"]


def test_a_tool_that_was_chosen_goes_through_the_gate() -> None:
    assert reasons(tell(asked("empty").session, Choose("empty"), agent=SURE)) == [
        "clear is not allowed in the mode IDLE"
    ]
    ready = replace(asked("empty").session, mode="ORDER")
    assert [run.tool for run in runs(tell(ready, Choose("empty"), agent=SURE))] == ["clear"]


def test_a_flow_beside_a_tool_that_was_chosen_begins_when_the_tool_is_done() -> None:
    ready = replace(asked("empty").session, mode="ORDER")
    both = tell(ready, Choose("empty"), StartFlow("survey"), Affirm(), agent=SURE)
    assert [run.tool for run in runs(both)] == ["clear"]
    assert both.progress.later == (StartFlow("survey"), Affirm())
    done = give(both, agent=SURE)
    assert [frame.flow for frame in done.session.stack] == ["survey"]
    assert reasons(done) == ["no question is open that takes a yes or a no"]


def test_what_was_not_offered_cannot_be_chosen() -> None:
    assert reasons(tell(asked("hours", "find").session, Choose("survey"), agent=SURE)) == ["this was not offered"]
    assert reasons(tell(start(SURE), Choose("nope"), agent=SURE)) == ["this was not offered"]


@pytest.mark.parametrize("answer", [Deny(), Affirm()])
def test_none_of_two_is_asked_for_in_other_words(answer: Command) -> None:
    denied = tell(asked("hours", "find").session, answer, agent=SURE)
    assert said(denied)[0] == AGENT.templates["rephrase"].text
    assert denied.session.pending is None


def test_a_clear_message_instead_of_a_choice_is_done() -> None:
    clear = tell(asked("hours", "find").session, FIND, agent=SURE, intent="find", confidence=95)
    done = give(clear, {"outputs": {"found": "leche"}}, agent=SURE)
    assert said(done)[0] == "Hay leche."


def test_a_word_beside_it_leaves_the_question_open() -> None:
    thanked = tell(asked("hours", "find").session, Digress("thanks"), agent=SURE)
    assert thanked.session.pending == AskedMeaning(("hours", "find"))


def test_a_question_that_may_mean_nothing_can_be_left() -> None:
    assert tell(asked("hours", "find").session, CancelFlow(), agent=SURE).session.pending is None


def test_a_model_that_goes_on_to_speak_sees_to_the_doubt_itself() -> None:
    heard = hear(FIND, confidence=10, floor=True)
    assert policies(heard) == []
    assert runs(heard) == []
    assert reasons(heard) == ["confidence 10: unclear"]
    assert said(go_on(heard, Reply("¿Buscas leche?"), agent=SURE)) == ["¿Buscas leche?"]
