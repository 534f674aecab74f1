"""The one door: whatever can change a session is written here first, once; a timer that is due comes in here too."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from hilo.dialogue.events import Event, MessageReceived, TimerFired
from hilo.dialogue.stored import decode, encode
from hilo.errors import HiloError
from hilo.ids import new_id
from hilo.messages import Inbound
from hilo.store.audit import AuditEntry, add_audit
from hilo.store.live import KEPT as KEPT_LIVE
from hilo.store.media import add_received
from hilo.store.store import stepwise
from hilo.tools.database import Script, execute, maybe_moment, micros, moment, one, statement, together

KEPT = timedelta(days=30)  # providers repeat a webhook for a week
# An older message is old news, and nothing is done by it. Within it every id must still be known (see KEPT), else a
# webhook that is replayed would be new; and it is shorter than WhatsApp's window, so that an answer can still be sent.
FRESH = timedelta(hours=12)
AT_ONCE = 200  # timers that fire in one transaction


class IdReused(HiloError):  # noqa: N818 -- it names what happened
    """An id stands for something else already. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message with how long the contact may go on writing: wait so long for another, at most until the limit."""

    message: Inbound
    event: MessageReceived
    quiet: timedelta = timedelta()
    limit: timedelta = timedelta()


@dataclass(frozen=True, slots=True)
class QueuedEvent:
    """A message is safe; its turn is due at `at`. A duplicate was safe already and changed nothing."""

    address: str
    at: datetime | None
    duplicate: bool = False
    files: bool = False  # some are to be fetched


def accept(channel: str, arrivals: Sequence[Arrival], *, now: datetime) -> Script[tuple[QueuedEvent, ...]]:
    """Write messages of a channel into the inbox, ordered by address so that two batches never wait for each other."""
    accepted = {}
    for place, arrival in sorted(enumerate(arrivals), key=lambda each: (each[1].message.sender.value, each[0])):
        address, workspace = yield from _address(channel, arrival.message, now)
        row = yield from one(
            "add_event",
            workspace=workspace,
            channel=channel,
            external_id=arrival.message.id,
            address=address,
            session=None,
            kind=type(arrival.event).__name__,
            event=encode(Event, arrival.event),
            received_at=micros(now),
        )
        if row is None:
            accepted[place] = QueuedEvent(address, None, duplicate=True)
            continue
        due = yield from call_for_turn(address, at=now + arrival.quiet, limit=now + arrival.limit)
        files = yield from add_received(workspace, channel, address, arrival.event.attachments, now=now)
        accepted[place] = QueuedEvent(address, due, files=files)
    return tuple(accepted[place] for place in range(len(arrivals)))


@stepwise
def accept_one(channel: str, arrival: Arrival, *, now: datetime) -> Script[QueuedEvent | None]:
    """Write a message without files into the inbox; nothing if it comes from somebody whom `accept` must add first."""
    message = arrival.message
    place = {"channel": channel, "value": message.sender.value}
    times = {"next_at": micros(now + arrival.quiet), "burst_until": micros(now + arrival.limit)}
    written = {"kind": type(arrival.event).__name__, "event": encode(Event, arrival.event), "received_at": micros(now)}
    # The order matters: the turns of the address are locked before the event gets its number, and a message that is
    # there already is seen before this one is.
    found, called, added = yield from together(
        statement("find_address", **place, heard_at=micros(min(now, message.at))),
        statement("call_for_turn", **place, **times, address=None, external_id=message.id),
        statement("add_event_from", **place, **written, external_id=message.id),
    )
    if not found:
        return None
    address = found[0]["id"]
    if not added or not called:
        return QueuedEvent(address, None, duplicate=True)
    return QueuedEvent(address, moment(called[0]["next_at"]))


def _address(channel: str, message: Inbound, now: datetime) -> Script[tuple[str, str]]:
    """Where a message comes from and whose business that is; its turns are locked."""
    # A webhook may come days late, or again: the window is counted from when the contact wrote.
    heard, value = micros(min(now, message.at)), message.sender.value
    found, _ = yield from together(
        statement("find_address", channel=channel, value=value, heard_at=heard),
        statement("lock_turns_at", channel=channel, value=value),
    )
    if found:
        return found[0]["id"], found[0]["workspace_id"]
    known = yield from one("channel", channel=channel)
    if known is None:
        raise LookupError(f"there is no channel {channel}")
    workspace = known["workspace_id"]
    contact = new_id("contact")
    row = yield from one(
        "add_address",
        id=new_id("address"),
        workspace=workspace,
        channel=channel,
        value=value,
        contact=contact,
        heard_at=heard,
    )
    assert row is not None  # noqa: S101 -- it returns the row that is there or the one it made
    if row["contact_id"] == contact:
        yield from execute(
            "add_contact", id=contact, workspace=workspace, name=message.name, phone=message.phone, at=micros(now)
        )
    yield from execute("lock_turns", address=row["id"])  # another process may have been a moment earlier
    return row["id"], workspace


def call_for_turn(address: str, *, at: datetime, limit: datetime | None = None) -> Script[datetime]:
    """Let an address have a turn at that time; a message moves it, up to the limit that the first one set."""
    times = {"next_at": micros(at), "burst_until": None if limit is None else micros(limit)}
    known = {"channel": None, "value": None, "external_id": None}
    row = yield from one("call_for_turn", address=address, **times, **known)
    assert row is not None  # noqa: S101 -- it always returns its row
    return moment(row["next_at"])


def put(workspace: str, session: str, event: Event, *, external_id: str, now: datetime) -> Script[QueuedEvent | None]:
    """Put an event for a session into the inbox, once per external id; nothing when there is no such session.

    Raises IdReused when the id was used for another event.
    """
    where = yield from one("session_address", workspace=workspace, session=session)
    if where is None:
        return None
    yield from execute("lock_turns", address=where["address_id"])
    row = yield from one(
        "add_event",
        workspace=workspace,
        channel=f"{where['channel_id']}/events",  # ids of ours cannot meet the channel's
        external_id=f"{session}:{external_id}",
        address=where["address_id"],
        session=session,
        kind=type(event).__name__,
        event=encode(Event, event),
        received_at=micros(now),
    )
    if row is None:
        yield from was_put(workspace, session, event, external_id=external_id)
        return QueuedEvent(where["address_id"], None, duplicate=True)
    due = yield from call_for_turn(where["address_id"], at=now)
    return QueuedEvent(where["address_id"], due)


def was_put(workspace: str, session: str, event: Event, *, external_id: str) -> Script[bool]:
    """Whether an event has come already, whenever that was; raises IdReused when another one has under its id."""
    row = yield from one("put_event", workspace=workspace, session=session, external_id=external_id)
    if row is None:
        return False
    known = decode(Event, row["event"])
    if type(known) is not type(event) or replace(known, at=event.at) != event:
        raise IdReused(f"{external_id} was used for another event of {session}")
    return True


# --- timers -------------------------------------------------------------------------------------------


def fire(*, now: datetime) -> Script[tuple[str, ...]]:
    """Put the timers that are due into the inbox; the addresses that have a turn now."""
    rows = yield from execute("due_timers", now=micros(now), at_most=AT_ONCE)
    fired, silenced = [], dict[str, list[AuditEntry]]()
    for row in sorted(rows, key=lambda each: (each["due_at"], each["name"])):
        due = moment(row["due_at"])
        if (yield from one("is_quiet", address=row["address_id"])):  # the contact wants nothing unasked
            entry = AuditEntry("timers", "kept quiet", row["session_id"], {"timer": row["name"]})
            silenced.setdefault(row["workspace_id"], []).append(entry)
            continue
        event = TimerFired(at=max(now, due), name=row["name"], due=due)
        once = f"{row['name']}:{row['due_at']}"
        accepted = yield from put(row["workspace_id"], row["session_id"], event, external_id=once, now=now)
        if accepted is not None:
            fired.append(accepted.address)
    for workspace, entries in sorted(silenced.items()):
        yield from add_audit(workspace, entries, at=now)
    return tuple(dict.fromkeys(fired))


@stepwise
def next_due() -> Script[datetime | None]:
    """When the next timer is due."""
    row = yield from one("next_timer")
    return maybe_moment(row["due_at"]) if row else None


# --- keeping it small ---------------------------------------------------------------------------------


def forget(*, now: datetime) -> Script[None]:
    """Remove events that are older than any repetition."""
    yield from execute("forget_events", before=micros(now - KEPT))
    yield from execute("forget_ignored", before=micros(now - KEPT))
    yield from execute("forget_person_sessions", now=micros(now))
    yield from execute("forget_live", before=micros(now - KEPT_LIVE))
    yield from execute("forget_campaign_requests", before=micros(now - KEPT))
    yield from execute("forget_attempts", before=micros(now - timedelta(days=1)))


def note_ignored(channel: str, words: Sequence[str], body: str, *, now: datetime) -> Script[None]:
    """Keep what a webhook carried that was not for us, for whoever wonders later."""
    yield from execute("add_ignored", channel=channel, at=micros(now), words="; ".join(words), body=body)
