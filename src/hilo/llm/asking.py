"""One question over HTTP by way of an SDK: bounded in time and size, and whatever goes wrong is a ModelError."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any

from hilo.llm.failures import failure_of
from hilo.llm.model import ModelError
from hilo.llm.untrusted import Events, whole

Call = AbstractAsyncContextManager[Any]  # an SDK's `with_streaming_response`: a response whose body is not read yet


class Sdk:
    """An SDK's module and client, loaded with the first question, and in a thread: some take seconds of CPU."""

    def __init__(self, connect: Callable[[], tuple[Any, Any]]) -> None:
        self._connect = connect
        self._loaded: tuple[Any, Any] | None = None
        self._loading = asyncio.Lock()

    async def loaded(self) -> tuple[Any, Any]:
        """The module and the client, the same for all questions."""
        async with self._loading:
            if self._loaded is None:
                self._loaded = await asyncio.to_thread(self._connect)
        return self._loaded

    async def aclose(self) -> None:
        """Give connections back, if there are any."""
        if self._loaded is not None:
            await self._loaded[1].close()


async def answer_to(call: Call, sdk: Any, *, seconds: float) -> bytes:
    """The body of the answer."""
    try:
        async with asyncio.timeout(seconds), call as response:
            return await whole(response.iter_bytes())
    except ModelError:
        raise
    except Exception as error:  # noqa: BLE001 -- an SDK may raise anything
        raise failure_of(sdk, error) from None  # the cause may quote a header, and so the key


async def events_of(call: Call, sdk: Any, *, seconds: float) -> AsyncGenerator[str, None]:
    """The payloads of the answer's events as they come; the seconds count for all of them together."""
    deadline = asyncio.get_running_loop().time() + seconds
    events = Events()
    try:
        async with AsyncExitStack() as stack:
            async with asyncio.timeout_at(deadline):
                response = await stack.enter_async_context(call)
            chunks = response.iter_bytes()
            while (chunk := await _next(chunks, deadline)) is not None:
                for payload in events.feed(chunk):
                    yield payload
    except ModelError:
        raise
    except Exception as error:  # noqa: BLE001 -- an SDK may raise anything
        raise failure_of(sdk, error) from None  # the cause may quote a header, and so the key


async def _next(chunks: Any, deadline: float) -> bytes | None:
    async with asyncio.timeout_at(deadline):
        chunk: bytes | None = await anext(chunks, None)
        return chunk
