from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilo.llm.model import Spent
from hilo.llm.prices import Cost, Limit, Price, Prices, SpendingLimits, Totals, UnknownPrice, broken_limit
from hilo.llm.reservations import MemoryReservations, ModelAccount, Reservation

PRICE = Price(Decimal("3.00"), Decimal("15.00"), Decimal("0.30"), Decimal("3.75"))
CHEAP = Price(Decimal("1.00"), Decimal("5.00"), Decimal("0.10"), Decimal("1.25"))

counts = st.integers(0, 200_000)
spendings = st.builds(Spent, counts, counts, counts, counts)


def test_a_reply_costs_exactly_what_its_tokens_cost() -> None:
    assert PRICE.of(Spent(412, 58, 0, 1840)) == Cost(2310, Decimal("0.009006"))
    assert PRICE.of(Spent(21, 12, 1840)) == Cost(1873, Decimal("0.000795"))
    assert PRICE.of(Spent()) == Cost()


@given(st.lists(spendings, max_size=20))
def test_costs_add_up_to_the_last_digit(all_spent: list[Spent]) -> None:
    assert sum(map(PRICE.of, all_spent), Cost()) == PRICE.of(sum(all_spent, Spent()))


@given(spendings)
def test_no_reply_costs_more_than_its_worst_case(spent: Spent) -> None:
    worst = PRICE.at_worst(Spent(spent.total - spent.output, spent.output))
    real = PRICE.of(spent)
    assert real.money <= worst.money
    assert real.tokens == worst.tokens


def test_a_model_without_a_price_is_told_with_those_that_have_one() -> None:
    with pytest.raises(UnknownPrice, match="no price for the model otro: there are prices for uno"):
        Prices({"uno": PRICE}, "USD", date(2026, 11, 15)).of("otro")


def test_without_limits_everything_is_allowed() -> None:
    absurd = Cost(10**9, Decimal(10**6))
    assert broken_limit(SpendingLimits(), Totals(absurd, absurd, absurd, absurd)) == ""


def test_what_exactly_fits_is_allowed_and_one_token_more_is_not() -> None:
    limits = SpendingLimits(turn=Limit(tokens=1000))
    assert broken_limit(limits, Totals(turn=Cost(1000))) == ""
    assert broken_limit(limits, Totals(turn=Cost(1001))) == "the tokens per turn: 1001 of 1000"


SCOPES = ("turn", "session", "agent_day", "workspace_day")


@pytest.mark.parametrize("scope", SCOPES)
def test_every_scope_counts_by_itself(scope: str) -> None:
    limits = SpendingLimits(**{scope: Limit(money=Decimal(1))})
    for spent_in in SCOPES:
        broken = broken_limit(limits, Totals(**{spent_in: Cost(0, Decimal("1.000001"))}))
        assert bool(broken) == (spent_in == scope)


# --- reservations in memory -----------------------------------------------------------------------------------

ACCOUNT = ModelAccount("w", "a", "s", date(2026, 3, 2))


def choices(account: ModelAccount, spent: Spent) -> list[Reservation]:
    """The large model, or else the small one."""
    return [
        Reservation(account, "large", "l", spent, PRICE.at_worst(spent), 5),
        Reservation(account, "small", "s", spent, CHEAP.at_worst(spent), 5),
    ]


async def test_the_small_model_is_reserved_when_only_it_fits() -> None:
    limits = SpendingLimits(session=Limit(money=Decimal("0.02")))
    reservations, wanted = MemoryReservations(), choices(ACCOUNT, Spent(2000, 1000))
    small = wanted[1]
    found = [await reservations.reserve(wanted, limits, turn=Cost()) for _ in range(3)]
    assert found == [
        (small, "the money per session: 0.0225 of 0.02"),
        (small, "the money per session: 0.0300 of 0.02"),
        (None, "the money per session: 0.0375 of 0.02"),
    ]
    assert reservations.totals(ACCOUNT).session == small.cost + small.cost


limits = st.builds(Limit, st.none() | st.integers(0, 50_000), st.none() | st.decimals(0, 1, places=4, allow_nan=False))
all_limits = st.builds(SpendingLimits, limits, limits, limits, limits)


@dataclass(frozen=True)
class Asked:
    """A request: what it may use, and what share of that it really uses, in percent and in which way."""

    session: str
    input: int
    max_tokens: int
    used: int
    cached: bool
    ends_at_once: bool

    @property
    def real(self) -> Spent:
        read, written = (self.input // 2, self.input - self.input // 2) if self.cached else (0, 0)
        return Spent(self.input - read - written, self.max_tokens * self.used // 100, read, written)


requests = st.builds(
    Asked,
    st.sampled_from(["s", "t"]),
    st.integers(0, 5000),
    st.integers(1, 4000),
    st.integers(0, 100),
    st.booleans(),
    st.booleans(),
)


@given(all_limits, st.lists(requests, max_size=30))
async def test_no_sequence_of_requests_ever_overspends(limits: SpendingLimits, asked: list[Asked]) -> None:
    """Requests may overlap: what is under way counts at its worst until its real cost is known."""
    reservations, under_way = MemoryReservations(), list[tuple[Reservation, Spent]]()
    for each in asked:
        account = replace(ACCOUNT, session=each.session)
        wanted = choices(account, Spent(each.input, each.max_tokens))
        reserved, _ = await reservations.reserve(wanted, limits, turn=Cost())
        if reserved is not None:
            assert not broken_limit(limits, replace(reservations.totals(account), turn=reserved.cost))
            under_way.append((reserved, each.real))
        if each.ends_at_once:
            for reservation, real in under_way:
                price = PRICE if reservation.tier == "large" else CHEAP
                await reservations.settle(reservation, real, price.of(real))
            under_way.clear()
        assert not broken_limit(limits, reservations.totals(account))
