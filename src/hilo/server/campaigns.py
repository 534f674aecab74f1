"""Campaigns over the REST API: giving lists of contacts, looking at what became of them, and who has opted in."""

import hashlib
import io
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Depends, HTTPException, Query, Request
from pydantic import BaseModel, Field, StringConstraints

from hilo.channels.numbers import whatsapp_number
from hilo.errors import HiloError
from hilo.server.access import Campaigning, Edge, Reading
from hilo.server.api_router import api_router
from hilo.server.edge import HttpEdge
from hilo.server.pages import Cursor, Limit, piece, place_of
from hilo.server.parameters import NOT_THERE, Id, IdempotencyKey, key_digest, or_404
from hilo.server.shapes import Name, RequestBody, Word
from hilo.store import campaign_reports as stored
from hilo.store.api import OLDEST
from hilo.store.campaign_reports import CampaignRound, ListReport, RecipientFate, ReportedChoice
from hilo.store.campaigns import CampaignPlace, GivenContact
from hilo.store.inbox import IdReused
from hilo.store.keys import Key
from hilo.store.store import StoreUnavailable

MOST_CONTACTS = 1_000  # of one request; a CSV takes more
CSV_BODY = {"requestBody": {"required": True, "content": {"text/csv": {"schema": {"type": "string"}}}}}

Cell = Annotated[str, StringConstraints(max_length=1_000)]
CampaignName = Annotated[str, Query(min_length=1, max_length=100, description="Its name in the agent file.")]
ChannelId = Annotated[str, Query(min_length=1, max_length=100, description="The channel it goes out on.")]
Round = Annotated[str, Query(max_length=100, description="In one round each contact is written to once.")]
DryRun = Annotated[bool, Query(description="Check the list and say what would happen; nothing is changed.")]


class NewContact(RequestBody):
    """Somebody to write to: the number, and values by the names of the list's columns."""

    to: Annotated[str, StringConstraints(min_length=1, max_length=40)]
    values: Annotated[dict[Name, Cell], Field(max_length=50)] = Field(default_factory=dict)
    opt_in: bool = False


class NewList(RequestBody):
    """Contacts for a round of a campaign."""

    campaign: Word
    channel: Word
    round: Annotated[str, StringConstraints(max_length=100)] = ""
    dry_run: bool = False
    contacts: Annotated[list[NewContact], Field(min_length=1, max_length=MOST_CONTACTS)]


class ListProblem(BaseModel):
    """Why a row is left out."""

    row: int
    column: str
    problem: str


class ListBody(BaseModel):
    """What became of a list: new ones, those who are looked at again, those who were on it already.

    After a dry run `new` would be written to, and `skipped` says how many would not be, and why.
    """

    rows: int
    new: int
    again: int
    known: int
    skipped: dict[str, int]
    problems: list[ListProblem]
    more_problems: int
    example: str


class RoundBody(BaseModel):
    """A round of a campaign with how many of its recipients are where; `next_at` is when it goes on."""

    id: str
    channel: str
    campaign: str
    round: str
    status: Literal["running", "stopped"]
    next_at: datetime | None
    created_at: datetime
    counts: dict[str, int]
    answered: int


class RoundList(BaseModel):
    """Rounds, the newest first."""

    items: list[RoundBody]


class RecipientBody(BaseModel):
    """What became of somebody on the list, and why; `row` is their place in it."""

    row: int
    number: str
    status: stored.Fate
    reason: str
    answered: bool
    session: str
    begun_at: datetime | None
    written_at: datetime | None


class RecipientPage(BaseModel):
    """A piece of the report."""

    items: list[RecipientBody]
    next: str | None


class NewChoice(RequestBody):
    """Whether a contact wants to be written to first."""

    channel: Word
    to: Annotated[str, StringConstraints(min_length=1, max_length=40)]
    opted_in: bool


@dataclass(frozen=True, slots=True)
class _ListPlace:
    """What a list that comes as a file is for."""

    campaign: str
    channel: str
    round: str
    dry_run: bool


def _list_place(
    campaign: CampaignName,
    channel: ChannelId,
    round: Round = "",  # noqa: A002 -- its name in the address
    *,
    dry_run: DryRun = False,
) -> _ListPlace:
    return _ListPlace(campaign, channel, round, dry_run)


router = api_router("", "campaigns")


@router.post("/campaigns", status_code=202)
async def write_first(edge: Edge, given: NewList, once: IdempotencyKey, key: Campaigning) -> ListBody:
    """Put contacts on the list of a campaign: who may be is written to, once in its round."""
    place = CampaignPlace(key.workspace, given.channel, given.campaign, given.round)
    contacts = [GivenContact(each.to, each.values, opted_in=each.opt_in) for each in given.contacts]
    request = _Request(key.workspace, key_digest(once), given.model_dump_json())
    known = await request.done_before(edge)
    if known is not None:
        return ListBody.model_validate(known)
    report = await _taken(edge, place, contacts, dry_run=given.dry_run)
    return await request.answer(edge, report, dry_run=given.dry_run)


