"""What the in-process alarm clock promises beyond the others: virtual time, and hardly any cost."""

import asyncio
from datetime import datetime, timedelta
from time import process_time

from hilo.clock import SystemClock
from hilo.queue.embedded import EmbeddedQueue
from hilo.testing.clock import START, FakeClock


def fail(address: str, error: Exception) -> None:
    raise AssertionError(address) from error


async def run_until(queue: EmbeddedQueue, clock: FakeClock, end: datetime) -> None:
    """Move the clock from alarm to alarm."""
    await queue.settled()
    while (due := queue.next_due()) and due <= end:
        clock.time = due
        queue.poke()
        await queue.settled()


async def test_thirty_days_pass_in_virtual_time() -> None:
    clock = FakeClock()
    queue = EmbeddedQueue(clock, on_error=fail)
    rung: list[datetime] = []

    async def job(_: str) -> datetime | None:
        await asyncio.sleep(0)
        rung.append(clock.now())
        return clock.now() + timedelta(hours=6)

    work = asyncio.create_task(queue.work("turn", job, concurrency=1))
    await queue.wake("turn", "ana", at=START + timedelta(hours=6))
    began = process_time()
    await run_until(queue, clock, START + timedelta(days=30))
    await queue.close()
    await work
    assert rung == [START + timedelta(hours=6 * number) for number in range(1, 121)]
    assert process_time() - began < 3


async def test_the_next_due_time_is_the_earliest_of_all_kinds() -> None:
    queue = EmbeddedQueue(FakeClock(), on_error=fail)
    assert queue.next_due() is None
    await queue.wake("turn", "ana", at=START + timedelta(hours=2))
    await queue.wake("send", "ana", at=START + timedelta(hours=1))
    await queue.wake("send", "ana", at=START + timedelta(hours=3))
    assert queue.next_due() == START + timedelta(hours=1)


async def test_a_failing_job_rests_longer_each_time_and_recovers() -> None:
    clock = FakeClock()
    reported: list[str] = []
    queue = EmbeddedQueue(clock, on_error=lambda address, _: reported.append(address))
    rung: list[float] = []

    async def job(_: str) -> None:
        rung.append((clock.now() - START).total_seconds())
        if len(rung) in (1, 2, 3, 5):
            raise ValueError

    work = asyncio.create_task(queue.work("turn", job, concurrency=1))
    await queue.wake("turn", "ana")
    await run_until(queue, clock, START + timedelta(minutes=1))
    await queue.wake("turn", "ana", at=START + timedelta(minutes=1))
    await run_until(queue, clock, START + timedelta(minutes=2))
    await queue.close()
    await work
    assert rung == [0, 0.25, 0.75, 1.75, 60, 60.25]
    assert reported == ["ana"] * 4


async def test_a_hundred_thousand_alarms_cost_about_a_second() -> None:
    queue = EmbeddedQueue(SystemClock(), on_error=fail)
    rung = 0

    async def job(_: str) -> None:
        nonlocal rung
        rung += 1

    began = process_time()
    for number in range(100_000):
        await queue.wake("turn", f"address {number}")
    work = asyncio.create_task(queue.work("turn", job, concurrency=100))
    await asyncio.sleep(0)
    await queue.settled()
    spent = process_time() - began
    await queue.close()
    await work
    assert rung == 100_000
    assert spent < 4  # about 1 s on a quiet machine


async def test_an_idle_queue_costs_nothing() -> None:
    queue = EmbeddedQueue(SystemClock(), on_error=fail)
    work = asyncio.create_task(queue.work("turn", _nothing, concurrency=5))
    await queue.wake("turn", "ana", at=SystemClock().now() + timedelta(hours=1))
    await asyncio.sleep(0.05)
    began = process_time()
    await asyncio.sleep(0.5)
    assert process_time() - began < 0.05
    await queue.close()
    await work


async def test_a_full_house_does_not_spin_while_alarms_are_due() -> None:
    queue = EmbeddedQueue(SystemClock(), on_error=fail)
    work = asyncio.create_task(queue.work("turn", _half_a_second, concurrency=1))
    for address in ("ana", "ben", "eva"):
        await queue.wake("turn", address)
    await asyncio.sleep(0.05)
    began = process_time()
    await asyncio.sleep(0.3)
    assert process_time() - began < 0.05
    await queue.close()
    await work


async def test_replaced_alarms_are_not_hoarded() -> None:
    clock = FakeClock()
    queue = EmbeddedQueue(clock, on_error=fail)

    async def job(_: str) -> datetime | None:
        return clock.now() + timedelta(days=1)

    work = asyncio.create_task(queue.work("turn", job, concurrency=1))
    for _ in range(1000):
        await queue.wake("turn", "ana")
        await queue.settled()
    assert len(queue._alarms["turn"]._later) < 100  # noqa: SLF001 -- memory has no other face
    await queue.close()
    await work


async def test_an_alarm_after_closing_is_not_taken() -> None:
    queue = EmbeddedQueue(SystemClock(), on_error=fail)
    await queue.close()
    await queue.wake("turn", "ana")
    await queue.work("turn", _nothing, concurrency=1)
    assert queue.next_due() is None


async def _nothing(_: str) -> None: ...


async def _half_a_second(_: str) -> None:
    await asyncio.sleep(0.5)
