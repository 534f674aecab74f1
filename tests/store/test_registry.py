"""Versions of agents: which one new sessions begin on, and what is kept of the others."""

import asyncio

from scenes import NOW, Scene, later, next_session

from hilo.store.audit import verify
from hilo.store.registry import (
    Version,
    VersionChoice,
    in_force,
    publish,
    publish_by,
    published,
    put_in_force,
    registered,
)
from hilo.store.views import audit_entries

pytest_plugins = ("databases",)

OLD, NEW = Version("leads", "1", "agent: leads"), Version("leads", "2", "agent: leads  # edited")


async def start(scene: Scene, version: Version, *, at: float = 0) -> str:
    return await scene.store.run(publish, "w", version, now=later(at))


async def test_a_text_that_is_new_comes_into_force(scene: Scene) -> None:
    assert await scene.store.run(in_force, "w", "leads") == ""
    assert [await start(scene, OLD), await start(scene, NEW, at=1)] == ["1", "2"]
    assert await scene.store.run(in_force, "w", "leads") == "2"
    assert await scene.store.run(in_force, "v", "leads") == ""


async def test_a_restart_does_not_undo_a_rollback(scene: Scene) -> None:
    await start(scene, OLD)
    await start(scene, NEW, at=1)
    choice = VersionChoice("leads", "1", "Olga", "rolled back")
    assert await scene.store.run(put_in_force, "w", choice, now=later(2)) == "2"
    assert await start(scene, NEW, at=3) == "1"
    assert await start(scene, OLD, at=4) == "1"
    assert scene.column("SELECT version FROM publications ORDER BY number") == ["1", "2", "1"]


async def test_processes_that_start_at_once_publish_once(scene: Scene) -> None:
    versions = [OLD, NEW] * 5
    found = await asyncio.gather(*(start(scene, each) for each in versions))
    assert set(found) <= {"1", "2"}
    assert sorted(scene.column("SELECT version FROM publications")) == ["1", "2"]
    assert sorted(scene.column("SELECT number FROM publications")) == [1, 2]


async def test_what_a_version_offers_is_renewed_and_its_text_is_not(scene: Scene) -> None:
    await start(scene, OLD)
    await start(scene, Version("leads", "1", "another text", {"modes": ["X"], "tools": {}}), at=1)
    expected = Version("leads", "1", "agent: leads", {"modes": ["X"], "tools": {}})
    assert await scene.store.run(published, "w", "leads", "1") == expected
    [row] = scene.rows("SELECT published_at FROM agents")
    assert row["published_at"] == int(NOW.timestamp() * 1e6)


async def test_who_publishes_puts_an_older_text_in_force_too(scene: Scene) -> None:
    for version in (OLD, NEW):
        await start(scene, version)
    assert await scene.store.run(publish_by, "w", OLD, actor="Olga", now=later(1)) == "2"
    assert await scene.store.run(in_force, "w", "leads") == "1"


async def test_what_is_in_force_already_changes_nothing(scene: Scene) -> None:
    await start(scene, OLD)
    before = scene.everything()
    assert await scene.store.run(publish_by, "w", OLD, actor="Olga", now=later(1)) == "1"
    assert (
        await scene.store.run(put_in_force, "w", VersionChoice("leads", "1", "Olga", "rolled back"), now=later(2))
        == "1"
    )
    assert scene.everything() == before


async def test_what_people_put_in_force_is_in_the_audit(scene: Scene) -> None:
    await start(scene, OLD)
    await scene.store.run(publish_by, "w", NEW, actor="Olga", now=later(1))
    await scene.store.run(put_in_force, "w", VersionChoice("leads", "1", "Pía", "rolled back"), now=later(2))
    last, first = await scene.store.run(audit_entries, "w", at_most=10)
    assert (first.actor, first.action, first.subject) == ("Olga", "published", "leads")
    assert (last.actor, last.action, last.detail) == ("Pía", "rolled back", {"version": "1", "before": "2"})
    assert (await scene.store.run(verify, "w")).broken is None


async def test_two_who_publish_at_once_come_one_after_the_other(scene: Scene) -> None:
    await start(scene, OLD)
    many = [Version("leads", str(number), f"text {number}") for number in range(2, 8)]
    await asyncio.gather(*(scene.store.run(publish_by, "w", each, actor="x", now=NOW) for each in many))
    assert sorted(scene.column("SELECT number FROM publications")) == [1, 2, 3, 4, 5, 6, 7]
    assert (await scene.store.run(verify, "w")).entries == 6


async def test_the_registry_tells_versions_their_sessions_and_what_was_before(scene: Scene) -> None:
    await start(scene, OLD)
    taken = await scene.turn("hola")
    assert next_session(taken).agent_version == "1"
    await start(scene, NEW, at=1)
    await scene.store.run(put_in_force, "w", VersionChoice("leads", "1", "Olga", "rolled back"), now=later(2))
    [found] = await scene.store.run(registered, "w")
    assert [(each.version, each.open_sessions) for each in found.versions] == [("1", 1), ("2", 0)]
    assert (found.in_force.version, found.in_force.actor, found.in_force.at) == ("1", "Olga", later(2))
    assert found.before == "2"
    assert await scene.store.run(registered, "v") == ()
    assert await scene.store.run(registered, "w", "nobody") == ()