@router.post("/campaigns/csv", status_code=202, openapi_extra=CSV_BODY)
async def write_first_csv(
    edge: Edge,
    request: Request,
    where: Annotated[_ListPlace, Depends(_list_place)],
    once: IdempotencyKey,
    key: Campaigning,
) -> ListBody:
    """The same for a CSV, whose first row has the names of the columns."""
    body = await request.body()
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = body.count(b"\n", 0, error.start) + 1
        raise HTTPException(422, f"row {row} is not UTF-8: save the list as CSV UTF-8") from None
    place = CampaignPlace(key.workspace, where.channel, where.campaign, where.round)
    done = _Request(key.workspace, key_digest(once), f"{where}{text}")
    known = await done.done_before(edge)
    if known is not None:
        return ListBody.model_validate(known)
    report = await _taken(edge, place, list(io.StringIO(text, newline="")), dry_run=where.dry_run)
    return await done.answer(edge, report, dry_run=where.dry_run)


class _Request:
    """A request that may be repeated: under its key it is done once."""

    def __init__(self, workspace: str, key: str, content: str) -> None:
        self._ids = (workspace, f"campaigns:{key}", hashlib.sha256(content.encode("utf-8", "replace")).hexdigest())

    async def done_before(self, edge: HttpEdge) -> dict[str, Any] | None:
        try:
            return await edge.store.run(stored.done_before, *self._ids)
        except IdReused as error:
            raise HTTPException(422, str(error)) from None

    async def answer(self, edge: HttpEdge, report: ListReport, *, dry_run: bool) -> ListBody:
        if not dry_run:
            await edge.store.run(stored.note_done, *self._ids, report.plain(), now=edge.clock.now())
        return ListBody.model_validate(report.plain())


async def _taken(
    edge: HttpEdge, place: CampaignPlace, given: list[GivenContact] | list[str], *, dry_run: bool
) -> ListReport:
    """404 for a channel or a campaign that is not there, 422 for a list that is none."""
    if edge.campaigns is None:
        raise HTTPException(404, NOT_THERE)
    contacts = [each for each in given if isinstance(each, GivenContact)]
    lines = [each for each in given if isinstance(each, str)]
    try:
        if contacts:
            taken = await edge.campaigns.take_contacts(place, contacts, dry_run=dry_run)
        else:
            taken = await edge.campaigns.take_csv(place, lines, dry_run=dry_run)
    except StoreUnavailable:
        raise  # the list may be right: it can be given again
    except HiloError as error:
        raise HTTPException(422, str(error)) from None
    return or_404(taken)


@router.get("/campaigns")
async def rounds(edge: Edge, key: Reading, limit: Limit = 50) -> RoundList:
    """Rounds of campaigns with what became of their lists, the newest first."""
    found = await edge.store.run(stored.list_rounds, key.workspace, at_most=limit)
    return RoundList(items=[_round(each) for each in found])


@router.get("/campaigns/{round}")
async def one_round(edge: Edge, round: Id, key: Reading) -> RoundBody:  # noqa: A002 -- its name in the address
    """One round."""
    found = await edge.store.run(stored.list_rounds, key.workspace, at_most=1, campaign=round)
    return _round(or_404(found[0] if found else None))


@router.get("/campaigns/{round}/recipients")
async def recipients(
    edge: Edge,
    round: Id,  # noqa: A002 -- its name in the address
    key: Reading,
    cursor: Cursor = "",
    limit: Limit = 50,
) -> RecipientPage:
    """The report: what became of each one on the list, and why, in the order in which they were listed."""
    after = place_of(cursor, OLDEST)[0]
    rows = await edge.store.run(stored.list_recipients, key.workspace, round, after=after, at_most=limit + 1)
    found, following = piece(rows, limit, lambda row: (row.id, ""))
    return RecipientPage(items=[_recipient(each) for each in found], next=following)


def _round(found: CampaignRound) -> RoundBody:
    given = {name: getattr(found, name) for name in CampaignRound.__dataclass_fields__}
    return RoundBody.model_validate({**given, "campaign": found.name})


def _recipient(found: RecipientFate) -> RecipientBody:
    return RecipientBody.model_validate({name: getattr(found, name) for name in RecipientFate.__dataclass_fields__})


async def _stand(edge: HttpEdge, key: Key, campaign: str, standing: stored.Standing) -> RoundBody:
    now = edge.clock.now()
    if not await edge.store.run(stored.set_standing, key.workspace, campaign, standing, actor=key.name, now=now):
        raise HTTPException(404, NOT_THERE)
    found = await edge.store.run(stored.list_rounds, key.workspace, at_most=1, campaign=campaign)
    return _round(found[0])


@router.post("/campaigns/{round}/stop")
async def stop(edge: Edge, round: Id, key: Campaigning) -> RoundBody:  # noqa: A002 -- its name in the address
    """Write to nobody else on its list; doing it twice changes nothing."""
    return await _stand(edge, key, round, "stopped")


@router.post("/campaigns/{round}/resume")
async def resume(edge: Edge, round: Id, key: Campaigning) -> RoundBody:  # noqa: A002 -- its name in the address
    """Go on with the list."""
    return await _stand(edge, key, round, "running")


@router.put("/opt-ins", status_code=204)
async def choose(edge: Edge, given: NewChoice, key: Campaigning) -> None:
    """Keep that a contact has agreed to be written to first, or wants it no more."""
    numbers = whatsapp_number(given.to)
    if numbers is None:
        raise HTTPException(422, f"`{given.to}` is no phone number with its country's code: +54 9 11 5555 1234")
    choice = ReportedChoice(given.channel, numbers, given.opted_in, key.name)
    if not await edge.store.run(stored.choose, key.workspace, choice, now=edge.clock.now()):
        raise HTTPException(404, NOT_THERE)
