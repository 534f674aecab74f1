"""What an agent's author writes in SQL: named statements in `sql`, tables in `migrations`, beside the agent file."""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hilo.errors import FileProblems, Problem
from hilo.store.queries import DIALECTS, Dialect, Piece, Query, pieces, query

SCOPE = frozenset({"workspace", "contact"})  # bound in every statement, whatever a script says

_MIGRATION = re.compile(r"(\d{4}_\w+)(?:\.(sqlite|postgres))?\.sql")
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_CUT = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|/\*.*?\*/|(\$\w*\$).*?\1|(;)""",
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
    statements = _statements(_texts(folder, problems), problems)
    migrations = _migrations(_texts(steps, problems), problems)
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


def _statements(texts: Mapping[Path, str], problems: list[Problem]) -> dict[str, OwnStatement]:
    found: dict[tuple[str, str], tuple[Path, Piece]] = {}
    for file, text in texts.items():
        for piece in _pieces(file, text, problems):
            known = found.setdefault((piece.name, piece.only), (file, piece))
            if known != (file, piece):
                said = f"the statement `{piece.name}` stands in {known[0].name}:{known[1].line} too"
                problems.append(Problem(str(file), piece.line, 1, said, "give one of them another name"))
    names = dict.fromkeys(name for name, _only in found)
    return {name: made for name in names if (made := _statement(name, found, problems))}


def _pieces(file: Path, text: str, problems: list[Problem]) -> Iterator[Piece]:
    """The statements of a file; what stands before the first name, or a name with nothing after it, is a slip."""
    listed = list(pieces(text))
    before = "\n".join(text.splitlines()[: listed[0].line - 1]) if listed else text
    if _bare(before):
        hint = "begin each statement with a line `-- its_name: what it does`"
        problems.append(Problem(str(file), 1, 1, "SQL that has no name", hint))
    for piece in listed:
        if not _bare(piece.sql):
            said = f"the statement `{piece.name}` is empty"
            problems.append(Problem(str(file), piece.line, 1, said, "a comment line with a colon begins a statement"))
        yield piece


def _statement(
    name: str, found: Mapping[tuple[str, str], tuple[Path, Piece]], problems: list[Problem]
) -> OwnStatement | None:
    """One that is marked with a dialect stands for the unmarked one there; each dialect must have one."""
    chosen = {each: found.get((name, each)) or found.get((name, "")) for each in DIALECTS}
    file, piece = next(filter(None, chosen.values()))
    sql = {each: query(there[1].sql, each) for each, there in chosen.items() if there}
    if len(sql) < len(DIALECTS):
        hint = f"write `{name}` without a mark too"
        problems.append(Problem(str(file), piece.line, 1, f"`{name}` is there for {piece.only} alone", hint))
        return None
    return OwnStatement(name, f"{file}:{piece.line}: {name}", sql)


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
