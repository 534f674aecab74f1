"""A process of the shop with 20 contacts, to be killed and started again: `python worker.py URL stuck|quick`."""

import asyncio
import sys
from datetime import timedelta

import structlog
from shops import shop, until
from stage import STAGE

LEASE = timedelta(minutes=2)  # far longer than any machine takes to start Python
CONTACTS = tuple(f"c{number}" for number in range(20))


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


async def stuck(url: str) -> None:
    """Have them all in the middle of a turn, for ever."""
    inside = [0]

    async def stay() -> None:
        inside[0] += 1
        await asyncio.sleep(60)

    STAGE.during = stay
    async with shop(url, lease=LEASE) as here:
        await here.here.runtime.start()
        for contact in CONTACTS:
            await here.hear(contact, "hola")
        await until(lambda: inside[0] == len(CONTACTS))
        say("stuck")
        await asyncio.sleep(60)


async def quick(url: str) -> None:
    """Say when the first and when the last of them has an answer."""
    async with shop(url, lease=LEASE) as here:
        await here.here.runtime.start()
        await until(lambda: here.channel.delivered)
        say("first")
        await here.answered(CONTACTS)
        await here.here.runtime.stop()
        say(f"all {len(here.channel.delivered)}")


structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
asyncio.run({"stuck": stuck, "quick": quick}[sys.argv[2]](sys.argv[1]))
