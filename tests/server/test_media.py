"""Files from a contact's phone to the operators, and from operators to the phone, through each provider."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from gateways import Gateway, gateway, until

from hilo.app.gateway import edge_of
from hilo.app.installation import WORKSPACE
from hilo.channels.channel import Channel
from hilo.messages import ApprovedTemplate, Outbound
from hilo.server.app import make_app
from hilo.settings import Settings
from hilo.store.workspaces import ChannelRow
from hilo.testing.providers import FakeInfobip, FakeTelegram, FakeWhatsAppCloud, SharedFile
from hilo.testing.world import CHANNEL, open_world
from patience import PATIENCE
from servers import free_port

Fake = FakeInfobip | FakeWhatsAppCloud | FakeTelegram
KINDS: dict[str, type[Any]] = {"infobip": FakeInfobip, "whatsapp": FakeWhatsAppCloud, "telegram": FakeTelegram}
ANA = "5491155550001"

PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 64
PHOTO = SharedFile("image", PNG, "image/png")
VOICE = SharedFile("voice", b"OggS" + b"\x00" * 64, "audio/ogg; codecs=opus")
INVOICE = SharedFile("document", b"%PDF-1.7 una factura", "application/pdf", "factura.pdf")
PAGE = SharedFile("document", b"<script>alert(1)</script>", "text/html", "oferta.html")
DISGUISED = SharedFile("image", b"<svg onload=alert(1)>", "image/png")

AGENT = """
agent: eco
language: es-AR
slots:
  word: {type: text, ask: "¿Qué anoto?"}
flows:
  note:
    starts: always
    steps:
      - collect: word
      - say: "Anotado: {word}"
templates:
  back: {text: "Hola {word}, ¿seguimos?", wa_template: volver}
