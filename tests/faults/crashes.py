"""Processes that die at a given place, one place after another."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from scenario import Job
from seen import Seen, look

KILLED = -9


@dataclass(frozen=True)
class Zygote:
    """Has a child for each job, and tells how it ended."""

    process: subprocess.Popen[str]

    def run(self, job: Job) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(asdict(job)) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


@contextmanager
def zygote() -> Iterator[Zygote]:
    command = [sys.executable, str(Path(__file__).parent / "zygote.py")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env={**os.environ}) as process:  # noqa: S603
        assert process.stdin is not None
        yield Zygote(process)
        process.stdin.close()


@dataclass(frozen=True, slots=True)
class Crash:
    """What was passed before the process died, the place where it did so at the end; and what came of it."""

    passed: tuple[str, ...]
    seen: Seen

    @property
    def place(self) -> str:
        return self.passed[-1]

    @property
    def in_window(self) -> int:
        """How many messages the channel may have taken that we had not yet noted: one of each contact at most."""
        # ends that share a commit are among them: each passes "after end" only when that commit is done
        begun = self.passed.count("before send") - (self.place == "before send")
        return begun - self.passed.count("after end")


@dataclass
class Tally:
    """What came of the crashes."""

    where: Counter[str] = field(default_factory=Counter)
    answers: int = 0
    doubled: int = 0
    parked: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, crash: Crash, wrong: Iterator[str]) -> None:
        seen = crash.seen
        self.where[crash.place] += 1
        self.answers += len(seen.copies) - seen.doubled
        self.doubled += seen.doubled
        self.parked += len(seen.handoffs)
        self.wrong += [f"killed {crash.place}: {each}" for each in wrong]

    @property
    def crashes(self) -> int:
        return self.where.total()


class Place(NamedTuple):
    """Where to die: at which passing of which point."""

    name: str
    nth: int


def all_places(points: list[str]) -> list[Place]:
    """The places that a run has passed, in order."""
    return [Place(point, points[:number].count(point)) for number, point in enumerate(points, 1)]


@dataclass(frozen=True)
class Crashes:
    """A scenario, run once whole and then once for each place to die at."""

    zygote: Zygote
    prepare: Callable[[str], Job]
    tally: Tally = field(default_factory=Tally)

    def whole(self) -> tuple[list[str], Seen]:
        """Nobody dies: the places that there are, and what must come of it whoever dies."""
        job = self._fresh("whole")
        assert self.zygote.run(job) == 0
        return json.loads(job.report.read_text())["passed"], look(job)

    def at(self, place: Place, *, echoes: bool = True) -> Crash | None:
        """Die there, come back, finish; nothing if the process came to its end before."""
        name = f"{place.name} {place.nth}{'' if echoes else ' deaf'}".replace(" ", "_")
        job = replace(self._fresh(name), die_in=place.name, nth=place.nth, echoes=echoes)
        ended = self.zygote.run(job)
        if ended == 0:
            return None
        assert ended == KILLED, f"at {place} it ended with {ended}"
        ended = self.zygote.run(replace(job, die_in=""))
        assert ended == 0, f"after a crash at {place} it did not come to the end"
        return Crash(tuple(job.testament.read_text().split("\n")), look(job))

    def _fresh(self, name: str) -> Job:
        job = self.prepare(name)
        Path(job.folder).mkdir()
        job.ledger.make()
        return job
