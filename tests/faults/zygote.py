"""A process with everything imported that has a child for each job: a line with a job in, its exit code out."""

import asyncio
import gc
import json
import logging
import os
import signal
import sys
import tempfile
import threading
import traceback

import structlog
from crash_points import POINTS
from scenario import AGENTS, Job, live

import hilo.store.postgres  # noqa: F401 -- imported once, for all children

SECONDS = 120  # of a child that hangs


def main() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    _warm_up()
    for line in sys.stdin:
        job = Job(**json.loads(line))
        child = os.fork()
        if not child:
            os._exit(_be_child(job))
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def _warm_up() -> None:
    """What is made when it is first needed is made here, once for all children; the threads end with the run."""
    for scenario in AGENTS:
        with tempfile.TemporaryDirectory() as folder:
            job = Job(f"sqlite:///{folder}/hilo.db", folder, scenario)
            job.ledger.make()
            assert _be_child(job) == 0
    signal.alarm(0)
    assert threading.active_count() == 1
    gc.freeze()
    gc.disable()  # a child does not live long enough to need it


def _be_child(job: Job) -> int:
    signal.alarm(SECONDS)
    os.environ["HILO_FAULTS_LEDGER"] = job.ledger.file
    POINTS.die_in, POINTS.nth = job.die_in, job.nth
    POINTS.testament = job.testament
    POINTS.passed.clear()
    try:
        asyncio.run(live(job))
    except BaseException:  # noqa: BLE001 -- the parent must hear of it, whatever it is
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    main()
