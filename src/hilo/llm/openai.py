"""OpenAI's chat completions and the many servers that speak them, local ones too, through the openai SDK."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Literal

from hilo.llm.asking import Sdk, answer_to, events_of
from hilo.llm.estimate import estimated_input
from hilo.llm.model import Message, ModelError, ModelReply, Piece, Request, TextPart, ToolUse, ToolUseResult
from hilo.llm.openai_reading import OpenAIStream, read_reply
from hilo.llm.untrusted import Json, clean, parsed

_NO_KEY = "none"  # the SDK insists on one, local servers do not look


@dataclass(frozen=True, slots=True)
class OpenAISettings:
    """Where the server is and what its models are called; older servers know `max_tokens` only."""

    base_url: str
    small: str
    large: str
    api_key: str = field(default="", repr=False)
    limit_field: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"


class OpenAIModel:
    """The models of one server by tier. One attempt per question: `RetryingModel` knows when another makes sense."""

    def __init__(self, settings: OpenAISettings) -> None:
        self._settings = settings
        self._sdk = Sdk(lambda: _connected(settings))

    async def complete(self, request: Request) -> ModelReply:
        """The whole reply at once; structured when the request asks for it."""
        sdk, client = await self._sdk.loaded()
        call = client.chat.completions.with_streaming_response.create(**self._body(request), timeout=request.seconds)
        return read_reply(parsed(await answer_to(call, sdk, seconds=request.seconds)), request)

    async def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        """Pieces of text as they come, and the reply as the last item."""
        sdk, client = await self._sdk.loaded()
        body = {**self._body(request), "stream": True, "stream_options": {"include_usage": True}}
        call = client.chat.completions.with_streaming_response.create(**body, timeout=request.seconds)
        reading = OpenAIStream(request)
        async with aclosing(events_of(call, sdk, seconds=request.seconds)) as events:
            async for event in events:
                if piece := reading.take(event):
                    yield piece
        yield reading.reply()

    async def count(self, request: Request) -> int:
        """Estimated: the protocol has no way to ask."""
        return estimated_input(request)

    async def aclose(self) -> None:
        """Give connections back."""
        await self._sdk.aclose()

    def _body(self, request: Request) -> Json:
        name = self._settings.small if request.tier == "small" else self._settings.large
        return {"model": name, self._settings.limit_field: request.max_tokens, **written(request)}


def written(request: Request) -> Json:
    """A request in OpenAI's words, but for the model and the limit."""
    system = [{"role": "system", "content": clean(request.system)}] if request.system else []
    body: Json = {"messages": [*system, *(each for message in request.messages for each in _messages(message))]}
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": each.name, "description": each.description, "parameters": dict(each.schema)},
            }
            for each in request.tools
        ]
    if request.output is not None:
        form = {"name": "reply", "schema": dict(request.output), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    return body


def _connected(settings: OpenAISettings) -> tuple[Any, Any]:
    try:
        import openai  # noqa: PLC0415 -- slow, and an extra
    except ImportError:
        raise ModelError("bad_request", "its SDK is missing: pip install 'hilo[openai]'") from None
    key = settings.api_key or _NO_KEY
    client = openai.AsyncOpenAI(api_key=key, base_url=settings.base_url, max_retries=0)
    assert client.chat.completions  # noqa: S101 -- loads what the SDK itself puts off, while we are in a thread
    return openai, client


def _messages(message: Message) -> list[Json]:
    """Tool results are messages of their own, and come before what else the same side said."""
    results = [
        {"role": "tool", "tool_call_id": part.id, "content": _result(part)}
        for part in message.parts
        if isinstance(part, ToolUseResult)
    ]
    text = clean("\n".join(part.text for part in message.parts if isinstance(part, TextPart)))
    calls = [_call(part) for part in message.parts if isinstance(part, ToolUse)]
    said: Json = {"role": message.role, "content": text}
    if calls:
        said |= {"content": text or None, "tool_calls": calls}
    return [*results, said] if text or calls else results


def _result(result: ToolUseResult) -> str:
    """The protocol has no mark for a failure, so the words say it."""
    return clean(f"error: {result.content}" if result.failed else result.content)


def _call(use: ToolUse) -> Json:
    arguments = json.dumps(use.arguments, ensure_ascii=False)
    return {"id": use.id, "type": "function", "function": {"name": use.name, "arguments": arguments}}
