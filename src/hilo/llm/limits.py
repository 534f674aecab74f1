"""The most that models may cost, and which of those limits a total breaks. Arithmetic only."""

from dataclasses import dataclass, field
from decimal import Decimal

from hilo.llm.prices import Cost

SCOPES = {
    "turn": "turn",
    "session": "session",
    "agent_day": "agent and day",
    "workspace_day": "workspace and day",
}  # the narrowest first: that is the one worth telling


@dataclass(frozen=True, slots=True)
class Limit:
    """The most that may be spent; None is no limit."""

    tokens: int | None = None
    money: Decimal | None = None


@dataclass(frozen=True, slots=True)
class SpendingLimits:
    """Per turn, per session, and per day for an agent and for a workspace."""

    turn: Limit = field(default_factory=Limit)
    session: Limit = field(default_factory=Limit)
    agent_day: Limit = field(default_factory=Limit)
    workspace_day: Limit = field(default_factory=Limit)


@dataclass(frozen=True, slots=True)
class Totals:
    """What was spent and is reserved wherever a request belongs."""

    turn: Cost = field(default_factory=Cost)
    session: Cost = field(default_factory=Cost)
    agent_day: Cost = field(default_factory=Cost)
    workspace_day: Cost = field(default_factory=Cost)


def broken_limit(limits: SpendingLimits, totals: Totals) -> str:
    """Which limit the totals break, in words; empty where they keep to all of them."""
    for field_, scope in SCOPES.items():
        limit: Limit = getattr(limits, field_)
        total: Cost = getattr(totals, field_)
        if limit.tokens is not None and total.tokens > limit.tokens:
            return f"the tokens per {scope}: {total.tokens} of {limit.tokens}"
        if limit.money is not None and total.money > limit.money:
            return f"the money per {scope}: {total.money} of {limit.money}"
    return ""
