"""Handoffs of one workspace: who waits for a person, with what a person has to know, and how it ended."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Literal

from hilo.agent.phrases.handoffs import title
from hilo.dialogue.events import Released
from hilo.ids import new_id
from hilo.store.api import NEWEST, OLDEST, Place, stored_message
from hilo.store.audit import AuditEntry, add_audit
from hilo.store.inbox import IdReused, QueuedEvent, put, was_put
from hilo.tools.database import Row, Script, execute, maybe_moment, micros, moment, one

LAST_MESSAGES = 5
MAX_WORDS = 500  # characters of each thing that a person is shown
MAX_NAMED = 6  # handoffs that an ambiguous beginning of an id is answered with
ID_PREFIX = "handoff_"

# What a person calls the reason; a policy that is not here goes by its own name, such as one of a tool.
TRIGGERS = {
    "errors": "consecutive_errors",
    "failures": "consecutive_errors",
    "sentiment": "negative_sentiment",
    "request": "customer_request",
    "keyword": "customer_request",
    "llm_intent": "customer_request",
}

Status = Literal["pending", "assigned", "resolved"]


@dataclass(frozen=True, slots=True)
class StoredHandoff:
    """A person was wanted; in a list, without the context. `session` is empty when the talk could not even begin."""

    id: str
    session: str
    policy: str
    reason: str
    status: Status
    operator: str
    created_at: datetime
    assigned_at: datetime | None
    resolved_at: datetime | None
    resolution: str = ""
    resolved_by: str = ""
    context: Mapping[str, Any] = field(default_factory=dict)

    @property
    def trigger(self) -> str:
        """Why a person was wanted, in a word."""
        return TRIGGERS.get(self.policy, self.policy)


def plain_handoff(handoff: StoredHandoff, language: str = "en") -> dict[str, Any]:
    """As programs are shown it; the title says why in the operator's language."""
    why = title(handoff.policy, language) or handoff.reason
    return {**asdict(handoff), "trigger": handoff.trigger, "title": why}


def list_handoffs(
    workspace: str, status: Status | Literal["open", ""], *, after: Place = OLDEST, at_most: int
) -> Script[tuple[StoredHandoff, ...]]:
    """Who has waited longest first."""
    values = {"after": after[0], "after_id": after[1], "at_most": at_most}
    rows = yield from execute("handoffs", workspace=workspace, handoff="", status=status, **values)
    return tuple(map(_handoff, rows))


def one_handoff(workspace: str, handoff: str) -> Script[StoredHandoff | None]:
    """A handoff with its context, if it is this workspace's."""
    if not handoff:
        return None
    values = {"after": OLDEST[0], "after_id": "", "at_most": 1}
    row = yield from one("handoffs", workspace=workspace, handoff=handoff, status="", **values)
    return _handoff(row) if row else None


def find_handoff(workspace: str, beginning: str) -> Script[tuple[str, ...]]:
    """The ids that begin like this, with or without the word that all of them begin with; a few of many."""
    found: list[str] = []
    for start in dict.fromkeys((beginning, ID_PREFIX + beginning)):
        values = {"workspace": workspace, "beginning": start, "size": len(start), "at_most": MAX_NAMED}
        found += [row["id"] for row in (yield from execute("handoff_ids", **values))]
    return (beginning,) if beginning in found else tuple(dict.fromkeys(found))


def _handoff(row: Row) -> StoredHandoff:
    texts = (row["id"], row["session_id"], row["policy"], row["reason"], row["status"], row["operator_id"] or "")
    times = (maybe_moment(row["assigned_at"]), maybe_moment(row["resolved_at"]))
    end = (row["resolution"], row["resolved_by"])
    return StoredHandoff(*texts, moment(row["created_at"]), *times, *end, json.loads(row["context"]))


# --- what a person has to know ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Where:
    """Whose handoff it is."""

    workspace: str
    session: str
    contact: str
    address: str
    channel: str


@dataclass(frozen=True, slots=True)
class HandoffCause:
    """Why a person is wanted, and of which team."""

    policy: str
    reason: str
    team: str = ""


