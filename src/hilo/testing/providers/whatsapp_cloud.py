"""A server that speaks Meta's Cloud API on loopback: it takes our sends, and contacts write to our webhook, signed."""

import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hilo.channels.bodies import Json, object_at, objects_at, read_object, text_at
from hilo.channels.channel import NotReadable
from hilo.channels.whatsapp_cloud import WhatsAppCloud, WhatsAppCloudSettings
from hilo.clock import Clock
from hilo.testing.providers import whatsapp_cloud_rules as rules
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

PHONE_NUMBER_ID, SHOWN_NUMBER, ACCOUNT_ID = "106540352242922", "441134960000", "102290129340398"
ACCESS_TOKEN, APP_SECRET, VERIFY_TOKEN = "un-token-de-prueba", "un-secreto-de-prueba", "una-palabra-de-prueba"
OUT_OF_WINDOW = {
    "code": rules.WINDOW_CLOSED,
    "title": "Re-engagement message",
    "error_data": {"details": "The contact has not written for 24 hours"},
}


class FakeWhatsAppCloud(FakeProvider):
    """Meta for tests and trials; use it with `async with`. A contact is a phone, or a business-scoped id such as AR.1.

    A contact who has not written yet, or after `close_window`, gets templates only. Real Meta tells of a closed window
    in its answer or, more often, only in the status that follows: `window_told` chooses.
    """

    title = "WhatsApp de prueba (Cloud API)"

    def __init__(
        self,
        webhook_url: str,
        *,
        port: int = 0,
        faults: Faults | None = None,
        window_told: Literal["answer", "status"] = "answer",
    ) -> None:
        super().__init__(Webhooks(webhook_url, faults, headers=_signature), port=port)
        self.taken: list[Json] = []  # the bodies that were accepted, each with the `id` that it got
        self.refusing: dict[str, int] = {}  # contacts to whom sends are refused, and with which code
        self._window_told = window_told

    @property
    def settings(self) -> WhatsAppCloudSettings:
        """What our channel needs to talk to this server."""
        return WhatsAppCloudSettings(PHONE_NUMBER_ID, ACCESS_TOKEN, APP_SECRET, VERIFY_TOKEN, base_url=self.url)

    @property
    def stored(self) -> dict[str, str]:
        """The same as the store keeps it, for workers of other processes."""
        secrets = {"access_token": ACCESS_TOKEN, "app_secret": APP_SECRET, "verify_token": VERIFY_TOKEN}
        return {"phone_number_id": PHONE_NUMBER_ID, **secrets, "base_url": self.url}

    def channel(self, clock: Clock) -> WhatsAppCloud:  # noqa: ARG002 -- its messages come with their time
        """Our side, connected to this server."""
        return WhatsAppCloud(self.settings)

    def took(self, message_id: str) -> tuple[Json, ...]:
        """What was accepted under an id of ours; more than one when our side sent it again."""
        return tuple(each for each in self.taken if each.get("biz_opaque_callback_data") == message_id)

    def close_window(self, contact: str) -> None:
        """Twenty-four hours pass without a word from the contact."""
        self._reachable.discard(number_of(contact))

    # what a contact does

    async def write(self, contact: str, text: str) -> str:
        """Write a text, from a phone or as a contact known by a business-scoped id only."""
        return await self._say(contact, text, {"type": "text", "text": {"body": text}})

    async def press(self, contact: str, payload: str) -> str:
        """Press a button or choose a row of the latest message that offers it."""
        bubble, choice = self.chats.offered(number_of(contact), payload)
        kind = "list_reply" if text_at(self._body(bubble.id), "interactive", "type") == "list" else "button_reply"
        about = {"description": choice.description} if choice.description else {}
        reply = {"type": kind, kind: {"id": payload, "title": choice.title, **about}}
        context = {"from": SHOWN_NUMBER, "id": bubble.id}
        return await self._say(contact, choice.title, {"type": "interactive", "interactive": reply, "context": context})

    async def share_place(self, contact: str, latitude: float, longitude: float) -> str:
        """Share a location."""
        content = {"type": "location", "location": {"latitude": latitude, "longitude": longitude}}
        return await self._say(contact, "", content, media=shown_place(latitude, longitude))

    async def send_file(self, contact: str, file: SharedFile, caption: str = "") -> str:
        """Send a file; a voice note is sound that says that it is one."""
        kind = "audio" if file.kind == "voice" else file.kind
        about = {"id": self._keep(file), "mime_type": file.type, "sha256": _digest(file)}
        about |= {name: each for name, each in (("caption", caption), ("filename", file.name)) if each}
        voice = {"voice": True} if file.kind == "voice" else {}
        return await self._say(contact, caption, {"type": kind, kind: {**about, **voice}}, media=kind)

    async def change_number(self, contact: str, new: str) -> str:
        """Move to another phone number; WhatsApp says so with a message of its own."""
        old, wamid = number_of(contact), f"wamid.IN-{self._next_id()}"
        system = {"body": f"{old} changed to {new}", "wa_id": number_of(new), "type": "user_changed_number"}
        message = {"from": old, "id": wamid, "timestamp": _now(), "type": "system", "system": system}
        self._webhooks.post(_event({"messages": [message]}))
        return wamid

    async def want_marketing(self, contact: str, *, wanted: bool) -> None:
        """Switch offers and promotions off or on, in the menu of the chat."""
        about = {"wa_id": number_of(contact), "category": "marketing_messages", "timestamp": int(_now())}
        told = {**about, "detail": "User preference", "value": "resume" if wanted else "stop"}
        self._webhooks.post(_event({"user_preferences": [told]}, field="user_preferences"))

    def _report_read(self, bubble: Bubble) -> None:
        self._report_status(bubble.id, "read")

    async def _say(self, contact: str, text: str, content: Json, media: str = "") -> str:
        sender, wamid = number_of(contact), f"wamid.IN-{self._next_id()}"
        await self._show_written(wamid, sender, text, media)
        keys = ("from", "wa_id") if sender.isdigit() else ("from_user_id", "user_id")
        message = {keys[0]: sender, "id": wamid, "timestamp": _now(), **content}
        person = {"profile": {"name": f"Contacto {sender[-4:]}"}, keys[1]: sender}
        self._webhooks.post(_event({"contacts": [person], "messages": [message]}))
        return wamid

    def _report_status(self, wamid: str, status: str, *errors: Json) -> None:
        body = self._body(wamid)
        key = "recipient_id" if "to" in body else "recipient_user_id"
        told = {"id": wamid, "status": status, "timestamp": _now(), key: _contact(body)}
        echoed = {name: body[name] for name in ("biz_opaque_callback_data",) if name in body}
        failed = {"errors": errors} if errors else {}
        self._report(_event({"statuses": [{**told, **echoed, **failed}]}))

    # what our side sends

    def _api_routes(self) -> list[Route]:
        return [
            self._route("/{version}/" + PHONE_NUMBER_ID + "/messages", self._message),
            self._route("/files/{file}", self._give_out, "GET"),
            self._route("/v{version}/{file}", self._tell_of_file, "GET"),
        ]

    async def _tell_of_file(self, request: Request) -> Response:
        file_id = request.path_params["file"]
        file = self.files.get(file_id)
        if file is None:
            return rules.refusal(rules.BAD_REQUEST, "no such file")
        about = {"mime_type": file.type, "sha256": _digest(file), "file_size": len(file.content), "id": file_id}
        return JSONResponse({"url": f"{self.url}/files/{file_id}", "messaging_product": "whatsapp", **about})

    def _refuse(self, *, throttled: bool) -> Response:
        return rules.refusal(rules.THROTTLED if throttled else rules.FAILING, "Come again later")

    def _unauthorised(self, request: Request) -> Response | None:
        if request.headers.get("authorization") == f"Bearer {ACCESS_TOKEN}":
            return None
        return rules.refusal(rules.BAD_TOKEN, "Error validating access token")

    async def _message(self, request: Request) -> Response:
        try:
            body = read_object(await request.body())
        except NotReadable as error:
            return rules.refusal(rules.BAD_REQUEST, str(error))
        return self._typing(body) if "status" in body else await self._answer_send(partial(self._take, body))

    def _typing(self, body: Json) -> Response:
        asked = next((each for each in self.chats.bubbles if each.id == body.get("message_id")), None)
        if asked is None or asked.side != "contact" or body.get("status") != "read":
            return rules.refusal(rules.BAD_REQUEST, "no such message")
        if "typing_indicator" in body:
            self.chats.typing.add(asked.contact)
        return JSONResponse({"success": True})

    def _take(self, body: Json) -> Response:
        contact = _contact(body)
        outside = body.get("type") != "template" and contact not in self._reachable
        if problem := rules.problem_of(body):
            return rules.refusal(rules.BAD_PARAMETER, problem)
        if contact in self.refusing:
            return rules.refusal(self.refusing[contact], "Refused on demand")
        if outside and self._window_told == "answer":
            return rules.refusal(rules.WINDOW_CLOSED, "The contact has not written for 24 hours")
        wamid = f"wamid.OUT-{self._next_id()}"
        self.taken.append({**body, "id": wamid})
        if outside:
            self._report_status(wamid, "failed", OUT_OF_WINDOW)
        else:
            shown = Bubble(wamid, contact, "business", _words(body), _choices(body), _media(body), "delivered")
            self.chats.add(shown)
            self._report_status(wamid, "sent")
            self._report_status(wamid, "delivered")
        known = {"input": contact, "wa_id": contact}
        return JSONResponse({"messaging_product": "whatsapp", "contacts": [known], "messages": [{"id": wamid}]})

    def _body(self, wamid: str) -> Json:
        return next((each for each in self.taken if each["id"] == wamid), {})


