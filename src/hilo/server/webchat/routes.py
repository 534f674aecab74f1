"""The addresses of the chat: pages for people, messages for their browsers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Request, WebSocket
from fastapi.responses import JSONResponse, RedirectResponse, Response

from hilo.channels.bodies import read_object, text_at
from hilo.channels.channel import NotReadable
from hilo.channels.webchat import WebChat
from hilo.messages import Address, Inbound
from hilo.server import statics
from hilo.server.bodies import read_body
from hilo.server.edge import HttpEdge
from hilo.server.webchat import pages
from hilo.server.webchat.lines import plain_news, plain_page
from hilo.server.webchat.live import Tab, event_stream, serve_socket
from hilo.server.webchat.visits import VISITOR_HEADER, WITHIN, Pace, read_cursor, visitor_of, web_chat
from hilo.server.webchat.watch import ChatWatches
from hilo.store.chat import END, ChatVisit, Cursor, chat_news, chat_page, message_key, tell_visitor_types
from hilo.store.workspaces import channels

MAX_TEXT = 4_000  # characters
MAX_PAYLOAD = 300
MAX_BODY = 40_000  # bytes; a text of emoji, escaped, fits

_MESSAGE_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")


@dataclass(frozen=True, slots=True)
class ChatContext:
    """What the routes work with."""

    edge: HttpEdge
    pace: Pace = field(default_factory=Pace)
    typing: Pace = field(default_factory=Pace)  # signs that somebody writes take nothing from messages


def chat_routes(edge: HttpEdge) -> APIRouter:
    """Everything that a visitor's browser asks for."""
    router = APIRouter(include_in_schema=False)
    _add_pages(router, edge)
    _add_messages(router, ChatContext(edge))
    _add_live(router, edge)
    return router


# --- pages --------------------------------------------------------------------------------------------


def _add_pages(router: APIRouter, edge: HttpEdge) -> None:
    @router.get("/")
    async def chats(request: Request, lang: str = "") -> Response:
        if not edge.lists_chats:
            return pages.unlisted_page_html(language=_wished(request, lang))
        found = await _open_chats(edge)
        if len(found) == 1:
            return RedirectResponse(f"chat/{quote(found[0][0])}", 307)
        return pages.first_page_html(found, language=_wished(request, lang))

    @router.get("/chat/{channel}")
    async def chat(channel: str, request: Request, lang: str = "") -> Response:
        found = await web_chat(edge, channel)
        if found is None:
            return pages.lost_page_html(language=_wished(request, lang), listed=edge.lists_chats)
        language = _wished(request, lang, found.language)
        return pages.chat_page_html(channel, found, language=language, listed=edge.lists_chats)

    @router.get("/static/{version}/{name:path}")
    async def static(version: str, name: str) -> Response:
        kept = statics.FOR_EVER if version == statics.version() else "no-cache"
        return statics.static_file(name, kept=kept)

    @router.get("/widget.js")
    async def widget() -> Response:
        return statics.static_file("widget.js", kept="public, max-age=300")


def _wished(request: Request, lang: str, spoken: str = "") -> str:
    """What the address says, else what the agent speaks, else what the browser prefers."""
    return pages.language(lang, spoken, request.headers.get("accept-language", ""))


async def _open_chats(edge: HttpEdge) -> list[tuple[str, WebChat]]:
    rows = await edge.store.run(channels)
    found = [(row.id, await web_chat(edge, row.id)) for row in rows if row.kind == "web"]
    return [(channel, chat) for channel, chat in found if chat is not None]


async def _find(edge: HttpEdge, channel: str) -> WebChat:
    found = await web_chat(edge, channel)
    if found is None:
        raise HTTPException(404, "there is no such chat")
    return found


# --- messages -----------------------------------------------------------------------------------------


