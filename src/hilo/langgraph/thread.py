"""A thread's state: the messages, which are LangGraph's, and the session as plain JSON for any checkpointer."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from langgraph.graph import MessagesState

from hilo.agent.declaration import Agent
from hilo.dialogue.draft import Decision
from hilo.dialogue.effects import CancelTimer, SetTimer
from hilo.dialogue.session import AskedSlot, Session, from_json, to_json
from hilo.dialogue.synthesis import opened, synthesise
from hilo.errors import HiloError

FORMAT = 1
WINDOW = timedelta(hours=24)  # as in the store: after this silence the next message begins a new session
ANEW = "begin a new thread, or empty this one's state with graph.update_state(config, {'hilo': None})"


class AgentState(MessagesState, total=False):
    """What a graph over an agent keeps. `hilo` is the agent's own; `slots` is what it knows, for other nodes.

    `act` is what a person does, given as input and gone when it is done.
    """

    hilo: dict[str, Any] | None
    slots: dict[str, Any]
    act: dict[str, Any] | None


@dataclass(frozen=True)
class Thread:
    """What an agent knows of a thread between two turns."""

    session: Session
    timers: Mapping[str, datetime] = field(default_factory=dict)
    heard: str = ""  # the id of the last message that had its turn
    note: str = ""

    def after(self, decision: Decision) -> "Thread":
        """With what a turn came to."""
        timers = dict(self.timers)
        for effect in decision.effects:
            if isinstance(effect, SetTimer):
                timers[effect.name] = effect.at
            elif isinstance(effect, CancelTimer):
                timers.pop(effect.name, None)
        return replace(self, session=decision.session, timers=timers)

    def due(self, now: datetime) -> list[str]:
        """The timers that should have fired by now, in their order."""
        return sorted(
            (name for name, at in self.timers.items() if at <= now), key=lambda name: (self.timers[name], name)
        )

    def without_timer(self, name: str) -> "Thread":
        """When it has fired."""
        return replace(self, timers={each: at for each, at in self.timers.items() if each != name})

    @property
    def is_done(self) -> bool:
        """Whether the agent has nothing more to ask: a flow was finished, and none is under way."""
        session = self.session
        return session.status == "closed" or (bool(session.finished) and not session.stack and session.pending is None)


# --- as it is saved ---------------------------------------------------------------------------------------


def saved(thread: Thread) -> dict[str, Any]:
    """Plain JSON: no class of ours is in it, so that every checkpointer and server can keep it."""
    return {
        "format": FORMAT,
        "session": json.loads(to_json(thread.session)),
        "timers": {name: at.isoformat() for name, at in thread.timers.items()},
        "heard": thread.heard,
        "holder": thread.session.holder,
        "done": thread.is_done,
    }


def plain_slots(session: Session) -> dict[str, Any]:
    """The values for nodes that know nothing of Hilo; what JSON has no word for is a text."""
    return {name: value if isinstance(value, bool | int | str) else str(value) for name, value in session.slots.items()}


def restored(agent: Agent, kept: Any, *, session_id: str, now: datetime) -> Thread:
    """The thread that was saved, or a new one; raises HiloError for what this version cannot read."""
    if kept is None:
        return Thread(opened(agent, session_id=session_id, at=now))
    thread = _read(kept)
    session = thread.session
    if session.agent != agent.agent:
        raise HiloError(f"this thread belongs to the agent `{session.agent}`, and this is `{agent.agent}`: {ANEW}")
    if _is_over(session, now):
        return replace(thread, session=_next_session(agent, session, now), timers={})
    if session.agent_version == agent.version:
        return thread
    if _fits(agent, session):
        return replace(thread, session=replace(session, agent_version=agent.version))
    note = "the agent file has changed, and this thread stood where it has no place any more: a new session begins"
    return replace(thread, session=_next_session(agent, session, now), timers={}, note=note)


def _read(kept: Any) -> Thread:
    written = kept.get("format") if isinstance(kept, Mapping) else None
    if isinstance(written, int) and written > FORMAT:
        raise HiloError(
            f"this thread was saved by a newer version of Hilo (format {written}, and this one reads {FORMAT}): "
            f"upgrade Hilo, or {ANEW}"
        )
    try:
        session = from_json(json.dumps(kept["session"]))
        timers = {str(name): datetime.fromisoformat(at) for name, at in kept.get("timers", {}).items()}
        return Thread(session, timers, str(kept.get("heard", "")))
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        why = next(iter(str(error).splitlines()), "")[:200]
        raise HiloError(
            f"the state of this thread cannot be read; an older version of Hilo may have saved it, or somebody has "
            f"changed it ({type(error).__name__}: {why}): {ANEW}"
        ) from None


def _is_over(session: Session, now: datetime) -> bool:
    since = session.last_at if session.status == "handed_off" else session.heard_at
    return bool(since) and session.status != "paused" and now - (since or now) >= WINDOW


def _next_session(agent: Agent, session: Session, now: datetime) -> Session:
    """What is worth keeping goes on; the stack of another version may name flows that there are not."""
    known = tuple(frame for frame in session.stack if frame.flow in agent.flows)
    before = synthesise(agent, replace(session, stack=known))
    return opened(agent, session_id=session.id, at=now, before=before)


def _fits(agent: Agent, session: Session) -> bool:
    """Whether a session of another version of the file stands where this one has a place."""
    for frame in session.stack:
        flow = agent.compiled.get(frame.flow)
        if flow is None or (frame.step and frame.step not in flow.places):
            return False
    asked = session.pending.slot if isinstance(session.pending, AskedSlot) else ""
    known = {*session.slots, *filter(None, [asked])} <= set(agent.slots)
    return known and session.mode in {"", *agent.modes} and bool(agent.modes) == bool(session.mode)


# --- its messages -----------------------------------------------------------------------------------------


def unheard(messages: Sequence[Any], heard: str) -> list[Any]:
    """The contact's messages that have had no turn yet: those after the last one that had, and after our last reply."""
    start = 0
    for place, message in enumerate(messages):
        if message.type == "ai" or (heard and message.id == heard):
            start = place + 1
    return [message for message in messages[start:] if message.type == "human"]
