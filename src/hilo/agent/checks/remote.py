"""What is wrong with the tools over HTTP and MCP that an agent file declares."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import timedelta

from hilo.agent.checks.place import Place
from hilo.agent.remote import (
    PLACEHOLDER,
    SECRET,
    WITH_BODY,
    HttpTool,
    McpServer,
    placeholders_in,
    query_pairs,
    split,
)

MAX_TIMEOUT = timedelta(seconds=60)  # a contact waits, and so does everything else of the address
MAX_TOOL_NAME = 64  # some models' servers refuse longer ones

_TOOL = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")
# what readers of addresses skip or read in different ways
_UNSEEN = re.compile(r"[\s\\\x00-\x1f\x7f]")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
_HEADER = re.compile(r"[A-Za-z0-9-]+")
_VISIBLE = re.compile(r"[\x20-\x7e]*")
_DOTTED = re.compile(r"[^.\s]+(\.[^.\s]+)*")
_GIVEN = frozenset({"call_id", "now", "contact", "database", "facts"})  # the engine fills these
# headers that Hilo sets itself
_OURS = frozenset(
    {
        *("host", "content-length", "content-type", "transfer-encoding"),
        *("connection", "accept-encoding", "idempotency-key"),
    }
)


def check_remote(file: Place) -> None:
    """Everything that can be known without a connection."""
    tools = file.agent.tools
    named: list[tuple[str, Place]] = []
    for name, tool in tools.http.items():
        here = file / "tools" / "http" / name
        _http(tool, here)
        named.append((name, here))
    for name, server in tools.mcp.items():
        here = file / "tools" / "mcp" / name
        _mcp(server, here)
        named += [(server.tool_name(name, each), here / "allow") for each in server.allow]
    counts = Counter(name for name, _ in named)
    for name, here in named:
        alone = counts[name] == 1
        here.require(alone, f"there are two tools `{name}`", "give an MCP server another `prefix`")
        short = len(name) <= MAX_TOOL_NAME
        here.require(short, f"`{name}` is longer than {MAX_TOOL_NAME} characters")


def _secret(name: str, here: Place) -> None:
    variable = name.removeprefix(SECRET)
    # the password of the database must not leave by a tool
    free = not variable.startswith("HILO_")
    here.require_in_turn(
        (_VARIABLE.fullmatch(variable), f"`{name}` names no variable", "such as {secret.SHOP_TOKEN}"),
        (free, f"`{variable}` is Hilo's own secret", "tools have secrets of their own"),
    )


def _only_secrets(value: str, here: Place) -> None:
    for name in placeholders_in(value):
        if name.startswith(SECRET):
            _secret(name, here)
        else:
            here.problem(f"`{name}` is no secret, and nothing else can stand here", "{secret.NAME}")


def _headers(headers: Mapping[str, str], place: Place) -> None:
    for name, value in headers.items():
        here = place / name
        plain = _HEADER.fullmatch(name) and _VISIBLE.fullmatch(value)
        hint = "letters, digits and hyphens; plain ASCII"
        here.require(plain, f"`{name}` is no header that can be sent", hint)
        here.require(name.lower() not in _OURS, f"`{name}` is set by Hilo", at_key=True)
        _only_secrets(value, here)


def _timeout(timeout: timedelta, here: Place) -> None:
    bounded = timedelta() < timeout <= MAX_TIMEOUT
    here.require(bounded, f"`timeout` is from 1s to {MAX_TIMEOUT.total_seconds():g}s")


def _url(url: str, here: Place) -> None:
    """A scheme, a host that is written out, and nothing that hides where a request goes."""
    try:
        parts = split(url)
    except ValueError:
        parts = split("")  # which is no address either
    host = parts.netloc
    plain = parts.scheme in {"https", "http"} and not _UNSEEN.search(url)
    here.require_in_turn(
        (plain, f"`{url}` is no address", "such as https://api.example.com/orders/{order_id}"),
        (
            "{" not in host,
            "the host is not for a placeholder",
            "write it out: nobody may choose where requests go",
        ),
        ("@" not in host, "an address has no user or password", "use `headers` with {secret.NAME}"),
        (
            _HOST.fullmatch(parts.hostname or ""),
            f"`{host}` is no host",
            "letters, digits, dots and hyphens (a domain as xn--…)",
        ),
        ("#" not in url, "an address has no fragment (#)", "it would not be sent"),
    )


# --- HTTP ---------------------------------------------------------------------------------------------


def _http(tool: HttpTool, here: Place) -> None:
    here.proper(here.key)
    for name in tool.parameters:
        parameter = here / "parameters" / name
        parameter.proper(name)
        problem = f"`{name}` is filled by the engine"
        parameter.require(name not in _GIVEN, problem, "choose another name", at_key=True)
    for name, place in tool.outputs.items():
        output = here / "outputs" / name
        output.proper(name)
        problem = f"`{place}` is no place in an answer"
        output.require(_DOTTED.fullmatch(place), problem, "such as delivery.eta")
    _url(tool.url, here / "url")
    _url_places(tool, here / "url")
    _headers(tool.headers, here / "headers")
    _body(tool, here)
    _timeout(tool.timeout, here / "timeout")


def _url_places(tool: HttpTool, here: Place) -> None:
    try:
        parts = split(tool.url)
    except ValueError:
        return  # reported already
    rest = PLACEHOLDER.sub("", parts.path + parts.query)
    here.require(not {"{", "}"} & set(rest), "a brace without its other half")
    _filled(tool, placeholders_in(f"{parts.path}?{parts.query}"), here)
    for name in PLACEHOLDER.findall(parts.path):
        sure = name not in tool.parameters or tool.parameters[name].required
        problem = f"`{name}` stands in the path and may be missing"
        here.require(sure, problem, "make it required, or use the query")
    plain = all("{" not in key for key, _ in query_pairs(parts.query))
    here.require(plain, "the keys of a query are not for placeholders", "write ?key={name}")


def _body(tool: HttpTool, here: Place) -> None:
    sends = tool.method in WITH_BODY
    inside = set(placeholders_in(tool.body))
    hint = f"methods with one: {', '.join(sorted(WITH_BODY))}"
    missing = tool.body is None
    (here / "body").require(sends or missing, f"a {tool.method} has no body", hint, at_key=True)
    _filled(tool, inside, here / "body")
    if sends and missing:
        return  # it takes what the address does not
    hint = "put it into `url`, such as ?name={name}" + (", or into `body`" if sends else "")
    for name in tool.parameters.keys() - tool.in_url() - inside:
        (here / "parameters" / name).problem(f"`{name}` is not used", hint, at_key=True)


def _filled(tool: HttpTool, names: Iterable[str], here: Place) -> None:
    for name in set(names):
        if name.startswith(SECRET):
            _secret(name, here)
        else:
            here.named("parameter", name, among=tool.parameters)


# --- MCP ----------------------------------------------------------------------------------------------


def _mcp(server: McpServer, here: Place) -> None:
    here.proper(here.key)
    if server.prefix:
        (here / "prefix").proper(server.prefix, at_key=False)
    _where(server, here)
    _headers(server.headers, here / "headers")
    for variable, value in server.env.items():
        place = here / "env" / variable
        right = _VARIABLE.fullmatch(variable)
        place.require(right, f"`{variable}` names no variable", "such as API_TOKEN")
        _only_secrets(value, place)
    here.require(server.allow, "no tool of this server is allowed", "allow: [list_events]")
    hint = "letters, digits, _ and -, at most 64"
    for tool in server.allow:
        (here / "allow").require(_TOOL.fullmatch(tool), f"`{tool}` is no tool's name", hint)
    (here / "writes").named("tool", *server.writes, among=server.allow)
    (here / "needs_yes").named("tool", *(server.needs_yes or ()), among=server.allow)
    _timeout(server.timeout, here / "timeout")


def _where(server: McpServer, here: Place) -> None:
    one = bool(server.command) != bool(server.url)
    here.require(one, "a server has a `command` or a `url`", "command: [python, server.py]")
    (here / "command").require(all(server.command), "an empty word in the command")
    remote, local = server.url or not server.headers, server.command or not server.env
    (here / "headers").require(remote, "`headers` is for a server with a `url`", at_key=True)
    (here / "env").require(local, "`env` is for a server with a `command`", at_key=True)
    if server.url:
        _url(server.url, here / "url")
        hint = "secrets go into `headers`"
        problem = "the address of a server has no placeholders"
        (here / "url").require("{" not in server.url, problem, hint)
