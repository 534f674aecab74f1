"""What models cost: reserved at its worst before an attempt at a request, and settled when the attempt has ended.

Both are transactions of their own: the money is spent whatever becomes of the turn. The rows of the totals are locked
from the first change to the commit, so any number of processes together keep to the limits.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import ROUND_UP, Decimal

from hilo.llm.model import Spent
from hilo.llm.prices import Cost, SpendingLimits, Totals, broken_limit
from hilo.llm.reservations import ModelAccount, Reservation
from hilo.tools.database import Row, Script, execute, micros, one

BILLION = 1_000_000_000  # totals of money are whole billionths, which both databases add exactly
GRACE = timedelta(minutes=1)  # for a database that is away when an attempt ends, and for clocks that differ
NOTHING = Cost()


def reserve(
    choices: Sequence[Reservation], limits: SpendingLimits, *, turn: Cost, now: datetime
) -> Script[tuple[Reservation | None, str]]:
    """Set the first choice that fits aside; beside it, the limit that the very first one would break."""
    account, taken, reason = choices[0].account, NOTHING, ""
    for choice in choices:
        wanted = _rounded(choice.cost)
        totals = yield from _change(account, reserved=wanted - taken)
        taken = wanted
        broken = broken_limit(limits, replace(totals, turn=turn + choice.cost))
        if not broken:
            yield from _add(choice, now)
            return choice, reason
        reason = reason or broken
    yield from _change(account, reserved=NOTHING - taken)
    return None, reason


def settle(reservation_id: str, spent: Spent, cost: Cost, *, now: datetime) -> Script[None]:
    """Turn a reservation into what the attempt did cost, once."""
    row = yield from one("end_reservation", id=reservation_id)
    if row is not None:
        yield from _record(row, spent, cost, now)


def settle_expired(*, now: datetime) -> Script[bool]:
    """Count one attempt whose process died as having cost all that it could; whether there was one.

    One at a time: two accounts in a transaction could wait for each other.
    """
    row = yield from one("end_expired_reservation", now=micros(now))
    if row is None:
        return False
    yield from _record(row, Spent(row["input_tokens"], row["output_tokens"]), _cost(row), now)
    return True


def _add(reservation: Reservation, now: datetime) -> Script[None]:
    account, tokens = reservation.account, reservation.tokens
    expires_at = now + timedelta(seconds=reservation.seconds) + GRACE
    yield from execute(
        "add_reservation",
        id=reservation.id,
        workspace=account.workspace,
        agent=account.agent,
        session=account.session,
        turn=account.turn,
        day=account.day.isoformat(),
        model=reservation.model,
        input_tokens=tokens.input,
        output_tokens=tokens.output,
        cost=f"{reservation.cost.money:f}",
        expires_at=micros(expires_at),
    )


def _record(row: Row, spent: Spent, cost: Cost, now: datetime) -> Script[None]:
    """What was reserved is free, and what was spent is spent."""
    day = date.fromisoformat(row["day"])
    account = ModelAccount(row["workspace_id"], row["agent"], row["session_id"], day, row["turn"])
    yield from _change(account, spent=_rounded(cost), reserved=NOTHING - _rounded(_cost(row)))
    if not spent.total:
        return
    yield from execute(
        "record_usage",
        session=account.session,
        turn=account.turn,
        attempt=row["id"],
        model=row["model"],
        workspace=account.workspace,
        agent=account.agent,
        at=micros(now),
        input_tokens=spent.input,
        output_tokens=spent.output,
        cached_tokens=spent.cache_read,
        cache_written_tokens=spent.cache_written,
        cost=f"{cost.money:f}",
    )


def _change(account: ModelAccount, *, spent: Cost = NOTHING, reserved: Cost = NOTHING) -> Script[Totals]:
    """Add to the totals, and tell what they are then."""
    rows = yield from execute(
        "change_totals",
        workspace=account.workspace,
        agent=account.agent,
        session=account.session,
        day=account.day.isoformat(),
        tokens=spent.tokens,
        money=int(spent.money * BILLION),
        reserved_tokens=reserved.tokens,
        reserved_money=int(reserved.money * BILLION),
    )
    found = {row["scope"]: Cost(row["tokens"], Decimal(row["money"]) / BILLION) for row in rows}
    return Totals(session=found["session"], agent_day=found["agent"], workspace_day=found["workspace"])


def _cost(row: Row) -> Cost:
    return Cost(row["input_tokens"] + row["output_tokens"], Decimal(row["cost"]))


def _rounded(cost: Cost) -> Cost:
    """Up, to what totals can tell apart: rather too much than too little."""
    return Cost(cost.tokens, cost.money.quantize(Decimal(1) / BILLION, ROUND_UP))
