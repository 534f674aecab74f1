"""Which changes of the dialogue state an agent can go through: what coverage is measured against.

The table of all allowed changes is larger than what one agent can do: an agent that confirms nothing is never
`confirming`, one whose flow ends with a `say` is never complete right after `validating_slot`. So the flows are walked:
every step is taken in every dialogue state that it can be reached in, each guard holding and not holding; calls that
messages propose are made and come back. What only values make impossible (a guard that never holds) stays in; the ways
into `error`, which a flow that runs in a circle and a tool that breaks take, are left out, and so is what the engine
asks by itself (`ENGINE_TRANSITIONS`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from hilo.agent.beginnings import begun_flows
from hilo.agent.declaration import Agent
from hilo.agent.flow import CompiledFlow, CompiledStep, Edge
from hilo.agent.instructions import (
    AskConfirmation,
    AskSlots,
    CountRound,
    Instruction,
    PushFlow,
    SayTemplate,
    UseTool,
    WaitUntil,
)
from hilo.agent.steps import Outcome
from hilo.dialogue.states import TRANSITIONS
from hilo.dialogue.states import DialogueState as State

Transition = tuple[State, State]

# The ladder asks any contact whom it does not understand what is meant, or whether a person should
# go on. No author wrote that question, so coverage does not ask for a conversation that meets it.
ENGINE_TRANSITIONS: frozenset[Transition] = frozenset(
    {
        (State.UNDERSTANDING, State.WAITING_FOR_SLOT),
        (State.WAITING_FOR_SLOT, State.UNDERSTANDING),
    }
)

# the states that an instruction goes through
_PASSES: Mapping[type[Instruction], tuple[State, ...]] = {
    AskSlots: (State.WAITING_FOR_SLOT,),
    AskConfirmation: (State.READY_FOR_CONFIRMATION, State.CONFIRMING, State.UNDERSTANDING),
    SayTemplate: (State.GENERATING_RESPONSE,),
    UseTool: (State.READY_FOR_ACTION, State.EXECUTING_ACTION),
    CountRound: (State.UNDERSTANDING,),
}
# the states that an edge is taken in, where it is not the one that the step was taken in
_LEAVES: Mapping[tuple[type[Instruction], Outcome], State] = {
    (SayTemplate, "done"): State.GENERATING_RESPONSE,
    (UseTool, "done"): State.EXECUTING_ACTION,
    (UseTool, "fails"): State.UNDERSTANDING,
    (UseTool, "told"): State.UNDERSTANDING,
    (PushFlow, "done"): State.UNDERSTANDING,
    (WaitUntil, "done"): State.UNDERSTANDING,
    (CountRound, "again"): State.UNDERSTANDING,
}


@dataclass(frozen=True, slots=True)
class _Place:
    """A step in a dialogue state."""

    flow: str
    step: str
    state: State


class _Walk:
    """What the walk needs to know of an agent, and the changes that it has found."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.found: set[Transition] = set()
        self.started = begun_flows(agent)
        self.interrupting = self._interrupting()
        pushed = frozenset(push.flow for _, push in agent.doing(PushFlow))
        self.at_the_bottom = _with_jumps(agent, self.started)
        self.on_others = _with_jumps(agent, pushed | self.interrupting)
        # the tools that messages call without a flow
        ordered = agent.ordering.values()
        intended = (intent.do for intent in agent.intents.values())
        self.called = frozenset(filter(None, (*ordered, *intended)))
        # whether messages fill slots: not those that only tools find, nor those that name the arguments of calls
        collected = [flow.collects for flow in agent.flows.values()]
        kept = [slot.keep for slot in agent.slots.values()]
        self.takes_values = any((*collected, *kept))
        # the states in which a turn takes its first step
        self.openings = [State.UNDERSTANDING, *([State.VALIDATING_SLOT] if self.takes_values else [])]

    def _interrupting(self) -> frozenset[str]:
        """Flows that a contact or a timer can start while another one is under way."""
        if len(self.started) == 1:
            return frozenset()
        flows = self.agent.flows
        return frozenset(name for name in self.started if not flows[name].starts_by_itself)

    def move(self, *states: State) -> None:
        self.found.update((before, after) for before, after in pairwise(states) if before is not after)

    def rest(self, before: State) -> None:
        """Become idle, by way of understanding where the state does not lead there."""
        if State.IDLE in TRANSITIONS[before]:
            self.move(before, State.IDLE)
        else:
            self.move(before, State.UNDERSTANDING, State.IDLE)


def _with_jumps(agent: Agent, flows: frozenset[str]) -> frozenset[str]:
    """These flows and those that they jump to, which take their place on the stack."""
    more = flows.union(*(agent.compiled[name].leaves_to & agent.flows.keys() for name in flows))
    return flows if more == flows else _with_jumps(agent, more)


