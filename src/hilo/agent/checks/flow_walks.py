"""Walks through a flow: the shortest one that leads somewhere, with what is known of the slots on the way."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from hilo.agent.checks.flow_graph import Fact, Graph, Place, Way, emptied_by, filled_by
from hilo.agent.declaration import Agent
from hilo.agent.guards import names_in
from hilo.agent.steps import Call, Collect, Do, Go, SetSlots, Step, Wait
from hilo.agent.texts import kind_of

MAX_STATES = 2000  # a search that sees more gives up: nothing is found rather than something wrong

Facts = frozenset[Fact]
Walk = tuple[tuple[Place, Way], ...]  # the places that are left, and by which way
Avoid = Callable[[Place, Way], bool]
Learn = Callable[[Place, Way, Facts], Facts | None]
State = tuple[int, Facts]
Goal = Callable[[int, Facts], bool]


@dataclass(frozen=True, slots=True)
class View:
    """An agent with the graphs of those of its flows that can be followed, and a memory of what is possible."""

    agent: Agent
    graphs: Mapping[str, Graph]
    possible: Callable[[Facts], bool]

    def fits(self, known: Facts, more: Iterable[Fact]) -> bool:
        """Whether more facts can be so besides those that are known."""
        both = known.union(more)
        return all(
            self.possible(frozenset(each for each in both if names_in(each[0]) & names_in(fact[0]))) for fact in more
        )


def shortest(graph: Graph, goal: Goal, *, learn: Learn, start: State = (0, frozenset())) -> Walk | None:
    """The walk to the nearest goal."""
    came: dict[State, tuple[State, Way] | None] = {start: None}
    waiting = deque([start])
    while waiting and len(came) < MAX_STATES + len(graph):
        state = waiting.popleft()
        if goal(*state):
            return _unwound(graph, came, state)
        for way in graph[state[0]].ways:
            facts = learn(graph[state[0]], way, state[1])
            if facts is not None and isinstance(way.to, int) and (way.to, facts) not in came:
                came[way.to, facts] = (state, way)
                waiting.append((way.to, facts))
    return None


def _unwound(graph: Graph, came: Mapping[State, tuple[State, Way] | None], state: State) -> Walk:
    walk: list[tuple[Place, Way]] = []
    while (before := came[state]) is not None:
        state, way = before
        walk.append((graph[state[0]], way))
    return tuple(reversed(walk))


def round_trip(graph: Graph, place: int, learn: Learn) -> Walk:
    """The shortest walk from a place back to it; nothing where there is none."""
    trips: list[Walk] = []
    for way in graph[place].ways:
        facts = learn(graph[place], way, frozenset())
        if facts is not None and isinstance(way.to, int):
            back = shortest(graph, lambda at, _: at == place, learn=learn, start=(way.to, facts))
            trips += [] if back is None else [((graph[place], way), *back)]
    return min(trips, key=len, default=())


def reached(graph: Graph) -> dict[int, Walk]:
    """The places that some path leads to, nearest first, with the shortest walk to each."""
    walks: dict[int, Walk] = {0: ()} if graph else {}
    waiting = deque(walks)
    while waiting:
        place = waiting.popleft()
        for way in graph[place].ways:
            if isinstance(way.to, int) and way.to not in walks:
                walks[way.to] = (*walks[place], (graph[place], way))
                waiting.append(way.to)
    return walks


# --- what is learnt on the way ----------------------------------------------------------------------------


def blindly(avoid: Avoid) -> Learn:
    """Every way but those that are avoided, whatever its guards say."""
    return lambda place, way, _facts: None if avoid(place, way) else frozenset()


def sensibly(view: View, avoid: Avoid) -> Learn:
    """Only ways whose guards can hold after those passed before."""

    def learn(place: Place, way: Way, facts: Facts) -> Facts | None:
        if avoid(place, way) or not view.fits(facts, way.facts):
            return None
        given = filled_on(view.agent, place, way)
        changed = frozenset() if way.note else filled_by(place.step)
        changed |= emptied_by(place.step) if way.note == "again" else frozenset()
        kept = {fact for fact in facts.union(way.facts) if not names_in(fact[0]) & changed}
        return frozenset(kept | {filled(name) for name in given})

    return learn


def filled(slot: str) -> Fact:
    """That a slot has a value."""
    return f"{slot} is not empty", True


def empty(slot: str) -> Fact:
    """That a slot has none."""
    return f"{slot} is empty", True


def filled_on(agent: Agent, place: Place, way: Way) -> frozenset[str]:
    """The slots that surely have a value after this way; an optional one that is asked for may be left empty."""
    given = frozenset() if way.note else filled_by(place.step) & agent.slots.keys()
    if isinstance(place.step, Collect):
        return frozenset(name for name in given if agent.slots[name].required)
    return given


# --- how a walk is shown ------------------------------------------------------------------------------------


def shown(walk: Walk, *last: Place) -> tuple[str, ...]:
    """The steps of a walk, and the places it ends with, as an author knows them."""
    return (*(_left(place, way) for place, way in walk), *(_label(place.step) for place in last))


def path_hint(advice: str, steps: tuple[str, ...]) -> str:
    """A hint that ends with the path that shows the problem."""
    path = f"path: {' → '.join(steps)}"
    return f"{advice}; {path}" if advice else path


def _left(place: Place, way: Way) -> str:
    note = f" ({way.note})" if way.note in {"skipped", "no", "fails"} else ""
    return _label(place.step) + note


def _label(step: Step) -> str:
    what = step.name
    match step:
        case Collect(collect=names):
            what = ", ".join(names)
        case SetSlots(set=values):
            what = ", ".join(values)
        case Do(do=what) | Call(call=what) | Go(go=what) | Wait(wait=what):
            pass
    return f"{kind_of(step)} {what}".strip()
