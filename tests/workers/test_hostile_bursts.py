"""What comes between the messages of a burst does not hold them up."""

import asyncio

from hilo.app.installation import WORKSPACE
from hilo.dialogue.events import OperatorTookOver
from hilo.testing.world import CHANNEL, World
from hilo.tools.database import Row, Script, execute, one
from patience import PATIENCE

SECONDS = PATIENCE  # for what must never take long


async def test_a_button_behind_a_message_does_not_hold_it_up(shop_world: World) -> None:
    await shop_world.say("ana", "hola")
    await shop_world.write("ana", "soy Ana Pérez")
    await shop_world.write("ana", "Sí", payload="yes")
    await shop_world.write("ana", "pan")
    async with asyncio.timeout(SECONDS):
        await shop_world.settle()
    assert len(shop_world.heard_by("ana")) == 4
    assert await _unanswered(shop_world) == 0


async def test_an_operator_between_two_messages_gets_the_session_at_once(shop_world: World) -> None:
    await shop_world.say("ana", "hola")
    session = await shop_world.hilo.store.run(_only_session)
    await shop_world.write("ana", "soy Ana Pérez")
    took = OperatorTookOver(shop_world.clock.now(), "olga")
    await shop_world.hilo.intake.event(WORKSPACE, session["id"], took, external_id="click")
    await shop_world.write("ana", "¿hay alguien?")
    async with asyncio.timeout(SECONDS):
        await shop_world.settle()
    assert (await shop_world.hilo.store.run(_only_session))["holder"] == "operator"
    assert await _unanswered(shop_world) == 0


async def _unanswered(world: World) -> int:
    rows = await world.hilo.store.run(_waiting_events)
    return len(rows)


def _waiting_events() -> Script[list[Row]]:
    address = yield from one("find_address", channel=CHANNEL, value="ana", heard_at=0)
    assert address is not None
    return (yield from execute("pending_events", address=address["id"], at_most=50))


def _only_session() -> Script[Row]:
    address = yield from one("find_address", channel=CHANNEL, value="ana", heard_at=0)
    assert address is not None
    session = yield from one("last_session", address=address["id"])
    assert session is not None
    return session
