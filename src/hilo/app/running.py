"""Running an installation until somebody stops it."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import structlog
import uvicorn
from fastapi import FastAPI

from hilo.agent.declaration import Agent
from hilo.app.archive import StoredArchive
from hilo.app.installation import WORKSPACE, Installation, Options, installation
from hilo.channels.webchat import WebChat
from hilo.errors import HiloError
from hilo.logs import set_up_logs
from hilo.server.app import make_app
from hilo.server.edge import HttpEdge
from hilo.server.headers import TimedHeaders, allow_many_connections
from hilo.settings import Settings, read_settings
from hilo.store.passwords import hash_password, new_password
from hilo.store.people import NewPerson, add_first_owner
from hilo.store.workspaces import ChannelRow
from hilo.workers.campaigns import CampaignLists
from hilo.workers.intake import CAP
from hilo.workers.looking import StoredSight

log = structlog.get_logger()

MAX_SOCKET_MESSAGE = 4_096  # bytes that a chat page may say at once
BACKLOG = 2048
REACH_SECONDS = 2
FIRST_LOGIN = "admin"
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
    works: bool = True  # without workers it is a gateway only
    panel_login: bool = False  # make a first owner of the panel, if nobody has an account
    lists_chats: bool = False  # at `/`, for whoever comes
    follows_edits: bool = False  # open sessions go on with the newest version


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
    serving: Serving,
    *,
    settings: Settings | None = None,
    beside: Beside = _nothing,
    say: Callable[[str], None] = log.info,
) -> None:
    """The gateway and the workers in one process, until a signal; what runs is finished or given back."""
    options = Options(
        concurrency=serving.concurrency,
        burst=serving.burst,
        works=serving.works,
        follows_edits=serving.follows_edits,
    )
    settings = settings or read_settings()
    allow_many_connections()
    with _listening(serving) as listening:
        async with installation(settings, serving.agents, options=options) as hilo:
            await open_web_chats(hilo)
            await hilo.channels.check()
            server = _Server(_config(make_app(replace(edge_of(hilo, settings), lists_chats=serving.lists_chats))))
            url = _url(serving.host, listening.getsockname()[1])
            async with beside(hilo, url) as lines:
                with _stopping(lambda: setattr(server, "should_exit", True)):
                    if serving.works:
                        await hilo.runtime.start()
                    login = await _first_login(hilo) if serving.panel_login else ()
                    for line in (*_places(hilo, url), *login, *lines):
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
    yield f"Panel: {url}/panel"
    yield f"API: {url}/api/v1, described at {url}/api/openapi.json"


async def _first_login(hilo: Installation) -> Sequence[str]:
    """A first owner with a password that is told once; nothing where somebody has an account."""
    password = new_password()
    owner = NewPerson(FIRST_LOGIN, FIRST_LOGIN, "owner", await asyncio.to_thread(hash_password, password))
    if not await hilo.store.run(add_first_owner, WORKSPACE, owner, now=hilo.clock.now()):
        return ("Log in to the panel with an account of yours; `hilo user password LOGIN` makes a new password.",)
    return (f"Log in to the panel as {FIRST_LOGIN} with the password {password} (told only now).",)


async def work(agents: Sequence[Path], *, concurrency: int) -> None:
    """The workers alone."""
    async with installation(read_settings(), agents, options=Options(concurrency=concurrency)) as hilo:
        await open_web_chats(hilo)
        await hilo.channels.check()
        stopped = asyncio.Event()
        with _stopping(stopped.set):
            await hilo.runtime.start()
            log.info("working", agents=list(hilo.agents.loaded))
            await stopped.wait()
            await hilo.runtime.stop()


def edge_of(hilo: Installation, settings: Settings) -> HttpEdge:
    """What the gateway of an installation is given."""
    sight = StoredSight(hilo.store, hilo.agents, hilo.clock, hilo.agents.own)
    places = (hilo.store, hilo.intake, hilo.channels, hilo.clock)
    lists = CampaignLists(hilo.store, hilo.agents, hilo.clock)
    reach, archive = partial(_reach, settings.queue_url), StoredArchive(hilo.store)
    return HttpEdge(*places, reach, sight, campaigns=lists, files=hilo.files, archive=archive)


async def _reach(queue_url: str) -> None:
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


async def open_web_chats(hilo: Installation) -> None:
    """Every agent can be talked to on a page of its own."""
    for name, loaded in hilo.agents.loaded.items():
        row = ChannelRow(f"web-{name}", WORKSPACE, "web", name)
        await hilo.add_channel(row, web_chat(loaded.agent))


def web_chat(agent: Agent) -> WebChat:
    """The page of an agent: it opens with the first greeting, unless that needs a value that nobody has given."""
    template = agent.templates.get("greeting")
    greeting = template.text if template else ""
    if "{" in greeting:
        greeting = ""
    return WebChat("", agent.language, agent.description, greeting, agent.starters)


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
