"""What flows take for granted of slots: guards that say nothing, slots that are used before they can be filled."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hilo.agent.checks.finding import Finding
from hilo.agent.checks.flow_graph import Fact, Graph, Place, Way, emptied_by, filled_by
from hilo.agent.checks.flow_walks import (
    View,
    Walk,
    blindly,
    empty,
    filled,
    filled_on,
    path_hint,
    reached,
    sensibly,
    shortest,
    shown,
)
from hilo.agent.checks.guard_sense import tests_emptiness
from hilo.agent.declaration import Agent, Slot, Template
from hilo.agent.guards import names_in
from hilo.agent.source import Path
from hilo.agent.steps import Branch, Confirm, Do, Repeat, Say
from hilo.agent.texts import BUILT_IN, PLACEHOLDER, is_name, phrases, placeholders


@dataclass(frozen=True, slots=True)
class _Guard:
    """A guard where it stands in the file, and what is known when it is asked."""

    text: str
    path: Path
    before: tuple[Fact, ...] = ()
    at_key: bool = False


def _guards(place: Place) -> Iterator[_Guard]:
    step, path = place.step, place.path
    held = ((step.when, True),) if step.when else ()
    if step.when:
        yield _Guard(step.when, (*path, "when"))
    if isinstance(step, Repeat) and step.until:
        yield _Guard(step.until, (*path, "until"), held)
    for guard in step.branch if isinstance(step, Branch) else ():
        if guard == "else":
            return
        yield _Guard(guard, (*path, "branch", guard), held, at_key=True)
        held = (*held, (guard, False))


# --- guards that say nothing ------------------------------------------------------------------------------


def guard_findings(view: View, graph: Graph) -> Iterator[Finding]:
    """Guards that can never hold, or that always do."""
    for place, walk in reached(graph).items():
        for guard in _guards(graph[place]):
            found = _senseless(view, graph, place, guard=guard) if names_in(guard.text) else None
            if found:
                hint = path_hint(found.hint, shown(walk, graph[place]))
                yield replace(found, path=guard.path, hint=hint, at_key=guard.at_key)


def _senseless(view: View, graph: Graph, place: int, *, guard: _Guard) -> Finding | None:
    if not view.possible(frozenset({(guard.text, True)})):
        return Finding((), f"`{guard.text}` can never hold", _kinds(view.agent, guard.text))
    if not view.fits(frozenset(guard.before), ((guard.text, True),)):
        return Finding((), f"`{guard.text}` can never hold here", "a guard before it takes all that it could")
    known = {filled(name) for name in _surely_filled(view, graph, place, guard=guard.text)}
    if not view.possible(frozenset({(guard.text, False), *known})):
        return Finding((), f"`{guard.text}` always holds", _kinds(view.agent, guard.text))
    return None


def _surely_filled(view: View, graph: Graph, place: int, *, guard: str) -> set[str]:
    """The slots of a guard that have a value on every path; one whose emptiness it asks for is left open."""
    names = {name for name in names_in(guard) if not tests_emptiness(guard, name)}
    return {name for name in names if not _may_be_empty(view, graph, place, slot=name)}


def _may_be_empty(view: View, graph: Graph, place: int, *, slot: str) -> bool:
    """Whether a path from the start, or from a new round of a repeat, leads here and does not fill the slot."""
    rounds = [way.to for each in graph for way in each.ways if way.note == "again" and slot in emptied_by(each.step)]
    learn = blindly(lambda at, way: slot in filled_on(view.agent, at, way))
    starts = [0, *(to for to in rounds if isinstance(to, int))]
    walks = (shortest(graph, lambda at, _: at == place, learn=learn, start=(start, frozenset())) for start in starts)
    return any(walk is not None for walk in walks)


def _kinds(agent: Agent, guard: str) -> str:
    return ", ".join(f"`{name}` is {_kind(agent.slots[name])}" for name in sorted(names_in(guard)))


def _kind(slot: Slot) -> str:
    match slot.kind.sort:
        case "choice":
            return f"one of {', '.join(slot.choices)}"
        case "boolean":
            return "true or false"
        case "number":
            least = f" from {slot.min}" if slot.min is not None else ""
            most = f" up to {slot.max}" if slot.max is not None else ""
            return f"a number{least}{most}"
        case "text":
            return "a text"


# --- slots that are used before they can be filled ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Use:
    """Where a slot is needed. A text or a call needs it on every path, a guard only on some."""

    slot: str
    place: int
    path: Path
    way: Way
    in_guard: bool = False


def use_findings(view: View) -> Iterator[Finding]:
    """Slots that nothing fills, and slots that the opening flow uses too early. An author's node may fill any slot."""
    if view.agent.nodes:
        return
    fillers = _fillers(view)
    for name, graph in view.graphs.items():
        told: set[str] = set()
        for use in (use for place in reached(graph) for use in _uses(view, graph, place)):
            found = None if use.slot in told else _too_early(view, name, use, fillers=fillers.get(use.slot, set()))
            if found:
                told.add(use.slot)
                yield found


