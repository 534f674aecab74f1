"""What follows from a tool's result: filled slots, another attempt, a way out, or a person."""

from hilo.agent.flow import CompiledStep
from hilo.agent.instructions import AskSlots, UseTool
from hilo.agent.steps import Outcome
from hilo.agent.values import Accepted, accept_found
from hilo.dialogue.calls import consent, order
from hilo.dialogue.choices import ask_given_anew, take_choices
from hilo.dialogue.draft import Draft, without
from hilo.dialogue.escalation import Escalation, hand_off
from hilo.dialogue.events import ToolResult, ToolsReturned
from hilo.dialogue.flow import follow, go_on, run
from hilo.dialogue.modes import after_tool
from hilo.dialogue.moments import keep_under_way
from hilo.dialogue.session import Running
from hilo.dialogue.stack import drop, note, standing_at
from hilo.dialogue.states import DialogueState
from hilo.dialogue.step_outcomes import ask_for_step, forget_rejected
from hilo.dialogue.tool_proposals import count_error, count_failures, keep_found
from hilo.dialogue.wording import remark, say_words


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
        if ask_for_step(draft, call, asks):
            return
        words = f"{asks.question} {', '.join(asks.options)}".strip()
    if words:
        # It could not be done, as may be: the tool's own words, and the author's way out.
        draft.count(errors=0)
        say_words(draft, words, by=call.tool)
        draft.progress.told = (*draft.progress.told, running.call_id)
        if isinstance(step.does, AskSlots):
            ask_given_anew(draft, call)
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
        take_choices(draft, step, call, result)
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
            forget_rejected(draft, call, edge)
        follow(draft, edge)
    if draft.session.pending is None:
        run(draft)
