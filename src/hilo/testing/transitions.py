"""Which changes of the dialogue state an agent can go through: what coverage is measured against.

The table of all allowed changes is larger than what one agent can do: an agent that confirms nothing is never
`confirming`, one whose flow ends with a `say` is never complete right after `validating_slot`. So the flows are walked:
every step is taken in every dialogue state that it can be reached in, each guard holding and not holding; calls that
messages propose are made and come back. What only values make impossible (a guard that never holds) stays in; the ways
into `error`, which a flow that runs in a circle and a tool that breaks take, are left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from hilo.agent.declaration import Agent
from hilo.agent.steps import Again, AnyStep, Branch, Call, Collect, Confirm, Do, End, Flow, Go, HandOver, Say, Wait
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
    places = [place for name in agent.flows for place in _starts(agent, name)]
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


def _starts(agent: Agent, name: str) -> Iterator[_Place]:
    """Where a turn may begin in a flow: at its first step, and at every step that asks."""
    flow = agent.flows[name]
    for step in flow.steps:
        if isinstance(step, Collect | Confirm) or (step is flow.steps[0] and agent.begins_untold(name)):
            states = _openings(agent) if _may_pass(agent, flow, step) else _openings(agent)[1:]
            yield from (_Place(name, step.name, state) for state in states)


def _may_pass(agent: Agent, flow: Flow, step: AnyStep) -> bool:
    """Whether a turn that begins here can go on without a value: not where only the asked slots lead on."""
    if not isinstance(step, Collect) or step.when or not flow.starts_by_itself or _interrupting(agent):
        return True
    if _called_by_words(agent):
        return True  # the value was taken before the call, after which understanding goes on
    return not all(agent.slots[name].required for name in step.collect)


def _called(agent: Agent) -> frozenset[str]:
    return frozenset(step.call for flow in agent.flows.values() for step in flow.steps if isinstance(step, Call))


def _interrupting(agent: Agent) -> frozenset[str]:
    """Flows that a contact or a timer can start while another one is under way."""
    started = {name for name in agent.flows if agent.begins_untold(name)}
    return frozenset(name for name in started if not agent.flows[name].starts_by_itself and len(started) > 1)


def _with_jumps(agent: Agent, flows: frozenset[str]) -> frozenset[str]:
    """These flows and those that they jump to, which take their place on the stack."""
    steps = [step for name in flows for step in agent.flows[name].steps]
    more = flows | {target for step in steps for target in _jumps(step) if target in agent.flows}
    return flows if more == flows else _with_jumps(agent, more)


def _jumps(step: AnyStep) -> tuple[str, ...]:
    match step:
        case Branch(branch=ways):
            return tuple(ways.values())
        case Go(go=target):
            return (target,)
        case Confirm(no=target):
            return (target or "change",)
        case Do(fails=fails, told=told):
            return (fails, told)
    return ()


# --- taking steps ---------------------------------------------------------------------------------------


def _take(walk: _Walk, place: _Place) -> Iterator[_Place]:
    """Take the step at a place: note the changes it makes, and give the places that may come next."""
    if not place.step:
        _finish(walk, place)
        return
    flow = walk.agent.flows[place.flow]
    position = flow.position(place.step)
    step = flow.steps[position]
    following = flow.steps[position + 1].name if position + 1 < len(flow.steps) else ""
    go_on = _Place(place.flow, following, place.state)
    if step.when:
        yield go_on
    yield from _carry_out(walk, step, place, go_on)


def _carry_out(walk: _Walk, step: AnyStep, place: _Place, go_on: _Place) -> Iterator[_Place]:
    match step:
        case Collect():
            walk.move(place.state, State.WAITING_FOR_SLOT)
            yield go_on
        case Confirm():
            yield from _confirm(walk, step, place, go_on)
        case Say():
            walk.move(place.state, State.GENERATING_RESPONSE)
            yield _Place(go_on.flow, go_on.step, State.GENERATING_RESPONSE)
        case Branch(branch=ways):
            yield from (next_place for target in ways.values() for next_place in _jump(walk, place, target))
            if "else" not in ways:
                yield go_on
        case Go(go=target):
            yield from _jump(walk, place, target)
        case Call(call=called):
            yield _Place(called, walk.agent.flows[called].steps[0].name, place.state)
            yield _Place(go_on.flow, go_on.step, State.UNDERSTANDING)
            if walk.agent.begins_untold(called):  # it may be under way below, then it is not run again
                yield go_on
        case Do():
            yield from _do(walk, step, place, go_on)
        case Wait():
            walk.rest(place.state)
            yield _Place(go_on.flow, go_on.step, State.UNDERSTANDING)
        case Again(first=first):
            walk.move(place.state, State.UNDERSTANDING)
            yield _Place(place.flow, first, State.UNDERSTANDING)
            yield go_on
        case HandOver():
            walk.rest(place.state)
        case End():
            _finish(walk, place)
        case _:
            yield go_on


def _do(walk: _Walk, step: Do, place: _Place, go_on: _Place) -> Iterator[_Place]:
    """A call goes well, or comes to nothing and takes the author's way out."""
    walk.move(place.state, State.READY_FOR_ACTION)
    walk.move(State.READY_FOR_ACTION, State.EXECUTING_ACTION)
    yield _Place(go_on.flow, go_on.step, State.EXECUTING_ACTION)
    undone = _Place(place.flow, place.step, State.UNDERSTANDING)
    ways = [way for way in (step.fails, step.told) if way]
    if ways or step.attempts > 1:
        walk.move(State.EXECUTING_ACTION, State.UNDERSTANDING)
    if step.attempts > 1:
        walk.move(State.UNDERSTANDING, State.READY_FOR_ACTION)
    yield from (next_place for way in ways for next_place in _jump(walk, undone, way))


def _confirm(walk: _Walk, step: Confirm, place: _Place, go_on: _Place) -> Iterator[_Place]:
    """A yes or a no is an answer to a turn before; a turn with new values shows them first."""
    walk.move(place.state, State.READY_FOR_CONFIRMATION)
    walk.move(State.READY_FOR_CONFIRMATION, State.CONFIRMING)
    walk.move(State.CONFIRMING, State.UNDERSTANDING)
    if place.state is State.UNDERSTANDING:
        yield go_on
        yield from _jump(walk, place, step.no or "change") if step.no != "end" else ()  # a no leaves the flow


def _jump(walk: _Walk, place: _Place, target: str) -> Iterator[_Place]:
    flows = walk.agent.flows
    if any(step.name == target for step in flows[place.flow].steps):
        yield _Place(place.flow, target, place.state)
    elif target == "end":
        _finish(walk, place)
    elif target == "handoff" or target in walk.agent.modes:  # the flow is left undone for a mode
        walk.rest(place.state)
    elif target == "change" and walk.agent.slots:
        walk.move(place.state, State.WAITING_FOR_SLOT)
    elif target == "change":
        walk.move(place.state, State.UNDERSTANDING)
        _finish(walk, _Place(place.flow, "", State.UNDERSTANDING))
        walk.move(State.COMPLETED, State.UNDERSTANDING)  # the rest of the message is still to be carried out
    else:
        yield _Place(target, flows[target].steps[0].name, place.state)


def _finish(walk: _Walk, place: _Place) -> None:
    walk.move(place.state, State.COMPLETED)
    if place.flow in walk.at_the_bottom:
        walk.move(State.COMPLETED, State.IDLE)
    if place.flow in walk.on_others:
        walk.move(State.COMPLETED, State.UNDERSTANDING)
