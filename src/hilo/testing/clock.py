"""Time that passes only when a test says so."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

START = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)  # a Monday


@dataclass
class FakeClock:
    """A clock that moves only when told to, for tests and simulations."""

    time: datetime = START

    def now(self) -> datetime:
        """The time it was set to."""
        return self.time

    def advance(self, by: timedelta) -> None:
        """Let time pass."""
        self.time += by
