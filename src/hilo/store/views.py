"""Looking at what is stored: sessions, transcripts, audit and usage of one workspace. Nothing here changes anything."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from hilo.errors import HiloError
from hilo.store.opening import open_store
from hilo.store.store import Store
from hilo.tools.database import Row, Script, execute, maybe_moment, micros, one

T = TypeVar("T")

LAST_TURNS = 50
MAX_NAMED = 6  # sessions that an ambiguous beginning of an id is answered with
ID_PREFIX = "session_"
LAST_ENTRY = (1 << 31) - 1  # the audit has fewer

Which = Literal["open", "handed_off", "all"]


@asynccontextmanager
async def existing_store(url: str) -> AsyncIterator[Store]:
    """Open a database that is there; one that is not is an error, not a new one."""
    if url.startswith("sqlite:///") and not (file := Path(url.removeprefix("sqlite:///"))).is_file():
        raise HiloError(f"there is no database {file}: set HILO_DATABASE_URL, or start one with `hilo serve`")
    store = await open_store(url)
    try:
        yield store
    finally:
        await store.close()


# --- sessions -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SessionView:
    """A line in a list of sessions. `handoff` is the policy of the one that is open, if any."""

    id: str
    channel: str
    address: str
    agent: str
    agent_version: str
    status: str
    holder: str
    mode: str
    turns: int
    started_at: datetime
    last_at: datetime
    failed: int
    unsent: int
    handoff: str


def sessions(workspace: str, which: Which, *, at_most: int, agent: str = "") -> Script[tuple[SessionView, ...]]:
    """The newest sessions of a workspace, or of one of its agents."""
    values = {"workspace": workspace, "status": which, "agent": agent, "session": "", "at_most": at_most}
    return tuple(_view(SessionView, row) for row in (yield from execute("view_sessions", **values)))


def find_session(workspace: str, beginning: str) -> Script[tuple[str, ...]]:
    """The ids that begin like this, with or without the word that all of them begin with; a few of many."""
    found: list[str] = []
    for start in dict.fromkeys((beginning, ID_PREFIX + beginning)):
        values = {"workspace": workspace, "beginning": start, "size": len(start), "at_most": MAX_NAMED}
        found += [row["id"] for row in (yield from execute("view_session_ids", **values))]
    return (beginning,) if beginning in found else tuple(dict.fromkeys(found))


def heard_by(workspace: str, agent: str, *, at_most: int) -> Script[tuple[str, ...]]:
    """The newest messages that contacts wrote to an agent."""
    rows = yield from execute("view_heard", workspace=workspace, agent=agent, at_most=at_most)
    return tuple(row["heard"] for row in rows)


# --- one session --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TurnView:
    """What happened in a turn; `said` and `trace` are plain, `told` is what the dialogue decided on."""

    number: int
    at: datetime
    event: str
    heard: str
    said: tuple[Mapping[str, Any], ...]
    intent: str
    confidence: int
    stage: str
    told: tuple[Any, ...]
    trace: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MessageView:
    """A message of ours and its status; an operator's has no turn."""

    id: str
    turn: int | None
    author: str
    message: Mapping[str, Any]
    status: str
    attempts: int
    at: datetime
    sent_at: datetime | None
    reason: str


@dataclass(frozen=True, slots=True)
class CallView:
    """An attempt at a call of a tool."""

    turn: int
    call_id: str
    attempt: int
    tool: str
    arguments: Mapping[str, Any]
    status: str
    outputs: Mapping[str, Any]
    error: str
    started_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class HandoffView:
    """A person was wanted."""

    policy: str
    reason: str
    status: str
    operator: str
    created_at: datetime
    assigned_at: datetime | None
    resolved_at: datetime | None


@dataclass(frozen=True, slots=True)
class Transcript:
    """A session with what happened in it; `left_out` turns at its beginning are not shown."""

    session: SessionView
    turns: tuple[TurnView, ...]
    messages: tuple[MessageView, ...]
    calls: tuple[CallView, ...]
    handoffs: tuple[HandoffView, ...]
    left_out: int = 0


def transcript(workspace: str, session: str, *, last: int | None = LAST_TURNS) -> Script[Transcript | None]:
    """The last turns of a session, or all of them."""
    keys = {"workspace": workspace, "session": session}
    row = yield from one("view_sessions", **keys, status="all", agent="", at_most=1)
    if row is None:
        return None
    after = 0 if last is None else max(0, row["turns"] - last)
    turns = yield from execute("view_turns", **keys, after=after)
    since = turns[0]["at"] if turns and after else 0
    messages = yield from execute("view_messages", **keys, since=since)
    calls = yield from execute("view_calls", **keys, after=after)
    handoffs = yield from execute("view_handoffs", **keys)
    return Transcript(
        session=_view(SessionView, row),
        turns=tuple(_view(TurnView, each) for each in turns),
        messages=tuple(_view(MessageView, each) for each in messages),
        calls=tuple(_view(CallView, each) for each in calls),
        handoffs=tuple(_view(HandoffView, each) for each in handoffs),
        left_out=after,
    )


