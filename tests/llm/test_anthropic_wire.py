"""Against the documents that Anthropic's SDK was seen to send and to take."""

import json
from pathlib import Path
from typing import Any

import pytest

from hilo.llm.anthropic import AnthropicStream, read_reply, written
from hilo.llm.asking import refused, retry_after
from hilo.llm.model import (
    Message,
    ModelError,
    ModelReply,
    Offer,
    Opaque,
    Request,
    Spent,
    TextPart,
    ToolUse,
    ToolUseResult,
)
from hilo.llm.untrusted import Events

PAYLOADS = Path(__file__).parent / "payloads"
USE = ToolUse("toolu_01FAKE00000000000000000", "get_order", {"order_id": "A-1001"})
ASK = Message("user", (TextPart("¿Dónde está mi pedido A-1001?"),))
REQUEST = Request((ASK,))


def payload(name: str) -> Any:
    return json.loads((PAYLOADS / f"{name}.json").read_text())


def streamed(name: str, portion: int) -> tuple[list[str], ModelReply]:
    content = (PAYLOADS / f"{name}.txt").read_bytes()
    events, reading, pieces = Events(), AnthropicStream(REQUEST), []
    for start in range(0, len(content), portion):
        pieces += [reading.take(each) for each in events.feed(content[start : start + portion])]
    return [piece for piece in pieces if piece], reading.reply()


def order_tool() -> Offer:
    [tool] = payload("request_tools_cached")["tools"]
    return Offer(tool["name"], tool["description"], tool["input_schema"])


def without_strict(body: Any) -> Any:
    """Our tools are not strict: there is a limit on how many may be, and the gate checks arguments anyway."""
    return [{name: value for name, value in tool.items() if name != "strict"} for tool in body["tools"]]


def test_system_and_tools_are_written_to_be_cached() -> None:
    seen = payload("request_tools_cached")
    body = written(Request((ASK,), system=seen["system"][0]["text"], tools=(order_tool(),)))
    assert body["tools"] == without_strict(seen)
    assert body["system"] == [
        {"type": "text", "text": seen["system"][0]["text"], "cache_control": {"type": "ephemeral"}}
    ]


def test_only_the_last_of_several_tools_carries_the_mark() -> None:
    tools = tuple(Offer(name, "", {"type": "object"}) for name in ("a", "b", "c"))
    assert ["cache_control" in tool for tool in written(Request((ASK,), tools=tools))["tools"]] == [False, False, True]


def test_a_tool_loop_is_written_as_the_api_wants_it() -> None:
    seen = payload("request_tool_result_turn")
    result = ToolUseResult(USE.id, '{"status":"shipped","eta":"2026-11-16"}')
    turn = (ASK, Message("assistant", (TextPart("Voy a revisarlo."), USE)), Message("user", (result,)))
    body = written(Request(turn, tools=(order_tool(),)))
    assert body["messages"][1:] == seen["messages"][1:]
    assert body["messages"][0]["content"] == [{"type": "text", "text": seen["messages"][0]["content"]}]


def test_a_schema_goes_into_the_output_format() -> None:
    seen = payload("request_structured_output")["output_config"]["format"]
    assert written(Request((ASK,), output=seen["schema"]))["output_config"] == {"format": seen}


def test_empty_texts_and_blocks_of_other_providers_are_left_out() -> None:
    messages = (ASK, Message("assistant", (TextPart(" \n"), Opaque("otro", {"type": "x"}))), ASK)
    assert [message["role"] for message in written(Request(messages))["messages"]] == ["user", "user"]


def test_a_thought_goes_back_unchanged() -> None:
    seen = payload("response_thinking_tool_use")
    reply = read_reply(seen, REQUEST)
    assert reply.spent == Spent(412, 140)
    assert written(Request((ASK, reply.message)))["messages"][1]["content"] == seen["content"]


@pytest.mark.parametrize(
    ("name", "parts", "stop", "spent"),
    [
        ("response_text", (TextPart("Tu pedido A-1001 llega mañana."),), "end", Spent(21, 12, 1840)),
        ("response_tool_use", (TextPart("Voy a revisarlo."), USE), "tool_use", Spent(412, 58, 0, 1840)),
    ],
)
def test_answers_are_read(name: str, parts: Any, stop: Any, spent: Spent) -> None:
    assert read_reply(payload(name), REQUEST) == ModelReply(parts, stop, spent)


def test_a_structured_answer_is_read() -> None:
    reply = read_reply(payload("response_structured"), Request((ASK,), output={}))
    assert reply.value == {"intent": "track_order", "order_id": "A-1001"}


@pytest.mark.parametrize("portion", [1, 7, 100, 100_000])
def test_streams_are_read_in_any_portions(portion: int) -> None:
    pieces, reply = streamed("stream_text", portion)
    assert pieces == ["Tu pedid", "o A-1001", " llega m", "añana."]
    assert reply == read_reply(payload("response_text"), REQUEST)
    assert streamed("stream_tool_use", portion)[1] == read_reply(payload("response_tool_use"), REQUEST)


def test_an_error_in_mid_stream_keeps_what_was_counted() -> None:
    with pytest.raises(ModelError) as raised:
        streamed("stream_error_midway", 100)
    assert (raised.value.kind, raised.value.spent) == ("overloaded", Spent(21, 1, 1840))


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, "bad_request"), (401, "unauthorised"), (429, "rate_limited"), (500, "overloaded"), (529, "overloaded")],
)
def test_errors_are_read(status: int, kind: str) -> None:
    body = payload(f"error_{status}")
    error = refused(status, body)
    assert (error.kind, error.reason) == (kind, body["error"]["message"])


def test_fields_and_blocks_from_the_future_do_no_harm() -> None:
    seen = payload("response_text")
    future = {**seen, "mood": "good", "content": [{"type": "hologram", "x": 1}, *seen["content"]]}
    assert read_reply(future, REQUEST) == read_reply(seen, REQUEST)
    assert read_reply({**seen, "stop_reason": "bored"}, REQUEST).stop == "end"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "Mon, 16 Nov 2026 10:00:09 GMT", "date": "Mon, 16 Nov 2026 10:00:00 GMT"}, 9),
        ({"retry-after": "Mon, 16 Nov 2026 09:00:00 GMT", "date": "Mon, 16 Nov 2026 10:00:00 GMT"}, 0),
        ({"retry-after": "Mon, 16 Nov 2026 10:00:09 GMT"}, None),
        ({"retry-after": "99999999999"}, 3600),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "²"}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait_is_read_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds
