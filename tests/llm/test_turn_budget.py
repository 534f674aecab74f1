"""Budgets of turns, through the real SDK against a server that counts what it was asked."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from hilo.llm.anthropic import AnthropicModel
from hilo.llm.breaker import BreakingModel, Fuse
from hilo.llm.configuration import Configuration
from hilo.llm.model import Message, ModelError, ModelReply, Request, Spent, StreamRestart, TextPart, Tier
from hilo.llm.prices import Cost, Limit, Price, Prices, SpendingLimits, estimated_input
from hilo.llm.reservations import MemoryReservations, ModelAccount, Reservation
from hilo.llm.turn_budget import ConfiguredModel, OutOfBudget, TurnBudget
from hilo.testing.models.answers import Breaks, Fails, Says, Script
from hilo.testing.models.anthropic import LARGE, SMALL, FakeAnthropic
from hilo.testing.models.table import Case, always

CHEAP = Price(Decimal(1), Decimal(5), Decimal("0.10"), Decimal("1.25"))
DEAR = Price(Decimal(3), Decimal(15), Decimal("0.30"), Decimal("3.75"))
PRICES = Prices({SMALL: CHEAP, LARGE: DEAR}, "USD", date(2026, 11, 15))
SPENT = Spent(21, 12, cache_read=1840)
PLENTY = Configuration("anthropic", SMALL, LARGE, PRICES, SpendingLimits())
DAY = date(2026, 3, 2)
WORDS = Says("Hola, soy Hilo.", spent=SPENT)


def question(tier: Tier = "small", *, max_tokens: int = 100, seconds: float = 5) -> Request:
    return Request((Message("user", (TextPart("hola"),)),), tier=tier, max_tokens=max_tokens, seconds=seconds)


def worst(request: Request, price: Price) -> Cost:
    return price.at_worst(Spent(estimated_input(request), request.max_tokens))


class SeenReservations(MemoryReservations):
    """Remembers what was reserved and what it was settled for, by model."""

    def __init__(self) -> None:
        super().__init__()
        self.reserved: list[str] = []
        self.settled: list[tuple[str, Spent, Cost]] = []

    async def reserve(
        self, choices: Sequence[Reservation], limits: SpendingLimits, *, turn: Cost
    ) -> tuple[Reservation | None, str]:
        await asyncio.sleep(0)  # as a database would
        found, reason = await super().reserve(choices, limits, turn=turn)
        self.reserved += [found.model] if found else []
        return found, reason

    async def settle(self, reservation: Reservation, spent: Spent, cost: Cost) -> None:
        await asyncio.sleep(0)
        self.settled.append((reservation.model, spent, cost))
        await super().settle(reservation, spent, cost)

    @property
    def paid(self) -> list[Spent]:
        """What attempts cost, those that cost nothing aside."""
        return [spent for _, spent, _ in self.settled if spent.total]


@dataclass
class Shop:
    """A server, a model that asks it, and what was reserved."""

    server: FakeAnthropic
    model: ConfiguredModel
    reservations: SeenReservations
    now: Callable[[], float] = time.monotonic

    def budget(self, session: str = "s", *, agent: str = "a", workspace: str = "w") -> TurnBudget:
        account = ModelAccount(workspace, agent, session, DAY)
        return TurnBudget(self.model, self.reservations, account, now=self.now)

    @property
    def session_total(self) -> Cost:
        """What is spent and reserved in the session that the tests use unless they say another."""
        return self.reservations.totals(ModelAccount("w", "a", "s", DAY)).session


@asynccontextmanager
async def shop(
    *cases: Script, limits: SpendingLimits | None = None, configuration: Configuration = PLENTY
) -> AsyncIterator[Shop]:
    async with FakeAnthropic(cases or [Case(always, WORDS)]) as server:
        model = BreakingModel(AnthropicModel(server.settings), Fuse(in_a_row=2))
        known = replace(configuration, limits=limits or configuration.limits)
        yield Shop(server, ConfiguredModel(model, known), SeenReservations())
        await model.aclose()


def models(asked: FakeAnthropic) -> list[str]:
    return [each.body["model"] for each in asked.asked]


async def test_every_attempt_is_settled_for_what_it_cost_exactly() -> None:
    async with shop() as here:
        budget = here.budget()
        tiers: tuple[Tier, ...] = ("small", "large", "large")
        replies = [await budget.ask(question(tier)) for tier in tiers]
    assert [each.spent for each in replies] == [SPENT] * 3
    small, large = Cost(SPENT.total, Decimal("0.000265")), Cost(SPENT.total, Decimal("0.000795"))
    assert here.reservations.settled == [(SMALL, SPENT, small), (LARGE, SPENT, large), (LARGE, SPENT, large)]
    assert here.session_total == small + large + large
    assert budget.notes == ()


async def test_a_turn_that_asks_nothing_reserves_nothing() -> None:
    async with shop() as here:
        here.budget()
    assert (here.reservations.reserved, here.reservations.settled) == ([], [])


async def test_a_stream_is_settled_when_its_reply_comes() -> None:
    async with shop() as here:
        async for piece in here.budget().stream(question()):
            if isinstance(piece, ModelReply):  # whoever has the reply may leave
                break
        assert isinstance(piece, ModelReply)
        assert here.reservations.settled == [(SMALL, SPENT, Cost(SPENT.total, Decimal("0.000265")))]


async def test_a_request_under_way_is_reserved_at_its_worst() -> None:
    async with shop(Case(always, replace(WORDS, after=0.3))) as here:
        asking = asyncio.create_task(here.budget().ask(question()))
        while not here.server.asked:  # noqa: ASYNC110 -- the server has no event for it
            await asyncio.sleep(0.01)
        assert here.session_total == worst(question(), CHEAP)
        await asking
        assert here.session_total.tokens == SPENT.total


@pytest.mark.parametrize("scope", ["turn", "session", "agent_day", "workspace_day"])
async def test_a_request_that_may_break_a_limit_is_not_made(scope: str) -> None:
    request = question()
    enough, too_little = (Limit(worst(request, CHEAP).tokens + more) for more in (0, -1))
    async with shop(limits=SpendingLimits(**{scope: enough})) as here:
        assert (await here.budget().ask(request)).text
    async with shop(limits=SpendingLimits(**{scope: too_little})) as here:
        budget = here.budget()
        with pytest.raises(OutOfBudget, match=rf"the tokens per {scope.partition('_')[0]}"):
            await budget.ask(request)
        with pytest.raises(OutOfBudget):
            _ = [piece async for piece in budget.stream(request)]
        assert (here.server.asked, here.reservations.reserved) == ([], [])
        assert budget.notes[0].startswith("out_of_budget: the tokens per")


async def test_what_was_spent_before_counts() -> None:
    request = question()
    limits = SpendingLimits(session=Limit(worst(request, CHEAP).tokens + SPENT.total - 1))
    async with shop(limits=limits) as here:
        await here.budget().ask(request)
        with pytest.raises(OutOfBudget, match="per session"):
            await here.budget().ask(request)
        assert (await here.budget("another").ask(request)).text


async def test_what_this_turn_has_spent_counts() -> None:
    request = question()
    async with shop(limits=SpendingLimits(turn=Limit(worst(request, CHEAP).tokens + SPENT.total))) as here:
        budget = here.budget()
        await budget.ask(request)
        await budget.ask(request)
        with pytest.raises(OutOfBudget, match="per turn"):
            await budget.ask(request)
        assert (await here.budget("another").ask(request)).text


async def test_where_the_large_model_does_not_fit_the_small_one_is_asked_and_that_is_told() -> None:
    request = question("large")
    async with shop(limits=SpendingLimits(turn=Limit(money=worst(request, CHEAP).money))) as here:
        budget = here.budget()
        await budget.ask(request)
    assert models(here.server) == [SMALL]
    assert here.reservations.reserved == [SMALL]
    assert budget.notes[0].startswith("degraded: the small model instead of the large one, for the money per turn")


async def test_the_configuration_bounds_every_request() -> None:
    async with shop(configuration=replace(PLENTY, max_tokens=50)) as here:
        await here.budget().ask(question(max_tokens=500))
    assert here.server.asked[0].body["max_tokens"] == 50


# --- what goes wrong ----------------------------------------------------------------------------------


async def test_each_attempt_is_reserved_and_settled() -> None:
    request = question()
    broken = Breaks(WORDS, events=4, how="overloaded")
    limits = SpendingLimits(turn=Limit(worst(request, CHEAP).tokens + 100))
    async with shop(Case(always, broken), limits=limits) as here:
        budget = here.budget()
        with pytest.raises(OutOfBudget):
            _ = [piece async for piece in budget.stream(request)]
    assert len(here.server.asked) == 1  # the second attempt was not made
    assert here.reservations.paid[0].total >= SPENT.cache_read


async def test_a_second_attempt_pays_for_the_first_once() -> None:
    broken = Breaks(WORDS, events=4, how="overloaded")
    async with shop(Case(always, broken, times=1), Case(always, WORDS)) as here:
        budget = here.budget()
        pieces = [piece async for piece in budget.stream(question())]
    assert StreamRestart() in pieces
    assert isinstance(pieces[-1], ModelReply)
    first, second = here.reservations.paid
    assert first + second == pieces[-1].spent


async def test_an_error_before_any_work_costs_nothing() -> None:
    async with shop(Case(always, Fails(400, "invalid_request_error"))) as here:
        budget = here.budget()
        with pytest.raises(ModelError, match="bad_request"):
            await budget.ask(question())
    assert here.reservations.reserved == [SMALL]
    assert here.session_total == Cost()


@pytest.mark.parametrize("how", ["timeout", "cancelled", "left"])
async def test_a_reply_that_nobody_waited_for_counts_at_its_worst(how: str) -> None:
    request = question(seconds=0.2 if how == "timeout" else 5)
    slow = replace(WORDS, after=1) if how != "left" else replace(WORDS, between=0.1)
    async with shop(Case(always, slow), configuration=replace(PLENTY, turn_seconds=1.1)) as here:
        budget = here.budget()
        if how == "left":
            stream = budget.stream(request)
            await anext(stream)
            await stream.aclose()
        elif how == "timeout":
            with pytest.raises(ModelError, match="timeout"):
                await budget.ask(request)
        else:
            task = asyncio.create_task(budget.ask(request))
            await asyncio.sleep(0.1)
            task.cancel()
            await asyncio.wait([task])
    lost = Spent(estimated_input(request), request.max_tokens, estimated=True)
    assert here.reservations.settled == [(SMALL, lost, worst(request, CHEAP))]
    assert here.session_total == worst(request, CHEAP)


async def test_a_turn_waits_for_its_models_only_so_long() -> None:
    clock = [0.0]
    async with shop() as here:
        here.now = lambda: clock[0]
        budget = here.budget()
        await budget.ask(question())
        clock[0] = 59.5
        with pytest.raises(ModelError, match="timeout: the time that this turn may wait"):
            await budget.ask(question())
    assert len(here.server.asked) == 1
    assert budget.notes == ("timeout: the time that this turn may wait for models is used up",)


async def test_an_open_circuit_is_told_and_costs_nothing() -> None:
    async with shop(Case(always, Fails(401, "authentication_error"))) as here:
        budget = here.budget()
        for _ in range(3):
            with pytest.raises(ModelError):
                await budget.ask(question())
    assert len(here.server.asked) == 2
    assert [each.partition(":")[0] for each in budget.notes] == ["unauthorised", "circuit_open"]
    assert here.session_total == Cost()


async def test_nothing_is_asked_where_nothing_can_be_reserved() -> None:
    class Away(SeenReservations):
        async def reserve(self, *_: Any, **__: Any) -> tuple[Reservation | None, str]:
            raise RuntimeError("away")

    async with shop() as here:
        here.reservations = Away()
        with pytest.raises(RuntimeError):
            await here.budget().ask(question())
    assert (here.server.asked, here.session_total) == ([], Cost())


# --- many at a time -----------------------------------------------------------------------------------


async def allowed(budgets: Iterable[TurnBudget], request: Request) -> int:
    """Ask with all of them at once; how many could."""
    answers = await asyncio.gather(*(each.ask(request) for each in budgets), return_exceptions=True)
    assert all(isinstance(each, ModelReply | OutOfBudget) for each in answers)
    return sum(isinstance(each, ModelReply) for each in answers)


async def test_fifty_turns_at_once_cannot_overspend_a_day() -> None:
    request, limit = question("small", max_tokens=100), Decimal("0.0080")
    full = Spent(0, 100, cache_written=estimated_input(request))  # every reply costs all that it can
    limits = SpendingLimits(workspace_day=Limit(money=limit))
    async with shop(Case(always, replace(WORDS, spent=full, after=0.05)), limits=limits) as here:
        could = await allowed((here.budget(f"s{number}", agent=f"a{number % 3}") for number in range(50)), request)
        each = worst(request, CHEAP).money
        assert could == len(here.server.asked) == int(limit / each) < 50
        total = here.reservations.totals(ModelAccount("w", "a", "s", DAY)).workspace_day
        assert total.money == each * could <= limit
        assert await allowed([here.budget("other", workspace="other")], request) == 1


async def test_what_was_reserved_in_vain_can_be_spent_by_others() -> None:
    request = question()
    limit = Limit(worst(request, CHEAP).tokens * 2)
    spare = replace(WORDS, spent=Spent(10, 5))
    async with shop(Case(always, spare), limits=SpendingLimits(workspace_day=limit)) as here:
        first = await allowed((here.budget(f"s{number}") for number in range(10)), request)
        second = await allowed((here.budget(f"t{number}") for number in range(10)), request)
    assert (first, second) == (2, 1)


async def test_requests_of_one_turn_at_once_share_its_limit() -> None:
    request = question()
    limits = SpendingLimits(turn=Limit(worst(request, CHEAP).tokens * 2))
    async with shop(Case(always, replace(WORDS, after=0.1)), limits=limits) as here:
        assert await allowed([here.budget()] * 4, request) == 2
