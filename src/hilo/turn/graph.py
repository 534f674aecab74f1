"""The turn graph: declared once as data, run by LangGraph or walked directly, drawn by both."""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

from hilo.drawing import Arrow, Box, mermaid, node_id
from hilo.errors import HiloError, install
from hilo.turn.state import Node, TurnContext, TurnState, Visit

START, END = "START", "END"
MAX_VISITS = 100  # walked or compiled


@dataclass(frozen=True, slots=True)
class Route:
    """A function that picks the next node, and all the nodes it may pick, with what it means that it does."""

    pick: Callable[[TurnState], str]
    ways: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Way:
    """A node that comes next if a fact stands in the state, or a question about it is answered with yes."""

    to: str
    meaning: str
    when: str | Callable[[TurnState], bool] = ""  # nothing: whenever no way before it was taken


def first_of(*ways: Way) -> Route:
    """A route that takes the first way that is open."""

    def pick(state: TurnState) -> str:
        for way in ways:
            if state.get(way.when) if isinstance(way.when, str) else way.when(state):
                return way.to
        return ways[-1].to

    return Route(pick, {way.to: way.meaning for way in ways})


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes by name, where each leads, and where a turn enters."""

    entry: str
    nodes: Mapping[str, Node]
    edges: Mapping[str, str | Route]

    def insert(self, name: str, node: Node, *, after: str) -> "Graph":
        """The graph with one more node, which follows `after` and then leads where `after` led."""
        edges = {**self.edges, name: self.edges[after], after: name}
        return replace(self, nodes={**self.nodes, name: node}, edges=edges)

    def insert_before(self, name: str, node: Node, *, before: str) -> "Graph":
        """The graph with one more node, to which all lead that led to `before`, where it then leads."""
        led = self._redirected(before, name)
        return replace(led, nodes={**self.nodes, name: node}, edges={**led.edges, name: before})

    def replaced(self, name: str, by: str, node: Node) -> "Graph":
        """The graph with another node in the place of one."""
        led, renamed = self._redirected(name, by), {name: by}
        nodes = {renamed.get(each, each): old for each, old in self.nodes.items()} | {by: node}
        edges = {renamed.get(each, each): edge for each, edge in led.edges.items()}
        return replace(led, nodes=nodes, edges=edges)

    def _redirected(self, name: str, to: str) -> "Graph":
        """Whatever led to a node leads to another one."""
        renamed = {name: to}
        edges = {each: _led_to(edge, renamed) for each, edge in self.edges.items()}
        return replace(self, entry=renamed.get(self.entry, self.entry), edges=edges)

    def targets(self, name: str) -> tuple[str, ...]:
        """Where a node may lead."""
        edge = self.edges[name]
        return (edge,) if isinstance(edge, str) else tuple(edge.ways)


def _led_to(edge: str | Route, renamed: Mapping[str, str]) -> str | Route:
    if isinstance(edge, str):
        return renamed.get(edge, edge)
    if renamed.keys().isdisjoint(edge.ways):
        return edge
    ways = {renamed.get(each, each): meaning for each, meaning in edge.ways.items()}

    def pick(state: TurnState) -> str:
        picked = edge.pick(state)
        return renamed.get(picked, picked)

    return Route(pick, ways)


async def visit(name: str, node: Node, state: TurnState, context: TurnContext) -> TurnState:
    """Run a node and write the visit down."""
    started = time.perf_counter()
    changes = await node(state, context)
    context.record.visits.append(Visit(name, (time.perf_counter() - started) * 1000))
    return changes


async def walk(
    graph: Graph, state: TurnState, context: TurnContext, *, until: Collection[str] = frozenset({END})
) -> TurnState:
    """Run the graph directly, for turns that have nothing to wait for; it stops before one of these nodes."""
    name, before = graph.entry, len(context.record.visits)
    while name not in until:
        if len(context.record.visits) - before >= MAX_VISITS:
            raise RecursionError(f"the turn graph runs in a circle at {name}")
        state = {**state, **await visit(name, graph.nodes[name], state, context)}
        edge = graph.edges[name]
        name = edge if isinstance(edge, str) else edge.pick(state)
    return state


def langgraph_is_installed() -> bool:
    """Whether turns can be compiled; without LangGraph they are walked."""
    # Its SDK and its checkpointers are installed into the same package, and have no graphs.
    return find_spec("langgraph") is not None and find_spec("langgraph.graph") is not None


def to_langgraph(graph: Graph) -> Any:
    """The same graph as a LangGraph StateGraph, to compile, stream, trace or mount in another graph."""
    if not langgraph_is_installed():
        raise HiloError(f"a turn that LangGraph runs needs an extra: {install('langgraph')}")
    from langgraph.graph import END as LANGGRAPH_END  # noqa: PLC0415 -- 0.6 s, only for those who need it
    from langgraph.graph import START as LANGGRAPH_START  # noqa: PLC0415
    from langgraph.graph import StateGraph  # noqa: PLC0415

    built = StateGraph(TurnState, context_schema=TurnContext)
    built.add_edge(LANGGRAPH_START, graph.entry)
    places = {name: name for name in graph.nodes} | {END: LANGGRAPH_END}
    for name in graph.nodes:
        targets = tuple(places[target] for target in graph.targets(name))
        built.add_node(name, _langgraph_node(graph, name, places), destinations=targets)
    return built


def _langgraph_node(graph: Graph, name: str, places: Mapping[str, str]) -> Any:
    """A node leads on by `Command(goto=…)`: a conditional edge costs as much as a node."""
    from langgraph.runtime import Runtime  # noqa: PLC0415
    from langgraph.types import Command  # noqa: PLC0415

    async def run(state: TurnState, runtime: Runtime[TurnContext]) -> Command[Any]:
        changes = await visit(name, graph.nodes[name], state, runtime.context)
        edge = graph.edges[name]
        target = edge if isinstance(edge, str) else edge.pick({**state, **changes})
        return Command(update=changes, goto=places[target])

    return run


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
