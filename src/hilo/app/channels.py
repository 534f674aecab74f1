"""The channels of an installation: found by their id, made from what the store has of them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Protocol, runtime_checkable

import structlog

from hilo.app.kinds import KINDS
from hilo.app.secrets import Secrets
from hilo.channels.channel import Channel, ShowsDrafts
from hilo.channels.webchat import WebChat
from hilo.clock import Clock, SystemClock
from hilo.errors import HiloError
from hilo.messages import Address
from hilo.store.store import Store
from hilo.store.turns import SessionScope
from hilo.store.workspaces import KNOWN_AFTER, ChannelRow, channels

log = structlog.get_logger()


@runtime_checkable
class Closing(Protocol):
    """A channel that keeps connections open."""

    async def aclose(self) -> None:
        """Close them."""
        ...


async def _nothing(_workspace: str) -> None:
    """Nobody wants to know."""


@dataclass
class ChannelBook:
    """Channels by id: those that this process was given, and those that the store has, looked up when they are needed.

    `met` is told each workspace that has a channel, before the channel is used.
    """

    store: Store
    clock: Clock = field(default_factory=SystemClock)
    secrets: Secrets = field(default_factory=lambda: Secrets(""))
    met: Callable[[str], Awaitable[None]] = _nothing
    given: dict[str, tuple[ChannelRow, Channel]] = field(default_factory=dict)
    _rows: dict[str, ChannelRow] = field(default_factory=dict, init=False)
    _made: dict[str, tuple[ChannelRow, Channel]] = field(default_factory=dict, init=False)
    _workspaces: set[str] = field(default_factory=set, init=False)
    _looked: datetime | None = field(default=None, init=False)

    def add(self, row: ChannelRow, channel: Channel) -> None:
        """Know a channel that was made here."""
        self.given[row.id] = (row, channel)

    async def find(self, channel: str) -> Channel | None:
        """A channel by its id; raises HiloError when its credentials cannot be opened."""
        if channel in self.given:
            return self.given[channel][1]
        row = await self._row(channel)
        return None if row is None or not row.settings else self._make(row)

    async def find_to_send(self, channel: str) -> Channel | None:
        """The same; what goes to a chat page of another process's agent lies in the store, where that one finds it."""
        found = await self.find(channel)
        return WebChat() if found is None and await self.is_kind(channel, "web") else found

    async def is_kind(self, channel: str, kind: str) -> bool:
        """Whether a channel is of this kind."""
        row = self.given[channel][0] if channel in self.given else await self._row(channel)
        return row is not None and row.kind == kind

    async def show_typing(self, place: SessionScope, answering: str) -> None:
        """Show a contact that an answer is being written; that it cannot be shown harms nothing."""
        try:
            channel = await self.find(place.channel)
            if channel is not None:
                await channel.typing(Address(place.channel, place.value), answering=answering)
        except HiloError as error:
            log.warning("typing not shown", channel=place.channel, reason=str(error))

    def drafts(self, place: SessionScope) -> Callable[[str], None] | None:
        """What shows a contact an answer while it is written, where their channel can."""
        known = self.given.get(place.channel) or self._made.get(place.channel)
        if known is None or not isinstance(known[1], ShowsDrafts):
            return None
        return partial(_show_draft, known[1], Address(place.channel, place.value))

    async def check(self) -> None:
        """Make all channels, so that a key that is missing is found at the start and not by a customer."""
        await self._look()
        for row in self._rows.values():
            if row.settings:
                self._make(row)

    async def aclose(self) -> None:
        """Close the connections of the channels that were made here; those that were given belong to who gave them."""
        for _, channel in self._made.values():
            if isinstance(channel, Closing):
                await channel.aclose()

    def connected(self) -> tuple[ChannelRow, ...]:
        """The channels with webhooks that were there when we last looked."""
        return tuple(row for row in self._rows.values() if row.settings)

    async def _row(self, channel: str) -> ChannelRow | None:
        """All are read at once: whoever guesses ids costs us one query in two seconds."""
        if self._looked is None or not timedelta() <= self.clock.now() - self._looked < KNOWN_AFTER:
            await self._look()
        return self._rows.get(channel)

    async def _look(self) -> None:
        rows = await self.store.run(channels)
        for workspace in {row.workspace_id for row in rows} - self._workspaces:
            await self.met(workspace)
            self._workspaces.add(workspace)
        self._rows, self._looked = {row.id: row for row in rows}, self.clock.now()

    def _make(self, row: ChannelRow) -> Channel:
        """The channel with these very settings; a send that runs keeps the one it began with."""
        known = self._made.get(row.id)
        if known is None or known[0] != row:
            known = self._made[row.id] = (row, make_channel(row, self.secrets, self.clock))
            log.info("channel connected", channel=row.id, kind=row.kind)
        return known[1]


def _show_draft(channel: ShowsDrafts, to: Address, text: str) -> None:
    """That words cannot be shown is no concern of the turn."""
    try:
        channel.show_draft(to, text)
    except Exception:
        log.warning("draft not shown", channel=to.channel, exc_info=True)


def make_channel(row: ChannelRow, secrets: Secrets, clock: Clock) -> Channel:
    """A channel as the store has it; raises HiloError."""
    if row.kind not in KINDS:
        raise HiloError(f"the channel {row.id} is of the kind {row.kind}, which this version does not know")
    return KINDS[row.kind].make(secrets.open(row.settings), clock)


def new_row(kind: str, place: dict[str, str], settings: dict[str, Any], secrets: Secrets) -> ChannelRow:
    """A channel to be stored, with what is usual for its kind; raises HiloError when it cannot work."""
    known = KINDS[kind]
    known.make(settings, SystemClock())
    limits = (known.per_second, known.echo_seconds, known.window_hours)
    return ChannelRow(place["id"], place["workspace"], kind, place["agent"], secrets.seal(settings), *limits)
