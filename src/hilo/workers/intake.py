"""What comes in from channels and people: written down first, then the alarm is set."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from hilo.clock import Clock
from hilo.dialogue.events import Event, MessageReceived, Released
from hilo.messages import Inbound, Receipt
from hilo.queue.queue import Queue
from hilo.store.api import NotSpoken, Spoken, Words, speak
from hilo.store.handoffs import HandoffEnding, put_ending
from hilo.store.inbox import Arrival, QueuedEvent, accept, put
from hilo.store.outbox import note_receipts
from hilo.store.store import Store
from hilo.workers.bursts import CAP, quiet_window


@dataclass(frozen=True, slots=True)
class Intake:
    """When a call returns, what it was given is safe; a lost alarm is found by the sweep."""

    store: Store
    queue: Queue
    clock: Clock
    burst: timedelta = CAP

    async def messages(self, channel: str, messages: Sequence[Inbound]) -> tuple[QueuedEvent, ...]:
        """Messages of contacts; duplicates change nothing."""
        arrivals = [self._arrival(message) for message in messages]
        accepted = await self.store.run(accept, channel, arrivals, now=self.clock.now())
        for each in accepted:
            if not each.duplicate:
                await self.queue.wake("turn", each.address, at=each.at)
        return accepted

    def _arrival(self, message: Inbound) -> Arrival:
        """The dialogue goes by our clock: a channel's may be wrong."""
        event = MessageReceived(self.clock.now(), message.text, payload=message.payload, id=message.id)
        return Arrival(message, event, quiet=quiet_window(message, cap=self.burst), limit=self.burst)

    async def receipts(self, channel: str, receipts: Sequence[Receipt]) -> None:
        """What a channel says became of our messages."""
        freed = await self.store.run(note_receipts, channel, receipts, now=self.clock.now())
        for address in freed:
            await self.queue.wake("send", address)

    async def event(self, workspace: str, session: str, event: Event, *, external_id: str) -> bool:
        """An event for a session, such as an operator's click, once per external id; false when there is none."""
        accepted = await self.store.run(put, workspace, session, event, external_id=external_id, now=self.clock.now())
        return await self._ring(accepted)

    async def ending(self, workspace: str, ending: HandoffEnding, event: Released, *, external_id: str) -> bool:
        """A handoff ends and its session is given back, once per external id; false when there is no such session."""
        now = self.clock.now()
        accepted = await self.store.run(put_ending, workspace, ending, event, external_id=external_id, now=now)
        return await self._ring(accepted)

    async def _ring(self, accepted: QueuedEvent | None) -> bool:
        if accepted is None:
            return False
        if not accepted.duplicate:
            await self.queue.wake("turn", accepted.address, urgent=True)
        return True

    async def words(self, words: Words) -> Spoken | NotSpoken:
        """What an operator says; it goes out before what agents say."""
        spoken = await self.store.run(speak, words, now=self.clock.now())
        if isinstance(spoken, Spoken):
            await self.queue.wake("send", spoken.address, urgent=True)
        return spoken
