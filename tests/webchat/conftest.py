"""One browser and one running `hilo serve` for all tests of a process; a fresh visitor for each."""

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from hilo.store.postgres import PostgresStore
from hilo.store.sqlite import SqliteStore
from hilo.store.store import Store
from webchat.gateway import Gateway, gateway
from webchat.serving import Serving

ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
# The shell draws pages and has no windows, tabs or menus: a fresh visitor costs it a third.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@pytest.fixture
async def sqlite_store(migrated_file: Path, tmp_path: Path) -> AsyncIterator[Store]:
    shutil.copy(migrated_file, tmp_path / "hilo.db")
    store = SqliteStore(tmp_path / "hilo.db", synchronous="NORMAL")
    yield store
    await store.close()


@pytest.fixture
async def postgres_store(postgres_url: str) -> AsyncIterator[Store]:
    store = await PostgresStore.open(postgres_url)
    yield store
    await store.close()


@pytest.fixture
async def door(sqlite_store: Store) -> AsyncIterator[Gateway]:
    """The gateway on SQLite."""
    async with gateway(sqlite_store) as opened:
        yield opened


@pytest.fixture(params=["sqlite", "postgres"])
def any_store(request: pytest.FixtureRequest) -> Store:
    found: Store = request.getfixturevalue(f"{request.param}_store")
    return found


@pytest.fixture
async def any_door(any_store: Store) -> AsyncIterator[Gateway]:
    """The gateway on each database."""
    async with gateway(any_store) as opened:
        yield opened


@pytest.fixture(scope="session")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A real `hilo serve` with two agents."""
    server = Serving(tmp_path_factory.mktemp("serving"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def chromium() -> str:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert found, "these tests need a browser: run `make browser` as root, or install chromium"
    return found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(chromium: str) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield launched
        await launched.close()
