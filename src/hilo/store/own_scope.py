"""Whether a statement of an agent keeps to one workspace, as far as this can be seen without running it."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from hilo.store.queries import Query

COLUMNS = frozenset({"workspace", "workspace_id"})  # what the column that keeps businesses apart is called

_Uses = dict[str, set[tuple[int, str]]]  # of each table: what is done, and with which column


@dataclass(frozen=True, slots=True)
class Reach:
    """An agent's tables, empty and in memory: SQLite tells which of them a statement uses, and how."""

    connection: sqlite3.Connection
    kept_apart: frozenset[str]

    def strays(self, query: Query) -> list[str]:
        """Tables of which it reads or changes rows without a look at whose they are."""
        uses: _Uses = defaultdict(set)

        def note(action: int, table: str | None, column: str | None, *_where: str | None) -> int:
            uses[table or ""].add((action, (column or "").lower()))
            return sqlite3.SQLITE_OK

        self.connection.set_authorizer(note)
        try:
            self.connection.execute(f"EXPLAIN {query.sql}", dict.fromkeys(query.names))
        except sqlite3.Error:
            return []  # the database itself says it at the start, and better
        return sorted(table for table in self.kept_apart if _strays(uses[table]))


def _strays(uses: set[tuple[int, str]]) -> bool:
    """To add a row is no look at others, unless it changes the one that is there instead."""
    actions = {action for action, _column in uses}
    adds = sqlite3.SQLITE_INSERT in actions and sqlite3.SQLITE_UPDATE not in actions
    looks = any((sqlite3.SQLITE_READ, column) in uses for column in COLUMNS)
    return bool(actions) and not adds and not looks


@contextmanager
def reach(steps: Iterable[str]) -> Iterator[Reach]:
    """The tables that these migrations make."""
    connection = sqlite3.connect(":memory:", isolation_level=None, cached_statements=0)
    try:
        yield Reach(connection, frozenset(_kept_apart(connection, steps)))
    finally:
        connection.close()


def _kept_apart(connection: sqlite3.Connection, steps: Iterable[str]) -> Iterator[str]:
    try:
        for sql in steps:
            connection.execute(sql)
    except sqlite3.Error:
        return  # the database itself says it at the start, with its place
    sql = "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'"
    yield from (table for table, column in connection.execute(sql) if column.lower() in COLUMNS)
