"""Handoffs over the REST API: who waits for a person, and who takes care."""

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Depends, Header, HTTPException

from hilo.dialogue.events import OperatorTookOver, Released
from hilo.server import shapes
from hilo.server.access import Edge, Operating, Reading
from hilo.server.api_router import api_router
from hilo.server.edge import HttpEdge
from hilo.server.pages import Cursor, Limit, piece, place_of
from hilo.server.parameters import NOT_THERE, Id, IdempotencyKey, key_digest, or_404
from hilo.store import handoffs as stored
from hilo.store.api import OLDEST
from hilo.store.handoffs import HandoffEnding, plain_handoff, unknown_choice
from hilo.store.inbox import was_put
from hilo.store.keys import Key
from hilo.tools.database import micros

Waiting = Literal["pending", "assigned", "resolved"]
Languages = Annotated[str, Header(max_length=200)]


@dataclass(frozen=True, slots=True)
class _HandoffPiece:
    status: Waiting | None = None
    cursor: Cursor = ""
    limit: Limit = 50


router = api_router("/handoffs", "handoffs")


@router.get("")
async def handoffs(
    edge: Edge,
    key: Reading,
    which: Annotated[_HandoffPiece, Depends()],
    accept_language: Languages = "en",
) -> shapes.HandoffPage:
    """Handoffs, who has waited longest first."""
    after, at_most = place_of(which.cursor, OLDEST), which.limit + 1
    rows = await edge.store.run(stored.list_handoffs, key.workspace, which.status or "", after=after, at_most=at_most)
    found, following = piece(rows, which.limit, lambda each: (micros(each.created_at), each.id))
    language = _first(accept_language)
    items = [shapes.HandoffBody.model_validate(plain_handoff(each, language)) for each in found]
    return shapes.HandoffPage(items=items, next=following)


@router.get("/{handoff}")
async def handoff(edge: Edge, handoff: Id, key: Reading, accept_language: Languages = "en") -> shapes.HandoffDetails:
    """One handoff, with what a person has to know."""
    found = or_404(await edge.store.run(stored.one_handoff, key.workspace, handoff))
    return shapes.HandoffDetails.model_validate(plain_handoff(found, _first(accept_language)))


def _first(accepted: str) -> str:
    """The language that is wished for most, which stands first: `es-AR,es;q=0.9`."""
    return accepted.partition(",")[0].partition(";")[0].strip()


@router.post("/{handoff}/assign", status_code=202)
async def assign(
    edge: Edge, handoff: Id, once: IdempotencyKey, key: Operating, who: shapes.Operator | None = None
) -> shapes.AcceptedRequest:
    """An operator takes care of it, and of its session."""
    found = or_404(await edge.store.run(stored.one_handoff, key.workspace, handoff))
    accepted = shapes.AcceptedRequest(id=f"api:{found.id}:assign:{key_digest(once)}")
    event = OperatorTookOver(edge.clock.now(), key.acting(who.operator if who else None))
    if await edge.store.run(was_put, key.workspace, found.session, event, external_id=accepted.id):
        return accepted
    if found.status != "pending":
        raise HTTPException(409, f"this handoff is {found.status} already")
    if not found.session:
        raise HTTPException(409, "this handoff has no session to take over: call the contact, then resolve it")
    if not await edge.intake.event(key.workspace, found.session, event, external_id=accepted.id):
        raise HTTPException(404, NOT_THERE)
    return accepted


@router.post("/{handoff}/resolve", status_code=202)
async def resolve(
    edge: Edge, handoff: Id, once: IdempotencyKey, key: Operating, how: shapes.Release | None = None
) -> shapes.AcceptedRequest:
    """It is done; the agent answers in the session again."""
    found = or_404(await edge.store.run(stored.one_handoff, key.workspace, handoff))
    accepted, how = shapes.AcceptedRequest(id=f"api:{found.id}:resolve:{key_digest(once)}"), how or shapes.Release()
    ending = HandoffEnding(found.id, found.session, key.acting(how.operator), how.resolution)
    event = Released(edge.clock.now(), how.mode or "", tuple(how.calls), how.message or "", ending.by)
    if await edge.store.run(stored.was_ended, key.workspace, ending, event, external_id=accepted.id):
        return accepted
    if found.status == "resolved":
        raise HTTPException(409, "this handoff is resolved already")
    if found.session:
        await _give_back(edge, key, ending, event=event, external_id=accepted.id)
    elif how.mode or how.calls or how.message:
        raise HTTPException(409, "this handoff has no session: no mode, call or message can be chosen")
    else:
        await edge.store.run(stored.resolve_alone, key.workspace, ending, now=edge.clock.now())
    return accepted


async def _give_back(edge: HttpEdge, key: Key, ending: HandoffEnding, *, event: Released, external_id: str) -> None:
    """422 for a mode or a tool that the agent of the session does not have."""
    offers = await edge.store.run(stored.offers, key.workspace, ending.session)
    if wrong := unknown_choice(offers, mode=event.mode, tools=event.calls):
        raise HTTPException(422, wrong)
    if not await edge.intake.ending(key.workspace, ending, event, external_id=external_id):
        raise HTTPException(404, NOT_THERE)
