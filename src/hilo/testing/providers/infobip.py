"""A server that speaks Infobip's WhatsApp API on loopback: it takes our sends, and contacts write to our webhook."""

import base64
import hashlib
import hmac
import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hilo.channels.infobip import BasicAuth, Infobip, InfobipSettings, SecretHeader, SignedBody
from hilo.channels.infobip.settings import WebhookAuth
from hilo.clock import Clock
from hilo.testing.providers.infobip_rules import event_problems, newer_refusal, problems_of, refusal
from hilo.testing.providers.provider import (
    Bubble,
    Choice,
    FakeProvider,
    Faults,
    SharedFile,
    Webhooks,
    number_of,
    shown_place,
)

API_KEY = "una-clave-de-prueba"
SENDER = "441134960000"
AUTH = BasicAuth("infobip", "un-secreto-de-prueba")


def _status(group_id: int, group: str, id_: int, name: str, description: str) -> Mapping[str, Any]:
    return {"groupId": group_id, "groupName": group, "id": id_, "name": name, "description": description}


PENDING = _status(1, "PENDING", 7, "PENDING_ENROUTE", "On its way")
DELIVERED = _status(3, "DELIVERED", 5, "DELIVERED_TO_HANDSET", "Arrived")
REJECTED = _status(5, "REJECTED", 6, "REJECTED_NETWORK", "Refused")
NO_SENDER = _status(5, "REJECTED", 11, "REJECTED_SOURCE", "Unknown sender")
NO_ERROR = {**_status(0, "OK", 0, "NO_ERROR", "No error"), "permanent": False}
WINDOW = "The contact has not written for 24 hours"
OUT_OF_WINDOW = {**_status(1, "HANDSET_ERRORS", 7010, "EC_WINDOW_CLOSED", WINDOW), "permanent": True}


@dataclass(frozen=True, slots=True)
class AcceptedSend:
    """A send that was accepted: its kind is the end of its path, such as `text` or `interactive/list`."""

    kind: str
    message_id: str
    to: str
    body: Mapping[str, Any]


