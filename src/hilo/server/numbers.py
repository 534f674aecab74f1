"""Where sessions stand now, and what the last days came to."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import HTTPException, Path, Query
from pydantic import BaseModel

from hilo.server.access import Edge, Reading
from hilo.server.api_router import api_router
from hilo.server.edge import HttpEdge
from hilo.server.parameters import or_404
from hilo.store.api import list_agents
from hilo.store.desk import mode_label
from hilo.store.desk_words import AgentWords
from hilo.store.funnel import Reached, funnel, mode_orders
from hilo.store.keys import Key
from hilo.store.numbers import Counted, counted, open_places, period_numbers
from hilo.store.views import UsageView, usage

Days = Annotated[int, Query(ge=1, le=366, description="Today is the last of them.")]
Zone = Annotated[str, Query(max_length=60, description="Where midnight is: an IANA name such as America/Bogota.")]
AgentName = Annotated[str, Path(max_length=100)]


class PlaceBody(BaseModel):
    """How many open sessions stand in a mode of an agent."""

    agent: str
    mode: str
    label: str
    status: str
    sessions: int


class MapBody(BaseModel):
    """Where open sessions stand now."""

    items: list[PlaceBody]


class DayBody(BaseModel):
    """A day: sessions that began, in how many a person was wanted, and what its turns took.

    `waited` and `waited_most` are seconds: half of the contacts and 95 of 100 waited at most so long for a person.
    """

    day: str
    sessions: int
    handed_off: int
    waited: float | None
    waited_most: float | None
    failed: int
    turns: int
    free_turns: int
    tokens: int
    cost: Decimal


class WaitsBody(BaseModel):
    """How many seconds contacts waited for a person: half of them and 95 of 100 at most."""

    taken: int
    p50: float | None
    p95: float | None


class CostBody(BaseModel):
    """What turns took; `free_turns` asked no model."""

    turns: int
    free_turns: int
    input_tokens: int
    output_tokens: int
    cost: str


class CountedDay(BaseModel):
    """How many of them were made on a day, and their money."""

    day: str
    made: int
    money: Decimal


class CountBody(BaseModel):
    """Something that the business counts, such as orders; `money` is none where no tool tells it."""

    agent: str
    label: str
    made: int
    money: Decimal | None
    days: list[CountedDay]


class NumbersBody(BaseModel):
    """What the last days came to. Handoffs are counted by trigger, messages by status.

    `labels` are the agents' words for triggers of their own.
    """

    since: datetime
    sessions: int
    without_person: int
    days: list[DayBody]
    waits: WaitsBody
    handoffs: dict[str, int]
    labels: dict[str, str]
    messages: dict[str, int]
    usage: CostBody
    counts: list[CountBody]


class ReachedBody(BaseModel):
    """Who came into a mode, and how many of them into a later one."""

    mode: str
    label: str
    sessions: int
    contacts: int
    went_on: int
    half_seconds: float | None


class FunnelBody(BaseModel):
    """How far the sessions of an agent came."""

    agent: str
    sessions: int
    contacts: int
    modes: list[ReachedBody]


router = api_router("", "panel")


@router.get("/map")
async def places(edge: Edge, key: Reading) -> MapBody:
    """How many open sessions stand in each mode of each agent, now."""
    rows = await edge.store.run(open_places, key.workspace)
    return MapBody(items=[PlaceBody(**dict(row), label=mode_label(row["mode"])) for row in rows])


@router.get("/numbers")
async def numbers(edge: Edge, key: Reading, days: Days = 30, zone: Zone = "UTC") -> NumbersBody:
    """Conversations, waiting times, handoffs, messages, cost and what the business counts, of the last days."""
    since = _since(edge.clock.now(), days, zone)
    found = await edge.store.run(period_numbers, key.workspace, since=since, days=days)
    cost = await edge.store.run(usage, key.workspace, since=since)
    sessions = sum(day.sessions for day in found.days)
    names = [row["name"] for row in await edge.store.run(list_agents, key.workspace)]
    agents = await edge.sight.agents_of(key.workspace, names) if edge.sight else {}
    called = {name: label for words in agents.values() for name, label in words.names.items()}
    return NumbersBody(
        since=since,
        sessions=sessions,
        without_person=sessions - sum(day.handed_off for day in found.days),
        days=[DayBody(**asdict(day)) for day in found.days],
        waits=WaitsBody(taken=found.taken, p50=found.half, p95=found.most),
        handoffs=dict(found.handoffs),
        labels={trigger: called[trigger] for trigger in found.handoffs if trigger in called},
        messages=dict(found.messages),
        usage=_cost(cost),
        counts=await _counts(edge, key, agents, since=since, days=days),
    )


@router.get("/funnel/{agent}")
async def far(edge: Edge, agent: AgentName, key: Reading, days: Days = 30, zone: Zone = "UTC") -> FunnelBody:
    """How far the sessions of an agent came that began in the last days."""
    orders = await edge.store.run(mode_orders, key.workspace)
    order = or_404(next((each for each in orders if each.agent == agent), None))
    now = edge.clock.now()
    found = await edge.store.run(funnel, key.workspace, order, since=_since(now, days, zone), until=now)
    words = await edge.sight.agents_of(key.workspace, {agent}) if edge.sight else {}
    labels = words[agent].modes if agent in words else {}
    modes = [_reached(each, labels) for each in found.modes]
    return FunnelBody(agent=agent, sessions=found.sessions, contacts=found.contacts, modes=modes)


def _since(now: datetime, days: int, zone: str) -> datetime:
    """Midnight of the first of these days, where the shop is."""
    try:
        there = now.astimezone(ZoneInfo(zone))
    except (ValueError, OSError, KeyError):
        raise HTTPException(422, "zone: an IANA name such as America/Bogota") from None
    return there.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=days - 1)


async def _counts(
    edge: HttpEdge, key: Key, agents: Mapping[str, AgentWords], *, since: datetime, days: int
) -> list[CountBody]:
    found = []
    for agent, words in agents.items():
        for label, what in words.counts.items():
            made = await edge.store.run(counted, key.workspace, agent, what, since=since)
            found.append(_count(agent, label, made, since=since, days=days))
    return found


def _count(agent: str, label: str, made: Sequence[Counted], *, since: datetime, days: int) -> CountBody:
    by_day: list[list[Counted]] = [[] for _ in range(days)]
    for each in made:
        by_day[min(days - 1, (each.at - since).days)].append(each)
    listed = []
    for number, some in enumerate(by_day):
        day = (since + timedelta(days=number)).date().isoformat()
        listed.append(CountedDay(day=day, made=len(some), money=_total(some)))
    money = _total(made) if any(each.money is not None for each in made) else None
    return CountBody(agent=agent, label=label, made=len(made), money=money, days=listed)


def _total(made: Sequence[Counted]) -> Decimal:
    return sum((each.money or Decimal() for each in made), Decimal())


def _reached(mode: Reached, labels: Mapping[str, str]) -> ReachedBody:
    half = mode.half.total_seconds() if mode.half else None
    counts = {"sessions": mode.sessions, "contacts": mode.contacts, "went_on": mode.sessions_went_on}
    label = labels.get(mode.mode) or mode_label(mode.mode)
    return ReachedBody(mode=mode.mode, label=label, half_seconds=half, **counts)


def _cost(rows: tuple[UsageView, ...]) -> CostBody:
    names = ("turns", "free_turns", "input_tokens", "output_tokens")
    cost = sum((row.cost for row in rows), Decimal())
    return CostBody(**{name: sum(getattr(row, name) for row in rows) for name in names}, cost=str(cost))
