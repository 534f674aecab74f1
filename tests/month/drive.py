"""The world outside of a process: its people, its provider, its clock, and the power cord that somebody pulls."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from heapq import heapify, heappop, heappush
from pathlib import Path
from random import Random
from typing import Any, Literal

from hilo.tools.database import micros, moment
from month.ledger import Copy, Tail
from month.people import Person, Written
from month.worker import Place

TESTS = Path(__file__).parent.parent
STEP = timedelta(seconds=10)  # of virtual time that a process is told to pass at once
REPEATED = 0.02  # of the messages come a second time although the first was answered for
CURIOUS = 0.004  # of our messages make an operator take the session, and give it back later
PATIENCE = 240.0  # seconds that a process may take for anything
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True, slots=True)
class Outage:
    """From when until when there was no process."""

    begin: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Click:
    """An operator takes a session, or gives it back."""

    at: datetime
    session: str
    what: Literal["took over", "released"]

    @property
    def row(self) -> list[Any]:
        return [micros(self.at), f"{self.what} {micros(self.at)}", self.session, self.what]


@dataclass
class Story:
    """What happened in a shard, as seen from outside."""

    place: Place
    people: dict[str, Person]
    outages: list[Outage] = field(default_factory=list)
    in_the_middle: int = 0  # killed while they had something to do
    at_birth: int = 0  # killed before they had anything to do
    repeated: int = 0
    clicks: int = 0
    cpu: float = 0.0  # seconds of all processes, but for what each did last
    end: datetime | None = None

    @property
    def kills(self) -> int:
        return len(self.outages) + self.at_birth


class Dead(Exception):  # noqa: N818 -- it names what happened
    """The process that was asked is no more."""


@dataclass
class Life:
    """One process, from its first word to its last."""

    connection: socket.socket
    lines: Any
    pid: int = 0
    cpu: float = 0.0  # seconds, as it said last

    def ask(self, **asked: Any) -> None:
        try:
            self.connection.sendall(json.dumps(asked, ensure_ascii=False).encode() + b"\n")
        except OSError:
            raise Dead from None

    def answer(self) -> dict[str, Any]:
        try:
            line = self.lines.readline()
        except ConnectionError:
            raise Dead from None
        if not line.endswith(b"\n"):
            raise Dead
        answer: dict[str, Any] = json.loads(line)
        return answer

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Hang up, and wait until it is no more."""
        self.lines.close()
        self.connection.close()
        patience = time.monotonic() + PATIENCE
        while Path(f"/proc/{self.pid}").exists():
            if time.monotonic() > patience:
                raise TimeoutError(f"the process {self.pid} does not end")
            time.sleep(0.001)


@dataclass
class Nursery:
    """Where processes come from."""

    zygote: subprocess.Popen[bytes]
    door: socket.socket

    def birth(self) -> Life:
        assert self.zygote.stdin is not None
        self.zygote.stdin.write(b"\n")
        self.zygote.stdin.flush()
        connection = self._visitor()
        connection.settimeout(PATIENCE)
        life = Life(connection, connection.makefile("rb"))
        life.pid = life.answer()["pid"]
        return life

    def _visitor(self) -> socket.socket:
        for _ in range(int(PATIENCE)):
            with suppress(TimeoutError):
                return self.door.accept()[0]
            if self.zygote.poll() is not None:
                break
        raise RuntimeError("no process can be started: look at what the zygote has printed")


def surroundings() -> dict[str, str]:
    """What processes of a month are started with: our modules, and no more threads than there are processes."""
    path = filter(None, (str(TESTS), os.environ.get("PYTHONPATH")))
    return {**os.environ, **ONE_THREAD, "PYTHONPATH": os.pathsep.join(path)}


@contextmanager
def nursery(place: Place) -> Iterator[Nursery]:
    command = [sys.executable, "-m", "month.zygote", str(place.folder), str(place.agent)]
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(place.socket))
        door.listen()
        door.settimeout(1)
        with subprocess.Popen(command, stdin=subprocess.PIPE, env=surroundings()) as zygote:  # noqa: S603
            assert zygote.stdin is not None
            yield Nursery(zygote, door)
            zygote.stdin.close()


