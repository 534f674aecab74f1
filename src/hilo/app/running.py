"""Running an installation until somebody stops it."""

import asyncio
import contextlib
import gc
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from hilo.agent.declaration import Agent
from hilo.app.installation import WORKSPACE, Installation, Options, installation
from hilo.channels.webchat import WebChat
from hilo.errors import HiloError
from hilo.logs import set_up_logs
from hilo.settings import Settings, read_settings
from hilo.store.passwords import hash_password, new_password
from hilo.store.people import NewPerson, add_first_owner
from hilo.store.workspaces import ChannelRow
from hilo.workers.intake import CAP

if TYPE_CHECKING:
    from hilo.app.gateway import HttpServer

log = structlog.get_logger()

BACKLOG = 2048
FIRST_LOGIN = "admin"
CATCHING_UP = 1.0  # seconds that webhooks may wait longer after a restart


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
    stopped = asyncio.Event()
    with _listening(serving) as listening:
        url = _url(serving.host, listening.getsockname()[1])
        async with _opened(settings, serving.agents, options) as hilo, beside(hilo, url) as lines:
            with _stopping(stopped.set):
                if serving.works:
                    await hilo.runtime.start()
                    # Whoever wrote before a restart is answered first; who comes meanwhile waits at our place.
                    await hilo.runtime.caught_up(within=CATCHING_UP)
                gateway = await asyncio.to_thread(_make_gateway, hilo, settings, lists_chats=serving.lists_chats)
                login = await _first_login(hilo) if serving.panel_login else ()
                for line in (*_places(hilo, url, listed=serving.lists_chats), *login, *lines):
                    say(line)
                await gateway.serve_until(stopped, listening)
                await hilo.runtime.stop()


def _make_gateway(hilo: Installation, settings: Settings, *, lists_chats: bool) -> "HttpServer":
    from hilo.app.gateway import make_gateway  # noqa: PLC0415 -- a third of a start, and no turn needs it

    return make_gateway(hilo, settings, lists_chats=lists_chats)


@contextlib.asynccontextmanager
async def _opened(settings: Settings, agents: Sequence[Path], options: Options) -> AsyncIterator[Installation]:
    """An installation with its channels; what it is made of stays, so garbage is not looked for among it."""
    gc.disable()
    try:
        async with installation(settings, agents, options=options) as hilo:
            await open_web_chats(hilo)
            await hilo.channels.check()
            gc.freeze()
            gc.enable()
            yield hilo
    finally:
        gc.enable()


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


def _url(host: str, port: int) -> str:
    """Where a browser on this machine finds us."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{shown}:{port}"


def _places(hilo: Installation, url: str, *, listed: bool = False) -> Iterator[str]:
    if listed:
        yield f"Begin here: {url}/"
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
    async with _opened(read_settings(), agents, Options(concurrency=concurrency)) as hilo:
        stopped = asyncio.Event()
        with _stopping(stopped.set):
            await hilo.runtime.start()
            log.info("working", agents=list(hilo.agents.loaded))
            await stopped.wait()
            await hilo.runtime.stop()


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
