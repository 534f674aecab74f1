"""The live stream of a workspace: numbered, goes on where a page stopped, the same from every process."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from fastapi import HTTPException, Request
from fastapi.responses import JSONResponse, Response

from hilo.server import panel_shapes as shapes
from hilo.server.access import Edge, MayStill, Reading
from hilo.server.api_router import api_router
from hilo.server.edge import HttpEdge
from hilo.server.streams import EventStream, Wish, Write
from hilo.store.live import LivePage, NumberedEvent, live_after, live_head, number_live

LOOK = 0.3  # seconds between two looks of a process at a workspace, however many pages are open
PING = 20.0  # seconds of silence, after which a sign of life is sent and it is asked who reads
MOST = 200  # streams of one workspace in this process


@dataclass
class Watch:
    """Looks at the live events of workspaces, for as long as somebody reads; one look serves all readers."""

    edge: HttpEdge
    heads: dict[str, int] = field(default_factory=dict)
    readers: Counter[str] = field(default_factory=Counter)
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _news: dict[str, asyncio.Event] = field(default_factory=dict)

    @contextmanager
    def reading(self, workspace: str) -> Iterator[None]:
        """One more reader."""
        self.readers[workspace] += 1
        if self.readers[workspace] == 1:
            self._news[workspace] = asyncio.Event()
            self._tasks[workspace] = asyncio.create_task(self._look(workspace))
        try:
            yield
        finally:
            self.readers[workspace] -= 1
            if not self.readers[workspace]:
                self._tasks.pop(workspace).cancel()

    async def head(self, workspace: str) -> int:
        """The last number, after everything that waited for one got it."""
        head, waits = await self.edge.store.run(live_head, workspace)
        return await self.edge.store.run(number_live, workspace) if waits else head

    async def beyond(self, workspace: str, number: int) -> None:
        """Wait until there is something after a number, or for a while."""
        while self.heads.get(workspace, 0) <= number:
            await self._news[workspace].wait()

    async def _look(self, workspace: str) -> None:
        while True:
            try:
                head = await self.head(workspace)
            except Exception:  # noqa: BLE001 -- the readers find out what is wrong, and we look again
                head = self.heads.get(workspace, 0)
            if head != self.heads.get(workspace, 0):
                self.heads[workspace] = head
                news, self._news[workspace] = self._news[workspace], asyncio.Event()
                news.set()
            await asyncio.sleep(LOOK)


@dataclass(frozen=True, slots=True)
class StreamReader:
    """A page that follows a workspace."""

    workspace: str
    after: int | None
    may: Callable[[], Awaitable[bool]]


router = api_router("", "panel")


@router.get("/stream", response_model=shapes.StreamPage)
async def stream(edge: Edge, key: Reading, wish: Wish, may: MayStill, request: Request) -> Response:
    """What happened after a number; with `Accept: text/event-stream`, as it happens."""
    watch: Watch = request.app.state.watch
    if not wish.live:
        await watch.head(key.workspace)
        return JSONResponse(_page(await edge.store.run(live_after, key.workspace, wish.after)))
    if watch.readers[key.workspace] >= MOST:
        raise HTTPException(429, "too many open streams", headers={"Retry-After": "5"})
    reader = StreamReader(key.workspace, wish.after, may)
    return EventStream(lambda write: _follow(watch, reader, write))


async def _follow(watch: Watch, reader: StreamReader, write: Write) -> None:
    """Write what is new until somebody breaks it off or may not read any more."""
    store, workspace = watch.edge.store, reader.workspace
    with watch.reading(workspace):
        await watch.head(workspace)
        page = await store.run(live_after, workspace, reader.after)
        await write("retry: 2000\n\n" + (_written(page) or f"id: {page.last}\nevent: hello\ndata: {{}}\n\n"))
        while True:
            if not page.more:
                try:
                    async with asyncio.timeout(PING):
                        await watch.beyond(workspace, page.last)
                except TimeoutError:
                    if not await reader.may():
                        return
                    await write(": still here\n\n")
                    continue
            page = await store.run(live_after, workspace, page.last)
            if text := _written(page):
                await write(text)


def _written(page: LivePage) -> str:
    if page.lost:
        return f"id: {page.last}\nevent: reset\ndata: {{}}\n\n"
    return "".join(f"id: {each.n}\nevent: {each.event}\ndata: {json.dumps(_plain(each))}\n\n" for each in page.items)


def _page(page: LivePage) -> dict[str, Any]:
    return {"items": list(map(_plain, page.items)), "next": page.last, "more": page.more, "reset": page.lost}


def _plain(event: NumberedEvent) -> dict[str, Any]:
    return {**asdict(event), "at": event.at.isoformat()}
