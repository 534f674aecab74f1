"""What an agent's author writes in SQL: named statements in `sql`, tables in `migrations`, beside the agent file."""

import hashlib
import re
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from hilo.errors import FileProblems, Problem
from hilo.store.own_scope import Reach, Unseen, reach
from hilo.store.queries import DIALECTS, Dialect, NamedQuery, Query, pieces, query

SCOPE = frozenset({"workspace", "contact"})  # bound in every statement, whatever a script says

_SHARED = re.compile(r"^(-- \w+) \(shared\)", re.MULTILINE)
_READS = re.compile(r"select\b", re.IGNORECASE)
_MIGRATION = re.compile(r"(\d{4}_\w+)(?:\.(sqlite|postgres))?\.sql")
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_CUT = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|/\*.*?\*/|(\$\w*\$).*?\1|(;)""",
    re.DOTALL,
)
_SAID = re.compile(
    r"""('(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$).*?\2)|(?:\s|--[^\n]*|/\*.*?\*/)+""",
    re.DOTALL,
)
_TRIGGER = re.compile(r"create\s+(temp(orary)?\s+)?trigger\b.*\bbegin\b", re.IGNORECASE | re.DOTALL)
_TRANSACTION = re.compile(r"(begin|commit|rollback|end|savepoint|start\s+transaction)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OwnStatement:
    """A named statement of an agent, in both dialects, and where it stands."""

    name: str
    place: str
    sql: Mapping[Dialect, Query]

    @property
    def names(self) -> frozenset[str]:
        """Its values."""
        return frozenset(name for each in self.sql.values() for name in each.names)


@dataclass(frozen=True, slots=True)
class Migration:
    """A step of an agent's tables: the statements of a file, in order."""

    name: str
    file: str
    statements: tuple[str, ...]

    @property
    def digest(self) -> str:
        """Of what it says: neither comments nor spaces and line ends count, except in quotes."""
        said = ";".join(_SAID.sub(lambda found: found[1] or " ", each).strip() for each in self.statements)
        return hashlib.sha256(said.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class OwnSql:
    """All that an agent has of its own in the database."""

    agent: str
    folder: str
    statements: Mapping[str, OwnStatement]
    migrations: Mapping[Dialect, tuple[Migration, ...]]


def read_own_sql(agent: str, beside: Path) -> OwnSql | None:
    """The SQL in an agent's folder, if there is any; raises FileProblems with all that is wrong with it."""
    folder, steps = beside / "sql", beside / "migrations"
    if not folder.is_dir() and not steps.is_dir():
        return None
    problems: list[Problem] = []
    migrations = _migrations(_texts(steps, problems), problems)
    with reach() as tables:
        untaken = list(_untaken(migrations["sqlite"], tables))
        statements = _statements(_texts(folder, problems), None if untaken else tables, problems)
    problems += untaken
    if problems:
        raise FileProblems(tuple(problems))
    return OwnSql(agent, str(folder), statements, migrations)


def _texts(folder: Path, problems: list[Problem]) -> dict[Path, str]:
    texts = {}
    for file in sorted(folder.glob("*.sql")):
        try:
            texts[file] = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            problems.append(Problem(str(file), 1, 1, f"cannot be read: {error}", "save it as UTF-8"))
    return texts


# --- statements -----------------------------------------------------------------------------------------


class _Said(NamedTuple):
    """A statement where it stands; `shared` is one that is marked as the same for all workspaces."""

    file: Path
    piece: NamedQuery
    shared: bool

    def problem(self, message: str, hint: str) -> Problem:
        return Problem(str(self.file), self.piece.line, 1, message, hint)


_Found = Mapping[tuple[str, str], _Said]  # by name and mark


def _statements(texts: Mapping[Path, str], tables: Reach | None, problems: list[Problem]) -> dict[str, OwnStatement]:
    found: dict[tuple[str, str], _Said] = {}
    for file, text in texts.items():
        for said in _read(file, text, problems):
            name = said.piece.name
            known = found.setdefault((name, said.piece.only), said)
            if known is not said:
                message = f"the statement `{name}` stands in {known.file.name}:{known.piece.line} too"
                problems.append(said.problem(message, "give one of them another name"))
            problems.extend(_slips(said))
    names = dict.fromkeys(name for name, _only in found)
    return {name: made for name in names if (made := _statement(name, found, tables, problems=problems))}


def _read(file: Path, text: str, problems: list[Problem]) -> Iterator[_Said]:
    """The statements of a file; what stands before the first name is a slip."""
    shared = {text.count("\n", 0, each.start()) + 1 for each in _SHARED.finditer(text)}
    listed = list(pieces(_SHARED.sub(r"\1", text)))
    before = "\n".join(text.splitlines()[: listed[0].line - 1]) if listed else text
    if _bare(before):
        hint = "begin each statement with a line `-- its_name: what it does`"
        problems.append(Problem(str(file), 1, 1, "SQL that has no name", hint))
    return (_Said(file, piece, piece.line in shared) for piece in listed)


def _slips(said: _Said) -> Iterator[Problem]:
    """What can be seen of a statement alone."""
    name, sql = said.piece.name, said.piece.sql
    if not _bare(sql):
        yield said.problem(f"the statement `{name}` is empty", "a comment line with a colon begins a statement")
    elif said.shared and not _READS.match(_bare(sql)):
        hint = "what all workspaces share is written by migrations"
        yield said.problem(f"`{name}` is marked as shared and does not begin with SELECT", hint)
    elif not said.shared and "workspace" not in query(sql, "sqlite").names:
        hint = f"let it name `:workspace`; for what is the same in all workspaces write `-- {name} (shared): …`"
        yield said.problem(f"`{name}` would reach the rows of all workspaces", hint)


def _statement(name: str, found: _Found, tables: Reach | None, *, problems: list[Problem]) -> OwnStatement | None:
    """One that is marked with a dialect stands for the unmarked one there; each dialect must have one."""
    chosen = {each: found.get((name, each)) or found.get((name, "")) for each in DIALECTS}
    said = next(filter(None, chosen.values()))
    sql = {each: query(there.piece.sql, each) for each, there in chosen.items() if there}
    if len(sql) < len(DIALECTS):
        message = f"`{name}` is there for {said.piece.only} alone"
        problems.append(said.problem(message, f"write `{name}` without a mark too"))
        return None
    if tables and not said.shared:
        problems.extend(_strays(said, tables, sql["sqlite"]))
    return OwnStatement(name, f"{said.file}:{said.piece.line}: {name}", sql)


def _strays(said: _Said, tables: Reach, sql: Query) -> Iterator[Problem]:
    """What can be seen of a statement together with the tables, in SQLite's form."""
    name = said.piece.name
    match tables.strays(sql):
        case Unseen(why, hint):
            yield said.problem(f"whether `{name}` keeps to one workspace could not be checked: {why}", hint)
        case [_, *_] as strays:
            hint = "compare its column for the workspace, too; as part of the key in ON CONFLICT"
            yield said.problem(f"`{name}` would reach rows of all workspaces in {', '.join(strays)}", hint)


# --- migrations -----------------------------------------------------------------------------------------


def _migrations(texts: Mapping[Path, str], problems: list[Problem]) -> dict[Dialect, tuple[Migration, ...]]:
    named: dict[tuple[str, str], Migration] = {}
    for file, text in texts.items():
        match = _MIGRATION.fullmatch(file.name)
        if match is None:
            hint = "name it like 0001_orders.sql, or 0001_orders.postgres.sql for one dialect"
            problems.append(Problem(str(file), 1, 1, "a migration without a number", hint))
            continue
        statements = tuple(split(text))
        if any(_TRANSACTION.match(_bare(each)) for each in statements):
            hint = "leave it out: each file is one transaction as it is"
            problems.append(Problem(str(file), 1, 1, "a migration that begins or ends a transaction", hint))
        named[match[1], match[2] or ""] = Migration(match[1], str(file), statements)
    return {each: tuple(_of_dialect(named, each)) for each in DIALECTS}


def _of_dialect(named: Mapping[tuple[str, str], Migration], dialect: Dialect) -> Iterator[Migration]:
    for name in sorted({name for name, _only in named}):
        if found := named.get((name, dialect)) or named.get((name, "")):
            yield found


def _untaken(migrations: tuple[Migration, ...], tables: Reach) -> Iterator[Problem]:
    """The first step that SQLite does not take; what comes after it would be no news."""
    hint = "mend it; what PostgreSQL alone takes belongs into a file of its own, like 0001_orders.postgres.sql"
    steps = ((each, number, sql) for each in migrations for number, sql in enumerate(each.statements, 1))
    for migration, number, sql in steps:
        if why := tables.make(sql):
            message = f"SQLite does not take statement {number}, and nothing could be checked: {why}"
            yield Problem(migration.file, 1, 1, message, hint)
            return


def split(text: str) -> Iterator[str]:
    """The statements of a file; the body of a trigger or a function stays whole."""
    begun = ""
    for piece in _cut(text):
        begun += piece
        if _TRIGGER.match(_bare(begun)) and not sqlite3.complete_statement(begun):
            continue
        if _bare(begun):
            yield begun.strip().rstrip(";")
        begun = ""
    if _bare(begun):
        yield begun.strip()


def _bare(sql: str) -> str:
    return _COMMENT.sub("", sql).strip(" \t\r\n;")


def _cut(text: str) -> Iterator[str]:
    """A text cut after each semicolon that is not quoted."""
    at = 0
    for match in _CUT.finditer(text):
        if match[2]:
            yield text[at : match.end()]
            at = match.end()
    yield text[at:]
