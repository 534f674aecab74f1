"""Claude, through Anthropic's SDK, which is imported with the first question: that costs seconds of CPU."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, assert_never

from hilo.llm.anthropic_reading import PROVIDER, AnthropicStream, read_reply
from hilo.llm.asking import Sdk, answer_to, events_of
from hilo.llm.model import (
    Message,
    ModelError,
    ModelReply,
    Opaque,
    Part,
    Piece,
    Request,
    TextPart,
    ToolUse,
    ToolUseResult,
)
from hilo.llm.untrusted import Json, a_count, an_object, broken, clean, parsed

_CACHED = {"cache_control": {"type": "ephemeral"}}


@dataclass(frozen=True, slots=True)
class AnthropicSettings:
    """The names of the models come from here and from nowhere else."""

    api_key: str = field(repr=False)
    small: str
    large: str
    base_url: str = "https://api.anthropic.com"


class AnthropicModel:
    """Claude by tier. One attempt per question: `RetryingModel` knows when another one makes sense."""

    def __init__(self, settings: AnthropicSettings) -> None:
        self._settings = settings
        self._sdk = Sdk(lambda: _connected(settings))

    async def complete(self, request: Request) -> ModelReply:
        """The whole reply at once; structured when the request asks for it."""
        sdk, client = await self._sdk.loaded()
        call = client.messages.with_streaming_response.create(**self._body(request), timeout=request.seconds)
        return read_reply(parsed(await answer_to(call, sdk, seconds=request.seconds)), request)

    async def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        """Pieces of text as they come, and the reply as the last item."""
        sdk, client = await self._sdk.loaded()
        call = client.messages.with_streaming_response.create(
            **self._body(request), stream=True, timeout=request.seconds
        )
        reading = AnthropicStream(request)
        async with aclosing(events_of(call, sdk, seconds=request.seconds)) as events:
            async for event in events:
                if piece := reading.take(event):
                    yield piece
        yield reading.reply()

    async def count(self, request: Request) -> int:
        """As Anthropic counts, which costs a question but no tokens."""
        sdk, client = await self._sdk.loaded()
        body = {name: each for name, each in self._body(request).items() if name != "max_tokens"}
        call = client.messages.with_streaming_response.count_tokens(**body, timeout=request.seconds)
        answer = an_object(parsed(await answer_to(call, sdk, seconds=request.seconds)), "the count")
        return a_count(answer.get("input_tokens")) or broken("a count without input_tokens")

    async def aclose(self) -> None:
        """Give connections back."""
        await self._sdk.aclose()

    def _body(self, request: Request) -> Json:
        name = self._settings.small if request.tier == "small" else self._settings.large
        return {"model": name, **written(request)}


def written(request: Request) -> Json:
    """A request in Anthropic's words: never a forced tool, never a temperature; system and tools are cached."""
    body: Json = {"max_tokens": request.max_tokens, "messages": _messages(request.messages)}
    if request.system:
        body["system"] = [{"type": "text", "text": clean(request.system), **_CACHED}]
    if request.tools:
        tools: list[Json] = [
            {"name": each.name, "description": each.description, "input_schema": dict(each.schema)}
            for each in request.tools
        ]
        body["tools"] = [*tools[:-1], {**tools[-1], **_CACHED}]
    if request.output is not None:
        body["output_config"] = {"format": {"type": "json_schema", "schema": dict(request.output)}}
    return body


def _connected(settings: AnthropicSettings) -> tuple[Any, Any]:
    try:
        import anthropic  # noqa: PLC0415 -- slow, and an extra
    except ImportError:
        raise ModelError("bad_request", "its SDK is missing: pip install 'hilo[anthropic]'") from None
    client = anthropic.AsyncAnthropic(api_key=settings.api_key, base_url=settings.base_url, max_retries=0)
    assert client.messages  # noqa: S101 -- loads what the SDK itself puts off, while we are in a thread
    return anthropic, client


def _messages(messages: tuple[Message, ...]) -> list[Json]:
    written_ = [{"role": each.role, "content": _blocks(each.parts)} for each in messages]
    return [each for each in written_ if each["content"]]


def _blocks(parts: tuple[Part, ...]) -> list[Json]:
    return [block for part in parts for block in _block(part)]


def _block(part: Part) -> tuple[Json, ...]:
    match part:
        case TextPart(text):  # an empty one is refused
            return ({"type": "text", "text": clean(text)},) if text.strip() else ()
        case ToolUse(id_, name, arguments):
            return ({"type": "tool_use", "id": id_, "name": name, "input": dict(arguments)},)
        case ToolUseResult(id_, content, failed):
            return ({"type": "tool_result", "tool_use_id": id_, "content": clean(content), "is_error": failed},)
        case Opaque(provider, block):
            return (dict(block),) if provider == PROVIDER else ()
    assert_never(part)
