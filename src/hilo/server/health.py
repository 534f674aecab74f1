"""Whether the process answers, whether it can work, and what it has done."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, Response

from hilo.server.edge import Edge
from hilo.server.problems import problem
from hilo.store.api import depths

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

    @router.api_route("/readyz", methods=["GET", "HEAD"])
    async def readyz() -> Response:
        """The database answers too, and what wakes the workers, where that is a server of its own."""
        await edge.store.run(depths, now=edge.clock.now())
        try:
            await edge.queue_answers()
        except Exception as error:  # noqa: BLE001 -- whatever its client raises, the queue is away
            return problem(503, f"the queue does not answer ({type(error).__name__})")
        return PlainTextResponse("ready")

    @router.get("/metrics")
    async def metrics() -> Response:
        """Counters of this process, and how much waits in the tables."""
        from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest  # noqa: PLC0415 -- when asked

        text = generate_latest(REGISTRY) + (await _depths(edge)).encode()
        return Response(text, media_type=CONTENT_TYPE_LATEST)

    return router


async def _depths(edge: Edge) -> str:
    """Values of the tables, not of this process: they are asked for, never counted."""
    now = edge.clock.now()
    found = await edge.store.run(depths, now=now)
    waited = (now - found.oldest).total_seconds() if found.oldest else 0.0
    values: dict[str, Any] = dict(zip(ABOUT, (found.unsent, waited, found.leases), strict=True))
    return "".join(f"# HELP {name} {ABOUT[name]}\n# TYPE {name} gauge\n{name} {values[name]}\n" for name in ABOUT)
