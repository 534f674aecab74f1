"""A process with everything imported that has a child for each line it reads: `python -m month.zygote FOLDER AGENT`."""

import asyncio
import gc
import logging
import os
import signal
import sys
import tempfile
import threading
from pathlib import Path

import structlog

from hilo.testing.clock import FakeClock
from hilo.tools.database import micros
from month.worker import Place, live, working

TALK = (
    "hola, cuánto vale",
    "lo quiero",
    "soy Ana Pérez, vivo en Cali, calle 5 # 10-20, 3001234567",
    "no, en Neiva",
    "sí",
)


def main() -> None:
    place = Place(Path(sys.argv[1]), Path(sys.argv[2]))
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    asyncio.run(_warm_up(place.agent))
    assert threading.active_count() == 1
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)  # what a turn makes dies with it: looking for it early costs a twentieth
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how they ended
    for _ in sys.stdin:
        if not os.fork():
            os._exit(_be_child(place))


async def _warm_up(agent: Path) -> None:
    """What is made when it is first needed is made here, once for all children; the threads end with the run."""
    with tempfile.TemporaryDirectory() as folder:
        async with working(Place(Path(folder), agent), FakeClock()) as work:
            at = micros(work.clock.now())
            messages = [[at, at, str(number), "somebody", text, ""] for number, text in enumerate(TALK)]
            await work.obey({"messages": messages, "clicks": [], "receipts": [], "until": at + 10**10})


def _be_child(place: Place) -> int:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.close(sys.stdin.fileno())
    asyncio.run(live(place))
    return 0


if __name__ == "__main__":
    main()
