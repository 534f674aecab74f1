"""What is wrong with the paths through flows, each with the shortest path that shows it."""

from collections import deque
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from keyword import iskeyword

from hilo.agent.checks.finding import Finding
from hilo.agent.checks.flow_graph import TARGETS, Graph, Place, Way, flow_graph, targets
from hilo.agent.checks.flow_walks import (
    Facts,
    View,
    Walk,
    blindly,
    path_hint,
    reached,
    round_trip,
    sensibly,
    shortest,
    shown,
)
from hilo.agent.checks.guard_sense import possible
from hilo.agent.checks.path_slots import guard_findings, use_findings
from hilo.agent.declaration import Agent
from hilo.agent.guards import CONSTANTS, GuardError, names_in
from hilo.agent.source import Path
from hilo.agent.steps import Branch, Call, Collect, Confirm, Do, Repeat, SetSlots, Step, Wait


def path_findings(agent: Agent) -> Iterator[Finding]:
    """Problems of whole paths, of the flows that can be followed: all names in them are known."""
    graphs = {name: flow_graph(agent, name) for name in agent.flows}
    sound = {name: graph for name, graph in graphs.items() if graph and _is_sound(agent, graph)}

    @cache
    def remembered(facts: Facts) -> bool:
        return possible(agent, facts)

    view = View(agent, sound, remembered)
    for graph in sound.values():
        yield from _unreachable(graph)
        yield from guard_findings(view, graph)
    yield from _endless(view)
    yield from _without_yes(view)
    if len(sound) == len(graphs):  # a step that cannot be read may be the one that fills a slot
        yield from use_findings(view)


def _is_sound(agent: Agent, graph: Graph) -> bool:
    """Whether every name is known; the others are reported already."""
    named = [place.step.name for place in graph if place.step.name]
    known = {*named, *agent.flows, *TARGETS, *agent.modes}
    steps = [place.step for place in graph]
    return (
        len(named) == len(set(named))
        and all(target in known for step in steps for target in targets(step))
        and all(step.call in agent.flows for step in steps if isinstance(step, Call))
        and all(_is_readable(agent, guard) for step in steps for guard in _guards(step))
        and not any(iskeyword(name) or name in CONSTANTS or not name.isidentifier() for name in agent.slots)
    )


def _guards(step: Step) -> tuple[str, ...]:
    match step:
        case Branch(branch=ways):
            return (step.when, *(guard for guard in ways if guard != "else"))
        case Repeat(until=until):
            return (step.when, until)
    return (step.when,)


def _is_readable(agent: Agent, guard: str) -> bool:
    try:
        return not guard or names_in(guard) <= agent.slots.keys()
    except GuardError:
        return False


# --- steps that are never reached, flows that never end -------------------------------------------------


def _unreachable(graph: Graph) -> Iterator[Finding]:
    """The first step of each stretch that no path leads to."""
    walks = reached(graph)
    places = [place for place in range(len(graph)) if not isinstance(graph[place].step, Repeat)]
    for before, place in pairwise(places):
        if before in walks and place not in walks:
            hint = path_hint("the step before it never goes on", shown(walks[before], graph[before]))
            yield Finding(graph[place].path, "no path leads to this step", hint)


def _endless(view: View) -> Iterator[Finding]:
    """Flows that never end; where a circle asks nothing, it is the circle that is to be mended."""
    ending = _ending(view)
    for name, graph in view.graphs.items():
        circles = list(_circles(view, graph))
        yield from circles
        if name not in ending and not circles:
            walk, last = _lasso(graph)
            hint = path_hint("a way to `end` is missing", shown(walk, *last))
            yield Finding(walk[-1][0].path, f"the flow `{name}` can never end", hint)


def _ending(view: View) -> set[str]:
    """The flows that some path leads out of; those that cannot be followed are not blamed."""
    ways = {
        name: {way.to for place in reached(graph) for way in graph[place].ways} for name, graph in view.graphs.items()
    }
    ending = {*(view.agent.flows.keys() - ways.keys()), "end", "handoff", *view.agent.modes}
    while more := {name for name, leads in ways.items() if leads & ending} - ending:
        ending |= more
    return ending


