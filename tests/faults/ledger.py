"""What the world outside remembers: the messages that a provider took, and the orders that were made."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from crash_points import POINTS

from hilo.channels.channel import Outcome, Received, Sent, Webhook
from hilo.messages import Address, Outbound

TABLES = """
CREATE TABLE IF NOT EXISTS sent (id INTEGER PRIMARY KEY, message_id TEXT, contact TEXT, text TEXT);
CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, call_id TEXT, quantity INTEGER);
CREATE TABLE IF NOT EXISTS calls (id INTEGER PRIMARY KEY, call_id TEXT);
"""


@dataclass(frozen=True, slots=True)
class Taken:
    """A copy of a message that the provider took."""

    message_id: str
    contact: str
    text: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """A file that survives whatever dies."""

    file: str

    def make(self) -> None:
        Path(self.file).unlink(missing_ok=True)
        with self._open() as file:
            file.executescript(TABLES)

    def take(self, to: str, text: str, message_id: str) -> None:
        with self._open() as file:
            file.execute("INSERT INTO sent (message_id, contact, text) VALUES (?, ?, ?)", (message_id, to, text))

    def order(self, call_id: str, quantity: int, *, repeatable: bool) -> None:
        with self._open() as file:
            file.execute("INSERT INTO calls (call_id) VALUES (?)", (call_id,))
            known = file.execute("SELECT 1 FROM orders WHERE call_id = ?", (call_id,)).fetchone()
            if not (repeatable and known):
                file.execute("INSERT INTO orders (call_id, quantity) VALUES (?, ?)", (call_id, quantity))

    def sent(self) -> list[Taken]:
        with self._open() as file:
            return [Taken(*row) for row in file.execute("SELECT message_id, contact, text FROM sent ORDER BY id")]

    def orders(self) -> list[int]:
        with self._open() as file:
            return [row[0] for row in file.execute("SELECT quantity FROM orders ORDER BY id")]

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.file, timeout=5)) as file, file:
            file.execute("PRAGMA synchronous = OFF")
            yield file


@dataclass(frozen=True, slots=True)
class LedgerChannel:
    """A provider that takes every message and writes it down."""

    ledger: Ledger

    def read(self, webhook: Webhook) -> Received:
        del webhook
        return Received()

    async def send(self, to: Address, message: Outbound, *, message_id: str) -> Outcome:
        POINTS.reach("before", "send")
        self.ledger.take(to.value, message.text, message_id)
        POINTS.reach("after", "send")
        return Sent()

    async def typing(self, to: Address, *, answering: str) -> None:
        """Nobody looks."""
