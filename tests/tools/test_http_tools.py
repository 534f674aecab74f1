"""Tools over HTTP: what goes out, where it can never go, and what comes back, against a real server on loopback."""

import asyncio
import gzip
import json
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from pydantic import TypeAdapter

from hilo.agent.checks.place import Place
from hilo.agent.checks.remote import check_remote
from hilo.agent.declaration import Agent, Tools
from hilo.agent.remote import HttpTool, remote_specs
from hilo.dialogue.effects import RunTool
from hilo.dialogue.events import ToolResult
from hilo.tools.addresses import Network, is_public
from hilo.tools.call import call
from hilo.tools.http import http_tools

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
SECRETS = {"SHOP_TOKEN": "s3cr3t-token"}
HTTP = TypeAdapter(HttpTool)


def declared(**keys: Any) -> HttpTool:
    return HTTP.validate_python(keys)


def answered(body: Any = "{}", *, status: str = "200 OK", headers: str = "") -> bytes:
    content = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
    return f"HTTP/1.1 {status}\r\ncontent-length: {len(content)}\r\n{headers}\r\n".encode() + content


@dataclass
class Seen:
    method: str
    target: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Shop:
    """A server that answers what it is told to, and remembers what it was asked."""

    port: int = 0
    answer: bytes = field(default_factory=answered)
    seen: list[Seen] = field(default_factory=list)
    stall: float = 0
    drip: bool = False
    connections: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, target, _ = head[0].split(" ")
            headers = {key.lower(): value for key, _, value in (line.partition(": ") for line in head[1:]) if key}
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            self.seen.append(Seen(method, target, headers, body))
            await asyncio.sleep(self.stall)
            for piece in [bytes([each]) for each in self.answer] if self.drip else [self.answer]:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0.1 if self.drip else 0)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def serving(context: ssl.SSLContext | None = None) -> AsyncIterator[Shop]:
    shop = Shop()
    server = await asyncio.start_server(shop.serve, "127.0.0.1", 0, ssl=context)
    shop.port = server.sockets[0].getsockname()[1]
    try:
        yield shop
    finally:
        server.close()


@pytest.fixture
async def shop() -> AsyncIterator[Shop]:
    async with serving() as shop:
        yield shop


async def run(tool: HttpTool, network: Network, /, **arguments: Any) -> ToolResult:
    tools = http_tools({"ask": tool}, network=network, secret=lambda name: SECRETS.get(name, ""))
    return await call(tools, RunTool("call-1", "ask", arguments), now=NOW)


async def ask(shop: Shop, tool: HttpTool, /, **arguments: Any) -> ToolResult:
    return await run(tool, Network((f"127.0.0.1:{shop.port}",)), **arguments)


# --- what is sent -------------------------------------------------------------------------------------


async def test_a_post_sends_what_the_address_does_not_take(shop: Shop) -> None:
    shop.answer = answered({"status": "taken", "delivery": {"eta": "tomorrow"}, "total": 12.50, "lines": [1]})
    tool = declared(
        url=shop.url + "/orders/{order_id}",
        method="POST",
        parameters={"order_id": "text", "total": "number", "note": {"type": "text", "required": False}},
        headers={"Authorization": "Bearer {secret.SHOP_TOKEN}"},
    )
    result = await ask(shop, tool, order_id="A 7", total=Decimal("12.5"))
    assert result.ok, result.error
    assert result.outputs == {"status": "taken", "total": Decimal("12.5")}
    (seen,) = shop.seen
    assert (seen.method, seen.target) == ("POST", "/orders/A%207")
    assert json.loads(seen.body) == {"total": 12.5}
    assert seen.headers["authorization"] == "Bearer s3cr3t-token"
    assert seen.headers["idempotency-key"] == "call-1"
    assert seen.headers["host"] == f"127.0.0.1:{shop.port}"


