"""Which changes of the dialogue state an agent can go through: what coverage is measured against.

The table of all allowed changes is larger than what one agent can do: an agent that confirms nothing is never
`confirming`, one whose flow ends with a `say` is never complete right after `validating_slot`. So the flows are walked:
every step is taken in every dialogue state that it can be reached in, each guard holding and not holding; calls that
messages propose are made and come back. What only values make impossible (a guard that never holds) stays in; the ways
into `error`, which a flow that runs in a circle and a tool that breaks take, are left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hilo.agent.declaration import Agent
from hilo.agent.flow import CompiledFlow, CompiledStep, Edge
from hilo.agent.instructions import (
    AskConfirmation,
    AskSlots,
    CountRound,
    Instruction,
    LeaveToPerson,
    PushFlow,
    SayTemplate,
    UseTool,
    WaitUntil,
)
from hilo.agent.steps import Outcome
from hilo.dialogue.states import TRANSITIONS
from hilo.dialogue.states import DialogueState as State

Transition = tuple[State, State]


@dataclass(frozen=True, slots=True)
class _Place:
    """A step in a dialogue state; no step means the end of the flow."""

    flow: str
    step: str
    state: State


@dataclass(slots=True)
class _Walk:
    agent: Agent
    at_the_bottom: frozenset[str]
    on_others: frozenset[str]
    found: set[Transition] = field(default_factory=set)

    def move(self, before: State, after: State) -> None:
        if before is not after:
            self.found.add((before, after))

    def rest(self, before: State) -> None:
        """Become idle, by way of understanding where the state does not lead there."""
        if State.IDLE not in TRANSITIONS[before]:
            self.move(before, State.UNDERSTANDING)
            before = State.UNDERSTANDING
        self.move(before, State.IDLE)


def possible_transitions(agent: Agent) -> frozenset[Transition]:
    """The changes that an agent's messages, corrections, steps and handoffs can make."""
    bottom = frozenset(name for name in agent.flows if agent.begins_untold(name))
    walk = _Walk(agent, _with_jumps(agent, bottom), _with_jumps(agent, _called(agent) | _interrupting(agent)))
    walk.found |= _by_messages(agent)
    seen: set[_Place] = set()
    places = [place for flow in agent.compiled.values() for place in _starts(agent, flow)]
    while places:
        place = places.pop()
        if place not in seen:
            seen.add(place)
            places += _take(walk, place)
    return frozenset(walk.found)


def _by_messages(agent: Agent) -> set[Transition]:
    """What a message can do in any flow: give or correct a slot, go to an operator, come when nothing is to be done."""
    found = {(State.IDLE, State.UNDERSTANDING), (State.UNDERSTANDING, State.IDLE)}
    if _takes_values(agent):
        found |= {(State.UNDERSTANDING, State.VALIDATING_SLOT), (State.VALIDATING_SLOT, State.IDLE)}
        found |= {(state, State.WAITING_FOR_SLOT) for state in _openings(agent)}
        found.add((State.WAITING_FOR_SLOT, State.UNDERSTANDING))
    if _asks_back(agent):
        found |= {(State.UNDERSTANDING, State.WAITING_FOR_SLOT), (State.WAITING_FOR_SLOT, State.UNDERSTANDING)}
    if _called_by_words(agent):
        found |= {(state, State.READY_FOR_ACTION) for state in _openings(agent)}
        found |= {(State.READY_FOR_ACTION, State.EXECUTING_ACTION), (State.EXECUTING_ACTION, State.UNDERSTANDING)}
    return found


def _takes_values(agent: Agent) -> bool:
    """Whether messages fill slots: not those that only tools find, nor those that name the arguments of calls."""
    return any(flow.collects for flow in agent.flows.values()) or any(slot.keep for slot in agent.slots.values())


def _asks_back(agent: Agent) -> bool:
    """Whether something else than a slot may be asked: what a call lacks, which meaning, whether to leave a flow."""
    lacking = any(agent.toolbox[name].parameters for name in _called_by_words(agent) if name in agent.toolbox)
    return lacking or agent.confidence is not None or any(flow.interrupts == "ask" for flow in agent.flows.values())


def _called_by_words(agent: Agent) -> frozenset[str]:
    """The tools that messages call without a flow."""
    ordered = vars(agent.orders).values() if agent.orders else ()
    return frozenset(filter(None, (*ordered, *(intent.do for intent in agent.intents.values()))))


def _openings(agent: Agent) -> tuple[State, ...]:
    """The states in which a turn takes its first step."""
    return (State.UNDERSTANDING, State.VALIDATING_SLOT) if _takes_values(agent) else (State.UNDERSTANDING,)


# --- where turns begin, and which flows stand on which --------------------------------------------------


def _starts(agent: Agent, flow: CompiledFlow) -> Iterator[_Place]:
    """Where a turn may begin in a flow: at its first step, and at every step that asks."""
    for step in flow.steps:
        begins = step is flow.steps[0] and agent.begins_untold(flow.name)
        if begins or isinstance(step.does, AskSlots | AskConfirmation):
            states = _openings(agent)
            if not _may_pass(agent, flow.name, step):
                states = states[1:]
            yield from (_Place(flow.name, step.name, state) for state in states)


