"""The statements of an agent keep to one workspace: what is proved may run, and everything else is refused."""

import asyncio
import re
import sqlite3
from pathlib import Path

import pytest

from hilo.errors import FileProblems
from hilo.store.opening import migrate
from hilo.store.own_check import ENGINE_TABLES
from hilo.store.own_sql import OwnSql
from hilo.store.own_tables import read_own_sql
from hilo.store.queries import Dialect

ROWS = """
CREATE TABLE tienda_rows (workspace TEXT, id TEXT UNIQUE, amount BIGINT, PRIMARY KEY (workspace, id));
CREATE TABLE tienda_stock (Workspace_ID TEXT, id TEXT, units BIGINT);
CREATE TABLE tienda_cities (id TEXT);
CREATE VIEW tienda_seen AS SELECT * FROM tienda_rows;
CREATE VIEW tienda_sums AS SELECT id, count(workspace) AS number FROM tienda_seen GROUP BY id;
CREATE VIEW tienda_totals AS SELECT workspace, id, sum(amount) AS total FROM tienda_rows GROUP BY workspace, id;
CREATE VIEW tienda_pairs AS SELECT r.workspace, s.units FROM tienda_rows r JOIN tienda_stock s ON s.id = r.id;
CREATE VIEW tienda_fakes AS SELECT 'w' AS workspace, id FROM tienda_rows;
CREATE VIEW tienda_joined AS SELECT r.workspace AS workspace, s.units FROM tienda_rows r
    JOIN tienda_stock s ON s.workspace_id = r.workspace;
CREATE VIEW tienda_counted AS SELECT workspace, count(*) OVER () AS n FROM tienda_rows;
CREATE VIEW tienda_towns AS SELECT id FROM tienda_cities;
"""

TABLES = {"0001_rows": ROWS}
BOTH: tuple[Dialect, ...] = ("sqlite", "postgres")
LITE: tuple[Dialect, ...] = ("sqlite",)
POST: tuple[Dialect, ...] = ("postgres",)


def own_sql(folder: Path, sql: str, **migrations: str) -> OwnSql:
    for name, text in {"sql/a": sql, **{f"migrations/{each}": text for each, text in migrations.items()}}.items():
        file = folder / f"{name}.sql"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    own = read_own_sql("tienda", folder)
    assert own is not None
    return own


def own_form(folder: Path, sql: str, dialect: Dialect) -> OwnSql:
    """One statement for one dialect, beside another that is fine in the other."""
    other = "postgres" if dialect == "sqlite" else "sqlite"
    return own_sql(folder, f"-- x ({dialect}): it\n{sql};\n-- x ({other}): fine\nSELECT :workspace AS w", **TABLES)


