"""One suite, two databases: whatever holds on SQLite holds on a real PostgreSQL."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from scenes import Scene

from hilo.store.opening import migrate
from hilo.store.postgres import PostgresStore
from hilo.store.sqlite import SqliteStore
from made import made

sqlite_template, postgres_database = made(migrate)


@pytest.fixture
async def sqlite_scene(sqlite_template: Path, tmp_path: Path) -> AsyncIterator[Scene]:
    file = Path(shutil.copy(sqlite_template, tmp_path / "hilo.db"))
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
