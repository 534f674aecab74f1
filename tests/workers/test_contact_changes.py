"""A contact who moves to another number, and one who wants no marketing."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from hilo.messages import Address, MarketingChoice, NumberChanged
from hilo.testing.world import CHANNEL, World, open_world
from hilo.tools.database import Script, execute

AGENT = """
agent: avisos
language: es
slots:
  item: {type: text, ask: "¿Qué buscas?"}
flows:
  search:
    starts: always
    steps:
      - collect: item
      - say: "Anoto {item}."
timers:
  nudge: {after: 30m of silence, when: item is empty, say: "¿Sigues ahí?"}
"""


@pytest.fixture
async def world(database_url: str, tmp_path: Path) -> AsyncIterator[World]:
    (tmp_path / "avisos.yaml").write_text(AGENT)
    async with open_world(database_url, tmp_path / "avisos.yaml") as opened:
        yield opened


async def chooses(world: World, *, wanted: bool, ago: timedelta = timedelta()) -> None:
    change = MarketingChoice(Address(CHANNEL, "ana"), wanted, world.clock.now() - ago)
    await world.hilo.intake.changes(CHANNEL, [change])


async def moves(world: World, old: str, new: str) -> None:
    await world.hilo.intake.changes(CHANNEL, [NumberChanged("m1", Address(CHANNEL, old), new, world.clock.now())])


def _table(name: str, **values: Any) -> Script[list[Any]]:
    return (yield from execute(name, **values))


async def sessions(world: World) -> list[tuple[str, str]]:
    found = await world.hilo.store.run(
        _table, "api_sessions", workspace="main", session="", status="", agent="", channel="", contact="",
        before=1 << 62, before_id="", at_most=10,
    )  # fmt: skip
    return sorted((row["address"], row["contact_id"]) for row in found)


async def test_a_timer_speaks_to_whoever_has_not_stopped_marketing(world: World) -> None:
    await world.say("ana", "hola")
    await world.wait(timedelta(minutes=31))
    assert "¿Sigues ahí?" in world.heard_by("ana")[-1]


async def test_a_stop_of_marketing_silences_timers_and_no_answers(world: World) -> None:
    await world.say("ana", "hola")
    await chooses(world, wanted=False)
    before = world.heard_by("ana")
    await world.wait(timedelta(minutes=31))
    assert world.heard_by("ana") == before
    assert await world.say("ana", "una lámpara") == ["Anoto una lámpara."]


async def test_whoever_wants_marketing_again_hears_timers_again(world: World) -> None:
    await chooses_after_talk(world)
    await world.wait(timedelta(minutes=31))
    assert "¿Sigues ahí?" in world.heard_by("ana")[-1]


async def chooses_after_talk(world: World) -> None:
    await world.say("ana", "hola")
    await chooses(world, wanted=False)
    await chooses(world, wanted=True, ago=-timedelta(seconds=1))


async def test_an_older_choice_that_arrives_late_changes_nothing(world: World) -> None:
    await world.say("ana", "hola")
    await chooses(world, wanted=False)
    await chooses(world, wanted=True, ago=timedelta(minutes=5))
    before = world.heard_by("ana")
    await world.wait(timedelta(minutes=31))
    assert world.heard_by("ana") == before


async def test_a_changed_number_takes_the_conversation_along(world: World) -> None:
    await world.say("ana", "hola")
    await moves(world, "ana", "5491155550009")
    assert await world.say("5491155550009", "una lámpara") == ["Anoto una lámpara."]
    assert [address for address, _ in await sessions(world)] == ["5491155550009"]


async def test_what_waits_to_be_said_goes_to_the_new_number(world: World) -> None:
    await world.say("ana", "hola")
    await moves(world, "ana", "5491155550009")
    await world.wait(timedelta(minutes=31))
    assert "¿Sigues ahí?" in world.heard_by("5491155550009")[0]


async def test_a_new_number_that_wrote_first_is_the_same_person(world: World) -> None:
    await world.say("ana", "hola")
    await world.say("5491155550009", "hola")
    await moves(world, "ana", "5491155550009")
    await moves(world, "ana", "5491155550009")
    [one, other] = await sessions(world)
    assert one[1] == other[1]


async def test_a_change_of_somebody_unknown_changes_nothing(world: World) -> None:
    await world.say("ana", "hola")
    await moves(world, "luis", "5491155550009")
    change = MarketingChoice(Address(CHANNEL, "luis"), wanted=False, at=world.clock.now())
    await world.hilo.intake.changes(CHANNEL, [change])
    assert [address for address, _ in await sessions(world)] == ["ana"]
