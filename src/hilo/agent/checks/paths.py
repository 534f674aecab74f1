"""What is wrong with the paths through flows, each with the shortest path that shows it."""

from collections import deque
from collections.abc import Iterator
from functools import cache
from itertools import chain, pairwise
from keyword import iskeyword

from hilo.agent.beginnings import begun_without_yes
from hilo.agent.checks.guard_sense import possible
from hilo.agent.checks.path_slots import guard_findings, use_findings
from hilo.agent.checks.place import Finding
from hilo.agent.checks.walks import (
    Facts,
    View,
    Walk,
    at,
    blindly,
    nowhere,
    path_hint,
    reached,
    round_trip,
    sensibly,
    shortest,
    shown,
)
from hilo.agent.declaration import Agent
from hilo.agent.flow import CompiledFlow, CompiledStep, Edge
from hilo.agent.guards import CONSTANTS, GuardError, names_in
from hilo.agent.instructions import AskConfirmation, AskSlots, CountRound, PushFlow, SetValues, UseTool, WaitUntil
from hilo.agent.source import Path

# Something is asked, awaited or called.
_ENDS_TURN = (AskSlots, AskConfirmation, WaitUntil, UseTool, PushFlow)


def path_findings(agent: Agent) -> Iterator[Finding]:
    """Problems of whole paths, of the flows that can be followed: all names in them are known."""

    # walks ask for the same facts over and over, and trying values takes long
    @cache
    def remembered(facts: Facts) -> bool:
        return possible(agent, facts)

    # guards with a name that Python reads as something else would be about other things
    sound: dict[str, CompiledFlow] = {}
    if all(map(_is_readable_name, agent.slots)):
        sound = {name: flow for name, flow in agent.compiled.items() if _is_sound(agent, flow)}
    view = View(agent, sound, remembered)
    for flow in sound.values():
        yield from _unreachable(flow)
        yield from guard_findings(view, flow)
    yield from _endless(view)
    yield from _without_yes(view)
    # A step that cannot be read may be the one that fills a slot.
    if len(sound) == len(agent.flows):
        yield from use_findings(view)


def _is_readable_name(slot: str) -> bool:
    return slot.isidentifier() and not iskeyword(slot) and slot not in CONSTANTS


def _is_sound(agent: Agent, flow: CompiledFlow) -> bool:
    """Whether every name is known and stands for one step; the others are reported already."""
    if not flow.steps or len(flow.places) < len(flow.steps):
        return False  # two steps have one name
    if flow.leads_nowhere or not flow.calls - {""} <= agent.flows.keys():
        return False
    try:
        return all(_known_names(agent, step) for step in flow.steps)
    except GuardError:
        return False


def _known_names(agent: Agent, step: CompiledStep) -> bool:
    return agent.slots.keys() >= frozenset().union(*map(names_in, step.guards))


# --- steps that are never reached, flows that never end -------------------------------------------------


def _unreachable(flow: CompiledFlow) -> Iterator[Finding]:
    """The first step of each stretch that no path leads to; a block is reached when its steps are."""
    walks = reached(flow)
    steps = [step for step in flow.steps if not isinstance(step.does, CountRound)]
    for before, step in pairwise(steps):
        if before.name in walks and step.name not in walks:
            hint = path_hint("the step before it never goes on", shown(walks[before.name], before))
            yield Finding(step.path, "no path leads to this step", hint)


def _endless(view: View) -> Iterator[Finding]:
    """Flows that never end; where a circle asks nothing, fix the circle first."""
    ending = _ending(view)
    for name, flow in view.flows.items():
        circles = list(_circles(view, flow))
        yield from circles
        if name not in ending and not circles:
            walk, last = _lasso(flow)
            hint = path_hint("a way to `end` is missing", shown(walk, *last))
            yield Finding(walk[-1][0].path, f"the flow `{name}` can never end", hint)


def _ending(view: View) -> set[str]:
    """The flows that some path leads out of; those that cannot be followed are not blamed."""
    ending = view.agent.flows.keys() - view.flows.keys()
    onward: dict[str, set[str]] = {}
    for name, flow in view.flows.items():
        edges = list(chain.from_iterable(flow[step].edges for step in reached(flow)))
        leads = {edge.leads for edge in edges}
        if not leads.isdisjoint({"end", "handoff", "mode"}):
            ending.add(name)
        onward[name] = {edge.to for edge in edges if edge.leads == "flow"}
    # a flow ends if one that it goes on in does, and so on backwards
    while more := {name for name, flows in onward.items() if flows & ending} - ending:
        ending |= more
    return ending


