"""What other processes did to the conversations of a page: one look a second tells all tabs that are open."""

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from hilo.channels.webchat import WebChat
from hilo.server.edge import HttpEdge
from hilo.store.chat import ChatChange, chat_changes, chat_numbers

LOOK = 1.0  # seconds between two looks
SETTLED = 15  # looks, after which nothing is expected any more with a number below
BEFORE = 200  # numbers that may not have been to be seen when the first tab came


@dataclass
class ChatWatch:
    """Looks for as long as a tab of the page is open; what was sent in this process rings by itself."""

    edge: HttpEdge
    channel: str
    chat: WebChat
    tabs: int = 0
    _task: asyncio.Task[None] | None = None

    @contextmanager
    def open_tab(self) -> Iterator[None]:
        """One more that wants to be told."""
        self.tabs += 1
        if self._task is None:
            self._task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            self.tabs -= 1
            if not self.tabs and self._task:
                self._task.cancel()
                self._task = None

    async def _run(self) -> None:
        looks: ChatLooks | None = None
        while True:
            try:
                looks = looks or ChatLooks(await self.edge.store.run(chat_numbers))
                for visitor in looks.new(await self.edge.store.run(chat_changes, self.channel, *looks.after)):
                    self.chat.tell(visitor, "message")
            except Exception:  # noqa: BLE001, S110 -- the tabs find out what is wrong, and we look again
                pass
            await asyncio.sleep(LOOK)


class ChatLooks:
    """Where the next look begins, and what earlier ones have told. Numbers are given before they can be seen."""

    def __init__(self, newest: tuple[int, int]) -> None:
        first = (max(0, newest[0] - BEFORE), max(0, newest[1] - BEFORE))
        self._reached: deque[tuple[int, int]] = deque([first], maxlen=SETTLED)
        self._told: dict[ChatChange, None] = {}

    @property
    def after(self) -> tuple[int, int]:
        """The numbers of the last messages heard and said that need not be looked at again."""
        return self._reached[0]

    def new(self, changes: tuple[ChatChange, ...]) -> tuple[str, ...]:
        """The visitors of whom something is new."""
        heard = max((each.number for each in changes if each.heard), default=self._reached[-1][0])
        said = max((each.number for each in changes if not each.heard), default=self._reached[-1][1])
        self._reached.append((heard, said))
        fresh = [each for each in changes if each not in self._told]
        self._told = dict.fromkeys(changes)
        return tuple(dict.fromkeys(each.visitor for each in fresh))


@dataclass
class ChatWatches:
    """One for each page that somebody has open."""

    edge: HttpEdge
    by_channel: dict[str, ChatWatch] = field(default_factory=dict)

    @contextmanager
    def watching(self, channel: str, chat: WebChat) -> Iterator[None]:
        """While this lasts, the tabs of a page are told what happens elsewhere."""
        watch = self.by_channel.get(channel)
        if watch is None or watch.chat is not chat:  # the channel was connected anew
            watch = self.by_channel[channel] = ChatWatch(self.edge, channel, chat)
        try:
            with watch.open_tab():
                yield
        finally:
            if not watch.tabs and self.by_channel.get(channel) is watch:
                del self.by_channel[channel]
