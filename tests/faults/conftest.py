"""Databases for tests that hurt them: in memory where there is a folder for that, for nobody pulls the plug here."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from stage import STAGE

MEMORY = Path("/dev/shm")  # noqa: S108 -- a folder of its own is made there


@pytest.fixture(autouse=True)
def _quiet(quiet_logs: None) -> None:
    """Faults are expected here; writing their tracebacks would take longer than surviving them."""


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
def sqlite_url(migrated_file: Path, folder: Path) -> str:
    return f"sqlite:///{shutil.copy(migrated_file, folder / 'hilo.db')}"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """A database of each kind."""
    found: str = request.getfixturevalue(f"{request.param}_url")
    return found


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Print a line that the test run shows."""

    def write(line: str) -> None:
        with capsys.disabled():
            sys.stderr.write(f"\n{line}\n")  # not stdout: that of a test process is thrown away

    return write
