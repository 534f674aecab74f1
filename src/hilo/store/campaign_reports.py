"""What became of campaigns and of the lists that were given for them; stopping one, and what contacts have chosen."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from hilo.ids import new_id
from hilo.store.audit import AuditEntry, add_audit
from hilo.store.inbox import IdReused
from hilo.store.store import reading
from hilo.tools.database import Row, Script, execute, maybe_moment, micros, moment, one

MOST_PROBLEMS = 1_000  # that are told one by one
ON_THE_WAY = frozenset({"", "pending", "sending"})  # of a message that a turn has said

Standing = Literal["running", "stopped"]
# What became of a recipient; `sending` is all between the inbox and the channel.
Fate = Literal["waiting", "skipped", "sending", "sent", "delivered", "read", "failed", "held"]


@dataclass(frozen=True, slots=True)
class RowProblem:
    """Why a row of a list is left out; rows are counted as spreadsheets show them, the head is the first."""

    row: int
    problem: str
    column: str = ""

    def __str__(self) -> str:
        return f"row {self.row}: {f'{self.column}: ' if self.column else ''}{self.problem}"


@dataclass
class ListReport:
    """What became of a list. After a dry run `new` would be written to, and nothing was changed."""

    rows: int = 0
    new: int = 0
    again: int = 0
    known: int = 0
    skipped: Counter[str] = field(default_factory=Counter)  # by why; only a dry run knows it at once
    problems: list[RowProblem] = field(default_factory=list)
    more_problems: int = 0
    example: str = ""  # what the first of them reads

    def add_problem(self, problem: RowProblem) -> None:
        """Note why a row is left out; after so many only how many."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)
        else:
            self.more_problems += 1

    def plain(self) -> dict[str, Any]:
        """For programs."""
        problems = [{"row": each.row, "column": each.column, "problem": each.problem} for each in self.problems]
        counted = {name: getattr(self, name) for name in ("rows", "new", "again", "known", "more_problems", "example")}
        return {**counted, "skipped": dict(self.skipped), "problems": problems}


@dataclass(frozen=True, slots=True)
class CampaignRound:
    """A round of a campaign; `next_at` is when it goes on, if somebody waits."""

    id: str
    channel: str
    name: str
    round: str
    status: Standing
    next_at: datetime | None
    created_at: datetime
    counts: Mapping[Fate, int]
    answered: int


@dataclass(frozen=True, slots=True)
class RecipientFate:
    """What became of somebody on a list, and why; `row` is their place in it."""

    id: int
    row: int
    number: str
    status: Fate
    reason: str
    answered: bool
    session: str
    begun_at: datetime | None
    written_at: datetime | None


@reading
def list_rounds(workspace: str, *, at_most: int, campaign: str = "") -> Script[tuple[CampaignRound, ...]]:
    """The rounds of a workspace with what became of their lists, the newest first; or the one of that id."""
    rows = yield from execute("list_campaigns", workspace=workspace, campaign=campaign, at_most=at_most)
    found = []
    for row in rows:
        counted = yield from execute("count_recipients", workspace=workspace, campaign=row["id"])
        counts: Counter[Fate] = Counter()
        answered = 0
        for each in counted:
            counts[_fate(each)] += each["times"]
            answered += each["times"] if each["answered"] else 0
        found.append(
            CampaignRound(
                *(row["id"], row["channel_id"], row["name"], row["round"], row["status"]),
                next_at=maybe_moment(row["next_at"]),
                created_at=moment(row["created_at"]),
                counts=dict(counts),
                answered=answered,
            )
        )
    return tuple(found)


@reading
def list_recipients(workspace: str, campaign: str, *, after: int, at_most: int) -> Script[tuple[RecipientFate, ...]]:
    """Those on the list of a round, in the order in which they were listed."""
    values = {"workspace": workspace, "campaign": campaign, "after": after, "at_most": at_most}
    rows = yield from execute("campaign_report", **values)
    return tuple(map(_recipient, rows))


def _recipient(row: Row) -> RecipientFate:
    return RecipientFate(
        *(row["id"], row["place"], row["value"], _fate(row)),
        reason=row["reason"] or row["fate_reason"],
        answered=bool(row["answered"]),
        session=row["session_id"] or "",
        begun_at=maybe_moment(row["begun_at"]),
        written_at=maybe_moment(row["written_at"]),
    )


def _fate(row: Row) -> Fate:
    if row["status"] in ("waiting", "skipped"):
        return row["status"]  # type: ignore[no-any-return]
    fate = row["fate"]
    return "sending" if fate in ON_THE_WAY else fate


# --- acting -------------------------------------------------------------------------------------------


def set_standing(workspace: str, campaign: str, standing: Standing, *, actor: str, now: datetime) -> Script[bool]:
    """Stop a round, or let it go on; false when there is none. What is in the inbox already is still said."""
    next_at = micros(now) if standing == "running" else None
    row = yield from one(
        "set_campaign_status", workspace=workspace, campaign=campaign, status=standing, next_at=next_at
    )
    if row is None:
        return False
    did = "stopped" if standing == "stopped" else "resumed"
    yield from add_audit(workspace, (AuditEntry(actor, did, campaign),), at=now)
    return True


@dataclass(frozen=True, slots=True)
class ReportedChoice:
    """What a contact has told the business, and who keeps it; the second number is how it may be written otherwise."""

    channel: str
    numbers: tuple[str, str]
    wanted: bool
    actor: str


def choose(workspace: str, choice: ReportedChoice, *, now: datetime) -> Script[bool]:
    """Keep that a contact wants to be written to first, or does not any more; false when there is no such channel."""
    channel, wanted = choice.channel, choice.wanted
    known = yield from one("channel", channel=channel)
    if known is None or known["workspace_id"] != workspace:
        return False
    value, other = choice.numbers
    address = yield from one("reachable_at", channel=channel, value=value, other=other)
    if address is None:
        contact = new_id("contact")
        ids = {"id": new_id("address"), "workspace": workspace, "channel": channel, "contact": contact}
        made = yield from one("add_unheard_address", **ids, value=value)
        if made is not None and made["contact_id"] == contact:
            yield from execute("add_contact", id=contact, workspace=workspace, name="", phone=value, at=micros(now))
    quiet = None if wanted else micros(now)
    there = address["value"] if address else value
    row = yield from one("set_quiet", channel=channel, value=there, quiet_since=quiet, at=micros(now))
    if row is not None:
        did = "opted in" if wanted else "opted out"
        yield from add_audit(workspace, (AuditEntry(choice.actor, did, row["contact_id"]),), at=now)
    return True


# --- requests that must not be done twice -------------------------------------------------------------


@reading
def done_before(workspace: str, key: str, digest: str) -> Script[dict[str, Any] | None]:
    """What a request under this key came to, if it was done; raises IdReused when it was another one."""
    row = yield from one("campaign_request", workspace=workspace, key=key)
    if row is None:
        return None
    if row["digest"] != digest:
        raise IdReused("this Idempotency-Key was used for another list")
    found: dict[str, Any] = json.loads(row["result"])
    return found


def note_done(workspace: str, key: str, digest: str, result: Mapping[str, Any], *, now: datetime) -> Script[None]:
    """Remember what a request came to."""
    values = {"key": key, "digest": digest, "result": json.dumps(result, ensure_ascii=False), "at": micros(now)}
    yield from execute("add_campaign_request", workspace=workspace, **values)
