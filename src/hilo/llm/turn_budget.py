"""What one turn asks models with: each attempt at a request is reserved within the limits before it is made."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace

from hilo.llm.configuration import Configuration
from hilo.llm.model import Model, ModelAdapter, ModelError, ModelReply, Piece, Request, Spent, Tier
from hilo.llm.prices import Cost, estimated_input
from hilo.llm.reservations import ModelAccount, Reservation, Reservations
from hilo.llm.retrying import SHORTEST_TRY, Patience, RetryingModel

MOST_NOTES = 20


class OutOfBudget(ModelError):  # noqa: N818 -- it names what happened
    """The request was not made: at worst it would break a limit."""

    def __init__(self, reason: str) -> None:
        super().__init__("out_of_budget", reason)


@dataclass(frozen=True, slots=True)
class ConfiguredModel:
    """A model, and what the installation says of it: prices, limits, patience."""

    model: ModelAdapter
    configuration: Configuration


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What one attempt at a request came to, for the trace: tokens as they are paid, and the cost as it is shown."""

    model: str
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_written: int = 0
    cost: str = ""
    estimated: bool = False  # nobody knows: it is the most that it can have been


class TurnBudget:
    """Asks a model within the limits."""

    def __init__(
        self,
        configured: ConfiguredModel,
        reservations: Reservations,
        account: ModelAccount,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._configured = configured
        self._reservations = reservations
        self._account = account
        self._now = now
        self._deadline: float | None = None
        self._total = Cost()
        self._reserving = asyncio.Lock()
        self._notes: list[str] = []
        self._uses: list[ModelUse] = []

    async def ask(self, request: Request) -> ModelReply:
        """The whole reply; raises OutOfBudget, before anything is sent, and every other ModelError."""
        with self._noting():
            model, bounded = self._prepared(request)
            return await model.complete(bounded)

    async def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        """Pieces and then the reply, under the same conditions."""
        with self._noting():
            model, bounded = self._prepared(request)
            async with aclosing(model.stream(bounded)) as pieces:
                async for piece in pieces:
                    yield piece

    @property
    def notes(self) -> tuple[str, ...]:
        """What the trace should tell: a smaller model, a refusal, a provider that failed."""
        return tuple(self._notes)

    @property
    def uses(self) -> tuple[ModelUse, ...]:
        """What was asked so far, and what it cost; an attempt that cost nothing is not told."""
        return tuple(self._uses)

    # --- one request ----------------------------------------------------------------------------------

    def _prepared(self, request: Request) -> tuple[RetryingModel, Request]:
        """The model to ask, and the request within the bounds of the installation."""
        known, now = self._configured.configuration, self._now()
        # The time of a turn counts from its first request.
        self._deadline = self._deadline or now + known.turn_seconds
        left = self._deadline - now
        if left < SHORTEST_TRY:
            raise ModelError("timeout", "the time that this turn may wait for models is used up")
        patience = Patience(seconds=min(left, Patience().seconds))
        most, seconds = min(request.max_tokens, known.max_tokens), min(request.seconds, known.seconds)
        # Reservations are inside, patience outside: an attempt that is repeated is reserved again.
        model = RetryingModel(_ReservingModel(self, self._configured.model), patience)
        return model, replace(request, max_tokens=most, seconds=seconds)

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

    @asynccontextmanager
    async def attempt(self, request: Request) -> AsyncIterator["Attempt"]:
        """Reserve the worst, and settle for what it came to."""
        reservation = await self._reserve(request)
        attempt = Attempt(replace(request, tier=reservation.tier))
        try:
            yield attempt
        except ModelError as error:
            attempt.failed(error)
            raise
        finally:
            await self._settle(reservation, attempt.spent)

    async def _reserve(self, request: Request) -> Reservation:
        choices = self._choices(request)
        limits = self._configured.configuration.limits
        async with self._reserving:  # two requests of a turn must not count on the same rest of it
            reserved, reason = await self._reservations.reserve(choices, limits, turn=self._total)
            if reserved is None:
                raise OutOfBudget(reason)
            self._total += reserved.cost
        if reason:
            self._note(f"degraded: the small model instead of the large one, for {reason}")
        return reserved

    def _choices(self, request: Request) -> list[Reservation]:
        """What may be reserved, the best first: the small model rather than none."""
        known = self._configured.configuration
        tokens = Spent(estimated_input(request), request.max_tokens, estimated=True)
        tiers: dict[Tier, None] = dict.fromkeys((request.tier, "small"))
        choices: list[Reservation] = []
        for tier in tiers:
            model, cost = known.model(tier), known.price(tier).at_worst(tokens)
            choices.append(Reservation(self._account, tier, model, tokens, cost, request.seconds))
        return choices

    async def _settle(self, reservation: Reservation, spent: Spent | None) -> None:
        """What nobody knows the cost of costs all that was reserved."""
        if spent is None:
            spent, cost = reservation.tokens, reservation.cost
        else:
            cost = self._configured.configuration.price(reservation.tier).of(spent)
        self._total += cost - reservation.cost
        if spent.total:
            self._uses.append(self._use(reservation.model, spent, cost))
        await self._reservations.settle(reservation, spent, cost)

    def _use(self, model: str, spent: Spent, cost: Cost) -> ModelUse:
        kinds = (spent.input, spent.output, spent.cache_read, spent.cache_written)
        currency = self._configured.configuration.prices.currency
        return ModelUse(model, *kinds, cost=f"{currency} {cost.money:f}", estimated=spent.estimated)


class Attempt:
    """One attempt at a request; `spent` is None for as long as nobody knows what it costs."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.spent: Spent | None = None
        self.began = False

    def failed(self, error: ModelError) -> None:
        """An error tells its cost, unless the provider works on at a reply that nobody will read."""
        unread = self.began or error.kind == "timeout"
        if error.spent.total or not unread:
            self.spent = error.spent


class _ReservingModel:
    """The model as the retries see it."""

    def __init__(self, budget: TurnBudget, model: Model) -> None:
        self._budget = budget
        self._model = model

    async def complete(self, request: Request) -> ModelReply:
        async with self._budget.attempt(request) as attempt:
            reply = await self._model.complete(attempt.request)
            attempt.spent = reply.spent
        return reply

    async def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        reply = None
        async with (
            self._budget.attempt(request) as attempt,
            aclosing(self._model.stream(attempt.request)) as pieces,
        ):
            async for piece in pieces:
                if isinstance(piece, ModelReply):
                    reply, attempt.spent = piece, piece.spent
                else:
                    attempt.began = True
                    yield piece
        if reply is not None:  # after it was settled: many readers stop at the reply
            yield reply
