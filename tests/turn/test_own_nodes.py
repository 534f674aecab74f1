"""An author's own nodes: their places, what they are given, what comes of rubbish, and graphs in their place."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langgraph.graph import END, START, MessagesState, StateGraph
from model_talks import talking
from turn_states import LEADS, NOW, session

from hilo.agent.declaration import CustomNode
from hilo.app import load_agent
from hilo.dialogue.commands import Affirm, Command, Reply, SetSlot
from hilo.dialogue.events import MessageReceived
from hilo.errors import FileProblems
from hilo.testing.models.answers import Says
from hilo.tools.tool import ToolFailed, tool
from hilo.turn import own_nodes
from hilo.turn.foreign_graphs import GraphNode
from hilo.turn.own_nodes import NodeTools
from hilo.turn.run import Turn, TurnResult
from hilo.turn.state import TurnState


def nothing(_state: TurnState) -> tuple[Command, ...]:
    return ()


def turn_with(function: Callable[..., Any], **place: str) -> Turn:
    declared = CustomNode(node="nodes.py:mine", **place)
    return Turn(replace(LEADS, nodes=(declared,)), custom={"mine": function})


async def said(turn: Turn, text: str, **more: Any) -> TurnResult:
    return await turn.run(session(), MessageReceived(NOW, text), **more)


# --- places -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "path"),
    [
        ({"before": "understand"}, ("check_escalation", "mine", "understand", "check_correction")),
        ({"before": "extract_field"}, ("check_off_topic", "mine", "extract_field", "hear_rest")),
        ({"after": "extract_field"}, ("check_off_topic", "extract_field", "mine", "hear_rest")),
        ({"replace": "extract_field"}, ("check_off_topic", "mine", "hear_rest", "validate")),
        ({"replace": "check_correction"}, ("understand", "mine", "check_off_topic", "extract_field")),
    ],
)
@pytest.mark.parametrize("engine", ["walk", "langgraph"])
async def test_a_node_stands_where_the_file_says(place: dict[str, str], path: tuple[str, ...], engine: Any) -> None:
    visited = (await said(turn_with(nothing, **place), "soy Ana", engine=engine)).trace.path
    start = visited.index(path[0])
    assert visited[start : start + len(path)] == path


async def test_nodes_of_one_place_keep_the_order_of_the_file_and_may_stand_beside_one_another() -> None:
    nodes = (
        CustomNode(node="n.py:late", after="second"),
        CustomNode(node="n.py:first", before="validate"),
        CustomNode(node="n.py:second", before="validate"),
        CustomNode(node="n.py:third", after="validate"),
        CustomNode(node="n.py:fourth", after="validate"),
    )
    turn = Turn(replace(LEADS, nodes=nodes), custom=dict.fromkeys((each.name for each in nodes), nothing))
    path = (await said(turn, "soy Ana")).trace.path
    assert path[path.index("first") :][:6] == ("first", "second", "late", "validate", "third", "fourth")


async def test_a_node_in_the_place_of_the_model_is_asked_what_is_not_sure() -> None:
    async def mine(state: TurnState) -> tuple[Command, ...]:
        return (SetSlot("name", "Zoe"),) if not state["commands"] else ()

    turn = turn_with(mine, replace="ask_model")
    result = await said(turn, "asdf qwer zxcv")
    assert "mine" in result.trace.path
    assert "ask_model" not in turn.graph.nodes


async def test_a_burst_asks_the_node_in_the_models_place_about_its_last_message_only() -> None:
    asked: list[str] = []

    async def mine(state: TurnState) -> tuple[Command, ...]:
        event = state["event"]
        assert isinstance(event, MessageReceived)
        asked.append(event.text)
        return ()

    turn = turn_with(mine, replace="ask_model")
    await turn.run(session(), MessageReceived(NOW, "asdf"), then=[MessageReceived(NOW, "qwer zxcv")])
    assert len(asked) == 1


# --- what it is given -------------------------------------------------------------------------------------


async def test_a_node_that_is_not_async_holds_nothing_up() -> None:
    def mine(_state: TurnState) -> list[Command]:
        time.sleep(0.01)
        return [SetSlot("company", "Acme")]

    assert (await said(turn_with(mine, after="validate"), "soy Ana")).session.slots["company"] == "Acme"


async def test_a_node_calls_tools_that_read_and_none_that_write() -> None:
    @tool
    async def company_of(name: str) -> str:
        return f"{name} & Co"

    @tool(writes=True)
    async def erase(name: str) -> str:
        raise AssertionError(name)

    async def mine(_state: TurnState, tools: NodeTools) -> tuple[Command, ...]:
        with pytest.raises(ToolFailed, match=r"erase writes: return CallTool\('erase'"):
            await tools.call("erase", name="Ana")
        with pytest.raises(ToolFailed, match="no tool nope"):
            await tools.call("nope")
        found = await tools.call("company_of", name="Ana")
        return (SetSlot("company", found["result"]),)

    turn = replace(turn_with(mine, after="validate"), tools={"company_of": company_of, "erase": erase})
    result = await said(turn, "soy Ana")
    assert (result.trace.errors, result.session.slots["company"]) == ((), "Ana & Co")


async def test_a_node_asks_the_model_within_the_budget_of_the_turn() -> None:
    async def mine(_state: TurnState, tools: NodeTools) -> tuple[Command, ...]:
        return (SetSlot("company", await tools.ask("Which company?")),)

    async with talking(turn_with(mine, after="validate"), Says("Acme")) as talk:
        await talk.say("soy Ana")
        assert talk.session.slots["company"] == "Acme"
    without = await said(turn_with(mine, after="validate"), "soy Ana")
    assert without.trace.errors == ("mine: ModelError: unreachable: there is no model",)


# --- rubbish ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ("SetSlot", "mine: returned 'SetSlot' (str) instead of a tuple of commands"),
        ({"name": "Ana"}, "mine: returned {'name': 'Ana'} (dict) instead of a tuple of commands"),
        ([7, SetSlot("company", "Acme")], "mine: proposed what is no command: [7]"),
        ([{"is": "SetSlot"}], "mine: proposed what is no command: [{'is': 'SetSlot'}]"),
        ([{"is": object()}], "mine: proposed what is no command: [{'is': <object object at"),
    ],
)
@pytest.mark.parametrize("place", [{"after": "validate"}, {"replace": "extract_field"}])
async def test_rubbish_is_said_plainly_and_the_turn_goes_on(returned: Any, told: str, place: dict[str, str]) -> None:
    result = await said(turn_with(lambda _state: returned, **place), "soy Ana")
    assert result.trace.errors[0].startswith(told)
    assert result.replies


async def test_a_command_may_be_written_as_json() -> None:
    mine = turn_with(lambda _state: [{"is": "SetSlot", "slot": "company", "value": "Acme"}], after="validate")
    assert (await said(mine, "soy Ana")).session.slots["company"] == "Acme"


async def test_a_node_that_hangs_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_nodes, "SECONDS", 0.05)
    result = await said(turn_with(lambda _state: time.sleep(0.3), after="validate"), "soy Ana")
    assert result.trace.errors == ("mine: no answer in 0.05 s",)
    assert result.session.slots == {"name": "Ana"}


# --- somebody's graph as a node ---------------------------------------------------------------------------


class Proposes(TypedDict, total=False):
    text: str
    slots: dict[str, Any]
    commands: list[Any]


def graph_of(state: Any, function: Any) -> Any:
    built = StateGraph(state)
    built.add_node("only", function)
    built.add_edge(START, "only")
    built.add_edge("only", END)
    return built.compile()


async def test_a_graph_proposes_commands() -> None:
    graph = graph_of(Proposes, lambda _state: {"commands": [{"is": "SetSlot", "slot": "company", "value": "Acme"}]})
    result = await said(turn_with(GraphNode(graph), after="validate"), "soy Ana, de Acme")
    assert result.session.slots["company"] == "Acme"


async def test_a_graph_can_neither_invent_a_value_nor_say_yes() -> None:
    graph = graph_of(Proposes, lambda _state: {"commands": [SetSlot("email", "made@up.com"), Affirm()]})
    result = await said(turn_with(GraphNode(graph), after="validate"), "soy Ana")
    refused = {type(each.command).__name__: each.reason for each in result.trace.refused}
    assert '"made@up.com" stands neither in what the contact wrote' in refused["SetSlot"]
    assert refused["Affirm"] == "the contact has not written a yes"


async def test_the_last_words_of_a_graph_over_messages_are_said_where_they_claim_nothing() -> None:
    graph = graph_of(MessagesState, lambda _state: {"messages": [("ai", "Claro, con gusto.")]})
    result = await said(turn_with(GraphNode(graph), replace="ask_model"), "asdf qwer zxcv")
    assert Reply("Claro, con gusto.") in result.trace.accepted
    claims = graph_of(MessagesState, lambda _state: {"messages": [("ai", "Cuesta $ 45.000.")]})
    result = await said(turn_with(GraphNode(claims), replace="ask_model"), "asdf qwer zxcv")
    assert "45.000" not in result.replies[0].text


# --- checked at load --------------------------------------------------------------------------------------

TINY = "agent: tiny\nflows: {main: {starts: always, steps: [{say: Hola a todos}]}}\nnodes:\n"
GRAPH = """\
from typing import TypedDict
from langgraph.graph import END, START, StateGraph
class State(TypedDict):
    x: int
