"""A store that counts what its transactions did, for /metrics. No label says anything about a contact."""

from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

from prometheus_client import Counter, Histogram

from hilo.store.commit import Committed, Outcome, ThrownAway, commit, park
from hilo.store.inbox import QueuedEvent, accept, note_ignored
from hilo.store.outbox import Went, end
from hilo.store.script import Script
from hilo.store.store import Store

T = TypeVar("T")
P = ParamSpec("P")

SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

MESSAGES = Counter("hilo_messages", "Messages of contacts, by whether they were new", ["outcome"])
IGNORED = Counter("hilo_webhooks_ignored", "Webhooks that carried something that was not for us")
TURNS = Counter("hilo_turns", "Turns by what became of them and by the stage that understood", ["outcome", "stage"])
DURATION = Histogram("hilo_turn_seconds", "How long committed turns took", ["stage"], buckets=SECONDS)
SENDS = Counter("hilo_sends", "Attempts to send, by outcome", ["outcome"])


class CountingStore:
    """Counts when a transaction is through: what is counted has happened, in whatever process it did."""

    def __init__(self, inner: Store) -> None:
        self._inner = inner

    async def run(self, script: Callable[P, Script[T]], *values: P.args, **named: P.kwargs) -> T:
        """Run a script, and count what it did."""
        result = await self._inner.run(script, *values, **named)
        if script in _COUNTED:
            _COUNTED[script](values, result)
        return result

    async def close(self) -> None:
        """Let go of the database."""
        await self._inner.close()


def _accepted(_values: tuple[Any, ...], accepted: tuple[QueuedEvent, ...]) -> None:
    for each in accepted:
        MESSAGES.labels("duplicate" if each.duplicate else "new").inc()


def _committed(values: tuple[Any, ...], result: Committed | ThrownAway) -> None:
    outcome: Outcome = values[0]
    stage = outcome.usage.stage or "none"
    match result:
        case ThrownAway(why=why):
            TURNS.labels(f"again: {why}", stage).inc()
        case Committed():
            TURNS.labels("failed" if outcome.failed else "done", stage).inc()
            DURATION.labels(stage).observe(outcome.usage.milliseconds / 1000)


def _sent(values: tuple[Any, ...], _result: object) -> None:
    went: Went = values[1]
    SENDS.labels(went.status).inc()


_COUNTED: Mapping[Any, Callable[[tuple[Any, ...], Any], None]] = {
    accept: _accepted,
    note_ignored: lambda _values, _result: IGNORED.inc(),
    commit: _committed,
    park: lambda _values, _result: TURNS.labels("parked", "none").inc(),
    end: _sent,
}
