"""The modes that a session may be in along a flow: steps that can never enter theirs, tools that never may run."""

from collections.abc import Iterator, Mapping

from hilo.agent.checks.finding import Finding
from hilo.agent.checks.flow_graph import TARGETS, Graph, Place, Way, flow_graph, targets
from hilo.agent.declaration import Agent
from hilo.agent.mode_ways import Modes, called_in, drifted, ways
from hilo.agent.steps import Call, Collect, Confirm, Do, Repeat, Step, Wait


def mode_path_findings(agent: Agent) -> Iterator[Finding]:
    """What no session can do, whichever mode the flow begins in; all ways between modes are known."""
    for name in agent.flows if agent.modes else ():
        graph = flow_graph(agent, name)
        if _is_sound(agent, graph):
            for place, modes in sorted(_modes_at(agent, graph).items()):
                yield from _impossible(agent, graph[place], modes)


def _is_sound(agent: Agent, graph: Graph) -> bool:
    """Whether every name is known; the others are reported already."""
    known = {*agent.flows, *agent.modes, *TARGETS, *(place.step.name for place in graph)}
    return all(
        set(targets(place.step)) <= known and (not place.step.mode or place.step.mode in agent.modes) for place in graph
    )


def _impossible(agent: Agent, place: Place, modes: Modes) -> Iterator[Finding]:
    step, shown = place.step, ", ".join(sorted(modes))
    inside = _entered(agent, step, modes)
    if step.mode and not inside and not isinstance(step, Repeat):
        message = f"`{step.mode}` can never be entered here"
        yield Finding((*place.path, "mode"), message, f"the session is in {shown}, which does not lead there")
    elif isinstance(step, Do) and step.do in agent.toolbox and not called_in(agent, step.do, inside):
        here = step.mode or shown
        yield Finding((*place.path, "do"), f"{step.do} is not allowed in {here}", f"name it in the `tools` of {here}")


def _modes_at(agent: Agent, graph: Graph) -> Mapping[int, Modes]:
    """The modes that a session may be in when it comes to a place; a flow may begin in any but the operator's."""
    anywhere = frozenset(agent.modes) - {agent.operator_mode}
    found: dict[int, Modes] = {0: anywhere} if graph else {}
    waiting = list(found)
    while waiting:
        place = waiting.pop()
        for way in graph[place].ways:
            modes = _left_with(agent, graph[place], way, found[place])
            if isinstance(way.to, int) and not modes <= found.get(way.to, frozenset()):
                found[way.to] = found.get(way.to, frozenset()) | modes
                waiting.append(way.to)
    return found


def _left_with(agent: Agent, place: Place, way: Way, modes: Modes) -> Modes:
    """The modes after a step. While we wait for a contact, tools, timers and other flows may lead to others."""
    step = place.step
    if way.note == "skipped" or not modes:
        return modes
    inside = _entered(agent, step, modes)
    match step:
        case Call():
            return frozenset(agent.modes) - {agent.operator_mode}
        case Collect():
            return modes | drifted(agent, inside)
        case Confirm() | Wait():
            return drifted(agent, inside)
        case Do(do=tool) if way.note != "fails":
            called = called_in(agent, tool, inside)
            moved = {agent.modes[mode].after.get(tool, mode) for mode in called}
            return frozenset(moved) | called | inside  # a mode whose needs are not met is not entered
    return inside


def _entered(agent: Agent, step: Step, modes: Modes) -> Modes:
    """The modes in which a step is carried out."""
    if not step.mode or isinstance(step, Repeat):
        return modes
    leading = {mode for mode in modes if mode == step.mode or step.mode in ways(agent, mode)}
    return frozenset({step.mode}) if leading else frozenset()
