"""When the database is away, full or locked: StoreUnavailable, nothing half-written, and it works again afterwards."""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import asyncpg
import pytest
from scenes import NOW, Scene, arrivals, nothing

from hilo.store.inbox import accept
from hilo.store.opening import migrate, open_store
from hilo.store.postgres import PostgresStore
from hilo.store.sqlite import SqliteStore
from hilo.store.store import StoreUnavailable
from hilo.tools.database import Script, execute

pytest_plugins = ("databases",)

NOBODY = 65534


def with_break(cut: Any) -> Script[None]:
    """A script in the middle of which something happens to the database."""
    yield from accept("wa", arrivals("primero"), now=NOW)
    cut()
    yield from accept("wa", arrivals("segundo"), now=NOW)


def broken(reason: str) -> Script[None]:
    yield from accept("wa", arrivals("primero"), now=NOW)
    raise ValueError(reason)


async def test_an_error_in_a_script_undoes_all_of_it(scene: Scene) -> None:
    before = scene.everything()
    with pytest.raises(ValueError, match="boom"):
        await scene.store.run(broken, "boom")
    assert scene.everything() == before
    assert not (await scene.hear("primero")).duplicate


async def test_a_broken_script_breaks_nothing_but_itself(scene: Scene) -> None:
    runs = [scene.hear(f"m{each}") for each in range(10)]
    runs.insert(5, scene.store.run(broken, "boom"))  # type: ignore[arg-type]
    ends = await asyncio.gather(*runs, return_exceptions=True)
    assert [str(each) for each in ends if isinstance(each, Exception)] == ["boom"]
    assert len(scene.column("SELECT id FROM inbox")) == 10


async def test_a_script_that_nobody_waits_for_any_more_harms_nobody(scene: Scene) -> None:
    runs = [asyncio.ensure_future(scene.hear(f"m{each}")) for each in range(10)]
    await asyncio.sleep(0)
    for each in runs[::2]:
        each.cancel()
    ends = await asyncio.gather(*runs, return_exceptions=True)
    assert all(isinstance(each, asyncio.CancelledError) for each in ends[::2])
    kept = set(scene.column("SELECT external_id FROM inbox"))
    assert kept >= {"m1", "m3", "m5", "m7", "m9"}
    assert not (await scene.hear("otra")).duplicate


async def test_a_script_without_statements_is_no_trouble(scene: Scene) -> None:
    await scene.store.run(nothing)


async def test_a_probe_sees_every_transaction_and_may_break_it(scene: Scene) -> None:
    seen: list[tuple[str, str]] = []

    def probe(when: str, script: str) -> None:
        seen.append((when, script))
        if when == "at" and len(seen) > 3:
            raise KeyboardInterrupt

    store: SqliteStore | PostgresStore
    if scene.kind == "sqlite":
        store = SqliteStore(Path(scene.url.removeprefix("sqlite:///")), probe=probe)
    else:
        store = await PostgresStore.open(scene.url, probe=probe)
    await store.run(accept, "wa", arrivals("uno"), now=NOW)
    assert seen == [("before", "accept"), ("at", "accept"), ("after", "accept")]
    with pytest.raises(KeyboardInterrupt):
        await store.run(accept, "wa", arrivals("dos"), now=NOW)
    await store.close()
    assert scene.column("SELECT external_id FROM inbox") == ["uno"]


# --- PostgreSQL ---------------------------------------------------------------------------------------


async def test_a_lost_connection_in_mid_script_leaves_nothing_and_the_next_run_works(postgres_scene: Scene) -> None:
    scene = postgres_scene

    def cut() -> None:
        scene.rows(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )

    with pytest.raises(StoreUnavailable, match="cannot be used"):
        await scene.store.run(with_break, cut)
    assert scene.column("SELECT external_id FROM inbox") == []
    assert not (await scene.hear("primero")).duplicate


