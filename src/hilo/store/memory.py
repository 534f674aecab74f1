"""A database that lives as long as one conversation in memory: tests and the terminal give each its own."""

import sqlite3
import weakref
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from hilo.store.script import Script
from hilo.store.sqlite import play

T = TypeVar("T")
P = ParamSpec("P")


class MemoryStore:
    """Nothing waits for a disk, so there is no thread. It has none of the store's tables, and its copy is a whole."""

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
