"""What a tool tells or asks the contact in the midst of a flow, and how the flow goes on from there.

A tool that cannot do something may say why ("a las 10 ya no hay lugar"), or ask which of several is
meant. A flow must not answer that by calling it again with the same values: what the tool would not
take is asked for anew.
"""

from hilo.agent.flow import Edge
from hilo.agent.instructions import AskConfirmation, AskSlots, UseTool
from hilo.agent.values import Accepted, accept
from hilo.dialogue.draft import Draft
from hilo.dialogue.effects import Ask, Line
from hilo.dialogue.events import Asks
from hilo.dialogue.session import AskedSlot
from hilo.dialogue.stack import empty_slots, mark, standing_at
from hilo.dialogue.tool_proposals import MAX_OFFERED
from hilo.dialogue.wording import label, next_line


def forget_rejected(draft: Draft, call: UseTool, edge: Edge) -> None:
    """A `collect` that a told outcome leads to asks anew for what the call was given."""
    if edge.leads != "step":
        return
    does = draft.agent.compiled[draft.session.flow][edge.to].does
    if isinstance(does, AskSlots):
        empty_slots(draft, frozenset(does.slots) & draft.agent.slots_for(call))


def ask_for_step(draft: Draft, call: UseTool, asks: Asks) -> bool:
    """Ask the contact what the tool asks, if the answer has a slot to go to; whether it was asked.

    The flow stays at its step, so that the tool is called again with the answer.
    """
    name = _slot_of(draft, call, asks.parameter)
    if not name:
        return False
    slot, country = draft.agent.slots[name], draft.agent.country
    options = asks.options[:MAX_OFFERED]
    if not all(isinstance(accept(slot, each, country=country), Accepted) for each in options):
        return False  # an answer that the slot does not take would be asked for again and again
    if asks.question:
        line = Line(call.tool, 0, asks.question)
    else:
        line = next_line(draft, "ask_offered", {"label": label(draft.agent, name)})
    correcting = name in draft.session.slots
    asked = AskedSlot(name, correcting=correcting, offered=options)
    draft.ask(Ask(name, line, options), asked)
    return True


def _slot_of(draft: Draft, call: UseTool, parameter: str) -> str:
    """The slot that a parameter takes its value from, if the contact may fill it."""
    name = str(call.arguments.get(parameter, parameter))
    fillable = name in draft.agent.slots and name not in draft.agent.found_only()
    return name if fillable and parameter in draft.agent.toolbox[call.tool].parameters else ""


def back_to_summary(draft: Draft) -> bool:
    """Stand again at the summary whose yes no longer holds, since a value has changed after it.

    Not where something was done since: that would be done a second time.
    """
    step, frame = standing_at(draft), draft.session.stack[-1]
    if step is None or frame.yes is None:
        return False
    flow = draft.agent.compiled[frame.flow]
    shown = [each.name for each in flow.steps if each.does == AskConfirmation(frame.yes.template)]
    if not shown:
        return False
    for name in frame.ran:
        if flow.places[name] > flow.places[shown[0]] and draft.agent.is_done_once(flow[name].does):
            return False
    mark(draft, step=shown[0], yes=None)
    return True
