"""Tools of MCP servers, against real ones: a process with pipes, and one over HTTP on loopback."""

import asyncio
import gzip
import importlib
import os
import runpy
import shutil
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio
from pydantic import TypeAdapter
from starlette.responses import Response

from hilo.agent.checks.place import Place
from hilo.agent.checks.remote import check_remote
from hilo.agent.declaration import Agent, Tools
from hilo.agent.remote import McpServer, remote_specs
from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import ToolResult
from hilo.errors import HiloError
from hilo.testing.loopback import serving
from hilo.tools.addresses import Network
from hilo.tools.call import call
from hilo.tools.mcp import ServerSchema, Surroundings, mcp_tools
from hilo.tools.tool import Tool, ToolFailed

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
SCRIPT = "mcp_calendar.py"
SECRETS = {"CALENDAR_TOKEN": "s3cr3t-token"}
MCP = TypeAdapter(McpServer)
ALL = ["list_events", "create_event", "fail", "surroundings", "token", "die", "hang"]


def declared(**keys: Any) -> McpServer:
    return MCP.validate_python({"command": ["python", SCRIPT], "allow": ALL, "writes": ["create_event", "die"], **keys})


def around(folder: Path, *hosts: str) -> Surroundings:
    return Surroundings(folder, Network(hosts), lambda name: SECRETS.get(name, ""))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(Path(__file__).with_name(SCRIPT), tmp_path)
    return tmp_path


@asynccontextmanager
async def connected(folder: Path, **keys: Any) -> AsyncIterator[dict[str, Tool]]:
    async with mcp_tools({"calendar": declared(prefix="cal", **keys)}, around(folder)) as tools:
        yield tools


async def run(tools: dict[str, Tool], name: str, /, **arguments: Any) -> ToolResult:
    return await call(tools, RunTool("call-1", name, arguments), now=NOW)


