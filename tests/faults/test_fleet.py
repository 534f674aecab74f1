"""Several processes on one database: each works on what it can serve, and a queue that is away stops nobody."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path

import pytest
from seen import rows
from shops import shop, until

from hilo.app.gateway import reach_queue
from hilo.app.installation import WORKSPACE, Installation, Options, installation
from hilo.channels.channel import Rejected
from hilo.clock import SystemClock
from hilo.messages import Address, Outbound
from hilo.queue.bull_server import BullServer
from hilo.queue.bullmq import BullQueue
from hilo.settings import Settings
from hilo.store.workspaces import ChannelRow
from hilo.testing.beside import FAKES, fake_beside
from servers import free_port

OTHER = """
agent: otra
slots: {name: {type: person_name, ask: "¿Nombre?"}}
flows: {greet: {starts: always, steps: [{collect: [name]}]}}
"""


@asynccontextmanager
async def _other(url: str, folder: Path) -> AsyncIterator[Installation]:
    """A process that has another agent."""
    file = folder / "agent.yaml"
    file.write_text(OTHER, encoding="utf-8")
    options = Options(burst=timedelta(), sweep=timedelta(seconds=0.1))
    async with installation(Settings(folder, database_url=url), [file], options=options) as here:
        yield here


async def test_a_worker_leaves_the_turns_of_agents_that_it_does_not_have(url: str, tmp_path: Path) -> None:
    contacts = [f"c{number}" for number in range(20)]
    async with shop(url) as mine, _other(url, tmp_path) as other:
        await other.add_channel(ChannelRow("wa", WORKSPACE, "test", mine.agent), mine.channel)  # both may send
        await other.runtime.start()
        for contact in contacts:
            accepted = await mine.hear(contact, "hola")
            await other.queue.wake("turn", accepted.address)
        await asyncio.sleep(0.5)
        assert rows(url, "SELECT 1 FROM turns") == rows(url, "SELECT 1 FROM handoffs") == []
        assert {row["attempts"] for row in rows(url, "SELECT attempts FROM work WHERE kind = 'turn'")} == {0}
        await mine.here.runtime.start()
        await mine.answered(contacts)
        await mine.here.runtime.stop()
        await other.runtime.stop()
    assert len(mine.channel.delivered) == len(contacts)
    assert rows(url, "SELECT 1 FROM handoffs") == []


@pytest.mark.parametrize("kind", sorted(FAKES))
async def test_a_fake_provider_beside_a_gateway_is_reached_by_workers_elsewhere(
    kind: str, url: str, tmp_path: Path
) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text(OTHER, encoding="utf-8")
    settings = Settings(tmp_path, database_url=url, secret_key="A" * 43 + "=")
    gateway = installation(settings, [file], options=Options(works=False))
    async with gateway as here, installation(settings, [file]) as worker:
        async with fake_beside(kind)(here, f"http://127.0.0.1:{free_port()}"):
            channel = await worker.channels.find_to_send(f"fake-{kind}")
            assert channel is not None
            outcome = await channel.send(Address(f"fake-{kind}", "5491155550001"), Outbound("hola"), message_id="m1")
            # It is there and takes our credentials; who has not written yet may not be written to.
            assert isinstance(outcome, Rejected)
        stored = {row["id"]: row["settings"] for row in rows(url, "SELECT id, settings FROM channels")}
        assert not stored[f"fake-{kind}"]


async def test_a_queue_that_hangs_neither_holds_up_a_sender_nor_the_turns() -> None:
    async with _hanging() as place:
        queue = BullQueue(
            BullServer(f"redis://{place}"),
            clock=SystemClock(),
            on_error=lambda _address, _error: None,
            abandoned_after=timedelta(seconds=10),
        )
        rung: list[str] = []

        async def job(address: str) -> None:
            rung.append(address)

        working = asyncio.create_task(queue.work("turn", job, concurrency=5))
        await asyncio.sleep(0)
        loop = asyncio.get_running_loop()
        waits = []
        for number in range(20):
            began = loop.time()
            await queue.wake("turn", f"a{number}")
            waits.append(loop.time() - began)
        await until(lambda: len(rung) == 20)
        assert max(waits) < 1, "a sender does not wait for the alarm"
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        await queue.close()  # or its connections are found unclosed in some later test


async def test_readiness_asks_for_an_answer_and_not_for_a_connection() -> None:
    async with _hanging() as place:
        try:
            await reach_queue(f"redis://{place}")
        except TimeoutError:
            return
    raise AssertionError("a server that hangs is not ready")


@asynccontextmanager
async def _hanging() -> AsyncIterator[str]:
    """A server that takes connections and never says a word."""

    writers: list[asyncio.StreamWriter] = []

    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        while await reader.read(4096):
            pass

    server = await asyncio.start_server(hang, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    try:
        yield f"{host}:{port}"
    finally:
        server.close()
        for writer in writers:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
