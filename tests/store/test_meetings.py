"""Transactions that meet on PostgreSQL: one is stopped in the middle while another goes on. SQLite has one writer."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from scenes import NOW, Scene, arrival, later, names_of, outcome

from hilo.dialogue.events import MessageReceived, OperatorTookOver, TimerFired
from hilo.messages import Receipt
from hilo.store.commits import commit, commit_at_once
from hilo.store.inbox import accept_one, fire, put
from hilo.store.outbox import Sending, Went, begin, end, note_receipts
from hilo.store.postgres import PostgresStore
from hilo.store.store import Refuted
from hilo.store.turns import Committed, take
from hilo.store.work import NotNow, heartbeat, when_due
from hilo.tools.database import Script

pytest_plugins = ("databases",)

SOON = 60.0  # far below the time after which PostgreSQL looks for deadlocks here
PATIENT = "&deadlock_timeout=600s"


@dataclass
class Paused:
    """A script that stops after a query, in a thread of its own, until it may go on."""

    url: str
    query: str
    reached: threading.Event = field(default_factory=threading.Event)
    go: threading.Event = field(default_factory=threading.Event)

    def _script(self, script: Script[Any]) -> Script[Any]:
        rows: list[Any] | None = None
        while True:
            try:
                statement = next(script) if rows is None else script.send(rows)
            except StopIteration as end:
                return end.value
            rows = yield statement
            if self.query in names_of(statement):
                self.reached.set()
                self.go.wait(SOON)

    def _in_thread(self, script: Callable[..., Script[Any]], *values: Any, **named: Any) -> Any:
        def stopping() -> Script[Any]:
            return self._script(script(*values, **named))

        async def run() -> Any:
            store = await PostgresStore.open(self.url, pool=1)
            try:
                return await store.run(stopping)
            finally:
                await store.close()

        return asyncio.run(run())

    async def run(self, script: Callable[..., Script[Any]], *values: Any, **named: Any) -> "asyncio.Task[Any]":
        """Start it and come back when it has stopped."""
        task = asyncio.create_task(asyncio.to_thread(self._in_thread, script, *values, **named))
        assert await asyncio.to_thread(self.reached.wait, SOON), f"{self.query} is not reached"
        return task


@pytest.fixture
async def scene(postgres_scene: Scene) -> AsyncIterator[Scene]:
    """With a PostgreSQL that does not break deadlocks up before the test is over."""
    store = await PostgresStore.open(postgres_scene.url + PATIENT)
    yield Scene(store, "postgres", postgres_scene.url)
    await store.close()


@asynccontextmanager
async def meanwhile(scene: Scene, query: str, script: Any, *values: Any, **named: Any) -> AsyncIterator[Any]:
    """Run the block while the script stands still after a query; both must come to an end."""
    paused = Paused(scene.url + PATIENT, query)
    task = await paused.run(script, *values, **named)
    try:
        yield task
    finally:
        paused.go.set()
        await asyncio.wait_for(task, SOON)


async def both(task: "asyncio.Task[Any]") -> Any:
    """Give a task that may have to wait some time to get as far as it can."""
    await asyncio.wait({task}, timeout=0.2)
    return task.result() if task.done() else None


async def test_a_turn_does_not_overlook_an_event_whose_transaction_was_slower(scene: Scene) -> None:
    first = await scene.turn("hola")
    address, taken = first.place.address, None
    click = ("w", first.session_id, OperatorTookOver(NOW))
    async with meanwhile(scene, "add_event", put, *click, external_id="click", now=NOW):
        hearing = asyncio.create_task(scene.hear("otra"))
        if await both(hearing):
            taken = await scene.take(address)
    await asyncio.wait_for(hearing, SOON)
    if taken is not None:
        await scene.commit(taken)
    turns = [await scene.next_turn(address) for _ in range(2 - bool(taken))]
    events = [each.event for turn in (taken, *turns) if turn for each in turn.events]
    assert sorted(type(each).__name__ for each in events) == ["MessageReceived", "OperatorTookOver"]


async def test_a_commit_and_a_sending_to_its_contact_do_not_wait_for_each_other_for_ever(scene: Scene) -> None:
    first = await scene.turn("hola", say=("uno",))
    address = first.place.address
    await scene.hear("otra")
    turn = outcome(await scene.take(address), say=("dos",))
    async with meanwhile(scene, "update_session", commit, turn, now=NOW) as committing:
        sending = asyncio.create_task(scene.store.run(begin, address, owner="A", now=NOW))
        await both(sending)
    assert isinstance(await asyncio.wait_for(sending, SOON), Sending)
    assert committing.result() == Committed(None)


async def test_a_sending_and_a_commit_that_began_later_do_not_wait_for_each_other_for_ever(scene: Scene) -> None:
    first = await scene.turn("hola", say=("uno",))
    address = first.place.address
    await scene.hear("otra")
    turn = outcome(await scene.take(address), say=("dos",))
    async with meanwhile(scene, "claim", begin, address, owner="A", now=NOW) as sending:
        committing = asyncio.create_task(scene.store.run(commit, turn, now=NOW))
        await both(committing)
    assert await asyncio.wait_for(committing, SOON) == Committed(None)
    assert isinstance(sending.result(), Sending)


async def test_what_arrives_beside_a_commit_at_once_is_not_overlooked(scene: Scene) -> None:
    first = await scene.turn("hola")
    address = first.place.address
    await scene.hear("otra")
    turn = outcome(await scene.take(address))
    async with meanwhile(scene, "call_for_turn", accept_one, "wa", arrival("tercera"), now=NOW) as hearing:
        committing = asyncio.create_task(scene.store.run(commit_at_once, turn, now=NOW))
        await both(committing)
    assert not hearing.result().duplicate
    try:
        assert (await asyncio.wait_for(committing, SOON)).next_at == NOW
    except Refuted:
        assert await scene.store.run(commit, turn, now=NOW) == Committed(NOW)
    assert [each.event for each in (await scene.take(address)).events] == [
        MessageReceived(NOW, "tercera", id="tercera")
    ]


async def test_a_taking_beside_a_commit_sees_all_of_it_or_takes_nothing(scene: Scene) -> None:
    first = await scene.turn("hola")
    address = first.place.address
    await scene.hear("otra")
    turn = outcome(await scene.take(address), say=("uno",))
    async with meanwhile(scene, "release_turn", commit, turn, now=NOW):
        taking = asyncio.create_task(scene.store.run(take, address, owner="B", now=later(60)))
        await both(taking)
    assert await asyncio.wait_for(taking, SOON) == NotNow(None)
    await scene.hear("tercera")
    taken = await scene.take(address, owner="B", at=later(60))
    assert taken.session is not None
    assert taken.session.version == 2
    assert len(taken.events) == 1


async def test_a_timer_waits_while_its_session_is_committed_and_a_cancelled_one_never_fires(scene: Scene) -> None:
    first = await scene.turn("hola", timers={"silence": later(1), "other": later(1)})
    await scene.hear("aquí estoy")
    turn = outcome(await scene.take(first.place.address), timers={"silence": None})
    async with meanwhile(scene, "held_turn", commit, turn, now=NOW):
        assert await asyncio.wait_for(scene.store.run(fire, now=later(1)), SOON) == ()
    assert await scene.store.run(fire, now=later(1)) == (first.place.address,)
    [pending] = (await scene.take(first.place.address, at=later(1))).events
    assert pending.event == TimerFired(later(1), "other", later(1))


async def test_a_heartbeat_waits_for_nobody_and_keeps_the_other_claims(scene: Scene) -> None:
    address = (await scene.hear("hola")).address
    other = await scene.take((await scene.hear("buenas", sender="beto")).address)
    turn = outcome(await scene.take(address), say=("uno",))
    async with meanwhile(scene, "held_turn", commit, turn, now=NOW) as committing:
        await asyncio.wait_for(scene.store.run(heartbeat, "A", until=later(60)), SOON / 2)
    assert committing.result() == Committed(None)
    assert await scene.store.run(when_due, "turn", other.place.address) == NotNow(later(60))


async def test_a_commit_waits_for_a_timer_that_fires(scene: Scene) -> None:
    first = await scene.turn("hola", timers={"silence": later(1)})
    await scene.hear("aquí estoy")
    turn = outcome(await scene.take(first.place.address), timers={"silence": None})
    async with meanwhile(scene, "due_timers", fire, now=later(1)):
        committing = asyncio.create_task(scene.store.run(commit, turn, now=later(1)))
        await both(committing)
    assert await asyncio.wait_for(committing, SOON) == Committed(later(1))


@pytest.mark.parametrize("query", ["held_lease", "mark_sent"])
@pytest.mark.parametrize("channel_id", ["", "uno", "wamid"])
async def test_an_answer_and_its_receipt_do_not_wait_for_each_other_for_ever(
    scene: Scene, query: str, channel_id: str
) -> None:
    address = (await scene.turn("hola", say=("uno",))).place.address
    sending = await scene.begin(address)
    receipt = Receipt(channel_id or "uno", "read", NOW)
    async with meanwhile(scene, query, end, sending, Went("sent", channel_message_id=channel_id), now=NOW):
        noting = asyncio.create_task(scene.store.run(note_receipts, "wa", [receipt], now=NOW))
        await both(noting)
    await asyncio.wait_for(noting, SOON)
    assert scene.column("SELECT status FROM outbox") == ["read"]


@pytest.mark.parametrize("query", ["add_receipt", "find_message"])
@pytest.mark.parametrize("channel_id", ["", "uno", "wamid"])
async def test_a_receipt_and_its_answer_do_not_wait_for_each_other_for_ever(
    scene: Scene, query: str, channel_id: str
) -> None:
    address = (await scene.turn("hola", say=("uno",))).place.address
    sending = await scene.begin(address)
    receipt = Receipt(channel_id or "uno", "read", NOW)
    went = Went("sent", channel_message_id=channel_id)
    async with meanwhile(scene, query, note_receipts, "wa", [receipt], now=NOW):
        ending = asyncio.create_task(scene.store.run(end, sending, went, now=NOW))
        await both(ending)
    await asyncio.wait_for(ending, SOON)
    assert scene.column("SELECT status FROM outbox") == ["read"]


async def test_of_two_receipts_that_meet_the_further_one_stays(scene: Scene) -> None:
    address = (await scene.turn("hola", say=("uno",))).place.address
    await scene.send(address, Went("sent", channel_message_id="wamid"))
    async with meanwhile(scene, "find_message", note_receipts, "wa", [Receipt("wamid", "delivered", NOW)], now=NOW):
        await asyncio.wait_for(scene.store.run(note_receipts, "wa", [Receipt("uno", "read", NOW)], now=NOW), SOON)
    assert scene.column("SELECT status FROM outbox") == ["read"]


async def test_a_message_whose_receipt_comes_in_the_moment_of_sending_it_again_is_not_sent_again(scene: Scene) -> None:
    address = (await scene.turn("hola", say=("uno",))).place.address
    await scene.send(address, Went("later", "busy"))
    receipt = Receipt("uno", "delivered", NOW)
    async with meanwhile(scene, "unsent", begin, address, owner="A", now=later(5)) as beginning:
        await asyncio.wait_for(scene.store.run(note_receipts, "wa", [receipt], now=later(5)), SOON)
    assert not isinstance(beginning.result(), Sending)
    assert scene.column("SELECT status FROM outbox") == ["delivered"]


async def test_contacts_operators_timers_and_senders_at_once_lose_nothing(scene: Scene) -> None:
    first = await scene.turn("hola", timers={f"t{each}": NOW for each in range(5)}, say=("uno",))
    address = first.place.address

    async def write() -> None:
        for number in range(8):
            await scene.hear(f"m{number}")

    async def click() -> None:
        for number in range(8):
            event = OperatorTookOver(NOW)
            await scene.store.run(put, "w", first.session_id, event, external_id=f"c{number}", now=NOW)

    async def work() -> None:
        for number in range(12):
            await scene.store.run(fire, now=NOW)
            if scene.column("SELECT id FROM inbox WHERE status = 'pending'"):
                await scene.next_turn(address, say=(f"re{number}",))
            await asyncio.sleep(0)

    async def deliver() -> None:
        for _ in range(12):
            answer = await scene.store.run(begin, address, owner="B", now=NOW)
            if isinstance(answer, Sending):
                await scene.store.run(end, answer, Went("sent"), now=NOW)

    await asyncio.wait_for(asyncio.gather(write(), click(), work(), deliver()), 2 * SOON)
    while scene.column("SELECT id FROM inbox WHERE status = 'pending'"):
        await scene.next_turn(address)
    kinds = scene.column("SELECT kind FROM inbox ORDER BY kind")
    assert kinds == ["MessageReceived"] * 9 + ["OperatorTookOver"] * 8 + ["TimerFired"] * 5
