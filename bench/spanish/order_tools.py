"""The tools of an agent that takes orders: they only write down how they were called.

This file is copied beside the agents of the bench as their `tools.py`.
"""

from hilo import tool

CALLS: list[tuple[str, str, int]] = []  # what was done, to which product, and how many; -1 for all of them
ALL = -1


@tool(writes=True, needs_yes=False)
def put(product: str = "", quantity: int = 1) -> bool:
    """Add."""
    CALLS.append(("add", product, quantity))
    return True


@tool(writes=True, needs_yes=False)
def take_out(product: str = "", quantity: int = ALL) -> bool:
    """Remove."""
    CALLS.append(("remove", product, quantity))
    return True


@tool(writes=True, needs_yes=False)
def leave(product: str = "", quantity: int = 1) -> bool:
    """Set."""
    CALLS.append(("set", product, quantity))
    return True
