"""WhatsApp Cloud API: our messages as Meta's bodies, Meta's answers as outcomes, both over real HTTP."""

import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from hilo.channels.channel import CredentialsRefused, Outcome, Rejected, Sent, TryLater, Unknown
from hilo.channels.posting import Answer
from hilo.channels.whatsapp_cloud import WhatsAppCloud
from hilo.channels.whatsapp_cloud.writing import contents, envelope, outcome_of, template, typing_body
from hilo.messages import Address, ApprovedTemplate, Attachment, Button, Outbound
from hilo.testing.providers.provider import Faults
from hilo.testing.providers.whatsapp_cloud import FakeWhatsAppCloud

PAYLOADS = Path(__file__).parent / "payloads" / "meta"
NOWHERE = "http://127.0.0.1:9/"
ANA = Address("whatsapp_cloud", "447700900123")
BSUID = Address("whatsapp_cloud", "GB.1776622120445919")
YES_NO = (Button("confirm:yes", "Sí, confirmar"), Button("confirm:no", "Cancelar"))
TEMPLATE = ApprovedTemplate("reengage_es", "es", ("Ana", "A-1001"))


def sample(name: str) -> Any:
    return json.loads((PAYLOADS / f"{name}.json").read_text())


def body(to: Address, message: Outbound, message_id: str = "conv:42") -> Any:
    (content,) = contents(message, "Elegir")
    return envelope(to, content, message_id)


def without(value: Any, *path: str) -> Any:
    """A sample without an ornament that we do not send."""
    inner = value
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return value


def ours(value: Any) -> Any:
    return {**value, "biz_opaque_callback_data": "conv:42"}


def test_a_text_is_sent_as_in_the_folder() -> None:
    assert body(ANA, Outbound("Tu pedido A-1001 llega mañana.")) == sample("send_text")


def test_a_contact_without_a_phone_is_the_recipient() -> None:
    expected = ours(sample("send_text_to_bsuid"))
    expected["text"]["preview_url"] = False
    assert body(BSUID, Outbound("Hola")) == expected


def test_buttons_are_sent_as_in_the_folder() -> None:
    expected = without(without(ours(sample("send_buttons")), "interactive", "header"), "interactive", "footer")
    assert body(ANA, Outbound("¿Confirmas la cita?", YES_NO)) == expected


def test_more_choices_than_buttons_become_a_list() -> None:
    choices = tuple(Button(f"topic:{number}", f"Tema {number}") for number in range(4))
    (content,) = contents(Outbound("¿Sobre qué tema?", choices), "Elegir")
    model = sample("send_list")["interactive"]
    assert content["interactive"]["type"] == model["type"]
    assert content["interactive"]["body"] == model["body"]
    assert content["interactive"]["action"]["button"] == model["action"]["button"]
    assert content["interactive"]["action"]["sections"] == [
        {"rows": [{"id": f"topic:{number}", "title": f"Tema {number}"} for number in range(4)]}
    ]


def test_a_long_choice_is_described_in_its_row() -> None:
    choices = (Button("a", "Facturación de pagos y reembolsos"), Button("b", "Envíos"))
    (content,) = contents(Outbound("¿Qué tema?", choices), "Elegir")
    first, second = content["interactive"]["action"]["sections"][0]["rows"]
    assert first["description"] == "Facturación de pagos y reembolsos"
    assert second == {"id": "b", "title": "Envíos"}


def test_an_image_is_sent_as_in_the_folder() -> None:
    picture = Attachment("image", "https://example.com/a.jpg")
    assert body(ANA, Outbound("Guía de tallas", attachment=picture)) == ours(sample("send_image"))


def test_a_template_is_sent_as_in_the_folder() -> None:
    expected = ours(sample("send_template"))
    expected["template"]["components"] = expected["template"]["components"][:1]
    assert envelope(ANA, template(TEMPLATE), "conv:42") == expected


def test_a_template_without_values_has_no_components() -> None:
    assert "components" not in template(ApprovedTemplate("hola", "es"))["template"]


def test_the_values_of_a_template_stand_on_one_line() -> None:
    values = template(ApprovedTemplate("t", "es", ("a\n\tb     c",)))["template"]["components"][0]["parameters"]
    assert values == [{"type": "text", "text": "a b c"}]


def test_typing_is_shown_as_in_the_folder() -> None:
    assert typing_body("wamid.INBOUND-ID") == sample("send_mark_read_typing")


