"""Tools of MCP servers: connected at the start, called like all others, and trusted in nothing that they say."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

import anyio
import re2

from hilo.agent.remote import SECRET, McpServer
from hilo.errors import HiloError, install
from hilo.tools.addresses import Network
from hilo.tools.answers import MAX_BYTES, MAX_TEXT, check_depth, one_line, plain_values, without
from hilo.tools.http import Secret, filled, json_number, secret_values
from hilo.tools.tool import Tool, ToolFailed

try:
    import httpx2
    import mcp_types
    from jsonschema import SchemaError, ValidationError  # type: ignore[import-untyped]
    from jsonschema.validators import Draft202012Validator, extend  # type: ignore[import-untyped]
    from mcp import Client, MCPError
    from mcp.client.stdio import StdioServerParameters, stdio_client
    from mcp.client.streamable_http import streamable_http_client
    from referencing import Registry
    from referencing.exceptions import Unresolvable
except ModuleNotFoundError as error:
    raise HiloError(f"tools of MCP servers need an extra: {install('mcp')} ({error})") from None

START_SECONDS = 20.0
LAST_WORDS_SECONDS = 0.3
CLOSE_SECONDS = 8.0  # a server that heeds nothing is killed after some four
MAX_PAGES = 20
MAX_DESCRIPTION = 1000
MAX_SCHEMA = 20_000  # characters
MAX_REFERENCES = 20  # of one schema: more could be made to unfold for ever

Open = Callable[[], AbstractAsyncContextManager[Any]]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What servers are given: the agent's folder to run in, the network, and how secrets are read."""

    folder: Path
    network: Network
    secret: Secret


@asynccontextmanager
async def mcp_tools(servers: Mapping[str, McpServer], surroundings: Surroundings) -> AsyncIterator[dict[str, Tool]]:
    """The allowed tools of all servers, which live as long as the block; raises HiloError where one cannot be had."""
    links = [_Link(name, server, surroundings) for name, server in servers.items()]
    try:
        yield {tool.spec.name: tool for link in links for tool in await link.tools()}
    finally:
        await asyncio.gather(*(link.aclose() for link in links))


class _Link:
    """One server: connected now or, when it died, with the next call."""

    def __init__(self, name: str, server: McpServer, surroundings: Surroundings) -> None:
        self._name = name
        self._server = server
        self._surroundings = surroundings
        self._hidden: tuple[str, ...] = ()
        self._line: _Connection | None = None
        self._opening = asyncio.Lock()
        self._closing: set[asyncio.Task[None]] = set()

    async def tools(self) -> list[Tool]:
        """What the file allows, as the server describes it."""
        try:
            listed = (await self._connected(START_SECONDS)).tools
        except ToolFailed as error:
            raise HiloError(f"the MCP server {self._name}: {error}") from None
        if missing := [tool for tool in self._server.allow if tool not in listed]:
            there = one_line(", ".join(sorted(listed)), self._hidden) or "none"
            raise HiloError(f"the MCP server {self._name} has no tool {', '.join(missing)}; it has: {there}")
        return [self._tool(listed[name]) for name in self._server.allow]

    def _tool(self, listed: mcp_types.Tool) -> Tool:
        try:
            schema = ServerSchema.of(listed.input_schema)
        except ValueError as error:
            raise HiloError(f"the MCP server {self._name}: the tool {listed.name} cannot be used: {error}") from None
        said = one_line(listed.description or "", self._hidden, MAX_DESCRIPTION)
        spec = replace(self._server.spec(self._name, listed.name), parameters=schema.parameters(), description=said)

        async def run(**arguments: Any) -> dict[str, Any]:
            return await self.call(listed.name, arguments)

        # `arguments` needs no more than validate_python and json_schema
        return Tool(spec, run, schema, self._server.timeout.total_seconds())

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """What a tool gives; ToolFailed where it says so or was not reached, another error where nobody knows."""
        line = await self._connected(self._server.timeout.total_seconds() / 2)
        try:
            result = await line.call(tool, arguments)
        except asyncio.CancelledError:  # it took too long: whoever hangs is started anew
            self._drop(line)
            raise
        except Exception as error:  # noqa: BLE001 -- it goes on as one of two kinds
            self._judge(line, error)
        return self._outputs(result)

    def _outputs(self, result: mcp_types.CallToolResult) -> dict[str, Any]:
        text = "\n".join(part.text for part in result.content if part.type == "text")
        if result.is_error:
            raise ToolFailed(f"the server says: {one_line(text, self._hidden)}")
        structured = result.structured_content if isinstance(result.structured_content, dict) else {}
        said = {"result": without(text, self._hidden)[:MAX_TEXT]} if text else {}
        return {**said, **plain_values(without(structured, self._hidden))}

    def _judge(self, line: "_Connection", error: Exception) -> NoReturn:
        """A refusal of the server is a failure; all else may have had its effect, and needs a new connection."""
        if isinstance(error, MCPError) and error.code in {mcp_types.INVALID_PARAMS, mcp_types.METHOD_NOT_FOUND}:
            raise ToolFailed(f"the server refuses: {self._said(error)}") from None
        self._drop(line)
        raise ConnectionError(f"the answer was lost ({self._said(error)})") from None

    async def _connected(self, seconds: float) -> "_Connection":
        try:
            async with asyncio.timeout(seconds), self._opening:
                if self._line is not None and not self._line.alive():
                    self._drop(self._line)
                if self._line is None:
                    self._line = await self._open()
                return self._line
        except TimeoutError:
            raise ToolFailed(f"no connection in {seconds:g} s") from None

    async def _open(self) -> "_Connection":
        secrets = secret_values(self._server.secrets(), self._surroundings.secret)
        self._hidden = tuple(secrets.values())
        values = {f"{SECRET}{name}": value for name, value in secrets.items()}
        tail = _Tail()
        line = _Connection(_transport(self._server, self._surroundings, values=values, tail=tail))
        try:
            await asyncio.shield(line.ready)
        except asyncio.CancelledError:
            self._drop(line)
            raise
        except Exception as error:  # noqa: BLE001 -- whatever it is, nothing was asked yet
            await asyncio.wait({self._drop(line)}, timeout=LAST_WORDS_SECONDS)
            wrote = one_line(tail.last_line(), self._hidden)
            said = self._said(error) + (f"; it wrote: {wrote}" if wrote else "")
            raise ToolFailed(f"no connection ({said})") from None
        return line

    def _said(self, error: BaseException) -> str:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        return one_line(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__, self._hidden)

    def _drop(self, line: "_Connection") -> asyncio.Task[None]:
        """Forget a connection at once and end it meanwhile."""
        if self._line is line:
            self._line = None
        task = asyncio.create_task(line.aclose())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
        return task

    async def aclose(self) -> None:
        """End it, and what is still ending; it takes some seconds at most."""
        if self._line is not None:
            self._drop(self._line)
        if self._closing:
            await asyncio.wait(self._closing)


