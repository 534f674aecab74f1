"""What an OpenAI-compatible server answers, as a reply; a stream is put together to the same JSON first."""

from collections.abc import Mapping
from typing import Any

from hilo.llm.failures import refused
from hilo.llm.model import ModelError, ModelReply, Opaque, Request, Spent, Stop, TextPart
from hilo.llm.replies import Proposed, cut_off, finished
from hilo.llm.untrusted import LONGEST_TEXT, MOST_PARTS, Json, a_count, a_text, an_object, broken, objects, parsed

_STOPS: Mapping[str, Stop] = {
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "length": "max_tokens",
    "content_filter": "refusal",
}
_DONE = "[DONE]"


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
    said: list[TextPart | Proposed | Opaque] = (
        [TextPart(text)] if (text := a_text(message.get("content")) or refusal) else []
    )
    said += map(_proposed, objects(message.get("tool_calls")))
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
        calls = [
            {"id": call["id"], "function": {"name": call["name"], "arguments": "".join(call["arguments"])}}
            for _, call in sorted(self._calls.items())
        ]
        message = {**{name: "".join(texts) for name, texts in self._texts.items()}, "tool_calls": calls}
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


def _proposed(call: Json) -> Proposed:
    function = an_object(call.get("function"), "a function")
    return Proposed(a_text(call.get("id")), a_text(function.get("name")), function.get("arguments", ""))


def _spent(usage: Any) -> Spent | None:
    """Here the cached tokens are part of the prompt's; nothing is said of writing them."""
    if not isinstance(usage, dict) or "prompt_tokens" not in usage:
        return None
    details = usage.get("prompt_tokens_details")
    prompt = a_count(usage["prompt_tokens"])
    cached = min(prompt, a_count(details.get("cached_tokens")) if isinstance(details, dict) else 0)
    return Spent(prompt - cached, a_count(usage.get("completion_tokens")), cached)
