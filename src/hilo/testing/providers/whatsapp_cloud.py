"""A server that speaks Meta's Cloud API on loopback: it takes our sends, and contacts write to our webhook, signed."""

import asyncio
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hilo.channels.bodies import Json, object_at, objects_at, read_object, text_at
from hilo.channels.channel import NotReadable
from hilo.channels.whatsapp_cloud import WhatsAppCloudSettings
from hilo.testing.providers import whatsapp_cloud_rules as rules
from hilo.testing.providers.page import page_routes
from hilo.testing.providers.provider import Bubble, Choice, CutOff, Dice, FakeProvider, Faults, Webhooks

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

    def __init__(
        self,
        webhook_url: str,
        *,
        port: int = 0,
        faults: Faults | None = None,
        window_told: Literal["answer", "status"] = "answer",
        ids_after: int = 0,
    ) -> None:
        super().__init__(Webhooks(webhook_url, Dice(faults or Faults()), headers=_signature), port=port)
        self.taken: list[Json] = []  # the bodies that were accepted, each with the `id` that it got
        self.refusing: dict[str, int] = {}  # contacts to whom sends are refused, and with which code
        self._window_told = window_told
        self._open_windows: set[str] = set()
        self._count = ids_after  # one that is started again must not give an id twice

    def _routes(self) -> list[Route]:
        path = "/{version}/" + PHONE_NUMBER_ID + "/messages"
        return [
            Route(path, self._message, methods=["POST"]),
            *page_routes(self, "WhatsApp de prueba (Cloud API)"),
        ]

    @property
    def settings(self) -> WhatsAppCloudSettings:
        """What our channel needs to talk to this server."""
        return WhatsAppCloudSettings(PHONE_NUMBER_ID, ACCESS_TOKEN, APP_SECRET, VERIFY_TOKEN, base_url=self.url)

    def took(self, message_id: str) -> tuple[Json, ...]:
        """What was accepted under an id of ours; more than one when our side sent it again."""
        return tuple(each for each in self.taken if each.get("biz_opaque_callback_data") == message_id)

    def close_window(self, contact: str) -> None:
        """Twenty-four hours pass without a word from the contact."""
        self._open_windows.discard(_number(contact))

    # what a contact does

    async def write(self, contact: str, text: str) -> str:
        """Write a text, from a phone or as a contact known by a business-scoped id only."""
        return await self._say(contact, text, {"type": "text", "text": {"body": text}})

    async def press(self, contact: str, payload: str) -> str:
        """Press a button or choose a row of the latest message that offers it."""
        bubble, choice = self.chats.offered(_number(contact), payload)
        kind = "list_reply" if text_at(self._body(bubble.id), "interactive", "type") == "list" else "button_reply"
        about = {"description": choice.description} if choice.description else {}
        reply = {"type": kind, kind: {"id": payload, "title": choice.title, **about}}
        context = {"from": SHOWN_NUMBER, "id": bubble.id}
        return await self._say(contact, choice.title, {"type": "interactive", "interactive": reply, "context": context})

    async def share_place(self, contact: str, latitude: float, longitude: float) -> str:
        """Share a location."""
        content = {"type": "location", "location": {"latitude": latitude, "longitude": longitude}}
        return await self._say(contact, "", content, media=f"📍 {latitude:.5f}, {longitude:.5f}")

    async def see(self, contact: str) -> None:
        """Look at what has come: statuses say that it was read."""
        for bubble in self.chats.of(_number(contact)):
            if bubble.status == "delivered":
                self.chats.mark(bubble.id, "read")
                self._report(bubble.id, "read")

    async def _say(self, contact: str, text: str, content: Json, media: str = "") -> str:
        sender, wamid = _number(contact), self._new_id("IN")
        await self.see(sender)
        self._open_windows.add(sender)
        self.chats.add(Bubble(wamid, sender, "contact", text, media=media))
        keys = ("from", "wa_id") if sender.isdigit() else ("from_user_id", "user_id")
        message = {keys[0]: sender, "id": wamid, "timestamp": _now(), **content}
        person = {"profile": {"name": f"Contacto {sender[-4:]}"}, keys[1]: sender}
        self._webhooks.post(_event({"contacts": [person], "messages": [message]}))
        return wamid

    def _report(self, wamid: str, status: str, *errors: Json) -> None:
        body = self._body(wamid)
        key = "recipient_id" if "to" in body else "recipient_user_id"
        told = {"id": wamid, "status": status, "timestamp": _now(), key: _contact(body)}
        echoed = {name: body[name] for name in ("biz_opaque_callback_data",) if name in body}
        failed = {"errors": errors} if errors else {}
        if not self._dice.happens(self._dice.faults.lost_reports):
            self._webhooks.post(_event({"statuses": [{**told, **echoed, **failed}]}))

    # what our side sends

    async def _message(self, request: Request) -> Response:
        if self._dice.happens(self._dice.faults.delay):
            await asyncio.sleep(self._dice.faults.slow)
        if request.headers.get("authorization") != f"Bearer {ACCESS_TOKEN}":
            return rules.refusal(rules.BAD_TOKEN, "Error validating access token")
        try:
            body = read_object(await request.body())
        except NotReadable as error:
            return rules.refusal(rules.BAD_REQUEST, str(error))
        return self._typing(body) if "status" in body else await self._answer(body)

    def _typing(self, body: Json) -> Response:
        asked = next((each for each in self.chats.bubbles if each.id == body.get("message_id")), None)
        if asked is None or asked.side != "contact" or body.get("status") != "read":
            return rules.refusal(rules.BAD_REQUEST, "no such message")
        if "typing_indicator" in body:
            self.chats.typing.add(asked.contact)
        return JSONResponse({"success": True})

    async def _answer(self, body: Json) -> Response:
        fault = self._dice.on_send()
        if fault == "cut_before":
            return CutOff()
        if fault in {"throttled", "failing"}:
            return rules.refusal(rules.THROTTLED if fault == "throttled" else rules.FAILING, "Come again later")
        if refused := self._refused(body):
            return refused
        wamid = self._take(body)
        await self._reports()
        contact = {"input": _contact(body), "wa_id": _contact(body)}
        answer = {"messaging_product": "whatsapp", "contacts": [contact], "messages": [{"id": wamid}]}
        return CutOff() if fault == "cut_after" else JSONResponse(answer)

    def _refused(self, body: Json) -> Response | None:
        if problem := rules.problem_of(body):
            return rules.refusal(rules.BAD_PARAMETER, problem)
        if _contact(body) in self.refusing:
            return rules.refusal(self.refusing[_contact(body)], "Refused on demand")
        if self._is_outside(body) and self._window_told == "answer":
            return rules.refusal(rules.WINDOW_CLOSED, "The contact has not written for 24 hours")
        return None

    def _take(self, body: Json) -> str:
        wamid = self._new_id("OUT")
        self.taken.append({**body, "id": wamid})
        if self._is_outside(body):
            self._report(wamid, "failed", OUT_OF_WINDOW)
            return wamid
        self.chats.add(Bubble(wamid, _contact(body), "business", _words(body), _choices(body), _media(body)))
        self.chats.mark(wamid, "delivered")
        self._report(wamid, "sent")
        self._report(wamid, "delivered")
        return wamid

    def _is_outside(self, body: Json) -> bool:
        return body.get("type") != "template" and _contact(body) not in self._open_windows

    def _body(self, wamid: str) -> Json:
        return next((each for each in self.taken if each["id"] == wamid), {})

    def _new_id(self, side: str) -> str:
        self._count += 1
        return f"wamid.{side}-{self._count}"


def _event(content: Json) -> bytes:
    metadata = {"display_phone_number": SHOWN_NUMBER, "phone_number_id": PHONE_NUMBER_ID}
    value = {"messaging_product": "whatsapp", "metadata": metadata, **content}
    entry = {"id": ACCOUNT_ID, "changes": [{"value": value, "field": "messages"}]}
    return json.dumps({"object": "whatsapp_business_account", "entry": [entry]}).encode()


def _signature(body: bytes) -> Mapping[str, str]:
    digest = hmac.new(APP_SECRET.encode(), body, hashlib.sha256).hexdigest()
    return {"content-type": "application/json", "x-hub-signature-256": f"sha256={digest}"}


def _number(contact: str) -> str:
    return contact.removeprefix("+").replace(" ", "")


def _contact(body: Json) -> str:
    return _number(text_at(body, "to") or text_at(body, "recipient"))


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
