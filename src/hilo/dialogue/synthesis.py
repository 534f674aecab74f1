"""What is carried from one session of a contact to the next: short and bounded."""

from collections.abc import Iterator
from datetime import datetime

from hilo.agent.declaration import Agent
from hilo.agent.texts import WELCOME_BACK
from hilo.agent.values import Accepted, Value, accept
from hilo.dialogue.draft import Draft, less
from hilo.dialogue.effects import Say
from hilo.dialogue.session import MAX_SAID_BEFORE, LeftOpen, Session, Synthesis
from hilo.dialogue.wording import fitting_line, flow_label, label, remark, spoken_day

GREETINGS = ("greeting", WELCOME_BACK)


def synthesise(agent: Agent, session: Session) -> Synthesis:
    """What the next session should know of this one."""
    kept = {name for name, slot in agent.slots.items() if slot.keep} | _half_given(agent, session)
    done_before = session.before.done if session.before else ()
    return Synthesis(
        at=session.heard_at or session.last_at,
        kept={name: value for name, value in session.slots.items() if name in kept},
        done=session.finished or done_before,
        open=_left_open(agent, session),
        # More than all of a template's wordings says no more.
        sent={
            name: min(times, len(agent.templates[name].texts))
            for name, times in session.templates_sent.items()
            if name in agent.templates
        },
        said=session.said[-MAX_SAID_BEFORE:],
        spoke_at=session.last_at,
        reworded=session.reworded,
        agent_version=session.agent_version,
        zone=session.zone,
    )


def _half_given(agent: Agent, session: Session) -> set[str]:
    """What an opening flow asks for that is not at its end: the next session goes on with it."""
    half: set[str] = set()
    for name in session.flows:
        if agent.flows[name].starts_by_itself:
            half |= set(agent.flows[name].collects)
    return half


def _left_open(agent: Agent, session: Session) -> LeftOpen | None:
    """The flow under way, and the slot that was asked for, or the first that it still needs."""
    reason = session.handoff.reason if session.handoff else ""
    flow = next((frame.flow for frame in reversed(session.stack) if not frame.called), "")
    if not flow and not reason:
        return None
    notes = [name for name, slot in agent.slots.items() if slot.kind.is_note]  # nobody owes us one
    missing = less(agent.collected_by(session.flow), *session.slots, *session.skipped, *notes)
    return LeftOpen(flow, session.asked_slot or next(iter(missing), ""), reason)


def opened(
    agent: Agent,
    *,
    session_id: str,
    at: datetime,
    before: Synthesis | None = None,
) -> Session:
    """A session that nothing has happened in, with what is worth keeping of the one before.

    A model's words for a text are forgotten with the version that had it: another one may have
    other prices.
    """
    session = Session(
        id=session_id,
        agent=agent.agent,
        agent_version=agent.version,
        started_at=at,
        last_at=at,
        before=before,
        mode=agent.first_mode,
        zone=before.zone if before else "",
    )
    if before is None:
        return session
    session.slots = dict(_still_good(agent, before))
    if before.sounds_at(at):
        session.templates_sent = dict(before.sent)
        session.said = before.said
        if before.agent_version == agent.version:
            session.reworded = before.reworded
    return session


def _still_good(agent: Agent, before: Synthesis) -> Iterator[tuple[str, Value]]:
    """The kept values that this version of the agent takes."""
    for name, value in before.kept.items():
        slot = agent.slots.get(name)
        if slot is None or not (slot.keep or name in agent.opening_slots):
            continue
        taken = accept(slot, value, country=agent.country)
        if isinstance(taken, Accepted):
            yield name, taken.value


def resumed(agent: Agent, session: Session) -> str:
    """The flow that takes up what the session before was left in, if there is one."""
    left = session.before.open if session.before else None
    flow = agent.flows.get(left.flow) if left else None
    return flow.resumes if flow else ""


def greet(draft: Draft) -> None:
    """Welcome a contact who comes back, in the first wording whose values are known; else greet."""
    agent, before = draft.agent, draft.session.before
    if before and WELCOME_BACK in agent.templates:
        left = before.open or LeftOpen()
        *_, done = ("", *before.done)
        recalled = {
            "open_flow": _named(agent, left.flow),
            "open_slot": label(agent, left.slot) if left.slot in agent.slots else "",
            "last_flow": _named(agent, done),
            "last_day": spoken_day(agent, before.at.astimezone(draft.zone).date()),
        }
        if line := fitting_line(draft, WELCOME_BACK, recalled):
            draft.effects.append(Say(line, remark=True))
            return
    remark(draft, "greeting")


def _named(agent: Agent, flow: str) -> str:
    """What contacts call a flow; nothing for one that this version does not have."""
    return flow_label(agent, flow) if flow in agent.flows else ""
