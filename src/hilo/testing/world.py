"""An installation in virtual time: real database, real workers, a clock that jumps to whatever is due next."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from hilo.app.installation import WORKSPACE, Installation, Options, installation
from hilo.channels.channel import Outcome, Received, Sent, Webhook
from hilo.dialogue.events import Event
from hilo.errors import HiloError
from hilo.ids import new_id
from hilo.messages import Address, Inbound, Outbound
from hilo.settings import Settings
from hilo.store.campaigns import next_campaign
from hilo.store.inbox import next_due
from hilo.store.work import waiting
from hilo.store.workspaces import ChannelRow
from hilo.testing.clock import FakeClock

CHANNEL = "test"
READING = timedelta(seconds=1)
MAX_STEPS = 100_000  # at one moment: more is a turn that wakes itself for ever


@dataclass(frozen=True, slots=True)
class Delivered:
    """A message that reached a contact."""

    to: str
    message_id: str
    message: Outbound


@dataclass
class RecordingChannel:
    """A channel that keeps what it is told to send. It takes every message, unless `outcome` says otherwise."""

    outcome: Callable[[Delivered], Outcome] = lambda _delivered: Sent()
    delivered: list[Delivered] = field(default_factory=list)

    def read(self, webhook: Webhook) -> Received:
        """Nobody writes to it but tests."""
        del webhook
        return Received()

    async def send(self, to: Address, message: Outbound, *, message_id: str) -> Outcome:
        """Keep it, if it is taken."""
        delivered = Delivered(to.value, message_id, message)
        outcome = self.outcome(delivered)
        if isinstance(outcome, Sent):
            self.delivered.append(delivered)
        return outcome

    async def typing(self, to: Address, *, answering: str) -> None:
        """Nobody looks."""


@dataclass
class World:
    """Contacts write, time passes, and what was sent can be looked at."""

    hilo: Installation
    clock: FakeClock
    channel: RecordingChannel
    workspace: str = WORKSPACE
    writes_first: bool = True  # whether there may be campaigns; most agents only answer

    def sent_to(self, contact: str) -> list[Delivered]:
        """What reached a contact, in order."""
        return [each for each in self.channel.delivered if each.to == contact]

    def heard_by(self, contact: str) -> list[str]:
        """The texts of it."""
        return [each.message.text for each in self.sent_to(contact)]

    async def write(self, contact: str, text: str, *, payload: str = "", message_id: str = "") -> None:
        """A contact writes; nothing is answered before time passes or the world settles."""
        once = message_id or new_id("message")
        message = Inbound(once, Address(CHANNEL, contact), text, self.clock.now(), payload=payload)
        await self.hilo.intake.messages(CHANNEL, [message])

    async def say(self, contact: str, text: str, *, payload: str = "") -> list[str]:
        """A contact reads what came last, writes, and waits for the answer."""
        self.clock.advance(READING)
        before = len(self.sent_to(contact))
        await self.write(contact, text, payload=payload)
        await self.settle()
        return self.heard_by(contact)[before:]

    async def happen(self, session: str, event: Event, *, external_id: str) -> None:
        """Something else happens to a session."""
        await self.hilo.intake.event(self.workspace, session, event, external_id=external_id)
        await self.settle()

    async def wait(self, duration: timedelta) -> None:
        """Time passes; whatever falls due meanwhile happens at its own time."""
        end = self.clock.now() + duration
        await self.settle()
        while (due := await self._next(end)) is not None:
            self.clock.time = max(due, self.clock.now())
            await self.settle()
        self.clock.time = end

    async def settle(self) -> None:
        """Do all that is due now."""
        runtime, now = self.hilo.runtime, self.clock.now()
        for _ in range(MAX_STEPS):
            await runtime.sweep.fire_timers()
            if runtime.sweep.campaigns and self.writes_first:
                await runtime.sweep.campaigns.begin_due()
            if not await self._work(now):
                return
        raise HiloError(f"something is due for ever at {now}")

    async def _work(self, now: datetime) -> bool:
        """Whether anything was due, and is done now."""
        runtime = self.hilo.runtime
        jobs = {"turn": runtime.turns.work, "send": runtime.deliveries.work, "media": runtime.media.work}
        left = {where for where, until in runtime.turns.others.items() if until > now}
        worked = False
        for address in tuple(runtime.deliveries.begun):
            worked = True
            await runtime.deliveries.work(address)
        rows = await self.hilo.store.run(waiting, until=now)
        for each in rows:
            if each.at > now or (each.kind == "turn" and each.address in left):
                continue
            worked = True
            await jobs[each.kind](each.address)
        return worked

    async def _next(self, end: datetime) -> datetime | None:
        """The next moment at which something is due, up to the end."""
        rows: Sequence[datetime] = [each.at for each in await self.hilo.store.run(waiting, until=end)]
        promised = [await self.hilo.store.run(next_due)]
        if self.writes_first:
            promised.append(await self.hilo.store.run(next_campaign))
        left = self.hilo.runtime.turns.others.values()
        later = [at for at in (*rows, *left, *filter(None, promised)) if self.clock.now() < at <= end]
        return min(later, default=None)


@asynccontextmanager
async def open_world(
    database_url: str,
    agent: Path,
    *,
    options: Options | None = None,
    clock: FakeClock | None = None,
    **settings: Any,
) -> AsyncIterator[World]:
    """A world with one agent on one channel; opened again on the same database it goes on where it was."""
    clock, channel = clock or FakeClock(), RecordingChannel()
    configured = Settings(Path(), database_url=database_url, **settings)
    chosen = options or Options(burst=timedelta())
    async with installation(configured, [agent], options=chosen, clock=clock) as hilo:
        name = next(iter(hilo.agents.loaded))
        await hilo.add_channel(ChannelRow(CHANNEL, WORKSPACE, "test", name), channel)
        writes_first = any(each.agent.campaigns for each in hilo.agents.loaded.values())
        yield World(hilo, clock, channel, writes_first=writes_first)
