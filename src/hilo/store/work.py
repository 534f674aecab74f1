"""Leases: who works on which address. A claim is fenced by its token, so that a zombie changes nothing."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from hilo.store.store import forgettable, reading, stepwise
from hilo.tools.database import Row, Script, Statement, execute, maybe_moment, micros, moment, one, statement

Kind = Literal["turn", "send", "media"]

LEASE = timedelta(seconds=10)
LONGEST_WAIT = timedelta(minutes=1)  # far more than a burst or a pause between two attempts
AT_MOST = 1000


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to work on an address until the lease ends.

    `attempts` counts this one; `deaths` are those processes that died while they certainly worked on it.
    """

    address: str
    kind: Kind
    owner: str
    token: int
    attempts: int
    error: str = ""
    deaths: int = 0


@dataclass(frozen=True, slots=True)
class NotNow:
    """There is nothing to do yet, or somebody else does it; try again then, if at all."""

    at: datetime | None


@dataclass(frozen=True, slots=True)
class WaitingAddress:
    """An address with work, for alarms that were lost."""

    kind: Kind
    address: str
    at: datetime
    urgent: bool


def claim(kind: Kind, address: str, *, owner: str, now: datetime, lease: timedelta = LEASE) -> Script[Claim | NotNow]:
    """Take the work of an address."""
    rows = yield claim_statement("claim", kind, address, owner=owner, now=now, lease=lease)
    return claim_of(kind, address, owner, rows[0]) if rows else (yield from when_due(kind, address))


def claim_statement(  # noqa: PLR0913 -- who wants what, and for how long
    query: str, kind: Kind, address: str, *, owner: str, now: datetime, lease: timedelta
) -> Statement:
    """The statement that takes the work of an address, if it is due and nobody has it."""
    times = {"now": micros(now), "until": micros(now + lease)}
    return statement(query, kind=kind, address=address, owner=owner, **times)


def claim_of(kind: Kind, address: str, owner: str, row: Row) -> Claim:
    """What that statement has taken."""
    return Claim(address, kind, owner, row["lease_token"], row["attempts"], row["error"], row["deaths"])


@reading
@stepwise
@forgettable
def channel_of(address: str) -> Script[str]:
    """The channel of an address."""
    row = yield from one("address", address=address)
    return str(row["channel_id"]) if row else ""


def when_due(kind: Kind, address: str) -> Script[NotNow]:
    """When an address should be looked at again."""
    row = yield from one("when_due", kind=kind, address=address)
    if row is None:
        return NotNow(None)
    lease = maybe_moment(row["lease_until"])
    due = moment(row["next_at"])
    return NotNow(max(due, lease) if lease else due)


def is_held(held: Claim) -> Script[bool]:
    """Whether a claim is still ours; until the end of the transaction it stays so."""
    row = yield from one("held_lease", address=held.address, kind=held.kind, token=held.token, owner=held.owner)
    return row is not None


def release(held: Claim, *, next_at: datetime | None, attempts: int = 0, error: str = "") -> Script[None]:
    """Give the work back, to be done at that time if there is any."""
    yield from execute(
        "release",
        address=held.address,
        kind=held.kind,
        token=held.token,
        next_at=None if next_at is None else micros(next_at),
        attempts=attempts,
        error=error,
        deaths=held.deaths if attempts else 0,
    )


def mark_running(held: Claim) -> Script[bool]:
    """Say that work which has been broken off before begins now; whether the claim is still ours."""
    keys = {"address": held.address, "kind": held.kind, "token": held.token, "owner": held.owner}
    row = yield from one("mark_running", **keys)
    return row is not None


def give_back(held: Claim, *, now: datetime) -> Script[None]:
    """Give back what was not finished, as if it had not been begun."""
    if (yield from is_held(held)):
        yield from release(held, next_at=now, attempts=held.attempts - 1, error=held.error)


def put_off(held: Claim, *, until: datetime, error: str) -> Script[None]:
    """Try again later: the attempt failed."""
    if (yield from is_held(held)):
        yield from release(held, next_at=until, attempts=held.attempts, error=error)


@stepwise
@forgettable
def heartbeat(owner: str, *, until: datetime) -> Script[None]:
    """Keep the claims of a process that lives."""
    yield from execute("heartbeat", owner=owner, until=micros(until))


def let_go(kind: Kind, address: str, *, owner: str, known: Claim | None = None) -> Script[None]:
    """Free an address whose work was broken off: the claim that we know of, or any that we may have unknowingly."""
    token = known.token if known else None
    yield from execute("let_go", kind=kind, address=address, owner=owner, token=token)


@stepwise
def owners() -> Script[tuple[str, ...]]:
    """The processes that have claims."""
    rows = yield from execute("owners")
    return tuple(row["lease_owner"] for row in rows)


@stepwise
def clear_owner(owner: str) -> Script[None]:
    """Free the claims of a process that is dead."""
    yield from execute("clear_owner", owner=owner)


@stepwise
def recall(*, now: datetime) -> Script[None]:
    """Let turns begin that would wait until a clock that was set back is as late again."""
    yield from execute("recall", now=micros(now), far=micros(now + LONGEST_WAIT))


def is_idle(address: str) -> Script[bool]:
    """Whether nothing is to be done for an address: no turn, and nothing to send."""
    for kind in ("turn", "send"):
        if (yield from one("when_due", address=address, kind=kind)):
            return False
    return True


@stepwise
def waiting(*, until: datetime, at_most: int = AT_MOST) -> Script[tuple[WaitingAddress, ...]]:
    """What has work up to a moment."""
    rows = yield from execute("waiting", until=micros(until), at_most=at_most)
    return tuple(
        WaitingAddress(row["kind"], row["address_id"], moment(row["at"]), urgent=bool(row["urgent"])) for row in rows
    )
