"""Server-sent events: an answer that goes on until its reader leaves."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Header, HTTPException, Query
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from hilo.store.store import StoreUnavailable

SLOW = 15.0  # seconds to take one message
CLOSING = 2.0  # seconds to take the last one

LAST = (1 << 62) - 1

Write = Callable[[str], Awaitable[None]]
Feed = Callable[[Write], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class StreamWish:
    """What a reader asks for: what came after a number, now and then or as it happens."""

    after: int | None
    live: bool


async def _wished(
    after: Annotated[
        int | None, Query(ge=0, le=LAST, description="`next` of the answer before; without it, from now on.")
    ] = None,
    accept: Annotated[str, Header(include_in_schema=False)] = "",
    last_event_id: Annotated[str, Header(max_length=20)] = "",
) -> StreamWish:
    if last_event_id:  # a reader that comes again says what it saw last
        if not (last_event_id.isascii() and last_event_id.isdigit() and int(last_event_id) <= LAST):
            raise HTTPException(422, "Last-Event-ID: take it from `id` of an event")
        after = int(last_event_id)
    return StreamWish(after, "text/event-stream" in accept)


Wish = Annotated[StreamWish, Depends(_wished)]


class EventStream(Response):
    """What a feed writes, until the reader leaves or is too slow."""

    media_type = "text/event-stream"

    def __init__(self, feed: Feed) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self.feed = feed

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})

        async def write(text: str) -> None:
            async with asyncio.timeout(SLOW):
                await send({"type": "http.response.body", "body": text.encode(), "more_body": True})

        # The reader comes again; a gateway that leaves cancels us, and the answer ends like any other.
        with contextlib.suppress(TimeoutError, StoreUnavailable, OSError, asyncio.CancelledError):
            await first_to_end(self.feed(write), _until_gone(receive))
        with contextlib.suppress(TimeoutError, OSError):
            async with asyncio.timeout(CLOSING):
                await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def first_to_end(*ways: Coroutine[Any, Any, Any]) -> None:
    """Run them until one ends; the others are broken off. An error of the one that ended is raised."""
    tasks = [asyncio.create_task(way) for way in ways]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
