"""What a turn can tell the person who is to take a session over."""

from typing import Any

from hilo.agent.declaration import Agent
from hilo.dialogue.session import (
    AskedArgument,
    AskedMeaning,
    AskedSlot,
    AskedSure,
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
    known = {}
    for name in sorted(after.slots, key=[*agent.slots, *after.slots].index)[:MAX_SLOTS]:
        try:
            words = spoken(agent, name, after.slots[name])
        except (KeyError, ValueError, TypeError):
            # A tool found it, or its agent is gone: it is not what the slot says.
            words = str(after.slots[name])
        known[slot_label(agent, name)[:MAX_WORDS]] = words[:MAX_WORDS]
    declared = [name for name in after.slots if name in agent.slots]
    person = next((name for name in declared if agent.slots[name].kind.names_person), None)
    # The mode that the conversation was in: the person's own says nothing.
    left = [left for left, entered in result.decision.modes if entered == agent.operator_mode]
    return {
        "mode": left[-1] if left else after.mode,
        "flow": flow_words(agent, after.stack[-1].flow) if after.stack else "",
        "question": open_question(agent, before.pending, after),
        "known": known,
        "name": str(after.slots[person]) if person else "",
    }


def open_question(agent: Agent, pending: Pending | None, after: Session) -> str:
    """What the contact was asked and has not said."""
    match pending:
        case AskedSlot(slot=slot):
            return "" if slot in after.slots else slot_label(agent, slot)
        case AskedWhich(slots=slots):
            return " / ".join(slot_label(agent, slot) for slot in slots)[:MAX_WORDS]
        case AskedArgument(parameter=parameter, question=question):
            return (question or parameter)[:MAX_WORDS]
        case AskedYes():
            return "a yes to the summary"
        case AskedSure(slot=slot, value=value):
            return f"{label(agent, slot)}: {value}?"[:MAX_WORDS]
        case AskedSwitch(flow=flow):
            return f"whether to go on to: {flow_words(agent, flow)}"
        case AskedMeaning(intents=intents):
            return f"which is meant: {', '.join(intents)}"[:MAX_WORDS]
        case Waiting() | None:
            return ""


def slot_label(agent: Agent, slot: str) -> str:
    """What contacts call a slot; its name where the agent does not know it."""
    return label(agent, slot) if slot in agent.slots else slot


def flow_words(agent: Agent, flow: str) -> str:
    """What a flow does; its name where the agent does not know it."""
    return (flow_label(agent, flow) if flow in agent.flows else flow)[:MAX_WORDS]
