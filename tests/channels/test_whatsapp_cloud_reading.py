"""WhatsApp Cloud API: every webhook of the payload folder, and what must never be believed or crash."""

import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from depth import depth
from hilo.channels.channel import NotGenuine, NotReadable, Received, Webhook
from hilo.channels.whatsapp_cloud import WhatsAppCloud, WhatsAppCloudSettings
from hilo.channels.whatsapp_cloud.reading import read_event
from hilo.errors import HiloError
from hilo.messages import Address, Attachment, Inbound, MarketingChoice, NumberChanged, OrderedItem, Receipt

PAYLOADS = Path(__file__).parent / "payloads" / "meta"
SETTINGS = WhatsAppCloudSettings(
    phone_number_id="106540352242922",
    access_token="EAA-token",  # noqa: S106 -- of nobody
    app_secret="app-secret",  # noqa: S106 -- the one of the payload folder
    verify_token="my-verify-token",  # noqa: S106 -- the one of the payload folder
)
CHANNEL = WhatsAppCloud(SETTINGS)
WAMID = "wamid.HBgMNDQ3NzAwOTAwMTIzFQIAEhggRkFLRTAwMDAwMDAwMDAwMQA="
ANA = Inbound(
    WAMID,
    Address("whatsapp_cloud", "447700900123"),
    "",
    datetime(2026, 11, 15, 14, 3, 11, tzinfo=UTC),
    name="Ana Gómez",
    phone="447700900123",
)
STATUS_AT = datetime(2026, 11, 15, 14, 3, 15, tzinfo=UTC)
MEDIA = "https://graph.facebook.com/v24.0"


def payload(name: str) -> Any:
    return json.loads((PAYLOADS / f"{name}.json").read_text())


def value_of(event: Any) -> Any:
    return event["entry"][0]["changes"][0]["value"]


def said(**fields: Any) -> Received:
    return Received(messages=(replace(ANA, **fields),))


def too_late(name: str) -> str:
    errors = value_of(payload(name))["statuses"][0]["errors"]
    return f"131047: {errors[0]['error_data']['details']}"


def became(receipt: Receipt) -> Received:
    return Received(receipts=(receipt,))


EXPECTED: dict[str, Received] = {
    "inbound_text": said(text="Hola, ¿dónde está mi pedido A-1001?"),
    "inbound_text_reply_context": said(text="Sí, ese", answers="wamid.OUTBOUND-ID"),
    "inbound_text_ad_referral": said(text="Quiero info", referral="120210000000000001"),
    "inbound_text_username_only": said(
        text="Hola", sender=Address("whatsapp_cloud", "GB.1776622120445919"), name="Ana", phone=""
    ),
    "inbound_image": said(
        text="Así llegó", attachments=(Attachment("image", f"{MEDIA}/2754859441498128", "Así llegó"),)
    ),
    "inbound_document": said(
        text="factura",
        attachments=(Attachment("document", f"{MEDIA}/2754859441498129", "factura", name="factura.pdf"),),
    ),
    "inbound_audio_voice": said(attachments=(Attachment("audio", f"{MEDIA}/2754859441498130"),)),
    "inbound_location": said(
        attachments=(
            Attachment(
                "location",
                caption="Cra 7 # 1-01, Bogotá",
                name="Oficina",
                latitude=4.710989,
                longitude=-74.072092,
            ),
        )
    ),
    "inbound_template_button": said(text="Sí", payload="confirm:yes:A-1001", answers="wamid.OUTBOUND-ID"),
    "inbound_button_reply": said(text="Sí, confirmar", payload="confirm:yes", answers="wamid.OUTBOUND-ID"),
    "inbound_list_reply": said(text="Facturación", payload="topic:billing", answers="wamid.OUTBOUND-ID"),
    "inbound_order": said(text="Sin cebolla", order=(OrderedItem("SKU-1", 2, Decimal("19.99"), "EUR"),)),
    "inbound_reaction": Received(ignored=("a message of another kind: reaction",)),
    "inbound_unsupported": said(attachments=(Attachment("unknown"),)),
    "status_sent": became(Receipt("conv:42", "sent", STATUS_AT)),
    "status_delivered": became(Receipt("wamid.OUTBOUND-ID", "delivered", STATUS_AT)),
    "status_read": became(Receipt("wamid.OUTBOUND-ID", "read", STATUS_AT)),
    "status_failed_131047": became(
        Receipt(
            "wamid.OUTBOUND-ID",
            "failed",
            STATUS_AT,
            reason=too_late("status_failed_131047"),
            window_closed=True,
        )
    ),
}


