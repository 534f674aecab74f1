"""A process of the shop whose disk is full for a while: `python full_disk.py URL`; what it saw as JSON."""

import asyncio
import json
import resource
import sys

import structlog
from shops import Shop, shop, until
from stage import STAGE

from hilo.store.store import StoreUnavailable

TOO_SMALL = 1024  # bytes; no page of the database fits


def limit_files(size: int) -> None:
    """No file may grow beyond this; a write that would is refused by the system."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


async def refused(here: Shop) -> str:
    try:
        await here.hear("beto", "hola")
    except StoreUnavailable as error:
        return str(error)
    return ""


async def main(url: str) -> None:
    begun, goes_on = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        begun.set()
        await goes_on.wait()

    STAGE.during = wait
    async with shop(url) as here:
        await here.here.runtime.start()
        await here.hear("ana", "hola")
        await begun.wait()
        limit_files(TOO_SMALL)
        reason = await refused(here)
        goes_on.set()  # ana's turn ends while nothing can be written
        await asyncio.sleep(0.5)
        told = here.told("ana")
        limit_files(resource.RLIM_INFINITY)
        await here.hear("beto", "hola")
        await until(lambda: here.told("ana") and here.told("beto"))
        await here.here.runtime.stop()
        seen = {"reason": reason, "told": told, "ana": here.told("ana"), "beto": here.told("beto")}
        sys.stdout.write(json.dumps(seen))


structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
asyncio.run(main(sys.argv[1]))
