"""The agent of a session whose own cannot be loaded any more, because its file or one of its tools is gone."""

from datetime import datetime

from hilo.agent.declaration import Agent
from hilo.agent.texts import phrases
from hilo.dialogue.events import Closed, EscalationTriggered, Event, OperatorTookOver, Paused
from hilo.dialogue.session import Session
from hilo.store.turns import TurnInput
from hilo.turn.run import Turn


def fallback_agent(session: Session) -> Turn:
    """An agent that knows nothing but how to call a person, and to be quiet."""
    return Turn(Agent(agent=session.agent, templates=phrases("es"), version=session.agent_version))


def last_resort(taken: TurnInput, reason: str, *, now: datetime) -> Event:
    """What is tried when a turn has failed: an operator's word holds, and everything else is given to an operator."""
    match taken.events[0].event:
        case OperatorTookOver() | Paused() | Closed() as word:
            return word
        case _:
            return EscalationTriggered(now, "error", reason)