def _lasso(graph: Graph) -> tuple[Walk, tuple[Place, ...]]:
    """The shortest walk that comes back to one of its own steps, which is shown again, or leads to another flow."""
    found: list[tuple[Walk, tuple[Place, ...]]] = []
    for place, walk in reached(graph).items():
        found += [((*walk, (graph[place], way)), ()) for way in graph[place].ways if isinstance(way.to, str)]
        around = round_trip(graph, place, blindly(lambda *_: False))
        found += [((*walk, *around), (graph[place],))] if around else []
    return min(found, key=lambda each: len(each[0]))


# --- circles that ask nothing -----------------------------------------------------------------------------


def _circles(view: View, graph: Graph) -> Iterator[Finding]:
    seen: set[Path] = set()
    for place, walk in reached(graph).items():
        plain = () if graph[place].path in seen else round_trip(graph, place, blindly(_ends_turn))
        around = plain and round_trip(graph, place, sensibly(view, _ends_turn))
        if around and not _seen_by_guards(around) & _set_on(around):
            seen |= {each.path for each, _ in around}
            hint = path_hint("ask or end on the way", (*shown(walk), *shown(around, graph[place])))
            yield Finding(around[-1][0].path, "this circle asks nothing and runs for ever", hint)


def _ends_turn(place: Place, way: Way) -> bool:
    """Whether a turn may end here: something is asked, awaited or called; a repeat counts its rounds."""
    return isinstance(place.step, Collect | Confirm | Wait | Do | Call) or way.note in {"again", "change"}


def _seen_by_guards(walk: Walk) -> set[str]:
    return {name for _, way in walk for guard, _ in way.facts for name in names_in(guard)}


def _set_on(walk: Walk) -> set[str]:
    """What changes on a walk, so that a guard may see something else the next time."""
    return {name for place, _ in walk if isinstance(place.step, SetSlots) for name in place.step.set}


# --- tools that need a yes --------------------------------------------------------------------------------


def _without_yes(view: View) -> Iterator[Finding]:
    """Tools that need a yes, in flows that begin without one; a call or a jump begins like its caller."""
    agent = view.agent
    before: dict[str, tuple[str, ...]] = {name: () for name in agent.flows if agent.begins_untold(name, granted=False)}
    waiting = deque(before)
    while waiting:
        name = waiting.popleft()
        graph = view.graphs.get(name, ())
        for place, way, flow in _leads(agent, graph):
            steps = () if flow in before else _steps_without_yes(view, graph, place, way=way)
            if steps:
                before[flow] = (*before[name], *steps)
                waiting.append(flow)
        yield from _tools_without_yes(view, graph, before[name])


def _tools_without_yes(view: View, graph: Graph, before: tuple[str, ...]) -> Iterator[Finding]:
    for place, each in enumerate(graph):
        spec = view.agent.toolbox.get(each.step.do) if isinstance(each.step, Do) else None
        steps = _steps_without_yes(view, graph, place, way=each.ways[0]) if spec and spec.needs_yes else ()
        if spec and steps:
            hint = path_hint("put a `confirm` before it", (*before, *steps))
            yield Finding((*each.path, "do"), f"{spec.name} needs a yes, and can be reached without one", hint)


def _leads(agent: Agent, graph: Graph) -> Iterator[tuple[int, Way, str]]:
    """Where another flow is called or jumped to."""
    for place, each in enumerate(graph):
        if isinstance(each.step, Call):
            yield place, each.ways[0], each.step.call
        jumps = [(way, way.to) for way in each.ways if isinstance(way.to, str)]
        yield from ((place, way, to) for way, to in jumps if to in agent.flows)


def _steps_without_yes(view: View, graph: Graph, place: int, *, way: Way) -> tuple[str, ...]:
    """The shortest path to a place and its way that passes no yes; nothing where each passes one."""

    def says_yes(at: Place, taken: Way) -> bool:
        return isinstance(at.step, Confirm) and not taken.note

    def is_there(at: int, facts: Facts) -> bool:
        return at == place and view.fits(facts, way.facts)

    if shortest(graph, lambda at, _: at == place, learn=blindly(says_yes)) is None:
        return ()
    walk = shortest(graph, is_there, learn=sensibly(view, says_yes))
    return () if walk is None else shown((*walk, (graph[place], way)))
