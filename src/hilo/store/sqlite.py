"""The store on SQLite: one connection in one thread; scripts that wait for it share a transaction, and so its fsync."""

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar

from hilo.store.queries import Written, queries
from hilo.store.script import Row, Script
from hilo.store.store import READING, Probe, StatementFailed, StoreUnavailable, no_probe

T = TypeVar("T")
P = ParamSpec("P")

BUSY_SECONDS = 10.0
TOGETHER = 50  # scripts of one transaction at most: the first of them waits for the last

# FULL: what was answered with 200 survives a power cut. NORMAL survives the death of the process only.
Synchronous = Literal["FULL", "NORMAL"]


@dataclass(frozen=True, slots=True)
class _QueuedScript:
    """A script that waits for the thread; it can be begun more than once."""

    begin: Callable[[], Script[Any]]
    name: str
    reads: bool
    result: Future[Any] = field(default_factory=Future)


class SqliteStore:
    """A file; other processes of this machine may use it too."""

    def __init__(self, file: Path, *, synchronous: Synchronous = "FULL", probe: Probe = no_probe) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="hilo-sqlite")
        self._probe = probe
        self._waiting: deque[_QueuedScript] = deque()
        self._connection = self._thread.submit(_connect, file, synchronous).result()

    async def run(self, script: Callable[P, Script[T]], *values: P.args, **named: P.kwargs) -> T:
        """Run a script in a transaction."""
        call = _QueuedScript(partial(script, *values, **named), script.__name__, script in READING)
        self._waiting.append(call)
        self._thread.submit(self._work)
        return await asyncio.wrap_future(call.result)

    def _work(self) -> None:
        """All that waits, together; if one of them breaks, each alone, so that it breaks nothing but itself."""
        waiting = [self._waiting.popleft() for _ in range(min(TOGETHER, len(self._waiting)))]
        calls = [call for call in waiting if call.result.set_running_or_notify_cancel()]
        if len(calls) > 1 and self._settle(calls, alone=False):
            return
        for call in calls:
            self._settle((call,), alone=True)

    def _settle(self, calls: Sequence[_QueuedScript], *, alone: bool) -> bool:
        """Give the outcome to those who wait; false if it should be tried again, for nothing has happened."""
        try:
            results = self._run(calls)
        except BaseException as error:  # noqa: BLE001 -- whoever waits must hear of it
            if not alone and not isinstance(error, StoreUnavailable):
                return False
            for call in calls:
                call.result.set_exception(error)
            return True
        for call, result in zip(calls, results, strict=True):
            self._probe("after", call.name)
            call.result.set_result(result)
        return True

    def _run(self, calls: Sequence[_QueuedScript]) -> list[Any]:
        for call in calls:
            self._probe("before", call.name)
        cursor = self._connection.cursor()
        try:
            # IMMEDIATE takes the one right to write, which processes wait for; who reads needs none.
            cursor.execute("BEGIN" if all(call.reads for call in calls) else "BEGIN IMMEDIATE")
            results = [self._play(call, cursor) for call in calls]
            cursor.execute("COMMIT")
        except sqlite3.OperationalError as error:
            self._undo()
            raise StoreUnavailable(f"the database cannot be used: {error}") from error
        except BaseException:
            self._undo()
            raise
        finally:
            cursor.close()
        return results

    def _play(self, call: _QueuedScript, cursor: sqlite3.Cursor) -> Any:
        result = play(call.begin(), cursor)
        self._probe("at", call.name)
        return result

    def _undo(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    async def close(self) -> None:
        """Let the thread finish what it has, and close the file."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._connection.close)
        self._thread.shutdown()


def play(script: Script[T], cursor: sqlite3.Cursor) -> T:
    """Carry out what a script says, within a transaction that is open."""
    known = queries("sqlite")
    rows: list[Row] | None = None
    while True:
        try:
            statement = next(script) if rows is None else script.send(rows)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        if isinstance(statement, Written):
            rows = _execute_written(cursor, statement)
        else:
            rows = cursor.execute(known[statement.query].sql, statement.values).fetchall()


def _execute_written(cursor: sqlite3.Cursor, statement: Written) -> list[Row]:
    """A mistake of an agent's is told apart from a database that cannot be used, which concerns everybody."""
    try:
        return cursor.execute(statement.sql["sqlite"].sql, statement.values).fetchall()
    except (sqlite3.Error, OverflowError) as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if isinstance(error, sqlite3.OperationalError) and code != sqlite3.SQLITE_ERROR:
            raise
        raise StatementFailed(f"{statement.query}: {error}") from error


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
