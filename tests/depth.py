"""How much of what could be tried is tried: enough for every change, and with HILO_DEEP_TESTS=1 all of it."""

import os

DEEP = os.environ.get("HILO_DEEP_TESTS", "") not in {"", "0"}


def depth(usual: int, deep: int) -> int:
    """So many examples, contacts or steps."""
    return deep if DEEP else usual
