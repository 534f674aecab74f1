"""After a restart, whoever wrote before it is answered before anything else is done; nothing waits for ever."""

import asyncio
import time
from pathlib import Path

import pytest
from gateways import AGENT, Gateway, gateway

from hilo.channels.channel import Outcome
from hilo.messages import Address, Inbound, Outbound
from hilo.store.workspaces import ChannelRow
from hilo.testing.world import RecordingChannel
from patience import PATIENCE

ROW = ChannelRow("phone", "main", "test", "eco")


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    (tmp_path / "eco.yaml").write_text(AGENT, encoding="utf-8")
    return tmp_path / "eco.yaml"


class HangingChannel(RecordingChannel):
    """A provider that never answers."""

    async def send(self, to: Address, message: Outbound, *, message_id: str) -> Outcome:
        """Wait for ever."""
        await asyncio.Event().wait()
        return await super().send(to, message, message_id=message_id)


async def _write(edge: Gateway) -> None:
    message = Inbound("m1", Address("phone", "ana"), "hola", edge.hilo.clock.now())
    await edge.hilo.intake.messages("phone", [message])


async def test_who_wrote_before_a_restart_is_answered_when_it_has_caught_up(database_url: str, agent: Path) -> None:
    async with gateway(database_url, agent) as before:
        await before.connect(ROW, RecordingChannel())
        await _write(before)  # and the process ends without an answer
    async with gateway(database_url, agent) as after:
        channel = RecordingChannel()
        await after.connect(ROW, channel)
        await after.hilo.runtime.start()
        await after.hilo.runtime.caught_up(within=PATIENCE)
        assert [each.to for each in channel.delivered] == ["ana"]
        await after.hilo.runtime.stop()


async def test_a_provider_that_hangs_does_not_hold_up_the_start(database_url: str, agent: Path) -> None:
    async with gateway(database_url, agent) as edge:
        await edge.connect(ROW, HangingChannel())
        await _write(edge)
        await edge.hilo.runtime.start()
        began = time.monotonic()
        await edge.hilo.runtime.caught_up(within=0.5)
        assert time.monotonic() - began < PATIENCE / 2
        await edge.hilo.runtime.stop(grace=0)


async def test_an_idle_start_is_caught_up_at_once(database_url: str, agent: Path) -> None:
    async with gateway(database_url, agent) as edge:
        await edge.hilo.runtime.start()
        async with asyncio.timeout(PATIENCE):
            await edge.hilo.runtime.caught_up(within=10 * PATIENCE)
        await edge.hilo.runtime.stop()
