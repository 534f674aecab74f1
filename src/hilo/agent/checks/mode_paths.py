"""The modes that a session may be in along a flow: steps that can never enter theirs, tools that never may run."""

from collections.abc import Iterator

from hilo.agent.checks.finding import Finding
from hilo.agent.declaration import Agent
from hilo.agent.flow import CompiledFlow, CompiledStep
from hilo.agent.instructions import CountRound, UseTool
from hilo.agent.mode_ways import Modes, called_in, entered, modes_along, talking


def mode_path_findings(agent: Agent) -> Iterator[Finding]:
    """What no session can do, whichever mode the flow begins in; all ways between modes are known."""
    if not agent.modes:
        return
    found = modes_along(agent, dict.fromkeys(agent.flows, talking(agent)))
    for flow in agent.compiled.values():
        if _is_sound(agent, flow):
            for step in flow.steps:
                yield from _impossible(agent, step, found.get((flow.name, step.name), frozenset()))


def _is_sound(agent: Agent, flow: CompiledFlow) -> bool:
    """Whether every name is known; the others are reported already."""
    for step in flow.steps:
        if step.mode and step.mode not in agent.modes:
            return False
        if any(edge.leads == "nowhere" for edge in step.edges):
            return False
    return True


def _impossible(agent: Agent, step: CompiledStep, modes: Modes) -> Iterator[Finding]:
    if not modes or isinstance(step.does, CountRound):
        return
    inside, shown = entered(agent, step, modes), ", ".join(sorted(modes))
    if not inside:
        message = f"`{step.mode}` can never be entered here"
        yield Finding((*step.path, "mode"), message, f"the session is in {shown}, which does not lead there")
    elif isinstance(step.does, UseTool) and step.does.tool in agent.toolbox:
        tool, here = step.does.tool, step.mode or shown
        if not called_in(agent, tool, inside):
            yield Finding(
                (*step.path, step.kind), f"{tool} is not allowed in {here}", f"name it in the `tools` of {here}"
            )
