"""The engine's own states of a conversation and the changes between them that are allowed.

The rows of seed 003 are here whole. Beyond them: `understanding → validating_slot` (without it nothing could enter that
state), rows of their own for the momentary states, and the ways that steps without an action need (a flow that only
collects and says is complete without executing anything).
"""

from collections.abc import Sequence
from enum import StrEnum

from hilo.errors import InvalidTransition


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
_STEP = {_S.WAITING_FOR_SLOT, _S.READY_FOR_CONFIRMATION, _S.READY_FOR_ACTION, _S.GENERATING_RESPONSE, _S.COMPLETED}

TRANSITIONS: dict[DialogueState, frozenset[DialogueState]] = {
    _S.IDLE: frozenset({_S.UNDERSTANDING}),
    _S.UNDERSTANDING: frozenset({*_STEP, _S.VALIDATING_SLOT, _S.EXECUTING_ACTION, _S.IDLE, _S.ERROR}),
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

RESTING = frozenset({_S.IDLE, _S.WAITING_FOR_SLOT, _S.CONFIRMING})  # a turn may end only in one of these


def route(start: DialogueState, passed: Sequence[DialogueState], end: DialogueState) -> tuple[DialogueState, ...]:
    """The states of a turn from its start to its end, by way of those that it passed through.

    A turn that goes on with something new starts again from understanding: where the table has no direct change, that
    lies in between. Whatever else is not in the table is a bug of ours and raises.
    """
    states = [start]
    for state in (*passed, end):
        if state is states[-1]:
            continue
        if state not in TRANSITIONS[states[-1]] and _S.UNDERSTANDING in TRANSITIONS[states[-1]]:
            states.append(_S.UNDERSTANDING)
        if state not in TRANSITIONS[states[-1]]:
            raise InvalidTransition(f"the dialogue may not go from {states[-1]} to {state}")
        states.append(state)
    return tuple(states)
