"""The purse of one turn: every attempt at every question is weighed against the limits before it is made, and paid."""

import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal

from hilo.llm.budget import Allowed, Amount, Refused, SoFar, UseSmaller, at_worst, cost, decide
from hilo.llm.configuration import Configuration
from hilo.llm.estimate import estimated_input
from hilo.llm.model import NOTHING, Model, ModelError, ModelReply, Piece, Request, Spent, Tier
from hilo.llm.retrying import SHORTEST_TRY, Patience, RetryingModel
from hilo.llm.till import Account, Drawer, Till

ReadSpending = Callable[[], Awaitable[SoFar]]
MOST_NOTES = 20


class OutOfBudget(ModelError):  # noqa: N818 -- it names what happened
    """The question was not asked: at worst it would break a limit."""

    def __init__(self, reason: str) -> None:
        super().__init__("out_of_budget", reason)


@dataclass(frozen=True, slots=True)
class Bill:
    """What a turn spent on one model."""

    model: str
    spent: Spent
    cost: Decimal


@dataclass(frozen=True, slots=True)
class Bank:
    """What the purses of an installation share: the model, what it costs and what is being spent."""

    model: Model
    configuration: Configuration
    till: Till
    now: Callable[[], float] = time.monotonic


class Purse:
    """Asks a model within the limits, and knows what that cost; after its turn it must be closed."""

    def __init__(self, bank: Bank, account: Account, so_far: ReadSpending) -> None:
        self.account = account
        self._bank = bank
        self._read = so_far
        self._opened: tuple[Drawer, SoFar] | None = None
        self._deadline: float | None = None
        self._spent: dict[str, Bill] = {}
        self._notes: list[str] = []

    async def ask(self, request: Request) -> ModelReply:
        """The whole reply; raises OutOfBudget, before anything is sent, and every other ModelError."""
        with self._noting():
            return await self._patient().complete(self._bounded(request))

    async def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        """Pieces and then the reply, under the same conditions."""
        with self._noting():
            async with aclosing(self._patient().stream(self._bounded(request))) as pieces:
                async for piece in pieces:
                    yield piece

    @property
    def spent(self) -> tuple[Bill, ...]:
        """By model, failed attempts included."""
        return tuple(self._spent.values())

    @property
    def notes(self) -> tuple[str, ...]:
        """What the trace should tell: a smaller model, a refusal, a provider that failed."""
        return tuple(self._notes)

    def close(self, *, booked: bool) -> None:
        """The turn is over; what the store does not know stays in the till, and so in the way of others."""
        if self._opened is None:
            return
        drawer, self._opened = self._opened[0], None
        paid = sum((Amount(each.spent.total, each.cost) for each in self.spent), Amount())
        drawer.close(booked=paid if booked else Amount())

    # --- one question ---------------------------------------------------------------------------------

    def _patient(self) -> RetryingModel:
        """Every attempt is weighed and paid on its own: the purse is inside, the patience outside."""
        if self._deadline is None:
            self._deadline = self._bank.now() + self._bank.configuration.turn_seconds
        left = self._deadline - self._bank.now()
        if left < SHORTEST_TRY:
            raise ModelError("timeout", "the time that this turn may wait for models is used up")
        return RetryingModel(_Paid(self, self._bank.model), Patience(seconds=min(left, Patience().seconds)))

    def _bounded(self, request: Request) -> Request:
        limits = self._bank.configuration
        most = min(request.max_tokens, limits.max_tokens)
        return replace(request, max_tokens=most, seconds=min(request.seconds, limits.seconds))

    @contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except ModelError as error:
            self._note(str(error))
            raise

    def _note(self, text: str) -> None:
        if len(self._notes) < MOST_NOTES and text not in self._notes:
            self._notes.append(text)

    # --- one attempt ----------------------------------------------------------------------------------

    async def drawer(self) -> Drawer:
        """Ours in the till; what is spent already is asked once."""
        if self._opened is None:
            drawer = self._bank.till.open(self.account)
            try:
                stored = await self._read()
            except BaseException:
                drawer.close(booked=Amount())
                raise
            if self._opened is None:
                self._opened = drawer, stored
            else:  # another question of this turn was faster
                drawer.close(booked=Amount())
        return self._opened[0]

    @contextmanager
    def attempt(self, request: Request, drawer: Drawer) -> Iterator["Attempt"]:
        """Weigh, reserve, and pay what it came to; nothing else runs between the weighing and the reservation."""
        tokens = estimated_input(request)
        tier = self._tier(request, tokens, drawer)
        price = self._bank.configuration.price(tier)
        worst = at_worst(price, tokens, request.max_tokens)
        lost = Spent(tokens, request.max_tokens, estimated=True)
        drawer.take(worst)
        attempt = Attempt(request if tier == request.tier else replace(request, tier=tier), lost)
        try:
            yield attempt
        except ModelError as error:
            attempt.failed(error)
            raise
        finally:
            real = cost(price, attempt.spent)
            drawer.take(real - worst)
            self._pay(Bill(self._bank.configuration.model(tier), attempt.spent, real.money))

    def _tier(self, request: Request, tokens: int, drawer: Drawer) -> Tier:
        assert self._opened is not None  # noqa: S101 -- whoever has the drawer has opened it
        configuration, so_far = self._bank.configuration, drawer.so_far(self._opened[1])
        wanted = at_worst(configuration.price(request.tier), tokens, request.max_tokens)
        smaller = at_worst(configuration.price("small"), tokens, request.max_tokens)
        match decide(configuration.budget, so_far, wanted=wanted, smaller=smaller):
            case Allowed():
                return request.tier
            case UseSmaller(reason):
                self._note(f"degraded: the small model instead of the large one, for {reason}")
                return "small"
            case Refused(reason):
                raise OutOfBudget(reason)

    def _pay(self, bill: Bill) -> None:
        if not bill.spent.total:
            return
        before = self._spent.get(bill.model, Bill(bill.model, NOTHING, Decimal(0)))
        self._spent[bill.model] = Bill(bill.model, before.spent + bill.spent, before.cost + bill.cost)


class Attempt:
    """One attempt at a question; until it is known what it cost, it cost all that it may."""

    def __init__(self, request: Request, lost: Spent) -> None:
        self.request = request
        self.spent = lost
        self.began = False

    def failed(self, error: ModelError) -> None:
        """An error tells its cost, but for one that leaves the provider working on a reply that nobody hears."""
        if error.spent.total or not (self.began or error.kind == "timeout"):
            self.spent = error.spent


class _Paid:
    """The model as the purse's patience sees it."""

    def __init__(self, purse: Purse, model: Model) -> None:
        self._purse = purse
        self._model = model

    async def complete(self, request: Request) -> ModelReply:
        drawer = await self._purse.drawer()
        with self._purse.attempt(request, drawer) as attempt:
            reply = await self._model.complete(attempt.request)
            attempt.spent = reply.spent
        return reply

    async def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        drawer, reply = await self._purse.drawer(), None
        with self._purse.attempt(request, drawer) as attempt:
            async with aclosing(self._model.stream(attempt.request)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, ModelReply):
                        reply, attempt.spent = piece, piece.spent
                    else:
                        attempt.began = True
                        yield piece
        if reply is not None:  # after it was paid: many readers stop at the reply
            yield reply

    async def count(self, request: Request) -> int:
        return await self._model.count(request)

    async def aclose(self) -> None:
        """The model is closed by whoever opened it."""
