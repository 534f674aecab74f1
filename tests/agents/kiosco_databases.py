"""The shop of the kiosk on both databases."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from agents.kiosco_scene import NOW, Shop, own_sql
from hilo.store.opening import open_store
from hilo.store.own_tables import make_tables
from hilo.store.sqlite import SqliteStore


async def _make(url: str) -> None:
    store = await open_store(url)
    await make_tables(store, own_sql(), now=NOW)
    await store.close()


@pytest.fixture(scope="session")
def sqlite_shop_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("kiosco") / "hilo.db"
    asyncio.run(_make(f"sqlite:///{file}"))
    return file


@pytest.fixture(scope="session")
def postgres_shops(postgres: str) -> Iterator[str]:
    from servers import drop_database, fresh_database  # noqa: PLC0415 -- it starts nothing, but imports much

    url = fresh_database(postgres)
    asyncio.run(_make(url))
    yield url
    drop_database(postgres, url)


@pytest.fixture
async def sqlite_shop(sqlite_shop_template: Path, tmp_path: Path) -> AsyncIterator[Shop]:
    file = tmp_path / "hilo.db"
    shutil.copy(sqlite_shop_template, file)
    store = SqliteStore(file, synchronous="NORMAL")
    yield Shop(store, "sqlite", f"sqlite:///{file}")
    await store.close()


@pytest.fixture
async def postgres_shop(postgres_shops: str) -> AsyncIterator[Shop]:
    from hilo.store.postgres import PostgresStore  # noqa: PLC0415 -- an extra

    store = await PostgresStore.open(postgres_shops)
    yield Shop(store, "postgres", postgres_shops)
    await store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def shop(request: pytest.FixtureRequest) -> Shop:
    """A shop that nobody has opened yet, on each kind of database."""
    found: Shop = request.getfixturevalue(f"{request.param}_shop")
    return found
