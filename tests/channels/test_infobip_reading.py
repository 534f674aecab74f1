import base64
import copy
import hashlib
import hmac
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilo.channels.channel import NotGenuine, NotReadable, Received, Webhook
from hilo.channels.infobip import BasicAuth, Infobip, InfobipSettings, SecretHeader, SignedBody
from hilo.channels.infobip.settings import WebhookAuth
from hilo.messages import Address, Attachment, Inbound, OrderedItem, Receipt

PAYLOADS = Path(__file__).parent / "payloads" / "infobip"
POSTED = sorted(path.stem for path in PAYLOADS.iterdir() if path.stem.startswith(("inbound_", "report_", "event_")))
SETTINGS = InfobipSettings("https://x.api.infobip.com", "clave", "441134960000", open_webhook=True)
CHANNEL = Infobip(SETTINGS)

MEDIA = "https://xxxxxx.api.infobip.com/whatsapp/1/senders/441134960000/media/20669_22_2934961203506469"
OURS = "3f0d6c0e-6f0e-4c39-9b3f-0b7c1b1a0001"
ASKED = "wamid.OUTBOUND-ID"
ANA = Inbound(
    id="wamid.HBgMNDQ3NzAwOTAwMTIzFQIAEhggRkFLRTAwMDAwMDAwMDAwMQA=",
    sender=Address("infobip", "447700900123"),
    text="",
    at=datetime(2026, 11, 15, 14, 3, 11, tzinfo=UTC),
    name="Ana Gómez",
    phone="447700900123",
)


def from_ana(text: str = "", attachment: Attachment | None = None, **fields: Any) -> Received:
    attachments = (attachment,) if attachment else ()
    return Received(messages=(replace(ANA, text=text, attachments=attachments, **fields),))


PLACE = Attachment(
    "location",
    "https://example.com/place",
    caption="Cra 7 # 1-01, Bogotá",
    name="Oficina",
    latitude=4.710989,
    longitude=-74.072092,
)
PAID = Attachment(
    "payment", values=(("currency", "BRL"), ("amount", "150050"), ("reference", "PED-42"), ("payment", "tx1"))
)
LATER = replace(ANA, id=ANA.id + "2", text="dos", at=ANA.at + timedelta(seconds=1))

EXPECTED = {
    "event_identity_change": Received(ignored=("a change of a contact's security code",)),
    "event_template_rejected": Received(ignored=("a change of a template",)),
    "inbound_audio": from_ana(attachment=Attachment("audio", MEDIA)),
    "inbound_batch_of_two": Received(messages=(replace(ANA, text="uno"), LATER)),
    "inbound_button_quick_reply_of_template": from_ana("Sí", payload="confirm:yes:A-1001", answers=ASKED),
    "inbound_contact": from_ana(attachment=Attachment("contact", name="Luis Pérez", phone="447700900456")),
    "inbound_document": from_ana(attachment=Attachment("document", MEDIA, name="factura.pdf")),
    "inbound_image": from_ana("Así llegó el paquete", Attachment("image", MEDIA, caption="Así llegó el paquete")),
    "inbound_interactive_button_reply": from_ana("Sí, confirmar", payload="confirm:yes", answers=ASKED),
    "inbound_interactive_flow_reply": from_ana(
        attachment=Attachment("form", values=(("nombre", "Ana"), ("personas", "4"))), answers=ASKED
    ),
    "inbound_interactive_list_reply": from_ana("Facturación", payload="topic:billing", answers=ASKED),
    "inbound_interactive_payment_confirmation": from_ana(attachment=PAID, answers=ASKED),
    "inbound_location": from_ana(attachment=PLACE),
    "inbound_order": from_ana(
        "Sin cebolla por favor", order=(OrderedItem("SKU-1", 2, price=Decimal("19.99"), currency="EUR"),)
    ),
    "inbound_reaction": Received(ignored=("a reaction",)),
    "inbound_sticker": from_ana(attachment=Attachment("sticker", MEDIA)),
    "inbound_text": from_ana("Hola, ¿dónde está mi pedido A-1001?"),
    "inbound_text_ad_referral": from_ana("Quiero info", referral="120210000000000001"),
    "inbound_text_identity": from_ana("Hola"),
    "inbound_text_keyword": from_ana("SOPORTE hola"),
    "inbound_text_reply_context": from_ana("Sí, ese", answers=ASKED),
    "inbound_unsupported": from_ana(attachment=Attachment("unknown")),
    "inbound_video": from_ana("mira", Attachment("video", MEDIA, caption="mira")),
    "inbound_voice": from_ana(attachment=Attachment("audio", MEDIA)),
    "report_delivered": Received(
        receipts=(Receipt(OURS, "delivered", datetime(2026, 11, 15, 14, 3, 15, 494000, tzinfo=UTC)),)
    ),
    "report_seen": Received(receipts=(Receipt(OURS, "read", datetime(2026, 11, 15, 14, 4, 2, 251000, tzinfo=UTC)),)),
}


