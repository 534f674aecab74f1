"""Which tools sessions can come to call: in which modes, and by what.

A flow is followed from where it may begin. While it waits for somebody, the session may drift to any mode that the
one it is in leads to. What a person does who has the session is not counted: they may give it back in any mode.
"""

from collections.abc import Iterator
from itertools import chain

from hilo.agent.checks.flow_graph import targets
from hilo.agent.declaration import Agent
from hilo.agent.mode_ways import Modes, allows, called_in, drifted
from hilo.agent.steps import Again, AnyStep, Branch, Call, Collect, Confirm, Do, End, Flow, Go, HandOver, Wait

Places = dict[tuple[str, str], Modes]  # a flow and one of its steps: the modes that a session may come there in


def reachable(agent: Agent) -> dict[str, frozenset[tuple[str, str]]]:
    """The tools that sessions can come to call: of each, the modes and by what. A mode may be empty: anywhere."""
    found: dict[str, set[tuple[str, str]]] = {}
    for tool, mode, by in chain(_by_flows(agent), _by_slots(agent), _by_messages(agent), _by_model(agent)):
        spec = agent.toolbox.get(tool)
        if tool and not (spec and spec.operator):
            found.setdefault(tool, set()).add((mode, by))
    return {tool: frozenset(places) for tool, places in found.items()}


def _by_flows(agent: Agent) -> Iterator[tuple[str, str, str]]:
    for (flow, name), modes in _places(agent).items():
        step = _step(agent.flows[flow], name)
        if isinstance(step, Do):
            yield from (
                (step.do, mode, f"the flow {flow}") for mode in sorted(called_in(agent, step.do, _inside(step, modes)))
            )


def _by_slots(agent: Agent) -> Iterator[tuple[str, str, str]]:
    yield from ((slot.valid_if, "", f"the check of {name}") for name, slot in agent.slots.items() if slot.valid_if)


def _by_messages(agent: Agent) -> Iterator[tuple[str, str, str]]:
    meant = [(intent.do, f"the intent {name}") for name, intent in agent.intents.items() if intent.do]
    ordered = [(tool, "what is ordered") for tool in vars(agent.orders).values() if tool] if agent.orders else []
    for tool, by in (*meant, *ordered):
        modes = (mode for mode in _talking(agent) if allows(agent, mode, tool) or agent.mode_for(mode, tool))
        yield from ((tool, mode, by) for mode in modes)


def _by_model(agent: Agent) -> Iterator[tuple[str, str, str]]:
    if agent.asks_by == "loop":
        for mode in _talking(agent):
            yield from ((tool, mode, "a model") for tool in sorted(agent.proposable(mode)))


def _talking(agent: Agent) -> Modes:
    """The modes in which the agent itself answers."""
    return frozenset(agent.modes) - {agent.operator_mode} if agent.modes else frozenset({""})


# --- following flows ----------------------------------------------------------------------------------


def _places(agent: Agent) -> Places:
    """Every step that a session can come to."""
    found: Places = {}
    waiting = [((flow, agent.flows[flow].steps[0].name), modes) for flow, modes in _beginnings(agent)]
    while waiting:
        place, modes = waiting.pop()
        if place not in found or not modes <= found[place]:
            found[place] = found.get(place, frozenset()) | modes
            waiting += _onward(agent, place, found[place])
    return found


def _beginnings(agent: Agent) -> Iterator[tuple[str, Modes]]:
    """The flows that begin without another one, with the modes in which they do."""
    anywhere = _talking(agent)
    yield from ((name, anywhere) for name, flow in agent.flows.items() if flow.starts or name == agent.amends)
    yield from ((timer.start, anywhere) for timer in agent.timers.values() if timer.start)
    yield from ((flow.resumes, frozenset({agent.first_mode})) for flow in agent.flows.values() if flow.resumes)
    for name in anywhere & agent.modes.keys():
        mode = agent.modes[name]
        begun = [mode.enter.start if mode.enter else "", *(timer.start for timer in mode.timers.values())]
        yield from ((flow, frozenset({name})) for flow in begun if flow)


def _onward(agent: Agent, place: tuple[str, str], modes: Modes) -> Iterator[tuple[tuple[str, str], Modes]]:
    """Where a session may come to from a step, and in which modes."""
    name, flow = place[0], agent.flows[place[0]]
    step = _step(flow, place[1])
    waited = drifted(agent, _inside(step, modes))
    after = _after(agent, step, modes) | (modes if step.when else frozenset())
    if isinstance(step, Call):
        yield (step.call, agent.flows[step.call].steps[0].name), _inside(step, modes)
    if isinstance(step, Collect | Confirm | Wait | Call):  # another answer makes what was found from it stale
        yield from (((name, each.name), waited) for each in flow.all_steps if _is_done_again(agent, each))
    yield from (((name, each), after) for each in _following(flow, step))
    for target in () if isinstance(step, Again) else targets(step):
        left = waited if isinstance(step, Confirm) else after
        if any(target == each.name for each in flow.all_steps):
            yield (name, target), left
        elif target in agent.flows:
            yield (target, agent.flows[target].steps[0].name), left


def _inside(step: AnyStep, modes: Modes) -> Modes:
    """The modes in which a step is carried out."""
    return frozenset({step.mode}) if step.mode else modes


def _after(agent: Agent, step: AnyStep, modes: Modes) -> Modes:
    """The modes after a step that went well."""
    inside = _inside(step, modes)
    match step:
        case Collect():  # it may have had nothing to ask, and then does not enter its mode
            return modes | drifted(agent, inside)
        case Wait() | Call():
            return drifted(agent, inside)
        case Confirm() if not step.mode:  # with one of its own, that is entered once more with the yes
            return drifted(agent, inside)
        case Do(do=tool):
            called = called_in(agent, step.do, _inside(step, modes))
            declared = [agent.modes[mode] for mode in called if mode in agent.modes]
            moved = frozenset(mode.after[tool] for mode in declared if tool in mode.after)
            return called | drifted(agent, moved)  # what begins with the new mode goes first, and may move on
    return inside


def _following(flow: Flow, step: AnyStep) -> Iterator[str]:
    place = flow.position(step.name) + 1
    if place < len(flow.all_steps) and not isinstance(step, Go | End | HandOver):
        yield flow.all_steps[place].name
    if isinstance(step, Again):
        yield step.first


def _is_done_again(agent: Agent, step: AnyStep) -> bool:
    """Whether a flow may come back to a step because a slot has changed: not to what is done once."""
    if not isinstance(step, Do):
        return isinstance(step, Branch) or bool(step.when)
    spec = agent.toolbox.get(step.do)
    return spec is None or not (spec.needs_yes or (spec.writes and not spec.idempotent))


def _step(flow: Flow, name: str) -> AnyStep:
    return flow.all_steps[flow.position(name)]
