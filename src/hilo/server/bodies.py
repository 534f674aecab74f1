"""Reading requests with limits: nobody can fill our memory or hold a request open for ever."""

import asyncio
from collections.abc import Mapping

from fastapi import HTTPException, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 3 * 1024 * 1024  # bytes; the largest webhook that a provider announces
MAX_SECONDS = 10.0


class LimitedBodies:
    """Every request's body: 413 when it is too large, 408 when it is too slow, before anybody reads it whole."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        at_most: int = MAX_BODY,
        seconds: float = MAX_SECONDS,
        roomy: Mapping[str, tuple[int, float]] | None = None,
    ) -> None:
        self._app = app
        self._usual = (at_most, seconds)
        self._roomy = roomy or {}  # paths that take more, and take longer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        at_most, seconds = self._roomy.get(scope["path"], self._usual)
        await self._app(scope, _limited(receive, at_most, seconds), send)


def _limited(receive: Receive, at_most: int, seconds: float) -> Receive:
    deadline, left, reading = asyncio.get_running_loop().time() + seconds, at_most, True

    async def limited() -> Message:
        nonlocal left, reading
        if not reading:
            return await receive()
        try:
            async with asyncio.timeout_at(deadline):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, f"the body did not come within {seconds:g} s") from None
        left -= len(message.get("body", b""))
        reading = bool(message.get("more_body"))
        if left < 0:
            raise HTTPException(413, f"the body is larger than {at_most} bytes")
        return message

    return limited


async def read_body(request: Request, *, at_most: int = MAX_BODY) -> bytes:
    """The whole body of a route that takes less than others."""
    pieces, size = [], 0
    async for piece in request.stream():
        size += len(piece)
        if size > at_most:
            raise HTTPException(413, f"the body is larger than {at_most} bytes")
        pieces.append(piece)
    return b"".join(pieces)
