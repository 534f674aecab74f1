"""Claude, through Anthropic's SDK, which is imported with the first question: that costs seconds of CPU."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, assert_never

from hilo.errors import install
from hilo.llm.asking import Sdk, answer_to, events_of, refused
from hilo.llm.model import (
    Message,
    ModelError,
    ModelReply,
    Opaque,
    Part,
    Piece,
    Request,
    Spent,
    Stop,
    TextPart,
    ToolUse,
    ToolUseResult,
)
from hilo.llm.untrusted import (
    LONGEST_TEXT,
    MOST_PARTS,
    Json,
    Proposed,
    a_count,
    a_text,
    an_object,
    broken,
    clean,
    cut_off,
    finished,
    objects,
    parsed,
)

PROVIDER = "anthropic"
_STOPS: Mapping[str, Stop] = {
    "tool_use": "tool_use",
    "max_tokens": "max_tokens",
    "model_context_window_exceeded": "max_tokens",
    "refusal": "refusal",
}  # whatever else there is, or will be: the model has ended
_KEPT = frozenset({"thinking", "redacted_thinking"})
_STREAMED = {"text_delta": "text", "input_json_delta": "partial_json", "thinking_delta": "thinking"}
# The field that deltas of a block go to.
_OPEN = {"text": "text", "tool_use": "input", "thinking": "thinking"}
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
        call = client.messages.with_streaming_response.create(**self._body(request))
        return read_reply(parsed(await answer_to(call, sdk, seconds=request.seconds)), request)

    async def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        """Pieces of text as they come, and the reply as the last item."""
        sdk, client = await self._sdk.loaded()
        call = client.messages.with_streaming_response.create(**self._body(request), stream=True)
        reading = AnthropicStream(request)
        async with aclosing(events_of(call, sdk, seconds=request.seconds)) as events:
            async for event in events:
                if piece := reading.take(event):
                    yield piece
        yield reading.reply()

    async def count(self, request: Request) -> int:
        """As Anthropic counts, which costs a question but no tokens."""
        sdk, client = await self._sdk.loaded()
        body = self._body(request)
        del body["max_tokens"]  # refused where nothing is to be written
        call = client.messages.with_streaming_response.count_tokens(**body)
        answer = an_object(parsed(await answer_to(call, sdk, seconds=request.seconds)), "the count")
        return a_count(answer.get("input_tokens")) or broken("a count without input_tokens")

    async def aclose(self) -> None:
        """Give connections back."""
        await self._sdk.aclose()

    def _body(self, request: Request) -> Json:
        name = self._settings.small if request.tier == "small" else self._settings.large
        return {"model": name, "timeout": request.seconds, **written(request)}


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
        raise ModelError("bad_request", f"its SDK is missing: {install('anthropic')}") from None
    key, url = settings.api_key, settings.base_url
    client = anthropic.AsyncAnthropic(api_key=key, base_url=url, max_retries=0)
    # This loads what the SDK itself puts off, while we are in a thread.
    assert client.messages  # noqa: S101
    return anthropic, client


def _messages(messages: tuple[Message, ...]) -> list[Json]:
    written_ = []
    for message in messages:
        blocks = [block for part in message.parts for block in _block(part)]
        if blocks:  # a message without content is refused
            written_.append({"role": message.role, "content": blocks})
    return written_


def _block(part: Part) -> tuple[Json, ...]:
    match part:
        case TextPart(text):  # an empty one is refused
            return ({"type": "text", "text": clean(text)},) if text.strip() else ()
        case ToolUse(id_, name, arguments):
            return ({"type": "tool_use", "id": id_, "name": name, "input": dict(arguments)},)
        case ToolUseResult(id_, content, failed):
            told = {"tool_use_id": id_, "content": clean(content), "is_error": failed}
            return ({"type": "tool_result", **told},)
        case Opaque(provider, block):
            return (dict(block),) if provider == PROVIDER else ()
    assert_never(part)


# --- what Claude answers: a stream is put together to the same JSON first --------------------


def read_reply(body: Any, request: Request) -> ModelReply:
    """A message in JSON; blocks of unknown types are left out."""
    message = an_object(body, "the answer")
    if message.get("type") == "error":
        raise refused(200, message)
    if not isinstance(message.get("content"), list):
        broken("an answer without content")
    said = [part for block in objects(message["content"]) for part in _part(block)]
    stop = _STOPS.get(a_text(message.get("stop_reason")), "end")
    return finished(said, stop, spent=_spent(message.get("usage")), request=request)


class AnthropicStream:
    """Puts a stream together, event by event."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._blocks: list[Json] = []
        self._deltas: list[list[str]] = []
        self._usage: Json = {}
        self._stop: Any = None
        self._length = 0
        self._ended = False

    def take(self, payload: str) -> str:
        """One event; the piece of text in it, if any."""
        try:
            return self._take(an_object(parsed(payload), "an event"))
        except ModelError as error:
            raise error.costing_also(_spent(self._usage) or Spent()) from None

    def reply(self) -> ModelReply:
        """The reply, once the stream has ended; one that just stops was cut off."""
        if not self._ended:
            raise cut_off(_spent(self._usage))
        content: list[Json] = []
        for block, deltas in zip(self._blocks, self._deltas, strict=True):
            field = _OPEN.get(a_text(block.get("type")))
            streamed = "".join(deltas)
            content.append({**block, field: streamed} if field and streamed else block)
        message = {"content": content, "stop_reason": self._stop, "usage": self._usage}
        return read_reply(message, self._request)

    def _take(self, event: Json) -> str:
        match event.get("type"):
            case "message_start":
                self._count(an_object(event.get("message"), "the start").get("usage"))
            case "content_block_start":
                self._start(an_object(event.get("content_block"), "a block"))
            case "content_block_delta":
                return self._add(event.get("index"), an_object(event.get("delta"), "a delta"))
            case "message_delta":
                self._stop = an_object(event.get("delta"), "a delta").get("stop_reason")
                self._count(event.get("usage"))
            case "message_stop":
                self._ended = True
            case "error":
                raise refused(200, event)
            case _:  # pings, ends of blocks, and what is yet to be invented
                pass
        return ""

    def _count(self, usage: Any) -> None:
        """Counts are cumulative: the latest one is true."""
        if isinstance(usage, dict):
            self._usage |= {name: each for name, each in usage.items() if each is not None}

    def _start(self, block: Json) -> None:
        if len(self._blocks) == MOST_PARTS:
            broken("too many parts in one reply")
        self._blocks.append(block)
        self._deltas.append([])

    def _add(self, index: Any, delta: Json) -> str:
        if not isinstance(index, int) or not 0 <= index < len(self._blocks):
            broken("a delta of no block")
        if delta.get("type") == "signature_delta":
            self._blocks[index]["signature"] = a_text(delta.get("signature"))
            return ""
        text = a_text(delta.get(_STREAMED.get(a_text(delta.get("type")), "")))
        self._length += len(text)
        if self._length > LONGEST_TEXT:
            broken("the reply is too long")
        self._deltas[index].append(text)
        return text if delta.get("type") == "text_delta" else ""


def _part(block: Json) -> tuple[TextPart | Proposed | Opaque, ...]:
    match a_text(block.get("type")):
        case "text":
            return (TextPart(a_text(block.get("text"))),)
        case "tool_use":
            return (Proposed(a_text(block.get("id")), a_text(block.get("name")), block.get("input")),)
        case kind if kind in _KEPT:
            return (Opaque(PROVIDER, block),)
        case _:
            return ()


def _spent(usage: Any) -> Spent | None:
    if not isinstance(usage, dict) or "input_tokens" not in usage or "output_tokens" not in usage:
        return None
    return Spent(
        a_count(usage["input_tokens"]),
        a_count(usage["output_tokens"]),
        a_count(usage.get("cache_read_input_tokens")),
        a_count(usage.get("cache_creation_input_tokens")),
    )
