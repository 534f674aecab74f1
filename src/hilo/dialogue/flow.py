"""Running a flow: step by step until there is something to ask, nothing to do, or a person."""

from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta
from itertools import chain
from typing import Any

from hilo.agent.flow import CompiledStep, Edge, Leads
from hilo.agent.guards import holds
from hilo.agent.instructions import (
    AskConfirmation,
    AskSlots,
    CountRound,
    Instruction,
    LeaveToPerson,
    PushFlow,
    SayTemplate,
    SetValues,
    TakeEdge,
    UseTool,
    WaitUntil,
)
from hilo.agent.moments import Moment, read_wait
from hilo.agent.steps import Outcome
from hilo.agent.texts import PLACEHOLDER
from hilo.dialogue.calls import NO_YES, bound_slots, order, refusal, shown_digest, step_call
from hilo.dialogue.draft import Draft, answering, has, less
from hilo.dialogue.effects import Ask, AskSwitch, AskWhich, AskYes, Complete, Line, Question, Say
from hilo.dialogue.escalation import Escalation, hand_off
from hilo.dialogue.modes import before_tool, change_mode
from hilo.dialogue.opening import is_closed, known_to_guards
from hilo.dialogue.session import AskedArgument, AskedSlot, AskedSwitch, AskedWhich, AskedYes, Waiting, Yes
from hilo.dialogue.stack import (
    begin_wish,
    drop,
    drop_bound_to_modes,
    empty_slots,
    keep_under_way,
    leave_stale,
    mark,
    note,
    pop,
    push,
    rewind,
    standing_at,
)
from hilo.dialogue.states import DialogueState
from hilo.dialogue.timers import TIMEOUT_TIMER, cancel_timers, next_at, set_timer, wait_due
from hilo.dialogue.tool_questions import ask_before_summary, ask_put_off
from hilo.dialogue.wording import fill, flow_label, label, next_line, remark, say, values_of

TWICE = 2  # the same words for a question
TRIED_TWICE = 2  # answers that could not be used: a person is offered beside the question
MAX_STEPS = 200  # a turn that takes more runs in a circle
MAX_CALLS = 20  # so does one whose steps call more tools
OFFERS_PERSON = 3  # the rung on which a person is offered


def run(draft: Draft) -> None:
    """Take steps until the turn has something to wait for."""
    session, progress = draft.session, draft.progress
    session.pending = None
    has_details_open = session.put_off or isinstance(draft.asked, AskedArgument)  # of an order
    if has_details_open and ask_before_summary(draft):
        return
    for _ in range(MAX_STEPS):
        if session.pending or progress.running or session.status != "active":
            return
        if not session.stack and not begin_wish(draft):
            return
        if leave_stale(draft):
            continue
        step = standing_at(draft)
        if step is None:
            finish(draft)
        elif step.when and not _holds(draft, step.when):
            note(draft, step)
            go_on(draft, "skipped")
        else:
            draft.log.steps.append(f"{session.flow}.{step.name}")
            # With nothing to ask, a step that asks does not enter its mode either.
            if isinstance(step.does, AskSlots) or not step.mode or _enter(draft, step):
                DOES[type(step.does)](draft, step, step.does)
    _break_circle(draft)


def _break_circle(draft: Draft) -> None:
    draft.log.states.append(DialogueState.ERROR)
    flow = draft.session.flow
    _leave_to_a_person(draft, Escalation("error", f"the flow {flow} runs in a circle"))


def _enter(draft: Draft, step: CompiledStep) -> bool:
    """Be in the mode that a step wants, and still at the step: a mode may begin with a flow.

    A flow that would skip what a mode needs is over, and a person sees why.
    """
    under_way = len(draft.session.stack)
    reason = change_mode(draft, step.mode)
    if not reason:
        return len(draft.session.stack) == under_way
    draft.log.errors.append(reason)
    draft.log.states.append(DialogueState.ERROR)
    flow = draft.session.flow
    _leave_to_a_person(draft, Escalation("mode", f"the step {step.name} of {flow}: {reason}"))
    return False


