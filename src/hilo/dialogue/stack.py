"""The flows under way, one on top of the other: putting one there, standing at a step, going back, leaving."""

from dataclasses import replace
from typing import Any

from hilo.agent.guards import names_in
from hilo.agent.steps import AnyStep, Branch, Do
from hilo.dialogue.calls import call_slots
from hilo.dialogue.draft import Draft
from hilo.dialogue.promises import TIMEOUT_TIMER, cancel_timers, start_timeout
from hilo.dialogue.session import Frame

MAX_STACK = 8


def push(draft: Draft, flow: str, *, called: bool = False, anew: bool = True) -> bool:
    """Put a flow on the stack; one that is already there is not pushed again. What it asks `anew` is forgotten."""
    stack = draft.session.stack
    if len(stack) >= MAX_STACK or any(frame.flow == flow for frame in stack):
        return False
    if anew and not called:
        forget(draft, flow)
    first = draft.agent.flows[flow].steps[0].name
    draft.session.stack = (*stack, Frame(flow, first, called=called, mode=draft.session.mode))
    draft.session.unsure = tuple(name for name in draft.session.unsure if name != flow)
    draft.count(flows=draft.session.counters.flows + 1)
    if TIMEOUT_TIMER not in draft.session.timers:
        start_timeout(draft)
    return True


def forget(draft: Draft, flow: str) -> None:
    """A flow that starts anew asks anew, but for slots worth keeping and those of the flow that opens sessions.

    Those it keeps may change again by talking: they are for something new. Where it asks for what something was done
    with, all of that is over.
    """
    flows = draft.agent.flows
    opening = {name for each in flows.values() if each.starts_by_itself for name in each.collects}
    filled = {*flows[flow].collects, *flows[flow].finds} - (opening - set(flows[flow].finds))
    if not filled.isdisjoint(draft.session.written):
        filled |= set(draft.session.written)
    in_use = {name for frame in draft.session.stack for name in flows[frame.flow].collects}
    given = draft.changed  # by this very message
    fresh = {name for name in filled - in_use - given if not draft.agent.slots[name].keep}
    kept = {name: value for name, value in draft.session.slots.items() if name not in fresh}
    draft.session.slots = kept
    draft.session.skipped = tuple(name for name in draft.session.skipped if name not in fresh)
    draft.session.written = tuple(name for name in draft.session.written if name not in filled - in_use)


def standing_at(draft: Draft) -> AnyStep | None:
    """The step that the top frame stands at; none at the end of a flow."""
    if not draft.session.stack or not draft.session.stack[-1].step:
        return None
    frame = draft.session.stack[-1]
    flow = draft.agent.flows[frame.flow]
    return flow.all_steps[flow.position(frame.step)]


def go_on(draft: Draft) -> None:
    """Stand at the next step, or at the end of the flow."""
    frame = draft.session.stack[-1]
    flow = draft.agent.flows[frame.flow]
    place = flow.position(frame.step) + 1
    stand_at(draft, flow.steps[place].name if place < len(flow.steps) else "")


def with_name(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    """The names, each once, this one last."""
    return (*(each for each in names if each != name), name)


def rewind(draft: Draft, slot: str) -> None:
    """What a tool found from a slot that has changed is stale: stand again at the first call that used it.

    In every flow under way, but never back over a call that needed a yes or must not be repeated.
    """
    draft.session.stack = tuple(_rewound(draft, frame, slot) for frame in draft.session.stack)


def _rewound(draft: Draft, frame: Frame, slot: str) -> Frame:
    flow = draft.agent.flows[frame.flow]
    steps = [flow.all_steps[flow.position(name)] for name in frame.ran]
    written = max((place for place, step in enumerate(steps) if _is_final(draft, step)), default=-1)
    stale = [step.name for step in steps[written + 1 :] if slot in _used(draft, step)]
    return replace(frame, step=stale[0], ran=frame.ran[: frame.ran.index(stale[0])]) if stale else frame


def _is_final(draft: Draft, step: AnyStep) -> bool:
    """Whether a step did what is not done again: what a yes was given for, or what must not be repeated."""
    if not isinstance(step, Do):
        return False
    spec = draft.agent.toolbox[step.do]
    return spec.needs_yes or (spec.writes and not spec.idempotent)


def _used(draft: Draft, step: AnyStep) -> set[str]:
    """The slots on which it hangs what a step did: its guards, and what its call was given."""
    guards = [step.when, *(step.branch if isinstance(step, Branch) else ())]
    named = {name for guard in guards if guard and guard != "else" for name in names_in(guard)}
    return named | (call_slots(draft.agent, step) if isinstance(step, Do) else set())


def note(draft: Draft, step: AnyStep) -> None:
    """Remember that the flow passed a step whose outcome hangs on slots."""
    *below, top = draft.session.stack
    ran = (*(name for name in top.ran if name != step.name), step.name)
    draft.session.stack = (*below, replace(top, ran=ran))


def stand_at(draft: Draft, step: str) -> None:
    mark(draft, step=step)


def mark(draft: Draft, **changes: Any) -> None:
    """Change the top frame."""
    *below, top = draft.session.stack
    draft.session.stack = (*below, replace(top, **changes))


def end_silence(draft: Draft) -> None:
    """What silence was a yes to is open again as soon as anything but time has passed: a message, a person, a pause."""
    by_silence = [frame.yes is not None and frame.yes.by == "silence" for frame in draft.session.stack]
    if any(by_silence):
        frames = zip(draft.session.stack, by_silence, strict=True)
        draft.session.stack = tuple(replace(frame, yes=None) if silent else frame for frame, silent in frames)


def drop(draft: Draft) -> None:
    """Leave the top flow undone, and the one that called it: what it was called for is missing."""
    *below, top = draft.session.stack
    cancel_timers(draft, f"wait.{top.flow}.")
    draft.session.stack = tuple(below)
    draft.session.pending = None
    if top.called and below:
        drop(draft)
    elif not below:
        cancel_timers(draft, TIMEOUT_TIMER)


def drop_bound_to_modes(draft: Draft) -> None:
    """Leave the flows that take their session through modes, or that a mode begins with: it goes on in another one."""
    others = (mode for name, mode in draft.agent.modes.items() if name != draft.session.mode)
    begun = {mode.enter.start for mode in others if mode.enter and not mode.operator}
    begun -= {name for name, flow in draft.agent.flows.items() if flow.starts}  # those begin by themselves too
    bound = {name for name, flow in draft.agent.flows.items() if any(step.mode for step in flow.all_steps)}
    while any(frame.flow in begun | bound for frame in draft.session.stack):
        drop(draft)


def pass_wait(draft: Draft, timer: str) -> None:
    """A wait that was interrupted is over: its flow goes on after it when it resumes."""
    frames = []
    for frame in draft.session.stack:
        here = bool(frame.step) and timer == f"wait.{frame.flow}.{frame.step}"
        flow = draft.agent.flows[frame.flow]
        place = flow.position(frame.step) + 1 if here else 0
        frames.append(replace(frame, step=flow.steps[place].name if place < len(flow.steps) else "") if here else frame)
    draft.session.stack = tuple(frames)
