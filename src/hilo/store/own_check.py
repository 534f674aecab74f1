"""Takes the files of an agent's SQL apart, and judges every statement before any of them runs.

The tables and views that statements may name are those that the agent's migrations make.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from sqlglot import exp

from hilo.errors import Problem
from hilo.store.own_parse import (
    Refused,
    parse_migration,
    parse_statement,
    plain_name,
    split_statements,
    tokenize,
    words,
)
from hilo.store.own_scope import COLUMNS, OwnTable, refused, stray_references, view_of
from hilo.store.own_sql import Migration, OwnStatement
from hilo.store.queries import DIALECTS, Dialect, NamedQuery, Query, pieces

_SHARED = re.compile(r"^(-- \w+) \(shared\)", re.MULTILINE)
_MIGRATION = re.compile(r"(\d{4}_\w+)(?:\.(sqlite|postgres))?\.sql")
_TRANSACTION = frozenset({"BEGIN", "COMMIT", "ROLLBACK", "END", "SAVEPOINT", "START", "RELEASE", "ABORT"})
_NAMES: dict[Dialect, str] = {"sqlite": "SQLite", "postgres": "PostgreSQL"}

# a test compares these with what the migrations of the store make
ENGINE_TABLES = words("""
    addresses agent_migrations agents alembic_version api_keys audit campaign_requests campaigns canned_replies
    channels contacts former_numbers handoffs ignored inbox live_events live_heads login_attempts media mode_visits
    operators outbox panel_people panel_teams person_sessions publications receipts recipients reservations
    session_notes session_reads sessions spending timers tool_calls turns usage work workspaces
