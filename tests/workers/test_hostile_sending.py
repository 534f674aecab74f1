"""Sendings that end badly: no copy follows another at once, and what never left does not look as if it had."""

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from hilo.channels.channel import Channel, Outcome, Unknown
from hilo.errors import HiloError
from hilo.testing.world import CHANNEL, Delivered, World
from hilo.tools.database import Row, Script, execute, one

pytestmark = pytest.mark.usefixtures("quiet_logs")  # what fails here is meant to


async def test_a_sending_of_unknown_end_is_not_repeated_at_once_where_no_receipts_come(shop_world: World) -> None:
    tries: list[datetime] = []

    def lost(_delivered: Delivered) -> Outcome:
        tries.append(shop_world.clock.now())
        return Unknown("the answer was lost")

    shop_world.channel.outcome = lost
    await shop_world.write("ana", "hola")
    await shop_world.settle()
    assert len(tries) == 1
    await shop_world.wait(timedelta(minutes=1))
    assert len(tries) == 5
    assert all(later - earlier >= timedelta(seconds=1) for earlier, later in pairwise(tries))


async def test_a_channel_that_cannot_be_opened_leaves_its_messages_unsent(shop_world: World) -> None:
    async def locked(_channel: str) -> Channel | None:
        raise HiloError("the credentials cannot be opened")

    open_channel = shop_world.hilo.runtime.deliveries
    shop_world.hilo.runtime.deliveries = replace(open_channel, channel=locked)
    await shop_world.write("ana", "hola")
    await shop_world.settle()
    message = await shop_world.hilo.store.run(_only_unsent)
    assert message["status"] == "pending"
    shop_world.hilo.runtime.deliveries = open_channel
    await shop_world.wait(timedelta(seconds=5))
    assert len(shop_world.heard_by("ana")) == 1


def _only_unsent() -> Script[Row]:
    address = yield from one("find_address", channel=CHANNEL, value="ana", heard_at=0)
    assert address is not None
    rows = yield from execute("unsent", address=address["id"], at_most=2)
    assert len(rows) == 1
    return rows[0]
