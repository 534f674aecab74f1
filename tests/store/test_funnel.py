"""How far sessions come: noted in the commit of the turn, counted by agent and period, on both databases."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from scenes import NOW, Scene, later, next_session, outcome, spied

from hilo.store.commits import commit
from hilo.store.funnel import Funnel, ModeOrder, Reached, funnel, mode_orders
from hilo.store.opening import open_store
from hilo.store.registry import Version, publish_by
from hilo.store.turns import ThrownAway

pytest_plugins = ("databases",)

ORDER = ModeOrder("leads", ("TALK", "ASK", "OFFER", "SOLD"), "PERSON")
DAY = timedelta(days=1)


async def come(scene: Scene, contact: str, *modes: str, at: datetime = NOW, text: str = "") -> None:
    """A message that lets a session of a contact come into these modes."""
    await scene.turn(text or f"{contact} {at}", sender=contact, at=at, modes=modes)


async def counted(scene: Scene, order: ModeOrder = ORDER, **changes: Any) -> tuple[Reached, ...]:
    return (await everybody(scene, order, **changes)).modes


async def everybody(scene: Scene, order: ModeOrder = ORDER, **changes: Any) -> Funnel:
    period = {"since": NOW, "until": NOW + DAY, **changes}
    return await scene.store.run(funnel, period.pop("workspace", "w"), order, **period)


def by_mode(found: tuple[Reached, ...], *names: str) -> dict[str, Any]:
    return {each.mode: tuple(getattr(each, name) for name in names) for each in found}


def visits(scene: Scene) -> list[tuple[Any, ...]]:
    rows = scene.rows("SELECT agent, workspace_id, mode, times, first_at FROM mode_visits ORDER BY first_at, mode")
    start = int(NOW.timestamp()) * 1_000_000
    return [(*list(row.values())[:4], (row["first_at"] - start) / 1_000_000) for row in rows]


# --- writing ------------------------------------------------------------------------------------------


async def test_a_mode_is_noted_when_it_is_first_entered_and_how_often(scene: Scene) -> None:
    await come(scene, "ana", "TALK")
    await come(scene, "ana", "ASK", "TALK", "ASK", at=later(5))
    await come(scene, "ana", "ASK", at=later(9))
    assert visits(scene) == [
        ("leads", "w", "TALK", 2, 0),
        ("leads", "w", "ASK", 3, 5),
    ]


@pytest.mark.parametrize(("modes", "statements"), [((), 0), (("A", "B", "A"), 2)])
async def test_a_turn_without_a_change_of_mode_asks_the_database_nothing(
    scene: Scene, modes: tuple[str, ...], statements: int
) -> None:
    heard = await scene.hear("hola")
    changed = outcome(await scene.take(heard.address), modes=modes)
    asked: list[str] = []
    await scene.store.run(lambda: spied(commit(changed, now=NOW), asked))
    assert asked.count("add_visit") == statements


async def test_a_turn_that_is_thrown_away_leaves_no_trace(scene: Scene) -> None:
    await come(scene, "ana", "TALK")
    heard = await scene.hear("más", at=later(1))
    taken = await scene.take(heard.address, at=later(1))
    moved = replace(next_session(taken), version=7)
    assert await scene.commit(taken, at=later(1), session=moved, modes=("ASK",)) == ThrownAway("version")
    assert visits(scene) == [("leads", "w", "TALK", 1, 0)]


# --- reading ------------------------------------------------------------------------------------------


@pytest.fixture
async def week(scene: Scene) -> Scene:
    """Three contacts: one buys in the second session, one leaves out a mode and meets a person, one only talks."""
    await come(scene, "ana", "TALK", "ASK")
    await come(scene, "beto", "TALK", at=later(1))
    await come(scene, "beto", "OFFER", at=later(31))
    await come(scene, "beto", "PERSON", at=later(61))
    await come(scene, "carla", "TALK", at=later(2))
    scene.rows("UPDATE sessions SET status = 'closed'")
    await come(scene, "ana", "TALK", at=later(3600))
    for seconds, mode in ((10, "ASK"), (20, "OFFER"), (40, "SOLD")):
        await come(scene, "ana", mode, at=later(3600 + seconds))
    return scene


async def test_sessions_and_contacts_are_counted_in_the_order_of_the_modes(week: Scene) -> None:
    found = await counted(week)
    assert [(each.mode, each.sessions, each.contacts, each.in_order) for each in found] == [
        ("TALK", 4, 3, True),
        ("ASK", 2, 1, True),
        ("OFFER", 2, 2, True),
        ("SOLD", 1, 1, True),
        ("PERSON", 1, 1, False),
    ]


async def test_all_are_counted_also_who_never_was_in_the_first_mode(week: Scene) -> None:
    await come(week, "dora", "OFFER", at=later(7200))
    found = await everybody(week)
    assert (found.sessions, found.contacts) == (5, 4)
    assert by_mode(found.modes, "sessions", "contacts")["TALK"] == (4, 3)


async def test_who_came_into_a_later_mode_went_on_also_past_one_that_was_left_out(week: Scene) -> None:
    found = by_mode(await counted(week), "sessions_went_on", "contacts_went_on")
    assert found == {"TALK": (3, 2), "ASK": (1, 1), "OFFER": (1, 1), "SOLD": (0, 0), "PERSON": (0, 0)}


async def test_a_handoff_is_not_a_later_mode(scene: Scene) -> None:
    await come(scene, "ana", "TALK", "PERSON")
    assert by_mode(await counted(scene), "sessions_went_on")["TALK"] == (0,)


async def test_times_are_counted_from_the_beginning_of_the_session(week: Scene) -> None:
    found = {mode: half for mode, (half,) in by_mode(await counted(week), "half").items()}
    assert found == {
        "TALK": timedelta(0),
        "ASK": timedelta(0),  # of two, the shorter
        "OFFER": timedelta(seconds=20),
        "SOLD": timedelta(seconds=40),
        "PERSON": timedelta(seconds=60),
    }


async def test_a_session_belongs_to_the_period_in_which_it_began(week: Scene) -> None:
    assert by_mode(await counted(week, since=later(3600)), "sessions")["TALK"] == (1,)
    assert by_mode(await counted(week, until=later(2)), "sessions") == {
        "TALK": (2,),
        "ASK": (1,),
        "OFFER": (1,),
        "SOLD": (0,),
        "PERSON": (1,),
    }


async def test_a_mode_that_nobody_came_into_is_there_all_the_same(scene: Scene) -> None:
    assert await counted(scene) == tuple(Reached(mode, in_order=True) for mode in ORDER.modes)


async def test_a_mode_that_is_part_of_another_ones_name_is_not_in_the_order(scene: Scene) -> None:
    await come(scene, "ana", "SOLD", "OLD", "ASK")
    found = await counted(scene)
    assert [(each.mode, each.in_order) for each in found][-1] == ("OLD", False)
    assert by_mode(found, "sessions_went_on")["OLD"] == (0,)


async def test_modes_of_other_versions_come_after_the_order_and_the_handoff_last(scene: Scene) -> None:
    await come(scene, "ana", "Z", "PERSON", "B", "TALK")
    assert [each.mode for each in await counted(scene)] == [*ORDER.modes, "B", "Z", "PERSON"]


async def test_another_business_and_another_agent_are_not_counted(week: Scene) -> None:
    assert not any(each.sessions for each in await counted(week, workspace="v"))
    assert not any(each.sessions for each in await counted(week, replace(ORDER, agent="vuelos")))


async def test_a_clock_that_was_set_back_takes_no_time(scene: Scene) -> None:
    await come(scene, "ana", "TALK", at=later(60))
    await come(scene, "ana", "ASK", at=later(30))
    assert by_mode(await counted(scene), "half")["ASK"] == (timedelta(0),)


async def test_who_counts_keeps_nobody_from_writing(tmp_path: Path) -> None:
    written, file = list[str](), tmp_path / "hilo.db"

    def write(when: str, _script: str) -> None:
        if when == "at":  # the transaction is open, and all is read
            with closing(sqlite3.connect(file, timeout=0)) as other:
                other.execute("BEGIN IMMEDIATE")
                written.append(when)

    store = await open_store(f"sqlite:///{file}", probe=write)
    await store.run(funnel, "w", ORDER, since=NOW, until=NOW + DAY)
    await store.close()
    assert written == ["at"]


async def test_the_order_is_that_of_the_version_in_force(scene: Scene) -> None:
    first = Version("leads", "1", "", {"modes": ["TALK", "ASK"], "tools": {}, "handoff": "PERSON"})
    for number, each in enumerate((first, replace(first, version="2", offers={}), first)):
        await scene.store.run(publish_by, "w", each, actor="Olga", now=later(number))
    await scene.store.run(publish_by, "w", Version("solo", "1", ""), actor="Olga", now=NOW)
    await scene.store.run(publish_by, "v", Version("far", "1", ""), actor="Olga", now=NOW)
    assert await scene.store.run(mode_orders, "w") == (
        ModeOrder("leads", ("TALK", "ASK"), "PERSON"),
        ModeOrder("solo"),
    )