def signed(body: bytes, secret: str = "app-secret") -> Webhook:  # noqa: S107 -- the one of the payload folder
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return Webhook("POST", {"x-hub-signature-256": f"sha256={digest}"}, {}, body)


def read(event: Any) -> Received:
    return CHANNEL.read(signed(json.dumps(event).encode()))


def changed(name: str, change: Callable[[Any], object]) -> Received:
    event = payload(name)
    change(value_of(event))
    return read(event)


def message_of(kind: str, content: Any) -> Received:
    def put(value: Any) -> None:
        message = value["messages"][0]
        del message["text"]
        message.update({"type": kind, kind: content})

    return changed("inbound_text", put)


def test_every_webhook_of_the_folder_has_its_expectation() -> None:
    files = {path.stem for path in PAYLOADS.glob("*.json") if path.stem.startswith(("inbound_", "status_"))}
    assert files == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_webhook_is_read_as_expected(name: str) -> None:
    assert CHANNEL.read(signed((PAYLOADS / f"{name}.json").read_bytes())) == EXPECTED[name]


def test_the_signature_of_the_folder_is_genuine() -> None:
    *_, header, _, body = (PAYLOADS / "signature_example.txt").read_text().rstrip("\n").split("\n")
    signature = header.partition(": ")[2]
    webhook = Webhook("POST", {"x-hub-signature-256": signature}, {}, body.encode())
    assert CHANNEL.read(webhook) == EXPECTED["inbound_text"]


@pytest.mark.parametrize("signature", ["", "sha256=", "sha256=" + "0" * 64, "sha1=abc", "ñandú", "\udcff", "sha256=é"])
def test_a_wrong_signature_is_not_genuine(signature: str) -> None:
    body = (PAYLOADS / "inbound_text.json").read_bytes()
    with pytest.raises(NotGenuine):
        CHANNEL.read(Webhook("POST", {"x-hub-signature-256": signature}, {}, body))
    with pytest.raises(NotGenuine):
        CHANNEL.read(Webhook("POST", {}, {}, body))


def test_a_signature_holds_for_its_very_bytes_only() -> None:
    webhook = signed((PAYLOADS / "inbound_text.json").read_bytes())
    with pytest.raises(NotGenuine):
        CHANNEL.read(replace(webhook, body=webhook.body + b" "))


ASKED = {"hub.mode": "subscribe", "hub.challenge": "1158201444", "hub.verify_token": "my-verify-token"}


def test_the_challenge_is_answered_to_whoever_knows_the_verify_token() -> None:
    assert CHANNEL.read(Webhook("GET", {}, ASKED, b"")) == Received(answer="1158201444")


