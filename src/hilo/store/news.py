"""What happens between agents and persons in a workspace, in order: the audit, read as news."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from hilo.tools.database import Row, Script, execute, moment, one

PIECE = 200  # entries looked at together

Kind = Literal["new_handoff", "assigned", "released", "resolved", "call_done"]

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
    rows = yield from execute("audit_from", workspace=workspace, after=after, at_most=PIECE)
    items = tuple(item for item in map(_item, rows) if item)
    return NewsPage(items, rows[-1]["number"] if rows else after, more=len(rows) == PIECE)


def _item(row: Row) -> NewsItem | None:
    kind = KINDS.get(row["action"])
    detail = json.loads(row["detail"]) if kind else {}
    if kind is None or not _is_news(kind, detail):
        return None
    session, _, tool = row["subject"].partition(" ")
    told = {name: detail[name] for name in ("policy", "reason", "error") if name in detail}
    if kind == "call_done":
        told |= {"tool": tool, "ok": row["action"] == "called"}
    session, handoffs = detail.get("session", session), tuple(detail.get("handoffs", ()))
    return NewsItem(row["number"], moment(row["at"]), kind, session, handoffs, row["actor"], told)


def _is_news(kind: Kind, detail: Mapping[str, Any]) -> bool:
    """An agent's calls are none, nor is the end of a session that no person was at."""
    return bool(detail.get("operator") if kind == "call_done" else detail.get("handoffs"))
