"""The media worker: fetches the files that contacts sent from where their providers keep them, and keeps them."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import structlog

from hilo.channels.channel import Channel, Rejected
from hilo.channels.fetching import Fetched, FetchesFiles
from hilo.clock import Clock
from hilo.store.file_types import MEGABYTE, file_type_of
from hilo.store.files import Files
from hilo.store.media import (
    LINKS,
    Fetching,
    FetchResult,
    FileNotTaken,
    add_upload,
    begin_fetch,
    end_fetch,
    forget_media,
    new_upload,
    old_media,
)
from hilo.store.store import Store
from hilo.store.work import LEASE, NotNow, let_go
from hilo.store.wrappers import retry_until_stored
from hilo.tools.tool import ToolFailed

AT_ONCE = 4  # files in memory; contacts are answered without waiting for them

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class MediaWorker:
    """Fetches what the tables name for addresses, one file of an address after the other."""

    store: Store
    files: Files
    channel: Callable[[str], Awaitable[Channel | None]]
    clock: Clock
    owner: str
    lease: timedelta = LEASE
    at_most: int = 25 * MEGABYTE

    async def work(self, address: str) -> datetime | None:
        """Fetch all that an address has to fetch now; when there will be more."""
        try:
            while True:
                now = self.clock.now()
                fetching = await self.store.run(begin_fetch, address, owner=self.owner, now=now, lease=self.lease)
                if isinstance(fetching, NotNow):
                    return fetching.at
                result = await self._fetch(fetching)
                after = await retry_until_stored(partial(self._note, fetching, result))
                if after.at is None or after.at > self.clock.now():
                    return after.at
        except (Exception, asyncio.CancelledError):  # our heartbeat would keep a claim that nobody works on
            await retry_until_stored(partial(self.store.run, let_go, "media", address, owner=self.owner))
            raise

    async def _note(self, fetching: Fetching, result: FetchResult) -> NotNow:
        return await self.store.run(end_fetch, fetching, result, now=self.clock.now())

    async def _fetch(self, fetching: Fetching) -> FetchResult:
        try:
            channel = await self.channel(fetching.channel)
            if not isinstance(channel, FetchesFiles):
                return FetchResult("refused", "its channel gives out no files")
            found = await channel.fetch(fetching.source, at_most=self.at_most)
            if isinstance(found, Fetched):
                return await self._kept(fetching, found)
        except Exception as error:
            log.warning("a file could not be kept", media=fetching.id, channel=fetching.channel, exc_info=True)
            return FetchResult("later", f"{type(error).__name__}: {error}"[:500])
        log.info("a file was not fetched", media=fetching.id, channel=fetching.channel, reason=found.reason)
        return FetchResult("refused" if isinstance(found, Rejected) else "later", found.reason)

    async def _kept(self, fetching: Fetching, found: Fetched) -> FetchResult:
        known = file_type_of(found.content, found.type, kind=fetching.kind, name=fetching.name)
        if known is None:
            told = found.type.partition(";")[0][:60] or "no known type"
            return FetchResult("refused", f"files of this type are not taken ({told})")
        await self.files.put(fetching.id, found.content)
        return FetchResult("kept", type=known, size=len(found.content))

    async def forget(self, before: datetime) -> None:
        """Let go of files that are older; their bytes first, so that none is left behind."""
        while old := await self.store.run(old_media, before=before):
            for each in old:
                await self.files.remove(each)
                await self.store.run(forget_media, each)


@dataclass(frozen=True, slots=True)
class ToolFiles:
    """Keeps the files that tools of a workspace make, to be sent with their agent's words."""

    store: Store
    files: Files
    clock: Clock
    workspace: str

    async def keep(self, content: bytes, type: str, name: str = "") -> str:  # noqa: A002 -- as HTTP calls it
        """Where the file can be fetched; raises ToolFailed for one that no channel takes."""
        try:
            upload = new_upload(self.workspace, content, type, name)
        except FileNotTaken as problem:
            raise ToolFailed(str(problem)) from None
        await self.files.put(upload.id, content)
        await self.store.run(add_upload, upload, now=self.clock.now())
        return f"{LINKS}{upload.link}"
