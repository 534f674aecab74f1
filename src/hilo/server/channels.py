"""Channels, as an owner looks after them: connecting, pausing, trying and ending one, and whether it works."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Annotated

from fastapi import HTTPException
from pydantic import BaseModel, Field, StringConstraints

from hilo.errors import HiloError
from hilo.server.access import Administering, Edge
from hilo.server.api_router import api_router
from hilo.server.edge import ChannelField, ChannelSetup, HttpEdge, NewConnection
from hilo.server.parameters import NOT_THERE, Id
from hilo.server.shapes import RequestBody
from hilo.store.api import list_agents
from hilo.store.channel_health import (
    ChannelActivity,
    ChannelTrouble,
    channel_activity,
    pause_channel,
    troubled_channels,
)
from hilo.store.workspaces import ChannelRow, heard_on
from hilo.store.workspaces import channels as all_channels

LATELY = timedelta(hours=24)
NOT_HERE = "credentials are not at hand in this process"

Setting = Annotated[str, StringConstraints(min_length=1, max_length=4000, strip_whitespace=True)]
SettingName = Annotated[str, StringConstraints(min_length=1, max_length=100)]


class SettingBody(BaseModel):
    """A setting; of a secret, which may be replaced, only that it is there."""

    name: str
    secret: bool
    value: str


class ChannelBody(BaseModel):
    """A channel; `trouble` says why it sends nothing now, and `failed` counts what was not delivered in 24 hours."""

    id: str
    kind: str
    agent: str
    window_hours: int
    webhook: str
    trouble: str
    reason: str
    since: datetime | None
    heard_at: datetime | None
    waiting: int
    failed: int
    settings: list[SettingBody]


class ChannelList(BaseModel):
    """All channels of the workspace."""

    items: list[ChannelBody]


class KindBody(BaseModel):
    """A provider and what it must be told; `where` is the place at the provider for the webhook's address."""

    kind: str
    where: str
    fields: list[SettingBody]


class KindList(BaseModel):
    """What can be connected here."""

    items: list[KindBody]


class NewChannel(RequestBody):
    """A channel to connect; without `id` it is called after its kind and agent."""

    kind: SettingName
    agent: SettingName
    id: Annotated[str, StringConstraints(max_length=40, strip_whitespace=True)] = ""
    settings: Annotated[dict[SettingName, Setting], Field(max_length=20)]


class NewChannelBody(ChannelBody):
    """The channel, and in `enter` what must be entered at the provider: it is told only now."""

    enter: dict[str, str]


class ChannelRenewal(RequestBody):
    """Secrets that are replaced; all else stays."""

    settings: Annotated[dict[SettingName, Setting], Field(min_length=1, max_length=20)]


class ChannelTrial(RequestBody):
    """Whom to send a word, who must have written before; without, only the credentials are opened."""

    to: Annotated[str, StringConstraints(max_length=100, strip_whitespace=True)] = ""


class TrialBody(BaseModel):
    """How a trial went; `reason` says what was wrong."""

    worked: bool
    reason: str = ""


router = api_router("/channels", "administration")


@router.get("")
async def channels(edge: Edge, key: Administering) -> ChannelList:
    """The numbers, bots and pages on which contacts reach the agents."""
    return ChannelList(items=await _listed(edge, key.workspace))


@router.get("/kinds")
async def kinds(edge: Edge, key: Administering) -> KindList:  # noqa: ARG001 -- for owners
    """The providers that a channel can be connected to, and what each must be told."""
    found = _setup(edge).kinds()
    return KindList(items=[KindBody.model_validate(asdict(each)) for each in found])


@router.post("", status_code=201)
async def connect(edge: Edge, wanted: NewChannel, key: Administering) -> NewChannelBody:
    """Connect an agent to a provider; other places than the provider's own only with `hilo channel add`."""
    if wanted.agent not in {row["name"] for row in await edge.store.run(list_agents, key.workspace)}:
        raise HTTPException(422, f"there is no agent {wanted.agent}")
    new = NewConnection(key.workspace, wanted.kind, wanted.agent, wanted.id, wanted.settings)
    try:
        channel, enter = await _setup(edge).connect(new, actor=key.name)
    except HiloError as error:
        raise HTTPException(422, str(error)) from None
    shown = await _shown(edge, key.workspace, channel)
    return NewChannelBody(**shown.model_dump(), enter=dict(enter))


