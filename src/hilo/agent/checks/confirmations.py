"""Confirmations that do not show everything that the contact says yes to."""

from collections.abc import Iterator
from itertools import product

from hilo.agent.checks.place import Finding
from hilo.agent.checks.walks import leads_to
from hilo.agent.declaration import Agent
from hilo.agent.flow import CompiledFlow, CompiledStep, Edge
from hilo.agent.instructions import AskConfirmation, UseTool
from hilo.agent.texts import PLACEHOLDER


def unshown(agent: Agent) -> Iterator[Finding]:
    """A tool takes slots which the summary before it does not show: the yes was not given for them."""
    for flow in agent.compiled.values():
        calls = [(step, call) for step, call in flow.doing(UseTool) if _needs_yes(agent, call)]
        for (confirmation, _), (step, call) in product(flow.doing(AskConfirmation), calls):
            hidden = agent.slots_for(call) - agent.found_only() - _shown(agent, confirmation)
            if hidden and _leads_on(flow, confirmation, step):
                yield _finding(confirmation, call.tool, sorted(hidden))


def _needs_yes(agent: Agent, call: UseTool) -> bool:
    return call.tool in agent.toolbox and agent.toolbox[call.tool].needs_yes


def _finding(confirmation: CompiledStep, tool: str, hidden: list[str]) -> Finding:
    names = ", ".join(f"`{name}`" for name in hidden)
    places = " ".join(f"{{{name}}}" for name in hidden)
    problem = f"the yes is for `{tool}`, which takes {names}, and the summary does not show that"
    return Finding((*confirmation.path, "confirm"), problem, f"say {places} in it, or {{summary}}")


def _shown(agent: Agent, confirmation: CompiledStep) -> set[str]:
    """The slots that a summary shows, whichever of its wordings is said."""
    summary = agent.templates.get(confirmation.said)
    texts = summary.texts if summary else confirmation.texts
    shown = set.intersection(*(set(PLACEHOLDER.findall(text)) for text in texts))
    if "summary" in shown:
        return set(agent.slots)
    regions = {name for name, slot in agent.slots.items() if slot.region_of in shown}
    return shown | regions  # a region comes with its city


def _leads_on(flow: CompiledFlow, confirmation: CompiledStep, call: CompiledStep) -> bool:
    """Whether the yes leads to the call with no other confirmation between."""

    def asks_anew(step: CompiledStep, edge: Edge) -> bool:
        return isinstance(step.does, AskConfirmation) or edge.on == "no"

    edge = confirmation.edge("yes")
    if edge is None or edge.leads != "step":
        return False
    return leads_to(flow, call.name, start=edge.to, avoid=asks_anew)
