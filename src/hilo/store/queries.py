"""Named queries of `sql` folders, in the words of a dialect."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Literal, NamedTuple

from hilo.store.letters import plain_letters_in_postgres
from hilo.tools.database import Statement

Dialect = Literal["sqlite", "postgres"]
DIALECTS: tuple[Dialect, ...] = ("sqlite", "postgres")

_NAME = re.compile(r"^-- (\w+)(?: \((sqlite|postgres)\))?: .*$", re.MULTILINE)
# what is quoted or a comment is passed over
_VALUE = re.compile(r"""'(?:[^']|'')*'|"[^"]*"|--[^\n]*|/\*.*?\*/|(?<!:):([A-Za-z_]\w*)""", re.DOTALL)

_NUMBER = re.compile(r"\$(\d+)")
# A list that is given as JSON, in SQLite's words and in PostgreSQL's.
_LISTED = re.compile(r"SELECT value FROM json_each\((:\w+)\)")
_LISTED_IN_POSTGRES = r"SELECT json_array_elements_text(CAST(\1 AS JSON))"
# A function that the SQLite store brings along.
_PLAIN_LETTERS = re.compile(r"plain_letters\(([^()]+)\)")


@dataclass(frozen=True, slots=True)
class Query:
    """SQL for a driver, and the names of its values in the order that PostgreSQL numbers them."""

    sql: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written(Statement):
    """A statement that brings its SQL along: one that does not stand in the store's own folder."""

    sql: Mapping[Dialect, Query]


class NamedQuery(NamedTuple):
    """A query from the end of its head, which is in `line`; `only` is the dialect that it is marked with."""

    name: str
    only: str
    sql: str
    line: int


@cache
def queries(dialect: Dialect) -> dict[str, Query]:
    """All queries of the store by name; one that is marked with a dialect stands for the unmarked one there.

    Lists in JSON and `plain_letters` are written as SQLite reads them, so that a query needs no second writing.
    """
    found: dict[str, Query] = {}
    for file in sorted(files("hilo.store").joinpath("sql").iterdir(), key=lambda each: each.name):
        for piece in pieces(file.read_text(encoding="utf-8")):
            if piece.only == dialect or (not piece.only and piece.name not in found):
                found[piece.name] = query(_in_words_of(dialect, piece.sql.lstrip()), dialect)
    return found


def _in_words_of(dialect: Dialect, sql: str) -> str:
    if dialect == "sqlite":
        return sql
    listed = _LISTED.sub(_LISTED_IN_POSTGRES, sql)
    return _PLAIN_LETTERS.sub(lambda match: plain_letters_in_postgres(match[1]), listed)


def pieces(text: str) -> Iterator[NamedQuery]:
    """The queries of a file, each under its line `-- name: what it does`."""
    heads = list(_NAME.finditer(text))
    ends = [*(each.start() for each in heads), len(text)][1:]
    for head, end in zip(heads, ends, strict=True):
        sql = text[head.end() : end].rstrip().rstrip(";")
        yield NamedQuery(head[1], head[2] or "", sql, text.count("\n", 0, head.start()) + 1)


def query(sql: str, dialect: Dialect) -> Query:
    """SQL with named values, as the driver of a dialect takes it."""
    names = tuple(dict.fromkeys(name for name in _VALUE.findall(sql) if name))
    if dialect == "postgres":
        sql = _VALUE.sub(lambda match: f"${names.index(match[1]) + 1}" if match[1] else match[0], sql)
    return Query(sql, names)


def _raised(number: re.Match[str], *, by: int) -> str:
    return f"${int(number[1]) + by}"


@cache
def joined(names: tuple[str, ...], required: int = 0) -> Query:
    """Queries of the store as one statement for PostgreSQL, which answers with the rows of each as JSON.

    They are carried out in their order: each is needed for a column of the answer. Where one of the first `required`
    has no row, it divides by zero, which undoes them all.
    """
    known, taken, parts, columns = queries("postgres"), 0, [], []
    for place, name in enumerate(names):
        each = known[name]
        sql = _NUMBER.sub(partial(_raised, by=taken), each.sql)
        if "RETURNING" not in sql and not sql.startswith(("SELECT", "WITH")):
            sql += " RETURNING 1 AS done"
        taken += len(each.names)
        parts.append(f"s{place} AS ({sql})")
        columns.append(f"(SELECT json_agg(s{place}) FROM s{place}) AS s{place}")  # noqa: S608
    counts = [f"(SELECT COUNT(*) FROM s{place})" for place in range(required)]  # noqa: S608
    proof = [f"1 / ({' * '.join(counts)}) AS proof"] if counts else []
    return Query(f"WITH {', '.join(parts)} SELECT {', '.join([*columns, *proof])}")
