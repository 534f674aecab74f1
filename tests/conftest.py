"""Fixtures for all tests: real servers, started when the first test asks for one."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

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
for _variable in ("ANTHROPIC_API_KEY", "HILO_MODEL_KEY", "HILO_MODEL_URL", "HILO_MODELS"):
    os.environ.pop(_variable, None)  # no test asks a real model with a developer's key


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

    hilo.store.postgres.SECONDS = PATIENCE  # fifty transactions at once on a busy machine outlast the store's own limit
    with postgres_server(run_folder) as url:
        yield url


@pytest.fixture
def postgres_url(postgres: str) -> Iterator[str]:
    """A fresh, empty database."""
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