def _missing(draft: Draft, asks: AskSlots) -> tuple[str, ...]:
    """What is not known yet; also what will do in place of something that the contact does not have."""
    session, wanted = draft.session, list[str]()
    left_out = less(session.skipped, *session.slots)
    for name in asks.slots:
        if draft.agent.slots[name].kind.is_note:
            continue  # it is taken when it is said
        wanted.append(name)
        if name in left_out:
            wanted.append(draft.agent.slots[name].instead)
    return less(dict.fromkeys(wanted), "", *session.slots, *session.skipped)


def _ask_missing(draft: Draft, step: CompiledStep, asks: AskSlots) -> None:
    """Ask for what is missing, or let a tool say whether what was given can be chosen."""
    offers, unchecked = draft.agent.step_tool(asks), step.name not in draft.session.stack[-1].ran
    to_check = offers is not None and unchecked and asks.slots[0] in draft.session.slots
    if not to_check and not _missing(draft, asks):
        go_on(draft)
        return
    if step.mode and not _enter(draft, step):
        return
    if offers:
        _use(draft, step, offers)
        return
    missing = _missing(draft, asks)
    asked_first = less(missing, *draft.session.refused)
    if asked_first:
        ask_slot(draft, asked_first[0], template=asks.template)
    else:
        ask_ways_out(draft, missing[0])


def still_asked(draft: Draft) -> tuple[str, ...]:
    """What the step under way still asks for."""
    step = standing_at(draft)
    return _missing(draft, step.does) if step and isinstance(step.does, AskSlots) else ()


def _holds(draft: Draft, guard: str) -> bool:
    result = holds(guard, known_to_guards(draft))
    frame = draft.session.stack[-1]
    draft.log.guards.append((f"{frame.flow}.{frame.step}", guard, result))
    return result


def go_on(draft: Draft, on: Outcome = "done") -> None:
    """Leave the step under way by the first edge of its outcome whose guard holds."""
    step = standing_at(draft)
    for edge in step.edges if step else ():
        if edge.on == on and (not edge.guard or _holds(draft, edge.guard)):
            follow(draft, edge)
            return


def follow(draft: Draft, edge: Edge) -> None:
    """Go where an edge leads: to a step, out of the flow, or to what is asked at the end of it."""
    WHERE[edge.leads](draft, edge)


def _to_end(draft: Draft, edge: Edge) -> None:
    if edge.to:
        finish(draft)
    else:
        mark(draft, step="")  # behind the last step, which may have begun something else


def _to_person(draft: Draft, _edge: Edge) -> None:
    top = draft.session.stack[-1]
    _leave_to_a_person(draft, Escalation("flow", f"the step {top.step} of {top.flow} leads to a person"))


def _to_mode(draft: Draft, edge: Edge) -> None:
    """The flow is left undone, for the mode and what that begins with."""
    drop(draft)
    if reason := change_mode(draft, edge.to):
        draft.log.errors.append(reason)


def _to_flow(draft: Draft, edge: Edge) -> None:
    push(draft, edge.to, called=pop(draft).called)


WHERE: Mapping[Leads, Callable[[Draft, Edge], None]] = {
    "step": lambda draft, edge: mark(draft, step=edge.to),
    "end": _to_end,
    "handoff": _to_person,
    "change": lambda draft, _edge: ask_change(draft),
    "mode": _to_mode,
    "flow": _to_flow,
    "nowhere": _to_flow,
}


def finish(draft: Draft) -> None:
    """The top flow is complete; an interrupted one below it resumes, if it is in its mode."""
    top = draft.session.stack[-1]
    draft.log.states.append(DialogueState.COMPLETED)
    spoke = any(getattr(effect, "remark", None) is False for effect in draft.effects)
    if draft.agent.flows[top.flow].starts_by_itself and not spoke:
        say(draft, "completed")
    draft.effects.append(Complete(top.flow))
    pop(draft)
    cancel_timers(draft, f"wait.{top.flow}.")
    if not top.called and top.mode != draft.session.mode:
        drop_bound_to_modes(draft)
    while leave_stale(draft):
        pass  # a question about what is over does not come again
    if not draft.session.stack:
        cancel_timers(draft, TIMEOUT_TIMER)
        if answering(draft) and not (draft.progress.unsaid or _has_spoken(draft)):
            remark(draft, "done")  # a flow that a contact began does not end in silence
    elif not top.called:
        remark(draft, "resumed")


