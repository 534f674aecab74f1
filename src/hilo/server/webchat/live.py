"""News as they come, by WebSocket or as server-sent events: one loop, two ways to push."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect

from hilo.channels.bodies import read_object, text_at
from hilo.channels.channel import NotReadable
from hilo.channels.webchat import WebChat
from hilo.server.edge import HttpEdge
from hilo.server.streams import CLOSING, SLOW, EventStream, Write, first_to_end
from hilo.server.webchat.lines import plain_news
from hilo.server.webchat.visits import read_cursor, visitor_of
from hilo.server.webchat.watch import ChatWatches
from hilo.store.chat import ChatUpdates, ChatVisit, Cursor, chat_news
from hilo.store.store import StoreUnavailable

LOOK_SELDOM = 60.0  # seconds; whatever is new rings a bell, here or by the watch
DRAFTS_ALONE = 1.0  # seconds for which what is being written is shown without looking for more
PING = 20.0  # seconds of silence; the page gives a connection up that is silent for longer
HELLO = 10.0  # seconds to say who it is
MAX_HELLO = 1_000  # characters

# Why a socket is closed; from 4000 on they are ours.
MALFORMED, LATE, TOO_LARGE, FULL = 4400, 4408, 1009, 1013

Push = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Tab:
    """An open page of a visitor, and what it has seen already."""

    visit: ChatVisit
    chat: WebChat
    after: Cursor


async def follow(edge: HttpEdge, tab: Tab, push: Push, watches: ChatWatches) -> None:
    """Push what is new until somebody breaks it off; the first push comes at once and says that it works."""
    with watches.watching(tab.visit.channel, tab.chat), tab.chat.listening(tab.visit.visitor) as listener:
        news = await _read(edge, tab.visit, tab.after)
        await push(plain_news(news))
        pushed = looked = edge.clock.now()
        while True:
            signals = await listener.wait(0 if news.more else PING)
            now = edge.clock.now()
            if "typing" in signals:
                await push({"typing": True})
            if signals == {"draft"} and now - looked < timedelta(seconds=DRAFTS_ALONE):
                await push({"draft": listener.draft})
                continue
            if not signals and not news.more and now - looked < timedelta(seconds=LOOK_SELDOM):
                await push(plain_news(ChatUpdates((), news.last, more=False)))
                pushed = now
                continue
            seen = frozenset(news.lines)
            news = await _read(edge, tab.visit, news.last)
            fresh = tuple(line for line in news.lines if line not in seen)
            now = looked = edge.clock.now()
            if fresh or now - pushed > timedelta(seconds=PING):
                await push(plain_news(ChatUpdates(fresh, news.last, news.more)))
                pushed = now
            if "draft" in signals:  # after the message that takes its place
                await push({"draft": listener.draft})


async def _read(edge: HttpEdge, visit: ChatVisit, after: Cursor) -> ChatUpdates:
    return await edge.store.run(chat_news, visit, after, now=edge.clock.now())


def event_stream(edge: HttpEdge, tab: Tab, watches: ChatWatches) -> EventStream:
    """Server-sent events for a page that has no WebSocket."""

    async def feed(write: Write) -> None:
        await follow(edge, tab, lambda message: write(f"data: {json.dumps(message)}\n\n"), watches)

    return EventStream(feed)


# --- WebSocket ----------------------------------------------------------------------------------------


class SocketRefused(Exception):  # noqa: N818 -- it names what happened
    """A socket that did not say what it should."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


async def serve_socket(edge: HttpEdge, channel: str, *, chat: WebChat, socket: WebSocket, watches: ChatWatches) -> None:
    """The page says who it is in its first message, and is told what is new from then on."""
    await socket.accept()
    try:
        async with asyncio.timeout(HELLO):
            tab = await _hello(socket, channel, chat)
        await first_to_end(follow(edge, tab, _pusher(socket), watches), _until_silent(socket))
    except SocketRefused as refusal:
        await _close(socket, refusal.code, refusal.reason)
    except TimeoutError:
        await _close(socket, LATE, "too slow")
    except StoreUnavailable:
        await _close(socket, FULL, "try again later")
    except (WebSocketDisconnect, OSError):
        return


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    with contextlib.suppress(RuntimeError, OSError, TimeoutError):  # it may have gone first, or take nothing more
        async with asyncio.timeout(CLOSING):
            await socket.close(code, reason)


async def _hello(socket: WebSocket, channel: str, chat: WebChat) -> Tab:
    words = await _hear(socket)
    visitor = visitor_of(text_at(words, "visitor"))
    after = read_cursor(text_at(words, "after"))
    if visitor is None or after is None:
        raise SocketRefused(MALFORMED, "the first message must say visitor and after")
    if chat.is_full(visitor):
        raise SocketRefused(FULL, "too many open connections")
    return Tab(ChatVisit(channel, visitor), chat, after)


async def _hear(socket: WebSocket) -> Any:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text = message.get("text") or ""
    if len(text) > MAX_HELLO or len(message.get("bytes") or b"") > MAX_HELLO:
        raise SocketRefused(TOO_LARGE, "the message is too large")
    try:
        return read_object(text.encode())
    except (NotReadable, UnicodeEncodeError):
        raise SocketRefused(MALFORMED, "the message is not a JSON object") from None


async def _until_silent(socket: WebSocket) -> None:
    """After its first message a page only listens; this ends when it leaves."""
    await _hear(socket)
    raise SocketRefused(MALFORMED, "nothing more was expected")


def _pusher(socket: WebSocket) -> Push:
    async def push(message: dict[str, Any]) -> None:
        async with asyncio.timeout(SLOW):
            await socket.send_text(json.dumps(message))

    return push
