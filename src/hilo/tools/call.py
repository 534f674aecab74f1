"""Calling tools: arguments checked, time limited, errors turned into values; calls of one step run together."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any, Protocol

from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import ToolResult
from hilo.tools.tool import Tool, ToolFailed

MAX_BITS = 256  # of one output number
MAX_OUTPUT = 2000  # characters of one output value


class _BrokeOff(ToolFailed):
    """It did not come to its end, or to one that can be used: it may have had its effect."""


class Journal(Protocol):
    """What remembers calls, so that a turn that is tried again does not make them twice."""

    async def once(self, run: RunTool, make: Callable[[], Awaitable[ToolResult]]) -> ToolResult:
        """The result of a call: the recorded one, or that of making it now, written down before and after."""
        ...


async def call_all(
    tools: Mapping[str, Tool], calls: Sequence[RunTool], *, now: datetime, journal: Journal | None = None
) -> tuple[ToolResult, ...]:
    """Run calls in parallel; one that fails does not lose the others."""
    makes = [partial(call, tools, each, now=now) for each in calls]
    if journal is None:
        return tuple(await asyncio.gather(*(make() for make in makes)))
    pairs = zip(calls, makes, strict=True)
    return tuple(await asyncio.gather(*(journal.once(each, make) for each, make in pairs)))


async def call(tools: Mapping[str, Tool], run: RunTool, *, now: datetime) -> ToolResult:
    """Run one call; whatever it raises becomes a failed result, or an unknown one where it must not be repeated."""
    if run.tool not in tools:
        return ToolResult(run.call_id, run.tool, ok=False, error=f"there is no tool {run.tool}")
    try:
        outputs = await _outputs(tools[run.tool], dict(run.arguments), {"call_id": run.call_id, "now": now})
    except ToolFailed as error:
        unknown = isinstance(error, _BrokeOff) and not tools[run.tool].spec.idempotent
        return ToolResult(run.call_id, run.tool, ok=False, error=str(error), unknown=unknown)
    return ToolResult(run.call_id, run.tool, ok=True, outputs=outputs)


async def answer_of(tool: Tool, value: Any, *, now: datetime) -> Any:
    """What a tool with one parameter says of a value; raises ToolFailed whatever goes wrong."""
    return await _run(tool, {next(iter(tool.spec.parameters)): value}, {"call_id": "", "now": now})


async def _run(tool: Tool, arguments: dict[str, Any], given: dict[str, Any]) -> Any:
    """What the function returns; whatever it raises, it raises ToolFailed."""
    checked = {**tool.checked(arguments), **{name: given[name] for name in tool.given}}
    try:
        async with asyncio.timeout(tool.timeout):
            if inspect.iscoroutinefunction(tool.function):
                return await tool.function(**checked)
            return await asyncio.to_thread(_in_a_thread, tool.function, checked)
    except ToolFailed:
        raise
    except TimeoutError:
        raise _BrokeOff(f"no answer in {tool.timeout:g} s") from None
    except (Exception, SystemExit) as error:
        raise _BrokeOff(f"{type(error).__name__}: {error}") from error


def _in_a_thread(function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    try:
        return function(**arguments)
    except StopIteration as error:  # a future cannot carry it
        raise RuntimeError("StopIteration") from error


async def _outputs(tool: Tool, arguments: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    result = await _run(tool, arguments, given)
    named = result if isinstance(result, Mapping) else {"result": result}
    try:
        return {str(name): _plain(value) for name, value in named.items() if value is not None}
    except Exception as error:
        raise _BrokeOff(f"gave what cannot be kept: {error}") from error


def _plain(value: Any) -> str | int | Decimal | bool:
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise ValueError("a number that is too large")
    if isinstance(value, bool | int | Decimal):
        return value
    if isinstance(value, float):
        return Decimal(str(value))
    return str(value)[:MAX_OUTPUT]