async def test_a_written_body_keeps_types_and_leaves_out_what_is_missing(shop: Shop) -> None:
    tool = declared(
        url=shop.url + "/",
        method="PUT",
        parameters={"n": "number", "sure": "boolean", "note": {"required": False}},
        body={"n": "{n}", "deep": {"sure": "{sure}", "note": "{note}"}, "say": "n is {n}", "list": ["{n}", 2]},
        idempotent=False,
    )
    assert (await ask(shop, tool, n="3", sure=True)).ok
    sent = json.loads(shop.seen[0].body)
    assert sent == {"n": 3, "deep": {"sure": True}, "say": "n is 3", "list": [3, 2]}
    assert "idempotency-key" not in shop.seen[0].headers


async def test_a_query_leaves_out_what_is_missing(shop: Shop) -> None:
    parameters = {"q": "text", "page": {"type": "number", "required": False}}
    tool = declared(url=shop.url + "/find?kind=a&q={q}&page={page}", parameters=parameters)
    assert (await ask(shop, tool, q="café & té")).ok
    assert (await ask(shop, tool, q="x", page=2)).ok
    assert (await ask(shop, tool, q="x", page=None)).ok
    found = [each.target for each in shop.seen]
    assert found == ["/find?kind=a&q=caf%C3%A9%20%26%20t%C3%A9", "/find?kind=a&q=x&page=2", "/find?kind=a&q=x"]


@pytest.mark.parametrize(
    "arguments", [{}, {"n": "many"}, {"n": 1, "other": 2}, {"n": 10**15}, {"n": float("inf")}, {"n": "1e99999"}]
)
async def test_wrong_arguments_send_nothing(shop: Shop, arguments: dict[str, Any]) -> None:
    result = await ask(shop, declared(url=shop.url + "/{n}", parameters={"n": "number"}), **arguments)
    assert not result.ok
    assert result.error.startswith("wrong arguments")
    assert not shop.connections


async def test_a_missing_secret_sends_nothing(shop: Shop) -> None:
    result = await ask(shop, declared(url=shop.url + "/?key={secret.NOT_SET}"))
    assert result.error == "needs NOT_SET in the environment"
    assert not shop.connections


def test_the_schema_and_the_spec_say_what_the_file_says() -> None:
    parameters = {"id": {"description": "The order's number."}, "n": {"type": "number", "required": False}}
    tool = declared(url="https://a.example/{id}", method="POST", description="Sends it.", parameters=parameters)
    made = http_tools({"send": tool}, network=Network(), secret=str)["send"]
    assert made.spec == remote_specs(SimpleNamespace(http={"send": tool}, mcp={}))["send"]
    assert made.spec.writes
    assert made.spec.needs_yes
    assert made.spec.parameters == {"id": True, "n": False}
    assert declared(url="https://a.example/", outputs={"eta": "delivery.eta"}).spec("look").outputs == ("eta",)
    schema = made.schema()
    assert schema["properties"]["id"] == {"type": "string", "description": "The order's number.", "title": "Id"}
    assert schema["properties"]["n"]["type"] == "number"
    assert schema["required"] == ["id"]
    assert schema["additionalProperties"] is False
    assert not declared(url="https://a.example/").spec("look").writes


# --- arguments that try to go elsewhere ----------------------------------------------------------------

REFUSED_IN_A_PATH = [
    "../admin", "..", ".", "../../etc/passwd", "..\\admin", "%2e%2e", "%2e%2e%2fadmin", "%252e%252e%252fadmin", "..%2f",
    "a/b", "a\\b", "/admin", "//evil.example", "\\\\evil.example", "a\r\nHost: evil.example", "a\nb", "a\x00b", "a%00b",
    "a%0d%0ab", "．．", "．．／admin", "a／b", "", " ", "..;", ";..", "http://evil.example/", "%5c..%5c",
]  # fmt: skip
ENCODED_IN_A_PATH = [
    "a?admin=1", "a#frag", "a&x=1", "user@evil.example", ":8080", "a;b=1", "evil.example", "%3fx=1", "ñandú",
    "{secret.SHOP_TOKEN}",
    "..a", "...", "a b", "\u202eevil", "𝒶", "\ud800", "$(id)", "'--",
]  # fmt: skip


