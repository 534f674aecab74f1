"""An agent's own tables: made once, kept apart by workspace and contact, with errors that say where to look."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from scenes import NOW, Scene, later

from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import Asks, ToolResult
from hilo.errors import FileProblems
from hilo.store.journal import CallAttempt, Ended, begin_call, end_call
from hilo.store.opening import migrate, open_store
from hilo.store.own_parse import split_statements
from hilo.store.own_sql import OwnSql
from hilo.store.own_tables import OwnDatabase, make_tables, read_own_sql
from hilo.store.store import StatementFailed, Store
from hilo.testing.clock import FakeClock
from hilo.tools.database import Row, Script, Statement, execute, one, statement, together
from hilo.tools.given import Contact
from hilo.workers.journal import TurnJournal

pytest_plugins = ("databases",)

ANA = Contact("w", "ana", "wa", "1", "s1")
EVA = Contact("w", "eva", "wa", "2", "s2")
FAR = Contact("v", "ana", "far", "1", "s3")

TABLES = """
-- what was ordered; it's kept for each business
CREATE TABLE tienda_orders (
    workspace TEXT NOT NULL, contact TEXT NOT NULL, item TEXT NOT NULL, amount BIGINT NOT NULL CHECK (amount > 0),
    PRIMARY KEY (workspace, contact, item)
);
CREATE INDEX tienda_orders_items ON tienda_orders (workspace, item);  -- 'one; two'
"""

SQL = """
-- add_order: what a contact orders; a second time it is more
INSERT INTO tienda_orders (workspace, contact, item, amount) VALUES (:workspace, :contact, :item, :amount)
ON CONFLICT (workspace, contact, item) DO UPDATE SET amount = tienda_orders.amount + excluded.amount;

-- orders: those of this contact
SELECT item, amount FROM tienda_orders WHERE workspace = :workspace AND contact = :contact ORDER BY item;

-- dialect (shared): where we are; '12:30' is no value
SELECT 'sqlite 12:30' AS name;

