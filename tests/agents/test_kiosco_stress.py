"""Many contacts want the last units at once: each is sold once, each contact is answered, nothing is sent twice."""

import asyncio
import re
import sys
import time
from collections.abc import Callable

import pytest
from prometheus_client import REGISTRY

from agents.kiosco_crowd import ORDERED, Crowd, Street, street, worker
from depth import depth
from hilo.testing.providers.provider import Faults
from patience import PATIENCE

Tell = Callable[[str], None]

UNRULY = Faults(duplicates=0.3, reorder=0.2, seed=8)
TOLD = re.compile(r"Me quedé sin Turrón Arcor 25 g\. Te puedo ofrecer .+ a \$\d")


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Tell:
    def write(line: str) -> None:
        with capsys.disabled():
            sys.stderr.write(f"\n{line}\n")  # not stdout: that of a test process is thrown away

    return write


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    found: str = request.getfixturevalue(f"{request.param}_url")
    return found


def people(number: int) -> tuple[str, ...]:
    return tuple(f"54911{each:08}" for each in range(1, number + 1))


def duplicates() -> float:
    return REGISTRY.get_sample_value("hilo_messages_total", {"outcome": "duplicate"}) or 0.0


def each_unit_was_sold_once(town: Street, crowd: Crowd, units: int) -> str:
    """Check all of it; the figures in one line."""
    sold, left = town.sold(), town.left()
    told = [text for text in crowd.ends.values() if ORDERED not in text]
    assert [order["number"] for order in sold] == list(range(1, units + 1))
    assert sum(order["units"] for order in sold) == units - left == units
    assert len({order["contact_id"] for order in sold}) == len(sold) == crowd.ordered
    assert {order["status"] for order in sold} == {"pending"}
    assert len(told) == len(crowd.contacts) - units
    assert [text for text in told if not TOLD.search(text)] == []
    assert town.sent_twice() == []
    assert town.rows("SELECT id FROM handoffs") == []
    return (
        f"{len(crowd.contacts)} contacts, {units} units: {len(sold)} orders, the last ORD-{sold[-1]['number']:05}, "
        f"{left} left, {len(told)} offered something else, {len(town.fake.taken)} messages sent, none twice"
    )


async def test_a_crowd_on_sqlite_gets_what_there_is(sqlite_url: str, tell: Tell) -> None:
    async with street(sqlite_url, faults=UNRULY) as town:
        await town.stock(10)
        crowd, began, before = Crowd(town.fake, people(40)), time.monotonic(), duplicates()
        await crowd.order(seconds=PATIENCE)
        await town.rest()
        took = time.monotonic() - began
        figures = each_unit_was_sold_once(town, crowd, 10)
    tell(f"SQLite, in one process: {figures}, {duplicates() - before:.0f} webhooks repeated, {took:.1f} s")


async def test_a_crowd_on_postgres_gets_what_there_is_though_a_worker_is_killed(postgres_url: str, tell: Tell) -> None:
    async with street(postgres_url, faults=UNRULY, workers=False) as town, worker(town) as one, worker(town):
        await town.stock(depth(15, 50))
        crowd, began, before = Crowd(town.fake, people(depth(40, 200))), time.monotonic(), duplicates()
        killed: list[int] = []

        async def kill_in_the_middle() -> None:
            if crowd.ordered >= 10 and not killed:
                killed.append(crowd.ordered)
                one.kill()
                await one.wait()

        await crowd.order(seconds=3 * PATIENCE, watch=kill_in_the_middle)
        await town.rest()
        took = time.monotonic() - began
        figures = each_unit_was_sold_once(town, crowd, depth(15, 50))
        assert one.returncode == -9
    tell(
        f"PostgreSQL, two workers, one killed after {killed[0]} orders: {figures}, "
        f"{duplicates() - before:.0f} webhooks repeated, {took:.1f} s"
    )


@pytest.mark.parametrize("how", ["written", "pressed"])
async def test_a_confirmation_that_comes_ten_times_at_once_is_one_order(url: str, how: str) -> None:
    async with street(url) as town:
        await town.stock(50)
        (contact,) = people(1)
        for text in ("quiero 1 turrón", "confirmar", "Ana Paz, DNI 30123456", "lo retiro"):
            await _say(town, contact, text)
        summary = town.fake.chats.of(contact)[-1]
        assert "¿Confirmamos?" in summary.text
        act, said = (town.fake.write, "sí") if how == "written" else (town.fake.press, summary.choices[0].payload)
        await asyncio.gather(*(act(contact, said) for _ in range(10)))
        await town.rest()
        assert [(order["number"], order["units"]) for order in town.sold()] == [(1, 1)]
        assert town.left() == 49
        assert sum(ORDERED in text for text in town.fake.chats.said_to(contact)) == 1
        assert town.sent_twice() == []


async def _say(town: Street, contact: str, text: str) -> None:
    """Write, and wait for the answer."""
    before = len(town.fake.chats.said_to(contact))
    await town.fake.write(contact, text)
    async with asyncio.timeout(PATIENCE):
        while len(town.fake.chats.said_to(contact)) == before:  # noqa: ASYNC110 -- it happens in the database
            await asyncio.sleep(0.02)
