"""The graph is declared once; walked or compiled to LangGraph, it does the same."""

import dataclasses
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.graph import END as LANGGRAPH_END
from langgraph.graph import START, StateGraph
from turn_states import LEADS, NOW, session

from hilo.agent.declaration import CustomNode
from hilo.app import load_agent
from hilo.dialogue.commands import Command, Refusal, SetSlot
from hilo.dialogue.events import Event, MessageReceived, OperatorTookOver, Released, TimerFired
from hilo.dialogue.session import Session
from hilo.errors import HiloError
from hilo.turn.graph import END, Graph, to_langgraph, walk
from hilo.turn.run import TURN, Engine, Turn, TurnResult
from hilo.turn.state import Record, TurnContext, TurnState
from hilo.turn.trace import describe, trace_from_json, trace_to_json
from hilo.understanding.reading import understander

SEED_NODES = {
    "check_escalation", "check_correction", "check_off_topic", "extract_field",
    "validate", "prompt_next", "escalate", "complete",
}  # fmt: skip

TEXTS = """\
Hola
hola soy Juan
Mi nombre es Juan
juan@ejemplo.com
no, mi email es otro@x.com
eso está mal
el correo
sí
no
¿Cómo está el clima?
300 123 4567
Acme SAS
no sé
5 mil
asdf
quiero hablar con una persona
esto es una porquería
gracias
olvidalo

😀
en realidad son 7 mil
""".splitlines()
texts = st.one_of(st.sampled_from(TEXTS), st.text(max_size=40))
events: st.SearchStrategy[Event] = st.one_of(
    texts.map(lambda text: MessageReceived(NOW, text)),
    texts.map(lambda text: MessageReceived(NOW, text)),
    st.sampled_from(["yes", "no", "correct:email", "set:name:Ana", "nonsense"]).map(
        lambda payload: MessageReceived(NOW, payload, payload=payload)
    ),
    st.sampled_from([TimerFired(NOW, "escalation.timeout"), OperatorTookOver(NOW), Released(NOW)]),
)  # fmt: skip

TURNS = Turn(LEADS)


async def play(history: list[Event], engine: Engine, turn: Turn = TURNS) -> list[TurnResult]:
    now, results = session(), []
    for event in history:
        results.append(await turn.run(now, event, engine=engine))
        now = results[-1].session
    return results


def comparable(result: TurnResult) -> tuple[object, ...]:
    """All of a result but the times and the name of the engine."""
    trace = replace(result.trace, engine="", nodes=())
    return result.session, result.replies, result.decision, trace, result.trace.path


@settings(max_examples=60, deadline=None)
@given(st.lists(events, max_size=6))
async def test_walked_and_compiled_turns_are_the_same(history: list[Event]) -> None:
    walked, compiled = await play(history, "walk"), await play(history, "langgraph")
    assert [comparable(result) for result in walked] == [comparable(result) for result in compiled]


def test_the_nodes_of_the_seed_are_in_the_graph_under_their_names() -> None:
    assert set(TURN.nodes) >= SEED_NODES


def test_every_edge_leads_to_a_node_or_the_end() -> None:
    assert set(TURN.edges) == set(TURN.nodes)
    reached = {target for name in TURN.nodes for target in TURN.targets(name)}
    assert reached - {END} == set(TURN.nodes) - {TURN.entry}


@pytest.mark.parametrize(
    ("history", "path"),
    [
        (
            ["Mi nombre es Juan"],
            ["check_escalation", "check_correction", "check_off_topic", "extract_field", "validate", "prompt_next"],
        ),
        (
            ["Juan", "juan@x.com", "No, mi email es n@x.com"],
            ["check_escalation", "check_correction", "extract_field", "validate", "prompt_next"],
        ),
        (["¿Cómo está el clima?"], ["check_escalation", "check_correction", "check_off_topic", "prompt_next"]),
        (["Necesito hablar con un humano"], ["check_escalation", "escalate"]),
        (
            ["soy Juan", "juan@x.com", "300 123 4567", "Acme", "5 mil"],
            ["check_escalation", "check_correction", "check_off_topic", "extract_field", "validate", "complete"],
        ),
    ],
)
async def test_the_example_flows_of_the_seed_take_its_path(history: list[str], path: list[str]) -> None:
    result = (await play([MessageReceived(NOW, text) for text in history], "walk"))[-1]
    assert [node for node in result.trace.path if node in SEED_NODES] == path


