"""Running a flow: from step to step until something must be asked, the stack is empty, or a person takes over."""

from datetime import timedelta
from typing import assert_never

from hilo.agent.flow import CompiledStep, Edge
from hilo.agent.guards import holds
from hilo.agent.instructions import (
    AskConfirmation,
    AskSlots,
    CountRound,
    LeaveToPerson,
    PushFlow,
    SayTemplate,
    SetValues,
    TakeEdge,
    UseTool,
    WaitUntil,
)
from hilo.agent.shorthand import read_wait
from hilo.agent.steps import Outcome
from hilo.agent.values import Accepted, accept
from hilo.dialogue.calls import bound_slots, order, refusal, shown_digest
from hilo.dialogue.draft import Draft
from hilo.dialogue.due import next_at
from hilo.dialogue.effects import Ask, AskSwitch, AskWhich, AskYes, Complete
from hilo.dialogue.escalation import Escalation, hand_off
from hilo.dialogue.modes import before_tool, change_mode
from hilo.dialogue.promises import TIMEOUT_TIMER, cancel_timers, set_timer
from hilo.dialogue.session import AskedSlot, AskedSwitch, AskedWhich, AskedYes, Waiting, Yes
from hilo.dialogue.stack import (
    drop,
    drop_bound_to_modes,
    empty_slots,
    mark,
    note,
    push,
    stand_at,
    standing_at,
    with_name,
)
from hilo.dialogue.states import DialogueState
from hilo.dialogue.voice import next_line, remark, say, values_of
from hilo.dialogue.wording import fill, flow_label, label

MAX_STEPS = 200  # a turn that takes more runs in a circle
MAX_CALLS = 20  # so does one whose steps call more tools


def run(draft: Draft) -> None:
    """Take steps until the turn has something to wait for."""
    draft.session.pending = None
    for _ in range(MAX_STEPS):
        if draft.session.pending or draft.progress.running or draft.session.status != "active":
            return
        if not draft.session.stack:
            return
        _take(draft)
    _break_circle(draft)


def _break_circle(draft: Draft) -> None:
    draft.log.passes(DialogueState.ERROR)
    _leave_to_a_person(draft, f"the flow {draft.session.stack[-1].flow} runs in a circle", policy="error")


def _take(draft: Draft) -> None:
    """Take the step that the top frame stands at."""
    step = standing_at(draft)
    if step is None:
        finish(draft)
    elif not _holds(draft, step.when):
        note(draft, step)
        go_on(draft, "skipped")
    else:
        draft.log.steps.append(f"{draft.session.stack[-1].flow}.{step.name}")
        # a step that may have nothing to ask enters its mode only when it has
        if isinstance(step.does, AskSlots) or _enter(draft, step):
            _execute(draft, step)


def _enter(draft: Draft, step: CompiledStep) -> bool:
    """Be in the mode that a step wants, and still at the step: the mode may begin with another flow.

    A flow that would skip what a mode needs is over, and a person sees why.
    """
    under_way = len(draft.session.stack)
    reason = change_mode(draft, step.mode) if step.mode else ""
    if reason:
        draft.log.errors.append(reason)
        draft.log.passes(DialogueState.ERROR)
        _leave_to_a_person(draft, f"the step {step.name} of {draft.session.stack[-1].flow}: {reason}", policy="mode")
    return not reason and len(draft.session.stack) == under_way


def _execute(draft: Draft, step: CompiledStep) -> None:
    match step.does:
        case AskSlots(slots):
            _ask_missing(draft, step, slots)
        case AskConfirmation(template):
            _confirm(draft, template)
        case UseTool():
            _use(draft, step.does)
        case SayTemplate(template):
            draft.log.passes(DialogueState.GENERATING_RESPONSE)
            say(draft, template)
            go_on(draft)
        case SetValues():
            _set(draft, step.does)
            go_on(draft)
        case PushFlow(flow):
            go_on(draft)
            push(draft, flow, called=True)
        case CountRound():
            _count_round(draft, step, step.does)
        case WaitUntil(wait):
            _wait(draft, step, wait)
        case LeaveToPerson(reason, policy):
            _leave_to_a_person(draft, fill(reason, values_of(draft, reason)), policy=policy)
        case TakeEdge():
            if step.guards:
                note(draft, step)
            go_on(draft)
        case _:
            assert_never(step.does)


