"""Alarms for many machines, kept by BullMQ on Redis or PostgreSQL.

A wake is a job whose de-duplication id is the address: one waits at most, and one that comes while its job runs
follows it. A timer has an id of its own, for it would swallow the wake, and only rings the wake when it is due.
While an address rests after a failure, a new wake joins that rest, ten seconds at most.
"""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from datetime import datetime, timedelta
from math import ceil
from time import time
from typing import Any

from hilo.clock import Clock
from hilo.errors import HiloError
from hilo.ids import new_id
from hilo.queue.back_off import OnError
from hilo.queue.bull_server import ANSWER_SECONDS, NO_LIMIT, BullServer
from hilo.queue.embedded import EmbeddedQueue
from hilo.queue.queue import Job, Kind

QUEUES: dict[Kind, str] = {"turn": "AGENT_PROCESS", "send": "MESSAGE_SEND", "media": "MEDIA_FETCH"}
URGENT, NORMAL = 1, 2
LOOK_AGAIN = 1.0  # seconds; an idle worker looks so often, for a server does not tell it of a new, nearer timer
AHEAD = timedelta(seconds=LOOK_AGAIN)  # a timer is taken early and waited for here, so it rings exactly
SHORTEST_WAIT = 0.01
PATIENCE = 1.5  # seconds that setting an alarm may take
SENDER_WAITS = 0.1  # seconds of it that hold up who sets it: the gateway has a sender waiting for its answer
AWAY = 5.0  # seconds after that in which nobody else tries
REST = 1.0  # seconds between two tries when the server is away
ABANDONED_AFTER = timedelta(seconds=10)

# Failed jobs ring again until they succeed; what is done leaves nothing behind.
KEPT = {
    "attempts": NO_LIMIT,
    "backoff": {"type": "capped"},
    "removeOnComplete": True,
    "removeOnFail": True,
    "stackTraceLimit": 0,
}