def _add_messages(router: APIRouter, chats: ChatContext) -> None:
    edge = chats.edge

    @router.get("/chat/{channel}/messages")
    async def messages(channel: str, request: Request) -> JSONResponse:
        await _find(edge, channel)
        visit, now = _visit(channel, request), edge.clock.now()
        if "after" in request.query_params:
            news = await edge.store.run(chat_news, visit, _cursor(request, "after", Cursor()), now=now)
            return _json(plain_news(news))
        page = await edge.store.run(chat_page, visit, _cursor(request, "before", END), now=now)
        return _json(plain_page(page))

    @router.post("/chat/{channel}/messages")
    async def send(channel: str, request: Request) -> JSONResponse:
        chat, visit = await _find(edge, channel), _visit(channel, request)
        words = await _words(request)
        address = request.client.host if request.client else ""
        if not chats.pace.allows(visit, address, now=edge.clock.now()):
            seconds = str(int(WITHIN.total_seconds()))
            raise HTTPException(429, "too many messages; wait a moment", headers={"Retry-After": seconds})
        await edge.intake.messages(channel, [_inbound(edge, visit, words)])
        chat.tell(visit.visitor, "message")
        return _json({"accepted": True}, 202)

    @router.post("/chat/{channel}/typing", status_code=204)
    async def typing(channel: str, request: Request) -> None:
        """The person who has the session sees that the visitor writes."""
        await _find(edge, channel)
        visit, now = _visit(channel, request), edge.clock.now()
        if chats.typing.allows(visit, request.client.host if request.client else "", now=now):
            await edge.store.run(tell_visitor_types, visit, now=now)


def _json(content: Any, status: int = 200) -> JSONResponse:
    return JSONResponse(content, status, headers={"Cache-Control": "no-store"})


def _visit(channel: str, request: Request) -> ChatVisit:
    visitor = visitor_of(request.headers.get(VISITOR_HEADER, ""))
    if visitor is None:
        raise HTTPException(401, "the header X-Visitor must have 22 to 128 characters: letters, digits, - and _")
    return ChatVisit(channel, visitor)


def _cursor(request: Request, name: str, otherwise: Cursor) -> Cursor:
    if name not in request.query_params:
        return otherwise
    cursor = read_cursor(request.query_params[name])
    if cursor is None:
        raise HTTPException(422, f"{name} must be a cursor that an earlier answer gave")
    return cursor


async def _words(request: Request) -> Mapping[str, str]:
    """The message in a body, within its limits."""
    try:
        body = read_object(await read_body(request, at_most=MAX_BODY))
    except NotReadable:
        raise HTTPException(400, "the body must be a JSON object") from None
    words = {name: text_at(body, name) for name in ("id", "text", "payload")}
    if not _MESSAGE_ID.fullmatch(words["id"]):
        raise HTTPException(422, "id must have 8 to 64 characters: letters, digits, - and _")
    if not words["text"].strip():
        raise HTTPException(422, "text must say something")
    if len(words["text"]) > MAX_TEXT or len(words["payload"]) > MAX_PAYLOAD:
        raise HTTPException(413, f"a message may have at most {MAX_TEXT} characters")
    return words


def _inbound(edge: HttpEdge, visit: ChatVisit, words: Mapping[str, str]) -> Inbound:
    return Inbound(
        message_key(visit.visitor, words["id"]),
        Address(visit.channel, visit.visitor),
        words["text"],
        edge.clock.now(),
        payload=words["payload"],
    )


# --- live ---------------------------------------------------------------------------------------------


def _add_live(router: APIRouter, edge: HttpEdge) -> None:
    watches = ChatWatches(edge)

    @router.get("/chat/{channel}/events")
    async def events(channel: str, request: Request) -> Response:
        chat, visit = await _find(edge, channel), _visit(channel, request)
        after = _cursor(request, "after", Cursor())
        if chat.is_full(visit.visitor):
            raise HTTPException(429, "too many open connections", headers={"Retry-After": "5"})
        return event_stream(edge, Tab(visit, chat, after), watches)

    @router.websocket("/chat/{channel}/socket")
    async def socket(channel: str, socket: WebSocket) -> None:
        chat = await web_chat(edge, channel)
        if chat is None:
            await socket.send_denial_response(JSONResponse({"detail": "there is no such chat"}, 404))
            return
        await serve_socket(edge, channel, chat=chat, socket=socket, watches=watches)
