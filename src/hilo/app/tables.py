"""An agent's own tables for programs beside it: imports, exports, reports."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from hilo.app.loading import LoadedAgent
from hilo.clock import SystemClock
from hilo.errors import HiloError
from hilo.settings import read_settings
from hilo.store.opening import open_store
from hilo.store.own_tables import OwnDatabase, make_tables
from hilo.tools.given import Contact, Database


@asynccontextmanager
async def open_database(agent: LoadedAgent, *, workspace: str = "main") -> AsyncIterator[Database]:
    """The tables of an agent in the database of HILO_DATABASE_URL, for one workspace and no contact."""
    if agent.own is None:
        raise HiloError(f"{agent.file}: this agent has no tables: they need a folder `sql` beside it")
    store = await open_store(read_settings().database_url)
    try:
        await make_tables(store, agent.own, now=SystemClock().now())
        yield OwnDatabase(store, agent.own, Contact(workspace, "", "", "", ""))
    finally:
        await store.close()