PROVED: list[tuple[str, tuple[Dialect, ...]]] = [
    ("SELECT * FROM tienda_rows WHERE workspace = :workspace AND id <> 'returning, *'", BOTH),
    ("SELECT amount FROM tienda_rows WHERE (((:workspace = workspace))) AND (id = :id OR amount > 3)", BOTH),
    ("SELECT amount FROM tienda_rows WHERE workspace = CAST(:workspace AS text)", BOTH),
    ("SELECT amount FROM tienda_rows WHERE workspace = :workspace::text FOR UPDATE SKIP LOCKED", POST),
    ("SELECT r.amount FROM tienda_rows AS r WHERE r.workspace = :workspace FOR UPDATE OF r", POST),
    ('SELECT "R".amount FROM tienda_rows AS "R" WHERE "R"."workspace" = :workspace', BOTH),
    ("SELECT R.amount FROM tienda_rows AS r WHERE r.WORKSPACE = :workspace", BOTH),
    ("SELECT 1 FROM tienda_rows /* a; comment */ WHERE workspace = :workspace -- :other", BOTH),
    (
        (
            "SELECT s.units FROM tienda_rows r JOIN tienda_stock s ON s.workspace_id = r.workspace AND s.id = r.id "
            "JOIN tienda_cities c ON c.id = r.id WHERE r.workspace = :workspace"
        ),
        BOTH,
    ),
    ("SELECT 1 FROM tienda_rows, tienda_stock WHERE workspace = workspace_id AND workspace_id = :workspace", BOTH),
    (
        (
            "SELECT 1 FROM tienda_rows a JOIN tienda_rows b ON a.workspace = b.workspace "
            "JOIN tienda_rows c ON c.workspace = b.workspace WHERE a.workspace = :workspace"
        ),
        BOTH,
    ),
    (
        (
            "SELECT s.units FROM tienda_rows r LEFT JOIN tienda_stock s ON s.workspace_id = r.workspace "
            "WHERE r.workspace = :workspace"
        ),
        BOTH,
    ),
    (
        (
            "SELECT 1 FROM tienda_rows r LEFT JOIN tienda_stock s ON s.workspace_id = :workspace AND s.id = r.id "
            "WHERE r.workspace = :workspace AND s.id IS NULL"
        ),
        BOTH,
    ),
    (
        (
            "SELECT 1 FROM tienda_rows r RIGHT JOIN tienda_stock s ON s.workspace_id = r.workspace "
            "WHERE s.workspace_id = :workspace"
        ),
        BOTH,
    ),
    (
        (
            "SELECT 1 FROM tienda_rows r FULL JOIN tienda_stock s ON s.id = r.id "
            "WHERE s.workspace_id = :workspace AND r.workspace = :workspace"
        ),
        BOTH,
    ),
    (
        (
            "SELECT amount FROM tienda_rows r WHERE workspace = :workspace "
            "AND EXISTS (SELECT 1 FROM tienda_stock s WHERE s.workspace_id = r.workspace AND s.id = r.id)"
        ),
        BOTH,
    ),
    (
        (
            "SELECT (SELECT sum(units) FROM tienda_stock WHERE workspace_id = r.workspace) AS n "
            "FROM tienda_rows r WHERE r.workspace = :workspace"
        ),
        BOTH,
    ),
    (
        (
            "SELECT id FROM tienda_rows WHERE workspace = :workspace "
            "UNION SELECT id FROM tienda_stock WHERE workspace_id = :workspace ORDER BY id LIMIT 3"
        ),
        BOTH,
    ),
    (
        (
            "WITH mine AS (SELECT id FROM tienda_rows WHERE workspace = :workspace), more AS (SELECT id FROM mine) "
            "SELECT s.units FROM tienda_stock s JOIN more m ON m.id = s.id WHERE workspace_id = :workspace"
        ),
        BOTH,
    ),
    ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i, :workspace FROM n", BOTH),
    ("SELECT d.n FROM (SELECT count(*) AS n FROM tienda_rows WHERE workspace = :workspace) AS d", BOTH),
    ("SELECT id, row_number() OVER (ORDER BY id) AS n FROM tienda_rows WHERE workspace = :workspace", BOTH),
    ("SELECT count(*) FILTER (WHERE amount > 1) AS n FROM tienda_rows WHERE workspace = :workspace GROUP BY id", BOTH),
    ("SELECT amount FROM tienda_seen WHERE workspace = :workspace AND replace(id, 'a', '') = ''", BOTH),
    ("SELECT total FROM tienda_totals WHERE workspace = :workspace", BOTH),
    ("SELECT units FROM tienda_joined WHERE workspace = :workspace", BOTH),
    ("SELECT t.id, :workspace AS w FROM tienda_towns t JOIN tienda_cities c ON c.id = t.id", BOTH),
    ("INSERT INTO tienda_rows VALUES (:workspace, :id, 1), (:workspace, :other, 2) ON CONFLICT DO NOTHING", BOTH),
    ("INSERT INTO tienda_rows (amount, workspace, id) VALUES (1, :workspace, :id) RETURNING amount", BOTH),
    ("INSERT OR IGNORE INTO tienda_rows VALUES (:workspace, :id, 1)", LITE),
    (
        (
            "INSERT INTO tienda_rows VALUES (:workspace, :id, 1) ON CONFLICT (workspace, id) DO UPDATE "
            "SET amount = 9 + tienda_rows.amount, workspace = excluded.workspace WHERE excluded.amount > 0"
        ),
        BOTH,
    ),
    (
        (
            "INSERT INTO tienda_rows SELECT :workspace, id, units * 2 FROM tienda_stock "
            "WHERE workspace_id = :workspace RETURNING id"
        ),
        BOTH,
    ),
    (
        (
            "INSERT INTO tienda_rows VALUES (:workspace, "
            "(SELECT max(id) FROM tienda_rows WHERE workspace = :workspace), 1)"
        ),
        BOTH,
    ),
    (
        "INSERT INTO tienda_stock (workspace_id, id) SELECT :workspace, value FROM json_each(:rows) WHERE true",
        LITE,
    ),
    (
        (
            "INSERT INTO tienda_stock (workspace_id, id) SELECT CAST(:workspace AS text), value ->> 0 "
            "FROM jsonb_array_elements(CAST(:rows AS jsonb))"
        ),
        POST,
    ),
    ("UPDATE tienda_rows SET amount = amount + 1 WHERE workspace = :workspace RETURNING *", BOTH),
    ("UPDATE tienda_rows SET workspace = :workspace WHERE workspace = :workspace", BOTH),
    (
        (
            "UPDATE tienda_rows AS r SET amount = s.units FROM tienda_stock AS s "
            "WHERE r.workspace = :workspace AND s.workspace_id = r.workspace AND s.id = r.id"
        ),
        BOTH,
    ),
    ("DELETE FROM tienda_rows WHERE workspace = :workspace RETURNING *", BOTH),
    (
        "DELETE FROM tienda_rows r USING tienda_stock s WHERE r.workspace = :workspace AND workspace_id = workspace",
        POST,
    ),
    (
        "WITH gone AS (DELETE FROM tienda_rows WHERE workspace = :workspace RETURNING id) SELECT id FROM gone",
        POST,
    ),
]


