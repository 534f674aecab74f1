"""Claims: one worker for an address, and a zombie that changes nothing."""

import asyncio
from dataclasses import replace

import pytest
from scenes import NOW, SECOND, Scene, later, next_session

from hilo.store.journal import CallAttempt, Ended, begin_call, end_call
from hilo.store.outbox import Went, end
from hilo.store.store import Refuted
from hilo.store.turns import NotOurs, ThrownAway, TurnInput, take
from hilo.store.work import (
    LEASE,
    Claim,
    NotNow,
    WaitingAddress,
    claim,
    clear_owner,
    give_back,
    heartbeat,
    is_held,
    let_go,
    owners,
    put_off,
    release,
    waiting,
)

pytest_plugins = ("databases",)

END = NOW + LEASE
CALL = CallAttempt("session_1", 1, "call", 1, "order", 1)


async def claimed(scene: Scene, address: str, owner: str = "A", *, seconds: float = 0) -> Claim:
    held = await scene.store.run(claim, "turn", address, owner=owner, now=later(seconds))
    assert isinstance(held, Claim), held
    return held


async def refused(scene: Scene, address: str, *, seconds: float = 0) -> NotNow:
    held = await scene.store.run(claim, "turn", address, owner="B", now=later(seconds))
    assert isinstance(held, NotNow), held
    return held


@pytest.fixture
async def address(scene: Scene) -> str:
    return (await scene.hear("hola")).address


async def test_of_many_workers_one_gets_the_claim(scene: Scene, address: str) -> None:
    tries = [scene.store.run(claim, "turn", address, owner=str(each), now=NOW) for each in range(10)]
    answers = await asyncio.gather(*tries)
    assert sum(isinstance(each, Claim) for each in answers) == 1
    assert {each.at for each in answers if isinstance(each, NotNow)} == {END}


async def test_what_is_not_due_cannot_be_claimed(scene: Scene, address: str) -> None:
    assert await refused(scene, address, seconds=-1) == NotNow(NOW)
    assert await refused(scene, "address_no") == NotNow(None)


async def test_a_lease_that_ended_can_be_taken_by_another(scene: Scene, address: str) -> None:
    old = await claimed(scene, address)
    assert await refused(scene, address, seconds=9.9) == NotNow(END)
    new = await claimed(scene, address, "B", seconds=10)  # at the very moment that the refusal named
    assert new.token > old.token
    assert not await scene.store.run(is_held, old)
    assert await scene.store.run(is_held, new)


async def test_a_zombie_commits_nothing(scene: Scene, address: str) -> None:
    zombie = await scene.take(address)
    await scene.take(address, at=END + SECOND, owner="B")
    before = scene.everything()
    assert await scene.commit(zombie, say=("tarde",)) == ThrownAway("lease")
    assert scene.everything() == before


async def test_a_zombie_of_the_same_process_commits_nothing(scene: Scene, address: str) -> None:
    zombie = await scene.take(address)
    await scene.take(address, at=END + SECOND)
    assert await scene.commit(zombie) == ThrownAway("lease")


async def test_a_zombie_begins_no_call_and_neither_puts_off_nor_gives_back(scene: Scene, address: str) -> None:
    zombie = await claimed(scene, address)
    await claimed(scene, address, "B", seconds=11)
    before = scene.everything()
    with pytest.raises(Refuted):
        await scene.store.run(begin_call, zombie, CALL, {}, now=NOW)
    await scene.store.run(put_off, zombie, until=later(99), error="late")
    await scene.store.run(give_back, zombie, now=NOW)
    await scene.store.run(release, zombie, next_at=None)
    assert scene.everything() == before


async def test_a_zombie_ends_no_sending(scene: Scene) -> None:
    taken = await scene.turn("hola", say=("uno",))
    zombie = await scene.begin(taken.place.address)
    await scene.begin(taken.place.address, at=END + SECOND, owner="B")
    before = scene.everything()
    for went in (Went("sent", channel_message_id="x"), Went("failed", "no"), Went("later"), Went("unknown")):
        assert await scene.store.run(end, zombie, went, now=END) == NotNow(None)
    assert scene.everything() == before


async def test_who_lost_the_lease_to_nobody_may_still_commit(scene: Scene, address: str) -> None:
    taken = await scene.take(address)
    assert not isinstance(await scene.commit(taken, at=later(60)), ThrownAway)


async def test_a_heartbeat_keeps_the_claims_of_its_process_only(scene: Scene, address: str) -> None:
    other = (await scene.hear("buenas", sender="beto")).address
    await claimed(scene, address)
    await claimed(scene, other, "B")
    await scene.store.run(heartbeat, "A", until=later(25))
    assert await refused(scene, address, seconds=20) == NotNow(later(25))
    await claimed(scene, other, "C", seconds=20)


async def test_a_heartbeat_does_not_revive_what_was_released(scene: Scene, address: str) -> None:
    held = await claimed(scene, address)
    await scene.store.run(release, held, next_at=NOW)
    await scene.store.run(heartbeat, "A", until=later(25))
    await claimed(scene, address, "B", seconds=1)


async def test_a_heartbeat_does_not_disturb_who_took_over(scene: Scene, address: str) -> None:
    await claimed(scene, address)
    new = await claimed(scene, address, "B", seconds=11)
    await scene.store.run(heartbeat, "A", until=later(99))
    assert await scene.store.run(is_held, new)
    await claimed(scene, address, "C", seconds=22)


