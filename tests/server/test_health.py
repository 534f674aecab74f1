"""Health and metrics: cheap, true, and silent about contacts."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from gateways import SECRET, Gateway, gateway, infobip_body, until
from prometheus_client import REGISTRY

from hilo.app.running import edge_of
from hilo.server.app import make_app
from hilo.settings import Settings
from hilo.store.store import StoreUnavailable


async def get(hilo: Gateway, path: str) -> tuple[int, str]:
    async with hilo.client() as client:
        answer = await client.get(path)
        return answer.status_code, answer.text


async def test_a_process_that_runs_is_healthy_and_ready(edge: Gateway) -> None:
    assert await get(edge, "/healthz") == (200, "ok")
    assert await get(edge, "/readyz") == (200, "ready")


async def test_without_its_database_it_is_healthy_but_not_ready(edge: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_values: Any, **_named: Any) -> None:
        raise StoreUnavailable("gone")

    monkeypatch.setattr(edge.hilo.store, "run", away)
    assert await get(edge, "/healthz") == (200, "ok")
    assert (await get(edge, "/readyz"))[0] == 503


async def test_without_its_queue_it_is_not_ready(edge: Gateway) -> None:
    server = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    settings = Settings(Path(), queue_url=f"redis://user:clave@127.0.0.1:{port}/0")
    edge.app = make_app(edge_of(edge.hilo, settings))
    assert await get(edge, "/readyz") == (200, "ready")
    server.close()
    await server.wait_closed()
    status, text = await get(edge, "/readyz")
    assert status == 503
    assert "clave" not in text


async def test_metrics_count_what_happened_and_name_nobody(worked: Gateway) -> None:
    names = {
        "hilo_messages_total": {"outcome": "new"},
        "hilo_turns_total": {"outcome": "done", "stage": "embedded"},
        "hilo_sends_total": {"outcome": "later"},
        "hilo_webhooks_ignored_total": {},
    }
    before = {name: REGISTRY.get_sample_value(name, labels) or 0 for name, labels in names.items()}
    await worked.connect_infobip()
    async with worked.client() as client:
        for body in (infobip_body("una cosa", sender="5491155550077"), b'{"results": [{}]}'):
            assert (await client.post("/webhooks/infobip/wa", content=body, headers=SECRET)).status_code == 200
    await until(lambda: _tried(before["hilo_sends_total"]))
    after = {name: REGISTRY.get_sample_value(name, labels) or 0 for name, labels in names.items()}
    assert {name: after[name] - before[name] >= 1 for name in names} == dict.fromkeys(names, True)
    status, text = await get(worked, "/metrics")
    assert status == 200
    assert "hilo_outbox_depth 1\n" in text
    assert "hilo_turn_seconds_bucket" in text
    assert "5491155550077" not in text
    assert "session_" not in text


async def _tried(before: float) -> bool:
    return (REGISTRY.get_sample_value("hilo_sends_total", {"outcome": "later"}) or 0) > before


async def test_the_oldest_event_and_the_leases_are_measured(sqlite_url: str, agent: Path) -> None:
    async with gateway(sqlite_url, agent) as hilo:
        await hilo.connect_infobip()
        async with hilo.client() as client:
            await client.post("/webhooks/infobip/wa", content=infobip_body(), headers=SECRET)
        await asyncio.sleep(0.05)
        _, text = await get(hilo, "/metrics")
    [waited] = [line.split()[1] for line in text.splitlines() if line.startswith("hilo_oldest_event_seconds ")]
    assert 0.05 <= float(waited) < 5
    assert "hilo_leases 0\n" in text
