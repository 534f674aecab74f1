"""OpenAI's chat completions and the many servers that speak them, local ones too, through the openai SDK."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Literal

from hilo.errors import install
from hilo.llm.asking import Sdk, answer_to, events_of, refused
from hilo.llm.model import (
    Message,
    ModelError,
    ModelReply,
    Piece,
    Request,
    Spent,
    Stop,
    TextPart,
    ToolUse,
    ToolUseResult,
)
from hilo.llm.prices import estimated_input
from hilo.llm.untrusted import (
    LONGEST_TEXT,
    MOST_PARTS,
    Json,
    Proposed,
    Said,
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

_STOPS: Mapping[str, Stop] = {
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "length": "max_tokens",
    "content_filter": "refusal",
}
_DONE = "[DONE]"
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
        call = client.chat.completions.with_streaming_response.create(**self._body(request))
        return read_reply(parsed(await answer_to(call, sdk, seconds=request.seconds)), request)

    async def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        """Pieces of text as they come, and the reply as the last item."""
        sdk, client = await self._sdk.loaded()
        body = {**self._body(request), "stream": True, "stream_options": {"include_usage": True}}
        call = client.chat.completions.with_streaming_response.create(**body)
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
        limits = {self._settings.limit_field: request.max_tokens, "timeout": request.seconds}
        return {"model": name, **limits, **written(request)}


def written(request: Request) -> Json:
    """A request in OpenAI's words, but for the model and the limit."""
    messages: list[Json] = []
    if request.system:
        messages.append({"role": "system", "content": clean(request.system)})
    for message in request.messages:
        messages += _messages(message)
    body: Json = {"messages": messages}
    if request.tools:
        body["tools"] = functions(request)
    if request.output is not None:
        form = {"name": "reply", "schema": dict(request.output), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    return body


def functions(request: Request) -> list[Json]:
    """The tools of a request in OpenAI's words."""
    offered: list[Json] = []
    for each in request.tools:
        told = {"name": each.name, "description": each.description, "parameters": dict(each.schema)}
        offered.append({"type": "function", "function": told})
    return offered


def _connected(settings: OpenAISettings) -> tuple[Any, Any]:
    try:
        import openai  # noqa: PLC0415 -- slow, and an extra
    except ImportError:
        raise ModelError("bad_request", f"its SDK is missing: {install('openai')}") from None
    key = settings.api_key or _NO_KEY
    client = openai.AsyncOpenAI(api_key=key, base_url=settings.base_url, max_retries=0)
    # This loads what the SDK itself puts off, while we are in a thread.
    assert client.chat.completions  # noqa: S101
    return openai, client


def _messages(message: Message) -> list[Json]:
    """Tool results are messages of their own, and come before what else the same side said."""
    results: list[Json] = []
    calls: list[Json] = []
    texts: list[str] = []
    for part in message.parts:
        match part:
            case ToolUseResult(id_, content, failed):
                # The protocol has no mark for a failure, so the words say it.
                told = clean(f"error: {content}" if failed else content)
                results.append({"role": "tool", "tool_call_id": id_, "content": told})
            case ToolUse(id_, name, arguments):
                function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
                calls.append({"id": id_, "type": "function", "function": function})
            case TextPart(text):
                texts.append(text)
    said: Json = {"role": message.role, "content": clean("\n".join(texts))}
    if calls:
        said |= {"content": said["content"] or None, "tool_calls": calls}
    return [*results, said] if said["content"] or calls else results


# --- what a server answers: a stream is put together to the same JSON first ----------------------


def read_reply(body: Any, request: Request) -> ModelReply:
    """A chat completion in JSON; only its first choice counts, since we ask for no more."""
    completion = an_object(body, "the answer")
    if completion.get("error"):
        raise refused(200, completion)
    choices = objects(completion.get("choices"))
    if not choices:
        broken("an answer without choices")
    message = an_object(choices[0].get("message"), "the message")
    stop = _STOPS.get(a_text(choices[0].get("finish_reason")), "end")
    refusal = a_text(message.get("refusal"))
    said: Said = []
    if text := a_text(message.get("content")) or refusal:
        said.append(TextPart(text))
    for call in objects(message.get("tool_calls")):
        function = an_object(call.get("function"), "a function")
        name, arguments = a_text(function.get("name")), function.get("arguments", "")
        said.append(Proposed(a_text(call.get("id")), name, arguments))
    spent = _spent(completion.get("usage"))
    return finished(said, "refusal" if refusal else stop, spent=spent, request=request)


class OpenAIStream:
    """Puts a stream together, event by event."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._texts: dict[str, list[str]] = {"content": [], "refusal": []}
        self._calls: dict[int, Json] = {}
        self._usage: Any = None
        self._stop = ""
        self._length = 0

    def take(self, payload: str) -> str:
        """One event; the piece of text in it, if any."""
        if payload == _DONE:
            return ""
        try:
            return self._take(an_object(parsed(payload), "an event"))
        except ModelError as error:
            raise error.costing_also(_spent(self._usage) or Spent()) from None

    def reply(self) -> ModelReply:
        """The reply, once the stream has ended; one without a reason to stop was cut off."""
        if not self._stop:
            raise cut_off(_spent(self._usage))
        message: Json = {name: "".join(texts) for name, texts in self._texts.items()}
        message["tool_calls"] = []
        for _, call in sorted(self._calls.items()):
            function = {"name": call["name"], "arguments": "".join(call["arguments"])}
            message["tool_calls"].append({"id": call["id"], "function": function})
        choice = {"message": message, "finish_reason": self._stop}
        return read_reply({"choices": [choice], "usage": self._usage}, self._request)

    def _take(self, event: Json) -> str:
        if event.get("error"):
            raise refused(200, event)
        self._usage = event.get("usage") or self._usage
        choices = objects(event.get("choices"))
        if not choices:
            return ""
        self._stop = a_text(choices[0].get("finish_reason")) or self._stop
        delta = choices[0].get("delta")
        return self._add(delta) if isinstance(delta, dict) else ""

    def _add(self, delta: Json) -> str:
        text = a_text(delta.get("content"))
        for name, texts in self._texts.items():
            texts.append(self._bounded(a_text(delta.get(name))))
        for call in objects(delta.get("tool_calls")):
            self._add_call(call)
        return text

    def _add_call(self, delta: Json) -> None:
        index = delta.get("index", len(self._calls))
        if not isinstance(index, int) or len(self._calls) >= MOST_PARTS:
            broken("tool calls without order or end")
        call = self._calls.setdefault(index, {"id": "", "name": "", "arguments": []})
        function = an_object(delta.get("function", {}), "a function")
        call["id"] = call["id"] or a_text(delta.get("id"))
        call["name"] = call["name"] or a_text(function.get("name"))
        call["arguments"].append(self._bounded(a_text(function.get("arguments"))))

    def _bounded(self, text: str) -> str:
        self._length += len(text)
        return text if self._length <= LONGEST_TEXT else broken("the reply is too long")


def _spent(usage: Any) -> Spent | None:
    """Here the cached tokens are part of the prompt's; nothing is said of writing them."""
    if not isinstance(usage, dict) or "prompt_tokens" not in usage:
        return None
    details = usage.get("prompt_tokens_details")
    prompt = a_count(usage["prompt_tokens"])
    cached = min(prompt, a_count(details.get("cached_tokens")) if isinstance(details, dict) else 0)
    return Spent(prompt - cached, a_count(usage.get("completion_tokens")), cached)