@pytest.mark.parametrize(
    "query",
    [
        {},
        {**ASKED, "hub.verify_token": "another"},
        {**ASKED, "hub.verify_token": "ñ\udcff"},
        {**ASKED, "hub.mode": "unsubscribe"},
        {**ASKED, "hub.challenge": "<script>"},
        {**ASKED, "hub.challenge": "1" * 201},
    ],
)
def test_another_verification_is_not_genuine(query: dict[str, str]) -> None:
    with pytest.raises(NotGenuine):
        CHANNEL.read(Webhook("GET", {}, query, b""))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b"null",
        b'{"object":"page","entry":[]}',
        b'{"object":"whatsapp_business_account","entry":{}}',
        b'{"object":"whatsapp_business_account","entry":[NaN]}',
        b'{"object":"whatsapp_business_account","entry":[1e999999]}',
        b'{"object":"whatsapp_business_account","entry":[1e99999999999999999999]}',
        b'{"object":"whatsapp_business_account","entry":[' + b"1" * 5000 + b"]}",
        b'{"object":"whatsapp_business_account","entry":["\xff"]}',
        b'{"object":"whatsapp_business_account","entry":' + b"[" * 60 + b"]" * 60 + b"}",
        b'{"object":"whatsapp_business_account","entry":' + b"[" * 100_000,
        b'{"object":"whatsapp_business_account","entry":["' + b"x" * 4_000_000 + b'"]}',
    ],
    ids=lambda body: body[:60].decode(errors="replace"),
)
def test_a_body_that_meta_would_not_send_is_not_readable(body: bytes) -> None:
    with pytest.raises(NotReadable):
        CHANNEL.read(signed(body))


def test_a_batch_gives_all_its_messages_and_receipts_in_order() -> None:
    first, second, status = payload("inbound_text"), payload("inbound_image"), payload("status_read")
    value_of(first)["messages"].append({**value_of(first)["messages"][0], "id": "wamid.2"})
    value_of(first)["statuses"] = value_of(status)["statuses"]
    first["entry"][0]["changes"] += second["entry"][0]["changes"]
    first["entry"] += payload("inbound_location")["entry"]
    received = read(first)
    assert [each.id for each in received.messages] == [WAMID, "wamid.2", WAMID, WAMID]
    assert [each.status for each in received.receipts] == ["read"]


def test_a_status_without_contacts_is_a_receipt() -> None:
    assert changed("status_read", lambda value: value.pop("contacts")) == EXPECTED["status_read"]


def test_a_status_of_a_further_part_is_of_the_whole_message() -> None:
    received = changed("status_sent", lambda value: value["statuses"][0].update(biz_opaque_callback_data="msg_1-2"))
    assert received.receipts[0].message_id == "msg_1"


def test_what_is_for_another_number_is_ignored() -> None:
    received = changed("inbound_text", lambda value: value["metadata"].update(phone_number_id="1"))
    assert received == Received(ignored=("something for another number",))


def test_a_change_of_another_field_is_ignored_with_its_name() -> None:
    event = payload("inbound_text")
    event["entry"][0]["changes"][0]["field"] = "account_update"
    assert read(event) == Received(ignored=("a change of account_update",))


def test_an_error_of_the_account_is_said() -> None:
    def fail(value: Any) -> None:
        del value["messages"]
        value["errors"] = [{"code": 131000, "title": "Something went wrong"}]

    assert changed("inbound_text", fail).ignored == ("an error of the account: 131000: Something went wrong",)


def test_contact_cards_are_read_with_name_and_phone() -> None:
    cards = [{"name": {"formatted_name": "Leo Paz"}, "phones": [{"phone": "+44 7700 900456"}]}, {"name": "?"}]
    assert message_of("contacts", cards).messages[0].attachments == (
        Attachment("contact", name="Leo Paz", phone="+44 7700 900456"),
        Attachment("contact"),
    )


@pytest.mark.parametrize("kind", ["video", "sticker"])
def test_other_media_are_read_too(kind: str) -> None:
    assert message_of(kind, {"id": "99"}).messages[0].attachments[0].url == f"{MEDIA}/99"


def test_a_media_id_cannot_lead_elsewhere() -> None:
    assert message_of("image", {"id": "../../evil"}) == said(text="", attachments=(Attachment("unknown"),))


@pytest.mark.parametrize("kind", ["hologram", "x y\n", "order", "interactive", "location"])
def test_what_cannot_be_read_is_kept_as_something_that_came(kind: str) -> None:
    received = message_of(kind, {"body": "SECRET", "type": "nfm_reply"})
    assert received == said(text="", attachments=(Attachment("unknown"),))


