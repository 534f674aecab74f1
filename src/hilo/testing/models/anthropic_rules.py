"""What Anthropic's Messages API refuses, as far as our requests could go wrong."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from hilo.testing.models.answers import UNAUTHORISED, Fails, ReceivedRequest

NEEDED = frozenset({"model", "max_tokens", "messages"})
OFFERED = frozenset({"system", "tools", "tool_choice", "thinking", "output_config", "stop_sequences", "stream"})
FIELDS = NEEDED | OFFERED | {"metadata", "service_tier", "cache_control"}
BREAKPOINTS = 4
_TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_FORCED = frozenset({"any", "tool"})


def problem_of(asked: ReceivedRequest, key: str) -> Fails | None:
    """The first thing wrong with a request, as the real API would say it."""
    given = asked.headers.get("x-api-key") or asked.headers.get("authorization", "").removeprefix("Bearer ")
    if given != key:
        return UNAUTHORISED
    message = next(_problems(asked), None)
    return Fails(400, "invalid_request_error", message) if message else None


def _problems(asked: ReceivedRequest) -> Iterator[str]:
    body = asked.body
    if not asked.headers.get("anthropic-version"):
        yield "anthropic-version: header is required"
    yield from (f"{name}: Extra inputs are not permitted" for name in body if name not in FIELDS)
    if not isinstance(body.get("model"), str):
        yield "model: Field required"
    counting = asked.path.endswith("count_tokens")
    if not counting and (not isinstance(body.get("max_tokens"), int) or body["max_tokens"] < 1):
        yield "max_tokens: Input should be greater than or equal to 1"
    if (body.get("tool_choice") or {}).get("type") in _FORCED:
        yield "tool_choice: forced tool use is not supported by this model"
    yield from _tool_problems(body.get("tools", []))
    yield from _format_problems((body.get("output_config") or {}).get("format"))
    yield from _message_problems(body.get("messages"))
    if _breakpoints(body) > BREAKPOINTS:
        yield f"A maximum of {BREAKPOINTS} blocks with cache_control may be provided."


def _tool_problems(tools: list[Mapping[str, Any]]) -> Iterator[str]:
    names = [tool.get("name", "") for tool in tools]
    if len(set(names)) < len(names):
        yield "tools: Tool names must be unique."
    for place, tool in enumerate(tools):
        if not _TOOL_NAME.fullmatch(tool.get("name", "")):
            yield f"tools.{place}.name: String should match pattern"
        if tool.get("input_schema", {}).get("type") != "object":
            yield f"tools.{place}.input_schema.type: Input should be 'object'"


def _format_problems(form: Mapping[str, Any] | None) -> Iterator[str]:
    if form is None:
        return
    if form.get("type") != "json_schema" or not isinstance(form.get("schema"), dict):
        yield "output_config.format: a json_schema with a schema is required"
    elif not _is_closed(form["schema"]):
        yield "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"


def _is_closed(schema: Any) -> bool:
    if isinstance(schema, list):
        return all(map(_is_closed, schema))
    if not isinstance(schema, dict):
        return True
    closed = schema.get("type") != "object" or schema.get("additionalProperties") is False
    return closed and all(map(_is_closed, schema.values()))


def _message_problems(messages: Any) -> Iterator[str]:
    if not isinstance(messages, list) or not messages:
        yield "messages: at least one message is required"
        return
    if messages[0].get("role") != "user":
        yield "messages: first message must use the 'user' role"
    open_calls: set[str] = set()
    for place, message in enumerate(messages):
        blocks = _blocks(message)
        yield from (f"messages.{place}.{problem}" for problem in _block_problems(message, blocks))
        answered = {block.get("tool_use_id") for block in blocks if block.get("type") == "tool_result"}
        if answered != open_calls:
            yield f"messages.{place}: tool_use ids and the tool_result blocks right after them must match"
        open_calls = {block["id"] for block in blocks if block.get("type") == "tool_use"}
    if open_calls:
        yield "messages: tool_use ids were found without tool_result blocks immediately after"


def _blocks(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    content = message.get("content")
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content or [])


def _block_problems(message: Mapping[str, Any], blocks: list[Mapping[str, Any]]) -> Iterator[str]:
    if message.get("role") not in {"user", "assistant"}:
        yield "role: Input should be 'user' or 'assistant'"
    if not blocks:
        yield "content: all messages must have non-empty content"
    for block in blocks:
        is_right, problem = _BLOCKS.get(block.get("type", ""), _ANY_BLOCK)
        if not is_right(block):
            yield f"content: {problem}"


# by type: whether a block is right, and what is said if it is not
_BLOCKS: Mapping[str, tuple[Callable[[Mapping[str, Any]], Any], str]] = {
    "text": (
        lambda block: block.get("text", "").strip(),
        "text content blocks must contain non-whitespace text",
    ),
    "thinking": (lambda block: block.get("signature"), "thinking.signature: Field required"),
    "tool_use": (
        lambda block: isinstance(block.get("input"), dict),
        "tool_use.input: Input should be a valid dictionary",
    ),
}
_ANY_BLOCK = (lambda _block: True, "")


def _breakpoints(body: Mapping[str, Any]) -> int:
    system = body.get("system", [])
    listed: Iterable[Any] = [*body.get("tools", []), *(system if isinstance(system, list) else [])]
    blocks = [block for message in body.get("messages", []) for block in _blocks(message)]
    return sum("cache_control" in each for each in [*listed, *blocks])