def _has_spoken(draft: Draft) -> bool:
    return draft.progress.spoken or has(draft.effects, Say | Question)


def _leave_to_a_person(draft: Draft, escalation: Escalation) -> None:
    """The flow is over: a person sees to the matter, and a release does not begin it again."""
    pop(draft)
    hand_off(draft, escalation)


# --- steps that ask ------------------------------------------------------------------------------


def ask_slot(draft: Draft, name: str, *, correcting: bool = False, template: str = "") -> None:
    """Ask for a slot, in the words of a template if one is given, and wait."""
    if correcting and _offers_anew(draft, name):
        return  # the flow goes on with its own question, and what can be chosen now
    line = question_for(draft, name, template or ("ask_correct" if correcting else f"ask.{name}"))
    draft.ask(Ask(name, line, person=offers_person(draft, name)), AskedSlot(name, correcting=correcting))


def ask_offered(draft: Draft, name: str, values: tuple[str, ...]) -> None:
    """Ask which of several values is meant for a slot."""
    line = question_for(draft, name, "ask_offered")
    asked = AskedSlot(name, correcting=name in draft.session.slots, offered=values)
    draft.ask(Ask(name, line, values, person=offers_person(draft, name)), asked)


def question_for(draft: Draft, name: str, template: str) -> Line:
    """The words of a question; after two answers that were of no use it is not put in the same words again."""
    agent, counters = draft.agent, draft.session.counters
    words, times = agent.templates[template], draft.session.templates_sent.get(template, 0)
    tired = max(counters.unclear, counters.invalid.get(name, 0)) >= TRIED_TWICE and agent.repeats != "never"
    if tired and times >= max(TWICE, len(words.variants)) and not PLACEHOLDER.search(words.text):
        template = "ask_still"
    return next_line(draft, template, {"label": label(agent, name)})


def offers_person(draft: Draft, name: str) -> bool:
    """Whether a person is offered beside the question for a slot."""
    counters = draft.session.counters
    return counters.unclear >= OFFERS_PERSON or counters.invalid.get(name, 0) >= TRIED_TWICE


def ask_ways_out(draft: Draft, name: str) -> None:
    """Instead of a value that was refused twice: shall a person see to it, or is it left? The value is still taken."""
    line = next_line(draft, "ways_out", {"label": label(draft.agent, name)})
    asked = AskedSlot(name, correcting=name in draft.session.slots, ways_out=True)
    draft.ask(Ask(name, line, person=True, leave=True), asked)


def _offers_anew(draft: Draft, name: str) -> bool:
    """Go back to the step that offers what a tool says can be chosen, if a flow under way has one."""
    if not draft.agent.slots[name].choices_from:
        return False
    before = draft.session.stack
    rewind(draft, name)
    if draft.session.stack == before:
        return False
    empty_slots(draft, frozenset({name}))
    return True


def ask_change(draft: Draft) -> None:
    """Ask what is to be changed of what this flow has collected."""
    known = changeable(draft)
    if not known:
        finish(draft)
        return
    draft.ask(AskWhich(known, next_line(draft, "ask_change")), AskedWhich(known, offers_first=False))


def ask_switch(draft: Draft, flow: str) -> None:
    """Ask whether to leave what is under way."""
    named = flow_label(draft.agent, flow)
    draft.ask(AskSwitch(flow, next_line(draft, "ask_switch", {"label": named})), AskedSwitch(flow))


def changeable(draft: Draft) -> tuple[str, ...]:
    """The filled slots that contacts were asked for (by the flow under way), the last one first."""
    session, flows = draft.session, draft.agent.flows
    # Beside all flows, whatever one of them asks for.
    asked = draft.agent.collected_by(session.flow) or chain.from_iterable(flow.collects for flow in flows.values())
    known = [name for name in dict.fromkeys(asked) if name in session.slots]
    return tuple(sorted(known, key=lambda name: name != session.last_slot))