async def test_our_turn_can_be_mounted_in_another_langgraph_graph() -> None:
    class Outer(TypedDict, total=False):
        session: Session
        event: Event
        replies: Any

    context = TurnContext(LEADS, understander(LEADS), Record())
    turn = to_langgraph(TURN).compile()

    async def ours(state: Outer) -> Outer:
        done = await turn.ainvoke({"session": state["session"], "event": state["event"]}, context=context)
        return {"replies": done["replies"]}

    outer = StateGraph(Outer)
    outer.add_node("turn", ours)
    outer.add_edge(START, "turn")
    outer.add_edge("turn", LANGGRAPH_END)
    done = await outer.compile().ainvoke({"session": session(), "event": MessageReceived(NOW, "hola")})
    assert "¿Cómo te llamas?" in done["replies"][0].text


async def test_a_graph_that_runs_in_a_circle_is_stopped() -> None:
    async def nothing(_state: TurnState, _context: TurnContext) -> TurnState:
        return {}

    circle = Graph(entry="a", nodes={"a": nothing}, edges={"a": "a"})
    context = TurnContext(LEADS, understander(LEADS), Record())
    with pytest.raises(RecursionError, match="circle at a"):
        await walk(circle, {"session": session(), "event": MessageReceived(NOW, "")}, context)


# --- an author's own nodes ------------------------------------------------------------------------------


CUSTOM = replace(LEADS, nodes=(CustomNode(node="nodes.py:vip", after="validate"),))


@pytest.mark.parametrize("engine", ["walk", "langgraph"])
async def test_an_agents_own_node_proposes_commands(engine: Engine) -> None:
    async def vip(state: TurnState) -> tuple[Command, ...]:
        return (SetSlot("company", "VIP"),) if "vip" in state["reading"].text.folded else ()

    turn = Turn(CUSTOM, custom={"vip": vip})
    result = (await play([MessageReceived(NOW, "soy Ana, cliente vip")], engine, turn))[0]
    assert result.session.slots["company"] == "VIP"
    assert result.trace.path[-4:] == ("validate", "vip", "decide", "prompt_next")


async def test_what_a_node_proposes_may_be_refused() -> None:
    async def vip(_state: TurnState) -> tuple[Command, ...]:
        return (SetSlot("email", "not an address"),)

    turn = Turn(CUSTOM, custom={"vip": vip})
    result = (await play([MessageReceived(NOW, "soy Ana")], "walk", turn))[0]
    assert "email" not in result.session.slots
    assert result.trace.refused[0].reason == "email does not take this value"


async def test_a_node_that_breaks_does_not_lose_the_message() -> None:
    async def vip(_state: TurnState) -> tuple[Command, ...]:
        raise ZeroDivisionError("oops")

    turn = Turn(CUSTOM, custom={"vip": vip})
    result = (await play([MessageReceived(NOW, "soy Ana")], "walk", turn))[0]
    assert result.session.slots == {"name": "Ana"}
    assert result.trace.errors == ("vip: ZeroDivisionError: oops",)


def test_an_agent_brings_its_nodes_in_a_file_beside_it(tmp_path: Path) -> None:
    nodes = "nodes: [{node: 'own.py:mine', after: understand}]\n"
    text = "agent: tiny\nflows: {main: {starts: always, steps: [{say: Hola a todos}]}}\n" + nodes
    (tmp_path / "agent.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(HiloError, match=r"own\.py, which is not there"):
        load_agent(tmp_path)
    (tmp_path / "own.py").write_text("async def other(state): return ()\n", encoding="utf-8")
    with pytest.raises(HiloError, match="no function `mine`"):
        load_agent(tmp_path)
    (tmp_path / "own.py").write_text("async def mine(state): return ()\n", encoding="utf-8")
    assert "mine" in load_agent(tmp_path).turn.graph.nodes


# --- the trace ------------------------------------------------------------------------------------------


async def test_a_trace_says_how_a_turn_came_about() -> None:
    trace = (await play([MessageReceived(NOW, "hola, soy Juan"), MessageReceived(NOW, "asdf")], "walk"))[-1].trace
    assert trace.turn == 2
    assert trace.understanding.stage == "embedded"
    assert trace.refused == (Refusal(SetSlot("email", "asdf"), "email does not take this value"),)
    assert [describe(each) for each in trace.effects] == ["Say(invalid.email, True)", "Ask(email, ask.email)"]
    assert trace.states == ("waiting_for_slot", "understanding", "validating_slot", "waiting_for_slot")
    assert all(visit.milliseconds >= 0 for visit in trace.nodes)
    nodes = tuple(dataclasses.replace(each, milliseconds=round(each.milliseconds, 2)) for each in trace.nodes)
    assert trace_from_json(trace_to_json(trace)) == dataclasses.replace(trace, nodes=nodes)
