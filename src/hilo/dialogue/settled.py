"""What was given and went into something that was done: whether a message may still change it."""

from hilo.dialogue.commands import CorrectSlot, SetSlot, StartFlow
from hilo.dialogue.draft import Draft
from hilo.dialogue.effects import Say
from hilo.dialogue.modes import NO_ENTRANCE
from hilo.dialogue.session import AskedYes
from hilo.dialogue.stack import push
from hilo.dialogue.wording import remark


def may_change(draft: Draft, command: SetSlot | CorrectSlot) -> bool:
    """Whether a slot may be given a value by talking; if not, the command is refused, and the contact told."""
    slot, agent = command.slot, draft.agent
    if slot not in agent.slots:
        draft.log.refuse(command, f"there is no slot {slot}")
    elif slot in agent.found_only():
        draft.log.refuse(command, f"{slot} is filled by tools")
    elif slot not in draft.session.written or _is_asked_anew(draft, slot) or _amends(draft):
        return True
    else:
        draft.log.refuse(command, f"what was done with {slot} does not change by talking")
        told = [each.line.template for each in draft.effects if isinstance(each, Say)]
        if "done_already" not in told:
            remark(draft, "done_already")
    return False


def _is_asked_anew(draft: Draft, slot: str) -> bool:
    """Whether the message leads from a summary to a mode that begins by asking for the slot."""
    if not isinstance(draft.asked, AskedYes):
        return False
    agent = draft.agent
    for started in draft.log.accepted:
        steps = agent.compiled[started.flow].steps if isinstance(started, StartFlow) else ()
        edges = [edge for step in steps for edge in step.edges if edge.leads == "mode"]
        for edge in edges:
            entrance = agent.modes[edge.to].enter or NO_ENTRANCE
            begun = agent.flows.get(entrance.start)
            if begun and not edge.guard and slot in begun.collects:
                return True
    return False


def _amends(draft: Draft) -> bool:
    """Begin the flow that changes what was done, in place of what the same message has begun."""
    session, amends = draft.session, draft.agent.amends
    if not amends:
        return False
    started = {each.flow for each in draft.log.accepted if isinstance(each, StartFlow)}
    if session.stack and session.stack[-1].flow in started:
        session.stack = session.stack[:-1]
    if not push(draft, amends, anew=False):
        return False
    session.written = ()
    session.pending = None
    return True
