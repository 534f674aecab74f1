"""What was done, by whom, in a chain: whoever changes an entry breaks all that follow."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from hilo.tools.database import Row, Script, execute, micros, moment, one, storable

START = "0" * 64
PIECE = 1000


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An act that somebody may ask about later."""

    actor: str
    action: str
    subject: str
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """Where the chain does not hold."""

    number: int
    why: str


@dataclass(frozen=True, slots=True)
class Verified:
    """How many entries hold, up to when, and where the chain is broken if it is."""

    entries: int
    last_at: datetime | None
    last_hash: str
    broken: BrokenLink | None = None


def add_audit(workspace: str, entries: Sequence[AuditEntry], *, at: datetime) -> Script[None]:
    """Add to the chain of a workspace; the last thing a transaction does, for the others wait."""
    yield from execute("lock_audit", workspace=workspace)
    last = yield from one("last_audit", workspace=workspace)
    number, previous = (last["number"], last["hash"]) if last else (0, START)
    for entry in entries:
        number += 1
        link = {
            "number": number,
            "at": micros(at),
            "actor": storable(entry.actor),  # the hash is of what the table will hold
            "action": storable(entry.action),
            "subject": storable(entry.subject),
            "detail": storable(json.dumps(entry.detail, ensure_ascii=False, sort_keys=True, default=str)),
            "previous": previous,
        }
        previous = _hash(workspace, link)
        yield from execute("add_audit", workspace=workspace, **link, hash=previous)


def _hash(workspace: str, link: Mapping[str, Any] | Row) -> str:
    names = ("number", "at", "actor", "action", "subject", "detail", "previous")
    plain = json.dumps([workspace, *(link[name] for name in names)], ensure_ascii=False)
    return hashlib.sha256(plain.encode()).hexdigest()


def verify(workspace: str) -> Script[Verified]:
    """Follow the chain from its beginning."""
    number, previous, last_at = 0, START, None
    while rows := (yield from execute("audit_from", workspace=workspace, after=number, at_most=PIECE)):
        for row in rows:
            if row["number"] != number + 1:
                return Verified(number, last_at, previous, BrokenLink(number + 1, "is missing"))
            if row["previous"] != previous or _hash(workspace, row) != row["hash"]:
                return Verified(number, last_at, previous, BrokenLink(row["number"], "was changed"))
            number, previous, last_at = row["number"], row["hash"], moment(row["at"])
    return Verified(number, last_at, previous)
