"""Workspaces and their channels."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hilo.errors import HiloError
from hilo.store.audit import AuditEntry, add_audit
from hilo.store.channel_health import hurry_channel
from hilo.tools.database import Script, execute, maybe_moment, micros, moment, one

CHANNEL_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
KNOWN_AFTER = timedelta(seconds=2)  # until every process has looked at the channels again


@dataclass(frozen=True, slots=True)
class ChannelRow:
    """A connection to a provider; `settings` is sealed, `echo_seconds` is how long its receipts may take.

    With `window_hours`, free text may be sent only so long after the contact last wrote; 0 is for ever.
    """

    id: str
    workspace_id: str
    kind: str
    agent: str
    settings: str = field(default="", repr=False)
    per_second: float = 0.0
    echo_seconds: float = 0.0
    window_hours: int = 0


@dataclass(frozen=True, slots=True)
class Workspace:
    """A business."""

    id: str
    name: str
    created_at: datetime


def add_workspace(workspace: str, *, name: str, now: datetime) -> Script[None]:
    """A business, unless it is there."""
    yield from execute("add_workspace", id=workspace, name=name, at=micros(now))


def workspaces() -> Script[tuple[Workspace, ...]]:
    """All businesses."""
    rows = yield from execute("workspaces")
    return tuple(Workspace(row["id"], row["name"], moment(row["created_at"])) for row in rows)


def add_channel(channel: ChannelRow, *, now: datetime) -> Script[None]:
    """A channel, or new settings for it."""
    values = {name: getattr(channel, name) for name in ChannelRow.__dataclass_fields__}
    if (yield from one("add_channel", **values, at=micros(now))) is None:
        raise HiloError(f"the channel {channel.id} is already there with another kind or for another workspace")


def connect_channel(channel: ChannelRow, *, actor: str, now: datetime) -> Script[None]:
    """A channel that is not there yet; the audit has who connected it."""
    if any(each.id == channel.id for each in (yield from channels())):
        raise HiloError(f"the channel {channel.id} is already there")
    yield from add_channel(channel, now=now)
    entry = AuditEntry(actor, "channel added", channel.id, {"kind": channel.kind, "agent": channel.agent})
    yield from add_audit(channel.workspace_id, (entry,), at=now)


def end_channel(channel: ChannelRow, *, actor: str, now: datetime) -> Script[None]:
    """End a connection; the audit has who did."""
    if (yield from remove_channel(channel.workspace_id, channel.id, now=now)):
        yield from add_audit(channel.workspace_id, (AuditEntry(actor, "channel removed", channel.id),), at=now)


def channels() -> Script[tuple[ChannelRow, ...]]:
    """All channels."""
    rows = yield from execute("channels")
    return tuple(ChannelRow(*(row[name] for name in ChannelRow.__dataclass_fields__)) for row in rows)


def remove_channel(workspace: str, channel: str, *, now: datetime) -> Script[bool]:
    """End a connection and forget its credentials; false when there is none."""
    return (yield from one("remove_channel", workspace=workspace, channel=channel, at=micros(now))) is not None


def renew_channel(channel: ChannelRow, *, names: Sequence[str], actor: str, now: datetime) -> Script[None]:
    """Other settings for a channel that is there, tried when every process knows them; the audit has their names."""
    yield from add_channel(channel, now=now + KNOWN_AFTER)
    yield from hurry_channel(channel.id, now=now + KNOWN_AFTER)
    entry = AuditEntry(actor, "channel changed", channel.id, {"settings": list(names)})
    yield from add_audit(channel.workspace_id, (entry,), at=now)


def reseal(channel: str, *, before: str, settings: str) -> Script[None]:
    """Keep the same credentials under another key."""
    yield from execute("reseal_channel", channel=channel, before=before, settings=settings)


def heard_on(channel: ChannelRow, value: str) -> Script[datetime | None]:
    """When a contact was last heard there."""
    row = yield from one("heard_on", workspace=channel.workspace_id, channel=channel.id, value=value)
    return maybe_moment(row["heard_at"]) if row else None
