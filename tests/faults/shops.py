"""Installations of the shop in this process, each as if it were a process of its own."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from scenario import SHOP

from hilo.app.installation import WORKSPACE, Installation, Options, installation
from hilo.clock import Clock
from hilo.messages import Address, Inbound
from hilo.settings import Settings
from hilo.store.inbox import QueuedEvent
from hilo.store.work import LEASE
from hilo.store.workspaces import ChannelRow
from hilo.testing.world import RecordingChannel
from hilo.workers.runtime import this_process

PATIENCE = 120.0  # seconds; workers of their own import this, and do not have tests/ on their path


@dataclass(frozen=True)
class Shop:
    """An installation with one channel, `wa`."""

    here: Installation
    channel: RecordingChannel
    agent: str

    async def connect(self, channel: RecordingChannel) -> None:
        """Send through this one."""
        await self.here.add_channel(ChannelRow("wa", WORKSPACE, "test", self.agent), channel)

    async def hear(self, contact: str, text: str, *, id: str = "") -> QueuedEvent:  # noqa: A002 -- the message's own word
        message = Inbound(id or f"{contact} {text}", Address("wa", contact), text, self.here.clock.now())
        return (await self.here.intake.messages("wa", [message]))[0]

    def told(self, contact: str) -> list[str]:
        return [each.message.text for each in self.channel.delivered if each.to == contact]

    async def answered(self, contacts: Iterable[str], *, seconds: float = PATIENCE) -> None:
        """Wait until each of them has been told something."""
        waiting = set(contacts)
        await until(lambda: waiting <= {each.to for each in self.channel.delivered}, seconds=seconds)


async def until(true: Callable[[], object], *, seconds: float = PATIENCE) -> None:
    """Wait for something that must become true."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not happen"
        await asyncio.sleep(0.005)


@asynccontextmanager
async def shop(
    url: str,
    agent: str = "lenta",
    *,
    owner: str = "a",
    lease: timedelta = LEASE,
    clock: Clock | None = None,
) -> AsyncIterator[Shop]:
    """Open it; `runtime.start` lets it work. Another owner is another process."""
    options = Options(burst=timedelta(), lease=lease)
    file = SHOP / f"{agent}.yaml"
    async with installation(Settings(Path(), url), [file], options=options, clock=clock) as here:
        runtime, me = here.runtime, this_process(owner)
        runtime.turns = replace(runtime.turns, owner=me)
        runtime.deliveries = replace(runtime.deliveries, owner=me)
        runtime.sweep.owner = me
        opened = Shop(here, RecordingChannel(), agent)
        await opened.connect(opened.channel)
        yield opened
