"""Flows and modes as pictures."""

from collections.abc import Iterator, Mapping

from hilo.agent.declaration import Agent, Mode
from hilo.agent.flow import CompiledFlow, CompiledStep, Edge, Leads
from hilo.agent.instructions import PushFlow
from hilo.drawing import Arrow, Box, Shape, first_words, mermaid, node_id

START, FINISH, HANDOFF, CHANGE = "START", "FINISH", "HANDOFF", "CHANGE"

_PLACES: Mapping[Leads, str] = {"end": FINISH, "handoff": HANDOFF, "change": CHANGE}


def draw_flow(agent: Agent, name: str, *, title: str = "") -> str:
    """The flow of that name as Mermaid text."""
    flow = agent.compiled[name]
    arrows = tuple(_arrows(flow))
    reached = {arrow.target for arrow in arrows}
    steps = (_step_box(agent, step, box_id) for step, box_id in zip(flow.steps, _ids(flow).values(), strict=True))
    boxes = (Box(START, _beginning(agent, name), "edge", "edge"), *steps, *_other_boxes(agent, reached))
    return mermaid(title or name, boxes, arrows)


def _beginning(agent: Agent, name: str) -> str:
    flow = agent.flows[name]
    if flow.starts_by_itself:
        return f"{name}\nstarts by itself"
    said = [f"“{first_words(example)}”" for example in flow.starts[:2]]
    said += [f"the timer {timer}" for timer, each in agent.all_timers.items() if each.start == name]
    said += [f"the mode {mode}" for mode, each in agent.modes.items() if each.entrance.start == name]
    return f"{name}\nstarts with {', '.join(said)}" if said else f"{name}\nstarts when it is called"


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
    return f"FLOW_{name}"


def _mode_id(name: str) -> str:
    return f"MODE_{name}"


# --- arrows -------------------------------------------------------------------------------------------


def _arrows(flow: CompiledFlow) -> Iterator[Arrow]:
    ids = _ids(flow)
    yield Arrow(START, ids[flow.steps[0].name])
    for step in flow.steps:
        for edge in _drawn(step):
            target = _target(edge, ids)
            yield Arrow(ids[step.name], target, _label(step, edge))
            if target == CHANGE:
                yield Arrow(CHANGE, ids[step.name], "changed")


def _drawn(step: CompiledStep) -> Iterator[Edge]:
    """The edges of a step; one that skips it is not drawn where another leads to the same place: its box says when."""
    guarded = any(edge.guard for edge in step.edges)
    certain = {edge.to for edge in step.edges if edge.on == "done" and not guarded}
    for edge in step.edges:
        if edge.on != "skipped" or edge.to not in certain:
            yield edge


def _target(edge: Edge, ids: Mapping[str, str]) -> str:
    match edge.leads:
        case "step":
            return ids[edge.to]
        case "mode":
            return _mode_id(edge.to)
        case "flow":
            return _flow_id(edge.to)
    return _PLACES[edge.leads]


def _label(step: CompiledStep, edge: Edge) -> str:
    """When an edge is taken."""
    if edge.on == "skipped":
        return "otherwise"
    if edge.on != "done":
        return edge.on
    if any(other.guard for other in step.edges):
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
    if any(edge.guard or edge.on == "again" for edge in step.edges):
        return Box(box_id, words, "choice", "choice")
    shape: Shape = "flow" if isinstance(step.does, PushFlow) else "step"
    return Box(box_id, words, shape)


def _words(agent: Agent, step: CompiledStep) -> str:
    """What a step says, or is about."""
    if not step.said:
        return step.written.picture
    template = agent.templates.get(step.said)
    return f"{step.kind}\n“{first_words(template.text if template else step.said)}”"


# --- modes ----------------------------------------------------------------------------------------------


def draw_modes(agent: Agent, *, title: str = "") -> str:
    """The modes, with their tools and what it takes to enter them, as Mermaid text; a dashed way is not a tool's."""
    boxes = [_mode_box(name, mode) for name, mode in agent.modes.items()]
    first = [Box(START, "a session begins", "edge", "edge")]
    return mermaid(title or "modes", [*first, *boxes], _mode_arrows(agent))


def _mode_box(name: str, mode: Mode) -> Box:
    lines = [name, *mode.tools]
    lines += [f"needs {need}" for need in mode.requires]
    lines += ["an operator holds the session"] if mode.operator else []
    return Box(_mode_id(name), "\n".join(lines), "place", "place" if mode.operator else "")


def _mode_arrows(agent: Agent) -> Iterator[Arrow]:
    """Tools lead somewhere by having run, or to be run there; timers by falling due; flows by their steps."""
    yield Arrow(START, _mode_id(agent.first_mode))
    for name, mode in agent.modes.items():
        labels: dict[str, list[str]] = {
            target: [] for target in (*mode.after.values(), *mode.before.values(), *mode.to)
        }
        for tool, target in mode.after.items():
            labels[target].append(tool)
        for tool, target in mode.before.items():
            labels[target].append(f"for {tool}")
        for timer, each in mode.timers.items():
            labels.setdefault(each.mode, []).append(f"timer {timer}")
        for target, by in labels.items():
            if target in agent.modes:
                yield Arrow(_mode_id(name), _mode_id(target), ", ".join(by), dashed=not by)
