"""Calling tools: arguments checked, time limited, errors turned into values; calls of one step run together."""

import asyncio
import inspect
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import ToolResult
from hilo.tools.tool import Tool, ToolFailed

MAX_OUTPUT = 2000  # characters of one output value


async def call_all(tools: Mapping[str, Tool], calls: Sequence[RunTool], *, now: datetime) -> tuple[ToolResult, ...]:
    """Run calls in parallel; one that fails does not lose the others."""
    return tuple(await asyncio.gather(*(call(tools, each, now=now) for each in calls)))


async def call(tools: Mapping[str, Tool], run: RunTool, *, now: datetime) -> ToolResult:
    """Run one call; whatever it raises becomes a failed result."""
    try:
        outputs = await _outputs(tools[run.tool], dict(run.arguments), {"call_id": run.call_id, "now": now})
    except KeyError:
        return ToolResult(run.call_id, run.tool, ok=False, error=f"there is no tool {run.tool}")
    except TimeoutError:
        return ToolResult(run.call_id, run.tool, ok=False, error=f"no answer in {tools[run.tool].timeout:g} s")
    except ToolFailed as error:
        return ToolResult(run.call_id, run.tool, ok=False, error=str(error))
    except Exception as error:  # noqa: BLE001 -- whatever an author's function raises
        return ToolResult(run.call_id, run.tool, ok=False, error=f"{type(error).__name__}: {error}")
    return ToolResult(run.call_id, run.tool, ok=True, outputs=outputs)


async def answer_of(tool: Tool, value: Any, *, now: datetime) -> Any:
    """What a tool with one parameter says of a value; raises ToolFailed whatever goes wrong."""
    try:
        return await _run(tool, {next(iter(tool.spec.parameters)): value}, {"call_id": "", "now": now})
    except ToolFailed:
        raise
    except TimeoutError:
        raise ToolFailed(f"no answer in {tool.timeout:g} s") from None
    except Exception as error:
        raise ToolFailed(f"{type(error).__name__}: {error}") from error


async def _run(tool: Tool, arguments: dict[str, Any], given: dict[str, Any]) -> Any:
    checked = {**tool.checked(arguments), **{name: given[name] for name in tool.given}}
    async with asyncio.timeout(tool.timeout):
        if inspect.iscoroutinefunction(tool.function):
            return await tool.function(**checked)
        return await asyncio.to_thread(tool.function, **checked)


async def _outputs(tool: Tool, arguments: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    result = await _run(tool, arguments, given)
    named = result if isinstance(result, Mapping) else {"result": result}
    return {str(name): _plain(value) for name, value in named.items() if value is not None}


def _plain(value: Any) -> str | int | Decimal | bool:
    if isinstance(value, bool | int | Decimal):
        return value
    if isinstance(value, float):
        return Decimal(str(value))
    return str(value)[:MAX_OUTPUT]
