"""What happens in a workspace, as it happens, for pages that are open: numbered, and kept for a day.

Whoever changes something tells it in the same transaction, without a lock. Numbers are given when somebody reads:
what is committed later gets a later number, so a reader that goes on from a number has missed nothing.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from hilo.store.store import reading
from hilo.tools.database import Row, Script, Statement, execute, micros, moment, one, statement, storable

KEPT = timedelta(days=1)
AT_ONCE = 200
NUMBERED_AT_ONCE = 1000
MAX_TEXT = 500  # characters of what was said

LiveKind = Literal[
    "heard", "said", "receipt", "held", "failed", "typing", "mode", "status", "slot", "timer",
    "handoff", "taken", "released", "transferred", "note", "read", "presence", "media",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class LiveEvent:
    """Something that a page shows at once."""

    event: LiveKind
    session: str
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NumberedEvent:
    """The same with its place."""

    n: int
    at: datetime
    event: str
    session: str
    detail: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LivePage:
    """What happened after a number; `lost` says that some of it is not kept any more, so a page must load anew."""

    items: tuple[NumberedEvent, ...]
    last: int
    more: bool = False
    lost: bool = False


def tell_live(workspace: str, events: Sequence[LiveEvent], *, now: datetime) -> Script[None]:
    """Tell pages what happened, in the transaction in which it does."""
    yield from live_rows(workspace, events, now=now)


def live_rows(workspace: str, events: Sequence[LiveEvent], *, now: datetime) -> Iterator[Statement]:
    """The statement that does it, if there is anything to tell."""
    if not events:
        return
    plain = []
    for each in events:
        detail = json.dumps(each.detail, ensure_ascii=False, default=str)
        kept = storable(detail).replace("\\u0000", "\\ufffd")  # in characters that every database keeps
        plain.append({"event": each.event, "session": each.session, "detail": kept})
    written = json.dumps(plain, ensure_ascii=False)
    yield statement("tell_live", workspace=workspace, at=micros(now), events=written)


@reading
def live_head(workspace: str) -> Script[tuple[int, bool]]:
    """The last number, and whether something waits for one."""
    row = yield from one("live_state", workspace=workspace)
    return (row["head"], row["unnumbered"] is not None) if row else (0, False)


def number_live(workspace: str) -> Script[int]:
    """Give numbers to what has none; the last number."""
    row = yield from one("lock_live", workspace=workspace)
    head = row["number"] if row else 0
    rows = yield from execute("number_live", workspace=workspace, head=head, at_most=NUMBERED_AT_ONCE)
    if not rows:
        return int(head)
    last = max(each["number"] for each in rows)
    yield from execute("raise_live", workspace=workspace, number=last)
    return int(last)


@reading
def live_after(workspace: str, after: int | None) -> Script[LivePage]:
    """What happened after a number; without one, nothing but where to go on from."""
    row = yield from one("live_state", workspace=workspace)
    head, oldest = (row["head"], row["oldest"]) if row else (0, None)
    if after is None:
        return LivePage((), head)
    first = head + 1 if oldest is None else oldest
    if not first - 1 <= after <= head:
        return LivePage((), head, lost=True)
    rows = yield from execute("live_after", workspace=workspace, after=after, at_most=AT_ONCE)
    items = tuple(map(_event, rows))
    return LivePage(items, items[-1].n if items else after, more=len(items) == AT_ONCE)


def _event(row: Row) -> NumberedEvent:
    return NumberedEvent(row["number"], moment(row["at"]), row["event"], row["session_id"], json.loads(row["detail"]))
