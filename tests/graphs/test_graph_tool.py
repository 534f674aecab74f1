"""Somebody's graph as a tool of an agent."""

from datetime import UTC, datetime
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt
from typing_extensions import TypedDict

from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import ToolResult
from hilo.errors import HiloError
from hilo.langgraph import graph_tool
from hilo.tools.call import call
from hilo.tools.tool import Tool

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)


class Weather(TypedDict, total=False):
    city: str
    degrees: int


def compiled(state: Any, function: Any, **more: Any) -> Any:
    built = StateGraph(state)
    built.add_node("only", function)
    built.add_edge(START, "only")
    built.add_edge("only", END)
    return built.compile(**more)


async def called(tool: Tool, **arguments: Any) -> ToolResult:
    return await call({tool.spec.name: tool}, RunTool("1", tool.spec.name, arguments), now=NOW)


async def test_a_graph_over_messages_takes_a_question_and_gives_its_last_words() -> None:
    graph = compiled(MessagesState, lambda state: {"messages": [("ai", state["messages"][-1].content.upper())]})
    shout = graph_tool(graph, name="shout", description="Says it louder.")
    assert (shout.spec.parameters, shout.spec.description) == ({"question": True}, "Says it louder.")
    assert (await called(shout, question="hola")).outputs == {"result": "HOLA"}


async def test_another_graph_takes_its_own_keys() -> None:
    graph = compiled(Weather, lambda state: {"degrees": len(state["city"])}, name="weather")
    weather = graph_tool(graph, takes={"city": str})
    assert (weather.spec.name, weather.spec.parameters) == ("weather", {"city": True})
    assert (await called(weather, city="Cali")).outputs == {"city": "Cali", "degrees": 4}
    wrong = await called(weather, city=["Cali"])
    assert (wrong.ok, "wrong arguments: city" in wrong.error) == (False, True)


async def test_a_graph_that_breaks_or_waits_is_a_tool_that_fails() -> None:
    broken = graph_tool(compiled(Weather, lambda _state: 1 / 0), name="broken", takes={"city": str})
    assert "ZeroDivisionError" in (await called(broken, city="Cali")).error
    waits = compiled(Weather, lambda _state: {"city": interrupt("who?")})
    result = await called(graph_tool(waits, name="waits", takes={"city": str}), city="Cali")
    assert not result.ok


async def test_a_graph_that_says_rubbish_is_said_plainly() -> None:
    rubbish = graph_tool(compiled(Weather, lambda _state: "rubbish"), name="rubbish", takes={"city": str})
    result = await called(rubbish, city="Cali")
    assert not result.ok
    assert "rubbish" in result.error


def test_what_is_no_graph_or_has_no_name_is_refused() -> None:
    with pytest.raises(HiloError, match=r"is no compiled graph: call \.compile\(\) first"):
        graph_tool(StateGraph(Weather))
    with pytest.raises(HiloError, match="is no name of a tool: write graph_tool"):
        graph_tool(compiled(Weather, lambda state: state), name="two words")
    with pytest.raises(HiloError, match="the graph weather takes no town; it takes: city, degrees"):
        graph_tool(compiled(Weather, lambda state: state), name="weather", takes={"town": str})


def test_a_tool_may_write_and_then_needs_a_yes() -> None:
    writes = graph_tool(compiled(Weather, lambda state: state, checkpointer=InMemorySaver()), name="w", writes=True)
    assert (writes.spec.writes, writes.spec.needs_yes) == (True, True)
