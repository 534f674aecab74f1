"""Running a flow: from step to step until something must be asked, the stack is empty, or a person takes over."""

import hashlib
import json
from dataclasses import replace

from hilo.agent.guards import holds
from hilo.agent.steps import Branch, Call, Collect, Confirm, End, Flow, Go, HandOver, Say, SetSlots, Step
from hilo.agent.values import Accepted, accept
from hilo.dialogue.draft import Draft
from hilo.dialogue.effects import Ask, AskWhich, AskYes, Complete
from hilo.dialogue.escalation import Escalation, hand_off
from hilo.dialogue.session import AskedSlot, AskedWhich, AskedYes, Frame
from hilo.dialogue.states import DialogueState
from hilo.dialogue.wording import label

MAX_STEPS = 200  # a turn that takes more runs in a circle
MAX_STACK = 8


def push(draft: Draft, flow: str, *, called: bool = False) -> bool:
    """Put a flow on the stack; one that is already there is not pushed again."""
    stack = draft.session.stack
    if len(stack) >= MAX_STACK or any(frame.flow == flow for frame in stack):
        return False
    first = draft.agent.flows[flow].steps[0].name
    draft.update(stack=(*stack, Frame(flow, first, called=called)))
    return True


def run(draft: Draft) -> None:
    """Take steps until the turn has something to wait for."""
    draft.update(pending=None)
    for _ in range(MAX_STEPS):
        if draft.session.pending or draft.session.status != "active":
            return
        if not draft.session.stack:
            draft.move(DialogueState.IDLE)
            return
        _take(draft)
    draft.move(DialogueState.ERROR)
    hand_off(draft, Escalation("error", f"the flow {draft.session.stack[-1].flow} runs in a circle"))


def _take(draft: Draft) -> None:
    """Take the step that the top frame stands at."""
    frame = draft.session.stack[-1]
    if not frame.step:
        finish(draft)
        return
    flow = draft.agent.flows[frame.flow]
    step = flow.steps[flow.position(frame.step)]
    if not _holds(draft, step.when):
        _go_on(draft, flow, step)
        return
    draft.steps.append(f"{frame.flow}.{step.name}")
    match step:
        case Collect():
            _collect(draft, flow, step)
        case Confirm():
            _confirm(draft, flow, step)
        case Say(say=template):
            draft.move(DialogueState.GENERATING_RESPONSE)
            draft.say(template)
            _go_on(draft, flow, step)
        case Branch(branch=ways):
            target = next((to for guard, to in ways.items() if guard == "else" or _holds(draft, guard)), "")
            jump(draft, target) if target else _go_on(draft, flow, step)
        case SetSlots():
            _set(draft, step)
            _go_on(draft, flow, step)
        case Call(call=called):
            _go_on(draft, flow, step)
            push(draft, called, called=True)
        case Go(go=target):
            jump(draft, target)
        case HandOver(handoff=reason):
            _go_on(draft, flow, step)  # a release goes on after it
            hand_off(draft, Escalation("flow", reason))
        case End():
            finish(draft)
        case _:
            raise AssertionError(f"`{step.name}` was refused when the file was checked")


def _holds(draft: Draft, guard: str) -> bool:
    result = holds(guard, draft.session.slots)
    if guard:
        frame = draft.session.stack[-1]
        draft.guards.append((f"{frame.flow}.{frame.step}", guard, result))
    return result


def _go_on(draft: Draft, flow: Flow, step: Step) -> None:
    """Stand at the next step, or at the end of the flow."""
    place = flow.position(step.name) + 1
    _stand_at(draft, flow.steps[place].name if place < len(flow.steps) else "")


