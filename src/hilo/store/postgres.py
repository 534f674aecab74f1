"""The store on PostgreSQL: a pool of connections; a transaction that lost a race is run again."""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec, TypeVar

import asyncpg

from hilo.store.queries import Query, Written, joined, queries
from hilo.store.store import STEPWISE, Probe, Refuted, StatementFailed, StoreUnavailable
from hilo.tools.database import Row, Script, Statement, Together

T = TypeVar("T")
P = ParamSpec("P")

POOL = 10
SECONDS = 15.0
STATEMENTS = 300  # prepared ones that a connection keeps; more than there are
# Rows are found by keys, so the best plan is the same for all values: it is made once for a connection.
PLANNED_ONCE = {"plan_cache_mode": "force_generic_plan", "jit": "off"}
RACES = 10  # how often a transaction may lose against another before we give up
LONGEST_PAUSE = 0.5  # seconds between two of them

_LOST_RACE = (
    *(asyncpg.DeadlockDetectedError, asyncpg.SerializationError),
    asyncpg.InvalidCachedStatementError,  # somebody has just changed the table
)
_GONE = (
    *(OSError, TimeoutError, asyncpg.InterfaceError, asyncpg.PostgresConnectionError),
    *(asyncpg.OperatorInterventionError, asyncpg.InsufficientResourcesError),
    asyncpg.ReadOnlySQLTransactionError,  # another server leads now
)


class PostgresStore:
    """A database that any number of processes on any number of machines use."""

    def __init__(self, pool: Any, *, probe: Probe | None = None) -> None:
        self._pool = pool
        self._queries = queries("postgres")
        self._probe = probe

    @classmethod
    async def open(cls, url: str, *, pool: int = POOL, probe: Probe | None = None) -> "PostgresStore":
        """Connect; raises StoreUnavailable."""
        try:
            connections = await asyncpg.create_pool(
                url,
                min_size=1,
                max_size=pool,
                timeout=SECONDS,
                command_timeout=SECONDS,
                statement_cache_size=STATEMENTS,
                server_settings=PLANNED_ONCE,
                reset=_leave_as_it_is,
            )
        except (*_GONE, asyncpg.PostgresError, ValueError) as error:
            raise StoreUnavailable(f"PostgreSQL cannot be reached: {error}") from error
        return cls(connections, probe=probe)

    async def run(self, script: Callable[P, Script[T]], *values: P.args, **named: P.kwargs) -> T:
        """Run a script in one transaction; again when it lost a race against another."""
        if script in STEPWISE:
            return await self._run_steps(script(*values, **named), script.__name__)
        return await _unless_lost(lambda: self._run(script(*values, **named), script.__name__))

    async def _run(self, script: Script[T], name: str) -> T:
        probe = self._probe
        if probe:
            probe("before", name)
        async with self._pool.acquire() as connection, connection.transaction():
            result = await _play(script, lambda statement: self._fetch(connection, statement))
            if probe:
                probe("at", name)
        if probe:
            probe("after", name)
        return result

    async def _run_steps(self, script: Script[T], name: str) -> T:
        """Each statement is a transaction, and is repeated alone: what came before it has happened."""

        async def step(statement: Statement) -> Any:
            async with self._pool.acquire() as connection:
                rows = await self._fetch(connection, statement)
            if self._probe:
                self._probe("at", name)
            return rows

        if self._probe:
            self._probe("before", name)
        result = await _play(script, lambda statement: _unless_lost(lambda: step(statement)))
        if self._probe:
            self._probe("after", name)
        return result

    async def _fetch(self, connection: Any, statement: Statement) -> Any:
        if isinstance(statement, Together):
            return await _fetch_together(connection, statement)
        if isinstance(statement, Written):
            return await _fetch_written(connection, statement)
        return await _fetch(connection, self._queries[statement.query], statement)

    async def close(self) -> None:
        """Let running transactions finish, and disconnect."""
        await self._pool.close()


async def _unless_lost(transact: Callable[[], Awaitable[T]]) -> T:
    """Again while it loses races against others; StoreUnavailable when that does not end, or nobody is there."""
    for lost in range(1, RACES + 1):
        try:
            return await transact()
        except _LOST_RACE as error:
            if lost == RACES:
                raise StoreUnavailable(f"the database is too busy: {error}") from error
            # Growing and uneven: those who lost together must not meet again.
            await asyncio.sleep(random.uniform(0, min(LONGEST_PAUSE, 0.01 * 2**lost)))  # noqa: S311
        except _GONE as error:
            raise StoreUnavailable(f"the database cannot be used: {error}") from error
    raise AssertionError


async def _leave_as_it_is(_connection: Any) -> None:
    """What a script leaves behind ends with its transaction: there is nothing else to undo, and no trip for it."""


async def _play(script: Script[T], fetch: Callable[[Statement], Awaitable[Any]]) -> T:
    rows: Any = None
    while True:
        try:
            statement = next(script) if rows is None else script.send(rows)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        rows = await fetch(statement)


async def _fetch_together(connection: Any, statement: Together) -> list[list[Row]]:
    known, names = queries("postgres"), tuple(part.query for part in statement.parts)
    values = [part.values[name] for part in statement.parts for name in known[part.query].names]
    try:
        row = await connection.fetchrow(joined(names, statement.required).sql, *values)
    except asyncpg.DivisionByZeroError as error:
        raise Refuted(f"one of the first {statement.required} has no row: {', '.join(names)}") from error
    return [json.loads(row[place]) if row[place] else [] for place in range(len(names))]


async def _fetch(connection: Any, query: Query, statement: Statement) -> list[Row]:
    rows: list[Row] = await connection.fetch(query.sql, *(statement.values[name] for name in query.names))
    return rows


async def _fetch_written(connection: Any, statement: Written) -> list[Row]:
    """A mistake of an agent's is told apart from a database that cannot be used, which concerns everybody."""
    try:
        return await _fetch(connection, statement.sql["postgres"], statement)
    except (*_LOST_RACE, *_GONE):
        raise
    except asyncpg.PostgresError as error:
        raise StatementFailed(f"{statement.query}: {error}") from error
