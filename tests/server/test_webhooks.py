"""Webhooks: what is genuine is safe before it is answered; everything else gets a clear answer, never a 500."""

import asyncio
import json
from typing import Any

import httpx
import pytest
import structlog
from gateways import SECRET, Gateway, infobip_body

from hilo.channels.channel import NotReadable, Outcome, Received, Sent, Webhook
from hilo.messages import Address, Outbound
from hilo.server.bodies import LimitedBodies
from hilo.store.inbox import forget
from hilo.store.store import StoreUnavailable
from hilo.store.work import waiting
from hilo.store.workspaces import ChannelRow

URL = "/webhooks/infobip/wa"


async def post(edge: Gateway, body: bytes, *, url: str = URL, headers: dict[str, str] | None = None) -> httpx.Response:
    async with edge.client() as client:
        return await client.post(url, content=body, headers=SECRET if headers is None else headers)


async def pending(edge: Gateway) -> int:
    """How many events wait, by the way that a metric tells it."""
    return len(await edge.hilo.store.run(waiting, until=edge.hilo.clock.now().replace(year=9000)))


async def test_a_genuine_message_is_in_the_inbox_before_the_answer(edge: Gateway) -> None:
    answer = await post(edge, infobip_body())
    assert (answer.status_code, answer.text) == (200, "")
    assert await pending(edge) == 1


async def test_a_replayed_body_changes_nothing(edge: Gateway) -> None:
    answers = [await post(edge, infobip_body()) for _ in range(3)]
    assert [each.status_code for each in answers] == [200] * 3
    assert await pending(edge) == 1


async def test_one_post_may_carry_many_messages(edge: Gateway) -> None:
    first, second = (json.loads(infobip_body(message_id=each, sender=each)) for each in ("11", "22"))
    body = {"results": [*first["results"], *second["results"]]}
    assert (await post(edge, json.dumps(body).encode())).status_code == 200
    assert await pending(edge) == 2


@pytest.mark.parametrize("headers", [{}, {"x-secret": "otro"}, {"x-secret": "un-secreto "}, {"x-secret": "ñ"}])
async def test_what_is_not_signed_is_refused(edge: Gateway, headers: dict[str, str]) -> None:
    shown = {name.encode(): value.encode() for name, value in headers.items()}
    async with edge.client() as client:
        answer = await client.post(URL, content=infobip_body(), headers=shown)
    assert answer.status_code == 401
    assert await pending(edge) == 0


