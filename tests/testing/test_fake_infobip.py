import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hilo.channels.channel import NotGenuine, Received, Rejected, Sent, TryLater, Unknown, Webhook
from hilo.channels.infobip import Infobip, SecretHeader, SignedBody
from hilo.channels.infobip.settings import WebhookAuth
from hilo.messages import Address, ApprovedTemplate, Attachment, Button, Inbound, Outbound, Receipt
from hilo.testing.loopback import serving
from hilo.testing.providers.infobip import API_KEY, FakeInfobip
from hilo.testing.providers.provider import Bubble, Faults
from patience import PATIENCE

ANA, PHONE = "+549 11 5555 0101", "5491155550101"
TO_ANA = Address("infobip", PHONE)
MENU = tuple(Button(f"set:talla:{size}", size) for size in ("S", "M", "L", "XL"))


class Ours:
    """Our side: a webhook that reads with the real channel and keeps what came."""

    def __init__(self, provider: FakeInfobip) -> None:
        self.provider = provider
        self.channel = Infobip(provider.settings)
        self.received: list[Received] = []
        self.failures = 0  # how many webhooks to refuse first

    async def webhook(self, request: Request) -> Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        if self.failures:
            self.failures -= 1
            return Response(status_code=500)
        try:
            self.received.append(self.channel.read(Webhook(request.method, headers, {}, await request.body())))
        except NotGenuine:
            return Response(status_code=401)
        return Response()

    @property
    def messages(self) -> list[Inbound]:
        return [message for each in self.received for message in each.messages]

    @property
    def receipts(self) -> list[Receipt]:
        return [receipt for each in self.received for receipt in each.receipts]

    async def send(self, text: str = "Hola", message_id: str = "message_1", **fields: Any) -> object:
        return await self.channel.send(TO_ANA, Outbound(text, **fields), message_id=message_id)


@asynccontextmanager
async def both(**options: Any) -> AsyncIterator[tuple[FakeInfobip, Ours]]:
    async with FakeInfobip("", **options) as provider:
        ours = Ours(provider)
        app = Starlette(routes=[Route("/webhooks/infobip", ours.webhook, methods=["POST"])])
        async with serving(app, 0) as url:
            provider.webhook_url = f"{url}/webhooks/infobip"
            yield provider, ours
            await provider.settle()
        await ours.channel.aclose()


async def test_a_contact_writes_and_is_answered_with_buttons_that_work() -> None:
    async with both() as (provider, ours):
        await provider.write(ANA, "hola")
        await provider.settle()
        [message] = ours.messages
        assert (message.text, message.sender, message.phone) == ("hola", TO_ANA, PHONE)
        question = Outbound("¿Seguimos?", (Button("yes:1", "Sí"), Button("no:1", "No")))
        assert await ours.channel.send(message.sender, question, message_id="message_1") == Sent()
        await provider.press(ANA, "yes:1")
        await provider.settle()
        assert [(each.text, each.payload) for each in ours.messages] == [("hola", ""), ("Sí", "yes:1")]
        assert [(each.message_id, each.status) for each in ours.receipts] == [
            ("message_1", "delivered"),
            ("message_1", "read"),
        ]


async def test_a_row_of_a_list_can_be_chosen() -> None:
    async with both() as (provider, ours):
        await provider.write(ANA, "hola")
        await ours.send("¿Talla?", buttons=MENU)
        assert provider.took("message_1")[0].kind == "interactive/list"
        await provider.press(ANA, "set:talla:L")
        await provider.settle()
        assert ours.messages[-1].payload == "set:talla:L"


async def test_what_was_not_offered_cannot_be_pressed() -> None:
    async with both() as (provider, _):
        with pytest.raises(LookupError):
            await provider.press(ANA, "yes:1")


async def test_a_contact_sends_pictures_files_voice_notes_and_places() -> None:
    async with both() as (provider, ours):
        await provider.attach(ANA, "image", "mira")
        await provider.attach(ANA, "document", "factura.pdf")
        await provider.attach(ANA, "voice")
        await provider.share_place(ANA, -34.6, -58.4)
        await provider.settle()
        sent = [message.attachments[0] for message in ours.messages]
        assert sorted(each.kind for each in sent) == ["audio", "document", "image", "location"]
        assert (-34.6, -58.4) in [(each.latitude, each.longitude) for each in sent]


async def test_a_contact_may_have_no_phone() -> None:
    async with both() as (provider, ours):
        await provider.write("AR.1776622120445919", "hola")
        await provider.settle()
        [message] = ours.messages
        assert (message.sender.value, message.phone) == ("AR.1776622120445919", "")
        assert await ours.channel.send(message.sender, Outbound("¡Hola!"), message_id="message_1") == Sent()
        assert provider.chats.said_to("AR.1776622120445919") == ("¡Hola!",)