def payload(name: str) -> Any:
    return json.loads((PAYLOADS / f"{name}.json").read_bytes())


def read(body: Any) -> Received:
    return CHANNEL.read(Webhook("POST", {}, {}, json.dumps(body).encode()))


def read_one(name: str, **fields: Any) -> Received:
    """A payload file whose only result has other fields; None takes a field away."""
    body = payload(name)
    result = {**body["results"][0], **fields}
    body["results"] = [{key: value for key, value in result.items() if value is not None}]
    return read(body)


@pytest.mark.parametrize("name", POSTED)
def test_every_payload_is_read_as_expected(name: str) -> None:
    body = (PAYLOADS / f"{name}.json").read_bytes()
    assert CHANNEL.read(Webhook("POST", {}, {}, body)) == EXPECTED[name]


def test_the_table_has_every_payload() -> None:
    assert sorted(EXPECTED) == POSTED


def test_one_body_may_mix_messages_reports_and_strangers() -> None:
    mixed = [payload(name)["results"][0] for name in ("report_seen", "inbound_text", "report_delivered")]
    received = read({"results": [*mixed, {"new": 1}, 7]})
    assert [each.status for each in received.receipts] == ["read", "delivered"]
    assert received.messages == EXPECTED["inbound_text"].messages
    assert received.ignored == ("a result of an unknown kind", "a result that is no object")


@pytest.mark.parametrize(
    ("fields", "sender", "phone"),
    [
        ({"from": "AR.1776622120445919", "contact": {"userId": "AR.1776622120445919"}}, "AR.1776622120445919", ""),
        ({"from": None, "contact": {"userId": "AR.1776622120445919"}}, "AR.1776622120445919", ""),
        ({"contact": None}, "447700900123", "447700900123"),
        ({"from": "AR.17", "contact": {"phoneNumber": "447700900123"}}, "AR.17", "447700900123"),
    ],
)
def test_a_contact_may_show_no_phone(fields: dict[str, Any], sender: str, phone: str) -> None:
    [message] = read_one("inbound_text", **fields).messages
    assert (message.sender, message.phone) == (Address("infobip", sender), phone)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ({"groupId": 1, "name": "PENDING_ENROUTE"}, "sent"),
        ({"groupId": 3, "name": "DELIVERED_TO_OPERATOR"}, "sent"),
        ({"groupId": 3, "name": "DELIVERED_TO_HANDSET"}, "delivered"),
        ({"groupName": "DELIVERED"}, "delivered"),
        *(({"groupId": group}, "failed") for group in (2, 4, 5)),
        *(({"groupName": group}, "failed") for group in ("UNDELIVERABLE", "EXPIRED", "REJECTED")),
    ],
)
def test_a_status_is_read_by_its_group(status: dict[str, Any], expected: str) -> None:
    assert [each.status for each in read_one("report_delivered", status=status).receipts] == [expected]


def test_a_failure_tells_why() -> None:
    error = {"id": 7031, "name": "EC_SOMETHING", "description": "The contact is not on WhatsApp", "groupId": 1}
    [receipt] = read_one("report_delivered", status={"groupId": 2}, error=error).receipts
    assert (receipt.reason, receipt.window_closed) == ("The contact is not on WhatsApp (7031)", False)


def test_a_failure_without_an_error_tells_its_status() -> None:
    status = {"groupId": 5, "id": 12, "name": "REJECTED_NOT_ENOUGH_CREDITS", "description": "No credit"}
    [receipt] = read_one("report_delivered", status=status).receipts
    assert receipt.reason == "No credit (12)"


def test_a_failure_because_of_a_closed_window_says_so() -> None:
    error = {"id": 7010, "name": "EC_WINDOW", "description": "Outside the window"}
    [receipt] = read_one("report_delivered", status={"groupId": 5}, error=error).receipts
    assert receipt.window_closed


@pytest.mark.parametrize(
    ("name", "fields", "whole"),
    [
        ("report_delivered", {"messageId": f"{OURS}-2", "callbackData": OURS}, OURS),
        ("report_seen", {"messageId": f"{OURS}-12"}, OURS),
        ("report_delivered", {"messageId": "pedido-2", "callbackData": "pedido-2"}, "pedido-2"),
        ("report_seen", {"messageId": "message_3f2a9c"}, "message_3f2a9c"),
    ],
)
def test_a_report_of_a_part_is_one_of_the_whole_message(name: str, fields: dict[str, Any], whole: str) -> None:
    assert [each.message_id for each in read_one(name, **fields).receipts] == [whole]


