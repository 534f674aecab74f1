"""Where BullMQ keeps its alarms: a Redis or a PostgreSQL, named by a URL. The library is imported only here."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module
from typing import Any
from urllib.parse import unquote, urlsplit

from hilo.errors import HiloError, install
from hilo.queue.back_off import back_off

SCHEMES = ("redis", "rediss", "postgresql")
SCHEMA = "hilo_queue"  # BullMQ's tables in PostgreSQL, apart from the store's
CONNECT_SECONDS = 3.0
ANSWER_SECONDS = 10.0  # much longer than any wait that is asked for: silence means a dead connection
NO_LIMIT = 2**31 - 1

Processor = Callable[[Any, str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class BullServer:
    """Makes BullMQ's queues and workers for one URL."""

    url: str

    def __post_init__(self) -> None:
        scheme = urlsplit(self.url).scheme
        if scheme not in SCHEMES:
            allowed = ", ".join(f"{each}://" for each in SCHEMES)
            raise HiloError(f"HILO_QUEUE_URL begins with {scheme!r}; it must begin with one of {allowed}")

    def queue(self, name: str) -> Any:
        """Adds alarms."""
        return _library("bullmq").Queue(name, self._connection())

    def worker(self, name: str, processor: Processor, *, abandoned_after: timedelta) -> Any:
        """Takes alarms and finishes them; it fetches nothing by itself."""
        lock = int(abandoned_after.total_seconds() * 1000)
        options = {
            "autorun": False,
            "lockDuration": lock,
            "stalledInterval": lock // 2,
            "maxStalledCount": NO_LIMIT,  # an alarm is never given up; the store counts attempts
            "settings": {"backoffStrategy": _back_off_ms},
        }
        return _library("bullmq").Worker(name, processor, self._connection() | options)

    async def timer(self, queue: Any, number: str) -> Any:
        """The timer of this number, or None when it has rung."""
        return await _library("bullmq").Job.fromId(queue, number)

    def trouble(self, error: Exception) -> HiloError:
        """What to tell the person whose server did not answer, without the password."""
        parts = urlsplit(self.url)
        secrets = {parts.password, unquote(parts.password)} if parts.password else set()
        reason = str(error) or type(error).__name__
        for secret in secrets:
            reason = reason.replace(secret, "***")
        place = f"{parts.scheme}://{parts.hostname or 'local socket'}" + (f":{parts.port}" if parts.port else "")
        return HiloError(
            f"The queue's server at {place} does not answer: {reason}\n"
            "Check that it runs, that this machine reaches it, and the user and password in HILO_QUEUE_URL."
        )

    def _connection(self) -> dict[str, Any]:
        if urlsplit(self.url).scheme == "postgresql":
            _library("psycopg")
            return {"backend": "postgres", "connection": self.url, "schema": SCHEMA}
        return {"connection": _redis(self.url)}


def _redis(url: str) -> Any:
    """A client that comes back soon: BullMQ's own may wait 20 seconds between two tries."""
    _library("redis")
    errors = import_module("redis.exceptions")
    backoff = import_module("redis.backoff").ExponentialBackoff(cap=1, base=0.05)
    return import_module("redis.asyncio").Redis.from_url(
        url,
        decode_responses=True,
        retry=import_module("redis.asyncio.retry").Retry(backoff, 5),
        retry_on_error=[errors.BusyLoadingError, errors.ConnectionError, errors.TimeoutError],
        socket_timeout=ANSWER_SECONDS,
        socket_connect_timeout=CONNECT_SECONDS,
        socket_keepalive=True,
    )


def _back_off_ms(failures: int, *_: object) -> int:
    return int(back_off(failures).total_seconds() * 1000)


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise HiloError(f"HILO_QUEUE_URL needs {name}: {install('bullmq')}") from None
