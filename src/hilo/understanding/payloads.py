"""Exact signals: what a pressed button means."""

from hilo.agent.declaration import Agent
from hilo.dialogue.commands import Affirm, Command, CorrectSlot, Deny, SetSlot


def read_payload(payload: str, agent: Agent) -> Command | None:
    """The command of a button that we made; an unknown payload is none."""
    kind, _, rest = payload.partition(":")
    slot, _, value = rest.partition(":")
    match kind:
        case "yes":
            return Affirm()
        case "no":
            return Deny()
        case "correct" if slot in agent.slots:
            return CorrectSlot(slot)
        case "set" if slot in agent.slots:
            boolean = agent.slots[slot].type == "boolean"
            return SetSlot(slot, value == "true" if boolean else value)
    return None
