"""Whatever a server sends, reading it gives a reply or a ModelError."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from depth import depth
from hilo.llm import anthropic, openai
from hilo.llm.model import Message, ModelError, ModelReply, Request, TextPart
from hilo.llm.untrusted import Events, parsed

REQUEST = Request((Message("user", (TextPart("hola"),)),))
STRUCTURED = Request(REQUEST.messages, output={"type": "object"})

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8)
)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)


def shaped(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Objects that are nearly right: each field is what it should be, or anything, or missing."""
    return st.fixed_dictionaries({}, optional={name: each | anything for name, each in fields.items()})


types = st.sampled_from(["text", "tool_use", "thinking", "input_json_delta", "text_delta", "signature_delta", "x"])
usage = shaped(input_tokens=st.integers(), output_tokens=st.integers(), cache_read_input_tokens=st.integers())
block = shaped(type=types, text=st.text(), id=st.text(), name=st.text(), input=anything)
message = shaped(content=st.lists(block, max_size=3), stop_reason=st.text(), usage=usage, type=st.just("message"))
event = shaped(
    type=st.sampled_from(
        [
            "message_start",
            "content_block_start",
            "content_block_delta",
            "message_delta",
            "message_stop",
            "ping",
            "error",
        ]
    ),
    message=message,
    index=st.integers(-1, 2),
    content_block=block,
    delta=shaped(type=types, text=st.text(), partial_json=st.text(), stop_reason=st.text()),
    usage=usage,
    error=shaped(type=st.text(), message=st.text()),
)
function = shaped(name=st.text(), arguments=st.text())
call = shaped(id=st.text(), index=st.integers(-1, 2), function=function)
said = shaped(content=st.text(), tool_calls=st.lists(call, max_size=3), refusal=st.text())
choice = shaped(message=said, delta=said, finish_reason=st.sampled_from(["stop", "length", "tool_calls"]))
completion = shaped(
    choices=st.lists(choice, max_size=2),
    usage=shaped(prompt_tokens=st.integers(), prompt_tokens_details=anything),
    error=anything,
)


def is_sound(reply: ModelReply) -> None:
    json.dumps([dict(use.arguments) for use in reply.tool_uses])
    reply.text.encode()
    assert all(use.id and use.name for use in reply.tool_uses)
    assert (reply.stop == "tool_use") == bool(reply.tool_uses)
    assert min(reply.spent.input, reply.spent.output, reply.spent.cache_read, reply.spent.cache_written) >= 0


@settings(max_examples=depth(80, 200), deadline=None)
@given(st.one_of(message, completion, anything), st.sampled_from([REQUEST, STRUCTURED]))
def test_any_answer_is_a_sound_reply_or_a_model_error(body: Any, request: Request) -> None:
    for read in (anthropic.read_reply, openai.read_reply):
        try:
            is_sound(read(parsed(json.dumps(body)), request))
        except ModelError:
            continue


@settings(max_examples=80, deadline=None)
@given(st.lists(event, max_size=8), st.lists(completion, max_size=5))
def test_any_stream_is_a_sound_reply_or_a_model_error(events: list[Any], completions: list[Any]) -> None:
    readings = (anthropic.AnthropicStream(REQUEST), events), (openai.OpenAIStream(REQUEST), completions)
    for reading, each_event in readings:
        try:
            for each in each_event:
                reading.take(json.dumps(each))
            is_sound(reading.reply())
        except ModelError:
            continue


def test_calls_without_ids_or_with_the_same_are_told_apart() -> None:
    for ids in ((None, None), ("c", "c"), ("c", "")):
        calls = [{"id": each, "function": {"name": "hora", "arguments": ""}} for each in ids]
        reply = openai.read_reply({"choices": [{"message": {"tool_calls": calls}}]}, REQUEST)
        assert [use.id for use in reply.tool_uses] == ["call_0", "call_1"]


@pytest.mark.parametrize("depth", [101, 900, 100_000])
def test_json_that_is_nested_too_deep_is_broken(depth: int) -> None:
    with pytest.raises(ModelError, match="broken_reply"):
        parsed("[" * depth + "]" * depth)
    assert parsed('[{"a": [[]]}]') == [{"a": [[]]}]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.binary(max_size=40) | st.sampled_from([b"data: {}\n\n", b"data: ", b"\r\n", b"\n"]), max_size=10))
def test_any_bytes_are_events_or_none(chunks: list[bytes]) -> None:
    events = Events()
    for chunk in chunks:
        assert all(isinstance(each, str) for each in events.feed(chunk))
