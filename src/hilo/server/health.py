"""Whether the process answers, whether it can work, and what it has done."""

import asyncio
from dataclasses import dataclass, field
from math import inf
from typing import Any

import structlog
from fastapi import APIRouter, Depends
from fastapi.responses import PlainTextResponse, Response

from hilo.server.access import allowed
from hilo.server.edge import HttpEdge
from hilo.server.problems import AGAIN, problem
from hilo.store.api import depths, try_writing
from hilo.store.channel_health import troubled_channels

log = structlog.get_logger()

BETWEEN_TRIALS = 5.0  # seconds: anybody may ask, as often as they like
ABOUT = {
    "hilo_outbox_depth": "Messages that wait to be sent",
    "hilo_oldest_event_seconds": "How long the oldest event has waited for its turn",
    "hilo_leases": "Addresses that somebody works on now",
    "hilo_outbox_stuck": "Messages that were given up or are held back",
    "hilo_channels_troubled": "Channels that cannot send now",
}


def health_routes(edge: HttpEdge) -> APIRouter:
    """`/healthz`, `/readyz` and `/metrics`."""
    router = APIRouter(include_in_schema=False)

    @router.api_route("/healthz", methods=["GET", "HEAD"])
    async def healthz() -> PlainTextResponse:
        """The process answers."""
        return PlainTextResponse("ok")

    router.add_api_route("/readyz", Readiness(edge).answer, methods=["GET", "HEAD"])

    @router.get("/metrics", dependencies=[Depends(allowed("metrics"))])
    async def metrics() -> Response:
        """Counters of this process, and how much waits in the tables."""
        from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest  # noqa: PLC0415 -- when asked

        text = generate_latest(REGISTRY) + (await _depths(edge)).encode()
        return Response(text, media_type=CONTENT_TYPE_LATEST)

    return router


@dataclass(slots=True)
class Readiness:
    """Whether the process can work, tried at most once in a while: between two trials the last answer holds."""

    edge: HttpEdge
    _lack: str = ""
    _troubles: tuple[str, ...] = ()  # channels that cannot send: the process can work all the same
    _tried_at: float = -inf  # by a clock that nobody sets
    _trying: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def answer(self) -> Response:
        """The database can be written too, and what wakes the workers answers, where that is a server of its own."""
        now = asyncio.get_running_loop().time
        async with self._trying:
            if now() - self._tried_at >= BETWEEN_TRIALS:
                self._lack = await _lack(self.edge)
                self._troubles = () if self._lack else await _troubles(self.edge)
                self._tried_at = now()
        if self._lack:
            return problem(503, self._lack, AGAIN)
        return PlainTextResponse("\n".join(("ready", *self._troubles)))


async def _lack(edge: HttpEdge) -> str:
    """What cannot be used, in words for anybody."""
    try:
        await edge.store.run(try_writing, now=edge.clock.now())
    except Exception as error:  # noqa: BLE001 -- whatever its driver raises, nothing can be kept
        log.warning("not ready: the database cannot be used", reason=str(error))
        return f"the database cannot be used ({_name(error)})"
    try:
        await edge.queue_answers()
    except Exception as error:  # noqa: BLE001 -- whatever its client raises, the queue is away
        return f"the queue does not answer ({_name(error)})"
    return ""


async def _troubles(edge: HttpEdge) -> tuple[str, ...]:
    """The channels that cannot send, by their kind of trouble; the provider's own words may name an account."""
    words = {
        "away": "its provider does not answer",
        "credentials": "its credentials are refused",
        "paused": "somebody paused it",
    }
    found = await edge.store.run(troubled_channels)
    return tuple(f"the channel {each.channel} cannot send: {words[each.trouble]}" for each in found)


def _name(error: Exception) -> str:
    """What went wrong in a word such as SQLITE_FULL; its text could name a host or a file, and anybody may ask."""
    cause = error if isinstance(error, TimeoutError) else error.__cause__ or error
    return str(getattr(cause, "sqlite_errorname", type(cause).__name__))


async def _depths(edge: HttpEdge) -> str:
    """Values of the tables, not of this process: they are asked for, never counted."""
    now = edge.clock.now()
    found = await edge.store.run(depths, now=now)
    waited = (now - found.oldest).total_seconds() if found.oldest else 0.0
    numbers = (found.unsent, waited, found.leases, found.stuck, found.troubled)
    values: dict[str, Any] = dict(zip(ABOUT, numbers, strict=True))
    return "".join(f"# HELP {name} {ABOUT[name]}\n# TYPE {name} gauge\n{name} {values[name]}\n" for name in ABOUT)
