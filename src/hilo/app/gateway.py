"""The HTTP side of an installation: imported and built while the workers already answer who waits."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

import uvicorn
from fastapi import FastAPI

from hilo.app.archive import StoredArchive
from hilo.app.channel_setup import StoredChannelSetup
from hilo.app.installation import Installation
from hilo.server.app import make_app
from hilo.server.edge import HttpEdge
from hilo.server.headers import TimedHeaders, allow_many_connections
from hilo.settings import Settings
from hilo.workers.campaigns import CampaignLists
from hilo.workers.looking import StoredSight

MAX_SOCKET_MESSAGE = 4_096  # bytes that a chat page may say at once
REACH_SECONDS = 2
QUEUE_PORTS = {"redis": 6379, "rediss": 6379}
LEAVING = 2  # seconds for open pages to go when the gateway stops; they come back by themselves


def make_gateway(hilo: Installation, settings: Settings, *, lists_chats: bool) -> "HttpServer":
    """All routes, ready to be served."""
    allow_many_connections()
    return HttpServer(gateway_config(make_app(replace(edge_of(hilo, settings), lists_chats=lists_chats))))


class HttpServer(uvicorn.Server):
    """Signals are ours: the workers must stop too."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them as they are."""
        yield

    async def serve_until(self, stopped: asyncio.Event, listening: socket.socket) -> None:
        """Answer whoever comes to this place, until it is time to stop."""
        serving = asyncio.create_task(self.serve(sockets=[listening]))
        stopping = asyncio.create_task(stopped.wait())
        await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        self.should_exit = True
        await serving


def gateway_config(app: FastAPI) -> uvicorn.Config:
    """How uvicorn serves it."""
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    return uvicorn.Config(
        app,
        http=TimedHeaders,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        ws_max_size=MAX_SOCKET_MESSAGE,
        timeout_graceful_shutdown=LEAVING,
    )


def _is_news(record: logging.LogRecord) -> bool:
    """Uvicorn takes a socket that was answered with 404 for a mistake of ours, and anybody can ask for one."""
    return record.getMessage() != "ASGI callable returned without completing handshake."


def edge_of(hilo: Installation, settings: Settings) -> HttpEdge:
    """What the gateway of an installation is given."""
    sight = StoredSight(hilo.store, hilo.agents, hilo.clock, hilo.agents.own)
    places = (hilo.store, hilo.intake, hilo.channels, hilo.clock)
    lists = CampaignLists(hilo.store, hilo.agents, hilo.clock)
    reach, archive = partial(reach_queue, settings.queue_url), StoredArchive(hilo.store)
    setup = StoredChannelSetup(hilo.store, hilo.channels.secrets, hilo.clock)
    return HttpEdge(*places, reach, sight, campaigns=lists, files=hilo.files, archive=archive, setup=setup)


async def reach_queue(queue_url: str) -> None:
    """Raises when nobody answers where the queue should be; one in this process is always there."""
    parts = urlsplit(queue_url)
    if not parts.hostname:
        return
    async with asyncio.timeout(REACH_SECONDS):
        port, secure = parts.port or QUEUE_PORTS.get(parts.scheme, 5432), parts.scheme == "rediss"
        reader, writer = await asyncio.open_connection(parts.hostname, port, ssl=secure or None)
        try:
            if parts.scheme in QUEUE_PORTS:
                # One that hangs takes connections too. That it wants a password first is an answer.
                writer.write(b"PING\r\n")
                if not await reader.readline():
                    raise ConnectionError("it hung up")
        finally:
            writer.close()
