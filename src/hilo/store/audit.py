"""What was done, by whom, in a chain: whoever changes an entry breaks all that follow. Some of it is news to people."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from hilo.tools.database import Row, Script, execute, micros, moment, one, storable

START = "0" * 64
PIECE = 1000
NEWS_AT_ONCE = 200


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


# --- what happens between agents and persons --------------------------------------------------------


Kind = Literal["new_handoff", "assigned", "released", "resolved", "call_done", "channel_trouble"]

KINDS: Mapping[str, Kind] = {
    "handed over": "new_handoff",
    "parked": "new_handoff",
    "took over": "assigned",
    "released": "released",
    "closed": "resolved",
    "resolved": "resolved",
    "called": "call_done",
    "failed": "call_done",
    "refused": "call_done",
    "cannot send": "channel_trouble",
}


@dataclass(frozen=True, slots=True)
class NewsItem:
    """Something that a person at a screen wants to know at once; `number` is its place, the same for ever."""

    number: int
    at: datetime
    kind: Kind
    session: str
    handoffs: tuple[str, ...]
    actor: str
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NewsPage:
    """News after a place; `last` is the place that was read up to, and `more` whether something may be behind it."""

    items: tuple[NewsItem, ...]
    last: int
    more: bool = False


def news_since(workspace: str, after: int | None) -> Script[NewsPage]:
    """The news after a place, some at a time; without a place, nothing but where the news from now on begin."""
    if after is None:
        row = yield from one("last_audit", workspace=workspace)
        return NewsPage((), row["number"] if row else 0)
    rows = yield from execute("audit_from", workspace=workspace, after=after, at_most=NEWS_AT_ONCE)
    items = tuple(item for item in map(_item, rows) if item)
    return NewsPage(items, rows[-1]["number"] if rows else after, more=len(rows) == NEWS_AT_ONCE)


def _item(row: Row) -> NewsItem | None:
    kind = KINDS.get(row["action"])
    detail = json.loads(row["detail"]) if kind else {}
    if kind is None or not _is_news(kind, detail):
        return None
    session, _, tool = row["subject"].partition(" ")
    told = {name: detail[name] for name in ("policy", "reason", "error", "trouble") if name in detail}
    if kind == "channel_trouble":
        session, told = "", told | {"channel": row["subject"]}
    if kind == "call_done":
        told |= {"tool": tool, "ok": row["action"] == "called"}
    session, handoffs = detail.get("session", session), tuple(detail.get("handoffs", ()))
    return NewsItem(row["number"], moment(row["at"]), kind, session, handoffs, row["actor"], told)


def _is_news(kind: Kind, detail: Mapping[str, Any]) -> bool:
    """An agent's calls are none, nor is the end of a session that no person was at."""
    if kind == "channel_trouble":
        return True
    return bool(detail.get("operator") if kind == "call_done" else detail.get("handoffs"))
