"""Flows and modes as pictures."""

from collections.abc import Iterator, Mapping

from hilo.agent.beginnings import beginnings
from hilo.agent.declaration import Agent
from hilo.agent.flow import CompiledFlow, CompiledStep, Edge, Leads
from hilo.agent.instructions import CountRound, PushFlow
from hilo.agent.modes import Mode
from hilo.agent.texts import words_for
from hilo.drawing import Arrow, Box, first_words, mermaid, node_id

START, FINISH, HANDOFF, CHANGE = "START", "FINISH", "HANDOFF", "CHANGE"

_FLOW, _MODE = "FLOW_{}", "MODE_{}"
_PLACES: Mapping[Leads, str] = {  # the boxes that edges out of a flow lead to
    "end": FINISH,
    "handoff": HANDOFF,
    "change": CHANGE,
    "flow": _FLOW,
    "mode": _MODE,
}


def draw_flow(agent: Agent, name: str, *, title: str = "") -> str:
    """The flow of that name as Mermaid text."""
    flow = agent.compiled[name]
    arrows = tuple(_arrows(flow))
    reached = {arrow.target for arrow in arrows}
    ids = _ids(flow)
    start = Box(START, _beginning(agent, name), "edge", "edge")
    steps = [_step_box(agent, step, ids[step.name]) for step in flow.steps]
    boxes = (start, *steps, *_other_boxes(agent, reached))
    return mermaid(title or name, boxes, arrows)


def _beginning(agent: Agent, name: str) -> str:
    flow = agent.flows[name]
    if flow.starts_by_itself:
        return f"{name}\nstarts by itself"
    said = [f"“{first_words(example)}”" for example in flow.starts[:2]]
    begun = [each for each in beginnings(agent) if each.flow == name and each.name]
    begun.sort(key=lambda each: each.by, reverse=True)  # timers stand before modes
    said += [f"the {each.by} {each.name}" for each in begun]
    if not said:
        return f"{name}\nstarts when it is called"
    return f"{name}\nstarts with {', '.join(said)}"


def _other_boxes(agent: Agent, reached: set[str]) -> Iterator[Box]:
    """The places that every flow has and the other flows, where an arrow leads to them."""
    boxes = (
        *(Box(_flow_id(other), f"flow {other}", "flow") for other in agent.flows),
        Box(CHANGE, "ask what to change", "place", "resting"),
        Box(HANDOFF, "a person takes over", "place", "place"),
        Box(FINISH, "the flow is done", "edge", "edge"),
        *(Box(_mode_id(mode), f"mode {mode}", "place", "resting") for mode in agent.modes),
    )
    return (box for box in boxes if box.id in reached)


def _ids(flow: CompiledFlow) -> dict[str, str]:
    """The id of each step's box."""
    return {step.name: node_id(step.name, place) for place, step in enumerate(flow.steps, 1)}


def _flow_id(name: str) -> str:
    return _FLOW.format(name)


def _mode_id(name: str) -> str:
    return _MODE.format(name)


# --- arrows -------------------------------------------------------------------------------------------


def _arrows(flow: CompiledFlow) -> Iterator[Arrow]:
    ids = _ids(flow)
    yield Arrow(START, ids[flow.steps[0].name])
    for step in flow.steps:
        for edge in _drawn(step):
            target = _target(edge, ids)
            yield Arrow(ids[step.name], target, _label(step, edge))
            if target == CHANGE:  # what was changed is shown again, and asked about anew
                yield Arrow(CHANGE, ids[step.name], "changed")


def _drawn(step: CompiledStep) -> Iterator[Edge]:
    """The edges of a step, without one that skips it to where it leads anyway: its box says when."""
    skip, done = step.edge("skipped"), step.edge("done")
    needless = skip and done and skip.to == done.to and not step.is_guarded
    for edge in step.edges:
        if edge is not skip or not needless:
            yield edge


def _target(edge: Edge, ids: Mapping[str, str]) -> str:
    if edge.leads == "step":
        return ids[edge.to]
    return _PLACES[edge.leads].format(edge.to)


def _label(step: CompiledStep, edge: Edge) -> str:
    """When an edge is taken."""
    if edge.on == "skipped":
        return "otherwise"
    if edge.on != "done":
        return edge.on
    if step.is_guarded:
        return edge.guard or "else"
    return ""


# --- boxes --------------------------------------------------------------------------------------------


def _step_box(agent: Agent, step: CompiledStep, box_id: str) -> Box:
    lines = [_words(agent, step)]
    if step.when:
        lines.append(f"only when {step.when}")
    if step.mode:
        lines.append(f"mode {step.mode}")
    words = "\n".join(lines)
    if step.is_guarded or isinstance(step.does, CountRound):
        return Box(box_id, words, "choice", "choice")
    if isinstance(step.does, PushFlow):
        return Box(box_id, words, "flow")
    return Box(box_id, words, "step")


def _words(agent: Agent, step: CompiledStep) -> str:
    """What a step says, or is about."""
    if not step.said:
        return step.written.picture
    template = words_for(agent, step.said)
    text = template.text if template else step.said
    return f"{step.kind}\n“{first_words(text)}”"


# --- modes ----------------------------------------------------------------------------------------------


def draw_modes(agent: Agent, *, title: str = "") -> str:
    """The modes, with their tools and what it takes to enter them, as Mermaid text; a dashed way is not a tool's."""
    boxes = [_mode_box(name, mode) for name, mode in agent.modes.items()]
    first = [Box(START, "a session begins", "edge", "edge")]
    return mermaid(title or "modes", [*first, *boxes], _mode_arrows(agent))


def _mode_box(name: str, mode: Mode) -> Box:
    lines = [name, *mode.tools, *(f"needs {need}" for need in mode.requires)]
    if not mode.operator:
        return Box(_mode_id(name), "\n".join(lines), "place")
    lines.append("an operator holds the session")
    return Box(_mode_id(name), "\n".join(lines), "place", "place")


def _mode_arrows(agent: Agent) -> Iterator[Arrow]:
    yield Arrow(START, _mode_id(agent.first_mode))
    for name, target, by in mode_ways(agent):
        yield Arrow(_mode_id(name), _mode_id(target), by, dashed=not by)


def mode_ways(agent: Agent) -> Iterator[tuple[str, str, str]]:
    """From where to where, by what: tools lead somewhere by having run, or to be run there; timers by falling due."""
    for name, mode in agent.modes.items():
        labels: dict[str, list[str]] = {}
        for tool, target in mode.after.items():
            labels.setdefault(target, []).append(tool)
        for tool, target in mode.before.items():
            labels.setdefault(target, []).append(f"for {tool}")
        for target in mode.to:
            labels.setdefault(target, [])
        for timer, each in mode.timers.items():
            labels.setdefault(each.mode, []).append(f"timer {timer}")
        for target, by in labels.items():
            if target in agent.modes:  # a timer that leads to no mode has an empty one
                yield name, target, ", ".join(by)
