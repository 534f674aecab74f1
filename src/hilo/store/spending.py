"""What models cost: a row for each attempt at a turn and each model, and running totals for the limits.

It is booked when an attempt ends, in a transaction of its own: the money is spent whatever becomes of the turn.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_UP, Decimal

from hilo.llm.budget import Amount, SoFar
from hilo.llm.purse import Bill
from hilo.llm.till import Account, Key
from hilo.store.script import Script, micros, one

BILLION = 1_000_000_000  # totals of money are whole billionths, which both databases add up exactly


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt at a turn; its id makes a second booking harmless."""

    id: str
    account: Account
    turn: int


def book(attempt: Attempt, bills: tuple[Bill, ...], *, now: datetime) -> Script[None]:
    """Write down what an attempt spent, once."""
    paid = Amount()
    for bill in bills:
        if (yield from _add(attempt, bill, now)):
            paid += Amount(bill.spent.total, bill.cost)
    if paid.tokens:
        for key in attempt.account.keys:  # always in this order: whoever waits for a line holds no later one
            yield from _add_total(key, paid)


def spent_so_far(account: Account) -> Script[SoFar]:
    """The totals of a session, and of the day of its agent and its workspace; three rows, however long they are."""
    session, agent, workspace = account.keys
    return SoFar(
        session=(yield from _total(session)),
        agent_day=(yield from _total(agent)),
        workspace_day=(yield from _total(workspace)),
    )


def _add(attempt: Attempt, bill: Bill, now: datetime) -> Script[bool]:
    account, spent = attempt.account, bill.spent
    row = yield from one(
        "add_bill",
        session=account.session,
        turn=attempt.turn,
        attempt=attempt.id,
        model=bill.model,
        workspace=account.workspace,
        agent=account.agent,
        at=micros(now),
        input_tokens=spent.input,
        output_tokens=spent.output,
        cached_tokens=spent.cache_read,
        cache_written_tokens=spent.cache_written,
        cost=f"{bill.cost:f}",
    )
    return row is not None


def _add_total(key: Key, paid: Amount) -> Script[None]:
    money = int((paid.money * BILLION).to_integral_value(ROUND_UP))
    yield from one("add_spending", **_columns(key), tokens=paid.tokens, money=money)


def _total(key: Key) -> Script[Amount]:
    row = yield from one("spending", **_columns(key))
    return Amount(row["tokens"], Decimal(row["money"]) / BILLION) if row else Amount()


def _columns(key: Key) -> dict[str, str]:
    return dict(zip(("workspace", "scope", "name", "day"), key, strict=True))
