"""A whole order at `agents/kiosco`, durably: in one process on SQLite, or with PostgreSQL, BullMQ and two workers.

`python -m bench.durable_kiosco DATABASE REDIS SOCKET` is one of the two workers; `durable_engines.py` starts them.
"""

import asyncio
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
from bench.durable_engines import Engine, Hilo, Waiting, answer_all

from hilo.app.installation import WORKSPACE, Installation, Options, installation
from hilo.channels.channel import Outcome, Sent
from hilo.messages import Address, Outbound
from hilo.settings import Settings
from hilo.store.workspaces import ChannelRow

ROOT = Path(__file__).parent.parent
KIOSCO = ROOT / "agents" / "kiosco"
ORDER = ("hola", "quiero 2 coca 500", "¿a qué hora abren?", "listo, eso sería todo", "Ana Pérez", "30123456",
         "San Martín 1234", "sí, dale")  # fmt: skip
ENOUGH = "UPDATE kiosco_stock SET units = 1000000"  # to be sold to all contacts of a run
ORDERS = "SELECT COUNT(*) FROM kiosco_orders"
WORKERS = 2
CHANNEL = ChannelRow("bench", WORKSPACE, "web", "kiosco")
AT_ONCE = Options(burst=timedelta())


def said(turn: int) -> str:
    """What a contact who orders writes."""
    return ORDER[turn]


# --- in one process -----------------------------------------------------------------------------------


@asynccontextmanager
async def kiosco(url: str) -> AsyncIterator[Engine]:
    """All of it in this process, as `hilo serve` runs it."""
    channel = Waiting()
    async with _opened(Settings(Path(), url), AT_ONCE) as running:
        await running.add_channel(CHANNEL, channel)
        await running.runtime.start()
        engine = Hilo(running, channel, said)
        await _stock(engine, url)
        yield engine
        await running.runtime.stop()


@asynccontextmanager
async def _opened(settings: Settings, options: Options) -> AsyncIterator[Installation]:
    with tempfile.TemporaryDirectory() as cache:
        own = Settings(Path(cache), settings.database_url, settings.queue_url)
        async with installation(own, [KIOSCO], options=options) as running:
            yield running


async def _stock(engine: Engine, url: str) -> None:
    """The shop fills its shelves when somebody asks first; here they do not run empty."""
    await answer_all(engine, "shelves", range(2))
    await engine.settle()
    _execute(url, ENOUGH)


def orders(url: str) -> int:
    """How many there are: each whole talk makes one."""
    return int(_execute(url, ORDERS))


def _execute(url: str, sql: str) -> Any:
    """One statement beside the engine; the first value of its first row, if there is one."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as connection:
            row = connection.execute(sql).fetchone()
    else:
        with psycopg.connect(url, autocommit=True) as server:
            cursor = server.execute(sql.encode())
            row = cursor.fetchone() if cursor.description else None
    return row[0] if row else None


# --- with workers -------------------------------------------------------------------------------------


@dataclass
class Fleet(Hilo):
    """A gateway that writes messages down; two workers answer, and tell it by a socket."""

    async def settle(self) -> None:
        """Others have it: what a worker writes after the reply takes it a moment."""
        await asyncio.sleep(0.3)


@asynccontextmanager
async def kiosco_fleet(url: str) -> AsyncIterator[Engine]:
    """The gateway in this process, Redis, and two workers."""
    sys.path.insert(0, str(ROOT / "tests"))
    from servers import redis_server  # noqa: PLC0415 -- tests' own, like the wheels that it starts from

    channel = Waiting()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        redis = stack.enter_context(redis_server(folder))
        stack.enter_context(_told(folder / "replies", channel))
        settings = Settings(folder, url, redis.url)
        gateway = Options(burst=timedelta(), works=False)
        running = await stack.enter_async_context(_opened(settings, gateway))
        await running.add_channel(CHANNEL, channel)
        started = [stack.enter_context(_worker(url, redis.url, folder / "replies")) for _ in range(WORKERS)]
        for each in started:
            assert each.stdout is not None
            await asyncio.to_thread(each.stdout.readline)
        assert redis.process is not None
        others = (redis.process.pid, *(each.pid for each in started))
        engine = Fleet(running, channel, said, others)
        await _stock(engine, url)
        yield engine


@contextmanager
def _told(place: Path, channel: Waiting) -> Iterator[None]:
    """Each worker says here which contact has a reply."""
    loop = asyncio.get_running_loop()
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as listening:
        listening.bind(str(place))
        listening.settimeout(0)
        loop.add_reader(listening, lambda: channel.came(listening.recv(200).decode()))
        yield
        loop.remove_reader(listening)


@contextmanager
def _worker(*given: object) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "bench.durable_kiosco", *map(str, given)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 -- our own words
    try:
        yield process
    finally:
        process.communicate()  # the end of its input is its end


@dataclass
class Telling:
    """A worker's channel: it sends to nobody, and tells the gateway that a reply is there."""

    gateway: str
    socket: socket.socket

    async def send(self, to: Address, message: Outbound, *, message_id: str) -> Outcome:
        """One packet."""
        del message
        self.socket.sendto(to.value.encode(), self.gateway)
        return Sent(f"channel.{message_id}")

    async def typing(self, to: Address, *, answering: str) -> None:
        """Nobody looks."""


async def work(database: str, redis: str, gateway: str) -> None:
    """Answer until the input ends."""
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as to_gateway:
        async with _opened(Settings(Path(), database, redis), AT_ONCE) as running:
            channel: Any = Telling(gateway, to_gateway)
            running.channels.add(CHANNEL, channel)
            await running.runtime.start()
            os.write(1, b"ready\n")
            await asyncio.to_thread(sys.stdin.read)
            await running.runtime.stop()


if __name__ == "__main__":
    asyncio.run(work(*sys.argv[1:]))
