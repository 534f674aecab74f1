"""What people do beside answering: notes, canned replies, handing a session on, correcting, keeping promises."""

from typing import Annotated

from fastapi import HTTPException, Path

from hilo.dialogue.events import OperatorCorrected, OperatorTookOver, Released
from hilo.messages import Address
from hilo.server import panel_shapes as shapes
from hilo.server.access import Edge, Operating, Reading
from hilo.server.api_router import api_router
from hilo.server.bodies_of import timed
from hilo.server.edge import HttpEdge
from hilo.server.pages import Cursor, Limit, piece, place_of
from hilo.server.parameters import NOT_THERE, Id, IdempotencyKey, key_digest, or_404
from hilo.server.problems import Taken
from hilo.server.shapes import AcceptedRequest
from hilo.store import desk_acts as stored
from hilo.store.api import NEWEST
from hilo.store.desk import contact_of, whole_session
from hilo.store.desk_acts import Note, NotHanded
from hilo.store.handoffs import offers, unknown_choice
from hilo.store.keepers import Keeper, keeper
from hilo.store.keys import Key
from hilo.store.people import one_person, people

ReplyName = Annotated[str, Path(pattern=r"^[\w-]+$", max_length=60)]


router = api_router("", "panel")


@router.post("/sessions/{session}/notes", status_code=202)
async def add(edge: Edge, session: Id, note: shapes.NewNote, once: IdempotencyKey, key: Operating) -> AcceptedRequest:
    """Leave a note for colleagues; the contact never sees it."""
    new = Note(f"note_{key_digest(f'{key.workspace} {session} {once}')}", key.name, note.text)
    if not await edge.store.run(stored.add_note, key.workspace, session, new, now=edge.clock.now()):
        raise HTTPException(404, NOT_THERE)
    return AcceptedRequest(id=new.id)


@router.get("/sessions/{session}/notes")
async def notes(edge: Edge, session: Id, key: Reading, cursor: Cursor = "", limit: Limit = 50) -> shapes.NotePage:
    """Notes of a session, the newest first."""
    before = place_of(cursor, NEWEST)
    rows = await edge.store.run(stored.list_notes, key.workspace, session, before=before, at_most=limit + 1)
    found, following = piece(or_404(rows), limit, lambda row: (row["at"], row["id"]))
    items = [shapes.NoteBody.model_validate(timed(row, "at")) for row in found]
    return shapes.NotePage(items=items, next=following)


@router.get("/replies")
async def replies(edge: Edge, key: Reading) -> shapes.ReplyList:
    """All canned replies."""
    rows = await edge.store.run(stored.replies, key.workspace)
    return shapes.ReplyList(items=[shapes.ReplyBody(name=row["name"], text=row["text"]) for row in rows])


@router.get("/replies/{name}")
async def reply(edge: Edge, name: ReplyName, key: Reading) -> shapes.ReplyBody:
    """One canned reply."""
    rows = await edge.store.run(stored.replies, key.workspace, name)
    found = or_404(rows[0] if rows else None)
    return shapes.ReplyBody(name=found["name"], text=found["text"])


@router.put("/replies/{name}")
async def put(edge: Edge, name: ReplyName, words: shapes.ReplyText, key: Operating) -> shapes.ReplyBody:
    """Keep a canned reply, or new words for it."""
    await edge.store.run(stored.put_reply, key.workspace, name, words.text)
    return shapes.ReplyBody(name=name, text=words.text)


@router.delete("/replies/{name}", status_code=204)
async def remove(edge: Edge, name: ReplyName, key: Operating) -> None:
    """Forget a canned reply."""
    if not await edge.store.run(stored.remove_reply, key.workspace, name):
        raise HTTPException(404, NOT_THERE)


@router.post("/sessions/{session}/read", status_code=204)
async def read(edge: Edge, session: Id, key: Operating) -> None:
    """Everything up to now has been read."""
    if not await edge.store.run(stored.mark_read, key.workspace, session, by=key.name, now=edge.clock.now()):
        raise HTTPException(404, NOT_THERE)


@router.post("/sessions/{session}/typing", status_code=204)
async def typing(edge: Edge, session: Id, key: Operating) -> None:
    """Colleagues see that somebody writes; the contact too, if it is who has the session."""
    now = edge.clock.now()
    if not await edge.store.run(stored.tell_sign, key.workspace, session, "typing", by=key.name, now=now):
        raise HTTPException(404, NOT_THERE)
    whose = await edge.store.run(keeper, key.workspace, session)
    contact = await edge.store.run(contact_of, key.workspace, session) if whose.operator == key.name else None
    channel = await edge.channels.find(contact.channel) if contact else None
    if contact and channel:
        await channel.typing(Address(contact.channel, contact.address), answering="")


