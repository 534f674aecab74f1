"""Handoffs over the REST API: who waits for a person, and who takes care."""

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, HTTPException

from hilo.dialogue.events import Event, OperatorTookOver, Released
from hilo.server import shapes
from hilo.server.access import Once, allowed
from hilo.server.edge import Edge
from hilo.server.pages import Cursor, Limit, piece, place_of
from hilo.server.words import NOT_THERE, Id, digest, there
from hilo.store import api as stored
from hilo.store.api import OLDEST, Handoff
from hilo.store.keys import Key
from hilo.store.script import micros

Waiting = Literal["pending", "assigned", "resolved"]


def handoff_routes(edge: Edge) -> APIRouter:
    """`/handoffs` and what is done with them."""
    router = APIRouter(prefix="/handoffs", tags=["handoffs"])
    Reader = Annotated[Key, Depends(allowed(edge, "read"))]  # noqa: N806 -- a type
    Operating = Annotated[Key, Depends(allowed(edge, "operate"))]  # noqa: N806 -- a type

    @router.get("")
    async def handoffs(
        key: Reader, status: Waiting | None = None, cursor: Cursor = "", limit: Limit = 50
    ) -> shapes.Handoffs:
        """Handoffs, who has waited longest first."""
        after, at_most = place_of(cursor, OLDEST), limit + 1
        rows = await edge.store.run(stored.list_handoffs, key.workspace, status or "", after=after, at_most=at_most)
        found, following = piece(rows, limit, lambda each: (micros(each.created_at), each.id))
        return shapes.Handoffs(items=list(map(_shape, found)), next=following)

    @router.get("/{handoff}")
    async def handoff(handoff: Id, key: Reader) -> shapes.HandoffShape:
        """One handoff."""
        return _shape(there(await edge.store.run(stored.one_handoff, key.workspace, handoff)))

    @router.post("/{handoff}/assign", status_code=202)
    async def assign(handoff: Id, once: Once, key: Operating, who: shapes.Operator | None = None) -> shapes.Accepted:
        """An operator takes care of it, and of its session."""
        event = OperatorTookOver(edge.clock.now(), (who and who.operator) or key.name)
        return await _happen(edge, key, handoff, event, once=f"assign:{digest(once)}")

    @router.post("/{handoff}/resolve", status_code=202)
    async def resolve(handoff: Id, once: Once, key: Operating) -> shapes.Accepted:
        """It is done; the agent answers in the session again."""
        return await _happen(edge, key, handoff, Released(edge.clock.now()), once=f"resolve:{digest(once)}")

    return router


async def _happen(edge: Edge, key: Key, handoff: str, event: Event, *, once: str) -> shapes.Accepted:
    found: Handoff = there(await edge.store.run(stored.one_handoff, key.workspace, handoff))
    accepted = shapes.Accepted(id=f"api:{found.id}:{once}")
    if await edge.store.run(stored.was_seen, key.workspace, found.session, accepted.id):
        return accepted
    if found.status == "resolved" or (found.status == "assigned" and isinstance(event, OperatorTookOver)):
        raise HTTPException(409, f"this handoff is {found.status} already")
    if found.session:
        if not await edge.way_in.event(key.workspace, found.session, event, external_id=accepted.id):
            raise HTTPException(404, NOT_THERE)
        return accepted
    if isinstance(event, OperatorTookOver):
        raise HTTPException(409, "this handoff has no session to take over: call the contact, then resolve it")
    await edge.store.run(stored.resolve_alone, key.workspace, found.id, now=edge.clock.now())
    return accepted


def _shape(handoff: Handoff) -> shapes.HandoffShape:
    return shapes.HandoffShape(**asdict(handoff))