class FakeInfobip(FakeProvider):
    """Infobip for tests and trials; use it with `async with`.

    A contact who has not written yet, or after `close_window`, gets templates only. Real Infobip tells of a closed
    window in its answer or only in the report that follows: `window_told` chooses.
    """

    title = "WhatsApp de prueba (Infobip)"

    def __init__(
        self,
        webhook_url: str,
        *,
        port: int = 0,
        faults: Faults | None = None,
        auth: WebhookAuth | None = AUTH,
        window_told: Literal["answer", "report"] = "answer",
    ) -> None:
        super().__init__(Webhooks(webhook_url, faults, headers=_headers(auth)), port=port)
        self.taken: list[AcceptedSend] = []
        self.events: list[Mapping[str, Any]] = []
        self._auth = auth
        self._window_told = window_told

    @property
    def settings(self) -> InfobipSettings:
        """What our channel needs to talk to this server."""
        return InfobipSettings(self.url, API_KEY, SENDER, auth=self._auth, open_webhook=self._auth is None)

    @property
    def stored(self) -> dict[str, str]:
        """The same as the store keeps it, for workers of other processes."""
        auth = {"webhook_auth": "basic", "webhook_name": AUTH.user, "webhook_secret": AUTH.password}
        return {"base_url": self.url, "api_key": API_KEY, "sender": SENDER, **auth}

    def channel(self, clock: Clock) -> Infobip:  # noqa: ARG002 -- its messages come with their time
        """Our side, connected to this server."""
        return Infobip(self.settings)

    def took(self, message_id: str) -> tuple[AcceptedSend, ...]:
        """What was accepted under an id; more than one when our side sent it again."""
        return tuple(each for each in self.taken if each.message_id == message_id)

    def close_window(self, contact: str) -> None:
        """Twenty-four hours pass without a word from the contact."""
        self._reachable.discard(number_of(contact))

    # what a contact does

    async def write(self, contact: str, text: str) -> str:
        """Write a text, from a phone (+549…) or as a contact known by a business-scoped id only."""
        return await self._say(contact, text, {"text": text, "type": "TEXT"})

    async def press(self, contact: str, payload: str) -> str:
        """Press a button or choose a row of the latest message that offers it."""
        bubble, choice = self.chats.offered(number_of(contact), payload)
        kind = "LIST" if self.took(bubble.id)[-1].kind == "interactive/list" else "BUTTON"
        about = {"description": choice.description} if choice.description else {}
        content = {"id": payload, "title": choice.title, **about, "type": f"INTERACTIVE_{kind}_REPLY"}
        return await self._say(contact, choice.title, {**content, "context": {"from": SENDER, "id": _wamid(bubble.id)}})

    async def attach(
        self, contact: str, kind: Literal["image", "document", "voice", "video"], caption: str = ""
    ) -> str:
        """Send something of which nobody can fetch the bytes."""
        return await self._send_media(contact, kind, uuid.uuid4().hex, caption)

    async def send_file(self, contact: str, file: SharedFile, caption: str = "") -> str:
        """Send a file; the name of a document stands where its caption would."""
        return await self._send_media(contact, file.kind, self._keep(file), caption or file.name)

    async def _send_media(self, contact: str, kind: str, file_id: str, caption: str) -> str:
        url = f"{self.url}/whatsapp/1/senders/{SENDER}/media/{file_id}"
        content = {"url": url, **({"caption": caption} if caption else {}), "type": kind.upper()}
        return await self._say(contact, caption, content, media=kind)

    async def share_place(self, contact: str, latitude: float, longitude: float) -> str:
        """Share a location."""
        content = {"latitude": latitude, "longitude": longitude, "type": "LOCATION"}
        return await self._say(contact, "", content, media=shown_place(latitude, longitude))

    def _report_read(self, bubble: Bubble) -> None:
        now, person = _now(), _person(bubble.contact)
        parties = {"from": bubble.contact, "to": SENDER, "sentAt": now, "seenAt": now, "contact": person}
        self._report(_bytes({"results": [{"messageId": bubble.id, **parties}]}))

    async def _say(self, contact: str, text: str, content: dict[str, Any], media: str = "") -> str:
        sender, message_id = number_of(contact), f"wamid.{uuid.uuid4().hex}"
        await self._show_written(message_id, sender, text, media)
        result = {
            "from": sender,
            "to": SENDER,
            "integrationType": "WHATSAPP",
            "receivedAt": _now(),
            "messageId": message_id,
            "pairedMessageId": None,
            "callbackData": None,
            "message": content,
            "contact": _person(sender),
            "price": {"pricePerMessage": 0.0, "currency": "EUR"},
        }
        self._webhooks.post(_bytes({"results": [result], "messageCount": 1, "pendingMessageCount": 0}))
        return message_id

    # what our side sends

    def _api_routes(self) -> list[Route]:
        return [
            self._route("/whatsapp/1/message/{kind:path}", self._message),
            self._route("/whatsapp/1/events", self._event),
            self._route("/whatsapp/1/senders/" + SENDER + "/media/{file}", self._give_out, "GET"),
        ]

    def _refuse(self, *, throttled: bool) -> Response:
        if throttled:
            answer = newer_refusal("E429", "Too many requests sent.")
            return JSONResponse(answer, status_code=429, headers={"retry-after": "1"})
        return JSONResponse(refusal("GENERAL_ERROR", "Something went wrong"), status_code=503)

    def _unauthorised(self, request: Request) -> Response | None:
        if request.headers.get("authorization") == f"App {API_KEY}":
            return None
        return JSONResponse(refusal("UNAUTHORIZED", "Invalid login details"), status_code=401)

    async def _message(self, request: Request) -> Response:
        kind, posted = request.path_params["kind"], await _json(request)
        body = _first(posted) if kind == "template" else posted
        if problems := problems_of(kind, body):
            return JSONResponse(refusal("BAD_REQUEST", "Bad request", fields=problems), status_code=400)
        return await self._answer_send(partial(self._take, kind, body))

    async def _event(self, request: Request) -> Response:
        body = await _json(request)
        if violations := tuple(event_problems(body)):
            answer = newer_refusal("E400", "Request cannot be processed.", *violations)
            return JSONResponse(answer, status_code=400)
        self.events.append(body)
        self.chats.typing.update(to["to"] for event in body["events"] for to in event["destinations"])
        return JSONResponse({"events": [{"status": PENDING}]})

    def _take(self, kind: str, body: dict[str, Any]) -> Response:
        taken = self._taken(kind, body)
        return JSONResponse({"messages": [taken], "bulkId": uuid.uuid4().hex} if kind == "template" else taken)

    def _taken(self, kind: str, body: dict[str, Any]) -> dict[str, Any]:
        to, message_id = body["to"], body.get("messageId") or str(uuid.uuid4())
        outside = kind != "template" and to not in self._reachable
        answer = {"to": to, "messageCount": 1, "messageId": message_id, "status": PENDING}
        if body["from"] != SENDER:
            return {**answer, "status": NO_SENDER}
        if outside and self._window_told == "answer":
            return {**answer, "status": REJECTED, "error": OUT_OF_WINDOW}
        self.taken.append(AcceptedSend(kind, message_id, to, body))
        if not outside:
            self.chats.add(_shown(kind, body, message_id))
        self._report(_bytes({"results": [_delivery(body, message_id, arrived=not outside)]}))
        return answer