def possible_transitions(agent: Agent) -> frozenset[Transition]:
    """The changes that an agent's messages, corrections, steps and handoffs can make."""
    walk = _Walk(agent)
    _hear(walk)
    seen: set[_Place] = set()
    places = [place for flow in agent.compiled.values() for place in _starts(walk, flow)]
    while places:
        place = places.pop()
        if place not in seen:
            seen.add(place)
            places += _take(walk, place)
    return frozenset(walk.found)


def _hear(walk: _Walk) -> None:
    """What a message can do in any flow: give or correct a slot, go to an operator, come when nothing is to be done."""
    agent = walk.agent
    walk.move(State.IDLE, State.UNDERSTANDING, State.IDLE)
    if walk.takes_values:
        walk.move(State.UNDERSTANDING, State.WAITING_FOR_SLOT, State.UNDERSTANDING)
        walk.move(State.UNDERSTANDING, State.VALIDATING_SLOT, State.WAITING_FOR_SLOT)
        walk.move(State.VALIDATING_SLOT, State.IDLE)
    # something else than a slot may be asked: what a call lacks, which meaning, whether to leave a flow
    lacking = [agent.toolbox[name].parameters for name in walk.called if name in agent.toolbox]
    leaving = [flow.interrupts == "ask" for flow in agent.flows.values()]
    if any((*lacking, agent.confidence, *leaving)):
        walk.move(State.UNDERSTANDING, State.WAITING_FOR_SLOT, State.UNDERSTANDING)
    for opening in walk.openings if walk.called else ():
        walk.move(opening, State.READY_FOR_ACTION, State.EXECUTING_ACTION, State.UNDERSTANDING)


def _starts(walk: _Walk, flow: CompiledFlow) -> Iterator[_Place]:
    """Where a turn may begin in a flow: at its first step, and at every step that asks."""
    for step in flow.steps:
        begins = step is flow.steps[0] and flow.name in walk.started
        if begins or isinstance(step.does, AskSlots | AskConfirmation):
            states = walk.openings if _may_pass(walk, flow.name, step) else walk.openings[1:]
            yield from (_Place(flow.name, step.name, state) for state in states)


def _may_pass(walk: _Walk, flow: str, step: CompiledStep) -> bool:
    """Whether a turn that begins here can go on without a value: not where only the asked slots lead on."""
    agent = walk.agent
    if not isinstance(step.does, AskSlots) or step.when:
        return True
    if walk.interrupting or not agent.flows[flow].starts_by_itself:
        return True
    # a value may be taken before a call, after which understanding goes on
    return bool(walk.called) or not all(agent.slots[name].always_given for name in step.does.slots)


def _take(walk: _Walk, place: _Place) -> Iterator[_Place]:
    """Take the step at a place: note the changes it makes, and give the places that may come next."""
    step = walk.agent.compiled[place.flow][place.step]
    does = step.does
    walk.move(place.state, *_PASSES.get(type(does), ()))
    if isinstance(does, WaitUntil):
        walk.rest(place.state)
    if isinstance(does, UseTool) and does.attempts > 1:
        walk.move(State.EXECUTING_ACTION, State.UNDERSTANDING, State.READY_FOR_ACTION)
    for edge in step.edges:
        if _is_open(edge, place.state):
            left = _LEAVES.get((type(does), edge.on), place.state)
            yield from _follow(walk, edge, replace(place, state=left))
    if isinstance(does, PushFlow):
        yield _Place(does.flow, walk.agent.compiled[does.flow].steps[0].name, place.state)
        if does.flow in walk.started:  # it may be under way below, then it is not run again
            yield from _follow(walk, step.edges[0], place)


def _is_open(edge: Edge, state: State) -> bool:
    """Whether an edge may be taken in a state."""
    if edge.on not in {"yes", "no"}:
        return True
    # An answer is to the summary of a turn before: a turn with new values shows them first.
    # A no leaves the flow at once, where it leads to the end.
    return state is State.UNDERSTANDING and (edge.on, edge.leads) != ("no", "end")


def _follow(walk: _Walk, edge: Edge, place: _Place) -> Iterator[_Place]:
    """Go where an edge leads: to the next place, or out of the flow."""
    if edge.on in {"fails", "told"}:
        walk.move(State.EXECUTING_ACTION, State.UNDERSTANDING)
    match edge.leads:
        case "step":
            yield replace(place, step=edge.to)
        case "flow":
            yield replace(place, flow=edge.to, step=walk.agent.compiled[edge.to].steps[0].name)
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
