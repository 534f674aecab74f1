"""What agents send besides words: pictures, documents and places, those of a tool too."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hilo.agent.parse import parse
from hilo.app.installation import WORKSPACE
from hilo.errors import FileProblems
from hilo.messages import Attachment
from hilo.store.media import LINKS, linked_media
from hilo.store.undelivered import list_undelivered
from hilo.testing.world import World, open_world

AGENT = """
agent: bazar
language: es
slots:
  item: {type: text, ask: "¿Qué buscas?"}
  invoice: {type: text, found: true}
intents:
  where: {examples: [dónde están, dónde queda el local, cómo llego], answer: local}
  menu: {examples: [muéstrame la carta, quiero ver la carta, qué hay en la carta], answer: carta}
flows:
  buy:
    starts: always
    steps:
      - collect: item
      - do: bill
        into: {invoice: invoice}
      - say: factura
templates:
  local:
    text: "Estamos aquí."
    attach: {place: "-34.6037, -58.3816", name: Local, address: "Corrientes 1234"}
  carta:
    text: "Esta es la carta."
    attach: {image: "https://bazar.example/carta.jpg"}
  factura:
    text: "Aquí va la factura de {item}."
    attach: {document: "{invoice}", name: "factura {item}.pdf"}
"""

TOOLS = '''
from hilo.tools.given import FileKeeper
from hilo.tools.tool import tool


@tool
async def bill(item: str, files: FileKeeper) -> dict[str, str]:
    """Make out an invoice."""
    if item == "un clavo":
        return {"invoice": ""}
    return {"invoice": await files.keep(b"%PDF-1.7 " + item.encode(), "application/pdf", "factura.pdf")}
'''


@pytest.fixture
async def world(database_url: str, tmp_path: Path) -> AsyncIterator[World]:
    folder = tmp_path / "bazar"
    folder.mkdir()
    (folder / "agent.yaml").write_text(AGENT)
    (folder / "tools.py").write_text(TOOLS)
    async with open_world(database_url, folder, media=str(tmp_path / "media"), public_url="https://hilo.example") as it:
        yield it


async def sent(world: World, text: str) -> Attachment | None:
    await world.say("ana", text)
    return world.sent_to("ana")[-1].message.attachment


async def test_a_template_sends_a_place(world: World) -> None:
    expected = Attachment("location", name="Local", caption="Corrientes 1234", latitude=-34.6037, longitude=-58.3816)
    assert await sent(world, "¿dónde queda el local?") == expected


async def test_a_template_sends_a_picture_from_elsewhere(world: World) -> None:
    assert await sent(world, "quiero ver la carta") == Attachment("image", "https://bazar.example/carta.jpg")


async def test_a_tool_sends_a_document_that_it_has_made(world: World) -> None:
    await world.say("ana", "hola")
    attached = await sent(world, "una lámpara")
    assert attached is not None
    assert (attached.kind, attached.name) == ("document", "factura una lámpara.pdf")
    assert attached.url.startswith(f"https://hilo.example{LINKS}")
    media = await world.hilo.store.run(linked_media, attached.url.rpartition("/")[2])
    assert media is not None
    assert await world.hilo.files.get(media.id) == "%PDF-1.7 una lámpara".encode()
    assert world.heard_by("ana")[-1].startswith("Aquí va la factura de una lámpara.")


async def test_words_go_out_alone_where_there_is_nothing_to_attach(world: World) -> None:
    await world.say("ana", "hola")
    assert await sent(world, "un clavo") is None
    assert "Aquí va la factura de un clavo." in world.heard_by("ana")[-1]


@pytest.mark.parametrize(
    ("attach", "words"),
    [
        ('{place: "el obelisco"}', "a place is its degrees"),
        ('{image: "http://bazar.example/a.jpg"}', "a provider fetches it from there"),
        ('{image: "https://a.example/a.jpg", place: "1, 1"}', "one thing goes out with a text"),
        ("{name: nada}", "one thing goes out with a text"),
        ('{document: "{bill}"}', "bill"),
    ],
)
def test_what_cannot_be_sent_is_a_mistake_of_the_file(attach: str, words: str) -> None:
    text = f"agent: a\nlanguage: es\ntemplates:\n  greeting: {{text: hola, attach: {attach}}}\n"
    with pytest.raises(FileProblems, match=words):
        parse(text)


async def test_without_a_public_address_a_file_goes_to_a_person_instead(database_url: str, tmp_path: Path) -> None:
    folder = tmp_path / "bazar"
    folder.mkdir(exist_ok=True)
    (folder / "agent.yaml").write_text(AGENT)
    (folder / "tools.py").write_text(TOOLS)
    async with open_world(database_url, folder, media=str(tmp_path / "media")) as world:
        await world.say("ana", "hola")
        await world.say("ana", "una lámpara")
        [failed] = await world.hilo.store.run(list_undelivered, WORKSPACE, "failed", at_most=5)
        assert "HILO_PUBLIC_URL" in failed.reason