def _digest(file: SharedFile) -> str:
    return hashlib.sha256(file.content).hexdigest()


def _event(content: Json, field: str = "messages") -> bytes:
    metadata = {"display_phone_number": SHOWN_NUMBER, "phone_number_id": PHONE_NUMBER_ID}
    value = {"messaging_product": "whatsapp", "metadata": metadata, **content}
    entry = {"id": ACCOUNT_ID, "changes": [{"value": value, "field": field}]}
    return json.dumps({"object": "whatsapp_business_account", "entry": [entry]}).encode()


def _signature(body: bytes) -> Mapping[str, str]:
    digest = hmac.new(APP_SECRET.encode(), body, hashlib.sha256).hexdigest()
    return {"content-type": "application/json", "x-hub-signature-256": f"sha256={digest}"}


def _contact(body: Json) -> str:
    return number_of(text_at(body, "to") or text_at(body, "recipient"))


def _words(body: Json) -> str:
    content = object_at(body, text_at(body, "type"))
    if body.get("type") == "template":
        parts = objects_at(content, "components")
        values = [text_at(each, "text") for part in parts for each in objects_at(part, "parameters")]
        return " ".join([f"[{text_at(content, 'name')}]", *values])
    return text_at(content, "body", "text") or text_at(content, "body") or text_at(content, "caption")


def _choices(body: Json) -> tuple[Choice, ...]:
    action = object_at(body, "interactive", "action")
    keys: list[Any] = [object_at(each, "reply") for each in objects_at(action, "buttons")]
    keys += [row for each in objects_at(action, "sections") for row in objects_at(each, "rows")]
    return tuple(Choice(text_at(key, "id"), text_at(key, "title"), text_at(key, "description")) for key in keys)


def _media(body: Json) -> str:
    place = object_at(body, "location")
    return f"📍 {place['latitude']}, {place['longitude']}" if place else text_at(body, text_at(body, "type"), "link")


def _now() -> str:
    return str(int(time.time()))
