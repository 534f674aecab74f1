"""Telegram: our messages as method calls, its answers as outcomes, both over real HTTP."""

import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hilo.channels.channel import CredentialsRefused, Outcome, Rejected, Sent, TryLater, Unknown
from hilo.channels.posting import Answer
from hilo.channels.telegram import Telegram
from hilo.channels.telegram.keyboard import carried
from hilo.channels.telegram.writing import BotCall, calls, outcome_of
from hilo.messages import Address, Attachment, Button, Outbound
from hilo.testing import FakeClock
from hilo.testing.providers.provider import Faults
from hilo.testing.providers.telegram import FakeTelegram

PAYLOADS = Path(__file__).parent / "payloads" / "telegram"
NOWHERE = "http://127.0.0.1:9/"
CLOCK = FakeClock(datetime(2026, 11, 15, 15, 0, tzinfo=UTC))
ANA = Address("telegram", "5550001")
YES_NO = (Button("confirm:yes", "Sí, confirmar"), Button("confirm:no", "Cancelar"))


def sample(name: str) -> Any:
    return json.loads((PAYLOADS / f"{name}.json").read_text())


def test_buttons_are_sent_as_in_the_folder() -> None:
    (call,) = calls(5550001, Outbound("¿Confirmas la cita?", YES_NO))
    assert call == BotCall("sendMessage", sample("send_message_inline_keyboard"))


def test_many_or_long_buttons_stand_below_one_another() -> None:
    choices = tuple(Button(f"topic:{number}", f"Tema {number}") for number in range(12))
    (call,) = calls(5550001, Outbound("¿Qué tema?", choices))
    assert [len(row) for row in call.body["reply_markup"]["inline_keyboard"]] == [1] * 12


def test_a_payload_that_is_too_long_does_not_stop_a_button() -> None:
    long = "set:product:" + "ñ" * 40
    (call,) = calls(5550001, Outbound("¿Cuál?", (Button(long, "Zapatillas"), Button("b", "Botas"))))
    assert [key["callback_data"] for key in call.body["reply_markup"]["inline_keyboard"][0]] == [carried(long), "b"]


@pytest.mark.parametrize(
    ("attachment", "method", "body"),
    [
        (Attachment("image", "https://e.com/a.jpg"), "sendPhoto", {"photo": "https://e.com/a.jpg"}),
        (
            Attachment("document", "https://e.com/f.pdf", "Tu factura"),
            "sendDocument",
            {"document": "https://e.com/f.pdf", "caption": "Tu factura"},
        ),
        (Attachment("audio", "https://e.com/a"), "sendAudio", {"audio": "https://e.com/a"}),
        (Attachment("video", "https://e.com/v"), "sendVideo", {"video": "https://e.com/v"}),
        (Attachment("sticker", "https://e.com/s"), "sendSticker", {"sticker": "https://e.com/s"}),
        (Attachment("location", latitude=1.5, longitude=2.5), "sendLocation", {"latitude": 1.5, "longitude": 2.5}),
        (
            Attachment("contact", name="Leo", phone="+447700900456"),
            "sendContact",
            {"phone_number": "+447700900456", "first_name": "Leo"},
        ),
    ],
)
def test_an_attachment_has_its_own_method(attachment: Attachment, method: str, body: Any) -> None:
    assert calls(1, Outbound("", attachment=attachment)) == (BotCall(method, {"chat_id": 1, **body}),)


def test_a_short_text_stands_under_the_picture_and_another_follows_it() -> None:
    picture = Attachment("image", "https://e.com/a.jpg")
    (under,) = calls(1, Outbound("Guía de tallas", attachment=picture))
    assert under.body["caption"] == "Guía de tallas"
    after = calls(1, Outbound("¿Este?", YES_NO, picture))
    assert [each.method for each in after] == ["sendPhoto", "sendMessage"]


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (Answer(200, sample("response_ok")), Sent("91")),
        (
            Answer(429, sample("response_429")),
            TryLater("429: Too Many Requests: retry after 5", after=timedelta(seconds=5)),
        ),
        (Answer(429, {"parameters": {"retry_after": 10**9}}), TryLater("429: no words", after=timedelta(hours=1))),
        (Answer(429, {}, timedelta(seconds=3)), TryLater("429: no words", after=timedelta(seconds=3))),
        (Answer(400, {"description": "Bad Request: chat not found"}), Rejected("400: Bad Request: chat not found")),
        (
            Answer(403, {"description": "Forbidden"}),
            Rejected("the contact has blocked the bot or never wrote to it (403: Forbidden)"),
        ),
        (Answer(401, {}), CredentialsRefused("Telegram does not accept the bot's token (401)")),
        (Answer(404, {}), CredentialsRefused("Telegram does not accept the bot's token (404)")),
        (Answer(502, {}), TryLater("502: no words", away=True)),
        (Answer(200, {}), Unknown("the answer was no answer of Telegram")),
        (Answer(302, {}), Rejected("302: no words")),
    ],
)
def test_an_answer_becomes_an_outcome(answer: Answer, outcome: Outcome) -> None:
    assert outcome_of(answer) == outcome


