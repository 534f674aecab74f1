"""The ways between modes: what each leads to, where a tool is called, and in which modes steps may find a session.

A flow is followed from where it may begin. While it waits for somebody, the session may drift to any mode that the
one it is in leads to. What a person does who has the session is not counted: they may give it back in any mode.
"""

from collections.abc import Iterator, Mapping
from itertools import product

from hilo.agent.declaration import Agent
from hilo.agent.flow import CompiledFlow, CompiledStep, Edge
from hilo.agent.instructions import AskConfirmation, AskSlots, PushFlow, UseTool, WaitUntil

Modes = frozenset[str]
Place = tuple[str, str]  # a flow and one of its steps

# a session may rest here, and whatever happens meanwhile may change its mode
_WAITS = (AskSlots, AskConfirmation, WaitUntil, PushFlow)


def ways(agent: Agent, name: str) -> Modes:
    """The modes that a mode leads to, by whatever."""
    return agent.modes[name].ways if name in agent.modes else frozenset()


def drifted(agent: Agent, modes: Modes) -> Modes:
    """With all that they lead to."""
    if not agent.modes:
        return modes  # the empty name stands for the one state that there is
    found, waiting = set(modes), list(modes)
    while waiting:
        more = ways(agent, waiting.pop()) - found
        found |= more
        waiting += more
    return frozenset(found) - {agent.operator_mode}


def allows(agent: Agent, mode: str, tool: str) -> bool:
    """Whether a tool may be called in a mode; where there are no modes, anywhere."""
    return tool in agent.tools_in(mode) or not agent.modes


def called_in(agent: Agent, tool: str, modes: Modes) -> Modes:
    """The modes in which a tool is called from these: some lead to another one first."""
    called: set[str] = set()
    for mode in modes:
        there = mode if allows(agent, mode, tool) else agent.mode_for(mode, tool)
        if allows(agent, there, tool):
            called.add(there)
    return frozenset(called)


def talking(agent: Agent) -> Modes:
    """The modes in which the agent itself answers."""
    if not agent.modes:
        return frozenset({""})  # the one state that there is
    return frozenset(agent.modes) - {agent.operator_mode}


# --- along flows ----------------------------------------------------------------------------------------


def entered(agent: Agent, step: CompiledStep, modes: Modes) -> Modes:
    """The modes in which a step is carried out: its own, if one of these leads there."""
    if not step.mode:
        return modes
    around = modes.union(*(ways(agent, mode) for mode in modes))
    return around & {step.mode}


def _left_in(agent: Agent, step: CompiledStep, edge: Edge, modes: Modes) -> Modes:
    """The modes after a step that was left by an edge."""
    if edge.on == "skipped":
        return modes  # its mode is entered only when it is carried out
    inside = entered(agent, step, modes)
    match step.does:
        case AskSlots():  # it may have had nothing to ask, and then does not enter its mode
            return modes | drifted(agent, inside)
        # Which is entered once more with the yes.
        case AskConfirmation() if edge.on == "yes" and step.mode:
            return inside
        case AskConfirmation() | WaitUntil() | PushFlow():
            return drifted(agent, inside)
        case UseTool(tool=tool):
            called = called_in(agent, tool, inside)
            if edge.on != "done":
                # It may fail before or after it moved on to the mode it needs.
                return called | inside
            declared = [agent.modes[mode] for mode in called if mode in agent.modes]
            moved = frozenset(mode.after[tool] for mode in declared if tool in mode.after)
            # What begins with the new mode goes first, and may move on.
            return called | drifted(agent, moved)
    return inside


def modes_along(agent: Agent, starts: Mapping[str, Modes]) -> Mapping[Place, Modes]:
    """Every step that a session can come to from flows that begin in these modes, with the modes it is in then."""
    found: dict[Place, Modes] = {}
    waiting = [(place, modes) for flow, modes in starts.items() for place in _first(agent, flow)]
    while waiting:
        place, modes = waiting.pop()
        known = found.get(place, frozenset())
        if not modes <= known:  # modes are only added, so this comes to an end
            found[place] = known | modes
            waiting += _onward(agent, place, found[place])
    return found


def _first(agent: Agent, flow: str) -> list[Place]:
    compiled = agent.compiled.get(flow)
    return [(flow, compiled.steps[0].name)] if compiled and compiled.steps else []


def _onward(agent: Agent, place: Place, modes: Modes) -> Iterator[tuple[Place, Modes]]:
    """Where a session may come to from a step, and in which modes."""
    flow = agent.compiled[place[0]]
    step = flow[place[1]]
    inside = entered(agent, step, modes)
    if isinstance(step.does, PushFlow):
        yield from product(_first(agent, step.does.flow), [inside])
    if isinstance(step.does, _WAITS):
        # who answers may change what was said before
        yield from product(_done_again(agent, flow), [drifted(agent, inside)])
    for edge in step.edges:
        left = _left_in(agent, step, edge, modes)
        if edge.leads == "step":
            yield (flow.name, edge.to), left
        elif edge.leads == "flow":
            yield from product(_first(agent, edge.to), [left])


def _done_again(agent: Agent, flow: CompiledFlow) -> Iterator[Place]:
    """The steps that a flow may come back to because another answer makes what they found stale."""
    for step in flow.steps:
        if isinstance(step.does, UseTool):
            spec = agent.toolbox.get(step.does.tool)
            again = spec is None or not spec.done_once
        else:
            again = bool(step.when) or step.is_guarded
        if again:
            yield flow.name, step.name
