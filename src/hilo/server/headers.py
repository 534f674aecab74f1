"""HTTP that does not wait for ever: a connection whose request does not come is closed."""

import asyncio
import resource
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 5.0
MOST_FILES = 65_536  # connections are files


class TimedHeaders(H11Protocol):
    """The head of each request must come whole within a few seconds; what follows it has limits of its own."""

    def __init__(self, *values: Any, **named: Any) -> None:
        super().__init__(*values, **named)
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there; now a request must come."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """A piece of something, which must be whole in time."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody waits any more."""
        self._stop_watching()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Count from the first byte on; between two requests the server's own limit for idle connections counts."""
        is_idle = self.timeout_keep_alive_task is not None
        if self.conn.their_state is not h11.IDLE or is_idle:
            self._stop_watching()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEADER_SECONDS, self.transport.abort)

    def _stop_watching(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def allow_many_connections() -> None:
    """Use what the system allows this process: the usual 1024 are full after as many half-sent requests."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
