"""The journal of one turn: every call is made once, however often the turn is tried."""

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

from hilo.agent.toolbox import Toolbox
from hilo.clock import Clock
from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import ToolResult
from hilo.spans import tool_span
from hilo.store.journal import CallAttempt, Ended, begin_call, end_call
from hilo.store.store import Store
from hilo.store.turns import RecordedCall, TurnInput
from hilo.workers.retry_until_stored import retry_until_stored

UNKNOWN = "the call was begun, and nobody knows how it ended"


class LeaseLost(Exception):  # noqa: N818 -- it names what happened
    """Somebody else has the session now: this turn must do nothing more."""


@dataclass
class TurnJournal:
    """Remembers the calls of one turn in the store."""

    store: Store
    clock: Clock
    taken: TurnInput
    toolbox: Toolbox
    turn: int
    results: list[ToolResult] = field(default_factory=list)
    _times: Counter[str] = field(default_factory=Counter)

    async def once(self, run: RunTool, make: Callable[[], Awaitable[ToolResult]]) -> ToolResult:
        """The recorded result; a call that was begun is made again if that is safe, and left to a person if not."""
        self._times[run.call_id] += 1
        call = CallAttempt(
            self.taken.session_id, self.turn, run.call_id, self._times[run.call_id], run.tool, self.taken.last
        )
        result = self._recorded(call) or await self._make(call, run, make)
        self.results.append(result)
        return result

    def _recorded(self, call: CallAttempt) -> ToolResult | None:
        known = next((each for each in self.taken.calls if _is_same(each, call)), None)
        if known is None:
            return None
        if known.status == "started":
            repeatable = self.toolbox[call.tool].idempotent
            return None if repeatable else ToolResult(call.call_id, call.tool, ok=False, error=UNKNOWN, unknown=True)
        return ToolResult(
            *(call.call_id, call.tool, known.status == "ok", known.outputs, known.error),
            unknown=known.status == "unknown",
            tell=known.tell,
            asks=known.asks,
            person=known.person,
        )

    async def _make(self, call: CallAttempt, run: RunTool, make: Callable[[], Awaitable[ToolResult]]) -> ToolResult:
        if not await self.store.run(begin_call, self.taken.claim, call, run.arguments, now=self.clock.now()):
            raise LeaseLost
        with tool_span(call.tool, call.call_id):
            result = await make()
        await retry_until_stored(lambda: self.store.run(end_call, call, _ended(result), now=self.clock.now()))
        return result

    def earlier(self) -> tuple[RunTool, ...]:
        """The calls that an earlier attempt at this turn has begun."""
        return tuple(RunTool(each.call_id, each.tool, each.arguments) for each in self.taken.calls)

    @property
    def has_effects(self) -> bool:
        """Whether a tool that writes was called, in this attempt or in an earlier one."""
        return bool(self.taken.calls) or any(self.toolbox[each.tool].writes for each in self.results)


def _ended(result: ToolResult) -> Ended:
    status: Literal["ok", "failed", "unknown"] = "ok" if result.ok else "unknown" if result.unknown else "failed"
    return Ended(status, result.outputs, result.error, result.tell, result.asks, result.person)


def _is_same(known: RecordedCall, call: CallAttempt) -> bool:
    return known.call_id == call.call_id and known.attempt == call.attempt