@pytest.mark.parametrize(("sql", "dialect"), [(sql, each) for sql, dialects in PROVED for each in dialects])
def test_what_is_proved_to_keep_to_its_workspace_may_run(tmp_path: Path, sql: str, dialect: Dialect) -> None:
    assert "x" in own_form(tmp_path, sql, dialect).statements


STRAYS: list[tuple[str, str, tuple[Dialect, ...]]] = [
    ("SELECT :workspace AS w, amount FROM tienda_rows", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE :workspace = :workspace", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE workspace = workspace AND :workspace <> ''", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE workspace = :workspace OR amount > 0", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE amount = 1 AND (workspace = :workspace OR true)", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE NOT workspace = :workspace", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE NOT (workspace <> :workspace)", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE workspace >= :workspace", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE workspace IN (:workspace, :other)", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE workspace LIKE :workspace", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE workspace = :contact AND id = :workspace", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE workspace = lower(:workspace)", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE workspace = CAST(:workspace AS char(1))", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE CAST(workspace AS char(1)) = :workspace", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE workspace = :workspace || ''", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE workspace = :workspace COLLATE NOCASE", "tienda_rows", LITE),
    ("SELECT amount FROM tienda_rows WHERE workspace COLLATE NOCASE = :workspace", "tienda_rows", LITE),
    ("SELECT amount FROM tienda_rows WHERE workspace = :workspace NOT NULL", "tienda_rows", LITE),
    ("SELECT amount FROM tienda_rows WHERE workspace = :workspace GLOB '*'", "tienda_rows", LITE),
    ("SELECT amount FROM tienda_rows WHERE workspace = :workspace = 0", "tienda_rows", LITE),
    ("SELECT amount FROM tienda_rows WHERE (workspace = :workspace) IS NOT TRUE", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE coalesce(workspace, :workspace) = :workspace", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE workspace = :workspace IS NOT NULL", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE workspace IS NULL OR :workspace IS NULL", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE (workspace = :workspace) = (1 = 2)", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE CASE WHEN true THEN true ELSE workspace = :workspace END", "", BOTH),
    ("SELECT amount FROM tienda_rows GROUP BY amount, workspace HAVING workspace = :workspace", "tienda_rows", BOTH),
    ("SELECT amount FROM tienda_rows WHERE 'workspace' = :workspace", "tienda_rows", BOTH),
    ("SELECT 1 FROM tienda_rows a, tienda_rows b WHERE a.workspace = :workspace", "tienda_rows AS b", BOTH),
    (
        (
            "SELECT 1 FROM tienda_rows a, tienda_rows b, tienda_rows c "
            "WHERE a.workspace = :workspace AND b.workspace = c.workspace"
        ),
        "tienda_rows AS b",
        BOTH,
    ),
    (
        "SELECT s.units FROM tienda_rows r JOIN tienda_stock s ON s.id = r.id WHERE r.workspace = :workspace",
        "tienda_stock AS s",
        BOTH,
    ),
    (
        (
            "SELECT 1 FROM tienda_rows r JOIN tienda_stock s ON s.workspace_id = r.workspace OR s.id = r.id "
            "WHERE r.workspace = :workspace"
        ),
        "tienda_stock AS s",
        BOTH,
    ),
    (
        (
            "SELECT 1 FROM tienda_rows r LEFT JOIN tienda_stock s ON r.workspace = :workspace "
            "AND s.workspace_id = :workspace"
        ),
        "tienda_rows AS r",
        BOTH,
    ),
    (
        (
            "SELECT 1 FROM tienda_stock s RIGHT JOIN tienda_rows r ON r.workspace = :workspace "
            "WHERE s.workspace_id = :workspace"
        ),
        "tienda_rows AS r",
        BOTH,
    ),
    (
        (
            "SELECT 1 FROM tienda_rows r FULL JOIN tienda_stock s ON r.workspace = :workspace AND s.workspace_id = "
            "r.workspace"
        ),
        "tienda_rows AS r",
        BOTH,
    ),
    (
        (
            "SELECT 1 FROM tienda_rows r LEFT JOIN tienda_stock s ON s.id = r.id "
            "WHERE r.workspace = :workspace AND (s.workspace_id = :workspace OR s.workspace_id IS NULL)"
        ),
        "tienda_stock AS s",
        BOTH,
    ),
    (
        (
            "SELECT 1 FROM tienda_rows r WHERE r.workspace = :workspace "
            "AND EXISTS (SELECT 1 FROM tienda_rows r WHERE r.id = 'a')"
        ),
        "tienda_rows AS r",
        BOTH,
    ),
    (
        (
            "SELECT 1 FROM tienda_rows r WHERE r.workspace = :workspace "
            "AND EXISTS (SELECT 1 FROM tienda_stock s WHERE r.workspace = :workspace)"
        ),
        "tienda_stock AS s",
        BOTH,
    ),
    (
        (
            "SELECT 1 FROM tienda_stock s WHERE EXISTS "
            "(SELECT 1 FROM tienda_rows r WHERE r.workspace = :workspace AND s.workspace_id = :workspace)"
        ),
        "tienda_stock AS s",
        BOTH,
    ),
    (
        "SELECT 1 FROM tienda_rows WHERE workspace = (SELECT :workspace)",
        "tienda_rows",
        BOTH,
    ),
    (
        "SELECT id FROM tienda_rows WHERE workspace = :workspace UNION ALL SELECT id FROM tienda_stock",
        "tienda_stock",
        BOTH,
    ),
    (
        "SELECT id FROM tienda_rows WHERE workspace = :workspace ORDER BY (SELECT max(units) FROM tienda_stock)",
        "tienda_stock",
        BOTH,
    ),
    (
        "SELECT id FROM tienda_rows WHERE workspace = :workspace LIMIT (SELECT count(*) FROM tienda_stock)",
        "tienda_stock",
        BOTH,
    ),
    ("WITH a AS (SELECT id FROM tienda_rows) SELECT :workspace AS w, id FROM a", "tienda_rows", BOTH),
    (
        "WITH a AS (SELECT id, workspace FROM tienda_rows) SELECT id FROM a WHERE workspace = :workspace",
        "tienda_rows",
        BOTH,
    ),
    (
        "WITH a AS (SELECT id FROM tienda_rows WHERE workspace = :workspace) SELECT 1 FROM tienda_rows, a",
        "tienda_rows",
        BOTH,
    ),
    (
        "SELECT d.id FROM (SELECT id, workspace FROM tienda_rows) d WHERE d.workspace = :workspace",
        "tienda_rows",
        BOTH,
    ),
    (
        "SELECT 1 FROM (SELECT :workspace AS workspace) d, tienda_rows r WHERE d.workspace = :workspace",
        "tienda_rows AS r",
        BOTH,
    ),
    (
        "SELECT 1 FROM (SELECT * FROM tienda_cities) d, tienda_rows WHERE workspace = :workspace",
        "tienda_rows",
        BOTH,
    ),
    (
        (
            "SELECT 1 FROM tienda_rows r, LATERAL (SELECT * FROM tienda_stock s WHERE s.id = r.id) l "
            "WHERE r.workspace = :workspace"
        ),
        "tienda_stock AS s",
        POST,
    ),
    (
        "DELETE FROM tienda_rows WHERE workspace = :workspace AND id IN (SELECT id FROM tienda_stock)",
        "tienda_stock",
        BOTH,
    ),
    (
        "DELETE FROM tienda_stock WHERE id = (SELECT id FROM tienda_rows WHERE workspace = :workspace) RETURNING *",
        "tienda_stock",
        BOTH,
    ),
    ("DELETE FROM tienda_rows r USING tienda_stock s WHERE s.workspace_id = :workspace", "tienda_rows AS r", POST),
    ("DELETE FROM tienda_rows r USING tienda_stock s WHERE r.workspace = :workspace", "tienda_stock AS s", POST),
    ("UPDATE tienda_rows SET amount = 1 WHERE id <> :workspace RETURNING workspace, id", "tienda_rows", BOTH),
    (
        "UPDATE tienda_rows SET amount = (SELECT max(units) FROM tienda_stock) WHERE workspace = :workspace",
        "tienda_stock",
        BOTH,
    ),
    (
        "UPDATE tienda_rows SET amount = s.units FROM tienda_stock s WHERE tienda_rows.workspace = :workspace",
        "tienda_stock AS s",
        BOTH,
    ),
    (
        "INSERT INTO tienda_rows (workspace, id, amount) SELECT :workspace, id, units FROM tienda_stock",
        "tienda_stock",
        BOTH,
    ),
    ("INSERT INTO tienda_rows VALUES (:workspace, (SELECT max(id) FROM tienda_rows), 1)", "tienda_rows", BOTH),
    (
        "INSERT INTO tienda_rows VALUES (:workspace, '', 1) RETURNING (SELECT max(id) FROM tienda_rows)",
        "tienda_rows",
        BOTH,
    ),
    (
        (
            "INSERT INTO tienda_rows VALUES (:workspace, '', 1) ON CONFLICT (workspace, id) DO UPDATE "
            "SET amount = (SELECT max(units) FROM tienda_stock)"
        ),
        "tienda_stock",
        BOTH,
    ),
    (
        "WITH gone AS (DELETE FROM tienda_rows WHERE id = :id RETURNING id) SELECT id, :workspace FROM gone",
        "tienda_rows",
        POST,
    ),
    ("SELECT amount FROM tienda_seen WHERE id <> :workspace", "tienda_seen", BOTH),
]


@pytest.mark.parametrize(
    ("sql", "table", "dialect"), [(sql, table, each) for sql, table, dialects in STRAYS for each in dialects]
)
def test_a_reference_that_is_not_proved_is_named(tmp_path: Path, sql: str, table: str, dialect: Dialect) -> None:
    said = rf"a\.sql:2:\d+: `x` is refused: it would reach rows of all workspaces in {table}.*\(demand `\w+\.workspace"
    with pytest.raises(FileProblems, match=said):
        own_form(tmp_path, sql, dialect)


REFUSED: list[tuple[str, str, tuple[Dialect, ...]]] = [
    ("SELECT body FROM inbox WHERE workspace_id = :workspace", "`inbox` is no table of this agent", BOTH),
    ("SELECT 1 FROM sqlite_master WHERE name = :workspace", "`sqlite_master` is no table", BOTH),
    ("SELECT 1 FROM pg_class WHERE relname = :workspace", "`pg_class` is no table", BOTH),
    ("SELECT 1 FROM pg_catalog.pg_class WHERE relname = :workspace", "names a schema", BOTH),
    ("SELECT 1 FROM information_schema.tables WHERE table_name = :workspace", "names a schema", BOTH),
    ("SELECT 1 FROM main.tienda_rows WHERE workspace = :workspace", "names a schema", BOTH),
    ("SELECT 1 FROM pragma_table_info('inbox') WHERE name = :workspace", "function `pragma_table_info`", BOTH),
    ("SELECT id FROM tienda_cities WHERE :workspace = '' OR id IN inbox", "IN is followed by a name", LITE),
    ("SELECT 1 UNION SELECT 1 FROM (TABLE inbox) x WHERE :workspace = ''", "`inbox` is no table", POST),
    ("SELECT (WITH inbox AS (SELECT :workspace AS w) SELECT w FROM inbox), body FROM inbox", "`inbox` is no", BOTH),
    ("WITH inbox AS (SELECT body FROM inbox) SELECT body, :workspace FROM inbox", "`inbox` is no table", BOTH),
    (
        "WITH tienda_rows AS (SELECT id FROM tienda_rows WHERE workspace = :workspace) SELECT id FROM tienda_rows",
        "`tienda_rows` is the name of another table",
        BOTH,
    ),
    (
        "SELECT 1 FROM tienda_rows WHERE workspace = :workspace; DELETE FROM tienda_rows",
        "more than one statement",
        BOTH,
    ),
    ("PRAGMA table_info(:workspace)", "`PRAGMA` begins no statement", BOTH),
    ("ATTACH 'x' AS :workspace", "`ATTACH` begins no statement", BOTH),
    ("CREATE TABLE tienda_more (workspace TEXT)", "`CREATE` begins no statement", BOTH),
    ("DROP TABLE tienda_rows -- :workspace", "`DROP` begins no statement", BOTH),
    ("COPY tienda_rows TO '/tmp/x'", "`COPY` begins no statement", POST),
    ("SET ROLE :workspace", "`SET` begins no statement", POST),
    ("EXPLAIN SELECT :workspace", "`EXPLAIN` begins no statement", BOTH),
    ("MERGE INTO tienda_rows USING tienda_stock ON true WHEN MATCHED THEN DELETE", "`MERGE` begins no", POST),
    ("SELECT 1 AS n INTO tienda_new FROM tienda_rows WHERE workspace = :workspace", "INTO", POST),
    ("SELECT load_extension(:workspace)", "function `load_extension`", BOTH),
    ("SELECT pg_read_file(:workspace)", "function `pg_read_file`", BOTH),
    ("SELECT set_config('role', :workspace, false)", "function `set_config`", BOTH),
    ("SELECT current_setting(:workspace)", "function `current_setting`", BOTH),
    ("SELECT query_to_xml('SELECT * FROM inbox', true, true, :workspace)", "function `query_to_xml`", BOTH),
    ("SELECT * FROM dblink(:workspace, 'SELECT 1') AS t (a text)", "function `dblink`", POST),
    ("SELECT pg_catalog.pg_sleep(1), :workspace", "cannot be judged|function", POST),
    ("SELECT nextval(:workspace)", "function `nextval`", POST),
    (r"SELECT 1 FROM tienda_rows WHERE id = E'\'' AND workspace = :workspace", "not read alike", POST),
    ("SELECT $$a$$ FROM tienda_rows WHERE workspace = :workspace", "not read alike|cannot be judged", BOTH),
    ("SELECT 1 FROM tienda_rows WHERE workspace = :workspace AND id = $1", "cannot be judged|not read alike", BOTH),
    ("SELECT 1 FROM tienda_rows WHERE workspace = :workspace AND id = ?", "a value has no name", LITE),
    ("SELECT [workspace] FROM tienda_rows WHERE workspace = :workspace", "not read alike|cannot be judged", LITE),
    (
        "SELECT 1 FROM tienda_rows, tienda_rows WHERE tienda_rows.workspace = :workspace",
        "are called `tienda_rows`",
        BOTH,
    ),
    ("SELECT 1 FROM tienda_rows r (id, workspace) WHERE workspace = :workspace", "under other names", POST),
    (
        "SELECT r.id FROM tienda_rows r JOIN tienda_stock s USING (id) WHERE r.workspace = :workspace",
        "USING and NATURAL .*JOIN with ON",
        BOTH,
    ),
    ("SELECT 1 FROM tienda_rows NATURAL JOIN tienda_stock WHERE :workspace <> ''", "JOIN with ON", BOTH),
    (
        (
            "SELECT 1 FROM tienda_rows a LEFT JOIN (tienda_stock s JOIN tienda_cities c ON c.id = s.id) "
            "ON s.workspace_id = a.workspace WHERE a.workspace = :workspace"
        ),
        "a join in parentheses",
        BOTH,
    ),
    ("SELECT 1 FROM tienda_rows SEMI JOIN tienda_stock ON workspace_id = :workspace", "SEMI JOIN", LITE),
    ("SELECT number FROM tienda_sums WHERE id <> :workspace", "`tienda_sums` cannot be judged: it hands on no", BOTH),
    ("SELECT units FROM tienda_pairs WHERE workspace = :workspace", "`tienda_pairs` cannot be judged", BOTH),
    ("SELECT id FROM tienda_fakes WHERE workspace = :workspace", "`tienda_fakes` cannot be judged", BOTH),
    ("SELECT n FROM tienda_counted WHERE workspace = :workspace", "`tienda_counted` cannot be judged", BOTH),
    ("REPLACE INTO tienda_rows VALUES (:workspace, :id, 1)", "`REPLACE` begins no statement", LITE),
    ("INSERT OR REPLACE INTO tienda_rows VALUES (:workspace, :id, 1)", "REPLACE may do away.*ON CONFLICT", LITE),
    ("INSERT OR ROLLBACK INTO tienda_rows VALUES (:workspace, :id, 1)", "ROLLBACK may do away", LITE),
    ("UPDATE OR REPLACE tienda_rows SET id = '' WHERE workspace = :workspace", "it cannot be parsed", LITE),
    ("UPDATE tienda_rows SET workspace = 'v' WHERE workspace = :workspace", "rows to another workspace", BOTH),
    ('UPDATE tienda_rows SET "workspace" = :other WHERE workspace = :workspace', "rows to another workspace", BOTH),
    (
        "UPDATE tienda_rows SET (amount, workspace) = (1, 'v') WHERE workspace = :workspace",
        "several columns are set at once",
        BOTH,
    ),
    ("UPDATE tienda_cities SET id = :workspace", "change `tienda_cities`, which has no column", BOTH),
    ("INSERT INTO tienda_cities VALUES (:workspace)", "change `tienda_cities`", BOTH),
    ("DELETE FROM tienda_cities WHERE id = :workspace", "change `tienda_cities`", BOTH),
    ("DELETE FROM tienda_seen WHERE workspace = :workspace", "change `tienda_seen`", POST),
    ("INSERT INTO tienda_rows VALUES ('w', :workspace, 1)", "add rows to another workspace", BOTH),
    ("INSERT INTO tienda_rows VALUES (:workspace, 'a', 1), ('w', 'b', 1)", "add rows to another workspace", BOTH),
    ("INSERT INTO tienda_rows (id, workspace) VALUES (:workspace, :id)", "add rows to another workspace", BOTH),
    ("INSERT INTO tienda_rows (id) VALUES (:workspace)", "add rows to another workspace, or to none", BOTH),
    ("INSERT INTO tienda_rows DEFAULT VALUES RETURNING :workspace", "add rows to another workspace, or to none", BOTH),
    (
        "INSERT INTO tienda_rows SELECT * FROM tienda_stock WHERE workspace_id = :workspace",
        "instead of `\\*`",
        BOTH,
    ),
    (
        "INSERT INTO tienda_rows SELECT :workspace, 'a', 1 UNION ALL SELECT 'v', 'b', 1",
        "add rows to another workspace",
        BOTH,
    ),
    (
        "INSERT INTO tienda_rows VALUES (:workspace, :id, 1) ON CONFLICT (id) DO UPDATE SET amount = 2",
        "rows of all workspaces that are in its way",
        BOTH,
    ),
    (
        "INSERT INTO tienda_rows VALUES (:workspace, '', 1) ON CONFLICT (id) DO NOTHING",
        "rows of all workspaces that are in its way",
        BOTH,
    ),
    (
        "INSERT INTO tienda_rows VALUES (:workspace, '', 1) ON CONFLICT DO UPDATE SET amount = 2",
        "rows of all workspaces that are in its way",
        LITE,
    ),
    (
        "INSERT INTO tienda_rows VALUES (:workspace, '', 1) ON CONFLICT ON CONSTRAINT one DO UPDATE SET id = 'b'",
        "does not show which key",
        POST,
    ),
    (
        "INSERT INTO tienda_rows VALUES (:workspace, '', 1) ON CONFLICT (workspace, id) DO UPDATE SET workspace = 'v'",
        "rows to another workspace",
        BOTH,
    ),
    (
        "SELECT amount FROM tienda_rows WHERE workspace = :workspace FOR UPDATE",
        'near "FOR": .*marked \\(postgres\\)',
        LITE,
    ),
    ("SELECT nope FROM tienda_rows WHERE workspace = :workspace", "no such column: nope", LITE),
    ("SELECT amount FROM tienda_rows WHERE workspace = = :workspace", "it cannot be parsed", BOTH),
    ("SELECT 'amount FROM tienda_rows WHERE workspace = :workspace", "it cannot be read", BOTH),
]


@pytest.mark.parametrize(
    ("sql", "why", "dialect"), [(sql, why, each) for sql, why, dialects in REFUSED for each in dialects]
)
def test_what_cannot_be_judged_is_refused_with_the_reason(tmp_path: Path, sql: str, why: str, dialect: Dialect) -> None:
    with pytest.raises(FileProblems, match=rf"a\.sql:[12]:\d+: `x` is refused: .*({why})"):
        own_form(tmp_path, sql, dialect)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT amount FROM tienda_rows",
        "SELECT amount FROM tienda_rows WHERE id = ':workspace' -- :workspace",
        "DELETE FROM tienda_rows WHERE id = :contact",
        "UPDATE tienda_rows SET amount = 1 WHERE id = :id",
        "SELECT 1",
    ],
)
def test_a_statement_that_forgets_the_workspace_is_refused(tmp_path: Path, sql: str) -> None:
    said = r"a\.sql:2:1: `x` is refused: it would reach the rows of all workspaces \(let it name `:workspace`; .*"
    with pytest.raises(FileProblems, match=said + r"`-- x \(shared\): …`"):
        own_sql(tmp_path, f"\n-- x: all\n{sql}", **TABLES)


