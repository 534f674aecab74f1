"""Tools that an author declares and does not program: requests over HTTP, and the tools of MCP servers."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Annotated, Any, Literal, Protocol
from urllib.parse import SplitResult, urlsplit

from pydantic import BeforeValidator

from hilo.agent.shorthand import Declared, Duration, Names
from hilo.agent.toolbox import ToolSpec

PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
SECRET = "secret."  # noqa: S105 -- the word before a secret's name
WITH_BODY = frozenset({"POST", "PUT", "PATCH"})  # HTTP gives that of a DELETE no meaning


def _parameter(value: Any) -> Any:
    return {"type": value} if isinstance(value, str) else value


@dataclass(frozen=True, kw_only=True)
class Parameter(Declared):
    """What a tool is told."""

    type: Literal["text", "number", "boolean"] = "text"
    required: bool = True
    description: str = ""


AnyParameter = Annotated[Parameter, BeforeValidator(_parameter, json_schema_input_type=str | Parameter)]


@dataclass(frozen=True, kw_only=True)
class HttpTool(Declared):
    """One request. Parameters fill `{name}` in the path, the query and the body; `{secret.NAME}` is a variable.

    Methods other than GET write, and what writes needs a yes, unless the file says otherwise.
    """

    url: str
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    description: str = ""
    parameters: Mapping[str, AnyParameter] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    outputs: Mapping[str, str] = field(default_factory=dict)
    writes: bool | None = None
    needs_yes: bool | None = None
    idempotent: bool = True  # every request carries the id of its call as a key
    timeout: Duration = timedelta(seconds=10)  # somebody waits for the answer

    def spec(self, name: str) -> ToolSpec:
        """What agents see of it."""
        writes = self.method != "GET" if self.writes is None else self.writes
        return ToolSpec(
            name,
            parameters={each: parameter.required for each, parameter in self.parameters.items()},
            writes=writes,
            needs_yes=writes if self.needs_yes is None else self.needs_yes,
            idempotent=self.idempotent,
            description=self.description,
            outputs=tuple(self.outputs),
        )

    def in_url(self) -> set[str]:
        """The placeholders of its path and query."""
        return set(PLACEHOLDER.findall(self.url))

    def secrets(self) -> tuple[str, ...]:
        """The variables of the environment that it needs."""
        return secrets_in(self.url, self.headers, self.body)


@dataclass(frozen=True, kw_only=True)
class McpServer(Declared):
    """A server and those of its tools that exist for us. What writes needs a yes, unless `needs_yes` says which do."""

    command: Names = ()
    url: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    prefix: str = ""
    allow: Names = ()
    writes: Names = ()
    needs_yes: Names | None = None
    timeout: Duration = timedelta(seconds=20)

    def tool_name(self, server: str, tool: str) -> str:
        """What a tool of the server is called here."""
        return f"{self.prefix or server}_{tool}"

    def spec(self, server: str, tool: str) -> ToolSpec:
        """What the file alone says of a tool: its parameters are known when the server is connected.

        A tool that writes is not repeated blindly: the protocol has no key that would make this safe.
        """
        writes = tool in self.writes
        needs_yes = writes if self.needs_yes is None else tool in self.needs_yes
        name = self.tool_name(server, tool)
        return ToolSpec(name, writes=writes, needs_yes=needs_yes, idempotent=not writes)

    def secrets(self) -> tuple[str, ...]:
        """The variables of the environment that it needs."""
        return secrets_in(self.env, self.headers)


class RemoteTools(Protocol):
    """The part of an agent's `tools` that is spoken of here."""

    @property
    def http(self) -> Mapping[str, HttpTool]: ...
    @property
    def mcp(self) -> Mapping[str, McpServer]: ...


def remote_specs(tools: RemoteTools) -> dict[str, ToolSpec]:
    """All of them as the file alone tells, with nothing connected."""
    specs = [tool.spec(name) for name, tool in tools.http.items()]
    for name, server in tools.mcp.items():
        specs += [server.spec(name, tool) for tool in server.allow]
    return {spec.name: spec for spec in specs}


def split(url: str) -> SplitResult:
    """The parts of an address; raises ValueError where it is none."""
    parts = urlsplit(url)
    # reading the port raises for one that is no number, and 0 would be any free one
    if parts.port == 0:
        raise ValueError("port 0")
    return parts


def query_pairs(query: str) -> tuple[tuple[str, str], ...]:
    """The keys and values of a query as they are written."""
    pairs = (pair.partition("=") for pair in query.split("&") if pair)
    return tuple((key, value) for key, _, value in pairs)


def placeholders_in(value: Any) -> Iterator[str]:
    """The names in braces in all texts of a value."""
    if isinstance(value, str):
        yield from PLACEHOLDER.findall(value)
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from placeholders_in(each)


def secrets_in(*values: Any) -> tuple[str, ...]:
    """The names of the secrets that stand in some values, each once."""
    names = (name.removeprefix(SECRET) for name in placeholders_in(values) if name.startswith(SECRET))
    return tuple(dict.fromkeys(names))
