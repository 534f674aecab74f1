"""The fake Telegram and our channel, both ways over real HTTP."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hilo.channels.channel import NotGenuine, Received, Webhook
from hilo.channels.telegram import Telegram
from hilo.channels.telegram.keyboard import carried
from hilo.messages import Address, Button, Outbound
from hilo.testing import FakeClock
from hilo.testing.loopback import serving
from hilo.testing.providers.provider import Faults
from hilo.testing.providers.telegram import FakeTelegram
from patience import PATIENCE

ANA = Address("telegram", "5550001")
YES = Button("confirm:yes", "Sí")


@asynccontextmanager
async def talking(faults: Faults | None = None) -> AsyncIterator[tuple[FakeTelegram, Telegram, list[Received]]]:
    """A fake whose updates reach our channel, and what the channel read."""
    read: list[Received] = []
    async with FakeTelegram("", faults=faults) as telegram:
        channel = Telegram(telegram.settings, FakeClock(datetime(2026, 11, 15, 15, 0, tzinfo=UTC)))

        async def webhook(request: Request) -> Response:
            posted = Webhook(request.method, dict(request.headers), dict(request.query_params), await request.body())
            try:
                read.append(channel.read(posted))
            except NotGenuine:
                return Response(status_code=401)
            return Response(read[-1].answer, media_type="application/json")

        async with serving(Starlette(routes=[Route("/hook", webhook, methods=["POST"])]), 0) as url:
            telegram.webhook_url = f"{url}/hook"
            yield telegram, channel, read
            await channel.aclose()


async def test_a_contact_writes_and_is_answered() -> None:
    async with talking() as (telegram, channel, read):
        update_id = await telegram.write(ANA.value, "Hola")
        await telegram.settle()
        message = read[0].messages[0]
        assert (message.id, message.sender, message.text) == (update_id, ANA, "Hola")
        await channel.send(message.sender, Outbound("¿Confirmas?", (YES,)), message_id="m1")
        assert telegram.chats.said_to(ANA.value) == ("¿Confirmas?",)


async def test_a_pressed_button_comes_back_with_words_and_payload_and_stops_spinning() -> None:
    async with talking() as (telegram, channel, read):
        await telegram.write(ANA.value, "Hola")
        await channel.send(ANA, Outbound("¿Confirmas?", (YES,)), message_id="m1")
        await telegram.press(ANA.value, "confirm:yes")
        assert len(telegram.spinning) == 1
        await telegram.settle()
        pressed = next(each.messages[0] for each in read if each.answer)
        assert (pressed.text, pressed.payload) == ("Sí", "confirm:yes")
        assert telegram.spinning == set()


async def test_a_button_with_a_long_payload_comes_back_as_its_words() -> None:
    long = "set:product:" + "x" * 80
    async with talking() as (telegram, channel, read):
        await telegram.write(ANA.value, "Hola")
        await channel.send(ANA, Outbound("¿Cuál?", (Button(long, "Zapatillas"),)), message_id="m1")
        await telegram.press(ANA.value, carried(long))
        await telegram.settle()
        pressed = next(each.messages[0] for each in read if each.answer)
        assert (pressed.text, pressed.payload) == ("Zapatillas", "")


async def test_a_place_arrives() -> None:
    async with talking() as (telegram, _, read):
        await telegram.share_place(ANA.value, 4.5, -74.25)
        await telegram.settle()
        place = read[0].messages[0].attachments[0]
        assert (place.latitude, place.longitude) == (4.5, -74.25)


async def test_duplicates_keep_their_id_and_nothing_is_lost_out_of_order() -> None:
    async with talking(Faults(duplicates=0.5, reorder=0.5, seed=1)) as (telegram, _, read):
        written = [await telegram.write(ANA.value, f"mensaje {number}") for number in range(20)]
        await telegram.settle()
        came = [each.messages[0].id for each in read]
        assert set(came) == set(written)
        assert len(came) > len(written)
        assert list(dict.fromkeys(came)) != written


async def test_a_forged_update_is_turned_away() -> None:
    async with talking() as (telegram, _, _read):
        async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
            forged = await client.post(telegram.webhook_url, content=json.dumps({"update_id": 1}))
        assert forged.status_code == 401


async def test_what_telegram_refuses_the_fake_refuses() -> None:
    async with talking() as (telegram, _, _read), httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
        await telegram.write(ANA.value, "Hola")
        url = f"{telegram.settings.url}/sendMessage"
        keys = {"inline_keyboard": [[{"text": "Sí", "callback_data": "x" * 65}]]}
        wrong: list[dict[str, object]] = [{}, {"text": ""}, {"text": "x" * 4097}, {"text": "¿?", "reply_markup": keys}]
        answers = [await client.post(url, json={"chat_id": 5550001, **each}) for each in wrong]
        torn = await client.post(url, content=b"{")
        assert [each.status_code for each in (*answers, torn)] == [400] * 5
        assert telegram.taken == []


async def test_a_person_can_write_on_the_page() -> None:
    async with talking() as (telegram, _, read), httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
        page = await client.get(telegram.url)
        await client.post(f"{telegram.url}/chats/5550001", json={"text": "Hola"})
        wrong = await client.post(f"{telegram.url}/chats/ana", json={"text": "Hola"})
        await asyncio.wait_for(telegram.settle(), PATIENCE)
        assert "Telegram de prueba" in page.text
        assert read[0].messages[0].text == "Hola"
        assert wrong.status_code == 400
