"""An agent that speaks English says nothing in another language, however badly things go."""

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from hilo.app.installation import WORKSPACE
from hilo.channels.channel import Rejected, Sent
from hilo.messages import Address, Attachment, Inbound
from hilo.store.handoffs import list_handoffs, plain_handoff
from hilo.testing.world import CHANNEL, World, open_world

AGENT = """
agent: bakery
language: en
slots:
  item: {type: text, ask: "What would you like?"}
  when: {type: date, ask: "For which day?"}
flows:
  order:
    starts: always
    steps:
      - collect: [item, when]
      - confirm: "I order {item} for {when}. Is that right?"
      - do: place
      - say: "Done."
"""
TOOLS = '''
from hilo.tools.tool import tool


@tool(writes=True)
async def place(item: str, when: str) -> dict[str, str]:
    """Order it."""
    raise RuntimeError("the oven is cold")
'''
SPANISH = re.compile(
    r"[¿¡ñáéíóú]|\b(el|la|los|las|una?|que|por|para|con|no puedo|gracias|hola|persona|mensaje|equipo)\b", re.IGNORECASE
)


@pytest.fixture
async def world(database_url: str, tmp_path: Path) -> AsyncIterator[World]:
    folder = tmp_path / "bakery"
    folder.mkdir()
    (folder / "agent.yaml").write_text(AGENT, encoding="utf-8")
    (folder / "tools.py").write_text(TOOLS, encoding="utf-8")
    async with open_world(database_url, folder) as opened:
        yield opened


async def _sends(world: World, contact: str, *, minutes_ago: int = 0, attachment: Attachment | None = None) -> None:
    attachments = (attachment,) if attachment else ()
    at = world.clock.now() - timedelta(minutes=minutes_ago)
    message = Inbound(
        f"{contact}1", Address(CHANNEL, contact), "" if attachment else "hello", at, attachments=attachments
    )
    await world.hilo.intake.messages(CHANNEL, [message])
    await world.settle()


async def test_whatever_goes_wrong_is_told_in_english(world: World) -> None:
    for kind in ("unknown", "audio", "image", "location", "payment"):
        await _sends(world, kind, attachment=Attachment(kind))
    await _sends(world, "late", minutes_ago=2 * 24 * 60)
    for text in ("two baguettes", "tomorrow", "yes"):
        await world.say("broken", text)
    for text in ("asdkj qwe", "zxcv mnb", "qqq www", "hjkl", "yuio", "bnm,"):
        await world.say("unclear", text)
    await world.say("person", "I want to speak to a human being")
    await world.say("empty", "🙈")
    said = [(each.to, each.message.text) for each in world.channel.delivered]
    assert {contact for contact, _ in said} >= {"unknown", "audio", "late", "broken", "unclear", "person", "empty"}
    assert not [each for each in said if SPANISH.search(each[1])]


async def test_a_message_that_cannot_be_sent_is_told_to_operators_in_their_language(world: World) -> None:
    world.channel.outcome = lambda sent: Rejected("no such number") if sent.to == "gone" else Sent()
    await world.say("gone", "hello")
    (handoff,) = await world.hilo.store.run(list_handoffs, WORKSPACE, "open", at_most=5)
    assert handoff.policy == "send_failed"
    assert plain_handoff(handoff, "en")["title"] == "A message could not be sent"
    assert plain_handoff(handoff, "es-AR")["title"] == "Un mensaje no se pudo enviar"