@pytest.mark.parametrize(
    ("attachment", "expected"),
    [
        (Attachment("audio", "https://e.com/a.ogg"), {"type": "audio", "audio": {"link": "https://e.com/a.ogg"}}),
        (Attachment("sticker", "https://e.com/s"), {"type": "sticker", "sticker": {"link": "https://e.com/s"}}),
        (
            Attachment("document", "https://e.com/f.pdf", "Tu factura", name="f.pdf"),
            {
                "type": "document",
                "document": {"link": "https://e.com/f.pdf", "caption": "Tu factura", "filename": "f.pdf"},
            },
        ),
        (
            Attachment("location", caption="Calle 1", name="Oficina", latitude=1.5, longitude=2.5),
            {
                "type": "location",
                "location": {"latitude": 1.5, "longitude": 2.5, "name": "Oficina", "address": "Calle 1"},
            },
        ),
        (
            Attachment("contact", name="Leo", phone="+447700900456"),
            {
                "type": "contacts",
                "contacts": [
                    {"name": {"formatted_name": "Leo", "first_name": "Leo"}, "phones": [{"phone": "+447700900456"}]}
                ],
            },
        ),
    ],
)
def test_an_attachment_is_a_body_of_its_own_kind(attachment: Attachment, expected: Any) -> None:
    assert contents(Outbound("", attachment=attachment), "Elegir") == (expected,)


def test_words_that_cannot_stand_under_a_picture_follow_it() -> None:
    picture = Attachment("image", "https://e.com/a.jpg")
    kinds = [each["type"] for each in contents(Outbound("¿Este?", YES_NO, picture), "Elegir")]
    assert kinds == ["image", "interactive"]
    long = contents(Outbound("palabra " * 200, attachment=picture), "Elegir")
    assert [each["type"] for each in long] == ["image", "text"]


def refused(code: int, status: int = 400, **more: Any) -> Answer:
    return Answer(status, {"error": {"message": "m", "code": code, **more}})


RATE_WORDS = sample("response_400_130429")["error"]["error_data"]["details"]
NO_ACCESS = "Meta does not accept the access token, renew it or its permissions"


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (Answer(200, sample("response_200")), Sent("wamid.OUTBOUND-ID")),
        (Answer(400, sample("response_400_130429")), TryLater(f"130429: {RATE_WORDS}")),
        (Answer(401, sample("response_401_190")), CredentialsRefused(f"{NO_ACCESS} (190)")),
        (refused(131047), Rejected("131047: m", window_closed=True)),
        (refused(131056), TryLater("131056: m", after=timedelta(seconds=6))),
        (refused(80007), TryLater("80007: m")),
        (refused(4), TryLater("4: m")),
        (refused(131016, 503), TryLater("131016: m", away=True)),
        (refused(2, 500), TryLater("2: m", away=True)),
        (refused(999, is_transient=True), TryLater("999: m", away=True)),
        (refused(10, 403), CredentialsRefused(f"{NO_ACCESS} (10)")),
        (refused(131026), Rejected("131026: m")),
        (refused(100), Rejected("100: m")),
        (Answer(500, {}), TryLater("HTTP 500: no words", away=True)),
        (Answer(429, {}, timedelta(seconds=9)), TryLater("HTTP 429: no words", after=timedelta(seconds=9))),
        (Answer(404, {}), Rejected("HTTP 404: no words")),
        (Answer(302, {}), Rejected("HTTP 302: no words")),
        (Answer(200, {}), Unknown("Meta took it but named no message")),
        (Answer(400, {"error": []}), Rejected("HTTP 400: no words")),
    ],
)
def test_an_answer_becomes_an_outcome(answer: Answer, outcome: Outcome) -> None:
    assert outcome_of(answer) == outcome


@asynccontextmanager
async def connected(**options: Any) -> AsyncIterator[tuple[FakeWhatsAppCloud, WhatsAppCloud]]:
    """A fake whose webhooks go nowhere, with a channel to it and Ana's window open."""
    async with FakeWhatsAppCloud(NOWHERE, **options) as meta:
        channel = WhatsAppCloud(replace(meta.settings, timeout=0.5))
        await meta.write(ANA.value, "hola")
        yield meta, channel
        await channel.aclose()


async def test_a_message_arrives_with_its_buttons() -> None:
    async with connected() as (meta, channel):
        outcome = await channel.send(ANA, Outbound("¿Confirmas?", YES_NO), message_id="m1")
        last = meta.chats.of(ANA.value)[-1]
        assert outcome == Sent(last.id)
        assert (last.text, [each.payload for each in last.choices]) == ("¿Confirmas?", ["confirm:yes", "confirm:no"])


async def test_a_long_text_arrives_whole_in_numbered_parts() -> None:
    text = " ".join(f"Frase número {number}." for number in range(600))
    async with connected() as (meta, channel):
        outcome = await channel.send(ANA, Outbound(text), message_id="m1")
        assert " ".join(meta.chats.said_to(ANA.value)) == text
        assert [each["biz_opaque_callback_data"] for each in meta.taken] == ["m1", "m1-2", "m1-3"]
        assert outcome == Sent(meta.taken[0]["id"])


