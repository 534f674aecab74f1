"""Whether the process answers, whether it can work, and what it has done."""

from datetime import datetime, timedelta
from typing import Any

import structlog
from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response

from hilo.server.edge import Edge
from hilo.server.problems import AGAIN, problem
from hilo.store.api import depths, try_writing

log = structlog.get_logger()

BETWEEN_TRIALS = timedelta(seconds=5)  # of writing: anybody may ask, as often as they like
ABOUT = {
    "hilo_outbox_depth": "Messages that wait to be sent",
    "hilo_oldest_event_seconds": "How long the oldest event has waited for its turn",
    "hilo_leases": "Addresses that somebody works on now",
}


def health_routes(edge: Edge) -> APIRouter:
    """`/healthz`, `/readyz` and `/metrics`."""
    router = APIRouter(include_in_schema=False)

    @router.api_route("/healthz", methods=["GET", "HEAD"])
    async def healthz() -> PlainTextResponse:
        """The process answers."""
        return PlainTextResponse("ok")

    written: datetime | None = None

    @router.api_route("/readyz", methods=["GET", "HEAD"])
    async def readyz() -> Response:
        """The database can be written too, and what wakes the workers answers, where that is a server of its own."""
        nonlocal written
        now = edge.clock.now()
        try:
            if written is None or now - written >= BETWEEN_TRIALS:
                await edge.store.run(try_writing, now=now)
                written = now
            else:
                await edge.store.run(depths, now=now)
        except Exception as error:  # noqa: BLE001 -- whatever its driver raises, nothing can be kept
            log.warning("not ready: the database cannot be used", reason=str(error))
            return problem(503, f"the database cannot be used ({_name(error)})", AGAIN)
        try:
            await edge.queue_answers()
        except Exception as error:  # noqa: BLE001 -- whatever its client raises, the queue is away
            return problem(503, f"the queue does not answer ({_name(error)})", AGAIN)
        return PlainTextResponse("ready")

    @router.get("/metrics")
    async def metrics() -> Response:
        """Counters of this process, and how much waits in the tables."""
        from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest  # noqa: PLC0415 -- when asked

        text = generate_latest(REGISTRY) + (await _depths(edge)).encode()
        return Response(text, media_type=CONTENT_TYPE_LATEST)

    return router


def _name(error: Exception) -> str:
    """What went wrong in a word such as SQLITE_FULL; its text could name a host or a file, and anybody may ask."""
    cause = error.__cause__ or error
    return str(getattr(cause, "sqlite_errorname", type(cause).__name__))


async def _depths(edge: Edge) -> str:
    """Values of the tables, not of this process: they are asked for, never counted."""
    now = edge.clock.now()
    found = await edge.store.run(depths, now=now)
    waited = (now - found.oldest).total_seconds() if found.oldest else 0.0
    values: dict[str, Any] = dict(zip(ABOUT, (found.unsent, waited, found.leases), strict=True))
    return "".join(f"# HELP {name} {ABOUT[name]}\n# TYPE {name} gauge\n{name} {values[name]}\n" for name in ABOUT)
