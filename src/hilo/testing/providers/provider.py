"""What the fake providers share: faults on demand, posting webhooks, a server on loopback, the contacts' phones."""

import asyncio
import random
import socket
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Literal, Self

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

ATTEMPTS = 8  # of one webhook; real providers go on for days
FIRST_PAUSE = 0.05  # seconds; doubled after each attempt
AT_ONCE = 16  # webhooks on the wire; the client's pool looks at all that wait whenever one ends
OVERTAKEN = 0.15  # seconds that a webhook may be held back, so that later ones come first

SendFault = Literal["throttled", "failing", "cut_before", "cut_after"]


@dataclass(frozen=True, slots=True)
class Faults:
    """How often, from 0 to 1, what goes wrong at a provider; the same seed rolls the same dice."""

    duplicates: float = 0  # a webhook comes twice
    reorder: float = 0  # a webhook comes after younger ones
    delay: float = 0  # an answer to a send takes `slow` seconds
    throttled: float = 0  # 429
    failing: float = 0  # 503
    cut_before: float = 0  # the connection is cut and the message was not taken
    cut_after: float = 0  # the message was taken and the connection is cut
    lost_reports: float = 0  # a delivery or seen report never comes
    reports_first: float = 0  # the report of a send comes before the answer to it
    slow: float = 0.2
    seed: int = 0


class Dice:
    """Decides which faults happen."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self._random = random.Random(faults.seed)  # noqa: S311 -- repeatable on purpose, no secret

    def happens(self, rate: float) -> bool:
        """Whether something with this rate happens now."""
        return self._random.random() < rate

    def held_back(self) -> float:
        """How many seconds a webhook waits while others overtake it."""
        return self._random.uniform(OVERTAKEN / 3, OVERTAKEN) if self.happens(self.faults.reorder) else 0

    def on_send(self) -> SendFault | None:
        """What goes wrong with a send, if anything."""
        rates: dict[SendFault, float] = {
            "throttled": self.faults.throttled,
            "failing": self.faults.failing,
            "cut_before": self.faults.cut_before,
            "cut_after": self.faults.cut_after,
        }
        return next((fault for fault, rate in rates.items() if self.happens(rate)), None)


class Webhooks:
    """Posts to our webhook as a provider does: again until it is answered with 2xx, with faults on top."""

    def __init__(self, url: str, dice: Dice, *, headers: Callable[[bytes], Mapping[str, str]]) -> None:
        self.url = url
        self.given_up: list[str] = []  # why a webhook was never taken
        self.dice = dice
        self._headers = headers
        self._client = httpx.AsyncClient(timeout=10, trust_env=False)
        self._wire = asyncio.Semaphore(AT_ONCE)
        self._posts: set[asyncio.Task[None]] = set()

    def post(self, body: bytes) -> None:
        """Send a body on its way; `settle` waits for it."""
        copies = 2 if self.dice.happens(self.dice.faults.duplicates) else 1
        for _ in range(copies):
            task = asyncio.create_task(self._deliver(body, after=self.dice.held_back()))
            self._posts.add(task)
            task.add_done_callback(self._posts.discard)

    async def settle(self) -> None:
        """Wait until everything on its way has arrived or was given up."""
        while self._posts:
            await asyncio.gather(*self._posts)

    async def aclose(self) -> None:
        """Stop posting."""
        for task in tuple(self._posts):
            task.cancel()
        await asyncio.gather(*self._posts, return_exceptions=True)
        await self._client.aclose()

    async def _deliver(self, body: bytes, *, after: float) -> None:
        await asyncio.sleep(after)
        problem = ""
        for attempt in range(ATTEMPTS):
            problem = await self._problem(body)
            if not problem:
                return
            await asyncio.sleep(FIRST_PAUSE * 2**attempt)
        self.given_up.append(problem)

    async def _problem(self, body: bytes) -> str:
        try:
            async with self._wire:
                response = await self._client.post(self.url, content=body, headers=dict(self._headers(body)))
        except httpx.HTTPError as error:
            return f"{type(error).__name__}: {error}"
        return "" if response.is_success else f"HTTP {response.status_code}"


@dataclass(frozen=True, slots=True)
class Choice:
    """A button or row that the contact can press."""

    payload: str
    title: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Bubble:
    """One message as the contact's phone shows it; `id` is the one under which it came or went."""

    id: str
    contact: str
    side: Literal["contact", "business"]
    text: str
    choices: tuple[Choice, ...] = ()
    media: str = ""  # what kind of thing hangs on it, and where it lies
    status: Literal["", "sent", "delivered", "read"] = ""


@dataclass(slots=True)
class Chats:
    """The phones of all contacts: everything that was said, in order."""

    bubbles: list[Bubble] = field(default_factory=list)
    typing: set[str] = field(default_factory=set)

    def add(self, bubble: Bubble) -> None:
        """A message appears on a phone."""
        self.typing.discard(bubble.contact)
        self.bubbles.append(bubble)

    def mark(self, message_id: str, status: Literal["sent", "delivered", "read"]) -> None:
        """What became of a message of ours."""
        self.bubbles[:] = [replace(each, status=status) if each.id == message_id else each for each in self.bubbles]

    def of(self, contact: str) -> tuple[Bubble, ...]:
        """What one contact sees."""
        return tuple(each for each in self.bubbles if each.contact == contact)

    def offered(self, contact: str, payload: str) -> tuple[Bubble, Choice]:
        """The latest message to a contact that offers something to press, and what is pressed."""
        for bubble in reversed(self.of(contact)):
            for choice in bubble.choices:
                if choice.payload == payload:
                    return bubble, choice
        raise LookupError(f"no message offers {payload!r}")

    def said_to(self, contact: str) -> tuple[str, ...]:
        """The texts that our side sent to a contact."""
        return tuple(each.text for each in self.of(contact) if each.side == "business")


class FakeProvider(ABC):
    """What every provider has: the phones of its contacts, webhooks, and a server; use it with `async with`."""

    def __init__(self, webhooks: Webhooks, *, port: int) -> None:
        self.url = ""
        self.chats = Chats()
        self._webhooks = webhooks
        self._dice = webhooks.dice
        self._port = port
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        self._stack.push_async_callback(self._webhooks.aclose)
        self.url = await self._stack.enter_async_context(serving(Starlette(routes=self._routes()), self._port))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    @property
    def webhook_url(self) -> str:
        """Where all goes that we are told; it may be set once our own server is up."""
        return self._webhooks.url

    @webhook_url.setter
    def webhook_url(self, url: str) -> None:
        self._webhooks.url = url

    async def settle(self) -> None:
        """Wait until all webhooks on their way have arrived."""
        await self._webhooks.settle()

    async def _reports(self) -> None:
        """Hold an answer back until the report of its send has come, where that is to happen."""
        rate = self._dice.faults.reports_first
        if rate and self._dice.happens(rate):
            await self.settle()

    @abstractmethod
    def _routes(self) -> list[Route]:
        """Its API, and the page with its contacts' phones."""


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
