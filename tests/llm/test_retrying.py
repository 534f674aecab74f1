import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from hilo.llm.anthropic import AnthropicModel
from hilo.llm.model import Message, ModelError, ModelReply, Piece, Request, Spent, StreamRestart, TextPart
from hilo.llm.retrying import Outside, Patience, RetryingModel, pause_after
from hilo.testing.models.answers import OVERLOADED, SPEND_LIMIT, SPENT, Breaks, Fails, Says, Script, rate_limited
from hilo.testing.models.anthropic import FakeAnthropic
from hilo.testing.models.scripted import ScriptedModel, says
from hilo.testing.models.table import Case, always

REQUEST = Request((Message("user", (TextPart("hola"),)),))


class World:
    """Time that passes only in sleep."""

    def __init__(self, luck: float = 0.5) -> None:
        self.time = 0.0
        self.pauses: list[float] = []
        self.outside = Outside(self.sleep, lambda: luck, lambda: self.time)

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.time += seconds


class SlowModel(ScriptedModel):
    """Uses up all the time that it is given."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world

    async def complete(self, request: Request) -> ModelReply:
        self.requests.append(request)
        self._world.time += request.seconds
        raise ModelError("timeout", "no answer in time")


def failing(*errors: Any) -> ScriptedModel:
    return ScriptedModel([*(Case(always, error, times=1) for error in errors), says("por fin")])


@pytest.mark.parametrize("kind", ["overloaded", "rate_limited", "timeout", "unreachable"])
async def test_errors_that_pass_are_tried_again(kind: Any) -> None:
    world = World()
    model = RetryingModel(failing(ModelError(kind, "x"), ModelError(kind, "x")), outside=world.outside)
    assert (await model.complete(REQUEST)).text == "por fin"
    assert world.pauses == [0.375, 0.75]


@pytest.mark.parametrize("kind", ["unauthorised", "spend_limit", "bad_request", "broken_reply", "circuit_open"])
async def test_errors_that_stay_are_not(kind: Any) -> None:
    world, inner = World(), failing(ModelError(kind, "x"))
    with pytest.raises(ModelError, match=kind):
        await RetryingModel(inner, outside=world.outside).complete(REQUEST)
    assert (len(inner.requests), world.pauses) == (1, [])


async def test_there_is_an_end_of_attempts() -> None:
    world, inner = World(), failing(*[ModelError("overloaded", "x")] * 5)
    with pytest.raises(ModelError, match="overloaded"):
        await RetryingModel(inner, Patience(attempts=4), outside=world.outside).complete(REQUEST)
    assert len(inner.requests) == 4


async def test_the_provider_says_how_long_to_wait() -> None:
    world = World(luck=0)
    model = RetryingModel(failing(ModelError("rate_limited", "x", retry_after=7)), outside=world.outside)
    await model.complete(REQUEST)
    assert world.pauses == [7]


async def test_a_wait_that_would_outlast_the_patience_is_not_begun() -> None:
    world = World()
    model = RetryingModel(failing(ModelError("rate_limited", "x", retry_after=60)), outside=world.outside)
    with pytest.raises(ModelError, match="rate_limited"):
        await model.complete(REQUEST)
    assert world.pauses == []


async def test_all_attempts_together_are_bounded_in_time() -> None:
    world = World()
    inner = SlowModel(world)
    with pytest.raises(ModelError, match="timeout"):
        await RetryingModel(inner, Patience(attempts=10, seconds=45), outside=world.outside).complete(REQUEST)
    assert world.time <= 45
    assert [request.seconds for request in inner.requests] == [25, 45 - 25 - world.pauses[0]]


def test_pauses_grow_and_are_spread_but_stay_in_their_bounds() -> None:
    error, patience = ModelError("overloaded", "x"), Patience(attempts=20)
    for attempt in range(1, 20):
        pauses = [pause_after(error, attempt, patience=patience, luck=luck / 10) or 0 for luck in range(11)]
        longest = min(0.5 * 2 ** (attempt - 1), 8)
        assert all(longest / 2 <= pause <= longest for pause in pauses)
        assert len(set(pauses)) == 11


async def test_what_failed_attempts_cost_is_not_forgotten() -> None:
    paid = ModelError("overloaded", "x", spent=Spent(100, 1))
    model = RetryingModel(failing(paid, paid), outside=World().outside)
    assert (await model.complete(REQUEST)).spent == Spent(220, 12)
    model = RetryingModel(failing(paid, paid, paid), outside=World().outside)
    with pytest.raises(ModelError) as raised:
        await model.complete(REQUEST)
    assert raised.value.spent == Spent(300, 3)


async def test_the_script_is_tried_through_the_real_sdk() -> None:
    script: list[Script] = [
        Case(always, OVERLOADED, times=1),
        Case(always, rate_limited(3), times=1),
        Case(always, Says("ya")),
    ]
    world = World(luck=0)
    async with FakeAnthropic(script) as fake:
        adapter = AnthropicModel(fake.settings)
        model = RetryingModel(adapter, outside=world.outside)
        assert (await model.complete(REQUEST)).text == "ya"
        assert (len(fake.asked), world.pauses) == (3, [0.25, 3])
        await adapter.aclose()


async def test_a_spend_limit_is_asked_once_though_it_looks_like_a_rate_limit() -> None:
    async with FakeAnthropic([Case(always, SPEND_LIMIT)]) as fake:
        adapter = AnthropicModel(fake.settings)
        model = RetryingModel(adapter, outside=World().outside)
        with pytest.raises(ModelError, match="spend_limit"):
            await model.complete(REQUEST)
        assert len(fake.asked) == 1
        await adapter.aclose()


async def test_an_overload_in_mid_stream_begins_anew_and_says_so() -> None:
    broken = Breaks(Says("Tu pedido llega hoy."), 5, "overloaded")
    failed = Fails(503, "api_error")
    script: list[Script] = [Case(always, broken, times=1), Case(always, failed, times=1), Case(always, Says("Hoy."))]
    world = World()
    async with FakeAnthropic(script) as fake:
        adapter = AnthropicModel(fake.settings)
        model = RetryingModel(adapter, outside=world.outside)
        pieces = [piece async for piece in model.stream(REQUEST)]
        lost = Spent(21, 1, 1840)
        assert pieces == [
            "Tu pedid",
            "o llega ",
            StreamRestart(),
            "Hoy.",
            ModelReply((TextPart("Hoy."),), "end", SPENT + lost),
        ]
        assert len(world.pauses) == 2
        await adapter.aclose()


async def test_a_reader_that_stops_closes_the_stream_below() -> None:
    closed = asyncio.Event()

    class Endless(ScriptedModel):
        async def stream(self, request: Request) -> AsyncGenerator[Piece, None]:  # noqa: ARG002
            try:
                while True:
                    yield "más "
            finally:
                closed.set()

    stream = RetryingModel(Endless()).stream(REQUEST)
    assert await anext(stream) == "más "
    await stream.aclose()
    assert closed.is_set()
