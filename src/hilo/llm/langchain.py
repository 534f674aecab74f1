"""Any LangChain chat model behind the port; LangChain is imported with the first question."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import replace
from importlib import import_module
from typing import Any

from hilo.errors import HiloError
from hilo.llm.asking import next_by, refused
from hilo.llm.model import (
    ErrorKind,
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
from hilo.llm.openai import functions
from hilo.llm.prices import estimated_input
from hilo.llm.untrusted import (
    LONGEST_TEXT,
    MOST_PARTS,
    Proposed,
    Said,
    a_count,
    a_text,
    an_object,
    broken,
    clean,
    finished,
)

# What a model writes is a proposal: within somebody's graph it is traced, and not streamed as a message.
UNHEARD = ["nostream"]
_STOPS: Mapping[str, Stop] = {
    "length": "max_tokens",
    "max_tokens": "max_tokens",
    "refusal": "refusal",
    "content_filter": "refusal",
}
_KINDS: Mapping[str, ErrorKind] = {
    "ModelAuthenticationError": "unauthorised",
    "ModelPermissionDeniedError": "unauthorised",
    "ModelInvalidRequestError": "bad_request",
    "ModelNotFoundError": "bad_request",
    "ContextOverflowError": "bad_request",
    "ModelRateLimitError": "rate_limited",
    "ModelAPIError": "overloaded",
    "ModelConnectionError": "unreachable",
    "ModelTimeoutError": "timeout",
}


def chat_model(maker: str, name: str) -> Any:
    """The chat model of this name, by the function that `module:function` names; raises HiloError where there is none.

    LangChain's own function is in the package `langchain`, which we do not need for anything else.
    """
    module, _, function = maker.partition(":")
    try:
        made = getattr(import_module(module), function)(name)
    except ModuleNotFoundError as error:
        what = error.name or module
        hint = "pip install langchain, and the package of your provider" if what.startswith("langchain") else ""
        hint = hint or "`chat_model` in the models file names it as module:function"
        raise HiloError(f"the model {name} needs {what}, which is not installed: {hint}") from None
    except Exception as error:
        raise HiloError(f"{maker} made no model {name}: {type(error).__name__}: {error}") from error
    if not hasattr(made, "ainvoke") or not hasattr(made, "with_structured_output"):
        raise HiloError(f"{maker} made {made!r:.100} of {name}, which is no chat model of LangChain")
    return made


class LangChainModel:
    """A LangChain chat model per tier; its own retries should be off.

    LangChain has no way to limit a structured reply by request: set the limit of such replies in the models themselves.
    """

    def __init__(self, small: Any, large: Any) -> None:
        self._small = small
        self._large = large

    async def complete(self, request: Request) -> ModelReply:
        """The whole reply at once; structured when the request asks for it."""
        try:
            async with asyncio.timeout(request.seconds):
                answer = await self._runnable(request).ainvoke(written(request))
        except Exception as error:
            raise failure_of(error) from error
        read = read_reply if request.output is None else _structured
        return read(answer, request)

    async def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        """Pieces of text as they come, and the reply as the last item; a structured one comes in one piece."""
        if request.output is not None:
            reply = await self.complete(request)
            yield reply
            return
        answer: Any = None
        async with aclosing(self._chunks(request)) as chunks:
            async for chunk in chunks:
                answer = chunk if answer is None else answer + chunk
                if piece := _text(chunk):
                    yield piece
        yield read_reply(answer, request)

    async def count(self, request: Request) -> int:
        """Estimated: what LangChain counts with differs from model to model and may go out to the network."""
        return estimated_input(request)

    async def aclose(self) -> None:
        """LangChain keeps the connections itself."""

    def _runnable(self, request: Request) -> Any:
        model = self._small if request.tier == "small" else self._large
        if request.output is not None:
            model = model.with_structured_output({"title": "reply", **request.output}, include_raw=True)
            return model.with_config(tags=UNHEARD)
        if request.tools:
            model = model.bind_tools(functions(request))
        return model.bind(max_tokens=request.max_tokens).with_config(tags=UNHEARD)

    async def _chunks(self, request: Request) -> AsyncGenerator[Any, None]:
        """The seconds count for all chunks together."""
        deadline = asyncio.get_running_loop().time() + request.seconds
        length = 0
        try:
            chunks = self._runnable(request).astream(written(request))
            async with aclosing(chunks):
                while (chunk := await next_by(chunks, deadline)) is not None:
                    length += len(_text(chunk))
                    yield chunk if length <= LONGEST_TEXT else broken("the reply is too long")
        except ModelError:
            raise
        except Exception as error:
            raise failure_of(error) from error


def written(request: Request) -> list[Any]:
    """A request as LangChain's messages."""
    from langchain_core.messages import SystemMessage  # noqa: PLC0415 -- slow

    system = [SystemMessage(clean(request.system))] if request.system else []
    return [*system, *(each for message in request.messages for each in _messages(message))]


