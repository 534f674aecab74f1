"""The flows under way, one on top of the other: beginning, standing, going back, leaving."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from hilo.agent.flow import CompiledStep
from hilo.agent.guards import names_in
from hilo.agent.instructions import AskSlots, WaitUntil
from hilo.agent.moments import Moment, read_wait
from hilo.dialogue.commands import WantAlso
from hilo.dialogue.draft import Draft, less, without
from hilo.dialogue.session import Frame
from hilo.dialogue.timers import TIMEOUT_TIMER, cancel_timers, start_timeout
from hilo.dialogue.wording import remark

MAX_STACK = 8
_NOWHERE = Frame("", "")  # where a session stands that has nothing under way
MOST_WISHES = 3


def push(draft: Draft, flow: str, *, called: bool = False, anew: bool = True) -> bool:
    """Put a flow on the stack, unless it is there. What it asks `anew` is forgotten."""
    stack = draft.session.stack
    if len(stack) >= MAX_STACK or flow in draft.session.flows:
        return False
    if anew and not called:
        forget(draft, flow, but=_fresh(draft, flow))
    first = draft.agent.compiled[flow].steps[0].name
    draft.session.stack = (*stack, Frame(flow, first, called=called, mode=draft.session.mode))
    draft.session.unsure = less(draft.session.unsure, flow)
    draft.count(flows=draft.session.counters.flows + 1)
    if TIMEOUT_TIMER not in draft.session.timers:
        start_timeout(draft)
    return True


def open_flow(draft: Draft, *, again: bool = False) -> None:
    """Start the flow that sessions begin with, unless it is over or something is under way."""
    session = draft.session
    if session.stack:
        return
    over = {*session.finished, *session.unsure}
    if not again:
        over |= set(session.abandoned)
    for name in less(draft.agent.flows, *over):
        if draft.agent.flows[name].starts_by_itself:
            session.abandoned = less(session.abandoned, name)
            push(draft, name)
            return


def _fresh(draft: Draft, flow: str) -> frozenset[str]:
    """What contacts have given for a flow before it began, and no flow has ended with: it is not asked for again."""
    flows, session = draft.agent.flows, draft.session
    # a note is for what comes next, until something was done with it
    notes = {name for name in flows[flow].collects if draft.agent.slots[name].kind.is_note} - {*session.written}
    if not flows[flow].examples:
        return frozenset(notes)  # a mode or another flow begins it, and means it to ask
    fresh = set(flows[flow].collects)
    return frozenset(fresh.difference(*map(draft.agent.collected_by, session.finished)) | notes)


def forget(draft: Draft, flow: str, *, but: frozenset[str] = frozenset()) -> None:
    """A flow that starts anew asks anew, but for slots worth keeping and those that open sessions.

    Those it keeps may change again by talking: they are for something new. Where it asks for what
    something was done with, all of that is over.
    """
    flows, session = draft.agent.flows, draft.session
    finds = flows[flow].finds
    filled = {*finds, *flows[flow].collects} - (draft.agent.opening_slots - set(finds))
    if not filled.isdisjoint(session.written):
        filled |= set(session.written)
    filled = filled.difference(*map(draft.agent.collected_by, session.flows))
    kept = {name for name in filled if draft.agent.slots[name].keep}
    # What this very message gave is not old.
    empty_slots(draft, frozenset(filled - kept - but - draft.changed))
    session.written = less(session.written, *filled)


def empty_slots(draft: Draft, names: frozenset[str]) -> None:
    """Take the values of slots, so that they are asked for anew."""
    draft.session.slots = without(draft.session.slots, *names)
    draft.session.skipped = less(draft.session.skipped, *names)
    draft.session.refused = less(draft.session.refused, *names)


def standing_at(draft: Draft) -> CompiledStep | None:
    """The step that the top frame stands at; none at the end of a flow."""
    *_, frame = (_NOWHERE, *draft.session.stack)
    return draft.agent.compiled[frame.flow][frame.step] if frame.step else None


def pop(draft: Draft) -> Frame:
    """Take the top flow off the stack, as one that is finished."""
    *below, top = draft.session.stack
    draft.session.stack = tuple(below)
    draft.session.finished = (*less(draft.session.finished, top.flow), top.flow)
    return top


def rewind(draft: Draft, slot: str) -> None:
    """What a tool found from a slot that has changed is stale: stand again at its first call.

    In every flow under way, but never back over a call that needed a yes or must not be repeated.
    """
    frames = list(draft.session.stack)
    for place, frame in enumerate(frames):
        flow = draft.agent.compiled[frame.flow]
        stale = ""
        for name in frame.ran:
            if draft.agent.is_done_once(flow[name].does):
                stale = ""  # it is not done again, nor what led to it
            elif not stale and slot in _used(draft, flow[name]) and _can_be_made(draft, frame.flow, flow[name]):
                stale = name
        if stale:
            frames[place] = replace(frame, step=stale, ran=frame.ran[: frame.ran.index(stale)])
    draft.session.stack = tuple(frames)


def _can_be_made(draft: Draft, flow: str, step: CompiledStep) -> bool:
    """Whether a step has all that the flow asks for it; what was forgotten is asked for first."""
    if isinstance(step.does, AskSlots):
        return True
    asked = set(draft.agent.flows[flow].collects) & _used(draft, step)
    needed = {name for name in asked if draft.agent.slots[name].required}
    return needed <= {*draft.session.slots, *draft.session.skipped}


def _used(draft: Draft, step: CompiledStep) -> set[str]:
    """The slots on which it hangs what a step did: its guards, and what its call was given."""
    used: set[str] = set()
    for guard in step.guards:
        used |= names_in(guard)
    if isinstance(step.does, AskSlots):
        used |= set(step.does.slots)  # one that a tool offers is offered anew
    if call := draft.agent.step_tool(step.does):
        used |= draft.agent.slots_for(call)
    return used


def note(draft: Draft, step: CompiledStep) -> None:
    """Remember that the flow passed a step whose outcome depends on slots."""
    ran = less(draft.session.stack[-1].ran, step.name)
    mark(draft, ran=(*ran, step.name))


def mark(draft: Draft, **changes: Any) -> None:
    """Change the top frame."""
    *below, top = draft.session.stack
    draft.session.stack = (*below, replace(top, **changes))


def end_silence(draft: Draft) -> None:
    """What silence was a yes to is open again as soon as anything but time has passed."""
    frames = list(draft.session.stack)
    for place, frame in enumerate(frames):
        if frame.yes and frame.yes.by == "silence":
            frames[place] = replace(frame, yes=None)
    draft.session.stack = tuple(frames)


def drop(draft: Draft) -> tuple[Frame, ...]:
    """Leave the top flow undone, and those that called it: what it was called for is missing.

    Returns the frames that were left, the lowest first.
    """
    stack = draft.session.stack
    place = len(stack) - 1
    while place and stack[place].called:
        place -= 1
    for frame in reversed(stack[place:]):
        cancel_timers(draft, f"wait.{frame.flow}.")
    draft.session.stack = stack[:place]
    draft.session.pending = None
    if not place:
        cancel_timers(draft, TIMEOUT_TIMER)
    return stack[place:]


def drop_bound_to_modes(draft: Draft) -> None:
    """Leave the flows that lead through modes, or that a mode begins with: it goes on elsewhere."""
    agent = draft.agent
    bound = {name for name, flow in agent.compiled.items() if flow.has_modes}
    for mode in without(agent.modes, draft.session.mode, agent.operator_mode).values():
        begun = agent.flows.get(mode.entrance.start)
        if begun and not begun.starts:  # those that contacts start begin by themselves too
            bound.add(mode.entrance.start)
    while not bound.isdisjoint(draft.session.flows):
        drop(draft)


def pass_wait(draft: Draft, timer: str) -> None:
    """A wait that was interrupted is over: its flow goes on after it when it resumes."""
    frames = list(draft.session.stack)
    for place, frame in enumerate(frames):
        if timer == f"wait.{frame.flow}.{frame.step}":
            after = draft.agent.compiled[frame.flow][frame.step].edges[0]
            frames[place] = replace(frame, step=after.to if after.leads == "step" else "")
    draft.session.stack = tuple(frames)


# --- the same thing once more, begun when what is under way is over -------------------------------


def want_also(draft: Draft, command: WantAlso) -> None:
    """Keep what is wanted after the flow under way, and say so."""
    flow = draft.agent.flows.get(command.flow)
    if flow is None or not flow.examples:
        draft.log.refuse(command, f"contacts do not begin {command.flow}")
    elif len(draft.session.wishes) >= MOST_WISHES:
        draft.log.refuse(command, "too much is wanted already")
    else:
        draft.log.accepted.append(command)
        draft.session.wishes = (*draft.session.wishes, command)
        if draft.session.stack:
            remark(draft, "one_by_one")


def begin_wish(draft: Draft) -> bool:
    """Begin what was wanted besides, where nothing is under way any more; whether something has begun."""
    session = draft.session
    if session.stack or not session.wishes or not session.agent_holds:
        return False
    wish, *others = session.wishes
    session.wishes = tuple(others)
    if wish.flow not in draft.agent.flows or not push(draft, wish.flow):
        return False
    if wish not in draft.log.accepted:
        remark(draft, "now_the_other")
    for name, value in wish.values.items():
        if name not in draft.agent.slots:
            continue
        session.slots = without(session.slots, name)
        if value is not None:
            draft.fill(name, value)
    return True


# --- flows that a timer began for a moment of the contact's own data ------------------------------


def leave_stale(draft: Draft) -> bool:
    """Leave a flow that a timer began for a moment that has moved or is gone; whether there was one on top.

    "¿Confirmás?" is no question any more when the booking was cancelled, moved or is over.
    """
    frame = draft.session.stack[-1] if draft.session.stack else None
    if frame is None or frame.due is None or frame.due in _moments_of(draft, frame.flow):
        return False
    draft.log.notes.append(f"{frame.flow} is left: what it was begun for has moved or is gone")
    drop(draft)
    return True


def keep_under_way(draft: Draft) -> None:
    """What a flow changes by its own steps, or by those of a flow that it calls, does not end it."""
    frames = list(draft.session.stack)
    for place in reversed(range(len(frames))):
        frame = frames[place]
        moments = _moments_of(draft, frame.flow) if frame.due else ()
        if frame.due and frame.due not in moments:
            frames[place] = replace(frame, due=next(iter(moments), None))
        if not frame.called:
            break
    draft.session.stack = tuple(frames)


def _moments_of(draft: Draft, flow: str) -> tuple[datetime, ...]:
    """When the timers that begin a flow come, as things stand."""
    slots, zone = draft.session.slots, draft.zone
    moments = [timer.moment for timer in draft.agent.all_timers.values() if timer.start == flow]
    return tuple(filter(None, [moment.due(slots, zone) for moment in moments if moment]))


def waits_for_moment(draft: Draft) -> bool:
    """Whether the step under way waits for a moment of the contact's own data."""
    step = standing_at(draft)
    return step is not None and isinstance(step.does, WaitUntil) and isinstance(read_wait(step.does.wait), Moment)
