"""Tools with effects outside: a ledger of orders that knows a call it has seen, and a till that does not."""

import os

from crash_points import POINTS
from ledger import Ledger
from stage import STAGE

from hilo.tools.tool import tool


@tool(writes=True)
def order(quantity: int, call_id: str) -> dict[str, str]:
    """Order boxes; the same call twice is one order."""
    POINTS.reach("before", "tool")
    _ledger().order(call_id, quantity, repeatable=True)
    POINTS.reach("after", "tool")
    return {"number": f"P{quantity}"}


@tool(writes=True, idempotent=False)
def charge(quantity: int, call_id: str) -> dict[str, str]:
    """Take money; the same call twice takes it twice."""
    POINTS.reach("before", "tool")
    _ledger().order(call_id, quantity, repeatable=False)
    POINTS.reach("after", "tool")
    return {"number": f"C{quantity}"}


@tool(writes=True, needs_yes=False, timeout=30)
async def pack(call_id: str) -> dict[str, str]:
    """Pack a box, for as long as it takes; the same call twice packs the same box."""
    await STAGE.during()
    return {"box": call_id}


def _ledger() -> Ledger:
    return Ledger(os.environ["HILO_FAULTS_LEDGER"])
