"""What an owner looks after: who did what, what it cost, and the keys of programs."""

import re
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any

from fastapi import HTTPException, Query
from pydantic import BaseModel, Field

from hilo.server.access import Administering, Edge, Reading
from hilo.server.api_router import api_router
from hilo.server.desk import agents_words, named
from hilo.server.edge import HttpEdge
from hilo.server.pages import Cursor, Limit, piece, place_of
from hilo.server.parameters import NOT_THERE, Id
from hilo.server.shapes import Name, RequestBody
from hilo.store.api import NEWEST
from hilo.store.desk import desk_rows
from hilo.store.desk_words import AgentWords
from hilo.store.keys import Key, Scope, add_key, keys, new_secret, revoke_key
from hilo.store.views import audit_entries, usage, usage_by_model

Days = Annotated[int, Query(ge=1, le=366)]
LAST = (1 << 31) - 1


class AuditContact(BaseModel):
    """Who a session is with, by what is known of them."""

    name: str
    phone: str
    address: str


class AuditBody(BaseModel):
    """Something that somebody did.

    In a session, `contact` is who it is with, and `names` is what its agent calls what the entry names.
    """

    number: int
    at: datetime
    actor: str
    action: str
    subject: str
    detail: dict[str, Any]
    contact: AuditContact | None = None
    names: dict[str, str] = Field(default_factory=dict)


class AuditPage(BaseModel):
    """A piece of the audit."""

    items: list[AuditBody]
    next: str | None


class StageCost(BaseModel):
    """What the turns of an agent took that one stage understood."""

    agent: str
    stage: str
    turns: int
    free_turns: int
    input_tokens: int
    output_tokens: int
    cost: Decimal
    half: float
    most: float


class ModelCost(BaseModel):
    """What a model cost."""

    model: str
    turns: int
    input_tokens: int
    output_tokens: int
    cost: Decimal


class UsageBody(BaseModel):
    """What turns cost in the last days, by agent and stage, and by model; `half` and `most` are milliseconds."""

    since: datetime
    stages: list[StageCost]
    models: list[ModelCost]


class KeyBody(BaseModel):
    """A key, without its secret."""

    id: str
    name: str
    scopes: list[str]
    created_at: datetime
    revoked_at: datetime | None


class KeyList(BaseModel):
    """Keys that work, and those that were revoked."""

    items: list[KeyBody]


class NewKey(RequestBody):
    """A key to be made."""

    name: Name
    scopes: Annotated[tuple[Scope, ...], Field(min_length=1, max_length=10)] = ("read",)


class NewKeyBody(KeyBody):
    """The key that was made; `secret` is told only now."""

    secret: str


router = api_router("", "administration")


@router.get("/audit")
async def audit(edge: Edge, key: Administering, cursor: Cursor = "", limit: Limit = 50) -> AuditPage:
    """Who did what, the newest first."""
    before = min(place_of(cursor, NEWEST)[0], LAST)
    rows = await edge.store.run(audit_entries, key.workspace, before=before, at_most=limit + 1)
    found, following = piece(rows, limit, lambda row: (row.number, ""))
    items = [AuditBody.model_validate(asdict(each)) for each in found]
    await _tell_whom(edge, key, items)
    return AuditPage(items=items, next=following)


async def _tell_whom(edge: HttpEdge, key: Key, entries: Sequence[AuditBody]) -> None:
    """Entries name sessions, tools and slots as programs do; people know them by other names."""
    sessions = {each.subject.split(" ")[0] for each in entries if each.subject.startswith("session_")}
    rows = {row.session: row for row in await edge.store.run(desk_rows, key.workspace, sessions)}
    words = await agents_words(edge, key, {row.agent for row in rows.values()})
    for entry in entries:
        if row := rows.get(entry.subject.split(" ")[0]):
            known = words.get(row.agent, AgentWords())
            contact = named(row, known).contact
            entry.contact = AuditContact(name=contact["name"], phone=contact["phone"], address=row.address)
            said = set(re.findall(r"\w+", f"{entry.subject} {entry.detail}"))
            entry.names = {name: label for name, label in known.names.items() if name in said}


@router.get("/usage")
async def used(edge: Edge, key: Reading, days: Days = 30) -> UsageBody:
    """Tokens, money and time."""
    since = edge.clock.now() - timedelta(days=days)
    stages = await edge.store.run(usage, key.workspace, since=since)
    models = await edge.store.run(usage_by_model, key.workspace, since=since)
    return UsageBody(
        since=since,
        stages=[StageCost.model_validate(asdict(each)) for each in stages],
        models=[ModelCost.model_validate(asdict(each)) for each in models],
    )


@router.get("/keys")
async def all_keys(edge: Edge, key: Administering) -> KeyList:
    """The keys of programs, without their secrets."""
    return KeyList(items=[_key(each) for each in await edge.store.run(keys, key.workspace)])


@router.post("/keys", status_code=201)
async def add(edge: Edge, new: NewKey, key: Administering) -> NewKeyBody:
    """Make a key; its secret is answered once."""
    secret, now = new_secret(), edge.clock.now()
    made = await edge.store.run(
        add_key, key.workspace, new.name, secret=secret, scopes=new.scopes, now=now, by=key.name
    )
    listed = {"id": made, "name": new.name, "scopes": list(new.scopes), "created_at": now, "revoked_at": None}
    return NewKeyBody.model_validate({**listed, "secret": secret})


@router.delete("/keys/{id}", status_code=204)
async def revoke(edge: Edge, id: Id, key: Administering) -> None:  # noqa: A002 -- its name in the address
    """End a key, at once and for ever."""
    if not await edge.store.run(revoke_key, key.workspace, id, now=edge.clock.now(), by=key.name):
        raise HTTPException(404, NOT_THERE)


def _key(key: Key) -> KeyBody:
    return KeyBody(
        id=key.id, name=key.name, scopes=list(key.scopes), created_at=key.created_at, revoked_at=key.revoked_at
    )