@pytest.mark.parametrize("value", REFUSED_IN_A_PATH)
async def test_what_could_be_another_path_is_not_sent(shop: Shop, value: str) -> None:
    tool = declared(url=shop.url + "/orders/{id}/lines?fixed=1", parameters={"id": "text"})
    result = await ask(shop, tool, id=value)
    assert result.error == "wrong arguments: id: cannot stand in an address"
    assert not shop.connections


@pytest.mark.parametrize("value", ENCODED_IN_A_PATH)
async def test_a_value_stays_in_its_segment(shop: Shop, value: str) -> None:
    tool = declared(url=shop.url + "/orders/{id}/lines?fixed=1", parameters={"id": "text"})
    assert (await ask(shop, tool, id=value)).ok == (value != "\ud800")
    for seen in shop.seen:
        path, _, query = seen.target.partition("?")
        assert path.count("/") == 3
        assert path.startswith("/orders/")
        assert path.endswith("/lines")
        assert query == "fixed=1"
        assert "s3cr3t" not in seen.target


@pytest.mark.parametrize("value", [each for each in REFUSED_IN_A_PATH + ENCODED_IN_A_PATH if each != "\ud800"])
async def test_a_value_adds_nothing_to_a_query_or_a_body(shop: Shop, value: str) -> None:
    tool = declared(url=shop.url + "/find?q={q}&fixed=1", method="POST", parameters={"q": "text"}, body={"q": "{q}"})
    assert (await ask(shop, tool, q=value)).ok
    (seen,) = shop.seen
    path, _, query = seen.target.partition("?")
    assert path == "/find"
    assert [pair.partition("=")[0] for pair in query.split("&")] == ["q", "fixed"]
    assert seen.headers["host"] == f"127.0.0.1:{shop.port}"
    assert json.loads(seen.body) == {"q": value}


# --- hosts that are not public -------------------------------------------------------------------------

NOT_PUBLIC = [
    "127.0.0.1", "127.1.2.3", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
    "0.0.0.0",  # noqa: S104
    "169.254.169.254", "169.254.170.2", "100.64.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192", "192.0.2.1",
    "198.18.0.1", "198.51.100.1", "203.0.113.1", "192.88.99.1", "224.0.0.1", "239.255.255.250", "240.0.0.1",
    "255.255.255.255",
    "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::808:808",
    "64:ff9b:1::1",
    "2002:7f00:1::", "2001::1", "2001:db8::1", "fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd00:ec2::254",
    "ff02::1",
    "100::1", "3fff::1", "5f00::1", "4000::1", "no address",
]  # fmt: skip
HOSTS = [
    "https://localhost/", "https://127.0.0.1/", "https://127.1/", "https://2130706433/", "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://0/", "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://[::]/", "https://10.0.0.1/",
    "https://169.254.169.254/",
    "https://[fe80::1]/", "https://[64:ff9b::7f00:1]/", "https://192.168.0.1:8443/", "http://127.0.0.1/",
    "http://8.8.8.8/",
]  # fmt: skip


@pytest.mark.parametrize("address", NOT_PUBLIC)
async def test_a_name_with_an_address_that_is_not_public_is_refused(address: str) -> None:
    assert not is_public(address)
    result = await run(declared(url="https://shop.example/"), Network(look_up=always(address)))
    assert result.error == "shop.example is refused: its address is not a public one"
    mixed = await run(declared(url="https://shop.example/"), Network(look_up=always("1.1.1.1", address)))
    assert not mixed.ok


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4009::1"]
)
def test_a_public_address_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("url", HOSTS)
async def test_a_written_host_that_is_not_public_is_refused(url: str) -> None:
    result = await run(declared(url=url), Network())
    assert not result.ok
    assert "refused" in result.error or "its address" in result.error


