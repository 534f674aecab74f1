"""Taking a turn: an address is claimed, and what its next turn needs is loaded."""

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any, Literal

from hilo.dialogue.events import Asks, Event, MessageReceived
from hilo.dialogue.session import AskedYes, Session, from_json
from hilo.dialogue.stored import Arguments, decode
from hilo.store.script import Row, Script, execute, moment, one
from hilo.store.work import LEASE, Claim, NotNow, claim, release

WINDOW = timedelta(hours=24)  # of silence, after which a message opens a new session
MAX_JOINED = 10  # messages of one turn
MAX_WAITING = 50  # events looked at together


@dataclass(frozen=True, slots=True)
class SessionScope:
    """Where a session is: the business, the channel, the address, the person, and the agent that answers there."""

    workspace: str
    channel: str
    address: str
    value: str
    contact: str
    agent: str


@dataclass(frozen=True, slots=True)
class Pending:
    """An event that waits for its turn."""

    id: int
    event: Event
    session: str | None
    received_at: datetime


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call that an earlier attempt at this turn has begun, and ended if it has a status."""

    call_id: str
    attempt: int
    status: Literal["started", "ok", "failed", "unknown"]
    outputs: Mapping[str, Any]
    error: str
    tell: str = ""
    asks: Asks | None = None
    person: str = ""
    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TurnInput:
    """All that a turn starts from.

    Without a session one must be opened under `session_id`, which is the same however often the turn is tried;
    `before` is the one that was there until then. `early`: the contact wrote before our last question had been sent.
    `followed`: something waits behind these events that cannot join them, and no newer message can overtake it.
    """

    claim: Claim
    place: SessionScope
    events: tuple[Pending, ...]
    session_id: str
    session: Session | None = None
    before: Session | None = None
    heard_at: datetime | None = None
    calls: tuple[RecordedCall, ...] = ()
    early: bool = False
    followed: bool = False

    @property
    def last(self) -> int:
        """The newest of its events."""
        return self.events[-1].id


@dataclass(frozen=True, slots=True)
class Unreadable:
    """What is stored for the next turn of an address cannot be read: a person must look at it."""

    claim: Claim
    place: SessionScope
    last: int
    reason: str


def take(
    address: str, *, owner: str, now: datetime, lease: timedelta = LEASE
) -> Script[TurnInput | Unreadable | NotNow]:
    """Claim an address and load what its next turn needs."""
    held = yield from claim("turn", address, owner=owner, now=now, lease=lease)
    if isinstance(held, NotNow):
        return held
    rows = yield from execute("pending_events", address=address, at_most=MAX_WAITING)
    if not rows:
        yield from release(held, next_at=None)
        return NotNow(None)
    place = yield from _place(address)
    try:
        taken = yield from _load(held, place, _together(rows))
        return replace(taken, followed=rows[-1]["id"] > taken.last)
    except Exception as error:  # noqa: BLE001 -- whatever comes of reading what was stored, a person must hear of it
        return Unreadable(held, place, rows[0]["id"], f"{type(error).__name__}: {error}"[:500])


def _load(held: Claim, place: SessionScope, events: tuple[Pending, ...]) -> Script[TurnInput]:
    row = yield from _session(place.address, events[0].session)
    if row is None or _is_over(row, events[0]):
        before = from_json(row["state"]) if row else None
        taken = TurnInput(held, place, events, _new_session_id(events[0]), before=before)
    else:
        session = from_json(row["state"])
        early = yield from _is_early(place.address, session, events)
        taken = TurnInput(held, place, events, session.id, session, heard_at=moment(row["heard_at"]), early=early)
    return (yield from _with_calls(taken))


def _with_calls(taken: TurnInput) -> Script[TurnInput]:
    """What an earlier attempt at this turn has done already; it was for these events, so it stays for these."""
    version = taken.session.version if taken.session else 0
    rows = yield from execute("calls_of_turn", session=taken.session_id, turn=version + 1, first=taken.events[0].id)
    if not rows:
        return taken
    events = tuple(each for each in taken.events if each.id <= rows[0]["inbox_id"])
    return replace(taken, events=events, calls=tuple(map(_call, rows)))


def _new_session_id(first: Pending) -> str:
    return f"session_{first.id:08x}{zlib.crc32(str(first.received_at).encode()):08x}"


def _is_over(row: Row, first: Pending) -> bool:
    """A message after the window, or after the end, opens a new session; while a person is at it, it stays theirs."""
    if first.session is not None or row["status"] == "paused":
        return False
    quiet_since = row["last_at"] if row["status"] == "handed_off" else row["heard_at"]
    return row["status"] == "closed" or first.received_at - moment(quiet_since) >= WINDOW


def _together(rows: list[Row]) -> tuple[Pending, ...]:
    """The events of one turn: the first that waits and, if it is a message, the messages that follow it."""
    first = _pending(rows[0])
    if not _can_join(first):
        return (first,)
    return (first, *takewhile(_can_join, _readable(rows[1:MAX_JOINED])))


def _readable(rows: list[Row]) -> Iterator[Pending]:
    """Up to the first that cannot be read: that one is left to the next turn."""
    for row in rows:
        try:
            yield _pending(row)
        except Exception:  # noqa: BLE001 -- as above
            return


def _can_join(pending: Pending) -> bool:
    """Written messages are read together; a pressed button and everything else has a turn of its own."""
    return isinstance(pending.event, MessageReceived) and not pending.event.payload and pending.session is None


def _session(address: str, named: str | None) -> Script[Row | None]:
    if named is None:
        return (yield from one("last_session", address=address))
    return (yield from one("session", session=named, address=address))


def _place(address: str) -> Script[SessionScope]:
    row = yield from one("address", address=address)
    assert row is not None  # noqa: S101 -- work is only ever set for an address that is there
    names = ("workspace_id", "channel_id", "id", "value", "contact_id", "agent")
    return SessionScope(*(row[name] for name in names))


def _is_early(address: str, session: Session, events: tuple[Pending, ...]) -> Script[bool]:
    """Whether a summary that awaits confirmation was not yet on its way when the contact wrote."""
    if not isinstance(session.pending, AskedYes):
        return False
    row = yield from one("last_sent", address=address)
    return row is not None and (row["sent_at"] is None or moment(row["sent_at"]) >= events[0].received_at)


def _pending(row: Row) -> Pending:
    event = decode(Event, row["event"])
    if type(event).__name__ != row["kind"]:
        raise ValueError(f"no {row['kind']}: {row['event']}"[:500])
    return Pending(row["id"], event, row["session_id"], moment(row["received_at"]))


def _call(row: Row) -> RecordedCall:
    outputs = decode(Arguments, row["outputs"]) if row["outputs"] else {}
    asks = decode(Asks, row["asks"]) if row["asks"] else None
    return RecordedCall(
        *(row["call_id"], row["attempt"], row["status"], outputs, row["error"], row["tell"], asks, row["person"]),
        tool=row["tool"],
        arguments=decode(Arguments, row["arguments"]),
    )