async def test_attempts_count_claims_that_came_to_nothing(scene: Scene, address: str) -> None:
    counts = [(await claimed(scene, address, seconds=11 * each)).attempts for each in range(3)]
    assert counts == [1, 2, 3]


async def test_attempts_begin_anew_after_a_commit(scene: Scene, address: str) -> None:
    await claimed(scene, address)
    await scene.next_turn(address, at=later(11))
    await scene.hear("otra", at=later(12))
    assert (await scene.take(address, at=later(12))).claim.attempts == 1


async def test_what_is_given_back_does_not_count_and_is_due_at_once(scene: Scene, address: str) -> None:
    await claimed(scene, address)
    held = await claimed(scene, address, seconds=11)
    await scene.store.run(give_back, held, now=later(12))
    assert (await claimed(scene, address, "B", seconds=12)).attempts == 2


async def test_what_is_put_off_counts_and_keeps_its_error(scene: Scene, address: str) -> None:
    held = await claimed(scene, address)
    await scene.store.run(put_off, held, until=later(4), error="boom")
    assert await refused(scene, address, seconds=3) == NotNow(later(4))
    again = await claimed(scene, address, seconds=4)
    assert (again.attempts, again.error) == (2, "boom")


async def test_the_claims_of_a_dead_process_are_freed(scene: Scene, address: str) -> None:
    await claimed(scene, address)
    assert await scene.store.run(owners) == ("A",)
    await scene.store.run(clear_owner, "A")
    assert await scene.store.run(owners) == ()
    assert (await claimed(scene, address, "B")).attempts == 2


async def test_what_waits_is_found_with_the_time_at_which_it_can_be_done(scene: Scene, address: str) -> None:
    other = (await scene.hear("buenas", sender="beto", at=later(5))).address
    await scene.hear("hey", sender="ciro", at=later(60))
    await claimed(scene, address)
    found = await scene.store.run(waiting, until=later(30))
    assert found == (
        WaitingAddress("turn", address, END, urgent=False),
        WaitingAddress("turn", other, later(5), urgent=False),
    )


async def test_an_address_without_events_has_no_turn(scene: Scene, address: str) -> None:
    await scene.next_turn(address)
    assert await scene.store.run(take, address, owner="A", now=later(1)) == NotNow(None)


async def test_work_that_turns_out_to_be_none_is_released(scene: Scene, address: str) -> None:
    scene.rows("UPDATE inbox SET status = 'done'")
    assert await scene.store.run(take, address, owner="A", now=NOW) == NotNow(None)
    assert scene.rows("SELECT next_at, lease_owner, attempts FROM work") == [
        {"next_at": None, "lease_owner": None, "attempts": 0}
    ]


# --- the journal --------------------------------------------------------------------------------------


async def test_a_call_is_written_down_before_and_after(scene: Scene, address: str) -> None:
    held = await claimed(scene, address)
    await scene.store.run(begin_call, held, CALL, {"dish": "arepa"}, now=NOW)
    [begun] = scene.rows("SELECT * FROM tool_calls")
    assert (begun["status"], begun["ended_at"], begun["inbox_id"]) == ("started", None, 1)
    await scene.store.run(end_call, CALL, Ended("ok", {"order": 7}), now=later(1))
    [ended] = scene.rows("SELECT status, ended_at > started_at AS after FROM tool_calls")
    assert ended == {"status": "ok", "after": True}


async def test_a_call_that_is_begun_again_is_one_call(scene: Scene, address: str) -> None:
    held = await claimed(scene, address)
    await scene.store.run(begin_call, held, CALL, {}, now=NOW)
    await scene.store.run(end_call, CALL, Ended("ok", {"order": 7}), now=NOW)
    await scene.store.run(begin_call, held, CALL, {}, now=later(1))
    assert scene.column("SELECT status FROM tool_calls") == ["ok"]


async def test_who_frees_a_claim_that_it_knows_frees_no_later_one_of_the_same_process(
    scene: Scene, address: str
) -> None:
    first = await claimed(scene, address)
    await scene.store.run(release, first, next_at=NOW)
    second = await claimed(scene, address)
    await scene.store.run(let_go, "turn", address, owner="A", known=first)
    assert await scene.store.run(is_held, second)
    await scene.store.run(let_go, "turn", address, owner="A")  # nobody knows which: whatever is ours
    assert not await scene.store.run(is_held, second)


async def test_a_turn_goes_to_a_process_without_its_agent_only_when_nobody_has_it(scene: Scene) -> None:
    async def try_to_take(address: str, seconds: float) -> object:
        return await scene.store.run(take, address, owner="B", now=later(seconds), serves=lambda _agent: False)

    waiting = (await scene.hear("hola")).address
    assert await try_to_take(waiting, 59) == NotOurs("leads", later(60))
    await scene.turn("buenas", sender="beto", at=later(30))
    assert await try_to_take(waiting, 61) == NotOurs("leads", later(121)), "its process is slow, and alive"
    assert isinstance(await try_to_take(waiting, 121), TurnInput)


async def test_a_session_that_was_given_up_is_no_sign_that_its_agent_is_served(scene: Scene) -> None:
    waiting = (await scene.hear("hola")).address
    taken = await scene.take((await scene.hear("buenas", sender="beto", at=later(30))).address, at=later(30))
    await scene.commit(taken, at=later(30), session=replace(next_session(taken, later(30)), holder="operator"))
    answer = await scene.store.run(take, waiting, owner="B", now=later(61), serves=lambda _agent: False)
    assert isinstance(answer, TurnInput)
