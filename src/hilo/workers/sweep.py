"""What no alarm woke: due timers, work whose alarm was lost, leases and reservations of the dead, old events."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from hilo.clock import Clock
from hilo.queue.queue import Queue
from hilo.store.inbox import forget
from hilo.store.spending import settle_expired
from hilo.store.store import Store
from hilo.store.timers import fire, next_due
from hilo.store.work import AT_MOST, LEASE, clear_owner, heartbeat, owners, recall, waiting
from hilo.workers.owner import is_dead

log = structlog.get_logger()

SOON = timedelta(seconds=1)  # when more waits than was looked at


@dataclass(slots=True)
class Sweep:
    """Looks at the tables from time to time; cheap when there is nothing."""

    store: Store
    queue: Queue
    clock: Clock
    owner: str
    every: timedelta
    lease: timedelta = LEASE
    forgot: datetime | None = None
    settled: datetime | None = None

    async def once(self) -> datetime:
        """Fire, wake, clear; when to look again."""
        await self.fire_timers()
        now = self.clock.now()
        horizon = now + self.every
        await self.store.run(recall, now=now)
        found = await self.store.run(waiting, until=horizon)
        for each in found:
            await self.queue.wake(each.kind, each.address, at=each.at, urgent=each.urgent)
        if len(found) == AT_MOST:
            horizon = now + min(self.every, SOON)
        await self._settle_expired(now)
        await self._forget(now)
        due = await self.store.run(next_due)
        return min(due, horizon) if due else horizon

    async def fire_timers(self) -> None:
        """Put the timers that are due into the inbox, and wake the addresses."""
        while addresses := await self.store.run(fire, now=self.clock.now()):
            for address in addresses:
                await self.queue.wake("turn", address)

    async def clear_the_dead(self) -> None:
        """Free what processes of this machine held that are no more."""
        for owner in await self.store.run(owners):
            if owner != self.owner and is_dead(owner):
                log.info("cleared the leases of a dead process", owner=owner)
                await self.store.run(clear_owner, owner)

    async def beat(self) -> None:
        """Keep our claims."""
        await self.store.run(heartbeat, self.owner, until=self.clock.now() + self.lease)

    async def _settle_expired(self, now: datetime) -> None:
        """Reservations live for minutes, and one that stays longer lets nobody overspend: no need to look often."""
        if self.settled is None or now - self.settled >= timedelta(minutes=1):
            self.settled = now
            while await self.store.run(settle_expired, now=now):
                log.warning("a process died while it asked a model; the request counts at its worst")

    async def _forget(self, now: datetime) -> None:
        if self.forgot is None or now - self.forgot > timedelta(hours=1):
            self.forgot = now
            await self.store.run(forget, now=now)
