"""What can be seen from outside when all is over: the tables, the provider's memory, the orders."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.rows import dict_row
from scenario import Job

_HERE = "address_id IN (SELECT id FROM addresses WHERE channel_id = ?)"
_BUSY = f"SELECT COUNT(*) AS n FROM work WHERE {_HERE} AND (next_at IS NOT NULL OR lease_owner IS NOT NULL)"  # noqa: S608
_INBOX = f"SELECT kind, status, COUNT(*) AS n FROM inbox WHERE {_HERE} GROUP BY kind, status ORDER BY kind, status"  # noqa: S608
_OUTBOX = f"SELECT COUNT(*) AS n FROM outbox WHERE {_HERE} AND status NOT IN ('sent', 'delivered', 'read')"  # noqa: S608
_TIMERS = f"SELECT COUNT(*) AS n FROM timers WHERE {_HERE}"  # noqa: S608
_TURNS = (
    "SELECT s.id, s.version, t.number FROM sessions s LEFT JOIN turns t ON t.session_id = s.id "
    "WHERE s.channel_id = ? ORDER BY s.id, t.number"
)
_HANDOFFS = "SELECT h.policy FROM handoffs h JOIN sessions s ON s.id = h.session_id WHERE s.channel_id = ?"


Rows = list[dict[str, Any]]


def rows(url: str, sql: str, *values: Any) -> Rows:
    """What the database has, past the store; `?` stands for a value."""
    return all_rows(url, {"it": sql}, *values)["it"]


def all_rows(url: str, queries: Mapping[str, str], *values: Any) -> dict[str, Rows]:
    """The same for several queries with the same values."""
    if url.startswith("postgresql"):
        with psycopg.connect(url, autocommit=True, row_factory=dict_row) as connection:
            asked = {name: connection.execute(sql.replace("?", "%s").encode(), values) for name, sql in queries.items()}
            return {name: cursor.fetchall() if cursor.description else [] for name, cursor in asked.items()}
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file, file:
        file.row_factory = sqlite3.Row
        return {name: [dict(row) for row in file.execute(sql, values)] for name, sql in queries.items()}


@dataclass(frozen=True, slots=True)
class Copy:
    """A message as the provider took it, perhaps not for the first time."""

    message_id: str
    contact: str
    text: str

    @property
    def turn(self) -> int:
        return int(self.message_id.split(".")[1])


@dataclass(frozen=True, slots=True)
class Seen:
    """The end of a scenario."""

    copies: tuple[Copy, ...]
    orders: tuple[int, ...]
    sessions: tuple[tuple[int, tuple[int, ...]], ...]  # the version, and the numbers of the turns
    inbox: tuple[tuple[str, str, int], ...]  # kind, status, how many
    unsent: int
    timers: int
    handoffs: tuple[str, ...]
    busy: int  # addresses with work, or with somebody who claims to do it
    broken_audit: Any

    @property
    def doubled(self) -> int:
        return len(self.copies) - len({each.message_id for each in self.copies})

    @property
    def told(self) -> dict[str, list[str]]:
        """What each contact reads, a second copy left out."""
        once = {each.message_id: each for each in self.copies}
        return {
            contact: [each.text for each in once.values() if each.contact == contact] for contact in self._contacts()
        }

    def wrong(self) -> Iterator[str]:
        """What must hold whatever happened."""
        if any(numbers != tuple(range(1, version + 1)) for version, numbers in self.sessions):
            yield f"versions and turns: {self.sessions}"
        if any(status == "pending" for _, status, _ in self.inbox):
            yield f"not answered: {self.inbox}"
        if self.busy or self.unsent:
            yield f"{self.busy} addresses are still busy, {self.unsent} messages unsent"
        if self.broken_audit:
            yield f"the audit is broken: {self.broken_audit}"
        for contact in self._contacts():
            turns = [each.turn for each in self.copies if each.contact == contact]
            if turns != sorted(turns):
                yield f"{contact} got the answers in the order {turns}"

    def differs(self, whole: "Seen") -> Iterator[str]:
        """What is not as it is when nobody dies."""
        for name in ("told", "orders", "sessions", "inbox", "timers", "handoffs"):
            here, there = getattr(self, name), getattr(whole, name)
            if here != there:
                yield f"{name}: {here} instead of {there}"

    def _contacts(self) -> list[str]:
        return sorted({each.contact for each in self.copies})


def look(job: Job) -> Seen:
    """Look at everything; the process wrote down only what it thinks of the audit."""
    found = all_rows(job.url, _QUERIES, job.channel)
    versions = {row["id"]: row["version"] for row in found["turns"]}
    numbers = {name: tuple(row["number"] for row in found["turns"] if row["id"] == name) for name in versions}
    return Seen(
        copies=tuple(Copy(each.message_id, each.contact, each.text) for each in job.ledger.sent()),
        orders=tuple(job.ledger.orders()),
        sessions=tuple((versions[name], numbers[name]) for name in versions),
        inbox=tuple((row["kind"], row["status"], row["n"]) for row in found["inbox"]),
        unsent=found["unsent"][0]["n"],
        timers=found["timers"][0]["n"],
        handoffs=tuple(row["policy"] for row in found["handoffs"]),
        busy=found["busy"][0]["n"],
        broken_audit=json.loads(job.report.read_text())["broken"],
    )


_QUERIES = {
    "turns": _TURNS,
    "inbox": _INBOX,
    "unsent": _OUTBOX,
    "timers": _TIMERS,
    "handoffs": _HANDOFFS,
    "busy": _BUSY,
}
