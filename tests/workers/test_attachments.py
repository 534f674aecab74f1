"""What contacts send besides text: from the intake to the session, the operators and the API."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from hilo.messages import Address, Attachment, Inbound, OrderedItem
from hilo.store.api import NEWEST, shown
from hilo.store.handoffs import list_handoffs
from hilo.testing.world import CHANNEL, World, open_world
from hilo.tools.database import Row, Script, execute

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
"""

PLACE = Attachment("location", caption="Corrientes 1234", name="Obelisco", latitude=-34.6037, longitude=-58.3816)
CARD = Attachment("contact", name="Ana Pérez", phone="+54 9 11 5555 0001")
FORM = Attachment("form", name="flow", values=(("name", "Ana Pérez"), ("address", "Corrientes 1234")))


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    (tmp_path / "envios.yaml").write_text(AGENT)
    async with open_world(f"sqlite:///{tmp_path}/envios.db", tmp_path / "envios.yaml") as opened:
        yield opened


async def sends(world: World, *attachments: Attachment, text: str = "", **more: Any) -> str:
    """What the contact is told after sending these."""
    before = len(world.heard_by("ana"))
    id_ = f"m{before}.{attachments}{text}"
    message = Inbound(id_, Address(CHANNEL, "ana"), text, world.clock.now(), attachments=attachments, **more)
    await world.hilo.intake.messages(CHANNEL, [message])
    await world.settle()
    return " ".join(world.heard_by("ana")[before:])


def messages(session: str) -> Script[list[Row]]:
    place = {"before": NEWEST[0], "before_id": NEWEST[1], "at_most": 20}
    return (yield from execute("api_messages", workspace="main", session=session, **place))


async def heard(world: World) -> list[tuple[str, list[str]]]:
    session = world.sent_to("ana")[-1].message_id.rsplit(".", 2)[0]
    rows = [shown(row) for row in await world.hilo.store.run(messages, session)]
    return [(each.text, [sent["kind"] for sent in each.attachments]) for each in rows if each.author == "contact"]


async def test_a_card_and_a_place_fill_the_slots_that_the_file_names(world: World) -> None:
    assert "¿A qué dirección?" in await sends(world, CARD)
    assert "Va a Corrientes 1234, Ana Pérez" in await sends(world, PLACE)


async def test_a_form_fills_the_slots_of_its_fields(world: World) -> None:
    assert "¿Qué teléfono?" in await sends(world, FORM)


async def test_what_a_file_has_words_for_is_answered_with_them(world: World) -> None:
    answer = await sends(world, Attachment("audio", "https://media.example/1"))
    assert "Todavía no puedo escuchar audios." in answer
    assert "¿Cómo te llamás?" in answer


async def test_what_is_left_to_a_person_is_handed_over_with_its_reason(world: World) -> None:
    assert "una persona" in await sends(world, Attachment("document", name="factura.pdf"))
    (handoff,) = await world.hilo.store.run(list_handoffs, world.workspace, "open", at_most=5)
    assert (handoff.policy, handoff.reason) == ("media", "mandó un documento")


@pytest.mark.parametrize("kind", ["image", "video", "sticker", "payment", "unknown"])
async def test_what_no_rule_takes_is_told_to_the_contact_and_kept_for_operators(world: World, kind: Any) -> None:
    answer = await sends(world, Attachment(kind))
    assert "queda guardado para el equipo" in answer
    assert "¿Cómo te llamás?" in answer
    assert await heard(world) == [(f"[{kind}]", [kind])]


async def test_the_words_under_a_picture_are_read_too(world: World) -> None:
    answer = await sends(world, Attachment("image", caption="soy Ana Pérez"), text="soy Ana Pérez")
    assert "¿Qué teléfono?" in answer
    assert await heard(world) == [("soy Ana Pérez\n[image]", ["image"])]


async def test_a_cart_and_an_advertisement_are_kept(world: World) -> None:
    answer = await sends(world, order=(OrderedItem("SKU-1", 2),), referral="ad 17")
    assert "queda guardado para el equipo" in answer
    assert await heard(world) == [("[order 2 × SKU-1]\n[from ad 17]", [])]


async def test_things_that_come_together_are_all_kept(world: World) -> None:
    answer = await sends(world, CARD, PLACE)
    assert "Va a Corrientes 1234, Ana Pérez" in answer