def test_each_reference_is_told_where_it_stands(tmp_path: Path) -> None:
    sql = "-- x: all\nSELECT :workspace\nFROM tienda_rows r,\n  tienda_stock s;\n\n-- y: all\nDELETE FROM tienda_rows\n"
    with pytest.raises(FileProblems) as found:
        own_sql(tmp_path, f"{sql}WHERE id = :workspace", **TABLES)
    told = [(each.line, each.column, re.findall(r"`(\w)` .* in (.*)", each.message)) for each in found.value.problems]
    assert told == [
        (3, 6, [("x", "tienda_rows AS r")]),
        (4, 3, [("x", "tienda_stock AS s")]),
        (7, 13, [("y", "tienda_rows")]),
    ]


def test_what_is_wrong_for_one_database_alone_names_it(tmp_path: Path) -> None:
    sql = '-- x: all\nSELECT amount FROM tienda_rows WHERE "WORKSPACE" = :workspace'
    with pytest.raises(FileProblems, match="`x` is refused for PostgreSQL: it would reach") as found:
        own_sql(tmp_path, sql, **TABLES)
    assert len(found.value.problems) == 1


def test_what_runs_is_what_was_parsed(tmp_path: Path) -> None:
    sql = "-- x: own\nSELECT amount -- no ; end\n  , :n/**/::text AS n FROM tienda_rows\tWHERE workspace=:workspace"
    fine = "-- x (sqlite): own\nSELECT amount /* :a */ FROM tienda_rows WHERE workspace = :workspace -- b"
    made = own_sql(tmp_path, f"{fine}\n{sql} AND id<>:n;", **TABLES).statements["x"].sql
    assert made["sqlite"].sql == "SELECT amount FROM tienda_rows WHERE workspace = :workspace"
    assert made["postgres"].sql == "SELECT amount , $1 ::text AS n FROM tienda_rows WHERE workspace=$2 AND id<>$1"
    assert (made["sqlite"].names, made["postgres"].names) == (("workspace",), ("n", "workspace"))