def _holds(draft: Draft, guard: str) -> bool:
    result = holds(guard, draft.session.slots)
    if guard:
        frame = draft.session.stack[-1]
        draft.log.guards.append((f"{frame.flow}.{frame.step}", guard, result))
    return result


def go_on(draft: Draft, on: Outcome = "done") -> None:
    """Leave the step under way by the first edge of its outcome whose guard holds."""
    step = standing_at(draft)
    for edge in step.edges if step else ():
        if edge.on == on and _holds(draft, edge.guard):
            follow(draft, edge)
            return


def follow(draft: Draft, edge: Edge) -> None:
    """Go where an edge leads: to a step, out of the flow, or to what is asked at the end of it."""
    match edge.leads:
        case "step":
            stand_at(draft, edge.to)
        case "end" if not edge.to:
            stand_at(draft, "")  # behind the last step, which may have begun something else
        case "end":
            finish(draft)
        case "handoff":
            top = draft.session.stack[-1]
            _leave_to_a_person(draft, f"the step {top.step} of {top.flow} leads to a person")
        case "change":
            ask_change(draft)
        case "mode":
            _leave_for(draft, edge.to)
        case "flow" | "nowhere":
            *below, top = draft.session.stack
            draft.session.stack = tuple(below)
            draft.session.finished = with_name(draft.session.finished, top.flow)
            push(draft, edge.to, called=top.called)
        case _:
            assert_never(edge.leads)


def _leave_for(draft: Draft, mode: str) -> None:
    """Leave the flow undone, for a mode that it leads to, and for what that begins with."""
    drop(draft)
    reason = change_mode(draft, mode)
    draft.log.errors += [reason] if reason else []


def finish(draft: Draft) -> None:
    """The top flow is complete; an interrupted one below it resumes with a word, where it was left in its mode."""
    *below, top = draft.session.stack
    opening = draft.agent.flows[top.flow].starts_by_itself
    draft.log.passes(DialogueState.COMPLETED)
    if opening and not _has_said_something(draft):
        say(draft, "completed")
    draft.effects.append(Complete(top.flow))
    draft.session.stack = tuple(below)
    draft.session.finished = with_name(draft.session.finished, top.flow)
    cancel_timers(draft, f"wait.{top.flow}.")
    if below and not top.called and top.mode != draft.session.mode:
        drop_bound_to_modes(draft)
    if not draft.session.stack:
        cancel_timers(draft, TIMEOUT_TIMER)
    elif not top.called:
        remark(draft, "resumed")


def _leave_to_a_person(draft: Draft, reason: str, *, policy: str = "flow") -> None:
    """The flow is over: a person sees to the matter, and a release does not begin it again."""
    *below, top = draft.session.stack
    draft.session.stack = tuple(below)
    draft.session.finished = with_name(draft.session.finished, top.flow)
    hand_off(draft, Escalation(policy, reason))


def _has_said_something(draft: Draft) -> bool:
    return any(getattr(effect, "remark", None) is False for effect in draft.effects)


# --- steps that ask -----------------------------------------------------------------------------------


def _ask_missing(draft: Draft, step: CompiledStep, slots: tuple[str, ...]) -> None:
    session = draft.session
    missing = (name for name in slots if name not in session.slots and name not in session.skipped)
    name = next(missing, None)
    if name is None:
        go_on(draft)
    elif _enter(draft, step):
        ask_slot(draft, name)


def ask_slot(draft: Draft, name: str, *, correcting: bool = False) -> None:
    """Ask for a slot, and wait."""
    template = "ask_correct" if correcting else f"ask.{name}"
    line = next_line(draft, template, {"label": label(draft.agent, name)})
    draft.ask(Ask(name, line), AskedSlot(name, correcting=correcting))


