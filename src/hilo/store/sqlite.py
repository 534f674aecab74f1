"""The store on SQLite: one connection in one thread; scripts that wait for it share a transaction, and so its fsync."""

import asyncio
import sqlite3
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar

from hilo.store.letters import plain_letters
from hilo.store.queries import Written, queries
from hilo.store.store import READING, Probe, StatementFailed, StoreUnavailable
from hilo.tools.database import Row, Script, Together

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

    def __init__(self, file: Path, *, synchronous: Synchronous = "FULL", probe: Probe | None = None) -> None:
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
        batches = deque([calls] if calls else ())
        while batches:
            batch = batches.popleft()
            try:
                results = self._transact(batch)
            except BaseException as error:  # noqa: BLE001 -- whoever waits must hear of it
                if len(batch) > 1 and not isinstance(error, StoreUnavailable):  # nothing has happened
                    batches.extend([call] for call in batch)
                    continue
                for call in batch:
                    call.result.set_exception(error)
                continue
            for call, result in zip(batch, results, strict=True):
                if self._probe:
                    self._probe("after", call.name)
                call.result.set_result(result)

    def _transact(self, calls: Sequence[_QueuedScript]) -> list[Any]:
        if self._probe:
            for call in calls:
                self._probe("before", call.name)
        cursor = self._connection.cursor()
        results = []
        try:
            # IMMEDIATE takes the one right to write, which processes wait for; who reads needs none.
            cursor.execute("BEGIN" if all(call.reads for call in calls) else "BEGIN IMMEDIATE")
            for call in calls:
                results.append(play(call.begin(), cursor))
                if self._probe:
                    self._probe("at", call.name)
            cursor.execute("COMMIT")
        except BaseException as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError):
                raise StoreUnavailable(f"the database cannot be used: {error}") from error
            raise
        finally:
            cursor.close()
        return results

    async def close(self) -> None:
        """Let the thread finish what it has, and close the file."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._connection.close)
        self._thread.shutdown()


class MemoryStore:
    """A database that lives as long as one conversation: tests and the terminal give each its own.

    Nothing waits for a disk, so there is no thread. It has none of the store's tables, and its copy is a whole.
    """

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._connection.row_factory = sqlite3.Row
        weakref.finalize(self, self._connection.close)

    async def run(self, script: Callable[P, Script[T]], *values: P.args, **named: P.kwargs) -> T:
        """Run a script in a transaction."""
        return self.run_now(script, *values, **named)

    def run_now(self, script: Callable[P, Script[T]], *values: P.args, **named: P.kwargs) -> T:
        """The same, for those who cannot wait."""
        self._connection.execute("BEGIN")
        try:
            result = play(script(*values, **named), self._connection.cursor())
            self._connection.execute("COMMIT")
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        return result

    async def close(self) -> None:
        """Forget everything."""
        self._connection.close()

    def __copy__(self) -> "MemoryStore":
        copied = MemoryStore()
        self._connection.backup(copied._connection)
        return copied


def play(script: Script[T], cursor: sqlite3.Cursor) -> T:
    """Carry out what a script says, within a transaction that is open."""
    known = queries("sqlite")
    rows: Any = None
    while True:
        try:
            statement = next(script) if rows is None else script.send(rows)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        if isinstance(statement, Together):
            rows = [cursor.execute(known[part.query].sql, part.values).fetchall() for part in statement.parts]
        elif isinstance(statement, Written):
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
        connection.create_function("plain_letters", 1, plain_letters, deterministic=True)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {synchronous}")
    except (sqlite3.Error, OSError) as error:
        raise StoreUnavailable(f"the database {file} cannot be opened: {error}") from error
    return connection
