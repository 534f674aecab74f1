"""Which tools sessions can come to call: in which modes, and by what."""

from collections.abc import Iterator
from itertools import chain

from hilo.agent.declaration import Agent
from hilo.agent.instructions import UseTool
from hilo.agent.mode_ways import Modes, allows, called_in, entered, modes_along, talking

Found = Iterator[tuple[str, str, str]]  # a tool, a mode, and by what


def reachable(agent: Agent) -> dict[str, frozenset[tuple[str, str]]]:
    """The tools that sessions can come to call: of each, the modes and by what. A mode may be empty: anywhere."""
    found: dict[str, set[tuple[str, str]]] = {}
    for tool, mode, by in chain(_by_flows(agent), _by_slots(agent), _by_messages(agent), _by_model(agent)):
        spec = agent.toolbox.get(tool)
        if not (spec and spec.operator):
            found.setdefault(tool, set()).add((mode, by))
    return {tool: frozenset(places) for tool, places in found.items()}


def _by_flows(agent: Agent) -> Found:
    starts: dict[str, Modes] = {}
    for flow, modes in _beginnings(agent):
        starts[flow] = starts.get(flow, frozenset()) | modes
    for (flow, name), modes in modes_along(agent, starts).items():
        step = agent.compiled[flow][name]
        if isinstance(step.does, UseTool):
            for mode in called_in(agent, step.does.tool, entered(agent, step, modes)):
                yield step.does.tool, mode, f"the flow {flow}"


def _by_slots(agent: Agent) -> Found:
    for name, slot in agent.slots.items():
        if slot.valid_if:
            yield slot.valid_if, "", f"the check of {name}"


def _by_messages(agent: Agent) -> Found:
    meant = [(intent.do, f"the intent {name}") for name, intent in agent.intents.items() if intent.do]
    meant += [(tool, "what is ordered") for tool in agent.ordering.values()]
    for tool, by in meant:
        for mode in talking(agent):
            if allows(agent, mode, tool) or agent.mode_for(mode, tool):
                yield tool, mode, by


def _by_model(agent: Agent) -> Found:
    if agent.asks_by != "loop":
        return
    for mode in talking(agent):
        for tool in agent.proposable(mode):
            yield tool, mode, "a model"


def _beginnings(agent: Agent) -> Iterator[tuple[str, Modes]]:
    """The flows that begin without another one, with the modes in which they do; an empty name is no flow."""
    anywhere = talking(agent)
    for name, flow in agent.flows.items():
        if flow.starts or name == agent.amends:
            yield name, anywhere
        # the contact is back, and a session begins in the first mode
        yield flow.resumes, frozenset({agent.first_mode})
    for timer in agent.timers.values():
        yield timer.start, anywhere
    for name in anywhere & agent.modes.keys():
        mode = agent.modes[name]
        yield mode.entrance.start, frozenset({name})
        for timer in mode.timers.values():
            yield timer.start, frozenset({name})
