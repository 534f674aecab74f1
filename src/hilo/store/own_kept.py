"""What was judged of an agent's SQL, kept in a file: parsing and proving it anew is a tenth of a start.

It counts only for the same texts, judged by the same program: whatever changes there, the SQL is judged again.
"""

import hashlib
import json
import sqlite3
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hilo.store.own_sql import Migration, OwnStatement
from hilo.store.queries import DIALECTS, Dialect, Query

JUDGES = ("own_check.py", "own_kept.py", "own_parse.py", "own_scope.py", "own_sql.py", "queries.py")

Judged = tuple[dict[str, OwnStatement], dict[Dialect, tuple[Migration, ...]]]


def judged_digest(sql: Mapping[Path, str], migrations: Mapping[Path, str]) -> str:
    """Of all that the judgement depends on."""
    said = [_judge(), *((str(file), text) for texts in (sql, migrations) for file, text in texts.items())]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


@cache
def _judge() -> str:
    """The program itself, the parser and the database that tries the statements."""
    digest = hashlib.sha256(sqlite3.sqlite_version.encode())
    parser = find_spec("sqlglot")
    folder = Path(parser.origin).parent if parser and parser.origin else Path()
    for file in (*(Path(__file__).with_name(name) for name in JUDGES), folder / "_version.py"):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def judged_to_bytes(judged: Judged) -> bytes:
    """All of it, as JSON."""
    statements, migrations = judged
    kept = {
        "statements": [
            [each.name, each.place, {dialect: [query.sql, query.names] for dialect, query in each.sql.items()}]
            for each in statements.values()
        ],
        "migrations": {
            dialect: [[each.name, each.file, each.statements] for each in steps]
            for dialect, steps in migrations.items()
        },
    }
    return json.dumps(kept).encode()


def judged_from_bytes(kept: bytes) -> Judged:
    """Raises ValueError, KeyError or TypeError for what `judged_to_bytes` did not write."""
    read = json.loads(kept)
    statements = {name: OwnStatement(name, place, _queries(sql)) for name, place, sql in read["statements"]}
    migrations = {
        dialect: tuple(Migration(name, file, tuple(steps)) for name, file, steps in read["migrations"][dialect])
        for dialect in DIALECTS
    }
    return statements, migrations


def _queries(sql: Mapping[Dialect, Any]) -> dict[Dialect, Query]:
    return {dialect: Query(text, tuple(names)) for dialect, (text, names) in sql.items()}