@pytest.mark.parametrize("auth", [None, SecretHeader("X-Hilo", "secreto"), SignedBody("X-Signature", "secreto")])
async def test_webhooks_carry_what_was_agreed_on(auth: WebhookAuth | None) -> None:
    async with both(auth=auth) as (provider, ours):
        await provider.write(ANA, "hola")
        await provider.settle()
        assert [each.text for each in ours.messages] == ["hola"]


async def test_a_closed_window_takes_templates_only() -> None:
    template = ApprovedTemplate("reengage_es", "es", ("Ana",))
    async with both() as (provider, ours):
        assert await ours.send() == Rejected("The contact has not written for 24 hours (7010)", window_closed=True)
        assert await ours.send(approved=template) == Sent()
        await provider.write(ANA, "hola")
        assert await ours.send(message_id="message_2") == Sent()
        provider.close_window(ANA)
        assert isinstance(await ours.send(message_id="message_3"), Rejected)
        assert provider.chats.said_to(PHONE) == ("[reengage_es] Ana", "Hola")


async def test_a_closed_window_may_be_told_only_in_the_report() -> None:
    async with both(window_told="report") as (provider, ours):
        assert await ours.send() == Sent()
        await provider.settle()
        [receipt] = ours.receipts
        assert (receipt.message_id, receipt.status, receipt.window_closed) == ("message_1", "failed", True)
        assert provider.chats.said_to(PHONE) == ()


async def test_a_long_message_has_receipts_under_its_own_id() -> None:
    async with both() as (provider, ours):
        await provider.write(ANA, "hola")
        await ours.send("Una frase. " * 900, buttons=MENU)
        await provider.settle()
        assert [each.message_id for each in provider.taken] == [
            "message_1",
            "message_1-2",
            "message_1-3",
            "message_1-4",
        ]
        assert {(each.message_id, each.status) for each in ours.receipts} == {("message_1", "delivered")}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("message/text", {"from": "441134960000", "to": PHONE, "content": {"text": " "}}),
        ("message/text", {"from": "441134960000", "to": PHONE, "content": {"text": "x" * 4097}}),
        ("message/text", {"from": "441134960000", "content": {"text": "x"}}),
        ("message/text", []),
        ("message/telegram", {"from": "441134960000", "to": PHONE}),
        ("message/image", {"from": "441134960000", "to": PHONE, "content": {"mediaUrl": "a.jpg"}}),
        ("message/location", {"from": "441134960000", "to": PHONE, "content": {"latitude": 91, "longitude": 0}}),
        ("message/template", {"messages": []}),
        ("message/interactive/buttons", {"from": "441134960000", "to": PHONE, "content": {"body": {"text": "x"}}}),
        ("message/interactive/list", {"from": "441134960000", "to": PHONE, "content": {"body": {"text": "x"}}}),
        ("events", {"events": [{"sender": ""}]}),
        ("events", {}),
    ],
)
async def test_a_body_that_infobip_does_not_document_is_refused(path: str, body: Any) -> None:
    async with FakeInfobip("") as provider, httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
        headers = {"authorization": f"App {API_KEY}"}
        answer = await client.post(f"{provider.url}/whatsapp/1/{path}", json=body, headers=headers)
        assert answer.status_code == 400
        assert ("violations" if path == "events" else "requestError") in answer.json()
        assert provider.taken == []


async def test_a_wrong_key_is_refused() -> None:
    async with FakeInfobip("") as provider, httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
        answer = await client.post(f"{provider.url}/whatsapp/1/message/text", json={})
        assert answer.status_code == 401


async def test_every_form_of_ours_is_accepted() -> None:
    place = Attachment("location", latitude=-34.6, longitude=-58.4)
    async with both() as (provider, ours):
        await provider.write(ANA, "hola")
        pictures = [Attachment(kind, "https://example.com/a") for kind in ("image", "audio", "video", "document")]
        for number, attachment in enumerate((place, *pictures)):
            assert await ours.send("Aquí", f"message_{number}", attachment=attachment) == Sent()
        kinds = [each.kind for each in provider.taken]
        assert kinds == ["location", "text", "image", "audio", "text", "video", "document"]


@pytest.mark.parametrize(
    ("faults", "expected", "taken"),
    [
        (Faults(throttled=1), TryLater, 0),
        (Faults(failing=1), TryLater, 0),
        (Faults(cut_before=1), Unknown, 0),
        (Faults(cut_after=1), Unknown, 1),
    ],
)
async def test_a_fault_on_demand(faults: Faults, expected: type, taken: int) -> None:
    async with both(faults=faults) as (provider, ours):
        await provider.write(ANA, "hola")
        assert isinstance(await ours.send(), expected)
        assert len(provider.taken) == taken


