"""Channels that cannot send: a circuit breaker for each, kept in the store so that all processes see the same.

After some failures in a row nothing is sent over a channel for a while; then one message is tried. When that
arrives, all that waited may go. Over a channel that an owner has paused nothing is sent until they say so.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from hilo.store.audit import AuditEntry, add_audit
from hilo.store.store import reading
from hilo.tools.database import Script, execute, maybe_moment, micros, moment, one

Trouble = Literal["away", "credentials", "paused"]

FAILURES = 3  # in a row, until the provider counts as away
LONGEST_PAUSE = timedelta(seconds=30)
CREDENTIALS_PAUSE = timedelta(minutes=1)  # a person must mend them
TRIAL = timedelta(seconds=30)  # longer than any request: nobody else tries meanwhile
AT_ONCE = 1000
FOR_EVER = datetime(9999, 1, 1, tzinfo=UTC)  # until somebody lets it send again
LOOKS_AGAIN = timedelta(minutes=5)  # at a channel that is paused


@dataclass(frozen=True, slots=True)
class ChannelTrouble:
    """What is wrong with a channel, since when, and when it is tried again."""

    channel: str
    workspace: str
    trouble: Trouble
    reason: str
    since: datetime
    until: datetime
    is_news: bool = False


def note_failure(channel: str, trouble: Trouble, reason: str, *, now: datetime) -> Script[ChannelTrouble | None]:
    """Count a failure that was the channel's; from some in a row on, the channel is left alone for a while."""
    row = yield from one("count_failure", channel=channel)
    if row is None:
        return None  # the channel was removed meanwhile
    if row["trouble"] == "paused":
        return None  # what was on its way then has failed: whoever lets it send again will see
    over = row["failing"] - FAILURES
    if trouble == "away" and over < 0:
        return None
    pause = CREDENTIALS_PAUSE
    if trouble == "away":
        pause = min(timedelta(seconds=2.0 ** min(over, 10)), LONGEST_PAUSE)
    since = maybe_moment(row["troubled_at"]) if row["trouble"] == trouble else None
    until = now + pause
    yield from execute(
        "pause_channel",
        channel=channel,
        trouble=trouble,
        reason=reason[:500],
        at=micros(since or now),
        until=micros(until),
    )
    if since is None:
        told = {"trouble": trouble, "reason": reason[:500]}
        yield from add_audit(row["workspace_id"], (AuditEntry("hilo", "cannot send", channel, told),), at=now)
    return ChannelTrouble(channel, row["workspace_id"], trouble, reason, since or now, until, is_news=since is None)


def take_trial(channel: str, seen: datetime, *, now: datetime) -> Script[bool]:
    """Be the one whose message is tried over a channel that was left alone; false when another is faster."""
    until = micros(now + TRIAL)
    row = yield from one("take_trial", channel=channel, seen=micros(seen), until=until)
    return row is not None


def note_success(channel: str, *, now: datetime) -> Script[tuple[str, ...]]:
    """The channel is well again; the addresses whose messages waited for it, which may go now."""
    if (yield from one("channel_is_well", channel=channel)) is None:
        return ()  # it was paused meanwhile
    return (yield from hurry_channel(channel, now=now))


def hurry_channel(channel: str, *, now: datetime) -> Script[tuple[str, ...]]:
    """What waits for a channel may go then; the addresses that it is for."""
    yield from execute("hurry_messages", channel=channel, now=micros(now))
    rows = yield from execute("hurry_sends", channel=channel, now=micros(now), at_most=AT_ONCE)
    return tuple(row["address_id"] for row in rows)


def pause_channel(workspace: str, channel: str, *, actor: str, now: datetime) -> Script[bool]:
    """Send nothing over a channel until somebody says so; what is to be said waits. False when there is none."""
    until = {"at": micros(now), "until": micros(FOR_EVER)}
    if (yield from one("pause_for_ever", workspace=workspace, channel=channel, actor=actor, **until)) is None:
        return False
    yield from add_audit(workspace, (AuditEntry(actor, "channel paused", channel),), at=now)
    return True


def resume_channel(workspace: str, channel: str, *, actor: str, now: datetime) -> Script[tuple[str, ...] | None]:
    """Send over a channel again, paused or troubled, from now on; the addresses whose messages waited for it."""
    if (yield from one("forget_trouble", workspace=workspace, channel=channel)) is None:
        return None
    freed = yield from hurry_channel(channel, now=now)
    yield from add_audit(workspace, (AuditEntry(actor, "channel resumed", channel),), at=now)
    return freed


@dataclass(frozen=True, slots=True)
class ChannelActivity:
    """When contacts were last heard on a channel, what waits to be sent, and what was not delivered lately."""

    heard_at: datetime | None
    waiting: int
    failed: int


@reading
def channel_activity(workspace: str, *, since: datetime) -> Script[dict[str, ChannelActivity]]:
    """Of every channel of a workspace, by its id."""
    rows = yield from execute("channel_activity", workspace=workspace, since=micros(since))
    return {row["id"]: ChannelActivity(maybe_moment(row["heard_at"]), row["waiting"], row["failed"]) for row in rows}


def left_alone_until(paused_until: int | None, *, now: datetime) -> datetime | None:
    """When to look at a channel again that is left alone; none where it is not, a past moment where it may be tried."""
    until = maybe_moment(paused_until)
    return until if until is None else min(until, now + LOOKS_AGAIN)


def troubled_channels() -> Script[tuple[ChannelTrouble, ...]]:
    """The channels that cannot send now."""
    rows = yield from execute("troubled_channels")
    return tuple(
        ChannelTrouble(
            row["id"],
            row["workspace_id"],
            row["trouble"],
            row["trouble_reason"],
            moment(row["troubled_at"]),
            moment(row["paused_until"]),
        )
        for row in rows
    )
