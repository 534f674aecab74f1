"""What the commands that set an installation up share: writing to its database, which is made if it is not there."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from hilo.clock import SystemClock
from hilo.errors import HiloError
from hilo.settings import read_settings
from hilo.store.opening import open_store
from hilo.store.workspaces import add_workspace, workspaces
from hilo.tools.database import Script

T = TypeVar("T")
P = ParamSpec("P")

MAIN = "main"  # the business that every installation has


def change(script: Callable[P, Script[T]], *values: P.args, **named: P.kwargs) -> T:
    """Run a script on the database that HILO_DATABASE_URL names."""

    async def run() -> T:
        store = await open_store(read_settings().database_url)
        try:
            return await store.run(script, *values, **named)
        finally:
            await store.close()

    return asyncio.run(run())


def check_workspace(workspace: str) -> None:
    """Raises HiloError when there is no such business; the first one need not be made by hand."""
    if workspace == MAIN:
        change(add_workspace, MAIN, name=MAIN, now=SystemClock().now())
    elif workspace not in {each.id for each in change(workspaces)}:
        raise HiloError(f"there is no workspace {workspace}: `hilo workspace add {workspace}` makes it")
