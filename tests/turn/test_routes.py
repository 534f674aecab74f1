"""Where each node of the turn leads, each on its own."""

from dataclasses import replace

import pytest
from turn_states import CONTEXT, NOW, decided, session, state

from hilo.dialogue.commands import Affirm, Digress, SetSlot
from hilo.dialogue.effects import Ask, AskWhich, AskYes, Complete, Effect, HandOff, Line, Say
from hilo.dialogue.escalation import Escalation
from hilo.dialogue.events import MessageReceived, TimerFired
from hilo.turn.graph import END, Route
from hilo.turn.nodes import check_escalation
from hilo.turn.run import TURN
from hilo.turn.state import TurnState
from hilo.understanding.corrections import Correction

LINE = Line("x", 0, "…")


def after(node: str, state: TurnState) -> str:
    route = TURN.edges[node]
    assert isinstance(route, Route)
    return route.pick(state)


def test_a_policy_that_asks_for_a_person_leads_to_escalate() -> None:
    asked: TurnState = {**state("hola"), "escalation": Escalation("keyword", "humano")}
    assert after("check_escalation", asked) == "escalate"


def test_without_escalation_the_message_is_understood() -> None:
    assert after("check_escalation", {**state("hola"), "escalation": None}) == "understand"


def test_an_event_that_is_no_message_goes_straight_to_the_dialogue() -> None:
    assert after("check_escalation", {"session": session(), "event": TimerFired(NOW, "x")}) == "decide"


@pytest.mark.parametrize("change", [{"holder": "operator"}, {"status": "paused"}, {"status": "closed"}])
async def test_a_message_that_the_agent_may_not_answer_is_not_read(change: dict[str, str]) -> None:
    held = replace(session(), **change)  # type: ignore[arg-type]
    received: TurnState = {"session": held, "event": MessageReceived(NOW, "hola")}
    assert await check_escalation(received, CONTEXT) == {}
    assert after("check_escalation", received) == "decide"


def test_a_pressed_button_needs_no_reading() -> None:
    pressed: TurnState = {**state("Sí", Affirm()), "event": MessageReceived(NOW, "Sí", payload="yes")}
    assert after("understand", pressed) == "validate"


def test_a_button_that_is_not_ours_is_read_as_text() -> None:
    pressed: TurnState = {**state("Sí"), "event": MessageReceived(NOW, "Sí", payload="promo-7")}
    assert after("understand", pressed) == "check_correction"


def test_a_text_is_checked_for_a_correction() -> None:
    assert after("understand", state("sí", Affirm())) == "check_correction"


def test_a_correction_is_extracted() -> None:
    assert after("check_correction", {**state(), "correction": Correction("email")}) == "extract_field"


def test_a_correction_of_an_unknown_slot_is_a_correction() -> None:
    assert after("check_correction", {**state(), "correction": Correction()}) == "extract_field"


def test_no_correction_leads_to_the_off_topic_check() -> None:
    assert after("check_correction", {**state(), "correction": None}) == "check_off_topic"


def test_what_is_off_topic_is_not_extracted() -> None:
    assert after("check_off_topic", state("", Digress("off_topic"))) == "hear_rest"


def test_what_is_only_met_with_a_word_has_nothing_to_validate() -> None:
    assert after("hear_rest", state("", Digress("off_topic"))) == "decide"
    assert after("hear_rest", state("", SetSlot("name", "Ana"))) == "validate"
    assert after("hear_rest", state()) == "validate"


def test_what_is_relevant_is_extracted() -> None:
    assert after("check_off_topic", state("", SetSlot("name", "Ana"))) == "extract_field"
    assert after("check_off_topic", state()) == "extract_field"


def test_the_beginning_of_a_long_message_is_extracted() -> None:
    assert after("check_off_topic", state("", Digress("too_long"))) == "extract_field"


@pytest.mark.parametrize(
    ("effects", "node"),
    [
        ((Ask("email", LINE),), "prompt_next"),
        ((Say(LINE, remark=True), Ask("email", LINE)), "prompt_next"),
        ((AskWhich(("email",), LINE),), "prompt_next"),
        ((AskYes(LINE, "d"),), "confirm_action"),
        ((Say(LINE), Complete("capture")), "complete"),
        ((Complete("inner"), Ask("email", LINE)), "prompt_next"),
        ((Say(LINE), HandOff("keyword", "humano")), "escalate"),
        ((Say(LINE),), "generate"),
        ((), END),
    ],
)
def test_what_the_dialogue_ordered_last_picks_the_reply(effects: tuple[Effect, ...], node: str) -> None:
    assert after("decide", decided(*effects)) == node


def test_with_all_fields_collected_a_reply_is_one_of_completion() -> None:
    assert after("decide", decided(Say(LINE), of=replace(session(), finished=("capture",)))) == "complete"
