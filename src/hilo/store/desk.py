"""Sessions as the people see them who look after them: the inbox, and one session whole."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from hilo.store.api import Place, one_contact, one_session, stored_message
from hilo.store.desk_search import find_sessions
from hilo.store.handoffs import TRIGGERS, StoredHandoff, one_handoff
from hilo.store.store import reading
from hilo.tools.database import Row, Script, execute, moment, one
from hilo.tools.given import Contact

View = Literal["waiting", "mine", "agent", "paused", "trouble", "all"]

MAX_TEXT = 300  # characters of the last words in a list
EARLIER = 20
MOST_AT_STEP = 5_000  # sessions that are listed by their place
LOOKED_AT = 50  # turns in which a value is looked for

_ALL = [""]  # a list in a statement that leaves nobody out
_GIVES = frozenset({"SetSlot", "CorrectSlot"})


@dataclass(frozen=True, slots=True)
class Sought:
    """Which sessions: a view, for whom, and what else they must have; an empty word means all."""

    view: View = "all"
    operator: str = ""
    words: str = ""
    agent: str = ""
    channel: str = ""
    team: str = ""
    mode: str = ""
    session: str = ""
    flow: str = ""
    step: str = ""
    teams: tuple[str, ...] = ()  # of who looks: what waits for another one is left out


@dataclass(frozen=True, slots=True)
class DeskRow:
    """A line of the inbox; `place` is where it stands in its list."""

    place: int
    session: str
    agent: str
    channel: str
    channel_kind: str
    contact: Mapping[str, str]
    address: str
    status: str
    holder: str
    operator: str
    team: str
    mode: str
    mode_label: str
    last: Mapping[str, Any] | None
    wanted: str  # why a person shall come, and the same in words
    wanted_label: str
    waits_since: datetime | None
    window_until: datetime | None
    mood: float
    unread: int
    trouble: Literal["failed", "held", "parked", ""]
    texts: Mapping[str, str]  # what the contact said of themselves, by slot


@reading
def list_desk(workspace: str, sought: Sought, *, place: Place, at_most: int) -> Script[list[DeskRow]]:
    """Waiting: the longest first; the others the newest first."""
    filters = ("agent", "channel", "team", "mode", "session")
    values: dict[str, Any] = {name: getattr(sought, name) for name in filters}
    values |= {"place": place[0], "place_id": place[1], "at_most": at_most}
    values["among"] = json.dumps((yield from _among(workspace, sought)))
    if sought.view == "waiting":
        found = yield from execute("desk_waiting", workspace=workspace, **values, teams=json.dumps(sought.teams))
    else:
        view = {"view": sought.view, "operator": sought.operator}
        found = yield from execute("desk_newest", workspace=workspace, **view, **values)
    ids = [row["id"] for row in found]
    rows = yield from execute("desk_rows", workspace=workspace, sessions=json.dumps(ids))
    by_id = {row["id"]: row for row in rows}
    return [_row(by_id[each["id"]], each["place"]) for each in found if each["id"] in by_id]


@reading
def desk_rows(workspace: str, sessions: Collection[str]) -> Script[list[DeskRow]]:
    """These sessions, in no order."""
    rows = yield from execute("desk_rows", workspace=workspace, sessions=json.dumps([*sessions]))
    return [_row(row, 0) for row in rows]


def _among(workspace: str, sought: Sought) -> Script[list[str]]:
    """The sessions at a step, or with words in them, or both; without either all are meant."""
    if not sought.flow and not sought.words:
        return _ALL
    if not sought.flow:
        return (yield from find_sessions(workspace, sought.words, session=sought.session))
    where = {"agent": sought.agent, "flow": sought.flow, "step": sought.step}
    rows = yield from execute("at_step", workspace=workspace, **where, at_most=MOST_AT_STEP)
    there = [row["id"] for row in rows]
    if not sought.words:
        return there
    found = set((yield from find_sessions(workspace, sought.words, session=sought.session)))
    return [session for session in there if session in found]


@reading
def desk_counts(workspace: str, operator: str, teams: Sequence[str] = ()) -> Script[dict[str, int]]:
    """How many sessions stand in each view."""
    row = yield from one("desk_counts", workspace=workspace, operator=operator, teams=json.dumps(list(teams)))
    return {name: row[name] for name in ("waiting", "mine", "agent", "paused", "trouble")} if row else {}


def mode_label(mode: str) -> str:
    """A mode in words."""
    return mode.replace("_", " ").strip().capitalize()


def _row(row: Row, place: int) -> DeskRow:
    last = _last(row)
    state = json.loads(row["state"])
    return DeskRow(
        place=place,
        session=row["id"],
        agent=row["agent"],
        channel=row["channel_id"],
        channel_kind=row["kind"] or "",
        contact={"id": row["contact_id"], "name": row["name"], "phone": row["phone"]},
        address=row["address"],
        status=row["status"],
        holder=row["holder"],
        operator=row["operator"] or "",
        team=row["team"] or "",
        mode=row["mode"],
        mode_label=mode_label(row["mode"]),
        last=last,
        wanted=_wanted(row),
        wanted_label=row["why"] or "",
        waits_since=_waits_since(row, last),
        window_until=_window(row),
        mood=float(state.get("mood", 0)),
        unread=row["unread"],
        trouble="parked" if row["policy"] == "error" else row["stuck"] or "",
        texts={name: value for name, value in state.get("slots", {}).items() if isinstance(value, str)},
    )


def _last(row: Row) -> dict[str, Any] | None:
    """The last words, whoever said them; of who waits for a person their own, not that one will come."""
    waits = row["handoff"] == "pending" and row["heard_turn_at"] is not None
    if not waits and row["said_at"] is not None and row["said_at"] >= (row["heard_turn_at"] or 0):
        text = str(stored_message(row["message"]).get("text", ""))
        author, at = row["author"], row["said_at"]
    elif row["heard_turn_at"] is not None:
        author, text, at = "contact", row["heard"], row["heard_turn_at"]
    else:
        return None
    return {"author": author, "operator": row["said_by"] or "", "text": text[:MAX_TEXT], "at": moment(at)}


def _wanted(row: Row) -> str:
    policy = str(row["policy"] or "")
    return TRIGGERS.get(policy, policy) if row["handoff"] == "pending" else ""


def _waits_since(row: Row, last: Mapping[str, Any] | None) -> datetime | None:
    """Since when the contact waits for a person: one who shall come, or the one who has the session."""
    if row["handoff"] == "pending":
        return moment(row["wanted_at"])
    if row["handoff"] == "assigned" and last and last["author"] == "contact":
        return moment(row["heard_turn_at"])
    return None


def _window(row: Row) -> datetime | None:
    """Until when free text may be sent, where that ends."""
    if not row["window_hours"]:
        return None
    return moment(row["heard_at"] or 0) + timedelta(hours=row["window_hours"])


# --- one session --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GivenBy:
    """Who gave a slot its value, and when."""

    by: Literal["contact", "operator", "agent"]
    at: datetime


@dataclass(frozen=True, slots=True)
class DeskSession:
    """A session with all that is known beside it."""

    row: Row
    desk: DeskRow
    state: str
    contact: tuple[Row, Sequence[Row]] | None
    timers: tuple[tuple[str, datetime], ...]
    handoff: StoredHandoff | None
    earlier: tuple[Mapping[str, Any], ...]
    given: Mapping[str, GivenBy]


@reading
def whole_session(workspace: str, session: str) -> Script[DeskSession | None]:
    """All of it, if it is this workspace's."""
    keys = {"workspace": workspace, "session": session}
    row = yield from one_session(workspace, session)
    if row is None:
        return None
    [found] = yield from execute("desk_rows", workspace=workspace, sessions=json.dumps([session]))
    contact = yield from one_contact(workspace, row["contact_id"])
    timers = yield from execute("desk_timers", **keys)
    open_handoff = yield from one("desk_handoff", **keys)
    handoff = (yield from one_handoff(workspace, open_handoff["id"])) if open_handoff else None
    earlier = yield from execute("desk_earlier", **keys, contact=row["contact_id"], at_most=EARLIER)
    turns = yield from execute("desk_commands", **keys, at_most=LOOKED_AT)
    return DeskSession(
        row=row,
        desk=_row(found, row["last_at"]),
        state=found["state"],
        contact=contact,
        timers=tuple((each["name"], moment(each["due_at"])) for each in timers),
        handoff=handoff,
        earlier=tuple(
            {"session": each["id"], "started_at": moment(each["started_at"]), "status": each["status"]}
            for each in earlier
        ),
        given=_given(turns),
    )


