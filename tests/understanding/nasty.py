"""Texts that no recogniser may stumble over, and how long it looks at one."""

import gc
from collections.abc import Callable
from time import thread_time

NASTY = (
    *("", " ", "@" * 500, "soy " * 9000, "1" * 100_000, "a@" * 2000, "1.1" * 900, "\u200b\u200f", "\ud800"),
    *("1e400", "NaN", "\x00\n\x00", "w." * 900),
)


def seconds(read: Callable[[], object]) -> float:
    """What a call takes of the processor by itself: neither the collector nor other threads come into it."""
    gc.disable()
    try:
        started = thread_time()
        read()
        return thread_time() - started
    finally:
        gc.enable()
