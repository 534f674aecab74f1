"""What the REST API asks the store, always within one workspace: an id of another one is not there."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from hilo.dialogue.stored import decode
from hilo.messages import Outbound
from hilo.store.inbox import IdReused
from hilo.store.keepers import keeper
from hilo.store.live import MAX_TEXT, LiveEvent, tell_live
from hilo.store.outbox import OutboxEntry, add_messages
from hilo.store.store import reading
from hilo.tools.database import Row, Script, execute, maybe_moment, micros, moment, one

NEWEST = (1 << 62, "")  # before everything in a list with the newest first
OLDEST = (-1, "")

Place = tuple[int, str]  # in a list: a time and an id


@dataclass(frozen=True, slots=True)
class Which:
    """Which sessions; an empty word means all."""

    status: str = ""
    agent: str = ""
    channel: str = ""
    contact: str = ""


def list_sessions(workspace: str, which: Which, *, before: Place, at_most: int) -> Script[list[Row]]:
    """The newest first."""
    names = {name: getattr(which, name) for name in Which.__dataclass_fields__}
    values = {"before": before[0], "before_id": before[1], "at_most": at_most}
    return (yield from execute("api_sessions", workspace=workspace, session="", **names, **values))


def one_session(workspace: str, session: str) -> Script[Row | None]:
    """A session, if it is this workspace's."""
    names = dict.fromkeys(Which.__dataclass_fields__, "")
    values = {"before": NEWEST[0], "before_id": "", "at_most": 1}
    return (yield from one("api_sessions", workspace=workspace, session=session, **names, **values))


def list_turns(workspace: str, session: str, *, before: int, at_most: int) -> Script[list[Row] | None]:
    """The newest first; nothing when there is no such session."""
    return (yield from _list("api_turns", workspace, session, before=before, at_most=at_most))


def list_messages(workspace: str, session: str, *, before: Place, at_most: int) -> Script[list[Row] | None]:
    """What both sides said, the newest first; nothing when there is no such session."""
    values = {"before": before[0], "before_id": before[1], "at_most": at_most}
    return (yield from _list("api_messages", workspace, session, **values))


def list_calls(workspace: str, session: str, *, before: Place, at_most: int) -> Script[list[Row] | None]:
    """What tools were called with, the newest first; nothing when there is no such session."""
    values = {"before": before[0], "before_id": before[1], "at_most": at_most}
    return (yield from _list("api_calls", workspace, session, **values))


def _list(query: str, workspace: str, session: str, **values: Any) -> Script[list[Row] | None]:
    if (yield from one_session(workspace, session)) is None:
        return None
    return (yield from execute(query, workspace=workspace, session=session, **values))


def list_contacts(workspace: str, *, before: Place, at_most: int) -> Script[list[Row]]:
    """The newest first."""
    values = {"before": before[0], "before_id": before[1], "at_most": at_most}
    return (yield from execute("api_contacts", workspace=workspace, contact="", **values))


def one_contact(workspace: str, contact: str) -> Script[tuple[Row, Sequence[Row]] | None]:
    """A contact with the addresses."""
    values = {"before": NEWEST[0], "before_id": "", "at_most": 1}
    row = yield from one("api_contacts", workspace=workspace, contact=contact, **values)
    if row is None:
        return None
    return row, (yield from execute("api_addresses", workspace=workspace, contact=contact))


def list_agents(workspace: str) -> Script[list[Row]]:
    """Each in the version that is in force."""
    return (yield from execute("api_agents", workspace=workspace))


# --- an operator's words ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Words:
    """What an operator says in a session, under an id that is the same however often it is asked for."""

    workspace: str
    session: str
    message_id: str
    message: Outbound
    operator: str = ""  # the person who says it; empty where a program speaks for somebody


@dataclass(frozen=True, slots=True)
class Spoken:
    """It is in the outbox of this address."""

    address: str


@dataclass(frozen=True, slots=True)
class NotSpoken:
    """There is no such session, no operator holds it, or another person does."""

    why: Literal["absent", "not held", "another's"]
    operator: str = ""
    since: datetime | None = None