def _given(turns: Sequence[Row]) -> dict[str, GivenBy]:
    """Who gave each value, as far as the newest turns tell."""
    found: dict[str, GivenBy] = {}
    for turn in turns:
        for command in json.loads(turn["trace"]).get("accepted", ()):
            if not isinstance(command, dict) or command.get("is") not in _GIVES:
                continue
            by: Literal["contact", "operator", "agent"] = _BY.get(turn["event"], "agent")
            found.setdefault(command.get("slot", ""), GivenBy(by, moment(turn["at"])))
    return found


_BY: Mapping[str, Literal["contact", "operator", "agent"]] = {
    "MessageReceived": "contact",
    "OperatorCorrected": "operator",
    "OperatorCalled": "operator",
}


def contact_of(workspace: str, session: str) -> Script[Contact | None]:
    """Whom the calls of a session are for."""
    rows = yield from execute("desk_rows", workspace=workspace, sessions=json.dumps([session]))
    if not rows:
        return None
    row = rows[0]
    phone = f"+{row['phone'].lstrip('+')}" if row["phone"] else ""
    return Contact(workspace, row["contact_id"], row["channel_id"], row["address"], session, phone)


# --- one turn -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DeskTurn:
    """A turn with its calls and what it cost."""

    row: Row
    calls: Sequence[Row]
    usage: Sequence[Row]


@reading
def one_turn(workspace: str, session: str, number: int) -> Script[DeskTurn | None]:
    """A turn, if it is this workspace's."""
    keys = {"workspace": workspace, "session": session, "number": number}
    row = yield from one("desk_turn", **keys)
    if row is None:
        return None
    calls = yield from execute("desk_turn_calls", **keys)
    return DeskTurn(row, calls, (yield from execute("desk_turn_usage", **keys)))
