"""One statement where several stood: it does what they did, or nothing at all."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scenes import NOW, SECOND, Scene, arrival, draft, later, next_session, outcome

from hilo.messages import Outbound
from hilo.store.channel_health import note_failure
from hilo.store.commits import commit, commit_at_once, is_plain
from hilo.store.inbox import accept, accept_one
from hilo.store.journal import CallAttempt, begin_call
from hilo.store.outbox import Sending, Went, end, put_back
from hilo.store.sqlite import SqliteStore
from hilo.store.store import Refuted
from hilo.store.turns import Committed, Outcome, TurnInput, take
from hilo.store.work import NotNow
from hilo.tools.database import Script, statement, together

pytest_plugins = ("databases",)

SENDS = {"sends_for": 10 * SECOND}


async def second_turn(scene: Scene) -> TurnInput:
    """A turn of a session that was there before; nothing is left to send."""
    first = await scene.turn("hola", say=("¡Hola!",))
    await scene.send(first.place.address)
    await scene.hear("otra")
    return await scene.take(first.place.address)


def sending_state(scene: Scene) -> list[Any]:
    return [scene.column("SELECT status FROM outbox ORDER BY id"), scene.column("SELECT lease_owner FROM work")]


# --- a message --------------------------------------------------------------------------------------------


async def test_a_message_of_somebody_new_is_left_to_whoever_can_add_them(scene: Scene) -> None:
    assert await scene.store.run(accept_one, "wa", arrival("hola"), now=NOW) is None
    assert scene.column("SELECT id FROM inbox") == []
    assert scene.column("SELECT address_id FROM work") == []


async def test_a_message_is_written_as_it_is_among_others(scene: Scene) -> None:
    await scene.turn("hola")
    one = await scene.store.run(accept_one, "wa", arrival("uno", quiet=1, limit=2), now=NOW)
    assert one is not None
    row = scene.rows("SELECT * FROM inbox WHERE external_id = 'uno'")
    work = scene.rows("SELECT * FROM work")
    await scene.turn("buenas", sender="beto")
    [other] = await scene.store.run(accept, "wa", [arrival("dos", sender="beto", quiet=1, limit=2)], now=NOW)
    assert replace(other, address=one.address) == one
    alike = scene.rows("SELECT * FROM inbox WHERE external_id = 'dos'")
    differ = {"id", "external_id", "address_id", "event"}
    assert {name: row[0][name] for name in row[0].keys() - differ} == {
        name: alike[0][name] for name in row[0].keys() - differ
    }
    beto = [each for each in scene.rows("SELECT * FROM work") if each["address_id"] == other.address]
    assert [{**each, "address_id": ""} for each in work] == [{**each, "address_id": ""} for each in beto]


async def test_a_removed_channel_takes_no_message_and_calls_for_no_turn(scene: Scene) -> None:
    await scene.turn("hola")
    scene.rows("UPDATE channels SET removed_at = 1 WHERE id = 'wa'")
    before = scene.everything()
    assert await scene.store.run(accept_one, "wa", arrival("otra"), now=NOW) is None
    assert scene.everything() == before


async def test_of_many_at_once_each_message_is_there_once_and_in_one_turn(scene: Scene) -> None:
    await scene.turn("hola")
    texts = [str(number % 10) for number in range(30)]
    heard = await asyncio.gather(*(scene.store.run(accept_one, "wa", arrival(text), now=NOW) for text in texts))
    assert sum(not each.duplicate for each in heard if each) == 10
    taken = await scene.take(scene.column("SELECT id FROM addresses")[0])
    assert len(taken.events) == 10


# --- a commit ---------------------------------------------------------------------------------------------


async def test_a_commit_at_once_leaves_what_a_commit_leaves(scene: Scene) -> None:
    left: list[dict[str, Any]] = []
    for sender, script in (("ana", commit), ("beto", commit_at_once)):
        await scene.turn(f"hola {sender}", sender=sender)
        address = (await scene.hear(f"otra {sender}", sender=sender)).address
        taken = await scene.take(address)
        done = outcome(taken, say=(f"dos {sender}",), timers={"silence": later(60)}, modes=("m",))
        assert is_plain(done)
        result: Any = await scene.store.run(script, done, now=NOW, **SENDS)
        assert result.next_at is None
        assert result.sending.message == Outbound(f"dos {sender}")
        tables = scene.everything(but=("addresses", "contacts", "channels", "workspaces"))
        mine = {name: str([row for row in rows if taken.session_id in str(row) or address in str(row)])
                for name, rows in tables.items()}  # fmt: skip
        for own, anybody in ((taken.session_id, "S"), (address, "A"), (sender, "C"), (taken.place.contact, "P")):
            mine = {name: text.replace(own, anybody) for name, text in mine.items()}
        left.append(mine)
    assert {name: len(text) for name, text in left[0].items()} == {name: len(text) for name, text in left[1].items()}


async def test_the_first_message_of_a_turn_is_being_sent_when_its_commit_is_done(scene: Scene) -> None:
    taken = await second_turn(scene)
    result = await scene.store.run(commit_at_once, outcome(taken, say=("dos",)), now=NOW, **SENDS)
    assert isinstance(result, Committed)
    sending = result.sending
    assert isinstance(sending, Sending)
    assert sending.to == "ana"
    address = taken.place.address
    assert await scene.sends_nothing(address, owner="B") == later(10)
    assert await scene.store.run(end, sending, Went("sent"), now=later(2), began=later(1)) == NotNow(None)
    [row] = scene.rows("SELECT status, attempts, sending_at, sent_at FROM outbox WHERE message_id = 'dos'")
    assert row["status"] == "sent"
    assert row["attempts"] == 1
    assert (row["sent_at"] - row["sending_at"]) == 1_000_000  # it began when the channel was told, not at the commit


async def test_a_message_that_was_marked_and_not_sent_waits_again(scene: Scene) -> None:
    taken = await second_turn(scene)
    result = await scene.store.run(commit_at_once, outcome(taken, say=("dos",)), now=NOW, **SENDS)
    assert result.sending
    await scene.store.run(put_back, result.sending, now=later(1))
    assert await scene.send(taken.place.address, at=later(1)) == "dos"


async def test_a_process_that_dies_after_its_commit_leaves_a_message_that_others_send(scene: Scene) -> None:
    taken = await second_turn(scene)
    await scene.store.run(commit_at_once, outcome(taken, say=("dos",)), now=NOW, **SENDS)
    assert (await scene.begin(taken.place.address, at=later(10), owner="B")).message.text == "dos"


Meanwhile = Callable[[Scene, TurnInput], Awaitable[Any]]


async def _unsent(scene: Scene, taken: TurnInput) -> None:
    await scene.say(draft(taken, "antes"))


async def _sending(scene: Scene, taken: TurnInput) -> None:
    await scene.say(draft(taken, "antes"))
    await scene.begin(taken.place.address)


async def _limited(scene: Scene, _taken: TurnInput) -> None:
    await scene.channel("wa", per_second=1)


async def _closed(scene: Scene, _taken: TurnInput) -> None:
    await scene.channel("wa", window_hours=24)
    scene.rows("UPDATE addresses SET heard_at = 1")


async def _troubled(scene: Scene, _taken: TurnInput) -> None:
    for _ in range(20):
        await scene.store.run(note_failure, "wa", "credentials", "no", now=NOW)


@pytest.mark.parametrize("meanwhile", [_unsent, _sending, _limited, _closed, _troubled])
async def test_a_message_that_may_not_go_at_once_is_left_to_the_outbox(scene: Scene, meanwhile: Meanwhile) -> None:
    taken = await second_turn(scene)
    await meanwhile(scene, taken)
    before = scene.everything()
    done = outcome(taken, say=("dos",))
    with pytest.raises(Refuted):
        await scene.store.run(commit_at_once, done, now=NOW, **SENDS)
    assert scene.everything() == before
    assert await scene.store.run(commit, done, now=NOW, **SENDS) == Committed(None)
    assert scene.column("SELECT status FROM outbox WHERE message_id = 'dos'") == ["pending"]


async def _lost(scene: Scene, taken: TurnInput) -> None:
    await scene.take(taken.place.address, at=later(60), owner="B")


async def _wrote(scene: Scene, _taken: TurnInput) -> None:
    await scene.hear("y algo más")


async def _moved(scene: Scene, taken: TurnInput) -> None:
    scene.rows(f"UPDATE sessions SET version = version + 1 WHERE id = '{taken.session_id}'")  # noqa: S608


@pytest.mark.parametrize("meanwhile", [_lost, _wrote, _moved])
async def test_a_turn_that_something_has_overtaken_changes_nothing(scene: Scene, meanwhile: Meanwhile) -> None:
    taken = await second_turn(scene)
    await meanwhile(scene, taken)
    before = scene.everything()
    with pytest.raises(Refuted):
        await scene.store.run(commit_at_once, outcome(taken, say=("dos",), wait_for_newer=True), now=NOW, **SENDS)
    assert scene.everything() == before


async def test_who_writes_beside_a_turn_that_does_not_wait_has_the_next_one(scene: Scene) -> None:
    taken = await second_turn(scene)
    await scene.hear("y algo más")
    done: Outcome = outcome(taken, session=next_session(taken))
    assert await scene.store.run(commit_at_once, done, now=NOW, **SENDS) == Committed(NOW)
    assert [each.event.id for each in (await scene.take(taken.place.address)).events] == ["y algo más"]  # type: ignore[union-attr]


# --- what is required, and what may be forgotten ----------------------------------------------------------


async def test_nothing_happens_where_something_required_is_not_there(scene: Scene) -> None:
    address = (await scene.hear("hola")).address
    before = scene.everything()

    def script() -> Script[Any]:
        return (
            yield from together(
                statement("channel", channel="wa"),
                statement("channel", channel="none"),
                statement("events_done", status="done", turn=1, address=address, last=99),
                required=2,
            )
        )

    with pytest.raises(Refuted):
        await scene.store.run(script)
    assert scene.everything() == before


async def test_only_what_may_be_forgotten_is_not_on_the_disk_at_once(sqlite_scene: Scene) -> None:
    store = SqliteStore(Path(sqlite_scene.url.removeprefix("sqlite:///")))

    def level() -> Any:
        return store._connection.execute("PRAGMA synchronous").fetchone()[0]  # noqa: SLF001

    full, normal = 2, 1
    [heard] = await store.run(accept, "wa", [arrival("hola")], now=NOW)
    assert level() == full
    assert isinstance(await store.run(take, heard.address, owner="A", now=NOW), TurnInput)
    assert level() == normal
    await store.run(accept, "wa", [arrival("otra")], now=NOW)
    assert level() == full
    await store.close()


async def test_a_call_is_not_begun_by_who_has_lost_the_turn(scene: Scene) -> None:
    taken = await second_turn(scene)
    call = CallAttempt(taken.session_id, 2, "c", 1, "order", taken.last)
    await _lost(scene, taken)
    with pytest.raises(Refuted):
        await scene.store.run(begin_call, taken.claim, call, {}, now=NOW)
    assert scene.column("SELECT call_id FROM tool_calls") == []
