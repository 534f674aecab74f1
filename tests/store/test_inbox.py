"""The inbox: every message once, in order, kept long enough; bursts."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from scenes import NOW, SECOND, Scene, arrival, arrivals, later, next_session, outcome

from hilo.dialogue.events import Event, MessageReceived, OperatorTookOver, Released
from hilo.dialogue.stored import decode
from hilo.messages import Outbound
from hilo.store.api import Words, speak
from hilo.store.commits import commit
from hilo.store.inbox import IdReused, accept, forget, put
from patience import PATIENCE

pytest_plugins = ("databases",)

DAY = timedelta(days=1)


def texts(scene: Scene) -> list[str]:
    return scene.column("SELECT external_id FROM inbox ORDER BY id")


async def test_a_duplicate_changes_nothing(scene: Scene) -> None:
    first = await scene.hear("hola")
    before = scene.everything(but=("addresses",))
    again = await scene.hear("hola", at=later(5))
    assert again.duplicate
    assert again.address == first.address
    assert again.at is None
    assert scene.everything(but=("addresses",)) == before


async def test_a_duplicate_after_the_turn_is_done_changes_nothing(scene: Scene) -> None:
    taken = await scene.turn("hola", say=("¡Hola!",))
    before = scene.everything(but=("addresses",))
    assert (await scene.hear("hola", at=NOW + 29 * DAY)).duplicate
    assert scene.everything(but=("addresses",)) == before
    assert scene.column("SELECT next_at FROM work WHERE kind = 'turn'") == [None]
    assert taken.session is None


async def test_of_many_deliveries_at_once_one_is_accepted(scene: Scene) -> None:
    accepted = await asyncio.gather(*(scene.hear("hola") for _ in range(20)))
    assert sum(not each.duplicate for each in accepted) == 1
    assert texts(scene) == ["hola"]


async def test_the_same_id_on_another_channel_is_another_message(scene: Scene) -> None:
    accepted = [await scene.hear("1", channel=channel) for channel in ("wa", "tg", "far")]
    assert not any(each.duplicate for each in accepted)
    assert len({each.address for each in accepted}) == 3


async def test_one_contact_and_one_address_however_many_first_messages_race(scene: Scene) -> None:
    accepted = await asyncio.gather(*(scene.hear(str(number)) for number in range(20)))
    assert len({each.address for each in accepted}) == 1
    assert len(scene.column("SELECT id FROM contacts")) == 1
    assert scene.column("SELECT contact_id FROM addresses") == scene.column("SELECT id FROM contacts")
    assert len(texts(scene)) == 20


async def test_the_order_of_a_batch_is_kept_for_each_contact(scene: Scene) -> None:
    batch = [*arrivals("b1", "b2", sender="beto"), *arrivals("a1", sender="ana"), *arrivals("b0", sender="beto")]
    accepted = await scene.store.run(accept, "wa", batch, now=NOW)
    assert [each.address for each in accepted[:2]] == [accepted[3].address] * 2
    taken = await scene.take(accepted[0].address)
    assert [each.event for each in taken.events] == [MessageReceived(NOW, text, id=text) for text in ("b1", "b2", "b0")]


async def test_batches_in_opposite_order_do_not_stop_each_other(scene: Scene) -> None:
    def batch(number: int) -> list[str]:
        names = [f"contact{each}" for each in range(5)]
        return names if number % 2 else names[::-1]

    runs = [
        scene.store.run(accept, "wa", [arrival(f"{name}-{number}", sender=name) for name in batch(number)], now=NOW)
        for number in range(10)
    ]
    await asyncio.wait_for(asyncio.gather(*runs), PATIENCE)
    assert len(texts(scene)) == 50


async def test_a_duplicate_within_a_batch_is_accepted_once(scene: Scene) -> None:
    accepted = await scene.store.run(accept, "wa", arrivals("hola", "hola"), now=NOW)
    assert [each.duplicate for each in accepted] == [False, True]


async def test_a_channel_that_is_not_there_is_refused(scene: Scene) -> None:
    with pytest.raises(LookupError, match="no channel nowhere"):
        await scene.hear("hola", channel="nowhere")


async def test_what_the_channel_says_of_a_contact_is_kept(scene: Scene) -> None:
    await scene.store.run(accept, "wa", [arrival("hola", name="Ana")], now=NOW)
    await scene.store.run(accept, "wa", [arrival("otra", name="Otra")], now=later(1))
    assert scene.column("SELECT name FROM contacts") == ["Ana"]


async def test_an_older_message_does_not_set_the_last_word_back(scene: Scene) -> None:
    await scene.hear("1", at=later(9))
    await scene.store.run(accept, "wa", arrivals("2", at=NOW), now=later(20))
    await scene.store.run(accept, "wa", arrivals("3", at=later(5000)), now=later(9))  # their clock is wrong
    [heard] = scene.column("SELECT heard_at FROM addresses")
    assert heard == int(later(9).timestamp() * 1_000_000)


async def test_events_that_had_their_turn_are_forgotten_after_thirty_days(scene: Scene) -> None:
    await scene.turn("done")
    await scene.store.run(forget, now=NOW + 30 * DAY)
    assert texts(scene) == ["done"]
    await scene.store.run(forget, now=NOW + 30 * DAY + SECOND)
    assert texts(scene) == []


async def test_events_that_wait_are_never_forgotten(scene: Scene) -> None:
    await scene.hear("waits")
    await scene.store.run(forget, now=NOW + 3000 * DAY)
    assert texts(scene) == ["waits"]


# --- bursts -------------------------------------------------------------------------------------------


async def burst(scene: Scene, text: str, at: float, *, quiet: float = 2, limit: float = 5) -> float:
    """When the turn is due after a message, in seconds from NOW."""
    [accepted] = await scene.store.run(accept, "wa", [arrival(text, quiet=quiet, limit=limit)], now=later(at))
    assert accepted.at is not None
    return (accepted.at - NOW).total_seconds()


async def test_a_message_moves_the_turn_but_not_beyond_the_limit_of_the_first(scene: Scene) -> None:
    assert [await burst(scene, str(at), at) for at in (0, 1.5, 3, 4.5)] == [2, 3.5, 5, 5]


async def test_a_message_that_need_not_wait_brings_the_turn_forward(scene: Scene) -> None:
    assert await burst(scene, "1", 0) == 2
    assert await burst(scene, "2", 0.5, quiet=0) == 0.5


async def test_a_duplicate_does_not_move_the_turn(scene: Scene) -> None:
    await burst(scene, "1", 0)
    await scene.store.run(accept, "wa", [arrival("1", quiet=2, limit=5)], now=later(1))
    assert scene.column("SELECT next_at FROM work") == [int(later(2).timestamp() * 1_000_000)]


async def test_a_new_burst_begins_after_the_turn(scene: Scene) -> None:
    await burst(scene, "1", 0)
    [address] = scene.column("SELECT id FROM addresses")
    taken = await scene.take(address, at=later(2))
    await scene.store.run(commit, outcome(taken), now=later(2))
    assert [await burst(scene, str(at), at) for at in (10, 11.5, 14.5)] == [12, 13.5, 15]


async def test_an_event_that_is_no_message_is_due_at_once_even_in_a_burst(scene: Scene) -> None:
    taken = await scene.turn("hola")
    await burst(scene, "1", 10)
    accepted = await scene.store.run(
        put, "w", taken.session_id, OperatorTookOver(later(11)), external_id="click", now=later(11)
    )
    assert accepted is not None
    assert accepted.at == later(11)
    assert await burst(scene, "2", 11.5) <= 11.5


async def test_an_event_is_put_once_per_id_and_never_meets_the_ids_of_the_channel(scene: Scene) -> None:
    taken = await scene.turn("same")
    for expected in (False, True):
        accepted = await scene.store.run(put, "w", taken.session_id, OperatorTookOver(NOW), external_id="same", now=NOW)
        assert accepted is not None
        assert accepted.duplicate is expected
    assert len(texts(scene)) == 2


async def test_an_id_stands_for_one_event_whenever_it_comes(scene: Scene) -> None:
    session = (await scene.turn("hola")).session_id

    async def click(event: Event) -> bool:
        try:
            accepted = await scene.store.run(put, "w", session, event, external_id="same", now=event.at)
        except IdReused:
            return False
        assert accepted
        return accepted.duplicate

    events = [OperatorTookOver(later(each), f"op {each % 2}") for each in range(6)]
    assert sorted(await asyncio.gather(*map(click, events))) == [False] * 4 + [True] * 2
    [kept] = scene.column("SELECT CAST(event AS TEXT) FROM inbox WHERE external_id LIKE '%same'")
    known = decode(Event, kept)
    await scene.next_turn((await scene.hear("otra", at=later(10))).address, at=later(10))
    assert await click(replace(known, at=later(99)))
    assert not await click(Released(later(99)))


async def test_of_many_words_at_once_under_one_id_one_are_spoken(scene: Scene) -> None:
    taken = await scene.take((await scene.hear("hola")).address)
    held = replace(next_session(taken), holder="operator", status="handed_off")
    await scene.commit(taken, session=held)
    words = [Words("w", taken.session_id, "m", Outbound(f"text {each % 3}")) for each in range(6)]
    answers = await asyncio.gather(*(scene.store.run(speak, each, now=NOW) for each in words), return_exceptions=True)
    assert sorted(type(each).__name__ for each in answers) == ["IdReused"] * 4 + ["Spoken"] * 2
    assert len(scene.column("SELECT id FROM outbox")) == 1


async def test_an_event_for_a_session_of_another_workspace_is_not_put(scene: Scene) -> None:
    taken = await scene.turn("hola")
    before = scene.everything()
    for workspace, session in (("v", taken.session_id), ("w", "session_no")):
        assert await scene.store.run(put, workspace, session, OperatorTookOver(NOW), external_id="x", now=NOW) is None
    assert scene.everything() == before
