"""What the tests of the store share: a database with two businesses, and the usual steps of a conversation."""

import sqlite3
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import psycopg
from psycopg.rows import dict_row

from hilo.dialogue.events import MessageReceived
from hilo.dialogue.session import Session
from hilo.messages import Address, Inbound, Outbound
from hilo.store.commits import commit
from hilo.store.inbox import Arrival, QueuedEvent, accept, accept_one
from hilo.store.outbox import Author, OutboxEntry, Sending, Went, add_messages, begin, end
from hilo.store.store import Store
from hilo.store.turns import Committed, Outcome, ThrownAway, TurnInput, TurnRow, Usage, take
from hilo.store.work import NotNow
from hilo.store.workspaces import ChannelRow, add_channel, add_workspace
from hilo.tools.database import Script, Statement, Together

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
OTHERS = "('alembic_version', 'sqlite_sequence')"
LIST_TABLES = {
    "sqlite": f"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN {OTHERS}",  # noqa: S608
    "postgres": f"SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN {OTHERS}",  # noqa: S608
}


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def arrival(text: str, *, sender: str = "ana", name: str = "", quiet: float = 0, limit: float = 0) -> Arrival:
    """A message whose id is its text."""
    message = Inbound(text, Address("wa", sender), text, NOW, name=name)
    event = MessageReceived(NOW, text, id=text)
    return Arrival(message, event, timedelta(seconds=quiet), timedelta(seconds=limit))


def arrivals(*texts: str, sender: str = "ana", at: datetime = NOW) -> list[Arrival]:
    made = [arrival(text, sender=sender) for text in texts]
    return [replace(each, message=replace(each.message, at=at)) for each in made]


def next_session(taken: TurnInput, at: datetime = NOW) -> Session:
    """The session as the turn would leave it."""
    if taken.session is None:
        return Session(taken.session_id, "leads", "1", at, at, version=1)
    return replace(taken.session, version=taken.session.version + 1, last_at=at)


def outcome(taken: TurnInput, *, at: datetime = NOW, say: tuple[str, ...] = (), **changes: Any) -> Outcome:
    """A turn that says these words, with whatever else is given."""
    session = changes.pop("session", None) or next_session(taken, at)
    opening = replace(session, version=0) if taken.session is None else None
    turn = TurnRow(at, "MessageReceived", "heard", "[]", "[]", "{}")
    messages = tuple(draft(taken, text, session=session.id) for text in say)
    given = {"heard_at": at, "opening": opening, "messages": messages, **changes}
    return Outcome(taken, session, turn=turn, usage=Usage("rules"), **given)


def draft(taken: TurnInput, text: str, *, session: str | None = None, author: Author = "agent") -> OutboxEntry:
    """A message to the contact of a turn; its id is its text."""
    place = taken.place
    return OutboxEntry(text, place.workspace, place.channel, place.address, session, 1, author, Outbound(text))


