"""What was given and went into something that was done: whether a message may still change it."""

from hilo.dialogue.commands import CorrectSlot, SetSlot, StartFlow
from hilo.dialogue.draft import Draft, of_kind
from hilo.dialogue.effects import Say
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
        if not _was_told(draft):
            remark(draft, "done_already")
    return False


def _was_told(draft: Draft) -> bool:
    return any(each.line.template == "done_already" for each in of_kind(draft.effects, Say))


def _is_asked_anew(draft: Draft, slot: str) -> bool:
    """Whether the message leads from a summary to a mode that begins by asking for the slot."""
    if not isinstance(draft.asked, AskedYes):
        return False
    agent = draft.agent
    for started in of_kind(draft.log.accepted, StartFlow):
        for mode in agent.compiled[started.flow].leads_to_modes:
            begun = agent.flows.get(agent.modes[mode].entrance.start)
            if begun and slot in begun.collects:
                return True
    return False


def _amends(draft: Draft) -> bool:
    """Begin the flow that changes what was done, in place of what the same message has begun."""
    session, amends = draft.session, draft.agent.amends
    if not amends:
        return False
    if StartFlow(session.flow) in draft.log.accepted:
        session.stack = session.stack[:-1]
    if not push(draft, amends, anew=False):
        return False
    session.written = ()
    session.pending = None
    return True