async def test_another_attempt_sends_only_the_parts_that_are_missing() -> None:
    text = " ".join(f"Frase número {number}." for number in range(600))
    async with connected(faults=Faults(failing=0.5, seed=3)) as (meta, channel):
        outcomes = [await channel.send(ANA, Outbound(text), message_id="m1")]
        while not isinstance(outcomes[-1], Sent) and len(outcomes) < 20:
            outcomes.append(await channel.send(ANA, Outbound(text), message_id="m1"))
        assert len(outcomes) > 1
        assert " ".join(meta.chats.said_to(ANA.value)) == text


async def test_a_closed_window_takes_the_approved_template_instead() -> None:
    async with connected() as (meta, channel):
        meta.close_window(ANA.value)
        outcome = await channel.send(ANA, Outbound("¿Sigues ahí?", approved=TEMPLATE), message_id="m1")
        assert isinstance(outcome, Sent)
        assert meta.chats.said_to(ANA.value) == ("[reengage_es] Ana A-1001",)
        assert [each["type"] for each in meta.took("m1")] == ["template"]


async def test_free_text_never_leaves_a_closed_window() -> None:
    async with connected() as (meta, channel):
        meta.close_window(ANA.value)
        outcome = await channel.send(ANA, Outbound("¿Sigues ahí?"), message_id="m1")
        assert outcome == Rejected("131047: The contact has not written for 24 hours", window_closed=True)
        assert meta.chats.said_to(ANA.value) == ()


async def test_a_template_alone_can_be_sent() -> None:
    async with connected() as (meta, channel):
        assert isinstance(await channel.send(ANA, Outbound("", approved=TEMPLATE), message_id="m1"), Sent)
        assert meta.chats.said_to(ANA.value) == ("[reengage_es] Ana A-1001",)


async def test_nothing_to_send_is_rejected() -> None:
    async with connected() as (_, channel):
        assert await channel.send(ANA, Outbound(" "), message_id="m1") == Rejected("there is nothing to send")


async def test_a_contact_without_a_phone_is_reached() -> None:
    async with connected() as (meta, channel):
        await meta.write(BSUID.value, "hola")
        assert isinstance(await channel.send(BSUID, Outbound("Hola"), message_id="m1"), Sent)
        assert meta.chats.said_to(BSUID.value) == ("Hola",)


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
    async with connected(faults=faults) as (meta, channel):
        assert isinstance(await channel.send(ANA, Outbound("hola"), message_id="m1"), kind)
        assert arrived is None or len(meta.chats.said_to(ANA.value)) == arrived


async def test_nobody_listening_means_try_later() -> None:
    async with FakeWhatsAppCloud(NOWHERE) as meta:
        gone = meta.settings
    channel = WhatsAppCloud(gone)
    assert await channel.send(ANA, Outbound("hola"), message_id="m1") == TryLater(
        "no connection (ConnectError)", away=True
    )
    await channel.typing(ANA, answering="wamid.IN-1")
    await channel.aclose()


async def test_one_contact_may_be_throttled_alone() -> None:
    async with connected() as (meta, channel):
        meta.refusing[ANA.value] = 131056
        outcome = await channel.send(ANA, Outbound("hola"), message_id="m1")
        assert outcome == TryLater("131056: Refused on demand", after=timedelta(seconds=6))


async def test_typing_shows_until_the_reply_comes() -> None:
    async with connected() as (meta, channel):
        asked = meta.chats.of(ANA.value)[0].id
        await channel.typing(ANA, answering=asked)
        assert meta.chats.typing == {ANA.value}
        await channel.send(ANA, Outbound("hola"), message_id="m1")
        assert meta.chats.typing == set()


async def test_typing_without_a_known_message_does_nothing() -> None:
    async with connected() as (meta, channel):
        await channel.typing(ANA, answering="")
        await channel.typing(ANA, answering="wamid.other")
        assert meta.chats.typing == set()


async def test_a_wrong_token_is_said_but_never_shown(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with connected() as (meta, _):
        channel = WhatsAppCloud(replace(meta.settings, access_token="EAA-expired"))  # noqa: S106 -- of nobody
        outcome = await channel.send(ANA, Outbound("hola"), message_id="m1")
        await channel.aclose()
    assert outcome == CredentialsRefused(f"{NO_ACCESS} (190)")
    assert "EAA-expired" not in caplog.text


async def test_characters_that_utf8_cannot_hold_do_not_stop_a_message() -> None:
    async with connected() as (meta, channel):
        assert isinstance(await channel.send(ANA, Outbound("a\ud800b\x00c"), message_id="m1"), Sent)
        assert meta.chats.said_to(ANA.value) == ("abc",)
