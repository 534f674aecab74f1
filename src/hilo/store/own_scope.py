"""Whether a statement of an agent keeps to one workspace, as far as SQLite can tell without running it."""

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from hilo.store.queries import Query

COLUMNS = frozenset({"workspace", "workspace_id"})  # what the column that keeps businesses apart is called

_QUOTED = re.compile(r"""("(?:[^"]|"")*")|('(?:[^']|'')*')|--[^\n]*|/\*.*?\*/""", re.DOTALL)
_STAR = re.compile(
    r"""(\bselect|\bdistinct|\ball|\breturning|,)\s*(?:(?:"[^"]*"|[^\s,(]+)\s*\.\s*)?\*""", re.IGNORECASE
)
_RETURNING = re.compile(r"\breturning\b(?!.*\bselect\b).*", re.IGNORECASE | re.DOTALL)
_HIDES = {
    re.compile(r"\b(replace\s+into|update\s+or\s+replace)\b", re.IGNORECASE): (
        "REPLACE removes whatever is in its way",
        "write INSERT with ON CONFLICT (its key) DO UPDATE",
    ),
    re.compile(r"\b(using\s*\(|natural\b)", re.IGNORECASE): (
        "USING and NATURAL do not show what is compared",
        "write JOIN with ON",
    ),
}
_MEND = (
    "mend it, or name columns instead of `*`; what PostgreSQL alone takes is marked (postgres), beside one for SQLite"
)

_Uses = Mapping[tuple[str, str], set[tuple[int, str]]]  # of a view, trigger or WITH, and a table: what is done, where


@dataclass(frozen=True, slots=True)
class Unseen:
    """It cannot be told what a statement reaches."""

    why: str
    hint: str = _MEND


@dataclass(frozen=True, slots=True)
class Reach:
    """An agent's tables, empty and in memory: SQLite tells which of them a statement uses, and how."""

    connection: sqlite3.Connection

    def make(self, sql: str) -> str:
        """Carry out a step of a migration; why not, if SQLite does not take it."""
        try:
            self.connection.execute(sql)
        except (sqlite3.Error, sqlite3.Warning) as error:
            return str(error)
        return ""

    def strays(self, query: Query) -> tuple[str, ...] | Unseen:
        """Tables of which it reads or changes rows without a look at whose they are."""
        sql = _plain(query.sql)
        if hidden := next((words for form, words in _HIDES.items() if form.search(sql)), None):
            return Unseen(*hidden)
        views = self._views()
        try:
            uses = self._uses(Query(sql, query.names))
        except (sqlite3.Error, sqlite3.Warning) as error:
            return Unseen(str(error))
        read_views = views & {table for _by, table in uses}  # a WITH may have the name of one, and is none
        found = {table for (by, table), done in uses.items() if by not in read_views and _strays(done)}
        return tuple(sorted(found & (self._apart() | views)))

    def _uses(self, query: Query) -> _Uses:
        uses: dict[tuple[str, str], set[tuple[int, str]]] = defaultdict(set)

        def note(action: int, table: str | None, column: str | None, _file: str | None, by: str | None) -> int:
            uses[(by or "").lower(), (table or "").lower()].add((action, (column or "").lower()))
            return sqlite3.SQLITE_OK

        self.connection.set_authorizer(note)
        try:
            self.connection.execute(f"EXPLAIN {query.sql}", dict.fromkeys(query.names))
        finally:
            self.connection.set_authorizer(None)
        return uses

    def _apart(self) -> set[str]:
        sql = "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'"
        return {table.lower() for table, column in self.connection.execute(sql) if column.lower() in COLUMNS}

    def _views(self) -> set[str]:
        sql = "SELECT lower(name) FROM sqlite_schema WHERE type = 'view'"
        return {name for (name,) in self.connection.execute(sql)}


def _plain(sql: str) -> str:
    """A statement without what reads a column and looks at nothing: all columns of a result, and what is given back."""
    bare = _QUOTED.sub(lambda found: found[1] or ("''" if found[2] else " "), sql)
    return _STAR.sub(r"\1 1", _RETURNING.sub("", bare))


def _strays(done: set[tuple[int, str]]) -> bool:
    """To add a row is no look at others, unless some of the same table are read or changed for it."""
    adds = {action for action, _column in done} == {sqlite3.SQLITE_INSERT}
    looks = any((sqlite3.SQLITE_READ, column) in done for column in COLUMNS)
    return not adds and not looks


@contextmanager
def reach() -> Iterator[Reach]:
    """No tables yet."""
    connection = sqlite3.connect(":memory:", isolation_level=None, cached_statements=0)
    try:
        yield Reach(connection)
    finally:
        connection.close()
