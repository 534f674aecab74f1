from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilo.llm.breaker import BreakingModel, Circuit, Fuse
from hilo.llm.model import Message, ModelError, Request, TextPart
from hilo.llm.retrying import Outside, RetryingModel
from hilo.testing.models.scripted import ScriptedModel, says
from hilo.testing.models.table import Case, always

SMALL = Request((Message("user", (TextPart("hola"),)),))
LARGE = replace(SMALL, tier="large")
DOWN = ModelError("overloaded", "x")
FUSE = Fuse(in_a_row=3, latest=10, share=0.5, pause=30)


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def breaking(*script: Any) -> tuple[BreakingModel, ScriptedModel, Time]:
    inner, time = ScriptedModel(script), Time()
    return BreakingModel(inner, FUSE, now=time), inner, time


async def fails(model: Any, kind: str, request: Request = SMALL) -> None:
    with pytest.raises(ModelError) as raised:
        await model.complete(request)
    assert raised.value.kind == kind


async def test_after_failures_in_a_row_nobody_waits_for_the_model_any_more() -> None:
    model, inner, _ = breaking(Case(always, DOWN))
    for _ in range(3):
        await fails(model, "overloaded")
    for _ in range(5):
        await fails(model, "circuit_open")
    assert (len(inner.requests), model.state("small")) == (3, "open")


async def test_each_model_has_a_circuit_of_its_own() -> None:
    model, _, _ = breaking(Case(lambda request: request.tier == "small", DOWN), Case(always, says("hola")))
    for _ in range(3):
        await fails(model, "overloaded")
    assert (await model.complete(LARGE)).text == "hola"
    assert (model.state("small"), model.state("large")) == ("open", "closed")


async def test_after_the_pause_one_call_tries_and_its_success_closes_the_circuit() -> None:
    model, inner, time = breaking(Case(always, DOWN, times=3), Case(always, says("hola")))
    for _ in range(3):
        await fails(model, "overloaded")
    time.now = 29.9
    await fails(model, "circuit_open")
    time.now = 30
    assert model.state("small") == "half_open"
    assert (await model.complete(SMALL)).text == "hola"
    assert (model.state("small"), len(inner.requests)) == ("closed", 4)


async def test_a_probe_that_fails_opens_it_for_another_pause() -> None:
    model, _, time = breaking(Case(always, DOWN))
    for _ in range(3):
        await fails(model, "overloaded")
    time.now = 30
    await fails(model, "overloaded")
    time.now = 59
    await fails(model, "circuit_open")
    time.now = 60
    await fails(model, "overloaded")


async def test_only_one_probe_is_under_way_at_a_time() -> None:
    model, _, time = breaking(Case(always, DOWN, times=3), Case(always, says("uno dos")))
    for _ in range(3):
        await fails(model, "overloaded")
    time.now = 30
    probe = model.stream(SMALL)
    assert await anext(probe) == "uno "
    await fails(model, "circuit_open")
    await probe.aclose()  # given up: nothing is known, so the next one may try
    assert (await model.complete(SMALL)).text == "uno dos"


async def test_a_reader_that_stops_at_the_reply_has_closed_the_circuit() -> None:
    model, _, time = breaking(Case(always, DOWN, times=3), Case(always, says("hola")))
    for _ in range(3):
        await fails(model, "overloaded")
    time.now = 30
    stream = model.stream(SMALL)
    assert [await anext(stream), (await anext(stream))] == ["hola", says("hola")]
    await stream.aclose()
    assert model.state("small") == "closed"


async def test_a_call_that_began_before_the_circuit_opened_says_nothing_any_more() -> None:
    model, _, _ = breaking(Case(always, says("uno dos"), times=1), Case(always, DOWN))
    early = model.stream(SMALL)
    assert await anext(early) == "uno "
    for _ in range(3):
        await fails(model, "overloaded")
    assert [piece async for piece in early] == ["dos", says("uno dos")]
    assert model.state("small") == "open"


async def test_our_own_mistakes_do_not_open_it() -> None:
    model, _, _ = breaking(Case(always, ModelError("bad_request", "x")))
    for _ in range(20):
        await fails(model, "bad_request")


async def test_too_many_failures_among_the_latest_open_it() -> None:
    script = [Case(always, DOWN if place % 2 else says("hola"), times=1) for place in range(10)]
    model, _, _ = breaking(*script)
    for place in range(10):
        assert model.state("small") == "closed"
        if place % 2:
            await fails(model, "overloaded")
        else:
            await model.complete(SMALL)
    assert model.state("small") == "open"


async def test_an_open_circuit_ends_the_retries() -> None:
    model, inner, _ = breaking(Case(always, DOWN))

    async def no_time(_: float) -> None:
        pass

    retrying = RetryingModel(model, outside=Outside(sleep=no_time))
    await fails(retrying, "overloaded")
    await fails(retrying, "circuit_open")
    assert len(inner.requests) == 3


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 20)), max_size=60))
def test_a_circuit_never_stays_open_for_ever_and_never_lets_two_probes_through(
    history: list[tuple[bool, int]],
) -> None:
    circuit, at = Circuit(FUSE), 0.0
    for worked, pause in history:
        at += pause
        match circuit.state(at):
            case "closed":
                circuit = circuit.after_call(worked=worked, at=at)
            case "half_open":
                circuit = circuit.probed()
                assert circuit.state(at + 1000) == "open"
                circuit = circuit.after_probe(worked=worked, at=at)
            case "open":
                assert circuit.state(at + FUSE.pause) == "half_open"
        assert len(circuit.outcomes) <= FUSE.latest
