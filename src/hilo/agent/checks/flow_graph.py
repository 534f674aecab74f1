"""A flow as places and the ways between them, as the dialogue takes them: for questions about all its paths."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from hilo.agent.declaration import Agent
from hilo.agent.source import Path
from hilo.agent.steps import Branch, Collect, Confirm, Do, End, Go, HandOver, Repeat, SetSlots, Step

TARGETS = ("handoff", "end", "change")  # places that every flow has

Fact = tuple[str, bool]  # a guard, and whether it holds
Note = Literal["", "skipped", "no", "fails", "again", "change"]


@dataclass(frozen=True, slots=True)
class Way:
    """A way out of a place: to another place of the flow, or out of it (`end`, `handoff`, another flow)."""

    to: int | str
    facts: tuple[Fact, ...] = ()
    note: Note = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A step where it stands in the file; a `repeat` stands behind its steps and decides about another round."""

    step: Step
    path: Path
    ways: tuple[Way, ...]


Graph = tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class _Here:
    place: int
    following: int | str
    first: int
    at: Mapping[str, int]


def targets(step: Step) -> tuple[str, ...]:
    """The names that a step may jump to."""
    match step:
        case Branch(branch=ways):
            return tuple(ways.values())
        case Do(fails=fails, told=told):
            return tuple(filter(None, (fails, told)))
        case Go(go=target) | Confirm(no=target) if target:
            return (target,)
    return ()


def flow_graph(agent: Agent, name: str) -> Graph:
    """The places of a flow in the order of the file, the steps of repeated blocks among them."""
    flat = tuple(_flat(agent.flows[name].steps, ("flows", name, "steps")))
    at = {step.name: place for place, (step, _, _) in enumerate(flat) if step.name}
    return tuple(
        Place(step, path, tuple(_ways(step, _Here(place, _following(place, len(flat)), place - length, at))))
        for place, (step, path, length) in enumerate(flat)
    )


def _following(place: int, count: int) -> int | str:
    return place + 1 if place + 1 < count else "end"


def _flat(steps: tuple[Step, ...], path: Path) -> Iterator[tuple[Step, Path, int]]:
    """Each step with its path in the file and, for a repeat, how many places stand in its block."""
    for index, step in enumerate(steps):
        here = (*path, index)
        inner = list(_flat(step.repeat, (*here, "repeat"))) if isinstance(step, Repeat) else []
        yield from inner
        yield step, here, len(inner)


def _ways(step: Step, here: _Here) -> Iterator[Way]:
    held = ((step.when, True),) if step.when else ()
    yield from (replace(way, facts=(*held, *way.facts)) for way in _taken(step, here))
    if step.when:
        yield Way(here.following, ((step.when, False),), "skipped")


def _taken(step: Step, here: _Here) -> Iterator[Way]:
    """The ways out of a step that is not skipped."""
    match step:
        case Branch():
            yield from _branches(step, here)
        case Go(go=target):
            yield _jump(target, here)
        case HandOver():
            yield Way("handoff")
        case End():
            yield Way("end")
        case Confirm(no=target) if target:
            yield from (Way(here.following), _jump(target, here, note="no"))
        case Do(fails=fails, told=told) if fails or told:
            yield Way(here.following)
            yield from (_jump(target, here, note="fails") for target in dict.fromkeys((fails, told)) if target)
        case Repeat(until=until):
            another = ((until, False),) if until else ()
            yield from (Way(here.following), Way(here.first, another, "again"))
        case _:
            yield Way(here.following)


def _branches(step: Branch, here: _Here) -> Iterator[Way]:
    before: tuple[Fact, ...] = ()
    for guard, target in step.branch.items():
        way = _jump(target, here)
        if guard == "else":
            yield replace(way, facts=before)
            return
        yield replace(way, facts=(*before, (guard, True)))
        before = (*before, (guard, False))
    yield Way(here.following, before)


def _jump(target: str, here: _Here, *, note: Note = "") -> Way:
    """As the dialogue looks it up: a step of the flow, a place that every flow has, another flow."""
    if target in here.at:
        return Way(here.at[target], (), note)
    return Way(here.place, (), "change") if target == "change" else Way(target, (), note)


def filled_by(step: Step) -> frozenset[str]:
    """The slots that a step gives a value when it is carried out."""
    match step:
        case Collect(collect=names):
            return frozenset(names)
        case SetSlots(set=values):
            return frozenset(values)
        case Do(into=into):
            return frozenset(into.values())
    return frozenset()


def emptied_by(step: Step) -> frozenset[str]:
    """The slots that another round of a repeat asks for anew."""
    if isinstance(step, Repeat):
        return frozenset().union(*(_collected(inner) for inner in step.repeat))
    return frozenset()


def _collected(step: Step) -> frozenset[str]:
    return frozenset(step.collect) if isinstance(step, Collect) else emptied_by(step)
