"""A server that speaks Anthropic's Messages API on loopback: it answers by a script and refuses what Anthropic does."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hilo.llm.anthropic import AnthropicSettings
from hilo.llm.model import Spent
from hilo.testing.models.answers import Fails, ReceivedRequest, Says, chunks_of
from hilo.testing.models.anthropic_rules import problem_of
from hilo.testing.models.server import KEY, FakeModelServer, Json

SMALL, LARGE = "claude-small-fake", "claude-large-fake"
_STOPS = {"end": "end_turn", "tool_use": "tool_use", "max_tokens": "max_tokens", "refusal": "refusal"}
_BYTES_PER_TOKEN = 4
_REQUEST_ID = "req_011FAKE"


class FakeAnthropic(FakeModelServer):
    """Anthropic for tests and trials; use it with `async with`."""

    paths = ("/v1/messages", "/v1/messages/count_tokens")

    @property
    def settings(self) -> AnthropicSettings:
        """What our adapter needs to talk to this server."""
        return AnthropicSettings(KEY, SMALL, LARGE, self.url)

    def _last(self, body: Json) -> str:
        messages = body.get("messages")
        content = messages[-1].get("content") if isinstance(messages, list) and messages else ""
        if isinstance(content, str):
            return content
        return "\n".join(str(block.get("text", block.get("content", ""))) for block in content or ())

    def _problem(self, asked: ReceivedRequest) -> Fails | None:
        return problem_of(asked, KEY)

    def _unscripted(self, asked: ReceivedRequest) -> Json | None:
        if not asked.path.endswith("count_tokens"):
            return None
        counted = {name: asked.body.get(name) for name in ("system", "messages", "tools")}
        return {"input_tokens": len(json.dumps(counted)) // _BYTES_PER_TOKEN}

    def _whole(self, asked: ReceivedRequest, says: Says) -> Json:
        message = _message(asked, [block.whole for block in _blocks(says)])
        usage = {"usage": _usage(says.spent)} if says.spent else {}
        return {**message, "stop_reason": _STOPS[says.stopped], "stop_sequence": None, **usage}

    def _events(self, asked: ReceivedRequest, says: Says) -> list[bytes]:
        usage = {"usage": {**_usage(says.spent), "output_tokens": 1}} if says.spent else {}
        start = {**_message(asked, []), "stop_reason": None, "stop_sequence": None, **usage}
        end = {"delta": {"stop_reason": _STOPS[says.stopped], "stop_sequence": None}}
        counted = {"usage": {"output_tokens": says.spent.output}} if says.spent else {}
        return [
            _event("message_start", message=start),
            *(event for index, block in enumerate(_blocks(says)) for event in _block_events(index, block)),
            _event("message_delta", **end, **counted),
            _event("message_stop"),
        ]

    def _error(self, fails: Fails) -> Json:
        details = {"details": {"error_code": fails.code}} if fails.code else {}
        error = {"type": fails.type, "message": fails.message, **details}
        return {"type": "error", "error": error, "request_id": _REQUEST_ID}

    def _error_event(self, fails: Fails) -> bytes:
        return _event("error", error={"type": fails.type, "message": fails.message})


@dataclass(frozen=True, slots=True)
class _Block:
    """A part of a reply: whole, and as a stream starts it and fills it piece by piece."""

    whole: Json
    empty: Json
    deltas: list[Json]


def _blocks(says: Says) -> Iterator[_Block]:
    if says.thinking:
        thought = {"type": "thinking", "thinking": "", "signature": "opaque-signature"}
        delta = {"type": "signature_delta", "signature": thought["signature"]}
        yield _Block(thought, {**thought, "signature": ""}, [delta])
    if says.text:
        deltas = [{"type": "text_delta", "text": each} for each in chunks_of(says.text)]
        yield _Block({"type": "text", "text": says.text}, {"type": "text", "text": ""}, deltas)
    for number, call in enumerate(says.calls, 1):
        use = {"type": "tool_use", "id": f"toolu_{number:02}FAKE", "name": call.name, "input": call.arguments}
        written = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)
        deltas = [{"type": "input_json_delta", "partial_json": each} for each in ["", *chunks_of(written)]]
        yield _Block(use, {**use, "input": {}}, deltas)


def _message(asked: ReceivedRequest, content: list[Json]) -> Json:
    about = {"id": "msg_01FAKE", "type": "message", "role": "assistant", "model": asked.body.get("model")}
    return {**about, "content": content, "stop_details": None, "container": None}


def _block_events(index: int, block: _Block) -> list[bytes]:
    """Pings may come in between."""
    return [
        _event("content_block_start", index=index, content_block=block.empty),
        *([_event("ping")] if index == 0 else []),
        *(_event("content_block_delta", index=index, delta=delta) for delta in block.deltas),
        _event("content_block_stop", index=index),
    ]


def _usage(spent: Spent | None) -> Json:
    counted = spent or Spent()
    return {
        "input_tokens": counted.input,
        "cache_creation_input_tokens": counted.cache_written,
        "cache_read_input_tokens": counted.cache_read,
        "cache_creation": {
            "ephemeral_5m_input_tokens": counted.cache_written,
            "ephemeral_1h_input_tokens": 0,
        },
        "output_tokens": counted.output,
        "service_tier": "standard",
    }


def _event(name: str, **fields: Any) -> bytes:
    return f"event: {name}\ndata: {json.dumps({'type': name, **fields})}\n\n".encode()