def test_a_time_keeps_its_zone() -> None:
    [message] = read_one("inbound_text", receivedAt="2026-11-15T11:03:11.000-0300").messages
    assert message.at.isoformat() == "2026-11-15T11:03:11-03:00"
    assert message.at == ANA.at.astimezone(timezone(timedelta(hours=-3)))


def test_a_cut_title_gives_way_to_the_whole_one() -> None:
    content = {
        "type": "INTERACTIVE_LIST_REPLY",
        "id": "1",
        "title": "Transferencia…",
        "description": "Transferencia ya",
    }
    [message] = read_one("inbound_interactive_list_reply", message=content).messages
    assert message.text == "Transferencia ya"


def test_words_under_a_document_are_the_contacts() -> None:
    content = {"type": "DOCUMENT", "url": MEDIA, "caption": "Esta es la factura."}
    [message] = read_one("inbound_document", message=content).messages
    assert message.text == "Esta es la factura."


def test_nul_and_lone_surrogates_never_come_in() -> None:
    [message] = read_one("inbound_text", message={"type": "TEXT", "text": "ho\x00la \ud800😀"}).messages
    assert message.text == "hola 😀"


@pytest.mark.parametrize(
    "fields",
    [
        {"messageId": None},
        {"messageId": "x" * 2000},
        {"messageId": 1.5},
        {"from": None, "contact": None},
        {"receivedAt": "yesterday"},
        {"receivedAt": "0001-01-01T00:00:00.000+1400"},
        {"receivedAt": 1700000000},
        {"message": "hola"},
        {"message": {"type": {"a": 1}}},
    ],
)
def test_what_cannot_be_a_message_is_ignored_with_a_word(fields: dict[str, Any]) -> None:
    received = read_one("inbound_text", **fields)
    assert (received.messages, len(received.ignored)) == ((), 1)


@pytest.mark.parametrize(
    "content",
    [
        {"type": "TEXT"},
        {"type": "TEXT", "text": 5},
        {"type": "HOLOGRAM", "text": "hola"},
        {"type": "LOCATION", "latitude": 1e30, "longitude": 0},
        {"type": "LOCATION", "latitude": True, "longitude": 0},
        {"type": "INTERACTIVE_BUTTON_REPLY", "id": "p" * 5000, "title": "Sí"},
        {"type": "ORDER", "productItems": [{"productRetailerId": "A", "quantity": 1}, {"quantity": 1}]},
        {"type": "ORDER", "productItems": [{"productRetailerId": "A", "quantity": 0}]},
        {"type": "ORDER", "productItems": [{"productRetailerId": "A", "quantity": 1.5}]},
        {"type": "CONTACT", "contacts": "Luis"},
        {"type": "INTERACTIVE_FLOW_REPLY", "text": "Sent"},
        {"type": "INTERACTIVE_FLOW_REPLY", "response": "{}"},
        {"type": "INTERACTIVE_FLOW_REPLY", "response": {"flow_token": "FT-1", "deep": {"a": 1}}},
    ],
)
def test_what_cannot_be_read_is_kept_as_something_that_came(content: dict[str, Any]) -> None:
    [message] = read_one("inbound_text", message=content).messages
    assert (message.text, message.payload, message.order) == ("", "", ())
    assert message.attachments == (Attachment("unknown"),)


@pytest.mark.parametrize("status", ["NEW", "PENDING", "CANCELED", "FAILED", "UNKNOWN"])
def test_a_payment_that_is_not_made_is_none(status: str) -> None:
    content = payload("inbound_interactive_payment_confirmation")["results"][0]["message"]
    received = read_one("inbound_text", message={**content, "status": status})
    assert received == Received(ignored=(f"a payment that is not made: {status}",))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"text"',
        b'{"results": NaN}',
        b'{"results": {}}',
        b'{"results": "all"}',
        b"\xff\xfe{}",
        b'{"results": [' + b"[" * 100_000,
        b'{"a": ' * 5_000 + b"1" + b"}" * 5_000,
        b'{"results": [{"a": ' + b"9" * 10_000 + b"}]}",
        b'{"results": [{"a": 1e999999999}]}',
    ],
)
def test_a_body_that_is_none_of_infobips_is_not_readable(body: bytes) -> None:
    with pytest.raises(NotReadable):
        CHANNEL.read(Webhook("POST", {}, {}, body))


def test_infobip_only_posts() -> None:
    with pytest.raises(NotReadable):
        CHANNEL.read(Webhook("GET", {}, {}, b"{}"))