class Shard:
    """A part of the people, with a database and a process of their own."""

    def __init__(self, place: Place, crowd: Iterator[tuple[datetime, Person]], chance: Random, kills: float) -> None:
        self.story = Story(place, {})
        self.chance = chance
        self.kills = kills  # the share of steps in which the process is killed
        self.agenda: list[tuple[datetime, str]] = []
        for at, person in crowd:
            self.story.people[person.name] = person
            self.agenda.append((at, person.name))
        heapify(self.agenda)
        self.now = self.agenda[0][0]
        self.unanswered: list[Written] = []  # what the provider must send, perhaps again
        self.receipts: list[str] = []
        self.clicks: list[Click] = []  # to come, in no order
        self.next: datetime | None = None
        self.usual = 0.01  # seconds that a step takes
        self.doomed = False  # whether the process is to be killed in this step

    def run(self) -> Story:
        """From the first message until nothing is left to do."""
        with nursery(self.story.place) as self.nursery:
            self.story.place.ledger.touch()
            with self.story.place.ledger.open("rb") as file:
                self.tail = Tail(file)
                self._be_born()
                while (due := self._due()) is not None:
                    self._step(max(self.now, due))
            self.life.close()
        self.story.end = self.now
        return self.story

    def _due(self) -> datetime | None:
        people = self.agenda[0][0] if self.agenda else None
        operators = min((each.at for each in self.clicks), default=None)
        return min((each for each in (people, operators, self.next) if each), default=None)

    def _step(self, begin: datetime) -> None:
        """Some seconds pass; whether the process lives to their end or not."""
        self.now = begin + STEP
        self._let_people_write()
        try:
            self._ask(begin)
        except Dead:
            if not self.doomed:
                raise  # it died of itself
            self.life.close()
            self._pull_through()
        self._let_people_read()

    def _ask(self, begin: datetime) -> None:
        messages = [_row(each, begin) for each in self.unanswered]
        clicks = [each for each in self.clicks if each.at <= self.now]
        again = [each for each in self.unanswered if self.chance.random() < REPEATED]
        self.doomed, began = self.chance.random() < self.kills, time.perf_counter()
        rows = sorted(each.row for each in clicks)
        self.life.ask(until=micros(self.now), messages=messages, clicks=rows, receipts=self.receipts)
        if self.doomed:
            time.sleep(self.chance.uniform(0, 1.2 * self.usual))
            self.life.kill()
            self.story.in_the_middle += 1
        self._heed(self.life.answer())
        self.usual += (time.perf_counter() - began - self.usual) / 50
        self.unanswered, self.receipts = again, []
        self.clicks = [each for each in self.clicks if each not in clicks]
        self.story.repeated += len(again)
        self.story.clicks += len(clicks)
        if self.doomed:
            self.story.in_the_middle -= 1
            raise Dead

    def _pull_through(self) -> None:
        """Nobody is there for a while; then somebody is."""
        down = self.now
        self.now += timedelta(seconds=self._absence())
        self.story.outages.append(Outage(down - STEP, self.now))
        self._let_people_read()
        self._be_born()

    def _absence(self) -> float:
        """Seconds, as a rule; sometimes an hour or two, seldom a whole day and more."""
        longest = self.chance.choices((5, 600, 7_200, 120_000), (70, 15, 13, 2))[0]
        return round(self.chance.uniform(0, longest), 3)

    def _be_born(self) -> None:
        """Some do not live to see their first message."""
        while True:
            self.life = self.nursery.birth()
            self.life.ask(now=micros(self.now), receipts=self.receipts)
            if self.chance.random() < 2 * self.kills:
                time.sleep(self.chance.uniform(0, 0.08))
                self.life.kill()
                self.life.close()
                self.story.at_birth += 1
            else:
                self._heed(self.life.answer())
                self.receipts = []
                return

    def _heed(self, answer: dict[str, Any]) -> None:
        due = answer["next"]
        self.next = moment(due) if due is not None else None
        self.story.cpu += answer["cpu"] - self.life.cpu
        self.life.cpu = answer["cpu"]

    def _let_people_write(self) -> None:
        while self.agenda and self.agenda[0][0] <= self.now:
            at, name = heappop(self.agenda)
            written, later = self.story.people[name].wake(at)
            self.unanswered += written
            if later is not None:
                heappush(self.agenda, (later, name))

    def _let_people_read(self) -> None:
        for copy in self.tail.news():
            self.story.people[copy.contact].heard.append(copy)
            self.receipts.append(copy.message_id)
            if self.chance.random() < CURIOUS:
                self._take_over(copy)

    def _take_over(self, copy: Copy) -> None:
        begin = max(self.now, copy.at) + timedelta(seconds=self.chance.randint(1, 400))
        end = begin + timedelta(seconds=self.chance.randint(30, 6_000))
        self.clicks += [Click(begin, copy.session, "took over"), Click(end, copy.session, "released")]


def _row(written: Written, begin: datetime) -> list[Any]:
    arrives = max(written.at, begin)
    return [micros(arrives), micros(written.at), written.id, written.contact, written.text, written.payload]
