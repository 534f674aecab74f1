"""Telegram: every update of the payload folder, and what must never be believed or crash."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from depth import depth
from hilo.channels.channel import NotGenuine, NotReadable, Received, Webhook
from hilo.channels.telegram import Telegram, TelegramSettings
from hilo.channels.telegram.keyboard import carried
from hilo.errors import HiloError
from hilo.messages import Address, Attachment, Inbound, MarketingChoice
from hilo.testing import FakeClock

PAYLOADS = Path(__file__).parent / "payloads" / "telegram"
SETTINGS = TelegramSettings(bot_token="777:AAF-token", secret_token="s3cr3t_token")  # noqa: S106 -- of nobody
NOW = datetime(2026, 11, 15, 15, 0, tzinfo=UTC)
CHANNEL = Telegram(SETTINGS, FakeClock(NOW))
ANA = Inbound(
    "174114370",
    Address("telegram", "5550001"),
    "",
    datetime(2026, 11, 15, 14, 3, 11, tzinfo=UTC),
    name="Ana Gómez",
)
HEARD = json.dumps({"method": "answerCallbackQuery", "callback_query_id": "382700000000000000"})


def said(update_id: int, **fields: Any) -> Received:
    """In the folder, the messages of the chat are numbered as the updates are."""
    at = ANA.at.replace(microsecond=update_id % 100)
    return Received(messages=(replace(ANA, **{"id": str(update_id), "at": at, **fields}),))


def pressed(**fields: Any) -> Received:
    return replace(said(174114377, at=NOW, answers="90", **fields), answer=HEARD)


EXPECTED: dict[str, Received] = {
    "update_text": said(174114370, text="Hola, ¿dónde está mi pedido A-1001?"),
    "update_photo": said(
        174114372,
        text="Así llegó",
        attachments=(Attachment("image", "telegram-file:AgAD-big", "Así llegó"),),
    ),
    "update_document": said(
        174114373, attachments=(Attachment("document", "telegram-file:BQAD-doc", name="factura.pdf"),)
    ),
    "update_voice": said(174114374, attachments=(Attachment("audio", "telegram-file:AwAD-voice"),)),
    "update_location": said(174114375, attachments=(Attachment("location", latitude=4.710989, longitude=-74.072092),)),
    "update_contact": said(
        174114376,
        phone="+447700900123",
        attachments=(Attachment("contact", name="Ana", phone="+447700900123"),),
    ),
    "update_callback_query": pressed(payload="confirm:yes"),
}


def hook(body: bytes) -> Webhook:
    return Webhook("POST", {"x-telegram-bot-api-secret-token": "s3cr3t_token"}, {}, body)


def payload(name: str) -> Any:
    return json.loads((PAYLOADS / f"{name}.json").read_text())


def read(update: Any) -> Received:
    return CHANNEL.read(hook(json.dumps(update).encode()))


def message_with(**content: Any) -> Received:
    update = payload("update_text")
    del update["message"]["text"]
    update["message"].update(content)
    return read(update)


def press_of(title: str, came: str) -> Received:
    update = payload("update_callback_query")
    keys = [[{"text": "Otra", "callback_data": "x"}], [{"text": title, "callback_data": came}]]
    update["callback_query"]["message"]["reply_markup"] = {"inline_keyboard": keys}
    update["callback_query"]["data"] = came
    return read(update)


def test_every_update_of_the_folder_has_its_expectation() -> None:
    assert {path.stem for path in PAYLOADS.glob("update_*.json")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_an_update_is_read_as_expected(name: str) -> None:
    assert CHANNEL.read(hook((PAYLOADS / f"{name}.json").read_bytes())) == EXPECTED[name]


def test_two_messages_of_one_second_are_told_apart_by_their_numbers() -> None:
    numbers = (1_999_998, 1_999_999, 70, 71)
    times = [message_with(text="hola", message_id=number).messages[0].at for number in numbers]
    assert {at.replace(microsecond=0) for at in times} == {ANA.at}
    assert times[0] < times[1]
    assert times[2] < times[3]


@pytest.mark.parametrize("number", ["", "x", -1, None, [], 1.5])
def test_a_message_without_a_number_has_the_time_that_is_told(number: Any) -> None:
    assert message_with(text="hola", message_id=number).messages[0].at == ANA.at


@pytest.mark.parametrize("headers", [{}, {"x-telegram-bot-api-secret-token": "ñ\udcff"}])
def test_a_wrong_secret_is_not_genuine(headers: dict[str, str]) -> None:
    with pytest.raises(NotGenuine):
        CHANNEL.read(Webhook("POST", headers, {}, (PAYLOADS / "update_text.json").read_bytes()))


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"update_id":"\\n"}', b'{"update_id":NaN}', b"\xff"])
def test_a_body_that_telegram_would_not_send_is_not_readable(body: bytes) -> None:
    with pytest.raises(NotReadable):
        CHANNEL.read(hook(body))


def test_a_press_brings_the_words_of_its_button() -> None:
    assert press_of("Sí, confirmar", "confirm:yes") == pressed(text="Sí, confirmar", payload="confirm:yes")


def test_a_payload_that_is_too_long_comes_back_as_the_words_of_its_button() -> None:
    long = carried("set:product:" + "zapatillas " * 9)
    assert len(long) < 64
    assert press_of("Zapatillas", long) == pressed(text="Zapatillas")


def test_a_digest_without_its_words_is_ignored_but_the_button_stops_spinning() -> None:
    update = payload("update_callback_query")
    update["callback_query"]["data"] = carried("x" * 65)
    received = read(update)
    assert received.messages == ()
    assert received.answer == HEARD


@pytest.mark.parametrize("short", ["", "confirm:yes", "ñ" * 32])
def test_a_payload_that_fits_is_carried_as_it_is(short: str) -> None:
    assert carried(short) == short


@pytest.mark.parametrize("long", ["ñ" * 33, "x" * 65, "#" + "a" * 22])
def test_a_payload_that_does_not_fit_or_looks_like_a_digest_is_carried_as_a_digest(long: str) -> None:
    assert carried(long) != long
    assert len(carried(long)) == 23


def test_a_press_in_a_group_is_ignored() -> None:
    update = payload("update_callback_query")
    update["callback_query"]["message"]["chat"] = {"id": -100, "type": "supergroup"}
    assert read(update) == Received(ignored=("a press outside a private chat",), answer=HEARD)


@pytest.mark.parametrize("kind", ["group", "supergroup", "channel"])
def test_a_message_in_a_group_is_ignored(kind: str) -> None:
    received = message_with(text="hola", chat={"id": -100, "type": kind})
    assert received == Received(ignored=(f"a message in a {kind}",))


@pytest.mark.parametrize("kind", ["edited_message", "channel_post", "my_chat_member", "poll"])
def test_an_update_of_another_kind_is_ignored_with_its_name(kind: str) -> None:
    update = {"update_id": 1, kind: payload("update_text")["message"]}
    assert read(update) == Received(ignored=(f"an update of another kind: {kind}",))


def test_a_message_of_a_bot_is_ignored() -> None:
    assert message_with(text="hola", **{"from": {"id": 1, "is_bot": True}}).messages == ()


def test_a_start_with_a_parameter_says_where_the_contact_came_from() -> None:
    started = message_with(text="/start promo_nov").messages[0]
    assert (started.text, started.referral) == ("/start", "promo_nov")
    assert message_with(text="/start").messages[0].referral == ""


def test_a_reply_names_the_message_that_it_answers() -> None:
    assert message_with(text="ese", reply_to_message={"message_id": 60}).messages[0].answers == "60"


def test_somebody_elses_card_is_not_the_senders_phone() -> None:
    received = message_with(contact={"phone_number": "+447700900456", "first_name": "Leo", "user_id": 9})
    assert received.messages[0].phone == ""
    assert received.messages[0].attachments == (Attachment("contact", name="Leo", phone="+447700900456"),)


def test_a_venue_has_a_name_and_an_address() -> None:
    place = {"latitude": 1.5, "longitude": 2.5}
    received = message_with(location=place, venue={"location": place, "title": "Oficina", "address": "Calle 1"})
    assert received.messages[0].attachments == (
        Attachment("location", caption="Calle 1", name="Oficina", latitude=1.5, longitude=2.5),
    )


@pytest.mark.parametrize(
    ("key", "kind"), [("audio", "audio"), ("video", "video"), ("video_note", "video"), ("sticker", "sticker")]
)
def test_other_files_are_read_too(key: str, kind: str) -> None:
    assert message_with(**{key: {"file_id": "F"}}).messages[0].attachments[0].kind == kind


def test_an_animation_is_not_taken_for_its_document() -> None:
    received = message_with(animation={"file_id": "A"}, document={"file_id": "D"})
    assert received.messages[0].attachments == (Attachment("video", "telegram-file:A"),)


@pytest.mark.parametrize("content", [{"dice": {"value": 3}}, {"poll": {"id": "1"}}, {"location": {"latitude": 1e9}}])
def test_what_cannot_be_read_is_kept_as_something_that_came(content: dict[str, Any]) -> None:
    [message] = message_with(**content).messages
    assert (message.text, message.attachments) == ("", (Attachment("unknown"),))


def test_a_note_of_telegrams_own_is_ignored_with_its_name() -> None:
    told = Received(ignored=("a message of another kind: pinned_message",))
    assert message_with(pinned_message={"message_id": 3}) == told


def test_secrets_stand_in_no_repr() -> None:
    assert "AAF" not in repr(SETTINGS)
    assert "s3cr3t" not in repr(SETTINGS)


@pytest.mark.parametrize("wrong", [{"bot_token": "777/AAF"}, {"secret_token": ""}, {"base_url": "telegram"}])
def test_settings_that_cannot_work_are_refused_without_showing_them(wrong: dict[str, str]) -> None:
    with pytest.raises(HiloError) as raised:
        replace(SETTINGS, **wrong)  # type: ignore[arg-type]
    assert next(iter(wrong)) in str(raised.value)
    assert "AAF" not in str(raised.value)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


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
def test_a_mangled_update_is_read_ignored_or_refused_but_never_crashes(data: st.DataObject) -> None:
    update = payload(data.draw(st.sampled_from(sorted(EXPECTED))))
    for _ in range(data.draw(st.integers(1, 3))):
        update = put_at(update, data.draw(st.sampled_from(places(update))), data.draw(JUNK))
    try:
        received = read(update)
    except NotReadable:
        return
    assert all(each.id and each.sender.value and each.at.tzinfo for each in received.messages)
    assert received.messages or received.ignored


def test_a_press_of_nobody_is_ignored() -> None:
    update = payload("update_callback_query")
    update = put_at(update, ("callback_query", "from"), None)
    received = read(put_at(update, ("callback_query", "message", "chat", "id"), None))
    assert received.messages == ()
    assert received.ignored == ("a press outside a private chat",)


def test_a_payment_is_kept_with_what_was_paid() -> None:
    paid = {
        "currency": "ARS",
        "total_amount": 150050,
        "invoice_payload": "PED-42",
        "provider_payment_charge_id": "ch_1",
    }
    (message,) = message_with(successful_payment=paid).messages
    told = (("currency", "ARS"), ("amount", "150050"), ("reference", "PED-42"), ("payment", "ch_1"))
    assert message.attachments == (Attachment("payment", values=told),)


@pytest.mark.parametrize(("status", "wanted"), [("kicked", False), ("member", True)])
def test_who_blocks_the_bot_wants_nothing_of_it_until_they_let_it_in(status: str, wanted: bool) -> None:  # noqa: FBT001
    chat = {"id": 5550001, "type": "private"}
    changed = {"chat": chat, "date": 1794751391, "new_chat_member": {"status": status}}
    expected = MarketingChoice(Address("telegram", "5550001"), wanted, ANA.at)
    assert read({"update_id": 1, "my_chat_member": changed}) == Received(changes=(expected,))
