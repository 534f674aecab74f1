"""Many contacts who order the same thing at once, and what became of it."""

import asyncio
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import dict_row

from agents.agent_scene import Opened
from agents.kiosco_scene import AGENT, Shop
from agents.kiosco_worker import CHANNEL
from hilo.app.gateway import edge_of
from hilo.app.installation import WORKSPACE, Installation, Options, installation
from hilo.channels.infobip import Infobip
from hilo.server.app import make_app
from hilo.settings import Settings
from hilo.testing.loopback import serving
from hilo.testing.providers.infobip import FakeInfobip
from hilo.testing.providers.provider import Faults
from patience import PATIENCE

PRODUCT, SKU = "turrón", "GOL-017"
LOOK = 0.05  # seconds between two looks at the phones
ORDERED = "está confirmado por"

# What a contact answers, by what the last message asks; whoever reads something else has the last word of the shop.
ANSWERS = {
    "¿Confirmamos?": "sí",
    "A nombre de quién": "Ana Paz, DNI 30123456",
    "tu nombre": "Ana Paz, DNI 30123456",
    "DNI": "30123456",
    "dirección": "lo retiro",
    "confirmamos?": "confirmar",
}


@dataclass
class Crowd:
    """Contacts who go on until they have an order, or are told why not."""

    fake: FakeInfobip
    contacts: tuple[str, ...]
    ends: dict[str, str] = field(default_factory=dict)
    looked_at: int = 0

    @property
    def ordered(self) -> int:
        return sum(ORDERED in text for text in self.ends.values())

    async def order(self, *, seconds: float, watch: Callable[[], Awaitable[None]] | None = None) -> None:
        """All at once; `watch` is called at every look."""
        deadline = time.monotonic() + seconds
        for contact in self.contacts:
            await self.fake.write(contact, f"quiero 1 {PRODUCT}")
        while len(self.ends) < len(self.contacts):
            assert time.monotonic() < deadline, self._stuck()
            await asyncio.sleep(LOOK)
            await self._look()
            if watch:
                await watch()

    async def _look(self) -> None:
        bubbles = self.fake.chats.bubbles
        fresh, self.looked_at = bubbles[self.looked_at :], len(bubbles)
        for bubble in fresh:
            if bubble.side == "business":
                await self._answer(bubble.contact, bubble.text)

    async def _answer(self, contact: str, text: str) -> None:
        said = next((answer for asked, answer in ANSWERS.items() if asked in text), "")
        if said and ORDERED not in text:
            await self.fake.write(contact, said)
        else:
            self.ends[contact] = text

    def _stuck(self) -> str:
        waiting = [each for each in self.contacts if each not in self.ends]
        last = {each: self.fake.chats.of(each)[-1] for each in waiting[:3]}
        return f"{len(waiting)} were not answered, such as {last}"


@dataclass(frozen=True)
class Street:
    """The gateway of the kiosk, and the provider whose contacts write to it."""

    hilo: Installation
    fake: FakeInfobip
    database_url: str

    async def stock(self, units: int) -> None:
        await Shop(Opened(self.hilo.store, self.database_url), workspace=WORKSPACE).stock(SKU, units)

    def rows(self, sql: str) -> list[dict[str, Any]]:
        """Look at the tables, past the store."""
        if self.database_url.startswith("sqlite"):
            with closing(sqlite3.connect(self.database_url.removeprefix("sqlite:///"))) as file:
                file.row_factory = sqlite3.Row
                return [dict(row) for row in file.execute(sql)]
        with psycopg.connect(self.database_url, row_factory=dict_row) as connection:
            return connection.execute(sql.encode()).fetchall()

    def left(self) -> int:
        """The units that the shop still has."""
        return int(self.rows(f"SELECT units FROM kiosco_stock WHERE sku = '{SKU}'")[0]["units"])  # noqa: S608

    def sold(self) -> list[dict[str, Any]]:
        """Every order with its contact and its units."""
        return self.rows(
            "SELECT o.number, o.contact_id, o.status, SUM(i.quantity) AS units FROM kiosco_orders o "
            "JOIN kiosco_order_items i ON i.workspace_id = o.workspace_id AND i.number = o.number "
            "GROUP BY o.number, o.contact_id, o.status ORDER BY o.number"
        )

    def unfinished(self) -> int:
        """Events that wait for a turn, and messages that wait to be sent."""
        waiting = self.rows("SELECT id FROM inbox WHERE status = 'pending'")
        return len(waiting) + len(self.rows("SELECT id FROM outbox WHERE status IN ('pending', 'sending')"))

    async def rest(self, *, seconds: float = PATIENCE) -> None:
        """Wait until nothing is left to do."""
        async with asyncio.timeout(seconds):
            await self.fake.settle()
            while self.unfinished():  # noqa: ASYNC110 -- it happens in the database
                await asyncio.sleep(LOOK)

    def sent_twice(self) -> list[str]:
        """Messages of ours that the provider took more than once."""
        return [each for each, times in Counter(sent.message_id for sent in self.fake.taken).items() if times > 1]


@asynccontextmanager
async def street(database_url: str, *, faults: Faults | None = None, workers: bool = True) -> AsyncIterator[Street]:
    """The gateway on loopback, and with `workers` those of this process."""
    settings = Settings(Path(), database_url=database_url)
    async with installation(settings, [AGENT], options=Options(burst=timedelta())) as hilo:
        app = make_app(edge_of(hilo, settings))
        async with (
            serving(app, 0) as url,
            FakeInfobip(f"{url}/webhooks/infobip/wa", faults=faults) as fake,
            aclosing(Infobip(fake.settings)) as channel,
        ):
            await hilo.add_channel(CHANNEL, channel)
            if workers:
                await hilo.runtime.start()
            yield Street(hilo, fake, database_url)
            if workers:
                await hilo.runtime.stop()


@asynccontextmanager
async def worker(street: Street) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process of its own that works for the kiosk."""
    command = (sys.executable, str(Path(__file__).parent / "kiosco_worker.py"), street.database_url, street.fake.url)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE):
        assert await process.stdout.readline() == b"working\n"
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
