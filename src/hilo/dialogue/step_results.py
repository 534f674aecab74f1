"""What follows from a tool's result: filled slots, another attempt, a way out, or a person."""

import json
from collections.abc import Iterator

from hilo.agent.flow import CompiledStep, Edge
from hilo.agent.instructions import AskSlots, UseTool
from hilo.agent.steps import Outcome
from hilo.agent.values import Accepted, accept, accept_found
from hilo.dialogue.calls import consent, order
from hilo.dialogue.draft import Draft, without
from hilo.dialogue.effects import Ask, Line
from hilo.dialogue.escalation import Escalation, hand_off
from hilo.dialogue.events import Asks, ToolResult, ToolsReturned
from hilo.dialogue.flow import follow, go_on, offers_person, question_for, run
from hilo.dialogue.modes import after_tool
from hilo.dialogue.session import AskedSlot, Running
from hilo.dialogue.stack import drop, empty_slots, keep_under_way, mark, note, standing_at
from hilo.dialogue.states import DialogueState
from hilo.dialogue.tool_proposals import MAX_OFFERED, count_error, count_failures, keep_found
from hilo.dialogue.wording import label, next_line, remark, say_words, spoken


def on_step_result(draft: Draft, running: Running, event: ToolsReturned) -> None:
    """Go on with the flow that waits for this result."""
    result = event.of(running.call_id)
    step = standing_at(draft)
    call = draft.agent.step_tool(step.does) if step else None
    if result is None or step is None or call is None:
        return  # nobody waits for it any more
    draft.progress.running = ()
    if result.unknown:
        _park(draft, call, result.error)
        return
    count_failures(draft, [result])
    if result.person:
        # The tool says that a person must see to it: the flow is over.
        if result.tell:
            say_words(draft, result.tell, by=call.tool)
        draft.log.states.append(DialogueState.ERROR)
        drop(draft)
        hand_off(draft, Escalation(result.person, result.error))
        return
    words, asks = result.tell, result.asks
    if asks:
        draft.count(errors=0)
        if _ask_for_step(draft, call, asks):
            return
        words = f"{asks.question} {', '.join(asks.options)}".strip()
    if words:
        # It could not be done, as may be: the tool's own words, and the author's way out.
        draft.count(errors=0)
        say_words(draft, words, by=call.tool)
        draft.progress.told = (*draft.progress.told, running.call_id)
        if isinstance(step.does, AskSlots):
            _ask_given_anew(draft, call)
        else:
            _way_out(draft, call, "told", "fails")
        return
    error = result.error if not result.ok else _take_outputs(draft, call, result)
    if error and result.ok and not draft.agent.toolbox[call.tool].idempotent:
        # It was done, so neither another attempt nor the way out of a failure is right.
        _park(draft, call, error)
    elif not error:
        draft.count(errors=0)
        _go_on_with(draft, step, call, result)
    elif running.attempt < call.attempts:
        draft.log.states.append(DialogueState.UNDERSTANDING)
        order(draft, call, attempt=running.attempt + 1)
    else:
        # Never "done" after an error: the author's way out; a second error calls a person.
        escalation = count_error(draft, f"{call.tool}: {error}")
        if escalation:
            draft.log.states.append(DialogueState.ERROR)
            hand_off(draft, escalation)
        else:
            _way_out(draft, call, "fails")


def _go_on_with(draft: Draft, step: CompiledStep, call: UseTool, result: ToolResult) -> None:
    if isinstance(step.does, AskSlots):
        _take_choices(draft, step, call, result)
        return
    note(draft, step)
    _keep_what_was_agreed(draft, call)
    keep_found(draft, result)
    keep_under_way(draft)
    go_on(draft)
    after_tool(draft, call.tool)
    run(draft)


def _park(draft: Draft, call: UseTool, error: str) -> None:
    """Neither done nor undone: a person finds out, and a release does not begin the flow again."""
    draft.log.errors.append(f"{call.tool}: outcome unknown: {error}")
    draft.log.states.append(DialogueState.ERROR)
    left = [frame.flow for frame in drop(draft)]
    draft.session.unsure = tuple(dict.fromkeys((*draft.session.unsure, *left)))
    reason = f"nobody knows whether {call.tool} was done: {error}"
    hand_off(draft, Escalation("unknown_outcome", reason))


def _keep_what_was_agreed(draft: Draft, call: UseTool) -> None:
    """What the contact gave a yes for does not change by talking any more."""
    if draft.agent.toolbox[call.tool].needs_yes and consent(draft) == "contact":
        used = draft.agent.slots_for(call) | set(call.into.values()) | set(draft.session.written)
        draft.session.written = tuple(sorted(used))


def _take_outputs(draft: Draft, call: UseTool, result: ToolResult) -> str:
    """Put outputs into slots; an empty one empties its slot, one that will not do is an error."""
    agent, session, outputs = draft.agent, draft.session, result.outputs
    absent = [name for output, name in call.into.items() if outputs.get(output, "") == ""]
    session.slots = without(session.slots, *absent)
    for output, name in call.into.items():
        if name in absent:
            continue
        taken = accept_found(agent.slots[name], outputs[output], country=agent.country)
        if not isinstance(taken, Accepted):
            return f"{call.tool} gave {output} = {outputs[output]}, which {name} does not take"
        session.slots = {**session.slots, name: taken.value}
    return ""


def _way_out(draft: Draft, call: UseTool, *outcomes: Outcome) -> None:
    """Go on by the first of these outcomes that the author thought of, or leave the flow."""
    step = standing_at(draft)
    edges = [step.edge(on) for on in outcomes] if step else []
    edge, was_told = next(filter(None, edges), None), "told" in outcomes
    if edge is None and not was_told:
        draft.log.states.append(DialogueState.ERROR)
        remark(draft, "failed")
    draft.log.states.append(DialogueState.UNDERSTANDING)
    if edge is None:
        drop(draft)
    else:
        if was_told:
            _forget_rejected(draft, call, edge)
        follow(draft, edge)
    if draft.session.pending is None:
        run(draft)


# --- what a tool tells or asks in the midst of a flow ---------------------------------------------


def _forget_rejected(draft: Draft, call: UseTool, edge: Edge) -> None:
    """A `collect` that a told outcome leads to asks anew for what the call was given."""
    if edge.leads != "step":
        return
    does = draft.agent.compiled[draft.session.flow][edge.to].does
    if isinstance(does, AskSlots):
        empty_slots(draft, frozenset(does.slots) & draft.agent.slots_for(call))


def _ask_for_step(draft: Draft, call: UseTool, asks: Asks) -> bool:
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


# --- slots whose choices a tool knows -------------------------------------------------------------


def _take_choices(draft: Draft, step: CompiledStep, call: UseTool, result: ToolResult) -> None:
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
        _ask_given_anew(draft, call)
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


def _ask_given_anew(draft: Draft, call: UseTool) -> None:
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
