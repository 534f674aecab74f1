"""What goes on while a tool works, as a test wants it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass


async def nothing() -> None:
    """It takes no time at all."""


@dataclass
class Stage:
    """`during` is awaited in the middle of the tool `pack`."""

    during: Callable[[], Awaitable[None]] = nothing

    def clear(self) -> None:
        self.during = nothing


STAGE = Stage()