def _delivery(body: Mapping[str, Any], message_id: str, *, arrived: bool) -> dict[str, Any]:
    now = _now()
    return {
        "bulkId": "",
        "price": {"pricePerMessage": 0.0, "currency": "EUR"},
        "status": DELIVERED if arrived else REJECTED,
        "error": NO_ERROR if arrived else OUT_OF_WINDOW,
        "messageId": message_id,
        "doneAt": now,
        "messageCount": 1,
        "sentAt": now,
        "to": body["to"],
        "callbackData": body.get("callbackData"),
        "contact": _person(body["to"]),
    }


def _shown(kind: str, body: Mapping[str, Any], message_id: str) -> Bubble:
    """A send as the contact's phone shows it."""
    content = body["content"]
    action = content.get("action", {})
    rows = [row for section in action.get("sections", ()) for row in section["rows"]]
    choices = [*action.get("buttons", ()), *rows]
    text = content.get("text") or content.get("body", {}).get("text") or content.get("caption") or ""
    if kind == "template":
        values = ", ".join(content.get("templateData", {}).get("body", {}).get("placeholders", ()))
        text = f"[{content['templateName']}] {values}".rstrip()
    place = f"📍 {content['latitude']}, {content['longitude']}" if kind == "location" else ""
    return Bubble(
        message_id,
        body["to"],
        "business",
        text,
        choices=tuple(Choice(each["id"], each["title"], each.get("description", "")) for each in choices),
        media=content.get("mediaUrl") or place,
        status="delivered",
    )


def _headers(auth: WebhookAuth | None) -> Callable[[bytes], Mapping[str, str]]:
    """What Infobip puts into the headers of a webhook, by what was agreed on."""

    def headers(body: bytes) -> Mapping[str, str]:
        plain = {"content-type": "application/json"}
        match auth:
            case None:
                return plain
            case BasicAuth(user=user, password=password):
                token = base64.b64encode(f"{user}:{password}".encode()).decode()
                return {**plain, "authorization": f"Basic {token}"}
            case SecretHeader(name=name, value=value):
                return {**plain, name: value}
            case SignedBody(header=header, secret=secret, algorithm=algorithm):
                return {**plain, header: hmac.new(secret.encode(), body, getattr(hashlib, algorithm)).hexdigest()}

    return headers


async def _json(request: Request) -> Any:
    try:
        return await request.json()
    except ValueError:
        return None


def _first(posted: Any) -> Any:
    messages = posted.get("messages") if isinstance(posted, dict) else None
    return messages[0] if isinstance(messages, list) and messages else None


def _person(contact: str) -> dict[str, Any]:
    """A contact as Infobip describes it; one who shows no phone has a business-scoped id only."""
    phone = contact if contact.isdigit() else None
    user_id = f"AR.{contact}" if phone else contact
    name = f"Contacto {contact[-4:]}"
    return {"name": name, "phoneNumber": phone, "userId": user_id, "parentUserId": None, "username": None}


def _wamid(message_id: str) -> str:
    """WhatsApp's own id of a message that went out under ours."""
    return f"wamid.{hashlib.sha256(message_id.encode()).hexdigest()[:32]}"


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "+0000"


def _bytes(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode(errors="surrogatepass")
