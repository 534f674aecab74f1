from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilo.llm.budget import Allowed, Amount, Budget, Limit, Refused, SoFar, UseSmaller, at_worst, cost, decide
from hilo.llm.model import Spent
from hilo.llm.prices import Price, Prices, UnknownPrice

PRICE = Price(Decimal("3.00"), Decimal("15.00"), Decimal("0.30"), Decimal("3.75"))
CHEAP = Price(Decimal("1.00"), Decimal("5.00"), Decimal("0.10"), Decimal("1.25"))

counts = st.integers(0, 200_000)
spendings = st.builds(Spent, counts, counts, counts, counts)


def test_a_reply_costs_exactly_what_its_tokens_cost() -> None:
    assert PRICE.of(Spent(412, 58, 0, 1840)) == Decimal("0.009006")
    assert PRICE.of(Spent(21, 12, 1840)) == Decimal("0.000795")
    assert PRICE.of(Spent()) == 0


@given(st.lists(spendings, max_size=20))
def test_costs_add_up_to_the_last_digit(all_spent: list[Spent]) -> None:
    assert sum(map(PRICE.of, all_spent), Decimal(0)) == PRICE.of(sum(all_spent, Spent()))


@given(spendings)
def test_no_reply_costs_more_than_its_worst_case(spent: Spent) -> None:
    worst = at_worst(PRICE, spent.total - spent.output, spent.output)
    real = cost(PRICE, spent)
    assert real.money <= worst.money
    assert real.tokens == worst.tokens


def test_a_model_without_a_price_is_told_with_those_that_have_one() -> None:
    with pytest.raises(UnknownPrice, match="no price for the model otro: there are prices for uno"):
        Prices({"uno": PRICE}, "USD", date(2026, 11, 15)).of("otro")


def test_without_limits_everything_is_allowed() -> None:
    assert decide(Budget(), SoFar(), wanted=Amount(10**9, Decimal(10**6))) == Allowed()


def test_what_exactly_fits_is_allowed_and_one_token_more_is_not() -> None:
    budget, so_far = Budget(turn=Limit(tokens=1000)), SoFar(turn=Amount(400))
    assert decide(budget, so_far, wanted=Amount(600)) == Allowed()
    assert decide(budget, so_far, wanted=Amount(601)) == Refused("the tokens per turn: 1001 of 1000")


def test_the_small_model_is_offered_when_only_it_fits() -> None:
    budget = Budget(session=Limit(money=Decimal("0.02")))
    large, small = at_worst(PRICE, 2000, 1000), at_worst(CHEAP, 2000, 1000)
    verdict = decide(budget, SoFar(), wanted=large, smaller=small)
    assert verdict == UseSmaller("the money per session: 0.0225 of 0.02")
    assert isinstance(decide(budget, SoFar().plus(small + small), wanted=large, smaller=small), Refused)


@pytest.mark.parametrize("scope", ["turn", "session", "agent_day", "workspace_day"])
def test_every_scope_counts_by_itself(scope: str) -> None:
    budget = Budget(**{scope: Limit(money=Decimal(1))})
    for spent_in in ("turn", "session", "agent_day", "workspace_day"):
        so_far = SoFar(**{spent_in: Amount(0, Decimal(1))})
        verdict = decide(budget, so_far, wanted=Amount(1, Decimal("0.000001")))
        assert isinstance(verdict, Refused) == (spent_in == scope)


limits = st.builds(Limit, st.none() | st.integers(0, 50_000), st.none() | st.decimals(0, 1, places=4, allow_nan=False))
budgets = st.builds(Budget, limits, limits, limits, limits)


@dataclass(frozen=True)
class Asked:
    """A request: what it may use, and what share of that it really uses, in percent and in which way."""

    input: int
    max_tokens: int
    used: int
    cached: bool
    new_turn: bool
    new_session: bool
    ends_at_once: bool = field(default=True)


requests = st.builds(
    Asked,
    st.integers(0, 5000),
    st.integers(1, 4000),
    st.integers(0, 100),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


@given(budgets, st.lists(requests, max_size=30))
def test_no_sequence_of_requests_ever_overspends(budget: Budget, asked: list[Asked]) -> None:
    """Requests may overlap: what is under way counts at its worst until its real cost is known."""
    so_far, under_way = SoFar(), list[tuple[Amount, Amount]]()
    for each in asked:
        if not under_way and (each.new_turn or each.new_session):
            so_far = SoFar(
                Amount(),
                Amount() if each.new_session else so_far.session,
                so_far.agent_day,
                so_far.workspace_day,
            )
        price, worst = _chosen(budget, so_far, each)
        if price is None:
            continue
        so_far = so_far.plus(worst)
        under_way.append((worst, cost(price, _real(each))))
        if each.ends_at_once:
            for reserved, real in under_way:
                so_far = so_far.plus(real - reserved)
            under_way.clear()
        _assert_within(budget, so_far)


def _chosen(budget: Budget, so_far: SoFar, each: Asked) -> tuple[Price | None, Amount]:
    large, small = (at_worst(price, each.input, each.max_tokens) for price in (PRICE, CHEAP))
    match decide(budget, so_far, wanted=large, smaller=small):
        case Allowed():
            return PRICE, large
        case UseSmaller():
            return CHEAP, small
        case Refused():
            return None, Amount()


def _real(each: Asked) -> Spent:
    read, written = (each.input // 2, each.input - each.input // 2) if each.cached else (0, 0)
    return Spent(each.input - read - written, each.max_tokens * each.used // 100, read, written)


def _assert_within(budget: Budget, so_far: SoFar) -> None:
    scopes = (
        (budget.turn, so_far.turn),
        (budget.session, so_far.session),
        (budget.agent_day, so_far.agent_day),
        (budget.workspace_day, so_far.workspace_day),
    )
    for limit, spent in scopes:
        assert limit.tokens is None or spent.tokens <= limit.tokens
        assert limit.money is None or spent.money <= limit.money
