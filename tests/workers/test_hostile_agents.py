"""A session whose agent cannot be made any more is a person's: nobody is met with silence, and operators can work."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from hilo.app.installation import WORKSPACE
from hilo.dialogue.events import Closed, Event, OperatorTookOver, Released
from hilo.store.workspaces import ChannelRow
from hilo.testing.clock import FakeClock
from hilo.testing.world import CHANNEL, World, open_world
from hilo.tools.database import Row, Script, execute, one

WHILE = timedelta(seconds=90)  # enough for every attempt, and for no other process to come

OTHER = """
agent: otra
language: es
slots:
  name: {type: person_name, ask: "¿Quién eres?"}
flows:
  greet: {starts: always, steps: [collect: name]}
"""


pytestmark = pytest.mark.usefixtures("quiet_logs")  # what fails here is meant to


async def test_a_session_that_lost_its_tool_is_handed_off_and_closed_by_an_operator(
    database_url: str, shop: Path
) -> None:
    clock = FakeClock()
    async with open_world(database_url, shop, clock=clock) as before:
        await before.say("ana", "soy Ana Pérez")
    _without_its_tool(shop)
    async with open_world(database_url, shop, clock=clock) as after:
        assert len(await _write(after, "pan")) == 1
        assert await _write(after, "¿hola?") == []
        assert (await _session(after))["holder"] == "operator"
        await _happen(after, Closed(clock.now()))
        assert await _write(after, "hola") == ["¡Hola de nuevo! ¿Qué quieres pedir?"]


async def test_a_session_whose_agent_is_gone_can_be_taken_by_an_operator(database_url: str, shop: Path) -> None:
    clock = FakeClock()
    async with open_world(database_url, shop, clock=clock) as before:
        await before.say("ana", "soy Ana Pérez")
    async with _without_the_agent(database_url, shop, clock) as after:
        await _happen(after, OperatorTookOver(clock.now(), "olga"))
        session = await _session(after)
        assert (session["status"], session["holder"]) == ("handed_off", "operator")
        assert after.heard_by("ana") == []


async def test_a_session_whose_agent_is_gone_stays_with_the_operator_who_releases_it(
    database_url: str, shop: Path
) -> None:
    clock = FakeClock()
    async with open_world(database_url, shop, clock=clock) as before:
        await before.say("ana", "soy Ana Pérez")
    async with _without_the_agent(database_url, shop, clock) as after:
        await _happen(after, OperatorTookOver(clock.now(), "olga"))
        await _happen(after, Released(clock.now()))
        assert (await _session(after))["holder"] == "operator"
        assert len(await after.hilo.store.run(execute, "waiting", until=2**62, at_most=10)) == 0


def _without_its_tool(shop: Path) -> None:
    file = shop / "agent.yaml"
    words = file.read_text(encoding="utf-8").replace("      - do: place_order\n        into: {number: number}\n", "")
    file.write_text(words.replace("{number}", "7"), encoding="utf-8")
    (shop / "tools.py").write_text("", encoding="utf-8")


@asynccontextmanager
async def _without_the_agent(url: str, shop: Path, clock: FakeClock) -> AsyncIterator[World]:
    other = shop.parent / "otra.yaml"
    other.write_text(OTHER, encoding="utf-8")
    async with open_world(url, other, clock=clock) as opened:
        await opened.hilo.add_channel(ChannelRow(CHANNEL, WORKSPACE, "test", "tienda"), opened.channel)
        yield opened


async def _write(opened: World, text: str) -> list[str]:
    before = len(opened.heard_by("ana"))
    await opened.write("ana", text)
    await opened.wait(WHILE)
    return opened.heard_by("ana")[before:]


async def _happen(opened: World, event: Event) -> None:
    session = await _session(opened)
    await opened.happen(session["id"], event, external_id=type(event).__name__)
    await opened.wait(WHILE)


async def _session(opened: World) -> Row:
    return await opened.hilo.store.run(_last_session)


def _last_session() -> Script[Row]:
    address = yield from one("find_address", channel=CHANNEL, value="ana", heard_at=0)
    assert address is not None
    session = yield from one("last_session", address=address["id"])
    assert session is not None
    return session
