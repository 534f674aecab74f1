"""The turn graph as a picture."""

from collections.abc import Collection, Iterator

from hilo.drawing import Arrow, Box, mermaid, node_id
from hilo.turn.graph import END, Graph, Route

START = "START"

WAYS = {  # by the function that picks: what it means that it picked this node
    "route_after_escalation_check": {
        "escalate": "a person is needed",
        "understand": "a message to answer",
        "decide": "anything else",
    },
    "route_after_understand": {"check_correction": "free text", "validate": "a pressed button"},
    "route_after_correction_check": {"extract_field": "a correction", "check_off_topic": "no correction"},
    "route_after_off_topic_check": {
        "extract_field": "on the subject",
        "ask_model": "off the subject, and a model is there",
        "decide": "off the subject",
    },
    "route_after_extraction": {"ask_model": "not sure, and a model is there", "validate": "sure"},
    "route_after_decide": {
        "execute_tools": "tools to run",
        "hear_model": "a model goes on",
        "prompt_next": "a question",
        "confirm_action": "a yes is needed",
        "complete": "a flow is done",
        "generate": "something to say",
        "escalate": "hand off",
        END: "nothing to say",
    },
}


def draw_turn(graph: Graph, *, title: str = "one turn", own: Collection[str] = ()) -> str:
    """The graph as Mermaid text; `own` names the nodes that the agent brings."""
    ids = {START: START, END: END} | {name: node_id(name, place) for place, name in enumerate(graph.nodes)}
    boxes = (
        Box(START, "a turn begins", "edge", "edge"),
        *(_box(ids[name], name, own=name in own) for name in graph.nodes),
        Box(END, "the turn ends", "edge", "edge"),
    )
    arrows = (Arrow(ids[arrow.source], ids[arrow.target], arrow.label) for arrow in _arrows(graph))
    return mermaid(title, boxes, arrows)


def _box(box_id: str, name: str, *, own: bool) -> Box:
    return Box(box_id, f"{name}\n(the agent's own)", style="own") if own else Box(box_id, name)


def _arrows(graph: Graph) -> Iterator[Arrow]:
    for source, edge in {START: graph.entry, **graph.edges}.items():
        if isinstance(edge, Route):
            ways = WAYS.get(getattr(edge.pick, "__name__", ""), {})
            yield from (Arrow(source, target, ways.get(target, "")) for target in dict.fromkeys(edge.targets))
        else:
            yield Arrow(source, edge)