built = StateGraph(State)
built.add_node("a", lambda state: state)
built.add_edge(START, "a")
mine = built.compile()
"""


@pytest.mark.parametrize(
    ("nodes", "told"),
    [
        ("- {node: 'own.py:mine'}", "agent.yaml:4:5: the node `mine` has no place (write one of `before`, `after` and"),
        ("- {node: 'own.py:mine', after: validate, before: understand}", ":4:5: the node `mine` has `before` and `aft"),
        ("- {node: 'own.py:mine', after: decide}", ":4:34: `decide` has no node of yours beside it (after: understan"),
        ("- {node: 'own.py:mine', replace: validate}", ":4:36: `validate` cannot be replaced (replace: check_corr"),
        ("- {node: 'own.py:decide', after: validate}", ":4:12: `decide` is a node of every turn (give the functi"),
        (
            "- {node: 'own.py:a', after: b}\n  - {node: 'own.py:b', after: a}",
            ":4:5: these nodes run in a circle: `a` stands beside `b`, `b` stands beside `a` (put one of them beside",
        ),
        ("- {node: 'own.py:mine', after: mine}", ":4:5: these nodes run in a circle: `mine` stands beside `mine` ("),
        (
            "- {node: 'own.py:mine', replace: ask_model}\n  - {node: 'own.py:more', replace: ask_model}",
            ":5:36: `ask_model` is replaced by `mine` already (write `after: mine`)",
        ),
        ("- {node: 'own.py:mine', after: validate}", ":4:12: the node `own.py:mine` needs the file"),
        (
            "- {node: 'graph.py:mine', after: validate}",
            "`mine`: the graph takes `x`; a node needs `messages` or `text`",
        ),
    ],
)
def test_a_wrong_node_is_told_with_its_line_and_a_hint(tmp_path: Path, nodes: str, told: str) -> None:
    (tmp_path / "agent.yaml").write_text(f"{TINY}  {nodes}\n", encoding="utf-8")
    (tmp_path / "graph.py").write_text(GRAPH, encoding="utf-8")
    with pytest.raises(FileProblems) as raised:
        load_agent(tmp_path)
    assert told in str(raised.value)
