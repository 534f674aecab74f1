"""Messages that the business begins: who is on the list of a campaign, and who may be written to now.

A recipient waits, is begun (an event is in the inbox) or left out, and is written to by the turn of that event. Each of
these changes is one transaction, so nobody is begun twice, however many processes look and whenever one dies.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from hilo.dialogue.campaigns import why_busy
from hilo.dialogue.events import CampaignReached, Event
from hilo.dialogue.session import WINDOW, Session, from_json, quiet_since
from hilo.dialogue.stored import encode
from hilo.errors import HiloError
from hilo.ids import new_id
from hilo.store.channel_health import left_alone_until
from hilo.store.inbox import call_for_turn
from hilo.store.store import stepwise
from hilo.tools.database import Row, Script, execute, maybe_moment, micros, moment, one

AT_ONCE = 100  # recipients of one transaction
HOUR = timedelta(hours=1)

ANSWERS_ONLY = frozenset({"web", "telegram"})  # kinds of channels on which contacts begin

Cells = Mapping[str, str]
NumberedRow = tuple[int, Cells]

OPTED_OUT = "opted out"
NOT_OPTED_IN = "has not opted in"
WRITTEN_LATELY = "a campaign wrote to them less than a day ago"
WITH_OPERATOR = "an operator has the conversation"


@dataclass(frozen=True, slots=True)
class CampaignPlace:
    """A round of a campaign on a channel: each contact is written to once in it."""

    workspace: str
    channel: str
    name: str
    round: str = ""


@dataclass(frozen=True, slots=True)
class Recipient:
    """Somebody on a list: the number, as the channel writes it, with what the list gives for slots.

    `other` is how the number may have been written before; `row` is its place in the list.
    """

    value: str
    other: str = ""
    slots: Mapping[str, Any] = field(default_factory=dict)
    opted_in: bool = False
    row: int = 0


@dataclass(frozen=True, slots=True)
class GivenContact:
    """Somebody whom a program wants to be written to: what stands in the columns of a list, one by one."""

    to: str
    values: Mapping[str, str] = field(default_factory=dict)
    opted_in: bool = False


@dataclass(frozen=True, slots=True)
class Enlisted:
    """How many are new on a list, are looked at again, and were there already."""

    new: int = 0
    again: int = 0
    known: int = 0


@dataclass(frozen=True, slots=True)
class CampaignPace:
    """What the agent file says about whom to write to."""

    per_hour: int
    needs_opt_in: bool = True


@dataclass(frozen=True, slots=True)
class DueCampaign:
    """A round with somebody who may be written to."""

    id: str
    workspace: str
    name: str
    agent: str


@dataclass(frozen=True, slots=True)
class Begun:
    """The addresses that have a turn now, and when more may begin."""

    addresses: tuple[str, ...] = ()
    next_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReachedRecipient:
    """What the turn of a recipient came to; with a reason nothing was said."""

    recipient: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class BeginningChannel:
    """A channel on which the business may write first, and the agent that answers there."""

    id: str
    agent: str


def channel_to_begin(workspace: str, channel: str) -> Script[BeginningChannel | None]:
    """A channel of a workspace; raises HiloError where it does not let a business write first."""
    row = yield from one("channel", channel=channel)
    if row is None or row["workspace_id"] != workspace:
        return None
    if row["kind"] in ANSWERS_ONLY:
        raise HiloError(f"{channel} is no WhatsApp channel: there nobody can be written to first")
    return BeginningChannel(row["id"], row["agent"])


# --- the list -----------------------------------------------------------------------------------------


def enlist(place: CampaignPlace, recipients: Sequence[Recipient], *, now: datetime) -> Script[Enlisted]:
    """Put contacts on the list of a campaign; who is there already stays as they are."""
    where = {"workspace": place.workspace, "channel": place.channel, "name": place.name, "round": place.round}
    opened = yield from one("open_campaign", id=new_id("campaign"), **where, at=micros(now))
    assert opened is not None  # noqa: S101 -- it returns the row that is there or the one it made
    new = again = 0
    for each in sorted(recipients, key=lambda each: each.value):  # two lists never wait for each other
        row = yield from one(
            "add_recipient",
            campaign=opened["id"],
            workspace=place.workspace,
            value=each.value,
            place=each.row,
            opted_in=int(each.opted_in),
            slots=json.dumps({"other": each.other, "slots": dict(each.slots)}, ensure_ascii=False),
            at=micros(now),
        )
        if row is not None:
            is_new = row["created_at"] == micros(now)
            new, again = new + is_new, again + (not is_new)
    if new or again:
        yield from execute("wake_campaign", campaign=opened["id"], at=micros(now))
    return Enlisted(new, again, len(recipients) - new - again)


# --- who may be written to ----------------------------------------------------------------------------


def foresee(
    place: CampaignPlace, recipients: Sequence[Recipient], pace: CampaignPace, *, now: datetime
) -> Script[tuple[str, ...]]:
    """Why each of these would not be written to now, if so; nothing is changed."""
    known = yield from one(
        "find_campaign", workspace=place.workspace, channel=place.channel, name=place.name, round=place.round
    )
    reasons = []
    for each in recipients:
        before = yield from one("known_recipient", campaign=known["id"] if known else "", value=each.value)
        if before and before["status"] != "skipped":
            reasons.append("is on the list of this round already")
            continue
        address = yield from one("reachable_at", channel=place.channel, value=each.value, other=each.other)
        reasons.append((yield from _why_not(address, pace, opted_in=each.opted_in, now=now)))
    return tuple(reasons)


def _why_not(address: Row | None, pace: CampaignPace, *, opted_in: bool, now: datetime) -> Script[str]:
    """Why somebody is not written to; nothing where they may be."""
    if address and address["quiet_since"] is not None:
        return OPTED_OUT
    chosen = address is not None and address["quiet_chosen_at"] is not None
    if pace.needs_opt_in and not chosen and not opted_in:
        return NOT_OPTED_IN
    if address is None:
        return ""
    if (yield from one("begun_with", address=address["id"], since=micros(now - WINDOW))):
        return WRITTEN_LATELY
    last = yield from one("last_session", address=address["id"])
    if last is None or last["status"] == "closed":
        return ""
    if (yield from one("session_handoff", session=last["id"])):
        return WITH_OPERATOR
    session = from_json(last["state"])
    return "" if _is_left(session, moment(last["heard_at"]), now) else why_busy(session, now=now)


def _is_left(session: Session, heard_at: datetime, now: datetime) -> bool:
    """Whether nobody has gone on with a conversation of the agent's for so long that it is over."""
    return session.agent_holds and now - quiet_since(session, heard_at) >= WINDOW