# --- what all workspaces share ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sql",
    [
        "-- x (shared): where there is anything at all\nSELECT id FROM tienda_rows",
        "-- x (shared) (postgres): the cities\nSELECT id FROM tienda_cities;\n-- x (shared): of all\nSELECT '' AS id",
        "-- x (shared): the cities\nWITH c AS (SELECT id FROM tienda_cities) SELECT id FROM c",
    ],
)
def test_what_is_marked_as_shared_reads_what_it_likes_of_the_agent(tmp_path: Path, sql: str) -> None:
    assert "x" in own_sql(tmp_path, sql, **TABLES).statements


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("/* now */ DELETE FROM tienda_rows", r"marked as shared and changes rows \(.* migrations"),
        ("INSERT INTO tienda_rows VALUES (:workspace, '', 1)", "marked as shared and changes rows"),
        ("SELECT body FROM inbox", "`inbox` is no table of this agent"),
        ("SELECT pg_read_file('/etc/passwd')", "function `pg_read_file`"),
    ],
)
def test_what_all_workspaces_share_is_not_written_by_a_tool_and_is_the_agents(
    tmp_path: Path, sql: str, why: str
) -> None:
    with pytest.raises(FileProblems, match=why):
        own_sql(tmp_path, f"-- x (shared): all\n{sql}", **TABLES)


