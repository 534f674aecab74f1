"""Everything that runs: the workers of one process, started together and stopped gracefully."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import structlog

from hilo.queue.queue import Queue
from hilo.store.store import StoreUnavailable
from hilo.workers.deliveries import DeliveryWorker
from hilo.workers.sweep import Sweep
from hilo.workers.turns import TurnWorker

log = structlog.get_logger()

GRACE = 20.0  # seconds that running turns have to finish before they are given back


@dataclass
class Runtime:
    """Turns, deliveries, the sweep and the heartbeat, until it is stopped."""

    queue: Queue
    turns: TurnWorker
    deliveries: DeliveryWorker
    sweep: Sweep
    concurrency: int = 200
    _tasks: list[asyncio.Task[None]] = field(default_factory=list, init=False)
    _look: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _next_look: datetime = field(default=datetime.max.replace(tzinfo=UTC), init=False)

    def __post_init__(self) -> None:
        self.turns = replace(self.turns, promised=self._promised)

    async def start(self) -> None:
        """Free what dead processes held, and begin to work."""
        await self.sweep.clear_the_dead()
        jobs = (
            self.queue.work("turn", self.turns.work, concurrency=self.concurrency),
            self.queue.work("send", self.deliveries.work, concurrency=self.concurrency),
            self._repeat(self._sweep),
            self._repeat(self._beat),
        )
        self._tasks = [asyncio.create_task(job) for job in jobs]

    def _promised(self, due: datetime) -> None:
        """A turn has set a timer: the sweep may have to look earlier than it meant to."""
        if due < self._next_look:
            self._look.set()

    async def _sweep(self) -> None:
        self._look.clear()
        self._next_look = await self.sweep.once()
        with suppress(TimeoutError):
            pause = min(self._next_look - self.sweep.clock.now(), self.sweep.every)  # the clock may be set back
            async with asyncio.timeout(pause.total_seconds()):
                await self._look.wait()

    async def _beat(self) -> None:
        await self.sweep.beat()
        await self.sweep.clear_the_dead()
        await asyncio.sleep(self.sweep.lease.total_seconds() / 3)

    async def _repeat(self, job: Callable[[], Awaitable[None]]) -> None:
        """Runs until cancelled: it waits for a database that is unavailable, and no error of ours ends it."""
        while True:
            try:
                await job()
            except StoreUnavailable as error:
                log.warning("the database is away", reason=str(error))
                await asyncio.sleep(1)
            except Exception:
                log.exception("the sweep or the heartbeat broke")
                await asyncio.sleep(1)

    async def stop(self, *, grace: float = GRACE) -> None:
        """Take no more work, let what runs finish, and give back what does not."""
        closing = asyncio.create_task(self.queue.close())
        await asyncio.wait([closing, *self._tasks[:2]], timeout=grace)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await closing
