"""A circuit breaker per model: when a provider is down, nobody waits for it."""

import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace
from typing import Literal

from hilo.llm.model import ErrorKind, ModelAdapter, ModelError, ModelReply, Piece, Request, Tier

# The provider is well when it refuses what we wrote.
NOT_ITS_FAULT: frozenset[ErrorKind] = frozenset({"bad_request"})

State = Literal["closed", "open", "half_open"]


@dataclass(frozen=True, slots=True)
class Fuse:
    """When the circuit opens: after failures in a row, or when too many of the latest calls failed."""

    in_a_row: int = 5
    latest: int = 20
    share: float = 0.5
    pause: float = 30.0  # seconds until one call may try whether it works again


@dataclass(frozen=True, slots=True)
class Circuit:
    """What is known of one model; pure, the time comes from outside."""

    fuse: Fuse
    outcomes: tuple[bool, ...] = ()  # of the latest calls, the newest last
    opened_at: float | None = None
    probing: bool = False

    def state(self, at: float) -> State:
        """Closed: calls go through. Open: none does. Half open: one may, as a probe."""
        if self.opened_at is None:
            return "closed"
        rested = at - self.opened_at >= self.fuse.pause
        return "half_open" if rested and not self.probing else "open"

    def probed(self) -> "Circuit":
        """The one call that is let through is on its way."""
        return replace(self, probing=True)

    def after_probe(self, *, worked: bool | None, at: float) -> "Circuit":
        """Closed again, open for another pause, or (when the probe was given up) still to be probed."""
        if worked is None:
            return replace(self, probing=False)
        return Circuit(self.fuse) if worked else Circuit(self.fuse, opened_at=at)

    def after_call(self, *, worked: bool, at: float) -> "Circuit":
        """A call ended; one that began before the circuit opened says nothing any more."""
        if self.opened_at is not None:
            return self
        outcomes = (*self.outcomes, worked)[-self.fuse.latest :]
        return Circuit(self.fuse, outcomes, at if self._is_too_much(outcomes) else None)

    def _is_too_much(self, outcomes: tuple[bool, ...]) -> bool:
        in_a_row = len(outcomes) >= self.fuse.in_a_row and not any(outcomes[-self.fuse.in_a_row :])
        share = outcomes.count(False) / len(outcomes)
        return in_a_row or (len(outcomes) == self.fuse.latest and share >= self.fuse.share)


class BreakingModel:
    """A model that is left in peace while it fails; then every call ends with `circuit_open` at once.

    Callers turn that error into the embedded understanding.
    """

    def __init__(
        self, model: ModelAdapter, fuse: Fuse | None = None, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._model = model
        self._now = now
        circuit = Circuit(fuse or Fuse())
        self._circuits: dict[Tier, Circuit] = {"small": circuit, "large": circuit}

    def state(self, tier: Tier) -> State:
        """For traces and metrics."""
        return self._circuits[tier].state(self._now())

    async def complete(self, request: Request) -> ModelReply:
        """The whole reply at once, if the circuit lets the call through."""
        with self._call(request.tier):
            return await self._model.complete(request)

    async def stream(self, request: Request) -> AsyncGenerator[Piece, None]:
        """Pieces and then the reply, if the circuit lets the call through."""
        reply: ModelReply | None = None
        with self._call(request.tier):
            async with aclosing(self._model.stream(request)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, ModelReply):
                        reply = piece
                    else:
                        yield piece
        if reply is not None:  # after the outcome was noted: many readers stop at the reply
            yield reply

    async def count(self, request: Request) -> int:
        """Counting is no use of the model, so the circuit has no say in it."""
        return await self._model.count(request)

    async def aclose(self) -> None:
        """Give connections back."""
        await self._model.aclose()

    @contextmanager
    def _call(self, tier: Tier) -> Iterator[None]:
        state = self.state(tier)
        if state == "open":
            reason = f"the {tier} model failed too often; it is left in peace for a while"
            raise ModelError("circuit_open", reason)
        probe = state == "half_open"
        if probe:
            self._circuits[tier] = self._circuits[tier].probed()
        worked: bool | None = None  # cancelled or given up: nothing is known
        try:
            yield
            worked = True
        except ModelError as error:
            worked = error.kind in NOT_ITS_FAULT
            raise
        finally:
            # Other calls may have ended meanwhile, so the circuit is looked at anew.
            circuit = self._circuits[tier]
            if probe:
                self._circuits[tier] = circuit.after_probe(worked=worked, at=self._now())
            elif worked is not None:
                self._circuits[tier] = circuit.after_call(worked=worked, at=self._now())
