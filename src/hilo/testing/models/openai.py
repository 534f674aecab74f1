"""A server that speaks OpenAI's chat completions on loopback and answers by a script."""

import json
from typing import Any

from hilo.llm.model import Spent
from hilo.llm.openai import OpenAISettings
from hilo.testing.models.answers import Calls, Fails, ReceivedRequest, Says, chunks_of
from hilo.testing.models.server import KEY, FakeModelServer, Json

SMALL, LARGE = "local-small", "local-large"
_STOPS = {"end": "stop", "tool_use": "tool_calls", "max_tokens": "length", "refusal": "content_filter"}


class FakeOpenAI(FakeModelServer):
    """An OpenAI-compatible server for tests and trials; use it with `async with`."""

    paths = ("/v1/chat/completions",)

    @property
    def settings(self) -> OpenAISettings:
        """What our adapter needs to talk to this server."""
        return OpenAISettings(f"{self.url}/v1", SMALL, LARGE, KEY)

    def _last(self, body: Json) -> str:
        messages = body.get("messages") or [{}]
        return str(messages[-1].get("content") or "")

    def _problem(self, asked: ReceivedRequest) -> Fails | None:
        if asked.headers.get("authorization") != f"Bearer {KEY}":
            return Fails(401, "invalid_request_error", "Incorrect API key provided", code="invalid_api_key")
        message = _complaint(asked.body)
        return Fails(400, "invalid_request_error", message) if message else None

    def _whole(self, asked: ReceivedRequest, says: Says) -> Json:
        calls = {"tool_calls": [_call(*each) for each in enumerate(says.calls)]} if says.calls else {}
        message = {"role": "assistant", "content": says.text or None, "refusal": None, **calls}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _STOPS[says.stopped]}
        usage = {"usage": _usage(says.spent)} if says.spent else {}
        return {**_about(asked, "chat.completion"), "choices": [choice], **usage}

    def _events(self, asked: ReceivedRequest, says: Says) -> list[bytes]:
        deltas: list[Json] = [
            {"role": "assistant", "content": ""},
            *({"content": each} for each in chunks_of(says.text)),
            *({"tool_calls": [each]} for place, call in enumerate(says.calls) for each in _call_pieces(place, call)),
        ]
        wants_usage = (asked.body.get("stream_options") or {}).get("include_usage") and says.spent
        return [
            *(_event(asked, [_choice(delta)]) for delta in deltas),
            _event(asked, [_choice({}, _STOPS[says.stopped])]),
            *([_event(asked, [], usage=_usage(says.spent))] if wants_usage else []),
            b"data: [DONE]\n\n",
        ]

    def _error(self, fails: Fails) -> Json:
        return {"error": {"message": fails.message, "type": fails.type, "param": None, "code": fails.code or None}}

    def _error_event(self, fails: Fails) -> bytes:
        return f"data: {json.dumps(self._error(fails))}\n\n".encode()


def _complaint(body: Any) -> str:
    if not isinstance(body.get("model"), str):
        return "you must provide a model parameter"
    if not body.get("messages"):
        return "[] is too short - 'messages'"
    asked: set[str] = set()
    answered: set[str] = set()
    for message in body["messages"]:
        asked |= {call["id"] for call in message.get("tool_calls") or ()}
        if message["role"] == "tool":
            answered.add(message["tool_call_id"])
    if asked != answered:
        return "tool_calls must be followed by tool messages responding to each tool_call_id"
    return ""


def _about(asked: ReceivedRequest, kind: str) -> Json:
    return {"id": "chatcmpl-FAKE", "object": kind, "created": 1_790_000_000, "model": asked.body.get("model")}


def _event(asked: ReceivedRequest, choices: list[Json], **fields: Any) -> bytes:
    body = {**_about(asked, "chat.completion.chunk"), "choices": choices, **fields}
    return f"data: {json.dumps(body)}\n\n".encode()


def _choice(delta: Json, stop: str | None = None) -> Json:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": stop}


def _call(place: int, call: Calls) -> Json:
    written = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)
    return {"id": f"call_FAKE{place}", "type": "function", "function": {"name": call.name, "arguments": written}}


def _call_pieces(place: int, call: Calls) -> list[Json]:
    whole = _call(place, call)
    first = {**whole, "index": place, "function": {"name": call.name, "arguments": ""}}
    pieces = chunks_of(whole["function"]["arguments"])
    return [first, *({"index": place, "function": {"arguments": each}} for each in pieces)]


def _usage(spent: Spent | None) -> Json:
    counted = spent or Spent()
    prompt = counted.input + counted.cache_read + counted.cache_written
    return {
        "prompt_tokens": prompt,
        "completion_tokens": counted.output,
        "total_tokens": prompt + counted.output,
        "prompt_tokens_details": {"cached_tokens": counted.cache_read},
    }
