"""News for a dashboard: what happens between agents and persons, as it happens or piece by piece."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from fastapi import HTTPException, Request
from fastapi.responses import JSONResponse, Response

from hilo.server import shapes
from hilo.server.access import Edge, MayStill, Reading
from hilo.server.api_router import api_router
from hilo.server.edge import HttpEdge
from hilo.server.streams import EventStream, Wish, Write
from hilo.store.audit import NewsItem, NewsPage, news_since

LOOK = 1.0  # seconds between two looks; any process may have written what is new
PING = timedelta(seconds=20)  # of silence, after which a sign of life is sent and the key is looked at again
MOST = 20  # streams of one workspace in this process
LAST = (1 << 31) - 1  # of the numbers that news have


@dataclass(frozen=True, slots=True)
class Reader:
    """Who follows the news of a workspace; `may` says whether the key still works."""

    workspace: str
    after: int | None
    may: Callable[[], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class Streams:
    """How many are open in each workspace."""

    open: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def one(self, workspace: str) -> Iterator[None]:
        """Count one for as long as it is open."""
        self.open[workspace] += 1
        try:
            yield
        finally:
            self.open[workspace] -= 1


router = api_router("", "events")


@router.get("/events", response_model=shapes.EventPage)
async def events(edge: Edge, key: Reading, wish: Wish, may: MayStill, request: Request) -> Response:
    """What happened after a place; with `Accept: text/event-stream`, as it happens."""
    after = wish.after
    if after is not None and after > LAST:
        raise HTTPException(422, f"after: {LAST} at most")
    if not wish.live:
        found = await edge.store.run(news_since, key.workspace, after)
        return JSONResponse({"items": list(map(_plain, found.items)), "next": found.last, "more": found.more})
    streams: Streams = request.app.state.streams
    if streams.open[key.workspace] >= MOST:
        raise HTTPException(429, "too many open streams", headers={"Retry-After": "5"})
    reader = Reader(key.workspace, after, may)
    return EventStream(lambda write: _counted(edge, streams, reader, write=write))


async def _counted(edge: HttpEdge, streams: Streams, reader: Reader, *, write: Write) -> None:
    with streams.one(reader.workspace):
        await _follow(edge, reader, write)


async def _follow(edge: HttpEdge, reader: Reader, write: Write) -> None:
    """Write what is new until somebody breaks it off or the key is revoked; the first sign of life comes at once."""
    news = await edge.store.run(news_since, reader.workspace, reader.after)
    await write("retry: 2000\n\n" + _written(news))
    wrote = edge.clock.now()
    while True:
        await asyncio.sleep(0 if news.more else LOOK)
        news = await edge.store.run(news_since, reader.workspace, news.last)
        now = edge.clock.now()
        if news.items:
            await write(_written(news))
            wrote = now
        elif now - wrote >= PING:
            if not await reader.may():
                return
            await write(": still here\n\n")
            wrote = now


def _written(news: NewsPage) -> str:
    return "".join(
        f"id: {item.number}\nevent: {item.kind}\ndata: {json.dumps(_plain(item))}\n\n" for item in news.items
    )


def _plain(item: NewsItem) -> dict[str, Any]:
    return {
        "id": item.number,
        "at": item.at.isoformat(),
        "event": item.kind,
        "session": item.session,
        "handoffs": list(item.handoffs),
        "actor": item.actor,
        "detail": dict(item.detail),
    }
