"""The statements of an agent keep to one workspace: what is refused, what may run, and what cannot be told."""

from pathlib import Path

import pytest

from hilo.errors import FileProblems
from hilo.store.own_sql import OwnSql, read_own_sql

ROWS = """
CREATE TABLE tienda_rows (workspace TEXT, id TEXT UNIQUE, amount BIGINT, PRIMARY KEY (workspace, id));
CREATE TABLE tienda_stock (Workspace_ID TEXT, id TEXT, units BIGINT);
CREATE TABLE tienda_cities (id TEXT);
CREATE VIEW tienda_seen AS SELECT * FROM tienda_rows;
CREATE VIEW tienda_sums AS SELECT id, count(workspace) AS number FROM tienda_seen GROUP BY id;
"""

TABLES = {"0001_rows": ROWS}


def own_sql(folder: Path, sql: str, **migrations: str) -> OwnSql:
    for name, text in {"sql/a": sql, **{f"migrations/{each}": text for each, text in migrations.items()}}.items():
        file = folder / f"{name}.sql"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    own = read_own_sql("tienda", folder)
    assert own is not None
    return own


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT amount FROM tienda_rows",
        "SELECT amount FROM tienda_rows WHERE id = ':workspace' -- :workspace",
        "DELETE FROM tienda_rows WHERE id = :contact",
        "UPDATE tienda_rows SET amount = 1 WHERE id = :id",
        "INSERT INTO tienda_rows VALUES ('w', :id, 1)",
        "SELECT 1",
    ],
)
def test_a_statement_that_forgets_the_workspace_is_refused(tmp_path: Path, sql: str) -> None:
    said = r"a\.sql:2:1: `x` would reach the rows of all workspaces \(let it name `:workspace`; .*`-- x \(shared\): …`"
    with pytest.raises(FileProblems, match=said):
        own_sql(tmp_path, f"\n-- x: all\n{sql}", **TABLES)


def test_both_forms_of_a_statement_must_name_the_workspace(tmp_path: Path) -> None:
    fine = "SELECT amount FROM tienda_rows WHERE workspace = :workspace"
    sql = f"-- x: own\n{fine};\n\n-- x (postgres): the same\nSELECT amount FROM tienda_rows FOR UPDATE"
    with pytest.raises(FileProblems, match=r"a\.sql:4:1: `x` would reach"):
        own_sql(tmp_path, sql, **TABLES)


@pytest.mark.parametrize(
    ("sql", "table"),
    [
        ("SELECT :workspace AS w, amount FROM tienda_rows", "tienda_rows"),
        ("SELECT count(*) AS n FROM tienda_rows WHERE :workspace <> ''", "tienda_rows"),
        (
            "SELECT s.units FROM tienda_rows r JOIN tienda_stock s ON s.id = r.id WHERE r.workspace = :workspace",
            "tienda_stock",
        ),
        (
            "DELETE FROM tienda_rows WHERE workspace = :workspace AND id IN (SELECT id FROM tienda_stock)",
            "tienda_stock",
        ),
        (
            "INSERT INTO tienda_rows (workspace, id, amount) SELECT :workspace, id, units FROM tienda_stock",
            "tienda_stock",
        ),
        (
            "INSERT INTO tienda_rows VALUES (:workspace, :id, 1) ON CONFLICT (id) DO UPDATE SET amount = 2",
            "tienda_rows",
        ),
        ("WITH all_rows AS (SELECT id FROM tienda_rows) SELECT :workspace, id FROM all_rows", "tienda_rows"),
        (
            "WITH mine AS (SELECT id FROM tienda_rows WHERE workspace = :workspace) SELECT 1 FROM tienda_rows, mine",
            "tienda_rows",
        ),
        (
            "SELECT s.* FROM tienda_rows r JOIN tienda_stock s ON s.id = r.id WHERE r.workspace = :workspace",
            "tienda_stock",
        ),
        ('SELECT r.id, "s" . * FROM tienda_rows r, tienda_stock s WHERE r.workspace = :workspace', "tienda_stock"),
        (
            "DELETE FROM tienda_stock WHERE id = (SELECT id FROM tienda_rows WHERE workspace = :workspace) RETURNING *",
            "tienda_stock",
        ),
        ("UPDATE tienda_rows SET amount = 1 WHERE id <> :workspace RETURNING workspace, id", "tienda_rows"),
        ("INSERT INTO tienda_rows SELECT :workspace, id, amount FROM tienda_rows", "tienda_rows"),
        ("INSERT INTO tienda_rows VALUES (:workspace, (SELECT max(id) FROM tienda_rows), 1)", "tienda_rows"),
        (
            "INSERT INTO tienda_rows VALUES (:workspace, '', 1) RETURNING (SELECT max(id) FROM tienda_rows)",
            "tienda_rows",
        ),
        ("INSERT INTO tienda_rows VALUES (:workspace, '', 1) ON CONFLICT (id) DO NOTHING", "tienda_rows"),
        ("SELECT amount FROM tienda_seen WHERE id <> :workspace", "tienda_seen"),
        ("SELECT number FROM tienda_sums WHERE id <> :workspace", "tienda_sums"),
        ("SELECT count(*) AS n FROM tienda_seen WHERE :workspace <> ''", "tienda_rows"),
        ("WITH tienda_seen AS (SELECT id FROM tienda_rows) SELECT :workspace, id FROM tienda_seen", "tienda_rows"),
    ],
)
def test_a_table_whose_workspace_is_not_looked_at_is_named(tmp_path: Path, sql: str, table: str) -> None:
    with pytest.raises(FileProblems, match=rf"a\.sql:1:1: `x` would reach rows of all workspaces in {table} \("):
        own_sql(tmp_path, f"-- x: too much\n{sql}", **TABLES)


