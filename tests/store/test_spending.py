"""What models cost: reserved before a request, settled once, whatever becomes of the turn and of the process."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest
from scenes import NOW, SECOND, Scene, later, outcome
from spender import WORST
from spender import spend as spend_here

from hilo.app.models import Models
from hilo.clock import SystemClock
from hilo.dialogue.session import Session
from hilo.llm.anthropic import AnthropicModel
from hilo.llm.breaker import BreakingModel
from hilo.llm.configuration import Configuration
from hilo.llm.model import Message, Request, Spent, TextPart
from hilo.llm.prices import Cost, Limit, Price, Prices, SpendingLimits
from hilo.llm.reservations import ModelAccount, Reservation
from hilo.llm.turn_budget import ConfiguredModel, OutOfBudget
from hilo.queue.embedded import EmbeddedQueue
from hilo.store.commits import commit
from hilo.store.spending import BILLION, GRACE, reserve, settle, settle_expired
from hilo.store.store import Store, StoreUnavailable
from hilo.store.turns import Committed, ThrownAway
from hilo.store.views import usage, usage_by_model
from hilo.testing.clock import FakeClock
from hilo.testing.models.answers import Says
from hilo.testing.models.anthropic import LARGE, SMALL, FakeAnthropic
from hilo.testing.models.table import Case, always
from hilo.tools.database import Script
from hilo.workers.runtime import Sweep
from patience import PATIENCE

pytest_plugins = ("databases",)

T = TypeVar("T")
P = ParamSpec("P")

TODAY = date(2026, 3, 2)
ACCOUNT = ModelAccount("w", "leads", "s", TODAY, 1)
PRICE = Price(Decimal(1), Decimal(5), Decimal("0.1"), Decimal("1.25"))
TOKENS = Spent(1000, 500)
MOST = PRICE.at_worst(TOKENS)
SPENT = Spent(21, 12, cache_read=1840)
COST = PRICE.of(SPENT)
QUESTION = Request((Message("user", (TextPart("hola"),)),), max_tokens=100)
FREE = SpendingLimits()


def wanted(account: ModelAccount = ACCOUNT, *, cost: Cost = MOST, tokens: Spent = TOKENS) -> Reservation:
    return Reservation(account, "small", "m", tokens, cost, 5)


async def reserved(scene: Scene, *choices: Reservation, limits: SpendingLimits = FREE) -> Reservation | None:
    found, _ = await scene.store.run(reserve, choices, limits, turn=Cost(), now=NOW)
    return found


async def spend(scene: Scene, account: ModelAccount = ACCOUNT, *, spent: Spent = SPENT, cost: Cost = COST) -> None:
    asked = wanted(account)
    assert await reserved(scene, asked) == asked
    await scene.store.run(settle, asked.id, spent, cost, now=NOW)


def total(scene: Scene, scope: str = "session", name: str = "s") -> tuple[Cost, Cost]:
    """What is spent, and what is reserved."""
    rows = scene.rows(f"SELECT * FROM spending WHERE scope = '{scope}' AND name = '{name}' AND workspace_id = 'w'")  # noqa: S608
    spent, held = Cost(), Cost()
    for row in rows:
        spent += Cost(row["tokens"], Decimal(row["money"]) / BILLION)
        held += Cost(row["reserved_tokens"], Decimal(row["reserved_money"]) / BILLION)
    return spent, held


async def test_what_is_reserved_is_in_every_total_until_it_is_settled(scene: Scene) -> None:
    asked = wanted()
    assert await reserved(scene, asked) == asked
    scopes = [("session", "s"), ("agent", "leads"), ("workspace", "")]
    assert [total(scene, *each) for each in scopes] == [(Cost(), MOST)] * 3
    await scene.store.run(settle, asked.id, SPENT, COST, now=NOW)
    assert [total(scene, *each) for each in scopes] == [(COST, Cost())] * 3
    assert scene.rows("SELECT * FROM reservations") == []


async def test_what_is_spent_is_in_every_total_that_it_belongs_to(scene: Scene) -> None:
    accounts = [
        ACCOUNT,
        replace(ACCOUNT, session="t"),
        replace(ACCOUNT, session="u", agent="vuelos"),
        replace(ACCOUNT, day=date(2026, 3, 3)),
        replace(ACCOUNT, workspace="v"),
    ]
    for account in accounts:
        await spend(scene, account)
    found = scene.rows("SELECT scope, name, day, tokens FROM spending WHERE workspace_id = 'w'")
    one, two, three = (COST.tokens * times for times in (1, 2, 3))
    assert {(each["scope"], each["name"], each["day"]): each["tokens"] for each in found} == {
        ("session", "s", ""): two,
        ("session", "t", ""): one,
        ("session", "u", ""): one,
        ("agent", "leads", "2026-03-02"): two,
        ("agent", "leads", "2026-03-03"): one,
        ("agent", "vuelos", "2026-03-02"): one,
        ("workspace", "", "2026-03-02"): three,
        ("workspace", "", "2026-03-03"): one,
    }


async def test_a_reservation_is_settled_once_however_often_it_is_tried(scene: Scene) -> None:
    asked = wanted()
    await reserved(scene, asked)
    for _ in range(3):
        await scene.store.run(settle, asked.id, SPENT, COST, now=NOW)
    assert total(scene) == (COST, Cost())
    assert scene.column("SELECT model FROM usage") == ["m"]


async def test_an_attempt_that_cost_nothing_leaves_no_row(scene: Scene) -> None:
    await spend(scene, spent=Spent(), cost=Cost())
    assert total(scene) == (Cost(), Cost())
    assert scene.rows("SELECT * FROM usage") == []


@pytest.mark.parametrize("scope", ["session", "agent_day", "workspace_day"])
async def test_what_does_not_fit_is_refused_and_nothing_of_it_stays(scene: Scene, scope: str) -> None:
    limits = SpendingLimits(**{scope: Limit(money=MOST.money * 2)})
    assert await reserved(scene, wanted(), limits=limits)
    assert await reserved(scene, wanted(), limits=limits)
    found, reason = await scene.store.run(reserve, [wanted()], limits, turn=Cost(), now=NOW)
    assert found is None
    assert reason.startswith(f"the money per {scope.partition('_')[0]}")
    assert [total(scene, *each)[1] for each in (("session", "s"), ("workspace", ""))] == [MOST + MOST] * 2
    assert len(scene.rows("SELECT * FROM reservations")) == 2


async def test_the_second_choice_is_reserved_where_the_first_does_not_fit(scene: Scene) -> None:
    small, limits = Cost(1500, MOST.money / 3), SpendingLimits(session=Limit(money=MOST.money))
    for fits in (True, True, True, False):
        choices = wanted(cost=Cost(1500, MOST.money * 3)), wanted(cost=small)
        found, reason = await scene.store.run(reserve, choices, limits, turn=Cost(), now=NOW)
        assert found == (choices[1] if fits else None)
        assert reason.startswith("the money per session")
    assert total(scene)[1] == Cost(4500, MOST.money)


async def test_what_the_turn_has_spent_counts_too(scene: Scene) -> None:
    limits = SpendingLimits(turn=Limit(MOST.tokens + 10))
    assert (await scene.store.run(reserve, [wanted()], limits, turn=Cost(10), now=NOW))[0]
    found, reason = await scene.store.run(reserve, [wanted()], limits, turn=Cost(11), now=NOW)
    assert (found, reason) == (None, "the tokens per turn: 1511 of 1510")


async def test_costs_are_kept_to_the_last_digit(scene: Scene) -> None:
    await spend(scene, cost=Cost(1873, Decimal("0.0000000001")))
    assert scene.column("SELECT cost FROM usage") == ["0.0000000001"]
    assert total(scene)[0].money == Decimal("0.000000001")  # totals are rounded up to billionths


async def test_absurd_counts_can_be_recorded(scene: Scene) -> None:
    absurd = Spent(3 * 10**9, 3 * 10**9)
    await spend(scene, spent=absurd, cost=Cost(absurd.total, Decimal(90_000)))
    assert total(scene)[0] == Cost(6 * 10**9, Decimal(90_000))
    assert [each.input_tokens for each in await scene.store.run(usage_by_model, "w", since=NOW)] == [3 * 10**9]


async def test_the_totals_are_three_rows_however_long_the_session_is(scene: Scene) -> None:
    for number in range(30):
        await spend(scene, replace(ACCOUNT, turn=number))
    assert len(scene.rows("SELECT * FROM spending")) == 3
    assert total(scene)[0].tokens == COST.tokens * 30


# --- processes ----------------------------------------------------------------------------------------


async def test_reservations_at_the_same_time_keep_to_the_limit_together(scene: Scene) -> None:
    limits = SpendingLimits(workspace_day=Limit(money=MOST.money * 7), agent_day=Limit(MOST.tokens * 4))
    accounts = [replace(ACCOUNT, session=f"s{number % 5}", agent=f"a{number % 2}") for number in range(60)]
    found = await asyncio.gather(*(reserved(scene, wanted(each), limits=limits) for each in accounts))
    assert len(list(filter(None, found))) == 7
    assert total(scene, "workspace", "")[1] == Cost(MOST.tokens * 7, MOST.money * 7)


async def spender(scene: Scene, turns: int, tokens: int, how: str = "quick") -> Process:
    script = str(Path(__file__).with_name("spender.py"))
    values = (scene.url, str(turns), str(tokens), how)
    return await asyncio.create_subprocess_exec(sys.executable, script, *values, stdout=PIPE)


async def answers(*processes: Process) -> int:
    """How many turns of processes that come to an end were answered."""
    ends = [await asyncio.wait_for(each.communicate(), PATIENCE) for each in processes]
    assert [each.returncode for each in processes] == [0] * len(processes)
    return sum(int(out) for out, _ in ends)


async def test_processes_never_pass_a_limit_together(scene: Scene) -> None:
    limit = WORST.total * 10 + 1
    processes = [await spender(scene, 20, limit) for _ in range(3)]
    assert await answers(*processes) == 10
    spent, held = total(scene, "workspace", "")
    assert (spent.tokens, held) == (WORST.total * 10, Cost())


async def test_a_request_whose_process_was_killed_counts_at_its_worst(scene: Scene) -> None:
    limit = WORST.total * 2 - 1
    process = await spender(scene, 1, limit, "stuck")
    assert process.stdout is not None
    assert await asyncio.wait_for(process.stdout.readline(), PATIENCE) == b"asking\n"
    process.kill()
    await process.communicate()
    assert await spend_here(scene.url, 1, limit, stuck=False) == 0  # the provider may be at it still

    clock = FakeClock(SystemClock().now())
    queue = EmbeddedQueue(clock, on_error=lambda *_: None)
    sweep = Sweep(scene.store, queue, clock, "me", timedelta(hours=1))
    await sweep.once()
    assert total(scene, "workspace", "")[1].tokens == WORST.total
    clock.advance(timedelta(seconds=30) + GRACE)
    await sweep.once()
    spent, held = total(scene, "workspace", "")
    assert (spent.tokens, held) == (WORST.total, Cost())
    (row,) = await scene.store.run(usage_by_model, "w", since=NOW)
    assert (row.model, row.input_tokens, row.output_tokens) == ("small", WORST.input, WORST.output)
    assert await spend_here(scene.url, 1, limit, stuck=False) == 0


async def test_whoever_settles_after_the_reservation_has_expired_changes_nothing(scene: Scene) -> None:
    asked = wanted()
    await reserved(scene, asked)
    expiry = NOW + timedelta(seconds=asked.seconds) + GRACE
    assert not await scene.store.run(settle_expired, now=expiry - SECOND)
    assert await scene.store.run(settle_expired, now=expiry)
    assert not await scene.store.run(settle_expired, now=expiry)
    await scene.store.run(settle, asked.id, SPENT, COST, now=expiry)
    assert total(scene) == (MOST, Cost())
    assert scene.column("SELECT cost FROM usage") == [f"{MOST.money:f}"]


# --- turns that ask -----------------------------------------------------------------------------------


@pytest.fixture
async def server() -> AsyncIterator[FakeAnthropic]:
    async with FakeAnthropic([Case(always, Says("Hola", spent=SPENT))]) as opened:
        yield opened


@pytest.fixture
async def models(scene: Scene, server: FakeAnthropic) -> AsyncIterator[Models]:
    opened = opened_models(scene.store, server)
    yield opened
    await opened.close()


def opened_models(store: Store, server: FakeAnthropic, limits: SpendingLimits = FREE, at: datetime = NOW) -> Models:
    prices = Prices({SMALL: PRICE, LARGE: PRICE}, "USD", TODAY)
    configuration = Configuration("anthropic", SMALL, LARGE, prices, limits)
    model = BreakingModel(AnthropicModel(server.settings))
    return Models(ConfiguredModel(model, configuration), store, FakeClock(at))


async def asked(models: Models, session: Session, then: Callable[[], object] = lambda: None) -> None:
    budget = models.budget_for("w", session)
    assert budget is not None
    await budget.ask(QUESTION)
    then()


def opened(session: str) -> Session:
    return Session(session, "leads", "1", NOW, NOW)


async def test_a_turn_that_is_committed_costs_what_it_asked(scene: Scene, models: Models) -> None:
    taken = await scene.take((await scene.hear("hola")).address)
    await asked(models, opened(taken.session_id))
    assert isinstance(await scene.commit(taken), Committed)
    (row,) = await scene.store.run(usage, "w", since=NOW)
    assert (row.turns, row.free_turns, row.stage, row.cost) == (1, 0, "rules", COST.money)
    assert (row.input_tokens, row.output_tokens, row.cached_tokens) == (21, 12, 1840)


async def test_a_turn_thrown_away_for_a_newer_message_is_counted_with_the_one_that_stays(
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
    assert (row.turns, row.free_turns, row.cost, row.cached_tokens) == (1, 0, COST.money * 2, 3680)
    assert total(scene, name=again.session_id) == (COST + COST, Cost())


async def test_a_turn_whose_lease_was_lost_is_counted(scene: Scene, models: Models) -> None:
    heard = await scene.hear("hola")
    taken = await scene.take(heard.address)
    await asked(models, opened(taken.session_id))
    other = await scene.take(heard.address, at=NOW + 3600 * SECOND, owner="B")
    assert await scene.commit(taken, at=NOW + 3600 * SECOND) == ThrownAway("lease")
    assert isinstance(await scene.commit(other, at=NOW + 3600 * SECOND), Committed)
    (row,) = await scene.store.run(usage, "w", since=NOW)
    assert (row.turns, row.free_turns, row.cost) == (1, 0, COST.money)


async def test_a_turn_that_fails_is_counted(scene: Scene, models: Models) -> None:
    with pytest.raises(ZeroDivisionError):
        await asked(models, opened("s"), then=lambda: 1 // 0)
    assert total(scene) == (COST, Cost())
    (row,) = await scene.store.run(usage, "w", since=NOW)
    assert (row.stage, row.turns, row.free_turns, row.cost) == ("no turn", 0, 0, COST.money)


async def test_a_turn_that_is_broken_off_is_counted(scene: Scene, models: Models) -> None:
    began = asyncio.Event()

    async def turn() -> None:
        await asked(models, opened("s"))
        began.set()
        await asyncio.sleep(60)

    task = asyncio.create_task(turn())
    await asyncio.wait_for(began.wait(), PATIENCE)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    assert total(scene) == (COST, Cost())


async def test_the_limits_hold_from_turn_to_turn_and_from_process_to_process(
    scene: Scene, server: FakeAnthropic
) -> None:
    limits = SpendingLimits(workspace_day=Limit(SPENT.total * 2))
    for _ in range(2):
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
    """A database that is away for a moment, or breaks, when a reservation is settled."""

    def __init__(self, inner: Store, *errors: Exception) -> None:
        self.inner = inner
        self.errors = list(errors)

    async def run(self, script: Callable[P, Script[T]], *values: P.args, **named: P.kwargs) -> T:
        if script == settle and self.errors:
            raise self.errors.pop(0)
        return await self.inner.run(script, *values, **named)

    async def close(self) -> None:
        """It is another's."""


async def test_what_was_spent_is_recorded_when_the_database_is_back(scene: Scene, server: FakeAnthropic) -> None:
    models = opened_models(Away(scene.store, StoreUnavailable("away"), StoreUnavailable("away")), server)
    await asked(models, opened("s"))
    await models.close()
    assert total(scene) == (COST, Cost())


async def test_what_cannot_be_settled_does_not_undo_the_turn_and_still_counts(
    scene: Scene, server: FakeAnthropic
) -> None:
    limits = SpendingLimits(session=Limit(SPENT.total))
    models = opened_models(Away(scene.store, RuntimeError("broken")), server, limits)
    await asked(models, opened("s"))
    spent, held = total(scene)
    assert (spent, held.tokens > 0) == (Cost(), True)
    assert await scene.store.run(settle_expired, now=later(60) + GRACE)
    assert total(scene) == (held, Cost())
    await models.close()
