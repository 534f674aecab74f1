"""How long an address rests after its job failed, and who is told."""

from collections.abc import Callable
from datetime import timedelta

# Told the address (or the queue's name, when the queue itself is in trouble) and what went wrong.
OnError = Callable[[str, Exception], None]

FIRST = timedelta(milliseconds=250)
LONGEST = timedelta(seconds=10)
_ENOUGH_DOUBLINGS = 10  # far beyond LONGEST, and short of an overflow


def back_off(failures: int) -> timedelta:
    """A quarter of a second after the first failure, twice as long after each further one, ten seconds at most."""
    return min(LONGEST, FIRST * (1 << min(failures - 1, _ENOUGH_DOUBLINGS)))