class _Connection:
    """One connection. It lives in a task of its own, because the SDK wants to be left where it was entered."""

    def __init__(self, transport: Open) -> None:
        self._transport = transport
        self._scope = anyio.CancelScope()
        self.ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._streams: Any = None
        self.tools: dict[str, mcp_types.Tool] = {}
        self._task = asyncio.create_task(self._live())

    async def call(self, tool: str, arguments: dict[str, Any]) -> mcp_types.CallToolResult:
        """What the server answers; not by the SDK's call_tool, which runs the server's own patterns on it."""
        request = mcp_types.CallToolRequest(params=mcp_types.CallToolRequestParams(name=tool, arguments=arguments))
        return await self.ready.result().session.send_request(request, mcp_types.CallToolResult)

    def alive(self) -> bool:
        """Whether the server can still say something."""
        count = getattr(self._streams, "statistics", None)  # only streams of a process end with it
        return not self._task.done() and (count is None or count().open_send_streams > 0)

    async def aclose(self) -> None:
        """End the connection and its process."""
        self._scope.cancel()
        await asyncio.wait({self._task}, timeout=CLOSE_SECONDS)
        self.ready.cancel()

    async def _live(self) -> None:
        try:
            with self._scope:
                async with Client(
                    self._watched(), client_info=mcp_types.Implementation(name="hilo", version="1")
                ) as client:
                    self.tools = await _listed(client)
                    self.ready.set_result(client)
                    await anyio.sleep_forever()
        except Exception as error:  # noqa: BLE001 -- told to whoever waits; a line that ends later is simply not alive
            if not self.ready.done():
                self.ready.set_exception(error)
                self.ready.exception()  # nobody may wait any more

    @asynccontextmanager
    async def _watched(self) -> AsyncIterator[Any]:
        async with self._transport() as (reading, writing):
            self._streams = reading
            yield reading, writing


async def _listed(client: Client) -> dict[str, mcp_types.Tool]:
    """The server's tools by name."""
    found: dict[str, mcp_types.Tool] = {}
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page = await client.list_tools(cursor=cursor)
        found |= {tool.name: tool for tool in page.tools}
        cursor = page.next_cursor
        if cursor is None:
            break
    return found


# --- where a server is ---------------------------------------------------------------------------------


def _transport(server: McpServer, surroundings: Surroundings, *, values: Mapping[str, str], tail: "_Tail") -> Open:
    if server.url:
        headers = {name: filled(value, values) for name, value in server.headers.items()}
        return lambda: _over_http(server.url, headers, surroundings.network)
    first, *rest = server.command
    started = StdioServerParameters(
        command=sys.executable if first in {"python", "python3"} else first,  # `python` is the one that runs us
        args=rest,
        env={name: filled(value, values) for name, value in server.env.items()},
        cwd=surroundings.folder,
        encoding_error_handler="replace",
    )
    return lambda: _over_pipes(started, tail)