def _fillers(view: View) -> dict[str, set[str]]:
    """The flows that fill each slot; tools fill those to be found, and examples with a slot in them fill it too."""
    fillers: dict[str, set[str]] = {name: {""} for name, slot in view.agent.slots.items() if slot.found}
    for name, graph in view.graphs.items():
        for slot in (slot for place in graph for slot in filled_by(place.step)):
            fillers.setdefault(slot, set()).add(name)
    said = [*(flow.starts for flow in view.agent.flows.values()), *(i.examples for i in view.agent.intents.values())]
    for slot in (slot for examples in said for text in examples for slot in PLACEHOLDER.findall(text)):
        fillers.setdefault(slot, set()).add("")
    return fillers


def _too_early(view: View, flow: str, use: _Use, *, fillers: set[str]) -> Finding | None:
    graph = view.graphs[flow]
    if not fillers:
        steps = shown(reached(graph)[use.place], graph[use.place])
        return Finding(use.path, f"no step fills `{use.slot}`", path_hint("collect or set it before", steps))
    if not view.agent.flows[flow].starts_by_itself or fillers != {flow}:
        return None  # another flow may have filled it
    walk = _walk_in_vain(view, graph, use)
    if walk is None:
        return None
    hint = path_hint("collect or set it before", shown(walk, graph[use.place]))
    return Finding(use.path, f"`{use.slot}` is used before it is collected", hint)


def _walk_in_vain(view: View, graph: Graph, use: _Use) -> Walk | None:
    """A path to a use that leaves the slot empty; to a guard, only where no path at all fills it before."""

    def fills(place: Place, way: Way) -> bool:
        return not way.note and use.slot in filled_by(place.step)

    if shortest(graph, lambda at, _: at == use.place, learn=blindly(fills)) is None:
        return None
    if use.in_guard and _is_filled_before(graph, use):
        return None
    vain = (*use.way.facts, empty(use.slot)) if not use.in_guard else ()
    return shortest(
        graph,
        lambda at, facts: at == use.place and view.fits(facts, vain),
        learn=sensibly(view, fills),
    )


def _is_filled_before(graph: Graph, use: _Use) -> bool:
    filling = [place for place, each in enumerate(graph) if use.slot in filled_by(each.step)]
    learn = blindly(lambda *_: False)
    return any(
        shortest(graph, lambda at, _: at == use.place, learn=learn, start=(place, frozenset())) is not None
        for place in filling
    )


def _uses(view: View, graph: Graph, place: int) -> Iterator[_Use]:
    step, path, way = graph[place].step, graph[place].path, graph[place].ways[0]
    slots = view.agent.slots
    for guard in _guards(graph[place]):
        needed = (name for name in sorted(names_in(guard.text)) if slots[name].required)
        yield from (_Use(name, place, path, way, in_guard=True) for name in needed if _needs(view, guard.text, name))
    match step:
        case Say(say=text) | Confirm(confirm=text):
            names = sorted(_named(view.agent, text) & slots.keys())
            yield from (_Use(name, place, path, way) for name in names if slots[name].required)
        case Do():
            yield from (_Use(name, place, path, way) for name in _arguments(view.agent, step))


def _needs(view: View, guard: str, slot: str) -> bool:
    """Whether a guard takes for granted that a slot is filled."""
    return not tests_emptiness(guard, slot) and not view.possible(frozenset({(guard, True), empty(slot)}))


def _named(agent: Agent, text: str) -> set[str]:
    """The slots that a text, or the template of that name, speaks of."""
    known = agent.templates.get(text) or phrases(agent.language).get(text) if is_name(text) else Template(text=text)
    return placeholders(known) - BUILT_IN if known else set()


def _arguments(agent: Agent, step: Do) -> list[str]:
    """The slots that a tool cannot do without."""
    spec = agent.toolbox.get(step.do)
    required = [name for name, needed in spec.parameters.items() if needed] if spec else []
    said = [step.arguments.get(name, name) for name in required]
    return [slot for slot in said if isinstance(slot, str) and slot in agent.slots]