def _may_pass(agent: Agent, flow: str, step: CompiledStep) -> bool:
    """Whether a turn that begins here can go on without a value: not where only the asked slots lead on."""
    if not isinstance(step.does, AskSlots) or step.when:
        return True
    if not agent.flows[flow].starts_by_itself or _interrupting(agent):
        return True
    if _called_by_words(agent):
        return True  # the value was taken before the call, after which understanding goes on
    return not all(agent.slots[name].required for name in step.does.slots)


def _called(agent: Agent) -> frozenset[str]:
    done = [step.does for flow in agent.compiled.values() for step in flow.steps]
    return frozenset(does.flow for does in done if isinstance(does, PushFlow))


def _interrupting(agent: Agent) -> frozenset[str]:
    """Flows that a contact or a timer can start while another one is under way."""
    started = {name for name in agent.flows if agent.begins_untold(name)}
    return frozenset(name for name in started if not agent.flows[name].starts_by_itself and len(started) > 1)


def _with_jumps(agent: Agent, flows: frozenset[str]) -> frozenset[str]:
    """These flows and those that they jump to, which take their place on the stack."""
    more = flows.union(*(agent.compiled[name].leaves_to & agent.flows.keys() for name in flows))
    return flows if more == flows else _with_jumps(agent, more)


# --- taking steps ---------------------------------------------------------------------------------------


def _take(walk: _Walk, place: _Place) -> Iterator[_Place]:
    """Take the step at a place: note the changes it makes, and give the places that may come next."""
    if not place.step:
        _finish(walk, place)
        return
    step = walk.agent.compiled[place.flow][place.step]
    left = _execute(walk, step.does, place.state)
    for edge in step.edges:
        # a no to a summary leaves the flow at once, where it leads to the end
        if edge.on == "skipped":
            yield from _follow(walk, edge, place)
        elif edge.on in left and not (edge.on == "no" and edge.leads == "end"):
            yield from _follow(walk, edge, replace(place, state=left[edge.on]))
    if isinstance(step.does, PushFlow):
        called = step.does.flow
        yield _Place(called, walk.agent.compiled[called].steps[0].name, place.state)
        if walk.agent.begins_untold(called):  # it may be under way below, then it is not run again
            yield from _follow(walk, step.edges[0], place)


def _execute(walk: _Walk, does: Instruction, state: State) -> dict[Outcome, State]:
    """Note the changes that an instruction makes, and give the state that each of its outcomes leaves."""
    match does:
        case AskSlots():
            walk.move(state, State.WAITING_FOR_SLOT)
        case AskConfirmation():
            walk.move(state, State.READY_FOR_CONFIRMATION)
            walk.move(State.READY_FOR_CONFIRMATION, State.CONFIRMING)
            walk.move(State.CONFIRMING, State.UNDERSTANDING)
            # a yes or a no is an answer to a turn before; a turn with new values shows them first
            return {"yes": state, "no": state} if state is State.UNDERSTANDING else {}
        case SayTemplate():
            walk.move(state, State.GENERATING_RESPONSE)
            return {"done": State.GENERATING_RESPONSE}
        case UseTool():
            walk.move(state, State.READY_FOR_ACTION)
            walk.move(State.READY_FOR_ACTION, State.EXECUTING_ACTION)
            if does.attempts > 1:
                walk.move(State.EXECUTING_ACTION, State.UNDERSTANDING)
                walk.move(State.UNDERSTANDING, State.READY_FOR_ACTION)
            undone = State.UNDERSTANDING
            return {"done": State.EXECUTING_ACTION, "fails": undone, "told": undone}
        case PushFlow():
            return {"done": State.UNDERSTANDING}
        case WaitUntil():
            walk.rest(state)
            return {"done": State.UNDERSTANDING}
        case CountRound():
            walk.move(state, State.UNDERSTANDING)
            return {"done": state, "again": State.UNDERSTANDING}
        case LeaveToPerson():
            walk.rest(state)
            return {}
    return {"done": state}


def _follow(walk: _Walk, edge: Edge, place: _Place) -> Iterator[_Place]:
    """Go where an edge leads: to the next place, or out of the flow."""
    if edge.on in {"fails", "told"}:
        walk.move(State.EXECUTING_ACTION, State.UNDERSTANDING)
    match edge.leads:
        case "step":
            yield replace(place, step=edge.to)
        case "flow":
            yield replace(place, flow=edge.to, step=walk.agent.compiled[edge.to].steps[0].name)
        case "end" if not edge.to:
            yield replace(place, step="")
        case "end":
            _finish(walk, place)
        case "handoff" | "mode":  # the flow is left undone for a mode
            walk.rest(place.state)
        case "change" if walk.agent.slots:
            walk.move(place.state, State.WAITING_FOR_SLOT)
        case "change":
            walk.move(place.state, State.UNDERSTANDING)
            _finish(walk, replace(place, state=State.UNDERSTANDING))
            walk.move(State.COMPLETED, State.UNDERSTANDING)  # the rest of the message is still to be carried out


def _finish(walk: _Walk, place: _Place) -> None:
    walk.move(place.state, State.COMPLETED)
    if place.flow in walk.at_the_bottom:
        walk.move(State.COMPLETED, State.IDLE)
    if place.flow in walk.on_others:
        walk.move(State.COMPLETED, State.UNDERSTANDING)
