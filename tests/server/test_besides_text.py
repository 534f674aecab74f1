"""What contacts send besides text, on every channel: from the webhook to the reply, the session and the API."""

import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from gateways import Gateway, gateway, until

from hilo.store.workspaces import ChannelRow
from hilo.testing.providers import FakeInfobip, FakeTelegram, FakeWhatsAppCloud

AGENT = """
agent: envios
language: es-AR
slots:
  name: {type: person_name, ask: "¿Cómo te llamás?"}
  phone: {type: phone, ask: "¿Qué teléfono?"}
  address: {type: text, ask: "¿A qué dirección?"}
flows:
  send:
    starts: always
    steps:
      - collect: [name, phone, address]
      - say: "Va a {address}, {name}, {phone}."
attachments:
  location: {into: {address: address}}
  contact: {into: {name: name, phone: phone}}
  audio: {say: "Todavía no puedo escuchar audios."}
  document: {handoff: "mandó un documento"}
  payment: {into: {amount: address}}
"""
KEPT, NAME, PHONE = "queda guardado para el equipo", "¿Cómo te llamás?", "¿Qué teléfono?"
# What the contact is told, and as what it is kept.
TOLD = {
    "image": (KEPT, ["image"]),
    "video": (KEPT, ["video"]),
    "sticker": (KEPT, ["sticker"]),
    "voice": ("Todavía no puedo escuchar audios.", ["audio"]),
    "document": ("una persona", ["document"]),
    "location": (NAME, ["location"]),
    "card": ("¿A qué dirección?", ["contact"]),
    "form": (PHONE, ["form"]),
    "payment": (NAME, ["payment"]),
    "cart": (KEPT, []),
    "referral": (PHONE, []),
    "unheard of": (KEPT, ["unknown"]),
}
FIELDS = {"name": "Ana Pérez", "address": "Corrientes 1234", "flow_token": "t"}
PLACE = {"latitude": -34.6037, "longitude": -58.3816}


def _infobip_media(kind: str) -> dict[str, Any]:
    return {"type": kind.upper(), "url": "http://127.0.0.1:9/file"}


INFOBIP: dict[str, dict[str, Any]] = {
    **{kind: _infobip_media(kind) for kind in ("image", "video", "sticker", "voice", "document")},
    "location": {"type": "LOCATION", **PLACE, "address": "Corrientes 1234"},
    "card": {
        "type": "CONTACT",
        "contacts": [{"name": {"formattedName": "Ana Pérez"}, "phones": [{"phone": "+54 9 11 5555 0001"}]}],
    },
    "form": {"type": "INTERACTIVE_FLOW_REPLY", "text": "Sent", "response": FIELDS},
    "payment": {
        "type": "INTERACTIVE_PAYMENT_CONFIRMATION",
        "status": "CAPTURED",
        "currency": "BRL",
        "referenceId": "PED-42",
        "transactionId": "tx1",
        "totalAmount": {"value": 150050, "offset": 100},
    },
    "cart": {"type": "ORDER", "productItems": [{"productRetailerId": "SKU-1", "quantity": 2}]},
    "referral": {"type": "TEXT", "text": "soy Ana Pérez", "referral": {"sourceId": "ad-17"}},
    "unheard of": {"type": "HOLOGRAM", "light": 1},
}
META: dict[str, dict[str, Any]] = {
    **{kind: {"type": kind, kind: {"id": "2754859441498128"}} for kind in ("image", "video", "sticker", "document")},
    "voice": {"type": "audio", "audio": {"id": "2754859441498128", "voice": True}},
    "location": {"type": "location", "location": {**PLACE, "address": "Corrientes 1234"}},
    "card": {
        "type": "contacts",
        "contacts": [{"name": {"formatted_name": "Ana Pérez"}, "phones": [{"phone": "+54 9 11 5555 0001"}]}],
    },
    "form": {
        "type": "interactive",
        "interactive": {"type": "nfm_reply", "nfm_reply": {"name": "flow", "response_json": json.dumps(FIELDS)}},
    },
    "cart": {"type": "order", "order": {"product_items": [{"product_retailer_id": "SKU-1", "quantity": 2}]}},
    "referral": {"type": "text", "text": {"body": "soy Ana Pérez"}, "referral": {"source_id": "ad-17"}},
    "unheard of": {"type": "hologram", "hologram": {"light": 1}},
}
TELEGRAM: dict[str, dict[str, Any]] = {
    "image": {"photo": [{"file_id": "f1"}]},
    **{kind: {kind: {"file_id": "f1"}} for kind in ("video", "sticker", "voice", "document")},
    "location": {"location": PLACE, "venue": {"address": "Corrientes 1234", "title": "Obelisco"}},
    "card": {"contact": {"first_name": "Ana", "last_name": "Pérez", "phone_number": "+5491155550001"}},
    "payment": {"successful_payment": {"currency": "ARS", "total_amount": 150050, "invoice_payload": "PED-42"}},
    "unheard of": {"dice": {"value": 6}},
}
CHANNELS: dict[str, tuple[Callable[[str], Any], dict[str, dict[str, Any]]]] = {
    "infobip": (FakeInfobip, INFOBIP),
    "whatsapp": (FakeWhatsAppCloud, META),
    "telegram": (FakeTelegram, TELEGRAM),
}