"""


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    (tmp_path / "eco.yaml").write_text(AGENT, encoding="utf-8")
    return tmp_path / "eco.yaml"


@pytest.fixture
async def shop(database_url: str, agent: Path, tmp_path: Path) -> AsyncIterator[Gateway]:
    port = free_port()
    more = {"media": str(tmp_path / "media"), "media_mb": 1, "public_url": f"http://127.0.0.1:{port}"}
    async with gateway(database_url, agent, workers=True, port=port, **more) as opened:
        yield opened


async def connect(shop: Gateway, fake: Fake, kind: str) -> None:
    channel: Channel = fake.channel(shop.hilo.clock)
    await shop.connect(ChannelRow("phone", "main", kind, "eco", window_hours=24), channel)


async def reading(shop: Gateway) -> httpx.AsyncClient:
    return shop.client(key=await shop.key("read", "write", "operate"))


async def attachments(client: httpx.AsyncClient) -> list[dict[str, Any]]:
    """Of all that was said in the one session, the oldest first."""
    sessions = (await client.get("/api/v1/sessions")).json()["items"]
    if not sessions:
        return []
    messages = (await client.get(f"/api/v1/sessions/{sessions[0]['id']}/messages")).json()["items"]
    return [each for message in reversed(messages) for each in message["attachments"]]


async def settled(client: httpx.AsyncClient) -> list[dict[str, Any]]:
    """The attachments, when nothing is being fetched any more."""

    async def ready() -> bool:
        found = await attachments(client)
        return bool(found) and all(each["status"] != "waiting" for each in found)

    await until(ready)
    return await attachments(client)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("file", "type_"), [(PHOTO, "image/png"), (VOICE, "audio/ogg"), (INVOICE, "application/pdf")])
async def test_what_a_contact_sends_is_kept_and_served_to_its_workspace(
    shop: Gateway, kind: str, file: SharedFile, type_: str
) -> None:
    async with KINDS[kind](f"{shop.url}/webhooks/{kind}/phone") as fake, await reading(shop) as client:
        await connect(shop, fake, kind)
        await fake.send_file(ANA, file)
        [sent] = await settled(client)
        assert (sent["status"], sent["type"], sent["size"]) == ("kept", type_, len(file.content))
        got = await client.get(sent["url"])
        assert (got.status_code, got.content, got.headers["content-type"]) == (200, file.content, type_)


async def test_a_file_is_shown_to_nobody_else(shop: Gateway) -> None:
    async with FakeInfobip(f"{shop.url}/webhooks/infobip/phone") as fake, await reading(shop) as client:
        await connect(shop, fake, "infobip")
        await fake.send_file(ANA, PHOTO)
        [sent] = await settled(client)
        stranger = shop.client(key=await shop.key("read", workspace="otra"))
        assert (await stranger.get(sent["url"])).status_code == 404
        assert (await shop.client().get(sent["url"])).status_code == 401
        assert (await shop.client().get(f"/media/{sent['media']}")).status_code == 404


async def test_a_file_is_served_so_that_it_can_run_nothing(shop: Gateway) -> None:
    async with FakeInfobip(f"{shop.url}/webhooks/infobip/phone") as fake, await reading(shop) as client:
        await connect(shop, fake, "infobip")
        await fake.send_file(ANA, INVOICE)
        [sent] = await settled(client)
        headers = (await client.get(sent["url"])).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in headers["content-security-policy"]
        assert headers["content-disposition"] == "inline; filename*=UTF-8''factura.pdf"
        assert headers["cache-control"].startswith("private")
        asked = await client.get(sent["url"], params={"download": "1"})
        assert asked.headers["content-disposition"].startswith("attachment")


async def test_a_player_gets_the_part_that_it_asks_for(shop: Gateway) -> None:
    async with FakeInfobip(f"{shop.url}/webhooks/infobip/phone") as fake, await reading(shop) as client:
        await connect(shop, fake, "infobip")
        await fake.send_file(ANA, VOICE)
        [sent] = await settled(client)
        part = await client.get(sent["url"], headers={"range": "bytes=0-3"})
        assert (part.status_code, part.content, part.headers["content-range"]) == (206, b"OggS", "bytes 0-3/68")
        assert (await client.get(sent["url"], headers={"range": "bytes=-4"})).content == b"\x00" * 4
        assert (await client.get(sent["url"], headers={"range": "bytes=900-"})).status_code == 416


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (PAGE, "not taken (text/html)"),
        (DISGUISED, "not taken (image/png)"),
        (SharedFile("video", b"\x00\x00\x00\x18ftypmp42" + b"\x00" * 1024 * 1024, "video/mp4"), "larger than 1 MB"),
    ],
)
async def test_what_is_too_large_or_of_another_type_is_refused_and_said_so(
    shop: Gateway, file: SharedFile, words: str
) -> None:
    async with FakeWhatsAppCloud(f"{shop.url}/webhooks/whatsapp/phone") as fake, await reading(shop) as client:
        await connect(shop, fake, "whatsapp")
        await fake.send_file(ANA, file)
        [sent] = await settled(client)
        assert (sent["status"], sent["url"]) == ("refused", "")
        assert words in sent["reason"]


async def test_a_file_is_fetched_when_its_provider_is_back_and_the_contact_need_not_wait(shop: Gateway) -> None:
    async with FakeInfobip(f"{shop.url}/webhooks/infobip/phone") as fake, await reading(shop) as client:
        await connect(shop, fake, "infobip")
        fake.files_away = True
        await fake.send_file(ANA, PHOTO)

        async def answered() -> bool:
            return bool(fake.chats.said_to(ANA))

        await until(answered)
        [sent] = await attachments(client)
        assert (sent["status"], sent["url"]) == ("waiting", "")
        fake.files_away = False
        [sent] = await settled(client)
        assert sent["status"] == "kept"


async def hold(client: httpx.AsyncClient) -> str:
    """The one session, in the hands of an operator."""
    [session] = (await client.get("/api/v1/sessions")).json()["items"]
    await client.post(f"/api/v1/sessions/{session['id']}/take-over", headers={"Idempotency-Key": "t"})

    async def held() -> bool:
        return bool((await client.get(f"/api/v1/sessions/{session['id']}")).json()["holder"] == "operator")

    await until(held)
    return str(session["id"])


async def say(client: httpx.AsyncClient, session: str, once: str = "1", **message: Any) -> httpx.Response:
    url, headers = f"/api/v1/sessions/{session}/messages", {"Idempotency-Key": once}
    return await client.post(url, json=message, headers=headers)


async def talked(fake: Fake, client: httpx.AsyncClient) -> str:
    """A contact has written and an operator holds the session."""
    await fake.write(ANA, "hola")

    async def answered() -> bool:
        return bool(fake.chats.said_to(ANA))

    await until(answered)
    return await hold(client)


@pytest.mark.parametrize("kind", KINDS)
async def test_an_operator_sends_a_file_that_the_provider_can_fetch(shop: Gateway, kind: str) -> None:
    async with KINDS[kind](f"{shop.url}/webhooks/{kind}/phone") as fake, await reading(shop) as client:
        await connect(shop, fake, kind)
        session = await talked(fake, client)
        headers = {"content-type": "application/pdf"}
        kept = await client.post("/api/v1/media?name=lista.pdf", content=INVOICE.content, headers=headers)
        assert (kept.status_code, kept.json()["kind"], kept.json()["name"]) == (201, "document", "lista.pdf")
        said = await say(client, session, text="Va la lista", attachment={"media": kept.json()["id"]})
        assert said.status_code == 202, said.text

        async def arrived() -> bool:
            return "Va la lista" in fake.chats.said_to(ANA)

        await until(arrived)
        bubble = next(each for each in fake.chats.of(ANA) if each.text == "Va la lista")
        async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as provider:
            assert (await provider.get(bubble.media)).content == INVOICE.content
        sent = (await attachments(client))[-1]
        assert (sent["url"], sent["status"]) == (f"/api/v1/media/{kept.json()['id']}", "kept")


async def test_an_operator_sends_a_place_without_words(shop: Gateway) -> None:
    async with FakeWhatsAppCloud(f"{shop.url}/webhooks/whatsapp/phone") as fake, await reading(shop) as client:
        await connect(shop, fake, "whatsapp")
        session = await talked(fake, client)
        place = {"latitude": -34.6, "longitude": -58.4, "name": "Local", "address": "Corrientes 1234"}
        assert (await say(client, session, attachment=place)).status_code == 202

        async def arrived() -> bool:
            return any(each.media.startswith("📍") for each in fake.chats.of(ANA))

        await until(arrived)
        sent = next(each["location"] for each in fake.taken if each["type"] == "location")
        assert {name: str(each) for name, each in sent.items()} == {name: str(each) for name, each in place.items()}


async def test_what_cannot_be_sent_is_refused_before_it_is_written_down(shop: Gateway) -> None:
    async with FakeInfobip(f"{shop.url}/webhooks/infobip/phone") as fake, await reading(shop) as client:
        await connect(shop, fake, "infobip")
        session = await talked(fake, client)
        page = await client.post("/api/v1/media?name=a.html", content=b"<p>", headers={"content-type": "text/html"})
        assert page.status_code == 415
        large = await client.post("/api/v1/media", content=PNG + b"\x00" * 6_000_000)
        assert large.status_code == 413
        assert (await say(client, session, attachment={"media": "media_none"})).status_code == 422
        assert (await say(client, session)).status_code == 422
        assert (await say(client, session, attachment={"latitude": 1.0})).status_code == 422
        reader = shop.client(key=await shop.key("read"))
        assert (await reader.post("/api/v1/media", content=PNG)).status_code == 403


async def test_approved_templates_are_offered_and_go_out_when_the_window_is_closed(
    database_url: str, agent: Path
) -> None:
    async with open_world(database_url, agent) as world:
        row = ChannelRow(CHANNEL, WORKSPACE, "test", "eco", window_hours=24)
        await world.hilo.add_channel(row, world.channel)
        shop = Gateway(world.hilo, make_app(edge_of(world.hilo, Settings(Path()))), database_url)
        async with await reading(shop) as client:
            await world.say(ANA, "hola")
            session = (await client.get("/api/v1/sessions")).json()["items"][0]["id"]
            await client.post(f"/api/v1/sessions/{session}/take-over", headers={"Idempotency-Key": "t"})
            await world.settle()
            assert (await client.get(f"/api/v1/sessions/{session}/templates")).json()["open"] is True
            await world.wait(timedelta(hours=25))
            offered = (await client.get(f"/api/v1/sessions/{session}/templates")).json()
            [template] = offered["items"]
            assert offered["open"] is False
            assert (template["name"], template["language"], template["fields"]) == ("volver", "es_AR", ["word"])
            chosen = {"name": "volver", "language": "es_AR", "values": ["Ana"]}
            assert (await say(client, session, "0", template={**chosen, "values": []})).status_code == 422
            assert (await say(client, session, "0", template={**chosen, "name": "otra"})).status_code == 422
            assert (await say(client, session, template=chosen)).status_code == 202
            await world.settle()
            assert world.sent_to(ANA)[-1].message == Outbound(
                "", approved=ApprovedTemplate("volver", "es_AR", ("Ana",))
            )
            messages = (await client.get(f"/api/v1/sessions/{session}/messages")).json()["items"]
            assert messages[0]["text"] == "Hola Ana, ¿seguimos?"