BROKEN = {
    "nothing": b"",
    "not JSON": b"hola",
    "a list": b"[]",
    "invalid UTF-8": b'{"results": "\xff\xfe"}',
    "NaN": b'{"results": NaN}',
    "infinity": b'{"results": [{"x": -Infinity}]}',
    "deep": b"[" * 100_000,
    "deep object": b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
    "a huge number": b'{"results": 1e999999999}',
    "many digits": b'{"results": ' + b"9" * 10_000 + b"}",
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
async def test_what_cannot_be_read_is_a_bad_request(edge: Gateway, body: bytes) -> None:
    answer = await post(edge, body)
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"


ODD = {
    "no results": b"{}",
    "results of another type": b'{"results": {"a": 1}}',
    "results that are no objects": b'{"results": [1, null, "x", []]}',
    "half a surrogate": b'{"results": [{"from": "\\ud800", "messageId": "\\u0000"}]}',
    "an unknown kind": infobip_body(type="HOLOGRAM"),
}


@pytest.mark.parametrize("body", ODD.values(), ids=ODD)
async def test_what_is_not_for_us_is_taken_and_put_aside(edge: Gateway, body: bytes) -> None:
    assert (await post(edge, body)).status_code in {200, 400}
    assert await pending(edge) <= 1


async def test_an_unknown_kind_is_kept_and_logged_and_is_no_error(edge: Gateway) -> None:
    body = json.dumps({"results": [{"odd": "x" * 20_000}]}).encode()
    with structlog.testing.capture_logs() as logs:
        answer = await post(edge, body)
    assert answer.status_code == 200
    [kept] = edge.rows("SELECT * FROM ignored")
    assert (kept["channel_id"], len(kept["body"])) == ("wa", 10_000)
    assert [each["event"] for each in logs] == ["ignored"]


async def test_what_was_put_aside_is_forgotten_after_thirty_days(edge: Gateway) -> None:
    await post(edge, b'{"results": [{}]}')
    now = edge.hilo.clock.now()
    await edge.hilo.store.run(forget, now=now.replace(year=now.year + 1))
    assert edge.rows("SELECT * FROM ignored") == []


async def test_an_unknown_channel_and_a_wrong_kind_look_the_same(edge: Gateway) -> None:
    urls = ("/webhooks/infobip/nobody", "/webhooks/telegram/wa", "/webhooks/nothing/wa", "/webhooks/infobip/WA")
    answers = [await post(edge, infobip_body(), url=url) for url in urls]
    assert {(each.status_code, each.text) for each in answers} == {(404, answers[0].text)}


PATHS = (
    *("/webhooks/infobip/../infobip/wa/x", "/webhooks/infobip/%2e%2e%2fwa", "/webhooks/infobip/wa%00", "/webhooks//wa"),
    *("/webhooks/infobip/wa/../../etc/passwd", "/webhooks/infobip/" + "a" * 10_000, "/webhooks/infobip/%ff%fe"),
    *("/webhooks/infobip/' OR 1=1 --", "/webhooks/infobip/wa;x=1", "/webhooks/infobip/*"),
)


@pytest.mark.parametrize("path", PATHS)
async def test_path_tricks_lead_nowhere(edge: Gateway, path: str) -> None:
    async with edge.client() as client:
        request = client.build_request("POST", "http://hilo/", content=infobip_body(), headers=SECRET)
        request.url = request.url.copy_with(raw_path=path.replace(" ", "%20").encode())
        answer = await client.send(request)
    assert answer.status_code == 404
    assert await pending(edge) == 0


async def test_other_methods_are_not_allowed(edge: Gateway) -> None:
    async with edge.client() as client:
        answers = [await client.request(method, URL) for method in ("PUT", "DELETE", "PATCH")]
    assert {each.status_code for each in answers} == {405}


@pytest.mark.parametrize("size", [3 * 1024 * 1024 + 1, 10_000_000])
async def test_a_body_that_is_too_large_is_not_read_whole(edge: Gateway, size: int) -> None:
    read = 0

    async def pieces() -> Any:
        nonlocal read
        while read < size:
            read += 65_536
            yield b" " * 65_536

    async with edge.client() as client:
        answer = await client.post(URL, content=pieces(), headers=SECRET)
    assert answer.status_code == 413


async def test_a_body_that_is_too_slow_is_not_waited_for(edge: Gateway) -> None:
    sent: list[dict[str, Any]] = []

    async def receive() -> Any:
        if sent or asked:
            await asyncio.sleep(30)
        asked.append(1)
        return {"type": "http.request", "body": b"{", "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    asked: list[int] = []
    headers = [(b"x-secret", b"un-secreto"), (b"host", b"hilo")]
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "path": URL,
        "raw_path": URL.encode(), "query_string": b"", "headers": headers, "scheme": "http", "root_path": "",
    }  # fmt: skip
    await LimitedBodies(edge.app, seconds=0.05)(scope, receive, send)
    assert sent[0]["status"] == 408


class _Odd:
    """A channel that answers a press, carries a challenge, or has a bug."""

    def read(self, webhook: Webhook) -> Received:
        match webhook.body:
            case b"press":
                return Received(answer='{"method": "answerCallbackQuery"}')
            case b"challenge":
                return Received(answer="1158201444")
            case b"bug":
                raise ZeroDivisionError
        raise NotReadable("?")

    async def send(self, to: Address, message: Outbound, *, message_id: str) -> Outcome:
        del to, message, message_id
        return Sent()

    async def typing(self, to: Address, *, answering: str) -> None: ...


@pytest.fixture
async def odd(edge: Gateway) -> Gateway:
    await edge.connect(ChannelRow("odd", "main", "odd", "eco"), _Odd())
    return edge


@pytest.mark.parametrize(
    ("body", "kind"), [(b"press", "application/json"), (b"challenge", "text/plain; charset=utf-8")]
)
async def test_an_answer_says_what_it_is(odd: Gateway, body: bytes, kind: str) -> None:
    answer = await post(odd, body, url="/webhooks/odd/odd")
    assert (answer.status_code, answer.headers["content-type"]) == (200, kind)


async def test_a_bug_in_a_reader_is_no_server_error(odd: Gateway) -> None:
    with structlog.testing.capture_logs() as logs:
        answer = await post(odd, b"bug", url="/webhooks/odd/odd")
    assert answer.status_code == 400
    assert "ZeroDivisionError" not in answer.text
    assert [each["event"] for each in logs] == ["webhook broke its reader"]


async def test_a_database_that_is_away_asks_the_provider_to_come_again(edge: Gateway, monkeypatch: Any) -> None:
    async def away(*_values: Any, **_named: Any) -> None:
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(edge.hilo.store, "run", away)
    answer = await post(edge, infobip_body())
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
    assert "disk" not in answer.text