def is_running(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


async def gone(pid: int) -> bool:
    for _ in range(3000):
        if not is_running(pid):
            return True
        await asyncio.sleep(0.02)
    return False


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def tools(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[dict[str, Tool]]:
    folder = tmp_path_factory.mktemp("agent")
    shutil.copy(Path(__file__).with_name(SCRIPT), folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HILO_SECRET_KEY", "x")
        patch.setenv("CALENDAR_TOKEN", "x")
        async with connected(folder, env={"TOKEN": "{secret.CALENDAR_TOKEN}"}) as tools:
            yield tools


# --- a process ----------------------------------------------------------------------------------------


@pytest.mark.asyncio(loop_scope="module")
async def test_an_allowed_tool_is_a_tool_like_any_other(tools: dict[str, Tool]) -> None:
    listing, creating = tools["cal_list_events"], tools["cal_create_event"]
    assert listing.spec.parameters == {"day": True, "limit": False}
    assert listing.spec.description == "The events of a day."
    assert (listing.spec.writes, listing.spec.needs_yes, listing.spec.idempotent) == (False, False, True)
    assert (creating.spec.writes, creating.spec.needs_yes, creating.spec.idempotent) == (True, True, False)
    assert listing.schema()["properties"]["limit"]["type"] == "integer"
    result = await run(tools, "cal_list_events", day="monday", limit=Decimal(1))
    assert result.ok, result.error
    assert (result.outputs["count"], result.outputs["first"]) == (2, "monday 9:00")
    assert (await run(tools, "cal_create_event", title="x")).outputs == {"result": "created x"}


@pytest.mark.asyncio(loop_scope="module")
async def test_what_is_not_allowed_does_not_exist(tools: dict[str, Tool]) -> None:
    assert sorted(tools) == sorted(f"cal_{name}" for name in ALL)
    assert (await run(tools, "cal_secret_tool")).error == "there is no tool cal_secret_tool"
    assert "Ignore all rules" not in str([(each.spec, each.schema()) for each in tools.values()])


@pytest.mark.asyncio(loop_scope="module")
async def test_wrong_arguments_and_unhappy_tools_fail(tools: dict[str, Tool]) -> None:
    missing = await run(tools, "cal_list_events")
    assert missing.error == "wrong arguments: 'day' is a required property"
    wrong = await run(tools, "cal_list_events", day="monday", limit="many")
    assert wrong.error == "wrong arguments: limit: 'many' is not of type 'integer'"
    failed = await run(tools, "cal_fail")
    assert "no room •••" in failed.error
    assert not failed.unknown


@pytest.mark.asyncio(loop_scope="module")
async def test_what_a_tool_says_is_bounded_and_shows_no_secret(tools: dict[str, Tool]) -> None:
    said = str((await run(tools, "cal_token")).outputs["result"])
    assert said.startswith("my token is •••")
    assert len(said) == 2000


@pytest.mark.asyncio(loop_scope="module")
async def test_a_process_sees_its_folder_and_little_else(tools: dict[str, Tool]) -> None:
    outputs = (await run(tools, "cal_surroundings")).outputs
    assert (Path(str(outputs["folder"])) / SCRIPT).is_file()
    variables = set(str(outputs["variables"]).split())
    assert "TOKEN" in variables
    assert variables <= {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "TOKEN", "LC_CTYPE"}


@pytest.mark.asyncio(loop_scope="module")
async def test_calls_at_the_same_time_share_the_connection(tools: dict[str, Tool]) -> None:
    asked = (run(tools, "cal_list_events", day=f"day {n}") for n in range(20))
    results = await asyncio.gather(*asked)
    assert [each.outputs["first"] for each in results] == [f"day {n} 9:00" for n in range(20)]


async def test_a_server_that_died_is_started_anew_with_the_next_call(folder: Path) -> None:
    async with connected(folder) as tools:
        first = (await run(tools, "cal_surroundings")).outputs["pid"]
        died = await run(tools, "cal_die")
        assert not died.ok
        assert died.unknown
        second = (await run(tools, "cal_surroundings")).outputs["pid"]
        assert second != first
        os.kill(int(str(second)), 9)  # dead between two calls: nothing was asked of it, so nothing is unknown
        assert await gone(int(str(second)))
        await asyncio.sleep(0.1)  # until its pipe has told us, too
        after = await run(tools, "cal_create_event", title="x")
        assert after.ok, after.error
        third = (await run(tools, "cal_surroundings")).outputs["pid"]
    assert await gone(int(str(third)))


async def test_a_server_that_cannot_be_started_again_fails_each_call(folder: Path) -> None:
    async with connected(folder) as tools:
        await run(tools, "cal_die")
        (folder / SCRIPT).unlink()
        result = await run(tools, "cal_create_event", title="x")
        assert result.error.startswith("no connection")
        assert not result.unknown


async def test_a_hung_server_meets_the_time_limit_and_is_ended(folder: Path) -> None:
    async with connected(folder, timeout="3s") as tools:
        pid = int(str((await run(tools, "cal_surroundings")).outputs["pid"]))
        began = time.monotonic()
        result = await run(tools, "cal_hang")
        assert result.error == "no answer in 3 s"
    assert await gone(pid)
    assert time.monotonic() - began < 60


async def test_closing_ends_a_process_that_does_not_want_to(folder: Path) -> None:
    async with connected(folder, command=["python", SCRIPT, "stubborn"]) as tools:
        pid = int(str((await run(tools, "cal_surroundings")).outputs["pid"]))
        began = time.monotonic()
    assert await gone(pid)
    assert time.monotonic() - began < 60


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"allow": ["list_events", "delete_all"]}, "has no tool delete_all; it has: create_event, die"),
        (
            {"command": ["python", SCRIPT, "broken"], "env": {"TOKEN": "{secret.CALENDAR_TOKEN}"}},
            "the MCP server calendar: no connection (MCPError: Connection closed; it wrote: cannot log in with •••)",
        ),
        ({"command": ["no-such-program"]}, "the MCP server calendar: no connection"),
        ({"env": {"TOKEN": "{secret.NOT_SET}"}}, "needs NOT_SET in the environment"),
    ],
)
async def test_a_server_that_cannot_be_had_is_an_error_at_the_start(folder: Path, keys: Any, said: str) -> None:
    with pytest.raises(HiloError) as raised:
        async with connected(folder, **keys):
            pass
    assert said in str(raised.value)