def _with(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return names if name in names else (*names, name)


def _stand_at(draft: Draft, step: str) -> None:
    *below, top = draft.session.stack
    draft.update(stack=(*below, replace(top, step=step)))


def jump(draft: Draft, target: str) -> None:
    """Go to a named step of the flow, to another flow, or to one of the places that every flow has."""
    flow = draft.agent.flows[draft.session.stack[-1].flow]
    if any(step.name == target for step in flow.steps):
        _stand_at(draft, target)
    elif target == "end":
        finish(draft)
    elif target == "handoff":
        top = draft.session.stack[-1]
        _go_on(draft, flow, flow.steps[flow.position(top.step)])
        hand_off(draft, Escalation("flow", f"the step {top.step} of {top.flow} leads to a person"))
    elif target == "change":
        ask_change(draft)
    else:
        draft.update(stack=draft.session.stack[:-1])
        push(draft, target, called=True)


def finish(draft: Draft) -> None:
    """The top flow is complete; an interrupted one below it resumes with a word."""
    *below, top = draft.session.stack
    opening = draft.agent.flows[top.flow].starts_by_itself
    draft.move(DialogueState.COMPLETED)
    if opening and not _has_said_something(draft):
        draft.say("completed")
    draft.effects.append(Complete(top.flow))
    draft.update(stack=tuple(below), finished=_with(draft.session.finished, top.flow))
    if opening:
        draft.cancel_timers()
    if below:
        draft.move(DialogueState.UNDERSTANDING)
        if not top.called:
            draft.remark("resumed")


def _has_said_something(draft: Draft) -> bool:
    return any(getattr(effect, "remark", None) is False for effect in draft.effects)


def drop(draft: Draft) -> None:
    """Leave the top flow undone."""
    draft.update(stack=draft.session.stack[:-1], pending=None)


# --- steps that ask -----------------------------------------------------------------------------------


def _collect(draft: Draft, flow: Flow, step: Collect) -> None:
    session = draft.session
    missing = (name for name in step.collect if name not in session.slots and name not in session.skipped)
    name = next(missing, None)
    if name is None:
        _go_on(draft, flow, step)
        return
    ask_slot(draft, name)


def ask_slot(draft: Draft, name: str, *, correcting: bool = False) -> None:
    """Ask for a slot, and wait."""
    draft.move(DialogueState.WAITING_FOR_SLOT)
    template = "ask_correct" if correcting else f"ask.{name}"
    line = draft.line(template, {"label": label(draft.agent, name)})
    draft.ask(Ask(name, line), AskedSlot(name, correcting=correcting))


def ask_change(draft: Draft) -> None:
    """Ask what is to be changed of what this flow has collected."""
    known = changeable(draft)
    if not known:
        draft.move(DialogueState.UNDERSTANDING)
        finish(draft)
        return
    draft.move(DialogueState.WAITING_FOR_SLOT)
    draft.ask(AskWhich(known, draft.line("ask_change")), AskedWhich(known))


def changeable(draft: Draft) -> tuple[str, ...]:
    """The filled slots, the last one given first."""
    known = [name for name in draft.agent.slots if name in draft.session.slots]
    last = draft.session.last_slot
    return tuple(sorted(known, key=lambda name: name != last))


def _confirm(draft: Draft, flow: Flow, step: Confirm) -> None:
    digest = summary_digest(draft, step)
    if draft.confirmed == digest:
        draft.confirmed = ""
        _go_on(draft, flow, step)
        return
    draft.move(DialogueState.READY_FOR_CONFIRMATION)
    draft.move(DialogueState.CONFIRMING)
    draft.ask(AskYes(draft.line(step.confirm), digest), AskedYes(digest))


def summary_digest(draft: Draft, step: Confirm) -> str:
    """Binds a yes to what was shown: other values, another digest."""
    slots = {name: str(value) for name, value in sorted(draft.session.slots.items())}
    shown = json.dumps([draft.session.stack[-1].flow, step.name, slots], ensure_ascii=False)
    return hashlib.sha256(shown.encode()).hexdigest()[:16]


def _set(draft: Draft, step: SetSlots) -> None:
    for name, value in step.set.items():
        result = accept(draft.agent.slots[name], value, country=draft.agent.country)
        if isinstance(result, Accepted):
            draft.update(slots={**draft.session.slots, name: result.value})
