"""Slots whose choices a tool knows: offered as buttons, and a value that is not among them is asked for anew.

The tool is called with the slots that its parameters are named like. Once one of those changes, what
it gave is stale: the flow goes back to the question, and a value that is still offered stays.
"""

import json
from collections.abc import Iterator

from hilo.agent.flow import CompiledStep
from hilo.agent.instructions import AskSlots, UseTool
from hilo.agent.values import Accepted, accept
from hilo.dialogue.draft import Draft
from hilo.dialogue.effects import Ask
from hilo.dialogue.events import ToolResult
from hilo.dialogue.flow import go_on, offers_person, question_for, run
from hilo.dialogue.session import AskedSlot
from hilo.dialogue.stack import drop, empty_slots, mark, note
from hilo.dialogue.tool_proposals import MAX_OFFERED
from hilo.dialogue.wording import label, remark, spoken


def take_choices(draft: Draft, step: CompiledStep, call: UseTool, result: ToolResult) -> None:
    """Keep the value if it is offered; otherwise ask, with what is offered as buttons."""
    assert isinstance(step.does, AskSlots)  # noqa: S101 -- only such steps ask for choices
    [name] = step.does.slots
    offered = tuple(_choices(draft, name, result))
    value = draft.session.slots.get(name)
    if value is not None and str(value) in offered:
        note(draft, step)
        go_on(draft)
        run(draft)
        return
    if value is not None and offered:
        own = f"not_offered.{name}"
        words = own if own in draft.agent.templates else "not_offered"
        remark(draft, words, {"value": spoken(draft.agent, name, value)})
    empty_slots(draft, frozenset({name}))
    if not offered:
        remark(draft, "nothing_offered", {"label": label(draft.agent, name)})
        ask_given_anew(draft, call)
        return
    line = question_for(draft, name, step.does.template or f"ask.{name}")
    shown = offered[:MAX_OFFERED]
    draft.ask(Ask(name, line, shown, person=offers_person(draft, name)), AskedSlot(name, offered=shown))


def _choices(draft: Draft, name: str, result: ToolResult) -> Iterator[str]:
    """What the slot takes of the list that a tool gave."""
    agent = draft.agent
    try:
        given = json.loads(str(result.outputs.get("result", "")))
    except ValueError:
        given = None
    if not isinstance(given, list):
        draft.log.errors.append(f"{result.tool} gave no list of choices for {name}")
        return
    for each in given:
        taken = accept(agent.slots[name], str(each), country=agent.country)
        if isinstance(taken, Accepted):
            yield str(taken.value)
        else:
            draft.log.errors.append(f"{result.tool} gave {each}, which {name} does not take")


def ask_given_anew(draft: Draft, call: UseTool) -> None:
    """Where nothing is offered, what was asked for last among what the tool was given is asked for anew."""
    frame = draft.session.stack[-1]
    given = draft.agent.slots_for(call) & draft.session.slots.keys()
    flow = draft.agent.compiled[frame.flow]
    asking: dict[str, str] = {}  # the slots that may be asked for anew, in their order, and where
    for step in flow.steps[: flow.places[frame.step]]:
        if isinstance(step.does, AskSlots):
            asking |= {name: step.name for name in step.does.slots if name in given}
    if not asking:
        drop(draft)
    else:
        name, place = list(asking.items())[-1]
        empty_slots(draft, frozenset({name}))
        mark(draft, step=place)
    run(draft)
