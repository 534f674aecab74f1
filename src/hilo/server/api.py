"""The REST API: looking at sessions, and what a person may do with them. All of it within the key's workspace."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Annotated

from fastapi import Depends, HTTPException

from hilo.dialogue.events import Closed, Event, OperatorCalled, OperatorTookOver, Paused, Released, Resumed
from hilo.server import (
    administration,
    campaigns,
    channels,
    desk,
    desk_acts,
    events,
    handoffs,
    media,
    mode_map,
    numbers,
    people,
    shapes,
    speaking,
    stream,
    undelivered,
    versions,
)
from hilo.server.access import Edge, Operating, Reading
from hilo.server.api_router import api_router
from hilo.server.bodies_of import (
    agent_body,
    call_body,
    contact_body,
    message_body,
    session_body,
    timed,
    turn_body,
)
from hilo.server.edge import HttpEdge
from hilo.server.pages import Cursor, Limit, piece, place_of
from hilo.server.parameters import NOT_THERE, Id, IdempotencyKey, Word, key_digest, or_404
from hilo.server.problems import Taken
from hilo.store import api as stored
from hilo.store.api import NEWEST
from hilo.store.handoffs import offers, unknown_choice
from hilo.store.keepers import Keeper, keeper
from hilo.store.keys import Key
from hilo.store.media import find_media


def _which(
    status: shapes.Status | None = None, agent: Word = "", channel: Word = "", contact: Word = ""
) -> stored.Which:
    return stored.Which(status or "", agent, channel, contact)


router = api_router()


@router.get("/agents", tags=["agents"])
async def agents(edge: Edge, key: Reading) -> shapes.AgentList:
    """Agents in the version that is in force."""
    rows = await edge.store.run(stored.list_agents, key.workspace)
    return shapes.AgentList(items=list(map(agent_body, rows)))


@router.get("/sessions", tags=["sessions"])
async def sessions(
    edge: Edge, key: Reading, which: Annotated[stored.Which, Depends(_which)], cursor: Cursor = "", limit: Limit = 50
) -> shapes.SessionPage:
    """Sessions, the newest first."""
    before = place_of(cursor, NEWEST)
    rows = await edge.store.run(stored.list_sessions, key.workspace, which, before=before, at_most=limit + 1)
    found, following = piece(rows, limit, lambda row: (row["last_at"], row["id"]))
    return shapes.SessionPage(items=[session_body(row) for row in found], next=following)


@router.get("/sessions/{session}", tags=["sessions"])
async def session(edge: Edge, session: Id, key: Reading) -> shapes.SessionBody:
    """One session."""
    return session_body(or_404(await edge.store.run(stored.one_session, key.workspace, session)))


@router.get("/sessions/{session}/turns", tags=["sessions"])
async def turns(edge: Edge, session: Id, key: Reading, cursor: Cursor = "", limit: Limit = 50) -> shapes.TurnPage:
    """What happened in a session, the newest turn first."""
    before = min(place_of(cursor, NEWEST)[0], (1 << 31) - 1)
    rows = await edge.store.run(stored.list_turns, key.workspace, session, before=before, at_most=limit + 1)
    found, following = piece(or_404(rows), limit, lambda row: (row["number"], ""))
    return shapes.TurnPage(items=list(map(turn_body, found)), next=following)


@router.get("/sessions/{session}/messages", tags=["sessions"])
async def messages(edge: Edge, session: Id, key: Reading, cursor: Cursor = "", limit: Limit = 50) -> shapes.MessagePage:
    """What both sides said, the newest first; a file has its address in `url` as soon as it is here."""
    before = place_of(cursor, NEWEST)
    rows = await edge.store.run(stored.list_messages, key.workspace, session, before=before, at_most=limit + 1)
    found, following = piece(or_404(rows), limit, lambda row: (row["at"], row["id"]))
    items = [stored.shown(row) for row in found]
    named = [each["media"] for item in items for each in item.attachments if each.get("media")]
    media = await edge.store.run(find_media, key.workspace, named)
    return shapes.MessagePage(items=[message_body(each, media) for each in items], next=following)


@router.get("/contacts", tags=["contacts"])
async def contacts(edge: Edge, key: Reading, cursor: Cursor = "", limit: Limit = 50) -> shapes.ContactPage:
    """Contacts, the newest first."""
    before = place_of(cursor, NEWEST)
    rows = await edge.store.run(stored.list_contacts, key.workspace, before=before, at_most=limit + 1)
    found, following = piece(rows, limit, lambda row: (row["created_at"], row["id"]))
    items = [timed(row, "created_at") for row in found]
    return shapes.ContactPage.model_validate({"items": items, "next": following})


@router.get("/contacts/{contact}", tags=["contacts"])
async def contact(edge: Edge, contact: Id, key: Reading) -> shapes.ContactDetails:
    """One contact, with the addresses; `/sessions?contact=` lists what was talked about."""
    return contact_body(*or_404(await edge.store.run(stored.one_contact, key.workspace, contact)))


@router.post("/sessions/{session}/calls", status_code=202, tags=["operators"])
async def call(
    edge: Edge, session: Id, wanted: shapes.NewCall, once: IdempotencyKey, key: Operating
) -> shapes.AcceptedRequest:
    """Have a tool run, whoever holds the session and whatever its mode."""
    if wrong := unknown_choice(await edge.store.run(offers, key.workspace, session), tools=(wanted.tool,)):
        raise HTTPException(422, wrong)
    external_id, who = f"api:{session}:call:{key_digest(once)}", key.acting(wanted.operator)
    event = OperatorCalled(edge.clock.now(), wanted.tool, wanted.arguments, who, wanted.tell)
    if not await edge.intake.event(key.workspace, session, event, external_id=external_id):
        raise HTTPException(404, NOT_THERE)
    return shapes.AcceptedRequest(id=external_id)


@router.get("/sessions/{session}/calls", tags=["sessions"])
async def calls(edge: Edge, session: Id, key: Reading, cursor: Cursor = "", limit: Limit = 50) -> shapes.CallPage:
    """What tools were called with and came to, the newest first."""
    before = place_of(cursor, NEWEST)
    rows = await edge.store.run(stored.list_calls, key.workspace, session, before=before, at_most=limit + 1)
    found, following = piece(or_404(rows), limit, lambda row: (row["started_at"], row["id"]))
    return shapes.CallPage(items=list(map(call_body, found)), next=following)


@router.post("/sessions/{session}/take-over", status_code=202, tags=["operators"], name="take-over")
async def take_over(
    edge: Edge, session: Id, once: IdempotencyKey, key: Operating, who: shapes.Taking | None = None
) -> shapes.AcceptedRequest:
    """An operator answers from now on; 409 with who has it when another one does."""
    who, external_id = who or shapes.Taking(), f"api:{session}:take-over:{key_digest(once)}"
    event = OperatorTookOver(edge.clock.now(), key.acting(who.operator))
    taking = edge.intake.taking(key.workspace, session, event, external_id=external_id, instead_of=who.instead_of or "")
    taken = await taking
    if isinstance(taken, Keeper):
        raise Taken(taken.operator, taken.since)
    if not taken:
        raise HTTPException(404, NOT_THERE)
    return shapes.AcceptedRequest(id=external_id)


ACTS: Mapping[str, tuple[str, Callable[[datetime, str], Event]]] = {
    "release": ("The agent answers again.", lambda at, who: Released(at, operator=who)),
    "pause": ("The agent is quiet until it is resumed.", Paused),
    "resume": ("The pause is over.", Resumed),
    "close": ("The session is over; the next message opens another.", Closed),
}


def _add_act(name: str, words: str, event: Callable[[datetime, str], Event]) -> None:
    async def act(
        edge: Edge, session: Id, once: IdempotencyKey, key: Operating, who: shapes.Operator | None = None
    ) -> shapes.AcceptedRequest:
        external_id = f"api:{session}:{name}:{key_digest(once)}"
        if key.person:
            await _check_keeper(edge, key, session)
        happened = event(edge.clock.now(), key.acting(who.operator if who else None))
        if not await edge.intake.event(key.workspace, session, happened, external_id=external_id):
            raise HTTPException(404, NOT_THERE)
        return shapes.AcceptedRequest(id=external_id)

    path, about = f"/sessions/{{session}}/{name}", {"name": name, "description": words}
    router.add_api_route(path, act, methods=["POST"], status_code=202, tags=["operators"], **about)  # type: ignore[arg-type]


async def _check_keeper(edge: HttpEdge, key: Key, session: str) -> None:
    """A person does nothing with a session that a colleague has."""
    found = await edge.store.run(keeper, key.workspace, session)
    if found.operator not in ("", key.name):
        raise Taken(found.operator, found.since)


def _add_parts() -> None:
    for name, (words, event) in ACTS.items():
        _add_act(name, words, event)
    for part in (
        *(campaigns, speaking, media, handoffs, undelivered, events),
        *(people, desk, desk_acts, stream, numbers, mode_map),
        *(versions, administration, channels),
    ):
        # included, each route would be built a second time
        router.routes.extend(part.router.routes)


_add_parts()
