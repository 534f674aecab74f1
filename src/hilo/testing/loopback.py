"""A server on loopback, in this event loop, whose connections can be cut: what fake providers and models run on."""

import asyncio
import socket
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Self

import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol


class LoopbackServer(ABC):
    """Has a URL while it runs; use it with `async with`."""

    def __init__(self, *, port: int = 0) -> None:
        self.url = ""
        self._port = port
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        self.url = await self._stack.enter_async_context(serving(Starlette(routes=self._routes()), self._port))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    @abstractmethod
    def _routes(self) -> list[Route]:
        """What it answers."""


class CutOff(Response):
    """No answer at all: the connection breaks."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 -- nothing is sent
        """Break it, and wait until the server has seen that."""
        scope["cut"]()
        while (await receive())["type"] != "http.disconnect":
            pass


@asynccontextmanager
async def serving(app: ASGIApp, port: int) -> AsyncIterator[str]:
    """The URL of an app on loopback, served in this event loop until the block ends; port 0 takes a free one."""
    listening = socket.create_server(("127.0.0.1", port))
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # an answer in two pieces would wait 40 ms
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    transports: dict[int, asyncio.Transport] = {}
    config = uvicorn.Config(
        _Cuttable(app, transports),
        http=_protocol(transports),
        lifespan="off",
        log_config=None,
        log_level="critical",
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    server = _QuietServer(config)
    task = asyncio.create_task(server.serve(sockets=[listening]))
    await server.ready.wait()
    try:
        yield url
    finally:
        server.should_exit = True
        await task


class _QuietServer(uvicorn.Server):
    """Leaves the signals to whoever runs it: it is a guest in the process."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _protocol(transports: dict[int, asyncio.Transport]) -> type[H11Protocol]:
    """HTTP that remembers its connections by the port they come from, so that they can be cut."""

    class Remembering(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            transports[transport.get_extra_info("peername")[1]] = transport
            super().connection_made(transport)

    return Remembering


class _Cuttable:
    """Gives each request the means to cut its own connection."""

    def __init__(self, app: ASGIApp, transports: Mapping[int, asyncio.Transport]) -> None:
        self._app = app
        self._transports = transports

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app({**scope, "cut": self._transports[scope["client"][1]].abort}, receive, send)