@dataclass(frozen=True)
class Scene:
    """A store with the channels `wa` and `tg` of the workspace `w`, and `far` of the workspace `v`."""

    store: Store
    kind: Literal["sqlite", "postgres"]
    url: str

    async def set_up(self) -> None:
        for workspace in ("w", "v"):
            await self.store.run(add_workspace, workspace, name=workspace, now=NOW)
        for channel, workspace in (("wa", "w"), ("tg", "w"), ("far", "v")):
            await self.channel(channel, workspace=workspace)

    async def channel(
        self, channel: str, *, workspace: str = "w", per_second: float = 0, echo: float = 0, window_hours: int = 0
    ) -> None:
        row = ChannelRow(channel, workspace, "test", "leads", "", per_second, echo, window_hours)
        await self.store.run(add_channel, row, now=NOW)

    async def hear(self, *texts: str, sender: str = "ana", at: datetime = NOW, channel: str = "wa") -> QueuedEvent:
        """Messages of one contact; what became of the last."""
        came = arrivals(*texts, sender=sender, at=at)
        known = await self.store.run(accept_one, channel, came[0], now=at) if len(came) == 1 else None
        return known or (await self.store.run(accept, channel, came, now=at))[-1]

    async def take(self, address: str, *, at: datetime = NOW, owner: str = "A") -> TurnInput:
        taken = await self.store.run(take, address, owner=owner, now=at)
        assert isinstance(taken, TurnInput), taken
        return taken

    async def commit(self, taken: TurnInput, *, at: datetime = NOW, **changes: Any) -> Committed | ThrownAway:
        return await self.store.run(commit, outcome(taken, at=at, **changes), now=at)

    async def turn(self, *texts: str, sender: str = "ana", at: datetime = NOW, **changes: Any) -> TurnInput:
        """Hear, take and commit."""
        heard = await self.hear(*texts, sender=sender, at=at)
        return await self.next_turn(heard.address, at=at, **changes)

    async def next_turn(self, address: str, *, at: datetime = NOW, **changes: Any) -> TurnInput:
        """Take and commit what waits."""
        taken = await self.take(address, at=at)
        assert isinstance(await self.commit(taken, at=at, **changes), Committed)
        return taken

    async def say(self, *drafts: OutboxEntry, at: datetime = NOW) -> None:
        await self.store.run(add_messages, drafts, now=at)

    async def begin(self, address: str, *, at: datetime = NOW, owner: str = "A") -> Sending:
        sending = await self.store.run(begin, address, owner=owner, now=at)
        assert isinstance(sending, Sending), sending
        return sending

    async def sends_nothing(self, address: str, *, at: datetime = NOW, owner: str = "A") -> datetime | None:
        """When it will, if it will."""
        answer = await self.store.run(begin, address, owner=owner, now=at)
        assert isinstance(answer, NotNow), answer
        return answer.at

    async def send(self, address: str, went: Went | None = None, *, at: datetime = NOW) -> str:
        """Send one message and end it so; its text."""
        sending = await self.begin(address, at=at)
        await self.store.run(end, sending, went or Went("sent"), now=at)
        return sending.message.text

    # --- looking at the tables, past the store --------------------------------------------------------

    def rows(self, sql: str) -> list[dict[str, Any]]:
        return self._rows(sql)[0]

    def _rows(self, *queries: str) -> list[list[dict[str, Any]]]:
        if self.kind == "postgres":
            with psycopg.connect(self.url, autocommit=True, row_factory=dict_row) as connection:
                cursors = [connection.execute(sql.encode()) for sql in queries]
                return [cursor.fetchall() if cursor.description else [] for cursor in cursors]
        with closing(sqlite3.connect(self.url.removeprefix("sqlite:///"))) as file:
            file.row_factory = sqlite3.Row
            found = [[dict(row) for row in file.execute(sql)] for sql in queries]
            file.commit()
            return found

    def column(self, sql: str) -> list[Any]:
        return [next(iter(row.values())) for row in self.rows(sql)]

    def tables(self) -> list[str]:
        return sorted(self.column(LIST_TABLES[self.kind]))

    def empty(self) -> None:
        """The audit of PostgreSQL refuses deletions, but not from a replica."""
        deletions = (f"DELETE FROM {table}" for table in self.tables())  # noqa: S608
        ids = "SELECT setval('inbox_id_seq', 1, false), setval('outbox_id_seq', 1, false)"
        self.rows("; ".join(("SET session_replication_role = replica", *deletions, ids)))

    def everything(self, *, but: tuple[str, ...] = ()) -> dict[str, list[dict[str, Any]]]:
        """All tables, to be compared with later."""
        tables = [table for table in self.tables() if table not in but]
        found = self._rows(*(f"SELECT * FROM {table}" for table in tables))  # noqa: S608
        return {table: sorted(rows, key=str) for table, rows in zip(tables, found, strict=True)}


def nothing() -> Script[None]:
    """A script without statements."""
    return
    yield


def spied(script: Generator[Any, Any, Any], seen: list[str]) -> Any:
    """The same script; the names of its statements are noted."""
    answer = None
    try:
        while True:
            statement = script.send(answer)
            seen.extend(names_of(statement))
            answer = yield statement
    except StopIteration as end:
        return end.value


def names_of(statement: Statement) -> list[str]:
    """The queries that a statement carries out."""
    return [part.query for part in statement.parts] if isinstance(statement, Together) else [statement.query]
