"""How long a call may take, and how many of one tool run at once: a tool that hangs stops nothing but itself."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar, copy_context
from functools import partial
from threading import BoundedSemaphore, Thread
from typing import Any
from weakref import WeakKeyDictionary

from hilo.tools.tool import ToolFailed

THREADS = 8  # of one tool of one agent
LOOK_AGAIN = 0.01  # seconds, while all of them are busy
STORE_PATIENCE = 60.0  # seconds that a call may wait for the store beyond its own limit

_limit: ContextVar[asyncio.Timeout | None] = ContextVar("limit", default=None)
_places: WeakKeyDictionary[Callable[..., Any], BoundedSemaphore] = WeakKeyDictionary()


@asynccontextmanager
async def time_limit(seconds: float) -> AsyncIterator[None]:
    """Raises TimeoutError after so many seconds, those not counted that the call has waited for the store."""
    async with asyncio.timeout(seconds) as limit:
        before = _limit.set(limit)
        try:
            yield
        finally:
            _limit.reset(before)


@contextmanager
def not_counted() -> Iterator[None]:
    """Wait for something of ours: a store that is busy slows a call down, and does not make it fail."""
    limit = _limit.get()
    due = limit.when() if limit else None
    if limit is None or due is None:
        yield
        return
    now = asyncio.get_running_loop().time
    left = due - now()
    limit.reschedule(now() + left + STORE_PATIENCE)
    try:
        yield
    finally:
        if not limit.expired():
            limit.reschedule(now() + left)


async def in_a_thread(function: Callable[..., Any], arguments: Mapping[str, Any], *, seconds: float) -> Any:
    """What a synchronous function returns; its time begins when it begins.

    It has places of its own: when all of its calls hang, the next are refused, and other tools do not notice.
    """
    places = _places.setdefault(function, BoundedSemaphore(THREADS))
    await _free(places, seconds)
    job: Future[Any] = Future()
    job.set_running_or_notify_cancel()
    around = copy_context()  # what logs and spans know of this turn
    # A thread for each call, which ends with it: one that hangs holds up nobody, not even the end of the process.
    call = partial(around.run, _run, function, arguments, places, job)
    try:
        Thread(target=call, name="hilo-tool", daemon=True).start()
    except RuntimeError:  # the system has no thread left, and the place would be lost for ever
        places.release()
        raise ToolFailed("busy: there is no thread for it") from None
    async with asyncio.timeout(seconds):
        return await asyncio.wrap_future(job)


async def _free(places: BoundedSemaphore, seconds: float) -> None:
    """Wait for a place; raises ToolFailed where none becomes free in time."""
    try:
        async with asyncio.timeout(seconds):
            while not places.acquire(blocking=False):  # noqa: ASYNC110 -- threads and several loops give them back
                await asyncio.sleep(LOOK_AGAIN)
    except TimeoutError:
        raise ToolFailed(f"busy: {THREADS} earlier calls have not come back") from None


def _run(
    function: Callable[..., Any],
    arguments: Mapping[str, Any],
    places: BoundedSemaphore,
    job: "Future[Any]",
) -> None:
    try:
        result = function(**arguments)
    except StopIteration as error:  # a future cannot carry it
        failed = RuntimeError("StopIteration")
        failed.__cause__ = error
        places.release()
        job.set_exception(failed)
    except BaseException as error:  # noqa: BLE001 -- whoever awaits it must hear of it, whatever it is
        places.release()
        job.set_exception(error)
    else:
        places.release()
        job.set_result(result)
