"""More work than the sweep looks at in one go: all of it is found soon, whoever is at the first of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hilo.messages import Address, Inbound
from hilo.queue.queue import Job, Kind
from hilo.store.work import AT_MOST
from hilo.testing.world import CHANNEL, World
from hilo.tools.database import Script, micros, one
from hilo.workers.runtime import SOON, Sweep

MORE = AT_MOST + 5
EVERY = timedelta(seconds=15)


@dataclass
class Woken:
    """A queue that only remembers for whom it would ring."""

    addresses: list[str] = field(default_factory=list)

    async def wake(self, kind: Kind, address: str, *, at: datetime | None = None, urgent: bool = False) -> None:
        del kind, at, urgent
        self.addresses.append(address)

    async def wake_here(self, kind: Kind, address: str) -> None:
        await self.wake(kind, address)

    async def work(self, kind: Kind, job: Job, *, concurrency: int) -> None:
        """Nobody works here."""

    async def settled(self) -> None:
        """Nothing is due."""

    async def close(self) -> None:
        """Nothing is open."""


async def test_the_sweep_comes_back_soon_when_it_could_not_look_at_all(shop_world: World) -> None:
    await _arrive(shop_world, MORE)
    sweep = Sweep(shop_world.hilo.store, Woken(), shop_world.clock, "me", EVERY)
    assert await sweep.once() == shop_world.clock.now() + SOON


async def test_the_sweep_sees_past_those_who_are_being_worked_for(shop_world: World) -> None:
    addresses = await _arrive(shop_world, MORE)
    await shop_world.hilo.store.run(_claim_all, addresses[:AT_MOST], now=shop_world.clock.now())
    shop_world.clock.advance(timedelta(seconds=1))
    woken = Woken()
    sweep = Sweep(shop_world.hilo.store, woken, shop_world.clock, "me", EVERY)
    assert await sweep.once() == shop_world.clock.now() + EVERY
    assert set(woken.addresses) == set(addresses[AT_MOST:])


async def _arrive(opened: World, number: int) -> Sequence[str]:
    now = opened.clock.now()
    messages = [Inbound(f"m{each:05}", Address(CHANNEL, f"c{each:05}"), "hola", now) for each in range(number)]
    accepted = await opened.hilo.intake.messages(CHANNEL, messages)
    return [each.address for each in accepted]


def _claim_all(addresses: Sequence[str], *, now: datetime) -> Script[None]:
    until = micros(now + timedelta(hours=1))
    for address in addresses:
        assert (yield from one("claim", kind="turn", address=address, owner="B", now=micros(now), until=until))
