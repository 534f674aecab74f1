"""Versions of agents over the REST API: which there are, what one changes, going back, and sessions run again."""

from datetime import datetime

from fastapi import HTTPException
from pydantic import BaseModel

from hilo.errors import HiloError
from hilo.server.access import Authoring, Edge, Reading
from hilo.server.api_router import api_router
from hilo.server.edge import Archive, HttpEdge
from hilo.server.parameters import NOT_THERE, Id, Word, or_404
from hilo.server.shapes import Name, RequestBody
from hilo.store.keys import Key
from hilo.store.registry import Registered, VersionChoice, put_in_force, registered


class VersionBody(BaseModel):
    """A version that is kept; `by` and `at` are of the last time it came into force."""

    version: str
    published_at: datetime
    in_force: bool
    at: datetime | None
    by: str
    open_sessions: int


class VersionList(BaseModel):
    """The versions of an agent, the newest first."""

    agent: str
    items: list[VersionBody]


class ChosenVersion(RequestBody):
    """The version that new sessions shall begin on."""

    version: Name


class ChangeBody(BaseModel):
    """One thing that is another in a version, in words."""

    part: str
    kind: str
    what: str
    before: str
    after: str


class DifferenceBody(BaseModel):
    """What the version `after` changes against `before`."""

    before: str
    after: str
    items: list[ChangeBody]


class TurnChange(BaseModel):
    """What would be there in place of what was there; `kind` is wording, path, tool or money."""

    kind: str
    before: str
    after: str


class ReplayedTurnBody(BaseModel):
    """A turn that the version in force would answer otherwise."""

    number: int
    event: str
    heard: str
    kind: str
    changes: list[TurnChange]


class ReplayBody(BaseModel):
    """A session run again; `changes` is what the version in force, `edited`, would do otherwise.

    `broken` says where it is not what was recorded (nowhere, if all is well), `stopped` why later turns are not known.
    """

    version: str
    edited: str
    turns: int
    broken: list[str]
    changes: list[ReplayedTurnBody]
    stopped: str


router = api_router("", "agents")


@router.get("/agents/{agent}/versions")
async def versions(edge: Edge, agent: Id, key: Reading) -> VersionList:
    """Every version that was published, who put it in force and how many sessions are open on it."""
    return _versions(await _registered(edge, key, agent))


@router.post("/agents/{agent}/in-force")
async def choose(edge: Edge, agent: Id, chosen: ChosenVersion, key: Authoring) -> VersionList:
    """Let new sessions begin on a version that is kept; open ones stay on theirs. Twice changes nothing."""
    found = await _registered(edge, key, agent)
    if chosen.version not in {each.version for each in found.versions}:
        raise HTTPException(404, NOT_THERE)
    choice = VersionChoice(agent, chosen.version, key.name, "rolled back")
    await edge.store.run(put_in_force, key.workspace, choice, now=edge.clock.now())
    return _versions(await _registered(edge, key, agent))


@router.get("/agents/{agent}/difference")
async def differ(edge: Edge, agent: Id, key: Reading, before: Word = "", after: Word = "") -> DifferenceBody:
    """What a version changes: without names, the one in force against the one before it."""
    found = await _registered(edge, key, agent)
    after = after or found.in_force.version
    before = before or found.before or after
    try:
        changes = await _archive(edge).difference(key.workspace, agent, before, after)
    except HiloError as error:
        raise HTTPException(409, str(error)) from None
    items = [ChangeBody.model_validate(each) for each in or_404(changes)]
    return DifferenceBody(before=before, after=after, items=items)


@router.get("/sessions/{session}/replay", tags=["sessions"])
async def replay(edge: Edge, session: Id, key: Reading) -> ReplayBody:
    """Run a session again with what was understood and what tools returned then; nothing is called or sent."""
    try:
        found = await _archive(edge).replay(key.workspace, session)
    except HiloError as error:
        raise HTTPException(409, str(error)) from None
    return ReplayBody.model_validate(or_404(found))


async def _registered(edge: HttpEdge, key: Key, agent: str) -> Registered:
    found = await edge.store.run(registered, key.workspace, agent)
    return or_404(found[0] if found else None)


def _archive(edge: HttpEdge) -> Archive:
    return or_404(edge.archive)


def _versions(agent: Registered) -> VersionList:
    items = []
    for each in reversed(agent.versions):
        last = agent.last(each.version)
        items.append(
            VersionBody(
                version=each.version,
                published_at=each.published_at,
                in_force=each.version == agent.in_force.version,
                at=last.at if last else None,
                by=last.actor if last else "",
                open_sessions=each.open_sessions,
            )
        )
    return VersionList(agent=agent.name, items=items)