def test_a_payment_within_the_chat_is_kept_as_a_message_of_who_paid() -> None:
    amount = {"value": 150050, "offset": 100}
    payment = {"reference_id": "PED-42", "amount": amount, "currency": "BRL", "transaction": {"id": "tx1"}}
    status = {"id": WAMID, "recipient_id": "447700900123", "timestamp": "1794751391", "type": "payment"}
    for word in ("pending", "failed"):  # which is no failure of the message that asked for it
        received = posted("messages", statuses=[{**status, "status": word, "payment": payment}])
        assert received == Received(ignored=(f"a payment that is not made: {word}",))
    [paid] = posted("messages", statuses=[{**status, "status": "captured", "payment": payment}]).messages
    told = (("currency", "BRL"), ("amount", "150050"), ("reference", "PED-42"), ("payment", "tx1"))
    assert (paid.sender, paid.attachments) == (ANA.sender, (Attachment("payment", values=told),))


@pytest.mark.parametrize("kind", ["system", "request_welcome", "edit", "reaction"])
def test_a_kind_that_we_do_not_read_is_ignored_without_its_words(kind: str) -> None:
    received = message_of(kind, {"body": "SECRET", "type": "nfm_reply"})
    assert received.messages == ()
    assert "SECRET" not in received.ignored[0]
    assert "\n" not in received.ignored[0]


def test_a_message_in_a_group_is_ignored() -> None:
    received = changed("inbound_text", lambda value: value["messages"][0].update(group_id="g"))
    assert received == Received(ignored=("a message in a group",))


@pytest.mark.parametrize("quantity", [0, -1, 1.5, 1e9, "2", True, None])
def test_an_order_with_an_absurd_quantity_is_not_read(quantity: object) -> None:
    items = [{"product_retailer_id": "A", "quantity": 1}, {"product_retailer_id": "B", "quantity": quantity}]
    assert message_of("order", {"product_items": items}) == said(text="", attachments=(Attachment("unknown"),))


def test_nul_and_lone_surrogates_do_not_enter() -> None:
    assert message_of("text", {"body": "a\x00b\ud800c 😀"}).messages[0].text == "abc 😀"


def test_another_contacts_name_is_not_taken() -> None:
    def put(value: Any) -> None:
        value["contacts"][0].update(wa_id="1", user_id="GB.1")

    assert changed("inbound_text", put).messages[0].name == ""


def test_secrets_stand_in_no_repr() -> None:
    shown = repr(SETTINGS)
    assert not any(secret in shown for secret in ("EAA-token", "app-secret", "my-verify-token"))


@pytest.mark.parametrize(
    "wrong", [{"app_secret": ""}, {"access_token": "a\nb"}, {"phone_number_id": "../x"}, {"base_url": "ftp://x"}]
)
def test_settings_that_cannot_work_are_refused_without_showing_them(wrong: dict[str, str]) -> None:
    with pytest.raises(HiloError) as raised:
        replace(SETTINGS, **wrong)  # type: ignore[arg-type]
    assert next(iter(wrong)) in str(raised.value)
    assert "a\nb" not in str(raised.value)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
EVENTS = st.sampled_from([payload(name) for name in EXPECTED])


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, each in inner for place in places(each, (*path, key)))]


def put_at(value: Any, path: tuple[Any, ...], junk: Any) -> Any:
    if not path:
        return junk
    copied = value.copy()
    copied[path[0]] = put_at(value[path[0]], path[1:], junk)
    return copied


@settings(max_examples=depth(80, 150), deadline=None)
@given(st.data())
def test_a_mangled_webhook_is_read_ignored_or_refused_but_never_crashes(data: st.DataObject) -> None:
    event = data.draw(EVENTS)
    for _ in range(data.draw(st.integers(1, 3))):
        event = put_at(event, data.draw(st.sampled_from(places(event))), data.draw(JUNK))
    try:
        received = read(event)
    except NotReadable:
        return
    assert all(each.id and each.sender.value and each.at.tzinfo for each in received.messages)
    assert received.messages or received.receipts or received.ignored