def _confirm(draft: Draft, _step: CompiledStep, asks: AskConfirmation) -> None:
    said, template = draft.progress.confirmed, asks.template
    draft.progress.confirmed = None
    if said and shown_digest(draft.session, template, said.bound) == said.digest:
        mark(draft, yes=Yes(template, said.digest, said.bound))
        go_on(draft, "yes")
        return
    mark(draft, yes=None)
    if ask_put_off(draft, last_chance=True):
        return  # what was ordered and not yet settled belongs into the summary
    bound = bound_slots(draft.agent, draft.session, template)
    digest = shown_digest(draft.session, template, bound)
    draft.ask(AskYes(next_line(draft, template), digest), AskedYes(digest, bound))


# --- steps that do something ---------------------------------------------------------------------


def _use(draft: Draft, _step: CompiledStep, call: UseTool) -> None:
    """Order the tool; what the gate refuses is an error that no retry fixes."""
    before_tool(draft, call.tool)
    reason = refusal(draft, call.tool)
    if reason == NO_YES and back_to_summary(draft):
        return
    told_already = not reason and step_call(draft, call).call_id in draft.progress.told
    if told_already or draft.progress.steps_called >= MAX_CALLS:
        _break_circle(draft)
    elif reason:
        draft.log.errors.append(f"{call.tool}: {reason}")
        draft.log.states.append(DialogueState.ERROR)
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
    # Another round has done none of the steps of the block, so none of them is stale.
    places, again = draft.agent.compiled[frame.flow].places, step.edge("again")
    block = range(places[again.to] if again else 0, places[step.name] + 1)
    ran = tuple(name for name in frame.ran if places[name] not in block)
    mark(draft, rounds={**counted, step.name: round_now}, ran=ran)
    draft.log.states.append(DialogueState.UNDERSTANDING)
    empty_slots(draft, frozenset(rounds.empties))
    go_on(draft, "again")


def _wait(draft: Draft, step: CompiledStep, waits: WaitUntil) -> None:
    """Wait for a timer; a message meanwhile does not shorten it."""
    timer = f"wait.{draft.session.flow}.{step.name}"
    if timer not in draft.session.timers:
        due = _due(draft, waits.wait, timer)
        if due is None:
            go_on(draft)
            return
        set_timer(draft, timer, due)
    draft.session.pending = Waiting(timer)


def _due(draft: Draft, wait: str, timer: str) -> datetime | None:
    """Until when a `wait` lasts; it does not where there is nothing to wait for."""
    until, hours = read_wait(wait), draft.agent.open
    if isinstance(until, timedelta):
        return draft.now + until
    if isinstance(until, time):
        return next_at(draft.now, until, draft.zone)
    if isinstance(until, Moment):
        return wait_due(draft, until, timer)
    return hours.opens(draft.now, draft.zone) if hours and is_closed(draft) else None


def _say(draft: Draft, _step: CompiledStep, says: SayTemplate) -> None:
    draft.log.states.append(DialogueState.GENERATING_RESPONSE)
    say(draft, says.template)
    go_on(draft)


def _push(draft: Draft, _step: CompiledStep, pushes: PushFlow) -> None:
    go_on(draft)
    push(draft, pushes.flow, called=True)


def _leave(draft: Draft, _step: CompiledStep, leaves: LeaveToPerson) -> None:
    reason = fill(leaves.reason, values_of(draft, leaves.reason))
    _leave_to_a_person(draft, Escalation(leaves.policy, reason, leaves.team))


def _take_edge(draft: Draft, step: CompiledStep, _takes: TakeEdge) -> None:
    if step.guards:
        note(draft, step)
    go_on(draft)


def _set(draft: Draft, _step: CompiledStep, given: SetValues) -> None:
    for name, value in given.values.items():
        if value is None:
            empty_slots(draft, frozenset({name}))
        else:
            draft.fill(name, value)
    keep_under_way(draft)
    go_on(draft)


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


# What each instruction does to the session.
DOES: Mapping[type[Instruction], Callable[[Draft, CompiledStep, Any], None]] = {
    AskSlots: _ask_missing,
    AskConfirmation: _confirm,
    UseTool: _use,
    SayTemplate: _say,
    SetValues: _set,
    PushFlow: _push,
    WaitUntil: _wait,
    CountRound: _count_round,
    LeaveToPerson: _leave,
    TakeEdge: _take_edge,
}