# --- steps of the tables ------------------------------------------------------------------------------


def test_the_tables_of_the_engine_are_known(tmp_path: Path) -> None:
    asyncio.run(migrate(f"sqlite:///{tmp_path / 'a.db'}"))
    rows = sqlite3.connect(tmp_path / "a.db").execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    assert {name for (name,) in rows if not name.startswith("sqlite_")} == ENGINE_TABLES


@pytest.mark.parametrize(
    "step",
    [
        "CREATE TABLE IF NOT EXISTS inbox (workspace_id TEXT, body TEXT)",
        "CREATE TABLE IF NOT EXISTS main.tienda_more (workspace_id TEXT)",
        "DROP TABLE IF EXISTS sessions",
    ],
)
def test_a_migration_keeps_its_hands_off_what_is_not_the_agents(tmp_path: Path, step: str) -> None:
    with pytest.raises(FileProblems, match=r"0002_b\.sql:1:1: statement 1 is refused: .* is no table of this agent"):
        own_sql(tmp_path, "-- x (shared): one\nSELECT 1", **TABLES, **{"0002_b": step})


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ("CREATE TABLE t (workspace TEXT COLLATE NOCASE, a TEXT)", "has a collation or is generated"),
        ("CREATE TABLE t (a TEXT, workspace TEXT GENERATED ALWAYS AS (a) STORED)", "has a collation or is generated"),
        ("CREATE TABLE t (workspace INTEGER, a TEXT)", "is not of the type TEXT"),
        ("CREATE TABLE t (workspace STRING, a TEXT)", "is not of the type TEXT"),
        (
            "CREATE TABLE t (workspace TEXT, a TEXT); CREATE UNIQUE INDEX u ON t (workspace COLLATE NOCASE)",
            "unique index",
        ),
        ("CREATE TABLE t AS SELECT 'w' AS workspace, 'a' AS a", "`t` is no table of this agent"),
    ],
)
def test_a_column_that_does_not_keep_workspaces_apart_proves_nothing(tmp_path: Path, table: str, why: str) -> None:
    with pytest.raises(FileProblems, match=f"`x` is refused.*{why}"):
        own_sql(tmp_path, "-- x: own\nSELECT a FROM t WHERE workspace = :workspace", **{"0001_t": table})


