"""Floods of connections: whoever sends half a request is hung up on, and webhooks come through meanwhile."""

import asyncio
import resource
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.responses import PlainTextResponse
from starlette.requests import Request

from hilo.app.gateway import HttpServer, gateway_config
from hilo.server import headers
from servers import free_port

HALF = b"POST /webhooks/x HTTP/1.1\r\nhost: hilo\r\nx-slow: "
WHOLE = b"POST /webhooks/x HTTP/1.1\r\nhost: hilo\r\ncontent-length: 2\r\n\r\nok"
MANY = 1_100

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def _served() -> AsyncIterator[int]:
    app = FastAPI()

    @app.post("/webhooks/x")
    async def webhook(request: Request) -> PlainTextResponse:
        return PlainTextResponse(await request.body())

    config: uvicorn.Config = gateway_config(app)
    config.port = free_port()
    server = HttpServer(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 -- uvicorn tells nobody
        await asyncio.sleep(0.01)
    try:
        yield config.port
    finally:
        server.should_exit = True
        await serving


async def _connect(stack: AsyncExitStack, port: int) -> Connection:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    stack.callback(writer.close)
    return reader, writer


async def _answer(connection: Connection) -> bytes:
    reader, writer = connection
    writer.write(WHOLE)
    head = await reader.readuntil(b"\r\n\r\n")
    assert await reader.readexactly(2) == b"ok"
    return head


async def test_half_sent_headers_do_not_stop_webhooks_and_are_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headers, "HEADER_SECONDS", 3.0)
    headers.allow_many_connections()
    async with _served() as port, AsyncExitStack() as stack:
        flood = [await _connect(stack, port) for _ in range(MANY)]
        for _, writer in flood:
            writer.write(HALF)
        assert (await _answer(await _connect(stack, port))).startswith(b"HTTP/1.1 200")
        async with asyncio.timeout(60):
            ends = await asyncio.gather(*(reader.read() for reader, _ in flood), return_exceptions=True)
    assert all(end == b"" or isinstance(end, ConnectionError) for end in ends)


async def test_silence_before_the_first_request_is_no_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headers, "HEADER_SECONDS", 0.1)
    async with _served() as port, AsyncExitStack() as stack, asyncio.timeout(30):
        reader, _ = await _connect(stack, port)
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await reader.readexactly(1)


async def test_one_connection_may_bring_many_requests_and_half_a_second_one_is_hung_up_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(headers, "HEADER_SECONDS", 1.0)
    async with _served() as port, AsyncExitStack() as stack, asyncio.timeout(30):
        connection = await _connect(stack, port)
        for _ in range(3):
            await _answer(connection)
            await asyncio.sleep(0.5)  # together longer than the limit: each request has its own
        reader, writer = connection
        writer.write(HALF)
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await reader.readexactly(1)


async def test_a_process_takes_as_many_connections_as_the_system_allows() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 1024), hard))
    try:
        headers.allow_many_connections()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == min(hard, headers.MOST_FILES)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
