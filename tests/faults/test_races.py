"""Workers that race, wake too late, are stopped in the middle, or have much to wait for."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

from seen import rows
from shops import shop, until
from stage import STAGE

from hilo.testing.world import RecordingChannel

Tell = Callable[[str], None]

TABLES = ("sessions", "turns", "inbox", "outbox", "work", "tool_calls", "timers", "handoffs", "audit", "usage")


def everything(url: str) -> dict[str, list[str]]:
    return {table: sorted(map(str, rows(url, f"SELECT * FROM {table}"))) for table in TABLES}  # noqa: S608


def pending(url: str) -> int:
    return len(rows(url, "SELECT 1 FROM inbox WHERE status = 'pending'"))


def heard(url: str) -> dict[str, list[str]]:
    """What each contact said, by the turns of the session, which must have no gap."""
    sessions: dict[str, list[tuple[int, str]]] = {}
    query = (
        "SELECT a.value, s.version, t.number, t.heard FROM turns t JOIN sessions s ON s.id = t.session_id "
        "JOIN addresses a ON a.id = s.address_id ORDER BY a.value, t.number"
    )
    for row in rows(url, query):
        sessions.setdefault(row["value"], []).append((row["number"], row["heard"]))
        assert len(sessions[row["value"]]) == row["number"] <= row["version"]
    return {contact: [line for _, text in turns for line in text.split("\n")] for contact, turns in sessions.items()}


async def test_two_workers_that_race_answer_each_contact_once_and_in_order(url: str) -> None:
    contacts, said = [f"c{number}" for number in range(50)], [f"mensaje {number}" for number in range(5)]
    async with shop(url, owner="a") as one, shop(url, owner="b") as other:
        await other.connect(one.channel)
        await one.here.runtime.start()
        await other.here.runtime.start()

        async def write(number: int, contact: str) -> None:
            for place, text in enumerate(said):
                accepted = await (one, other)[(number + place) % 2].hear(contact, text)
                for each in (one, other):  # both are woken, so both want it
                    await each.here.queue.wake("turn", accepted.address)

        await asyncio.gather(*(write(number, contact) for number, contact in enumerate(contacts)))
        await until(lambda: not pending(url) and not _unsent(url))
        await one.here.runtime.stop()
        await other.here.runtime.stop()
    assert heard(url) == dict.fromkeys(sorted(contacts), said)
    _each_turn_was_answered_once(url, one.channel)


def _unsent(url: str) -> int:
    return len(rows(url, "SELECT 1 FROM outbox WHERE status IN ('pending', 'sending')"))


def _each_turn_was_answered_once(url: str, channel: RecordingChannel) -> None:
    turns = {f"{row['session_id']}.{row['number']}.1" for row in rows(url, "SELECT session_id, number FROM turns")}
    assert Counter(each.message_id for each in channel.delivered) == Counter(turns)
    by_contact: dict[str, list[int]] = {}
    for each in channel.delivered:
        by_contact.setdefault(each.to, []).append(int(each.message_id.split(".")[1]))
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in by_contact.values())


async def test_a_zombie_that_wakes_after_its_lease_changes_nothing_and_sends_nothing(url: str) -> None:
    wakes, asleep = asyncio.Event(), asyncio.Event()

    async def sleep_once() -> None:
        if not asleep.is_set():
            asleep.set()
            await wakes.wait()

    STAGE.during = sleep_once
    short = timedelta(seconds=0.3)
    async with shop(url, owner="zombie", lease=short) as zombie, shop(url, owner="b", lease=short) as other:
        address = (await zombie.hear("ana", "hola")).address
        job = asyncio.create_task(zombie.here.runtime.turns.work(address))  # its runtime is not started: no heartbeat
        await asleep.wait()
        await other.here.runtime.start()
        await other.here.queue.wake("turn", address)
        await other.answered(["ana"])
        await until(lambda: not _unsent(url))
        await other.here.runtime.stop()
        before = everything(url)
        wakes.set()
        assert await job is None
        assert everything(url) == before
        assert zombie.channel.delivered == []
        assert len(other.told("ana")) == 1


async def test_a_graceful_stop_lets_turns_finish(url: str) -> None:
    busy = _busy(0.2)
    async with shop(url) as one:
        await one.here.runtime.start()
        for number in range(10):
            await one.hear(f"c{number}", "hola")
        await until(lambda: busy[0] == 10)
        await one.here.runtime.stop()
    assert pending(url) == 0
    assert len(rows(url, "SELECT 1 FROM turns")) == 10
    await _all_are_answered_by_another(url, already=len(one.channel.delivered))


async def test_a_hasty_stop_gives_turns_back_and_counts_no_attempt(url: str) -> None:
    busy = _busy(30)
    async with shop(url) as one:
        await one.here.runtime.start()
        for number in range(10):
            await one.hear(f"c{number}", "hola")
        await until(lambda: busy[0] == 10)
        await one.here.runtime.stop(grace=0.05)
    work = rows(url, "SELECT attempts, lease_owner FROM work WHERE kind = 'turn'")
    assert work == [{"attempts": 0, "lease_owner": None}] * 10
    STAGE.clear()
    await _all_are_answered_by_another(url, already=0)


def _busy(seconds: float) -> list[int]:
    """Let the tool take so long, and count those who are in it."""
    inside = [0]

    async def wait() -> None:
        inside[0] += 1
        await asyncio.sleep(seconds)

    STAGE.during = wait
    return inside


async def _all_are_answered_by_another(url: str, *, already: int) -> None:
    async with shop(url, owner="next") as other:
        await other.here.runtime.start()
        await until(lambda: len(other.channel.delivered) + already == 10)
        await other.here.runtime.stop()
    assert len({each.to for each in other.channel.delivered}) == 10 - already
    assert (pending(url), _unsent(url)) == (0, 0)


async def test_200_turns_that_wait_do_so_together(url: str, tell: Tell) -> None:
    _busy(1)
    async with shop(url) as one:
        await one.here.runtime.start()
        contacts = [f"c{number}" for number in range(200)]
        began = time.monotonic()
        await asyncio.gather(*(one.hear(contact, "hola") for contact in contacts))
        await one.answered(contacts)
        took = time.monotonic() - began
        await one.here.runtime.stop()
    tell(f"200 turns that wait a second each, on {url.partition(':')[0]}: {took:.2f} s")
    assert took < 100  # one after another they would take 200