@router.delete("/{channel}", status_code=204)
async def remove(edge: Edge, channel: Id, key: Administering) -> None:
    """End a connection and forget its credentials; what was said over it stays. A chat page comes with its agent."""
    row = await _row(edge, key.workspace, channel)
    if not row.settings:
        raise HTTPException(409, "a chat page comes with its agent")
    await _setup(edge).remove(row, actor=key.name)


@router.post("/{channel}/pause")
async def pause(edge: Edge, channel: Id, key: Administering) -> ChannelBody:
    """Send nothing over it until it is resumed. Contacts are heard, and what is said to them waits."""
    if not await edge.store.run(pause_channel, key.workspace, channel, actor=key.name, now=edge.clock.now()):
        raise HTTPException(404, NOT_THERE)
    return await _shown(edge, key.workspace, channel)


@router.post("/{channel}/resume")
async def resume(edge: Edge, channel: Id, key: Administering) -> ChannelBody:
    """Send over it again, now; also where it was in trouble and would be tried later."""
    if not await edge.intake.resume_channel(key.workspace, channel, actor=key.name):
        raise HTTPException(404, NOT_THERE)
    return await _shown(edge, key.workspace, channel)


@router.post("/{channel}/test")
async def test(edge: Edge, channel: Id, trial: ChannelTrial, key: Administering) -> TrialBody:
    """Open its credentials and, if somebody is named, send them a word."""
    row = await _row(edge, key.workspace, channel)
    if trial.to:
        await _check_heard(edge, row, trial.to)
    try:
        reason = await _setup(edge).try_out(row, trial.to)
    except HiloError as error:
        reason = str(error)
    return TrialBody(worked=not reason, reason=reason)


@router.patch("/{channel}")
async def renew(edge: Edge, channel: Id, wanted: ChannelRenewal, key: Administering) -> ChannelBody:
    """Give it other credentials; it is tried with them at once. What it had before is forgotten."""
    row = await _row(edge, key.workspace, channel)
    try:
        await _setup(edge).renew(row, wanted.settings, actor=key.name)
    except HiloError as error:
        raise HTTPException(422, str(error)) from None
    return await _shown(edge, key.workspace, channel)


def _setup(edge: HttpEdge) -> ChannelSetup:
    if edge.setup is None:
        raise HTTPException(409, NOT_HERE)
    return edge.setup


async def _rows(edge: HttpEdge, workspace: str) -> list[ChannelRow]:
    return [row for row in await edge.store.run(all_channels) if row.workspace_id == workspace]


async def _row(edge: HttpEdge, workspace: str, channel: str) -> ChannelRow:
    for row in await _rows(edge, workspace):
        if row.id == channel:
            return row
    raise HTTPException(404, NOT_THERE)


async def _check_heard(edge: HttpEdge, row: ChannelRow, to: str) -> None:
    """Nobody is written to from here who has not written first, nor after the window."""
    heard = await edge.store.run(heard_on, row, to)
    if heard is None:
        raise HTTPException(409, "this address has never written to the channel")
    window = timedelta(hours=row.window_hours)
    if window and edge.clock.now() - heard >= window:
        raise HTTPException(409, f"this address has not written in the last {row.window_hours} hours")


async def _listed(edge: HttpEdge, workspace: str) -> list[ChannelBody]:
    troubles = {each.channel: each for each in await edge.store.run(troubled_channels)}
    since = edge.clock.now() - LATELY
    activity = await edge.store.run(channel_activity, workspace, since=since)
    found = []
    for row in await _rows(edge, workspace):
        fields = edge.setup.fields(row) if edge.setup and row.settings else ()
        found.append(_body(row, troubles.get(row.id), activity.get(row.id), fields))
    return found


async def _shown(edge: HttpEdge, workspace: str, channel: str) -> ChannelBody:
    for each in await _listed(edge, workspace):
        if each.id == channel:
            return each
    raise HTTPException(404, NOT_THERE)


def _body(
    row: ChannelRow, trouble: ChannelTrouble | None, activity: ChannelActivity | None, fields: Sequence[ChannelField]
) -> ChannelBody:
    seen = activity or ChannelActivity(None, 0, 0)
    return ChannelBody(
        **{name: getattr(row, name) for name in ("id", "kind", "agent", "window_hours")},
        webhook=f"/webhooks/{row.kind}/{row.id}" if row.settings else "",
        trouble=trouble.trouble if trouble else "",
        reason=trouble.reason if trouble else "",
        since=trouble.since if trouble else None,
        **asdict(seen),
        settings=[SettingBody(**asdict(each)) for each in fields],
    )
