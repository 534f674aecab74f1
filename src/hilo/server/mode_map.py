"""Agents as pictures: modes and flows with how many sessions stand in each place now, and the graph of a turn."""

from collections import Counter
from dataclasses import asdict

from pydantic import BaseModel

from hilo.server.access import Edge, Reading
from hilo.server.api_router import api_router
from hilo.server.parameters import Id, or_404
from hilo.store.numbers import open_places, open_steps


class ModeNow(BaseModel):
    """A mode, and how many open sessions stand in it."""

    name: str
    label: str
    sessions: int


class WayBody(BaseModel):
    """A way between two places, and what leads there."""

    start: str
    to: str
    words: str


class StepNow(BaseModel):
    """A step of a flow, the steps that may follow, and how many open sessions stand at it."""

    name: str
    kind: str
    words: str
    to: list[str]
    sessions: int


class FlowNow(BaseModel):
    """A flow, step by step."""

    name: str
    label: str
    sessions: int
    steps: list[StepNow]


class AgentMapBody(BaseModel):
    """The modes of an agent, the first one first, and its flows."""

    modes: list[ModeNow]
    ways: list[WayBody]
    flows: list[FlowNow]


class TurnPictureBody(BaseModel):
    """The graph that every turn of an agent walks through; `END` is where it ends."""

    nodes: list[str]
    ways: list[WayBody]


router = api_router("", "panel")


@router.get("/agents/{agent}/map")
async def agent_map(edge: Edge, agent: Id, key: Reading) -> AgentMapBody:
    """The modes and flows of an agent, with how many open sessions stand in each place."""
    drawn = or_404(await edge.sight.agent_map(key.workspace, agent) if edge.sight else None)
    standing, at_step = Counter[str](), Counter[tuple[str, str]]()
    for row in await edge.store.run(open_places, key.workspace):
        if row["agent"] == agent:
            standing[row["mode"]] += row["sessions"]
    for row in await edge.store.run(open_steps, key.workspace, agent):
        at_step[row["flow"], row["step"]] += row["sessions"]
    flows = []
    for flow in drawn.flows:
        steps = [StepNow(**asdict(step), sessions=at_step[flow.name, step.name]) for step in flow.steps]
        here = sum(step.sessions for step in steps)
        flows.append(FlowNow(name=flow.name, label=flow.label, sessions=here, steps=steps))
    modes = [ModeNow(name=name, label=label, sessions=standing[name]) for name, label in drawn.modes.items()]
    return AgentMapBody(modes=modes, ways=[WayBody(**asdict(way)) for way in drawn.ways], flows=flows)


@router.get("/agents/{agent}/turn")
async def turn_picture(edge: Edge, agent: Id, key: Reading) -> TurnPictureBody:
    """The nodes that a turn of an agent may visit, and the ways between them."""
    drawn = or_404(await edge.sight.turn_picture(key.workspace, agent) if edge.sight else None)
    return TurnPictureBody(nodes=list(drawn.nodes), ways=[WayBody(**asdict(way)) for way in drawn.ways])
