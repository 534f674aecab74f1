"""Agents and states that the tests of a turn share."""

from datetime import UTC, datetime
from pathlib import Path

from hilo.agent.declaration import Agent
from hilo.agent.parse import parse
from hilo.app import new_session
from hilo.dialogue.commands import Command
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import Effect
from hilo.dialogue.events import MessageReceived
from hilo.dialogue.session import Session
from hilo.turn.state import Record, TurnContext, TurnState
from hilo.understanding.reading import read, understander

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
LEADS = parse((Path(__file__).parents[2] / "agents" / "leads" / "agent.yaml").read_text(encoding="utf-8"))
CONTEXT = TurnContext(LEADS, understander(LEADS), Record())


def session(agent: Agent = LEADS) -> Session:
    return new_session(agent, session_id="s", at=NOW)


def state(text: str = "", *commands: Command, of: Session | None = None) -> TurnState:
    """A state in which a message was received and read."""
    return {
        "session": of or session(),
        "event": MessageReceived(NOW, text),
        "reading": read(CONTEXT.understander, text, at=NOW),
        "commands": commands,
    }


def decided(*effects: Effect, of: Session | None = None) -> TurnState:
    """A state in which the dialogue has decided."""
    now = of or session()
    return {"session": now, "event": MessageReceived(NOW, ""), "decision": Decision(now, effects=effects)}
