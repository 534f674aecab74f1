"""The view of a conversation over random histories: every visitor sees all of theirs, and nothing else."""

import asyncio
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from hilo.dialogue.events import MessageReceived
from hilo.messages import Address, Inbound, Outbound
from hilo.store.chat import END, ChatLine, ChatVisit, Cursor, chat_news, chat_page, message_key
from hilo.store.inbox import KEPT, Arrival, accept
from hilo.store.outbox import OutboxEntry, Sending, Went, add_messages, begin, end
from hilo.store.sqlite import SqliteStore
from hilo.store.store import Store
from hilo.store.workspaces import ChannelRow, add_channel, add_workspace

START = datetime(2026, 3, 2, 15, tzinfo=UTC)
CHANNELS = ("web-a", "web-b")
VISITORS = ("ana", "luis", "ana.luis")  # one is the beginning of another

visits = st.builds(ChatVisit, st.sampled_from(CHANNELS), st.sampled_from(VISITORS))
acts = st.tuples(visits, st.sampled_from(["writes", "is told", "is told later"]), st.integers(0, 30))


@dataclass
class Talk:
    """What really happened."""

    store: Store
    now: datetime = START
    happened: dict[ChatVisit, list[str]] = field(default_factory=lambda: defaultdict(list))
    addresses: dict[ChatVisit, str] = field(default_factory=dict)
    number: int = 0

    async def act(self, visit: ChatVisit, what: str, seconds: int) -> None:
        self.now += timedelta(seconds=seconds, milliseconds=1)
        self.number += 1
        text = f"{visit.channel} {visit.visitor} {self.number}"
        if what == "writes" or visit not in self.addresses:
            await self._write(visit, text)
            return
        draft = OutboxEntry(
            f"m{self.number}", "w", visit.channel, self.addresses[visit], None, None, "agent", Outbound(text)
        )
        await self.store.run(add_messages, [draft], now=self.now)
        if what == "is told":
            await self._deliver(visit)

    async def _write(self, visit: ChatVisit, text: str) -> None:
        once = message_key(visit.visitor, f"browser-{self.number}")
        message = Inbound(once, Address(visit.channel, visit.visitor), text, self.now)
        arrival = Arrival(message, MessageReceived(self.now, text, id=once))
        (accepted,) = await self.store.run(accept, visit.channel, [arrival], now=self.now)
        self.addresses[visit] = accepted.address
        self.happened[visit].append(text)

    async def _deliver(self, visit: ChatVisit) -> None:
        """All that waits for this visitor."""
        while True:
            sending = await self.store.run(begin, self.addresses[visit], owner="test", now=self.now)
            if not isinstance(sending, Sending):
                return
            await self.store.run(end, sending, Went("sent"), now=self.now)
            self.happened[visit].append(sending.message.text)


def with_store(file: Path, check: Callable[[Talk], object], history: Sequence[tuple[ChatVisit, str, int]]) -> None:
    async def run() -> None:
        with tempfile.TemporaryDirectory(dir=file.parent) as folder:
            shutil.copy(file, f"{folder}/hilo.db")
            store = SqliteStore(Path(folder, "hilo.db"), synchronous="NORMAL")
            talk = Talk(store)
            await store.run(add_workspace, "w", name="w", now=START)
            for channel in CHANNELS:
                await store.run(add_channel, ChannelRow(channel, "w", "web", "shop"), now=START)
            for visit, what, seconds in history:
                await talk.act(visit, what, seconds)
            await check(talk)  # type: ignore[misc]
            await store.close()

    asyncio.run(run())


async def all_pages(talk: Talk, visit: ChatVisit, size: int) -> list[ChatLine]:
    found: list[ChatLine] = []
    before: Cursor | None = END
    while before is not None:
        page = await talk.store.run(chat_page, visit, before, now=talk.now, at_most=size)
        assert len(page.lines) <= size
        found[:0] = page.lines
        before = page.earlier
    return found


def texts(lines: Sequence[ChatLine]) -> list[str]:
    return [line.text for line in lines]


@settings(max_examples=40, deadline=None)
@given(history=st.lists(acts, max_size=25), size=st.integers(1, 7))
def test_everybody_sees_all_of_their_own_messages_and_no_other(
    migrated_file: Path, history: list[tuple[ChatVisit, str, int]], size: int
) -> None:
    async def check(talk: Talk) -> None:
        for visit in (ChatVisit(channel, visitor) for channel in CHANNELS for visitor in VISITORS):
            pages = await all_pages(talk, visit, size)
            assert sorted(texts(pages)) == sorted(talk.happened[visit])
            assert [line.at for line in pages] == sorted(line.at for line in pages)
            news = await talk.store.run(chat_news, visit, Cursor(), now=talk.now)
            assert texts(news.lines) == texts(pages)

    with_store(migrated_file, check, history)


@settings(max_examples=40, deadline=None)
@given(history=st.lists(acts, max_size=20), later=st.lists(acts, max_size=10), size=st.integers(1, 4))
def test_whoever_follows_the_cursor_misses_nothing(
    migrated_file: Path, history: list[tuple[ChatVisit, str, int]], later: list[tuple[ChatVisit, str, int]], size: int
) -> None:
    async def check(talk: Talk) -> None:
        cursors, seen = {}, {}
        for visit in (ChatVisit(channel, visitor) for channel in CHANNELS for visitor in VISITORS):
            cursors[visit] = (await talk.store.run(chat_page, visit, now=talk.now)).last
            seen[visit] = set(talk.happened[visit])
        for act in later:
            await talk.act(*act)
            for visit, cursor in cursors.items():
                news = await talk.store.run(chat_news, visit, cursor, now=talk.now, at_most=size)
                cursors[visit] = news.last
                seen[visit] |= set(texts(news.lines))
        for visit, cursor in cursors.items():
            while True:
                news = await talk.store.run(chat_news, visit, cursor, now=talk.now, at_most=size)
                seen[visit] |= set(texts(news.lines))
                if news.last == cursor:
                    break
                cursor = news.last  # noqa: PLW2901 -- the next one
            assert seen[visit] == set(talk.happened[visit])

    with_store(migrated_file, check, history)


def test_a_young_message_comes_again_because_an_older_one_may_follow_it(migrated_file: Path) -> None:
    ana = ChatVisit("web-a", "ana")

    async def check(talk: Talk) -> None:
        young = await talk.store.run(chat_news, ana, Cursor(), now=talk.now)
        assert (young.last.heard, young.last.said) == (1, 0)
        settled = await talk.store.run(chat_news, ana, Cursor(), now=talk.now + timedelta(seconds=11))
        assert (settled.last.heard, settled.last.said) == (1, 1)

    with_store(migrated_file, check, [(ana, "writes", 1), (ana, "is told", 1)])


def test_half_a_talk_is_not_shown_when_the_inbox_has_forgotten_the_other_half(migrated_file: Path) -> None:
    ana = ChatVisit("web-a", "ana")

    async def check(talk: Talk) -> None:
        later = talk.now + KEPT + timedelta(seconds=1)
        assert (await talk.store.run(chat_page, ana, now=later)).lines == ()
        assert (await talk.store.run(chat_news, ana, Cursor(), now=later)).lines == ()

    with_store(migrated_file, check, [(ana, "writes", 1), (ana, "is told", 1)])
