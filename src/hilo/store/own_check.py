"""Takes the files of an agent's SQL apart, and judges every statement before any of them runs."""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from sqlglot import exp

from hilo.errors import Problem
from hilo.store.own_parse import Refused, parse_statement, split_statements, tokenize
from hilo.store.own_schema import OwnSchema
from hilo.store.own_scope import OwnTable, refused, stray_references
from hilo.store.own_sql import Migration, OwnStatement
from hilo.store.queries import DIALECTS, Dialect, NamedQuery, Query, pieces

_SHARED = re.compile(r"^(-- \w+) \(shared\)", re.MULTILINE)
_MIGRATION = re.compile(r"(\d{4}_\w+)(?:\.(sqlite|postgres))?\.sql")
_TRANSACTION = frozenset({"BEGIN", "COMMIT", "ROLLBACK", "END", "SAVEPOINT", "START", "RELEASE", "ABORT"})
_NAMES: dict[Dialect, str] = {"sqlite": "SQLite", "postgres": "PostgreSQL"}

_Tables = Mapping[Dialect, Mapping[str, OwnTable]]


def judged(
    sql: Mapping[Path, str], migrations: Mapping[Path, str], problems: list[Problem]
) -> tuple[dict[str, OwnStatement], dict[Dialect, tuple[Migration, ...]]]:
    """The statements and migrations of an agent from the texts of its files; adds all that is wrong with them."""
    steps = _migrations(migrations, problems)
    statements = {}
    with closing(sqlite3.connect(":memory:", isolation_level=None, cached_statements=0)) as trial:
        wrong = [*_untaken(steps["sqlite"], trial)]
        tables = {each: _tables(steps[each], each, wrong) for each in DIALECTS}
        found = _read(sql, problems)
        if not wrong:  # what follows from a wrong table would be no news
            statements = _statements(found, tables, trial, problems)
    problems += wrong
    return statements, steps


# --- statements -----------------------------------------------------------------------------------------


class _Said(NamedTuple):
    """A statement where it stands; `shared` is one that is marked as the same for all workspaces."""

    file: Path
    piece: NamedQuery
    shared: bool

    def problem(self, message: str, hint: str) -> Problem:
        return Problem(str(self.file), self.piece.line, 1, message, hint)

    def refusal(self, error: Refused, dialects: tuple[Dialect, ...]) -> Problem:
        only = "" if set(dialects) == set(DIALECTS) or self.piece.only else f" for {_NAMES[dialects[0]]}"
        line = self.piece.line + error.line - 1
        message = f"`{self.piece.name}` is refused{only}: {error.message}"
        return Problem(str(self.file), line, error.column, message, error.hint)


_Found = Mapping[tuple[str, str], _Said]  # by name and mark


def _read(texts: Mapping[Path, str], problems: list[Problem]) -> _Found:
    """The statements of all files; what stands before the first name is a slip."""
    found: dict[tuple[str, str], _Said] = {}
    for file, text in texts.items():
        shared = {text.count("\n", 0, each.start()) + 1 for each in _SHARED.finditer(text)}
        listed = list(pieces(_SHARED.sub(r"\1", text)))
        before = "\n".join(text.splitlines()[: listed[0].line - 1]) if listed else text
        if not _is_empty(before):
            hint = "begin each statement with a line `-- its_name: what it does`"
            problems.append(Problem(str(file), 1, 1, "SQL that has no name", hint))
        for piece in listed:
            said = _Said(file, piece, piece.line in shared)
            known = found.setdefault((piece.name, piece.only), said)
            if known is not said:
                message = f"the statement `{piece.name}` stands in {known.file.name}:{known.piece.line} too"
                problems.append(said.problem(message, "give one of them another name"))
            if _is_empty(piece.sql):
                hint = "a comment line with a colon begins a statement"
                problems.append(said.problem(f"the statement `{piece.name}` is empty", hint))
    return found


def _is_empty(sql: str) -> bool:
    try:
        return not tokenize(sql, "postgres")
    except Refused:
        return False


def _statements(
    found: _Found, tables: _Tables, trial: sqlite3.Connection, problems: list[Problem]
) -> dict[str, OwnStatement]:
    statements = {}
    for name in dict.fromkeys(name for name, _only in found):
        chosen = {each: said for each in DIALECTS if (said := found.get((name, each)) or found.get((name, "")))}
        said = next(iter(chosen.values()))
        if len(chosen) < len(DIALECTS):
            message = f"`{name}` is there for {said.piece.only} alone"
            problems.append(said.problem(message, f"write `{name}` without a mark too"))
            continue
        sql: dict[Dialect, Query] = {}
        for each in dict.fromkeys(chosen.values()):
            dialects = tuple(dialect for dialect in DIALECTS if chosen[dialect] is each)
            sql |= _judged(each, dialects, tables, trial, problems)
        statements[name] = OwnStatement(name, f"{said.file}:{said.piece.line}: {name}", sql)
    return statements


