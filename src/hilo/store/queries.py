"""The named queries of the `sql` folder, in the words of a dialect."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

Dialect = Literal["sqlite", "postgres"]

_NAME = re.compile(r"^-- (\w+)(?: \((sqlite|postgres)\))?: .*$", re.MULTILINE)
_VALUE = re.compile(r"(?<!:):([a-z_]+)")


@dataclass(frozen=True, slots=True)
class Query:
    """SQL for a driver, and the names of its values in the order that PostgreSQL numbers them."""

    sql: str
    names: tuple[str, ...]


@cache
def queries(dialect: Dialect) -> dict[str, Query]:
    """All queries by name; one that is marked with a dialect stands for the unmarked one there."""
    found: dict[str, Query] = {}
    for file in sorted(files("hilo.store").joinpath("sql").iterdir(), key=lambda each: each.name):
        pieces = _NAME.split(file.read_text(encoding="utf-8"))[1:]
        for name, only, sql in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True):
            if only == dialect or (not only and name not in found):
                found[name] = _query(sql.strip().rstrip(";"), dialect)
    return found


def _query(sql: str, dialect: Dialect) -> Query:
    names = tuple(dict.fromkeys(_VALUE.findall(sql)))
    if dialect == "postgres":
        sql = _VALUE.sub(lambda match: f"${names.index(match[1]) + 1}", sql)
    return Query(sql, names)
