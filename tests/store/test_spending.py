"""What models cost: booked once, whatever becomes of the turn, and totalled for the limits."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import ParamSpec, TypeVar

import pytest
from scenes import NOW, SECOND, Scene, later, outcome

from hilo.app.models import Models
from hilo.dialogue.session import Session
from hilo.llm.anthropic import AnthropicModel
from hilo.llm.breaker import BreakingModel
from hilo.llm.budget import Amount, Budget, Limit, SoFar
from hilo.llm.configuration import Configuration
from hilo.llm.model import Message, Request, Spent, TextPart
from hilo.llm.prices import Price, Prices
from hilo.llm.purse import Bank, Bill, OutOfBudget
from hilo.llm.till import Account, Till
from hilo.store.commit import Committed, ThrownAway, commit
from hilo.store.script import Script
from hilo.store.spending import Attempt, book, spent_so_far
from hilo.store.store import Store, StoreUnavailable
from hilo.store.views import usage, usage_by_model
from hilo.testing.clock import FakeClock
from hilo.testing.models.answers import Says
from hilo.testing.models.anthropic import LARGE, SMALL, FakeAnthropic
from hilo.testing.models.table import Case, always
from hilo.workers.paying import paying

pytest_plugins = ("databases",)

T = TypeVar("T")
P = ParamSpec("P")

TODAY = date(2026, 3, 2)
ACCOUNT = Account("w", "leads", "s", TODAY)
PRICE = Price(Decimal(1), Decimal(5), Decimal("0.1"), Decimal("1.25"))
BILL = Bill("m", Spent(100, 10, 1000, 5), Decimal("0.00025625"))
SPENT = Spent(21, 12, cache_read=1840)
COST = Decimal("0.000265")
QUESTION = Request((Message("user", (TextPart("hola"),)),), max_tokens=100)


async def so_far(scene: Scene, account: Account = ACCOUNT) -> SoFar:
    return await scene.store.run(spent_so_far, account)


async def test_nothing_is_spent_at_first(scene: Scene) -> None:
    assert await so_far(scene) == SoFar()


async def test_what_is_booked_is_in_every_total_that_it_belongs_to(scene: Scene) -> None:
    accounts = [
        ACCOUNT,
        replace(ACCOUNT, session="t"),
        replace(ACCOUNT, session="u", agent="vuelos"),
        replace(ACCOUNT, day=date(2026, 3, 3)),
        replace(ACCOUNT, workspace="v"),
    ]
    for number, account in enumerate(accounts):
        await scene.store.run(book, Attempt(f"a{number}", account, 1), (BILL,), now=NOW)
    each = Amount(1115, BILL.cost)
    found = await so_far(scene)
    assert found == SoFar(session=each + each, agent_day=each + each, workspace_day=each + each + each)
    assert (await so_far(scene, accounts[3])).workspace_day == each


async def test_an_attempt_is_booked_once_however_often_it_is_tried(scene: Scene) -> None:
    attempt = Attempt("a", ACCOUNT, 1)
    bills = (BILL, replace(BILL, model="n"))
    for _ in range(3):
        await scene.store.run(book, attempt, bills, now=NOW)
    assert (await so_far(scene)).session == Amount(2230, BILL.cost * 2)
    assert scene.column("SELECT model FROM usage ORDER BY model") == ["m", "n"]


async def test_costs_are_kept_to_the_last_digit(scene: Scene) -> None:
    tiny = replace(BILL, cost=Decimal("0.0000000001"))
    await scene.store.run(book, Attempt("a", ACCOUNT, 1), (tiny,), now=NOW)
    assert scene.column("SELECT cost FROM usage") == ["0.0000000001"]
    assert (await so_far(scene)).session.money == Decimal("0.000000001")  # totals are rounded up to billionths


async def test_absurd_counts_can_be_booked(scene: Scene) -> None:
    absurd = Bill("m", Spent(3 * 10**9, 3 * 10**9), Decimal(90_000))
    await scene.store.run(book, Attempt("a", ACCOUNT, 1), (absurd,), now=NOW)
    assert (await so_far(scene)).session == Amount(6 * 10**9, Decimal(90_000))
    assert [each.input_tokens for each in await scene.store.run(usage_by_model, "w", since=NOW)] == [3 * 10**9]


async def test_bookings_at_the_same_time_all_count(scene: Scene) -> None:
    attempts = [Attempt(f"a{number}", replace(ACCOUNT, session=f"s{number % 4}"), 1) for number in range(40)]
    await asyncio.gather(*(scene.store.run(book, each, (BILL,), now=NOW) for each in attempts))
    found = await so_far(scene, replace(ACCOUNT, session="s0"))
    assert (found.session.tokens, found.workspace_day.tokens) == (1115 * 10, 1115 * 40)


async def test_the_totals_are_three_rows_however_long_the_session_is(scene: Scene) -> None:
    for number in range(30):
        await scene.store.run(book, Attempt(f"a{number}", ACCOUNT, number), (BILL,), now=later(number))
    assert len(scene.rows("SELECT * FROM spending")) == 3
    assert (await so_far(scene)).session.tokens == 1115 * 30


# --- turns that pay -----------------------------------------------------------------------------------


@pytest.fixture
async def server() -> AsyncIterator[FakeAnthropic]:
    async with FakeAnthropic([Case(always, Says("Hola", spent=SPENT))]) as opened:
        yield opened


@pytest.fixture
async def models(scene: Scene, server: FakeAnthropic) -> AsyncIterator[Models]:
    opened = opened_models(scene.store, server)
    yield opened
    await opened.close()


def opened_models(store: Store, server: FakeAnthropic, budget: Budget | None = None, at: datetime = NOW) -> Models:
    prices = Prices({SMALL: PRICE, LARGE: PRICE}, "USD", TODAY)
    configuration = Configuration("anthropic", SMALL, LARGE, prices, budget or Budget())
    bank = Bank(BreakingModel(AnthropicModel(server.settings)), configuration, Till())
    return Models(bank, store, FakeClock(at))


async def asked(models: Models, session: Session, then: Callable[[], object] = lambda: None) -> None:
    async with paying(models, "w", session) as purse:
        assert purse is not None
        await purse.ask(QUESTION)
        then()


def opened(session: str) -> Session:
    return Session(session, "leads", "1", NOW, NOW)


async def test_a_turn_that_is_committed_costs_what_it_asked(scene: Scene, models: Models) -> None:
    taken = await scene.take((await scene.hear("hola")).address)
    await asked(models, opened(taken.session_id))
    assert isinstance(await scene.commit(taken), Committed)
    (row,) = await scene.store.run(usage, "w", since=NOW)
    assert (row.turns, row.free_turns, row.stage, row.cost) == (1, 0, "rules", COST)
    assert (row.input_tokens, row.output_tokens, row.cached_tokens) == (21, 12, 1840)


async def test_a_turn_thrown_away_for_a_newer_message_is_paid_with_the_one_that_counts(
    scene: Scene, models: Models
) -> None:
    heard = await scene.hear("hola")
    taken = await scene.take(heard.address)
    await asked(models, opened(taken.session_id))
    await scene.hear("espera", at=later(1))
    first = outcome(taken, wait_for_newer=True)
    assert await scene.store.run(commit, first, now=later(1)) == ThrownAway("newer")
    again = await scene.take(heard.address, at=later(2))
    await asked(models, opened(again.session_id))
    assert isinstance(await scene.commit(again, at=later(2)), Committed)
    (row,) = await scene.store.run(usage, "w", since=NOW)
    assert (row.turns, row.free_turns, row.cost, row.cached_tokens) == (1, 0, COST * 2, 3680)
    account = replace(ACCOUNT, session=again.session_id)
    assert (await so_far(scene, account)).session == Amount(SPENT.total * 2, COST * 2)


async def test_a_turn_whose_lease_was_lost_is_paid(scene: Scene, models: Models) -> None:
    heard = await scene.hear("hola")
    taken = await scene.take(heard.address)
    await asked(models, opened(taken.session_id))
    other = await scene.take(heard.address, at=NOW + 3600 * SECOND, owner="B")
    assert await scene.commit(taken, at=NOW + 3600 * SECOND) == ThrownAway("lease")
    assert isinstance(await scene.commit(other, at=NOW + 3600 * SECOND), Committed)
    (row,) = await scene.store.run(usage, "w", since=NOW)
    assert (row.turns, row.free_turns, row.cost) == (1, 0, COST)


async def test_a_turn_that_fails_is_paid(scene: Scene, models: Models) -> None:
    with pytest.raises(ZeroDivisionError):
        await asked(models, opened("s"), then=lambda: 1 // 0)
    assert (await so_far(scene)).session == Amount(SPENT.total, COST)
    (row,) = await scene.store.run(usage, "w", since=NOW)
    assert (row.stage, row.turns, row.free_turns, row.cost) == ("no turn", 0, 0, COST)


async def test_a_turn_that_is_broken_off_is_paid(scene: Scene, models: Models) -> None:
    began = asyncio.Event()

    async def turn() -> None:
        async with paying(models, "w", opened("s")) as purse:
            assert purse is not None
            await purse.ask(QUESTION)
            began.set()
            await asyncio.sleep(60)

    task = asyncio.create_task(turn())
    await asyncio.wait_for(began.wait(), 5)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    assert (await so_far(scene)).session == Amount(SPENT.total, COST)


async def test_the_limits_hold_from_turn_to_turn_and_from_process_to_process(
    scene: Scene, server: FakeAnthropic
) -> None:
    limits = Budget(workspace_day=Limit(SPENT.total * 2))
    for _ in range(2):  # each with a till of its own
        models = opened_models(scene.store, server, limits)
        await asked(models, opened("s"))
        await models.close()
    models = opened_models(scene.store, server, limits)
    with pytest.raises(OutOfBudget, match="workspace and day"):
        await asked(models, opened("t"))
    tomorrow = opened_models(scene.store, server, limits, at=datetime(2026, 3, 3, 0, 0, tzinfo=UTC))
    await asked(tomorrow, opened("t"))
    for each in (models, tomorrow):
        await each.close()
    assert len(server.asked) == 3


class Away:
    """A database that is away for a moment, or breaks, when something is booked."""

    def __init__(self, inner: Store, *errors: Exception) -> None:
        self.inner = inner
        self.errors = list(errors)

    async def run(self, script: Callable[P, Script[T]], *values: P.args, **named: P.kwargs) -> T:
        if script == book and self.errors:
            raise self.errors.pop(0)
        return await self.inner.run(script, *values, **named)

    async def close(self) -> None:
        """It is another's."""


async def test_what_was_spent_is_booked_when_the_database_is_back(scene: Scene, server: FakeAnthropic) -> None:
    models = opened_models(Away(scene.store, StoreUnavailable("away"), StoreUnavailable("away")), server)
    await asked(models, opened("s"))
    await models.close()
    assert (await so_far(scene)).session == Amount(SPENT.total, COST)


async def test_a_booking_that_breaks_does_not_undo_the_turn_and_still_counts(
    scene: Scene, server: FakeAnthropic
) -> None:
    limits = Budget(session=Limit(SPENT.total + 100))
    models = opened_models(Away(scene.store, RuntimeError("broken")), server, limits)
    await asked(models, opened("s"))
    with pytest.raises(OutOfBudget):
        await asked(models, opened("s"))
    await models.close()
    assert (await so_far(scene)).session == Amount()


async def test_without_a_model_there_is_no_purse(scene: Scene) -> None:
    models = Models(None, scene.store, FakeClock(NOW))
    async with paying(models, "w", opened("s")) as purse:
        assert purse is None
    async with paying(None, "w", opened("s")) as purse:
        assert purse is None