def _judged(
    said: _Said, dialects: tuple[Dialect, ...], tables: _Tables, trial: sqlite3.Connection, problems: list[Problem]
) -> dict[Dialect, Query]:
    """The statement for the drivers of its dialects; what is wrong in both of them is told once."""
    queries: dict[Dialect, Query] = {}
    wrong: dict[Refused, tuple[Dialect, ...]] = {}
    for dialect in dialects if not _is_empty(said.piece.sql) else ():
        errors: list[Refused] = []
        try:
            statement = parse_statement(said.piece.sql, dialect)
            queries[dialect] = statement.query
            errors = _check(said, statement.tree, tables[dialect], dialect)
        except Refused as error:
            errors = [error]
        if dialect == "sqlite" and not errors:
            errors = _try(trial, queries[dialect])
        for each in errors:
            wrong[each] = (*wrong.get(each, ()), dialect)
    problems += [said.refusal(error, where) for error, where in wrong.items()]
    return queries


def _check(said: _Said, tree: exp.Expr, tables: Mapping[str, OwnTable], dialect: Dialect) -> list[Refused]:
    strays = stray_references(tree, tables, dialect)
    if said.shared:
        change = tree.find(exp.DML)
        hint = "what all workspaces share is written by migrations"
        return [refused(change, "it is marked as shared and changes rows", hint)] if change else []
    if not any(each.this == "workspace" for each in tree.find_all(exp.Placeholder)):
        name = said.piece.name
        hint = f"let it name `:workspace`; for what is the same in all workspaces write `-- {name} (shared): …`"
        return [Refused("it would reach the rows of all workspaces", hint)]
    return strays


def _try(trial: sqlite3.Connection, query: Query) -> list[Refused]:
    """Let SQLite read a statement without running it."""
    try:
        trial.execute(f"EXPLAIN {query.sql}", dict.fromkeys(query.names))
    except (sqlite3.Error, sqlite3.Warning) as error:
        hint = "fix it; what PostgreSQL alone takes is marked (postgres), beside one for SQLite"
        return [Refused(f"SQLite does not take it: {error}", hint)]
    return []


# --- migrations -----------------------------------------------------------------------------------------


def _migrations(texts: Mapping[Path, str], problems: list[Problem]) -> dict[Dialect, tuple[Migration, ...]]:
    named: dict[tuple[str, str], Migration] = {}
    for file, text in texts.items():
        match = _MIGRATION.fullmatch(file.name)
        if match is None:
            hint = "name it like 0001_orders.sql, or 0001_orders.postgres.sql for one dialect"
            problems.append(Problem(str(file), 1, 1, "a migration without a number", hint))
            continue
        dialect: Dialect = "sqlite" if match[2] == "sqlite" else "postgres"
        try:
            statements = tuple(split_statements(text, dialect))
        except Refused as error:
            problems.append(Problem(str(file), 1, 1, error.message, error.hint))
            continue
        if any(tokenize(each, dialect)[0].text.upper() in _TRANSACTION for each in statements):
            hint = "leave it out: each file is one transaction as it is"
            problems.append(Problem(str(file), 1, 1, "a migration that begins or ends a transaction", hint))
        named[match[1], match[2] or ""] = Migration(match[1], str(file), statements)
    return {each: tuple(_of_dialect(named, each)) for each in DIALECTS}


def _of_dialect(named: Mapping[tuple[str, str], Migration], dialect: Dialect) -> Iterator[Migration]:
    for name in sorted({name for name, _only in named}):
        if found := named.get((name, dialect)) or named.get((name, "")):
            yield found


def _untaken(migrations: tuple[Migration, ...], trial: sqlite3.Connection) -> Iterator[Problem]:
    """The first step that SQLite does not take; what comes after it would be no news."""
    hint = "fix it; what PostgreSQL alone takes belongs into a file of its own, like 0001_orders.postgres.sql"
    steps = ((each, number, sql) for each in migrations for number, sql in enumerate(each.statements, 1))
    for migration, number, sql in steps:
        try:
            trial.execute(sql)
        except (sqlite3.Error, sqlite3.Warning) as error:
            message = f"SQLite does not take statement {number}, and nothing could be checked: {error}"
            yield Problem(migration.file, 1, 1, message, hint)
            return


def _tables(migrations: tuple[Migration, ...], dialect: Dialect, problems: list[Problem]) -> dict[str, OwnTable]:
    schema = OwnSchema(dialect)
    for migration in migrations:
        for number, sql in enumerate(migration.statements, 1):
            try:
                schema.apply(sql)
            except Refused as error:
                message = f"statement {number} is refused: {error.message}"
                problems.append(Problem(migration.file, 1, 1, message, error.hint))
    return schema.tables
