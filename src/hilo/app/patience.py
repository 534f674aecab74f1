"""Who comes from outside goes first: the workers' transactions wait for one another, not the gateway for them."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from hilo.store.script import Script
from hilo.store.store import Store

T = TypeVar("T")
P = ParamSpec("P")

# Transactions that end together let as many turns go on at once, and until they rest no webhook is answered.
AT_ONCE = 8


class PatientStore:
    """The workers' way to the store: however many turns wait for a model, only a few touch the tables at once."""

    def __init__(self, inner: Store, *, at_once: int = AT_ONCE) -> None:
        self._inner = inner
        self._room = asyncio.Semaphore(at_once)

    async def run(self, script: Callable[P, Script[T]], *values: P.args, **named: P.kwargs) -> T:
        """Run a script when there is room."""
        async with self._room:
            return await self._inner.run(script, *values, **named)

    async def close(self) -> None:
        """The store is closed by whoever opened it."""
