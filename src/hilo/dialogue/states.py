"""The engine's own states of a conversation and the changes between them that are allowed.

The rows of seed 003 are here whole. Beyond them: `understanding → validating_slot` (without it
nothing could enter that state), rows of their own for the momentary states, and the ways that
steps without an action need (a flow that only collects and says is complete without executing
anything).
"""

from collections.abc import Iterator
from enum import StrEnum

from hilo.drawing import Arrow, Box, mermaid


class DialogueState(StrEnum):
    """Where the conversation stands, whatever the agent."""

    IDLE = "idle"
    UNDERSTANDING = "understanding"
    WAITING_FOR_SLOT = "waiting_for_slot"
    VALIDATING_SLOT = "validating_slot"
    READY_FOR_CONFIRMATION = "ready_for_confirmation"
    CONFIRMING = "confirming"
    READY_FOR_ACTION = "ready_for_action"
    EXECUTING_ACTION = "executing_action"
    GENERATING_RESPONSE = "generating_response"
    COMPLETED = "completed"
    ERROR = "error"


_S = DialogueState
_STEP = {
    _S.WAITING_FOR_SLOT,
    _S.READY_FOR_CONFIRMATION,
    _S.READY_FOR_ACTION,
    _S.GENERATING_RESPONSE,
    _S.COMPLETED,
}

TRANSITIONS: dict[DialogueState, frozenset[DialogueState]] = {
    _S.IDLE: frozenset({_S.UNDERSTANDING}),
    _S.UNDERSTANDING: frozenset(
        {*_STEP, _S.VALIDATING_SLOT, _S.EXECUTING_ACTION, _S.IDLE, _S.ERROR},
    ),
    _S.WAITING_FOR_SLOT: frozenset({_S.UNDERSTANDING}),
    _S.VALIDATING_SLOT: frozenset(
        {*_STEP, _S.CONFIRMING, _S.EXECUTING_ACTION, _S.UNDERSTANDING, _S.IDLE, _S.ERROR},
    ),
    _S.READY_FOR_CONFIRMATION: frozenset({_S.CONFIRMING}),
    _S.CONFIRMING: frozenset({_S.UNDERSTANDING, _S.EXECUTING_ACTION, _S.WAITING_FOR_SLOT}),
    _S.READY_FOR_ACTION: frozenset({_S.EXECUTING_ACTION}),
    _S.EXECUTING_ACTION: frozenset({*_STEP, _S.CONFIRMING, _S.UNDERSTANDING, _S.ERROR}),
    _S.GENERATING_RESPONSE: frozenset({*_STEP, _S.UNDERSTANDING, _S.IDLE, _S.ERROR}),
    _S.COMPLETED: frozenset({_S.IDLE, _S.UNDERSTANDING}),
    _S.ERROR: frozenset({_S.IDLE, _S.UNDERSTANDING}),
}

# A turn may end only in one of these.
RESTING = frozenset({_S.IDLE, _S.WAITING_FOR_SLOT, _S.CONFIRMING})


def draw_states(*, title: str = "states of the dialogue (green: a turn may end here)") -> str:
    """All states and allowed changes as Mermaid text; staying as it is has no arrow."""
    return mermaid(title, map(_box, TRANSITIONS), _arrows())


def _arrows() -> Iterator[Arrow]:
    """One for each change, but only one for a change and its way back."""
    drawn = {(each, each) for each in DialogueState}
    for before, row in TRANSITIONS.items():
        for after in DialogueState:
            if after in row and (after, before) not in drawn:
                drawn.add((before, after))
                yield Arrow(before, after, both_ways=before in TRANSITIONS[after])


def _box(state: DialogueState) -> Box:
    text = state.replace("_", " ")
    return Box(state, text, "place", "resting") if state in RESTING else Box(state, text)
