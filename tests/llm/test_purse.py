"""Purses, through the real SDK against a server that counts what it was asked."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

import pytest

from hilo.llm.anthropic import AnthropicModel
from hilo.llm.breaker import BreakingModel, Fuse
from hilo.llm.budget import Amount, Budget, Limit, SoFar, at_worst
from hilo.llm.configuration import Configuration
from hilo.llm.estimate import estimated_input
from hilo.llm.model import Message, ModelError, ModelReply, Request, Spent, StreamRestart, TextPart, Tier
from hilo.llm.prices import Price, Prices
from hilo.llm.purse import Bank, Bill, OutOfBudget, Purse
from hilo.llm.till import Account, Till
from hilo.testing.models.answers import Breaks, Fails, Says, Script
from hilo.testing.models.anthropic import LARGE, SMALL, FakeAnthropic
from hilo.testing.models.table import Case, always

CHEAP = Price(Decimal(1), Decimal(5), Decimal("0.10"), Decimal("1.25"))
DEAR = Price(Decimal(3), Decimal(15), Decimal("0.30"), Decimal("3.75"))
PRICES = Prices({SMALL: CHEAP, LARGE: DEAR}, "USD", date(2026, 11, 15))
SPENT = Spent(21, 12, cache_read=1840)
PLENTY = Configuration("anthropic", SMALL, LARGE, PRICES, Budget())
DAY = date(2026, 3, 2)
WORDS = Says("Hola, soy Hilo.", spent=SPENT)


def question(tier: Tier = "small", *, max_tokens: int = 100, seconds: float = 5) -> Request:
    return Request((Message("user", (TextPart("hola"),)),), tier=tier, max_tokens=max_tokens, seconds=seconds)


def worst(request: Request, price: Price) -> Amount:
    return at_worst(price, estimated_input(request), request.max_tokens)


@dataclass
class Shop:
    """A server, a bank, and a database that is no more than a number."""

    server: FakeAnthropic
    bank: Bank
    stored: SoFar
    looks: int = 0

    def purse(self, session: str = "s", *, agent: str = "a", workspace: str = "w") -> Purse:
        async def look() -> SoFar:
            self.looks += 1
            await asyncio.sleep(0)
            return self.stored

        return Purse(self.bank, Account(workspace, agent, session, DAY), look)


@asynccontextmanager
async def shop(
    *cases: Script, limits: Budget | None = None, stored: SoFar | None = None, configuration: Configuration = PLENTY
) -> AsyncIterator[Shop]:
    async with FakeAnthropic(cases or [Case(always, WORDS)]) as server:
        model = BreakingModel(AnthropicModel(server.settings), Fuse(in_a_row=2))
        known = replace(configuration, budget=limits or configuration.budget)
        yield Shop(server, Bank(model, known, Till()), stored or SoFar())
        await model.aclose()


def models(asked: FakeAnthropic) -> list[str]:
    return [each.body["model"] for each in asked.asked]


async def test_what_a_reply_cost_is_booked_by_model_and_exactly() -> None:
    async with shop() as here:
        purse = here.purse()
        replies = [await purse.ask(question()), await purse.ask(question("large")), await purse.ask(question("large"))]
    assert [each.spent for each in replies] == [SPENT] * 3
    assert purse.spent == (
        Bill(SMALL, SPENT, Decimal("0.000265")),
        Bill(LARGE, SPENT + SPENT, Decimal("0.00159")),
    )
    assert (purse.notes, here.looks) == ((), 1)


async def test_a_turn_that_asks_nothing_looks_nothing_up() -> None:
    async with shop() as here:
        purse = here.purse()
        purse.close(booked=True)
    assert (purse.spent, here.looks, len(here.bank.till)) == ((), 0, 0)


async def test_a_stream_is_paid_when_its_reply_comes() -> None:
    async with shop() as here:
        purse = here.purse()
        async for piece in purse.stream(question()):
            if isinstance(piece, ModelReply):  # whoever has the reply may leave
                break
    assert isinstance(piece, ModelReply)
    assert purse.spent == (Bill(SMALL, SPENT, Decimal("0.000265")),)


@pytest.mark.parametrize("scope", ["turn", "session", "agent_day", "workspace_day"])
async def test_a_request_that_may_break_a_limit_is_not_made(scope: str) -> None:
    request = question()
    enough, too_little = (Limit(worst(request, CHEAP).tokens + more) for more in (0, -1))
    async with shop(limits=Budget(**{scope: enough})) as here:
        assert (await here.purse().ask(request)).text
    async with shop(limits=Budget(**{scope: too_little})) as here:
        purse = here.purse()
        with pytest.raises(OutOfBudget, match=rf"the tokens per {scope.partition('_')[0]}"):
            await purse.ask(request)
        with pytest.raises(OutOfBudget):
            _ = [piece async for piece in purse.stream(request)]
        assert (here.server.asked, purse.spent) == ([], ())
        assert purse.notes[0].startswith("out_of_budget: the tokens per")


async def test_what_was_spent_before_counts() -> None:
    request = question()
    limits = Budget(session=Limit(worst(request, CHEAP).tokens + 1000))
    async with shop(limits=limits, stored=SoFar(session=Amount(1001))) as here:
        with pytest.raises(OutOfBudget):
            await here.purse().ask(request)


async def test_what_this_turn_has_spent_counts() -> None:
    request = question()
    async with shop(limits=Budget(turn=Limit(worst(request, CHEAP).tokens + SPENT.total))) as here:
        purse = here.purse()
        await purse.ask(request)
        await purse.ask(request)
        with pytest.raises(OutOfBudget, match="per turn"):
            await purse.ask(request)
        assert (await here.purse("another").ask(request)).text


async def test_where_the_large_model_does_not_fit_the_small_one_is_asked_and_that_is_told() -> None:
    request = question("large")
    async with shop(limits=Budget(turn=Limit(money=worst(request, CHEAP).money))) as here:
        purse = here.purse()
        await purse.ask(request)
    assert models(here.server) == [SMALL]
    assert purse.spent[0].model == SMALL
    assert purse.notes[0].startswith("degraded: the small model instead of the large one, for the money per turn")


async def test_the_configuration_bounds_every_request() -> None:
    async with shop(configuration=replace(PLENTY, max_tokens=50)) as here:
        await here.purse().ask(question(max_tokens=500))
    assert here.server.asked[0].body["max_tokens"] == 50


# --- what goes wrong ----------------------------------------------------------------------------------


async def test_each_attempt_is_weighed_and_paid() -> None:
    request = question()
    broken = Breaks(WORDS, events=4, how="overloaded")
    limits = Budget(turn=Limit(worst(request, CHEAP).tokens + 100))
    async with shop(Case(always, broken), limits=limits) as here:
        purse = here.purse()
        with pytest.raises(OutOfBudget):
            _ = [piece async for piece in purse.stream(request)]
    assert len(here.server.asked) == 1  # the second attempt was not made
    assert purse.spent[0].spent.total >= SPENT.cache_read


async def test_a_second_attempt_pays_for_the_first_once() -> None:
    broken = Breaks(WORDS, events=4, how="overloaded")
    async with shop(Case(always, broken, times=1), Case(always, WORDS)) as here:
        purse = here.purse()
        pieces = [piece async for piece in purse.stream(question())]
    assert StreamRestart() in pieces
    assert isinstance(pieces[-1], ModelReply)
    assert purse.spent[0].spent == pieces[-1].spent


async def test_an_error_before_any_work_costs_nothing() -> None:
    async with shop(Case(always, Fails(400, "invalid_request_error"))) as here:
        purse = here.purse()
        with pytest.raises(ModelError, match="bad_request"):
            await purse.ask(question())
        assert purse.spent == ()
        assert (await held(here, purse)) == Amount()


async def held(here: Shop, purse: Purse) -> Amount:
    """What is reserved and taken for the session of a purse."""
    drawer = here.bank.till.open(purse.account)
    taken = drawer.so_far(SoFar()).session
    drawer.close(booked=Amount())
    return taken


@pytest.mark.parametrize("how", ["timeout", "cancelled", "left"])
async def test_a_reply_that_nobody_waited_for_is_paid_at_its_worst(how: str) -> None:
    request = question(seconds=0.2 if how == "timeout" else 5)
    slow = replace(WORDS, after=1) if how != "left" else replace(WORDS, between=0.1)
    async with shop(Case(always, slow), configuration=replace(PLENTY, turn_seconds=1.1)) as here:
        purse = here.purse()
        if how == "left":
            stream = purse.stream(request)
            await anext(stream)
            await stream.aclose()
        elif how == "timeout":
            with pytest.raises(ModelError, match="timeout"):
                await purse.ask(request)
        else:
            task = asyncio.create_task(purse.ask(request))
            await asyncio.sleep(0.1)
            task.cancel()
            await asyncio.wait([task])
        bill = purse.spent[0]
        assert bill.spent == Spent(estimated_input(request), request.max_tokens, estimated=True)
        assert (await held(here, purse)).tokens == bill.spent.total


async def test_a_turn_waits_for_its_models_only_so_long() -> None:
    clock = [0.0]
    async with shop() as here:
        here.bank = replace(here.bank, now=lambda: clock[0])
        purse = here.purse()
        await purse.ask(question())
        clock[0] = 59.5
        with pytest.raises(ModelError, match="timeout: the time that this turn may wait"):
            await purse.ask(question())
    assert len(here.server.asked) == 1
    assert purse.notes == ("timeout: the time that this turn may wait for models is used up",)


async def test_an_open_circuit_is_told_and_costs_nothing() -> None:
    async with shop(Case(always, Fails(401, "authentication_error"))) as here:
        purse = here.purse()
        for _ in range(3):
            with pytest.raises(ModelError):
                await purse.ask(question())
    assert len(here.server.asked) == 2
    assert [each.partition(":")[0] for each in purse.notes] == ["unauthorised", "circuit_open"]
    assert purse.spent == ()


async def test_a_store_that_cannot_tell_what_is_spent_leaves_nothing_open() -> None:
    async def look() -> SoFar:
        raise RuntimeError("away")

    async with shop() as here:
        purse = Purse(here.bank, Account("w", "a", "s", DAY), look)
        with pytest.raises(RuntimeError):
            await purse.ask(question())
    assert (here.server.asked, len(here.bank.till)) == ([], 0)


# --- many at a time -----------------------------------------------------------------------------------


async def spend(purses: Iterable[Purse], request: Request) -> list[Purse]:
    """Ask with all of them at once; those that were allowed to."""

    async def one(purse: Purse) -> bool:
        try:
            await purse.ask(request)
        except OutOfBudget:
            return False
        return True

    asked = list(purses)
    allowed = await asyncio.gather(*map(one, asked))
    return [purse for purse, could in zip(asked, allowed, strict=True) if could]


def costs(purses: Iterable[Purse]) -> Decimal:
    return sum((bill.cost for purse in purses for bill in purse.spent), Decimal(0))


async def test_fifty_turns_at_once_cannot_overspend_a_day() -> None:
    request, limit = question("small", max_tokens=100), Decimal("0.0080")
    dear = replace(WORDS, spent=Spent(estimated_input(request), 100), after=0.05)  # every reply costs all it may
    async with shop(Case(always, dear), limits=Budget(workspace_day=Limit(money=limit))) as here:
        could = await spend((here.purse(f"s{number}", agent=f"a{number % 3}") for number in range(50)), request)
        each = worst(request, CHEAP).money
        assert 0 < len(could) == len(here.server.asked) <= int(limit / each) < 50
        assert 0 < costs(could) <= limit
        assert len(await spend([here.purse("other", workspace="other")], request)) == 1


async def test_what_was_reserved_in_vain_can_be_spent_by_others() -> None:
    request = question()
    limit = Limit(worst(request, CHEAP).tokens * 2)
    spare = replace(WORDS, spent=Spent(10, 5))
    async with shop(Case(always, spare), limits=Budget(workspace_day=limit)) as here:
        first = await spend((here.purse(f"s{number}") for number in range(10)), request)
        second = await spend((here.purse(f"t{number}") for number in range(10)), request)
    assert (len(first), len(second)) == (2, 1)


async def test_what_others_book_after_we_looked_is_not_missed() -> None:
    request = question()
    full = replace(WORDS, spent=Spent(estimated_input(request), request.max_tokens))
    limits = Budget(workspace_day=Limit(worst(request, CHEAP).tokens * 2))
    async with shop(Case(always, full), limits=limits) as here:
        mine = here.purse("mine")
        await mine.ask(request)  # we looked when nothing was stored
        other = here.purse("other")
        await other.ask(request)
        here.stored = SoFar(workspace_day=Amount(other.spent[0].spent.total))
        other.close(booked=True)
        with pytest.raises(OutOfBudget):
            await mine.ask(request)
        with pytest.raises(OutOfBudget):
            await here.purse("third").ask(request)


async def test_what_could_not_be_booked_stays_in_the_way() -> None:
    request = question()
    async with shop(limits=Budget(session=Limit(worst(request, CHEAP).tokens))) as here:
        purse = here.purse()
        await purse.ask(request)
        purse.close(booked=False)
        with pytest.raises(OutOfBudget):
            await here.purse().ask(request)


async def test_the_till_forgets_who_is_done() -> None:
    async with shop() as here:
        purses = [here.purse(f"s{number}") for number in range(20)]
        await spend(purses, question())
        for purse in purses:
            purse.close(booked=True)
    assert len(here.bank.till) == 0


async def test_questions_of_one_turn_at_once_are_one_account() -> None:
    request = question()
    async with shop(limits=Budget(turn=Limit(worst(request, CHEAP).tokens * 2))) as here:
        purse = here.purse()
        done = await asyncio.gather(*(purse.ask(request) for _ in range(4)), return_exceptions=True)
        assert sum(isinstance(each, OutOfBudget) for each in done) == 2
        purse.close(booked=True)
    assert len(here.bank.till) == 0
