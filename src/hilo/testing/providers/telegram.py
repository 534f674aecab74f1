"""A server that speaks Telegram's Bot API on loopback: it takes our calls, and contacts write to our webhook."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import httpx
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hilo.channels.bodies import Json, at, id_at, read_object, text_at
from hilo.channels.channel import NotReadable
from hilo.channels.telegram import Telegram, TelegramSettings
from hilo.clock import Clock
from hilo.testing.providers.provider import Bubble, Choice, FakeProvider, Faults, SharedFile, Webhooks, shown_place

BOT_TOKEN, SECRET_TOKEN = "777:un-token-de-prueba", "un-secreto-de-prueba"
BOT = {"id": 777, "is_bot": True, "first_name": "Hilo", "username": "hilo_bot"}
TEXT, CAPTION, CARRIED, TITLE = 4096, 1024, 64, 256
RETRY_AFTER = 1
MAX_FILE = 20 * 1024 * 1024  # bytes that a bot may fetch
_REQUIRED = {
    "sendMessage": ("text",),
    "sendPhoto": ("photo",),
    "sendVideo": ("video",),
    "sendAudio": ("audio",),
    "sendDocument": ("document",),
    "sendSticker": ("sticker",),
    "sendLocation": ("latitude", "longitude"),
    "sendContact": ("phone_number", "first_name"),
}


@dataclass(frozen=True, slots=True)
class AcceptedCall:
    """A call that was accepted, and the id of the message that it became."""

    method: str
    body: Json
    message_id: int


class FakeTelegram(FakeProvider):
    """Telegram for tests and trials; use it with `async with`. A contact is the number of a private chat.

    A bot cannot open a chat: whoever has not written yet, or has blocked it, cannot be written to.
    """

    title = "Telegram de prueba"

    def __init__(self, webhook_url: str, *, port: int = 0, faults: Faults | None = None) -> None:
        super().__init__(Webhooks(webhook_url, faults, headers=_headers, answered=self._answered), port=port)
        self.taken: list[AcceptedCall] = []
        self.spinning: set[str] = set()  # presses that nobody has answered yet

    @property
    def settings(self) -> TelegramSettings:
        """What our channel needs to talk to this server."""
        return TelegramSettings(BOT_TOKEN, SECRET_TOKEN, base_url=self.url)

    @property
    def stored(self) -> dict[str, str]:
        """The same as the store keeps it, for workers of other processes."""
        return {"bot_token": BOT_TOKEN, "secret_token": SECRET_TOKEN, "base_url": self.url}

    def channel(self, clock: Clock) -> Telegram:
        """Our side, connected to this server."""
        return Telegram(self.settings, clock)

    # what a contact does

    async def write(self, contact: str, text: str) -> str:
        """Write a text."""
        return await self._say(contact, text, {"text": text})

    async def press(self, contact: str, payload: str) -> str:
        """Press a button, by what it carries."""
        bubble, _ = self.chats.offered(contact, payload)
        query_id = str(self._next_id())
        self.spinning.add(query_id)
        shown = next(each for each in self.taken if str(each.message_id) == bubble.id)
        message = {**self._frame(contact, shown.message_id), "from": BOT, **_plain(shown.body)}
        query = {"id": query_id, "from": _person(contact), "message": message, "chat_instance": "1", "data": payload}
        return self._update({"callback_query": query})

    async def share_place(self, contact: str, latitude: float, longitude: float) -> str:
        """Share a location."""
        content = {"location": {"latitude": latitude, "longitude": longitude}}
        return await self._say(contact, "", content, media=shown_place(latitude, longitude))

    async def send_file(self, contact: str, file: SharedFile, caption: str = "") -> str:
        """Send a file; a picture comes in several sizes, the largest last."""
        about = {"file_id": self._keep(file), "file_unique_id": "u1", "file_size": len(file.content)}
        sent: dict[str, Any] = {"caption": caption} if caption else {}
        if file.kind == "image":
            sent["photo"] = [{**about, "file_id": "small"}, about]
        else:
            sent[file.kind] = {**about, "file_name": file.name, "mime_type": file.type}
        return await self._say(contact, caption, sent, file.kind)

    async def block(self, contact: str) -> None:
        """Block the bot."""
        self._reachable.discard(contact)

    async def _say(self, contact: str, text: str, content: Json, media: str = "") -> str:
        if not contact.isdigit():
            raise ValueError("a contact of Telegram is the number of a chat")
        frame = self._frame(contact, self._next_id())
        await self._show_written(f"in-{frame['message_id']}", contact, text, media)
        return self._update({"message": {**frame, "from": _person(contact), **content}})

    def _update(self, content: Json) -> str:
        update_id = self._next_id()
        self._webhooks.post(json.dumps({"update_id": update_id, **content}).encode())
        return str(update_id)

    def _frame(self, contact: str, message_id: int) -> dict[str, Any]:
        chat = {"id": int(contact), "first_name": f"Contacto {contact[-4:]}", "type": "private"}
        return {"message_id": message_id, "chat": chat, "date": int(time.time())}

    def _answered(self, response: httpx.Response) -> None:
        """Telegram carries out the call that an answer to its webhook holds, if that is declared as JSON."""
        if not response.headers.get("content-type", "").startswith("application/json"):
            return
        try:
            call = read_object(response.content)
        except NotReadable:
            return
        self._called(text_at(call, "method"), call)

    # what our side calls

    def _api_routes(self) -> list[Route]:
        return [
            self._route("/bot{token}/getFile", self._tell_of_file, "GET"),
            self._route("/bot{token}/{method}", self._method),
            self._route("/file/bot{token}/files/{file}", self._give_out, "GET"),
        ]

    async def _tell_of_file(self, request: Request) -> Response:
        file_id = request.query_params.get("file_id", "")
        file = self.files.get(file_id)
        if file is None or len(file.content) > MAX_FILE:
            return _refusal(400, "Bad Request: file is too big" if file else "Bad Request: wrong file_id")
        about = {"file_id": file_id, "file_unique_id": "u1", "file_size": len(file.content)}
        return JSONResponse({"ok": True, "result": {**about, "file_path": f"files/{file_id}"}})

    def _refuse(self, *, throttled: bool) -> Response:
        if throttled:
            return _refusal(429, f"Too Many Requests: retry after {RETRY_AFTER}", retry_after=RETRY_AFTER)
        return _refusal(502, "Bad Gateway")

    def _unauthorised(self, request: Request) -> Response | None:
        return None if request.path_params["token"] == BOT_TOKEN else _refusal(401, "Unauthorized")

    async def _method(self, request: Request) -> Response:
        try:
            body = read_object(await request.body())
        except NotReadable:
            return _refusal(400, "Bad Request: can't parse the body")
        method = request.path_params["method"]
        if method in _REQUIRED:
            return await self._answer_send(partial(self._take, method, body))
        problem = self._called(method, body)
        return _refusal(400, problem) if problem else JSONResponse({"ok": True, "result": True})

    def _called(self, method: str, body: Json) -> str:
        """What is wrong with a call that sends nothing; empty when it was carried out."""
        match method:
            case "sendChatAction" if id_at(body, "chat_id") in self._reachable and body.get("action") == "typing":
                self.chats.typing.add(id_at(body, "chat_id"))
                return ""
            case "answerCallbackQuery" if id_at(body, "callback_query_id") in self.spinning:
                self.spinning.remove(id_at(body, "callback_query_id"))
                return ""
        return f"Bad Request: {method} cannot be carried out"

    def _take(self, method: str, body: Json) -> Response:
        if problem := problem_of(method, body):
            return _refusal(400, f"Bad Request: {problem}")
        contact = id_at(body, "chat_id")
        if contact not in self._reachable:
            return _refusal(403, "Forbidden: bot was blocked by the user")
        message_id = self._next_id()
        self.taken.append(AcceptedCall(method, body, message_id))
        choices = tuple(Choice(text_at(key, "callback_data"), text_at(key, "text")) for key in _keys(body))
        words, media = text_at(body, "text") or text_at(body, "caption"), _media(method, body)
        self.chats.add(Bubble(str(message_id), contact, "business", words, choices, media, "delivered"))
        result = {**self._frame(contact, message_id), "from": BOT, **_plain(body)}
        return JSONResponse({"ok": True, "result": result})


def _headers(_: bytes) -> Mapping[str, str]:
    return {"content-type": "application/json", "x-telegram-bot-api-secret-token": SECRET_TOKEN}


def problem_of(method: str, body: Json) -> str:
    """What Telegram would refuse in a call; empty when it is right."""
    if missing := [name for name in ("chat_id", *_REQUIRED[method]) if body.get(name) in (None, "")]:
        return f"{missing[0]} is empty"
    if len(text_at(body, "text")) > TEXT:
        return "message is too long"
    if len(text_at(body, "caption")) > CAPTION:
        return "message caption is too long"
    keys = _keys(body)
    if any(not text_at(key, "text") or len(text_at(key, "text")) > TITLE for key in keys):
        return "text buttons are unallowed"
    if any(not 0 < len(text_at(key, "callback_data").encode()) <= CARRIED for key in keys):
        return "BUTTON_DATA_INVALID"
    return ""


def _refusal(code: int, description: str, *, retry_after: int = 0) -> Response:
    waiting = {"parameters": {"retry_after": retry_after}} if retry_after else {}
    return JSONResponse({"ok": False, "error_code": code, "description": description, **waiting}, code)


def _keys(body: Json) -> list[Any]:
    rows = at(body, "reply_markup", "inline_keyboard")
    return [key for row in rows for key in row] if isinstance(rows, list) else []


def _plain(body: Json) -> Json:
    """What a message repeats of the call that sent it."""
    return {name: body[name] for name in ("text", "caption", "reply_markup") if name in body}


def _media(method: str, body: Json) -> str:
    if method == "sendLocation":
        return f"📍 {body['latitude']}, {body['longitude']}"
    return "" if method == "sendMessage" else text_at(body, _REQUIRED[method][0])


def _person(contact: str) -> Json:
    name = {"first_name": "Contacto", "last_name": contact[-4:]}
    return {"id": int(contact), "is_bot": False, **name, "language_code": "es"}
