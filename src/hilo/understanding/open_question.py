"""Which question a message finds open, also in the words of the corpus.

That of a lookup gives way to the flow's, where it is not answered.
"""

from dataclasses import replace

from hilo.agent.declaration import Agent
from hilo.agent.instructions import AskConfirmation, AskSlots
from hilo.dialogue.session import (
    AskedArgument,
    AskedMeaning,
    AskedSlot,
    AskedSure,
    AskedSwitch,
    AskedWhich,
    AskedYes,
    Session,
)
from hilo.understanding.acts.trained import CONFIRMATION, NOTHING, waiting_for
from hilo.understanding.arguments import answer_of
from hilo.understanding.once import once_per_agent
from hilo.understanding.reading import Reading

_OPENS = {"greet", "question"}  # acts of a first message that may tell what somebody is after


def as_it_is_heard(agent: Agent, session: Session, reading: Reading) -> Session:
    """The session with the question that a message may answer.

    A lookup asked for what it lacks in the midst of a flow ("¿para qué servicio?"). Who answers the flow instead ("a
    las 10", asked for an hour before) is heard as if nothing had come between.
    """
    return reading.values.said.once(f"heard in:{id(session)}", lambda: (session, _heard_in(agent, session, reading)))[1]


def _heard_in(agent: Agent, session: Session, reading: Reading) -> Session:
    asked = session.pending
    if not session.counters.turns and {act.kind for act in reading.acts} <= _OPENS:
        wish = _wish_of_opening(agent)
        return replace(session, pending=AskedSlot(wish)) if wish else session
    if isinstance(asked, AskedSure):
        answered = "" if reading.acts else _asked_by_flow(agent, session, but=asked.slot)
        given = answered and reading.values.of(agent.slots[answered], asked=True)
        return replace(session, pending=AskedSlot(answered)) if given else session
    if not isinstance(asked, AskedArgument) or not session.stack:
        return session
    tool = agent.toolbox.get(asked.tool)
    if (tool and tool.writes) or answer_of(agent, asked, reading):
        return session
    slot = _asked_by_flow(agent, session)
    return replace(session, pending=AskedSlot(slot)) if slot else session


@once_per_agent
def _wish_of_opening(agent: Agent) -> str:
    """The slot for what the contact is after, where every conversation asks for one: the first message may tell it."""
    opening = (name for flow in agent.flows.values() if flow.starts_by_itself for name in flow.collects)
    return next((name for name in opening if agent.slots[name].wish), "")


def _asked_by_flow(agent: Agent, session: Session, *, but: str = "") -> str:
    """The slot that the flow under way waits for, or that it asks for next."""
    if not session.stack:
        return ""
    frame = session.stack[-1]
    does = agent.compiled[frame.flow][frame.step].does if frame.step else None
    if not isinstance(does, AskSlots):
        return ""
    known = (*session.slots, *session.skipped, but)
    return next((name for name in does.slots if name not in known), "")


def waiting_in(agent: Agent, session: Session) -> str:
    """What a session waits for, in the words of the corpus."""
    match session.pending:
        case AskedYes() | AskedSure() | AskedSwitch():
            return CONFIRMATION
        case AskedSlot(slot=slot):
            return waiting_for(agent.slots[slot].type)
        case AskedArgument() | AskedMeaning() | AskedWhich():
            return waiting_for("choice")
        case _:
            return CONFIRMATION if _asks_whether_all_is_well(agent, session) else NOTHING


def _asks_whether_all_is_well(agent: Agent, session: Session) -> bool:
    """Whether the question that ended a flow is open, which leads nowhere: "¿Está todo bien así?"."""
    mode = agent.modes.get(session.mode)
    leads_on = mode is not None and bool(mode.next.yes or mode.next.no)
    return session.invites and bool(session.finished) and not session.stack and not leads_on


def asked_in(agent: Agent, session: Session) -> str:
    """The words of the summary that a session waits for a yes to, or of which it asked what to change."""
    if not isinstance(session.pending, AskedYes | AskedWhich) or not session.stack:
        return ""
    frame = session.stack[-1]
    does = agent.compiled[frame.flow][frame.step].does if frame.step else None
    return agent.templates[does.template].text if isinstance(does, AskConfirmation) else ""
