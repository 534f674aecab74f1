"""What every alarm clock must do: in process, BullMQ on Redis, BullMQ on PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic

import pytest

from hilo.clock import SystemClock
from hilo.queue.bullmq import BullQueue
from hilo.queue.embedded import EmbeddedQueue
from hilo.queue.queue import Job, Kind, Queue
from patience import PATIENCE

CLOCK = SystemClock()


@dataclass
class Diary:
    """What the jobs did: who ran when, and what was reported."""

    started: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    errors: list[tuple[str, Exception]] = field(default_factory=list)
    running: list[str] = field(default_factory=list)
    most_at_once: int = 0
    doubled: bool = False

    def on_error(self, address: str, error: Exception) -> None:
        self.errors.append((address, error))

    @asynccontextmanager
    async def job(self, address: str) -> AsyncIterator[None]:
        self.started.append(address)
        self.times.append(monotonic())
        self.doubled = self.doubled or address in self.running
        self.running.append(address)
        self.most_at_once = max(self.most_at_once, len(self.running))
        try:
            yield
        finally:
            self.running.remove(address)

    async def has(self, count: int, *, within: float = PATIENCE) -> None:
        """Wait until so many jobs have started."""
        async with asyncio.timeout(within):
            while len(self.started) < count:  # noqa: ASYNC110 -- it watches from outside
                await asyncio.sleep(0.005)

    async def is_quiet(self, seconds: float = 0.15) -> None:
        """Wait until nothing new has started for a while."""
        count = -1
        while count != len(self.started) or self.running:
            count = len(self.started)
            await asyncio.sleep(seconds)


@pytest.fixture
def diary() -> Diary:
    return Diary()


@pytest.fixture(params=["embedded", "redis", "postgres"])
async def queue(request: pytest.FixtureRequest, diary: Diary) -> AsyncIterator[Queue]:
    match request.param:
        case "embedded":
            queue: Queue = EmbeddedQueue(CLOCK, on_error=diary.on_error)
        case server:
            url = request.getfixturevalue(f"{server}_url")
            queue = await BullQueue.open(url, clock=CLOCK, on_error=diary.on_error)
    yield queue
    await queue.close()


@asynccontextmanager
async def working(queue: Queue, job: Job, *, concurrency: int = 10, kind: Kind = "turn") -> AsyncIterator[None]:
    """Work in the background; at the end the queue is closed and the work has returned."""
    work = asyncio.create_task(queue.work(kind, job, concurrency=concurrency))
    try:
        yield
    finally:
        await queue.close()
        async with asyncio.timeout(PATIENCE):
            await work


def noting(diary: Diary, *, seconds: float = 0.0) -> Job:
    """A job that only takes its time."""

    async def job(address: str) -> None:
        async with diary.job(address):
            await asyncio.sleep(seconds)

    return job


async def test_every_wake_is_followed_by_a_job(queue: Queue, diary: Diary) -> None:
    addresses = [f"whatsapp:+57300{number:03}" for number in range(30)]
    for address in addresses[:15]:
        await queue.wake("turn", address)
    async with working(queue, noting(diary)):
        for address in addresses[15:]:
            await queue.wake("turn", address)
        await diary.has(30)
    assert sorted(diary.started) == addresses
    assert diary.errors == []


async def test_a_kind_rings_only_its_own_workers(queue: Queue, diary: Diary) -> None:
    async with working(queue, noting(diary), kind="send"):
        await queue.wake("turn", "a turn")
        await queue.wake("send", "a send")
        await diary.has(1)
        await diary.is_quiet()
    assert diary.started == ["a send"]


async def test_many_wakes_of_an_idle_address_make_few_jobs(queue: Queue, diary: Diary) -> None:
    for _ in range(100):
        await queue.wake("turn", "ana")
    last = monotonic()
    async with working(queue, noting(diary)):
        await diary.has(1)
        await diary.is_quiet()
    assert len(diary.started) <= 2
    assert diary.times[-1] >= last


async def test_an_address_never_has_two_jobs_at_once(queue: Queue, diary: Diary) -> None:
    async with working(queue, noting(diary, seconds=0.02)):
        for _ in range(20):
            last = monotonic()
            await asyncio.gather(*(queue.wake("turn", address) for address in ("ana", "ben", "ana")))
            await asyncio.sleep(0.01)
        await diary.is_quiet()
    assert not diary.doubled
    assert diary.most_at_once == 2
    for address in ("ana", "ben"):
        assert max(at for at, who in zip(diary.times, diary.started, strict=True) if who == address) >= last


async def test_different_addresses_run_in_parallel_up_to_the_concurrency(queue: Queue, diary: Diary) -> None:
    for number in range(12):
        await queue.wake("turn", f"address {number}")
    async with working(queue, noting(diary, seconds=0.15), concurrency=4):
        await diary.has(12)
    assert diary.most_at_once == 4


async def test_urgent_alarms_go_first(queue: Queue, diary: Diary) -> None:
    await queue.wake("send", "agent 1")
    await queue.wake("send", "agent 2")
    await queue.wake("send", "agent 3")
    await queue.wake("send", "operator 1", urgent=True)
    await queue.wake("send", "operator 2", urgent=True)
    await queue.wake("send", "agent 3", urgent=True)
    async with working(queue, noting(diary), kind="send", concurrency=1):
        await diary.has(5)
    assert set(diary.started[:3]) == {"operator 1", "operator 2", "agent 3"}
    assert diary.started[3:] == ["agent 1", "agent 2"]


@pytest.mark.parametrize("delay", [0.3, 1.4])
async def test_a_time_rings_then_and_not_before(queue: Queue, diary: Diary, delay: float) -> None:
    async with working(queue, noting(diary)):
        await asyncio.sleep(0.05)
        due = monotonic() + delay
        await queue.wake("turn", "ana", at=CLOCK.now() + timedelta(seconds=delay))
        await diary.has(1)
        await diary.is_quiet()
    assert diary.started == ["ana"]
    assert -0.01 <= diary.times[0] - due < 10


async def test_a_time_does_not_swallow_an_immediate_wake(queue: Queue, diary: Diary) -> None:
    await queue.wake("turn", "ana", at=CLOCK.now() + timedelta(hours=1))
    async with working(queue, noting(diary)):
        await queue.wake("turn", "ana")
        await diary.has(1)


async def test_the_earlier_of_two_times_wins(queue: Queue, diary: Diary) -> None:
    for seconds in (3600, 0.4, 1800):
        await queue.wake("turn", "ana", at=CLOCK.now() + timedelta(seconds=seconds))
    async with working(queue, noting(diary)):
        await diary.has(1, within=4)
        await diary.is_quiet()
    assert diary.started == ["ana"]


async def test_a_time_that_has_passed_rings_now(queue: Queue, diary: Diary) -> None:
    async with working(queue, noting(diary)):
        await queue.wake("turn", "ana", at=CLOCK.now() - timedelta(days=1))
        await diary.has(1)


async def test_a_wake_during_the_job_rings_again_once(queue: Queue, diary: Diary) -> None:
    async def job(address: str) -> None:
        async with diary.job(address):
            if len(diary.started) == 1:
                await queue.wake("turn", address)
                await queue.wake("turn", address)
                await asyncio.sleep(0.05)

    async with working(queue, job):
        await queue.wake("turn", "ana")
        await diary.has(2)
        await diary.is_quiet()
    assert len(diary.started) == 2
    assert not diary.doubled


async def test_the_returned_time_rings_again(queue: Queue, diary: Diary) -> None:
    async def job(address: str) -> datetime | None:
        async with diary.job(address):
            return CLOCK.now() + timedelta(seconds=0.3) if len(diary.started) < 3 else None

    async with working(queue, job):
        await queue.wake("turn", "ana")
        await diary.has(3)
        await diary.is_quiet()
    gaps = [later - earlier for earlier, later in zip(diary.times, diary.times[1:], strict=False)]
    assert len(gaps) == 2
    assert all(0.29 <= gap < 1.0 for gap in gaps)


async def test_a_job_that_raises_is_reported_and_rung_again(queue: Queue, diary: Diary) -> None:
    trouble = ValueError("the database is away")

    async def job(address: str) -> None:
        async with diary.job(address):
            if diary.started.count("ana") < 3 and address == "ana":
                raise trouble

    async with working(queue, job):
        await queue.wake("turn", "ana")
        await queue.wake("turn", "ben")
        await diary.has(4)
        await diary.is_quiet()
    assert sorted(diary.started) == ["ana", "ana", "ana", "ben"]
    assert [address for address, _ in diary.errors] == ["ana", "ana"]
    assert diary.errors[0][1] is trouble


async def test_closing_waits_for_running_jobs(queue: Queue, diary: Diary) -> None:
    ended: list[str] = []

    async def job(address: str) -> None:
        async with diary.job(address):
            await asyncio.sleep(0.3)
            await queue.wake("send", address)
        ended.append(address)

    for address in ("ana", "ben", "eva"):
        await queue.wake("turn", address)
    async with working(queue, job, concurrency=2):
        await diary.has(2)
    assert ended == diary.started[:2]
    assert len(diary.started) == 2


async def test_an_idle_worker_stops_at_once(queue: Queue, diary: Diary) -> None:
    async with working(queue, noting(diary)):
        await asyncio.sleep(0.2)
        began = monotonic()
    assert monotonic() - began < 10


async def test_cancelling_the_work_cancels_its_jobs_and_waits_for_them(queue: Queue, diary: Diary) -> None:
    cleaned: list[str] = []

    async def job(address: str) -> None:
        async with diary.job(address):
            try:
                await asyncio.sleep(30)
            finally:
                cleaned.append(address)

    work = asyncio.create_task(queue.work("turn", job, concurrency=2))
    await queue.wake("turn", "ana")
    await diary.has(1)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert cleaned == ["ana"]