# --- beginning ----------------------------------------------------------------------------------------


@stepwise
def due_campaigns(*, now: datetime) -> Script[tuple[DueCampaign, ...]]:
    """Rounds with somebody who may be written to now."""
    rows = yield from execute("due_campaigns", now=micros(now))
    return tuple(DueCampaign(row["id"], row["workspace_id"], row["name"], row["agent"]) for row in rows)


@stepwise
def next_campaign() -> Script[datetime | None]:
    """When the next one may be."""
    row = yield from one("next_campaign")
    return maybe_moment(row["next_at"]) if row else None


def put_off_campaign(campaign: str, *, until: datetime) -> Script[None]:
    """Write to nobody on its list before that."""
    yield from execute("put_off_campaign", campaign=campaign, until=micros(until))


def begin_contacts(campaign: str, pace: CampaignPace, *, now: datetime) -> Script[Begun]:
    """Put the next recipients into the inbox, as many as the limit of the channel's last hour leaves room for."""
    channel = yield from one("lock_campaign", campaign=campaign)
    named = yield from one("running_campaign", campaign=campaign)
    if channel is None or named is None:
        return Begun()
    paused = left_alone_until(channel["paused_until"], now=now)
    if paused is not None and paused > now:
        return (yield from _go_on_at(campaign, paused))
    counted = yield from one("begun_since", channel=channel["id"], since=micros(now - HOUR))
    room = pace.per_hour - (counted["begun"] if counted else 0)
    if room <= 0:
        last = yield from one("last_begun", channel=channel["id"], before=pace.per_hour - 1)
        return (yield from _go_on_at(campaign, (moment(last["begun_at"]) if last else now) + HOUR))
    rows = yield from execute("waiting_recipients", campaign=campaign, at_most=min(room, AT_ONCE))
    if not rows:
        yield from execute("set_campaign_next", campaign=campaign, next_at=None)
        return Begun()
    addresses = []
    for row in sorted(rows, key=lambda each: str(each["value"])):  # as those who write are locked
        address = yield from _begin(row, channel, named["name"], pace, now=now)
        if address:
            addresses.append(address)
    return Begun(tuple(addresses), now)


def _go_on_at(campaign: str, at: datetime) -> Script[Begun]:
    yield from put_off_campaign(campaign, until=at)
    return Begun((), at)


def _begin(row: Row, channel: Row, campaign: str, pace: CampaignPace, *, now: datetime) -> Script[str]:
    """Let somebody have a turn; the address, or nothing where they are left out."""
    listed = json.loads(row["slots"])
    where = {"channel": channel["id"], "value": row["value"]}
    known = yield from one("reachable_at", **where, other=listed["other"])
    reason = yield from _why_not(known, pace, opted_in=bool(row["opted_in"]), now=now)
    if reason:
        yield from execute("leave_out", id=row["id"], workspace=channel["workspace_id"], reason=reason)
        return ""
    address = known["id"] if known else (yield from _add_address(channel, row["value"], now=now))
    if row["opted_in"]:
        yield from execute("note_choice", address=address, at=micros(now))
    event = CampaignReached(now, campaign, listed["slots"], str(row["id"]))
    yield from execute("lock_turns", address=address)
    yield from execute(
        "add_event",
        workspace=channel["workspace_id"],
        channel=f"{channel['id']}/campaigns",  # ids of ours cannot meet the channel's
        external_id=str(row["id"]),
        address=address,
        session=None,
        kind=type(event).__name__,
        event=encode(Event, event),
        received_at=micros(now),
    )
    yield from call_for_turn(address, at=now)
    ids = {"id": row["id"], "workspace": channel["workspace_id"], "address": address}
    yield from execute("begin_recipient", **ids, at=micros(now))
    return str(address)


def _add_address(channel: Row, value: str, *, now: datetime) -> Script[str]:
    contact = new_id("contact")
    row = yield from one(
        "add_unheard_address",
        id=new_id("address"),
        workspace=channel["workspace_id"],
        channel=channel["id"],
        value=value,
        contact=contact,
    )
    assert row is not None  # noqa: S101 -- it returns the row that is there or the one it made
    if row["contact_id"] == contact:
        known = {"workspace": channel["workspace_id"], "name": "", "phone": value}
        yield from execute("add_contact", id=contact, **known, at=micros(now))
    return str(row["id"])


def note_reached(reached: ReachedRecipient, session: Session, workspace: str, *, now: datetime) -> Script[None]:
    """Note, with the turn's commit, that somebody on a list was written to, or why not."""
    if not reached.recipient.isdigit():
        return
    number = int(reached.recipient)
    if reached.reason:
        yield from execute("leave_out", id=number, workspace=workspace, reason=reached.reason)
        return
    written = {"session": session.id, "turn": session.version, "at": micros(now)}
    yield from execute("note_written", id=number, workspace=workspace, **written)
