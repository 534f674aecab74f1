"""Calling tools: arguments checked, time limited, errors turned into values; calls of one step run together."""

import asyncio
import inspect
import json
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from copy import deepcopy
from dataclasses import fields, is_dataclass
from datetime import datetime, time
from decimal import Decimal
from functools import partial
from pathlib import PurePath
from typing import Any, Protocol

from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import Asks, ToolResult
from hilo.tools.given import Given
from hilo.tools.limits import in_a_thread, time_limit
from hilo.tools.tool import AskContact, NeedsPerson, Tool, ToolFailed

MAX_BITS = 256  # of one output number
MAX_OUTPUT = 2000  # characters of one output value
MAX_NESTED = 8000  # characters of one that holds others
CUT = "…"

_HOW_TO_GET = {
    "files": "nobody keeps files here: a running installation does",
    "contact": "this turn has no contact: run it with `given`",
    "database": "there is none: an agent has one with a folder `sql` beside its file, a Conversation with its agent",
    "opening": "the agent file has no `open:`",
}


class _BrokeOff(ToolFailed):
    """It did not come to its end, or to one that can be used: it may have had its effect."""


class Journal(Protocol):
    """What remembers calls, so that a turn that is tried again does not make them twice."""

    async def once(self, run: RunTool, make: Callable[[], Awaitable[ToolResult]]) -> ToolResult:
        """The result of a call: the recorded one, or that of making it now, written down before and after."""
        ...

    def earlier(self) -> Sequence[RunTool]:
        """The calls that an earlier attempt at this turn has begun."""
        ...


async def call_all(
    tools: Mapping[str, Tool],
    calls: Sequence[RunTool],
    *,
    now: datetime,
    journal: Journal | None = None,
    given: Given | None = None,
) -> tuple[ToolResult, ...]:
    """Run calls together, those that write one after the other in their order; one that fails does not lose others."""
    turns = asyncio.Lock()

    async def run(each: RunTool) -> ToolResult:
        make = partial(call, tools, each, now=now, given=given)
        if each.tool not in tools or not tools[each.tool].spec.writes:
            return await (journal.once(each, make) if journal else make())
        async with turns:  # first come, first served: tasks begin in the order of the calls
            return await (journal.once(each, make) if journal else make())

    return tuple(await asyncio.gather(*map(run, calls)))


async def call(tools: Mapping[str, Tool], run: RunTool, *, now: datetime, given: Given | None = None) -> ToolResult:
    """Run one call; whatever it raises becomes a failed result, or an unknown one where it must not be repeated."""
    if run.tool not in tools:
        return ToolResult(run.call_id, run.tool, ok=False, error=f"there is no tool {run.tool}")
    tool = tools[run.tool]
    try:
        outputs = await _outputs(tool, dict(run.arguments), _surroundings(tool, run.call_id, now, given))
    except ToolFailed as error:
        return _failed(tool, run, error)
    return ToolResult(run.call_id, run.tool, ok=True, outputs=outputs)


def _failed(tool: Tool, run: RunTool, error: ToolFailed) -> ToolResult:
    if isinstance(error, AskContact) and error.parameter not in tool.spec.parameters:
        error = ToolFailed(f"asks for {error.parameter}, which is no parameter of it")
    asks = Asks(error.parameter, error.options, error.question) if isinstance(error, AskContact) else None
    unknown = isinstance(error, _BrokeOff) and not tool.spec.idempotent
    ids, tell = (run.call_id, run.tool), str(error.tell)[:MAX_OUTPUT]
    person = error.policy if isinstance(error, NeedsPerson) else ""
    return ToolResult(*ids, ok=False, error=str(error), unknown=unknown, tell=tell, asks=asks, person=person)


async def answer_of(
    tool: Tool, value: Any, *, now: datetime, given: Given | None = None, beside: Mapping[str, Any] | None = None
) -> Any:
    """What a tool says of a value, which its first parameter is; raises ToolFailed whatever goes wrong.

    Its other parameters are given what there is of their names `beside` the value.
    """
    first, *others = tool.spec.parameters
    arguments = {name: beside[name] for name in others if beside and name in beside}
    return await _run(tool, {**arguments, first: value}, _surroundings(tool, "", now, given))


def _surroundings(tool: Tool, call_id: str, now: datetime, given: Given | None) -> dict[str, Any]:
    """What the engine fills in for this tool, facts as a copy; raises ToolFailed when it wants what is not there."""
    around = given or Given()
    there = {"call_id": call_id, "now": now, "facts": around.facts}
    there |= {"contact": around.contact, "database": around.database, "files": around.files, "opening": around.opening}
    for name in tool.given:
        if there.get(name) is None:
            raise ToolFailed(f"takes `{name}`, and {_HOW_TO_GET[name]}")
    return {name: deepcopy(there[name]) if name == "facts" else there[name] for name in tool.given}


async def _run(tool: Tool, arguments: dict[str, Any], given: dict[str, Any]) -> Any:
    """What the function returns; whatever it raises, it raises ToolFailed."""
    checked = {**tool.checked(arguments), **given}
    try:
        if not inspect.iscoroutinefunction(tool.function):
            return await in_a_thread(tool.function, checked, seconds=tool.timeout)
        async with time_limit(tool.timeout):
            return await tool.function(**checked)
    except ToolFailed:
        raise
    except TimeoutError:
        raise _BrokeOff(f"no answer in {tool.timeout:g} s") from None
    except (Exception, SystemExit) as error:
        raise _BrokeOff(f"{type(error).__name__}: {error}{_where(tool, error)}") from error


def _where(tool: Tool, error: BaseException) -> str:
    """The last line of the tool's own file that an error came through, for whoever wrote it."""
    file = inspect.unwrap(tool.function).__code__.co_filename
    lines = [each.lineno for each in traceback.extract_tb(error.__traceback__) if each.filename == file]
    return f" ({PurePath(file).name}:{lines[-1]})" if lines else ""


async def _outputs(tool: Tool, arguments: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    result = await _run(tool, arguments, given)
    try:
        if result is None:
            return {}
        named = result if isinstance(result, Mapping) else _fields(result) or {"result": result}
        return {str(name): _plain(value) for name, value in named.items()}
    except Exception as error:
        raise _BrokeOff(f"gave what cannot be kept: {error}") from error


def _plain(value: Any) -> str | int | Decimal | bool:
    if value is None:
        return ""  # it empties the slot of its name: a booking that is gone must not be remembered
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise ValueError("a number that is too large")
    if isinstance(value, bool | int | Decimal):
        return value
    if isinstance(value, float):
        return Decimal(str(value))
    if isinstance(value, Mapping | list | tuple | AbstractSet) or _fields(value):
        return _bounded(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_jsonable))
    return _words(value)[:MAX_OUTPUT]


def _words(value: Any) -> str:
    """A value as slots keep it; dates and amounts are so already."""
    return value.strftime("%H:%M") if isinstance(value, time) else str(value)


def _fields(value: Any) -> dict[str, Any]:
    """What a dataclass holds, by name; nothing for everything else."""
    if not is_dataclass(value) or isinstance(value, type):
        return {}
    return {each.name: getattr(value, each.name) for each in fields(value)}


def _jsonable(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, AbstractSet):
        return sorted(value, key=str)
    return _fields(value) or _words(value)


def _bounded(text: str) -> str:
    return text if len(text) <= MAX_NESTED else text[: MAX_NESTED - len(CUT)] + CUT
