"""What has not arrived, over the REST API: a list, and sending again or discarding."""

from dataclasses import asdict

from fastapi import HTTPException

from hilo.server import shapes
from hilo.server.access import Edge, Operating, Reading
from hilo.server.api_router import api_router
from hilo.server.pages import Cursor, Limit, piece, place_of
from hilo.server.parameters import NOT_THERE, Id
from hilo.store.api import OLDEST
from hilo.store.keys import Key
from hilo.store.undelivered import Fate, NotMoved, discard, list_undelivered

router = api_router("/outbox", "outbox")


@router.get("")
async def outbox(
    edge: Edge, key: Reading, status: Fate | None = None, cursor: Cursor = "", limit: Limit = 50
) -> shapes.UndeliveredPage:
    """Messages that contacts have not got, the oldest first."""
    after, at_most = place_of(cursor, OLDEST), limit + 1
    rows = await edge.store.run(list_undelivered, key.workspace, status or "", after=after, at_most=at_most)
    found, following = piece(rows, limit, lambda each: (each.number, ""))
    items = [shapes.UndeliveredBody.model_validate(asdict(each)) for each in found]
    return shapes.UndeliveredPage(items=items, next=following)


@router.post("/{message}/resend", status_code=202)
async def send_again(
    edge: Edge, message: Id, key: Operating, who: shapes.Operator | None = None
) -> shapes.AcceptedRequest:
    """Try a message again that was held or given up."""
    _or_refused(await edge.intake.resend(key.workspace, message, actor=_actor(key, who)))
    return shapes.AcceptedRequest(id=message)


@router.post("/{message}/discard", status_code=202)
async def let_be(edge: Edge, message: Id, key: Operating, who: shapes.Operator | None = None) -> shapes.AcceptedRequest:
    """Nobody is reminded of a message any more that was held or given up."""
    actor, now = _actor(key, who), edge.clock.now()
    _or_refused(await edge.store.run(discard, key.workspace, message, actor=actor, now=now))
    return shapes.AcceptedRequest(id=message)


def _actor(key: Key, who: shapes.Operator | None) -> str:
    return key.acting(who.operator if who else None)


def _or_refused(moved: str | NotMoved) -> None:
    if isinstance(moved, NotMoved) and moved.why == "not stuck":
        raise HTTPException(409, "this message is neither held nor given up")
    if isinstance(moved, NotMoved):
        raise HTTPException(404, NOT_THERE)
