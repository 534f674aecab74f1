"""What wakes the workers. An alarm that is lost or rings twice harms nothing: the tables are the truth."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Literal, Protocol, get_args

Kind = Literal["turn", "send", "media"]
KINDS: tuple[Kind, ...] = get_args(Kind)

# What a worker does when an alarm rings for an address; it answers when to ring again, if it must.
Job = Callable[[str], Awaitable[datetime | None]]


class Queue(Protocol):
    """Set an alarm, work when alarms ring, stop."""

    async def wake(self, kind: Kind, address: str, *, at: datetime | None = None, urgent: bool = False) -> None:
        """Ring for this address, now or at that time; urgent ones go before the others.

        One alarm waits per address, with the earliest time; one that comes while its job runs follows the job.
        """
        ...

    async def wake_here(self, kind: Kind, address: str) -> None:
        """Ring for this address now and in this process, which has claimed the work already."""
        ...

    async def work(self, kind: Kind, job: Job, *, concurrency: int) -> None:
        """Run the job for each alarm, so many at once and never twice at once for one address; returns when closed.

        A job that raises is reported and rung again after a rest.
        """
        ...

    async def settled(self) -> None:
        """Wait until nothing that is known here is due or running; a queue of many processes knows of nothing."""
        ...

    async def close(self) -> None:
        """Begin no more jobs; those that run are awaited by `work`."""
        ...