-- dialect (shared) (postgres): the same there
SELECT 'postgres 12:30' AS name;
"""


def write(folder: Path, **files: str) -> Path:
    """Files by their paths, with __ for a slash and _sql for the end."""
    for name, text in files.items():
        file = folder / (name.replace("__", "/").removesuffix("_sql") + ".sql")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def own_sql(folder: Path, agent: str = "tienda", **files: str) -> OwnSql:
    own = read_own_sql(agent, write(folder, **(files or {"sql__orders": SQL, "migrations__0001_orders": TABLES})))
    assert own is not None
    return own


@pytest.fixture
async def store(scene: Scene) -> AsyncIterator[Store]:
    """A database that is left as it was found: others use the same PostgreSQL."""
    yield scene.store
    for table in ("tienda_orders", "tienda_notes", "otra_orders"):
        scene.rows(f"DROP TABLE IF EXISTS {table}")


@pytest.fixture
async def own(store: Store, tmp_path: Path) -> OwnSql:
    made = own_sql(tmp_path)
    await make_tables(store, made, now=NOW)
    return made


def order(item: str, amount: Any = 1) -> Script[list[Row]]:
    yield from execute("add_order", item=item, amount=amount)
    return (yield from execute("orders"))


def orders() -> Script[list[tuple[str, int]]]:
    rows = yield from execute("orders")
    return [(row["item"], row["amount"]) for row in rows]


async def test_a_script_runs_in_one_transaction_and_its_rows_are_plain(store: Store, own: OwnSql) -> None:
    assert await OwnDatabase(store, own, ANA).run(order, "café", amount=2) == [{"item": "café", "amount": 2}]


async def test_contacts_and_workspaces_never_see_the_rows_of_others(store: Store, own: OwnSql) -> None:
    ana, eva, far = (OwnDatabase(store, own, each) for each in (ANA, EVA, FAR))
    await asyncio.gather(ana.run(order, "café"), eva.run(order, "té"), far.run(order, "mate"))
    assert [await each.run(orders) for each in (ana, eva, far)] == [[("café", 1)], [("té", 1)], [("mate", 1)]]


@pytest.mark.parametrize("name", ["workspace", "contact"])
async def test_a_script_cannot_say_for_whom_it_is(store: Store, own: OwnSql, name: str) -> None:
    def forged() -> Script[list[Row]]:
        return (yield from execute("orders", **{name: "v"}))

    def sneaked() -> Script[list[Row]]:
        return (yield Statement("orders", {name: "v"}))

    for script in (forged, sneaked):
        with pytest.raises(StatementFailed, match=f"`:{name}` is bound by itself"):
            await OwnDatabase(store, own, ANA).run(script)


async def test_a_script_does_not_reach_the_stores_own_statements_by_joining_them(store: Store, own: OwnSql) -> None:
    def joined() -> Script[list[list[Row]]]:
        return (yield from together(statement("channel", channel="wa"), statement("orders")))

    with pytest.raises(StatementFailed):
        await OwnDatabase(store, own, ANA).run(joined)


async def test_a_script_that_raises_changes_nothing(store: Store, own: OwnSql) -> None:
    def doubtful() -> Script[None]:
        yield from execute("add_order", item="café", amount=1)
        raise ZeroDivisionError

    database = OwnDatabase(store, own, ANA)
    kept = asyncio.gather(*(OwnDatabase(store, own, EVA).run(order, f"té {each}") for each in range(5)))
    with pytest.raises(ZeroDivisionError):
        await database.run(doubtful)
    await kept
    assert await database.run(orders) == []
    assert len(await OwnDatabase(store, own, EVA).run(orders)) == 5


async def test_what_the_tables_refuse_is_the_agents_mistake_and_nobody_elses(store: Store, own: OwnSql) -> None:
    database = OwnDatabase(store, own, ANA)
    results = await asyncio.gather(
        database.run(order, "nada", 0), database.run(order, "café"), database.run(order, "té"), return_exceptions=True
    )
    assert isinstance(results[0], StatementFailed)
    assert "orders.sql:2: add_order: " in str(results[0])
    assert await database.run(orders) == [("café", 1), ("té", 1)]


async def test_two_agents_may_use_one_name(store: Store, own: OwnSql, tmp_path: Path) -> None:
    other = own_sql(
        tmp_path / "otra",
        "otra",
        migrations__0001_orders="CREATE TABLE otra_orders (workspace TEXT, item TEXT)",
        sql__orders="-- orders: of all\nSELECT item, 9 AS amount FROM otra_orders WHERE workspace = :workspace;\n"
        "-- add_order: one\nINSERT INTO otra_orders VALUES (:workspace, :item);",
    )
    await make_tables(store, other, now=NOW)
    await OwnDatabase(store, own, ANA).run(order, "café")

    def add() -> Script[None]:
        yield from execute("add_order", item="otro")

    await OwnDatabase(store, other, ANA).run(add)
    assert await OwnDatabase(store, own, ANA).run(orders) == [("café", 1)]
    assert await OwnDatabase(store, other, EVA).run(orders) == [("otro", 9)]


async def test_a_dialect_may_have_its_own_form(scene: Scene, store: Store, own: OwnSql) -> None:
    def name() -> Script[Row | None]:
        return (yield from one("dialect"))

    assert await OwnDatabase(store, own, ANA).run(name) == {"name": f"{scene.kind} 12:30"}


@pytest.mark.parametrize(
    ("query", "values", "said"),
    [
        ("ordres", {}, r"no statement `ordres` in .*sql; there is: orders"),
        ("zzz", {}, r"there is: add_order, dialect, orders"),
        ("add_order", {"item": "café"}, r"orders\.sql:2: add_order: the value `:amount` is missing"),
        ("orders", {"item": "café"}, "it has no value `:item`"),
        ("add_order", {"item": "café", "amount": Decimal(1)}, "`:amount` is a Decimal: give a text"),
        ("add_order", {"item": NOW, "amount": 1}, "`:item` is a datetime"),
        ("add_order", {"item": "café", "amount": 2**70}, "add_order: "),
    ],
)
async def test_a_wrong_statement_says_what_is_wrong(
    store: Store, own: OwnSql, query: str, values: dict[str, Any], said: str
) -> None:
    def script() -> Script[list[Row]]:
        return (yield from execute(query, **values))

    with pytest.raises(StatementFailed, match=said):
        await OwnDatabase(store, own, ANA).run(script)


async def test_what_is_no_script_is_named(store: Store, own: OwnSql) -> None:
    database = OwnDatabase(store, own, ANA)

    def forgot_from() -> Any:
        yield execute("orders")

    with pytest.raises(StatementFailed, match="yield from execute"):
        await database.run(forgot_from)
    with pytest.raises(StatementFailed, match="generator function"):
        await database.run(lambda: None)  # type: ignore[arg-type, return-value]


# --- making the tables --------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'own.db'}"
    found: str = request.getfixturevalue("postgres_url")
    return found


async def test_racing_starters_make_the_tables_once(url: str, tmp_path: Path) -> None:
    own = own_sql(
        tmp_path,
        sql__notes="-- notes (shared): all\nSELECT note FROM tienda_notes",
        migrations__0001_orders=TABLES,
        migrations__0002_notes="""
        CREATE TABLE tienda_notes (workspace TEXT, note TEXT);
        INSERT INTO tienda_notes VALUES ('w', 'once; only');
    """,
    )
    await migrate(url)
    stores = [await open_store(url) for _ in range(3)]
    await asyncio.gather(*(make_tables(each, own, now=NOW) for each in stores for _ in range(2)))

    def notes() -> Script[list[Row]]:
        return (yield from execute("notes"))

    assert await OwnDatabase(stores[0], own, ANA).run(notes) == [{"note": "once; only"}]
    for store in stores:
        await store.close()


async def test_a_step_that_breaks_leaves_nothing_and_names_its_file(scene: Scene, store: Store, tmp_path: Path) -> None:
    await make_tables(store, own_sql(tmp_path, migrations__0001_orders=TABLES), now=NOW)
    scene.rows("INSERT INTO tienda_orders VALUES ('w', 'ana', 'café', 1), ('w', 'eva', 'café', 1)")
    good, broken = "CREATE TABLE tienda_notes (note TEXT);", "CREATE UNIQUE INDEX tienda_once ON tienda_orders (item);"
    own = own_sql(tmp_path, migrations__0001_orders=TABLES, migrations__0002_notes=good + broken)
    with pytest.raises(StatementFailed, match=r"0002_notes\.sql, statement 2: "):
        await make_tables(store, own, now=NOW)
    assert scene.column("SELECT name FROM agent_migrations") == ["0001_orders"]
    mended = own_sql(tmp_path, migrations__0001_orders=TABLES, migrations__0002_notes=good)
    await make_tables(store, mended, now=NOW)
    assert scene.column("SELECT name FROM agent_migrations ORDER BY name") == ["0001_orders", "0002_notes"]


async def test_a_migration_that_was_applied_and_changed_stops_the_start(
    scene: Scene, store: Store, tmp_path: Path
) -> None:
    await make_tables(store, own_sql(tmp_path, migrations__0001_orders=TABLES), now=NOW)
    more = "CREATE TABLE tienda_notes (note TEXT)"
    changed = own_sql(tmp_path, migrations__0001_orders=TABLES + more, migrations__0002_more="SELECT 1")
    said = r"0001_orders\.sql: it was applied to this database on 2026-.* UTC and has been changed since \(put it back"
    with pytest.raises(StatementFailed, match=said):
        await make_tables(store, changed, now=later(60))
    assert scene.column("SELECT name FROM agent_migrations") == ["0001_orders"]
    await make_tables(store, own_sql(tmp_path, migrations__0001_orders=TABLES), now=later(120))


async def test_comments_and_spaces_of_a_migration_may_change(store: Store, tmp_path: Path) -> None:
    await make_tables(store, own_sql(tmp_path, migrations__0001_orders=TABLES), now=NOW)
    tidied = TABLES.replace("-- what", "-- All that").replace("    workspace", "\n  workspace /* ours */")
    assert tidied != TABLES
    await make_tables(store, own_sql(tmp_path, migrations__0001_orders=tidied), now=NOW)


async def test_a_migration_from_before_digests_is_taken_as_it_is_now(
    scene: Scene, store: Store, tmp_path: Path
) -> None:
    own = own_sql(tmp_path, migrations__0001_orders=TABLES)
    await make_tables(store, own, now=NOW)
    scene.rows("UPDATE agent_migrations SET digest = ''")
    await make_tables(store, own, now=later(60))
    assert scene.column("SELECT digest FROM agent_migrations") == [own.migrations["sqlite"][0].digest]
    with pytest.raises(StatementFailed, match="changed since"):
        await make_tables(store, own_sql(tmp_path, migrations__0001_orders=f"{TABLES} SELECT 1"), now=NOW)


@pytest.mark.parametrize(
    ("sql", "other"),
    [
        ("SELECT 'a'", "SELECT 'a  --b'"),
        ("SELECT 'a'", "SELECT 'a';SELECT 2"),
        ("SELECT 'a'", "SELECT 'A'"),
        ("SELECT 'a b'", "SELECT 'a  b'"),
        ('SELECT 1 AS "a b"', 'SELECT 1 AS "a\nb"'),
        ("DO $$ -- all\nDELETE FROM a $$", "DO $$ -- all DELETE FROM a $$"),
        ("DO $x$ /* $$ */ $x$", "DO $x$ $$ $x$"),
    ],
)
def test_two_migrations_that_say_different_things_have_different_digests(tmp_path: Path, sql: str, other: str) -> None:
    texts = ({"migrations__0001_a.postgres": each} for each in (sql, other))
    digests = {own_sql(tmp_path, **each).migrations["postgres"][0].digest for each in texts}
    assert len(digests) == 2


async def test_a_statement_that_the_database_does_not_take_is_found_at_the_start(
    scene: Scene, store: Store, tmp_path: Path
) -> None:
    await make_tables(store, own_sql(tmp_path, migrations__0001_orders=TABLES), now=NOW)
    own = own_sql(tmp_path)
    scene.rows("DROP TABLE tienda_orders")
    with pytest.raises(StatementFailed, match=r"orders\.sql:2: add_order: .*tienda_orders"):
        await make_tables(store, own, now=NOW)


def test_sql_that_was_found_good_is_read_from_what_was_kept_of_it(tmp_path: Path) -> None:
    judged, kept = own_sql(tmp_path / "tienda"), tmp_path / "kept"
    first = read_own_sql("tienda", tmp_path / "tienda", kept=kept)
    (file,) = kept.iterdir()
    file.write_bytes(file.read_bytes().replace(b"sqlite 12:30", b"sqlite 13:30"))
    second = read_own_sql("tienda", tmp_path / "tienda", kept=kept)
    assert first == judged
    assert second
    assert "13:30" in second.statements["dialect"].sql["sqlite"].sql  # it comes from there
    assert second.migrations == judged.migrations


@pytest.mark.parametrize("rubbish", [b"", b"{}", b"[]", b'{"statements": [1], "migrations": {}}', b"\xff"])
def test_sql_is_judged_again_where_what_was_kept_cannot_be_read(tmp_path: Path, rubbish: bytes) -> None:
    judged, kept = own_sql(tmp_path / "tienda"), tmp_path / "kept"
    read_own_sql("tienda", tmp_path / "tienda", kept=kept)
    (file,) = kept.iterdir()
    file.write_bytes(rubbish)
    assert read_own_sql("tienda", tmp_path / "tienda", kept=kept) == judged
    assert file.read_bytes() != rubbish


def test_what_is_changed_in_good_sql_is_judged_and_what_is_refused_is_not_kept(tmp_path: Path) -> None:
    folder, kept = write(tmp_path / "tienda", sql__orders=SQL, migrations__0001_orders=TABLES), tmp_path / "kept"
    read_own_sql("tienda", folder, kept=kept)
    write(folder, sql__orders="-- all_of_them: everybody's\nSELECT item FROM tienda_orders")
    for _ in range(2):
        with pytest.raises(FileProblems, match="all_of_them"):
            read_own_sql("tienda", folder, kept=kept)
    assert len(list(kept.iterdir())) == 1


def test_an_agent_without_sql_has_nothing(tmp_path: Path) -> None:
    assert read_own_sql("tienda", tmp_path) is None


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"sql__a": "SELECT 1"}, r"a\.sql:1:1: SQL that has no name"),
        ({"sql__a": "-- x: one\n-- y (shared): two\nSELECT 1"}, r"a\.sql:1:1: the statement `x` is empty"),
        (
            {"sql__a": "-- x (shared): a\nSELECT 1", "sql__b": "\n-- x (shared): b\nSELECT 2"},
            r"b\.sql:2:1: .*`x` stands in a.sql:1",
        ),
        ({"sql__a": "-- x (postgres): one\nSELECT :workspace"}, "`x` is there for postgres alone"),
        ({"migrations__first": "SELECT 1"}, "a migration without a number"),
        ({"migrations__0001_a": "CREATE TABLE a (b TEXT);\n-- done\nCOMMIT;"}, "begins or ends a transaction"),
    ],
)
def test_a_slip_in_a_file_is_told_with_its_place(tmp_path: Path, files: dict[str, str], said: str) -> None:
    with pytest.raises(FileProblems, match=said):
        own_sql(tmp_path, **files)


def test_a_migration_may_have_another_form_for_one_dialect(tmp_path: Path) -> None:
    write(tmp_path, **{"migrations__0001_a": "SELECT 1", "migrations__0001_a.postgres": "SELECT 2"})
    own = own_sql(tmp_path, **{"migrations__0002_b.postgres": "SELECT 3"})
    assert [each.statements for each in own.migrations["sqlite"]] == [("SELECT 1",)]
    assert [each.statements for each in own.migrations["postgres"]] == [("SELECT 2",), ("SELECT 3",)]


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO a VALUES ('it''s; fine')",
        "CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET b = CASE WHEN 1 THEN 2 END; DELETE FROM c; END",
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN x := 'it''s'; RETURN NEW; END $$",
        "CREATE TRIGGER t BEFORE UPDATE ON a FOR EACH ROW EXECUTE FUNCTION f()",
        "-- don't; stop\nSELECT 1 /* ; */",
    ],
)
def test_a_statement_is_not_cut_within(statement: str) -> None:
    assert list(split_statements(f"SELECT 0;\n{statement};\n-- the end\n;")) == ["SELECT 0", statement]
    if "FUNCTION" not in statement:
        assert sqlite3.complete_statement(statement + ";")


# --- the journal --------------------------------------------------------------------------------------


async def test_the_journal_keeps_what_a_tool_tells_and_asks(scene: Scene) -> None:
    address = (await scene.hear("hola")).address
    taken = await scene.take(address)
    asks = Asks("city", ("Springfield, IL", "Springfield, MO"), "¿Cuál?")
    call = CallAttempt(taken.session_id, 1, "c1", 1, "weather", taken.last)
    await scene.store.run(begin_call, taken.claim, call, {"city": "Springfield"}, now=NOW)
    await scene.store.run(end_call, call, Ended("failed", {}, "asks", "No sé.", asks), now=NOW)
    again = await scene.take(address, at=later(11), owner="B")
    journal = TurnJournal(scene.store, FakeClock(NOW), again, {}, 1)
    result = await journal.once(RunTool("c1", "weather", {"city": "Springfield"}), never)
    assert result == ToolResult("c1", "weather", ok=False, error="asks", tell="No sé.", asks=asks)


async def never() -> ToolResult:
    raise AssertionError("the call was made again")
