"""Exact signals: what a pressed button means, and an answer that fits the pattern of what was asked."""

from hilo.agent.declaration import Agent
from hilo.agent.values import Accepted, accept
from hilo.dialogue.commands import Affirm, CancelFlow, Choose, Command, CorrectSlot, Deny, GiveArgument, SetSlot
from hilo.dialogue.session import AskedSlot, Session
from hilo.recognisers.normalise import normalise
from hilo.recognisers.places.cities import AMERICA
from hilo.recognisers.places.regions import find_zip_states


def read_payload(payload: str, agent: Agent) -> Command | None:
    """The command of a button that we made; an unknown payload is none."""
    kind, _, rest = payload.partition(":")
    slot, _, value = rest.partition(":")
    match kind:
        case "yes" if rest:
            return Affirm(rest)
        case "no" if rest:
            return Deny(rest)
        case "correct" if slot in agent.slots:
            return CorrectSlot(slot)
        case "set" if slot in agent.slots:
            boolean = agent.slots[slot].kind.sort == "boolean"
            return SetSlot(slot, value == "true" if boolean else value)
        case "arg" if value:
            return GiveArgument(value, slot)
        case "leave":
            return CancelFlow()
        case "mean":
            return Choose(rest)
    return None


def read_pattern(text: str, agent: Agent, session: Session) -> Command | None:
    """The answer to a slot with a pattern, where the whole message fits it and tells nothing else."""
    pending = session.pending
    if not isinstance(pending, AskedSlot) or not agent.slots[pending.slot].pattern:
        return None
    fits = isinstance(accept(agent.slots[pending.slot], text.strip(), country=agent.country), Accepted)
    kind = CorrectSlot if pending.slot in session.slots else SetSlot
    return kind(pending.slot, text.strip()) if fits and not _tells_a_state(text, agent) else None


def _tells_a_state(text: str, agent: Agent) -> bool:
    """Whether the answer is a ZIP code of an agent that wants to know the state."""
    regional = agent.country == AMERICA and any(slot.region_of for slot in agent.slots.values())
    return regional and bool(find_zip_states(normalise(text)))
