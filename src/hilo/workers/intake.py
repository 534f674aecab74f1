"""What comes in from channels and people: written down first, then the alarm is set."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from hilo.clock import Clock
from hilo.dialogue.events import Event, MessageReceived, OperatorTookOver, Released
from hilo.ids import new_id
from hilo.messages import FILE_KINDS, Attachment, ContactChange, Inbound, Receipt
from hilo.queue.queue import Queue
from hilo.store.api import NotSpoken, Spoken, Words, speak
from hilo.store.channel_health import resume_channel
from hilo.store.contacts import change_contact
from hilo.store.desk_acts import fire_timer, take_session
from hilo.store.handoffs import HandoffEnding, put_ending
from hilo.store.inbox import Arrival, QueuedEvent, accept, accept_one, put
from hilo.store.keepers import Keeper
from hilo.store.outbox import note_receipts
from hilo.store.store import Store
from hilo.store.undelivered import NotMoved, resend
from hilo.understanding.parts import is_unfinished
from hilo.workers.arrivals import Arrivals, no_arrivals

MOST_ATTACHMENTS = 30  # of one message; a contact who shares more cards than that is none
CAP = timedelta(seconds=2)  # nobody waits longer for a turn to begin

_FINISHED = ("?", "!", ".", "gracias", "thanks")
_SHORT = 2  # words; a greeting seldom comes alone
_LONG = 12


@dataclass(frozen=True, slots=True)
class Intake:
    """When a call returns, what it was given is safe; a lost alarm is found by the sweep."""

    store: Store
    queue: Queue
    clock: Clock
    burst: timedelta = CAP
    arrivals: Arrivals = field(default_factory=no_arrivals)

    async def messages(self, channel: str, messages: Sequence[Inbound]) -> tuple[QueuedEvent, ...]:
        """Messages of contacts; duplicates change nothing."""
        arrivals = []
        for message in messages:
            # The dialogue goes by our clock: a channel's may be wrong.
            at, payload = self.clock.now(), message.payload
            event = MessageReceived(at, message.text, payload=payload, id=message.id, sent=message.at)
            # What came besides the text is part of the event, from here to the session.
            event = replace(
                event,
                attachments=tuple(map(_with_id, message.attachments[:MOST_ATTACHMENTS])),
                order=message.order,
                referral=message.referral,
            )
            quiet = quiet_window(message, cap=self.burst)
            arrivals.append(Arrival(message, event, quiet=quiet, limit=self.burst))
        sent = [message.at for message in messages]
        with self.arrivals[channel].writing(sent, now=self.clock.now()):
            accepted = await self._write(channel, arrivals)
        for each in accepted:
            if not each.duplicate:
                await self.queue.wake("turn", each.address, at=each.at)
            if each.files:
                await self.queue.wake("media", each.address)
        return accepted

    async def _write(self, channel: str, arrivals: Sequence[Arrival]) -> tuple[QueuedEvent, ...]:
        if len(arrivals) == 1 and not any(each.media for each in arrivals[0].event.attachments):
            # One message of a known contact, which most are, takes one statement.
            one = await self.store.run(accept_one, channel, arrivals[0], now=self.clock.now())
            if one:
                return (one,)
        return await self.store.run(accept, channel, arrivals, now=self.clock.now())

    async def receipts(self, channel: str, receipts: Sequence[Receipt]) -> None:
        """What a channel says became of our messages."""
        freed = await self.store.run(note_receipts, channel, receipts, now=self.clock.now())
        for address in freed:
            await self.queue.wake("send", address)

    async def changes(self, channel: str, changes: Sequence[ContactChange]) -> None:
        """Contacts who moved to another number, or chose whether they want marketing."""
        for change in changes:
            await self.store.run(change_contact, channel, change, now=self.clock.now())

    async def event(self, workspace: str, session: str, event: Event, *, external_id: str) -> bool:
        """An event for a session, such as an operator's click, once per external id; false when there is none."""
        now = self.clock.now()
        putting = self.store.run(put, workspace, session, event, external_id=external_id, now=now)
        return await self._ring(await putting)

    async def taking(  # noqa: PLR0913 -- who takes what, and from whom
        self,
        workspace: str,
        session: str,
        event: OperatorTookOver,
        *,
        external_id: str,
        instead_of: str,
        passed_by: str = "",
    ) -> bool | Keeper:
        """An operator wants a session or is given it; who has it when another one does, false when there is none."""
        ids = {"external_id": external_id, "instead_of": instead_of, "passed_by": passed_by}
        taken = await self.store.run(take_session, workspace, session, event, **ids, now=self.clock.now())
        return taken if isinstance(taken, Keeper) else await self._ring(taken)

    async def timer(self, workspace: str, session: str, name: str, *, by: str) -> bool:
        """A promise is kept now; false when there is none."""
        return await self._ring(await self.store.run(fire_timer, workspace, session, name, by=by, now=self.clock.now()))

    async def ending(
        self,
        workspace: str,
        ending: HandoffEnding,
        event: Released,
        *,
        external_id: str,
    ) -> bool:
        """A handoff ends and its session is given back, once per external id; false when there is no such session."""
        now = self.clock.now()
        putting = self.store.run(put_ending, workspace, ending, event, external_id=external_id, now=now)
        return await self._ring(await putting)

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

    async def resend(self, workspace: str, message: str, *, actor: str) -> str | NotMoved:
        """Try a message again that was held or given up; the address that it goes to."""
        address = await self.store.run(resend, workspace, message, actor=actor, now=self.clock.now())
        if isinstance(address, str):
            await self.queue.wake("send", address)
        return address

    async def resume_channel(self, workspace: str, channel: str, *, actor: str) -> bool:
        """Send over a channel again; false when there is none."""
        freed = await self.store.run(resume_channel, workspace, channel, actor=actor, now=self.clock.now())
        for address in freed or ():
            await self.queue.wake("send", address)
        return freed is not None


def _with_id(attachment: Attachment) -> Attachment:
    """A file is known by an id of ours from here on: it is fetched later, by a worker."""
    if attachment.kind not in FILE_KINDS or not attachment.url:
        return attachment
    return replace(attachment, media=new_id("media"))


def quiet_window(message: Inbound, *, cap: timedelta = CAP) -> timedelta:
    """People write one thought in three messages: how long to wait for the next one before answering.

    Nothing for a pressed button; little for what looks finished; most for "hola" and for what ends in the middle.
    """
    text = message.text.strip().lower()
    words = len(text.split())
    if message.payload or (message.attachments and not text):
        return timedelta()
    if is_unfinished(text):
        return cap
    if text.endswith(_FINISHED) or words >= _LONG:
        return cap / 5
    return cap * 3 / 5 if words <= _SHORT else cap * 2 / 5
