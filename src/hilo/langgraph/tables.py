"""An agent's own tables within a graph: in memory, or in a database that outlives the process."""

import asyncio
from weakref import WeakKeyDictionary

from hilo.clock import Clock
from hilo.store.opening import open_store
from hilo.store.own_sql import OwnSql
from hilo.store.own_tables import OwnDatabase, make_tables, memory_store
from hilo.store.store import Store
from hilo.tools.given import Contact


class AgentTables:
    """The tables of one agent; connections belong to the event loop that opened them, of which there may be two."""

    def __init__(self, own: OwnSql | None, url: str, clock: Clock) -> None:
        self._own, self._url, self._clock = own, url, clock
        self._memory = memory_store(own) if own and not url else None
        self._opened: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Task[Store]] = WeakKeyDictionary()

    async def of(self, contact: Contact) -> OwnDatabase | None:
        """What the tools of a turn may reach; nothing where the agent has no tables."""
        if self._own is None:
            return None
        store = self._memory or await self._open(self._own)
        return OwnDatabase(store, self._own, contact)

    async def _open(self, own: OwnSql) -> Store:
        loop = asyncio.get_running_loop()
        task = self._opened.get(loop)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            # A task, so that turns which begin together open one store.
            task = self._opened[loop] = loop.create_task(self._made(own))
        return await asyncio.shield(task)

    async def _made(self, own: OwnSql) -> Store:
        store = await open_store(self._url)
        await make_tables(store, own, now=self._clock.now())
        return store
