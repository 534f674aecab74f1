"""The window as an invariant: free text never leaves when the contact has been silent for longer than it lasts."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from gateways import rows
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from depth import depth
from hilo.channels.channel import Rejected
from hilo.dialogue.events import MessageReceived
from hilo.messages import Address, ApprovedTemplate, Inbound, Outbound, Receipt
from hilo.store.inbox import Arrival, accept
from hilo.store.opening import open_store
from hilo.store.outbox import OutboxEntry, Sending, Went, add_messages, begin, end, note_receipts
from hilo.store.store import Store
from hilo.store.workspaces import ChannelRow, add_channel, add_workspace
from hilo.testing.clock import START
from hilo.testing.world import RecordingChannel
from hilo.workers.deliveries import DeliveryWorker

HOUR = timedelta(hours=1)
APPROVED = ApprovedTemplate("volvemos", "es", ("Ana",))
FREE = Outbound("hola")
BOTH = Outbound("hola", approved=APPROVED)
ONLY_TEMPLATE = Outbound("", approved=APPROVED)


@dataclass
class Phone:
    """A contact on a channel with a window of 24 hours, at a time that we choose."""

    store: Store
    url: str
    now: datetime = START
    address: str = ""
    _numbers: Iterator[int] = field(default_factory=count)

    async def hear(self, *, written: datetime | None = None, message_id: str = "") -> None:
        once = message_id or f"in{next(self._numbers)}"
        message = Inbound(once, Address("wa", "ana"), "hola", written or self.now)
        arrival = Arrival(message, MessageReceived(self.now, "hola", id=once))
        [accepted] = await self.store.run(accept, "wa", [arrival], now=self.now)
        self.address = accepted.address

    async def say(self, message: Outbound, author: Any = "agent") -> str:
        once = f"out{next(self._numbers)}"
        draft = OutboxEntry(once, "w", "wa", self.address, None, None, author, message)
        await self.store.run(add_messages, (draft,), now=self.now)
        return once

    async def send(self, went: Went | None = None) -> list[Outbound]:
        """Send all that may be sent; what left."""
        left = []
        while isinstance(sending := await self.store.run(begin, self.address, owner="A", now=self.now), Sending):
            left.append(sending.message)
            await self.store.run(end, sending, went or Went("sent"), now=self.now)
        return left

    def outbox(self) -> list[tuple[str, str]]:
        found = rows(self.url, "SELECT status, reason FROM outbox ORDER BY id")
        return [(row["status"], row["reason"]) for row in found]


@asynccontextmanager
async def a_phone(url: str, *, window_hours: int = 24) -> AsyncIterator[Phone]:
    store = await open_store(url)
    await store.run(add_workspace, "w", name="w", now=START)
    await store.run(add_channel, ChannelRow("wa", "w", "infobip", "eco", window_hours=window_hours), now=START)
    yield Phone(store, url)
    await store.close()


@pytest.fixture
async def phone(database_url: str) -> AsyncIterator[Phone]:
    async with a_phone(database_url) as opened:
        await opened.hear()
        yield opened


HELD = ("held", "window_closed")


async def test_free_text_goes_out_within_the_window(phone: Phone) -> None:
    phone.now += 24 * HOUR - timedelta(microseconds=1)
    await phone.say(FREE)
    assert await phone.send() == [FREE]


@pytest.mark.parametrize("author", ["agent", "notice", "operator"])
async def test_free_text_is_held_when_the_window_is_closed_whoever_wrote_it(phone: Phone, author: str) -> None:
    phone.now += 24 * HOUR
    await phone.say(FREE, author)
    assert await phone.send() == []
    assert phone.outbox() == [HELD]


async def test_a_message_with_a_template_goes_out_as_that_template_only(phone: Phone) -> None:
    await phone.say(BOTH)
    phone.now += 24 * HOUR
    assert await phone.send() == [ONLY_TEMPLATE]


async def test_within_the_window_the_words_are_sent_and_not_the_template(phone: Phone) -> None:
    await phone.say(BOTH)
    assert [each.text for each in await phone.send()] == ["hola"]


async def test_a_message_that_waited_too_long_is_held(phone: Phone) -> None:
    await phone.say(FREE)
    await phone.say(BOTH)
    assert await phone.send(Went("later", "busy", after=25 * HOUR)) == [FREE]
    phone.now += 25 * HOUR
    assert await phone.send() == [ONLY_TEMPLATE]
    assert phone.outbox()[0] == HELD


async def test_a_webhook_that_comes_days_later_does_not_open_the_window(phone: Phone) -> None:
    phone.now += 48 * HOUR
    await phone.hear(written=phone.now - 25 * HOUR)
    await phone.say(FREE)
    assert await phone.send() == []


async def test_a_repeated_webhook_does_not_open_the_window(phone: Phone) -> None:
    await phone.hear(message_id="same")
    written, phone.now = phone.now, phone.now + 48 * HOUR
    await phone.hear(written=written, message_id="same")
    await phone.say(FREE)
    assert await phone.send() == []


async def test_a_clock_of_the_provider_that_is_ahead_does_not_lengthen_the_window(phone: Phone) -> None:
    await phone.hear(written=phone.now + 48 * HOUR)
    phone.now += 25 * HOUR
    await phone.say(FREE)
    assert await phone.send() == []


async def test_a_channel_without_a_window_sends_whenever(tmp_path: Path) -> None:
    async with a_phone(f"sqlite:///{tmp_path}/hilo.db", window_hours=0) as phone:
        await phone.hear()
        phone.now += 1000 * HOUR
        await phone.say(FREE)
        assert await phone.send() == [FREE]


async def test_what_the_channel_refuses_for_its_window_is_held(phone: Phone) -> None:
    refusing = RecordingChannel(lambda _: Rejected("7010", window_closed=True))

    async def find(_channel: str) -> RecordingChannel:
        return refusing

    class Stopped:
        def now(self) -> datetime:
            return phone.now

    await phone.say(FREE)
    await DeliveryWorker(phone.store, find, Stopped(), "A").work(phone.address)
    assert phone.outbox() == [HELD]


def refused(message_id: str) -> Receipt:
    return Receipt(message_id, "failed", START, "7010", window_closed=True)


async def test_a_refusal_that_comes_as_a_receipt_holds_the_message(phone: Phone) -> None:
    once = await phone.say(FREE)
    await phone.send()
    await phone.store.run(note_receipts, "wa", [refused(once)], now=phone.now)
    await phone.store.run(note_receipts, "wa", [Receipt(once, "sent", START)], now=phone.now)
    assert phone.outbox() == [HELD]


async def test_a_refusal_as_a_receipt_lets_the_template_go_once(phone: Phone) -> None:
    once = await phone.say(BOTH)
    await phone.send()
    for _ in range(2):
        await phone.store.run(note_receipts, "wa", [refused(once)], now=phone.now)
    assert await phone.send() == [ONLY_TEMPLATE]
    await phone.store.run(note_receipts, "wa", [refused(f"{once}.template")], now=phone.now)
    assert await phone.send() == []
    assert [status for status, _ in phone.outbox()] == ["failed", "held"]


async def test_a_refusal_may_come_before_the_answer_that_names_the_message(phone: Phone) -> None:
    await phone.say(BOTH)
    sending = await phone.store.run(begin, phone.address, owner="A", now=phone.now)
    assert isinstance(sending, Sending)
    await phone.store.run(note_receipts, "wa", [refused("theirs")], now=phone.now)
    await phone.store.run(end, sending, Went("sent", channel_message_id="theirs"), now=phone.now)
    assert await phone.send() == [ONLY_TEMPLATE]


STEPS = st.one_of(
    st.tuples(st.just("wait"), st.sampled_from([1, 12, 23, 24, 30])),
    st.tuples(st.just("hear"), st.sampled_from([0, 1, 12, 23, 24, 60])),  # written so many hours before it comes
    st.tuples(st.just("say"), st.sampled_from([FREE, BOTH, ONLY_TEMPLATE])),
    st.tuples(st.just("send"), st.sampled_from(["sent", "later", "unknown", "failed"])),
)


@given(st.lists(STEPS, min_size=10, max_size=25))
@settings(max_examples=depth(20, 40), deadline=None, suppress_health_check=list(HealthCheck))
def test_no_history_lets_free_text_out_after_the_window(steps: list[tuple[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_live(f"sqlite:///{folder}/hilo.db", steps))


async def _live(url: str, steps: list[tuple[str, Any]]) -> None:
    async with a_phone(url) as phone:
        await phone.hear()
        heard = phone.now
        for step, value in steps:
            match step:
                case "wait":
                    phone.now += value * HOUR
                case "hear":
                    await phone.hear(written=phone.now - value * HOUR)
                    heard = max(heard, phone.now - value * HOUR)
                case "say":
                    await phone.say(value)
                case "send":
                    left = await phone.send(Went(value))
                    assert phone.now - heard < 24 * HOUR or all(each == ONLY_TEMPLATE for each in left)
