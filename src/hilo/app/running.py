"""Running an installation until somebody stops it."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import structlog
import uvicorn
from fastapi import FastAPI

from hilo.app.installation import WORKSPACE, Installation, Options, installation
from hilo.channels.webchat import WebChat
from hilo.errors import HiloError
from hilo.logs import set_up_logs
from hilo.server.app import make_app
from hilo.server.edge import HttpEdge
from hilo.settings import Settings, read_settings
from hilo.store.workspaces import ChannelRow
from hilo.workers.intake import CAP

log = structlog.get_logger()

MAX_SOCKET_MESSAGE = 4_096  # bytes that a chat page may say at once
BACKLOG = 2048
REACH_SECONDS = 2
QUEUE_PORTS = {"redis": 6379, "rediss": 6379}
LEAVING = 2  # seconds for open pages to go when the gateway stops; they come back by themselves


@dataclass(frozen=True, slots=True)
class Serving:
    """What `hilo serve` was told."""

    agents: Sequence[Path]
    host: str = "127.0.0.1"
    port: int = 8000
    concurrency: int = 200
    burst: timedelta = CAP


# What may run beside the gateway, such as a provider for trials: it is told where the gateway is, and says what it is.
Beside = Callable[[Installation, str], contextlib.AbstractAsyncContextManager[Sequence[str]]]


@contextlib.asynccontextmanager
async def _nothing(_hilo: Installation, _url: str) -> AsyncIterator[Sequence[str]]:
    yield ()


def serve(*agents: Path | str, host: str = "127.0.0.1", port: int = 8000) -> None:
    """What `hilo serve` does: the chat pages, the webhooks, the API and the workers, until a signal."""
    if not agents:
        raise HiloError('serve needs at least one agent, such as serve("agents/leads")')
    set_up_logs()
    serving = Serving([Path(agent) for agent in agents], host, port)
    asyncio.run(serve_until_stopped(serving, say=partial(print, flush=True)))


async def serve_until_stopped(
    serving: Serving, *, beside: Beside = _nothing, say: Callable[[str], None] = log.info
) -> None:
    """The gateway and the workers in one process, until a signal; what runs is finished or given back."""
    options, settings = Options(concurrency=serving.concurrency, burst=serving.burst), read_settings()
    with _listening(serving) as listening:
        async with installation(settings, serving.agents, options=options) as hilo:
            await _open_web_chats(hilo)
            await hilo.channels.check()
            server = _Server(_config(make_app(edge_of(hilo, settings))))
            url = _url(serving.host, listening.getsockname()[1])
            async with beside(hilo, url) as lines:
                with _stopping(lambda: setattr(server, "should_exit", True)):
                    await hilo.runtime.start()
                    for line in (*_places(hilo, url), *lines):
                        say(line)
                    await server.serve(sockets=[listening])
                    await hilo.runtime.stop()


@contextlib.contextmanager
def _listening(serving: Serving) -> Iterator[socket.socket]:
    """Our place, taken before anything else is opened."""
    family = socket.AF_INET6 if ":" in serving.host else socket.AF_INET
    try:
        listening = socket.create_server((serving.host, serving.port), family=family, backlog=BACKLOG)
    except OSError as error:
        number = error.errno or 0  # negative where a name is not known
        reason = os.strerror(number) if number > 0 else error.strerror
        raise HiloError(
            f"nothing can be served at {serving.host} port {serving.port}: {reason}; "
            "stop what is there, or choose another place with --port and --host"
        ) from None
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # an answer in two pieces would wait 40 ms
    with listening:
        yield listening


def _config(app: FastAPI) -> uvicorn.Config:
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    return uvicorn.Config(
        app,
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


def _url(host: str, port: int) -> str:
    """Where a browser on this machine finds us."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{shown}:{port}"


def _places(hilo: Installation, url: str) -> Iterator[str]:
    for name in hilo.agents.loaded:
        yield f"Chat with {name}: {url}/chat/web-{name}"
    for row in hilo.channels.connected():
        absent = "" if row.agent in hilo.agents.loaded else f" (its agent {row.agent} is not served here)"
        yield f"Webhook of {row.id}: {url}/webhooks/{row.kind}/{row.id}{absent}"
    yield f"API: {url}/api/v1, described at {url}/api/openapi.json"


async def work(agents: Sequence[Path], *, concurrency: int) -> None:
    """The workers alone."""
    async with installation(read_settings(), agents, options=Options(concurrency=concurrency)) as hilo:
        await _open_web_chats(hilo)
        await hilo.channels.check()
        stopped = asyncio.Event()
        with _stopping(stopped.set):
            await hilo.runtime.start()
            log.info("working", agents=list(hilo.agents.loaded))
            await stopped.wait()
            await hilo.runtime.stop()


def edge_of(hilo: Installation, settings: Settings) -> HttpEdge:
    """What the gateway of an installation is given."""
    return HttpEdge(hilo.store, hilo.intake, hilo.channels, hilo.clock, lambda: _reach(settings.queue_url))


async def _reach(queue_url: str) -> None:
    """Raises when nobody listens where the queue should be; one in this process is always there."""
    parts = urlsplit(queue_url)
    if parts.hostname:
        async with asyncio.timeout(REACH_SECONDS):
            port = parts.port or QUEUE_PORTS.get(parts.scheme, 5432)
            _, writer = await asyncio.open_connection(parts.hostname, port)
            writer.close()


async def _open_web_chats(hilo: Installation) -> None:
    """Every agent can be talked to on a page of its own."""
    for name, loaded in hilo.agents.loaded.items():
        row = ChannelRow(f"web-{name}", WORKSPACE, "web", name)
        await hilo.add_channel(row, WebChat(language=loaded.agent.language))


class _Server(uvicorn.Server):
    """Signals are ours: the workers must stop too."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.contextmanager
def _stopping(stop: Callable[[], object]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
