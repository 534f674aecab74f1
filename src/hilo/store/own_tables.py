"""An agent's own tables: their SQL is found beside its file, they are brought up to date once, and its tools use them.

Whatever a tool does there is within one workspace and for one contact.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from hilo.errors import FileProblems, Problem
from hilo.store.files import keep_file
from hilo.store.own_kept import Judged, judged_digest, judged_from_bytes, judged_to_bytes
from hilo.store.own_sql import SCOPE, Migration, OwnSql, OwnStatement
from hilo.store.queries import DIALECTS, Dialect, Query, Written
from hilo.store.sqlite import MemoryStore
from hilo.store.store import StatementFailed, Store
from hilo.tools.database import Row, Script, Statement, execute, micros, moment, one
from hilo.tools.given import Contact
from hilo.tools.limits import not_counted

T = TypeVar("T")
P = ParamSpec("P")

_KINDS = (str, int, float, bool, bytes, type(None))  # what both databases keep


@dataclass(frozen=True, slots=True)
class OwnDatabase:
    """What a tool is given as `database`."""

    store: Store
    own: OwnSql
    contact: Contact

    async def run(self, script: Callable[P, Script[T]], *values: P.args, **named: P.kwargs) -> T:
        """Run a script in one transaction; raises StatementFailed when the SQL, or what it is given, is wrong."""
        with not_counted():
            return await self.store.run(own_script, self.own, self.contact, partial(script, *values, **named))


def own_script(own: OwnSql, contact: Contact, begin: Callable[[], Script[T]]) -> Script[T]:
    """An agent's script, with the SQL of its statements, and bound to whom it is for."""
    script: Any = begin()
    if not isinstance(script, Generator):
        raise StatementFailed("what a database runs must be a generator function, with `yield from execute(…)` in it")
    rows = None
    while True:
        try:
            said = script.send(rows)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        found: list[Row] = yield _written(own, contact, said)
        rows = [dict(row) for row in found]


def _written(own: OwnSql, contact: Contact, said: Any) -> Written:
    if not isinstance(said, Statement):
        raise StatementFailed("a script yields its statements with `yield from execute(…)` or `yield from one(…)`")
    statement = own.statements.get(said.query) or _missing(own, said.query)
    _check_values(statement, said.values)
    values = {**said.values, "workspace": contact.workspace, "contact": contact.id}
    return Written(statement.place, values, statement.sql)


def _missing(own: OwnSql, name: str) -> OwnStatement:
    near = ", ".join(get_close_matches(name, own.statements)) or ", ".join(sorted(own.statements)[:10]) or "none"
    raise StatementFailed(f"there is no statement `{name}` in {own.folder}; there is: {near}")


def _check_values(statement: OwnStatement, values: Mapping[str, Any]) -> None:
    """Just the values that the statement names, of kinds that both databases keep."""
    if problem := next(_wrong(statement, values), ""):
        raise StatementFailed(f"{statement.place}: {problem}")


def _wrong(statement: OwnStatement, values: Mapping[str, Any]) -> Iterator[str]:
    for name, value in values.items():
        if name in SCOPE:
            yield f"`:{name}` is bound by itself, and a script cannot give another"
        if name not in statement.names:
            yield f"it has no value `:{name}`"
        if not isinstance(value, _KINDS):
            kind = type(value).__name__
            yield f"`:{name}` is a {kind}: give a text, a whole number, a float, a bool, bytes or None"
    for name in sorted(statement.names - SCOPE - values.keys()):
        yield f"the value `:{name}` is missing"


# --- finding the SQL --------------------------------------------------------------------------------


def read_own_sql(agent: str, beside: Path, *, kept: Path | None = None) -> OwnSql | None:
    """The SQL in an agent's folder, if there is any; raises FileProblems with all that is wrong with it.

    `kept` is a folder where what was found good is written down for the next time.
    """
    folder, steps = beside / "sql", beside / "migrations"
    if not folder.is_dir() and not steps.is_dir():
        return None
    problems: list[Problem] = []
    sql, migrations = _texts(folder, problems), _texts(steps, problems)
    found = None if problems or kept is None else _kept(kept, sql, migrations)
    return OwnSql(agent, str(folder), *(found or _judged(sql, migrations, problems, kept)))


