"""How a reply ends that leaves nothing open: with what comes next here, as a question that a yes answers.

A value that was noted outside of any flow, or words that were only nodded to, lead to the flow that
asks for such values, or to the one that the mode goes on with.
"""

from hilo.dialogue.commands import AskInfo, CancelFlow, CorrectSlot, Digress, Quote, RejectSlot, StartFlow
from hilo.dialogue.draft import Draft, answering, has
from hilo.dialogue.effects import Question
from hilo.dialogue.events import MessageUnderstood
from hilo.dialogue.flow import run
from hilo.dialogue.ladder import ask_meaning, show_menu
from hilo.dialogue.modes import current_mode
from hilo.dialogue.session import AskedMeaning
from hilo.dialogue.stack import push


def lead_on(draft: Draft, event: MessageUnderstood) -> None:
    """Ask whether to go on with what comes next, if something does and nothing else is asked.

    Where values came with a question that was not understood, nobody knows what is next: all is offered.
    """
    if not answering(draft) or not _is_at_rest(draft) or _has_done_something(draft):
        return
    flow = _next_flow(draft)
    if draft.changed and not event.only_values and not has(draft.log.accepted, CorrectSlot):
        show_menu(draft)
    elif flow and draft.asked == AskedMeaning((flow,)):
        # Who gives what it asks for, when asked whether to begin it, has said yes.
        push(draft, flow)
        run(draft)
    elif flow:
        ask_meaning(draft, (flow,), "lead_on")


def _is_at_rest(draft: Draft) -> bool:
    """Whether nothing is under way and nothing is asked, but perhaps what we offered and got values for."""
    session = draft.session
    if session.stack or not session.agent_holds or has(draft.effects, Question):
        return False
    offered = isinstance(session.pending, AskedMeaning) and session.pending is draft.asked
    return session.pending is None or (offered and bool(draft.changed))


def _has_done_something(draft: Draft) -> bool:
    """Whether a flow or a tool ran for the message, or it was answered: that has words of its own."""
    ran = draft.log.steps or draft.progress.made
    return bool(ran) or has(draft.log.accepted, CancelFlow | AskInfo | Quote | StartFlow)


def _next_flow(draft: Draft) -> str:
    """The flow that what was given is for; else the one that a yes begins in this mode."""
    ahead = current_mode(draft).next.yes
    rejected = {each.command.slot for each in draft.log.refused if isinstance(each.command, RejectSlot)}
    if rejected and not draft.changed:
        return _flow_for(draft, rejected)
    if draft.changed:
        return _flow_for(draft, draft.changed) or ahead
    return ahead if draft.log.accepted == [Digress("chitchat")] else ""


def _flow_for(draft: Draft, given: set[str]) -> str:
    """The flow that contacts begin and that opens by asking, which takes the most of the values.

    None that takes back what was done: nobody is offered to cancel who did not say so.
    """
    best, most = "", 0
    for name, flow in draft.agent.flows.items():
        opens_by_asking = draft.agent.compiled[name].opens_by_asking and not flow.undoes
        takes = len(given & set(flow.collects))
        if flow.examples and opens_by_asking and takes > most and name not in draft.session.finished:
            best, most = name, takes
    return best
