"""Where the time comes from. The core never asks; it is told."""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time, always with a zone."""

    def now(self) -> datetime: ...


class SystemClock:
    """The machine's time."""

    def now(self) -> datetime:
        """In UTC."""
        return datetime.now(UTC)