# --- for the replay -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Recorded:
    """A session as it began and as it stands, byte for byte, with all of its turns."""

    id: str
    agent: str
    agent_version: str
    version: int
    state: str
    opening: str
    turns: tuple[TurnView, ...]


def record(workspace: str, session: str) -> Script[Recorded | None]:
    """All that is needed to run a session again."""
    keys = {"workspace": workspace, "session": session}
    row = yield from one("view_record", **keys)
    if row is None:
        return None
    rows = yield from execute("view_turns", **keys, after=0)
    there = [each for each in rows if each["number"] <= row["version"]]  # one may have come meanwhile
    turns = tuple(_view(TurnView, each) for each in there)
    names = ("id", "agent", "agent_version", "version", "state", "opening")
    return Recorded(**{name: row[name] for name in names}, turns=turns)


# --- audit and usage ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AuditView:
    """An entry of the audit."""

    number: int
    at: datetime
    actor: str
    action: str
    subject: str
    detail: Mapping[str, Any]


def audit_entries(workspace: str, *, at_most: int, before: int = LAST_ENTRY) -> Script[tuple[AuditView, ...]]:
    """The newest entries first, from a number on."""
    rows = yield from execute("view_audit", workspace=workspace, before=before, at_most=at_most)
    return tuple(_view(AuditView, row) for row in rows)


@dataclass(frozen=True, slots=True)
class UsageView:
    """What the turns of an agent cost that a stage understood; `half` of them took at most so many milliseconds."""

    agent: str
    stage: str
    turns: int
    free_turns: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cache_written_tokens: int
    cost: Decimal
    tools: int
    half: float
    most: float


@dataclass(frozen=True, slots=True)
class ModelView:
    """What a model cost; `turns` is in how many it was asked."""

    model: str
    turns: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cache_written_tokens: int
    cost: Decimal


def usage(workspace: str, *, since: datetime) -> Script[tuple[UsageView, ...]]:
    """By agent and stage; `most` is the time that 95 of 100 turns took at most."""
    rows = yield from execute("view_usage", workspace=workspace, since=micros(since))
    return tuple(map(_usage, rows))


def usage_by_model(workspace: str, *, since: datetime) -> Script[tuple[ModelView, ...]]:
    """By the model's full name."""
    rows = yield from execute("view_usage_by_model", workspace=workspace, since=micros(since))
    return tuple(ModelView(row["model"], **_counts(row, "turns"), cost=_cost(row)) for row in rows)


def _usage(row: Row) -> UsageView:
    return UsageView(
        agent=row["agent"],
        stage=row["stage"],
        **_counts(row, "turns", "free_turns", "tools"),
        cost=_cost(row),
        half=float(row["half"]),
        most=float(row["most"]),
    )


def _counts(row: Row, *names: str) -> dict[str, int]:
    tokens = ("input_tokens", "output_tokens", "cached_tokens", "cache_written_tokens")
    return {name: int(row[name]) for name in (*names, *tokens)}


def _cost(row: Row) -> Decimal:
    """SQLite adds fractions up as floats, whose noise is far behind the last digit that anybody pays."""
    rounded = Decimal(str(row["cost"])).quantize(Decimal("1e-12")).normalize()
    return Decimal(f"{rounded:f}")


# --- from rows ----------------------------------------------------------------------------------------


def _read_told(stored: str) -> Any:
    from hilo.dialogue.events import Told  # noqa: PLC0415 -- lists do without it, and start in half the time
    from hilo.dialogue.stored import decode  # noqa: PLC0415

    return decode(Told, stored)


def _read_values(stored: str | None) -> Any:
    from hilo.dialogue.stored import Arguments, decode  # noqa: PLC0415 -- as above

    return decode(Arguments, stored) if stored else {}


def _read_list(stored: str) -> tuple[Any, ...]:
    return tuple(json.loads(stored))


# How a column is stored, by its name; the others are as they are.
_READERS: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("at", "started_at", "last_at", "sent_at", "ended_at"), maybe_moment),
    **dict.fromkeys(("created_at", "assigned_at", "resolved_at"), maybe_moment),
    **dict.fromkeys(("message", "trace", "detail"), json.loads),
    **dict.fromkeys(("arguments", "outputs"), _read_values),
    "said": _read_list,
    "told": _read_told,
}


def _view(kind: type[T], row: Row) -> T:
    """A row as it is shown: each field is the column of its name."""
    values = {each.name: row[each.name] for each in fields(cast(Any, kind))}
    for name in values.keys() & _READERS.keys():
        values[name] = _READERS[name](values[name])
    return kind(**values)
