"""Flows and modes as pictures."""

from collections.abc import Iterator, Mapping

from hilo.agent.declaration import Agent, Mode
from hilo.agent.steps import (
    Branch,
    Call,
    Collect,
    Confirm,
    Do,
    End,
    Flow,
    Go,
    HandOver,
    Repeat,
    Say,
    SetSlots,
    Step,
    Wait,
)
from hilo.agent.texts import kind_of
from hilo.drawing import Arrow, Box, Shape, first_words, mermaid, node_id

START, FINISH, HANDOFF, CHANGE = "START", "FINISH", "HANDOFF", "CHANGE"

_PLACES = {"end": FINISH, "handoff": HANDOFF, "change": CHANGE}
_SHAPES: dict[type, Shape] = {Branch: "choice", Call: "flow"}


def draw_flow(agent: Agent, name: str, *, title: str = "") -> str:
    """The flow of that name as Mermaid text."""
    flow = agent.flows[name]
    arrows = tuple(_arrows(agent, flow))
    reached = {arrow.target for arrow in arrows}
    steps = (_step_box(agent, step, box_id) for step, box_id in zip(flow.steps, _ids(flow), strict=True))
    boxes = (Box(START, _beginning(agent, name), "edge", "edge"), *steps, *_other_boxes(agent, reached))
    return mermaid(title or name, boxes, arrows)


def _beginning(agent: Agent, name: str) -> str:
    flow = agent.flows[name]
    if flow.starts_by_itself:
        return f"{name}\nstarts by itself"
    said = [f"“{first_words(example)}”" for example in flow.starts[:2]]
    said += [f"the timer {timer}" for timer, each in agent.timers.items() if each.start == name]
    for mode, declared in agent.modes.items():
        said += [f"the timer {mode}.{timer}" for timer, each in declared.timers.items() if each.start == name]
        said += [f"the mode {mode}"] if declared.enter and declared.enter.start == name else []
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


def _ids(flow: Flow) -> list[str]:
    return [node_id(step.name, place) for place, step in enumerate(flow.steps, 1)]


def _flow_id(name: str) -> str:
    return f"FLOW_{name}"


def _mode_id(name: str) -> str:
    return f"MODE_{name}"


# --- arrows -------------------------------------------------------------------------------------------


def _arrows(agent: Agent, flow: Flow) -> Iterator[Arrow]:
    ids = _ids(flow)
    at = {mode: _mode_id(mode) for mode in agent.modes} | _PLACES
    at |= {step.name: box_id for step, box_id in zip(flow.steps, ids, strict=True)}
    yield Arrow(START, ids[0])
    for step, box_id, following in zip(flow.steps, ids, [*ids[1:], FINISH], strict=True):
        for target, label in _ways(step, following, at=at):
            yield Arrow(box_id, target, label)
            if target == CHANGE:
                yield Arrow(CHANGE, box_id, "changed")


def _ways(step: Step, following: str, *, at: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """All ways out of a step: the box each leads to, and when it is taken."""
    match step:
        case Branch(branch=branches):
            yield from ((_target(name, at), guard) for guard, name in branches.items())
            yield from [] if "else" in branches else [(following, "else")]
        case Confirm(no=name):
            yield following, "yes"
            yield _target(name or "change", at), "no"
        case Do(fails=fails, told=told) if fails or told:
            yield following, ""
            yield from ((_target(name, at), why) for name, why in ((fails, "fails"), (told, "told")) if name)
        case Go(go=name):
            yield _target(name, at), ""
        case HandOver():
            yield HANDOFF, ""
        case End():
            yield FINISH, ""
        case _:
            yield following, ""
    if step.when and isinstance(step, Branch | Confirm | Go | HandOver | End):
        yield following, "otherwise"


def _target(name: str, at: Mapping[str, str]) -> str:
    """As the dialogue looks it up: a step of the flow, a place that every flow has, a mode, another flow."""
    return at.get(name) or _flow_id(name)


# --- boxes --------------------------------------------------------------------------------------------


def _step_box(agent: Agent, step: Step, box_id: str) -> Box:
    condition = f"\nonly when {step.when}" if step.when else ""
    condition += f"\nmode {step.mode}" if step.mode else ""
    shape = _SHAPES.get(type(step), "step")
    return Box(box_id, _text(agent, step) + condition, shape, "choice" if shape == "choice" else "")


def _text(agent: Agent, step: Step) -> str:
    kind = kind_of(step)
    match step:
        case Collect(collect=names):
            return f"{kind} {', '.join(names)}"
        case Say(say=text) | Confirm(confirm=text):
            return f"{kind}\n“{_said(agent, text)}”"
        case Do(do=what) | Call(call=what) | Go(go=what) | Wait(wait=what):
            return f"{kind} {what}"
        case HandOver(handoff=what) | End(end=what):
            return f"{kind}: {first_words(what)}" if what else kind
        case SetSlots(set=values):
            return "\n".join(f"{kind} {name} = {_written(value)}" for name, value in values.items())
        case Repeat(repeat=steps, until=guard):
            return f"{kind} {len(steps)} steps" + (f"\nuntil {guard}" if guard else "")
        case Branch():
            return "which way?"


def _said(agent: Agent, text: str) -> str:
    """The first words of a template, or of the text itself."""
    template = agent.templates.get(text)
    return first_words(template.text if template else text)


def _written(value: object) -> str:
    """A value as an author writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


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
            labels.setdefault(each.mode, []).extend([f"timer {timer}"] if each.mode else [])
        for target, by in labels.items():
            if target in agent.modes:
                yield Arrow(_mode_id(name), _mode_id(target), ", ".join(by), dashed=not by)