def add_handoff(where: Where, cause: HandoffCause, *, known: Mapping[str, Any], now: datetime) -> Script[list[Row]]:
    """A person is wanted, and shall know what the turn knew, the contact, and the last words of both sides."""
    place = {"workspace": where.workspace, "before": NEWEST[0], "before_id": NEWEST[1]}
    contact = yield from one("api_contacts", contact=where.contact, **place, at_most=1)
    rows = yield from execute("api_messages", session=where.session, **place, at_most=LAST_MESSAGES)
    phone = contact["phone"] if contact else ""
    name = known.get("name") or (contact["name"] if contact else "")
    messages = []
    for row in reversed(rows):
        who = row["author"] if row["author"] in ("contact", "operator") else "agent"
        text = str(stored_message(row["message"]).get("text", "")) if row["message"] else row["heard"]
        messages.append({"who": who, "text": text[:MAX_WORDS]})
    context = {
        **{key: value for key, value in known.items() if key != "name"},
        "contact": {
            "id": where.contact,
            "name": str(name)[:MAX_WORDS],
            "phone": phone,
            "address": where.address,
            "channel": where.channel,
        },
        "messages": messages,
        "issue": cause.reason,
    }
    kept = json.dumps(context, ensure_ascii=False, default=str)
    ids = {"id": new_id("handoff"), "workspace": where.workspace, "session": where.session}
    why = {"policy": cause.policy, "reason": cause.reason, "team": cause.team}
    return (yield from execute("add_handoff", **ids, **why, context=kept, at=micros(now)))


# --- what is done with them ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HandoffEnding:
    """How a handoff ends: who says so, and the outcome."""

    handoff: str
    session: str
    by: str
    words: str = ""


def put_ending(
    workspace: str, ending: HandoffEnding, event: Released, *, external_id: str, now: datetime
) -> Script[QueuedEvent | None]:
    """Put the release into the session's inbox, and note how it ends: its turn closes the handoff.

    Raises IdReused when the id was used for another end.
    """
    accepted = yield from put(workspace, ending.session, event, external_id=external_id, now=now)
    if accepted and accepted.duplicate:
        yield from was_ended(workspace, ending, event, external_id=external_id)
    elif accepted:
        yield from _note(workspace, ending)
    return accepted


def was_ended(workspace: str, ending: HandoffEnding, event: Released, *, external_id: str) -> Script[bool]:
    """Whether this very end was put already; raises IdReused when another one was under its id."""
    if not (yield from was_put(workspace, ending.session, event, external_id=external_id)):
        return False
    found = yield from one_handoff(workspace, ending.handoff)
    if found and (found.resolved_by, found.resolution) != (ending.by, ending.words):
        raise IdReused(f"{external_id} was used for another end")
    return True


def resolve_alone(workspace: str, ending: HandoffEnding, *, now: datetime) -> Script[None]:
    """Resolve a handoff that has no session."""
    yield from _note(workspace, ending)
    if (yield from one("resolve_handoff", workspace=workspace, handoff=ending.handoff, at=micros(now))):
        entry = AuditEntry(ending.by, "resolved", ending.handoff, {"session": "", "handoffs": [ending.handoff]})
        yield from add_audit(workspace, (entry,), at=now)


def _note(workspace: str, ending: HandoffEnding) -> Script[None]:
    values = {"handoff": ending.handoff, "by": ending.by, "words": ending.words}
    yield from execute("note_resolution", workspace=workspace, **values)


# --- what can be chosen -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Offers:
    """What an agent offers to operators: modes to go on in, and its tools, each with its parameters."""

    modes: tuple[str, ...]
    tools: Mapping[str, Any]


def offers(workspace: str, session: str) -> Script[Offers | None]:
    """What the agent of a session offers; nothing where it was published by an older program."""
    row = yield from one("offers", workspace=workspace, session=session)
    return read_offers(row["offers"]) if row else None


def read_offers(stored: str) -> Offers | None:
    """What was published with an agent."""
    plain = json.loads(stored)
    return Offers(tuple(plain["modes"]), plain["tools"]) if plain else None


def unknown_choice(found: Offers | None, *, mode: str = "", tools: Sequence[str] = ()) -> str:
    """What was chosen and does not exist, with what does; nothing when all is well, or when nobody knows."""
    if found is None:
        return ""
    if mode and mode not in found.modes:
        return f"there is no mode {mode[:60]}: {_listed(found.modes, 'modes')}"
    unknown = next((tool for tool in tools if tool not in found.tools), "")
    return f"there is no tool {unknown[:60]}: {_listed(tuple(found.tools), 'tools')}" if unknown else ""


def _listed(names: Sequence[str], kind: str) -> str:
    return f"choose one of {', '.join(names)}" if names else f"this agent has no {kind}"
