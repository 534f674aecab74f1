"""Wanting out: a flow is left, what was done is undone, or nothing of the contact is kept any more."""

from dataclasses import replace

from hilo.agent.flow import Edge
from hilo.agent.instructions import UseTool
from hilo.dialogue.commands import CancelFlow, EraseData, OptOut
from hilo.dialogue.draft import Draft
from hilo.dialogue.escalation import Escalation, tell_operators
from hilo.dialogue.flow import ask_change, follow
from hilo.dialogue.modes import NO_MODE, change_mode
from hilo.dialogue.session import AskedArgument, AskedMeaning, AskedYes
from hilo.dialogue.stack import drop, drop_bound_to_modes, forget, push, standing_at
from hilo.dialogue.wording import remark


def opt_out(draft: Draft, command: OptOut) -> None:
    """Leave all that is under way; whom the business writes to is kept with the contact's address."""
    draft.log.accepted.append(command)
    if command.back:
        draft.session.left = ""
        remark(draft, "opted_in")
        return
    _leave_all(draft)
    remark(draft, "opted_out" if draft.agent.campaigns else "left_alone")


def erase(draft: Draft, command: EraseData) -> None:
    """Empty what this session has noted, and say so; what is stored elsewhere a person sees to."""
    draft.log.accepted.append(command)
    session = draft.session
    had_data = not session.slots.keys() <= draft.agent.found_only()
    _leave_all(draft)
    session.slots, session.skipped, session.written = {}, (), ()
    session.last_slot, session.last_given, session.last_call = "", (), None
    session.remembered, session.summary = (), None
    if session.before:
        session.before = replace(session.before, kept={}, open=None)
    remark(draft, "erased" if had_data else "nothing_to_erase")
    remark(draft, "erasure_passed_on")
    tell_operators(draft, Escalation("erase", "the contact wants their data deleted and no more messages"))


def _leave_all(draft: Draft) -> None:
    """Nothing is under way any more, and nothing of ours comes by itself until the contact writes."""
    while draft.session.stack:
        _leave_top(draft)
    draft.session.pending, draft.session.put_off, draft.session.wishes = None, (), ()
    draft.session.left = "opted_out"


def cancel(draft: Draft, command: CancelFlow) -> None:
    session = draft.session
    if command in draft.log.accepted:
        draft.log.refuse(command, "one thing was left already")
        return
    asked_for_call = isinstance(session.pending, AskedArgument | AskedMeaning)
    if not asked_for_call and not session.stack:
        _undo(draft, command)
        return
    draft.log.accepted.append(command)
    if asked_for_call:
        session.pending = None
        remark(draft, "left" if session.stack else "cancelled")
    elif _is_a_no(draft):
        session.pending = None
        denied(draft)
    elif _speaks_of_what_stands(draft) and len(draft.agent.undoing) == 1:
        _leave_top(draft)
        push(draft, draft.agent.undoing[0])
    else:
        leave(draft)


def _undo(draft: Draft, command: CancelFlow) -> None:
    """Where nothing is under way, what was done is meant: the only flow that undoes something begins."""
    flows = draft.agent.undoing
    if len(flows) == 1 and push(draft, flows[0]):
        draft.log.accepted.append(command)
    else:
        draft.log.refuse(command, "nothing is under way")


def _speaks_of_what_stands(draft: Draft) -> bool:
    """Whether a timer began the flow for a moment of the contact's, such as the day before an appointment.

    Wanting out is about the appointment then: to leave the reminder alone would keep it.
    """
    return draft.session.stack[-1].due is not None


def _is_a_no(draft: Draft) -> bool:
    """Whether wanting out is a no to the open question: leaving would say nothing about what it asks."""
    edge = _edge_of_no(draft)
    if not isinstance(draft.session.pending, AskedYes) or edge is None:
        return False
    undoes = draft.agent.flows[draft.session.flow].undoes  # "no, dejalo" keeps what was to be cancelled
    return undoes or _speaks_of_what_stands(draft) or _takes_back(draft, edge)


def _takes_back(draft: Draft, edge: Edge) -> bool:
    """Whether a no leads to a call that takes back what was done."""
    if edge.leads != "step":
        return False
    does = draft.agent.compiled[draft.session.flow][edge.to].does
    return isinstance(does, UseTool) and draft.agent.toolbox[does.tool].writes


def denied(draft: Draft) -> None:
    """A no never runs what was to be confirmed: we ask again, or what to change."""
    if draft.changed:
        return
    edge = _edge_of_no(draft)
    if edge is None:
        ask_change(draft)
    elif edge.leads == "end":
        leave(draft)
    else:
        follow(draft, edge)


def _edge_of_no(draft: Draft) -> Edge | None:
    step = standing_at(draft)
    return step.edge("no") if step else None


def leave(draft: Draft) -> None:
    """Leave what is under way, with a word; an opening flow may begin again."""
    _leave_top(draft)
    draft.session.wishes = ()
    remark(draft, "left" if draft.session.stack else "cancelled")


def _leave_top(draft: Draft) -> None:
    left = drop(draft)
    draft.session.refused = ()
    if draft.agent.modes:
        _go_back(draft, left[0].mode)
    for frame in left:
        forget(draft, frame.flow)
    opening = [frame.flow for frame in left if draft.agent.flows[frame.flow].starts_by_itself]
    draft.session.abandoned = tuple(dict.fromkeys((*draft.session.abandoned, *opening)))


def _go_back(draft: Draft, mode: str) -> None:
    """Leaving leads back to the mode that a flow began in, if we may go there.

    Not to one that begins with a flow of its own: that would go on with what is left, so it is the
    first mode instead.
    """
    stays = mode == draft.session.mode and draft.session.stack
    entrance = draft.agent.modes.get(mode, NO_MODE).entrance
    if entrance.start and not stays:
        mode = draft.agent.first_mode
        drop_bound_to_modes(draft)
    change_mode(draft, mode)
