"""The turn graph as a picture."""

from collections.abc import Collection

from hilo.drawing import Arrow, Box, mermaid, node_id
from hilo.turn.graph import END, Graph, Route

START = "START"


def draw_turn(graph: Graph, *, title: str = "one turn", own: Collection[str] = ()) -> str:
    """The graph as Mermaid text; `own` names the nodes that the agent brings."""
    ids = {name: node_id(name, place) for place, name in enumerate(graph.nodes)} | {END: END}
    boxes = [Box(START, "a turn begins", "edge", "edge")]
    for name in graph.nodes:
        mine = Box(ids[name], f"{name}\n(the agent's own)", style="own")
        boxes.append(mine if name in own else Box(ids[name], name))
    boxes.append(Box(END, "the turn ends", "edge", "edge"))
    arrows = [Arrow(START, ids[graph.entry])]
    for name, edge in graph.edges.items():
        ways = edge.ways if isinstance(edge, Route) else {edge: ""}
        arrows += [Arrow(ids[name], ids[target], meaning) for target, meaning in ways.items()]
    return mermaid(title, boxes, arrows)