def read_reply(answer: Any, request: Request) -> ModelReply:
    """An AIMessage; its content is a text, or blocks of which only the texts concern us."""
    if getattr(answer, "type", "") not in {"ai", "AIMessageChunk"}:
        broken("the answer is no message")
    said: Said = [TextPart(text)] if (text := _text(answer)) else []
    calls = list(answer.tool_calls)
    calls += [{**each, "args": each["args"] or ""} for each in answer.invalid_tool_calls]
    if len(calls) > MOST_PARTS:
        broken(f"{len(calls)} parts in one reply")
    said += [Proposed(a_text(each["id"]), a_text(each["name"]), each["args"]) for each in calls]
    spent = _spent(answer.usage_metadata)
    return finished(said, _stop(answer), spent=spent, request=replace(request, output=None))


def failure_of(error: Exception) -> ModelError:
    """LangChain's own errors by their names; those of an integration by the status that most of them carry."""
    if isinstance(error, TimeoutError):
        return ModelError("timeout", "no answer in time")
    names = [each.__name__ for each in type(error).__mro__]
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        response = getattr(error, "response", None)
        return refused(status, getattr(error, "body", None), getattr(response, "headers", None))
    if known := next((_KINDS[name] for name in names if name in _KINDS), None):
        return ModelError(known, type(error).__name__)
    if any("Timeout" in name for name in names):
        return ModelError("timeout", "no answer in time")
    if isinstance(error, OSError) or any("Connect" in name for name in names):
        return ModelError("unreachable", type(error).__name__)
    return ModelError("broken_reply", type(error).__name__)


def _structured(answer: Any, request: Request) -> ModelReply:
    """With tools, forms or plain JSON: how a model was made to fill the schema is LangChain's affair."""
    got = an_object(answer, "the structured answer")
    raw = got.get("raw")
    stop, spent = _stop(raw), _spent(getattr(raw, "usage_metadata", None))
    reply = finished([], stop, spent=spent, request=replace(request, output=None))
    if stop != "end":
        return reply
    if got.get("parsed") is None:
        raise ModelError("broken_reply", "no JSON of the schema", spent=reply.spent)
    return replace(reply, value=got["parsed"])


def _messages(message: Message) -> list[Any]:
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage  # noqa: PLC0415 -- slow

    results = [
        ToolMessage(clean(part.content), tool_call_id=part.id, status="error" if part.failed else "success")
        for part in message.parts
        if isinstance(part, ToolUseResult)
    ]
    texts = [part.text for part in message.parts if isinstance(part, TextPart)]
    text = clean("\n".join(filter(None, texts)))
    if message.role == "user":
        return [*results, HumanMessage(text)] if text else results
    calls = [
        {"id": part.id, "name": part.name, "args": dict(part.arguments)}
        for part in message.parts
        if isinstance(part, ToolUse)
    ]
    return [AIMessage(text, tool_calls=calls)]


def _text(message: Any) -> str:
    content = message.content
    if isinstance(content, str):
        return clean(content)
    blocks = [each if isinstance(each, dict) else {"type": "text", "text": each} for each in content]
    return clean("".join(a_text(each.get("text")) for each in blocks if each.get("type") == "text"))


def _stop(message: Any) -> Stop:
    said = getattr(message, "response_metadata", None) or {}
    return _STOPS.get(a_text(said.get("stop_reason")) or a_text(said.get("finish_reason")), "end")


def _spent(usage: Any) -> Spent | None:
    """LangChain's input includes what was cached."""
    if not isinstance(usage, dict) or "input_tokens" not in usage:
        return None
    details = usage.get("input_token_details") or {}
    read, made = a_count(details.get("cache_read")), a_count(details.get("cache_creation"))
    rest = max(a_count(usage["input_tokens"]) - read - made, 0)
    return Spent(rest, a_count(usage.get("output_tokens")), read, made)