class BullQueue:
    """The alarm clock that many processes share."""

    def __init__(self, server: BullServer, *, clock: Clock, on_error: OnError, abandoned_after: timedelta) -> None:
        self._server = server
        self._clock = clock
        self._on_error = on_error
        self._abandoned_after = abandoned_after
        self._queues = {kind: server.queue(name) for kind, name in QUEUES.items()}
        self._closing = asyncio.Event()
        self._at_rest = asyncio.Condition()
        self._workers = 0
        self._closed = False
        # While the server is away, alarms ring within each process, for what its own sweep finds in the tables.
        self._own = EmbeddedQueue(clock, on_error=on_error)
        self._away_until = 0.0
        self._setting: set[asyncio.Task[None]] = set()  # alarms that are on their way to the server

    @classmethod
    async def open(
        cls, url: str, *, clock: Clock, on_error: OnError, abandoned_after: timedelta = ABANDONED_AFTER
    ) -> "BullQueue":
        """Connect; a job whose process has been silent for `abandoned_after` is given to another within twice that."""
        server = BullServer(url)
        queue = cls(server, clock=clock, on_error=on_error, abandoned_after=abandoned_after)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                for each in queue._queues.values():
                    await each.backend.waitUntilReady()
        except Exception as error:  # noqa: BLE001 -- Redis, PostgreSQL and the network each have their own
            await queue.close()
            raise server.trouble(error) from None
        return queue

    async def wake(self, kind: Kind, address: str, *, at: datetime | None = None, urgent: bool = False) -> None:
        """An alarm that the server does not take rings here; who has no workers leaves it to the sweep of others."""
        if self._closed:
            return
        setting = asyncio.create_task(self._set_or_ring_here(kind, address, at, urgent=urgent))
        self._setting.add(setting)
        setting.add_done_callback(self._setting.discard)
        await asyncio.wait({setting}, timeout=SENDER_WAITS)

    async def wake_here(self, kind: Kind, address: str) -> None:
        """Without the server."""
        await self._own.wake(kind, address)

    async def _set_or_ring_here(self, kind: Kind, address: str, at: datetime | None, *, urgent: bool) -> None:
        now = asyncio.get_running_loop().time
        if now() >= self._away_until:
            try:
                async with asyncio.timeout(PATIENCE):
                    await self._set(kind, address, at, urgent=urgent)
            except Exception as error:  # noqa: BLE001 -- Redis, PostgreSQL and the network each have their own
                self._on_error(address, error)
                self._away_until = now() + AWAY  # nobody else tries meanwhile
            else:
                return
        if self._workers:
            await self._own.wake(kind, address, at=at, urgent=urgent)

    async def work(self, kind: Kind, job: Job, *, concurrency: int) -> None:
        """Cancelling it cancels the jobs and gives their alarms back; a lost connection only delays it."""
        worker = self._server.worker(
            QUEUES[kind],
            lambda ring, _token: self._answer(kind, ring, job),
            abandoned_after=self._abandoned_after,
        )
        worker.on("error", lambda error, *_: self._on_error(QUEUES[kind], error))
        recovery = asyncio.create_task(self._recover(worker))
        self._workers += 1
        try:
            worker.lockManager.start()
            async with asyncio.TaskGroup() as both:
                both.create_task(self._run_all(worker, concurrency))
                both.create_task(self._own.work(kind, job, concurrency=concurrency))
        finally:
            recovery.cancel()
            await worker.lockManager.close()
            await worker.backend.close(force=True)
            self._workers -= 1
            async with self._at_rest:
                self._at_rest.notify_all()

    async def settled(self) -> None:
        """Other processes may have it: nobody waits for that."""

    async def close(self) -> None:
        """Take no more work, wait until the running jobs have ended (they may still set alarms), then disconnect."""
        self._closing.set()
        await self._own.close()
        async with self._at_rest:
            await self._at_rest.wait_for(lambda: not self._workers)
        self._closed = True
        await asyncio.gather(*self._setting, return_exceptions=True)  # each ends within its patience
        for queue in self._queues.values():
            await queue.close()

    async def _set(self, kind: Kind, address: str, at: datetime | None, *, urgent: bool) -> None:
        if at is None or at <= self._clock.now():
            await self._ring(kind, address, urgent=urgent)
        else:
            await self._set_timer(kind, address, at, urgent=urgent)

    async def _ring(self, kind: Kind, address: str, *, urgent: bool) -> None:
        queue, number = self._queues[kind], new_id("wake")
        options = KEPT | {"jobId": number, "priority": URGENT if urgent else NORMAL} | _only_one(f"now:{address}")
        ring = await queue.add("wake", {"address": address}, options)
        if urgent and ring.id != number:
            with suppress(TypeError):  # BullMQ's word for: it has rung meanwhile
                await queue.backend.changePriority(ring.id, URGENT)

    async def _set_timer(self, kind: Kind, address: str, at: datetime, *, urgent: bool) -> None:
        """Keep the earliest timer of an address; a later one is not needed, for its job will say when to ring again."""
        queue = self._queues[kind]
        due = ceil(at.timestamp() * 1000)
        delay = max(0, ceil((at - AHEAD - self._clock.now()).total_seconds() * 1000))
        timer = {"address": address, "at": due, "urgent": urgent}
        options = KEPT | {"delay": delay, "priority": NORMAL}
        while True:
            number = new_id("timer")
            added = await queue.add("timer", timer, options | {"jobId": number} | _only_one(f"at:{address}"))
            other = None if added.id == number else await self._server.timer(queue, added.id)
            if added.id == number or (other and other.data["at"] <= due):
                return
            if other and not await queue.remove(added.id):  # it is being waited for: let both ring
                await queue.add("timer", timer, options | _only_one(f"at:{address}:{due}"))
                return

    async def _run_all(self, worker: Any, concurrency: int) -> None:
        slots = asyncio.Semaphore(concurrency)
        async with asyncio.TaskGroup() as rings:
            await slots.acquire()
            while ring := await self._next(worker):
                running = rings.create_task(worker.processJob(ring, ring.token))
                if ring.name == "wake":
                    running.add_done_callback(lambda _: slots.release())
                    await slots.acquire()

    async def _next(self, worker: Any) -> Any:
        """The next alarm, or None when the queue closes."""
        while not self._closing.is_set():
            try:
                worker.blockUntil = 0
                if ring := await worker.moveToActive(new_id("ring")):
                    return ring
                await self._unless_closing(worker.backend.waitForJob(_idle_seconds(worker.blockUntil)))
            except Exception as error:  # noqa: BLE001 -- whatever the server does, the worker stays
                self._on_error(worker.name, error)
                await self._unless_closing(asyncio.sleep(REST))
        return None

    async def _unless_closing(self, waiting: Coroutine[Any, Any, Any]) -> None:
        """Wait for it, but no longer than until the queue closes."""
        tasks = asyncio.ensure_future(waiting), asyncio.ensure_future(self._closing.wait())
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            outcome, _ = await asyncio.gather(*tasks, return_exceptions=True)
        if isinstance(outcome, Exception):
            raise outcome

    async def _answer(self, kind: Kind, ring: Any, job: Job) -> None:
        """Do what the alarm says; what is raised here makes it ring again."""
        address = ring.data["address"]
        try:
            if ring.name == "timer":
                await self._sleep_until(ring.data["at"] / 1000)
                await self._ring(kind, address, urgent=ring.data["urgent"])
            elif again := await job(address):
                await self._set(kind, address, again, urgent=False)
        except asyncio.CancelledError:
            raise HiloError(f"the job for {address} was interrupted") from None  # so that its alarm goes back at once
        except Exception as error:
            self._on_error(address, error)
            raise

    async def _sleep_until(self, timestamp: float) -> None:
        await asyncio.sleep(max(0.0, timestamp - self._clock.now().timestamp()))

    async def _recover(self, worker: Any) -> None:
        """Give the alarms of dead processes to the living."""
        while True:
            await asyncio.sleep(worker.opts["stalledInterval"] / 1000)
            await worker.runStalledJobsCheck()


def _only_one(name: str) -> dict[str, Any]:
    return {"deduplication": {"id": name, "keepLastIfActive": True}}


def _idle_seconds(due: int) -> float:
    """How long to wait for news when the next delayed alarm is due then (0: none)."""
    left = due / 1000 - time() if due else LOOK_AGAIN
    return min(max(left, SHORTEST_WAIT), LOOK_AGAIN)
