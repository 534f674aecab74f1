"""Fixtures for all tests: real servers, started when the first test asks for one, and databases in them."""

import asyncio
import gc
import logging
import math
import os
import shutil
import signal
import tempfile
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import certifi
import pytest
import structlog
from hypothesis import settings

from patience import PATIENCE

# Unset, structlog draws every traceback with all local values, which takes seconds.
structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.format_exc_info,
        structlog.processors.JSONRenderer(default=str),
    ]
)
# How long an example takes says how busy the machine is, not whether it holds.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
MEMORY = Path("/dev/shm")  # noqa: S108 -- pytest makes folders of its own there
# Seconds each, with a process of their own or several: whoever came to one last would be waited for by all others.
LONG = frozenset(("test_crash_points", "test_kiosco_stress", "test_two_processes", "test_dev_command", "test_month"))
MEMORY_NEEDED = 4 << 30  # bytes; containers often have 64 MB
if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= MEMORY_NEEDED:
    # nobody pulls the plug in a test, and on a disk SQLite would wait for it at every commit
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    # so do PostgreSQL, which copies a thousand files for each fresh database, and the browser with its profile
    if "TMPDIR" not in os.environ:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)
for _variable in ("ANTHROPIC_API_KEY", "HILO_MODEL_KEY", "HILO_MODEL_URL", "HILO_MODELS"):
    os.environ.pop(_variable, None)  # no test asks a real model with a developer's key


def _interrupt(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt


def pytest_configure() -> None:
    """Trust one authority: reading all takes every new HTTP client 50 ms, and tests stay on loopback."""
    # In place of Python's own handler asyncio would put one for each fixture and test, and looking that up in an
    # enumeration writes out what the fixture returned: a whole agent with its weights.
    signal.signal(signal.SIGINT, _interrupt)
    if "PYTEST_XDIST_WORKER" in os.environ:
        return  # which has the variable from the process that started it
    every = Path(certifi.where()).read_text(encoding="ascii")
    begin = every.index("-----BEGIN")
    with tempfile.NamedTemporaryFile("w", prefix="hilo-authority-", suffix=".pem", delete=False) as file:
        file.write(every[begin : every.index("-----BEGIN", begin + 1)])
    os.environ["SSL_CERT_FILE"] = file.name


def pytest_unconfigure() -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ:
        Path(os.environ.pop("SSL_CERT_FILE")).unlink(missing_ok=True)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thirteen thousand tests stay to the end, so nobody looks among them for what may be thrown away."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each process its share of the long tests, and let it begin with them."""
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    long = [item for item in items if item.path.stem in LONG]
    short = [item for item in items if item.path.stem not in LONG]
    share = math.ceil(len(short) / processes)
    items[:] = [
        item
        for number in range(processes)
        for item in (*long[number::processes], *short[number * share : (number + 1) * share])
    ]


@pytest.fixture
def quiet_logs() -> Iterator[None]:
    """Log only what is critical."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    yield
    structlog.configure(**before)


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this test run, the same for all of its processes."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture(scope="session")
def postgres(run_folder: Path) -> Iterator[str]:
    """The URL of the run's PostgreSQL; tests take `postgres_url`."""
    import hilo.store.postgres  # noqa: PLC0415
    from servers import postgres_server  # noqa: PLC0415 -- paid by those who ask

    # fifty transactions at once wait for each other: on a busy machine longer than anything else is waited for
    hilo.store.postgres.SECONDS = 5 * PATIENCE
    with postgres_server(run_folder) as url:
        yield url


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with all its tables, to be copied: ten steps of Alembic for every test would be half of the tests."""
    file = tmp_path_factory.mktemp("migrated") / "hilo.db"
    _migrate(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def migrated_postgres(postgres: str) -> Iterator[str]:
    """The same on PostgreSQL; nobody connects to it."""
    from servers import drop_database, fresh_database  # noqa: PLC0415

    url = fresh_database(postgres)
    _migrate(url)
    yield url
    drop_database(postgres, url)


def _migrate(url: str) -> None:
    """In a thread: a test that asks for a database while it runs has the event loop of this one."""
    from hilo.store.opening import migrate  # noqa: PLC0415

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, migrate(url)).result()


@pytest.fixture
def sqlite_url(migrated_file: Path, tmp_path: Path) -> str:
    """A fresh database with all its tables."""
    return f"sqlite:///{shutil.copy(migrated_file, tmp_path / 'hilo.db')}"


@pytest.fixture
def postgres_url(postgres: str, migrated_postgres: str) -> Iterator[str]:
    """The same on PostgreSQL."""
    from servers import drop_database, fresh_database  # noqa: PLC0415

    url = fresh_database(postgres, like=migrated_postgres)
    yield url
    drop_database(postgres, url)


@pytest.fixture
def empty_postgres_url(postgres: str) -> Iterator[str]:
    """A fresh database without any table."""
    from servers import drop_database, fresh_database  # noqa: PLC0415

    url = fresh_database(postgres)
    yield url
    drop_database(postgres, url)


@pytest.fixture(scope="session")
def redis_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of this process's Redis; tests take `redis_url`."""
    from servers import redis_server  # noqa: PLC0415

    with redis_server(tmp_path_factory.mktemp("redis")) as server:
        yield server.url


@pytest.fixture
def redis_url(redis_session: str) -> str:
    """An empty Redis."""
    from redis import Redis  # noqa: PLC0415

    with Redis.from_url(redis_session) as client:
        client.flushall()
    return redis_session
