"""What must not be lost because the database is away for a while."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import chain, repeat
from typing import TypeVar

import structlog

from hilo.store.store import StoreUnavailable

T = TypeVar("T")

PAUSES = (0.05, 0.2, 0.5, 1.0, 2.0)  # seconds; the last one again and again

log = structlog.get_logger()


async def retry_until_stored(write: Callable[[], Awaitable[T]]) -> T:
    """Write as soon as the database can be used; whoever has had enough cancels."""
    for pause in chain(PAUSES, repeat(PAUSES[-1])):
        try:
            return await write()
        except StoreUnavailable as error:
            log.warning("a result waits for the database", reason=str(error))
            await asyncio.sleep(pause)
    raise AssertionError  # it repeats for ever