""")
_TEXT = frozenset({exp.DType.TEXT, exp.DType.VARCHAR})
# a collation or a generated value would make one workspace equal to another
_CONSTRAINTS = (
    exp.NotNullColumnConstraint,
    exp.PrimaryKeyColumnConstraint,
    exp.UniqueColumnConstraint,
    exp.CheckColumnConstraint,
    exp.DefaultColumnConstraint,
    exp.Reference,
)
_Columns = dict[str, exp.Expr]

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


class _WrittenStatement(NamedTuple):
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


_Found = Mapping[tuple[str, str], _WrittenStatement]  # by name and mark


def _read(texts: Mapping[Path, str], problems: list[Problem]) -> _Found:
    """The statements of all files; what stands before the first name is a slip."""
    found: dict[tuple[str, str], _WrittenStatement] = {}
    for file, text in texts.items():
        shared = {text.count("\n", 0, each.start()) + 1 for each in _SHARED.finditer(text)}
        listed = list(pieces(_SHARED.sub(r"\1", text)))
        before = "\n".join(text.splitlines()[: listed[0].line - 1]) if listed else text
        if not _is_empty(before):
            hint = "begin each statement with a line `-- its_name: what it does`"
            problems.append(Problem(str(file), 1, 1, "SQL that has no name", hint))
        for piece in listed:
            said = _WrittenStatement(file, piece, piece.line in shared)
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
    said: _WrittenStatement,
    dialects: tuple[Dialect, ...],
    tables: _Tables,
    trial: sqlite3.Connection,
    problems: list[Problem],
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


def _check(said: _WrittenStatement, tree: exp.Expr, tables: Mapping[str, OwnTable], dialect: Dialect) -> list[Refused]:
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


# --- the tables that migrations make ----------------------------------------------------------------


@dataclass(slots=True)
class OwnSchema:
    """What there is after the statements so far; those that cannot be read are left to the database."""

    dialect: Dialect
    made: dict[str, _Columns] = field(default_factory=dict)
    unsound: dict[str, str] = field(default_factory=dict)
    views: dict[str, OwnTable] = field(default_factory=dict)

    @property
    def tables(self) -> dict[str, OwnTable]:
        """Tables and views by their names."""
        return {name: _table(made, self.unsound.get(name, "")) for name, made in self.made.items()} | self.views

    def apply(self, sql: str) -> None:
        """Take note of what a statement does; raises Refused if it touches what is not the agent's."""
        tree = parse_migration(sql, self.dialect)
        if tree is None:
            return
        _check_names(tree.find_all(exp.Table), self.dialect)
        match tree:
            case exp.Create(kind="TABLE", this=exp.Schema() as made):
                self._create(made, unless_there=bool(tree.args.get("exists")))
            case exp.Create(kind="VIEW", this=exp.Table() as view):
                self.views[self._name(view)] = view_of(tree.expression, self.tables, self.dialect)
            case exp.Create(kind="INDEX", this=index) if tree.args.get("unique") and tree.find(exp.Collate):
                # ON CONFLICT goes by an index, and one that compares otherwise takes two workspaces for one
                self.unsound[self._name(index.args["table"])] = "a unique index of it has a collation"
            case exp.Drop(kind="TABLE" | "VIEW"):
                for each in tree.find_all(exp.Table):
                    self.made.pop(self._name(each), None)
                    self.views.pop(self._name(each), None)
            case exp.Alter(kind="TABLE"):
                self._alter(self._name(tree.this), tree.args.get("actions") or ())

    def _name(self, node: exp.Expr) -> str:
        return plain_name(node.this, self.dialect)

    def _create(self, made: exp.Schema, *, unless_there: bool) -> None:
        name = self._name(made.this)
        if unless_there and name in self.made:
            return
        self.made[name] = {self._name(each): each for each in made.expressions if isinstance(each, exp.ColumnDef)}
        self.unsound.pop(name, None)
        if any(isinstance(each, exp.LikeProperty) for each in made.expressions):
            self.unsound[name] = "its columns are those of another table"

    def _alter(self, name: str, actions: Iterable[exp.Expr]) -> None:
        for action in actions:
            columns = self.made.get(name, {})
            match action:
                case exp.ColumnDef():
                    columns[self._name(action)] = action
                case exp.AlterRename(this=target) if name in self.made:
                    self._doubt_views()
                    self.made[self._name(target)] = self.made.pop(name)
                    name = self._name(target)
                case exp.RenameColumn(this=old):
                    self._doubt_views()
                    new, old_name = self._name(action.args["to"]), self._name(old)
                    self.made[name] = {new if each == old_name else each: made for each, made in columns.items()}
                case exp.Drop(kind="COLUMN"):
                    columns.pop(plain_name(action.find(exp.Identifier), self.dialect), None)
                case exp.AlterColumn() if action.args.get("dtype") and self._name(action) in COLUMNS:
                    self.unsound[name] = "the type of its column for the workspace was changed"

    def _doubt_views(self) -> None:
        """Whether a view goes by the old or by the new names differs between databases."""
        why = "something was renamed after this view was made; make it again"
        self.views = {name: replace(view, unsound=why) for name, view in self.views.items()}


def _check_names(tables: Iterable[exp.Table], dialect: Dialect) -> None:
    for table in tables:
        name = plain_name(table.this, dialect)
        engine = name in ENGINE_TABLES and not table.find_ancestor(exp.Reference)
        if engine or table.args.get("db") or name.startswith(("pg_", "sqlite_")):
            hint = "begin the names of the agent's tables with its own, and name no schema"
            raise refused(table, f"`{table.sql()}` is no table of this agent", hint)


def _table(columns: _Columns, unsound: str) -> OwnTable:
    workspace = next((each for each in COLUMNS if each in columns), "")
    if workspace and not unsound:
        unsound = _unsound(columns[workspace])
    return OwnTable(tuple(columns), workspace, unsound=unsound)


def _unsound(column: exp.Expr) -> str:
    kind = column.args.get("kind")
    if not kind or kind.this not in _TEXT:
        return "its column for the workspace is not of the type TEXT"
    if not all(isinstance(each.kind, _CONSTRAINTS) for each in column.args.get("constraints") or ()):
        return "its column for the workspace has a collation or is generated"
    return ""
