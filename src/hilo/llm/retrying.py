"""Another try when it makes sense, not before the provider wants it, and never for longer than a contact waits."""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace

from hilo.llm.model import NOTHING, Model, ModelError, ModelReply, Piece, Request, StreamRestart

SHORTEST_TRY = 1.0  # seconds; with less left another attempt is no use

Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long a question is tried; `seconds` is for all attempts and pauses together."""

    attempts: int = 3
    seconds: float = 45.0
    first_pause: float = 0.5
    longest_pause: float = 8.0


def pause_after(error: ModelError, attempt: int, *, patience: Patience, luck: float) -> float | None:
    """The seconds to wait after that attempt (the first is 1), or None when there should be no other.

    `luck`, from 0 to 1, spreads those who failed together: a pause is the half to the whole of its length, and up to a
    quarter longer where the provider named it.
    """
    if not error.worth_another_try or attempt >= patience.attempts:
        return None
    if error.retry_after is not None:
        return error.retry_after * (1 + luck / 4)
    return min(patience.first_pause * 2.0 ** (attempt - 1), patience.longest_pause) * (1 + luck) / 2


@dataclass(frozen=True, slots=True)
class Outside:
    """What the world gives: sleep, luck and a clock that never goes back."""

    sleep: Sleep = asyncio.sleep
    luck: Callable[[], float] = random.random
    now: Callable[[], float] = time.monotonic


class RetryingModel:
    """A model that is asked again after errors that pass."""

    def __init__(self, model: Model, patience: Patience | None = None, *, outside: Outside | None = None) -> None:
        self._model = model
        self._patience = patience or Patience()
        self._outside = outside or Outside()

    async def complete(self, request: Request) -> ModelReply:
        """The whole reply; `spent` includes what failed attempts cost."""
        attempts = _Attempts(self._patience, self._outside)
        while True:
            try:
                reply = await self._model.complete(attempts.next(request))
            except ModelError as error:
                await attempts.rest(error)
            else:
                return reply.costing_also(attempts.lost)

    async def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        """Pieces and then the reply; after an attempt that failed midway, `StreamRestart` comes before new pieces."""
        attempts = _Attempts(self._patience, self._outside)
        while True:
            began = False
            try:
                async with aclosing(self._model.stream(attempts.next(request))) as pieces:
                    async for piece in pieces:
                        began = True
                        yield piece.costing_also(attempts.lost) if isinstance(piece, ModelReply) else piece
            except ModelError as error:
                await attempts.rest(error)
            else:
                return
            if began:
                yield StreamRestart()


class _Attempts:
    """The attempts at one question."""

    def __init__(self, patience: Patience, outside: Outside) -> None:
        self.lost = NOTHING
        self._patience = patience
        self._outside = outside
        self._deadline = outside.now() + patience.seconds
        self._made = 0

    def next(self, request: Request) -> Request:
        """The request of the next attempt, which may not outlast all of them."""
        self._made += 1
        return replace(request, seconds=min(request.seconds, self._deadline - self._outside.now()))

    async def rest(self, error: ModelError) -> None:
        """Wait for the next attempt; raises the error, with all that was spent, when there should be none."""
        self.lost = self.lost + error.spent
        pause = pause_after(error, self._made, patience=self._patience, luck=self._outside.luck())
        if pause is None or self._outside.now() + pause + SHORTEST_TRY > self._deadline:
            error.spent = self.lost
            raise error
        await self._outside.sleep(pause)
