# ruff: noqa: S608 -- SQL made up here is what is tested
"""Whatever is accepted never sees or changes the rows of another workspace: random statements, really executed."""

import sqlite3
from functools import cache
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hilo.store.own_check import OwnSchema
from hilo.store.own_parse import Refused, parse_statement
from hilo.store.own_scope import OwnTable, stray_references
from hilo.store.queries import Query

TABLES = (
    "CREATE TABLE rows_of (workspace TEXT, id TEXT, amount BIGINT, PRIMARY KEY (workspace, id))",
    "CREATE TABLE stock_of (workspace_id TEXT, id TEXT, units BIGINT, PRIMARY KEY (workspace_id, id))",
    "CREATE TABLE cities (id TEXT)",
    "CREATE VIEW seen AS SELECT * FROM rows_of",
)
COLUMNS = {
    "rows_of": ("workspace", "amount"),
    "stock_of": ("workspace_id", "units"),
    "seen": ("workspace", "amount"),
    "cities": ("id", "id"),
}
MINE = [("rows_of", "a", "x", 1), ("rows_of", "a", "y", 2), ("stock_of", "a", "x", 3), ("stock_of", "a", "z", 1)]
OTHERS = [("rows_of", "b", "x", 1), ("rows_of", "b", "q", 7), ("stock_of", "b", "x", 9), ("stock_of", "A", "z", 4)]

Ref = tuple[str, str]  # alias and table
pick = st.sampled_from


@st.composite
def conditions(draw: st.DrawFn, refs: tuple[Ref, ...], depth: int) -> str:
    alias, table = draw(pick(refs))
    other, second = draw(pick(refs))
    workspace, number = COLUMNS[table]
    column = f"{alias}.{workspace}"
    simple = [
        f"{column} = :workspace",
        f":workspace = {column}",
        f"{column} = {other}.{COLUMNS[second][0]}",
        f"{workspace} = :workspace",
        f"{alias}.id = {other}.id",
        f"{alias}.{number} > {draw(pick((0, 1, 2)))}",
        ":workspace = :workspace",
        f"{column} IS NULL",
        f"{column} <> :workspace",
        f"coalesce({column}, :workspace) = :workspace",
        f"{column} = :workspace COLLATE NOCASE",
        f"{column} = :workspace NOT NULL",
        f"{column} = :workspace = 0",
        f"{column} = :workspace IS NOT NULL",
        f"{column} IN (:workspace, 'b')",
    ]
    if depth <= 0:
        return draw(pick(simple))
    inner = conditions(refs, depth - 1)
    match draw(pick(("simple", "simple", "and", "or", "not", "exists", "in", "case"))):
        case "and":
            return f"({draw(inner)} AND {draw(inner)})"
        case "or":
            return f"({draw(inner)} OR {draw(inner)})"
        case "not":
            return f"NOT {draw(inner)}"
        case "exists":
            return f"EXISTS ({draw(selects(depth - 1, refs))})"
        case "in":
            return f"{alias}.{number} IN ({draw(selects(depth - 1, refs))})"
        case "case":
            return f"CASE WHEN {draw(inner)} THEN 1 ELSE {draw(inner)} END"
    return draw(pick(simple))


@st.composite
def kept(draw: st.DrawFn, refs: tuple[Ref, ...], around: tuple[Ref, ...], depth: int) -> str:
    """Conditions in which most references are compared with the workspace, but not all."""
    parts = []
    for alias, table in refs:
        if table in COLUMNS and draw(pick((True, True, True, False))):
            other, second = draw(pick((*refs, *around)))
            joined = f"{alias}.{COLUMNS[table][0]} = {other}.{COLUMNS[second][0]}"
            parts.append(draw(pick((f"{alias}.{COLUMNS[table][0]} = :workspace", joined))))
    parts += draw(st.lists(conditions((*refs, *around), depth), max_size=1))
    return " AND ".join(parts) or "1 = 1"


@st.composite
def sources(draw: st.DrawFn, depth: int, around: tuple[Ref, ...]) -> tuple[str, tuple[Ref, ...]]:
    """What stands in a FROM, with its names; names of queries around may be taken again."""
    aliases = draw(st.permutations("rst"))[: draw(pick((1, 1, 2, 2, 3)))]
    refs: tuple[Ref, ...] = ()
    text = ""
    for alias in aliases:
        table = draw(pick(("rows_of", "stock_of", "rows_of", "stock_of", "seen", "cities")))
        before, refs = refs, (*refs, (alias, table))
        source = table
        if depth > 0 and draw(pick((False, False, False, True))):
            columns = ", ".join(("id", *COLUMNS[table])) if table != "cities" else "id"
            where = draw(kept((("d", table),), around, depth - 1))
            source = f"(SELECT {columns} FROM {table} AS d WHERE {where})"
        if not before:
            text = f"{source} AS {alias}"
        elif draw(pick((False, False, True))):
            text += f", {source} AS {alias}"
        else:
            join = draw(pick(("JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN")))
            text += f" {join} {source} AS {alias} ON {draw(kept((refs[-1],), (*before, *around), depth - 1))}"
    return text, refs


