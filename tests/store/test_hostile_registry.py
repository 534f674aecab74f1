"""The registry and the funnel under people who hide, workspaces that look alike, and many at once."""

import asyncio
import xml.etree.ElementTree as ET
from collections.abc import Coroutine
from itertools import pairwise
from typing import Any

from scenes import NOW, Scene, later

from hilo.cli.funnel_drawing import Picture, Stage, draw_funnel
from hilo.store.audit import verify
from hilo.store.registry import (
    ENGINE,
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


async def test_who_calls_himself_the_engine_is_in_the_audit_all_the_same(scene: Scene) -> None:
    await scene.store.run(publish, "w", OLD, now=NOW)
    assert await scene.store.run(audit_entries, "w", at_most=10) == ()
    await scene.store.run(publish_by, "w", NEW, actor=ENGINE, now=later(1))
    await scene.store.run(put_in_force, "w", VersionChoice("leads", "1", ENGINE, "rolled back"), now=later(2))
    entries = await scene.store.run(audit_entries, "w", at_most=10)
    assert [each.action for each in entries] == ["rolled back", "published"]


async def test_publishing_and_going_back_at_once_leaves_one_history(scene: Scene) -> None:
    await scene.store.run(publish, "w", OLD, now=NOW)
    deeds = [publish_by_as(scene, str(number)) for number in range(3)]
    deeds += [
        scene.store.run(put_in_force, "w", VersionChoice("leads", each, "Pía"), now=later(1)) for each in ("1", "2") * 4
    ]
    deeds += [scene.store.run(publish, "w", each, now=later(1)) for each in (OLD, NEW) * 3]
    await asyncio.gather(*deeds)
    [found] = await scene.store.run(registered, "w")
    numbers = [each.number for each in found.publications]
    versions = [each.version for each in found.publications]
    assert numbers == list(range(1, len(numbers) + 1))
    assert all(one != other for one, other in pairwise(versions))
    assert await scene.store.run(in_force, "w", "leads") == versions[-1]
    assert (await scene.store.run(verify, "w")).broken is None


def publish_by_as(scene: Scene, actor: str) -> Coroutine[Any, Any, str]:
    return scene.store.run(publish_by, "w", NEW, actor=actor, now=later(1))


async def test_a_text_of_a_megabyte_and_of_any_letters_is_kept_as_it_is(scene: Scene) -> None:
    text = "agent: leads\n# ñandú 🦙 e\u0301 \u202e % :name ' \" \\ {x}\n" + "# " + "x" * 1_000_000
    offers = {"modes": ["Señal"], "tools": {"a'b": {"description": ":x %s"}}}
    await scene.store.run(publish, "w", Version("leads", "3", text, offers), now=NOW)
    kept = await scene.store.run(published, "w", "leads", "3")
    assert kept == Version("leads", "3", text, offers)
    assert await scene.store.run(published, "v", "leads", "3") is None


def test_what_is_drawn_is_one_picture_whatever_its_names_are() -> None:
    odd = '"/><script>alert(1)</script>&\x00\x1b]]>\ud800'
    stages = (Stage(odd, 1, odd, odd, odd), Stage("b", 3, "300%", "", "–", beside=True))
    drawn = draw_funnel(Picture(odd, odd, stages))
    root = ET.fromstring(drawn.encode())  # noqa: S314 -- our own
    assert {each.tag.rpartition("}")[2] for each in root.iter()} <= {
        "svg",
        "g",
        "rect",
        "text",
        "title",
        "path",
        "polygon",
    }
