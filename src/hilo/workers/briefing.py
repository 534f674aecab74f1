"""What a turn can tell the person who is to take a session over."""

from collections.abc import Iterator
from typing import Any

from hilo.agent.declaration import Agent
from hilo.agent.values import Value
from hilo.dialogue.session import (
    AskedArgument,
    AskedMeaning,
    AskedSlot,
    AskedSwitch,
    AskedWhich,
    AskedYes,
    Pending,
    Session,
    Waiting,
)
from hilo.dialogue.wording import flow_label, label, spoken
from hilo.store.handoffs import MAX_WORDS
from hilo.turn.run import TurnResult

MAX_SLOTS = 40


def briefing(agent: Agent, before: Session, result: TurnResult) -> dict[str, Any]:
    """The mode that was left, what is known, what is under way, and the question that nobody has answered."""
    after = result.session
    named = next((name for name in after.slots if _names_person(agent, name)), "")
    return {
        "mode": _mode(agent, result),
        "flow": _flow(agent, after.stack[-1].flow) if after.stack else "",
        "question": _question(agent, before.pending, after),
        "known": dict(_known(agent, after)),
        "name": str(after.slots[named]) if named else "",
    }


def _mode(agent: Agent, result: TurnResult) -> str:
    """The mode that the conversation was in; the person's own says nothing."""
    changes = reversed(result.decision.modes)
    return next((left for left, entered in changes if entered == agent.operator_mode), result.session.mode)


def _known(agent: Agent, session: Session) -> Iterator[tuple[str, str]]:
    """In the order of the agent file."""
    ordered = sorted(session.slots, key=[*agent.slots, *session.slots].index)
    for name in ordered[:MAX_SLOTS]:
        yield _label(agent, name)[:MAX_WORDS], _words(agent, name, session.slots[name])[:MAX_WORDS]


def _words(agent: Agent, slot: str, value: Value) -> str:
    try:
        return spoken(agent, slot, value)
    except (KeyError, ValueError, TypeError):  # found by a tool, or of an agent that is gone: not what the slot says
        return str(value)


def _question(agent: Agent, pending: Pending | None, after: Session) -> str:
    """What the contact was asked before this turn and has not said."""
    match pending:
        case AskedSlot(slot=slot):
            return "" if slot in after.slots else _label(agent, slot)
        case AskedWhich(slots=slots):
            return " / ".join(_label(agent, slot) for slot in slots)[:MAX_WORDS]
        case AskedArgument(parameter=parameter, question=question):
            return (question or parameter)[:MAX_WORDS]
        case AskedYes():
            return "a yes to the summary"
        case AskedSwitch(flow=flow):
            return f"whether to go on to: {_flow(agent, flow)}"
        case AskedMeaning(intents=intents):
            return f"which is meant: {', '.join(intents)}"[:MAX_WORDS]
        case Waiting() | None:
            return ""


def _names_person(agent: Agent, slot: str) -> bool:
    return slot in agent.slots and agent.slots[slot].kind.names_person


def _label(agent: Agent, slot: str) -> str:
    return label(agent, slot) if slot in agent.slots else slot


def _flow(agent: Agent, flow: str) -> str:
    return (flow_label(agent, flow) if flow in agent.flows else flow)[:MAX_WORDS]