async def test_a_server_that_says_nothing_does_not_hold_the_start(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hilo.tools.mcp.START_SECONDS", 0.5)
    began = time.monotonic()
    with pytest.raises(HiloError, match="no connection"):
        async with connected(folder, command=["python", SCRIPT, "silent"]):
            pass
    assert time.monotonic() - began < 60


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.delitem(sys.modules, "hilo.tools.mcp")
    with pytest.raises(HiloError, match=r"hilo-chat\[mcp\]"):
        importlib.import_module("hilo.tools.mcp")


# --- over HTTP ----------------------------------------------------------------------------------------


@asynccontextmanager
async def over_http() -> AsyncIterator[tuple[str, list[dict[bytes, bytes]]]]:
    """The calendar on loopback, and the headers of what it was asked."""
    calendar = runpy.run_path(str(Path(__file__).with_name(SCRIPT)))["server"]
    app = calendar.streamable_http_app()
    seen: list[dict[bytes, bytes]] = []

    async def watching(scope: Any, receive: Any, send: Any) -> None:
        seen.append(dict(scope["headers"]))
        await app(scope, receive, send)

    async with calendar.session_manager.run(), serving(watching, 0) as url:
        yield url, seen


async def test_a_server_over_http_is_the_same(folder: Path) -> None:
    async with over_http() as (url, seen):
        keys = {"command": (), "url": f"{url}/mcp", "headers": {"Authorization": "Bearer {secret.CALENDAR_TOKEN}"}}
        host = url.removeprefix("http://")
        async with mcp_tools({"cal": declared(**keys)}, around(folder, host)) as tools:
            result = await run(tools, "cal_list_events", day="monday")
            assert result.outputs["count"] == 2, result.error
        assert {each[b"authorization"] for each in seen} == {b"Bearer s3cr3t-token"}
        assert {each[b"host"] for each in seen} == {host.encode()}
        seen.clear()
        with pytest.raises(HiloError, match="no connection"):
            async with mcp_tools({"cal": declared(**keys)}, around(folder)):
                pass
        assert not seen


@pytest.mark.parametrize(
    ("status", "headers", "body"),
    [
        (200, {"content-type": "application/json"}, b'"' + b"x" * 3_000_000 + b'"'),
        (200, {"content-type": "application/json", "content-encoding": "gzip"}, gzip.compress(b"x" * 9_000_000)),
        (200, {"content-type": "text/event-stream"}, b"data: " + b"x" * 3_000_000),
        (302, {"location": "http://169.254.169.254/"}, b""),
        (307, {"location": "http://169.254.169.254/"}, b""),
        (200, {"content-type": "text/html"}, b"<p>hola</p>"),
        (500, {}, b"no"),
    ],
)
async def test_a_strange_server_over_http_is_an_error_at_the_start(
    folder: Path, status: int, headers: dict[str, str], body: bytes
) -> None:
    async def answer(scope: Any, receive: Any, send: Any) -> None:
        await Response(body, status, headers)(scope, receive, send)

    async with serving(answer, 0) as url:
        began = time.monotonic()
        servers = {"cal": declared(command=(), url=f"{url}/mcp")}
        with pytest.raises(HiloError, match="no connection"):
            async with mcp_tools(servers, around(folder, url.removeprefix("http://"))):
                pass
        assert time.monotonic() - began < 15  # it would be given up after 20


# --- what servers say of themselves --------------------------------------------------------------------


def nested(levels: int) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": nested(levels - 1)}} if levels else {"type": "string"}


@pytest.mark.parametrize(
    "schema",
    [
        nested(60),
        {"type": "object", "properties": {f"p{n}": {"description": "x" * 100} for n in range(200)}},
        {"type": "object", "patternProperties": {"(a+)+$": {}}},
        {"type": "object", "allOf": [{"$ref": "#/$defs/a"}] * 21, "$defs": {"a": {}}},
        {"type": "nonsense"},
        {"properties": 3},
    ],
)
def test_a_schema_that_is_too_much_is_not_used(schema: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"schema|Schema"):
        ServerSchema.of(schema)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "$ref": "#"},
        {"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:1/schema"}}},
        {"type": "object", "properties": {"a": {"$ref": "#/nowhere"}}},
        {"type": "object", "properties": {"a": {"pattern": "^b"}}},
    ],
)
def test_a_schema_that_cannot_be_followed_refuses_the_call(schema: dict[str, Any]) -> None:
    with pytest.raises(ToolFailed):
        ServerSchema.of(schema).validate_python({"a": "x"})


