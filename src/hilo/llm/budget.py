"""Whether a request may be made, decided before it is: arithmetic on what is spent and what it may cost at worst."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from hilo.llm.model import Spent
from hilo.llm.prices import Price

Scope = Literal["turn", "session", "agent and day", "workspace and day"]


@dataclass(frozen=True, slots=True)
class Amount:
    """Tokens and money."""

    tokens: int = 0
    money: Decimal = Decimal(0)

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.tokens + other.tokens, self.money + other.money)

    def __sub__(self, other: "Amount") -> "Amount":
        return Amount(self.tokens - other.tokens, self.money - other.money)


@dataclass(frozen=True, slots=True)
class Limit:
    """The most that may be spent; None is no limit."""

    tokens: int | None = None
    money: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits per turn, per session, and per day for an agent and for a workspace."""

    turn: Limit = field(default_factory=Limit)
    session: Limit = field(default_factory=Limit)
    agent_day: Limit = field(default_factory=Limit)
    workspace_day: Limit = field(default_factory=Limit)


@dataclass(frozen=True, slots=True)
class SoFar:
    """What was spent where the request belongs, with what requests under way may still cost at worst."""

    turn: Amount = field(default_factory=Amount)
    session: Amount = field(default_factory=Amount)
    agent_day: Amount = field(default_factory=Amount)
    workspace_day: Amount = field(default_factory=Amount)

    def plus(self, amount: Amount) -> "SoFar":
        """After spending, or reserving, an amount; one may also be given back."""
        return SoFar(self.turn + amount, self.session + amount, self.agent_day + amount, self.workspace_day + amount)


@dataclass(frozen=True, slots=True)
class Allowed:
    """The request may be made as it is."""


@dataclass(frozen=True, slots=True)
class UseSmaller:
    """Only the small model fits; `reason` says which limit the wanted one would break."""

    reason: str


@dataclass(frozen=True, slots=True)
class Refused:
    """No model fits."""

    reason: str


Verdict = Allowed | UseSmaller | Refused


def decide(budget: Budget, so_far: SoFar, *, wanted: Amount, smaller: Amount | None = None) -> Verdict:
    """Before a request: may it cost what it costs at worst? `smaller` is the worst case on the small model, if any."""
    broken = _broken(budget, so_far, wanted)
    if broken is None:
        return Allowed()
    if smaller is not None and _broken(budget, so_far, smaller) is None:
        return UseSmaller(broken)
    return Refused(broken)


def at_worst(price: Price, input_tokens: int, max_tokens: int) -> Amount:
    """The most that one attempt at a request can cost."""
    return Amount(input_tokens + max_tokens, price.at_worst(input_tokens, max_tokens))


def cost(price: Price, spent: Spent) -> Amount:
    """What a reply did cost."""
    return Amount(spent.total, price.of(spent))


def _broken(budget: Budget, so_far: SoFar, next_: Amount) -> str | None:
    """Which limit a request would break, the narrowest scope first."""
    for scope, limit, spent in _scopes(budget, so_far):
        then = spent + next_
        if limit.tokens is not None and then.tokens > limit.tokens:
            return f"the tokens per {scope}: {then.tokens} of {limit.tokens}"
        if limit.money is not None and then.money > limit.money:
            return f"the money per {scope}: {then.money} of {limit.money}"
    return None


def _scopes(budget: Budget, so_far: SoFar) -> Iterator[tuple[Scope, Limit, Amount]]:
    yield "turn", budget.turn, so_far.turn
    yield "session", budget.session, so_far.session
    yield "agent and day", budget.agent_day, so_far.agent_day
    yield "workspace and day", budget.workspace_day, so_far.workspace_day
