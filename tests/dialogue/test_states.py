"""The dialogue states: the seed's table is kept whole, and every way beyond it is there for a reason."""

import pytest

from hilo.dialogue.states import RESTING, TRANSITIONS, DialogueState, change
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
    assert change(DialogueState(before), DialogueState(after)) is DialogueState(after)


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
    [
        ("idle", "executing_action"),
        ("waiting_for_slot", "completed"),
        ("confirming", "completed"),
        ("error", "confirming"),
    ],
)
def test_an_invalid_transition_fails_loudly(before: str, after: str) -> None:
    with pytest.raises(InvalidTransition, match=f"from {before} to {after}"):
        change(DialogueState(before), DialogueState(after))
