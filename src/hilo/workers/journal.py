"""The calls of a turn, remembered in the store: each is made once, however often the turn is tried."""

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

from hilo.agent.toolbox import Toolbox
from hilo.clock import Clock
from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import ToolResult
from hilo.spans import span
from hilo.store.journal import CallAttempt, Ended, begin_call, end_call
from hilo.store.store import Refuted, Store
from hilo.store.turns import TurnInput
from hilo.store.wrappers import retry_until_stored

UNKNOWN = "the call was begun, and nobody knows how it ended"
Make = Callable[[], Awaitable[ToolResult]]


class LeaseLost(Exception):  # noqa: N818 -- it names what happened
    """Somebody else has the session now: this turn must do nothing more."""


@dataclass
class TurnJournal:
    """Remembers the calls of one turn in the store: each is made once, however often the turn is tried."""

    store: Store
    clock: Clock
    taken: TurnInput
    toolbox: Toolbox
    turn: int
    results: list[ToolResult] = field(default_factory=list)
    _times: Counter[str] = field(default_factory=Counter)

    async def once(self, run: RunTool, make: Make) -> ToolResult:
        """The recorded result; a call that was begun is made again if that is safe, and left to a person if not."""
        self._times[run.call_id] += 1
        call = CallAttempt(
            session=self.taken.session_id,
            turn=self.turn,
            call_id=run.call_id,
            attempt=self._times[run.call_id],
            tool=run.tool,
            inbox=self.taken.last,
        )
        result = self._recorded(call) or await self._make(call, run, make)
        self.results.append(result)
        return result

    def _recorded(self, call: CallAttempt) -> ToolResult | None:
        calls = {(each.call_id, each.attempt): each for each in self.taken.calls}
        known = calls.get((call.call_id, call.attempt))
        if known is None:
            return None
        if known.status != "started":
            return ToolResult(
                *(call.call_id, call.tool, known.status == "ok", known.outputs, known.error),
                unknown=known.status == "unknown",
                tell=known.tell,
                asks=known.asks,
                person=known.person,
            )
        if self.toolbox[call.tool].idempotent:
            return None
        return ToolResult(call.call_id, call.tool, ok=False, error=UNKNOWN, unknown=True)

    async def _make(self, call: CallAttempt, run: RunTool, make: Make) -> ToolResult:
        now, claim = self.clock.now(), self.taken.claim
        try:
            await self.store.run(begin_call, claim, call, run.arguments, now=now)
        except Refuted:
            raise LeaseLost from None
        with span("execute_tool", call.tool, call.call_id):
            result = await make()
        status: Literal["ok", "failed", "unknown"] = "unknown" if result.unknown else "failed"
        if result.ok:
            status = "ok"
        ended = Ended(status, result.outputs, result.error, result.tell, result.asks, result.person)
        await retry_until_stored(
            lambda: self.store.run(end_call, call, ended, now=self.clock.now()),
        )
        return result

    def earlier(self) -> tuple[RunTool, ...]:
        """The calls that an earlier attempt at this turn has begun."""
        return tuple(RunTool(each.call_id, each.tool, each.arguments) for each in self.taken.calls)