@settings(max_examples=depth(60, 100), deadline=None)
@given(st.binary(max_size=200), st.integers(0, 900))
def test_torn_bytes_are_refused_or_read_but_never_crash(noise: bytes, at: int) -> None:
    whole = (PAYLOADS / "inbound_text.json").read_bytes()
    try:
        CHANNEL.read(signed(whole[:at] + noise + whole[at + len(noise) :]))
    except NotReadable:
        return


def test_a_form_that_was_filled_in_is_kept_with_its_fields() -> None:
    event = payload("inbound_button_reply")
    answer = {"flow_token": "secret", "nombre": "Ana", "personas": 4, "extra": {"deep": 1}}
    reply = {"type": "nfm_reply", "nfm_reply": {"name": "flow", "body": "Sent", "response_json": json.dumps(answer)}}
    value_of(event)["messages"][0]["interactive"] = reply
    (message,) = read_event(event, SETTINGS).messages
    assert message.attachments == (Attachment("form", name="flow", values=(("nombre", "Ana"), ("personas", "4"))),)


@pytest.mark.parametrize("written", ["", "[1]", "{", '{"flow_token": "x"}'])
def test_a_form_that_says_nothing_is_kept_as_something_that_came(written: str) -> None:
    event = payload("inbound_button_reply")
    value_of(event)["messages"][0]["interactive"] = {"type": "nfm_reply", "nfm_reply": {"response_json": written}}
    assert read_event(event, SETTINGS).messages[0].attachments == (Attachment("unknown"),)


def posted(field: str, **content: Any) -> Received:
    """A webhook with one change, as Meta wraps it."""
    metadata = {"display_phone_number": "441134960000", "phone_number_id": SETTINGS.phone_number_id}
    value = {"messaging_product": "whatsapp", "metadata": metadata, **content}
    entry = {"id": "1", "changes": [{"field": field, "value": value}]}
    return read_event({"object": "whatsapp_business_account", "entry": [entry]}, SETTINGS)


@pytest.mark.parametrize("kind", ["user_changed_number", "customer_changed_number"])
def test_a_contact_who_moves_is_told_by_the_old_number_and_the_new(kind: str) -> None:
    system = {"body": "Ana changed from 447700900123 to 447700900999", "wa_id": "447700900999", "type": kind}
    message = {"from": "447700900123", "id": WAMID, "timestamp": "1794751391", "type": "system", "system": system}
    expected = NumberChanged(WAMID, ANA.sender, "447700900999", ANA.at)
    assert posted("messages", messages=[message]) == Received(changes=(expected,))


def test_a_change_of_number_that_names_none_is_ignored() -> None:
    message = {"from": "447700900123", "id": WAMID, "timestamp": "1794751391", "type": "system"}
    told = posted("messages", messages=[{**message, "system": {"type": "user_changed_number"}}])
    assert told == Received(ignored=("a change of number that does not say which",))


@pytest.mark.parametrize(("value", "wanted"), [("stop", False), ("resume", True)])
def test_a_contact_chooses_whether_they_want_marketing(value: str, wanted: bool) -> None:  # noqa: FBT001
    about = {"wa_id": "447700900123", "category": "marketing_messages", "timestamp": 1794751391, "value": value}
    expected = MarketingChoice(ANA.sender, wanted, ANA.at)
    assert posted("user_preferences", user_preferences=[about]) == Received(changes=(expected,))


def test_a_preference_of_another_kind_is_ignored() -> None:
    about = {"wa_id": "447700900123", "category": "colours", "timestamp": 1794751391, "value": "stop"}
    told = posted("user_preferences", user_preferences=[about])
    assert told == Received(ignored=("a preference of another kind",))
