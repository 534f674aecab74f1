"""Timers: kept once, at their time, in the order of their times."""

import asyncio
from datetime import datetime

from scenes import NOW, Scene, later

from hilo.dialogue.events import TimerFired
from hilo.store.inbox import fire, next_due
from hilo.store.turns import TurnInput

pytest_plugins = ("databases",)


async def fired(scene: Scene, address: str, *, seconds: float) -> list[TimerFired]:
    """Fire what is due then, and what came of it in the inbox."""
    await scene.store.run(fire, now=later(seconds))
    events: list[TimerFired] = []
    while scene.column("SELECT id FROM inbox WHERE status = 'pending'"):
        taken = await scene.next_turn(address, at=later(seconds))
        events += [each.event for each in taken.events if isinstance(each.event, TimerFired)]
    return events


async def with_timers(scene: Scene, **timers: datetime | None) -> TurnInput:
    return await scene.turn("hola", timers=timers)


async def test_a_timer_fires_once_at_its_time(scene: Scene) -> None:
    taken = await with_timers(scene, silence=later(60))
    address = taken.place.address
    assert await fired(scene, address, seconds=59.9) == []
    assert await fired(scene, address, seconds=60) == [TimerFired(later(60), "silence", later(60))]
    assert await fired(scene, address, seconds=61) == []


async def test_a_timer_that_is_late_says_when_it_was_due(scene: Scene) -> None:
    taken = await with_timers(scene, silence=later(60))
    assert await fired(scene, taken.place.address, seconds=500) == [TimerFired(later(500), "silence", later(60))]


async def test_a_timer_fires_once_however_many_look(scene: Scene) -> None:
    taken = await with_timers(scene, **{f"t{each}": later(each) for each in range(10)})
    found = await asyncio.gather(*(scene.store.run(fire, now=later(60)) for _ in range(5)))
    assert [each for each in found if each] == [(taken.place.address,)]
    names = [each.name for each in await fired(scene, taken.place.address, seconds=60)]
    assert names == [f"t{each}" for each in range(10)]


async def test_timers_fire_in_the_order_of_their_times(scene: Scene) -> None:
    taken = await with_timers(scene, a=later(30), b=later(10), c=later(20), d=later(20))
    names = [each.name for each in await fired(scene, taken.place.address, seconds=60)]
    assert names == ["b", "c", "d", "a"]


async def test_a_cancelled_timer_does_not_fire(scene: Scene) -> None:
    taken = await with_timers(scene, silence=later(60), other=later(60))
    await scene.turn("aquí estoy", timers={"silence": None})
    assert [each.name for each in await fired(scene, taken.place.address, seconds=60)] == ["other"]


async def test_a_moved_timer_fires_at_the_new_time_only(scene: Scene) -> None:
    taken = await with_timers(scene, silence=later(60))
    await scene.turn("aquí estoy", timers={"silence": later(90)})
    assert await fired(scene, taken.place.address, seconds=60) == []
    assert [each.due for each in await fired(scene, taken.place.address, seconds=90)] == [later(90)]


async def test_a_timer_may_be_set_again_after_it_fired(scene: Scene) -> None:
    taken = await with_timers(scene, silence=later(60))
    assert len(await fired(scene, taken.place.address, seconds=60)) == 1
    await scene.turn("aquí estoy", at=later(61), timers={"silence": later(120)})
    assert len(await fired(scene, taken.place.address, seconds=120)) == 1


async def test_a_timer_set_again_for_the_same_moment_is_the_same_promise(scene: Scene) -> None:
    taken = await with_timers(scene, silence=later(60))
    assert len(await fired(scene, taken.place.address, seconds=60)) == 1
    await scene.turn("aquí estoy", at=later(60), timers={"silence": later(60)})
    assert await fired(scene, taken.place.address, seconds=60) == []


async def test_the_timers_of_two_sessions_do_not_meet(scene: Scene) -> None:
    one = await scene.turn("hola", timers={"t": later(10)})
    two = await scene.turn("buenas", sender="beto", timers={"t": later(10)})
    await scene.turn("no", sender="beto", timers={"t": None})
    assert await scene.store.run(fire, now=later(10)) == (one.place.address,)
    assert two.place.address != one.place.address


async def test_the_next_due_time_is_known(scene: Scene) -> None:
    assert await scene.store.run(next_due) is None
    await with_timers(scene, a=later(30), b=later(10))
    assert await scene.store.run(next_due) == later(10)
    await scene.store.run(fire, now=later(10))
    assert await scene.store.run(next_due) == later(30)


async def test_many_due_timers_fire_in_portions(scene: Scene) -> None:
    await with_timers(scene, **{f"t{each}": NOW for each in range(250)})
    assert await scene.store.run(fire, now=NOW)
    assert len(scene.column("SELECT name FROM timers")) == 50
    assert await scene.store.run(fire, now=NOW)
    assert await scene.store.run(fire, now=NOW) == ()