def ask_change(draft: Draft) -> None:
    """Ask what is to be changed of what this flow has collected."""
    known = changeable(draft)
    if not known:
        finish(draft)
        return
    draft.ask(AskWhich(known, next_line(draft, "ask_change")), AskedWhich(known))


def ask_switch(draft: Draft, flow: str) -> None:
    """Ask whether to leave what is under way."""
    named = flow_label(draft.agent, flow)
    draft.ask(AskSwitch(flow, next_line(draft, "ask_switch", {"label": named})), AskedSwitch(flow))


def changeable(draft: Draft) -> tuple[str, ...]:
    """The filled slots that contacts were asked for (by the flow under way, if any), the last one given first."""
    top = draft.agent.flows[draft.session.stack[-1].flow].collects if draft.session.stack else ()
    asked = dict.fromkeys([*top, *(name for flow in draft.agent.flows.values() for name in flow.collects)])
    known = [name for name in asked if name in draft.session.slots and (not top or name in top)]
    last = draft.session.last_slot
    return tuple(sorted(known, key=lambda name: name != last))


def _confirm(draft: Draft, template: str) -> None:
    said = draft.progress.confirmed
    draft.progress.confirmed = None
    if said and shown_digest(draft.session, template, said.bound) == said.digest:
        mark(draft, yes=Yes(template, said.digest, said.bound))
        go_on(draft, "yes")
        return
    mark(draft, yes=None)
    bound = bound_slots(draft.agent, draft.session, template)
    digest = shown_digest(draft.session, template, bound)
    draft.ask(AskYes(next_line(draft, template), digest), AskedYes(digest, bound))


# --- steps that do something ---------------------------------------------------------------------------


def _use(draft: Draft, call: UseTool) -> None:
    """Order the tool; what the gate refuses is an error that no retry fixes."""
    before_tool(draft, call.tool)
    reason = refusal(draft, call.tool)
    if draft.progress.steps_called >= MAX_CALLS:
        _break_circle(draft)
    elif reason:
        draft.log.errors.append(f"{call.tool}: {reason}")
        draft.log.passes(DialogueState.ERROR)
        hand_off(draft, Escalation("gate", f"{call.tool}: {reason}"))
    else:
        draft.progress.steps_called += 1
        order(draft, call)


def _count_round(draft: Draft, step: CompiledStep, rounds: CountRound) -> None:
    """The end of a repeated block: once more from its first step, or on."""
    frame = draft.session.stack[-1]
    counted = dict(frame.rounds)
    round_now = counted.pop(step.name, 0) + 1
    if round_now >= rounds.at_most or (rounds.until and _holds(draft, rounds.until)):
        mark(draft, rounds=counted)
        go_on(draft)
        return
    mark(draft, rounds={**counted, step.name: round_now}, ran=_ran_before_block(draft, step))
    draft.log.passes(DialogueState.UNDERSTANDING)
    empty_slots(draft, frozenset(rounds.empties))
    go_on(draft, "again")


def _ran_before_block(draft: Draft, step: CompiledStep) -> tuple[str, ...]:
    """What a flow has passed without the steps of a block: another round has done none of them, so none is stale."""
    frame = draft.session.stack[-1]
    places = draft.agent.compiled[frame.flow].places
    again = step.edge("again")
    first = places[again.to] if again else 0
    return tuple(name for name in frame.ran if not first <= places[name] <= places[step.name])


def _wait(draft: Draft, step: CompiledStep, wait: str) -> None:
    """Wait for a timer; a message meanwhile does not shorten it."""
    timer = f"wait.{draft.session.stack[-1].flow}.{step.name}"
    if timer not in draft.session.timers:
        until = read_wait(wait)
        due = draft.now + until if isinstance(until, timedelta) else next_at(draft.now, until, draft.zone)
        set_timer(draft, timer, due)
    draft.session.pending = Waiting(timer)


def _set(draft: Draft, given: SetValues) -> None:
    empty_slots(draft, frozenset(name for name, value in given.values.items() if value is None))
    for name, value in given.values.items():
        result = accept(draft.agent.slots[name], value, country=draft.agent.country) if value is not None else None
        if isinstance(result, Accepted):
            draft.session.slots = {**draft.session.slots, name: result.value}