@pytest.fixture
async def shop(database_url: str, tmp_path: Path) -> AsyncIterator[Gateway]:
    (tmp_path / "envios.yaml").write_text(AGENT, encoding="utf-8")
    async with gateway(database_url, tmp_path / "envios.yaml", workers=True, media=str(tmp_path / "media")) as opened:
        yield opened


@pytest.mark.parametrize("kind", CHANNELS)
async def test_whatever_a_contact_sends_is_answered_and_kept_for_operators(shop: Gateway, kind: str) -> None:
    make, sent = CHANNELS[kind]
    async with make(f"{shop.url}/webhooks/{kind}/phone") as fake:
        await shop.connect(ChannelRow("phone", "main", kind, "envios"), fake.channel(shop.hilo.clock))
        contacts = {name: f"54911555500{number:02}" for number, name in enumerate(sent)}
        for name, content in sent.items():
            await fake._say(contacts[name], "", content)  # noqa: SLF001 -- as the provider words it

        async def all_answered() -> bool:
            return all(fake.chats.said_to(each) for each in contacts.values())

        await until(all_answered)
        said = {name: " ".join(fake.chats.said_to(to)) for name, to in contacts.items()}
        kept = await _kept(shop)
    for name, (told, attached) in TOLD.items():
        if name in sent:
            assert told in said[name], (name, said[name])
            assert [each["kind"] for each in kept[contacts[name]]["attachments"]] == attached, name
    if "referral" in sent:
        assert "[from ad-17]" in kept[contacts["referral"]]["text"]
        assert "[order 2 × SKU-1]" in kept[contacts["cart"]]["text"]
    if "payment" in sent:
        assert "amount: 150050" in kept[contacts["payment"]]["text"]


async def _kept(shop: Gateway) -> dict[str, dict[str, Any]]:
    """What the API shows of the one message of each contact."""
    found = {}
    async with shop.client(key=await shop.key("read")) as client:
        for session in (await client.get("/api/v1/sessions", params={"limit": 100})).json()["items"]:
            messages = (await client.get(f"/api/v1/sessions/{session['id']}/messages")).json()["items"]
            found[session["address"]] = next(each for each in messages if each["author"] == "contact")
    return found


async def test_whoever_stops_marketing_or_moves_is_noted_where_the_provider_tells(shop: Gateway) -> None:
    async with FakeWhatsAppCloud(f"{shop.url}/webhooks/whatsapp/phone") as meta:
        await shop.connect(ChannelRow("phone", "main", "whatsapp", "envios"), meta.channel(shop.hilo.clock))
        await meta.write("5491155550001", "hola")

        async def answered() -> bool:
            return bool(meta.chats.said_to("5491155550001"))

        await until(answered)
        await meta.want_marketing("5491155550001", wanted=False)

        async def stopped() -> bool:
            return "stopped marketing" in {each["action"] for each in shop.rows("SELECT action FROM audit")}

        await until(stopped)
        await meta.change_number("5491155550001", "5491155550002")

        async def moved() -> bool:
            return {each["value"] for each in shop.rows("SELECT value FROM addresses")} == {"5491155550002"}

        await until(moved)