@router.post("/sessions/{session}/timers/{timer}/fire", status_code=202)
async def fire(edge: Edge, session: Id, timer: Id, key: Operating) -> AcceptedRequest:
    """Keep a promise now rather than when it is due."""
    if not await edge.intake.timer(key.workspace, session, timer, by=key.name):
        raise HTTPException(404, NOT_THERE)
    return AcceptedRequest(id=timer)


@router.post("/sessions/{session}/timers/{timer}/cancel", status_code=202)
async def cancel(edge: Edge, session: Id, timer: Id, key: Operating) -> AcceptedRequest:
    """Take a promise back."""
    now = edge.clock.now()
    if not await edge.store.run(stored.cancel_timer, key.workspace, session, timer, by=key.name, now=now):
        raise HTTPException(404, NOT_THERE)
    return AcceptedRequest(id=timer)


@router.post("/sessions/{session}/transfer", status_code=202)
async def transfer(
    edge: Edge, session: Id, to: shapes.Transfer, once: IdempotencyKey, key: Operating
) -> AcceptedRequest:
    """Hand a session to a colleague, or let it wait for anybody of a team."""
    external_id = f"api:{session}:transfer:{key_digest(once)}"
    if (to.operator is None) == (to.team is None):
        raise HTTPException(422, "say either an operator or a team")
    if to.team:
        await _to_team(edge, key, session, to.team)
        return AcceptedRequest(id=external_id)
    colleague = await edge.store.run(one_person, key.workspace, name=to.operator or "")
    if colleague is None:
        raise HTTPException(422, f"operator: nobody here is called {to.operator}")
    event = OperatorTookOver(edge.clock.now(), colleague.name)
    ids = {"external_id": external_id, "instead_of": key.name, "passed_by": key.name}
    taken = await edge.intake.taking(key.workspace, session, event, **ids)
    if isinstance(taken, Keeper):
        raise Taken(taken.operator, taken.since)
    if not taken:
        raise HTTPException(404, NOT_THERE)
    return AcceptedRequest(id=external_id)


async def _to_team(edge: HttpEdge, key: Key, session: str, team: str) -> None:
    teams = {name for each in await edge.store.run(people, key.workspace) for name in each.teams}
    if team not in teams:
        raise HTTPException(422, f"team: nobody belongs to {team}")
    refused = await edge.store.run(stored.hand_to_team, key.workspace, session, team, by=key.name, now=edge.clock.now())
    match refused:
        case NotHanded(why="absent"):
            raise HTTPException(404, NOT_THERE)
        case NotHanded(why="another's", operator=operator):
            raise Taken(operator, None)
        case NotHanded():
            raise HTTPException(409, "the agent holds this session: take it over first")


@router.post("/sessions/{session}/correct", status_code=202)
async def correct(
    edge: Edge, session: Id, wanted: shapes.SlotCorrection, once: IdempotencyKey, key: Operating
) -> AcceptedRequest:
    """Give a slot another value; the slot's type may refuse it. Only who has the session may."""
    found = or_404(await edge.store.run(whole_session, key.workspace, session))
    has = await edge.store.run(keeper, key.workspace, session)
    if has.operator not in ("", key.name) and key.person:
        raise Taken(has.operator, has.since)
    if found.desk.holder != "operator":
        raise HTTPException(409, "the agent holds this session: take it over first")
    external_id = f"api:{session}:correct:{key_digest(once)}"
    event = OperatorCorrected(edge.clock.now(), wanted.slot, wanted.value, key.name)
    if not await edge.intake.event(key.workspace, session, event, external_id=external_id):
        raise HTTPException(404, NOT_THERE)
    return AcceptedRequest(id=external_id)


@router.post("/sessions/{session}/preview")
async def preview(edge: Edge, session: Id, wanted: shapes.PreviewRequest, key: Reading) -> shapes.PreviewBody:
    """What the agent would say if it got the session back now; nothing is done."""
    found = or_404(await edge.store.run(whole_session, key.workspace, session))
    choices = await edge.store.run(offers, key.workspace, session)
    if wrong := unknown_choice(choices, mode=wanted.mode or "", tools=wanted.calls):
        raise HTTPException(422, wrong)
    if edge.sight is None:
        raise HTTPException(503, "no agents are served here")
    event = Released(edge.clock.now(), wanted.mode or "", tuple(wanted.calls), wanted.message or "")
    seen = await edge.sight.preview(key.workspace, session, found.state, event)
    return shapes.PreviewBody(messages=list(seen.messages), mode=seen.mode, runs=list(seen.runs))