class _Tail(asyncio.Protocol):
    """The last that a process wrote to its stderr: not for our logs, where its secrets would stand."""

    content = b""

    def data_received(self, data: bytes) -> None:
        self.content = (self.content + data)[-MAX_TEXT:]

    def last_line(self) -> str:
        return self.content.decode(errors="replace").strip().rpartition("\n")[2]


@asynccontextmanager
async def _over_pipes(started: StdioServerParameters, tail: _Tail) -> AsyncIterator[Any]:
    reading, writing = os.pipe()
    pipe, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: tail, os.fdopen(reading, "rb", buffering=0))
    try:
        with os.fdopen(writing, "w") as stderr:
            async with stdio_client(started, errlog=stderr) as streams:
                yield streams
    finally:
        pipe.close()


@asynccontextmanager
async def _over_http(url: str, headers: Mapping[str, str], network: Network) -> AsyncIterator[Any]:
    client = httpx2.AsyncClient(
        transport=_Pinned(network),
        headers={**headers, "accept-encoding": "identity"},
        timeout=httpx2.Timeout(30.0, read=300.0),
        trust_env=False,
    )
    async with client, streamable_http_client(url, http_client=client, terminate_on_close=False) as streams:
        yield streams


class _Pinned(httpx2.AsyncBaseTransport):
    """What PinnedTransport of our own requests does, for the SDK's: one look, one judged address, bounded answers."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._inner = httpx2.AsyncHTTPTransport(verify=httpx2.create_ssl_context(), trust_env=False)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url, host = request.url, request.url.raw_host.decode("ascii")
        address = await self._network.address(url.scheme, host, url.port)
        pinned = httpx2.Request(
            request.method,
            url.copy_with(host=address),
            headers=request.headers,
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": host},
        )
        response = await self._inner.handle_async_request(pinned)
        if response.headers.get("content-encoding", "identity").lower() not in {"identity", ""}:
            await response.aclose()
            raise httpx2.DecodingError("compressed, which was not asked for", request=request)
        if not response.headers.get("content-type", "").startswith("text/event-stream"):  # its events are bounded
            response.stream = _Bounded(response.stream)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > MAX_BYTES:
                raise httpx2.ReadError("the answer is too long")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


# --- what a server says of its arguments ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ServerSchema:
    """A server's JSON Schema in the place of a Pydantic adapter: what Tool needs of `arguments`."""

    schema: dict[str, Any]
    validator: Any

    @classmethod
    def of(cls, schema: dict[str, Any]) -> "ServerSchema":
        """A schema that can be checked against in bounded time; raises ValueError."""
        try:
            check_depth(schema)
            written = json.dumps(schema)
            Draft202012Validator.check_schema(schema)
        except (RecursionError, ValueError, TypeError, SchemaError) as error:
            raise ValueError(f"no JSON Schema ({type(error).__name__})") from None
        if len(written) > MAX_SCHEMA or written.count('"$ref"') > MAX_REFERENCES:
            raise ValueError("its schema is too large")
        if any(word in written for word in ('"patternProperties"', '"$dynamicRef"')):
            raise ValueError("its schema uses patternProperties or $dynamicRef")
        return cls(schema, _Validator(schema, registry=Registry()))  # an empty registry fetches nothing

    def parameters(self) -> dict[str, bool]:
        """Each of its arguments, and whether it is required."""
        required = self.schema.get("required", [])
        return {name: name in required for name in self.schema.get("properties", {})}

    def validate_python(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments as JSON values; raises ToolFailed with what is wrong."""
        values = {name: json_number(value) for name, value in arguments.items()}
        try:
            error = next(self.validator.iter_errors(values), None)
        except (RecursionError, Unresolvable) as failure:
            raise ToolFailed(f"the server's schema cannot be used ({type(failure).__name__})") from None
        if error is not None:
            where = ".".join(map(str, error.absolute_path))
            raise ToolFailed(f"wrong arguments: {where + ': ' if where else ''}{error.message[:200]}")
        return values

    def json_schema(self) -> dict[str, Any]:
        """The schema itself."""
        return self.schema


def _pattern(_validator: Any, pattern: str, value: Any, _schema: Any) -> Any:
    """Patterns of a server run in linear time; those that RE2 does not know are the server's own business."""
    try:
        found = not isinstance(value, str) or re2.search(pattern, value, _QUIET)
    except re2.error:
        return
    if not found:
        yield ValidationError(f"{value!r} does not match {pattern!r}")


_QUIET = re2.Options()
_QUIET.log_errors = False
_Validator = extend(Draft202012Validator, {"pattern": _pattern})
