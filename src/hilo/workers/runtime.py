"""Everything that runs: the workers of one process, and the sweep that finds what no alarm woke.

They are started together and stopped gracefully; dead processes of this machine are found by who holds a lease.
"""

import asyncio
import os
import platform
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import structlog

from hilo.clock import Clock
from hilo.queue.queue import Queue
from hilo.store.campaigns import next_campaign
from hilo.store.inbox import fire, forget, next_due
from hilo.store.spending import settle_expired
from hilo.store.store import Store, StoreUnavailable
from hilo.store.work import AT_MOST, LEASE, clear_owner, heartbeat, owners, recall, waiting
from hilo.workers.campaigns import CampaignPacer
from hilo.workers.deliveries import DeliveryWorker
from hilo.workers.media import AT_ONCE as FILES_AT_ONCE
from hilo.workers.media import MediaWorker
from hilo.workers.turns import TurnWorker

log = structlog.get_logger()

GRACE = 20.0  # seconds that running turns have to finish before they are given back
SOON = timedelta(seconds=1)  # when more waits than was looked at
SETTLE_EVERY = timedelta(minutes=1)
FORGET_EVERY = timedelta(hours=1)

_PROC = Path("/proc")
_ENDED = ("Z", "X")  # dead, though its parent has not asked yet how it ended


@dataclass(slots=True)
class Sweep:
    """Looks at the tables from time to time; cheap when there is nothing."""

    store: Store
    queue: Queue
    clock: Clock
    owner: str
    every: timedelta
    lease: timedelta = LEASE
    campaigns: CampaignPacer | None = None
    forgot: datetime | None = None
    settled: datetime | None = None

    async def once(self) -> datetime:
        """Fire, wake, clear; when to look again."""
        await self.fire_timers()
        if self.campaigns:
            await self.campaigns.begin_due()
        now = self.clock.now()
        horizon = now + self.every
        await self.store.run(recall, now=now)
        found = await self.store.run(waiting, until=horizon)
        for each in found:
            await self.queue.wake(each.kind, each.address, at=each.at, urgent=each.urgent)
        if len(found) == AT_MOST:
            horizon = now + min(self.every, SOON)
        # Reservations live for minutes, and one that stays longer lets nobody overspend: no need to look often.
        if self.settled is None or now - self.settled >= SETTLE_EVERY:
            self.settled = now
            while await self.store.run(settle_expired, now=now):
                log.warning("a process died while it asked a model; the request counts at its worst")
        if self.forgot is None or now - self.forgot > FORGET_EVERY:
            self.forgot = now
            await self.store.run(forget, now=now)
        dues = (await self.store.run(next_due), await self.store.run(next_campaign))
        return min((horizon, *filter(None, dues)))

    async def fire_timers(self) -> None:
        """Put the timers that are due into the inbox, and wake the addresses."""
        while addresses := await self.store.run(fire, now=self.clock.now()):
            for address in addresses:
                await self.queue.wake("turn", address)

    async def clear_the_dead(self) -> None:
        """Free what processes of this machine held that are no more."""
        for owner in await self.store.run(owners):
            if owner != self.owner and is_dead(owner):
                log.info("cleared the leases of a dead process", owner=owner)
                await self.store.run(clear_owner, owner)

    async def beat(self) -> None:
        """Keep our claims."""
        await self.store.run(heartbeat, self.owner, until=self.clock.now() + self.lease)


@dataclass
class Runtime:
    """Turns, deliveries, the sweep and the heartbeat, until it is stopped."""

    queue: Queue
    turns: TurnWorker
    deliveries: DeliveryWorker
    media: MediaWorker
    sweep: Sweep
    concurrency: int = 200
    media_days: int = 0  # after so many a file is let go; 0 keeps them
    _tasks: list[asyncio.Task[None]] = field(default_factory=list, init=False)
    _look: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _looked: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _next_look: datetime = field(default=datetime.max.replace(tzinfo=UTC), init=False)

    def __post_init__(self) -> None:
        self.deliveries = replace(self.deliveries, wake=partial(self.queue.wake, "send"))
        self.turns = replace(self.turns, promised=self._promised, deliveries=self.deliveries)

    async def start(self) -> None:
        """Free what dead processes held, and begin to work."""
        await self.sweep.clear_the_dead()
        jobs = (
            self.queue.work("turn", self.turns.work, concurrency=self.concurrency),
            self.queue.work("send", self.deliveries.work, concurrency=self.concurrency),
            self.queue.work("media", self.media.work, concurrency=FILES_AT_ONCE),
            self._repeat(self._sweep),
            self._repeat(self._beat),
            *([self._repeat(self._forget_media)] if self.media_days else []),
        )
        self._tasks = [asyncio.create_task(job) for job in jobs]

    async def caught_up(self, *, within: float) -> None:
        """Wait until what was there at the start is done, or for so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                await self._looked.wait()
                await self.queue.settled()

    def _promised(self, due: datetime) -> None:
        """A turn has set a timer: the sweep may have to look earlier than it meant to."""
        if due < self._next_look:
            self._look.set()

    async def _sweep(self) -> None:
        self._look.clear()
        self._next_look = await self.sweep.once()
        self._looked.set()
        with suppress(TimeoutError):
            # Never longer than usual: the clock may be set back.
            pause = min(self._next_look - self.sweep.clock.now(), self.sweep.every)
            async with asyncio.timeout(pause.total_seconds()):
                await self._look.wait()

    async def _beat(self) -> None:
        await self.sweep.beat()
        await self.sweep.clear_the_dead()
        await asyncio.sleep(self.sweep.lease.total_seconds() / 3)

    async def _forget_media(self) -> None:
        await self.media.forget(self.sweep.clock.now() - timedelta(days=self.media_days))
        await asyncio.sleep(FORGET_EVERY.total_seconds())

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
        await asyncio.wait([closing, *self._tasks[:3]], timeout=grace)
        with suppress(TimeoutError):
            async with asyncio.timeout(grace):
                await self.deliveries.finish()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await closing


# --- who holds a lease -------------------------------------------------------------------------------


def this_process(name: str = "") -> str:
    """The machine, the process and when it started; a restarted process is another one, whatever its number."""
    return f"{_machine()}|{os.getpid()}|{_started(os.getpid())}|{name}"


def is_dead(owner: str) -> bool:
    """Whether an owner was a process of this machine that is no more; of other machines nothing is known."""
    machine, _, rest = owner.partition("|")
    number, _, rest = rest.partition("|")
    started = rest.partition("|")[0]
    if machine != _machine() or not number.isdigit() or not _PROC.is_dir():
        return False
    return _started(int(number)) != started


def _machine() -> str:
    """Processes see one another only within a namespace, so it belongs to the machine's name."""
    try:
        namespace = (_PROC / "self/ns/pid").readlink().name.strip("pid:[]")
    except OSError:
        namespace = ""
    return f"{platform.node()}/{namespace}"


def _started(number: int) -> str:
    try:
        stat = (_PROC / str(number) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] in _ENDED else fields[19]
