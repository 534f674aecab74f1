"""A database of each kind that is made once in a test run, as somebody wants it."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

Make = Callable[[str], Coroutine[Any, Any, Any]]  # makes what is wanted in the empty database of a URL


def made(make: Make) -> tuple[Any, Any]:
    """Two fixtures: a file, to be copied; the URL of a PostgreSQL, emptied a hundred times faster than made anew."""

    @pytest.fixture(scope="session")
    def sqlite_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
        file = tmp_path_factory.mktemp("made") / "hilo.db"
        asyncio.run(make(f"sqlite:///{file}"))
        return file

    @pytest.fixture(scope="session")
    def postgres_database(postgres: str) -> Iterator[str]:
        from servers import drop_database, fresh_database  # noqa: PLC0415 -- it starts nothing, but imports much

        url = fresh_database(postgres)
        asyncio.run(make(url))
        yield url
        drop_database(postgres, url)

    return sqlite_file, postgres_database
