"""Alarms within one process: no server, no polling. What a restart forgets, the store's sweep finds."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from heapq import heapify, heappop, heappush

from hilo.clock import Clock
from hilo.queue.back_off import OnError, back_off
from hilo.queue.queue import KINDS, Job, Kind

LONGEST_SLEEP = 60.0  # seconds; a clock that was set forward is noticed after so long
STALE_ALLOWED = 64  # replaced alarms that may lie in the heap before it is worth rebuilding


class EmbeddedQueue:
    """The alarm clock of a single process; with a fake clock it runs in virtual time."""

    def __init__(self, clock: Clock, *, on_error: OnError) -> None:
        self._clock = clock
        self._on_error = on_error
        self._alarms: dict[Kind, _Alarms] = {kind: _Alarms() for kind in KINDS}
        self._closed = False

    async def wake(self, kind: Kind, address: str, *, at: datetime | None = None, urgent: bool = False) -> None:
        """One alarm waits per address, with the earliest time it was given; after `close` none is taken."""
        if not self._closed:
            self._alarms[kind].set(_Alarm(address, at or self._clock.now(), urgent))

    async def wake_here(self, kind: Kind, address: str) -> None:
        """There is no other process."""
        await self.wake(kind, address)

    async def work(self, kind: Kind, job: Job, *, concurrency: int) -> None:
        """Cancelling it cancels the jobs and waits for them."""
        alarms = self._alarms[kind]
        alarms.worked = True
        try:
            async with asyncio.TaskGroup() as jobs:
                while not self._closed:
                    alarms.changed.clear()
                    while len(alarms.running) < concurrency and (address := alarms.take(self._clock.now())):
                        jobs.create_task(self._run(kind, address, job))
                    await self._sleep(alarms, full=len(alarms.running) >= concurrency)
        finally:
            alarms.worked = False

    async def close(self) -> None:
        """`work` returns when its running jobs have ended; alarms that wait are forgotten."""
        self._closed = True
        self.poke()

    def next_due(self) -> datetime | None:
        """When the earliest alarm of all kinds rings."""
        return min((due for alarms in self._alarms.values() if (due := alarms.next_due())), default=None)

    def poke(self) -> None:
        """Look at the clock again: it was moved."""
        for alarms in self._alarms.values():
            alarms.changed.set()

    async def settled(self) -> None:
        """Wait until the kinds that are worked have nothing due and nothing running: then the clock may be moved."""
        await asyncio.sleep(0)  # a worker that was only just started must get going
        while busy := next((alarms for alarms in self._alarms.values() if alarms.is_busy(self._clock.now())), None):
            busy.paused.clear()
            await busy.paused.wait()

    async def _run(self, kind: Kind, address: str, job: Job) -> None:
        alarms = self._alarms[kind]
        try:
            again = await job(address)
        except Exception as error:  # noqa: BLE001 -- whatever a job raises, the others go on
            self._on_error(address, error)
            again = self._clock.now() + back_off(alarms.count_failure(address))
        else:
            alarms.failures.pop(address, None)
        finally:
            alarms.release(address)
        if again is not None:
            await self.wake(kind, address, at=again)

    async def _sleep(self, alarms: "_Alarms", *, full: bool) -> None:
        """Until the next alarm is due, or something changed; a full house waits only for a job to end."""
        if not alarms.running:
            alarms.paused.set()
        due = None if full else alarms.next_due()
        seconds = None if due is None else min((due - self._clock.now()).total_seconds(), LONGEST_SLEEP)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await alarms.changed.wait()


@dataclass(frozen=True, slots=True)
class _Alarm:
    address: str
    at: datetime
    urgent: bool


class _Alarms:
    """The alarms of one kind. Those of an address whose job runs are held back until it ended."""

    def __init__(self) -> None:
        self.running: set[str] = set()
        self.failures: dict[str, int] = {}
        self.worked = False
        self.changed = asyncio.Event()
        self.paused = asyncio.Event()
        self._waiting: dict[str, _Alarm] = {}
        self._later: list[tuple[datetime, int, _Alarm]] = []
        self._due: list[tuple[bool, datetime, int, _Alarm]] = []
        self._number = 0

    def set(self, alarm: _Alarm) -> None:
        """Keep the earlier time and the greater urgency of this one and the one that waits."""
        waiting = self._waiting.get(alarm.address)
        if waiting is not None:
            alarm = _Alarm(alarm.address, min(waiting.at, alarm.at), waiting.urgent or alarm.urgent)
        if alarm == waiting:
            return
        self._waiting[alarm.address] = alarm
        if alarm.address not in self.running:
            self._put(alarm)

    def take(self, now: datetime) -> str | None:
        """The next address to run: urgent ones first, then in the order in which they came due."""
        self._ripen(now)
        while self._due:
            alarm = heappop(self._due)[-1]
            if self._is_live(alarm):
                del self._waiting[alarm.address]
                self.running.add(alarm.address)
                return alarm.address
        return None

    def release(self, address: str) -> None:
        """Its job ended: an alarm that came meanwhile may ring."""
        self.running.discard(address)
        self.changed.set()
        if held := self._waiting.get(address):
            self._put(held)

    def next_due(self) -> datetime | None:
        """The time of the earliest alarm that is not held back."""
        while self._due and not self._is_live(self._due[0][-1]):
            heappop(self._due)
        while self._later and not self._is_live(self._later[0][-1]):
            heappop(self._later)
        first = self._due[:1] + self._later[:1]
        return min((entry[-1].at for entry in first), default=None)

    def is_busy(self, now: datetime) -> bool:
        """Whether a worker has something to do or to finish."""
        due = self.next_due()
        return self.worked and (bool(self.running) or (due is not None and due <= now))

    def count_failure(self, address: str) -> int:
        """How often its job failed without a success in between."""
        self.failures[address] = self.failures.get(address, 0) + 1
        return self.failures[address]

    def _ripen(self, now: datetime) -> None:
        while self._later and self._later[0][0] <= now:
            at, number, alarm = heappop(self._later)
            if self._is_live(alarm):
                heappush(self._due, (not alarm.urgent, at, number, alarm))

    def _is_live(self, alarm: _Alarm) -> bool:
        return self._waiting.get(alarm.address) is alarm

    def _put(self, alarm: _Alarm) -> None:
        self._number += 1
        heappush(self._later, (alarm.at, self._number, alarm))
        self.changed.set()
        if len(self._later) > 2 * len(self._waiting) + STALE_ALLOWED:
            self._later = [entry for entry in self._later if self._is_live(entry[-1])]
            heapify(self._later)


class SilentQueue:
    """For a process without workers: those of others find in the tables what there is to do."""

    async def wake(self, kind: Kind, address: str, *, at: datetime | None = None, urgent: bool = False) -> None:
        """Nobody here would hear it."""

    async def wake_here(self, kind: Kind, address: str) -> None:
        """Nobody here would hear it either."""

    async def work(self, kind: Kind, job: Job, *, concurrency: int) -> None:
        """There is never an alarm."""

    async def settled(self) -> None:
        """Always."""

    async def close(self) -> None:
        """Nothing is open."""
