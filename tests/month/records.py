"""What the store has at the end of a month, as plain records: sessions with their turns, in order."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from hilo.tools.database import moment
from hilo.turn.trace import describe, trace_from_json

_SESSIONS = """
SELECT s.id, a.value AS contact, s.status, s.mode, s.version, s.opening FROM sessions s
JOIN addresses a ON a.id = s.address_id ORDER BY s.address_id, s.started_at
"""
_TURNS = "SELECT session_id, number, at, event, heard, told, trace FROM turns ORDER BY session_id, number"


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: what happened, and how it came about."""

    number: int
    at: datetime
    event: str
    heard: str
    told: tuple[Mapping[str, Any], ...]
    trace: Mapping[str, Any]

    @property
    def effects(self) -> tuple[str, ...]:
        return tuple(self.trace.get("effects", ()))


@dataclass(frozen=True, slots=True)
class Sitting:
    """A session with all that happened in it."""

    id: str
    contact: str
    status: str
    mode: str
    version: int
    opening: Mapping[str, Any]
    turns: list[Turn] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Records:
    """A database, read past the store."""

    file: Path

    def sittings(self) -> list[Sitting]:
        found = {row["id"]: _sitting(row) for row in self.rows(_SESSIONS)}
        for row in self.rows(_TURNS):
            found[row["session_id"]].turns.append(_turn(row))
        return list(found.values())

    def rows(self, sql: str) -> Iterator[sqlite3.Row]:
        with closing(sqlite3.connect(self.file)) as file:
            file.row_factory = sqlite3.Row
            yield from file.execute(sql)

    def count(self, sql: str) -> dict[str, int]:
        """Names and numbers of a query with two columns."""
        return {str(name): number for name, number in self.rows(sql)}


def _sitting(row: sqlite3.Row) -> Sitting:
    return Sitting(
        id=row["id"],
        contact=row["contact"],
        status=row["status"],
        mode=row["mode"],
        version=row["version"],
        opening=json.loads(row["opening"]),
    )


def _turn(row: sqlite3.Row) -> Turn:
    told, stored = json.loads(row["told"]), trace_from_json(row["trace"])
    trace = {
        "mode": stored.mode,
        "modes": stored.modes,
        "steps": stored.steps,
        "accepted": tuple(map(describe, stored.accepted)),
        "effects": tuple(map(describe, stored.effects)),
    }
    return Turn(row["number"], moment(row["at"]), row["event"], row["heard"], tuple(told), trace)
