"""The delivery worker: the only one that sends. One message in flight per address, in order."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

import structlog

from hilo.channels.channel import Channel, CredentialsRefused, Rejected, Sent, TryLater, Unknown
from hilo.channels.webchat import WebChat
from hilo.clock import Clock
from hilo.messages import Address, Attachment, Outbound
from hilo.store.channel_health import note_failure, note_success
from hilo.store.media import LINKS
from hilo.store.outbox import WINDOW_CLOSED, Sending, Went, begin, end, put_back
from hilo.store.store import Store
from hilo.store.work import LEASE, Claim, NotNow, let_go
from hilo.store.wrappers import retry_until_stored

log = structlog.get_logger()

NO_PUBLIC_URL = "providers fetch files from us: set HILO_PUBLIC_URL to where they reach the gateway"

SOON = timedelta(milliseconds=50)
LATE = timedelta(seconds=1)  # an operator may have taken the session since

Wake = Callable[[str], Awaitable[None]]
FindChannel = Callable[[str], Awaitable[Channel | None]]


@dataclass(frozen=True, slots=True)
class DeliveryWorker:
    """Sends what the outbox has for addresses."""

    store: Store
    channel: FindChannel
    clock: Clock
    owner: str
    lease: timedelta = LEASE
    wake: Wake | None = None  # lets an address know that its messages may go
    public_url: str = ""  # where providers fetch the files that we send
    begun: dict[str, Sending] = field(default_factory=dict)  # by address: marked as being sent by the commit of a turn
    unsure: set[str] = field(default_factory=set)  # addresses that such a commit may have claimed unknown to us
    busy: set[str] = field(default_factory=set)

    async def work(self, address: str) -> datetime | None:
        """Send all that may be sent to an address now; when there will be more to send."""
        if address in self.busy:  # woken from two sides
            return self.clock.now() + SOON
        self.busy.add(address)
        ours: Claim | None = None
        try:
            if address in self.unsure:
                await self._free(address)
                self.unsure.discard(address)
            while True:
                ours = None  # while we claim nobody knows: it may be ours although the answer was lost
                sending: Sending | NotNow | None = await self._marked(address)
                if sending is None:
                    now = self.clock.now()
                    sending = await self.store.run(begin, address, owner=self.owner, now=now, lease=self.lease)
                if isinstance(sending, NotNow):
                    return sending.at
                ours = sending.claim
                began = self.clock.now()
                went = await asyncio.shield(self._send(sending))
                after = await retry_until_stored(partial(self._note, sending, went, began))
                await self._note_health(sending, went)
                if address not in self.begun and (after.at is None or after.at > self.clock.now()):
                    return after.at
        except Exception:  # our heartbeat would keep a claim that nobody works on
            await self._free(address, known=ours)
            raise
        finally:
            self.busy.discard(address)

    async def _marked(self, address: str) -> Sending | None:
        """What a commit has marked; if that was a while ago, whether it may be sent is looked at again."""
        sending = self.begun.pop(address, None)
        if sending is None or self.clock.now() - sending.wanted_at < LATE:
            return sending
        await retry_until_stored(partial(self.store.run, put_back, sending, now=self.clock.now()))
        return None

    async def _free(self, address: str, known: Claim | None = None) -> None:
        """Let go of the address: by the claim that we know of, or any that we may have."""
        await retry_until_stored(partial(self.store.run, let_go, "send", address, owner=self.owner, known=known))

    async def finish(self) -> None:
        """Send what commits have marked; nobody is woken for it any more."""
        while self.begun:
            await asyncio.gather(*map(self.work, tuple(self.begun)))
            await asyncio.sleep(0)

    def send_marked(self, address: str, sending: Sending | None) -> None:
        """A commit has marked this as being sent; none where it may have, and its answer was lost."""
        if sending:
            self.begun[address] = sending
        else:
            self.unsure.add(address)

    async def _note(self, sending: Sending, went: Went, began: datetime) -> NotNow:
        return await self.store.run(end, sending, went, now=self.clock.now(), began=began)

    async def _note_health(self, sending: Sending, went: Went) -> None:
        """Whether the channel works is known from what became of its messages; the log says when that changes."""
        now = self.clock.now()
        if went.trouble:
            found = await retry_until_stored(
                partial(self.store.run, note_failure, sending.channel, went.trouble, went.reason, now=now)
            )
            if found and found.is_news:
                say = log.error if found.trouble == "credentials" else log.warning
                say("a channel cannot send", channel=found.channel, trouble=found.trouble, reason=found.reason)
        elif sending.channel_fails and went.judged:
            freed = await retry_until_stored(partial(self.store.run, note_success, sending.channel, now=now))
            log.info("a channel sends again", channel=sending.channel, waited=len(freed))
            if self.wake is not None:
                for address in freed:
                    await self.wake(address)
        if went.status == "failed":
            log.warning("a message cannot be sent", channel=sending.channel, id=sending.message_id, reason=went.reason)

    async def _send(self, sending: Sending) -> Went:
        try:
            channel = await self.channel(sending.channel)
        except Exception as error:  # nothing was sent: this must not look as if it might have been
            log.warning("channel not found", channel=sending.channel, exc_info=True)
            return Went("later", f"{type(error).__name__}: {error}"[:500])
        if channel is None:
            return Went("later", f"there is no channel {sending.channel} here")
        message = sending.message
        if is_ours(message.attachment) and not isinstance(channel, WebChat):
            if not self.public_url:
                return Went("failed", NO_PUBLIC_URL)
            message = _with_whole_link(message, self.public_url)
        to = Address(sending.channel, sending.to)
        try:
            outcome = await channel.send(to, message, message_id=sending.message_id)
        except Exception as error:
            log.warning("channel broke", channel=sending.channel, exc_info=True)
            return Went("unknown", f"{type(error).__name__}: {error}"[:500])
        match outcome:
            case Sent(channel_id=channel_id):
                return Went("sent", channel_message_id=channel_id, judged=True)
            case TryLater(reason=reason, after=after, away=away):
                return Went("later", reason, after, trouble="away" if away else None)
            case CredentialsRefused(reason=reason):
                return Went("later", reason, trouble="credentials")
            case Rejected(window_closed=True):
                return Went("held", WINDOW_CLOSED, judged=True)
            case Rejected(reason=reason):
                return Went("failed", reason, judged=True)
            case Unknown(reason=reason):
                return Went("unknown", reason, trouble="away")


def is_ours(attachment: Attachment | None) -> bool:
    """Whether a file lies with us."""
    return attachment is not None and attachment.url.startswith(LINKS)


def _with_whole_link(message: Outbound, public_url: str) -> Outbound:
    assert message.attachment is not None  # noqa: S101 -- it has just been looked at
    return replace(message, attachment=replace(message.attachment, url=f"{public_url}{message.attachment.url}"))
