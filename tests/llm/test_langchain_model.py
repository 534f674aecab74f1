"""LangChain chat models of our own making behind the port."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from langchain_core.exceptions import ModelConnectionError, ModelRateLimitError
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import RunnableLambda

from hilo.llm.langchain import LangChainModel
from hilo.llm.model import Message, ModelError, ModelReply, Offer, Request, Spent, TextPart, ToolUse, ToolUseResult
from hilo.llm.untrusted import LONGEST_TEXT

USAGE: Any = {
    "input_tokens": 30,
    "output_tokens": 5,
    "total_tokens": 35,
    "input_token_details": {"cache_read": 10, "cache_creation": 8},
}
SPENT = Spent(12, 5, 10, 8)
HORA = Offer("hora", "La hora", {"type": "object", "properties": {"zona": {"type": "string"}}})
CALL: Any = {"id": "c1", "name": "hora", "args": {"zona": "Asia/Tokyo"}, "type": "tool_call"}


class FakeChat(BaseChatModel):
    """Answers with what it is given, or raises it."""

    answer: Any
    seen: list[list[BaseMessage]] = []  # noqa: RUF012 -- pydantic copies it
    options: list[dict[str, Any]] = []  # noqa: RUF012
    seconds: float = 0
    filled: Any = None

    @property
    def _llm_type(self) -> str:
        return "fake"

    def _generate(self, *_: Any, **__: Any) -> ChatResult:
        raise NotImplementedError

    async def _agenerate(self, messages: list[BaseMessage], *_: Any, **options: Any) -> ChatResult:
        self.note(messages, options)
        await asyncio.sleep(self.seconds)
        return ChatResult(generations=[ChatGeneration(message=self.answer)])

    async def _astream(
        self, messages: list[BaseMessage], *_: Any, **options: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        self.note(messages, options)
        for word in str(self.answer.content).split(" "):
            await asyncio.sleep(self.seconds)
            yield ChatGenerationChunk(message=AIMessageChunk(content=f"{word} "))
        calls: Any = [
            {"name": c["name"], "args": '{"zona": "Asia/Tokyo"}', "id": c["id"], "index": 0}
            for c in self.answer.tool_calls
        ]
        last = AIMessageChunk(content="", tool_call_chunks=calls, usage_metadata=self.answer.usage_metadata)
        yield ChatGenerationChunk(message=last)

    def note(self, messages: list[BaseMessage], options: dict[str, Any]) -> None:
        self.seen.append(messages)
        self.options.append(options)
        if isinstance(self.answer, Exception):
            raise self.answer

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        return self.bind(tools=tools, **options)

    def with_structured_output(self, schema: Any, *, include_raw: bool = False, **_: Any) -> Any:
        assert include_raw
        assert schema["title"]
        return self | RunnableLambda(lambda raw: {"raw": raw, "parsed": self.filled, "parsing_error": None})


def request(**fields: Any) -> Request:
    return Request((Message("user", (TextPart("hola"),)),), **fields)


def model_of(answer: Any, **fields: Any) -> tuple[LangChainModel, FakeChat]:
    chat = FakeChat(answer=answer, **fields)
    return LangChainModel(chat, chat), chat


async def test_words_come_whole_and_in_pieces() -> None:
    model, chat = model_of(AIMessage("Hola, Ana", usage_metadata=USAGE))
    assert await model.complete(request(system="Eres amable", max_tokens=7)) == ModelReply(
        (TextPart("Hola, Ana"),), "end", SPENT
    )
    assert [each.type for each in chat.seen[0]] == ["system", "human"]
    assert chat.options[0]["max_tokens"] == 7
    *pieces, reply = [piece async for piece in model.stream(request())]
    assert pieces == ["Hola, ", "Ana "]
    assert reply == ModelReply((TextPart("Hola, Ana "),), "end", SPENT)


async def test_tools_are_offered_and_proposed() -> None:
    model, chat = model_of(AIMessage("", tool_calls=[CALL], usage_metadata=USAGE))
    reply = await model.complete(request(tools=(HORA,)))
    assert reply == ModelReply((ToolUse("c1", "hora", {"zona": "Asia/Tokyo"}),), "tool_use", SPENT)
    assert chat.options[0]["tools"][0]["function"]["name"] == "hora"
    *_, streamed = [piece async for piece in model.stream(request(tools=(HORA,)))]
    assert isinstance(streamed, ModelReply)
    assert streamed.tool_uses == reply.tool_uses


async def test_a_tool_loop_is_written_in_langchains_words() -> None:
    model, chat = model_of(AIMessage("ya"))
    use = ToolUse("c1", "hora", {"zona": "Asia/Tokyo"})
    turn = (
        *request().messages,
        Message("assistant", (use,)),
        Message("user", (ToolUseResult("c1", "no", failed=True),)),
    )
    reply = await model.complete(Request(turn, tools=(HORA,)))
    assert reply.spent.estimated
    [_, said, result] = chat.seen[0]
    assert isinstance(said, AIMessage)
    assert said.tool_calls == [CALL]
    assert (result.type, getattr(result, "status", "")) == ("tool", "error")


async def test_garbage_instead_of_arguments_is_a_broken_reply() -> None:
    invalid: Any = {"id": "c1", "name": "hora", "args": '{"zo', "error": "x", "type": "invalid_tool_call"}
    model, _ = model_of(AIMessage("", invalid_tool_calls=[invalid], usage_metadata=USAGE))
    with pytest.raises(ModelError, match="broken_reply") as raised:
        await model.complete(request())
    assert raised.value.spent == SPENT


async def test_a_structured_reply_is_a_value_or_broken() -> None:
    raw = AIMessage("", tool_calls=[CALL], usage_metadata=USAGE, response_metadata={"stop_reason": "tool_use"})
    model, _ = model_of(raw, filled={"intent": "saludo"})
    reply = await model.complete(request(output={"type": "object"}))
    assert (reply.value, reply.spent, reply.stop) == ({"intent": "saludo"}, SPENT, "end")
    assert [piece async for piece in model.stream(request(output={"type": "object"}))] == [reply]
    model, _ = model_of(raw)
    with pytest.raises(ModelError, match="broken_reply"):
        await model.complete(request(output={"type": "object"}))
    model, _ = model_of(AIMessage("no", response_metadata={"finish_reason": "length"}))
    assert (await model.complete(request(output={"type": "object"}))).stop == "max_tokens"


async def test_blocks_are_read_for_their_texts() -> None:
    blocks: Any = [{"type": "thinking", "thinking": "mmm"}, {"type": "text", "text": "Hola"}, " Ana"]
    model, _ = model_of(AIMessage(blocks))
    assert (await model.complete(request())).text == "Hola Ana"


class Refusing(Exception):  # noqa: N818
    status_code = 429
    body = {"error": {"code": "insufficient_quota", "message": "no money"}}  # noqa: RUF012


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ModelRateLimitError("x"), "rate_limited"),
        (ModelConnectionError("x"), "unreachable"),
        (Refusing(), "spend_limit"),
        (TimeoutError(), "timeout"),
        (ConnectionResetError(), "unreachable"),
        (KeyError("choices"), "broken_reply"),
    ],
)
async def test_errors_have_their_kinds(error: Exception, kind: str) -> None:
    model, _ = model_of(error)
    with pytest.raises(ModelError) as whole:
        await model.complete(request())
    with pytest.raises(ModelError) as streamed:
        [piece async for piece in model.stream(request())]
    assert (whole.value.kind, streamed.value.kind) == (kind, kind)


async def test_slow_answers_and_endless_ones_end() -> None:
    model, _ = model_of(AIMessage("muy muy despacio"), seconds=0.1)
    with pytest.raises(ModelError, match="timeout"):
        await model.complete(request(seconds=0.05))
    with pytest.raises(ModelError, match="timeout"):
        [piece async for piece in model.stream(request(seconds=0.15))]
    model, _ = model_of(AIMessage("x" * (LONGEST_TEXT + 1)))
    with pytest.raises(ModelError, match="too long"):
        await model.complete(request())
    with pytest.raises(ModelError, match="too long"):
        [piece async for piece in model.stream(request())]


async def test_tokens_are_estimated() -> None:
    model, _ = model_of(AIMessage(""))
    assert 0 < await model.count(request()) < await model.count(request(system="Eres amable. " * 100))
    await model.aclose()
