"""The fake as Anthropic's own SDK sees it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import anthropic
import httpx
import pytest
from pydantic import BaseModel

from hilo.llm.model import Spent
from hilo.testing.models.answers import (
    OVERLOADED,
    SPEND_LIMIT,
    Answer,
    Breaks,
    Calls,
    Says,
    Script,
    about,
    rate_limited,
)
from hilo.testing.models.anthropic import SMALL, FakeAnthropic
from hilo.testing.models.server import KEY
from hilo.testing.models.table import Case, always
from patience import PATIENCE

HOLA: Any = {"model": SMALL, "max_tokens": 100, "messages": [{"role": "user", "content": "hola"}]}
TOOL: Any = {"name": "hora", "description": "La hora", "input_schema": {"type": "object", "properties": {}}}


class Intent(BaseModel):
    intent: Literal["saludo", "otro"]


@asynccontextmanager
async def asking(*script: Script | Answer, **client: Any) -> AsyncIterator[tuple[Any, FakeAnthropic]]:
    cases = [each if isinstance(each, Case) else Case(always, each) for each in script]
    async with FakeAnthropic(cases) as fake:
        options = {"api_key": KEY, "base_url": fake.url, "max_retries": 0, "timeout": 5, **client}
        async with anthropic.AsyncAnthropic(**options) as sdk:
            yield sdk.messages, fake


async def test_a_reply_has_text_and_usage_with_the_cache() -> None:
    async with asking(Says("Buenas", spent=Spent(3, 4, 5, 6))) as (messages, _):
        message = await messages.create(**HOLA)
        assert (message.content[0].text, message.stop_reason, message.model) == ("Buenas", "end_turn", SMALL)
        usage = message.usage
        assert (usage.input_tokens, usage.output_tokens) == (3, 4)
        assert (usage.cache_read_input_tokens, usage.cache_creation_input_tokens) == (5, 6)


async def test_the_first_case_that_fits_answers_and_a_used_one_is_passed_over() -> None:
    script = (Case(about("hola"), Says("una vez"), times=1), Case(about("HOLA"), Says("siempre")))
    async with asking(*script) as (messages, fake):
        texts = [(await messages.create(**HOLA)).content[0].text for _ in range(3)]
        assert texts == ["una vez", "siempre", "siempre"]
        assert [asked.last for asked in fake.asked] == ["hola"] * 3


async def test_a_request_that_no_case_fits_is_an_error_that_says_so() -> None:
    async with asking(Case(about("adiós"), Says("chau"))) as (messages, _):
        with pytest.raises(anthropic.InternalServerError, match="none of 1 cases fits: 'hola'"):
            await messages.create(**HOLA)


async def test_several_tools_and_a_thought_come_streamed_as_the_sdk_expects_them() -> None:
    calls = (Calls("hora", {"zona": "Asia/Tokyo"}), Calls("hora", {"zona": "Europe/London"}))
    async with asking(Says("Un momento.", calls, thinking=True)) as (messages, _):
        async with messages.stream(**HOLA, tools=[TOOL]) as stream:
            pieces = [text async for text in stream.text_stream]
            message = await stream.get_final_message()
        assert "".join(pieces) == "Un momento."
        assert len(pieces) > 1
        assert [block.type for block in message.content] == ["thinking", "text", "tool_use", "tool_use"]
        assert message.content[0].signature == "opaque-signature"
        assert [block.input for block in message.content[2:]] == [call.arguments for call in calls]
        assert (message.stop_reason, message.usage.output_tokens) == ("tool_use", 12)
        whole = await messages.create(**HOLA, tools=[TOOL])
        assert [block.to_dict() for block in whole.content] == [
            {name: value for name, value in block.to_dict().items() if name != "parsed_output"}
            for block in message.content
        ]


async def test_structured_output_is_parsed_by_the_sdk() -> None:
    async with asking(Says('{"intent": "saludo"}')) as (messages, fake):
        message = await messages.parse(**HOLA, output_format=Intent)
        assert message.parsed_output == Intent(intent="saludo")
        assert fake.asked[0].body["output_config"]["format"]["type"] == "json_schema"


async def test_the_key_is_taken_as_bearer_and_as_a_header_of_its_own() -> None:
    async with (
        asking(Says("hola")) as (messages, fake),
        httpx.AsyncClient(base_url=fake.url, timeout=PATIENCE) as plain,
    ):
        await messages.create(**HOLA)
        assert fake.asked[0].headers["authorization"] == f"Bearer {KEY}"
        version = {"anthropic-version": "2026-10-21"}
        taken = await plain.post("/v1/messages", json=HOLA, headers={"x-api-key": KEY, **version})
        refused = await plain.post("/v1/messages", json=HOLA, headers={"x-api-key": "otra", **version})
        assert (taken.status_code, refused.status_code) == (200, 401)
        assert refused.json()["error"]["type"] == "authentication_error"


async def test_a_wrong_key_is_refused() -> None:
    async with asking(Says("hola"), api_key="otra") as (messages, _):
        with pytest.raises(anthropic.AuthenticationError):
            await messages.create(**HOLA)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tool_choice": {"type": "any"}}, "tool_choice"),
        ({"tool_choice": {"type": "tool", "name": "hora"}}, "tool_choice"),
        ({"temperature": 0}, "temperature: Extra inputs"),
        ({"top_p": 0.5}, "top_p: Extra inputs"),
        ({"top_k": 1}, "top_k: Extra inputs"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"messages": []}, "at least one message"),
        ({"messages": [{"role": "assistant", "content": "hola"}]}, "first message"),
        ({"messages": [{"role": "user", "content": " "}]}, "non-whitespace"),
        ({"messages": [{"role": "user", "content": []}]}, "non-empty"),
        ({"tools": [TOOL, TOOL]}, "unique"),
        ({"tools": [{**TOOL, "name": "la hora"}]}, "pattern"),
        ({"tools": [{**TOOL, "input_schema": {"type": "string"}}]}, "input_schema"),
        ({"output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}}}, "additionalProperties"),
        (
            {
                "messages": [
                    *HOLA["messages"],
                    {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "hora", "input": {}}]},
                    {"role": "user", "content": "¿y?"},
                ]
            },
            "must match",
        ),
    ],
)
async def test_what_anthropic_refuses_is_refused(change: dict[str, Any], message: str) -> None:
    async with asking(Says("hola")) as (messages, _):
        with pytest.raises(anthropic.BadRequestError, match=message):
            await messages.create(**HOLA, extra_body=change)


async def test_a_tool_result_is_taken_after_its_tool_use() -> None:
    turn = [
        *HOLA["messages"],
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "hora", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "las doce"}]},
    ]
    async with asking(Case(about("las doce"), Says("Son las doce."))) as (messages, _):
        message = await messages.create(**{**HOLA, "messages": turn}, tools=[TOOL])
        assert message.content[0].text == "Son las doce."


async def test_tokens_are_counted() -> None:
    async with asking() as (messages, _):
        short = await messages.count_tokens(model=SMALL, messages=HOLA["messages"])
        long = await messages.count_tokens(model=SMALL, messages=HOLA["messages"], system="Eres amable. " * 50)
        assert 0 < short.input_tokens < long.input_tokens


async def test_limits_and_overload_have_their_statuses() -> None:
    async with asking(Case(always, rate_limited(7), times=1), Case(always, SPEND_LIMIT, times=1), OVERLOADED) as (
        messages,
        _,
    ):
        with pytest.raises(anthropic.RateLimitError) as limited:
            await messages.create(**HOLA)
        assert limited.value.response.headers["retry-after"] == "7"
        with pytest.raises(anthropic.RateLimitError) as spent:
            await messages.create(**HOLA)
        assert spent.value.error_code == "enforced_spend_limit_reached"
        with pytest.raises(anthropic.OverloadedError):
            await messages.create(**HOLA)


async def test_an_overload_in_mid_stream_comes_with_status_200() -> None:
    async with asking(Breaks(Says("Tu pedido llega mañana."), 5, "overloaded")) as (messages, _):
        pieces: list[str] = []
        with pytest.raises(anthropic.APIStatusError) as raised:
            async with messages.stream(**HOLA) as stream:
                pieces.extend([text async for text in stream.text_stream])
        assert (raised.value.status_code, raised.value.type) == (200, "overloaded_error")


@pytest.mark.parametrize("stop", ["max_tokens", "refusal"])
async def test_a_reply_may_stop_early(stop: Literal["max_tokens", "refusal"]) -> None:
    async with asking(Says("No pu", stop=stop)) as (messages, _):
        assert (await messages.create(**HOLA)).stop_reason == stop


async def test_an_answer_may_be_slow_and_a_connection_cut() -> None:
    async with asking(Case(always, Says("tarde", after=60), times=1), Breaks(Says("hola"), 3, "cut"), timeout=1) as (
        messages,
        _,
    ):
        with pytest.raises(anthropic.APITimeoutError):
            await messages.create(**HOLA)
        with pytest.raises(anthropic.APIConnectionError):
            await messages.create(**HOLA)
