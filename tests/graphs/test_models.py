"""Chat models of LangChain: given to a graph, and reached by `provider = "langchain"`."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langgraph.checkpoint.memory import InMemorySaver

from hilo.app.models import open_model
from hilo.errors import FileProblems, HiloError
from hilo.langgraph import agent_graph
from hilo.llm.model import Message, Request, TextPart
from hilo.settings import Settings

AGENT = """\
agent: charla
language: es
model: loop
intents: {hours: {examples: [a qué hora abren, cuál es el horario], answer: hours}}
templates: {hours: "De 9 a 18."}
"""
LONG = "El faro de la isla se ve desde el puerto."
USAGE: Any = {"input_tokens": 30, "output_tokens": 5, "total_tokens": 35}
MODELS = """\
provider = "langchain"
small = "mine:small"
large = "mine:large"
{more}
[models."mine:small"]
input = 1
output = 1
cache_read = 0
cache_written = 0
[models."mine:large"]
input = 1
output = 1
cache_read = 0
cache_written = 0
"""


class Writes(BaseChatModel):
    """Says the same to everybody, word by word."""

    seen: list[Any] = []  # noqa: RUF012 -- pydantic copies it
    model: str = "mine"

    @property
    def _llm_type(self) -> str:
        return "fake"

    def _generate(self, messages: Any, *_: Any, **__: Any) -> ChatResult:
        self.seen.append(messages)
        return ChatResult(generations=[ChatGeneration(message=AIMessage(LONG, usage_metadata=USAGE))])

    async def _astream(self, messages: Any, *_: Any, **__: Any) -> AsyncIterator[ChatGenerationChunk]:
        self.seen.append(messages)
        for word in LONG.split(" "):
            yield ChatGenerationChunk(message=AIMessageChunk(content=f"{word} "))
        yield ChatGenerationChunk(message=AIMessageChunk(content="", usage_metadata=USAGE))

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        return self.bind(tools=tools, **options)


@pytest.fixture
def charla(tmp_path: Path) -> Path:
    (tmp_path / "agent.yaml").write_text(AGENT, encoding="utf-8")
    return tmp_path


async def test_a_model_of_langchain_answers_what_the_agent_cannot(charla: Path) -> None:
    model = Writes()
    graph = agent_graph(charla, model=model, checkpointer=InMemorySaver())
    here: Any = {"configurable": {"thread_id": "t"}}
    state = await graph.ainvoke({"messages": [HumanMessage("háblame del faro")]}, here)
    reply = state["messages"][-1]
    assert LONG in reply.content
    assert reply.usage_metadata == USAGE
    await graph.ainvoke({"messages": [HumanMessage("y cuéntame algo más de él")]}, here)
    told = [message.content for message in model.seen[-1]]
    assert "háblame del faro" in str(told)  # what was said before is read from the thread's messages


async def test_drafts_are_streamed_apart_and_only_what_is_said_is_a_message(charla: Path) -> None:
    graph, drafts, messages = agent_graph(charla, model=Writes()), [], []
    start = {"messages": [HumanMessage("háblame del faro")]}
    async for mode, piece in graph.astream(start, stream_mode=["messages", "custom"]):
        if mode == "messages":
            messages.append(piece[0].content)
        elif "draft" in piece:
            drafts.append(piece["draft"])
    assert len(drafts) > 3
    assert LONG.startswith(drafts[0].strip())
    assert len(messages) == 1
    assert LONG in messages[0]


async def test_a_turn_with_a_model_is_traced_node_by_node(charla: Path) -> None:
    events = agent_graph(charla, model=Writes()).astream_events(
        {"messages": [HumanMessage("háblame del faro")]}, version="v2"
    )
    traced = [event["name"] async for event in events if event["event"] == "on_chain_start"]
    assert {"turn of charla", "ask_model", "decide"} <= set(traced)


def test_a_model_must_be_one(charla: Path) -> None:
    with pytest.raises(HiloError, match="`model` is a chat model of LangChain, two of them"):
        agent_graph(charla, model="gpt")


# --- by the setting ---------------------------------------------------------------------------------------


def opened(folder: Path, more: str) -> Any:
    (folder / "models.toml").write_text(MODELS.format(more=more), encoding="utf-8")
    return open_model(Settings(folder, models_file=folder / "models.toml"))


@pytest.fixture
def mine(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType("mine_for_tests")
    vars(module).update(make=lambda name: Writes(model=name), nothing=lambda _name: 7, breaks=lambda _name: 1 / 0)
    monkeypatch.setitem(sys.modules, "mine_for_tests", module)
    return module


@pytest.mark.usefixtures("mine")
async def test_the_setting_reaches_the_adapter(tmp_path: Path) -> None:
    configured = opened(tmp_path, 'chat_model = "mine_for_tests:make"')
    reply = await configured.model.complete(Request((Message("user", (TextPart("hola"),)),)))
    assert reply.text.strip() == LONG
    assert (configured.configuration.provider, configured.configuration.small) == ("langchain", "mine:small")


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("", r"the model mine:small needs langchain, which is not installed: pip install langchain, and the package"),
        ('chat_model = "no_such_module:make"', "needs no_such_module, which is not installed: `chat_model` in the mo"),
        (
            'chat_model = "mine_for_tests:nothing"',
            "mine_for_tests:nothing made 7 of mine:small, which is no chat model",
        ),
        ('chat_model = "mine_for_tests:breaks"', "made no model mine:small: ZeroDivisionError"),
        ('chat_model = "mine_for_tests:absent"', "made no model mine:small: AttributeError"),
    ],
)
def test_a_model_that_cannot_be_made_is_said_plainly(tmp_path: Path, more: str, told: str) -> None:
    with pytest.raises(HiloError, match=told):
        opened(tmp_path, more)


def test_what_makes_models_is_named_as_a_function(tmp_path: Path) -> None:
    with pytest.raises(FileProblems, match=r"models.toml:4:1: chat_model must be `module:function`, such as my_models"):
        opened(tmp_path, 'chat_model = "make"')
