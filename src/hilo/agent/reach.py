"""Which tools sessions can come to call: in which modes, and by what."""

from collections.abc import Iterator
from itertools import chain

from hilo.agent.beginnings import beginnings
from hilo.agent.declaration import Agent
from hilo.agent.mode_ways import Modes, allows, called_in, entered, modes_along, talking

Found = Iterator[tuple[str, str, str]]  # a tool, a mode, and by what


def reachable(agent: Agent) -> dict[str, frozenset[tuple[str, str]]]:
    """The tools that sessions can come to call: of each, the modes and by what. A mode may be empty: anywhere."""
    found: dict[str, set[tuple[str, str]]] = {}
    callers = (_by_flows, _by_slots, _by_messages, _by_model)
    for tool, mode, by in chain.from_iterable(called(agent) for called in callers):
        found.setdefault(tool, set()).add((mode, by))
    for name, spec in agent.toolbox.items():
        if spec.operator:  # no session calls these, a person does
            found.pop(name, None)
    return {tool: frozenset(places) for tool, places in found.items()}


def _by_flows(agent: Agent) -> Found:
    anywhere = talking(agent)
    starts: dict[str, Modes] = {}
    for each in beginnings(agent):
        modes = anywhere & {each.mode} if each.mode else anywhere
        starts[each.flow] = starts.get(each.flow, frozenset()) | modes
    for (flow, name), modes in modes_along(agent, starts).items():
        step = agent.compiled[flow][name]
        if call := agent.step_tool(step.does):
            for mode in called_in(agent, call.tool, entered(agent, step, modes)):
                yield call.tool, mode, f"the flow {flow}"


def _by_slots(agent: Agent) -> Found:
    for name, slot in agent.slots.items():
        if slot.valid_if:
            # a value is checked whenever it is given, so no mode is named
            yield slot.valid_if, "", f"the check of {name}"


def _by_messages(agent: Agent) -> Found:
    for name, intent in agent.intents.items():
        if intent.do:
            yield from _meant(agent, intent.do, f"the intent {name}")
    for tool in agent.ordering.values():
        yield from _meant(agent, tool, "what is ordered")


def _meant(agent: Agent, tool: str, by: str) -> Found:
    for mode in talking(agent):
        if allows(agent, mode, tool) or agent.mode_for(mode, tool):
            yield tool, mode, by


def _by_model(agent: Agent) -> Found:
    if agent.asks_by != "loop":
        return  # a router only says what a message means
    for mode in talking(agent):
        for tool in agent.proposable(mode):
            yield tool, mode, "a model"
