"""The delivery worker: the only one that sends. One message in flight per address, in order."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import structlog

from hilo.channels.channel import Channel, Rejected, Sent, TryLater, Unknown
from hilo.clock import Clock
from hilo.messages import Address
from hilo.store.outbox import WINDOW_CLOSED, Sending, Went, begin, end
from hilo.store.store import Store
from hilo.store.work import LEASE, NotNow, let_go
from hilo.workers.outcomes import retry_until_stored

log = structlog.get_logger()

FindChannel = Callable[[str], Awaitable[Channel | None]]


@dataclass(frozen=True, slots=True)
class DeliveryWorker:
    """Sends what the outbox has for addresses."""

    store: Store
    channel: FindChannel
    clock: Clock
    owner: str
    lease: timedelta = LEASE

    async def work(self, address: str) -> datetime | None:
        """Send all that may be sent to an address now; when there will be more to send."""
        try:
            while True:
                sending = await self.store.run(
                    begin,
                    address,
                    owner=self.owner,
                    now=self.clock.now(),
                    lease=self.lease,
                )
                if isinstance(sending, NotNow):
                    return sending.at
                went = await asyncio.shield(self._send(sending))
                after = await retry_until_stored(partial(self._note, sending, went))
                if after.at is None or after.at > self.clock.now():
                    return after.at
        except Exception:  # our heartbeat would keep a claim that nobody works on
            free = partial(self.store.run, let_go, "send", address, owner=self.owner)
            await retry_until_stored(free)
            raise

    async def _note(self, sending: Sending, went: Went) -> NotNow:
        return await self.store.run(end, sending, went, now=self.clock.now())

    async def _send(self, sending: Sending) -> Went:
        try:
            channel = await self.channel(sending.channel)
        except Exception as error:  # nothing was sent: this must not look as if it might have been
            log.warning("channel not found", channel=sending.channel, exc_info=True)
            return Went("later", f"{type(error).__name__}: {error}"[:500])
        if channel is None:
            return Went("later", f"there is no channel {sending.channel} here")
        to = Address(sending.channel, sending.to)
        try:
            outcome = await channel.send(to, sending.message, message_id=sending.message_id)
        except Exception as error:
            log.warning("channel broke", channel=sending.channel, exc_info=True)
            return Went("unknown", f"{type(error).__name__}: {error}"[:500])
        match outcome:
            case Sent(channel_id=channel_id):
                return Went("sent", channel_message_id=channel_id)
            case TryLater(reason=reason, after=after):
                return Went("later", reason, after)
            case Rejected(window_closed=True):
                return Went("held", WINDOW_CLOSED)
            case Rejected(reason=reason):
                return Went("failed", reason)
            case Unknown(reason=reason):
                return Went("unknown", reason)
