"""A session that goes on with an edited agent, while an author tries it: what it knows stays, and where it stands.

What the edited agent has no place for is left: values that it does not take, flows and steps that are gone, questions
about them. Only `hilo dev` does that; elsewhere a session keeps the version that it began with.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hilo.agent.declaration import Agent
from hilo.agent.policies import WANTS_HUMAN
from hilo.agent.values import Accepted, accept_found
from hilo.dialogue.draft import without
from hilo.dialogue.session import (
    AskedArgument,
    AskedMeaning,
    AskedSlot,
    AskedSure,
    AskedSwitch,
    AskedWhich,
    AskedYes,
    Frame,
    Pending,
    Session,
    Waiting,
)
from hilo.dialogue.stored import StoredValue
from hilo.dialogue.timers import PREFIX
from hilo.dialogue.wording import SECTION

WAIT = "wait."  # of a step that waits: its flow and its name follow


def carried_over(session: Session, agent: Agent) -> Session:
    """The session as the edited agent can go on with it."""
    slots, stack = dict(_values(session, agent)), tuple(_frames(session, agent))
    asks_the_same = [old.step for old in session.stack] == [new.step for new in stack]
    last_tool = session.last_call.tool if session.last_call else ""
    return replace(
        session,
        agent=agent.agent,
        agent_version=agent.version,
        mode=_still(session.mode, agent.modes) or agent.first_mode,
        slots=slots,
        skipped=_known(session.skipped, agent.slots),
        refused=_known(session.refused, agent.slots),
        written=_known(session.written, agent.slots),
        last_given=_known(session.last_given, agent.slots),
        last_slot=_still(session.last_slot, agent.slots),
        last_call=None if last_tool not in agent.toolbox else session.last_call,
        stack=stack,
        finished=_known(session.finished, agent.flows),
        abandoned=_known(session.abandoned, agent.flows),
        unsure=_known(session.unsure, agent.flows),
        pending=session.pending if asks_the_same and _is_open(session.pending, stack, agent) else None,
        put_off=tuple(each for each in session.put_off if _is_open(each, stack, agent)),
        templates_sent=without(session.templates_sent, *(session.templates_sent.keys() - agent.templates.keys())),
        reworded={},  # by a model, from texts that may be others now
        timers={name: due for name, due in session.timers.items() if _is_promised(name, stack, agent)},
    )


def _still(name: str, there: Mapping[str, object]) -> str:
    return name if name in there else ""


def _known(names: tuple[str, ...], there: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(name for name in names if name in there)


def _values(session: Session, agent: Agent) -> Iterator[tuple[str, StoredValue]]:
    for name, value in session.slots.items():
        slot = agent.slots.get(name)
        taken = accept_found(slot, value, country=agent.country) if slot else None
        if isinstance(taken, Accepted):
            yield name, taken.value


def _frames(session: Session, agent: Agent) -> Iterator[Frame]:
    """The flows under way up to the first that is gone; one whose step is gone begins again, with what is known."""
    for frame in session.stack:
        flow = agent.compiled.get(frame.flow)
        if flow is None:
            return
        if frame.step and frame.step not in flow.places:
            yield Frame(frame.flow, flow.steps[0].name, called=frame.called, mode=frame.mode)
            continue
        rounds = without(frame.rounds, *(frame.rounds.keys() - flow.places.keys()))
        ran = _known(frame.ran, flow.places)
        yield replace(frame, rounds=rounds, ran=ran, yes=None)


def _is_open(pending: Pending | None, stack: tuple[Frame, ...], agent: Agent) -> bool:
    """Whether the edited agent may still have asked this."""
    match pending:
        case AskedSlot(slot=slot) | AskedSure(slot=slot):
            return slot in agent.slots
        case AskedWhich(slots=slots):
            return set(slots) <= agent.slots.keys()
        case AskedYes():
            return False  # a yes is bound to a summary, which may say something else now
        case AskedSwitch(flow=flow):
            return flow in agent.flows
        case AskedArgument(tool=tool, parameter=parameter, slot=slot):
            spec = agent.toolbox.get(tool)
            return spec is not None and parameter in spec.parameters and (not slot or slot in agent.slots)
        case AskedMeaning(intents=intents):
            sections = {f"{SECTION}{each.source}" for each in agent.documents}
            return set(intents) <= {WANTS_HUMAN, *agent.intents, *agent.flows, *sections}
        case Waiting(timer=timer):
            return _is_promised(timer, stack, agent)
        case None:
            return False


def _is_promised(timer: str, stack: tuple[Frame, ...], agent: Agent) -> bool:
    if timer.startswith(PREFIX):
        return timer.removeprefix(PREFIX) in agent.all_timers
    if timer.startswith(WAIT):
        return timer in [f"{WAIT}{frame.flow}.{frame.step}" for frame in stack]
    return True  # an escalation's own