@st.composite
def selects(draw: st.DrawFn, depth: int, around: tuple[Ref, ...] = ()) -> str:
    """A query of one column."""
    text, refs = draw(sources(depth, around))
    alias, table = draw(pick(refs))
    number = COLUMNS[table][1]
    found = [f"{alias}.{number}", "count(*)", f"max({alias}.id)", f"sum({alias}.{number}) OVER ()"]
    if depth > 0:
        found.append(f"({draw(selects(depth - 1, (*refs, *around)))})")
    query = f"SELECT {draw(pick(found))} AS v FROM {text} WHERE {draw(kept(refs, around, depth))}"
    match draw(pick(("plain", "plain", "plain", "group", "union", "with"))) if depth > 0 else "plain":
        case "group":
            return f"{query} GROUP BY {alias}.id HAVING {draw(conditions(((alias, table),), 0))}"
        case "union":
            return f"{query} {draw(pick(('UNION', 'EXCEPT')))} {draw(selects(depth - 1, around))}"
        case "with":
            return f"WITH w{depth} AS ({draw(selects(depth - 1, around))}) {query} AND EXISTS (SELECT v FROM w{depth})"
    return query


@st.composite
def changes(draw: st.DrawFn) -> str:
    table = draw(pick(("rows_of", "stock_of", "rows_of", "cities")))
    workspace, number = COLUMNS[table]
    refs: tuple[Ref, ...] = (("t", table),)
    value = draw(pick(("5", f"t.{number} + 1", f"({draw(selects(1, refs))})")))
    where = draw(kept(refs, (), 1))
    put = draw(pick((":workspace", ":workspace", "'b'", "lower(:workspace)")))
    match draw(pick(("update", "update from", "delete", "insert", "insert from"))):
        case "update":
            column = draw(pick((number, number, workspace)))
            return f"UPDATE {table} AS t SET {column} = {draw(pick((value, put)))} WHERE {where} RETURNING *"
        case "update from":
            text, more = draw(sources(1, ()))
            refs = (*refs, *(each for each in more if each[0] != "t"))
            return f"UPDATE {table} AS t SET {number} = {value} FROM {text} WHERE {draw(kept(refs, (), 1))}"
        case "delete":
            return f"DELETE FROM {table} AS t WHERE {where} RETURNING {number}"
        case "insert":
            key = draw(pick((f"({workspace}, id)", f"({workspace}, id)", "(id)", "")))
            then = draw(pick(("NOTHING", f"UPDATE SET {number} = 9", f"UPDATE SET {workspace} = {put}")))
            return f"INSERT INTO {table} AS t VALUES ({put}, 'x', 4) ON CONFLICT {key} DO {then}"
    return f"INSERT INTO {table} SELECT {put}, id || 'n', {number} FROM {table} AS t WHERE {where}"


@cache
def tables() -> dict[str, OwnTable]:
    schema = OwnSchema("sqlite")
    for each in TABLES:
        schema.apply(each)
    return schema.tables


def accepted(sql: str) -> Query | None:
    try:
        statement = parse_statement(sql, "sqlite")
        return None if stray_references(statement.tree, tables(), "sqlite") else statement.query
    except Refused:
        return None


def outcome(query: Query, rows: list[tuple[str, str, str, int]]) -> tuple[Any, list[Any], list[Any]]:
    """What a statement answers in a database with these rows; and its own and the others' rows afterwards."""
    connection = sqlite3.connect(":memory:")
    for each in TABLES:
        connection.execute(each)
    for table, *row in rows:
        connection.execute(f"INSERT INTO {table} VALUES (?, ?, ?)", row)
    connection.execute("INSERT INTO cities VALUES ('x')")
    try:
        said: Any = sorted(map(repr, connection.execute(query.sql, dict.fromkeys(query.names, "a"))))
    except sqlite3.Error as error:
        said = str(error)
    own: list[Any] = []
    others: list[Any] = []
    for table, (workspace, _number) in COLUMNS.items():
        for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1, id"):
            (own if table == "cities" or row[0] == "a" else others).append((table, workspace, *row))
    connection.close()
    return said, own, others


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(selects(2) | selects(1) | changes())
def test_what_is_accepted_is_the_same_whatever_rows_other_workspaces_have(sql: str) -> None:
    query = accepted(sql)
    if query is None:
        return
    alone, crowded = outcome(query, MINE), outcome(query, MINE + OTHERS)
    untouched = outcome(Query("SELECT 1"), MINE + OTHERS)
    assert alone[:2] == crowded[:2], sql
    assert crowded[2] == untouched[2], sql
    assert alone[2] == [], sql