@pytest.mark.parametrize(
    "sql",
    [
        (
            "-- x: own\nSELECT s.units FROM tienda_rows r JOIN tienda_stock s ON s.workspace_id = r.workspace\n"
            "AND s.id = r.id JOIN tienda_cities c ON c.id = r.id WHERE r.workspace = :workspace"
        ),
        "-- x: own\nINSERT INTO tienda_rows VALUES (:workspace, :id, 1) ON CONFLICT DO NOTHING RETURNING amount",
        (
            "-- x: own\nINSERT INTO tienda_rows VALUES (:workspace, :id, 1)\n"
            "ON CONFLICT (workspace, id) DO UPDATE SET amount = excluded.amount"
        ),
        "-- x: own\nSELECT * FROM tienda_rows WHERE workspace = :workspace AND id <> 'returning, *'",
        "-- x: own\nSELECT amount FROM tienda_seen WHERE workspace = :workspace OR replace(id, 'a', '') = ''",
        "-- x: own\nDELETE FROM tienda_rows WHERE workspace = :workspace RETURNING *",
        (
            "-- x: own\nINSERT INTO tienda_rows\n"
            "SELECT :workspace, id, units * 2 FROM tienda_stock WHERE workspace_id = :workspace RETURNING id"
        ),
        (
            "-- x: own\nINSERT INTO tienda_rows VALUES (:workspace,\n"
            "(SELECT max(id) FROM tienda_rows WHERE workspace = :workspace), 1)"
        ),
        "-- x (shared): where there is anything at all\nSELECT id FROM tienda_rows",
        "-- x (shared) (postgres): the cities\nSELECT id FROM tienda_cities;\n-- x (shared): of all\nSELECT '' AS id",
    ],
)
def test_what_keeps_to_the_workspace_or_is_marked_may_run(tmp_path: Path, sql: str) -> None:
    assert "x" in own_sql(tmp_path, sql, **TABLES).statements


def test_what_all_workspaces_share_is_not_written_by_a_tool(tmp_path: Path) -> None:
    with pytest.raises(FileProblems, match=r"`x` is marked as shared and does not begin with SELECT \(.* migrations"):
        own_sql(tmp_path, "-- x (shared): all\n/* now */ DELETE FROM tienda_cities", **TABLES)


# --- steps of the tables ------------------------------------------------------------------------------


# --- what cannot be told ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("SELECT amount FROM tienda_rows WHERE id = :workspace FOR UPDATE", r'near "FOR": .*marked \(postgres\)'),
        ("SELECT amount FROM tienda_rows WHERE workspace = :workspace::text", "workspace::text"),
        ("SELECT body FROM inbox WHERE workspace_id = :workspace", "no such table: inbox"),
        ("SELECT 1 FROM tienda_rows WHERE workspace = :workspace; DELETE FROM tienda_rows", "one statement at a time"),
        ("INSERT INTO tienda_rows SELECT * FROM tienda_stock WHERE workspace_id = :workspace", "instead of `\\*`"),
        ("REPLACE INTO tienda_rows VALUES (:workspace, :id, 1)", r"REPLACE removes .*ON CONFLICT"),
        ("INSERT OR REPLACE INTO tienda_rows VALUES (:workspace, :id, 1)", "REPLACE removes"),
        ("UPDATE OR REPLACE tienda_rows SET id = '' WHERE workspace = :workspace", "REPLACE removes"),
        (
            "SELECT r.id FROM tienda_rows r JOIN tienda_stock s USING (id) WHERE r.workspace = :workspace",
            "JOIN with ON",
        ),
        ("SELECT 1 FROM tienda_rows NATURAL JOIN tienda_stock WHERE :workspace <> ''", "JOIN with ON"),
    ],
)
def test_a_statement_that_cannot_be_checked_is_refused(tmp_path: Path, sql: str, why: str) -> None:
    said = rf"a\.sql:1:1: whether `x` keeps to one workspace could not be checked: .*{why}"
    with pytest.raises(FileProblems, match=said):
        own_sql(tmp_path, f"-- x: who knows\n{sql}", **TABLES)


def test_of_a_form_for_postgresql_only_the_naming_is_checked(tmp_path: Path) -> None:
    fine = "SELECT amount FROM tienda_rows WHERE workspace = :workspace"
    sql = f"-- x: own\n{fine};\n-- x (postgres): the same\n{fine} FOR UPDATE"
    assert "x" in own_sql(tmp_path, sql, **TABLES).statements


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
