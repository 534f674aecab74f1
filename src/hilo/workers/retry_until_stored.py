"""Retry a write that must not be lost while the database is unavailable."""

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
    """Write as soon as the database is back; cancel it to give up."""
    for pause in chain(PAUSES, repeat(PAUSES[-1])):
        try:
            return await write()
        except StoreUnavailable as error:
            log.warning("a result waits for the database", reason=str(error))
            await asyncio.sleep(pause)
    raise AssertionError  # it repeats for ever
