import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from hilo.channels.channel import CredentialsRefused, Outcome, Rejected, Sent, TryLater, Unknown
from hilo.channels.infobip import Infobip, InfobipSettings
from hilo.channels.limits import length
from hilo.messages import Address, ApprovedTemplate, Attachment, Button, Outbound
from hilo.testing.loopback import CutOff, serving

PAYLOADS = Path(__file__).parent / "payloads" / "infobip"
KEY = "una-clave-secreta"
OURS = "3f0d6c0e-6f0e-4c39-9b3f-0b7c1b1a0001"
ANA = Address("infobip", "447700900123")
NOTIFY = "https://bot.example.com/webhooks/infobip/reports"
REENGAGE = ApprovedTemplate("reengage_es", "es", ("Ana", "A-1001"))


def payload(name: str) -> Any:
    return json.loads((PAYLOADS / f"{name}.json").read_bytes())


class Server:
    """Answers what it was told to, and keeps what it was asked."""

    def __init__(self, *answers: Response) -> None:
        self.answers = list(answers)
        self.paths: list[str] = []
        self.bodies: list[Any] = []
        self.headers: list[dict[str, str]] = []

    async def answer(self, request: Request) -> Response:
        self.paths.append(request.url.path)
        self.bodies.append(await request.json())
        self.headers.append(dict(request.headers))
        return self.answers.pop(0) if self.answers else JSONResponse(payload("response_200_single"))


@asynccontextmanager
async def talking_to(server: Server, **changes: Any) -> AsyncIterator[Infobip]:
    app = Starlette(routes=[Route("/{path:path}", server.answer, methods=["POST"])])
    async with serving(app, 0) as url:
        channel = Infobip(replace(InfobipSettings(url + "/", KEY, "441134960000", notify_url=NOTIFY), **changes))
        try:
            yield channel
        finally:
            await channel.aclose()


async def send(message: Outbound, *answers: Response, **changes: Any) -> tuple[Server, Outcome]:
    server = Server(*answers)
    async with talking_to(server, **changes) as channel:
        return server, await channel.send(ANA, message, message_id=OURS)


def documented(name: str, *, without: tuple[str, ...] = ()) -> Any:
    """A documented body with our use of callbackData, less what a message of ours lacks."""
    body = payload(name)
    message = body["messages"][0] if "messages" in body else body
    message["callbackData"] = OURS
    for key in without:
        message["content"].pop(key)
    return body


TOPICS = (
    Button("topic:billing", "Facturación"),
    Button("topic:access", "Acceso"),
    Button("topic:track", "Rastrear"),
    Button("topic:long", "Quiero hablar con una persona"),
)


def expected_list() -> Any:
    body = documented("send_list")
    rows = [row for section in body["content"]["action"]["sections"] for row in section["rows"]]
    del rows[0]["description"]
    whole = "Quiero hablar con una persona"
    rows.append({"id": "topic:long", "title": "Quiero hablar con una…", "description": whole})
    body["content"]["action"]["sections"] = [{"rows": rows}]
    return body


def expected_template() -> Any:
    body = documented("send_template")
    del body["messages"][0]["content"]["templateData"]["buttons"]
    return body


def other_media(kind: str, content: dict[str, Any]) -> tuple[str, Any]:
    return kind, {**documented("send_image"), "content": content}


CONFIRM = (Button("confirm:yes", "Sí, confirmar"), Button("confirm:no", "Cancelar"))
FORMS = {
    "text": (Outbound("Tu pedido A-1001 llega mañana."), ("text", documented("send_text"))),
    "buttons": (
        Outbound("¿Confirmas la cita?", CONFIRM),
        ("interactive/buttons", documented("send_buttons", without=("header", "footer"))),
    ),
    "list": (Outbound("¿Sobre qué tema?", TOPICS), ("interactive/list", expected_list())),
    "image": (
        Outbound("Guía de tallas", attachment=Attachment("image", "https://example.com/a.jpg")),
        ("image", documented("send_image")),
    ),
    "document": (
        Outbound("", attachment=Attachment("document", "https://example.com/f.pdf", "Factura", name="factura.pdf")),
        ("document", documented("send_document")),
    ),
    "audio": (
        Outbound("", attachment=Attachment("audio", "https://example.com/a.mp3")),
        other_media("audio", {"mediaUrl": "https://example.com/a.mp3"}),
    ),
    "video": (
        Outbound("Mira", attachment=Attachment("video", "https://example.com/a.mp4")),
        other_media("video", {"mediaUrl": "https://example.com/a.mp4", "caption": "Mira"}),
    ),
    "location": (
        Outbound("", attachment=Attachment("location", caption="Calle 1", name="Local", latitude=4.7, longitude=-74.0)),
        other_media("location", {"latitude": 4.7, "longitude": -74.0, "name": "Local", "address": "Calle 1"}),
    ),
    "contact": (
        Outbound("", attachment=Attachment("contact", name="Luis", phone="447700900456")),
        other_media("text", {"text": "Luis\n447700900456", "previewUrl": False}),
    ),
    "template": (Outbound("", approved=REENGAGE), ("template", expected_template())),
}