def _kept(kept: Path, sql: Mapping[Path, str], migrations: Mapping[Path, str]) -> Judged | None:
    with suppress(OSError, ValueError, KeyError, TypeError):  # not there, or not readable: it is judged again
        return judged_from_bytes((kept / f"{judged_digest(sql, migrations)}.json").read_bytes())
    return None


def _judged(
    sql: Mapping[Path, str], migrations: Mapping[Path, str], problems: list[Problem], kept: Path | None
) -> Judged:
    from hilo.store.own_check import judged  # noqa: PLC0415 -- the parser takes 0.2 s, and few need it

    found = judged(sql, migrations, problems)
    if problems:
        raise FileProblems(tuple(dict.fromkeys(problems)))
    if kept:
        keep_file(kept / f"{judged_digest(sql, migrations)}.json", judged_to_bytes(found))
    return found


def _texts(folder: Path, problems: list[Problem]) -> dict[Path, str]:
    texts = {}
    for file in sorted(folder.glob("*.sql")):
        try:
            texts[file] = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            problems.append(Problem(str(file), 1, 1, f"cannot be read: {error}", "save it as UTF-8"))
    return texts


# --- making the tables --------------------------------------------------------------------------------


async def make_tables(store: Store, own: OwnSql, *, now: datetime) -> None:
    """Run the migrations that are missing, each in a transaction of its own; then see that every statement fits."""
    for name in sorted({each.name for dialect in DIALECTS for each in own.migrations[dialect]}):
        await store.run(migrate_own, own, name, now=now)
    await store.run(try_statements, own)


def memory_store(own: OwnSql) -> MemoryStore:
    """Fresh tables in memory, for one conversation."""
    store = MemoryStore()
    for migration in own.migrations["sqlite"]:
        store.run_now(_steps, migration, "sqlite")
    store.run_now(try_statements, own)
    return store


def migrate_own(own: OwnSql, name: str, *, now: datetime) -> Script[bool]:
    """One step, once: whoever else starts waits until it is done and written down."""
    locked = yield from one("lock_agent_migrations")
    assert locked is not None  # noqa: S101 -- it always has a row
    dialect: Dialect = locked["dialect"]
    migration = next((each for each in own.migrations[dialect] if each.name == name), None)
    if migration is None:
        return False
    done = yield from one("agent_migration", agent=own.agent, name=name)
    if done is None:
        yield from _steps(migration, dialect)
    elif done["digest"]:
        _see_unchanged(migration, done)
        return False
    values = {"at": micros(now), "digest": migration.digest}
    yield from execute("note_agent_migration", agent=own.agent, name=name, **values)
    return done is None


def _see_unchanged(migration: Migration, done: Row) -> None:
    """What was applied stays as it was: this database has the tables of what it said then."""
    if done["digest"] != migration.digest:
        said = f"it was applied to this database on {moment(done['at']):%Y-%m-%d %H:%M} UTC and has been changed since"
        fix = "put it back as it was, and write the change into a new file with the next number"
        raise StatementFailed(f"{migration.file}: {said} ({fix})")


def _steps(migration: Migration, dialect: Dialect) -> Script[None]:
    for number, sql in enumerate(migration.statements, 1):
        yield Written(f"{migration.file}, statement {number}", {}, {dialect: Query(sql)})


def try_statements(own: OwnSql) -> Script[None]:
    """Let the database read every statement without running it: what is wrong is found at the start."""
    for each in own.statements.values():
        explained = {dialect: Query(f"EXPLAIN {query.sql}", query.names) for dialect, query in each.sql.items()}
        yield Written(each.place, dict.fromkeys(each.names), explained)
