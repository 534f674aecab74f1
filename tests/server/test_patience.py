"""Many who wait do not hold up those who come: few transactions at once, and a time of its own for each message."""

import asyncio
import sqlite3
from contextlib import closing
from datetime import timedelta
from typing import Any

from hilo.messages import Outbound
from hilo.store.opening import open_store
from hilo.store.outbox import OutboxEntry, Sending, add_messages, begin
from hilo.store.work import NotNow
from hilo.store.workspaces import ChannelRow, add_channel, add_workspace
from hilo.store.wrappers import PatientStore
from hilo.testing.clock import START
from hilo.tools.database import Script


def nothing() -> Script[None]:
    return
    yield


class _Slow:
    """A store that counts how many use it at once."""

    now = 0
    most = 0

    async def run(self, script: Any, *values: Any, **named: Any) -> Any:
        del script, values, named
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.001)
        self.now -= 1

    async def close(self) -> None: ...


async def test_only_a_few_transactions_of_workers_run_at_once() -> None:
    slow = _Slow()
    patient = PatientStore(slow, at_once=3)
    await asyncio.gather(*(patient.run(nothing) for _ in range(50)))
    assert slow.most == 3


async def test_messages_that_wait_for_the_channels_rate_have_times_of_their_own(sqlite_url: str) -> None:
    store = await open_store(sqlite_url)
    await store.run(add_workspace, "w", name="w", now=START)
    await store.run(add_channel, ChannelRow("wa", "w", "test", "eco", per_second=2), now=START)
    for each in "abcdef":
        _add_address(sqlite_url, each)
        draft = OutboxEntry(each, "w", "wa", each, None, None, "agent", Outbound(each))
        await store.run(add_messages, (draft,), now=START)
    first = [await store.run(begin, each, owner="A", now=START) for each in "abcdef"]
    waits = [each.at - START for each in first if isinstance(each, NotNow) and each.at]
    assert waits == [timedelta(seconds=number / 2) for number in range(1, 5)]
    later = [await store.run(begin, each, owner="A", now=START + timedelta(seconds=2)) for each in "cdef"]
    assert all(isinstance(each, Sending) for each in later)
    await store.close()


def _add_address(url: str, address: str) -> None:
    sql = "INSERT INTO addresses (id, workspace_id, channel_id, value, contact_id) VALUES (?, 'w', 'wa', ?, 'c')"
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file:
        file.execute(sql, (address, address))
        file.commit()
