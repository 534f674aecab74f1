"""Walks through a flow: the shortest that leads somewhere, with what is known on the way."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from hilo.agent.declaration import Agent
from hilo.agent.flow import CompiledFlow, CompiledStep, Edge, Fact
from hilo.agent.guards import names_in
from hilo.agent.instructions import AskSlots
from hilo.agent.opening_hours import OPEN

MAX_STATES = 2000  # a search that sees more gives up: nothing is found rather than something wrong

Facts = frozenset[Fact]
Walk = tuple[tuple[CompiledStep, Edge], ...]  # the steps that are left, and by which edge
Avoid = Callable[[CompiledStep, Edge], bool]
Learn = Callable[[CompiledStep, Edge, Facts], Facts | None]
State = tuple[str, Facts]  # at a step, with what is known there
Goal = Callable[[str, Facts], bool]

NOTHING: Facts = frozenset()


@dataclass(frozen=True, slots=True)
class View:
    """An agent with those of its flows that can be followed, and a memory of what is possible."""

    agent: Agent
    flows: Mapping[str, CompiledFlow]
    possible: Callable[[Facts], bool]

    def fits(self, known: Facts, more: Iterable[Fact]) -> bool:
        """Whether more facts can be so besides those that are known."""
        both = known.union(more)
        for guard, _ in more:
            # facts about other slots cannot be in the way, and would only be more to try
            related = frozenset(fact for fact in both if names_in(fact[0]) & names_in(guard))
            if not self.possible(related):
                return False
        return True


def shortest(
    flow: CompiledFlow,
    goal: Goal,
    *,
    learn: Learn,
    start: State | None = None,
) -> Walk | None:
    """The walk to the nearest goal, from the first step if not from elsewhere."""
    begin = start or (flow.steps[0].name, NOTHING)
    walks: dict[State, Walk] = {begin: ()}
    waiting = deque([begin])
    while waiting and len(walks) < MAX_STATES + len(flow.steps):
        at, facts = waiting.popleft()
        walk, step = walks[at, facts], flow[at]
        if goal(at, facts):
            return walk
        for edge in step.inner_edges:
            learnt = learn(step, edge, facts)
            if learnt is not None and (edge.to, learnt) not in walks:
                walks[edge.to, learnt] = (*walk, (step, edge))
                waiting.append((edge.to, learnt))
    return None


def leads_to(flow: CompiledFlow, name: str, *, start: str, avoid: Avoid) -> bool:
    """Whether some path leads from one step to another, whatever its guards say."""
    return shortest(flow, at(name), learn=blindly(avoid), start=(start, NOTHING)) is not None


def at(name: str) -> Goal:
    """To come to a step."""
    return lambda step, _facts: step == name


def round_trip(flow: CompiledFlow, step: CompiledStep, learn: Learn) -> Walk:
    """The shortest walk from a step back to it; nothing where there is none."""
    trips: list[Walk] = []
    for edge in step.inner_edges:
        facts = learn(step, edge, NOTHING)
        if facts is None:
            continue
        back = shortest(flow, at(step.name), learn=learn, start=(edge.to, facts))
        if back is not None:
            trips.append(((step, edge), *back))
    return min(trips, key=len, default=())


def reached(flow: CompiledFlow) -> dict[str, Walk]:
    """The steps that some path leads to, nearest first, with the shortest walk to each."""
    walks: dict[str, Walk] = {flow.steps[0].name: ()}
    waiting = deque(walks)
    while waiting:
        step = flow[waiting.popleft()]
        for edge in step.inner_edges:
            if edge.to not in walks:
                walks[edge.to] = (*walks[step.name], (step, edge))
                waiting.append(edge.to)
    return walks


# --- what is learnt on the way ----------------------------------------------------------------------------


def nowhere(_step: CompiledStep, _edge: Edge) -> bool:
    """Avoid nothing."""
    return False


def blindly(avoid: Avoid) -> Learn:
    """Every edge but those that are avoided, whatever its guards say."""
    return lambda step, edge, _facts: None if avoid(step, edge) else NOTHING


def sensibly(view: View, avoid: Avoid) -> Learn:
    """Only edges whose guards can hold after those passed before."""

    def learn(step: CompiledStep, edge: Edge, facts: Facts) -> Facts | None:
        if avoid(step, edge) or not view.fits(facts, edge.facts):
            return None
        changed = edge.fills | edge.empties | {OPEN}  # on the way, time passes
        # what was known of a slot is no longer so when it gets another value
        kept = {fact for fact in facts.union(edge.facts) if not names_in(fact[0]) & changed}
        return frozenset(kept.union(map(filled, surely_filled(view.agent, step, edge))))

    return learn


def filled(slot: str) -> Fact:
    """That a slot has a value."""
    return f"{slot} is not empty", True


def empty(slot: str) -> Fact:
    """That a slot has none."""
    return f"{slot} is empty", True


def surely_filled(agent: Agent, step: CompiledStep, edge: Edge) -> frozenset[str]:
    """The slots that have a value on an edge; an optional one that is asked for may be empty."""
    given = edge.fills & agent.slots.keys()
    if not isinstance(step.does, AskSlots):
        return given
    return frozenset(name for name in given if agent.slots[name].always_given)


# --- how a walk is shown ------------------------------------------------------------------------------------

_TOLD = frozenset({"skipped", "no", "fails", "told"})  # outcomes that a reader of a path must know


def shown(walk: Walk, *last: CompiledStep) -> tuple[str, ...]:
    """The steps of a walk, and those it ends with, as an author knows them."""
    steps: list[str] = []
    for step, edge in walk:
        note = f" ({edge.on})" if edge.on in _TOLD else ""
        steps.append(_label(step) + note)
    return (*steps, *map(_label, last))


def path_hint(advice: str, steps: tuple[str, ...]) -> str:
    """A hint that ends with the path that shows the problem."""
    return f"{advice}; path: {' → '.join(steps)}"


def _label(step: CompiledStep) -> str:
    return f"{step.kind} {step.written.title}".strip()