def speak(words: Words, *, now: datetime) -> Script[Spoken | NotSpoken]:
    """Put an operator's message into the outbox; it is activity: the session stays while a person is at it.

    Raises IdReused when the message's id was used for other words.
    """
    keys = {"workspace": words.workspace, "session": words.session}
    where = yield from one("session_address", **keys)
    if where is None:
        return NotSpoken("absent")
    address = where["address_id"]
    yield from execute("lock_sending", address=address)
    held = yield from one("operator_speaks", **keys, at=micros(now))
    # Whoever else says it at the same time has done so by now: the session is locked.
    if (yield from _was_said(words)):
        return Spoken(address)
    if held is None:
        return NotSpoken("not held")
    if words.operator and (other := (yield from _other_keeper(words))):
        return other
    places = (words.workspace, where["channel_id"], address, words.session)
    entry = OutboxEntry(words.message_id, *places, None, "operator", words.message, operator=words.operator)
    yield from add_messages((entry,), now=now)
    told = {"id": words.message_id, "turn": None, "author": "operator", "operator": words.operator}
    said = LiveEvent("said", words.session, {**told, "text": words.message.text[:MAX_TEXT]})
    yield from tell_live(words.workspace, (said,), now=now)
    return Spoken(address)


def _other_keeper(words: Words) -> Script[NotSpoken | None]:
    """Whoever else has the session."""
    found = yield from keeper(words.workspace, words.session)
    if found.operator == words.operator:
        return None
    return NotSpoken("another's", found.operator, found.since) if found.operator else NotSpoken("not held")


def _was_said(words: Words) -> Script[bool]:
    row = yield from one("said_already", workspace=words.workspace, message_id=words.message_id)
    if row is not None and decode(Outbound, row["message"]) != words.message:
        raise IdReused(f"{words.message_id} was used for other words")
    return row is not None


# --- health -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Depths:
    """How much waits."""

    unsent: int
    oldest: datetime | None
    leases: int
    stuck: int
    troubled: int


@reading
def depths(*, now: datetime) -> Script[Depths]:
    """For /metrics: by indexes of what waits, so it costs as much as there is to do."""
    row = yield from one("depths", now=micros(now))
    assert row is not None  # noqa: S101 -- counts always have a row
    return Depths(row["unsent"], maybe_moment(row["oldest"]), row["leases"], row["stuck"], row["troubled"])


def try_writing(*, now: datetime) -> Script[None]:
    """Write a few bytes and take them back, in one transaction: a full disk or a read-only database refuses that."""
    row = yield from one("begin_trial", at=micros(now))
    assert row is not None  # noqa: S101 -- it returns the row that it made
    yield from execute("end_trial", id=row["id"])


# --- rows as JSON -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shown:
    """One message as the API shows it."""

    id: str
    at: datetime
    author: str
    text: str
    status: str
    operator: str
    reason: str
    turn: int | None
    buttons: tuple[Mapping[str, Any], ...] = field(default=())
    attachments: tuple[Mapping[str, Any], ...] = field(default=())
    timer: bool = False  # nobody wrote: a promise fell due


def stored_message(written: str) -> Mapping[str, Any]:
    """A message of ours for people to look at; nothing of one that is unreadable, which its reason says."""
    try:
        message = json.loads(written)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def shown(row: Row) -> Shown:
    """A contact's words, or a message of ours; with what came or went besides text."""
    message = stored_message(row["message"]) if row["message"] else {"text": row["heard"]}
    sent = [message["attachment"]] if message.get("attachment") else []
    if '"attachments"' in (row["trace"] or ""):
        sent = json.loads(row["trace"]).get("attachments", [])
    return Shown(
        id=row["id"],
        at=moment(row["at"]),
        author=row["author"],
        text=str(message.get("text", "")),
        status=row["status"],
        operator=row["operator"],
        reason=row["reason"],
        turn=row["turn"],
        buttons=tuple(message.get("buttons", ())),
        attachments=tuple(sent),
        timer=row["author"] != "contact" and row["event"] == "TimerFired",
    )