def always(*addresses: str) -> Callable[[str, int], Any]:
    async def look_up(_host: str, _port: int) -> Sequence[str]:
        return addresses

    return look_up


async def test_a_second_look_at_the_name_is_never_taken(shop: Shop) -> None:
    looked: list[str] = []

    async def rebinding(host: str, _port: int) -> Sequence[str]:
        looked.append(host)
        return ["127.0.0.1"] if len(looked) == 1 else ["192.0.2.1"]

    network = Network((f"shop.example:{shop.port}",), rebinding)
    assert (await run(declared(url=f"http://shop.example:{shop.port}/"), network)).ok
    assert looked == ["shop.example"]
    assert shop.seen[0].headers["host"] == f"shop.example:{shop.port}"


async def test_the_list_of_private_hosts_is_exact(shop: Shop) -> None:
    tool = declared(url=shop.url + "/")
    for listed in ("127.0.0.1", "127.0.0.1:1", f"localhost:{shop.port}", f"127.0.0.2:{shop.port}", ""):
        assert not (await run(tool, Network((listed,)))).ok
    metadata = Network((f"shop.example:{shop.port}",), always("169.254.169.254"))
    assert not (await run(declared(url=f"http://shop.example:{shop.port}/"), metadata)).ok
    assert not shop.connections