def _lasso(flow: CompiledFlow) -> tuple[Walk, tuple[CompiledStep, ...]]:
    """The shortest walk that comes back to one of its own steps, which is shown again, or leads to another flow."""
    found: list[tuple[Walk, tuple[CompiledStep, ...]]] = []
    # A change leads back to where it was asked about.
    changing: list[tuple[Walk, tuple[CompiledStep, ...]]] = []
    for name, walk in reached(flow).items():
        step = flow[name]
        for edge in step.edges:
            if edge.leads == "flow":
                found.append(((*walk, (step, edge)), ()))
            elif edge.leads == "change":
                changing.append(((*walk, (step, edge)), (step,)))
        around = round_trip(flow, step, blindly(nowhere))
        if around:
            found.append(((*walk, *around), (step,)))
    return min(found or changing, key=lambda each: len(each[0]))


# --- circles that ask nothing -----------------------------------------------------------------------------


def _circles(view: View, flow: CompiledFlow) -> Iterator[Finding]:
    told: set[Path] = set()
    for name, walk in reached(flow).items():
        step = flow[name]
        # the blind search is cheap, and finds nothing in most flows
        if step.path in told or not round_trip(flow, step, blindly(_ends_turn)):
            continue
        around = round_trip(flow, step, sensibly(view, _ends_turn))
        if around and not _may_change(around):
            told.update(each.path for each, _ in around)
            hint = path_hint("ask or end on the way", (*shown(walk), *shown(around, step)))
            yield Finding(around[-1][0].path, "this circle asks nothing and runs for ever", hint)


def _ends_turn(step: CompiledStep, edge: Edge) -> bool:
    """Whether a turn may end here; rounds are counted."""
    return isinstance(step.does, _ENDS_TURN) or edge.on == "again"


def _may_change(walk: Walk) -> bool:
    """Whether a step sets what a guard looks at, which may lead elsewhere the next time."""
    seen: set[str] = set()
    changed: set[str] = set()
    for step, edge in walk:
        for guard, _ in edge.facts:
            seen |= names_in(guard)
        if isinstance(step.does, SetValues):
            changed |= step.does.values.keys()
    return not seen.isdisjoint(changed)


# --- tools that need a yes --------------------------------------------------------------------------------


def _without_yes(view: View) -> Iterator[Finding]:
    """Tools that need a yes, in flows that begin without one; a call or a jump begins like its caller."""
    without_yes = begun_without_yes(view.agent)
    begun = [name for name in view.agent.flows if name in without_yes]
    before: dict[str, tuple[str, ...]] = dict.fromkeys(begun, ())  # the shortest path without a yes
    waiting = deque(begun)
    while waiting:
        name = waiting.popleft()
        if name not in view.flows:
            continue
        flow = view.flows[name]
        for step, edge, other in _others(flow):
            if other in before:
                continue
            steps = _steps_without_yes(view, flow, step, edge=edge)
            if steps:
                before[other] = (*before[name], *steps)
                waiting.append(other)
        yield from _tools_without_yes(view, flow, before[name])


def _others(flow: CompiledFlow) -> Iterator[tuple[CompiledStep, Edge, str]]:
    """Where another flow is called or jumped to."""
    for step in flow.steps:
        if isinstance(step.does, PushFlow):
            yield step, step.edges[0], step.does.flow
        for edge in step.edges:
            if edge.leads == "flow":
                yield step, edge, edge.to


def _tools_without_yes(
    view: View,
    flow: CompiledFlow,
    before: tuple[str, ...],
) -> Iterator[Finding]:
    needy = {name for name, spec in view.agent.toolbox.items() if spec.needs_yes}
    for step, call in flow.doing(UseTool):
        if call.tool not in needy:
            continue
        steps = _steps_without_yes(view, flow, step, edge=step.edges[0])
        if steps:
            problem = f"{call.tool} needs a yes, and can be reached without one"
            hint = path_hint("put a `confirm` before it", (*before, *steps))
            yield Finding((*step.path, step.kind), problem, hint)


def _steps_without_yes(
    view: View,
    flow: CompiledFlow,
    step: CompiledStep,
    *,
    edge: Edge,
) -> tuple[str, ...]:
    """The shortest path to a step and its edge that passes no yes; nothing where each passes one."""

    def says_yes(_step: CompiledStep, taken: Edge) -> bool:
        return taken.on == "yes"

    def is_there(name: str, facts: Facts) -> bool:
        return name == step.name and view.fits(facts, edge.facts)

    # what guards say takes long to find out, so it is asked only where a path could be
    if shortest(flow, at(step.name), learn=blindly(says_yes)) is None:
        return ()
    walk = shortest(flow, is_there, learn=sensibly(view, says_yes))
    return () if walk is None else shown((*walk, (step, edge)))
