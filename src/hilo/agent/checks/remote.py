"""What is wrong with the tools over HTTP and MCP that an agent file declares."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Protocol

from hilo.agent.checks.finding import Finding
from hilo.agent.checks.references import unknown
from hilo.agent.remote import (
    PLACEHOLDER,
    SECRET,
    WITH_BODY,
    HttpTool,
    McpServer,
    RemoteTools,
    placeholders_in,
    query_pairs,
    split,
)
from hilo.agent.source import Path

MAX_TIMEOUT = timedelta(seconds=60)
MAX_TOOL_NAME = 64

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_TOOL = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
_HEADER = re.compile(r"[A-Za-z0-9-]+")
_VISIBLE = re.compile(r"[\x20-\x7e]*")
_DOTTED = re.compile(r"[^.\s]+(\.[^.\s]+)*")
_GIVEN = frozenset({"call_id", "now", "contact", "database", "facts"})  # the engine fills these
_OURS = frozenset(
    {"host", "content-length", "content-type", "transfer-encoding", "connection", "accept-encoding", "idempotency-key"}
)


class _Agent(Protocol):
    @property
    def tools(self) -> RemoteTools: ...


def check_remote(agent: _Agent) -> Iterator[Finding]:
    """Everything that can be known without a connection."""
    for name, tool in agent.tools.http.items():
        yield from _http(tool, name, ("tools", "http", name))
    for name, server in agent.tools.mcp.items():
        yield from _mcp(server, name, ("tools", "mcp", name))
    yield from _same_names(agent.tools)


def _same_names(tools: RemoteTools) -> Iterator[Finding]:
    named: list[tuple[str, Path]] = [(name, ("tools", "http", name)) for name in tools.http]
    for server, declared in tools.mcp.items():
        names = (declared.tool_name(server, tool) for tool in declared.allow)
        named += [(name, ("tools", "mcp", server, "allow")) for name in names]
    counts = Counter(name for name, _ in named)
    for name, path in named:
        if counts[name] > 1:
            yield Finding(path, f"there are two tools `{name}`", "give an MCP server another `prefix`")
        if len(name) > MAX_TOOL_NAME:
            yield Finding(path, f"`{name}` is longer than {MAX_TOOL_NAME} characters")


# --- HTTP ---------------------------------------------------------------------------------------------


def _http(tool: HttpTool, name: str, path: Path) -> Iterator[Finding]:
    yield from _names([name], path)
    yield from _names(tool.parameters, (*path, "parameters"))
    yield from _names(tool.outputs, (*path, "outputs"))
    for reserved in sorted(_GIVEN & tool.parameters.keys()):
        message = f"`{reserved}` is filled by the engine"
        yield Finding((*path, "parameters", reserved), message, "choose another name", at_key=True)
    yield from _url(tool.url, (*path, "url"))
    yield from _url_places(tool, (*path, "url"))
    yield from _headers(tool.headers, (*path, "headers"))
    yield from _body(tool, path)
    yield from _timeout(tool.timeout, path)
    for output, place in tool.outputs.items():
        if not _DOTTED.fullmatch(place):
            yield Finding((*path, "outputs", output), f"`{place}` is no place in an answer", "such as delivery.eta")


def _url(url: str, path: Path) -> Iterator[Finding]:
    """A scheme, a host that is written out, and nothing that hides where a request goes."""
    hint = "such as https://api.example.com/orders/{order_id}"
    try:
        parts = split(url)
    except ValueError:
        yield Finding(path, f"`{url}` is no address", hint)
        return
    if parts.scheme not in {"https", "http"} or re.search(r"[\s\\\x00-\x1f\x7f]", url):
        yield Finding(path, f"`{url}` is no address", hint)
    elif PLACEHOLDER.search(parts.netloc) or "{" in parts.netloc:
        yield Finding(path, "the host is not for a placeholder", "write it out: nobody may choose where requests go")
    elif "@" in parts.netloc:
        yield Finding(path, "an address has no user or password", "use `headers` with {secret.NAME}")
    elif not _HOST.fullmatch(parts.hostname or ""):
        yield Finding(path, f"`{parts.netloc}` is no host", "letters, digits, dots and hyphens (a domain as xn--…)")
    elif "#" in url:
        yield Finding(path, "an address has no fragment (#)", "it would not be sent")


def _url_places(tool: HttpTool, path: Path) -> Iterator[Finding]:
    try:
        parts = split(tool.url)
    except ValueError:
        return  # reported already
    rest = PLACEHOLDER.sub("", parts.path + parts.query)
    if "{" in rest or "}" in rest:
        yield Finding(path, "a brace without its other half")
    yield from _known(tool, placeholders_in(parts.path + "?" + parts.query), path)
    for name in PLACEHOLDER.findall(parts.path):
        if name in tool.parameters and not tool.parameters[name].required:
            yield Finding(path, f"`{name}` stands in the path and may be missing", "make it required, or use the query")
    if any("{" in key for key, _ in query_pairs(parts.query)):
        yield Finding(path, "the keys of a query are not for placeholders", "write ?key={name}")


def _body(tool: HttpTool, path: Path) -> Iterator[Finding]:
    if tool.body is not None and tool.method not in WITH_BODY:
        methods = ", ".join(sorted(WITH_BODY))
        yield Finding((*path, "body"), f"a {tool.method} has no body", f"methods with one: {methods}", at_key=True)
    inside = list(placeholders_in(tool.body))
    yield from _known(tool, inside, (*path, "body"))
    if tool.body is None and tool.method in WITH_BODY:
        return  # it takes what the address does not
    for name in tool.parameters.keys() - tool.in_url() - set(inside):
        hint = "put it into `url`, such as ?name={name}" + (", or into `body`" if tool.method in WITH_BODY else "")
        yield Finding((*path, "parameters", name), f"`{name}` is not used", hint, at_key=True)


def _known(tool: HttpTool, names: Iterable[str], path: Path) -> Iterator[Finding]:
    for name in dict.fromkeys(names):
        if name.startswith(SECRET):
            yield from _secret(name, path)
        elif name not in tool.parameters:
            yield unknown("parameter", name, tool.parameters, path)


def _secret(name: str, path: Path) -> Iterator[Finding]:
    variable = name.removeprefix(SECRET)
    if not _VARIABLE.fullmatch(variable):
        yield Finding(path, f"`{name}` names no variable", "such as {secret.SHOP_TOKEN}")
    elif variable.startswith("HILO_"):
        yield Finding(path, f"`{variable}` is Hilo's own secret", "tools have secrets of their own")


def _headers(headers: Mapping[str, str], path: Path) -> Iterator[Finding]:
    for name, value in headers.items():
        here = (*path, name)
        if not _HEADER.fullmatch(name) or not _VISIBLE.fullmatch(value):
            yield Finding(here, f"`{name}` is no header that can be sent", "letters, digits and hyphens; plain ASCII")
        if name.lower() in _OURS:
            yield Finding(here, f"`{name}` is set by Hilo", at_key=True)
        yield from _only_secrets(value, here)


def _only_secrets(value: str, path: Path) -> Iterator[Finding]:
    for inside in placeholders_in(value):
        if inside.startswith(SECRET):
            yield from _secret(inside, path)
        else:
            yield Finding(path, f"`{inside}` is no secret, and nothing else can stand here", "{secret.NAME}")


def _timeout(timeout: timedelta, path: Path) -> Iterator[Finding]:
    if not timedelta() < timeout <= MAX_TIMEOUT:
        yield Finding((*path, "timeout"), f"`timeout` is from 1s to {MAX_TIMEOUT.total_seconds():g}s")


def _names(names: Iterable[str], path: Path) -> Iterator[Finding]:
    for name in names:
        if not _NAME.fullmatch(name):
            here = path if path[-1] == name else (*path, name)
            yield Finding(here, f"`{name}` is not a name", "use a–z, 0–9 and _", at_key=True)


# --- MCP ----------------------------------------------------------------------------------------------


def _mcp(server: McpServer, name: str, path: Path) -> Iterator[Finding]:
    yield from _names([name], path)
    if server.prefix and not _NAME.fullmatch(server.prefix):
        yield Finding((*path, "prefix"), f"`{server.prefix}` is not a name", "use a–z, 0–9 and _")
    yield from _place(server, path)
    yield from _headers(server.headers, (*path, "headers"))
    for variable, value in server.env.items():
        if not _VARIABLE.fullmatch(variable):
            yield Finding((*path, "env", variable), f"`{variable}` names no variable", "such as API_TOKEN")
        yield from _only_secrets(value, (*path, "env", variable))
    yield from _allowed(server, path)
    yield from _timeout(server.timeout, path)


def _place(server: McpServer, path: Path) -> Iterator[Finding]:
    if bool(server.command) == bool(server.url):
        yield Finding(path, "a server has a `command` or a `url`", "command: [python, server.py]")
    if server.command and not all(server.command):
        yield Finding((*path, "command"), "an empty word in the command")
    if server.url:
        yield from _url(server.url, (*path, "url"))
        if "{" in server.url:
            yield Finding((*path, "url"), "the address of a server has no placeholders", "secrets go into `headers`")
    for key, of in (("headers", server.url), ("env", server.command)):
        if getattr(server, key) and not of:
            kind = "url" if key == "headers" else "command"
            yield Finding((*path, key), f"`{key}` is for a server with a `{kind}`", at_key=True)


def _allowed(server: McpServer, path: Path) -> Iterator[Finding]:
    if not server.allow:
        yield Finding(path, "no tool of this server is allowed", "allow: [list_events]")
    for tool in server.allow:
        if not _TOOL.fullmatch(tool):
            yield Finding((*path, "allow"), f"`{tool}` is no tool's name", "letters, digits, _ and -, at most 64")
    for key in ("writes", "needs_yes"):
        for tool in getattr(server, key) or ():
            if tool not in server.allow:
                yield unknown("tool", tool, server.allow, (*path, key))
