"""A process that does the work: a real installation whose clock goes as far as it is told, line by line."""

import asyncio
import json
import os
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from hilo.app.installation import WORKSPACE, Installation, installation
from hilo.dialogue.events import OperatorTookOver, Released
from hilo.messages import Address, Inbound, Receipt
from hilo.queue.embedded import EmbeddedQueue
from hilo.settings import Settings
from hilo.store.inbox import next_due
from hilo.store.work import waiting
from hilo.store.workspaces import ChannelRow
from hilo.testing.clock import FakeClock
from hilo.tools.database import micros, moment
from month.ledger import LedgerChannel

CHANNEL = "wa"
ECHO_SECONDS = 5
WINDOW_HOURS = 24
LONGEST_LINE = 1 << 24


T = TypeVar("T")
Coming = deque[tuple[datetime, T]]
Click = tuple[str, str, Callable[[datetime], Released | OperatorTookOver]]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a shard's things are, the same for all processes that it has one after another."""

    folder: Path
    agent: Path

    @property
    def url(self) -> str:
        return f"sqlite:///{self.folder}/hilo.db"

    @property
    def ledger(self) -> Path:
        return self.folder / "sent.jsonl"

    @property
    def socket(self) -> Path:
        return self.folder / "socket"


async def live(place: Place) -> None:
    """Do what is asked until nobody asks any more."""
    reader, writer = await asyncio.open_unix_connection(place.socket, limit=LONGEST_LINE)
    _answer(writer, {"pid": os.getpid()})
    first = json.loads(await reader.readline())
    async with working(place, FakeClock(moment(first["now"])), first["receipts"]) as work:
        _answer(writer, work.report())
        while line := await reader.readline():
            _answer(writer, await work.obey(json.loads(line)))
    writer.close()


def _answer(writer: asyncio.StreamWriter, answer: dict[str, Any]) -> None:
    writer.write(json.dumps(answer).encode() + b"\n")


@asynccontextmanager
async def working(place: Place, clock: FakeClock, receipts: Sequence[str] = ()) -> AsyncIterator["Work"]:
    """An installation at work; what the provider knows of the messages of the one before, it tells first."""
    settings = Settings(place.folder, place.url)
    async with installation(settings, [place.agent], clock=clock) as hilo:
        agent = next(iter(hilo.agents.loaded))
        row = ChannelRow(CHANNEL, WORKSPACE, "test", agent, echo_seconds=ECHO_SECONDS, window_hours=WINDOW_HOURS)
        await hilo.add_channel(row, LedgerChannel.open(place.ledger, clock))
        assert isinstance(hilo.queue, EmbeddedQueue)
        work = Work(hilo, hilo.queue, clock)
        work.listen()
        await work.hear_of(receipts)
        await hilo.runtime.start()
        await hilo.runtime.sweep.once()  # what waits since another process died
        await work.queue.settled()  # else a turn that is under way would not be seen in the first report
        await work.look()
        await work.look_for_later()
        yield work
        await hilo.runtime.stop()


@dataclass
class Work:
    """The installation in virtual time."""

    hilo: Installation
    queue: EmbeddedQueue
    clock: FakeClock
    timer: datetime | None = None  # no timer is due before this
    later: datetime | None = None  # when the sweep would find what the process before had put off

    def listen(self) -> None:
        """Hear of every timer that is set, as the sweep does."""
        runtime = self.hilo.runtime
        told = runtime.turns.promised

        def promised(due: datetime) -> None:
            told(due)
            self._expect(due)

        runtime.turns = replace(runtime.turns, promised=promised)

    async def look(self) -> None:
        """Ask which timer is next; a turn may promise an earlier one meanwhile."""
        self.timer = None
        if due := await self.hilo.store.run(next_due):
            self._expect(due)

    async def look_for_later(self) -> None:
        """Ask what was put off, until the morning for example; the sweep looks every few seconds and would see it."""
        rows = await self.hilo.store.run(waiting, until=self.clock.now() + timedelta(days=3))
        self.later = min((each.at for each in rows if each.at > self.clock.now()), default=None)

    def _expect(self, due: datetime) -> None:
        self.timer = min(due, self.timer or due)

    async def obey(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Let time pass up to a moment, with what comes in meanwhile; when there will be more to do."""
        await self.hear_of(asked["receipts"])
        arrivals = deque(_inbound(*each) for each in asked["messages"])
        clicks = deque(_click(*each) for each in asked["clicks"])
        until = moment(asked["until"])
        await self.queue.settled()
        while (due := self._due(arrivals, clicks)) is not None and due <= until:
            await self._reach(due, arrivals, clicks)
            await self.queue.settled()
        self.clock.time = max(self.clock.time, until)
        return self.report()

    async def hear_of(self, delivered: Sequence[str]) -> None:
        if delivered:
            receipts = [Receipt(each, "delivered", self.clock.now()) for each in delivered]
            await self.hilo.intake.receipts(CHANNEL, receipts)

    def report(self) -> dict[str, Any]:
        """When there will be more to do, and what it has taken so far."""
        due = self._due((), ())
        return {"next": None if due is None else micros(due), "cpu": time.process_time()}

    def _due(self, *coming: Sequence[tuple[datetime, Any]]) -> datetime | None:
        known = (self.timer, self.later, self.queue.next_due(), *(each[0][0] for each in coming if each))
        return min((each for each in known if each), default=None)

    async def _reach(self, due: datetime, arrivals: Coming[Inbound], clicks: Coming[Click]) -> None:
        """Move the clock to the next tick, let in what has come by then, and keep the promises that are due."""
        now = self.clock.time = max(self.clock.time, _tick(due))
        if messages := list(_taken(arrivals, now)):
            await self.hilo.intake.messages(CHANNEL, messages)
        for once, session, event in _taken(clicks, now):
            await self.hilo.intake.event(WORKSPACE, session, event(now), external_id=once)
        if self.timer is not None and self.timer <= now:
            await self.hilo.runtime.sweep.fire_timers()
            await self.look()
        if self.later is not None and self.later <= now:
            await self.hilo.runtime.sweep.once()
            await self.look_for_later()
        self.queue.poke()


def _tick(due: datetime) -> datetime:
    """The whole second at or after a moment: what happens within one happens together."""
    return due.replace(microsecond=0) + timedelta(seconds=bool(due.microsecond))


def _taken(coming: Coming[T], now: datetime) -> Iterator[T]:
    while coming and coming[0][0] <= now:
        yield coming.popleft()[1]


def _inbound(arrives: int, written: int, *words: str) -> tuple[datetime, Inbound]:
    once, contact, text, payload = words
    return moment(arrives), Inbound(once, Address(CHANNEL, contact), text, moment(written), payload=payload)


def _click(at: int, once: str, session: str, what: str) -> tuple[datetime, Click]:
    return moment(at), (once, session, Released if what == "released" else OperatorTookOver)
