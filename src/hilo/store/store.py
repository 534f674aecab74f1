"""What every store can do: run a script as one transaction."""

from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, TypeVar

from hilo.errors import HiloError
from hilo.tools.database import Script

T = TypeVar("T")
P = ParamSpec("P")

READING: set[Callable[..., Script[Any]]] = set()  # scripts that change nothing
FORGETTABLE: set[Callable[..., Script[Any]]] = set()  # scripts whose loss in a power cut harms nobody
STEPWISE: set[Callable[..., Script[Any]]] = set()  # scripts whose statements stand for themselves

# Called with "before" or "after" and the name of a script, around its transaction: tests let the process die there.
Probe = Callable[[str, str], None]


class StoreUnavailable(HiloError):  # noqa: N818 -- it names what happened
    """The database cannot be used now: restarting, full, not reachable. Nothing was changed, or nobody knows."""


class StatementFailed(HiloError):  # noqa: N818 -- it names what happened
    """A statement of an agent cannot be carried out: the agent's mistake, not the database's. Nothing was changed."""


class Refuted(HiloError):  # noqa: N818 -- it names what happened
    """What a script took for granted does not hold. Nothing was changed; another script looks more closely."""


class Store(Protocol):
    """A database that runs scripts."""

    async def run(self, script: Callable[P, Script[T]], *values: P.args, **named: P.kwargs) -> T:
        """Run a script in one transaction: all of it or nothing. Raises StoreUnavailable."""
        ...

    async def close(self) -> None:
        """Let go of the database."""
        ...


def reading(script: Callable[P, Script[T]]) -> Callable[P, Script[T]]:
    """A script that changes nothing, and may take long: those that change something do not wait for it."""
    READING.add(script)
    return script


def forgettable(script: Callable[P, Script[T]]) -> Callable[P, Script[T]]:
    """A script that need not be on the disk when it returns: a claim is worth nothing after a power cut.

    The death of the process it survives, and whatever is written after it brings it to the disk.
    """
    FORGETTABLE.add(script)
    return script


def stepwise(script: Callable[P, Script[T]]) -> Callable[P, Script[T]]:
    """A script that may end after any of its statements, and what was done then stands.

    It still is one transaction where that costs nothing. PostgreSQL commits each statement as it comes, which saves
    the trips for BEGIN and COMMIT.
    """
    STEPWISE.add(script)
    return script
