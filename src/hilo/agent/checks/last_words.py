"""Flows that end without a word, and tools that get the same wrong values again: allowed, but hardly meant."""

from collections import deque
from collections.abc import Iterator

from hilo.agent.checks.place import Finding
from hilo.agent.checks.walks import NOTHING, Avoid, Walk, at, blindly, path_hint, shortest, shown
from hilo.agent.declaration import Agent
from hilo.agent.flow import CompiledFlow, CompiledStep, Edge
from hilo.agent.instructions import (
    AskConfirmation,
    AskSlots,
    PushFlow,
    SayTemplate,
    UseTool,
    WaitUntil,
)


def without_last_word(agent: Agent) -> Iterator[Finding]:
    """Flows that contacts begin and that can end with nothing said about it: the contact reads only "done"."""
    for name, flow in agent.compiled.items():
        if not agent.flows[name].starts_by_words:
            continue
        last = _silent_end(agent, flow)
        if last:
            problem = f"the flow `{name}` can end here without a word of its own"
            yield Finding(last.path, problem, "end with a `say`: what was done, or what comes next")


def _silent_end(agent: Agent, flow: CompiledFlow) -> CompiledStep | None:
    """The first step after which the flow can end with nothing said since it last asked or did something."""
    # Of what neither asks nor does anything there is nothing to say.
    begin = (flow.steps[0].name, True)
    # a step counts twice, as something may or may not have been said on the way to it
    seen, waiting = {begin}, deque([begin])
    while waiting:
        name, spoke = waiting.popleft()
        step = flow[name]
        for edge in step.edges:
            speaks = _speaks(step, edge) or (spoke and not _acts(agent, step, edge))
            if edge.leads == "end" and not speaks:
                return step
            if edge.leads == "step" and (edge.to, speaks) not in seen:
                seen.add((edge.to, speaks))
                waiting.append((edge.to, speaks))
    return None


def _speaks(step: CompiledStep, edge: Edge) -> bool:
    """Whether something is said for the end; what a guard skips has another wording elsewhere, or is not needed."""
    return edge.on in {"told", "fails", "no"} or isinstance(step.does, SayTemplate | PushFlow)


def _acts(agent: Agent, step: CompiledStep, edge: Edge) -> bool:
    """Whether a step asks or changes something, so that what was said before is not about how it ended."""
    if edge.on == "skipped":
        return False
    if isinstance(step.does, UseTool):
        spec = agent.toolbox.get(step.does.tool)
        return spec is None or spec.writes  # an unknown tool may do anything
    return isinstance(step.does, AskSlots | AskConfirmation)


def told_circles(agent: Agent) -> Iterator[Finding]:
    """Ways from what a tool told back to the same call with the same values."""
    for flow in agent.compiled.values():
        for step, call in flow.doing(UseTool):
            edge = step.edge("told")
            if edge is None or edge.leads != "step":
                continue
            back = _way_back(flow, step, edge, used=agent.slots_for(call))
            if back is not None:
                advice = "lead to a `collect` of what it takes, or `forget` that"
                problem = f"what `{call.tool}` tells leads back to it with the same values"
                yield Finding((*step.path, "told"), problem, path_hint(advice, shown(back, step)))


def _way_back(
    flow: CompiledFlow,
    step: CompiledStep,
    edge: Edge,
    *,
    used: frozenset[str],
) -> Walk | None:
    """The shortest walk along an edge back to the step on which nothing that it uses is asked for anew."""
    first = flow[edge.to].does
    if isinstance(first, AskSlots) and used & set(first.slots):
        return None
    return shortest(flow, at(step.name), learn=blindly(_asks(used)), start=(edge.to, NOTHING))


def _asks(used: frozenset[str]) -> Avoid:
    """Whether the contact is asked something at a step, or one of these slots is emptied, to be asked for anew."""

    def asks(step: CompiledStep, _edge: Edge) -> bool:
        return isinstance(step.does, AskConfirmation | WaitUntil) or bool(used & step.does.empties)

    return asks