async def test_no_proxy_of_the_environment_is_used(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert (await ask(shop, declared(url=shop.url + "/"))).ok


async def test_the_certificate_is_that_of_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context = _certified(tmp_path, "shop.example")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    async with serving(context) as shop:
        hosts = (f"shop.example:{shop.port}", f"other.example:{shop.port}")
        network = Network(hosts, always("127.0.0.1"))
        assert (await run(declared(url=f"https://shop.example:{shop.port}/"), network)).ok
        other = await run(declared(url=f"https://other.example:{shop.port}/"), network)
        assert other.error == "no connection (ConnectError)"
        assert len(shop.seen) == 1


def _certified(folder: Path, host: str) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    today = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(today - timedelta(days=1)).not_valid_after(today + timedelta(days=1))
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    certificate = builder.sign(key, hashes.SHA256())
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(private)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context


# --- what comes back ----------------------------------------------------------------------------------


async def test_outputs_are_taken_from_their_places(shop: Shop) -> None:
    shop.answer = answered({"delivery": {"eta": "9:30"}, "items": [{"name": "mate"}, {"name": "yerba"}], "n": 1})
    places = {"eta": "delivery.eta", "second": "items.1.name", "all": "items", "none": "delivery.who", "far": "items.9"}
    result = await ask(shop, declared(url=shop.url + "/", outputs=places))
    assert result.outputs == {"eta": "9:30", "second": "yerba", "all": '[{"name":"mate"},{"name":"yerba"}]'}


@pytest.mark.parametrize(
    ("body", "outputs"),
    [
        ("", {}),
        ("[1, 2]", {"result": "[1,2]"}),
        ("<p>hola</p>", {"result": "<p>hola</p>"}),
        (b"\xff\xfe", {"result": "\ufffd\ufffd"}),
        ("[" * 100_000, {"result": "[" * 2000}),
        ("[" * 60 + "]" * 60, {"result": "[" * 60 + "]" * 60}),
        ('{"n": NaN}', {"result": '{"n": NaN}'}),
        ('{"n": 1e999999999, "m": 0.1}', {"n": "1e999999999", "m": Decimal("0.1")}),
        ('{"big": ' + "9" * 5000 + "}", {"big": "9" * 2000}),
        ('{"a b": 1, "ok": true, "nothing": null, "deep": {}}', {"ok": True}),
        ('{"half": "\\ud83d"}', {"half": "?"}),
        (json.dumps({f"k{n}": n for n in range(200)}), {f"k{n}": n for n in range(50)}),
    ],
)  # fmt: skip
async def test_any_answer_becomes_bounded_outputs(shop: Shop, body: str | bytes, outputs: dict[str, Any]) -> None:
    shop.answer = answered(body)
    result = await ask(shop, declared(url=shop.url + "/"))
    assert result.ok, result.error
    assert result.outputs == outputs


async def test_a_secret_that_is_echoed_is_hidden(shop: Shop) -> None:
    tool = declared(url=shop.url + "/?key={secret.SHOP_TOKEN}")
    shop.answer = answered({"you_sent": "Bearer s3cr3t-token", "deep": {"s3cr3t-token": 1}})
    assert (await ask(shop, tool)).outputs == {"you_sent": "Bearer •••"}
    shop.answer = answered("x" * 1995 + "s3cr3t-token")
    assert "s3cr" not in str((await ask(shop, tool)).outputs)
    shop.answer = answered("bad key s3cr3t-token", status="403 Forbidden")
    assert (await ask(shop, tool)).error == "answered 403: bad key •••"


async def test_nothing_is_logged_of_an_address(shop: Shop, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG"):
        await ask(shop, declared(url=shop.url + "/?key={secret.SHOP_TOKEN}"))
    assert shop.seen[0].target == "/?key=s3cr3t-token"
    assert "s3cr3t" not in caplog.text


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"])
async def test_a_redirect_is_not_followed(shop: Shop, status: str) -> None:
    shop.answer = answered("", status=status, headers="location: http://169.254.169.254/\r\n")
    result = await ask(shop, declared(url=shop.url + "/"))
    assert result.error == f"answered {status[:3]}: redirects are not followed"
    assert shop.connections == 1


@pytest.mark.parametrize(
    ("status", "unknown"), [("400 No", False), ("404 No", False), ("500 No", False), ("502 No", True), ("504 No", True)]
)
async def test_a_refusal_is_told_and_a_lost_answer_is_unknown(shop: Shop, status: str, unknown: bool) -> None:  # noqa: FBT001
    shop.answer = answered("no\r\n\x1b[31m stock" + "." * 1_500_000, status=status)
    result = await ask(shop, declared(url=shop.url + "/", method="POST", idempotent=False))
    assert not result.ok
    assert f"answered {status[:3]}: no [31m stock" in result.error
    assert len(result.error) < 300
    assert result.unknown is unknown


async def test_too_much_is_not_read(shop: Shop) -> None:
    shop.answer = b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 3_000_000
    assert "longer than 1,000,000 bytes" in (await ask(shop, declared(url=shop.url + "/"))).error
    shop.answer = answered(gzip.compress(b"x" * 50_000_000), headers="content-encoding: gzip\r\n")
    assert "compressed" in (await ask(shop, declared(url=shop.url + "/"))).error


@pytest.mark.parametrize("drip", [False, True])
async def test_the_time_limit_is_for_the_whole(shop: Shop, drip: bool) -> None:  # noqa: FBT001
    shop.drip, shop.stall = drip, 0 if drip else 5
    tool = declared(url=shop.url + "/", method="POST", idempotent=False, timeout=timedelta(seconds=1))
    result = await ask(shop, tool)
    assert result.error == "no answer in 1 s"
    assert result.unknown


async def test_what_never_left_is_known_to_have_failed(shop: Shop) -> None:
    async def slow(_host: str, _port: int) -> Sequence[str]:
        await asyncio.sleep(5)
        return []

    async def nameless(_host: str, _port: int) -> Sequence[str]:
        raise socket.gaierror

    tool = declared(url="https://shop.example:1/", method="POST", idempotent=False)
    nobody = await run(tool, Network(("shop.example:1",), always("127.0.0.1")))
    assert (nobody.error, nobody.unknown) == ("no connection (ConnectError)", False)
    late = await run(replace(tool, timeout=timedelta(seconds=0.2)), Network((), slow))
    assert (late.error, late.unknown) == ("no connection (ConnectTimeout)", False)
    unnamed = await run(tool, Network((), nameless))
    assert (unnamed.error, unnamed.unknown) == ("the host shop.example has no address", False)
    shop.answer = b""
    cut = await ask(shop, declared(url=shop.url + "/", method="POST", idempotent=False))
    assert cut.unknown


# --- what a file may say ------------------------------------------------------------------------------


def findings(**keys: Any) -> list[str]:
    file = Place(Agent(agent="a", tools=Tools(http={"ask": declared(**keys)})))
    check_remote(file)
    return [f"{'.'.join(map(str, each.path))}: {each.message}" for each in file.found]


@pytest.mark.parametrize(
    "url",
    [
        "https://{host}/", "https://api.{host}/", "https://api.example:{port}/", "{scheme}://a.example/",
        "https://{host}@a.example/",
        "https://user:pw@a.example/", "https://a.example@evil.example/", "https://a.example\\@evil.example/",
        "https://a.example#@evil/",
        "ftp://a.example/", "file:///etc/passwd", "gopher://a.example/", "//a.example/", "a.example/x", "",
        "https:///x", "https://",
        "https://a.example:99999/", "https://a.example:0/", "https://a.example:x/", "https://a .example/",
        "https://a.example/\r\nx",
        "https://ａ.example/", "https://a。example/", "https://a%2eexample/", "https://[::1/", "https://[::1%25eth0]/",
        "https://-a/",
        "https://a.example/{unknown}", "https://a.example/{id", "https://a.example/?{id}=1", "https://a.example/x#y",
        "javascript:alert(1)",
    ],
)  # fmt: skip
def test_an_address_that_hides_where_it_goes_is_found(url: str) -> None:
    parameters = {"id": "text", "host": "text", "port": "text", "scheme": "text"}
    found = findings(url=url, parameters=parameters, method="POST")
    assert any(each.startswith("tools.http.ask.url: ") for each in found), found


@pytest.mark.parametrize(
    ("keys", "where"),
    [
        ({"url": "https://a.example/", "parameters": {"q": "text"}}, "parameters.q: `q` is not used"),
        ({"url": "https://a.example/{q}", "parameters": {"q": {"required": False}}}, "url: `q` stands in the path"),
        ({"url": "https://a.example/", "body": {"q": "x"}}, "body: a GET has no body"),
        ({"url": "https://a.example/", "method": "POST", "body": {"q": "{x}"}}, "body: parameter `x` is not declared"),
        ({"url": "https://a.example/", "headers": {"X": "{q}"}}, "headers.X: `q` is no secret"),
        ({"url": "https://a.example/", "headers": {"Host": "x"}}, "headers.Host: `Host` is set by Hilo"),
        ({"url": "https://a.example/", "headers": {"X": "a\r\nY: b"}}, "headers.X: `X` is no header"),
        ({"url": "https://a.example/", "headers": {"X": "{secret.HILO_SECRET_KEY}"}}, "headers.X: `HILO_SECRET_KEY`"),
        ({"url": "https://a.example/?k={secret.low}"}, "url: `secret.low` names no variable"),
        ({"url": "https://a.example/?k={now}", "parameters": {"now": "text"}}, "parameters.now: `now` is filled"),
        ({"url": "https://a.example/", "outputs": {"a": "b..c"}}, "outputs.a: `b..c` is no place"),
        ({"url": "https://a.example/", "timeout": "2m"}, "timeout: `timeout` is from 1s to 60s"),
        ({"url": "https://a.example/", "outputs": {"A b": "b"}}, "outputs.A b: `A b` is not a name"),
    ],
)
def test_what_cannot_work_is_found(keys: dict[str, Any], where: str) -> None:
    (found,) = findings(**keys)
    assert found.startswith(f"tools.http.ask.{where}")


def test_a_sound_declaration_has_no_findings() -> None:
    assert not findings(
        url="https://api.example.com:8443/orders/{order_id}?key={secret.KEY}",
        method="POST",
        parameters={"order_id": "text", "note": {"required": False}},
        headers={"Authorization": "Bearer {secret.SHOP_TOKEN}"},
        outputs={"eta": "delivery.eta"},
        timeout="10s",
    )
