"""From the contact's phone to the answer on it, through a provider that repeats and reorders: each is answered once."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping

from gateways import Gateway, until
from prometheus_client import REGISTRY

from hilo.channels.infobip import Infobip
from hilo.channels.telegram import Telegram
from hilo.channels.whatsapp_cloud import WhatsAppCloud
from hilo.store.views import Transcript, sessions, transcript
from hilo.store.workspaces import ChannelRow
from hilo.testing.providers.infobip import FakeInfobip
from hilo.testing.providers.provider import Chats, Faults
from hilo.testing.providers.telegram import FakeTelegram
from hilo.testing.providers.whatsapp_cloud import FakeWhatsAppCloud

UNRULY = Faults(duplicates=0.3, reorder=0.3, seed=7)
CONTACTS = [f"54911555500{number:02}" for number in range(12)]

Write = Callable[[str, str], Awaitable[str]]


def row(kind: str) -> ChannelRow:
    return ChannelRow("phone", "main", kind, "eco", echo_seconds=5, window_hours=24 if kind != "telegram" else 0)


async def transcripts(hilo: Gateway) -> list[Transcript]:
    store = hilo.hilo.store
    found = await store.run(sessions, "main", "all", at_most=100)
    read = [await store.run(transcript, "main", each.id, last=None) for each in found]
    return [each for each in read if each is not None]


async def talk(hilo: Gateway, write: Write, contacts: list[str], rounds: int) -> Counter[str]:
    """Everybody writes twice at the same time, and again when all have been heard; what was written."""
    written: Counter[str] = Counter()
    for number in range(2 * rounds):
        for contact in contacts:
            text = f"cosa {number} de {contact[-2:]}"
            await write(contact, text)
            written[text] += 1
        if number % 2 == 0:
            continue
        await until(lambda: _heard(hilo, written))
    return written


async def _heard(hilo: Gateway, written: Mapping[str, int]) -> bool:
    return sum((await heard(hilo)).values()) >= sum(written.values())


async def heard(hilo: Gateway) -> Counter[str]:
    turns = [turn for each in await transcripts(hilo) for turn in each.turns]
    return Counter(line for turn in turns for line in turn.heard.splitlines())


async def statuses(hilo: Gateway) -> set[str]:
    return {message.status for each in await transcripts(hilo) for message in each.messages}


def duplicates() -> float:
    return REGISTRY.get_sample_value("hilo_messages_total", {"outcome": "duplicate"}) or 0.0


def answers(chats: Chats, contact: str) -> list[str]:
    return list(chats.said_to(contact))


async def said(hilo: Gateway, contact: str) -> list[str]:
    """What the turns of a contact said, in order."""
    [found] = [each for each in await transcripts(hilo) if each.session.address.endswith(contact)]
    return [reply["text"] for turn in found.turns for reply in turn.said]


async def test_each_message_is_answered_once_through_infobip(served: Gateway) -> None:
    async with FakeInfobip(f"{served.url}/webhooks/infobip/phone", faults=UNRULY) as fake:
        await served.connect(row("infobip"), Infobip(fake.settings))
        before = duplicates()
        written = await talk(served, fake.write, CONTACTS, 3)
        assert await heard(served) == written
        await until(lambda: _settled(served, {"delivered", "read"}))
        await fake.settle()
        for contact in CONTACTS:
            assert answers(fake.chats, contact) == await said(served, contact)
        assert len({each.message_id for each in fake.taken}) == len(fake.taken)
        assert duplicates() > before + len(written) / 10


async def _settled(hilo: Gateway, wanted: set[str]) -> bool:
    return await statuses(hilo) <= wanted


async def test_a_message_is_read_when_the_contact_has_seen_it(served: Gateway) -> None:
    async with FakeInfobip(f"{served.url}/webhooks/infobip/phone") as fake:
        await served.connect(row("infobip"), Infobip(fake.settings))
        await talk(served, fake.write, CONTACTS[:1], 1)
        await until(lambda: _settled(served, {"delivered"}))
        await fake.see(CONTACTS[0])
        await until(lambda: _settled(served, {"read"}))


async def test_sends_that_fail_are_tried_again_and_arrive_once(worked: Gateway) -> None:
    faults = Faults(duplicates=0.3, reorder=0.3, throttled=0.2, failing=0.2, seed=3)
    async with FakeInfobip(f"{worked.url}/webhooks/infobip/phone", faults=faults) as fake:
        await worked.connect(row("infobip"), Infobip(fake.settings))
        await talk(worked, fake.write, CONTACTS[:6], 1)
        await until(lambda: _settled(worked, {"delivered", "read"}))
        for contact in CONTACTS[:6]:
            assert answers(fake.chats, contact) == await said(worked, contact)


async def test_each_message_is_answered_once_through_the_cloud_api(worked: Gateway) -> None:
    async with FakeWhatsAppCloud(f"{worked.url}/webhooks/whatsapp/phone", faults=UNRULY) as fake:
        await worked.connect(row("whatsapp"), WhatsAppCloud(fake.settings))
        written = await talk(worked, fake.write, CONTACTS[:6], 2)
        assert await heard(worked) == written
        await until(lambda: _settled(worked, {"delivered", "read"}))
        for contact in CONTACTS[:6]:
            assert answers(fake.chats, contact) == await said(worked, contact)


async def test_each_message_is_answered_once_through_telegram(worked: Gateway) -> None:
    async with FakeTelegram(f"{worked.url}/webhooks/telegram/phone", faults=UNRULY) as fake:
        await worked.connect(row("telegram"), Telegram(fake.settings, worked.hilo.clock))
        written = await talk(worked, fake.write, CONTACTS[:6], 2)
        assert await heard(worked) == written
        await until(lambda: _settled(worked, {"sent"}))
        for contact in CONTACTS[:6]:
            assert answers(fake.chats, contact) == await said(worked, contact)