ODD: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["\ud800", "\x00", "9" * 999]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a JSON value, the value itself first."""
    yield path
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(inner, (*path, key))


def changed(body: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copied = copy.copy(body)
    copied[path[0]] = changed(body[path[0]], path[1:], new)
    return copied


@given(st.data())
def test_a_body_with_anything_anywhere_is_read_or_not_readable(drawn: st.DataObject) -> None:
    body = payload(drawn.draw(st.sampled_from(POSTED)))
    for _ in range(drawn.draw(st.integers(1, 3))):
        body = changed(body, drawn.draw(st.sampled_from(list(places(body)))), drawn.draw(ODD))
    try:
        received = read(body)
    except NotReadable:
        return
    for message in received.messages:
        assert message.id
        assert message.sender.value
        assert message.at.astimezone(UTC)
        repr(message).encode()  # no lone surrogates
    assert all(receipt.message_id and receipt.at.tzinfo for receipt in received.receipts)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_not_readable(body: bytes) -> None:
    try:
        CHANNEL.read(Webhook("POST", {}, {}, body))
    except NotReadable:
        return


def channel_with(auth: WebhookAuth | None) -> Infobip:
    return Infobip(InfobipSettings("https://x.api.infobip.com", "clave", "441134960000", auth=auth))


def basic(token: str) -> dict[str, str]:
    return {"authorization": "Basic " + base64.b64encode(token.encode()).decode()}


BODY = b'{"results": []}'
DIGEST = hmac.new(b"secreto", BODY, hashlib.sha256)
BASIC, SECRET = BasicAuth("infobip", "contraseña"), SecretHeader("X-Hilo", "secreto")
SIGNED = SignedBody("X-Signature", "secreto")


@pytest.mark.parametrize(
    ("auth", "headers"),
    [
        (BASIC, basic("infobip:contraseña")),
        (SECRET, {"x-hilo": "secreto"}),
        (SIGNED, {"x-signature": DIGEST.hexdigest()}),
        (SIGNED, {"x-signature": "sha256=" + DIGEST.hexdigest().upper()}),
        (SIGNED, {"x-signature": base64.b64encode(DIGEST.digest()).decode()}),
        (SignedBody("h", "s", "sha512"), {"h": hmac.new(b"s", BODY, hashlib.sha512).hexdigest()}),
    ],
)
def test_a_webhook_with_what_was_agreed_on_is_believed(auth: WebhookAuth, headers: dict[str, str]) -> None:
    assert channel_with(auth).read(Webhook("POST", headers, {}, BODY)) == Received()


@pytest.mark.parametrize(
    ("auth", "headers"),
    [
        (None, {}),
        (None, basic("infobip:contraseña")),
        (BASIC, {}),
        (BASIC, basic("infobip:otra")),
        (BASIC, basic("otro:contraseña")),
        (BASIC, {"authorization": basic("infobip:contraseña")["authorization"].replace("Basic", "Bearer")}),
        (BASIC, {"authorization": "Basic \udcff"}),
        (BasicAuth("infobip", ""), basic("infobip:")),
        (SECRET, {}),
        (SECRET, {"x-hilo": "secretos"}),
        (SecretHeader("x-hilo", ""), {"x-hilo": ""}),
        (SIGNED, {}),
        (SIGNED, {"x-signature": ""}),
        (SIGNED, {"x-signature": DIGEST.hexdigest()[:-1] + "ñ"}),
        (SIGNED, {"x-signature": hmac.new(b"secreto", b"other", hashlib.sha256).hexdigest()}),
        (SignedBody("x-signature", ""), {"x-signature": hmac.new(b"", BODY, hashlib.sha256).hexdigest()}),
    ],
)
def test_a_webhook_without_it_is_not_genuine(auth: WebhookAuth | None, headers: dict[str, str]) -> None:
    with pytest.raises(NotGenuine):
        channel_with(auth).read(Webhook("POST", headers, {}, BODY))


def test_a_forged_webhook_is_refused_before_it_is_read() -> None:
    with pytest.raises(NotGenuine):
        channel_with(BASIC).read(Webhook("POST", {}, {}, b"{"))


@pytest.mark.parametrize("auth", [BASIC, SECRET, SIGNED])
def test_no_secret_is_ever_shown(auth: WebhookAuth) -> None:
    settings = InfobipSettings("https://x.api.infobip.com", "clave-secreta", "441134960000", auth=auth)
    assert not any(word in repr(settings) for word in ("clave-secreta", "contraseña", "secreto"))


@pytest.mark.parametrize(
    ("url", "key"),
    [
        *((url, "clave") for url in ("x.api.infobip.com", "https://", "ftp://x", "https://x\x00")),
        *(("https://x", key) for key in ("clave\n", "una clave", "ñ", "ñ\ud800")),
    ],
)
def test_settings_that_cannot_work_are_refused_without_showing_the_key(url: str, key: str) -> None:
    with pytest.raises(ValueError, match="Infobip") as problem:
        InfobipSettings(url, key, "441134960000")
    assert key not in str(problem.value)
