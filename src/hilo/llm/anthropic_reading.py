"""What Claude answers, as a reply; a stream is put together to the same JSON first."""

from collections.abc import Mapping
from typing import Any

from hilo.llm.failures import refused
from hilo.llm.model import ModelError, ModelReply, Opaque, Request, Spent, Stop, TextPart
from hilo.llm.replies import Proposed, cut_off, finished
from hilo.llm.untrusted import LONGEST_TEXT, MOST_PARTS, Json, a_count, a_text, an_object, broken, objects, parsed

PROVIDER = "anthropic"
_STOPS: Mapping[str, Stop] = {
    "tool_use": "tool_use",
    "max_tokens": "max_tokens",
    "model_context_window_exceeded": "max_tokens",
    "refusal": "refusal",
}  # whatever else there is, or will be: the model has ended
_KEPT = frozenset({"thinking", "redacted_thinking"})
_STREAMED = {"text_delta": "text", "input_json_delta": "partial_json", "thinking_delta": "thinking"}
_OPEN = {"text": "text", "tool_use": "input", "thinking": "thinking"}  # the field that deltas of a block go to


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
        content = [_put_together(block, deltas) for block, deltas in zip(self._blocks, self._deltas, strict=True)]
        return read_reply({"content": content, "stop_reason": self._stop, "usage": self._usage}, self._request)

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


def _put_together(block: Json, deltas: list[str]) -> Json:
    field = _OPEN.get(a_text(block.get("type")))
    streamed = "".join(deltas)
    return {**block, field: streamed} if field and streamed else block


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
