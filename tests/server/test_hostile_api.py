"""Requests of the API that a program would not make by accident."""

import base64
import json
from collections.abc import AsyncIterator

import httpx
import pytest
from gateways import SECRET, Gateway, infobip_body, until

PLACES = [[-(1 << 61), "x"], [-1, ""], [1 << 62, "x"], [1, 2], [True, "x"], {"a": 1}, "ab", None]


@pytest.fixture
async def api(served: Gateway) -> AsyncIterator[httpx.AsyncClient]:
    """A client with a key, in an installation where one contact has asked for a person."""
    await served.connect_infobip()

    async def handed_off() -> bool:
        return bool(served.rows("SELECT id FROM sessions WHERE status = 'handed_off'"))

    async with served.client(key=await served.key("read", "write", "operate")) as client:
        body = infobip_body("humano")
        assert (await client.post("/webhooks/infobip/wa", content=body, headers=SECRET)).status_code == 200
        await until(handed_off)
        yield client


async def _session(api: httpx.AsyncClient) -> str:
    return str((await api.get("/api/v1/sessions")).json()["items"][0]["id"])


async def test_a_cursor_that_we_did_not_write_is_refused_on_every_list(api: httpx.AsyncClient) -> None:
    session = f"sessions/{await _session(api)}"
    for place in PLACES:
        cursor = base64.urlsafe_b64encode(json.dumps(place).encode()).decode()
        for path in ("sessions", "contacts", "handoffs", f"{session}/turns", f"{session}/messages"):
            answer = await api.get(f"/api/v1/{path}", params={"cursor": cursor})
            assert answer.status_code == 422, (place, path)


async def test_an_operator_cannot_say_nothing_with_characters_that_no_channel_sends(api: httpx.AsyncClient) -> None:
    path = f"/api/v1/sessions/{await _session(api)}"
    for number, text in enumerate(("\0", " \0 \0")):
        answer = await api.post(f"{path}/messages", json={"text": text}, headers={"idempotency-key": f"m{number}"})
        assert answer.status_code == 422
        answer = await api.post(f"{path}/take-over", json={"operator": text}, headers={"idempotency-key": f"t{number}"})
        assert answer.status_code == 422
    answer = await api.post(f"{path}/messages", json={"text": "ho\0la"}, headers={"idempotency-key": "m"})
    assert answer.status_code == 202
    said = (await api.get(f"{path}/messages")).json()["items"]
    assert [each["text"] for each in said if each["author"] == "operator"] == ["hola"]


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_a_monitor_may_ask_for_the_head_only(edge: Gateway, path: str) -> None:
    async with edge.client() as client:
        answer = await client.head(path)
    assert (answer.status_code, answer.content) == (200, b"")
