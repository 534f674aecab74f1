"""What only many processes and a server between them can show."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from time import monotonic

import psycopg
import pytest
from redis import Redis

from hilo.clock import SystemClock
from hilo.errors import HiloError
from hilo.queue.bullmq import QUEUES, BullQueue
from hilo.queue.queue import Job
from patience import PATIENCE
from servers import free_port, redis_server

CLOCK = SystemClock()
SOON = timedelta(seconds=0.6)
NEVER = timedelta(minutes=1)


class Rung:
    """The addresses whose job ran, and what was reported."""

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self.errors: list[tuple[str, Exception]] = []

    async def job(self, address: str) -> None:
        self.addresses.append(address)

    async def count(self) -> int:
        return len(self.addresses)

    def on_error(self, address: str, error: Exception) -> None:
        self.errors.append((address, error))

    async def has(self, address: str, *, within: float = PATIENCE) -> float:
        """Wait for its job; answers how long it took."""
        began = monotonic()
        async with asyncio.timeout(within):
            while address not in self.addresses:  # noqa: ASYNC110 -- it watches from outside
                await asyncio.sleep(0.005)
        return monotonic() - began


@pytest.fixture
def rung() -> Rung:
    return Rung()


@pytest.fixture(params=["redis", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    found: str = request.getfixturevalue(f"{request.param}_url")
    return found


@asynccontextmanager
async def opened(url: str, rung: Rung, *, abandoned_after: timedelta = NEVER) -> AsyncIterator[BullQueue]:
    queue = await BullQueue.open(url, clock=CLOCK, on_error=rung.on_error, abandoned_after=abandoned_after)
    try:
        yield queue
    finally:
        await queue.close()


@asynccontextmanager
async def working(queue: BullQueue, job: Job) -> AsyncIterator[None]:
    async with asyncio.TaskGroup() as works:
        works.create_task(queue.work("turn", job, concurrency=5))
        yield
        await queue.close()


async def kill_a_worker_in_its_job(url: str) -> None:
    """Start a process, wait until it has taken an alarm, and kill it."""
    script = Path(__file__).with_name("stuck_worker.py")
    process = await asyncio.create_subprocess_exec(
        sys.executable, script, url, str(SOON.total_seconds()), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE):
            assert await process.stdout.readline() == b"ana\n"
    finally:
        process.kill()
        await process.wait()


async def test_the_alarm_of_a_killed_worker_rings_at_another(url: str, rung: Rung) -> None:
    async with opened(url, rung, abandoned_after=SOON) as queue:
        await queue.wake("turn", "ana")
        await kill_a_worker_in_its_job(url)
        async with working(queue, rung.job):
            await queue.wake("turn", "ana")  # waits behind the dead one
            assert await rung.has("ana") < 4
            await become(2, rung.count)


async def test_a_cancelled_job_is_given_back_at_once(url: str, rung: Rung) -> None:
    begun = asyncio.Event()

    async def endless(_: str) -> None:
        begun.set()
        await asyncio.sleep(60)

    async with opened(url, rung) as queue:
        first = asyncio.create_task(queue.work("turn", endless, concurrency=1))
        await queue.wake("turn", "ana")
        await begun.wait()
        first.cancel()
        await asyncio.wait([first])
        async with working(queue, rung.job):
            assert await rung.has("ana") < 3


async def test_two_workers_share_the_alarms_and_never_double_an_address(url: str, rung: Rung) -> None:
    running: set[str] = set()
    workers: set[str] = set()

    def job_of(worker: str) -> Job:
        async def job(address: str) -> None:
            assert address not in running
            running.add(address)
            workers.add(worker)
            await asyncio.sleep(0.02)
            running.discard(address)
            await rung.job(address)

        return job

    async with (
        opened(url, rung) as one,
        opened(url, rung) as two,
        working(one, job_of("one")),
        working(two, job_of("two")),
    ):
        for number in range(60):
            await one.wake("turn", f"address {number % 20}")
        for number in range(20):
            await rung.has(f"address {number}")
    assert workers == {"one", "two"}
    assert rung.errors == []


async def test_a_restart_of_redis_only_delays(tmp_path: Path, rung: Rung) -> None:
    with redis_server(tmp_path) as server:
        async with opened(server.url, rung, abandoned_after=SOON) as queue:
            await queue.wake("send", "kept")
            await queue.wake("turn", "timer", at=CLOCK.now() + timedelta(seconds=1.3))
            async with working(queue, rung.job):
                await queue.wake("turn", "before")
                await rung.has("before")
                await asyncio.to_thread(server.stop)
                await asyncio.sleep(0.5)
                await asyncio.to_thread(server.start)
                await queue.wake("turn", "after")
                await rung.has("after")
                assert await rung.has("timer") < 4
        async with opened(server.url, rung) as queue:
            work = asyncio.create_task(queue.work("send", rung.job, concurrency=1))
            await rung.has("kept")
            await queue.close()
            await work


async def test_a_wake_while_redis_is_away_is_reported_and_does_not_hold_the_caller(tmp_path: Path, rung: Rung) -> None:
    with redis_server(tmp_path) as server:
        async with opened(server.url, rung) as queue:
            await asyncio.to_thread(server.stop)
            began = monotonic()
            await queue.wake("turn", "ana")
            assert monotonic() - began < 30
    assert [address for address, _ in rung.errors] == ["ana"]


async def test_connections_that_postgres_drops_only_delay(postgres_url: str, rung: Rung) -> None:
    async with opened(postgres_url, rung, abandoned_after=SOON) as queue, working(queue, rung.job):
        await queue.wake("turn", "before")
        await rung.has("before")
        async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as connection:
            await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        await queue.wake("turn", "lost or not")
        await queue.wake("turn", "after")
        await rung.has("after")


async def become(expected: object, look: Callable[[], Awaitable[object]]) -> None:
    """Wait until a look shows what is expected, and say what it showed when it never does."""
    deadline = monotonic() + PATIENCE
    while (seen := await look()) != expected and monotonic() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    assert seen == expected


async def test_nothing_piles_up_in_redis(redis_url: str, rung: Rung) -> None:
    expected = {"meta", "events", "id", "pc", "marker", "stalled", "stalled-check"}

    async def job(address: str) -> None:
        await rung.job(address)
        if len(rung.addresses) == 1:
            raise ValueError(address)

    async def unexpected() -> object:
        with Redis.from_url(redis_url, decode_responses=True) as client:
            return {key.removeprefix(f"bull:{QUEUES['turn']}:") for key in client.scan_iter()} - expected

    async with opened(redis_url, rung) as queue, working(queue, job):
        for number in range(50):
            await queue.wake("turn", f"address {number}", urgent=number % 2 == 0)
            await queue.wake("turn", f"address {number}", at=CLOCK.now() + timedelta(seconds=0.1))
        await become(set(), unexpected)
    assert len(rung.errors) == 1


async def test_nothing_piles_up_in_postgres(postgres_url: str, rung: Rung) -> None:
    async def left() -> object:
        async with await psycopg.AsyncConnection.connect(postgres_url) as connection:
            counts = await connection.execute(
                "SELECT (SELECT count(*) FROM hilo_queue.job), (SELECT count(*) FROM hilo_queue.dedup),"
                " (SELECT count(*) FROM hilo_queue.dedup_next)"
            )
            return await counts.fetchone()

    async with opened(postgres_url, rung) as queue, working(queue, rung.job):
        for number in range(20):
            await queue.wake("turn", f"address {number}")
            await queue.wake("turn", f"address {number}", at=CLOCK.now() + timedelta(seconds=0.1))
        await become((0, 0, 0), left)
    assert len(rung.addresses) > 20


async def test_repeated_times_of_an_address_leave_one_timer(redis_url: str, rung: Rung) -> None:
    async with opened(redis_url, rung) as queue:
        for minutes in (90, 60, 30, 40, 50, 20, 25):
            await queue.wake("turn", "ana", at=CLOCK.now() + timedelta(minutes=minutes))
    with Redis.from_url(redis_url) as client:
        assert client.zcard(f"bull:{QUEUES['turn']}:delayed") == 1


async def test_a_url_of_another_scheme_says_which_are_allowed() -> None:
    with pytest.raises(HiloError, match=r"'amqp'.*redis://, rediss://, postgresql://"):
        await BullQueue.open("amqp://host", clock=CLOCK, on_error=lambda *_: None)


@pytest.mark.parametrize("scheme", ["redis", "postgresql"])
async def test_a_server_that_does_not_answer_is_named_without_the_password(scheme: str) -> None:
    port = free_port()
    with pytest.raises(HiloError) as caught:
        await BullQueue.open(f"{scheme}://ana:s3cr3t@127.0.0.1:{port}/0", clock=CLOCK, on_error=lambda *_: None)
    assert f"{scheme}://127.0.0.1:{port} does not answer" in str(caught.value)
    assert "HILO_QUEUE_URL" in str(caught.value)
    assert "s3cr3t" not in str(caught.value)


async def test_a_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bullmq", None)
    with pytest.raises(HiloError, match=r"pip install 'hilo-chat\[bullmq\]'"):
        await BullQueue.open("redis://127.0.0.1:1/0", clock=CLOCK, on_error=lambda *_: None)
