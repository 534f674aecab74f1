"""Reservations that all processes of an installation share, as rows of the store."""

import asyncio
from collections.abc import Sequence

import structlog

from hilo.clock import Clock
from hilo.llm.model import Spent
from hilo.llm.prices import Cost, SpendingLimits
from hilo.llm.reservations import Reservation
from hilo.store.spending import reserve, settle
from hilo.store.store import Store
from hilo.store.wrappers import retry_until_stored

log = structlog.get_logger()


class StoredReservations:
    """Reserves and settles in the store; what cannot be settled expires, and then counts at its worst."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def reserve(
        self, choices: Sequence[Reservation], limits: SpendingLimits, *, turn: Cost
    ) -> tuple[Reservation | None, str]:
        """In one transaction."""
        now = self._clock.now()
        return await self._store.run(reserve, choices, limits, turn=turn, now=now)

    async def settle(self, reservation: Reservation, spent: Spent, cost: Cost) -> None:
        """As soon as the database can be used, but a process that stops does not wait for it."""

        async def write() -> None:
            await self._store.run(settle, reservation.id, spent, cost, now=self._clock.now())

        task = asyncio.current_task()
        stopping = task is not None and task.cancelling()
        try:
            await (write() if stopping else retry_until_stored(write))
        except Exception:  # the contact shall have the answer that was paid for
            log.exception("usage not recorded", reservation=reservation, spent=spent)
