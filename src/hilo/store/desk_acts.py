"""What people do with sessions: take them, hand them to colleagues, note something, keep or cancel promises."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from hilo.dialogue.events import OperatorTookOver, TimerFired
from hilo.store.api import Place, one_session
from hilo.store.audit import AuditEntry, add_audit
from hilo.store.inbox import IdReused, QueuedEvent, put, was_put
from hilo.store.keepers import Keeper, keeper
from hilo.store.live import LiveEvent, LiveKind, tell_live
from hilo.tools.database import Row, Script, execute, micros, moment, one


def take_session(  # noqa: PLR0913 -- who takes what, and from whom
    workspace: str,
    session: str,
    event: OperatorTookOver,
    *,
    external_id: str,
    instead_of: str = "",
    passed_by: str = "",
    now: datetime,
) -> Script[QueuedEvent | Keeper | None]:
    """Let an operator have a session unless another one has it: then who. Nothing when there is no such session.

    Who says from whom it is taken may take it from them, and from nobody else. With `passed_by` it was not the operator
    who reached for it: they are told.
    """
    where = yield from one("session_address", workspace=workspace, session=session)
    if where is None:
        return None
    yield from execute("lock_turns", address=where["address_id"])
    if not (yield from was_put(workspace, session, event, external_id=external_id)):
        found = yield from keeper(workspace, session)
        if found.operator not in ("", event.operator, instead_of):
            return found
        if passed_by:
            yield from _tell_passed(workspace, session, event.operator, by=passed_by, now=now)
    return (yield from put(workspace, session, event, external_id=external_id, now=now))


def _tell_passed(workspace: str, session: str, operator: str, *, by: str, now: datetime) -> Script[None]:
    told = {"team": "", "operator": operator, "by": by}
    yield from tell_live(workspace, (LiveEvent("transferred", session, told),), now=now)
    yield from add_audit(workspace, (AuditEntry(by, "transferred", session, {"to": operator}),), at=now)


@dataclass(frozen=True, slots=True)
class NotHanded:
    """There is no such session, nobody waits for a person in it, or another person has it."""

    why: Literal["absent", "not waiting", "another's"]
    operator: str = ""


def hand_to_team(workspace: str, session: str, team: str, *, by: str, now: datetime) -> Script[NotHanded | None]:
    """The session waits again, for anybody of a team."""
    if (yield from one_session(workspace, session)) is None:
        return NotHanded("absent")
    found = yield from keeper(workspace, session)
    if found.operator not in ("", by):
        return NotHanded("another's", found.operator)
    rows = yield from execute("hand_to_team", workspace=workspace, session=session, team=team)
    if not rows:
        return NotHanded("not waiting")
    told = {"team": team, "operator": "", "by": by}
    yield from tell_live(workspace, (LiveEvent("transferred", session, told),), now=now)
    detail = {"team": team, "handoffs": [row["id"] for row in rows]}
    yield from add_audit(workspace, (AuditEntry(by, "transferred", session, detail),), at=now)
    return None


# --- notes and replies --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Note:
    """What colleagues should know, and the contact never sees; its id is the same however often it is sent."""

    id: str
    author: str
    text: str


def add_note(workspace: str, session: str, note: Note, *, now: datetime) -> Script[bool]:
    """Keep a note; false when there is no such session. Raises IdReused when its id was used for another."""
    if (yield from one_session(workspace, session)) is None:
        return False
    values = {"author": note.author, "text": note.text, "at": micros(now)}
    if (yield from one("add_note", id=note.id, workspace=workspace, session=session, **values)) is None:
        known = yield from one("note", workspace=workspace, id=note.id)
        if known is None or (known["author"], known["text"]) != (note.author, note.text):
            raise IdReused(f"{note.id} was used for another note")
        return True
    told = {"id": note.id, "author": note.author, "text": note.text[:500]}
    yield from tell_live(workspace, (LiveEvent("note", session, told),), now=now)
    return True


def list_notes(workspace: str, session: str, *, before: Place, at_most: int) -> Script[list[Row] | None]:
    """The newest first; nothing when there is no such session."""
    if (yield from one_session(workspace, session)) is None:
        return None
    place = {"before": before[0], "before_id": before[1], "at_most": at_most}
    return (yield from execute("notes", workspace=workspace, session=session, **place))


def replies(workspace: str, name: str = "") -> Script[Sequence[Row]]:
    """Canned replies, by name."""
    return (yield from execute("replies", workspace=workspace, name=name))


def put_reply(workspace: str, name: str, text: str) -> Script[None]:
    """Keep a canned reply, or new words for it."""
    yield from execute("put_reply", workspace=workspace, name=name, text=text)


def remove_reply(workspace: str, name: str) -> Script[bool]:
    """Forget a canned reply; false when there is none."""
    return (yield from one("remove_reply", workspace=workspace, name=name)) is not None


# --- small signs --------------------------------------------------------------------------------------


def mark_read(workspace: str, session: str, *, by: str, now: datetime) -> Script[bool]:
    """Somebody has read a session up to here; false when there is none."""
    if (yield from one("mark_read", workspace=workspace, session=session)) is None:
        return False
    yield from tell_live(workspace, (LiveEvent("read", session, {"by": by}),), now=now)
    return True


def tell_sign(workspace: str, session: str, kind: LiveKind, *, by: str, now: datetime) -> Script[bool]:
    """Something that colleagues see for a moment, such as that somebody writes; false when there is no session."""
    if session and (yield from one_session(workspace, session)) is None:
        return False
    yield from tell_live(workspace, (LiveEvent(kind, session, {"by": "operator", "name": by}),), now=now)
    return True


# --- promises -----------------------------------------------------------------------------------------


def fire_timer(workspace: str, session: str, name: str, *, by: str, now: datetime) -> Script[QueuedEvent | None]:
    """Keep a promise now; nothing when there is none."""
    row = yield from _take_timer(workspace, session, name)
    if row is None:
        return None
    due = moment(row["due_at"])
    event, once = TimerFired(now, name, due), f"{name}:{row['due_at']}"
    queued = yield from put(workspace, session, event, external_id=once, now=now)
    yield from _note_timer(workspace, session, name, "timer fired", by=by, now=now)
    return queued


def cancel_timer(workspace: str, session: str, name: str, *, by: str, now: datetime) -> Script[bool]:
    """Take a promise back; false when there is none."""
    if (yield from _take_timer(workspace, session, name)) is None:
        return False
    yield from _note_timer(workspace, session, name, "timer cancelled", by=by, now=now)
    return True


def _take_timer(workspace: str, session: str, name: str) -> Script[Row | None]:
    where = yield from one("session_address", workspace=workspace, session=session)
    if where is None:
        return None
    yield from execute("lock_turns", address=where["address_id"])
    return (yield from one("take_timer", workspace=workspace, session=session, name=name))


def _note_timer(  # noqa: PLR0913 -- what was done by whom
    workspace: str, session: str, name: str, deed: str, *, by: str, now: datetime
) -> Script[None]:
    told = LiveEvent("timer", session, {"name": name, "due_at": None})
    yield from tell_live(workspace, (told,), now=now)
    yield from add_audit(workspace, (AuditEntry(by, deed, session, {"timer": name}),), at=now)