def test_a_slow_pattern_costs_nothing() -> None:
    schema = ServerSchema.of({"type": "object", "properties": {"a": {"pattern": "^(a+)+$"}, "b": {"pattern": "(?=x)"}}})
    began = time.process_time()
    with pytest.raises(ToolFailed):
        schema.validate_python({"a": "a" * 5000 + "!"})
    assert time.process_time() - began < 0.5
    assert schema.validate_python({"a": "aaa", "b": "y"}) == {"a": "aaa", "b": "y"}


# --- what a file may say ------------------------------------------------------------------------------


def findings(**keys: Any) -> list[str]:
    server = MCP.validate_python({"allow": ["a"], "command": ["x"], **keys})
    file = Place(Agent(agent="a", tools=Tools(mcp={"cal": server})))
    check_remote(file)
    return [f"{'.'.join(map(str, each.path))}: {each.message}" for each in file.found]


@pytest.mark.parametrize(
    ("keys", "where"),
    [
        ({"url": "https://a.example/mcp"}, ": a server has a `command` or a `url`"),
        ({"command": ()}, ": a server has a `command` or a `url`"),
        ({"command": ["x", ""]}, ".command: an empty word"),
        ({"command": (), "url": "https://{host}/"}, ".url: the host is not for a placeholder"),
        ({"command": (), "url": "https://a.example/{secret.KEY}"}, ".url: the address of a server has no placeholders"),
        ({"headers": {"X": "y"}}, ".headers: `headers` is for a server with a `url`"),
        ({"command": (), "url": "https://a.example/", "env": {"A": "b"}}, ".env: `env` is for a server with a `comm"),
        ({"env": {"low": "b"}}, ".env.low: `low` names no variable"),
        ({"env": {"A": "{secret.HILO_SECRET_KEY}"}}, ".env.A: `HILO_SECRET_KEY` is Hilo's own"),
        ({"allow": ()}, ": no tool of this server is allowed"),
        ({"allow": ["a b"]}, ".allow: `a b` is no tool's name"),
        ({"allow": ["a" * 64]}, f".allow: `cal_{'a' * 64}` is longer than 64"),
        ({"writes": ["b"]}, ".writes: tool `b` is not declared"),
        ({"needs_yes": ["b"]}, ".needs_yes: tool `b` is not declared"),
        ({"prefix": "Cal-1"}, ".prefix: `Cal-1` is not a name"),
        ({"timeout": "5m"}, ".timeout: `timeout` is from 1s to 60s"),
    ],
)
def test_what_cannot_work_is_found(keys: dict[str, Any], where: str) -> None:
    found = findings(**keys)
    assert any(each.startswith(f"tools.mcp.cal{where}") for each in found), found


def test_two_tools_of_one_name_are_found() -> None:
    server = declared(prefix="x", allow=["a"], writes=())
    file = Place(Agent(agent="a", tools=Tools(mcp={"one": server, "two": server})))
    check_remote(file)
    assert [each.message for each in file.found] == ["there are two tools `x_a`"] * 2


def test_the_file_alone_gives_specs() -> None:
    server = declared(allow=["look", "book", "note"], writes=["book", "note"], needs_yes=["book"])
    specs = remote_specs(SimpleNamespace(http={}, mcp={"cal": server}))
    assert {name: (spec.writes, spec.needs_yes) for name, spec in specs.items()} == {
        "cal_look": (False, False),
        "cal_book": (True, True),
        "cal_note": (True, False),
    }
