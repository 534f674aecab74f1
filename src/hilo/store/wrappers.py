"""What an installation puts around its store: it counts for /metrics, lets few of the workers in at once, and waits."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import chain, repeat
from typing import Any, ParamSpec, TypeVar

import structlog
from prometheus_client import Counter, Histogram

from hilo.store.commits import commit, commit_at_once, park
from hilo.store.inbox import accept, accept_one, note_ignored
from hilo.store.outbox import end
from hilo.store.store import Store, StoreUnavailable
from hilo.store.turns import ThrownAway
from hilo.tools.database import Script

log = structlog.get_logger()

T = TypeVar("T")
P = ParamSpec("P")

# Transactions that end together let as many turns go on at once, and until they rest no webhook is answered.
AT_ONCE = 8

SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

# No label says anything about a contact.
MESSAGES = Counter("hilo_messages", "Messages of contacts, by whether they were new", ["outcome"])
IGNORED = Counter("hilo_webhooks_ignored", "Webhooks that carried something that was not for us")
TURNS = Counter("hilo_turns", "Turns by what became of them and by the stage that understood", ["outcome", "stage"])
DURATION = Histogram("hilo_turn_seconds", "How long committed turns took", ["stage"], buckets=SECONDS)
SENDS = Counter("hilo_sends", "Attempts to send, by outcome", ["outcome"])
PAUSES = (0.05, 0.2, 0.5, 1.0, 2.0)  # seconds; the last one again and again


class CountingStore:
    """Counts when a transaction is through: what is counted has happened, in whatever process it did."""

    def __init__(self, inner: Store) -> None:
        self._inner = inner

    async def run(self, script: Callable[P, Script[T]], *values: P.args, **named: P.kwargs) -> T:
        """Run a script, and count what it did."""
        result = await self._inner.run(script, *values, **named)
        _count(script, values, result)
        return result

    async def close(self) -> None:
        """Let go of the database."""
        await self._inner.close()


def _count(script: Any, values: Any, result: Any) -> None:
    if script is accept or (script is accept_one and result):
        for each in result if script is accept else (result,):
            MESSAGES.labels("duplicate" if each.duplicate else "new").inc()
    elif script is note_ignored:
        IGNORED.inc()
    elif script in (commit, commit_at_once):
        outcome, stage = values[0], values[0].usage.stage or "none"
        if isinstance(result, ThrownAway):
            TURNS.labels(f"again: {result.why}", stage).inc()
        else:
            TURNS.labels("failed" if outcome.failed else "done", stage).inc()
            DURATION.labels(stage).observe(outcome.usage.milliseconds / 1000)
    elif script is park:
        TURNS.labels("parked", "none").inc()
    elif script is end:
        SENDS.labels(values[1].status).inc()


class PatientStore:
    """The workers' way to the store: however many turns wait for a model, only a few touch the tables at once.

    So who comes from outside goes first: the workers' transactions wait for one another, not the gateway for them.
    """

    def __init__(self, inner: Store, *, at_once: int = AT_ONCE) -> None:
        self._inner = inner
        self._room = asyncio.Semaphore(at_once)

    async def run(self, script: Callable[P, Script[T]], *values: P.args, **named: P.kwargs) -> T:
        """Run a script when there is room."""
        async with self._room:
            return await self._inner.run(script, *values, **named)

    async def close(self) -> None:
        """The store is closed by whoever opened it."""


async def retry_until_stored(write: Callable[[], Awaitable[T]]) -> T:
    """Write as soon as the database is back; cancel it to give up."""
    for pause in chain(PAUSES, repeat(PAUSES[-1])):
        try:
            return await write()
        except StoreUnavailable as error:
            log.warning("a result waits for the database", reason=str(error))
            await asyncio.sleep(pause)
    raise AssertionError  # it repeats for ever