async def test_a_report_tells_what_became_of_a_message_whose_answer_was_lost() -> None:
    async with both(faults=Faults(cut_after=1)) as (provider, ours):
        await provider.write(ANA, "hola")
        assert isinstance(await ours.send(), Unknown)
        await provider.settle()
        assert [(each.message_id, each.status) for each in ours.receipts] == [("message_1", "delivered")]


async def test_reports_can_be_lost() -> None:
    async with both(faults=Faults(lost_reports=1)) as (provider, ours):
        await provider.write(ANA, "hola")
        await ours.send()
        await provider.settle()
        assert (len(ours.messages), ours.receipts) == (1, [])


async def test_duplicates_and_reordering_lose_nothing() -> None:
    texts = [f"mensaje {number}" for number in range(30)]
    async with both(faults=Faults(duplicates=0.3, reorder=0.3, seed=7)) as (provider, ours):
        for text in texts:
            await provider.write(ANA, text)
        await provider.settle()
        came = [message.text for message in ours.messages]
        assert len(came) > len(texts)
        assert list(dict.fromkeys(came)) != texts
        assert set(came) == set(texts)
        assert len({message.id for message in ours.messages}) == len(texts)


async def test_a_webhook_that_fails_is_posted_again() -> None:
    async with both() as (provider, ours):
        ours.failures = 2
        await provider.write(ANA, "hola")
        await provider.settle()
        assert [each.text for each in ours.messages] == ["hola"]


async def test_slow_answers_are_only_slow() -> None:
    async with both(faults=Faults(delay=1, slow=0.05)) as (provider, ours):
        await provider.write(ANA, "hola")
        started = asyncio.get_running_loop().time()
        assert await ours.send() == Sent()
        assert asyncio.get_running_loop().time() - started >= 0.05


async def test_a_person_writes_and_presses_on_the_page() -> None:
    async with (
        both() as (provider, ours),
        httpx.AsyncClient(base_url=provider.url, trust_env=False, timeout=PATIENCE) as person,
    ):
        assert "WhatsApp de prueba" in (await person.get("/")).text
        await person.post("/chats/+549 11 5555 0101", json={"text": "hola"})
        await ours.channel.typing(TO_ANA, answering="")
        assert (await person.get(f"/chats/{PHONE}")).json()["typing"]
        await ours.send("¿Talla?", buttons=MENU)
        seen = (await person.get(f"/chats/{PHONE}")).json()
        assert [each["text"] for each in seen["bubbles"]] == ["hola", "¿Talla?"]
        assert seen["bubbles"][1]["choices"][0] == {"payload": "set:talla:S", "title": "S", "description": ""}
        assert not seen["typing"]
        await person.post(f"/chats/{PHONE}", json={"press": "set:talla:S"})
        await person.post(f"/chats/{PHONE}", json={"place": True})
        await provider.settle()
        assert sorted(each.payload for each in ours.messages) == ["", "", "set:talla:S"]
        assert [each.status for each in ours.receipts] == ["delivered", "read"]


@pytest.mark.parametrize("wish", [{}, [], {"text": " "}, {"press": "nothing"}, "text"])
async def test_the_page_refuses_what_makes_no_sense(wish: Any) -> None:
    async with (
        FakeInfobip("") as provider,
        httpx.AsyncClient(base_url=provider.url, trust_env=False, timeout=PATIENCE) as person,
    ):
        assert (await person.post(f"/chats/{PHONE}", json=wish)).status_code == 400
        assert (await person.post(f"/chats/{PHONE}", content=b"{")).status_code == 400


async def test_it_stops_with_webhooks_still_on_their_way() -> None:
    async with FakeInfobip("http://127.0.0.1:9/nobody") as provider:
        await provider.write(ANA, "hola")
        bubble = provider.chats.of(PHONE)[0]
    assert bubble == Bubble(bubble.id, PHONE, "contact", "hola")


async def test_the_same_seed_makes_the_same_faults() -> None:
    rolled = []
    for _ in range(2):
        async with both(faults=Faults(throttled=0.3, failing=0.3, seed=3)) as (provider, ours):
            await provider.write(ANA, "hola")
            rolled.append([type(await ours.send(message_id=f"message_{n}")).__name__ for n in range(12)])
    assert rolled[0] == rolled[1]
    assert {"Sent", "TryLater"} == set(rolled[0])