@pytest.mark.parametrize(
    "steps",
    [
        "CREATE TABLE t (workspace VARCHAR(20) NOT NULL DEFAULT '' CHECK (workspace <> ''), a TEXT)",
        "CREATE TABLE t (a TEXT); ALTER TABLE t ADD COLUMN workspace TEXT NOT NULL DEFAULT ''",
        "CREATE TABLE t (business TEXT, a TEXT); ALTER TABLE t RENAME COLUMN business TO workspace",
        "CREATE TABLE u (workspace TEXT, a TEXT, b TEXT); ALTER TABLE u RENAME TO t; ALTER TABLE t DROP COLUMN b",
        "CREATE TABLE t (a TEXT); DROP TABLE t; CREATE TABLE t (workspace TEXT, a TEXT)",
        "CREATE TABLE t (workspace TEXT REFERENCES workspaces (id), a TEXT)",
    ],
)
def test_tables_are_known_as_the_last_migration_leaves_them(tmp_path: Path, steps: str) -> None:
    assert own_sql(tmp_path, "-- x: own\nSELECT a FROM t WHERE workspace = :workspace", **{"0001_t": steps}).statements
    with pytest.raises(FileProblems, match="rows of all workspaces in t "):
        own_sql(tmp_path, "-- x: own\nSELECT a, :workspace FROM t", **{"0001_t": steps})


