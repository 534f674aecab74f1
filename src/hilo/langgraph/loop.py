"""`invoke` beside `ainvoke`: an agent is asynchronous, and a synchronous graph waits for it in another thread."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextvars import copy_context
from functools import cache
from threading import Thread
from typing import Any


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """One for all synchronous calls of the process: connections to a model live as long as the loop they are of."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="hilo-langgraph", daemon=True).start()
    return loop


def wait_for(function: Callable[..., Coroutine[Any, Any, Any]], *arguments: Any) -> Any:
    """What a coroutine function returns, run where streams and traces of the caller are known."""
    done: Future[Any] = Future()
    around, loop = copy_context(), _loop()

    async def run() -> None:
        try:
            done.set_result(await function(*arguments))
        except BaseException as error:  # noqa: BLE001 -- whoever waits must hear of it, whatever it is
            done.set_exception(error)

    loop.call_soon_threadsafe(lambda: _tasks.add(loop.create_task(run(), context=around)))
    try:
        return done.result()
    finally:
        loop.call_soon_threadsafe(_forget_done)


_tasks: set[asyncio.Task[None]] = set()  # a loop alone keeps no task alive


def _forget_done() -> None:
    _tasks.difference_update([task for task in _tasks if task.done()])