async def test_a_server_that_can_only_be_read_is_unavailable(postgres_scene: Scene) -> None:
    store = await PostgresStore.open(f"{postgres_scene.url}&default_transaction_read_only=on")
    with pytest.raises(StoreUnavailable, match="read-only"):
        await store.run(accept, "wa", arrivals("uno"), now=NOW)
    await store.close()


@pytest.fixture
def own_postgres() -> Iterator[Any]:
    """A server that may be stopped, for nobody else uses it."""
    from servers import _get_server  # noqa: PLC0415 -- it starts nothing, but imports much

    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        server = _get_server(Path(folder) / "pgdata")
        yield server
        server.stop()


async def test_a_restart_in_mid_script_leaves_nothing_and_the_next_run_works(own_postgres: Any) -> None:
    url = own_postgres.get_uri()
    await migrate(url)
    store = await PostgresStore.open(url)
    scene = Scene(store, "postgres", url)
    await scene.set_up()
    with pytest.raises(StoreUnavailable, match="cannot be used"):
        await store.run(with_break, own_postgres.stop)
    with pytest.raises(StoreUnavailable, match="cannot be used"):
        await scene.hear("primero")
    own_postgres.start()
    assert not (await scene.hear("primero")).duplicate
    await store.close()


async def test_a_mistake_of_ours_does_not_look_like_an_outage(postgres_scene: Scene) -> None:
    def wrong() -> Script[None]:
        yield from execute("forget_events", before="yesterday")

    with pytest.raises(asyncpg.DataError, match="invalid input"):
        await postgres_scene.store.run(wrong)


# --- SQLite -------------------------------------------------------------------------------------------


def limit_pages(store: SqliteStore, more: int) -> None:
    """While its thread has nothing to do."""
    connection = store._connection  # noqa: SLF001
    [pages] = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + more}")


async def test_a_full_disk_leaves_nothing_half_written_and_harms_nothing_later(sqlite_scene: Scene) -> None:
    store = sqlite_scene.store
    assert isinstance(store, SqliteStore)
    await sqlite_scene.hear("hola")
    limit_pages(store, 0)
    before = sqlite_scene.everything()
    texts = [f"{each} " + "x" * 3000 for each in range(40)]
    with pytest.raises(StoreUnavailable, match="full"):
        await sqlite_scene.hear(*texts)
    assert sqlite_scene.everything() == before
    limit_pages(store, 10_000)
    assert not (await sqlite_scene.hear(*texts)).duplicate
    assert len(sqlite_scene.column("SELECT id FROM inbox")) == 41


async def test_a_file_that_another_process_writes_is_waited_for(
    sqlite_scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hilo.store.sqlite.BUSY_SECONDS", 0.2)
    file = Path(sqlite_scene.url.removeprefix("sqlite:///"))
    store = SqliteStore(file)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable, match="locked"):
            await store.run(accept, "wa", arrivals("hola"), now=NOW)
        run = asyncio.create_task(store.run(accept, "wa", arrivals("hola"), now=NOW))
        await asyncio.sleep(0.05)
        other.execute("ROLLBACK")
        [accepted] = await run
    assert not accepted.duplicate
    await store.close()


@pytest.fixture
def plain_folder() -> Iterator[Path]:
    """A folder that everybody may read."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def close(*paths: Path) -> None:
    """Let nobody write there."""
    for path in paths:
        path.chmod(0o555)


@contextmanager
def plain_user() -> Iterator[None]:
    """For root nothing is read-only."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


async def test_a_read_only_file_gives_a_clear_error(sqlite_template: Path, plain_folder: Path) -> None:
    file = plain_folder / "hilo.db"
    shutil.copy(sqlite_template, file)
    close(file, plain_folder)
    with plain_user(), pytest.raises(StoreUnavailable, match=r"hilo\.db cannot be .*(readonly|unable to open)"):
        await open_store(f"sqlite:///{file}")


async def test_a_folder_that_is_read_only_gives_a_clear_error(plain_folder: Path) -> None:
    close(plain_folder)
    with plain_user(), pytest.raises(StoreUnavailable, match=r"cannot be .*unable to open"):
        await open_store(f"sqlite:///{plain_folder}/hilo.db")
