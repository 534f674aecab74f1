"""A tool that hangs stops nothing but itself, and waiting for the store is not its fault."""

import asyncio
import threading
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import ToolResult
from hilo.tools.call import call, call_all
from hilo.tools.limits import THREADS, not_counted
from hilo.tools.tool import Tool, tool

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)


@pytest.fixture
def wakes() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def hanging(wakes: threading.Event, *, timeout: float = 0.3) -> Tool:
    def hang() -> str:
        wakes.wait()
        return "done"

    return tool(writes=True, idempotent=False, timeout=timeout)(hang)


@tool(timeout=30)
def quick() -> str:
    return "here"


def calls(name: str, times: int) -> list[RunTool]:
    return [RunTool(f"{name}{number}", name, {}) for number in range(times)]


async def hang_all(hung: Tool) -> tuple[ToolResult, ...]:
    each = [call({"hang": hung}, run, now=NOW) for run in calls("hang", THREADS)]
    return tuple(await asyncio.gather(*each))


async def test_hung_calls_of_one_tool_leave_the_others_alone(wakes: threading.Event) -> None:
    results = await hang_all(hanging(wakes))
    assert {each.error for each in results} == {"no answer in 0.3 s"}
    [other] = await call_all({"quick": quick}, calls("quick", 1), now=NOW)
    assert other.outputs == {"result": "here"}


async def test_a_tool_whose_threads_all_hang_says_that_it_is_busy_and_has_done_nothing(wakes: threading.Event) -> None:
    hung = hanging(wakes)
    await hang_all(hung)
    busy = await call({"hang": hung}, RunTool("one more", "hang", {}), now=NOW)
    assert (busy.error, busy.unknown) == (f"busy: {THREADS} earlier calls have not come back", False)


async def test_a_tool_works_again_when_its_calls_have_come_back(wakes: threading.Event) -> None:
    hung = hanging(wakes)
    await hang_all(hung)
    wakes.set()
    again = await call({"hang": hung}, RunTool("again", "hang", {}), now=NOW)
    assert again.outputs == {"result": "done"}


async def test_a_call_for_which_the_system_has_no_thread_keeps_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        results = [await call({"quick": quick}, run, now=NOW) for run in calls("quick", THREADS + 1)]
    assert {(each.error, each.unknown) for each in results} == {("busy: there is no thread for it", False)}
    assert (await call({"quick": quick}, RunTool("after", "quick", {}), now=NOW)).outputs == {"result": "here"}


async def test_waiting_for_the_store_is_not_counted() -> None:
    @tool(timeout=0.2)
    async def patient() -> str:
        with not_counted():
            await asyncio.sleep(0.5)
        return "done"

    assert (await call({"patient": patient}, RunTool("c", "patient", {}), now=NOW)).outputs == {"result": "done"}


async def test_what_a_tool_does_itself_still_counts_after_the_store_was_slow() -> None:
    @tool(timeout=0.2)
    async def slow() -> str:
        with not_counted():
            await asyncio.sleep(0.3)
        await asyncio.sleep(30)
        return "done"

    assert (await call({"slow": slow}, RunTool("c", "slow", {}), now=NOW)).error == "no answer in 0.2 s"
