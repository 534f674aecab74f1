"""The REST API: looking at sessions, and what a person may do with them. All of it within the key's workspace."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException

from hilo.dialogue.events import Closed, Event, OperatorCalled, OperatorTookOver, Paused, Released, Resumed, Told
from hilo.dialogue.stored import Arguments, decode
from hilo.messages import Button, Outbound
from hilo.server import shapes
from hilo.server.access import allowed
from hilo.server.edge import HttpEdge
from hilo.server.events import event_routes
from hilo.server.handoffs import handoff_routes
from hilo.server.pages import Cursor, Limit, piece, place_of
from hilo.server.parameters import NOT_THERE, Id, IdempotencyKey, Word, key_digest, or_404
from hilo.server.problems import ProblemDetails
from hilo.server.undelivered import undelivered_routes
from hilo.store import api as stored
from hilo.store.api import NEWEST, NotSpoken, Words
from hilo.store.handoffs import offers, read_offers, unknown_choice
from hilo.store.keys import Key
from hilo.tools.database import Row, moment

ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemDetails, "content": {"application/problem+json": {}}, "description": words}
    for status, words in {
        400: "The body is not JSON", 401: "No key that works", 403: "The key may not do this",
        404: "There is no such thing in this workspace", 409: "Not in this state", 413: "Too large",
        422: "Not what is described here, or an Idempotency-Key that was used for something else", 503: "Try again",
    }.items()
}  # fmt: skip


def api_routes(edge: HttpEdge) -> APIRouter:
    """Everything under `/api/v1`."""
    router = APIRouter(prefix="/api/v1", responses=ERRORS)
    _add_reading(router, edge)
    _add_contacts(router, edge)
    _add_speaking(router, edge)
    _add_calls(router, edge)
    for name, (words, event) in ACTS.items():
        _add_act(router, edge, name, words, event)
    router.include_router(handoff_routes(edge))
    router.include_router(undelivered_routes(edge))
    router.include_router(event_routes(edge))
    return router


def _add_reading(router: APIRouter, edge: HttpEdge) -> None:
    Reader = Annotated[Key, Depends(allowed(edge, "read"))]  # noqa: N806 -- a type

    @router.get("/agents", tags=["agents"])
    async def agents(key: Reader) -> shapes.AgentList:
        """Agents in the version that is in force."""
        rows = await edge.store.run(stored.list_agents, key.workspace)
        return shapes.AgentList(items=list(map(_agent, rows)))

    @router.get("/sessions", tags=["sessions"])
    async def sessions(
        key: Reader, which: Annotated[stored.Which, Depends(_which)], cursor: Cursor = "", limit: Limit = 50
    ) -> shapes.SessionPage:
        """Sessions, the newest first."""
        before = place_of(cursor, NEWEST)
        rows = await edge.store.run(stored.list_sessions, key.workspace, which, before=before, at_most=limit + 1)
        found, following = piece(rows, limit, lambda row: (row["last_at"], row["id"]))
        return shapes.SessionPage(items=[_session(row) for row in found], next=following)

    @router.get("/sessions/{session}", tags=["sessions"])
    async def session(session: Id, key: Reader) -> shapes.SessionBody:
        """One session."""
        return _session(or_404(await edge.store.run(stored.one_session, key.workspace, session)))

    @router.get("/sessions/{session}/turns", tags=["sessions"])
    async def turns(session: Id, key: Reader, cursor: Cursor = "", limit: Limit = 50) -> shapes.TurnPage:
        """What happened in a session, the newest turn first."""
        before = min(place_of(cursor, NEWEST)[0], (1 << 31) - 1)
        rows = await edge.store.run(stored.list_turns, key.workspace, session, before=before, at_most=limit + 1)
        found, following = piece(or_404(rows), limit, lambda row: (row["number"], ""))
        return shapes.TurnPage(items=list(map(_turn, found)), next=following)

    @router.get("/sessions/{session}/messages", tags=["sessions"])
    async def messages(session: Id, key: Reader, cursor: Cursor = "", limit: Limit = 50) -> shapes.MessagePage:
        """What both sides said, the newest first."""
        before = place_of(cursor, NEWEST)
        rows = await edge.store.run(stored.list_messages, key.workspace, session, before=before, at_most=limit + 1)
        found, following = piece(or_404(rows), limit, lambda row: (row["at"], row["id"]))
        items = [shapes.MessageBody.model_validate(stored.shown(row), from_attributes=True) for row in found]
        return shapes.MessagePage(items=items, next=following)


def _add_contacts(router: APIRouter, edge: HttpEdge) -> None:
    Reader = Annotated[Key, Depends(allowed(edge, "read"))]  # noqa: N806 -- a type

    @router.get("/contacts", tags=["contacts"])
    async def contacts(key: Reader, cursor: Cursor = "", limit: Limit = 50) -> shapes.ContactPage:
        """Contacts, the newest first."""
        before = place_of(cursor, NEWEST)
        rows = await edge.store.run(stored.list_contacts, key.workspace, before=before, at_most=limit + 1)
        found, following = piece(rows, limit, lambda row: (row["created_at"], row["id"]))
        items = [_timed(row, "created_at") for row in found]
        return shapes.ContactPage.model_validate({"items": items, "next": following})

    @router.get("/contacts/{contact}", tags=["contacts"])
    async def contact(contact: Id, key: Reader) -> shapes.ContactDetails:
        """One contact, with the addresses; `/sessions?contact=` lists what was talked about."""
        row, addresses = or_404(await edge.store.run(stored.one_contact, key.workspace, contact))
        where = [{**_timed(each, "heard_at"), "channel": each["channel_id"]} for each in addresses]
        return shapes.ContactDetails.model_validate({**_timed(row, "created_at"), "addresses": where})


def _add_speaking(router: APIRouter, edge: HttpEdge) -> None:
    Writer = Annotated[Key, Depends(allowed(edge, "write"))]  # noqa: N806 -- a type

    @router.post("/sessions/{session}/messages", status_code=202, tags=["operators"])
    async def say(session: Id, message: shapes.NewMessage, once: IdempotencyKey, key: Writer) -> shapes.AcceptedRequest:
        """Say something to the contact, as an operator who holds the session."""
        message_id = f"{session}.operator.{key_digest(once)}"
        buttons = tuple(Button(each.payload, each.title) for each in message.buttons)
        words = Words(key.workspace, session, message_id, Outbound(message.text, buttons))
        spoken = await edge.intake.words(words)
        if isinstance(spoken, NotSpoken) and spoken.why == "not held":
            raise HTTPException(409, "no operator holds this session: take it over first")
        if isinstance(spoken, NotSpoken):
            raise HTTPException(404, NOT_THERE)
        return shapes.AcceptedRequest(id=message_id)


def _add_calls(router: APIRouter, edge: HttpEdge) -> None:
    Reader = Annotated[Key, Depends(allowed(edge, "read"))]  # noqa: N806 -- a type
    Operating = Annotated[Key, Depends(allowed(edge, "operate"))]  # noqa: N806 -- a type

    @router.post("/sessions/{session}/calls", status_code=202, tags=["operators"])
    async def call(session: Id, wanted: shapes.NewCall, once: IdempotencyKey, key: Operating) -> shapes.AcceptedRequest:
        """Have a tool run, whoever holds the session and whatever its mode."""
        if wrong := unknown_choice(await edge.store.run(offers, key.workspace, session), tools=(wanted.tool,)):
            raise HTTPException(422, wrong)
        external_id, who = f"api:{session}:call:{key_digest(once)}", wanted.operator or key.name
        event = OperatorCalled(edge.clock.now(), wanted.tool, wanted.arguments, who, wanted.tell)
        if not await edge.intake.event(key.workspace, session, event, external_id=external_id):
            raise HTTPException(404, NOT_THERE)
        return shapes.AcceptedRequest(id=external_id)

    @router.get("/sessions/{session}/calls", tags=["sessions"])
    async def calls(session: Id, key: Reader, cursor: Cursor = "", limit: Limit = 50) -> shapes.CallPage:
        """What tools were called with and came to, the newest first."""
        before = place_of(cursor, NEWEST)
        rows = await edge.store.run(stored.list_calls, key.workspace, session, before=before, at_most=limit + 1)
        found, following = piece(or_404(rows), limit, lambda row: (row["started_at"], row["id"]))
        return shapes.CallPage(items=list(map(_call, found)), next=following)


ACTS: Mapping[str, tuple[str, Callable[[datetime, str], Event]]] = {
    "take-over": ("An operator answers from now on.", OperatorTookOver),
    "release": ("The agent answers again.", lambda at, _operator: Released(at)),
    "pause": ("The agent is quiet until it is resumed.", lambda at, _operator: Paused(at)),
    "resume": ("The pause is over.", lambda at, _operator: Resumed(at)),
    "close": ("The session is over; the next message opens another.", lambda at, _operator: Closed(at)),
}


def _add_act(router: APIRouter, edge: HttpEdge, name: str, words: str, event: Callable[[datetime, str], Event]) -> None:
    Operating = Annotated[Key, Depends(allowed(edge, "operate"))]  # noqa: N806 -- a type

    async def act(
        session: Id, once: IdempotencyKey, key: Operating, who: shapes.Operator | None = None
    ) -> shapes.AcceptedRequest:
        external_id = f"api:{session}:{name}:{key_digest(once)}"
        happened = event(edge.clock.now(), (who and who.operator) or key.name)
        if not await edge.intake.event(key.workspace, session, happened, external_id=external_id):
            raise HTTPException(404, NOT_THERE)
        return shapes.AcceptedRequest(id=external_id)

    path, about = f"/sessions/{{session}}/{name}", {"name": name, "description": words}
    router.add_api_route(path, act, methods=["POST"], status_code=202, tags=["operators"], **about)  # type: ignore[arg-type]


def _which(
    status: shapes.Status | None = None, agent: Word = "", channel: Word = "", contact: Word = ""
) -> stored.Which:
    return stored.Which(status or "", agent, channel, contact)


def _timed(row: Row, *names: str) -> dict[str, Any]:
    plain = dict(row)
    return plain | {name: None if plain[name] is None else moment(plain[name]) for name in names}


def _agent(row: Row) -> shapes.AgentBody:
    found = read_offers(row["offers"])
    chosen = {"modes": found.modes, "tools": found.tools} if found else {"modes": (), "tools": {}}
    return shapes.AgentBody.model_validate({**_timed(row, "published_at"), **chosen})


def _turn(row: Row) -> shapes.TurnBody:
    trace = json.loads(row["trace"])
    refused = [_refusal(each) for each in trace.get("refused", ())]
    plain = {**_timed(row, "at"), "said": json.loads(row["said"]), "refused": refused}
    return shapes.TurnBody.model_validate({**plain, "errors": trace.get("errors", [])})


def _refusal(stored: Any) -> str:
    """A command and why it was refused; older versions stored both as texts."""
    if isinstance(stored, list):
        return ": ".join(stored)
    command = dict(stored["command"])
    return f"{command.pop('is')}({', '.join(map(str, command.values()))}): {stored['reason']}"


def _call(row: Row) -> shapes.CallBody:
    event = next(iter(decode(Told, row["told"])), None) if row["told"] else None
    values = {name: _recorded(row[name]) for name in ("arguments", "outputs")}
    operator = event.operator if isinstance(event, OperatorCalled) else ""
    return shapes.CallBody.model_validate({**_timed(row, "started_at", "ended_at"), **values, "operator": operator})


def _recorded(stored: str | None) -> Any:
    """As JSON has it: exact numbers are texts."""
    return json.loads(json.dumps(decode(Arguments, stored), default=str)) if stored else {}


def _session(row: Row) -> shapes.SessionBody:
    plain = _timed(row, "started_at", "heard_at", "last_at")
    return shapes.SessionBody.model_validate({**plain, "channel": plain["channel_id"], "contact": plain["contact_id"]})
