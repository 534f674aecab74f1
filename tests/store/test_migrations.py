"""Migrations: any database comes up to date, whoever else is at it; a newer one is refused."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from scenes import LIST_TABLES, NOW

import hilo.store
from hilo.errors import HiloError
from hilo.store.inbox import forget
from hilo.store.letters import plain_letters
from hilo.store.opening import HEAD, migrate, open_store
from hilo.store.queries import queries
from hilo.store.store import StoreUnavailable
from patience import PATIENCE

pytest_plugins = ("databases",)

AGAIN = """
import asyncio, sys
from hilo.store.opening import migrate

ran = asyncio.run(migrate(sys.argv[1]))
print(ran, "alembic" in sys.modules, "sqlalchemy" in sys.modules)
"""


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'hilo.db'}"
    found: str = request.getfixturevalue("empty_postgres_url")
    return found


def run(url: str, sql: str) -> list[tuple[object, ...]]:
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file:
            rows = file.execute(sql).fetchall()
            file.commit()
            return rows
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(sql.encode())
        return cursor.fetchall() if cursor.description else []


def columns(url: str) -> dict[str, list[str]]:
    """The columns of each table, in order."""
    if url.startswith("sqlite"):
        tables, listed = LIST_TABLES["sqlite"], "SELECT name FROM pragma_table_info('{}') ORDER BY cid"
    else:
        tables = LIST_TABLES["postgres"]
        listed = "SELECT column_name FROM information_schema.columns WHERE table_name = '{}' ORDER BY ordinal_position"
    return {str(table): [str(row[0]) for row in run(url, listed.format(table))] for (table,) in run(url, tables)}


def migrating(url: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", AGAIN, url]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # noqa: S603


async def test_an_empty_database_comes_up_to_date_and_stays_so(url: str) -> None:
    assert await migrate(url)
    assert not await migrate(url)
    assert run(url, "SELECT version_num FROM alembic_version") == [(HEAD,)]


async def test_a_database_that_is_up_to_date_does_not_cost_the_import_of_alembic(url: str) -> None:
    await migrate(url)
    process = migrating(url)
    out, err = await asyncio.to_thread(process.communicate, timeout=PATIENCE)
    assert (out, err) == ("False False False\n", "")


def test_the_head_is_the_newest_step() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(hilo.store.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def alembic(url: str) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(hilo.store.__file__).parent / "migrations"))
    config.attributes["url"] = url
    return config


STEPS = [f"{number:04}" for number in range(1, int(HEAD))]


@pytest.mark.parametrize("step", STEPS)
async def test_a_database_of_any_earlier_step_comes_to_the_same_tables(
    step: str, tmp_path: Path, sqlite_template: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'hilo.db'}"
    await asyncio.to_thread(command.upgrade, alembic(url), step)
    run(url, "INSERT INTO workspaces (id, name, created_at) VALUES ('w', 'La Esquina', 7)")
    assert await migrate(url)
    assert columns(url) == columns(f"sqlite:///{sqlite_template}")
    assert run(url, "SELECT id, name, created_at FROM workspaces") == [("w", "La Esquina", 7)]


async def test_the_newest_step_keeps_what_is_there(url: str) -> None:
    await asyncio.to_thread(command.upgrade, alembic(url), STEPS[-1])
    before = columns(url)
    run(url, "INSERT INTO workspaces (id, name, created_at) VALUES ('w', 'La Esquina', 7)")
    assert await migrate(url)
    after = columns(url)
    assert {table: [name for name in after[table] if name in names] for table, names in before.items()} == before
    assert run(url, "SELECT id, name, created_at FROM workspaces") == [("w", "La Esquina", 7)]


async def test_the_steps_to_reservations_can_be_taken_back(url: str) -> None:
    await migrate(url)
    run(url, "INSERT INTO spending (workspace_id, scope, name, day, tokens) VALUES ('w', 'session', 's', '', 7)")
    await asyncio.to_thread(command.downgrade, alembic(url), "0005")
    assert "reservations" not in columns(url)
    assert columns(url)["spending"] == ["workspace_id", "scope", "name", "day", "tokens", "money"]
    assert await migrate(url)
    assert run(url, "SELECT tokens, reserved_tokens FROM spending") == [(7, 0)]


async def test_usage_from_before_the_models_is_kept(url: str) -> None:
    config = alembic(url)
    await asyncio.to_thread(command.upgrade, config, "0002")
    names = "session_id, turn, workspace_id, agent, at, stage, model, input_tokens, cost, tools, milliseconds"
    run(url, f"INSERT INTO usage ({names}) VALUES ('s', 1, 'w', 'a', 7, 'exact', '', 3, '0.5', 2, 1.5)")  # noqa: S608
    assert await migrate(url)
    assert run(url, f"SELECT {names} FROM usage") == [("s", 1, "w", "a", 7, "exact", "", 3, "0.5", 2, 1.5)]  # noqa: S608
    assert run(url, "SELECT attempt, cache_written_tokens FROM usage") == [("", 0)]


async def test_why_messages_were_held_becomes_a_code(url: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(hilo.store.__file__).parent / "migrations"))
    config.attributes["url"] = url
    await asyncio.to_thread(command.upgrade, config, "0006")
    ids = "message_id, workspace_id, channel_id, address_id, author, message, next_at, created_at"
    reasons = {"held": "the window is closed", "failed": "the window is closed", "pending": ""}
    for status, reason in (*reasons.items(), ("held", "an operator holds the session")):
        values = f"'{status} {reason}', 'w', 'c', 'a', 'agent', '{{}}', 0, 0, '{status}', '{reason}'"
        run(url, f"INSERT INTO outbox ({ids}, status, reason) VALUES ({values})")  # noqa: S608
    assert await migrate(url)
    codes = run(url, "SELECT status, reason FROM outbox ORDER BY id")
    assert codes == [
        ("held", "window_closed"),
        ("failed", "the window is closed"),
        ("pending", ""),
        ("held", "operator"),
    ]


async def test_many_processes_may_migrate_at_once(url: str) -> None:
    processes = [migrating(url) for _ in range(3)]
    ends = [await asyncio.to_thread(each.communicate, timeout=PATIENCE) for each in processes]
    assert [each.returncode for each in processes] == [0] * 3, ends
    assert run(url, "SELECT version_num FROM alembic_version") == [(HEAD,)]


async def test_many_tasks_may_migrate_at_once(url: str) -> None:
    await asyncio.gather(*(migrate(url) for _ in range(4)))
    assert run(url, "SELECT version_num FROM alembic_version") == [(HEAD,)]


async def test_a_newer_database_is_refused(url: str) -> None:
    await migrate(url)
    run(url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(HiloError, match="newer Hilo"):
        await open_store(url)


async def test_both_dialects_have_the_same_tables_and_columns(sqlite_template: Path, postgres_database: str) -> None:
    ours, theirs = columns(f"sqlite:///{sqlite_template}"), columns(postgres_database)
    assert ours == theirs
    assert {"sessions", "inbox", "outbox", "turns", "timers", "audit"} < set(ours)


async def test_every_query_is_good_sql_in_both_dialects(sqlite_template: Path, postgres_database: str) -> None:
    with closing(sqlite3.connect(sqlite_template)) as file:
        file.create_function("plain_letters", 1, plain_letters)
        for name, query in queries("sqlite").items():
            assert file.execute(f"EXPLAIN {query.sql}", dict.fromkeys(query.names)), name
    with psycopg.connect(postgres_database) as connection:
        for name, query in queries("postgres").items():
            connection.execute(f"PREPARE {name}_ AS {query.sql}".encode())


def test_both_dialects_take_the_same_values() -> None:
    ours, theirs = queries("sqlite"), queries("postgres")
    assert {name: set(query.names) for name, query in ours.items()} == {
        name: set(query.names) for name, query in theirs.items()
    }


async def test_a_store_is_opened_by_its_url(url: str) -> None:
    store = await open_store(url.replace("postgresql://", "postgres://"))
    await store.run(forget, now=NOW)
    await store.close()


async def test_the_words_of_a_postgres_url_are_the_drivers(postgres_url: str) -> None:
    store = await open_store(f"{postgres_url}&sslmode=prefer&application_name=hilo")
    await store.close()


@pytest.mark.parametrize("wrong", ["mysql://x/y", "hilo.db", "sqlite://hilo.db"])
async def test_another_url_is_refused_with_the_right_form(wrong: str) -> None:
    with pytest.raises(HiloError, match="must look like sqlite:///"):
        await open_store(wrong)


async def test_a_server_that_is_not_there_gives_a_clear_error() -> None:
    with pytest.raises(StoreUnavailable, match="PostgreSQL cannot be reached"):
        await open_store("postgresql://127.0.0.1:1/hilo")


async def test_a_file_that_is_no_database_gives_a_clear_error(tmp_path: Path) -> None:
    file = tmp_path / "hilo.db"
    file.write_text("Querido diario: " * 100)
    with pytest.raises(StoreUnavailable, match=r"hilo\.db cannot be read: file is not a database"):
        await open_store(f"sqlite:///{file}")


async def test_a_folder_in_place_of_the_file_gives_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="cannot be"):
        await open_store(f"sqlite:///{tmp_path}")


async def test_a_folder_that_cannot_be_made_gives_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailable, match="cannot be"):
        await open_store(f"sqlite:///{tmp_path}/file/hilo.db")
