"""A running server that strangers talk to: what they do must not look like our mistake."""

import asyncio
import base64
import json
import logging
import socket

import httpx
import pytest
import websockets
from gateways import SECRET, Gateway, infobip_body

from hilo.app.channels import new_row
from hilo.app.gateway import HttpServer, gateway_config
from hilo.app.installation import WORKSPACE
from hilo.app.running import _places
from hilo.app.secrets import Secrets
from hilo.server.bodies import MAX_BODY
from hilo.store.workspaces import add_channel
from patience import PATIENCE

LONGEST = 512  # characters of an id that a provider may give; it is a key of the inbox
MANY = 300
SECRETS = Secrets(base64.b64encode(b"k" * 32).decode())


async def test_guessing_sockets_is_not_logged_as_a_mistake_of_ours(
    edge: Gateway, caplog: pytest.LogCaptureFixture
) -> None:
    server = HttpServer(gateway_config(edge.app))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        running = asyncio.create_task(server.serve(sockets=[listening]))
        with caplog.at_level(logging.WARNING), pytest.raises(websockets.InvalidStatus) as refused:
            await websockets.connect(f"ws://127.0.0.1:{listening.getsockname()[1]}/chat/web-nobody/socket")
        server.should_exit = True
        await running
    assert refused.value.response.status_code == 404
    assert caplog.records == []


@pytest.mark.parametrize("size", [LONGEST, LONGEST + 1, 5000])
async def test_ids_of_any_length_are_taken_or_ignored_on_every_database(served: Gateway, size: int) -> None:
    await served.connect_infobip()
    letters = "".join(chr(33 + number * 7 % 90) for number in range(size))
    async with served.client() as client:
        for body in (infobip_body(message_id=letters), infobip_body(message_id="short", sender=letters)):
            answer = await client.post("/webhooks/infobip/wa", content=body, headers=SECRET)
            assert answer.status_code == 200
    assert len(served.rows("SELECT id FROM inbox")) == (2 if size <= LONGEST else 0)


async def test_many_messages_in_one_request_are_all_kept_once(served: Gateway) -> None:
    await served.connect_infobip()
    results = [json.loads(infobip_body(message_id=f"m{number}"))["results"][0] for number in range(MANY)]
    body = json.dumps({"results": [*results, *results]}).encode()
    async with served.client() as client:
        for _ in range(2):
            assert (await client.post("/webhooks/infobip/wa", content=body, headers=SECRET)).status_code == 200
    assert len(served.rows("SELECT id FROM inbox")) == MANY


async def test_a_request_with_two_lengths_or_none_that_is_true_is_refused(worked: Gateway) -> None:
    await worked.connect_infobip()
    place = httpx.URL(worked.url)
    large = f"Content-Length: {MAX_BODY * 4}\r\n\r\n" + "x" * 100_000
    heads = (large, "Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}")
    for head in heads:
        reader, writer = await asyncio.open_connection(place.host, place.port, family=socket.AF_INET)
        writer.write(f"POST /webhooks/infobip/nobody HTTP/1.1\r\nHost: x\r\n{head}".encode())
        status = await asyncio.wait_for(reader.readline(), PATIENCE)
        writer.close()
        assert status.split()[1] in {b"400", b"404"}


async def test_a_channel_whose_agent_is_not_served_is_named_at_the_start(edge: Gateway) -> None:
    for agent in ("eco", "ceo"):
        place = {"id": f"bot-{agent}", "workspace": WORKSPACE, "agent": agent}
        row = new_row("telegram", place, {"bot_token": "123456:un-token-muy-secreto", "secret_token": "x"}, SECRETS)
        await edge.hilo.store.run(add_channel, row, now=edge.hilo.clock.now())
    edge.hilo.channels.secrets = SECRETS
    await edge.hilo.channels.check()
    lines = [line for line in _places(edge.hilo, "http://here") if "/telegram/" in line]
    assert [line.partition("bot-")[2][:3] for line in lines if "not served here" in line] == ["ceo"]
    assert len(lines) == 2
