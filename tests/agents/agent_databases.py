"""The tables of the agents on both databases."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from agents.agent_scene import NOW, Opened, own_sql_of
from hilo.store.opening import open_store
from hilo.store.own_tables import make_tables
from hilo.store.sqlite import SqliteStore


async def _make(url: str) -> None:
    store = await open_store(url)
    for agent in ("kiosco", "somnio"):
        await make_tables(store, own_sql_of(agent), now=NOW)
    await store.close()


@pytest.fixture(scope="session")
def sqlite_with_agents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("agents") / "hilo.db"
    asyncio.run(_make(f"sqlite:///{file}"))
    return file


@pytest.fixture(scope="session")
def postgres_with_agents(postgres: str) -> Iterator[str]:
    from servers import drop_database, fresh_database  # noqa: PLC0415 -- it starts nothing, but imports much

    url = fresh_database(postgres)
    asyncio.run(_make(url))
    yield url
    drop_database(postgres, url)


@pytest.fixture
async def sqlite_opened(sqlite_with_agents: Path, tmp_path: Path) -> AsyncIterator[Opened]:
    file = tmp_path / "hilo.db"
    shutil.copy(sqlite_with_agents, file)
    store = SqliteStore(file, synchronous="NORMAL")
    yield Opened(store, f"sqlite:///{file}")
    await store.close()


@pytest.fixture
async def postgres_opened(postgres_with_agents: str) -> AsyncIterator[Opened]:
    from hilo.store.postgres import PostgresStore  # noqa: PLC0415 -- an extra

    store = await PostgresStore.open(postgres_with_agents)
    yield Opened(store, postgres_with_agents)
    await store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest) -> Opened:
    """Both kinds of database, in turn."""
    found: Opened = request.getfixturevalue(f"{request.param}_opened")
    return found
