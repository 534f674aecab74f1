"""Campaigns at work: putting lists into the store, and beginning with those who may be written to now."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import structlog

from hilo.agent.campaigns import Campaign
from hilo.agent.declaration import Agent
from hilo.clock import Clock
from hilo.dialogue.decide import decide
from hilo.dialogue.events import CampaignReached
from hilo.dialogue.synthesis import opened
from hilo.dialogue.timers import awake
from hilo.queue.queue import Queue
from hilo.store.campaign_reports import ListReport, RowProblem
from hilo.store.campaigns import (
    CampaignPace,
    CampaignPlace,
    GivenContact,
    NumberedRow,
    begin_contacts,
    channel_to_begin,
    due_campaigns,
    enlist,
    foresee,
    put_off_campaign,
)
from hilo.store.store import Store
from hilo.turn.nodes import compose
from hilo.workers.contact_lists import ListReader, contact_rows, csv_rows
from hilo.workers.turns import Agents

log = structlog.get_logger()

TOGETHER = 500  # rows that are stored at once
UNKNOWN_FOR = timedelta(minutes=1)  # until an agent is looked at again that has no such campaign
MOST_STEPS = 400  # from one end of quiet hours to the next opening, and on


# --- lists --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CampaignLists:
    """Takes lists for the campaigns of the agents that this process has."""

    store: Store
    agents: Agents
    clock: Clock

    async def take_csv(self, place: CampaignPlace, lines: Iterable[str], *, dry_run: bool = False) -> ListReport | None:
        """Put a CSV on the list of a campaign; none where there is no such channel, its agent or its campaign."""
        agent = await self._agent(place)
        if agent is None:
            return None
        return await take_list(self.store, self.clock, agent, place, csv_rows(lines), dry_run=dry_run)

    async def take_contacts(
        self, place: CampaignPlace, contacts: Sequence[GivenContact], *, dry_run: bool = False
    ) -> ListReport | None:
        """The same for contacts that a program gives, numbered from 1."""
        agent = await self._agent(place)
        if agent is None:
            return None
        rows = contact_rows(contacts, agent.campaigns[place.name])
        return await take_list(self.store, self.clock, agent, place, rows, dry_run=dry_run)

    async def _agent(self, place: CampaignPlace) -> Agent | None:
        channel = await self.store.run(channel_to_begin, place.workspace, place.channel)
        if channel is None or not self.agents.serves(channel.agent):
            return None
        agent = (await self.agents.current(place.workspace, channel.agent)).agent
        return agent if place.name in agent.campaigns else None


async def take_list(  # noqa: PLR0913 -- what is taken, for what, into what
    store: Store,
    clock: Clock,
    agent: Agent,
    place: CampaignPlace,
    rows: Iterable[NumberedRow],
    *,
    dry_run: bool = False,
) -> ListReport:
    """Put the rows of a list into the store, some at a time; raises HiloError when it lacks a column.

    The first row has the columns. When something breaks in the middle, the same list can be given again.
    """
    campaign = agent.campaigns[place.name]
    reader, report = ListReader(agent, campaign, clock.now()), ListReport()
    rows = iter(rows)
    _, head = next(rows, (1, {}))
    reader.check_columns(head)
    while piece := list(islice(rows, TOGETHER)):
        recipients = []
        for number, cells in piece:
            report.rows += 1
            read = reader.read(number, cells)
            if isinstance(read, RowProblem):
                report.add_problem(read)
            else:
                recipients.append(read)
        if recipients and not report.example:
            report.example = first_words(agent, place.name, recipients[0].slots, at=clock.now())
        if dry_run:
            reasons = await store.run(foresee, place, recipients, pace_of(campaign), now=clock.now())
            report.skipped.update(filter(None, reasons))
            report.new += reasons.count("")
        elif recipients:
            enlisted = await store.run(enlist, place, recipients, now=clock.now())
            report.new += enlisted.new
            report.again += enlisted.again
            report.known += enlisted.known
        await asyncio.sleep(0)  # a long list must not hold up those who write
    return report


def first_words(agent: Agent, campaign: str, slots: Mapping[str, object], *, at: datetime) -> str:
    """What a contact would read: the dialogue is asked as it will be, and nothing is kept of it."""
    session = opened(agent, session_id="example", at=at)
    decision = decide(agent, session, CampaignReached(at, campaign, dict(slots)))
    return "\n".join(each.text for each in compose(agent, decision))


def pace_of(campaign: Campaign) -> CampaignPace:
    """What the store has to know of a campaign."""
    return CampaignPace(campaign.per_hour, campaign.needs_opt_in)


# --- beginning ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CampaignPacer:
    """Begins with those on the lists, as fast as the agent file lets it, in its hours."""

    store: Store
    queue: Queue
    agents: Agents
    clock: Clock

    async def begin_due(self) -> None:
        """One piece of each campaign that is due; the store knows when the next one is."""
        now = self.clock.now()
        for due in await self.store.run(due_campaigns, now=now):
            if not self.agents.serves(due.agent):
                continue  # a process that has the agent will
            agent = (await self.agents.current(due.workspace, due.agent)).agent
            campaign = agent.campaigns.get(due.name)
            if campaign is None:
                log.warning("the agent in force has no such campaign", agent=due.agent, campaign=due.name)
                await self.store.run(put_off_campaign, due.id, until=now + UNKNOWN_FOR)
                continue
            begins = begins_at(agent, campaign, now)
            if begins > now:
                await self.store.run(put_off_campaign, due.id, until=begins)
                continue
            begun = await self.store.run(begin_contacts, due.id, pace_of(campaign), now=now)
            for address in begun.addresses:
                await self.queue.wake("turn", address)


def begins_at(agent: Agent, campaign: Campaign, now: datetime) -> datetime:
    """When somebody may be written to: outside of the quiet hours and, unless the file says `any`, while it is open."""
    zone = ZoneInfo(agent.timezone)
    at = now
    for _ in range(MOST_STEPS):
        begins = awake(at, agent.quiet_hours, zone)
        if campaign.hours == "open" and agent.open and not agent.open.is_open(begins, zone):
            begins = agent.open.opens(begins, zone) or now + timedelta(days=1)
        if begins == at:
            return at
        at = begins
    return at