def test_options_of_sqlites_tables_are_no_obstacle(tmp_path: Path) -> None:
    forms = {
        "0001_t.sqlite": "CREATE TABLE t (workspace TEXT PRIMARY KEY, a TEXT) STRICT, WITHOUT ROWID",
        "0001_t.postgres": "CREATE TABLE t (workspace TEXT PRIMARY KEY, a TEXT)",
    }
    assert own_sql(tmp_path, "-- x: own\nSELECT a FROM t WHERE workspace = :workspace", **forms).statements


def test_a_view_from_before_a_renaming_proves_nothing(tmp_path: Path) -> None:
    renamed = "ALTER TABLE tienda_rows RENAME COLUMN amount TO sum"
    with pytest.raises(FileProblems, match="something was renamed after this view was made"):
        own_sql(
            tmp_path,
            "-- x: own\nSELECT id FROM tienda_seen WHERE workspace = :workspace",
            **TABLES,
            **{"0002_b": renamed},
        )


@pytest.mark.parametrize("broken", ["CREATE TABEL x (y TEXT)", "ALTER TABLE tienda_rows ALTER COLUMN id SET NOT NULL"])
def test_a_migration_that_sqlite_does_not_take_is_told_and_nothing_that_follows_from_it(
    tmp_path: Path, broken: str
) -> None:
    said = (
        r"0002_b\.sql:1:1: SQLite does not take statement 2, and nothing could be checked: .*0001_orders\.postgres\.sql"
    )
    with pytest.raises(FileProblems, match=said) as found:
        own_sql(tmp_path, "-- x: all\nSELECT :workspace, id FROM later", **TABLES, **{"0002_b": f"SELECT 1;{broken}"})
    assert len(found.value.problems) == 1


def test_a_migration_for_postgresql_has_another_form_for_sqlite(tmp_path: Path) -> None:
    forms = {"0002_b": "SELECT 1", "0002_b.postgres": "ALTER TABLE tienda_rows ALTER COLUMN id SET NOT NULL"}
    assert own_sql(tmp_path, "-- x (shared): one\nSELECT 1", **TABLES, **forms).statements
