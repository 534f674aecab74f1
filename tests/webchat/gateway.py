"""The HTTP edge with one chat page, on a real port and a real database; nobody answers but the test."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import uvicorn

from hilo.channels.channel import Channel
from hilo.channels.webchat import WebChat
from hilo.clock import SystemClock
from hilo.messages import Address, Button, Outbound
from hilo.queue.embedded import EmbeddedQueue
from hilo.server.app import make_app
from hilo.server.edge import HttpEdge
from hilo.server.webchat.visits import visitor_of
from hilo.store.outbox import Author, OutboxEntry, Sending, Went, add_messages, begin, end
from hilo.store.store import Store
from hilo.store.workspaces import ChannelRow, add_channel, add_workspace
from hilo.tools.database import Script, one
from hilo.workers.intake import Intake
from patience import PATIENCE
from servers import free_port

PAGE = "web-shop"
ANA = "ana-" + "a" * 20
LUIS = "luis-" + "b" * 20


@dataclass
class Pages:
    """Channels that a test made."""

    made: dict[str, WebChat] = field(default_factory=dict)

    async def find(self, channel: str) -> Channel | None:
        return self.made.get(channel)

    async def is_kind(self, channel: str, kind: str) -> bool:
        return kind == "web" and channel in self.made


@dataclass
class Gateway:
    """What a browser talks to."""

    url: str
    store: Store
    pages: Pages
    http: httpx.AsyncClient
    said: int = 0

    @property
    def chat(self) -> WebChat:
        return self.pages.made[PAGE]

    @property
    def socket_url(self) -> str:
        return f"{self.url.replace('http', 'ws', 1)}/chat/{PAGE}/socket"

    async def open_page(self, channel: str, chat: WebChat) -> None:
        now = SystemClock().now()
        await self.store.run(add_workspace, "w", name="w", now=now)
        await self.store.run(add_channel, ChannelRow(channel, "w", "web", "shop"), now=now)
        self.pages.made[channel] = chat

    async def get(self, what: str, token: str = ANA, *, channel: str = PAGE) -> httpx.Response:
        return await self.http.get(f"/chat/{channel}/{what}", headers={"X-Visitor": token})

    async def write(
        self, text: str, message_id: str, token: str = ANA, *, channel: str = PAGE, payload: str = ""
    ) -> int:
        """The status of the answer."""
        body = {"id": message_id, "text": text, "payload": payload}
        answer = await self.http.post(f"/chat/{channel}/messages", json=body, headers={"X-Visitor": token})
        return answer.status_code

    async def answer(self, *texts: str, token: str = ANA, buttons: tuple[Button, ...] = (), rings: bool = True) -> None:
        """Send words to a visitor who wrote before; another process would ring no bell here."""
        visitor = visitor_of(token)
        assert visitor is not None
        address = await self.store.run(_address, visitor)
        for text in texts:
            self.said += 1
            drafted = OutboxEntry(f"m{self.said}", "w", PAGE, address, None, None, "agent", Outbound(text, buttons))
            await self.put(drafted)
            await self.deliver(address)
        if rings:
            await self.chat.send(Address(PAGE, visitor), Outbound(""), message_id="")

    async def put(self, draft: OutboxEntry) -> None:
        await self.store.run(add_messages, [draft], now=SystemClock().now())

    async def deliver(self, address: str) -> None:
        sending = await self.store.run(begin, address, owner="test", now=SystemClock().now())
        assert isinstance(sending, Sending)
        await self.store.run(end, sending, Went("sent"), now=SystemClock().now())

    async def hold(self, text: str, *, token: str = ANA, author: Author = "agent") -> None:
        """A message that is not sent yet."""
        visitor = visitor_of(token)
        assert visitor is not None
        address = await self.store.run(_address, visitor)
        self.said += 1
        await self.put(OutboxEntry(f"m{self.said}", "w", PAGE, address, None, None, author, Outbound(text)))


def _address(visitor: str) -> Script[str]:
    row = yield from one("find_address", channel=PAGE, value=visitor, heard_at=0)
    assert row is not None, "this visitor has not written yet"
    return str(row["id"])


def texts(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [message["text"] for message in answer.json()["messages"]]


@asynccontextmanager
async def gateway(store: Store, *, lists_chats: bool = False) -> AsyncIterator[Gateway]:
    pages, clock = Pages(), SystemClock()
    intake = Intake(store, EmbeddedQueue(clock, on_error=_fail), clock)
    app, port = make_app(HttpEdge(store, intake, pages, clock, lists_chats=lists_chats)), free_port()
    server = _Server(uvicorn.Config(app, port=port, log_config=None, timeout_graceful_shutdown=1))
    serving = asyncio.create_task(server.serve())
    url = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE) as http:
        await until(lambda: server.started)
        opened = Gateway(url, store, pages, http)
        await opened.open_page(PAGE, WebChat())
        yield opened
    server.should_exit = True
    await serving


async def until(true: Callable[[], object]) -> None:
    """Wait for something that happens elsewhere."""
    for _ in range(500):
        if true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen")


def _fail(address: str, error: Exception) -> None:
    raise AssertionError(f"{address}: {error}")


class _Server(uvicorn.Server):
    """Signals are pytest's."""

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        yield
