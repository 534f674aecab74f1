"""The dialogue states: the seed's table is kept whole, and every way beyond it is there for a reason."""

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import pytest

from hilo.dialogue.draft import Decision, continued, route, state_in
from hilo.dialogue.session import (
    AskedArgument,
    AskedMeaning,
    AskedSlot,
    AskedSwitch,
    AskedWhich,
    AskedYes,
    Pending,
    Running,
    Session,
    TurnProgress,
    Waiting,
)
from hilo.dialogue.states import RESTING, TRANSITIONS, DialogueState
from hilo.errors import InvalidTransition

SEED = {
    "idle": ["understanding"],
    "understanding": ["waiting_for_slot", "executing_action", "idle", "error"],
    "waiting_for_slot": ["understanding"],
    "validating_slot": ["waiting_for_slot", "confirming", "executing_action"],
    "executing_action": ["confirming", "completed", "waiting_for_slot", "error"],
    "confirming": ["understanding", "executing_action", "waiting_for_slot"],
    "completed": ["idle", "understanding"],
    "error": ["idle", "understanding"],
}


@pytest.mark.parametrize(("before", "after"), [(before, after) for before, row in SEED.items() for after in row])
def test_every_transition_of_the_seed_is_allowed(before: str, after: str) -> None:
    assert route(DialogueState(before), (), DialogueState(after)) == (before, after)


def test_what_is_asked_is_always_answered_through_understanding() -> None:
    assert TRANSITIONS[DialogueState.WAITING_FOR_SLOT] == {DialogueState.UNDERSTANDING}
    assert TRANSITIONS[DialogueState.IDLE] == {DialogueState.UNDERSTANDING}


def test_momentary_states_lead_only_to_what_they_are_ready_for() -> None:
    assert TRANSITIONS[DialogueState.READY_FOR_CONFIRMATION] == {DialogueState.CONFIRMING}
    assert TRANSITIONS[DialogueState.READY_FOR_ACTION] == {DialogueState.EXECUTING_ACTION}
    assert not {DialogueState.READY_FOR_CONFIRMATION, DialogueState.READY_FOR_ACTION} & RESTING


def test_every_state_has_a_row_and_a_way_in() -> None:
    assert set(TRANSITIONS) == set(DialogueState)
    assert {after for row in TRANSITIONS.values() for after in row} == set(DialogueState)


@pytest.mark.parametrize(
    ("before", "after"),
    [("idle", "confirming"), ("waiting_for_slot", "confirming"), ("completed", "confirming")],
)
def test_an_invalid_transition_fails_loudly(before: str, after: str) -> None:
    with pytest.raises(InvalidTransition, match=f"from understanding to {after}"):
        route(DialogueState(before), (), DialogueState(after))


def test_a_turn_that_goes_on_with_something_new_starts_again_from_understanding() -> None:
    passed = [DialogueState.VALIDATING_SLOT, DialogueState.COMPLETED, DialogueState.READY_FOR_ACTION]
    assert route(DialogueState.CONFIRMING, passed, DialogueState.EXECUTING_ACTION) == (
        "confirming",
        "understanding",
        "validating_slot",
        "completed",
        "understanding",
        "ready_for_action",
        "executing_action",
    )


def test_a_state_that_lasts_is_there_once() -> None:
    assert route(DialogueState.IDLE, [DialogueState.IDLE], DialogueState.IDLE) == ("idle",)


@pytest.mark.parametrize(
    ("pending", "state"),
    [
        (None, "idle"),
        (Waiting("wait.x.y"), "idle"),
        (AskedSlot("name"), "waiting_for_slot"),
        (AskedWhich(("name",)), "waiting_for_slot"),
        (AskedSwitch("x"), "waiting_for_slot"),
        (AskedArgument("find", "text"), "waiting_for_slot"),
        (AskedMeaning(("a", "b")), "waiting_for_slot"),
        (AskedYes("digest"), "confirming"),
    ],
)
def test_where_a_session_stands_follows_from_the_question_that_is_open(pending: Pending | None, state: str) -> None:
    now = datetime(2026, 11, 16, tzinfo=UTC)
    session = Session(id="s", agent="a", agent_version="1", started_at=now, last_at=now, pending=pending)
    assert session.state == state
    assert session.state in RESTING


@pytest.mark.parametrize(
    ("progress", "state"),
    [
        (TurnProgress(running=(Running("c", "find"),)), "executing_action"),
        (TurnProgress(running=(Running("c", "find", operator=True),)), "confirming"),
        (TurnProgress(model_turn_open=True), "understanding"),
        (TurnProgress(model_turn_open=True, asked=True), "confirming"),
    ],
)
def test_in_the_middle_of_a_turn_it_follows_from_what_runs(progress: TurnProgress, state: str) -> None:
    now = datetime(2026, 11, 16, tzinfo=UTC)
    session = Session(id="s", agent="a", agent_version="1", started_at=now, last_at=now, pending=AskedYes("d"))
    assert state_in(session, progress) == state


def test_two_decisions_of_one_turn_lose_nothing() -> None:
    now = datetime(2026, 11, 16, tzinfo=UTC)
    session = Session(id="s", agent="a", agent_version="1", started_at=now, last_at=now)
    listed = [field.name for field in fields(Decision) if field.name not in ("session", "progress")]
    first: dict[str, Any] = dict.fromkeys(listed, ("first",))
    second: dict[str, Any] = dict.fromkeys(listed, ("second",))
    both = continued(Decision(session, **first), Decision(session, **second))
    assert {name for name in listed if getattr(both, name) != ("first", "second")} == {"states"}
    assert both.states == ("second",)  # which begins where the first ended
