"""Gateways for the tests of this folder."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from gateways import AGENT, Gateway, gateway


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    folder = tmp_path / "eco"
    folder.mkdir()
    (folder / "agent.yaml").write_text(AGENT, encoding="utf-8")
    return folder


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    found: str = request.getfixturevalue(f"{request.param}_url")
    return found


@pytest.fixture
async def edge(sqlite_url: str, agent: Path) -> AsyncIterator[Gateway]:
    """The application alone, with the channel `wa`."""
    async with gateway(sqlite_url, agent) as opened:
        await opened.connect_infobip()
        yield opened


@pytest.fixture
async def served(database_url: str, agent: Path) -> AsyncIterator[Gateway]:
    """Everything, on loopback."""
    async with gateway(database_url, agent, workers=True) as opened:
        yield opened


@pytest.fixture
async def worked(sqlite_url: str, agent: Path) -> AsyncIterator[Gateway]:
    """The same on SQLite only."""
    async with gateway(sqlite_url, agent, workers=True) as opened:
        yield opened
