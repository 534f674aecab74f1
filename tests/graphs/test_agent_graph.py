"""An agent as a LangGraph graph: LangGraph's own checkpointers, interrupts, streams and subgraphs run against it."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command

from hilo.app import load_agent
from hilo.errors import HiloError
from hilo.langgraph import AgentState, agent_graph, release, say, take
from hilo.testing.clock import FakeClock

ROOT = Path(__file__).parents[2]
LEADS = load_agent(ROOT / "agents" / "leads")
HERE: Any = {"configurable": {"thread_id": "t1"}}


def wrote(text: str, **more: Any) -> Any:
    return {"messages": [HumanMessage(text, **more)]}


def talk(graph: Any, *texts: str, config: Any = HERE) -> str:
    """The last reply."""
    for text in texts:
        state = graph.invoke(wrote(text), config)
    return str(state["messages"][-1].content)


# --- checkpointers ----------------------------------------------------------------------------------------


@contextmanager
def memory(_folder: Path) -> Iterator[Any]:
    yield InMemorySaver()


@contextmanager
def sqlite(folder: Path) -> Iterator[Any]:
    with SqliteSaver.from_conn_string(str(folder / "threads.db")) as saver:
        yield saver


@pytest.mark.parametrize("saver", [memory, sqlite])
def test_a_thread_goes_on_where_it_was(saver: Callable[[Path], Any], tmp_path: Path) -> None:
    with saver(tmp_path) as checkpointer:
        assert "¿Cómo te llamas?" in talk(agent_graph(LEADS, checkpointer=checkpointer), "hola")
        another = agent_graph(LEADS, checkpointer=checkpointer)  # as after a restart
        assert talk(another, "soy Juan", "juan@ejemplo.com", "300 123 4567").startswith("¿")
        known = another.get_state(HERE).values
        assert known["slots"] == {"name": "Juan", "email": "juan@ejemplo.com", "phone": "+573001234567"}
        assert talk(another, "hola", config={"configurable": {"thread_id": "t2"}}).endswith("¿Cómo te llamas?")


async def test_asynchronous_checkpointers_work_too(tmp_path: Path) -> None:
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "threads.db")) as checkpointer:
        graph = agent_graph(LEADS, checkpointer=checkpointer)
        await graph.ainvoke(wrote("hola"), HERE)
        state = await graph.ainvoke(wrote("soy Juan"), HERE)
    assert state["slots"] == {"name": "Juan"}


def test_the_state_is_plain_json() -> None:
    graph = agent_graph(LEADS)
    state = graph.invoke(wrote("hola, soy Juan"))
    assert json.loads(json.dumps(state["hilo"])) == state["hilo"]
    assert state["hilo"]["session"]["slots"] == {"name": "Juan"}


def test_an_earlier_checkpoint_can_be_gone_back_to() -> None:
    graph = agent_graph(LEADS, checkpointer=InMemorySaver())
    talk(graph, "hola", "soy Juan")
    before = next(each for each in graph.get_state_history(HERE) if each.values.get("slots") == {} and not each.next)
    state = graph.invoke(wrote("soy Ana"), before.config)
    assert state["slots"] == {"name": "Ana"}


def test_the_nodes_of_a_turn_leave_no_checkpoints_of_their_own() -> None:
    saver = InMemorySaver()
    graph = agent_graph(LEADS, checkpointer=saver)
    talk(graph, "hola")
    assert {each.config["configurable"]["checkpoint_ns"] for each in saver.list(HERE)} == {""}


# --- messages ---------------------------------------------------------------------------------------------


def test_messages_that_come_together_have_one_turn() -> None:
    state = agent_graph(LEADS).invoke({"messages": [HumanMessage("hola"), HumanMessage("soy Juan")]})
    assert [each.type for each in state["messages"]] == ["human", "human", "ai"]
    assert state["slots"] == {"name": "Juan"}


def test_a_message_has_its_turn_once() -> None:
    graph = agent_graph(LEADS, checkpointer=InMemorySaver())
    first = graph.invoke(wrote("hola", id="m1"), HERE)
    again = graph.invoke({"messages": []}, HERE)
    assert len(again["messages"]) == len(first["messages"]) == 2


def test_buttons_come_with_a_reply_and_go_back_with_a_message(tmp_path: Path) -> None:
    agent = "agent: b\nslots: {size: {type: choice, choices: [chica, grande], ask: ¿Tamaño?}}\n"
    agent += "flows: {main: {starts: always, steps: [{collect: size}, {say: Listo.}]}}\n"
    (tmp_path / "agent.yaml").write_text(agent, encoding="utf-8")
    graph = agent_graph(tmp_path, checkpointer=InMemorySaver())
    [*_, reply] = graph.invoke(wrote("hola"), HERE)["messages"]
    assert reply.additional_kwargs["buttons"] == [
        {"payload": "set:size:chica", "title": "chica"},
        {"payload": "set:size:grande", "title": "grande"},
    ]
    pressed = wrote("grande", additional_kwargs={"payload": "set:size:grande"})
    assert graph.invoke(pressed, HERE)["slots"] == {"size": "grande"}


def test_what_is_no_text_is_an_attachment() -> None:
    blocks: Any = [
        {"type": "text", "text": "hola"},
        {"type": "image_url", "image_url": {"url": "https://x.test/a.png"}},
    ]
    [trace] = [
        each["trace"] for each in agent_graph(LEADS).stream({"messages": [HumanMessage(blocks)]}, stream_mode="custom")
    ]
    assert trace["attachments"] == [{"kind": "image", "url": "https://x.test/a.png"}]


# --- streams ----------------------------------------------------------------------------------------------


async def test_messages_updates_and_what_a_turn_did_are_streamed() -> None:
    graph = agent_graph(LEADS)
    seen: dict[str, list[Any]] = {"messages": [], "updates": [], "custom": []}
    async for mode, piece in graph.astream(wrote("hola"), stream_mode=list(seen)):
        seen[mode].append(piece)
    [(message, about)] = seen["messages"]
    assert "¿Cómo te llamas?" in message.content
    assert about["langgraph_node"] == "agent"
    assert list(seen["updates"][0]) == ["agent"]
    assert seen["custom"][0]["trace"]["nodes"][0]["node"] == "check_escalation"


async def test_the_nodes_of_a_turn_are_seen_as_a_subgraph() -> None:
    nodes = [
        node
        async for _where, piece in agent_graph(LEADS).astream(wrote("hola"), stream_mode="updates", subgraphs=True)
        for node in piece
    ]
    assert nodes[0] == "check_escalation"
    assert nodes[-2:] == ["prompt_next", "agent"]


def test_a_synchronous_stream_works_where_an_event_loop_runs() -> None:
    pieces = list(agent_graph(LEADS).stream(wrote("hola"), stream_mode="custom"))
    assert [list(each) for each in pieces] == [["trace"]]


async def test_invoke_may_be_called_from_asynchronous_code() -> None:
    assert agent_graph(LEADS).invoke(wrote("hola"))["messages"][-1].type == "ai"


# --- interrupts -------------------------------------------------------------------------------------------


def test_a_handoff_waits_for_a_person() -> None:
    graph = agent_graph(LEADS, checkpointer=InMemorySaver(), waits_for=["person"])
    state = graph.invoke(wrote("quiero hablar con una persona"), HERE)
    [asked] = state["__interrupt__"]
    assert asked.value["waits_for"] == "person"
    assert asked.value["policy"]
    state = graph.invoke(Command(resume=say("Soy Eva, ¿en qué te ayudo?", operator="Eva")), HERE)
    assert (state["messages"][-1].name, state["messages"][-1].content) == ("Eva", "Soy Eva, ¿en qué te ayudo?")
    state = graph.invoke(wrote("una pregunta"), HERE)  # the contact writes meanwhile
    assert state["messages"][-1].type == "human"
    assert state["__interrupt__"]
    state = graph.invoke(Command(resume=release(text="Te dejo con el asistente.")), HERE)
    assert "Te dejo con el asistente." in state["messages"][-1].content
    assert (state["hilo"]["holder"], "__interrupt__" in state) == ("agent", False)


def test_without_interrupts_a_person_acts_by_input() -> None:
    graph = agent_graph(LEADS, checkpointer=InMemorySaver())
    talk(graph, "hola")
    assert graph.invoke({"act": take("Eva")}, HERE)["hilo"]["holder"] == "operator"
    assert graph.invoke(wrote("¿hola?"), HERE)["messages"][-1].type == "human"
    assert graph.invoke({"act": release()}, HERE)["hilo"]["holder"] == "agent"


def test_a_graph_that_waits_for_the_contact_ends_when_nothing_more_is_asked() -> None:
    graph = agent_graph(LEADS, checkpointer=InMemorySaver(), waits_for=["contact"])
    state = graph.invoke(wrote("hola"), HERE)
    for answer in ("Juan", "juan@ejemplo.com", "300 123 4567", {"text": "Acme"}, "5 mil"):
        [asked] = state["__interrupt__"]
        assert asked.value["question"] == state["messages"][-1].content
        state = graph.invoke(Command(resume=answer), HERE)
    assert "__interrupt__" not in state
    assert state["slots"]["company"] == "Acme"


@pytest.mark.parametrize("act", ["release", {"do": "dance"}, 7])
def test_what_nobody_can_do_is_said_plainly(act: Any) -> None:
    with pytest.raises(HiloError, match=r"is nothing that a person can do: use take\(\), say\(\) or release\(\)"):
        agent_graph(LEADS).invoke({"act": act, "messages": []})


# --- somebody's graph ---------------------------------------------------------------------------------------


class Sale(AgentState, total=False):
    welcome: str


def test_an_agent_is_a_node_of_somebodys_graph() -> None:
    built = StateGraph(Sale)
    built.add_node("lead", agent_graph(LEADS, waits_for=["contact"]))
    built.add_node("sell", lambda state: {"welcome": f"{state['slots']['name']} from {state['slots']['company']}"})
    built.add_edge(START, "lead")
    built.add_edge("lead", "sell")
    built.add_edge("sell", END)
    graph: Any = built.compile(checkpointer=InMemorySaver())
    state = graph.invoke(wrote("hola"), HERE)
    for answer in ("Juan", "juan@ejemplo.com", "300 123 4567", "Acme", "5 mil"):
        assert "welcome" not in state
        state = graph.invoke(Command(resume=answer), HERE)
    assert state["welcome"] == "Juan from Acme"


def test_an_agent_keeps_its_session_where_the_outer_graph_knows_only_messages() -> None:
    built = StateGraph(MessagesState)
    built.add_node("lead", agent_graph(LEADS, checkpointer=True))
    built.add_edge(START, "lead")
    graph: Any = built.compile(checkpointer=InMemorySaver())
    assert "¿Cómo te llamas?" in talk(graph, "hola")
    assert "correo" in talk(graph, "soy Juan")
    assert "correo" in talk(graph, "no entiendo")


# --- time -------------------------------------------------------------------------------------------------

NUDGE = """\
agent: nudge
slots: {name: {type: person_name, ask: "¿Nombre?", keep: true}}
flows: {main: {starts: always, steps: [{collect: name}, {say: Listo.}]}}
timers: {nudge: {after: 10m of silence, say: "¿Sigues ahí?"}}
"""


def nudging(tmp_path: Path, text: str = NUDGE) -> tuple[Any, FakeClock]:
    (tmp_path / "agent.yaml").write_text(text, encoding="utf-8")
    clock = FakeClock(datetime(2026, 11, 17, 12, tzinfo=UTC))
    return agent_graph(tmp_path, checkpointer=InMemorySaver(), clock=clock), clock


def test_timers_that_are_due_fire_when_the_graph_runs_next(tmp_path: Path) -> None:
    graph, clock = nudging(tmp_path)
    talk(graph, "hola")
    assert list(graph.get_state(HERE).values["hilo"]["timers"]) == ["timer.nudge"]
    clock.advance(timedelta(minutes=11))
    assert graph.invoke({"messages": []}, HERE)["messages"][-1].content.startswith("¿Sigues ahí?")


def test_a_day_later_a_new_session_begins_that_remembers(tmp_path: Path) -> None:
    graph, clock = nudging(tmp_path)
    talk(graph, "hola", "Ana")
    clock.advance(timedelta(days=2))
    state = graph.invoke(wrote("hola"), HERE)
    assert state["hilo"]["session"]["before"]["kept"] == {"name": "Ana"}


# --- tables -----------------------------------------------------------------------------------------------


async def test_an_agents_tables_are_reached_from_both_kinds_of_calls_and_outlive_the_graph(tmp_path: Path) -> None:
    kiosk, saver = load_agent(ROOT / "agents" / "kiosco"), InMemorySaver()
    url = f"sqlite:///{tmp_path}/shop.db"
    graph = agent_graph(kiosk, checkpointer=saver, model="off", database=url)
    assert "2x Coca-Cola 500 ml" in talk(graph, "hola", "quiero 2 coca 500")
    again = agent_graph(kiosk, checkpointer=saver, model="off", database=url)
    state = await again.ainvoke(wrote("sacá una"), HERE)
    assert "1x Coca-Cola 500 ml" in state["messages"][-1].content
    alone = agent_graph(kiosk, checkpointer=InMemorySaver(), model="off")
    assert "2x Coca-Cola 500 ml" in talk(alone, "hola", "quiero 2 coca 500")


# --- state of another version -------------------------------------------------------------------------------


def kept_in(graph: Any, **changes: Any) -> Any:
    talk(graph, "hola")
    return {**graph.get_state(HERE).values["hilo"], **changes}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"format": 2}, r"saved by a newer version of Hilo \(format 2, and this one reads 1\): upgrade Hilo, or"),
        ({"session": {"id": "x"}}, "cannot be read; an older version of Hilo may have saved it, or somebody has chang"),
        ({"session": None}, "begin a new thread, or empty this one's state with graph.update_state"),
        ({"timers": {"a": "soon"}}, r"ValueError: Invalid isoformat string: 'soon'"),
    ],
)
def test_state_that_cannot_be_read_is_said_plainly(changes: Any, told: str) -> None:
    graph = agent_graph(LEADS, checkpointer=InMemorySaver())
    graph.update_state(HERE, {"hilo": kept_in(graph, **changes)})
    with pytest.raises(HiloError, match=told):
        graph.invoke(wrote("hola"), HERE)
    graph.update_state(HERE, {"hilo": None})
    assert "¿Cómo te llamas?" in talk(graph, "hola")


def test_a_thread_of_another_agent_is_not_gone_on_with(tmp_path: Path) -> None:
    saver = InMemorySaver()
    talk(agent_graph(LEADS, checkpointer=saver), "hola")
    (tmp_path / "agent.yaml").write_text(NUDGE, encoding="utf-8")
    with pytest.raises(HiloError, match="this thread belongs to the agent `leads`, and this is `nudge`"):
        talk(agent_graph(tmp_path, checkpointer=saver), "hola")


def test_a_thread_goes_on_with_an_edited_file_where_it_still_has_a_place(tmp_path: Path) -> None:
    graph, clock = nudging(tmp_path)
    talk(graph, "hola")
    saver = graph.checkpointer
    (tmp_path / "agent.yaml").write_text(NUDGE.replace("Listo.", "¡Gracias!"), encoding="utf-8")
    edited = agent_graph(tmp_path, checkpointer=saver, clock=clock)
    assert talk(edited, "Ana") == "¡Gracias!"


def test_a_thread_whose_place_is_gone_begins_anew_and_says_so(tmp_path: Path) -> None:
    graph, clock = nudging(tmp_path)
    talk(graph, "hola")
    other = NUDGE.replace("main:", "other:").replace("name", "surname").replace("person_surname", "person_name")
    (tmp_path / "agent.yaml").write_text(other, encoding="utf-8")
    edited = agent_graph(tmp_path, checkpointer=graph.checkpointer, clock=clock)
    notes = [each["note"] for each in edited.stream(wrote("Ana"), HERE, stream_mode="custom") if "note" in each]
    assert notes == [
        "the agent file has changed, and this thread stood where it has no place any more: a new session begins"
    ]


def test_a_graph_waits_for_nobody_else() -> None:
    with pytest.raises(HiloError, match="cannot wait for godot: it waits for `person` and `contact`"):
        agent_graph(LEADS, waits_for=["godot"])  # type: ignore[list-item]


def test_an_answer_is_an_ai_message_with_the_name_of_the_agent() -> None:
    [*_, reply] = agent_graph(LEADS).invoke(wrote("hola"))["messages"]
    assert isinstance(reply, AIMessage)
    assert (reply.name, reply.additional_kwargs["turn"]) == ("leads", 1)
