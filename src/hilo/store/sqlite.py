"""The store on SQLite: one connection in one thread; a transaction is one hop to it."""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Literal, ParamSpec, TypeVar

from hilo.store.queries import queries
from hilo.store.script import Row, Script
from hilo.store.store import Probe, StoreUnavailable, no_probe

T = TypeVar("T")
P = ParamSpec("P")

BUSY_SECONDS = 10.0

# FULL: what was answered with 200 survives a power cut. NORMAL survives the death of the process only.
Synchronous = Literal["FULL", "NORMAL"]


class SqliteStore:
    """A file; other processes of this machine may use it too."""

    def __init__(self, file: Path, *, synchronous: Synchronous = "FULL", probe: Probe = no_probe) -> None:
        self._queries = {name: query.sql for name, query in queries("sqlite").items()}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="hilo-sqlite")
        self._probe = probe
        self._connection = self._thread.submit(_connect, file, synchronous).result()

    async def run(self, script: Callable[P, Script[T]], *values: P.args, **named: P.kwargs) -> T:
        """Run a script in one transaction."""
        play = partial(self._run, script(*values, **named), script.__name__)
        return await asyncio.get_running_loop().run_in_executor(self._thread, play)

    def _run(self, script: Script[T], name: str) -> T:
        self._probe("before", name)
        cursor = self._connection.cursor()
        try:
            cursor.execute("BEGIN IMMEDIATE")
            result = self._play(script, cursor)
            self._probe("at", name)
            cursor.execute("COMMIT")
        except sqlite3.OperationalError as error:
            self._undo()
            raise StoreUnavailable(f"the database cannot be used: {error}") from error
        except BaseException:
            self._undo()
            raise
        finally:
            cursor.close()
        self._probe("after", name)
        return result

    def _play(self, script: Script[T], cursor: sqlite3.Cursor) -> T:
        rows: list[Row] | None = None
        while True:
            try:
                statement = next(script) if rows is None else script.send(rows)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            rows = cursor.execute(self._queries[statement.query], statement.values).fetchall()

    def _undo(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    async def close(self) -> None:
        """Let the thread finish what it has, and close the file."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._connection.close)
        self._thread.shutdown()


def _connect(file: Path, synchronous: Synchronous) -> sqlite3.Connection:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {synchronous}")
    except (sqlite3.Error, OSError) as error:
        raise StoreUnavailable(f"the database {file} cannot be opened: {error}") from error
    return connection