@pytest.mark.parametrize("form", FORMS)
async def test_every_form_is_sent_as_documented(form: str) -> None:
    message, (kind, body) = FORMS[form]
    changes = {"list_button": "Elegir"}
    server, outcome = await send(message, **changes)
    assert (server.paths, server.bodies, outcome) == ([f"/whatsapp/1/message/{kind}"], [body], Sent())
    assert server.headers[0]["authorization"] == f"App {KEY}"


async def test_typing_is_sent_as_documented() -> None:
    server = Server()
    async with talking_to(server) as channel:
        await channel.typing(ANA, answering="wamid.1")
    assert (server.paths, server.bodies) == (["/whatsapp/1/events"], [payload("send_typing")])


@pytest.mark.parametrize(
    ("value", "to"), [("+447700900123", "447700900123"), ("GB.1776622120445919", "GB.1776622120445919")]
)
async def test_a_contact_is_reached_by_phone_or_by_a_business_scoped_id(value: str, to: str) -> None:
    server = Server()
    async with talking_to(server) as channel:
        await channel.send(Address("infobip", value), Outbound("hola"), message_id=OURS)
    assert server.bodies[0]["to"] == to


STATUS = {
    "groupId": 5,
    "groupName": "REJECTED",
    "id": 12,
    "name": "REJECTED_NOT_ENOUGH_CREDITS",
    "description": "No credit",
}
CLOSED = {"status": {"groupId": 5}, "error": {"id": 7010, "name": "EC_WINDOW", "description": "Outside the window"}}
OUTCOMES: dict[str, tuple[int, Any, Outcome]] = {
    "response_200_single": (200, None, Sent()),
    "response_200_bulk": (200, None, Sent()),
    "response_400_legacy": (
        400,
        None,
        Rejected("Bad request: content.text size must be between 1 and 4096, must not be blank (HTTP 400)"),
    ),
    "response_400_platform": (
        400,
        None,
        Rejected("Request cannot be processed.: events[0].sender must not be blank (HTTP 400)"),
    ),
    "response_401": (401, None, CredentialsRefused("Infobip does not accept our API key for this sender (HTTP 401)")),
    "response_429": (
        429,
        None,
        TryLater("Infobip asks us to slow down (HTTP 429)", after=timedelta(seconds=7)),
    ),
    "another id": (200, {"messageId": "theirs", "status": {"groupId": 1}}, Sent("theirs")),
    "a rejection in 200": (200, {"status": STATUS}, Rejected("No credit (12)")),
    "undeliverable": (200, {"messages": [{"status": {**STATUS, "groupId": 2}}]}, Rejected("No credit (12)")),
    "taken before": (200, {"status": {"groupId": 5, "name": "REJECTED_DUPLICATE_MESSAGE_ID"}}, Sent()),
    "window closed": (200, CLOSED, Rejected("Outside the window (7010)", window_closed=True)),
    "window closed in an error": (
        400,
        {"requestError": {"serviceException": {"messageId": "7010", "text": "Outside the window"}}},
        Rejected("Outside the window (HTTP 400)", window_closed=True),
    ),
    "no status": (200, {}, Unknown("Infobip answered 200 with a status that we do not know")),
    "a list": (200, [1], Unknown("Infobip answered 200 with a status that we do not know")),
    "forbidden": (403, {}, CredentialsRefused("Infobip does not accept our API key for this sender (HTTP 403)")),
    "moved": (302, {}, Rejected("Infobip refused the message (HTTP 302)")),
    "strange error": (
        400,
        {"requestError": 5, "violations": [{}, 7]},
        Rejected("Infobip refused the message (HTTP 400)"),
    ),
    "broken": (500, {}, TryLater("Infobip is not well (HTTP 500)", after=timedelta(seconds=7), away=True)),
    "overloaded": (503, "no", TryLater("Infobip is not well (HTTP 503)", after=timedelta(seconds=7), away=True)),
    "slow to read": (
        408,
        {},
        TryLater("Infobip did not read the request in time (HTTP 408)", after=timedelta(seconds=7)),
    ),
}


@pytest.mark.parametrize("name", OUTCOMES)
async def test_every_answer_has_its_outcome(name: str) -> None:
    status, body, expected = OUTCOMES[name]
    answer = JSONResponse(payload(name) if body is None else body, status_code=status, headers={"retry-after": "7"})
    _, outcome = await send(Outbound("hola"), answer)
    assert outcome == expected
    assert KEY not in repr(outcome)


def test_the_table_has_every_documented_answer() -> None:
    assert {path.stem for path in PAYLOADS.glob("response_*.json")} <= set(OUTCOMES)


