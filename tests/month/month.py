"""The whole month: the people are shared out among processes, and what came of it is put together."""

import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from month.drive import TESTS, surroundings
from month.people import FIRST_DAY
from month.shard import Job

ROOT = TESTS.parent
SOMNIO = ROOT / "agents" / "somnio" / "agent.yaml"
MEMORY = Path("/dev/shm")  # noqa: S108 -- a folder of its own is made there; nobody pulls the machine's plug
SHARDS = 2  # as many as the cores that the goal is about


@dataclass(frozen=True, slots=True)
class Size:
    """How many people, and in which share of its steps a process is killed."""

    contacts: int
    kills: float
    seed: str = "a month"


@dataclass
class Month:
    """What came of it."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    days: int = 0
    seconds: float = 0.0
    driven: float = 0.0  # seconds of the slowest shard, without the judging

    def add(self, report: dict[str, Any]) -> None:
        self.counts.update(report["counts"])
        self.wrong += report["wrong"]
        self.driven = max(self.driven, report["seconds"])
        self.days = max(self.days, (datetime.fromisoformat(report["end"]) - FIRST_DAY).days + 1)

    def lines(self) -> Iterator[str]:
        """The numbers, one on each line."""
        turns = self.counts["turns"]
        yield f"{self.days} virtual days in {self.seconds:.0f} s, {turns / self.driven:.0f} turns a second"
        yield from (f"{number:>9,}  {name}" for name, number in sorted(self.counts.items()))


def live_through(size: Size, agent: Path = SOMNIO, *, keep: Path | None = None) -> Month:
    """A month of so many people; `keep` is where their sessions are put together, to look at with `hilo funnel`."""
    month, began = Month(), time.perf_counter()
    with _folder() as folder:
        processes = [_start(job) for job in _jobs(size, agent, folder)]
        for process in processes:
            out, _ = process.communicate()
            if process.returncode:
                raise RuntimeError(f"a shard ended with {process.returncode}")
            month.add(json.loads(out))
        month.seconds = time.perf_counter() - began
        if keep:
            _keep([folder / str(number) / "hilo.db" for number in range(SHARDS)], keep)
    return month


def _keep(files: list[Path], keep: Path) -> None:
    """One database of several: the first, with the people and sessions of the others."""
    keep.unlink(missing_ok=True)
    with closing(sqlite3.connect(files[0])) as first, closing(sqlite3.connect(keep)) as whole:
        first.backup(whole)
        for file in files[1:]:
            whole.execute("ATTACH ? AS other", (str(file),))
            for table in ("contacts", "sessions", "mode_visits"):
                whole.execute(f"INSERT INTO {table} SELECT * FROM other.{table}")  # noqa: S608 -- names of ours
            whole.commit()
            whole.execute("DETACH other")


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hilo-month-", dir=MEMORY if MEMORY.is_dir() else None) as folder:
        yield Path(folder)


def _jobs(size: Size, agent: Path, folder: Path) -> Iterator[Job]:
    borders = [size.contacts * number // SHARDS for number in range(SHARDS + 1)]
    for number, (first, last) in enumerate(pairwise(borders)):
        place = folder / str(number)
        place.mkdir()
        yield Job(str(place), str(agent), size.seed, first, last, size.kills)


def _start(job: Job) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "month.shard", json.dumps(asdict(job))]
    return subprocess.Popen(command, stdout=subprocess.PIPE, env=surroundings())  # noqa: S603
