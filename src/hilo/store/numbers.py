"""Where sessions stand now, and what a period came to: conversations, waiting times, handoffs, messages."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from hilo.store.desk_words import CountWords
from hilo.store.handoffs import TRIGGERS
from hilo.store.store import reading
from hilo.tools.database import Row, Script, execute, micros, moment, one

MOST_COUNTED = 50_000  # calls of a period
BY_DAY = ("numbers_by_day", "numbers_waits_by_day", "numbers_failed_by_day", "numbers_usage_by_day")


@dataclass(frozen=True, slots=True)
class DayCount:
    """A day: sessions that began, in how many a person was wanted, messages that did not arrive, what its turns took.

    `waited` and `waited_most` are seconds: half of the contacts and 95 of 100 waited at most so long for a person.
    """

    day: str
    sessions: int = 0
    handed_off: int = 0
    waited: float | None = None
    waited_most: float | None = None
    failed: int = 0
    turns: int = 0
    free_turns: int = 0
    tokens: int = 0
    cost: Decimal = Decimal()


@dataclass(frozen=True, slots=True)
class PeriodNumbers:
    """What a period came to; `half` and `most` are seconds that contacts waited for a person, 50 and 95 of 100."""

    days: tuple[DayCount, ...]
    handoffs: Mapping[str, int]
    taken: int
    half: float | None
    most: float | None
    messages: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Counted:
    """A call that the business counts: when, of which session, its money and its name where tools tell them."""

    at: datetime
    session: str
    money: Decimal | None
    name: str


@reading
def counted(
    workspace: str, agent: str, what: CountWords, *, since: datetime, contact: str = ""
) -> Script[list[Counted]]:
    """Calls of an agent's tools that went well since then, of one contact or of all, the newest first."""
    keys = {"workspace": workspace, "agent": agent, "contact": contact, "tools": json.dumps(what.tools)}
    rows = yield from execute("counted_calls", **keys, since=micros(since), at_most=MOST_COUNTED)
    return [_counted(row, what) for row in rows]


def _counted(row: Row, what: CountWords) -> Counted:
    outputs = json.loads(row["outputs"] or "{}")
    outputs = outputs.get("map", outputs)
    name = outputs.get(what.name, "")
    return Counted(moment(row["started_at"]), row["session_id"], _money(outputs.get(what.money)), str(name)[:100])


def _money(value: Any) -> Decimal | None:
    """An amount as a tool gave it: a number, or a decimal in its stored form."""
    plain = value.get("decimal") if isinstance(value, dict) else value
    try:
        return None if plain is None or isinstance(plain, bool) else Decimal(str(plain))
    except ArithmeticError:
        return None


@reading
def open_places(workspace: str) -> Script[list[Row]]:
    """How many open sessions stand in each mode of each agent."""
    return (yield from execute("open_places", workspace=workspace))


@reading
def open_steps(workspace: str, agent: str) -> Script[list[Row]]:
    """How many open sessions of an agent stand at each step of each flow."""
    return (yield from execute("open_steps", workspace=workspace, agent=agent))


@reading
def period_numbers(workspace: str, *, since: datetime, days: int) -> Script[PeriodNumbers]:
    """From the beginning of a day on, for so many days."""
    period = {"workspace": workspace, "since": micros(since)}
    by_day: list[dict[str, Any]] = [{} for _ in range(days)]
    for query in BY_DAY:
        for row in (yield from execute(query, **period)):
            by_day[min(days - 1, int(row["day"]))] |= dict(row)
    reasons: dict[str, int] = {}
    for row in (yield from execute("numbers_handoffs", **period)):
        trigger: str = TRIGGERS.get(row["policy"]) or row["policy"]
        reasons[trigger] = reasons.get(trigger, 0) + row["handoffs"]
    waits = yield from one("numbers_waits", **period)
    messages = {row["status"]: row["messages"] for row in (yield from execute("numbers_messages", **period))}
    half, most = (waits["half"], waits["most"]) if waits else (None, None)
    return PeriodNumbers(
        days=tuple(_day(since + timedelta(days=number), row) for number, row in enumerate(by_day)),
        handoffs=reasons,
        taken=waits["taken"] if waits else 0,
        half=_seconds(half),
        most=_seconds(most),
        messages=messages,
    )


def _day(day: datetime, row: Mapping[str, Any]) -> DayCount:
    counts = {
        name: int(row.get(name) or 0) for name in ("sessions", "handed_off", "failed", "turns", "free_turns", "tokens")
    }
    return DayCount(
        day.date().isoformat(),
        **counts,
        waited=_seconds(row.get("half")),
        waited_most=_seconds(row.get("most")),
        cost=_cost(row.get("cost")),
    )


def _seconds(taken: int | None) -> float | None:
    return None if taken is None else taken / 1_000_000


def _cost(value: Any) -> Decimal:
    """SQLite adds fractions up as floats."""
    return Decimal(f"{Decimal(str(value or 0)).quantize(Decimal('1e-12')).normalize():f}")
