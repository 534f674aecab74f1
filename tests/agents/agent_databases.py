"""The tables of the agents on both databases."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agents.agent_scene import NOW, Opened, own_sql_of
from hilo.store.opening import open_store
from hilo.store.own_tables import make_tables
from hilo.store.sqlite import SqliteStore
from made import made


async def _make(url: str) -> None:
    store = await open_store(url)
    for agent in ("kiosco", "somnio", "turnos"):
        await make_tables(store, own_sql_of(agent), now=NOW)
    await store.close()


sqlite_with_agents, postgres_with_agents = made(_make)


@pytest.fixture
async def sqlite_opened(sqlite_with_agents: Path, tmp_path: Path) -> AsyncIterator[Opened]:
    file = Path(shutil.copy(sqlite_with_agents, tmp_path / "hilo.db"))
    store = SqliteStore(file, synchronous="NORMAL")
    yield Opened(store, f"sqlite:///{file}")
    await store.close()


@pytest.fixture
async def postgres_opened(postgres_with_agents: str) -> AsyncIterator[Opened]:
    store = await open_store(postgres_with_agents)
    yield Opened(store, postgres_with_agents)
    await store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest) -> Opened:
    """Both kinds of database, in turn."""
    found: Opened = request.getfixturevalue(f"{request.param}_opened")
    return found
