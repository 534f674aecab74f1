"""Sets aside what a request may cost before it is made, so that all requests together keep to the limits."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Protocol

from hilo.ids import new_id
from hilo.llm.model import Spent, Tier
from hilo.llm.prices import Cost, SpendingLimits, Totals, broken_limit

TotalKey = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class ModelAccount:
    """The turn that asks, and so whose limits count; days are those of UTC."""

    workspace: str
    agent: str
    session: str
    day: date
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Reservation:
    """All that one attempt at a request can cost on one model: the tokens, and these paid in the worst way."""

    account: ModelAccount
    tier: Tier
    model: str
    tokens: Spent
    cost: Cost
    seconds: float  # the attempt is over after them
    id: str = field(default_factory=lambda: new_id("reservation"))


class Reservations(Protocol):
    """Where reservations are kept, and what was spent."""

    async def reserve(
        self, choices: Sequence[Reservation], limits: SpendingLimits, *, turn: Cost
    ) -> tuple[Reservation | None, str]:
        """The first choice that fits, if any, and the limit that the first one of all would break.

        `turn` is what the turn has spent and reserved: it is one process's, so nobody else has to know.
        """
        ...

    async def settle(self, reservation: Reservation, spent: Spent, cost: Cost) -> None:
        """The attempt has ended: what it did cost is spent, and the rest is free; raises nothing."""
        ...


class MemoryReservations:
    """For talks that no database knows of: a terminal, a test."""

    def __init__(self) -> None:
        self._totals: defaultdict[TotalKey, Cost] = defaultdict(Cost)

    def totals(self, account: ModelAccount) -> Totals:
        """What is spent and reserved."""
        session, agent_day, workspace_day = (self._totals[key] for key in _keys(account))
        return Totals(session=session, agent_day=agent_day, workspace_day=workspace_day)

    async def reserve(
        self, choices: Sequence[Reservation], limits: SpendingLimits, *, turn: Cost
    ) -> tuple[Reservation | None, str]:
        """Add and look, as the store does; nothing else runs in between."""
        reason = ""
        for choice in choices:
            self._add(choice.account, choice.cost)
            totals = replace(self.totals(choice.account), turn=turn + choice.cost)
            broken = broken_limit(limits, totals)
            if not broken:
                return choice, reason
            self._add(choice.account, Cost() - choice.cost)
            reason = reason or broken
        return None, reason

    async def settle(self, reservation: Reservation, spent: Spent, cost: Cost) -> None:  # noqa: ARG002
        """Only the totals are kept."""
        self._add(reservation.account, cost - reservation.cost)

    def _add(self, account: ModelAccount, cost: Cost) -> None:
        for key in _keys(account):
            self._totals[key] += cost


def _keys(account: ModelAccount) -> tuple[TotalKey, TotalKey, TotalKey]:
    day = account.day.isoformat()
    return (
        (account.workspace, "session", account.session, ""),
        (account.workspace, "agent", account.agent, day),
        (account.workspace, "workspace", "", day),
    )
