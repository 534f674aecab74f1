"""One suite, two databases: whatever holds on SQLite holds on a real PostgreSQL."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from scenes import Scene

from hilo.store.migrate import migrate
from hilo.store.postgres import PostgresStore
from hilo.store.sqlite import SqliteStore


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("template") / "hilo.db"
    asyncio.run(migrate(f"sqlite:///{file}"))
    return file


@pytest.fixture(scope="session")
def postgres_database(postgres: str) -> Iterator[str]:
    """A migrated database of this process; to empty it takes a hundredth of the time that a new one takes."""
    from servers import drop_database, fresh_database  # noqa: PLC0415 -- it starts nothing, but imports much

    url = fresh_database(postgres)
    asyncio.run(migrate(url))
    yield url
    drop_database(postgres, url)


@pytest.fixture
async def sqlite_scene(sqlite_template: Path, tmp_path: Path) -> AsyncIterator[Scene]:
    file = tmp_path / "hilo.db"
    shutil.copy(sqlite_template, file)
    store = SqliteStore(file, synchronous="NORMAL")
    scene = Scene(store, "sqlite", f"sqlite:///{file}")
    await scene.set_up()
    yield scene
    await store.close()


@pytest.fixture
async def postgres_scene(postgres_database: str) -> AsyncIterator[Scene]:
    store = await PostgresStore.open(postgres_database)
    scene = Scene(store, "postgres", postgres_database)
    scene.empty()
    await scene.set_up()
    yield scene
    await store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def scene(request: pytest.FixtureRequest) -> Scene:
    """A fresh database of each kind."""
    found: Scene = request.getfixturevalue(f"{request.param}_scene")
    return found
