"""Server-sent events: an answer that goes on until its reader leaves."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from hilo.store.store import StoreUnavailable

SLOW = 15.0  # seconds to take one message
CLOSING = 2.0  # seconds to take the last one

Write = Callable[[str], Awaitable[None]]
Feed = Callable[[Write], Coroutine[Any, Any, None]]


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
