"""A flood on one channel does not slow down the contacts of another."""

import asyncio
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

from hilo.app.installation import WORKSPACE, Options, installation
from hilo.messages import Address, Inbound
from hilo.settings import Settings
from hilo.store.workspaces import ChannelRow
from hilo.testing.clock import START
from hilo.testing.world import RecordingChannel
from hilo.workers.turns import IN_USE, Lanes

AGENT = """
agent: lenta
language: es
slots: {item: {type: text, ask: "¿Qué busca?"}, found: {type: text, found: true}}
flows:
  look:
    starts: always
    steps: [{collect: item}, {do: slow, into: {found: found}}, {say: "Hay {found}."}]
"""
TOOLS = '''
import time

from hilo.tools.tool import tool


@tool
async def slow(item: str) -> dict[str, str]:
    """Take the processor for a while."""
    time.sleep(0.02)
    return {"found": item}
'''
FLOOD = 150


def test_a_channel_that_is_alone_has_no_limit() -> None:
    lanes = Lanes(share=2)
    with ExitStack() as turns:
        for _ in range(100):
            assert lanes.wait_for("web", now=START) is None
            turns.enter_context(lanes.turn("web"))


def test_a_channel_has_its_share_while_another_is_in_use() -> None:
    lanes = Lanes(share=2)
    assert lanes.wait_for("whatsapp", now=START) is None
    with ExitStack() as turns:
        for _ in range(2):
            assert lanes.wait_for("web", now=START) is None
            turns.enter_context(lanes.turn("web"))
        assert lanes.wait_for("web", now=START) is not None
        assert lanes.wait_for("whatsapp", now=START) is None
        assert lanes.wait_for("web", now=START + IN_USE) is None, "nobody else has written for long"
    assert lanes.wait_for("web", now=START) is None


def test_the_more_stand_back_the_longer_each_does() -> None:
    lanes = Lanes(share=1)
    lanes.wait_for("whatsapp", now=START)
    with lanes.turn("web"):
        waits = [lanes.wait_for("web", now=START) or timedelta() for _ in range(1000)]
    assert waits == sorted(waits)
    assert waits[0] < timedelta(seconds=0.2)
    assert waits[-1] == timedelta(seconds=5)


async def test_a_contact_is_answered_although_another_channel_is_flooded(database_url: str, tmp_path: Path) -> None:
    folder = tmp_path / "lenta"
    folder.mkdir()
    (folder / "agent.yaml").write_text(AGENT)
    (folder / "tools.py").write_text(TOOLS)
    web, phone = RecordingChannel(), RecordingChannel()
    settings = Settings(Path(), database_url=database_url)
    async with installation(settings, [folder], options=Options(burst=timedelta())) as hilo:
        await hilo.add_channel(ChannelRow("web", WORKSPACE, "test", "lenta"), web)
        await hilo.add_channel(ChannelRow("phone", WORKSPACE, "test", "lenta"), phone)

        async def write(channel: str, contacts: list[str], text: str) -> None:
            at = hilo.clock.now()
            messages = [Inbound(f"{text}.{each}", Address(channel, each), text, at) for each in contacts]
            await hilo.intake.messages(channel, messages)

        async def heard(by: RecordingChannel, count: int) -> None:
            async with asyncio.timeout(60):
                while len(by.delivered) < count:  # noqa: ASYNC110 -- by the workers
                    await asyncio.sleep(0.005)

        await hilo.runtime.start()
        await write("phone", ["ana"], "hola")
        await heard(phone, 1)
        await write("web", [f"visitor {number}" for number in range(FLOOD)], "una lámpara")
        await asyncio.sleep(0.1)
        before = len(web.delivered)
        await write("phone", ["ana"], "una mesa")
        await heard(phone, 2)
        assert len(web.delivered) - before < FLOOD / 3
        await heard(web, FLOOD)
        await hilo.runtime.stop()