async def test_a_refused_connection_is_tried_later() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    channel = Infobip(InfobipSettings(f"http://127.0.0.1:{port}", KEY, "441134960000"))
    assert isinstance(await channel.send(ANA, Outbound("hola"), message_id=OURS), TryLater)
    await channel.typing(ANA, answering="wamid.1")
    await channel.aclose()


async def test_a_connection_lost_after_the_request_leaves_everybody_in_doubt() -> None:
    server, outcome = await send(Outbound("hola"), CutOff())
    assert isinstance(outcome, Unknown)
    assert len(server.bodies) == 1


class Silence(Response):
    """Never answers, until the other side gives up."""

    async def __call__(self, _scope: Scope, receive: Receive, _send: Send) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass


async def test_an_answer_that_does_not_come_leaves_everybody_in_doubt() -> None:
    _, outcome = await send(Outbound("hola"), Silence(), timeout=0.3)
    assert isinstance(outcome, Unknown)


async def test_a_closed_window_takes_the_approved_template_under_an_id_of_its_own() -> None:
    server, outcome = await send(Outbound("hola", approved=REENGAGE), JSONResponse(CLOSED))
    assert isinstance(outcome, Sent)
    assert server.paths == ["/whatsapp/1/message/text", "/whatsapp/1/message/template"]
    [template] = server.bodies[1]["messages"]
    assert (template["messageId"], template["callbackData"]) == (f"{OURS}-2", OURS)


async def test_a_long_text_goes_in_order_under_ids_of_one_message() -> None:
    server, outcome = await send(Outbound("Una frase. " * 900, CONFIRM))
    assert outcome == Sent("")
    assert [body["messageId"] for body in server.bodies] == [
        OURS,
        *(f"{OURS}-{n}" for n in range(2, len(server.bodies) + 1)),
    ]
    assert {body["callbackData"] for body in server.bodies} == {OURS}
    assert server.paths[-1].endswith("/interactive/buttons")
    assert all(path.endswith("/text") for path in server.paths[:-1])


async def test_another_attempt_goes_on_after_the_parts_that_were_taken() -> None:
    server = Server(JSONResponse(payload("response_200_single")), JSONResponse({}, status_code=503))
    message = Outbound("Una frase. " * 600)
    async with talking_to(server) as channel:
        assert isinstance(await channel.send(ANA, message, message_id=OURS), TryLater)
        assert isinstance(await channel.send(ANA, message, message_id=OURS), Sent)
    assert [body["messageId"] for body in server.bodies] == [OURS, f"{OURS}-2", f"{OURS}-2"]


async def test_words_too_long_for_a_caption_follow_the_picture() -> None:
    picture = Attachment("image", "https://example.com/a.jpg", caption="Foto")
    server, _ = await send(Outbound("¿Te gusta?", CONFIRM, attachment=picture))
    assert [path.rpartition("/")[2] for path in server.paths] == ["image", "buttons"]
    server, _ = await send(Outbound("x" * 2000, attachment=replace(picture, caption="")))
    assert [path.rpartition("/")[2] for path in server.paths] == ["image", "text"]


async def test_a_list_body_keeps_infobips_limit() -> None:
    server, _ = await send(Outbound("Una frase. " * 200, TOPICS))
    assert all(length(body["content"]["body"]["text"]) <= 1024 for body in server.bodies[-1:])


@pytest.mark.parametrize(
    "message",
    [
        Outbound(""),
        Outbound(" \x00 "),
        Outbound("", (Button("x", " "),)),
        Outbound("foto", attachment=Attachment("image", "/tmp/a.jpg")),  # noqa: S108 -- not a file of ours
        Outbound("", attachment=Attachment("image", "https://example.com/" + "x" * 3000)),
        Outbound("", attachment=Attachment("location")),
        Outbound("", attachment=Attachment("location", latitude=float("nan"), longitude=0.0)),
    ],
)
async def test_what_has_no_form_is_rejected_without_a_request(message: Outbound) -> None:
    server, outcome = await send(message)
    assert isinstance(outcome, Rejected)
    assert server.bodies == []


async def test_lone_surrogates_do_not_stop_a_send() -> None:
    server, outcome = await send(Outbound("ho\ud800la", (Button("a\ud800", "S\ud800í"),)))
    assert outcome == Sent()
    assert server.bodies[0]["content"]["action"]["buttons"] == [{"type": "REPLY", "id": "a", "title": "Sí"}]


async def test_a_message_that_was_refused_begins_anew() -> None:
    server = Server(JSONResponse(payload("response_200_single")), JSONResponse({}, status_code=400))
    message = Outbound("Una frase. " * 600)
    async with talking_to(server) as channel:
        assert isinstance(await channel.send(ANA, message, message_id=OURS), Rejected)
        assert isinstance(await channel.send(ANA, message, message_id=OURS), Sent)
    assert [body["messageId"] for body in server.bodies] == [OURS, f"{OURS}-2", OURS, f"{OURS}-2"]