@asynccontextmanager
async def connected(faults: Faults | None = None) -> AsyncIterator[tuple[FakeTelegram, Telegram]]:
    """A fake whose updates go nowhere, with a channel to it, to which Ana has written."""
    async with FakeTelegram(NOWHERE, faults=faults) as telegram:
        channel = Telegram(replace(telegram.settings, timeout=0.5), CLOCK)
        await telegram.write(ANA.value, "hola")
        yield telegram, channel
        await channel.aclose()


async def test_a_message_arrives_with_its_buttons() -> None:
    async with connected() as (telegram, channel):
        outcome = await channel.send(ANA, Outbound("¿Confirmas?", YES_NO), message_id="m1")
        last = telegram.chats.of(ANA.value)[-1]
        assert outcome == Sent(last.id)
        assert (last.text, [each.payload for each in last.choices]) == ("¿Confirmas?", ["confirm:yes", "confirm:no"])


async def test_a_long_text_arrives_whole_with_the_buttons_last() -> None:
    text = " ".join(f"Frase número {number}." for number in range(600))
    async with connected() as (telegram, channel):
        outcome = await channel.send(ANA, Outbound(text, YES_NO), message_id="m1")
        assert " ".join(telegram.chats.said_to(ANA.value)) == text
        last = telegram.chats.of(ANA.value)[-1]
        assert last.choices
        assert outcome == Sent(last.id)


async def test_another_attempt_sends_only_the_parts_that_are_missing() -> None:
    text = " ".join(f"Frase número {number}." for number in range(600))
    async with connected(Faults(throttled=0.5, seed=3)) as (telegram, channel):
        outcomes = [await channel.send(ANA, Outbound(text), message_id="m1")]
        while not isinstance(outcomes[-1], Sent) and len(outcomes) < 20:
            outcomes.append(await channel.send(ANA, Outbound(text), message_id="m1"))
        assert outcomes[0] == TryLater("429: Too Many Requests: retry after 1", after=timedelta(seconds=1))
        assert " ".join(telegram.chats.said_to(ANA.value)) == text


@pytest.mark.parametrize(
    ("faults", "kind", "arrived"),
    [
        (Faults(throttled=1), TryLater, 0),
        (Faults(failing=1), TryLater, 0),
        (Faults(cut_before=1), Unknown, 0),
        (Faults(cut_after=1), Unknown, 1),
        (Faults(delay=1, slow=1), Unknown, None),
    ],
)
async def test_a_fault_becomes_an_outcome(faults: Faults, kind: type, arrived: int | None) -> None:
    async with connected(faults) as (telegram, channel):
        assert isinstance(await channel.send(ANA, Outbound("hola"), message_id="m1"), kind)
        assert arrived is None or len(telegram.chats.said_to(ANA.value)) == arrived


async def test_a_contact_who_blocked_the_bot_cannot_be_reached() -> None:
    async with connected() as (telegram, channel):
        await telegram.block(ANA.value)
        outcome = await channel.send(ANA, Outbound("hola"), message_id="m1")
        assert isinstance(outcome, Rejected)
        assert "blocked" in outcome.reason


async def test_an_address_of_another_channel_is_rejected() -> None:
    async with connected() as (_, channel):
        outcome = await channel.send(Address("telegram", "@ana"), Outbound("hola"), message_id="m1")
        assert outcome == Rejected("the address is not a chat of Telegram")


async def test_nothing_to_send_is_rejected() -> None:
    async with connected() as (_, channel):
        assert await channel.send(ANA, Outbound(" "), message_id="m1") == Rejected("there is nothing to send")


async def test_nobody_listening_means_try_later() -> None:
    async with FakeTelegram(NOWHERE) as telegram:
        gone = telegram.settings
    channel = Telegram(gone, CLOCK)
    assert await channel.send(ANA, Outbound("hola"), message_id="m1") == TryLater(
        "no connection (ConnectError)", away=True
    )
    await channel.typing(ANA, answering="1")
    await channel.aclose()


async def test_an_impossible_place_raises_nothing() -> None:
    async with connected() as (telegram, _):
        channel = Telegram(replace(telegram.settings, base_url="http://x:abc"), CLOCK)
        assert await channel.send(ANA, Outbound("hola"), message_id="m1") == TryLater(
            "no connection (InvalidURL)", away=True
        )
        await channel.aclose()


async def test_typing_shows_until_the_reply_comes() -> None:
    async with connected() as (telegram, channel):
        await channel.typing(ANA, answering="1")
        assert telegram.chats.typing == {ANA.value}
        await channel.send(ANA, Outbound("hola"), message_id="m1")
        assert telegram.chats.typing == set()


async def test_a_wrong_token_is_said_but_never_shown(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with connected() as (telegram, _):
        channel = Telegram(replace(telegram.settings, bot_token="777:AAF-revoked"), CLOCK)  # noqa: S106 -- of nobody
        outcome = await channel.send(ANA, Outbound("hola"), message_id="m1")
        await channel.aclose()
    assert outcome == CredentialsRefused("Telegram does not accept the bot's token (401)")
    assert "AAF-revoked" not in caplog.text
