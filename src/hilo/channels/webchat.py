"""The chat page: what is sent waits in the store until the browser fetches it; listeners are told at once."""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from hilo.channels.channel import NotReadable, Outcome, Received, Sent, Webhook
from hilo.messages import Address, Outbound

Signal = Literal["message", "typing", "draft"]

MAX_TABS = 10  # open connections of one visitor
MAX_VISITORS = 5_000  # of one page, in one process
MAX_DRAFT = 3_000  # characters
DRAFT_EVERY = 0.125  # seconds


@dataclass(eq=False)
class Listener:
    """One open tab. Signals that come together are one: nothing piles up for a tab that is slow."""

    draft: str = ""  # the latest words of an answer that is being written
    _told: set[Signal] = field(default_factory=set)
    _rung: asyncio.Event = field(default_factory=asyncio.Event)
    _calm: asyncio.TimerHandle | None = None  # until then drafts do not ring

    def tell(self, signal: Signal) -> None:
        """Something happened."""
        self._told.add(signal)
        self._rung.set()

    def tell_draft(self, text: str) -> None:
        """The words have changed; it rings for them now and then, and for the last ones always."""
        if text == self.draft:
            return
        self.draft = text
        self._told.add("draft")
        if self._calm is None:
            self._ring_for_draft()

    def _ring_for_draft(self) -> None:
        self._calm = None
        if "draft" in self._told:
            self._rung.set()
            self._calm = asyncio.get_running_loop().call_later(DRAFT_EVERY, self._ring_for_draft)

    async def wait(self, seconds: float) -> frozenset[Signal]:
        """What happened since it was asked last; it waits for the first, but no longer than that."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._rung.wait()
        told = frozenset(self._told)
        self._told.clear()
        self._rung.clear()
        return told


@dataclass
class WebChat:
    """One chat page. Every visitor is an address; every open tab of theirs listens."""

    title: str = ""
    language: str = ""  # of the page's own texts; without one, the browser's
    description: str = ""
    greeting: str = ""  # shown before anything is said
    starters: tuple[str, ...] = ()  # what a visitor may begin with
    listeners: dict[str, set[Listener]] = field(default_factory=lambda: defaultdict(set))

    def read(self, webhook: Webhook) -> Received:
        """Browsers do not come by webhook."""
        raise NotReadable(f"a chat page has no webhooks ({webhook.method})")

    async def send(self, to: Address, message: Outbound, *, message_id: str) -> Outcome:
        """It is in the store already; whoever looks is told to fetch it."""
        del message, message_id
        self.show_draft(to, "")
        self.tell(to.value, "message")
        return Sent()

    async def typing(self, to: Address, *, answering: str) -> None:
        """Show that an answer is being written."""
        del answering
        self.tell(to.value, "typing")

    def show_draft(self, to: Address, text: str) -> None:
        """Show what is being written to the tabs that are open now."""
        shown = text if len(text) <= MAX_DRAFT else text[: MAX_DRAFT - 1] + "…"
        for listener in self.listeners.get(to.value, ()):
            listener.tell_draft(shown)

    def tell(self, visitor: str, signal: Signal) -> None:
        """Let all tabs of a visitor know."""
        for listener in self.listeners.get(visitor, ()):
            listener.tell(signal)

    def is_full(self, visitor: str) -> bool:
        """Whether no other tab can be served live: of this visitor, or of any."""
        return len(self.listeners.get(visitor, ())) >= MAX_TABS or len(self.listeners) >= MAX_VISITORS

    @contextmanager
    def listening(self, visitor: str) -> Iterator[Listener]:
        """What happens at an address while this lasts."""
        listener = Listener()
        self.listeners[visitor].add(listener)
        try:
            yield listener
        finally:
            self.listeners[visitor].discard(listener)
            if not self.listeners[visitor]:
                del self.listeners[visitor]
