"""Tools that are requests: what is sent, where it may go, and what comes of it."""

import asyncio
import json
import logging
import re
import ssl
import unicodedata
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, NotRequired
from urllib.parse import quote, unquote

import httpx
from pydantic import ConfigDict, Field, TypeAdapter, WithJsonSchema
from typing_extensions import TypedDict

from hilo.agent.remote import PLACEHOLDER, SECRET, WITH_BODY, HttpTool, Parameter, query_pairs, split
from hilo.tools.addresses import Network
from hilo.tools.answers import MAX_BYTES, one_line, outputs_of, read_json, read_text, without
from hilo.tools.tool import Tool, ToolFailed

MAX_ARGUMENT = 4000
MAX_DIGITS = 15  # what a JSON number carries exactly everywhere
CONNECT_SECONDS = 5.0
_ROUNDS = 3  # of percent-encoding that are looked through
_OURS = {"user-agent": "hilo", "accept": "application/json", "accept-encoding": "identity"}
_PLAIN_TYPES: dict[str, tuple[Any, str]] = {
    "text": (Annotated[str, Field(max_length=MAX_ARGUMENT)], "string"),
    "number": (Annotated[Decimal, Field(max_digits=MAX_DIGITS)], "number"),
    "boolean": (bool, "boolean"),
}
_NEVER_LEFT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.UnsupportedProtocol,
    httpx.LocalProtocolError,
    httpx.InvalidURL,
)
_NOBODY_KNOWS = frozenset({502, 504})  # a gateway that lost the answer: it may have been done

Secret = Callable[[str], str]

for _logger in ("httpx", "httpcore"):
    logging.getLogger(_logger).setLevel(logging.WARNING)  # they log every URL, which may carry a secret


def http_tools(declared: Mapping[str, HttpTool], *, network: Network, secret: Secret) -> dict[str, Tool]:
    """The declared requests as tools; `secret` gives the value of a variable, empty where it is not set."""
    if not declared:
        return {}
    context = httpx.create_ssl_context()
    return {
        name: Tool(
            tool.spec(name),
            _Call(tool, network, secret, context).run,
            _arguments(name, tool.parameters),
            tool.timeout.total_seconds(),
            frozenset({"call_id"}),
        )
        for name, tool in declared.items()
    }


def secret_values(names: tuple[str, ...], secret: Secret) -> dict[str, str]:
    """The secrets by their names; raises ToolFailed where one is not set."""
    values = {name: secret(name).strip() for name in names}  # files end with a line break
    missing = [name for name, value in values.items() if not value]
    if missing:
        raise ToolFailed(f"needs {', '.join(missing)} in the environment")
    return values


def filled(text: str, values: Mapping[str, Any]) -> str:
    """A text with its placeholders filled; what is not known is left out."""
    return PLACEHOLDER.sub(lambda found: _text(values.get(found[1], "")), text)


@dataclass(frozen=True, slots=True)
class _Call:
    tool: HttpTool
    network: Network
    secret: Secret
    context: ssl.SSLContext

    async def run(self, /, call_id: str, **arguments: Any) -> dict[str, Any]:
        secrets = secret_values(self.tool.secrets(), self.secret)
        values = {name: value for name, value in arguments.items() if value is not None}
        values |= {f"{SECRET}{name}": value for name, value in secrets.items()}
        status, content = await self._ask(_request(self.tool, values, call_id))
        hidden = tuple(secrets.values())
        if not httpx.codes.is_success(status):
            _refuse(status, one_line(content.decode(errors="replace"), hidden))
        return _outputs(self.tool, content, hidden)

    async def _ask(self, request: httpx.Request) -> tuple[int, bytes]:
        """Status and content; ToolFailed where nothing was sent, another error where nobody knows what it did."""
        seconds = min(self.tool.timeout.total_seconds() / 2, CONNECT_SECONDS)
        transport = PinnedTransport(self.network, self.context)
        client = httpx.AsyncClient(
            transport=transport, timeout=httpx.Timeout(None, connect=seconds), trust_env=False, follow_redirects=False
        )
        try:
            async with client:
                response = await client.send(request, stream=True)
                try:
                    return response.status_code, await _whole(response)
                finally:
                    await response.aclose()
        except _NEVER_LEFT as error:
            raise ToolFailed(f"no connection ({type(error).__name__})") from None
        except httpx.HTTPError as error:
            raise ConnectionError(f"the answer was lost ({type(error).__name__})") from None


