"""The store on SQLite: one connection in one thread; scripts that wait for it share a transaction, and so its fsync."""

import asyncio
import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Literal, ParamSpec, TypeVar

from hilo.store.letters import plain_letters
from hilo.store.queries import Written, queries
from hilo.store.store import FORGETTABLE, READING, Probe, Refuted, StatementFailed, StoreUnavailable
from hilo.tools.database import Row, Script, Together

T = TypeVar("T")
P = ParamSpec("P")

BUSY_SECONDS = 10.0
TOGETHER = 50  # scripts of one transaction at most: the first of them waits for the last

PAGES_IN_LOG = 4000  # 16 MB: the pages that every turn changes are brought into the file once for many turns

# FULL: what was answered with 200 survives a power cut. NORMAL survives the death of the process only.
Synchronous = Literal["FULL", "NORMAL"]


@dataclass(frozen=True, slots=True)
class _QueuedScript:
    """A script that waits for the thread; it can be begun more than once."""

    begin: Callable[[], Script[Any]]
    name: str
    reads: bool
    forgettable: bool
    result: "asyncio.Future[Any]"


@dataclass(frozen=True, slots=True)
class _Ended:
    """What came of a script: its result, or an error."""

    call: _QueuedScript
    result: Any = None
    error: BaseException | None = None


class SqliteStore:
    """A file; other processes of this machine may use it too."""

    def __init__(self, file: Path, *, synchronous: Synchronous = "FULL", probe: Probe | None = None) -> None:
        self._probe = probe
        self._safe = self._synchronous = synchronous
        self._connection = _connect(file, synchronous)
        self._waiting: SimpleQueue[_QueuedScript | None] = SimpleQueue()  # none: it is closed
        self._thread = threading.Thread(target=self._work, name="hilo-sqlite", daemon=True)
        self._thread.start()

    async def run(self, script: Callable[P, Script[T]], *values: P.args, **named: P.kwargs) -> T:
        """Run a script in a transaction."""
        result = asyncio.get_running_loop().create_future()
        begin, name = partial(script, *values, **named), script.__name__
        self._waiting.put(_QueuedScript(begin, name, script in READING, script in FORGETTABLE, result))
        return await result  # type: ignore[no-any-return]

    def _work(self) -> None:
        """The thread: all that waits, together, until the store is closed."""
        while (first := self._waiting.get()) is not None:
            waiting, is_closed = [first], False
            with suppress(Empty):
                while len(waiting) < TOGETHER and not is_closed:
                    following = self._waiting.get_nowait()
                    is_closed = following is None
                    waiting += [following] if following else []
            # who waits no longer is left out
            _tell(list(self._ends([call for call in waiting if not call.result.cancelled()])))
            if is_closed:
                return

    def _ends(self, calls: Sequence[_QueuedScript]) -> Iterator[_Ended]:
        """All in one transaction; if one of them breaks, each alone, so that it breaks nothing but itself."""
        if not calls:
            return
        try:
            results = self._transact(calls)
        except BaseException as error:  # noqa: BLE001 -- whoever waits must hear of it
            if len(calls) > 1 and not isinstance(error, StoreUnavailable):  # nothing has happened
                for call in calls:
                    yield from self._ends([call])
                return
            for call in calls:
                yield _Ended(call, error=error)
            return
        for call, result in zip(calls, results, strict=True):
            if self._probe:
                self._probe("after", call.name)
            yield _Ended(call, result)

    def _transact(self, calls: Sequence[_QueuedScript]) -> list[Any]:
        if self._probe:
            for call in calls:
                self._probe("before", call.name)
        cursor = self._connection.cursor()
        results = []
        try:
            level = "NORMAL" if all(call.forgettable for call in calls) else self._safe
            if level != self._synchronous:
                cursor.execute(f"PRAGMA synchronous = {level}")
                self._synchronous = level
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
        self._waiting.put(None)
        await asyncio.to_thread(self._thread.join)
        self._connection.close()


def _tell(ends: Sequence[_Ended]) -> None:
    """Tell all that ended together in one go: waking a loop costs more than what it is told."""
    for loop in {end.call.result.get_loop() for end in ends}:
        with suppress(RuntimeError):  # it is closed, and nobody waits any more
            loop.call_soon_threadsafe(_tell_here, [end for end in ends if end.call.result.get_loop() is loop])


def _tell_here(ends: Sequence[_Ended]) -> None:
    """Let go on who waits for them, if somebody still does."""
    for end in ends:
        if end.call.result.done():
            continue
        if end.error is None:
            end.call.result.set_result(end.result)
        else:
            end.call.result.set_exception(end.error)


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
            rows = _execute_together(cursor, statement)
        elif isinstance(statement, Written):
            rows = _execute_written(cursor, statement)
        else:
            rows = cursor.execute(known[statement.query].sql, statement.values).fetchall()


def _execute_together(cursor: sqlite3.Cursor, statement: Together) -> list[list[Row]]:
    known, rows = queries("sqlite"), []
    for place, part in enumerate(statement.parts):
        rows.append(cursor.execute(known[part.query].sql, part.values).fetchall())
        if place < statement.required and not rows[place]:
            raise Refuted(f"{part.query} has no row")
    return rows


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
        connection.execute(f"PRAGMA wal_autocheckpoint = {PAGES_IN_LOG}")
    except (sqlite3.Error, OSError) as error:
        raise StoreUnavailable(f"the database {file} cannot be opened: {error}") from error
    return connection
