"""The fake Cloud API and our channel, both ways over real HTTP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hilo.channels.channel import NotGenuine, Received, Sent, Unknown, Webhook
from hilo.channels.whatsapp_cloud import WhatsAppCloud
from hilo.messages import Address, Button, Outbound
from hilo.testing.loopback import serving
from hilo.testing.providers.provider import Faults
from hilo.testing.providers.whatsapp_cloud import VERIFY_TOKEN, FakeWhatsAppCloud
from hilo.testing.providers.whatsapp_cloud_rules import problem_of
from patience import PATIENCE

ANA = Address("whatsapp_cloud", "447700900123")
BSUID = Address("whatsapp_cloud", "GB.1776622120445919")
YES = Button("confirm:yes", "Sí")


@asynccontextmanager
async def talking(**options: Any) -> AsyncIterator[tuple[FakeWhatsAppCloud, WhatsAppCloud, list[Received]]]:
    """A fake whose webhooks reach our channel, and what the channel read."""
    read: list[Received] = []
    async with FakeWhatsAppCloud("", **options) as meta:
        channel = WhatsAppCloud(meta.settings)

        async def webhook(request: Request) -> Response:
            posted = Webhook(request.method, dict(request.headers), dict(request.query_params), await request.body())
            try:
                read.append(channel.read(posted))
            except NotGenuine:
                return Response(status_code=401)
            return Response(read[-1].answer)

        async with serving(Starlette(routes=[Route("/hook", webhook, methods=["GET", "POST"])]), 0) as url:
            meta.webhook_url = f"{url}/hook"
            yield meta, channel, read
            await channel.aclose()


def receipts(read: list[Received]) -> set[tuple[str, str]]:
    return {(each.message_id, each.status) for received in read for each in received.receipts}


@pytest.mark.parametrize("contact", [ANA, BSUID])
async def test_a_contact_writes_is_answered_and_reads(contact: Address) -> None:
    async with talking() as (meta, channel, read):
        wamid = await meta.write(contact.value, "Hola")
        await meta.settle()
        message = read[0].messages[0]
        assert (message.id, message.sender, message.text) == (wamid, contact, "Hola")
        assert isinstance(await channel.send(message.sender, Outbound("¿Confirmas?", (YES,)), message_id="m1"), Sent)
        await meta.see(contact.value)
        await meta.settle()
        assert receipts(read) == {("m1", "sent"), ("m1", "delivered"), ("m1", "read")}


async def test_a_pressed_button_and_a_chosen_row_come_back() -> None:
    rows = tuple(Button(f"topic:{number}", f"Tema {number}") for number in range(5))
    async with talking() as (meta, channel, read):
        await meta.write(ANA.value, "Hola")
        button = await channel.send(ANA, Outbound("¿Confirmas?", (YES,)), message_id="m1")
        choice = await channel.send(ANA, Outbound("¿Qué tema?", rows), message_id="m2")
        ids = [await meta.press(ANA.value, "confirm:yes"), await meta.press(ANA.value, "topic:3")]
        await meta.settle()
        came = {each.messages[0].id: each.messages[0] for each in read if each.messages}
        pressed = [(came[each].payload, came[each].text, Sent(came[each].answers)) for each in ids]
        assert pressed == [("confirm:yes", "Sí", button), ("topic:3", "Tema 3", choice)]


async def test_a_button_that_was_not_offered_cannot_be_pressed() -> None:
    async with talking() as (meta, _, _read):
        with pytest.raises(LookupError):
            await meta.press(ANA.value, "confirm:yes")


async def test_a_closed_window_may_be_told_only_by_a_status() -> None:
    async with talking(window_told="status") as (meta, channel, read):
        assert isinstance(await channel.send(ANA, Outbound("¿Sigues ahí?"), message_id="m1"), Sent)
        await meta.settle()
        (receipt,) = read[0].receipts
        assert (receipt.message_id, receipt.status, receipt.window_closed) == ("m1", "failed", True)
        assert meta.chats.said_to(ANA.value) == ()


async def test_the_status_tells_what_became_of_a_message_whose_answer_was_lost() -> None:
    async with talking(faults=Faults(cut_after=1)) as (meta, channel, read):
        await meta.write(ANA.value, "Hola")
        assert isinstance(await channel.send(ANA, Outbound("Hola, Ana"), message_id="m1"), Unknown)
        await meta.settle()
        assert ("m1", "sent") in receipts(read)


async def test_lost_statuses_never_come() -> None:
    async with talking(faults=Faults(lost_reports=1)) as (meta, channel, read):
        await meta.write(ANA.value, "Hola")
        await channel.send(ANA, Outbound("Hola, Ana"), message_id="m1")
        await meta.settle()
        assert receipts(read) == set()


async def test_duplicates_keep_their_id_and_nothing_is_lost_out_of_order() -> None:
    async with talking(faults=Faults(duplicates=0.5, reorder=0.5, seed=1)) as (meta, _, read):
        written = [await meta.write(ANA.value, f"mensaje {number}") for number in range(20)]
        await meta.settle()
        came = [each.messages[0].id for each in read]
        assert set(came) == set(written)
        assert len(came) > len(written)
        assert list(dict.fromkeys(came)) != written


async def test_our_webhook_can_be_verified() -> None:
    query = {"hub.mode": "subscribe", "hub.verify_token": VERIFY_TOKEN, "hub.challenge": "1158201444"}
    async with talking() as (meta, _, _read), httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
        right = await client.get(meta.webhook_url, params=query)
        wrong = await client.get(meta.webhook_url, params={**query, "hub.verify_token": "no"})
        assert (right.text, wrong.status_code) == ("1158201444", 401)


async def test_a_person_can_write_on_the_page() -> None:
    async with talking() as (meta, channel, read), httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
        page = await client.get(meta.url)
        await client.post(f"{meta.url}/chats/{ANA.value}", json={"text": "Hola"})
        await meta.settle()
        await channel.send(ANA, Outbound("Hola, Ana"), message_id="m1")
        chat = (await client.get(f"{meta.url}/chats/{ANA.value}")).json()
        assert "Cloud API" in page.text
        assert read[0].messages[0].text == "Hola"
        assert [each["text"] for each in chat["bubbles"]] == ["Hola", "Hola, Ana"]


def interactive(**content: Any) -> dict[str, Any]:
    return {"type": "interactive", "interactive": {"body": {"text": "¿?"}, **content}}


def keys(count: int, title: str = "Tema") -> list[dict[str, Any]]:
    return [{"type": "reply", "reply": {"id": f"{number}", "title": f"{title} {number}"}} for number in range(count)]


@pytest.mark.parametrize(
    "content",
    [
        {"type": "text", "text": {"body": ""}},
        {"type": "text", "text": {"body": "x" * 4097}},
        {"type": "text", "text": {"body": "x"}, "recipient": "GB.1"},
        {"type": "poll"},
        {"type": "image", "image": {"link": "a.jpg"}},
        {"type": "template", "template": {"name": "t"}},
        interactive(type="button", action={"buttons": keys(4)}),
        interactive(type="button", action={"buttons": keys(1, "x" * 21)}),
        interactive(type="button", action={"buttons": keys(1) * 2}),
        interactive(type="list", action={"button": "", "sections": [{"rows": [{"id": "1", "title": "a"}]}]}),
        interactive(type="list", action={"button": "Ver", "sections": [{"rows": []}]}),
    ],
)
def test_what_meta_refuses_the_fake_refuses(content: dict[str, Any]) -> None:
    assert problem_of({"messaging_product": "whatsapp", "to": "1", **content})
