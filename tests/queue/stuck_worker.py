"""A worker process whose job never ends, to be killed: `python stuck_worker.py URL SECONDS`."""

import asyncio
import sys
from datetime import timedelta

from hilo.clock import SystemClock
from hilo.queue.bullmq import BullQueue


def fail(address: str, error: Exception) -> None:
    raise RuntimeError(address) from error


async def stay(address: str) -> None:
    sys.stdout.write(f"{address}\n")
    sys.stdout.flush()
    await asyncio.sleep(60)


async def main(url: str, seconds: str) -> None:
    abandoned_after = timedelta(seconds=float(seconds))
    queue = await BullQueue.open(url, clock=SystemClock(), on_error=fail, abandoned_after=abandoned_after)
    await queue.work("turn", stay, concurrency=2)


asyncio.run(main(*sys.argv[1:]))
