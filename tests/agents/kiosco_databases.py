"""The shop of the kiosk on both databases."""

import pytest

from agents.agent_scene import Opened
from agents.kiosco_scene import Shop

pytest_plugins = ("agents.agent_databases",)


@pytest.fixture
def sqlite_shop(sqlite_opened: Opened) -> Shop:
    return Shop(sqlite_opened)


@pytest.fixture
def shop(opened: Opened) -> Shop:
    """A shop that nobody has opened yet, on each kind of database."""
    return Shop(opened)
