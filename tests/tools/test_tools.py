"""Tools: from a typed function to a call whose every outcome is a value."""

import asyncio
import re
import threading
from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest

from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import ToolResult
from hilo.tools.call import answer_of, call, call_all
from hilo.tools.tool import Tool, ToolFailed, tool
from patience import PATIENCE

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)


@tool
def add(a: int, b: int = 2) -> int:
    """Add two numbers."""
    return a + b


@tool(writes=True, idempotent=False, timeout=0.5)
async def slow(seconds: float) -> str:
    await asyncio.sleep(seconds)
    return "done"


@tool
def broken(word: str) -> str:
    raise ZeroDivisionError(word)


@tool
def unhappy(word: str) -> str:
    raise ToolFailed(f"no {word} today")


@tool
def many() -> dict[str, object]:
    return {"count": 3, "price": 9.90, "name": "x" * 5000, "nothing": None, "sure": True}


@tool
def timed(word: str, call_id: str, now: datetime) -> str:
    return f"{word} {call_id} {now:%H:%M}"


TOOLS = {each.spec.name: each for each in (add, slow, broken, unhappy, many, timed)}


async def result(name: str, **arguments: object) -> ToolResult:
    return await call(TOOLS, RunTool("c1", name, arguments), now=NOW)


def test_a_function_becomes_a_tool_with_a_schema() -> None:
    assert add.spec.name == "add"
    assert add.spec.parameters == {"a": True, "b": False}
    assert add.spec.description == "Add two numbers."
    assert add.schema()["required"] == ["a"]
    assert (add.spec.writes, add.spec.needs_yes) == (False, False)


def test_a_writing_tool_needs_a_yes_unless_it_says_otherwise() -> None:
    assert slow.spec.needs_yes
    assert not slow.spec.idempotent

    @tool(writes=True, needs_yes=False)
    def note(text: str) -> str:
        return text

    assert not note.spec.needs_yes


def test_a_parameter_without_a_type_is_refused() -> None:
    with pytest.raises(TypeError, match="needs a plain parameter with a type"):

        @tool
        def loose(a) -> int:  # type: ignore[no-untyped-def]  # noqa: ANN001
            return int(a)


def test_what_the_engine_gives_is_no_parameter() -> None:
    assert timed.spec.parameters == {"word": True}


async def test_a_call_gives_its_outputs() -> None:
    assert await result("add", a=1) == ToolResult("c1", "add", ok=True, outputs={"result": 3})
    assert (await result("timed", word="hi")).outputs == {"result": "hi c1 15:00"}


async def test_outputs_are_plain_and_bounded() -> None:
    outputs = (await result("many")).outputs
    assert outputs["price"] == Decimal("9.9")
    assert len(str(outputs["name"])) == 2000
    assert outputs["nothing"] == ""
    assert outputs["sure"] is True


@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("add", {"a": "many"}, "wrong arguments: a:"),
        ("add", {"a": 1, "c": 2}, "wrong arguments: c:"),
        ("add", {}, "wrong arguments: a: Field required"),
        ("slow", {"seconds": 60}, "no answer in 0.5 s"),
        ("broken", {"word": "x"}, "ZeroDivisionError: x"),
        ("unhappy", {"word": "coca"}, "no coca today"),
        ("nope", {}, "there is no tool nope"),
    ],
)
async def test_whatever_goes_wrong_is_a_result(name: str, arguments: dict[str, object], error: str) -> None:
    outcome = await result(name, **arguments)
    assert not outcome.ok
    assert error in outcome.error


async def test_a_tool_that_broke_off_says_in_which_line_of_its_file() -> None:
    assert re.fullmatch(r"ZeroDivisionError: x \(test_tools\.py:\d+\)", (await result("broken", word="x")).error)


async def test_a_time_of_day_is_given_as_a_slot_keeps_it() -> None:
    def opens() -> dict[str, object]:
        """When it opens."""
        return {"hora": time(9), "dia": date(2027, 3, 1), "horas": [time(9), time(10, 30)]}

    [outcome] = await call_all({"opens": tool(opens)}, [RunTool("1", "opens", {})], now=NOW)
    assert outcome.outputs == {"hora": "09:00", "dia": "2027-03-01", "horas": '["09:00","10:30"]'}


def once(error: BaseException | None = None, *, idempotent: bool = False, gives: object = "ok") -> Tool:
    def act() -> object:
        if error:
            raise error
        return gives

    return tool(writes=True, idempotent=idempotent)(act)


@pytest.mark.parametrize(
    ("made", "unknown"),
    [
        (once(ZeroDivisionError("x")), True),
        (once(ConnectionResetError("gone")), True),
        (once(TimeoutError()), True),
        (once(SystemExit(1)), True),
        (once(gives={"total": 2**300}), True),  # it was done, though what it gave cannot be kept
        (once(ToolFailed("no seats")), False),  # the tool itself says that it was not done
        (once(), False),
        (once(ZeroDivisionError("x"), idempotent=True), False),
        (once(TimeoutError(), idempotent=True), False),
    ],
)
async def test_what_must_not_be_repeated_and_broke_off_is_unknown(made: Tool, unknown: bool) -> None:  # noqa: FBT001
    outcome = await call({"act": made}, RunTool("c1", "act", {}), now=NOW)
    assert outcome.unknown is unknown
    assert not (outcome.ok and outcome.unknown)


async def test_a_call_that_takes_too_long_is_unknown_and_one_with_wrong_arguments_was_not_made() -> None:
    assert (await result("slow", seconds=60)).unknown
    assert not (await result("slow", seconds="many")).unknown
    assert not (await result("slow", seconds=0)).unknown


async def test_calls_of_one_step_run_together_and_fail_alone() -> None:
    both = threading.Barrier(2)
    waiting = tool(timeout=PATIENCE)(lambda: both.wait(PATIENCE))  # each ends only with the other
    tools = {**TOOLS, "waiting": waiting}
    calls = [RunTool("a", "waiting", {}), RunTool("b", "waiting", {}), RunTool("c", "broken", {"word": "x"})]
    outcomes = await call_all(tools, calls, now=NOW)
    assert [(each.call_id, each.ok) for each in outcomes] == [("a", True), ("b", True), ("c", False)]


async def test_an_answer_about_a_value_is_raw_and_its_failure_one_kind() -> None:
    assert await answer_of(add, 1, now=NOW) == 3
    for failing in (broken, unhappy):
        with pytest.raises(ToolFailed):
            await answer_of(failing, "x", now=NOW)
    with pytest.raises(ToolFailed, match="no answer"):
        await answer_of(slow, 1, now=NOW)
