"""A clock that is set back by hours: whoever writes is answered, in the session that is open."""

from datetime import timedelta
from pathlib import Path

from hilo.app.installation import WORKSPACE, Options
from hilo.dialogue.events import Closed
from hilo.store.workspaces import ChannelRow
from hilo.testing.world import CHANNEL, World, open_world
from hilo.tools.database import Script, one

HOURS = timedelta(hours=3)
MINUTE = timedelta(minutes=1)


async def test_a_session_that_begins_after_the_clock_was_set_back_is_the_last_one(shop_world: World) -> None:
    shop_world.clock.advance(HOURS)
    await shop_world.say("ana", "hola")
    session = await shop_world.hilo.store.run(_last_session)
    await shop_world.happen(session, Closed(shop_world.clock.now()), external_id="close")
    shop_world.clock.advance(-HOURS)
    assert await shop_world.say("ana", "soy Ana Pérez") == ["¡Hola de nuevo! ¿Qué quieres pedir?"]
    assert await shop_world.say("ana", "pan") == ["Pido pan a nombre de Ana Pérez. ¿Está bien?"]


async def test_a_channel_with_a_rate_sends_on_when_the_clock_was_set_back(shop_world: World) -> None:
    row = ChannelRow(CHANNEL, WORKSPACE, "test", "tienda", per_second=1)
    await shop_world.hilo.add_channel(row, shop_world.channel)
    shop_world.clock.advance(HOURS)
    await shop_world.say("ana", "hola")
    shop_world.clock.advance(-HOURS)
    for contact in ("beto", "caro"):
        await shop_world.write(contact, "hola")
    await shop_world.wait(MINUTE)
    assert [len(shop_world.heard_by(each)) for each in ("beto", "caro")] == [1, 1]


async def test_a_message_that_waits_for_the_end_of_a_burst_does_not_wait_for_a_clock_that_was_set_back(
    database_url: str, shop: Path
) -> None:
    async with open_world(database_url, shop, options=Options()) as opened:
        opened.clock.advance(HOURS)
        await opened.write("ana", "hola")
        opened.clock.advance(-HOURS)
        await opened.hilo.runtime.sweep.once()
        await opened.settle()
        assert len(opened.heard_by("ana")) == 1


async def test_a_burst_is_not_ended_by_the_sweep(database_url: str, shop: Path) -> None:
    async with open_world(database_url, shop, options=Options()) as opened:
        await opened.write("ana", "hola")
        await opened.hilo.runtime.sweep.once()
        await opened.settle()
        assert opened.heard_by("ana") == []
        await opened.wait(MINUTE)
        assert len(opened.heard_by("ana")) == 1


def _last_session() -> Script[str]:
    address = yield from one("find_address", channel=CHANNEL, value="ana", heard_at=0)
    assert address is not None
    session = yield from one("last_session", address=address["id"])
    assert session is not None
    return str(session["id"])
