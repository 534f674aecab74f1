"""What was said and has not arrived: it waits for its channel, is held back or given up, until a person decides."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from hilo.store.api import OLDEST, Place, stored_message
from hilo.store.audit import AuditEntry, add_audit
from hilo.tools.database import Row, Script, execute, micros, moment, one

Fate = Literal["waiting", "held", "failed"]


@dataclass(frozen=True, slots=True)
class Undelivered:
    """A message that the contact has not got, and why. `attempts` are those that certainly did not arrive."""

    id: str
    number: int
    session: str
    channel: str
    address: str
    author: str
    text: str
    status: Fate
    reason: str
    attempts: int
    created_at: datetime
    next_at: datetime | None


@dataclass(frozen=True, slots=True)
class NotMoved:
    """There is no such message here, or it is neither held nor given up."""

    why: Literal["absent", "not stuck"]


def list_undelivered(
    workspace: str, status: Fate | Literal[""], *, after: Place = OLDEST, at_most: int
) -> Script[tuple[Undelivered, ...]]:
    """The oldest first."""
    rows = yield from execute("undelivered", workspace=workspace, status=status, after=after[0], at_most=at_most)
    return tuple(map(_undelivered, rows))


def resend(workspace: str, message: str, *, actor: str, now: datetime) -> Script[str | NotMoved]:
    """Try a message again that was held or given up; the address that it goes to."""
    row = yield from one("stuck_message", workspace=workspace, message=message)
    if row is None:
        return (yield from _why_not(workspace, message))
    yield from execute("call_for_send", address=row["address_id"], next_at=micros(now), urgent=0)
    yield from execute("send_again", id=row["id"], now=micros(now))
    yield from add_audit(workspace, (AuditEntry(actor, "sent again", row["message_id"]),), at=now)
    return str(row["address_id"])


def discard(workspace: str, message: str, *, actor: str, now: datetime) -> Script[str | NotMoved]:
    """Let a message be that was held or given up: nobody is reminded of it any more."""
    row = yield from one("stuck_message", workspace=workspace, message=message)
    if row is None:
        return (yield from _why_not(workspace, message))
    yield from execute("discard_message", id=row["id"])
    yield from add_audit(workspace, (AuditEntry(actor, "discarded", row["message_id"]),), at=now)
    return str(row["address_id"])


def _why_not(workspace: str, message: str) -> Script[NotMoved]:
    row = yield from one("said_already", workspace=workspace, message_id=message)
    return NotMoved("not stuck" if row else "absent")


def _undelivered(row: Row) -> Undelivered:
    text = str(stored_message(row["message"]).get("text", ""))
    status: Fate = "waiting" if row["status"] in {"pending", "sending"} else row["status"]
    return Undelivered(
        id=row["message_id"],
        number=row["id"],
        session=row["session_id"] or "",
        channel=row["channel_id"],
        address=row["value"],
        author=row["author"],
        text=text,
        status=status,
        reason=row["reason"],
        attempts=row["refusals"],
        created_at=moment(row["created_at"]),
        next_at=moment(row["next_at"]) if status == "waiting" else None,
    )
