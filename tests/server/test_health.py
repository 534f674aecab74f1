"""Health and metrics: cheap, true, and silent about contacts."""

import asyncio
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from gateways import SECRET, Gateway, gateway, infobip_body, until
from prometheus_client import REGISTRY

from hilo.app.gateway import edge_of
from hilo.clock import Clock
from hilo.server.app import make_app
from hilo.settings import Settings
from hilo.store.channel_health import note_failure
from hilo.store.opening import migrate
from hilo.store.postgres import PostgresStore
from hilo.store.queries import queries
from hilo.store.store import Store, StoreUnavailable
from hilo.testing.clock import FakeClock
from hilo.tools.database import Script


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


@pytest.fixture
def always_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there had been time enough between two questions."""
    monkeypatch.setattr("hilo.server.health.BETWEEN_TRIALS", 0.0)


def log_size(hilo: Gateway) -> int:
    """Of the file that every write to the database is appended to."""
    return Path(hilo.database_url.removeprefix("sqlite:///") + "-wal").stat().st_size


@contextmanager
def no_room(size: int) -> Iterator[None]:
    """No file may grow beyond this; a write that would is refused by the system."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.usefixtures("always_tried")
async def test_a_disk_that_is_full_is_not_ready_and_says_why(edge: Gateway) -> None:
    with no_room(log_size(edge)):
        assert (await get(edge, "/healthz"))[0] == 200
        status, text = await get(edge, "/readyz")
    assert status == 503
    assert "the database cannot be used (SQLITE_" in text
    assert await get(edge, "/readyz") == (200, "ready")


async def test_a_database_that_can_only_be_read_is_not_ready_and_says_why(edge: Gateway, postgres_url: str) -> None:
    await migrate(postgres_url)
    store = await PostgresStore.open(f"{postgres_url}&default_transaction_read_only=on")
    edge.app = make_app(replace(edge_of(edge.hilo, Settings(Path())), store=store))
    status, text = await get(edge, "/readyz")
    assert (status, "(ReadOnlySQLTransactionError)" in text) == (503, True)
    await store.close()


async def test_a_queue_that_gives_no_answer_in_time_is_called_so(edge: Gateway) -> None:
    async def hang() -> None:
        async with asyncio.timeout(0.01):
            await asyncio.Event().wait()

    edge.app = make_app(replace(edge_of(edge.hilo, Settings(Path())), queue_answers=hang))
    status, text = await get(edge, "/readyz")
    assert (status, "the queue does not answer (TimeoutError)" in text) == (503, True)


@dataclass
class Watched:
    """A store that says what it was asked, and may be away."""

    store: Store
    away: bool = False
    asked: list[str] = field(default_factory=list)

    async def run(self, script: Callable[..., Script[Any]], *values: Any, **named: Any) -> Any:
        self.asked.append(script.__name__)
        if self.away:
            raise StoreUnavailable("gone")
        return await self.store.run(script, *values, **named)

    async def close(self) -> None:
        await self.store.close()


def watched(edge: Gateway, clock: Clock, *, away: bool = False) -> Watched:
    store = Watched(edge.hilo.store, away)
    edge.app = make_app(replace(edge_of(edge.hilo, Settings(Path())), store=store, clock=clock))
    return store


@pytest.mark.parametrize("away", [False, True])
async def test_between_two_trials_the_last_answer_holds_and_nothing_is_asked(edge: Gateway, *, away: bool) -> None:
    store = watched(edge, edge.hilo.clock, away=away)
    answers = await asyncio.gather(*(get(edge, "/readyz") for _ in range(3)))
    answers.append(await get(edge, "/readyz"))
    assert {status for status, _text in answers} == {503 if away else 200}
    assert store.asked == (["try_writing"] if away else ["try_writing", "troubled_channels"])


@pytest.mark.usefixtures("always_tried")
async def test_a_trial_leaves_nothing_and_is_made_whatever_the_wall_clock_says(edge: Gateway) -> None:
    clock = FakeClock()
    store = watched(edge, clock)
    assert await get(edge, "/readyz") == (200, "ready")
    clock.advance(timedelta(hours=-1))
    assert await get(edge, "/readyz") == (200, "ready")
    assert store.asked == ["try_writing", "troubled_channels"] * 2
    assert edge.rows("SELECT id FROM ignored") == []


@pytest.mark.usefixtures("always_tried")
async def test_a_channel_that_cannot_send_is_named_without_the_providers_words(edge: Gateway) -> None:
    [channel] = edge.rows("SELECT id FROM channels LIMIT 1")
    store, now = edge.hilo.store, edge.hilo.clock.now()
    await store.run(note_failure, channel["id"], "credentials", "token of account 123", now=now)
    status, text = await get(edge, "/readyz")
    assert (status, text) == (200, f"ready\nthe channel {channel['id']} cannot send: its credentials are refused")


def test_what_waits_is_measured_by_indexes_of_what_waits(edge: Gateway) -> None:
    query = queries("sqlite")["depths"]
    with closing(sqlite3.connect(edge.database_url.removeprefix("sqlite:///"))) as database:
        plan = [row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {query.sql}", {"now": 0})]
    used = {each.rpartition("INDEX ")[2].split()[0] for each in plan if "INDEX" in each}
    assert used == {"outbox_unsent", "outbox_stuck", "inbox_pending", "work_next"}


@pytest.mark.usefixtures("always_tried")
async def test_without_its_queue_it_is_not_ready(edge: Gateway) -> None:
    async def pong(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"+PONG\r\n")
        writer.close()

    server = await asyncio.start_server(pong, "127.0.0.1", 0)
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
    text = await _metrics(worked)
    assert "hilo_outbox_depth 1\n" in text
    assert "hilo_turn_seconds_bucket" in text
    assert "5491155550077" not in text
    assert "session_" not in text


async def _metrics(hilo: Gateway) -> str:
    async with hilo.client(key=await hilo.key("metrics")) as client:
        answer = await client.get("/metrics")
    assert answer.status_code == 200
    return answer.text


async def test_metrics_are_for_keys_that_may_read_them(edge: Gateway) -> None:
    assert (await get(edge, "/metrics"))[0] == 401
    async with edge.client(key=await edge.key("read")) as client:
        assert (await client.get("/metrics")).status_code == 403


async def _tried(before: float) -> bool:
    return (REGISTRY.get_sample_value("hilo_sends_total", {"outcome": "later"}) or 0) > before


async def test_the_oldest_event_and_the_leases_are_measured(sqlite_url: str, agent: Path) -> None:
    async with gateway(sqlite_url, agent) as hilo:
        await hilo.connect_infobip()
        async with hilo.client() as client:
            await client.post("/webhooks/infobip/wa", content=infobip_body(), headers=SECRET)
        await asyncio.sleep(0.05)
        text = await _metrics(hilo)
    [waited] = [line.split()[1] for line in text.splitlines() if line.startswith("hilo_oldest_event_seconds ")]
    assert 0.05 <= float(waited) < 5
    assert "hilo_leases 0\n" in text