class PinnedTransport(httpx.AsyncBaseTransport):
    """Looks a host up once, judges the address and connects to that one; certificate and Host stay the name's."""

    def __init__(self, network: Network, context: ssl.SSLContext) -> None:
        self._network = network
        self._inner = httpx.AsyncHTTPTransport(verify=context, trust_env=False)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send it to the one address."""
        url, host = request.url, request.url.raw_host.decode("ascii")
        try:
            async with asyncio.timeout(request.extensions["timeout"]["connect"]):
                address = await self._network.address(url.scheme, host, url.port)
        except TimeoutError:
            raise httpx.ConnectTimeout("no address in time", request=request) from None
        pinned = httpx.Request(
            request.method,
            url.copy_with(host=address),
            headers=request.headers,
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": host},
        )
        return await self._inner.handle_async_request(pinned)

    async def aclose(self) -> None:
        """Close the connection."""
        await self._inner.aclose()


# --- what is sent -------------------------------------------------------------------------------------


def _arguments(name: str, parameters: Mapping[str, Parameter]) -> TypeAdapter[Any]:
    typed_dict: Any = TypedDict  # made while running, which type checkers do not follow
    shape = typed_dict(name, {each: _type(parameter) for each, parameter in parameters.items()})
    shape.__pydantic_config__ = ConfigDict(extra="forbid", coerce_numbers_to_str=True)
    return TypeAdapter(shape)


def _type(parameter: Parameter) -> Any:
    type_, word = _PLAIN_TYPES[parameter.type]
    said = {"description": parameter.description} if parameter.description else {}
    schema = WithJsonSchema({"type": word, **said})
    return Annotated[type_, schema] if parameter.required else NotRequired[Annotated[type_ | None, schema]]


def _request(tool: HttpTool, values: Mapping[str, Any], call_id: str) -> httpx.Request:
    headers = {**_OURS, **{name: filled(value, values) for name, value in tool.headers.items()}}
    if tool.method != "GET" and tool.idempotent and call_id:
        headers["idempotency-key"] = call_id
    content = _written(_body(tool, values)) if tool.method in WITH_BODY else None
    if content is not None:
        headers["content-type"] = "application/json"
    try:
        return httpx.Request(tool.method, _url(tool.url, values), headers=headers, content=content)
    except (httpx.InvalidURL, UnicodeError):
        raise ToolFailed("the request cannot be sent: its address or a header is not valid") from None


def _url(template: str, values: Mapping[str, Any]) -> str:
    parts = split(template)
    path = PLACEHOLDER.sub(lambda found: _segment(found[1], values), parts.path)
    pairs = [
        f"{key}={PLACEHOLDER.sub(lambda found: _encoded(values[found[1]]), value)}"
        for key, value in query_pairs(parts.query)
        if all(name in values for name in PLACEHOLDER.findall(value))
    ]
    return f"{parts.scheme}://{parts.netloc}{path}" + ("?" + "&".join(pairs) if pairs else "")


def _segment(name: str, values: Mapping[str, Any]) -> str:
    """A value in a path; what some server on the way could take for another path is refused, not only encoded."""
    value = read = _text(values.get(name, ""))
    for _ in range(_ROUNDS):
        read = unicodedata.normalize("NFKC", unquote(read))
        strange = any(unicodedata.category(each) == "Cc" for each in read)
        if strange or re.search(r"[/\\]", read) or read.strip(" ;") in {"", ".", ".."}:
            raise ToolFailed(f"wrong arguments: {name}: cannot stand in an address")
    return _encoded(value)


def _encoded(value: Any) -> str:
    return quote(_text(value), safe="", errors="replace")


def _body(tool: HttpTool, values: Mapping[str, Any]) -> Any:
    if tool.body is not None:
        return _filled_body(tool.body, values)
    used = tool.in_url()
    return {name: json_number(values[name]) for name in tool.parameters if name in values and name not in used}


def _filled_body(template: Any, values: Mapping[str, Any]) -> Any:
    """A text that is one placeholder becomes the value itself; where that is missing, so is its key."""
    match template:
        case str():
            whole = PLACEHOLDER.fullmatch(template)
            return json_number(values.get(whole[1])) if whole else filled(template, values)
        case Mapping():
            inner = {key: (each, _filled_body(each, values)) for key, each in template.items()}
            return {key: value for key, (each, value) in inner.items() if value is not None or each is None}
        case list() | tuple():
            return [_filled_body(each, values) for each in template]
    return json_number(template)


def json_number(value: Any) -> Any:
    """An exact number as JSON has them."""
    if not isinstance(value, Decimal):
        return value
    return int(value) if value == value.to_integral_value() else float(value)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def _written(body: Any) -> bytes:
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode(errors="replace")


# --- what comes back ----------------------------------------------------------------------------------


async def _whole(response: httpx.Response) -> bytes:
    """All bytes as they were sent, so that nothing small can unfold into something large; of an error, the first."""
    if response.headers.get("content-encoding", "identity").lower() not in {"identity", ""}:
        if response.is_success:
            raise ValueError("the answer is compressed, which was not asked for")
        return b""
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > MAX_BYTES and response.is_success:
            raise ValueError(f"the answer is longer than {MAX_BYTES:,} bytes")
        if len(body) > MAX_BYTES:
            break
    return bytes(body)


def _refuse(status: int, reason: str) -> None:
    said = f"answered {status}" + (f": {reason}" if reason else "")
    if httpx.codes.is_redirect(status):
        raise ToolFailed(f"answered {status}: redirects are not followed")
    if status in _NOBODY_KNOWS:
        raise ConnectionError(said)
    raise ToolFailed(said)


def _outputs(tool: HttpTool, content: bytes, hidden: Collection[str]) -> dict[str, Any]:
    if not content.strip():
        return {}
    try:
        value = read_json(content)
    except ValueError:
        return {"result": read_text(content, hidden)}
    return outputs_of(without(value, hidden), tool.outputs)
