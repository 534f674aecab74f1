"""Databases for tests that hurt them: in memory where there is a folder for that, for nobody pulls the plug here."""

import asyncio
import logging
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import structlog
from stage import STAGE

from hilo.store.opening import migrate

MEMORY = Path("/dev/shm")  # noqa: S108 -- a folder of its own is made there


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Faults are expected here; drawing their tracebacks would take longer than surviving them."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    yield
    structlog.reset_defaults()


@pytest.fixture(autouse=True)
def _empty_stage() -> Iterator[None]:
    yield
    STAGE.clear()


@pytest.fixture
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="hilo-faults-", dir=MEMORY if MEMORY.is_dir() else None))
    yield made
    shutil.rmtree(made)


@pytest.fixture
def sqlite_url(folder: Path) -> str:
    """An empty database, brought up to date."""
    url = f"sqlite:///{folder}/hilo.db"
    asyncio.run(migrate(url))
    return url


@pytest.fixture
def ready_postgres(postgres_url: str) -> str:
    """The same on PostgreSQL."""
    asyncio.run(migrate(postgres_url))
    return postgres_url


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """A database of each kind."""
    found: str = request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "ready_postgres")
    return found


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Print a line that the test run shows."""

    def write(line: str) -> None:
        with capsys.disabled():
            sys.stderr.write(f"\n{line}\n")  # not stdout: that of a test process is thrown away

    return write
